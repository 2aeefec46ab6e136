#!/usr/bin/env python3
"""--keep-live and the annotation smp.io/keep-live leave fields as live has them: apply sends nothing about them and records the manifest
as it stands, and explain-diff has a row for each. Beside every field that is kept another one changes."""
import json
import sys

import harness
from harness import Space, must
from harness.cluster import LAST_APPLIED
from harness.manifests import config_map, custom, definition, deployment, merge, secret

WEB = merge(deployment({'image': 'web:1'}), {'spec': {'replicas': 2}})
NEXT = merge(WEB, {'spec': {'replicas': 3, 'minReadySeconds': 5}})
REPLICAS = ('--keep-live', 'spec.replicas')
KEPT = 'kept by --keep-live; the manifest has another value'


def recorded(live):
    return json.loads(live['metadata']['annotations'][LAST_APPLIED])


def rows(result):
    return {row['path']: row for row in json.loads(result.stdout)['objects'][0]['changes']}


def started(cl, patch=None):
    """The Deployment, applied and then changed by somebody."""
    space = Space(cl, 'keep')
    must(space.apply(WEB))
    space.patch('deployment web', patch or {'spec': {'replicas': 7}})
    return space


def flag(cl, check):
    space = started(cl)
    check.says('without the flag the field changes', space.explain(NEXT), 1, has=['~ spec.replicas: 7 → 3'], lacks=['kept by'])
    kept = space.explain(NEXT, *REPLICAS)
    check.says('a row says that it is kept', kept, 1, has=['= spec.replicas: 7', KEPT, 'owned by somebody', 'spec.minReadySeconds'], lacks=['~ spec.replicas'])
    row = rows(space.explain(NEXT, *REPLICAS, '-o', 'json'))['spec.replicas']
    check.equal('its data', [row[name] for name in ('op', 'reason', 'live', 'modified', 'original', 'outcome')], ['keep', 'keep-live', 7, 3, 2, 7])
    check.did('apply sends the rest', space.apply(NEXT, *REPLICAS), 'configured')
    live = space.live(NEXT)
    check.equal('live', [live['spec']['replicas'], live['spec']['minReadySeconds']], [7, 5])
    check.equal('the record is the manifest', recorded(live)['spec']['replicas'], 3)
    check.did('again', space.apply(NEXT, *REPLICAS), 'unchanged')
    check.says('no difference', space.explain(NEXT, *REPLICAS), 0, has=['unchanged', KEPT])
    same = merge(NEXT, {'spec': {'replicas': 7}})
    check.says('a manifest that agrees with live says nothing of it', space.explain(same, *REPLICAS), 1, lacks=['kept by'])
    check.did('only the record changes', space.apply(merge(NEXT, {'spec': {'replicas': 4}}), *REPLICAS), 'configured (last-applied only)')
    check.did('kubectl does not know the flag', space.apply(NEXT, tool='kubectl'), 'configured')
    check.equal('and takes the field', space.live(NEXT)['spec']['replicas'], 3)


def deletion(cl, check):
    """A field of the record that is gone from the manifest."""
    space = started(cl)
    without = merge(NEXT, {'spec': {'replicas': None}})
    check.says('the row', space.explain(without, *REPLICAS), 1, has=['= spec.replicas: 7', 'kept by --keep-live; the manifest lacks it'])
    check.did('apply', space.apply(without, *REPLICAS), 'configured')
    live = space.live(WEB)
    check.equal('live and the record', [live['spec']['replicas'], 'replicas' in recorded(live)['spec']], [7, False])
    check.did('from now on it stays without the flag', space.apply(without), 'unchanged')


def deletion_server_side(cl, check):
    """An object without last-applied is applied server-side: what the last apply owns would go."""
    space = Space(cl, 'keep')
    must(space.apply(merge(WEB, {'spec': {'replicas': 7}}), '--server-side', tool='kubectl'))
    without = merge(NEXT, {'spec': {'replicas': None}})
    check.says('the row', space.explain(without, *REPLICAS), 1, has=['= spec.replicas: 7', 'kept by --keep-live; the manifest lacks it'])
    # The report read freed memory here.
    row = rows(space.explain(without, *REPLICAS, '-o', 'json'))['spec.replicas']
    check.equal('its data', [row.get(name) for name in ('reason', 'original', 'live', 'modified', 'outcome')], ['keep-live', 7, 7, None, 7])
    for word in ('serverside-applied', 'unchanged'):
        check.did('apply', space.apply(without, *REPLICAS), word)
        check.equal('live', [space.live(WEB)['spec'][name] for name in ('replicas', 'minReadySeconds')], [7, 5])
    check.says('without the flag', space.explain(without), 1, has=['spec.replicas: 7 → 1'])


def left_to_its_owner(cl, check):
    """A server-side apply of the value would refuse the next one of its owner."""
    space = Space(cl, 'keep')
    scaler = lambda replicas, *flags: space.apply({'apiVersion': 'apps/v1', 'kind': 'Deployment', 'metadata': {'name': 'web'}, 'spec': {'replicas': replicas}},
                                                  '--server-side', '--field-manager=scaler', *flags, tool='kubectl')
    must(space.apply(WEB, '--server-side', tool='kubectl'))
    must(scaler(7, '--force-conflicts'))
    check.says('the row', space.explain(NEXT, *REPLICAS), 1, has=['= spec.replicas: 7', KEPT])
    for word in ('serverside-applied', 'unchanged'):
        check.did('apply', space.apply(NEXT, *REPLICAS), word)
    check.equal('live', [space.live(WEB)['spec'][name] for name in ('replicas', 'minReadySeconds')], [7, 5])
    check.says('the owner goes on', scaler(8))
    same = merge(NEXT, {'spec': {'replicas': 8, 'minReadySeconds': 6}})
    check.did('the same value', space.apply(same, *REPLICAS), 'serverside-applied')
    check.says('the owner goes on after it', scaler(9))


def maps_of_others(cl, check):
    """What others own of a map is left to them, and a map that the server replaces as a whole is kept as a whole."""
    space = Space(cl, 'keep')
    pod = lambda **spec: merge(WEB, {'spec': {'template': {'spec': spec}}})
    base, path = pod(nodeSelector={'a': 'b'}), 'spec.template.spec.nodeSelector'
    must(space.apply(base, '--server-side', tool='kubectl'))
    space.patch('deployment web', {'spec': {'template': {'spec': {'nodeSelector': {'disk': 'ssd'}}}}})
    newer = merge(base, {'spec': {'minReadySeconds': 5}})
    check.says('without the flag', space.explain(newer), 1, has=['conflict'])
    for kept, wait in ((path, 5), (path + '.disk', 6), ('spec.template.spec', 7)):
        newer = merge(base, {'spec': {'minReadySeconds': wait}})
        check.says('the row of ' + kept, space.explain(newer, '--keep-live', kept), 1, has=['= %s' % kept, 'kept by --keep-live'], lacks=['conflict'])
        check.did('apply', space.apply(newer, '--keep-live', kept), 'serverside-applied')
        live = space.live(WEB)['spec']
        check.equal('live', [live['template']['spec']['nodeSelector'], live['minReadySeconds']], [{'a': 'b', 'disk': 'ssd'}, wait])


def maps_without_schema(cl, check):
    """A map that is ours itself goes as a whole if our apply lacks it, whoever owns what is in it."""
    space = Space(cl, 'keep')
    crd = definition(kind='Free', schema={'type': 'object', 'x-kubernetes-preserve-unknown-fields': True})
    must(space.apply(crd))
    cl.await_api('%s.example.com/v1' % space.name)
    free = {**custom(kind='Free', name='f'), 'spec': {'size': 1, 'deep': {'x': 'a'}}}
    must(space.apply(free, '--server-side', tool='kubectl'))
    space.patch('frees.v1.%s.example.com f' % space.name, {'spec': {'deep': {'x': 'b'}}})
    for size, words in ((2, 'serverside-applied'), (2, 'unchanged')):
        check.did('apply', space.apply(merge(free, {'spec': {'size': size}}), '--keep-live', 'spec.deep'), words)
        check.equal('live', space.live(free)['spec'], {'size': size, 'deep': {'x': 'b'}})
    must(cl.kubectl('delete', 'crd', 'frees.%s.example.com' % space.name, '--wait=false'))


def atomic_maps(cl, check):
    """A map of a custom resource that a patch replaces as a whole."""
    space = Space(cl, 'keep')
    texts = {'type': 'object', 'additionalProperties': {'type': 'string'}}
    crd = definition(kind='Atom', schema={'type': 'object', 'properties': {'spec': {'type': 'object', 'properties': {
        'size': {'type': 'integer'}, 'atom': {**texts, 'x-kubernetes-map-type': 'atomic'}, 'map': texts}}}})
    must(space.apply(crd))
    cl.await_api('%s.example.com/v1' % space.name)
    atom = lambda **spec: {**custom(kind='Atom', name='a'), 'spec': spec}
    first = {'k1': 'a', 'k2': 'a'}
    must(space.apply(atom(atom=first, map=first)))
    space.patch('atoms.v1.%s.example.com a' % space.name, {'spec': {'atom': {'k3': 'b'}, 'map': {'k3': 'b'}}})
    newer = {'k1': 'a', 'k3': 'a'}
    for path, size in (('*', 1), ('k3', 2), ('*', 3)):
        for word in ('configured', 'unchanged'):
            kept = [f for name in ('atom', 'map') for f in ('--keep-live', 'spec.%s.%s' % (name, path))]
            manifest = atom(size=size, atom={**first, **newer}, map={**first, **newer})
            check.did('%s of maps' % path, space.apply(manifest, *kept), word)
            spec = {'k1': 'a', 'k2': 'a', 'k3': 'b'}
            check.equal('live', space.live(manifest)['spec'], {'size': size, 'atom': spec, 'map': spec})
    must(cl.kubectl('delete', 'crd', 'atoms.%s.example.com' % space.name, '--wait=false'))


def maps_with_an_owner(cl, check):
    space = Space(cl, 'keep')
    limit = lambda cpu: {'resources': {'limits': {'cpu': cpu}}}
    web = deployment({'image': 'web:1', **limit('1')})
    scaler = lambda cpu, *flags: space.apply({'apiVersion': 'apps/v1', 'kind': 'Deployment', 'metadata': {'name': 'web'},
                                              'spec': {'template': {'spec': {'containers': [{'name': 'web', **limit(cpu)}]}}}},
                                             '--server-side', '--field-manager=scaler', *flags, tool='kubectl')
    must(space.apply(web, '--server-side', tool='kubectl'))
    must(scaler('5', '--force-conflicts'))
    newer = deployment({'image': 'web:2', **limit('1')})
    check.did('apply', space.apply(newer, '--keep-live', 'spec.template.spec.containers[*].resources'), 'serverside-applied')
    container = space.live(WEB)['spec']['template']['spec']['containers'][0]
    check.equal('live', [container['image'], container['resources']], ['web:2', {'limits': {'cpu': '5'}}])
    check.says('the owner goes on', scaler('6'))


def keys_of_items(cl, check):
    """A port without its protocol is another one to the server."""
    space = Space(cl, 'keep')
    dns = deployment({'image': 'dns:1', 'ports': [{'containerPort': 53, 'protocol': 'UDP'}]})
    for manager in ('kubectl', 'other'):
        must(space.apply(dns, '--server-side', '--field-manager=' + manager, tool='kubectl'))
    newer = merge(dns, {'spec': {'minReadySeconds': 5}})
    for path, wait in (('ports[*].protocol', 5), ('ports[*].*', 6), ('name', 7)):
        newer = merge(dns, {'spec': {'minReadySeconds': wait}})
        check.did(path, space.apply(newer, '--keep-live', 'spec.template.spec.containers[*].' + path), 'serverside-applied')
        live = space.live(dns)['spec']
        check.equal('live', [live['template']['spec']['containers'][0]['ports'], live['minReadySeconds']], [[{'containerPort': 53, 'protocol': 'UDP'}], wait])


def absent(cl, check):
    space = Space(cl, 'keep')
    check.did('a new object', space.apply(WEB, *REPLICAS), 'created')
    check.equal('gets what the manifest says', space.live(WEB)['spec']['replicas'], 2)
    limit = merge(WEB, {'spec': {'minReadySeconds': 5, 'paused': True}})
    check.says('what live lacks', space.explain(limit, '--keep-live', 'spec.paused'), 1, has=['kept by --keep-live; live does not have it'])
    must(space.apply(limit, '--keep-live', 'spec.paused'))
    check.equal('stays absent', [space.live(WEB)['spec'].get(name) for name in ('paused', 'minReadySeconds')], [None, 5])


def annotation(cl, check):
    space = started(cl)
    noted = merge(NEXT, {'metadata': {'annotations': {'smp.io/keep-live': 'spec.replicas'}}})
    check.says('the row', space.explain(noted), 1, has=['= spec.replicas: 7', 'kept by the annotation smp.io/keep-live'])
    must(space.apply(noted))
    live = space.live(noted)
    check.equal('live', [live['spec']['replicas'], live['spec']['minReadySeconds']], [7, 5])
    check.equal('the annotation is recorded, too', recorded(live)['metadata']['annotations'], {'smp.io/keep-live': 'spec.replicas'})
    check.did('again', space.apply(noted), 'unchanged')
    check.says('server-side apply says that it has no effect', space.apply(noted, '--server-side', '--dry-run=server', '--force-conflicts'),
               err=['the annotation smp.io/keep-live has no effect with --server-side'])
    must(space.apply(noted, '--compat=kubectl'))
    check.equal('kubectl keeps nothing', space.live(noted)['spec']['replicas'], 3)
    space.patch('deployment web', {'spec': {'replicas': 7}})
    must(space.apply(NEXT))  # live still has the annotation, the manifest does not
    check.equal('an annotation of live keeps nothing', space.live(noted)['spec']['replicas'], 3)


def items(cl, check):
    space = started(cl, {'spec': {'template': {'spec': {'containers': [{'name': 'web', 'image': 'web:9'}]}}}})
    images = ('--keep-live', 'spec.template.spec.containers[*].image')
    two = json.loads(json.dumps(WEB))
    two['spec']['template']['spec']['containers'].append({'name': 'second', 'image': 'second:1'})
    must(space.apply(two, *images))
    live = {c['name']: c['image'] for c in space.live(WEB)['spec']['template']['spec']['containers']}
    check.equal('a new item gets what the manifest says', [live.get('web'), live.get('second')], ['web:9', 'second:1'])
    path = 'spec.template.spec.containers[name=web].args[0]'
    check.says('a part of an atomic list', space.explain(two, '--keep-live', path), 2,
               err=['apply replaces this list as a whole; keep the whole list'])
    check.says('in apply, too', space.apply(two, '--keep-live', path), 1, err=['apply replaces this list as a whole; keep the whole list'])
    args = json.loads(json.dumps(two))
    args['spec']['template']['spec']['containers'][0]['args'] = ['x']
    check.says('the whole list is kept', space.explain(args, *images, '--keep-live', path[:-3]), 1, has=['only its last-applied annotation changes', '.args'])


def gone(cl, check):
    """A container that is gone from the manifest goes as a whole, whatever is kept of containers."""
    space = started(cl)
    two = json.loads(json.dumps(WEB))
    two['spec']['template']['spec']['containers'].append({'name': 'second', 'image': 'second:1', 'args': ['x']})
    must(space.apply(two))
    images = ('--keep-live', 'spec.template.spec.containers[*].image')
    check.says('the row', space.explain(WEB, *images), 1, has=['- spec.template.spec.containers[name=second]'], lacks=['kept by', 'names nothing'])
    must(space.apply(WEB, *images))
    check.equal('live', [c['name'] for c in space.live(WEB)['spec']['template']['spec']['containers']], ['web'])
    must(space.apply(two))
    check.did('a path that names the item keeps it', space.apply(WEB, '--keep-live', 'spec.template.spec.containers[name=second]'), 'configured (last-applied only)')


def unmatched(cl, check):
    """A path that names nothing is a warning: the flag's only if no object has it."""
    space = started(cl)
    words = '--keep-live: spec.replcas names nothing in the live object or the manifest'
    check.says('explain-diff', space.explain(NEXT, '--keep-live', 'spec.replcas', *REPLICAS), 1, err=[words], lacks=['spec.replicas names'])
    check.says('apply', space.apply(NEXT, '--keep-live', 'spec.replcas', *REPLICAS), err=[words], lacks=['spec.replicas names'])
    noted = merge(NEXT, {'metadata': {'annotations': {'smp.io/keep-live': 'spec.replcas, spec.replicas'}}})
    words = 'the annotation smp.io/keep-live: spec.replcas names nothing in the live object or the manifest'
    check.says('the annotation', space.explain(noted), 1, has=[words], lacks=['spec.replicas names'])
    check.says('in apply', space.apply(noted), err=[words])
    must(space.apply(config_map(a='1')))
    both = [NEXT, config_map(a='2')]
    check.says('one of two objects has it', space.explain(both, *REPLICAS), 1, lacks=['names nothing'])
    check.says('none has it', space.explain(both, '--keep-live', 'spec.replicas[0]'), 1, err=['spec.replicas[0] names nothing in any live object or manifest'])
    check.says('a new object may get it', space.explain(config_map('other', a='2'), '--keep-live', 'data.b'), 1, lacks=['names nothing'])


def secrets(cl, check):
    space = Space(cl, 'keep')
    must(space.apply(secret(stringData={'a': 'first-value', 'b': 'x'})))
    space.patch('secret web', {'stringData': {'a': 'other-value'}})
    changed = secret(stringData={'a': 'third-value', 'b': 'y'})
    for flags in ((), ('-o', 'json')):
        check.says('no value is shown', space.explain(changed, '--keep-live', 'data.a', *flags), 1, has=['kept by --keep-live'],
                   lacks=['b3RoZXItdmFsdWU', 'other-value', 'third-value', 'dGhpcmQtdmFsdWU', 'first-value'])
    must(space.apply(changed, '--keep-live', 'data.a'))
    check.says('stringData.a is data.a', space.explain(changed, '--keep-live', 'stringData.a'), has=['= data.a'], lacks=['names nothing'])
    check.equal('live', space.live(changed)['data'], {'a': 'b3RoZXItdmFsdWU=', 'b': 'eQ=='})


def refusals(cl, check):
    space = Space(cl, 'keep')
    for path, status, words in (('spec[', 1, 'is invalid at character'), ('', 1, 'must specify the path of a field')):
        check.says('the path %r' % path, space.apply(config_map(a='1'), '--keep-live', path), status, err=[words])
    must(space.apply(config_map(a='1')))
    for path in ('kind', 'metadata', 'metadata.name'):
        check.says('the path ' + path, space.apply(config_map(a='2'), '--keep-live', path), 1, err=['it identifies the object'])
    for flags, words in (('--server-side', '--keep-live cannot be used with --server-side'), ('--compat=kubectl', '--keep-live cannot be used with --compat=kubectl')):
        check.says(flags, space.apply(config_map(a='2'), '--keep-live', 'data.a', flags), 1, err=[words])


if __name__ == '__main__':
    sys.exit(harness.run(__doc__, flag, deletion, deletion_server_side, left_to_its_owner, maps_of_others, maps_without_schema, atomic_maps, maps_with_an_owner, keys_of_items, absent, annotation, items, gone, unmatched, secrets, refusals))
