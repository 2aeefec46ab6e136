#!/usr/bin/env python3
"""apply --prune --applyset and explain-diff: what is deleted, what is never, and whether kubectl and we understand each other's sets."""
import base64
import hashlib
import json
import sys

import harness
from harness import Space, said
from harness.manifests import config_map, custom, definition, of, secret
from harness.terminal import Terminal

PART_OF, ID = 'applyset.kubernetes.io/part-of', 'applyset.kubernetes.io/id'
TOOLING, KINDS = 'applyset.kubernetes.io/tooling', 'applyset.kubernetes.io/contains-group-kinds'
NAMESPACES = 'applyset.kubernetes.io/additional-namespaces'
PARENT_TYPE = {'labels': {'applyset.kubernetes.io/is-parent-type': 'true'}}
ROLE = of('rbac.authorization.k8s.io/v1', 'Role', 'r', rules=[])
AS_KUBECTL = '--applyset-tooling=kubectl'
# kubectl's --applyset is an alpha feature.
ALPHA = {'KUBECTL_APPLYSET': 'true'}


class Set:
    """A namespace with an ApplySet."""

    def __init__(self, cl, parent='set'):
        self.space, self.parent, self.kind = Space(cl, 'applyset'), parent, parent.rpartition('/')[0] or 'secret'
        self.name = self.space.name

    def apply(self, objects, *flags, tool='smp', command='apply', **env):
        return self.space.apply(objects, '--prune', '--applyset=' + self.parent, *flags, tool=tool, command=command, **{**ALPHA, **env})

    def explain(self, objects, *flags):
        return self.apply(objects, *flags, command='explain-diff')

    def live_parent(self):
        return self.space.get(self.kind, self.parent.rpartition('/')[2])

    def says(self, key):
        metadata = self.live_parent()['metadata']
        return {**metadata['annotations'], **metadata['labels']}[key]

    def names(self, kinds='configmap', namespace=None):
        out = self.space.must(self.space.kubectl('get', kinds, '-n', namespace or self.name, '-o', 'name'))
        return sorted(n for n in out.split() if n != 'configmap/kube-root-ca.crt')


def good(result, *lines):
    """Empty when it succeeded and stdout has exactly these lines, in any order."""
    return '' if result.returncode == 0 and sorted(result.stdout.splitlines()) == sorted(lines) else said(result)


def same(got, expected):
    return '' if got == expected else '%r instead of %r' % (got, expected)


def pruned(result):
    return sorted(line.split()[0] for line in result.stdout.splitlines() if ' pruned' in line)


def explained(result):
    return sorted('%s/%s' % (o['kind'].lower(), o['name']) for o in json.loads(result.stdout)['objects'] if o['action'] == 'prune')


def check_set(cl, check):
    a, b = config_map('a', k='1'), config_map('b', k='1')
    mine, other = Set(cl), Set(cl)
    other.space = mine.space
    other.parent = 'other'
    check('a new set', good(mine.apply([a, b, ROLE]), 'configmap/a created', 'configmap/b created',
                            'role.rbac.authorization.k8s.io/r created'))
    unencoded = 'set.%s.Secret.' % mine.name
    code = base64.urlsafe_b64encode(hashlib.sha256(unencoded.encode()).digest()).decode().rstrip('=')
    check('its id', same(mine.says(ID), 'applyset-%s-v1' % code))
    check('its kinds', same(mine.says(KINDS), 'ConfigMap,Role.rbac.authorization.k8s.io'))
    check('its other namespaces', same(mine.says(NAMESPACES), ''))
    check('its tool', '' if mine.says(TOOLING).startswith('kubectl-smp/v') else mine.says(TOOLING))
    managers = [entry['manager'] for entry in mine.live_parent()['metadata']['managedFields']]
    check('the manager of its parent', same(managers, ['kubectl-applyset']))
    live = mine.space.get('configmap', 'a')['metadata']
    check('the label of a member', same(live['labels'], {PART_OF: mine.says(ID)}))
    record = json.loads(live['annotations']['kubectl.kubernetes.io/last-applied-configuration'])
    check('the label is recorded', same(record['metadata']['labels'], {PART_OF: mine.says(ID)}))

    cl.must(other.apply([config_map('c', k='1')]))
    cl.must(mine.space.apply(config_map('plain', {'labels': {'app': 'web'}})))
    cl.must(mine.space.kubectl('create', 'configmap', 'foreign'))
    result = mine.explain([a], '-o', 'json')
    check('explain-diff tells what will be deleted', same(explained(result), ['configmap/b', 'role/r']))
    result = mine.explain([a])
    words = ' '.join(result.stdout.split())
    check('explain-diff as text', '' if result.returncode == 1 and '2 objects: will be deleted' in words and 'ConfigMap %s/b' % mine.name in words else said(result))
    result = mine.explain([a], '-o', 'json', '--server-side')
    check('explain-diff --server-side', same(explained(result), ['configmap/b', 'role/r']))
    with cl.proxy() as proxy:
        mine.apply([a], command='explain-diff', kubeconfig=proxy.kubeconfig)
    check('explain-diff only reads', proxy.sent())
    for kind in ('client', 'server'):
        result = mine.apply([a], '--dry-run=' + kind)
        check('--dry-run=' + kind, same(pruned(result), ['configmap/b', 'role.rbac.authorization.k8s.io/r']))
    check('a dry run deletes nothing and leaves the parent', same(
        (mine.names(), mine.says(KINDS)), (['configmap/a', 'configmap/b', 'configmap/c', 'configmap/foreign', 'configmap/plain'],
                                           'ConfigMap,Role.rbac.authorization.k8s.io')))
    argv = mine.space.argv('smp', 'apply', '-f', mine.space.write('m.json', [a]), '--prune', '--applyset=set')
    terminal = Terminal(mine.space, argv, None, controlling=False)
    terminal.await_text(r'delete 2 objects\? \[y/N\]: ')
    terminal.type('n\n')
    check('a "no" deletes nothing and leaves the parent', '' if terminal.finish() == 1 and 'configmap/b' in mine.names() and
          mine.says(KINDS) == 'ConfigMap,Role.rbac.authorization.k8s.io' else terminal.text)
    check('what is in no manifest now is deleted', good(
        mine.apply([a]), 'configmap/a unchanged', 'configmap/b pruned', 'role.rbac.authorization.k8s.io/r pruned'))
    check('and nothing else', same(mine.names(), ['configmap/a', 'configmap/c', 'configmap/foreign', 'configmap/plain']))
    check('then its kinds are exact', same(mine.says(KINDS), 'ConfigMap'))
    check('nothing is left to prune', good(mine.apply([a]), 'configmap/a unchanged'))
    check('explain-diff agrees', same(mine.explain([a]).returncode, 0))
    result = mine.apply([a], '--server-side', '--force-conflicts')
    check('--server-side', '' if result.returncode == 0 and mine.names()[0] == 'configmap/a' else said(result))
    cl.must(mine.apply([b], '--server-side', '--force-conflicts'))
    check('--server-side prunes', same(mine.names(), ['configmap/b', 'configmap/c', 'configmap/foreign', 'configmap/plain']))
    new = Set(cl)
    cl.must(new.apply([a], '--dry-run=server'))
    cl.must(new.apply([a], '--dry-run=client'))
    cl.must(cl.smp('apply', '-n', new.name, '-f', mine.space.path('m.json')))
    new.explain([a])
    check('neither dry runs nor explain-diff make a parent', same(new.names('secret'), []))


def check_both_tools(cl, check):
    a, b, c = (config_map(name, k='1') for name in 'abc')
    kubectls = Set(cl)
    cl.must(kubectls.apply([a, b, ROLE], tool='kubectl'))
    before = kubectls.live_parent()['metadata']
    result = kubectls.apply([a, c])
    check("we continue kubectl's set", same(pruned(result), ['configmap/b', 'role.rbac.authorization.k8s.io/r']))
    check('its label in the record is none to us', '' if 'configmap/a unchanged' in result.stdout else said(result))
    after = kubectls.live_parent()['metadata']
    check('its tooling stays', same(after['annotations'][TOOLING], before['annotations'][TOOLING]))
    check('its parent has one manager', same([e['manager'] for e in after['managedFields']], ['kubectl-applyset']))
    result = kubectls.apply([c], tool='kubectl')
    check('kubectl continues it after us', good(result, 'configmap/c unchanged', 'configmap/a pruned'))
    result = kubectls.apply([c])
    check('nothing is left', good(result, 'configmap/c unchanged'))

    ours, shared = Set(cl), Set(cl)
    cl.must(ours.apply([a, b]))
    result = ours.apply([a], tool='kubectl')
    check('kubectl refuses ours', '' if result.returncode == 1 and 'is managed by tooling "kubectl-smp" instead of "kubectl"' in
          result.stderr and ours.names() == ['configmap/a', 'configmap/b'] else said(result))
    cl.must(shared.apply([a, b, ROLE], AS_KUBECTL))
    result = shared.apply([a], tool='kubectl')
    check('kubectl continues a set of ours in its name', good(
        result, 'configmap/a unchanged', 'configmap/b pruned', 'role.rbac.authorization.k8s.io/r pruned'))
    check('and we continue it again', good(shared.apply([b]), 'configmap/b created', 'configmap/a pruned'))
    cl.must(ours.apply([a, b], AS_KUBECTL))
    check('a set of ours becomes kubectl\'s', good(ours.apply([a], tool='kubectl'), 'configmap/a unchanged', 'configmap/b pruned'))

    cl.must(ours.space.kubectl('annotate', '--overwrite', 'secret', 'set', TOOLING + '=helm/v3'))
    for command in ('apply', 'explain-diff'):
        result = ours.apply([b], command=command)
        check(command + ": another tool's set", '' if result.returncode and result.stderr.rstrip().endswith(
            'ApplySet parent object "secrets./set" already exists and is managed by tooling "helm" instead of "kubectl-smp"') and
            ours.names() == ['configmap/a'] else said(result))


def check_failures(cl, check):
    a, b, c = (config_map(name, k='1') for name in 'abc')
    for name, bad in (('an object that is refused', config_map('A_')), ('a document that cannot be read', 'kind: [ConfigMap\n')):
        mine = Set(cl)
        cl.must(mine.apply([a, b]))
        result = mine.apply([a, ROLE, bad])
        check(name + ': nothing is pruned', '' if result.returncode == 1 and 'nothing was pruned' in result.stderr and
              mine.names() == ['configmap/a', 'configmap/b'] else said(result))
        check(name + ': the parent has what was and what is', same(mine.says(KINDS), 'ConfigMap,Role.rbac.authorization.k8s.io'))
        # Nothing is lost: what the failed run made is pruned, too.
        check(name + ': afterwards', same(pruned(mine.apply([a])), ['configmap/b', 'role.rbac.authorization.k8s.io/r']))
        check(name + ': the parent is exact', same(mine.says(KINDS), 'ConfigMap'))

    mine = Set(cl)
    cl.must(mine.apply([a, b, c, ROLE]))
    inject = {'methods': ['DELETE'], 'path': '/configmaps/b', 'status': 403, 'reason': 'Forbidden', 'message': 'not you'}
    with cl.proxy(inject=[inject]) as proxy:
        result = mine.apply([a], kubeconfig=proxy.kubeconfig)
    check('a deletion that is refused', '' if result.returncode == 1 and 'not you' in result.stderr and
          mine.names() == ['configmap/a', 'configmap/b'] else said(result))
    check('then the parent keeps its kinds', same(mine.says(KINDS), 'ConfigMap,Role.rbac.authorization.k8s.io'))
    inject = {'methods': ['GET'], 'path': '/roles', 'status': 403, 'reason': 'Forbidden', 'message': 'not you'}
    with cl.proxy(inject=[inject]) as proxy:
        result = mine.apply([a], kubeconfig=proxy.kubeconfig)
    check('a list that is refused: nothing is pruned', '' if result.returncode == 1 and 'not you' in result.stderr and
          mine.names() == ['configmap/a', 'configmap/b'] else said(result))
    inject = {'methods': ['PATCH'], 'path': '/secrets/set', 'status': 403, 'reason': 'Forbidden', 'message': 'not you'}
    with cl.proxy(inject=[inject]) as proxy:
        result = mine.apply([c], kubeconfig=proxy.kubeconfig)
    check('a parent that cannot be written: nothing is applied', '' if result.returncode == 1 and
          'failed to update ApplySet: ' in result.stderr and mine.names() == ['configmap/a', 'configmap/b'] else said(result))
    labelled = config_map('d', {'labels': {PART_OF: mine.says(ID)}})
    result = mine.apply([c, labelled])
    check('a manifest with the label: nothing is applied', '' if result.returncode == 1 and
          'ApplySet label "%s" already set in input data' % PART_OF in result.stderr and
          mine.names() == ['configmap/a', 'configmap/b'] else said(result))
    check('kubectl says so, too', '' if 'ApplySet label "%s" already set in input data' % PART_OF in
          Set(cl).apply([c, labelled], tool='kubectl').stderr else 'it does not')
    # Somebody else wrote the parent.
    mine.space.patch('secret set', {'metadata': {'annotations': {KINDS: 'ConfigMap'}}})
    result = mine.apply([a, ROLE])
    check('the parent is taken back', '' if result.returncode == 0 and 'Retrying with conflicts forced' in result.stderr and
          mine.says(KINDS) == 'ConfigMap,Role.rbac.authorization.k8s.io' else said(result))


def check_namespaces(cl, check):
    mine, there, third = Set(cl), Space(cl, 'applyset'), Space(cl, 'applyset')

    def at(name, space):
        return config_map(name, {'namespace': space.name}, k='1')

    # -n would refuse other namespaces than its own, so the parent must be of a kind without one.
    group = there.name + '.example.com'
    crd = definition(group, 'Parent', metadata=PARENT_TYPE, scope='Cluster')
    cl.must(cl.smp('apply', '-f', cl.write('crd.json', crd)))
    cl.await_api(group + '/v1')
    parent = '--applyset=parents.%s/all' % group

    def apply(objects, *flags, tool='smp', command='apply'):
        return cl.by(tool, command, '-f', cl.write('m.json', objects), '--prune', parent, *flags, **ALPHA)

    both = [at('a', mine.space), at('b', there), at('c', there)]
    for tool in ('smp', 'kubectl'):
        result = apply(both, tool=tool)
        check(tool + ': a custom parent is not created', '' if result.returncode == 1 and
              'custom resource ApplySet parents cannot be created automatically' in result.stderr else said(result))
    marks = {'annotations': {TOOLING: 'kubectl/v1', KINDS: ''},
             'labels': {ID: set_id('all', '', 'Parent', group)}}
    cl.must(cl.smp('apply', '-f', cl.write('parent.json', custom(group, 'Parent', 'all', marks))))
    cl.must(apply(both))
    kept = cl.get('parents.' + group, 'all')['metadata']['annotations']
    check('its namespaces', same(kept[NAMESPACES], ','.join(sorted([mine.name, there.name]))))
    stray = at('stray', third)
    stray['metadata']['labels'] = {PART_OF: marks['labels'][ID]}
    cl.must(cl.kubectl('create', '-f', cl.write('stray.json', stray)))
    result = apply(both[:2], '-o', 'json', command='explain-diff')
    check('explain-diff in several namespaces', same(explained(result), ['configmap/c']))
    result = apply(both[:1])
    check('each namespace of the set', same(pruned(result), ['configmap/b', 'configmap/c']))
    check('and no other', same(mine.names(namespace=third.name), ['configmap/stray']))
    check('what remains', same(cl.get('parents.' + group, 'all')['metadata']['annotations'][NAMESPACES], mine.name))
    check('kubectl goes on', same(pruned(apply([at('d', there)], tool='kubectl')), ['configmap/a']))
    check('and we', same(pruned(apply([at('e', there)])), ['configmap/d']))
    cl.must(cl.kubectl('delete', 'crd', 'parents.' + group))


def check_kinds(cl, check):
    """A set of ConfigMaps as parent, with its own kinds, Namespaces and CRDs."""
    mine = Set(cl, 'configmap/set')
    group = mine.name + '.example.com'
    a, crd, widget = config_map('a', k='1'), definition(group), custom(group, size=1)
    result = mine.apply([widget, crd, a, secret('s')])
    check('kinds of the input', '' if result.returncode == 0 else said(result))
    crds = 'CustomResourceDefinition.apiextensions.k8s.io'
    check('are known', same(mine.says(KINDS), ','.join(sorted(['ConfigMap', 'Secret', crds, 'Widget.' + group]))))
    result = mine.apply([widget, a])
    check('a CRD of objects of the input stays', '' if result.returncode == 1 and 'put it back into the manifests' in result.stderr and
          mine.names('widgets.%s,secret' % group) == ['secret/s', 'widget.%s/w' % group] else said(result))
    check('explain-diff says so', '' if 'put it back into the manifests' in mine.explain([widget, a]).stderr else 'no')
    result = mine.apply([crd, a])
    check('a custom resource', same(pruned(result), ['secret/s', 'widget.%s/w' % group]))
    check('the parent is no member', '' if 'configmap/set' in mine.names() else mine.names())
    check('explain-diff names what goes with a CRD', '' if 'is deleted with what it holds: CustomResourceDefinition widgets.%s (all' % group in
          ' '.join(mine.explain([a]).stdout.split()) else mine.explain([a]).stdout)
    result = mine.apply([a])
    check('the announcement, too', '' if 'and with it all objects of that kind' in result.stderr else said(result))
    check('a CRD', same(pruned(result), ['customresourcedefinition.apiextensions.k8s.io/widgets.' + group]))

    # The CRD is deleted by somebody else: its objects are gone, and the set goes on without them.
    gone = lambda: cl.kubectl('get', 'crd', 'widgets.' + group).returncode != 0 and cl.kubectl('get', '--raw', '/apis/' + group).returncode != 0
    harness.until('the pruned CRD is gone', gone)
    cl.must(mine.apply([crd, widget, a]))
    cl.must(cl.kubectl('delete', 'crd', 'widgets.' + group))
    harness.until('the kind is gone', gone)
    result = mine.apply([a])
    check('a kind that is gone', '' if result.returncode == 0 and 'Widget.%s of the ApplySet any more' % group in result.stderr and
          mine.says(KINDS) == 'ConfigMap' else said(result))

    # A member that is the parent of the set itself is never pruned.
    itself = of('v1', 'ConfigMap', 'set')
    cl.must(mine.apply([a, itself]))
    result = mine.apply([a])
    check('the parent is never pruned', '' if result.returncode == 0 and 'configmap/set' in mine.names() else said(result))

    space = of('v1', 'Namespace', mine.name)
    cl.must(mine.apply([a, space]))
    result = mine.apply([a])
    check('the Namespace of the input stays', '' if result.returncode == 1 and 'nothing was pruned' in result.stderr and
          'deletionTimestamp' not in cl.get('namespace', mine.name)['metadata'] else said(result))


def set_id(name, namespace, kind, group):
    text = '.'.join((name, namespace, kind, group))
    return 'applyset-%s-v1' % base64.urlsafe_b64encode(hashlib.sha256(text.encode()).digest()).decode().rstrip('=')


def at_the_prompt(mine, objects, deletes, meanwhile):
    """Applies; `meanwhile` runs while the question is on the terminal, which is then answered by "y". Returns what it said."""
    argv = mine.space.argv('smp', 'apply', '-f', mine.space.write('prompt.json', objects), '--prune', '--applyset=' + mine.parent)
    terminal = Terminal(mine.space, argv, None, controlling=False)
    terminal.await_text(r'delete %d objects?\? \[y/N\]: ' % deletes)
    meanwhile()
    terminal.type('y\n')
    terminal.finish()
    return terminal.text


def check_meanwhile(cl, check):
    """Others change sets while a run asks what to delete."""
    mine = Set(cl)
    a, b = config_map('a', k='1'), config_map('b', k='1')
    cl.must(mine.apply([a, b]))
    path = mine.space.write('b.json', b)
    text = at_the_prompt(mine, [a], 1, lambda: cl.must(mine.space.run(*cl.argv('smp', 'apply', '-f', path, '-n', mine.name, '--prune',
                                                                               '--applyset=other'))))
    check('what another set took meanwhile stays', '' if 'configmap/b' in mine.names() and 'pruned' not in text else text)
    mine = Set(cl)
    cl.must(mine.apply([a, b]))
    text = at_the_prompt(mine, [a], 1, lambda: cl.must(mine.apply([a, b, ROLE])))
    check('what another run wrote meanwhile is not forgotten', '' if 'not pruned, because it was not there' in text and 'Role' in mine.says(KINDS) else text)
    check('and is pruned by the next one', same(pruned(mine.apply([a])), ['role.rbac.authorization.k8s.io/r']))

    # A run of fewer kinds begins when ours has written its kinds, and ends before ours creates its objects.
    changed = config_map('a', k='2')  # its PATCH is when the other one runs
    for what, objects, status in (('a run', [changed, ROLE], 0), ('a run that fails', [changed, ROLE, config_map('B_', k='1')], 1)):
        mine = Set(cl)
        cl.must(mine.apply([a]))
        with cl.proxy(hook=lambda: setattr(proxy, 'hook', lambda: cl.must(mine.apply([a])))) as proxy:
            result = mine.apply(objects, '--order=input', kubeconfig=proxy.kubeconfig)
        check(what + ' beside a shorter one keeps its kinds', '' if result.returncode == status and 'Role' in mine.says(KINDS) and
              ('keeps the kinds and namespaces of both' in result.stderr) == (status == 0) else said(result) + mine.says(KINDS))
        check(what + ': the next one corrects that', same(pruned(mine.apply([a])), ['role.rbac.authorization.k8s.io/r']))
        check(what + ': so it does', same(mine.says(KINDS), 'ConfigMap'))


def check_lost_kinds(cl, check):
    """Kinds that are not served, or not known yet, and the kind of the parent itself."""
    mine = Set(cl)
    group = mine.name + '.example.com'
    a, crd, widget = config_map('a', k='1'), definition(group), custom(group, size=1)
    cl.must(mine.apply([crd, widget, a]))
    result = mine.apply([crd, widget, a, of(group + '/v1', 'Later', 'l')])
    check('an unknown kind: nothing is applied', '' if result.returncode == 1 and not result.stdout and 'no matches for kind "Later"' in result.stderr
          else said(result))
    served = lambda on: cl.must(cl.kubectl('patch', 'crd', 'widgets.' + group, '--type=json', '-p',
                                           json.dumps([{'op': 'replace', 'path': '/spec/versions/0/served', 'value': on}])))
    served(False)
    harness.until('the kind is not served', lambda: cl.kubectl('get', '--raw', '/apis/' + group).returncode != 0)
    result = mine.apply([a])
    check('a kind that is only not served is not forgotten', '' if result.returncode == 1 and 'Widget.' + group in mine.says(KINDS) else said(result))
    served(True)
    cl.await_api(group + '/v1')
    check('and pruned when it is served again', '' if 'widget.%s/w' % group in pruned(mine.apply([a, crd])) else 'no')
    cl.must(cl.kubectl('delete', 'crd', 'widgets.' + group))

    parent = definition(group, 'Parent', metadata=PARENT_TYPE)
    cl.must(mine.space.apply([parent], '--wait-ready'))
    cl.await_api(group + '/v1')
    marks = {'annotations': {TOOLING: 'kubectl-smp/v0', KINDS: ''}, 'labels': {ID: set_id('p', mine.name, 'Parent', group)}}
    cl.must(mine.space.kubectl('create', '-f', mine.space.write('p.json', of(group + '/v1', 'Parent', 'p', marks))))
    mine.parent = 'parents.%s/p' % group
    cl.must(mine.apply([a, parent]))
    result = mine.apply([a])
    check("the CRD of the set's own parent stays", '' if result.returncode == 1 and 'nothing was pruned' in result.stderr and
          'deletionTimestamp' not in cl.get('crd', 'parents.' + group)['metadata'] else said(result))
    cl.must(cl.kubectl('delete', 'crd', 'parents.' + group))


def check_aggregated(cl, check):
    """A kind of an aggregated API: as long as the API is only out of reach, its objects are not gone."""
    mine = Set(cl)
    group = mine.name + '.example.com'
    a = config_map('a', k='1')
    cl.must(mine.apply([a]))
    api = of('apiregistration.k8s.io/v1', 'APIService', 'v1.' + group, spec={
        'group': group, 'version': 'v1', 'groupPriorityMinimum': 100, 'versionPriority': 100, 'insecureSkipTLSVerify': True,
        'service': {'name': 'nobody', 'namespace': mine.name}})
    mine.space.write('api.json', api)
    cl.must(mine.space.kubectl('create', '-f', 'api.json'))
    cl.must(mine.space.kubectl('annotate', '--overwrite', 'secret', 'set', '%s=ConfigMap,Thing.%s' % (KINDS, group)))
    harness.until('the group is listed', lambda: cl.kubectl('get', '--raw', '/apis/' + group).returncode == 0)
    result = mine.apply([a])
    check('an API out of reach: nothing is forgotten', '' if result.returncode == 1 and 'no matches for kind "Thing"' in result.stderr and
          'Thing.' + group in mine.says(KINDS) else said(result))
    cl.must(cl.kubectl('delete', 'apiservice', 'v1.' + group))
    harness.until('the group is gone', lambda: cl.kubectl('get', '--raw', '/apis/' + group).returncode != 0)
    for command in ('explain-diff', 'apply'):
        result = mine.apply([a], command=command)
        check(command + ': an API that was removed: it says that it may have been one', '' if result.returncode == 0 and
              'Thing.%s of the ApplySet any more' % group in result.stderr and 'aggregated API' in result.stderr else said(result))
    check('its kind is forgotten', same(mine.says(KINDS), 'ConfigMap'))


def check_new_namespace(cl, check):
    """The parent is written first, so its namespace must exist, also in explain-diff."""
    mine = Set(cl)
    missing = mine.name + '-new'
    path = mine.space.write('new.json', [of('v1', 'Namespace', missing), config_map('a', {'namespace': missing}, k='1')])
    run = lambda tool, command, *flags: mine.space.run(*cl.argv(tool, command, '-f', path, '-n', missing, *flags), **ALPHA)
    by = ('--prune', '--applyset=set')
    said_by = [run('smp', *command, *by) for command in (('apply',), ('apply', '--dry-run=client'), ('apply', '--dry-run=server'), ('explain-diff',))]
    for name, result, status in zip(('apply', 'a client dry run', 'a server dry run', 'explain-diff'), said_by, (1, 1, 1, 2)):
        check(name, '' if result.returncode == status and not result.stdout and result.stderr == said_by[0].stderr and
              'the namespace "%s" does not exist; create it first' % missing in result.stderr else said(result))
    theirs = run('kubectl', 'apply', *by)
    check('kubectl fails, too', '' if theirs.returncode == 1 and 'failed to update ApplySet' in theirs.stderr else said(theirs))
    check('nothing is applied', '' if cl.kubectl('get', 'ns', missing).returncode else 'the namespace exists')
    cl.must(run('smp', 'apply'))
    check('once the namespace exists', '' if run('smp', 'apply', *by).returncode == 0 else 'no')
    cl.must(cl.kubectl('delete', 'namespace', missing, '--wait=false'))


def check_left(cl, check):
    """An apply without the set takes its objects out of it, as kubectl does, but says so."""
    a, b, c = (config_map(name, k='1') for name in 'abc')
    for mode in ((), ('--server-side',)):
        mine = Set(cl)
        cl.must(mine.apply([a, b], *mode))
        cl.must(mine.space.apply([c], *mode))
        words = 'configmap/a, configmap/b leave the ApplySet %s, which will no longer prune them' % mine.says(ID)
        name = ' '.join(mode) or 'client-side'
        for command, flags in (('explain-diff', ()), ('apply', ('--dry-run=server',)), ('apply', ())):
            result = mine.space.apply([a, b, c], *mode, *flags, command=command)
            check('%s: %s %s' % (name, command, flags), '' if result.stderr.count('ApplySet') == 1 and words in result.stderr else said(result))
        check(name + ': they have left', same([mine.space.get('configmap', n)['metadata'].get('labels') for n in 'ab'], [None, None]))
        check(name + ': once', '' if 'ApplySet' not in mine.space.apply([a, b, c], *mode).stderr else 'said again')
        cl.must(mine.apply([a, b], *mode))
        result = mine.space.apply([a], *mode, tool='kubectl')
        check(name + ': kubectl says nothing', '' if result.returncode == 0 and not result.stderr and
              not mine.space.get('configmap', 'a')['metadata'].get('labels') else said(result))
        other = Set(cl)
        other.space, other.parent = mine.space, 'other'
        words = 'configmap/b leaves the ApplySet %s, which will no longer prune it' % mine.says(ID)
        result = other.apply([b], *mode)
        check(name + ': another set takes one away', '' if words in result.stderr else said(result))


def check_wrong(cl, check):
    """Each as kubectl, and nothing is applied."""
    mine = Set(cl)
    f = ['-f', mine.space.write('a.json', config_map('a', k='1'))]
    n, prune, by = ['-n', mine.name], ['--prune'], ['--applyset=set']
    for flags in ([*by, *n], [*prune, *by], [*prune, *by, *n, '--all'], [*prune, *by, *n, '-l', 'a=b'],
                  [*prune, *by, *n, '--prune-allowlist=core/v1/ConfigMap'], [*prune, *by, *n, '--force'],
                  [*prune, *n, '--applyset=secret/'], [*prune, *n, '--applyset=gadget/x'], [*prune, *n, '--applyset=gadget.foo/x'],
                  [*prune, *n, '--applyset=deploy/x'], [*prune, '--applyset=ns/x'], [*prune, *n, '--applyset=']):
        ours, theirs = (mine.space.run(*cl.argv(tool, 'apply', *f, *flags), **ALPHA) for tool in ('smp', 'kubectl'))
        check('%s: as kubectl' % ' '.join(flags).replace(mine.name, 'NS'),
              '' if ours.returncode == 1 and ours.stderr == theirs.stderr else said(ours) + said(theirs))
    for command in ('apply', 'explain-diff'):
        result = mine.space.run(*cl.argv('smp', command, *f, *n, AS_KUBECTL))
        check(command + ': the tool of no set', '' if result.returncode and '--applyset-tooling only works with --applyset' in
              result.stderr else said(result))
    result = mine.explain([config_map('a')], '-l', 'a=b')
    check('explain-diff', '' if result.returncode == 2 and '--selector is incompatible with --applyset' in result.stderr else said(result))
    check('nothing is applied', same(mine.names('configmap,secret'), []))

    # A parent that is none, as kubectl.
    cl.must(mine.space.kubectl('create', 'secret', 'generic', 'set'))
    for key, value in ((None, None), (TOOLING, 'kubectl/v1'), (ID, 'x')):
        if key:
            cl.must(mine.space.kubectl('label' if key == ID else 'annotate', 'secret', 'set', '%s=%s' % (key, value)))
        ours, theirs = (mine.apply([config_map('a')], tool=tool) for tool in ('smp', 'kubectl'))
        check('a parent with %s: as kubectl' % key, '' if ours.returncode == 1 and ours.stderr == theirs.stderr else
              said(ours) + said(theirs))
    other = Set(cl)
    cl.must(other.apply([config_map('a')], AS_KUBECTL))
    for value in ('ConfigMap,Nothing', None):
        other.space.patch('secret set', {'metadata': {'annotations': {KINDS: value}}})
        ours, theirs = (other.apply([config_map('b')], tool=tool) for tool in ('smp', 'kubectl'))
        check('kinds %s: as kubectl' % value, '' if ours.returncode == 1 and ours.stderr == theirs.stderr else said(ours) + said(theirs))
    check('nothing is applied to it', same(other.names(), ['configmap/a']))


if __name__ == '__main__':
    sys.exit(harness.run(__doc__, check_set, check_both_tools, check_failures, check_namespaces, check_kinds, check_meanwhile, check_lost_kinds, check_aggregated,
                         check_new_namespace, check_left, check_wrong))
