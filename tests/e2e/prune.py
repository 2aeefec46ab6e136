#!/usr/bin/env python3
"""apply --prune and explain-diff --prune: what is deleted, what is never, who is asked. kubectl is run beside it."""
import base64
import json
import os
import random
import re
import signal
import sys

import harness
from harness import said
from harness.manifests import custom, definition
from harness.terminal import Terminal

MAP = 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: %s, labels: {set: %s}%s}\ndata: {k: "1"}\n'
DEPLOYMENT = '''apiVersion: apps/v1
kind: Deployment
metadata: {name: web, labels: {set: X}}
spec: {selector: {matchLabels: {a: b}}, template: {metadata: {labels: {a: b}}, spec: {containers: [{name: a, image: i}]}}}
'''
ROLE = 'apiVersion: rbac.authorization.k8s.io/v1\nkind: Role\nmetadata: {name: r, labels: {set: X}}\n'
NAMESPACE = 'apiVersion: v1\nkind: Namespace\nmetadata: {name: %s, labels: {set: %s}}\n'
ALLOW_MAPS = '--prune-allowlist=core/v1/ConfigMap'
# Of this run only: kubectl prunes Namespaces of that label everywhere, and so would delete those of other tests.
X = 'x%08x' % random.getrandbits(32)
CHOOSE_X = 'set=' + X


def config_map(name, label=None, more=''):
    return MAP % (name, label or X, more)


class Space:
    """A namespace with what is applied in it at first."""

    def __init__(self, cl, *texts):
        self.cl, self.name = cl, cl.new_namespace('prune')
        if texts:
            cl.must(self.apply(texts))

    def write(self, texts):
        return self.cl.write(self.name + '.yaml', '---\n'.join(texts).replace('{set: X}', '{set: %s}' % X))

    def apply(self, texts, *flags, tool='smp', **env):
        run = self.cl.smp if tool == 'smp' else self.cl.kubectl
        return run('apply', '-n', self.name, '-f', self.write(texts), *flags, **env)

    def explain(self, texts, *flags, **env):
        return self.cl.smp('explain-diff', '-n', self.name, '-f', self.write(texts), *flags, **env)

    def names(self, kinds='configmap'):
        out = self.cl.must(self.cl.kubectl('get', kinds, '-n', self.name, '-o', 'name'))
        return sorted(n for n in out.split() if n != 'configmap/kube-root-ca.crt')


def good(result, *lines):
    """Empty when it succeeded and stdout has exactly these lines."""
    return '' if result.returncode == 0 and result.stdout.splitlines() == list(lines) else said(result)


def check_choice(cl, check):
    a, b, other = config_map('a'), config_map('b'), config_map('c', 'other')
    for tool in ('smp', 'kubectl'):
        space = Space(cl, a, b, other, DEPLOYMENT, ROLE)
        cl.must(cl.kubectl('create', 'configmap', 'foreign', '-n', space.name))
        cl.must(cl.kubectl('label', 'configmap', 'foreign', CHOOSE_X, '-n', space.name))
        result = space.apply([a], '--prune', '-l', CHOOSE_X, tool=tool)
        check(tool + ': default kinds, -l', good(result, 'configmap/a unchanged', 'configmap/b pruned',
                                                 'deployment.apps/web pruned'))
        # kubectl says that Endpoints, which nobody named, are deprecated.
        check(tool + ': what it leaves', '' if tool == 'kubectl' or result.stderr ==
              '--prune leaves 1 object of other kinds that match -l and are no longer in any manifest: '
              'role.rbac.authorization.k8s.io/r; name the kinds with --prune-allowlist, or use --applyset\n'
              'deleting what was applied before, but no longer in any manifest:\n  configmap/b in namespace %s\n'
              '  deployment.apps/web in namespace %s\n' % (space.name, space.name) else said(result))
        if tool == 'smp':
            result = space.explain([a], '--prune', '-l', CHOOSE_X)
            check('explain-diff: what it leaves', '' if result.returncode == 0 and
                  'leaves 1 object of other kinds' in result.stderr else said(result))
            result = space.apply([a], '--prune', '-l', CHOOSE_X, '--compat=kubectl')
            check('--compat=kubectl does not say it', good(result, 'configmap/a unchanged') or result.stderr)
        check(tool + ': what stays', '' if space.names('configmap,deployment,role') == [
            'configmap/a', 'configmap/c', 'configmap/foreign', 'role.rbac.authorization.k8s.io/r'] else space.names())
        result = space.apply([a], '--prune', '--all', '--prune-allowlist=rbac.authorization.k8s.io/v1/Role',
                             '--prune-allowlist=core/v1/ConfigMap', tool=tool)
        check(tool + ': an allowlist, --all', '' if result.returncode == 0 and sorted(result.stdout.splitlines()) == [
            'configmap/a unchanged', 'configmap/c pruned', 'role.rbac.authorization.k8s.io/r pruned'] else said(result))
        check(tool + ': nothing is left to prune', good(space.apply([a], '--prune', '--all', ALLOW_MAPS, tool=tool),
                                                       'configmap/a unchanged'))

    space = Space(cl, a, b)
    check('-o name', good(space.apply([a], '--prune', '--all', '-o', 'name'), 'configmap/a', 'configmap/b'))
    space = Space(cl, a, b)
    result = space.apply([a], '--prune', '--all', '-o', 'json')
    check('-o json: one document', '' if json.loads(result.stdout)['metadata']['name'] == 'a' and
          'configmap/b pruned' in result.stderr else said(result))


def check_loss(cl, check):
    """The last lines say what is lost: what others changed in what goes, and what Pods of the input still need."""
    a, b = config_map('a'), config_map('b')
    space = Space(cl, a, b)
    cl.must(cl.kubectl('patch', 'configmap', 'b', '-n', space.name, '--field-manager=mallory', '--type=merge', '-p', '{"data": {"x": "precious"}}'))
    result = space.explain([a], '--prune', '-l', CHOOSE_X)
    told = ' '.join(result.stdout.split())
    check('changed by others', '' if 'removes what others have changed: ConfigMap %s/b (by mallory' % space.name in told and
          'no change made in the cluster' not in told else said(result))
    reads = DEPLOYMENT.replace('image: i}', 'image: i, envFrom: [{configMapRef: {name: b}}]}')
    space = Space(cl, a, b, reads)
    result = space.explain([a, reads], '--prune', '-l', CHOOSE_X)
    told = ' '.join(result.stdout.split())
    check('still needed', '' if 'is deleted, though Pods of the input need it: ConfigMap %s/b (Deployment web)' % space.name in told else said(result))


def check_labels(cl, check):
    """-l filters the input, too: an object that it leaves out is not applied, and not pruned either."""
    a, b, moved = config_map('a'), config_map('b'), config_map('b', 'z')
    space = Space(cl, a, b)
    check('an object that moved to another label stays', good(space.apply([a, moved], '--prune', '-l', CHOOSE_X),
                                                              'configmap/a unchanged'))
    check('it is there', '' if space.names() == ['configmap/a', 'configmap/b'] else space.names())
    kubectl = space.apply([a, moved], '--prune', '-l', CHOOSE_X, tool='kubectl')
    check('kubectl deletes it', '' if 'configmap/b pruned' in kubectl.stdout else said(kubectl))
    result = space.apply([moved], '-l', CHOOSE_X)
    check('nothing is chosen', '' if result.returncode == 1 and 'no objects passed to apply' in result.stderr else said(result))
    result = space.apply([a], '-l', 'set in (x')
    check('a selector that is none', '' if result.returncode == 1 and 'the provided selector' in result.stderr else said(result))


def check_namespaces(cl, check):
    """Looked into are the namespaces of the manifests and that of -n; Namespaces only where the allowlist names them."""
    a, b = config_map('a'), config_map('b')
    one, two, three = Space(cl), Space(cl), Space(cl, a, b)

    def in_space(text, space):
        return text.replace('metadata: {', 'metadata: {namespace: %s, ' % space.name)

    both = [in_space(a, one), in_space(b, one), in_space(a, two), in_space(b, two)]
    cl.must(cl.smp('apply', '-f', cl.write('both.yaml', '---\n'.join(both))))
    less = cl.write('less.yaml', '---\n'.join([both[0], both[2]]))
    result = cl.smp('apply', '-f', less, '--prune', '-l', CHOOSE_X, ALLOW_MAPS)
    check('each namespace of the manifests', '' if result.stdout.count('configmap/b pruned') == 2 else said(result))
    check('and no other', '' if three.names() == ['configmap/a', 'configmap/b'] else three.names())

    # kubectl deletes Namespaces elsewhere although -n limits the run.
    label = three.name
    victim = label + '-victim'
    cl.namespaces += [victim, victim + '2']
    for tool in ('smp', 'kubectl'):
        cl.must(cl.smp('apply', '-f', cl.write('ns.yaml', NAMESPACE % (victim, label))))
        result = three.apply([config_map('only', label)], '--prune', '-l', 'set=' + label, tool=tool)
        terminating = 'deletionTimestamp' in cl.get('namespace', victim)['metadata']
        check(tool + ': a Namespace elsewhere', '' if terminating == (tool == 'kubectl') else said(result))
    cl.must(cl.smp('apply', '-f', cl.write('ns.yaml', NAMESPACE % (victim + '2', label))))
    result = three.apply([config_map('only', label)], '--prune', '-l', 'set=' + label, '--prune-allowlist=core/v1/Namespace')
    check('the allowlist names it', good(result, 'configmap/only unchanged', 'namespace/%s2 pruned' % victim))
    result = three.apply([config_map('only', label)], '--prune', '-l', 'set=' + label, '--prune-allowlist=core/v1/Namespace')
    check('what is on its way out is not pruned again', good(result, 'configmap/only unchanged'))


def check_errors(cl, check):
    a, b = config_map('a'), config_map('b')
    for name, bad in (('an object that is refused', a.replace('name: a', 'name: A_')),
                      ('a document that cannot be read', 'kind: [ConfigMap\n'),
                      ('an unknown kind', 'apiVersion: nobody.io/v1\nkind: Widget\nmetadata: {name: w}\n')):
        space = Space(cl, a, b)
        result = space.apply([a, bad], '--prune', '--all')
        check(name + ': nothing is pruned', '' if result.returncode == 1 and 'nothing was pruned' in result.stderr and
              space.names() == ['configmap/a', 'configmap/b'] else said(result))
    space = Space(cl, a, b)
    result = space.apply([a], '--prune', '-l', CHOOSE_X, '--prune-allowlist=nobody.io/v1/Widget', ALLOW_MAPS)
    check('a kind that does not exist: as kubectl, nothing is even applied', '' if result.returncode == 1 and result.stdout == '' and
          'no matches for kind "Widget"' in result.stderr and space.names() == ['configmap/a', 'configmap/b'] else said(result))
    group = space.name + '.example.com'
    result = space.apply([json.dumps(o) + '\n' for o in (definition(group), custom(group, size=1))],
                         '--prune', '--all', '--prune-allowlist=%s/v1/Widget' % group)
    check('a kind that the input itself defines', '' if result.returncode == 0 else said(result))
    cl.must(cl.kubectl('delete', 'crd', 'widgets.' + group))
    for flags in (['--prune'], ['--prune', '--all', '-l', CHOOSE_X], ['--prune', '--all', '--prune-allowlist=v1/ConfigMap']):
        ours, theirs = space.apply([a], *flags), space.apply([a], *flags, tool='kubectl')
        check('%s: as kubectl' % flags, '' if ours.returncode == 1 and ours.stderr == theirs.stderr else said(ours) + said(theirs))
    check('and nothing is pruned', '' if space.names() == ['configmap/a', 'configmap/b'] else space.names())

    # What a pipe in a folder has is unknown.
    space = Space(cl, a, b)
    folder = space.name + '-all'
    cl.write(folder + '/a.yaml', a.replace('{set: X}', '{set: %s}' % X))
    os.mkfifo(cl.path(folder + '/b.yaml'))
    for command, status in (('apply', 1), ('explain-diff', 2)):
        result = cl.smp(command, '-n', space.name, '-f', folder, '--prune', '--all')
        check.says(command + ' of a folder with a pipe', result, status, out='',
                   err=['b.yaml is not a regular file and was skipped', 'error: --prune needs all manifests, and a file was skipped'])
    check.equal('then nothing is pruned', space.names(), ['configmap/a', 'configmap/b'])

    # A deletion that fails does not stop the others.
    space = Space(cl, a, b, config_map('c'))
    with cl.proxy(inject=[{'methods': ['DELETE'], 'path': '/configmaps/b', 'status': 403, 'reason': 'Forbidden', 'message': 'not you'}]) as proxy:
        result = space.apply([a], '--prune', '--all', kubeconfig=proxy.kubeconfig)
    check('a deletion that is refused', '' if result.returncode == 1 and 'not you' in result.stderr and
          'configmap/c pruned' in result.stdout and space.names() == ['configmap/a', 'configmap/b'] else said(result))


def check_dry_runs(cl, check):
    a, b = config_map('a'), config_map('b')
    space = Space(cl, a, b)
    for kind, suffix in (('client', ' (dry run)'), ('server', ' (server dry run)')):
        lines = ['configmap/a unchanged' + suffix, 'configmap/b pruned' + suffix]
        check('--dry-run=' + kind, good(space.apply([a], '--prune', '--all', '--dry-run=' + kind), *lines))
        # A new object has no uid that could be known.
        result = space.apply([a, config_map('new')], '--prune', '--all', '--dry-run=' + kind)
        check('--dry-run=%s with a new object' % kind, '' if 'configmap/b pruned' in result.stdout else said(result))
    check('nothing is pruned', '' if space.names() == ['configmap/a', 'configmap/b'] else space.names())

    result = space.explain([a], '--prune', '-l', CHOOSE_X)
    check('explain-diff', '' if result.returncode == 1 and re.search(
        r'^ConfigMap %s/b: will be deleted' % space.name, result.stdout, re.M) else said(result))
    result = space.explain([a], '--prune', '-o', 'json')
    report = json.loads(result.stdout)
    check('explain-diff -o json', '' if result.returncode == 1 and report['summary']['prune'] == 1 and
          [o['action'] for o in report['objects']] == ['unchanged', 'prune'] else said(result))
    check('explain-diff without it', '' if space.explain([a]).returncode == 0 else 'it differs')
    result = space.explain([a, 'kind: [\n'], '--prune', '-l', CHOOSE_X)
    check('explain-diff after an error', '' if result.returncode == 2 and 'are not shown' in result.stderr and
          'will be deleted' not in result.stdout else said(result))
    with cl.proxy() as proxy:
        space.explain([a], '--prune', '-l', CHOOSE_X, kubeconfig=proxy.kubeconfig)
    check('explain-diff --prune only reads', proxy.sent())
    result = cl.smp('explain-diff', '-f', space.write([a]), '--prune', '--live', space.write([a]))
    check('explain-diff of files only', '' if result.returncode == 2 and '--live' in result.stderr else said(result))


def check_waiting(cl, check):
    a, held = config_map('a'), config_map('b', X, ', finalizers: [example.com/hold]')
    space = Space(cl, a, held)
    result = space.apply([a], '--prune', '--all', ALLOW_MAPS, '--wait', '--timeout=1s')
    check('--wait: time is over', '' if result.returncode == 1 and 'configmap/b pruned' not in result.stdout and
          'example.com/hold' in result.stderr else said(result))
    cl.must(cl.kubectl('patch', 'configmap', 'b', '-n', space.name, '--type=merge', '-p', '{"metadata":{"finalizers":null}}'))
    space = Space(cl, a, config_map('b'))
    check('--wait', good(space.apply([a], '--prune', '--all', '--wait'), 'configmap/a unchanged', 'configmap/b pruned'))
    check('it is gone', '' if space.names() == ['configmap/a'] else space.names())


def check_log(cl, check):
    """The list of the objects to prune holds the last-applied annotations of Secrets; -v must not print them."""
    canary = 'canary-%08x' % random.getrandbits(32)
    coded = base64.b64encode(canary.encode()).decode()
    secrets = ['apiVersion: v1\nkind: Secret\nmetadata: {name: %s, labels: {set: X}}\n%s: {p: %s}\n' % row
               for row in (('plain', 'stringData', canary), ('coded', 'data', coded))]
    space = Space(cl, config_map('a'), *secrets)
    for level in (8, 9, 10):
        result = space.apply([config_map('a')], '--prune', '-l', CHOOSE_X, '--prune-allowlist=core/v1/Secret',
                             '--dry-run=server', '-v=%d' % level)
        shown = [text for text in (canary, coded) if text in result.stderr]
        check('-v=%d shows no Secret' % level, '' if result.returncode == 0 and not shown and
              'PartialObjectMetadataList' in result.stderr and result.stdout.count('pruned') == 2 else said(result))


def check_question(cl, check):
    a, b = config_map('a'), config_map('b')

    def start(space, *flags, stdin=None, file=None, more=(), kubeconfig=None):
        argv = [cl.tool, 'apply', '-n', space.name, '-f', file or space.write([a, *more]), '--prune', '--all', *flags,
                '--kubeconfig', kubeconfig or cl.kubeconfig]
        return Terminal(cl, argv, stdin, controlling=False)

    # Asked before anything is applied: with another answer than yes, nothing is.
    for answer, exit_status, left in (('y\n', 0, ['a', 'new']), ('n\n', 1, ['a', 'b']), ('\n', 1, ['a', 'b']), ('\x04', 1, ['a', 'b']),
                                      ('sigint', 130, ['a', 'b'])):
        space = Space(cl, a, b)
        terminal = start(space, more=[config_map('new')])
        terminal.await_text(r'delete 1 object\? \[y/N\]: ')
        plan = 'configmap/b in namespace ' + space.name in terminal.text and 'created' not in terminal.text
        if answer == 'sigint':
            terminal.process.send_signal(signal.SIGINT)
        else:
            terminal.type(answer)
        status = terminal.finish()
        check('answer %r' % answer, '' if plan and status == exit_status and space.names() == ['configmap/' + n for n in left] else
              'exit %d: %s' % (status, terminal.text))
    # What appears after the answer was not agreed to.
    space = Space(cl, a, b)
    terminal = start(space)
    terminal.await_text(r'delete 1 object\? \[y/N\]: ')
    cl.must(space.apply([config_map('late')]))
    terminal.type('y\n')
    check('applied by somebody meanwhile', '' if terminal.finish() == 0 and 'not pruned, because it was not there' in terminal.text and
          space.names() == ['configmap/a', 'configmap/late'] else terminal.text)
    # What would be deleted cannot be known before: a kind that is neither on the server nor planned now.
    space = Space(cl, a, b)
    refusal = {'methods': ['GET'], 'path': '/configmaps/a$', 'status': 403, 'reason': 'Forbidden', 'message': 'not now'}
    with cl.proxy(inject=[refusal]) as proxy:
        terminal = start(space, kubeconfig=proxy.kubeconfig)
        terminal.await_text(r'configmap/a unchanged.*delete 1 object\? \[y/N\]: ')
        terminal.type('n\n')
        check('asked after the apply', '' if terminal.finish() == 0 and 'nothing was pruned' in terminal.text else terminal.text)
    space = Space(cl, a, b)
    terminal = start(space, '--yes')
    check('--yes', '' if terminal.finish() == 0 and space.names() == ['configmap/a'] else terminal.text)
    space = Space(cl, a)
    terminal = start(space)
    check('nothing to prune, nothing to ask', '' if terminal.finish() == 0 and '[y/N]' not in terminal.text else terminal.text)

    # Nobody can answer: refused before anything is sent.
    for name, file in (('the manifest', '-'), ('not a terminal', None)):
        space = Space(cl, b)
        with open(os.path.join(cl.dir, space.write([a])), encoding='utf-8') as f:
            terminal = start(space, stdin=f, file=file)
            status = terminal.finish()
        check('standard input is ' + name, '' if status == 1 and '--yes' in terminal.text and
              'standard input is ' + name in terminal.text and space.names() == ['configmap/b'] else terminal.text)
    with open(os.path.join(cl.dir, space.write([a])), encoding='utf-8') as f:
        terminal = start(space, '--yes', stdin=f, file='-')
        check('standard input is the manifest, --yes', '' if terminal.finish() == 0 and
              space.names() == ['configmap/a'] else terminal.text)


def check_what_goes(cl, check):
    """explain-diff --prune reads what is lost with the objects, and what of the input makes up for it."""
    rbac = '{apiGroup: rbac.authorization.k8s.io, kind: %s, name: %s'
    role = lambda name: 'apiVersion: rbac.authorization.k8s.io/v1\nkind: Role\nmetadata: {name: %s, labels: {set: X}}\nrules: [{apiGroups: [""], resources: [pods], verbs: [get]}]\n' % name
    binding = lambda name, of: ('apiVersion: rbac.authorization.k8s.io/v1\nkind: RoleBinding\nmetadata: {name: %s, labels: {set: X}}\nroleRef: %s}\n'
                                'subjects: [{kind: User, name: ann, apiGroup: rbac.authorization.k8s.io}]\n' % (name, rbac % ('Role', of)))
    claims = ('apiVersion: apps/v1\nkind: StatefulSet\nmetadata: {name: db, labels: {set: X}}\nspec:\n  serviceName: db\n  selector: {matchLabels: {a: b}}\n'
              '  persistentVolumeClaimRetentionPolicy: {whenDeleted: Delete}\n  template: {metadata: {labels: {a: b}}, spec: {containers: [{name: a, image: "a:1"}]}}\n'
              '  volumeClaimTemplates: [{metadata: {name: data}, spec: {accessModes: [ReadWriteOnce], resources: {requests: {storage: 1Gi}}}}]\n')
    a = config_map('a')
    space = Space(cl, a, role('old'), binding('old', 'old'), claims)
    prune = ['--prune', '-l', CHOOSE_X, '-n', space.name, '--wide', *('--prune-allowlist=' + kind for kind in (
        'rbac.authorization.k8s.io/v1/Role', 'rbac.authorization.k8s.io/v1/RoleBinding', 'apps/v1/StatefulSet'))]
    explain = lambda *texts, flags=(): cl.smp('explain-diff', '-f', space.write(texts), *prune, *flags)
    gone = explain(a)
    check.says('rights and claims', gone, 1, has=['takes rights away: Role', '(get pods)', 'lost by User ann', '! is deleted with what it holds: StatefulSet', 'its PersistentVolumeClaims'])
    check.says('orphaned claims', explain(a, flags=['--cascade=orphan']), 1, lacks=['is deleted with what it holds'])
    check.says('the role gets another name', explain(a, role('new'), binding('new', 'new'), claims), 1, lacks=['takes rights away', 'lost by'])


if __name__ == '__main__':
    sys.exit(harness.run(__doc__, check_choice, check_loss, check_labels, check_namespaces, check_errors, check_dry_runs, check_waiting, check_question,
                         check_log, check_what_goes))
