#!/usr/bin/env python3
"""What the input would bring, and does not: a CRD or Namespace that is refused, that has a mistake, or that is being deleted. The
objects that need it meet the server as it is."""
import json
import sys

import harness
from harness import Space, must, until
from harness.manifests import NUMBER, TEXT, admission_policy, config_map, custom, definition, deployment, map_of, merge, of, pod


def told(space, manifests, *flags):
    """NAME: action and message of each object."""
    report = json.loads(space.explain(manifests, '-o', 'json', *flags).stdout)
    return {o['name']: (o['action'], o.get('error', {}).get('message', '')) for o in report['objects']}


def fails(check, name, space, manifests, of_name, words, *flags):
    """explain-diff foretells the error of the object, and the server agrees."""
    action, message = told(space, manifests, *flags)[of_name]
    check.equal(name + ': is told', (action, words in message), ('error', True))
    result = space.apply(manifests)
    check.true(name + ': is not applied', result.returncode == 1 and words.split(': ')[-1] in result.stderr, result.stderr)


def going_namespace(cl, check):
    """A Namespace in deletion stays so while an object in it has a finalizer, or, as here, nobody empties it."""
    space = Space(cl, 'not-brought')
    going, inside = of('v1', 'Namespace'), config_map
    fixed = lambda value: {**inside('fixed', a=value), 'immutable': True}
    must(space.apply([going, fixed('1')]))
    must(space.kubectl('delete', 'namespace', space.name, '--wait=false'))
    for name, manifests in (('alone', [inside('new')]), ('with it', [going, inside('new')]), ('before it', [inside('new'), going])):
        fails(check, 'a new object ' + name, space, manifests, 'new', 'because it is being terminated')
    check.says('no advice to create it', space.explain(inside('new')), 2, lacks=['create the namespace'])
    check.equal('--force does not recreate there', told(space, fixed('2'), '--force')['fixed'][0], 'error')
    check.says('nor does apply', space.apply(fixed('2'), '--force'), 1, err=['nothing was deleted'])
    check.equal('the object is there', space.live(fixed('1'))['data'], {'a': '1'})
    result = space.explain(merge(fixed('1'), {'metadata': {'labels': {'a': 'b'}}}))
    check.says('a change in it is foretold', result, 1)
    check.says('the Namespace itself', space.explain(merge(going, {'metadata': {'labels': {'a': 'b'}}})), 1, has=['is being deleted: what is applied will be lost'])


def mistaken(cl, check):
    """A manifest with a mistake brings nothing."""
    space = Space(cl, 'not-brought')
    anywhere, other = Space(cl, 'not-brought'), space.name + '-other'
    anywhere.flags = ()  # no -n
    wrong, inside = of('v1', 'Namespace', other, {'lables': {}}), config_map('inside', {'namespace': other})
    fails(check, 'an object in the namespace', anywhere, [wrong, inside], 'inside', 'namespaces "%s" not found' % other)
    check.says('a dry run knows it', anywhere.apply([wrong, inside], '--dry-run=server'), 1, lacks=['configmap/inside created'])
    crd = merge(definition('%s.wrong' % space.name), {'spec': {'bogus': 1}})
    fails(check, 'an object of the kind', space, [crd, custom('%s.wrong' % space.name)], 'w', 'its CRD is not sent: no matches for kind "Widget"')
    needed = merge(config_map('needed'), {'data': {'a': 1}})
    web = deployment({'envFrom': [{'configMapRef': {'name': 'needed'}}]})
    check.says('what Pods need', space.explain([needed, web]), 2, has=['needed is missing in the input and on the server: new Pods wait, as its manifest is not sent'])
    must(space.apply(config_map('needed')))
    check.says('and if the server has it', space.explain([needed, web]), 2, lacks=['is missing in the input'])


def refused_definition(cl, check):
    """The kind of a CRD that will be refused stays as it is."""
    space = Space(cl, 'not-brought')
    group = '%s.refused' % space.name
    first = definition(group, schema=map_of(spec=map_of(a=TEXT)))
    served = first['spec']['versions'][0]
    with_field = lambda name: {**merge(served, {'schema': {'openAPIV3Schema': map_of(spec=map_of(a=TEXT, b=TEXT))}}), 'name': name}
    old = {**first, 'spec': {**first['spec'], 'versions': [{**served, 'name': 'v1alpha1'}, {**served, 'storage': False}]}}
    new = {**first, 'spec': {**first['spec'], 'versions': [with_field('v1')]}}
    thing = lambda name, **spec: {**custom(group, name=name), 'spec': spec}
    must(space.apply([old, thing('there', a='1')]))
    try:
        manifests = [new, thing('there', a='1', b='2'), thing('new', a='1', b='2'), thing('fine', a='2')]
        for flags in ((), ('--ask-server',)):
            got = told(space, manifests, *flags)
            check.equal('with %s' % (flags,), {name: (action, 'unknown field "b"' in message) for name, (action, message) in got.items() if name[:2] != 'wi'},
                        {'there': ('error', True), 'new': ('error', True), 'fine': ('create', False)})
        result = space.apply(manifests)
        check.equal('as apply', (result.returncode, 'fine created' in result.stdout, result.stderr.count('unknown field "b"') >= 2), (1, True, True))
    finally:
        space.kubectl('delete', 'crd', first['metadata']['name'], '--wait=false')


def going_definition(cl, check):
    space = Space(cl, 'not-brought')
    group = '%s.going' % space.name
    crd = definition(group)
    held = custom(group, name='held', metadata={'finalizers': ['example.com/hold']})
    must(space.apply([crd, held]))
    must(space.kubectl('delete', 'crd', crd['metadata']['name'], '--wait=false'))
    until('the CRD is terminating', lambda: 'Terminating' in space.kubectl('get', 'crd', crd['metadata']['name'], '-o', 'yaml').stdout)
    words = 'create not allowed while custom resource definition is terminating'
    try:
        fails(check, 'a new object', space, [custom(group, name='new')], 'new', words)
        check.equal('with its CRD', told(space, [crd, custom(group, name='new')])['new'][0], 'error')
        check.equal('with its CRD, asked', told(space, [crd, custom(group, name='new')], '--ask-server')['new'][0], 'error')
        check.equal('one that exists changes', told(space, merge(held, {'spec': {'size': 2}}))['held'][0], 'change')
    finally:
        space.kubectl('patch', crd['spec']['names']['plural'] + '.' + group, 'held', '--type=merge', '-p', '{"metadata":{"finalizers":null}}')


def same_definition(cl, check):
    """A refusal holds where the server has the CRD of the input already."""
    space = Space(cl, 'not-brought')
    group = '%s.same' % space.name
    rules = {**map_of(a=NUMBER), 'x-kubernetes-validations': [{'rule': 'self.a < 10', 'message': 'a must be below ten'}]}
    crd = definition(group, schema=map_of(spec=rules))
    thing = lambda name, a: {**custom(group, name=name), 'spec': {'a': a}}
    must(space.apply([crd, thing('there', 1)]))
    labelled = merge(crd, {'metadata': {'labels': {'release': '2'}}})
    looser = definition(group, schema=map_of(spec=map_of(a=NUMBER)))
    try:
        for name, first in (('alone', []), ('with its CRD', [crd]), ('with another label of it', [labelled])):
            got = told(space, [*first, thing('there', 99), thing('new', 99)], '--ask-server')
            check.equal('refused ' + name, [(got[n][0], 'a must be below ten' in got[n][1]) for n in ('there', 'new')], [('error', True)] * 2)
        beside = config_map('beside')
        check.says('--check=all applies nothing', space.apply([crd, beside, thing('new', 99)], '--check=all'), 1, err=['a must be below ten'])
        check.equal('the other object', space.kubectl('get', 'cm', 'beside').returncode, 1)
        got = told(space, [looser, thing('new', 99)], '--ask-server')
        check.equal('a CRD that changes its schema', got['new'], ('create', ''))
        wider = definition(group, schema=map_of(spec=merge(rules, map_of(b=NUMBER, c={**NUMBER, 'default': 1}))))
        got = told(space, [wider, thing('new', 99)], '--ask-server')
        check.equal('a CRD that fills in another field', got['new'], ('create', ''))
        wider = definition(group, schema=map_of(spec=merge(rules, map_of(b=NUMBER))))
        got = told(space, [wider, thing('new', 99), thing('there', 99)], '--ask-server')
        check.equal('a CRD that changes what the object does not have', [(got[n][0], 'a must be below ten' in got[n][1]) for n in ('there', 'new')],
                    [('error', True)] * 2)
        check.says('as apply', space.apply([wider, thing('new', 99)]), 1, err=['a must be below ten'])
        must(space.apply([looser, thing('new', 99)]))
    finally:
        space.kubectl('delete', 'crd', crd['metadata']['name'], '--wait=false')


def changed_definition(cl, check):
    """The CRD of the input changes: what a dry run answers about its objects is by the one before."""
    space = Space(cl, 'not-brought')
    group = '%s.changed' % space.name
    fields = dict(a=TEXT, b=TEXT)
    served = definition(group, schema=map_of(spec=map_of(**fields)))
    thing = lambda name, version='v1', **spec: {**custom(group, name=name), 'apiVersion': '%s/%s' % (group, version), 'spec': spec}
    only = served['spec']['versions'][0]
    two = {**served, 'spec': {**served['spec'], 'versions': [only, {**only, 'name': 'v2', 'storage': False}]}}
    policy = [{**o, 'metadata': {**o['metadata'], 'name': space.name}} for o in admission_policy(
        'ValidatingAdmissionPolicy', space.name, ['widgets'], validations=[{'expression': 'object.metadata.name != "bad"', 'message': 'no bad'}])]
    must(space.apply([two, thing('there', a='1', b='2'), *policy]))
    try:
        until('the policy is in force', lambda: 'no bad' in space.apply(thing('bad'), '--dry-run=server').stderr)
        smaller = definition(group, schema=map_of(spec=map_of(a=TEXT)))
        smaller['spec']['versions'].append({**smaller['spec']['versions'][0], 'name': 'v2', 'storage': False})
        for flags in ((), ('--ask-server',), ('--server-side',)):
            action, message = told(space, [smaller, thing('there', a='1', b='2')], *flags)['there']
            check.equal('a field that goes, with %s' % (flags,), (action, 'unknown field "b"' in message), ('error', True))
            action, message = told(space, [served, thing('there', 'v2', a='1', b='2')], *flags)['there']
            check.equal('a version that goes, with %s' % (flags,), (action, 'does not have the version' in message), ('error', True))
        larger = definition(group, schema=map_of(spec=map_of(c=TEXT, **fields)))
        larger['spec']['versions'].append({**larger['spec']['versions'][0], 'name': 'v2', 'storage': False})
        got = told(space, [larger, thing('bad', c='1'), thing('new', a='1')], '--ask-server')
        check.equal('a denial holds', (got['bad'][0], 'unknown field' in got['bad'][1] or 'no bad' in got['bad'][1]), ('create', False))
        got = told(space, [larger, thing('bad', a='1'), thing('new', a='1')], '--ask-server')
        check.equal('a denial by admission holds', (got['bad'][0], 'no bad' in got['bad'][1], got['new'][0]), ('error', True, 'create'))
        said = lambda **spec: 'not checked by the server: its CRD' in space.explain([larger, thing('new', **spec)], '--ask-server').stdout
        check.equal('an answer holds for an object that the change does not touch', (said(c='1'), said(a='1')), (True, False))
    finally:
        for kind in ('validatingadmissionpolicy', 'validatingadmissionpolicybinding'):
            space.kubectl('delete', kind, space.name)
        space.kubectl('delete', 'crd', served['metadata']['name'], '--wait=false')


def recreated_definition(cl, check):
    """--force deletes a CRD with all its objects."""
    space = Space(cl, 'not-brought')
    space.flags = ()
    group = '%s.again' % space.name
    first = definition(group)
    again = {**first, 'spec': {**first['spec'], 'scope': 'Cluster'}}
    thing = lambda name: {**custom(group, name=name, metadata={'namespace': space.name}), 'spec': {'a': 1}}
    must(space.apply([first, thing('held')]))
    manifests = [again, thing('held'), thing('new')]
    force = ('--force', '--force-dangerous')
    try:
        result = space.explain(manifests, *force)
        check.says('is told', result, 1, has=['is deleted with what it holds', 'all objects of that kind', 'the object is deleted with its CRD'])
        check.equal('the object is new', told(space, manifests, *force)['held'][0], 'create')
        plan = space.path('plan')
        check.says('the plan is written', space.explain(manifests, *force, '--plan-out', plan), 1)
        check.says('the plan is done', space.apply(manifests, *force, '--plan', plan), 0, out=['held created', 'new created'])
        check.equal('the object is there', space.kubectl('get', 'widgets.' + group, 'held').returncode, 0)
    finally:
        space.kubectl('delete', 'crd', first['metadata']['name'], '--wait=false')


def namespace_server_side(cl, check):
    """A dry run of a Namespace does not create it, whichever side merges."""
    space = Space(cl, 'not-brought')
    other = space.name + '-new'
    space.flags = ()
    manifests = [of('v1', 'Namespace', other), config_map('inside', {'namespace': other})]
    for flags in (('--server-side',), ()):
        check.equal('--ask-server, %s' % (flags,), told(space, manifests, '--ask-server', *flags)['inside'], ('create', ''))
        check.says('a dry run, %s' % (flags,), space.apply(manifests, '--dry-run=server', *flags), 0, err=['its namespace is in the same input'])
    check.says('--check=all', space.apply(manifests, '--server-side', '--check=all'), 0, out=['configmap/inside serverside-applied'])
    space.kubectl('delete', 'namespace', other, '--wait=false')


def last_finalizer(cl, check):
    space = Space(cl, 'not-brought')
    held = lambda *names: config_map('held', {'finalizers': list(names)})
    must(space.apply(held('example.com/a')))
    must(space.kubectl('delete', 'cm', 'held', '--wait=false'))
    action, message = told(space, held('example.com/a', 'example.com/b'))['held']
    check.equal('a new one is foretold', (action, 'no new finalizers can be added' in message), ('error', True))
    check.says('and refused', space.apply(held('example.com/a', 'example.com/b')), 1, err=['no new finalizers can be added'])
    check.says('without the last one', space.apply(held()), 0, out='configmap/held configured\n', lacks=['does not keep'])
    check.equal('the object is gone', space.kubectl('get', 'cm', 'held').returncode, 1)


def asked_recreation(cl, check):
    """--force --ask-server asks what apply --force asks before it deletes."""
    space = Space(cl, 'not-brought')
    with_cpu = lambda **requests: pod({'resources': {'requests': requests, 'limits': {'cpu': '500m'}}})
    first = with_cpu(cpu='100m')
    must(space.apply(first))
    action, message = told(space, with_cpu(cpu='3'), '--force', '--ask-server')[first['metadata']['name']]
    check.equal('more than the limit', (action, 'nothing was deleted' in message), ('error', True))
    result = space.explain(with_cpu(cpu='3'), '--ask-server')
    check.says('the first of several causes is named', result, 2, has=['must be less than or equal to cpu limit'], lacks=['is invalid: )'])
    check.equal('as apply', space.apply(with_cpu(cpu='3'), '--force').returncode, 1)
    check.equal('less than the limit', told(space, with_cpu(cpu='200m'), '--force', '--ask-server')[first['metadata']['name']][0], 'recreate')


if __name__ == '__main__':
    sys.exit(harness.run(__doc__, going_namespace, mistaken, refused_definition, going_definition, same_definition,
                         last_finalizer, asked_recreation, changed_definition, recreated_definition, namespace_server_side))
