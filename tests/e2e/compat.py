#!/usr/bin/env python3
"""--compat=kubectl sends what kubectl sends: a recording proxy stands before the API server, and both tools meet the same live
objects. Every POST and PATCH must be equal: address, query, content type and, as JSON, body. What kubectl's patch loses, smp says."""
import concurrent.futures
import json
import os
import sys
import time
import urllib.parse

import cluster
import get_only
import run as scenarios  # scenarios/run.py: its proxy

HERE = os.path.dirname(os.path.abspath(__file__))
# Of the scenarios those whose patches are the odd ones: one key for two items, duplicates, unions, lists of custom resources, nulls.
SCENARIOS = ['001-svc-twin-add', '003-svc-twin-remove-first', '005-svc-twin-reorder', '023-env-dup-add', '025-env-dedupe',
             '027-imagepullsecrets-dup-roundtrip', '055-crd-keyed-list-foreign-item', '057-crd-multikey-list', '085-container-order',
             '089-strategy-recreate', '091-volume-source-switch', '093-probe-switch-plain', '095-null-deletes']

TWINS = '''apiVersion: v1
kind: Service
metadata: {name: dns}
spec:
  selector: {app: dns}
  ports:
  - {name: tcp, port: 53, protocol: TCP}
'''
BOTH_TWINS = TWINS + '  - {name: udp, port: 53, protocol: UDP}\n'


def writes(log):
    out = []
    for request in log:
        if request['method'] in ('GET', 'HEAD'):
            continue
        url = urllib.parse.urlparse(request['path'])
        out.append({'method': request['method'], 'path': url.path, 'query': sorted(urllib.parse.parse_qsl(url.query)),
                    'type': request['type'], 'body': json.loads(request['body'])})
    return out


def record(cl, tool, namespace, file, *args):
    """Runs apply through a proxy; gives what it wrote, and its result."""
    proxy = scenarios.Proxy(get_only.upstream(cl))
    kubeconfig = os.path.join(cl.dir, cl.write('%s-proxy.kubeconfig' % namespace, get_only.kubeconfig_text(proxy.url)))
    try:
        result = cl.run(tool, 'apply', '-f', file, '-n', namespace, '--kubeconfig', kubeconfig, *args)
    finally:
        proxy.close()
    return writes(proxy.log), result


def compare(check, cl, name, namespace, file):
    """What both would send now; nothing is stored."""
    theirs, kubectl = record(cl, cl.kubectl_path, namespace, file, '--dry-run=server')
    ours, smp = record(cl, cl.tool, namespace, file, '--dry-run=server', '--compat=kubectl', '--order=input')
    dump = '%s\n%s%s%s' % (json.dumps(theirs, indent=1), json.dumps(ours, indent=1), kubectl.stderr, smp.stderr)
    check(name + ': requests', '' if ours == theirs else dump)
    check(name + ': exit status', '' if smp.returncode == kubectl.returncode else dump)
    return len(theirs)


class Folder:
    """The manifests of a folder, for one namespace."""

    def __init__(self, cl, path):
        self.cl, self.path, self.ns = cl, path, cl.new_namespace('compat')

    def has(self, name):
        return os.path.exists(os.path.join(self.path, name))

    def text(self, name):
        with open(os.path.join(self.path, name), encoding='utf-8') as f:
            return f.read().replace('__NS__', self.ns)

    def file(self, name):
        return self.cl.write('%s-%s' % (self.ns, name), self.text(name))

    def apply_crd(self):
        self.cl.must(self.cl.kubectl('apply', '-f', self.file('crd.yaml')))
        end = time.time() + 60
        while self.cl.kubectl('get', '--raw', '/openapi/v3/apis/%s.example.com/v1' % self.ns).returncode != 0:
            if time.time() > end:
                raise AssertionError('not served: ' + self.ns)
            time.sleep(0.2)

    def edit(self):
        edit = json.loads(self.text('edit.json'))
        self.cl.must(self.cl.kubectl('patch', edit['target'], '--type', edit.get('type', 'strategic'), '-p', json.dumps(edit['patch']),
                                     '-n', self.ns))


def run_folder(cl, check, path):
    name, folder = os.path.basename(path), Folder(cl, path)
    if folder.has('crd.yaml'):
        folder.apply_crd()
    v1, v2 = folder.file('v1.yaml'), folder.file('v2.yaml')
    compared = compare(check, cl, name + ': creation', folder.ns, v1)
    cl.must(cl.kubectl('apply', '-f', v1, '-n', folder.ns))
    if folder.has('edit.json'):
        folder.edit()
    compared += compare(check, cl, name + ': change', folder.ns, v2)
    done = cl.smp('apply', '--compat=kubectl', '-f', v2, '-n', folder.ns)
    theirs = cl.kubectl('apply', '-f', v2, '-n', folder.ns)
    check(name + ': kubectl can go on', '' if done.returncode == theirs.returncode else done.stderr + theirs.stderr)
    compare(check, cl, name + ': once more', folder.ns, v2)
    compared += compare(check, cl, name + ': and back', folder.ns, v1)
    check(name + ': something was compared', '' if compared >= 2 else 'only %d requests' % compared)


def run_to_the_end(cl, check, path):
    try:
        run_folder(cl, check, path)
    except AssertionError as error:
        check(os.path.basename(path), str(error))


def what_is_lost_is_said(cl, check):
    namespace = cl.new_namespace('compat')
    one, both = cl.write('one.yaml', TWINS), cl.write('both.yaml', BOTH_TWINS)
    cl.must(cl.smp('apply', '-f', one, '-n', namespace))
    lost = "spec.ports[port=53,protocol=UDP]: kubectl's patch loses it"
    explained = cl.smp('explain-diff', '--compat=kubectl', '-f', both, '-n', namespace)
    check('explain-diff warns of the lost port', '' if 'warning: ' + lost in explained.stdout else explained.stdout)
    applied = cl.smp('apply', '--compat=kubectl', '-f', both, '-n', namespace)
    check('apply warns of the lost port', '' if 'Warning: both.yaml:1: service/dns: ' + lost in applied.stderr else applied.stderr)
    check('apply says what kubectl says', '' if applied.stdout == 'service/dns configured\n' else applied.stdout)
    ports = [p['protocol'] for p in cl.get('service/dns', '-n', namespace)['spec']['ports']]
    check('the port is lost', '' if ports == ['TCP'] else str(ports))


def main():
    options = cluster.parse_args(__doc__)
    check = cluster.Checks()
    pairs = [os.path.join(HERE, 'pairs', name) for name in sorted(os.listdir(os.path.join(HERE, 'pairs')))]
    folders = pairs + [os.path.join(HERE, 'scenarios', name) for name in SCENARIOS]
    with cluster.Cluster(options) as cl, concurrent.futures.ThreadPoolExecutor(2) as pool:
        list(pool.map(lambda path: run_to_the_end(cl, check, path), folders))
        what_is_lost_is_said(cl, check)
    return check.finish()


if __name__ == '__main__':
    sys.exit(main())
