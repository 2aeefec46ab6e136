#!/usr/bin/env python3
"""explain-diff sends nothing but GETs, whatever it finds: a recording proxy stands before the API server."""
import json
import os
import ssl
import sys
import urllib.parse

import cluster
import run as scenarios  # scenarios/run.py: its proxy

V1 = '''apiVersion: v1
kind: ConfigMap
metadata: {name: web}
data: {a: "1", b: "2"}
---
apiVersion: v1
kind: Service
metadata: {name: web}
spec:
  selector: {app: web}
  ports:
  - {name: dns, port: 53, protocol: UDP}
  - {name: dns-tcp, port: 53, protocol: TCP}
---
apiVersion: rbac.authorization.k8s.io/v1
kind: Role
metadata: {name: web}
rules:
- {apiGroups: [""], resources: [pods], verbs: [get]}
'''
V2 = V1.replace('a: "1"', 'a: "3"').replace('name: dns-tcp, port: 53', 'name: dns-tcp, port: 54')
NEW = V1.replace('name: web', 'name: new')
BROKEN = 'apiVersion: v1\nkind: [ConfigMap\n'


def upstream(cl):
    """Where the proxy sends requests on, and as whom."""
    config = json.loads(cl.must(cl.kubectl('config', 'view', '--raw', '--flatten', '--minify', '-o', 'json')))
    return {'host': urllib.parse.urlparse(config['clusters'][0]['cluster']['server']).netloc,
            'ctx': ssl._create_unverified_context(),  # a test server on loopback
            'token': config['users'][0]['user']['token']}


def kubeconfig_text(url):
    config = {'apiVersion': 'v1', 'kind': 'Config', 'current-context': 'x',
              'clusters': [{'name': 'c', 'cluster': {'server': url}}],
              'users': [{'name': 'u', 'user': {}}],
              'contexts': [{'name': 'x', 'context': {'cluster': 'c', 'user': 'u'}}]}
    return json.dumps(config)


def write_kubeconfig(cl, url):
    return os.path.join(cl.dir, cl.write('proxy.kubeconfig', kubeconfig_text(url)))


def explain(cl, namespace, *args):
    """Runs explain-diff through a proxy; gives its result and the requests as "METHOD path"."""
    proxy = scenarios.Proxy(upstream(cl))
    try:
        result = cl.run(cl.tool, 'explain-diff', *args, '-n', namespace, '--kubeconfig', write_kubeconfig(cl, proxy.url))
    finally:
        proxy.close()
    return result, ['%s %s' % (r['method'], r['path']) for r in proxy.log]


def check_run(check, cl, namespace, name, args, exit_status):
    result, requests = explain(cl, namespace, *args)
    said = 'exit %d instead of %d: %s%s' % (result.returncode, exit_status, result.stdout, result.stderr)
    check(name + ': exit status', '' if result.returncode == exit_status else said)
    check(name + ': only GETs', [r for r in requests if not r.startswith('GET ')])
    return requests


def main():
    check = cluster.Checks()
    with cluster.Cluster(cluster.parse_args(__doc__)) as cl:
        namespace = cl.new_namespace('getonly')
        for name, text in (('v1.yaml', V1), ('v2.yaml', V2), ('new.yaml', NEW), ('broken.yaml', BROKEN)):
            cl.write(name, text)
        cl.must(cl.smp('apply', '-f', 'v1.yaml', '-n', namespace))
        before = cl.get('-f', 'v1.yaml', '-n', namespace)

        requests = check_run(check, cl, namespace, 'differences', ['-f', 'v2.yaml'], 1)
        check('the proxy saw the requests', '' if len(requests) >= 3 else requests)
        for output in ('text', 'json', 'patch'):
            check_run(check, cl, namespace, 'differences, -o ' + output, ['-f', 'v2.yaml', '-o', output], 1)
        check_run(check, cl, namespace, 'differences, --exit-code=never', ['-f', 'v2.yaml', '--exit-code=never'], 0)
        check_run(check, cl, namespace, 'no differences', ['-f', 'v1.yaml'], 0)
        check_run(check, cl, namespace, 'objects that do not exist', ['-f', 'new.yaml'], 1)
        check_run(check, cl, namespace, 'a file that is no YAML', ['-f', 'broken.yaml'], 2)
        check_run(check, cl, namespace, 'a file that does not exist', ['-f', 'missing.yaml'], 2)
        check_run(check, cl, namespace, 'one bad file among good ones', ['-f', 'v2.yaml', '-f', 'broken.yaml'], 2)
        check('live is as before', '' if cl.get('-f', 'v1.yaml', '-n', namespace) == before else 'it changed')
    return check.finish()


if __name__ == '__main__':
    sys.exit(main())
