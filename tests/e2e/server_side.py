#!/usr/bin/env python3
"""apply --server-side sends what kubectl apply --server-side sends: a recording proxy is in front of the API server, and each tool has
a namespace in the same state. And how conflicts are explained, and which combinations of flags are refused.

  server_side.py --tool T --kubectl K --kubeconfig F"""
import json
import re
import sys

import harness
from harness import Space, must, said
from harness.manifests import web_yaml

DEPLOYMENT = web_yaml(', ports: [{containerPort: 80}, {containerPort: 443}]')
MAP = 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: cfg, finalizers: [a.io/x]}\ndata: {a: "1", b: "2"}\n'
BOTH = DEPLOYMENT + '---\n' + MAP
FEWER = BOTH.replace('  replicas: 2\n', '').replace(', b: "2"', '')
SECRET = 'apiVersion: v1\nkind: Secret\nmetadata: {name: key}\ndata: {p: %s}\n'


def settled(requests, namespace):
    """Removes what the two runs cannot share: the namespace, versions, times. kubectl sends force=false where we send nothing, and
    keeps last-applied in whatever has the name now, where we send the uid of the object that was applied."""
    text = json.dumps(requests, sort_keys=True).replace(namespace, 'NAMESPACE')
    text = re.sub(r'"time": "[^"]*"', '"time": "T"', text)
    text = re.sub(r'("path": "/metadata/resourceVersion", "value": )"\d+"', r'\1"V"', text)
    out = json.loads(text)
    for request in out:
        request['query'] = [pair for pair in request['query'] if pair != ['force', 'false']]
        if ['fieldManager', 'kubectl-last-applied'] in request['query'] and isinstance(request['body'], dict):
            request['body']['metadata'].pop('uid', None)
    return out


class Duplicates:
    """A namespace for kubectl and one for smp, kept in the same state."""

    def __init__(self, cl, check):
        self.cl, self.check = cl, check
        self.spaces = self.theirs, self.ours = Space(cl, 'server-side'), Space(cl, 'server-side')
        self.proxy = cl.proxy()  # one for all runs: what the tools cache of a server is by its address

    def both(self, *args):
        for space in self.spaces:
            must(space.kubectl(*args))

    def both_apply(self, text, *flags):
        for space in self.spaces:
            must(space.apply(text, *flags, tool='kubectl'))

    def record(self, space, tool, *flags):
        self.proxy.log.clear()
        result = space.by(tool, 'apply', '-f', 'manifest.yaml', '--server-side', *flags, kubeconfig=self.proxy.kubeconfig)
        return settled(self.proxy.parsed(), space.name), result

    def compare(self, name, text, requests, *flags, words=True):
        for space in self.spaces:
            space.write('manifest.yaml', text)
        theirs, kubectl = self.record(self.theirs, 'kubectl', *flags)
        ours, smp = self.record(self.ours, 'smp', '--order=input', *flags)
        dump = '%s\n%s\n%s%s' % (json.dumps(theirs, indent=1), json.dumps(ours, indent=1), said(kubectl), said(smp))
        self.check.true(name + ': requests', ours == theirs, dump)
        self.check.true(name + ': %d of them' % requests, len(ours) == requests, dump)
        same = smp.returncode == kubectl.returncode and (not words or smp.stdout == kubectl.stdout)
        self.check.true(name + ': output', same, dump)
        return smp

    def same_owners(self, name, target):
        states = []
        for space in self.spaces:
            live = space.get(target)
            fields = sorted((f['manager'], f['operation'], json.dumps(f['fieldsV1'], sort_keys=True)) for f in live['metadata']['managedFields'])
            states.append((fields, live.get('spec'), live.get('data')))
        self.check.equal(name, states[1], states[0])


def requests_are_kubectls(cl, check):
    t = Duplicates(cl, check)
    t.compare('creation', BOTH, 2)
    once_more = t.compare('once more', BOTH, 2, words=False)
    check.equal('says unchanged where kubectl says serverside-applied', once_more.stdout, 'deployment.apps/web unchanged\nconfigmap/cfg unchanged\n')
    t.compare('a change', BOTH.replace('1.27', '1.28'), 2, words=False)
    t.compare('a dry run', BOTH.replace('1.27', '1.29'), 2, '--dry-run=server', words=False)
    t.compare('names', BOTH, 2, '-o', 'name')
    t.compare('another manager', BOTH.replace('1.27', '1.28'), 2, '--field-manager=me', words=False)
    t.compare('validation', MAP + 'dota: {}\n', 1, '--validate=warn', words=False)
    t.same_owners('the same owners', 'deploy/web')


def migrations_are_kubectls(cl, check):
    t = Duplicates(cl, check)
    t.both_apply(BOTH)
    t.compare('a dry run of a migration', FEWER, 4, '--dry-run=server')
    t.compare('a migration', FEWER, 8)
    t.same_owners('the same owners of the Deployment', 'deploy/web')
    t.same_owners('the same owners of the ConfigMap', 'cm/cfg')
    check.equal('what left the manifest is gone', t.ours.get('cm/cfg')['data'], {'a': '1'})
    t.compare('a migration is done once', FEWER, 2, words=False)
    t.both_apply(BOTH, '--force-conflicts=false')
    t.compare('after kubectl apply in between', FEWER, 8, words=False)
    t.same_owners('the same owners after that', 'deploy/web')
    t = Duplicates(cl, check)
    t.both_apply(BOTH)
    t.both_apply(BOTH, '--field-manager=second')
    t.both_apply(BOTH.replace('1.27', '1.28'), '--field-manager=second')
    t.compare('two client-side managers', BOTH.replace('1.27', '1.28'), 8, words=False)
    t.same_owners('the same owners after two', 'deploy/web')
    t = Duplicates(cl, check)
    t.both_apply(BOTH)
    t.compare('a migration to another manager', FEWER, 6, '--field-manager=me', '--force-conflicts')
    t.same_owners('the same owners for another manager', 'cm/cfg')


def subresources_are_kubectls(cl, check):
    t = Duplicates(cl, check)
    t.compare('first', DEPLOYMENT, 1)
    scale = 'apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web}\nstatus: {observedGeneration: 1}\n'
    t.compare('a subresource', scale, 1, '--subresource=status')


def conflicts_are_explained(cl, check):
    t = Duplicates(cl, check)
    t.both_apply(BOTH, '--server-side', '--field-manager=first')
    t.both('scale', 'deploy/web', '--replicas=5')
    wanted = BOTH.replace('replicas: 2', 'replicas: 3').replace('1.27', '1.29').replace('"1"', '"9"').replace('"2"', '"8"')
    smp = t.compare('a conflict', wanted, 2)
    for text in ('manifest.yaml:1: deployment.apps/web: Error from server (Conflict): Apply failed with ',
                 'spec.replicas: "kubectl" applies 3; live has 5, owned by kubectl (Update of scale',
                 'spec.template.spec.containers[name=app].image: "kubectl" applies "nginx:1.29"; live has "nginx:1.27", owned by first (Apply; last write ',
                 'data.a: "kubectl" applies "9"; live has "1", owned by first (Apply; last write ', 'Please review the fields above',
                 'data.b: "kubectl" applies "8"; live has "2"', 're-run the apply\n  command with the `--force-conflicts` flag.'):
        check.has('a conflict says ' + text, smp.stderr, text)
    t.compare('forced', wanted, 2, '--force-conflicts')
    t.both_apply(SECRET % 'aHVudGVyMi1odW50ZXIy', '--server-side', '--field-manager=first')
    done = t.ours.apply(SECRET % 'b3RoZXItc2VjcmV0LXZhbHVl', '--server-side')
    check.has('of a Secret only the path', done.stderr, 'data.p: "kubectl" applies ***; live has ***', lacks=['aHVu', 'b3Ro'])


# What a container of a Deployment may have, and what smp says before anything is sent. "": it leaves it to the server; None: all is well.
CONTAINERS = [
    ('imagePulPolicy: Always', 'unknown field "imagePulPolicy"; did you mean "imagePullPolicy"?'), ('env: [{name: A, value: yes}]', 'put the text in quotes'),
    ('env: [{name: A, value: 5}]', 'put the text in quotes'), ('ports: [{containerPort: "80"}]', 'remove the quotes'), ('ports: {containerPort: 80}', 'expected a list'),
    ('args: text', 'expected a list'), ('stdin: "true"', 'remove the quotes'), ('resources: []', 'expected an object'), ('livenessProbe: {exec: {command: [1]}}', 'expected a string'),
    ('imagePullPolicy: Sometimes', ''), ('ports: [{containerPort: 80000}]', ''), ('resources: {limits: {cpu: x}}', ''),
    ('resources: {limits: {cpu: 1, memory: 1e3}}', None), ('ports: [{containerPort: 80.0}]', None), ('env: null', None), ('args: []', None),
]


def findings_come_first(cl, check):
    """Unknown fields and wrong types are found as client-side; the server is asked by kubectl, and what it accepts passes."""
    space = Space(cl, 'findings')
    for container, words in CONTAINERS:
        text = web_yaml(', ' + container)
        theirs = space.apply(text, '--server-side', '--dry-run=server', tool='kubectl')
        check.equal('%s: the server' % container, theirs.returncode == 0, words is None)
        with cl.proxy() as proxy:
            ours = space.apply(text, '--server-side', '--dry-run=server', kubeconfig=proxy.kubeconfig)
        check.says('%s: smp' % container, ours, theirs.returncode, err=[words] if words else None)
        check.equal('%s: requests' % container, len(proxy.sent()), 0 if words else 1)
    typo = web_yaml(', imagePulPolicy: Always')
    check.has('--validate=ignore leaves it to the server', space.apply(typo, '--server-side', '--validate=ignore').stderr, 'Error from server', lacks=['did you mean'])
    check.has('with a subresource, all is left to the server', space.apply(typo, '--server-side', '--subresource=status').stderr, 'Error from server', lacks=['did you mean'])


def combinations_are_refused(cl, check):
    file = cl.write('map.yaml', MAP)
    for args in (['--force-conflicts'], ['--server-side', '--dry-run=client'], ['--subresource=status']):
        as_kubectl = ['--compat=kubectl'] if args == ['--force-conflicts'] else []
        ours, theirs = cl.smp('apply', '-f', file, *args, *as_kubectl), cl.kubectl('apply', '-f', file, *args)
        check.equal('refused: %s' % args, (ours.returncode, ours.stderr), (theirs.returncode, theirs.stderr))


if __name__ == '__main__':
    sys.exit(harness.run(__doc__, requests_are_kubectls, migrations_are_kubectls, subresources_are_kubectls, findings_come_first, conflicts_are_explained,
                         combinations_are_refused))
