#!/usr/bin/env python3
"""Custom resources are checked by their CRD before anything is sent, whether the server has it or only the input. What the server accepts
passes: it is asked about every object first."""
import copy
import json
import sys
import time

import harness
from harness import Space, must
from harness.cluster import until
from harness.manifests import NUMBER, TEXT, custom, definition, list_of, map_of, merge, of

KEEP = {'x-kubernetes-preserve-unknown-fields': True}
EMBEDDED = {**map_of(spec=map_of(a=TEXT)), 'x-kubernetes-embedded-resource': True}
SPEC = map_of(
    s=TEXT, i=NUMBER, n={'type': 'number'}, b={'type': 'boolean'}, l=list_of(TEXT), o=map_of(a=TEXT), empty={'type': 'object'},
    m={'type': 'object', 'additionalProperties': TEXT}, mo={'type': 'object', 'additionalProperties': map_of(a=TEXT)},
    closed={'type': 'object', 'additionalProperties': False}, mt={'type': 'object', 'additionalProperties': True},
    mk={'type': 'object', 'additionalProperties': KEEP}, free={'type': 'object', **KEEP}, freep={**map_of(a=map_of(x=TEXT)), **KEEP},
    any=KEEP, anyp={'properties': {'a': TEXT}, **KEEP}, anyl={'items': TEXT, **KEEP}, anym={'additionalProperties': TEXT, **KEEP},
    fl={**list_of(map_of(a=map_of(x=TEXT))), **KEEP}, fll={**list_of(list_of(map_of(a=TEXT))), **KEEP}, lo=list_of({'type': 'object'}),
    ll=list_of(list_of(NUMBER)), fm={'type': 'object', **KEEP, 'additionalProperties': map_of(a=TEXT)}, ios={'x-kubernetes-int-or-string': True},
    emb=EMBEDDED, embf={'type': 'object', **KEEP, 'x-kubernetes-embedded-resource': True}, nul={**TEXT, 'nullable': True},
    date={**TEXT, 'format': 'date-time'}, byte={**TEXT, 'format': 'byte'})
POD = {'apiVersion': 'v1', 'kind': 'Pod'}
# Values of spec, and what smp says of those that the server refuses ("": it leaves them to the server).
VALUES = [
    ({'ss': 'x'}, 'spec.ss: unknown field "ss"; did you mean "s"?'), ({'S': 'x'}, 'unknown field "S"'), ({'s': 1}, 'put the text in quotes'),
    ({'i': '1'}, 'remove the quotes'), ({'i': 1.5}, 'expected an integer'), ({'n': '1'}, 'expected a number'), ({'b': 'true'}, 'remove the quotes'),
    ({'l': 'x'}, 'expected a list'), ({'l': {'a': 'x'}}, 'expected a list'), ({'l': [1]}, 'expected a string'), ({'o': {'b': 1}}, 'unknown field "b"'),
    ({'empty': {'a': 1}}, 'unknown field "a"; remove it'), ({'empty': 'x'}, 'expected an object'), ({'m': {'q': 1}}, 'expected a string'),
    ({'mo': {'q': {'b': 1}}}, 'spec.mo.q.b: unknown field'), ({'closed': {'a': 1}}, 'unknown field "a"'), ({'mt': {'q': {'z': 1}}}, ''),
    ({'free': 'x'}, 'expected an object'), ({'freep': {'a': {'y': 1}}}, 'spec.freep.a.y: unknown field'), ({'anyp': {'a': 1}}, 'expected a string'),
    ({'fl': [{'a': {'y': 1}}]}, 'spec.fl[0].a.y: unknown field'), ({'lo': [{'a': 1}]}, 'spec.lo[0].a: unknown field'), ({'lo': ['a']}, 'expected an object'),
    ({'ll': [['1']]}, 'spec.ll[0][0]: expected an integer'), ({'fm': {'q': {'z': 1}}}, 'spec.fm.q.z: unknown field'), ({'ios': True}, 'expected an integer or a string'),
    ({'emb': {**POD, 'spec': {'b': 1}}}, 'spec.emb.spec.b: unknown field'), ({'emb': {**POD, 'zz': 1}}, 'spec.emb.zz: unknown field'),
    ({'emb': {**POD, 'metadata': {'zz': 1}}}, 'spec.emb.metadata.zz: unknown field'), ({'emb': {'apiVersion': 1, 'kind': 'X'}}, 'expected a string'),
    ({'date': 'x'}, ''), ({'byte': '!!'}, ''), ({'ios': 1.5}, ''),
    ({'i': 1.0}, None), ({'n': 1}, None), ({'l': None}, None), ({'s': None}, None), ({'nul': None}, None), ({'mt': {'q': 1}}, None),
    ({'mk': {'q': {'z': 1}}}, None), ({'free': {'z': {'y': [1]}}}, None), ({'freep': {'z': 1, 'a': {'x': '1'}}}, None), ({'any': 'x'}, None),
    ({'any': [1]}, None), ({'any': {'a': {'b': 1}}}, None), ({'anyp': 'x'}, None), ({'anyp': {'z': 1}}, None), ({'anyl': 'x'}, None),
    ({'anyl': {'z': 1}}, None), ({'anym': 'x'}, None), ({'fl': [{'z': 1}]}, None), ({'fll': [[{'z': 1}]]}, None), ({'ios': 1}, None), ({'ios': '50%'}, None),
    ({'emb': {**POD, 'metadata': {'name': 'x', 'labels': {'a': 'b'}}, 'spec': {'a': 'x'}}}, None), ({'embf': {**POD, 'zz': 1, 'spec': {'a': []}}}, None),
]
RULES = map_of(rules=list_of(map_of(host=TEXT, to=TEXT)), mode=TEXT)


def status_of_others(cl, check):
    """With the subresource, the server drops the status before it looks at it."""
    for status, accepted in (({'subresources': {'status': {}}}, True), ({}, False)):
        space = Space(cl, 'status')  # the schema of a CRD of the same name would be published for a while
        crd = definition(kind='Thing', schema=map_of(status=map_of(a=TEXT)), version=status)
        thing = {**custom(kind='Thing', name='t'), 'status': {'a': 1}}
        del thing['spec']
        results = [space.explain([thing, crd])]
        must(space.apply(crd))
        cl.await_api(space.name + '.example.com/v1')
        judged = space.kubectl('create', '--dry-run=server', '--validate=strict', '-f', space.write('m.json', thing))
        check.equal('a status of the wrong type with %s: the server' % status, judged.returncode == 0, accepted)
        for result in results + [space.explain(thing), space.apply(thing, '--dry-run=server')]:
            check.equal('a status of the wrong type with %s: smp' % status, 'error' in result.stderr, not accepted)
        must(cl.kubectl('delete', 'crd', 'things.%s.example.com' % space.name))


def changes(result):
    return {c['path']: c['reason'] for c in json.loads(result.stdout)['objects'][0].get('changes', [])}


def checks(cl, check):
    """Each value with the CRD in the input only, and then on the server, which judges first."""
    space = Space(cl, 'checked')
    crd = definition(kind='Thing', schema=map_of(spec=SPEC))
    before = {}
    for i, (spec, _) in enumerate(VALUES):
        thing = custom(kind='Thing', name='t', **spec)
        before[i] = [space.apply([thing, crd], '--dry-run=client'), space.apply([thing, crd], '--dry-run=server'), space.explain([thing, crd]),
                     space.explain([thing, crd], '--live', space.write('none.json', []))]
    must(space.apply(crd))
    cl.await_api(space.name + '.example.com/v1')
    for i, (spec, words) in enumerate(VALUES):
        label, thing = json.dumps(spec), custom(kind='Thing', name='t', **spec)
        judged = space.kubectl('create', '--dry-run=server', '--validate=strict', '-f', space.write('m.json', thing))
        check.equal('%s: the server' % label, judged.returncode == 0, words is None)
        now = [space.apply(thing, '--dry-run=client'), space.explain(thing)]
        for how, result in zip(('client dry run', 'server dry run', 'explain-diff', 'explain-diff --live', 'client dry run of a known kind', 'explain-diff of a known kind'), before[i] + now):
            passes = 'error' not in result.stderr
            check.true('%s, %s: passes, if the server accepts it' % (label, how), passes == (not words), result.stderr)
            if words:
                check.has('%s, %s: says why' % (label, how), result.stderr, words)
        theirs, ours = (space.apply(thing, '--server-side', '--dry-run=server', tool=tool) for tool in ('kubectl', 'smp'))
        check.equal('%s, server-side: passes, if the server accepts it' % label, ours.returncode, theirs.returncode)
        if words and theirs.returncode and 'closed' not in spec:
            check.has('%s, server-side: says why' % label, ours.stderr, words)
    must(cl.kubectl('delete', 'crd', 'things.%s.example.com' % space.name))


def strictness(cl, check):
    """--validate for custom resources as for built-in kinds."""
    space = Space(cl, 'strict')
    crd = definition(kind='Thing', schema=map_of(spec=SPEC))
    typo, fixed = custom(kind='Thing', name='t', ss='x'), custom(kind='Thing', name='t', s='x')
    check.says('a kind of the input, --validate=warn', space.apply([typo, crd], '--dry-run=server', '--validate=warn'), 0,
               err=['Warning: ', 'm.json:', 'did you mean "s"?'])
    check.says('a kind of the input, --validate=ignore', space.apply([typo, crd], '--dry-run=server', '--validate=ignore'), 0, lacks=['did you mean'])
    check.says('in a real apply', space.apply([typo, crd]), 1, err=['m.json:', 'spec.ss: unknown field "ss"; did you mean "s"?'], lacks=['strict decoding'])
    with cl.proxy() as proxy:
        check.says('nothing is sent', space.apply(typo, kubeconfig=proxy.kubeconfig), 1, err=['did you mean "s"?'])
        check('no write', [r for r in proxy.sent() if r['method'] != 'GET'])
    check.says('--validate=warn leaves it to the server', space.apply(typo, '--validate=warn'), 0, err=['unknown field "spec.ss"'], lacks=['did you mean'])
    check.says('--validate=ignore', space.apply(typo, '--validate=ignore'), 0, lacks=['unknown field'])
    check.says('fixed', space.apply(fixed), 0)
    must(cl.kubectl('delete', 'crd', 'things.%s.example.com' % space.name))


def changed_definition(cl, check):
    """The CRD of the input counts, as it is applied first."""
    space = Space(cl, 'newer')
    crd = definition(kind='Thing', schema=map_of(spec=RULES))
    newer = copy.deepcopy(crd)
    spec = newer['spec']['versions'][0]['schema']['openAPIV3Schema']['properties']['spec']
    spec['properties'].update(rules=list_of(map_of(host=TEXT, to=TEXT), 'map', 'host'), added=TEXT)
    del spec['properties']['mode']
    host = {'host': 'a', 'to': 'x'}
    must(space.apply([custom(kind='Thing', name='t', rules=[host, {'host': 'b', 'to': 'x'}]), crd]))
    thing = custom(kind='Thing', name='t', rules=[{**host, 'to': 'y'}, {'host': 'b', 'to': 'x'}], added='x')
    check.says('a field that the CRD gets in the same input: only without the CRD it is unknown', space.explain(thing), 2, err=['unknown field "added"'])
    check.equal('explain-diff pairs items by the keys that the list gets', changes(space.explain([thing, newer], '-o', 'json')),
                {'spec.rules[host=a].to': 'changed', 'spec.added': 'added'})
    gone = custom(kind='Thing', name='t', rules=[host], mode='x')
    check.says('a field that the CRD loses', space.explain([gone, newer]), 2, err=['unknown field "mode"'])
    check.says('a dry run of what the server would refuse by its own CRD', space.apply([thing, newer], '--dry-run=server'), 0,
               has=['thing.%s.example.com/t configured' % space.name], err=['not checked by the server: its CRD is in the same input'])
    check.says('a CRD that changes nothing hides no refusal', space.apply([custom(kind='Thing', name='Not_A_Name'), crd], '--dry-run=server'), 1, err=['Not_A_Name'])
    for i in range(5):  # the server publishes the schema of a changed CRD a moment later
        spec['properties']['more%d' % i] = TEXT
        result = space.apply([custom(kind='Thing', name='t', rules=[host], **{'more%d' % i: 'x'}), newer])
        check.says('applied with the CRD, %d' % i, result, 0, lacks=['unknown field'])
    must(cl.kubectl('delete', 'crd', 'things.%s.example.com' % space.name))


def hurt_objects(cl, check):
    """What a new schema does to the objects that exist is told by their names, and nothing where it hurts none."""
    space = Space(cl, 'hurt')
    old = definition(schema=map_of(spec=map_of(tenant=TEXT, mode=TEXT, ref=TEXT), status=map_of(seen=TEXT)))
    new = definition(schema=map_of(spec={**map_of(tenantID=TEXT, mode={**TEXT, 'enum': ['a', 'b']}, ref=TEXT), 'required': ['ref']}))
    must(space.apply(old))
    cl.await_api(space.name + '.example.com/v1')
    loses, breaks = 'existing objects lose fields: ', 'existing objects break the new schema'
    check.says('without objects', space.explain(new), 1, has=['nothing was found'], lacks=['existing objects'])
    must(space.apply([custom(name='one', tenant='x', ref='r'), custom(name='two', mode='a'), custom(name='three', mode='b', ref='r')]))
    said = space.explain(new, '--wide')
    check.says('with objects', said, 1, has=[loses, '(spec.tenant of %s/one)' % space.name, breaks, '(%s/two: spec: the field ref is required)' % space.name],
               lacks=['/three', 'drops fields of a schema', 'stricter schema'])
    rule = merge(new, {})
    rule['spec']['versions'][0]['schema']['openAPIV3Schema']['properties']['spec']['x-kubernetes-validations'] = [
        {'rule': 'self.ref != self.mode', 'message': 'both'}]
    check.says('with a rule that is not evaluated here', space.explain(rule, '--wide'), 1, has=[loses, breaks, 'stricter schema'])
    listed = copy.deepcopy(old)
    fields = listed['spec']['versions'][0]['schema']['openAPIV3Schema']['properties']['spec']['properties']
    fields['l'] = list_of(TEXT)
    must(space.apply(listed))
    until('the list can be stored', lambda: space.apply(custom(name='four', l=['p', 'p'])).returncode == 0 and 'l' in space.live(custom(name='four'))['spec'])
    fields['l'] = list_of(TEXT, 'set')
    check.says('a list that becomes a set', space.explain(listed, '--wide'), 1, has=[breaks, '/four: spec.l["p"]: the list has this item more than once'])
    must(space.apply(new))
    # Nobody has written the objects since.
    until('the server prunes by the new schema', lambda: 'tenant' not in space.live(custom(name='one'))['spec'])
    check.equal('it was true', [space.live(custom(name=name))['spec'] for name in ('one', 'three')], [{'ref': 'r'}, {'mode': 'b', 'ref': 'r'}])


def described_late(cl, check):
    """Fields that the server kept without a schema get one, and texts a format."""
    space = Space(cl, 'late')
    of_spec = lambda **fields: definition(schema=map_of(spec=map_of(**fields)))
    values = lambda **rules: {'type': 'object', 'additionalProperties': {**TEXT, **rules}}
    must(space.apply(of_spec(free={'type': 'object', **KEEP}, deep={'type': 'object', 'additionalProperties': KEEP}, ips=values())))
    cl.await_api(space.name + '.example.com/v1')
    must(space.apply(custom(name='one', free={'a': 5, 'b': 'x'}, deep={'k': {'n': 'x'}}, ips={'x': '10.0.0.01'})))
    must(space.apply(custom(name='two', free={'a': 'x'}, deep={'k': {'n': 5}}, ips={'x': '10.0.0.1', 'y': '255.255.255.255'})))
    breaks = 'existing objects break the new schema'
    for name, fields, words in (
            ('a field below x-kubernetes-preserve-unknown-fields', {'free': {**map_of(a=TEXT), **KEEP}}, '/one: spec.free.a: expected a string'),
            ('in values of a map', {'deep': {'type': 'object', 'additionalProperties': {**map_of(n=NUMBER), **KEEP}}}, '/one: spec.deep.k.n: expected an integer'),
            ('a format', {'ips': values(format='ipv4')}, '/one: spec.ips.x: is not an IPv4 address')):
        said = space.explain(of_spec(**{'free': {'type': 'object', **KEEP}, 'deep': {'type': 'object', 'additionalProperties': KEEP}, 'ips': values(), **fields}), '--wide')
        check.says(name, said, 1, has=[breaks, words], lacks=['/two'])
    said = space.explain(of_spec(free={'type': 'object', **KEEP}, deep={'type': 'object', 'additionalProperties': KEEP}, ips=values(format='cidr')), '--wide')
    check.says('a format that is not checked here', said, 1, has=['stricter schema'], lacks=[breaks])


def judged_by_the_former(cl, check):
    """The server takes up a changed CRD a moment after it stored it, here as slowly as a loaded one."""
    space = Space(cl, 'former')
    crd = definition(kind='Thing', schema=map_of(spec=map_of(a=TEXT)))
    must(space.apply([crd, custom(kind='Thing', name='t', a='x')]))
    refusals = {'created': 'strict decoding error: unknown field "spec.b"',
                'configured': 'patch: Invalid value: "{}": strict decoding error: unknown field "spec.b"', 'a value': 'spec.c: Invalid value: "x"'}
    for i, (label, message) in enumerate(refusals.items()):
        thing = custom(kind='Thing', name='new' if label == 'created' else 't', a='y%d' % i)
        crd = merge(crd, {'metadata': {'labels': {'run': str(i)}}})
        inject = {'methods': ['POST', 'PATCH'], 'path': '/%s.example.com/v1/' % space.name, 'status': 400 if i == 0 else 422, 'reason': 'Invalid', 'message': message, 'times': 3}
        with cl.proxy(inject=[inject]) as proxy:
            result = space.apply([thing, crd], kubeconfig=proxy.kubeconfig)
            check.says('%s, refused three times' % label, result, 0, has=['thing.%s.example.com/%s ' % (space.name, thing['metadata']['name'])])
            check.equal('%s: was refused' % label, sum(bool(r.get('injected')) for r in proxy.log), 3)
    wrong = custom(kind='Thing', name='Not_A_Name', a='x')
    begin = time.monotonic()
    check.says('what stays refused', space.apply([wrong, merge(crd, {'metadata': {'labels': {'run': 'last'}}})]), 1, err=['Not_A_Name'])
    check.true('is told soon', time.monotonic() - begin < 8, '%.1f s' % (time.monotonic() - begin))
    with cl.proxy(inject=[{**inject, 'times': 1}]) as proxy:
        check.says('without a change of the CRD, a refusal counts at once', space.apply(custom(kind='Thing', name='t', a='z'), kubeconfig=proxy.kubeconfig), 1,
                   err=['spec.c: Invalid value'])
    must(cl.kubectl('delete', 'crd', 'things.%s.example.com' % space.name))


def kept_as_it_is(cl, check):
    """What live has already, the server accepts although the CRD would not take it now (KEP-4008): kubectl says so."""
    space = Space(cl, 'ratchet')
    loose = definition(kind='Thing', schema=map_of(spec=map_of(size=TEXT, count=NUMBER, l=list_of(TEXT), sub=map_of(a=TEXT, b=TEXT))))
    thing = custom(kind='Thing', name='t', size='5', count=1, l=['p', 'p'], sub={'a': 'x', 'b': 'y'})
    must(space.apply([loose, thing]))
    one_of = {**map_of(a=TEXT, b=TEXT), 'oneOf': [{'required': ['a']}, {'required': ['b']}]}
    strict = definition(kind='Thing', schema=map_of(spec=map_of(size=NUMBER, count=NUMBER, l=list_of(TEXT, 'set'), sub=one_of)))
    must(space.apply(strict))
    harness.until('the CRD is in force', lambda: space.kubectl('create', '--dry-run=server', '-f', space.write(
        'm.json', custom(kind='Thing', name='t2', size='5'))).returncode != 0)
    check.did('nothing changes', space.apply(thing), 'unchanged')
    counted = merge(thing, {'spec': {'count': 2}})
    judged = space.kubectl('apply', '--dry-run=server', '--validate=strict', '-f', space.write('m.json', counted))
    check.equal('the server accepts a change beside it', judged.returncode, 0)
    check.says('explain-diff', space.explain(counted), 1, has=['count: 1 → 2'])
    check.did('apply', space.apply(counted), 'configured')
    check.says('a new value is judged', space.apply(merge(thing, {'spec': {'size': '6'}})), 1, err=['spec.size: expected an integer'], lacks=['spec.l'])
    must(cl.kubectl('delete', 'crd', 'things.%s.example.com' % space.name))


def unreadable_definition(cl, check):
    """Without permission to read CRDs, the published schema, which lags behind, refuses nothing; nor does it judge duplicates."""
    space = Space(cl, 'unread')
    crd = definition(kind='Thing', schema=map_of(spec=map_of(v=TEXT, l=list_of(TEXT, 'set'))))
    must(space.apply([crd, custom(kind='Thing', name='t', v='x')]))
    inject = {'methods': ['GET'], 'path': '/customresourcedefinitions', 'status': 403, 'reason': 'Forbidden', 'message': 'not you', 'times': 9}
    wrong = custom(kind='Thing', name='u', v=1, l=['a', 'a'])
    with cl.proxy(inject=[dict(inject)]) as proxy:
        result = space.apply(wrong, '--dry-run=client', kubeconfig=proxy.kubeconfig)
        check.says('all is left to the server', result, 0, has=['created (dry run)'])
    judged = ['spec.v: expected a string', 'spec.l["a"]: appears twice']
    check.says('with it', space.apply(wrong), 1, err=judged)
    with cl.proxy(inject=[{**inject, 'path': r'/customresourcedefinitions\?'}]) as proxy:
        check.says('with permission to get, not to list', space.apply(wrong, kubeconfig=proxy.kubeconfig), 1, err=judged)
        check.equal('is asked for a list once', sum(bool(r.get('injected')) for r in proxy.log), 1)
    must(cl.kubectl('delete', 'crd', 'things.%s.example.com' % space.name))


def refused_definition(cl, check):
    space = Space(cl, 'refused')
    crd = definition(kind='Thing', schema=map_of(spec=RULES))
    thing = custom(kind='Thing', name='t', mode='x')
    wrong = copy.deepcopy(crd)
    wrong['metadata']['name'] = 'wrong.example.com'
    check.says('a dry run of an object whose CRD is refused', space.apply([thing, wrong], '--dry-run=server'), 1, out='',
               err=['its definition failed above: customresourcedefinition.apiextensions.k8s.io/wrong.example.com', '2 failed'])
    unserved = copy.deepcopy(crd)
    first = unserved['spec']['versions'][0]
    unserved['spec']['versions'].append({**first, 'name': 'v2', 'served': False, 'storage': False})
    second = {**thing, 'apiVersion': '__NS__.example.com/v2'}
    for flags in ('--dry-run=client',), ('--dry-run=server',):
        check.says('a version that is not served, %s' % flags, space.apply([second, unserved], *flags), 1, err=['does not serve it (served: false)'])
    check.says('a version that is not served, explain-diff', space.explain([second, unserved]), 2, err=['does not serve it (served: false)'])
    begin = time.monotonic()
    check.says('a version that is not served', space.apply([second, unserved]), 1, err=['no matches for kind "Thing" in version "%s.example.com/v2"' % space.name], lacks=['after 30 s'])
    check.true('is not waited for', time.monotonic() - begin < 20, '%.1f s' % (time.monotonic() - begin))
    must(cl.kubectl('delete', 'crd', 'things.%s.example.com' % space.name))


def version_that_goes(cl, check):
    """The server goes on publishing the schema of a version that its CRD does not serve any longer. Such an object was called new."""
    space = Space(cl, 'goes')
    only = {'name': 'v1', 'served': True, 'storage': True, 'schema': {'openAPIV3Schema': map_of(spec=SPEC)}}
    both = definition(kind='Thing', versions=[only, {**only, 'name': 'v1alpha1', 'storage': False}])
    one = definition(kind='Thing', versions=[only])
    old = {**custom(kind='Thing', name='t', s='x'), 'apiVersion': '__NS__.example.com/v1alpha1'}
    must(space.apply(both))
    for version in ('v1alpha1', 'v1'):
        cl.await_api('%s.example.com/%s' % (space.name, version))
    must(space.apply(old))
    must(space.apply(one))
    unknown = 'no matches for kind "Thing" in version "%s.example.com/v1alpha1"\nThing is in %s.example.com/v1\n' % (space.name, space.name)
    gone = lambda: cl.raw('/apis/%s.example.com/v1alpha1' % space.name) == ''
    until('the version is not listed', gone)
    check.says('explain-diff', space.explain(old), 2, err=[unknown], lacks=['will be created'])
    for flags in ((), ('--dry-run=client',), ('--server-side',)):
        check.says('apply %s' % ' '.join(flags), space.apply(old, *flags), 1, out='', err=[unknown])
    # The input brings it again: the object is there, and was called new.
    space.patch('things.v1.%s.example.com t' % space.name, {'spec': {'s': 'by hand'}})
    off = definition(kind='Thing', versions=[only, {**only, 'name': 'v1alpha1', 'served': False, 'storage': False}])
    for before in (one, off):
        must(space.apply(before))
        until('the version is not listed', gone)
        for flags in ((), ('--server-side', '--force-conflicts')):
            check.says('the version comes again', space.explain([both, old], *flags), 1, has=['~ spec.s: by hand → ', 'live was read as', 'undoes changes made'],
                       lacks=['will be created'])
        check.says('in a dry run', space.apply([both, old], '--dry-run=client'), has=['/t configured'])
    # The path of the version is there a moment after its CRD.
    plan = 'plan-of-version.json'
    check.says('a plan', space.explain([both, old], '--plan-out', plan), 1)
    check.did('apply of a plan', space.apply([both, old], '--plan', plan), 'configured')
    # A version that has no place for what somebody set.
    space.patch('things.v1.%s.example.com t' % space.name, {'spec': {'i': 7}})
    small = {**only, 'name': 'v2', 'storage': False, 'schema': {'openAPIV3Schema': map_of(spec=map_of(s=TEXT))}}
    newer, other = definition(kind='Thing', versions=[only, small]), {**old, 'apiVersion': '__NS__.example.com/v2', 'spec': {'s': 'y'}}
    for flags in ((), ('--server-side', '--force-conflicts')):
        check.says('what the new version has no place for', space.explain([newer, other], *flags), 1,
                   has=['v2 has no place for spec.i', '! fields are lost: ', 'Thing %s/t (spec.i)' % space.name], lacks=['i: 7'])
    must(space.apply([newer, other]))
    check.equal('it is lost', space.live({**old, 'apiVersion': '__NS__.example.com/v1'})['spec'], {'s': 'y'})
    # Another version is stored.
    moved = definition(kind='Thing', versions=[{**only, 'storage': False}, {**small, 'storage': True}])
    first = {**old, 'apiVersion': '__NS__.example.com/v1', 'spec': {'s': 'z', 'i': 8}}
    check.says('what is not stored', space.explain([moved, first]), 1, has=['v2 has no place for spec.i, and objects are stored in this version', '! fields are lost: '])
    check.says('what is stored', space.explain([moved, {**first, 'spec': {'s': 'z'}}]), 1, lacks=['no place'])
    off = definition(kind='Thing', versions=[{**only, 'served': False}])
    must(space.apply(off))
    until('no version is listed', lambda: cl.raw('/apis/%s.example.com' % space.name) == '')
    check.says('nobody can read it', space.explain([one, {**old, 'apiVersion': '__NS__.example.com/v1'}]), 1, has=['nobody can read whether it exists'])
    must(cl.kubectl('delete', 'crd', 'things.%s.example.com' % space.name))


def version_without_a_field(cl, check):
    """Live is read in the manifest's version, in which it seems not to have what another version shows. Any write in that version loses it."""
    space = Space(cl, 'smaller')
    whole = {'name': 'v1', 'served': True, 'storage': True, 'schema': {'openAPIV3Schema': map_of(spec=SPEC)}}
    small = {'name': 'v2', 'served': True, 'storage': False, 'schema': {'openAPIV3Schema': map_of(spec=map_of(s=TEXT))}}
    crd = definition(kind='Thing', versions=[whole, small])
    must(space.apply(crd))
    for version in ('v1', 'v2'):
        cl.await_api('%s.example.com/%s' % (space.name, version))
    first = custom(kind='Thing', name='t', s='x')
    second = {**first, 'apiVersion': '__NS__.example.com/v2'}
    for apply_flags, flags in (((), ()), ((), ('--ask-server',)), (('--server-side', '--force-conflicts'),) * 2):
        name = ' '.join(flags)
        must(space.apply(first, *apply_flags))
        space.patch('things.v1.%s.example.com t' % space.name, {'spec': {'i': 7}})
        check.says('explain-diff %s' % name, space.explain(second, *flags), 0 if apply_flags else 1, has=['v2 has no place for spec.i', 'which live has as', '! fields are lost: ', 'Thing %s/t (spec.i)' % space.name])
        check.says('apply %s' % name, space.apply(second, *apply_flags), 0, err=['v2 has no place for spec.i'])
        check.equal('it is lost', space.live(first)['spec'], {'s': 'x'})
    # A plan that was made while nothing would be lost.
    must(space.apply({**second, 'spec': {'s': 'x'}}))
    planned = {**second, 'spec': {'s': 'planned'}}
    check.says('a plan', space.explain(planned, '--plan-out', 'loss.json'), 1, lacks=['fields are lost'])
    space.patch('things.v1.%s.example.com t' % space.name, {'spec': {'i': 7}})
    check.says('what was not reviewed is not lost', space.apply(planned, '--plan', 'loss.json'), 1, err=['not as reviewed', 'would also change spec.i'])
    planned['spec']['s'] = 'planned again'
    space.patch('things.v1.%s.example.com t' % space.name, {'spec': {'i': 8}})
    check.says('a plan that loses a value', space.explain(planned, '--plan-out', 'value.json'), 1, has=['fields are lost'])
    space.patch('things.v1.%s.example.com t' % space.name, {'spec': {'i': 9}})
    check.says('another value is not lost by it', space.apply(planned, '--plan', 'value.json'), 1, err=['not as reviewed'])
    space.patch('things.v1.%s.example.com t' % space.name, {'spec': {'i': 8}})
    check.says('the reviewed one is', space.apply(planned, '--plan', 'value.json'), 0)
    # In an item of a list, and what managedFields do not tell of: they are dropped with the version in which they were written.
    deep = copy.deepcopy(crd)
    deep['spec']['versions'][0]['schema'] = {'openAPIV3Schema': map_of(spec=map_of(s=TEXT, i={'type': 'integer'}, d={'type': 'string', 'default': 'fast'}, l=list_of(map_of(a=TEXT, b=TEXT))))}
    deep['spec']['versions'][1]['schema'] = {'openAPIV3Schema': map_of(spec=map_of(s=TEXT, l=list_of(map_of(a=TEXT))))}
    must(space.apply(deep))
    listed = {**second, 'metadata': {'name': 'l'}, 'spec': {'s': 'x', 'l': [{'a': 'x'}]}}
    must(space.apply(listed))
    space.patch('things.v1.%s.example.com l' % space.name, {'spec': {'l': [{'a': 'x', 'b': 'y'}]}})
    changed = {**listed, 'spec': {'s': 'y', 'l': [{'a': 'x'}]}}
    check.says('in an item', space.explain(changed), 1, has=['v2 has no place for spec.l[0].b, which'], lacks=['spec.d'])
    must(space.apply(changed))
    check.equal('the default is there again', space.live({**listed, 'apiVersion': '__NS__.example.com/v1'})['spec'], {'s': 'y', 'd': 'fast', 'l': [{'a': 'x'}]})
    must(space.apply(crd))
    # The version that is stored changes later: the usual order of a migration.
    must(space.apply(first))
    space.patch('things.v1.%s.example.com t' % space.name, {'spec': {'i': 7}})
    moved = definition(kind='Thing', versions=[{**whole, 'storage': False}, {**small, 'storage': True}])
    check.says('explain-diff of the CRD', space.explain(moved), 1, has=['existing objects lose fields', 'spec.i of %s/t' % space.name, 'at its next write'])
    # Written in the old version, an object need not have what the new one, which is stored, asks for.
    strict = copy.deepcopy(moved)
    strict['spec']['versions'].append({**strict['spec']['versions'][1], 'name': 'v3', 'schema': {'openAPIV3Schema': {
        'type': 'object', 'properties': {'spec': {**map_of(s=TEXT, i={'type': 'integer'}, n=TEXT), 'required': ['n']}}}}})
    strict['spec']['versions'][1]['storage'] = False
    check.says('a strict version that will be stored', space.explain(strict), 1, has=['%s/t: spec: the field n is' % space.name, '(written in v3)'])
    must(space.apply(moved))
    stays = {**first, 'spec': {'s': 'y', 'i': 7}}
    check.says('what only the former version has', space.explain(stays), 1, has=['v2 has no place for spec.i, and objects are stored in this version', '! fields are lost: '])
    check.says('it is told by apply', space.apply(stays), 0, err=['v2 has no place for spec.i'])
    check.equal('it is lost', space.live(first)['spec'], {'s': 'y'})
    must(cl.kubectl('delete', 'crd', 'things.%s.example.com' % space.name))


def api_services(cl, check):
    """Only the server behind an APIService knows its kinds."""
    space = Space(cl, 'brought')
    service = {'name': 'none', 'namespace': '__NS__'}
    api = of('apiregistration.k8s.io/v1', 'APIService', 'v1.__NS__.example.com', spec={
        'group': '__NS__.example.com', 'version': 'v1', 'groupPriorityMinimum': 1000, 'versionPriority': 10, 'service': service})
    for name, result, status in (('explain-diff', space.explain([custom(), api]), 2), ('a dry run', space.apply([custom(), api], '--dry-run=server'), 1)):
        check.says('%s of a kind that comes with an APIService' % name, result, status, err=['an APIService of the same input brings it'], lacks=['ensure CRDs'])


def stories(cl, check):
    for story in (checks, status_of_others, strictness, changed_definition, hurt_objects, described_late, judged_by_the_former, kept_as_it_is, unreadable_definition,
                  refused_definition, version_that_goes, version_without_a_field, api_services):
        check.guard(story.__name__, story, cl, check)


if __name__ == '__main__':
    sys.exit(harness.run(__doc__, stories))
