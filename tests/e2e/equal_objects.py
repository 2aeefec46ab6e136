#!/usr/bin/env python3
"""The same files through kubectl and through smp leave equal objects.

Each folder of pairs/ has manifests v1.yaml and v2.yaml and what another manager does to live between them (edit.json); crd.yaml,
if any, comes first. __NS__ stands for the namespace. Both tools do it, each in a namespace of its own; then live objects are
compared, byte for byte in what is recorded as last applied, and each tool has to find nothing to do after the other."""
import concurrent.futures
import difflib
import json
import os
import sys
import time

import cluster

PAIRS = os.path.join(os.path.dirname(os.path.abspath(__file__)), 'pairs')
LAST_APPLIED = 'kubectl.kubernetes.io/last-applied-configuration'
# What the server makes up anew for every object.
RANDOM = ('uid', 'resourceVersion', 'creationTimestamp', 'time', 'lastTransitionTime', 'clusterIP', 'clusterIPs', 'nodePort')


def without_random(value):
    if isinstance(value, dict):
        return {k: without_random(v) for k, v in value.items() if k not in RANDOM}
    if isinstance(value, list):
        return [without_random(v) for v in value]
    return value


def comparable(live):
    """An object as text. The server sorts managers by their time, which is random when it is the same second."""
    uid = live['metadata']['uid']
    live = without_random(live)
    live['metadata']['managedFields'].sort(key=json.dumps)
    return json.dumps(live, indent=1, sort_keys=True, ensure_ascii=False).replace(uid, '__UID__')


class Side:
    """One tool's namespace with the files of one pair."""

    def __init__(self, cl, tool, pair):
        self.cl, self.tool, self.pair, self.ns = cl, tool, pair, cl.new_namespace('eq')

    def text(self, name):
        with open(os.path.join(PAIRS, self.pair, name), encoding='utf-8') as f:
            return f.read().replace('__NS__', self.ns)

    def file(self, name):
        return self.cl.write('%s-%s' % (self.ns, name), self.text(name))

    def apply(self, name, tool=None):
        run = self.cl.kubectl if (tool or self.tool) == 'kubectl' else self.cl.smp
        return self.cl.must(run('apply', '-f', self.file(name), '-n', self.ns))

    def apply_crd(self):
        self.apply('crd.yaml')
        api = '/openapi/v3/apis/%s.example.com/v1' % self.ns
        end = time.time() + 60
        while self.cl.kubectl('get', '--raw', api).returncode != 0:
            if time.time() > end:
                raise AssertionError('not served: ' + api)
            time.sleep(0.2)

    def edit(self):
        edit = json.loads(self.text('edit.json'))
        self.cl.must(self.cl.kubectl('patch', edit['target'], '--type', edit.get('type', 'strategic'), '-p',
                                     json.dumps(edit['patch']), '--field-manager', 'somebody', '-n', self.ns))

    def live(self, name):
        """The objects of a file."""
        found = self.cl.get('-f', self.file(name), '-n', self.ns)
        return found['items'] if found['kind'] == 'List' else [found]

    def neutral(self, texts):
        return '\n'.join(texts).replace(self.ns, '__NS__')


def difference(kubectl, smp):
    return '\n'.join(difflib.unified_diff(kubectl.splitlines(), smp.splitlines(), 'kubectl', 'smp', lineterm='', n=2))


def compare(check, sides, pair, name):
    lives = [side.live(name) for side in sides]
    objects = [side.neutral(map(comparable, live)) for side, live in zip(sides, lives)]
    check('%s/%s: live objects' % (pair, name), difference(*objects))
    recorded = [side.neutral(o['metadata']['annotations'][LAST_APPLIED] for o in live) for side, live in zip(sides, lives)]
    check('%s/%s: last-applied' % (pair, name), difference(*recorded))


def touched(side, output):
    lines = side.neutral([output]).splitlines()
    return {line.split()[0] for line in lines if not line.endswith(' unchanged')} if lines else {'no output'}


def settle(check, sides, pair):
    """Applies v2 again with both tools, each in its own namespace first."""
    kubectl, smp = sides
    kubectl_again, smp_again = kubectl.apply('v2.yaml'), smp.apply('v2.yaml')
    # Some objects kubectl patches at each apply, because it compares atomic lists without the server's defaults.
    never = touched(kubectl, kubectl_again)
    check('%s: smp finds nothing to do after smp' % pair, touched(smp, smp_again) - never)
    check('%s: smp finds nothing to do after kubectl' % pair, touched(kubectl, kubectl.apply('v2.yaml', 'smp')) - never)
    check('%s: kubectl says the same after smp as after itself' % pair,
          difference(kubectl.neutral([kubectl_again]), smp.neutral([smp.apply('v2.yaml', 'kubectl')])))


def run_pair(cl, check, pair):
    sides = [Side(cl, 'kubectl', pair), Side(cl, 'smp', pair)]
    if os.path.exists(os.path.join(PAIRS, pair, 'crd.yaml')):
        for side in sides:
            side.apply_crd()
        compare(check, sides, pair, 'crd.yaml')
    for side in sides:
        side.apply('v1.yaml')
    compare(check, sides, pair, 'v1.yaml')
    for side in sides:
        side.edit()
        side.apply('v2.yaml')
    compare(check, sides, pair, 'v2.yaml')
    settle(check, sides, pair)


def run_pair_to_the_end(cl, check, pair):
    try:
        run_pair(cl, check, pair)
    except AssertionError as error:
        check(pair, str(error))


def main():
    options = cluster.parse_args(__doc__)
    check = cluster.Checks()
    with cluster.Cluster(options) as cl, concurrent.futures.ThreadPoolExecutor(2) as pool:
        list(pool.map(lambda pair: run_pair_to_the_end(cl, check, pair), sorted(os.listdir(PAIRS))))
    return check.finish()


if __name__ == '__main__':
    sys.exit(main())
