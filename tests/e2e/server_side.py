#!/usr/bin/env python3
"""apply --server-side sends what kubectl apply --server-side sends: a recording proxy stands before the API server, and each tool has
a namespace in the same state. And how conflicts are explained, and what is refused.

  server_side.py --tool T --kubectl K --kubeconfig F"""
import json
import re
import sys

import cluster
import compat

DEPLOYMENT = '''apiVersion: apps/v1
kind: Deployment
metadata: {name: web, labels: {app: web}}
spec:
  replicas: 2
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec:
      containers:
      - {name: app, image: "nginx:1.27", ports: [{containerPort: 80}, {containerPort: 443}]}
'''
MAP = 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: cfg, finalizers: [a.io/x]}\ndata: {a: "1", b: "2"}\n'
BOTH = DEPLOYMENT + '---\n' + MAP
FEWER = BOTH.replace('  replicas: 2\n', '').replace(', b: "2"', '')


def settled(value, namespace):
    """What the two runs cannot share: the namespace, versions, times, and the order of what Go keeps in no order. kubectl says force=false
    where we say nothing."""
    text = json.dumps(value, sort_keys=True).replace(namespace, 'NAMESPACE')
    text = re.sub(r'"time": "[^"]*"', '"time": "T"', text)
    text = re.sub(r'("path": "/metadata/resourceVersion", "value": )"\d+"', r'\1"V"', text)
    out = json.loads(text)
    for request in out:
        request['query'] = [pair for pair in request['query'] if pair != ['force', 'false']]
    return out


class Twins:
    """A namespace for kubectl and one for us, kept in the same state."""

    def __init__(self, cl, check):
        self.cl, self.check = cl, check
        self.theirs, self.ours = cl.new_namespace('server-side'), cl.new_namespace('server-side')

    def both(self, *args):
        for namespace in (self.theirs, self.ours):
            self.cl.must(self.cl.kubectl(*args, '-n', namespace))

    def compare(self, name, text, requests, *args, words=True):
        file = self.cl.write('manifest.yaml', text)
        theirs, kubectl = compat.record(self.cl, self.cl.kubectl_path, self.theirs, file, '--server-side', *args)
        ours, smp = compat.record(self.cl, self.cl.tool, self.ours, file, '--server-side', '--order=input', *args)
        theirs, ours = settled(theirs, self.theirs), settled(ours, self.ours)
        dump = '%s\n%s%s%s' % (json.dumps(theirs, indent=1), json.dumps(ours, indent=1), kubectl.stderr, smp.stderr)
        self.check(name + ': requests', '' if ours == theirs else dump)
        self.check(name + ': %d of them' % requests, '' if len(ours) == requests else dump)
        same = smp.returncode == kubectl.returncode and (not words or smp.stdout == kubectl.stdout)
        self.check(name + ': what is said', '' if same else '%r\n%r\n%s' % (kubectl.stdout, smp.stdout, smp.stderr))
        return kubectl, smp

    def states_are_equal(self, name, *what):
        states = []
        for namespace in (self.theirs, self.ours):
            value = self.cl.get(*what, '-n', namespace)
            fields = sorted((f['manager'], f['operation'], json.dumps(f['fieldsV1'], sort_keys=True)) for f in value['metadata']['managedFields'])
            states.append((fields, value.get('spec'), value.get('data')))
        self.check(name, '' if states[0] == states[1] else json.dumps(states, indent=1))


def requests_are_kubectls(cl, check):
    t = Twins(cl, check)
    t.compare('creation', BOTH, 2)
    t.compare('once more', BOTH, 2)
    t.compare('a change', BOTH.replace('1.27', '1.28'), 2)
    t.compare('a dry run', BOTH.replace('1.27', '1.29'), 2, '--dry-run=server')
    t.compare('names', BOTH, 2, '-o', 'name')
    t.compare('another manager', BOTH.replace('1.27', '1.28'), 2, '--field-manager=me')
    t.compare('validation', MAP + 'dota: {}\n', 1, '--validate=warn', words=False)
    t.states_are_equal('the same owners', 'deploy/web')


def migrations_are_kubectls(cl, check):
    t = Twins(cl, check)
    t.both('apply', '-f', cl.write('client.yaml', BOTH))
    t.compare('a dry run of a migration', FEWER, 4, '--dry-run=server')
    t.compare('a migration', FEWER, 8)
    t.states_are_equal('the same owners of the Deployment', 'deploy/web')
    t.states_are_equal('the same owners of the ConfigMap', 'cm/cfg')
    data = cl.get('cm/cfg', '-n', t.ours)['data']
    check('what left the manifest is gone', '' if data == {'a': '1'} else str(data))
    t.compare('a migration is done once', FEWER, 2)
    t.both('apply', '-f', cl.write('client.yaml', BOTH), '--force-conflicts=false')
    t.compare('after kubectl apply in between', FEWER, 8, words=False)
    t.states_are_equal('the same owners after that', 'deploy/web')
    t = Twins(cl, check)
    t.both('apply', '-f', cl.write('client.yaml', BOTH))
    t.both('apply', '-f', 'client.yaml', '--field-manager=second')
    t.both('apply', '-f', cl.write('other.yaml', BOTH.replace('1.27', '1.28')), '--field-manager=second')
    t.compare('two client-side managers', BOTH.replace('1.27', '1.28'), 8)
    t.states_are_equal('the same owners after two', 'deploy/web')
    t = Twins(cl, check)
    t.both('apply', '-f', cl.write('client.yaml', BOTH))
    t.compare('a migration to another manager', FEWER, 6, '--field-manager=me', '--force-conflicts')
    t.states_are_equal('the same owners for another manager', 'cm/cfg')


def subresources_are_kubectls(cl, check):
    t = Twins(cl, check)
    t.compare('first', DEPLOYMENT, 1)
    scale = 'apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web}\nstatus: {observedGeneration: 1}\n'
    t.compare('a subresource', scale, 1, '--subresource=status')


def conflicts_are_explained(cl, check):
    t = Twins(cl, check)
    t.both('apply', '--server-side', '--field-manager=first', '-f', cl.write('first.yaml', BOTH))
    t.both('scale', 'deploy/web', '--replicas=5')
    wanted = BOTH.replace('replicas: 2', 'replicas: 3').replace('1.27', '1.29').replace('"1"', '"9"').replace('"2"', '"8"')
    kubectl, smp = t.compare('a conflict', wanted, 2)
    del kubectl
    for text in ('manifest.yaml:1: deployment.apps/web: Error from server (Conflict): Apply failed with ',
                 'spec.replicas: "kubectl" applies 3; live has 5, owned by "kubectl" (Update of scale)',
                 'spec.template.spec.containers[name=app].image: "kubectl" applies "nginx:1.29"; live has "nginx:1.27", owned by "first" (Apply at ',
                 'data.a: "kubectl" applies "9"; live has "1", owned by "first" (Apply at ', 'Please review the fields above',
                 'data.b: "kubectl" applies "8"; live has "2"', 're-run the apply\n  command with the `--force-conflicts` flag.'):
        check('a conflict says ' + text, '' if text in smp.stderr else smp.stderr)
    t.compare('forced', wanted, 2, '--force-conflicts')
    secret = 'apiVersion: v1\nkind: Secret\nmetadata: {name: key}\ndata: {p: aHVudGVyMi1odW50ZXIy}\n'
    t.both('apply', '--server-side', '--field-manager=first', '-f', cl.write('secret.yaml', secret))
    done = cl.smp('apply', '--server-side', '-n', t.ours, '-f', cl.write('secret2.yaml', secret.replace('aHVudGVyMi1odW50ZXIy', 'b3RoZXItc2VjcmV0LXZhbHVl')))
    leaked = 'aHVu' in done.stderr or 'b3Ro' in done.stderr or 'data.p: "kubectl" applies ***; live has ***' not in done.stderr
    check('of a Secret the path alone', done.stderr if leaked else '')


def combinations_are_refused(cl, check):
    file = cl.write('map.yaml', MAP)
    for args in (['--force-conflicts'], ['--server-side', '--dry-run=client'], ['--subresource=status']):
        ours, theirs = cl.smp('apply', '-f', file, *args), cl.kubectl('apply', '-f', file, *args)
        same = (ours.returncode, ours.stderr) == (theirs.returncode, theirs.stderr)
        check('refused: %s' % args, '' if same else theirs.stderr + ours.stderr)


def main():
    options = cluster.parse_args(__doc__)
    check = cluster.Checks()
    with cluster.Cluster(options) as cl:
        for part in (requests_are_kubectls, migrations_are_kubectls, subresources_are_kubectls, conflicts_are_explained, combinations_are_refused):
            try:
                part(cl, check)
            except AssertionError as error:
                check(part.__name__, str(error))
    return check.finish()


if __name__ == '__main__':
    sys.exit(main())
