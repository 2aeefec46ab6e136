#!/usr/bin/env python3
"""explain-diff --ask-server: what defaulting, admission and validation make of the objects, by dry runs only."""
import json
import sys

import harness
from harness import Space, until
from harness.manifests import admission_policy, changed, config_map, custom, definition, deployment, merge, mutating_policy, of, pod, service

# What admission does to objects with the label of this test: an annotation, one word, a sidecar.
NOTE, SIDECAR = 'example.com/checked', {'name': 'proxy', 'image': 'proxy:1'}
MUTATIONS = {
    'note': (['configmaps', 'services'], 'Object{metadata: Object.metadata{annotations: {"%s": "yes"}}}' % NOTE),
    'sidecar': (['deployments'], 'Object{spec: Object.spec{template: Object.spec.template{spec: Object.spec.template.spec{containers: ['
                'Object.spec.template.spec.containers{name: "proxy", image: "proxy:1"}]}}}}'),
    'word': (['configmaps'], 'Object{data: {"a": "kept"}}'),
}


def set_up(cl):
    cl.token = 'ask' + cl.new_namespace('ask')[-6:]
    ours = {'objectSelector': {'matchLabels': {'team': cl.token}}}
    objects = admission_policy('ValidatingAdmissionPolicy', cl.token + '-no', ['secrets'], ours,
                               validations=[{'expression': '!has(object.data.bad)', 'message': 'bad is not allowed here'}])
    for name, (resources, expression) in MUTATIONS.items():
        objects += mutating_policy(cl.token + '-' + name, resources, expression, constraints=ours)
    removal = {'patchType': 'JSONPatch', 'jsonPatch': {'expression': '[JSONPatch{op: "remove", path: "/metadata/labels/drop"}]'}}
    objects += admission_policy('MutatingAdmissionPolicy', cl.token + '-drop', ['configmaps'], ours, reinvocationPolicy='Never', mutations=[removal],
                                matchConditions=[{'name': 'has-it', 'expression': '"drop" in object.metadata.labels'}])
    harness.must(cl.smp('apply', '-f', cl.write('policies.json', objects)))
    cl.policies = ['%s/%s' % (o['kind'], o['metadata']['name']) for o in objects]
    space = Space(cl, 'await')
    probe = config_map('probe', metadata=labels(cl), a='x')
    in_force = lambda: 'kept' in space.apply(probe, '--dry-run=server', '-o', 'json').stdout and \
        'not allowed' in space.apply(of('v1', 'Secret', 'probe', labels(cl), data={'bad': 'eA=='}), '--dry-run=server').stderr
    until('the admission policies are in force', in_force)


def labels(cl):
    return {'labels': {'team': cl.token}}


def rows_of(result, n=0):
    return json.loads(result.stdout)['objects'][n]['changes']


def rows(result, n=0):
    """Path: reason, operation and outcome."""
    return {r['path']: (r['reason'], r['op'], r.get('outcome')) for r in rows_of(result, n)}


def admission(cl, check):
    """What admission adds, changes and puts back has rows, of new objects and of others."""
    space = Space(cl, 'ask')
    note = 'metadata.annotations["%s"]' % NOTE
    first = config_map('web', metadata=labels(cl), a='1', b='2')
    said = space.explain(first, '--ask-server', '-o', 'json')
    check.equal('new: the exit status', said.returncode, 1)
    check.equal('new: what admission changes', {k: v for k, v in rows(said).items() if v[0] == 'server'},
                {note: ('server', 'set', 'yes'), 'data.a': ('server', 'set', 'kept')})
    check('new: without asking, nothing of it', [k for k, v in rows(space.explain(first, '-o', 'json')).items() if v[0] == 'server'])
    check.has('new: what admission changes is compared with the manifest', space.explain(first, '--ask-server').stdout,
              '~ data.a: "1" → kept  ', 'the server sets it (a default, admission or a webhook)')
    harness.must(space.apply(first))
    check('at rest: no differences when asked', rows_of(space.explain(first, '--ask-server', '-o', 'json')))
    second = config_map('web', metadata=labels(cl), a='2', b='3')
    check.equal('what admission puts back is no change', rows(space.explain(second, '--ask-server', '-o', 'json')),
                {'data.b': ('changed', 'set', '3')})
    text = space.explain(config_map('web', metadata={**labels(cl), 'annotations': {NOTE: 'no'}}, a='1', b='2'), '--ask-server')
    check.has('nothing is left of a change that admission undoes', text.stdout, 'only its last-applied annotation changes')
    dropped = config_map('dropped', metadata={'labels': {'team': cl.token, 'drop': 'yes'}}, a='1')
    text = space.explain(dropped, '--ask-server').stdout
    check.has('new: what admission drops is not shown', text, 'team: ' + cl.token, lacks=['drop: '])
    harness.must(space.apply(dropped))
    check.equal('new: it is not stored', space.live(dropped)['metadata']['labels'], {'team': cl.token})
    plain = deployment()
    harness.must(space.apply(plain))
    marked = {**plain, 'metadata': {**plain['metadata'], 'labels': {'team': cl.token}}}
    got = rows(space.explain(marked, '--ask-server', '-o', 'json'))
    added = got.pop('spec.template.spec.containers[name=proxy]', ('', '', {}))
    check.equal('a sidecar: the reason', added[:2], ('server', 'set'))
    check.holds('a sidecar: what it will be', added[2], SIDECAR)
    check.equal('a sidecar: and the change itself', [k for k in got if 'labels' in k], list(got))
    text = space.explain(marked, '--ask-server').stdout
    check.has('a sidecar: the sentence', text, 'the server sets it (a default, admission or a webhook)')
    harness.must(space.apply(marked))
    live = space.live(marked)
    check.equal('a sidecar: live has it', [c['name'] for c in live['spec']['template']['spec']['containers']], ['web', 'proxy'])
    check('a sidecar: at rest afterwards', rows_of(space.explain(marked, '--ask-server', '-o', 'json')))
    check.equal('node ports that a dry run invents are not told',
                [r for r in rows_of(space.explain(service({'port': 80}, type='NodePort'), '--ask-server', '-o', 'json'))
                 if 'Port' in r['path'] or r['reason'] == 'server'], [])


def refusals(cl, check):
    """The server's own words, as apply has them, with the rows that it refuses."""
    space = Space(cl, 'ask')
    bad = of('v1', 'Secret', 's', labels(cl), data={'bad': 'eA=='})
    asked = space.explain(bad, '--ask-server')
    check.equal('a policy: the exit status', asked.returncode, 2)
    check.has('a policy: its words', asked.stderr, 'bad is not allowed here')
    check.has('a policy: apply says the same', space.apply(bad).stderr, 'bad is not allowed here')
    check.equal('a policy: without asking, nothing is known of it', space.explain(bad).returncode, 1)
    web = service({'port': 80, 'name': 'http'})
    harness.must(space.apply(web))
    wrong = service({'port': 80, 'name': 'NOT A NAME'})
    said = json.loads(space.explain(wrong, '--ask-server', '-o', 'json').stdout)['objects'][0]
    check.equal('validation: action and code', (said['action'], said['error']['code']), ('error', 'server'))
    check.has('validation: the words', said['error']['message'], 'spec.ports[0].name: Invalid value')
    check.true('validation: the rows stay', any('ports' in r['path'] for r in said['changes']), said)
    check.has('validation: the text', space.explain(wrong, '--ask-server').stdout, 'refused')
    limits = of('v1', 'LimitRange', 'limits', spec={'limits': [{'type': 'Container', 'max': {'cpu': '1'}, 'min': {'cpu': '2'}}]})
    check.says('what admission reads of others is refused itself', space.explain(limits, '--ask-server'), 2, err=['Invalid value'])
    missing = space.explain(config_map('a', b='c'), '--ask-server', '-n', 'nowhere')
    check.says('a namespace that does not exist', missing, 2, has=['namespaces "nowhere" not found'])


def unasked(cl, check):
    """Where the server cannot be asked, one line says why, and what reading shows stays."""
    space = Space(cl, 'ask')
    changed, first = config_map('web', a='2'), config_map('web', a='1')
    harness.must(space.apply(first))
    for name, manifest in (('patch', changed), ('create', config_map('new', a='1'))):
        said = space.explain(manifest, '--ask-server', kubeconfig=cl.kubeconfig.replace('admin', 'reader'))
        check.says('no permission to ' + name, said, 1, has=['not checked by the server: ', 'cannot %s resource "configmaps"' % name, 'a'])
    group = '__NS__.example.com'
    crd = definition(group, schema={'type': 'object', 'properties': {'spec': {'type': 'object', 'properties': {'a': {'type': 'integer'}}}}})
    objects = [of('v1', 'Namespace', '__NS__-new'), config_map('in', {'namespace': '__NS__-new'}, a='1'), crd, custom(group, a=1)]
    said = cl.smp('explain-diff', '-f', cl.write('all.json', space.named(objects)), '--ask-server', '-o', 'json')
    why = [o.get('unasked', '') for o in json.loads(said.stdout)['objects']]
    check.equal('what the input itself brings is not asked for', [bool(w) for w in why], [False, True, False, True])
    check.has('a namespace of the input', why[1], 'its namespace is in the same input')
    check.has('a CRD of the input', why[3], 'its CRD is in the same input')
    classed = [of('scheduling.k8s.io/v1', 'PriorityClass', '__NS__-hi', value=1), pod(priorityClassName='__NS__-hi')]
    said = space.explain(classed, '--ask-server')
    check.says('a class of the input', said, 1, has=[space.name + '-hi is in the same input, and a dry run does not create it: '])
    admission_inputs(cl, check)
    check.says('a class that nobody has', space.explain(pod(priorityClassName='nobodys'), '--ask-server'), 2,
               has=['no PriorityClass with name nobodys was found'])
    harness.must(space.apply(crd))
    cl.await_api(space.name + '.example.com/v1')
    newer = definition(group, schema={'type': 'object', 'properties': {'spec': {'type': 'object', 'properties': {'b': {'type': 'integer'}}}}})
    said = space.explain([newer, custom(group, b=1)], '--ask-server')
    check.says('a CRD that the input changes', said, 1, has=['its CRD is in the same input, and a dry run does not change it: '])
    space.kubectl('delete', '-f', space.write('crd.json', crd), '--wait=false')
    overloaded = [{'methods': ('PATCH',), 'status': 503, 'reason': 'ServiceUnavailable', 'message': 'the storage is busy', 'times': 99}]
    with cl.proxy(inject=overloaded) as proxy:
        said = space.explain(changed, '--ask-server', kubeconfig=proxy.kubeconfig)
        check.says('a server that fails', said, 1, has=['not checked by the server: ', 'the storage is busy', 'data.a'])
    check.says('no server at all', space.explain(changed, '--ask-server', '--live', 'web.json'), 2, has=['there is no server to ask'])


LIMITS = of('v1', 'LimitRange', 'limits', spec={'limits': [{'type': 'Container', 'default': {'cpu': '500m'}, 'max': {'cpu': '1'}}]})
PENDING = ' is in the same input, and a dry run does not create it'
STORAGE, INGRESS = 'storageclass.kubernetes.io/is-default-class', 'ingressclass.kubernetes.io/is-default-class'


def whys(space, *objects):
    said = space.explain(list(objects), '--ask-server', '-o', 'json')
    return [o.get('unasked', '') for o in json.loads(said.stdout)['objects']]


def admission_inputs(cl, check):
    """What admission reads beside an object: an answer is not told while the server has it otherwise than the input."""
    space = Space(cl, 'ask')
    claim = of('v1', 'PersistentVolumeClaim', 'c', spec={'accessModes': ['ReadWriteOnce'], 'resources': {'requests': {'storage': '1Gi'}}})
    ingress = of('networking.k8s.io/v1', 'Ingress', 'i', spec={'defaultBackend': {'service': {'name': 's', 'port': {'number': 80}}}})
    storage = lambda **annotations: of('storage.k8s.io/v1', 'StorageClass', '__NS__', {'annotations': annotations}, provisioner='example.com/p')
    entries = lambda **annotations: of('networking.k8s.io/v1', 'IngressClass', '__NS__', {'annotations': annotations}, spec={'controller': 'example.com/c'})
    check.equal('a LimitRange', whys(space, LIMITS, pod()), ['', 'limitrange/limits' + PENDING])
    check.equal('a LimitRange in another namespace, and a Deployment', whys(space, merge(LIMITS, {'metadata': {'namespace': 'default'}}), pod(), deployment()), ['', '', ''])
    check.equal('a default StorageClass', whys(space, storage(**{STORAGE: 'true'}), claim), ['', 'storageclass.storage.k8s.io/%s%s' % (space.name, PENDING)])
    check.equal('a StorageClass that the claim does not use', whys(space, storage(**{STORAGE: 'false'}), claim), ['', ''])
    check.equal('a default IngressClass', whys(space, entries(**{INGRESS: 'true'}), ingress), ['', 'ingressclass.networking.k8s.io/%s%s' % (space.name, PENDING)])
    check.equal('an IngressClass that the Ingress names not', whys(space, entries(**{INGRESS: 'true'}), changed(ingress, ingressClassName='other')), ['', ''])
    account = of('v1', 'ServiceAccount', 'sa')
    check.has('a ServiceAccount', whys(space, account, pod(serviceAccountName='sa'))[1], 'serviceaccount/sa' + PENDING)
    harness.must(space.apply([LIMITS, account]))
    check.equal('what the server has as the input states it', whys(space, LIMITS, account, pod(serviceAccountName='sa')), ['', '', ''])
    got = rows(space.explain([LIMITS, pod()], '--ask-server', '-o', 'json'), 1)
    check.true('its defaults have rows', any('resources' in path for path in got), got)
    big = pod({'resources': {'limits': {'cpu': '2'}}})
    check.says('its refusals are told', space.explain([LIMITS, big], '--ask-server'), 2, has=['maximum cpu usage per Container is 1'])
    larger = merge(LIMITS, {'spec': {'limits': [{'type': 'Container', 'max': {'cpu': '4'}}]}})
    check.has('but not while the input changes it', whys(space, larger, big)[1], 'limitrange/limits is in the same input, and a dry run does not change it: ')
    invalid = space.explain([larger, pod({'image': ''})], '--ask-server')
    check.says('an invalid field is refused all the same', invalid, 2, has=['Required value'])


def only_dry_runs(cl, check):
    """Only dry runs are sent beside GETs, and nothing is stored."""
    space = Space(cl, 'ask')
    v1 = [config_map('web', a='1'), service({'port': 80}), of('v1', 'ServiceAccount', 'sa')]
    v2 = [config_map('web', a='2'), service({'port': 81}), of('v1', 'ServiceAccount', 'sa'), config_map('new', a='1')]
    harness.must(space.apply(v1))
    before = space.get('configmaps,services,serviceaccounts')
    with cl.proxy() as proxy:
        space.explain(v2, '--ask-server', kubeconfig=proxy.kubeconfig)
    writes = [r for r in proxy.requests() if not r.startswith('GET ')]
    check('all are dry runs', [r for r in writes if 'dryRun=All' not in r])
    check.equal('only what would change is sent', sorted(r.split()[0] for r in writes), ['PATCH', 'PATCH', 'POST'])
    with cl.proxy() as proxy:
        space.explain(v2, kubeconfig=proxy.kubeconfig)
    check('without the flag, GETs alone', [r for r in proxy.requests() if not r.startswith('GET ')])
    check.equal('nothing was stored', space.get('configmaps,services,serviceaccounts')['items'], before['items'])
    text = space.explain(v2).stdout
    check.true('what was not asked is said once', '\nnot checked by the server (validation, admission, webhooks): use --ask-server\n' in text
               and text.count('not checked by the server (val') == 1, text)
    check.has('and not when asked', space.explain(v2, '--ask-server').stdout, 'to change', lacks=['not checked by'])
    check.has('nor where nothing would be sent', space.explain(v1).stdout, '3 unchanged', lacks=['not checked by'])


def ask_server(cl, check):
    set_up(cl)
    try:
        for story in (admission, refusals, unasked, only_dry_runs):
            check.guard(story.__name__, story, cl, check)
    finally:
        cl.kubectl('delete', *cl.policies)


if __name__ == '__main__':
    sys.exit(harness.run(__doc__, ask_server))
