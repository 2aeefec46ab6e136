#!/usr/bin/env python3
"""Items of one identity that stand twice in a list. Every line of lib/schema/builtin/twins.txt against the real server: what the
table says is refused is refused, by the server and, before anything is sent, by smp with both lines; the rest is taken by both, with
a warning. Then lists with twins come and go, also in live behind our back: what is in the manifest is in live, as often and in that
order, nothing of it is lost, and the effective environment is the manifest's."""
import copy
import json
import os
import random
import sys

import cluster

TABLE = os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', '..', 'lib', 'schema', 'builtin', 'twins.txt')
RULE = {'apiGroups': ['nothing.example.com'], 'apiVersions': ['v1'], 'operations': ['CREATE'], 'resources': ['nothing']}
CONDITION = {'name': 'm', 'expression': 'true'}
MUTATION = {'patchType': 'ApplyConfiguration', 'applyConfiguration': {'expression': 'Object{}'}}


def of(api_version, kind, **fields):
    return {'apiVersion': api_version, 'kind': kind, 'metadata': {'name': '__NS__'}, **fields}


def template(container=None, **spec):
    return {'containers': [{'name': 'web', 'image': 'web:1', **(container or {})}], **spec}


def deployment(container=None, **spec):
    return of('apps/v1', 'Deployment', spec={'selector': {'matchLabels': {'a': 'b'}}, 'template': {
        'metadata': {'labels': {'a': 'b'}}, 'spec': template(container, **spec)}})


def webhook(kind, webhooks):
    return of('admissionregistration.k8s.io/v1', kind + 'WebhookConfiguration', webhooks=webhooks)


def hook(**more):
    return {'name': 'a.example.com', 'clientConfig': {'url': 'https://x.example.com'}, 'sideEffects': 'None',
            'admissionReviewVersions': ['v1'], 'rules': [RULE], **more}


def policy(kind, **spec):
    return of('admissionregistration.k8s.io/v1', kind + 'AdmissionPolicy', spec={'matchConstraints': {'resourceRules': [RULE]}, **spec})


def definition(validations):
    schema = {'type': 'object', 'x-kubernetes-validations': validations}
    return of('apiextensions.k8s.io/v1', 'CustomResourceDefinition', metadata={'name': 'things.__NS__.test'}, spec={
        'group': '__NS__.test', 'scope': 'Namespaced', 'names': {'plural': 'things', 'kind': 'Thing'},
        'versions': [{'name': 'v1', 'served': True, 'storage': True, 'schema': {'openAPIV3Schema': schema}}]})


def block_devices(items):
    claim = {'persistentVolumeClaim': {'claimName': 'c'}}
    return deployment({'volumeDevices': items}, volumes=[{'name': 'v', **claim}, {'name': 'w', **claim}])


def owners(items):
    return of('v1', 'ConfigMap', metadata={'name': '__NS__', 'ownerReferences': items})


# TYPE FIELD: the object around the list, two items.
HOSTS = {
    'core.v1.Container env': (lambda l: deployment({'env': l}), [{'name': 'A', 'value': '1'}, {'name': 'A', 'value': '2'}]),
    'core.v1.Container ports': (lambda l: deployment({'ports': l}), [{'containerPort': 80}, {'containerPort': 80, 'protocol': 'TCP'}]),
    'core.v1.PodSpec hostAliases': (lambda l: deployment(hostAliases=l), [{'ip': '1.2.3.4', 'hostnames': ['a']}, {'ip': '1.2.3.4', 'hostnames': ['b']}]),
    'core.v1.PodSpec imagePullSecrets': (lambda l: deployment(imagePullSecrets=l), [{'name': 'a'}, {'name': 'a'}]),
    'api.core.v1.ServiceAccount secrets': (lambda l: of('v1', 'ServiceAccount', secrets=l), [{'name': 'a'}, {'name': 'a'}]),
    'meta.v1.ObjectMeta ownerReferences': (owners, [{'apiVersion': 'v1', 'kind': 'ConfigMap', 'name': n, 'uid': 'u'} for n in 'ab']),
    'core.v1.Container volumeDevices': (block_devices, [{'name': n, 'devicePath': '/x'} for n in 'vw']),
    'core.v1.Container volumeMounts': (lambda l: deployment({'volumeMounts': l}, volumes=[{'name': 'v', 'emptyDir': {}}]),
                                       [{'name': 'v', 'mountPath': '/x'}, {'name': 'v', 'mountPath': '/x', 'readOnly': True}]),
    'core.v1.PodSpec containers': (lambda l: deployment(containers=l), [{'name': 'x', 'image': 'x:1'}, {'name': 'x', 'image': 'x:2'}]),
    'core.v1.PodSpec initContainers': (lambda l: deployment(initContainers=l), [{'name': 'x', 'image': 'x:1'}, {'name': 'x', 'image': 'x:2'}]),
    'core.v1.PodSpec resourceClaims': (lambda l: deployment(resourceClaims=l), [{'name': 'a', 'resourceClaimName': n} for n in 'bc']),
    'core.v1.PodSpec schedulingGates': (lambda l: of('v1', 'Pod', spec=template(schedulingGates=l)), [{'name': 'e.com/x'}, {'name': 'e.com/x'}]),
    'core.v1.PodSpec topologySpreadConstraints': (lambda l: deployment(topologySpreadConstraints=l), [
        {'maxSkew': n, 'topologyKey': 'z', 'whenUnsatisfiable': 'DoNotSchedule'} for n in (1, 2)]),
    'core.v1.PodSpec volumes': (lambda l: deployment(volumes=l), [{'name': 'v', 'emptyDir': {}}, {'name': 'v', 'hostPath': {'path': '/x'}}]),
    'core.v1.ResourceRequirements claims': (
        lambda l: deployment({'resources': {'claims': l}}, resourceClaims=[{'name': 'a', 'resourceClaimName': 'b'}]), [{'name': 'a'}, {'name': 'a'}]),
    'core.v1.ServiceSpec ports': (lambda l: of('v1', 'Service', spec={'ports': l}), [{'name': n, 'port': 80} for n in 'ab']),
    'storage.v1.CSINodeSpec drivers': (lambda l: of('storage.k8s.io/v1', 'CSINode', spec={'drivers': l}), [{'name': 'd', 'nodeID': n} for n in 'ab']),
    'admissionregistration.v1.MutatingAdmissionPolicySpec matchConditions': (
        lambda l: policy('Mutating', matchConditions=l, failurePolicy='Fail', reinvocationPolicy='Never', mutations=[MUTATION]), [CONDITION] * 2),
    'admissionregistration.v1.MutatingWebhook matchConditions': (lambda l: webhook('Mutating', [hook(matchConditions=l)]), [CONDITION] * 2),
    'admissionregistration.v1.MutatingWebhookConfiguration webhooks': (lambda l: webhook('Mutating', l), [hook(), hook(timeoutSeconds=3)]),
    'admissionregistration.v1.ValidatingAdmissionPolicyBindingSpec validationActions': (
        lambda l: of('admissionregistration.k8s.io/v1', 'ValidatingAdmissionPolicyBinding', spec={'policyName': 'x', 'validationActions': l}),
        ['Deny', 'Deny']),
    'admissionregistration.v1.ValidatingAdmissionPolicySpec matchConditions': (
        lambda l: policy('Validating', matchConditions=l, validations=[{'expression': 'true'}]), [CONDITION] * 2),
    'admissionregistration.v1.ValidatingAdmissionPolicySpec variables': (
        lambda l: policy('Validating', variables=l, validations=[{'expression': 'true'}]), [CONDITION] * 2),
    'admissionregistration.v1.ValidatingWebhook matchConditions': (lambda l: webhook('Validating', [hook(matchConditions=l)]), [CONDITION] * 2),
    'admissionregistration.v1.ValidatingWebhookConfiguration webhooks': (lambda l: webhook('Validating', l), [hook(), hook(timeoutSeconds=3)]),
    'apiextensions.v1.JSONSchemaProps x-kubernetes-validations': (definition, [{'rule': 'true'}, {'rule': 'true', 'message': 'm'}]),
}
# Ephemeral containers come by a subresource that apply does not write.
WITHOUT_HOST = {'core.v1.EphemeralContainer env'}


def read_table():
    out = {}
    with open(TABLE, encoding='utf-8') as f:
        for line in f:
            if line.strip() and not line.startswith('#'):
                name, field, what = line.split()
                parts = name.split('.')
                short = next((k for n in (3, 4) for k in ['.'.join(parts[-n:]) + ' ' + field] if k in HOSTS or k in WITHOUT_HOST), name)
                out[short] = what
    return out


def both_lines(text):
    return text.count('m.json:') >= 2 and 'stands twice' in text


def check_row(check, cl, name, what):
    namespace = cl.new_namespace('twins')
    host, items = HOSTS[name]
    one, two = [json.dumps(host(copy.deepcopy(l)), indent=1).replace('__NS__', namespace) for l in (items[:1], items)]
    alone = cl.kubectl('create', '-f', '-', '-n', namespace, '--dry-run=server', stdin=one)
    check(name + ': one is accepted', alone.stderr if alone.returncode else '')
    server = cl.kubectl('create', '-f', '-', '-n', namespace, '--dry-run=server', stdin=two)
    check('%s: two are %s by the server' % (name, what), '' if (server.returncode != 0) == (what == 'refused') else server.stdout + server.stderr)
    cl.write('m.json', two)
    mine = cl.smp('apply', '-f', 'm.json', '-n', namespace, '--dry-run=client')
    check('%s: and by smp, which names both lines' % name,
          '' if (mine.returncode != 0) == (what == 'refused') and both_lines(mine.stderr) else mine.stdout + mine.stderr)
    explained = json.loads(cl.smp('explain-diff', '-f', 'm.json', '-n', namespace, '-o', 'json').stdout)['objects'][0]
    said = explained['error']['message'] if what == 'refused' else ' '.join(explained.get('warnings', []))
    check(name + ': explain-diff names both lines', '' if both_lines(said) else explained)
    cl.write('m.json', one)
    single = cl.smp('apply', '-f', 'm.json', '-n', namespace, '--dry-run=client')
    check(name + ': one alone gives no warning', single.stderr)


def check_last_wins(check, cl):
    namespace = cl.new_namespace('twins')
    manifest = deployment({'env': [{'name': 'X', 'value': '1'}, {'name': 'Y', 'value': '1'}, {'name': 'X', 'value': '2'}]})
    cl.write('m.json', json.dumps(manifest, indent=1).replace('__NS__', namespace))
    said = cl.smp('apply', '-f', 'm.json', '-n', namespace).stderr
    check('the last one decides', '' if '.env[name=X]: stands twice, at m.json:' in said and 'the last one decides' in said else said)


# name: the list in a Deployment; items of few identities.
LISTS = {
    'env': (lambda l: deployment({'env': l}), 'template.spec.containers.0.env',
            [{'name': n, 'value': v} for n in 'AB' for v in '12'] + [{'name': 'C', 'value': '$(A)'}]),
    'ports': (lambda l: deployment({'ports': l}), 'template.spec.containers.0.ports',
              [{'containerPort': p, 'protocol': t} for p in (80, 81) for t in ('TCP', 'UDP')]),
    'imagePullSecrets': (lambda l: deployment(imagePullSecrets=l), 'template.spec.imagePullSecrets', [{'name': n} for n in 'abc']),
    'hostAliases': (lambda l: deployment(hostAliases=l), 'template.spec.hostAliases',
                    [{'ip': '1.2.3.%d' % i, 'hostnames': [h]} for i in (4, 5) for h in 'ab']),
}


def at(value, path):
    for step in path.split('.'):
        value = value[int(step)] if step.isdigit() else value.get(step, [])
    return value


def is_subsequence(part, whole):
    rest = iter(whole)
    return all(any(item == other for other in rest) for item in part)


def effective(env):
    return {item['name']: item['value'] for item in env}


def check_comings_and_goings(check, cl, name, rounds, edited):
    """Each manifest is applied over what the one before and, where `edited`, somebody else left."""
    host, path, pool = LISTS[name]
    choose = random.Random(name)
    namespace = cl.new_namespace('twins')
    pick = lambda least: [copy.deepcopy(choose.choice(pool)) for _ in range(choose.randint(least, 4))]
    for i in range(rounds):
        wanted = pick(1)
        cl.write('m.json', json.dumps(host(wanted), indent=1).replace('__NS__', namespace))
        before = [] if i == 0 else at(cl.get('deployment', namespace, '-n', namespace)['spec'], path)
        result = cl.smp('apply', '-f', 'm.json', '-n', namespace)
        live = at(cl.get('deployment', namespace, '-n', namespace)['spec'], path)
        label = '%s, round %d: %s over %s' % (name, i, json.dumps(wanted), json.dumps(before))
        check(label + ' is applied', '' if result.returncode == 0 else result.stderr)
        if edited:
            check(label + ': what the manifest says is there, in its order', '' if is_subsequence(wanted, live) else live)
        else:
            check(label + ': live is the manifest', '' if live == wanted else live)
        if name == 'env':
            found, asked = effective(live), effective(wanted)
            check(label + ': the effective environment', '' if {n: found.get(n) for n in asked} == asked else live)
        again = cl.smp('apply', '-f', 'm.json', '-n', namespace)
        check(label + ' again: unchanged', '' if again.stdout.endswith(' unchanged\n') else again.stdout + again.stderr)
        if edited:
            pointer = '/spec/' + path.replace('.', '/')
            edit = live + pick(1) if choose.random() < 0.5 else pick(1) + live
            cl.must(cl.kubectl('patch', 'deployment', namespace, '-n', namespace, '--type=json',
                               '-p', json.dumps([{'op': 'replace', 'path': pointer, 'value': edit}])))


def main():
    check = cluster.Checks()
    table = read_table()
    check('every line of twins.txt is tried', sorted(set(table) ^ (set(HOSTS) | WITHOUT_HOST)))
    with cluster.Cluster(cluster.parse_args(__doc__)) as cl:
        for name in HOSTS:
            check_row(check, cl, name, table.get(name))
        check_last_wins(check, cl)
        for name in LISTS:
            check_comings_and_goings(check, cl, name, rounds=10, edited=False)
            check_comings_and_goings(check, cl, name, rounds=10, edited=True)
    return check.finish()


if __name__ == '__main__':
    sys.exit(main())
