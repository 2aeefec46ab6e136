#!/usr/bin/env python3
"""Duplicate items in lists. Every line of lib/schema/facts/duplicates.txt against the real server: what the table says is refused is
refused, by the server and, before anything is sent, by smp with both lines; the rest is accepted by both, with a warning. Then lists
with duplicates come and go, also in live when others edit it: what is in the manifest is in live, as often and in that order, and the
effective environment is the manifest's."""
import copy
import json
import random
import sys

import harness
from harness import Space, facts
from harness.manifests import RULE, admission, definition, deployment, hook, of, pod, service
from harness.paths import at, pointer

CONDITION = {'name': 'm', 'expression': 'true'}
MUTATION = {'patchType': 'ApplyConfiguration', 'applyConfiguration': {'expression': 'Object{}'}}


def webhooks(kind, items):
    return admission(kind + 'WebhookConfiguration', webhooks=items)


def policy(kind, **spec):
    return admission(kind + 'AdmissionPolicy', spec={'matchConstraints': {'resourceRules': [RULE]}, **spec})


def validated(validations):
    return definition(schema={'type': 'object', 'x-kubernetes-validations': validations})


def block_devices(items):
    claim = {'persistentVolumeClaim': {'claimName': 'c'}}
    return deployment({'volumeDevices': items}, volumes=[{'name': 'v', **claim}, {'name': 'w', **claim}])


def owners(items):
    return of('v1', 'ConfigMap', metadata={'ownerReferences': items})


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
    'core.v1.PodSpec schedulingGates': (lambda l: pod(schedulingGates=l), [{'name': 'e.com/x'}, {'name': 'e.com/x'}]),
    'core.v1.PodSpec topologySpreadConstraints': (lambda l: deployment(topologySpreadConstraints=l), [
        {'maxSkew': n, 'topologyKey': 'z', 'whenUnsatisfiable': 'DoNotSchedule'} for n in (1, 2)]),
    'core.v1.PodSpec volumes': (lambda l: deployment(volumes=l), [{'name': 'v', 'emptyDir': {}}, {'name': 'v', 'hostPath': {'path': '/x'}}]),
    'core.v1.ResourceRequirements claims': (
        lambda l: deployment({'resources': {'claims': l}}, resourceClaims=[{'name': 'a', 'resourceClaimName': 'b'}]), [{'name': 'a'}, {'name': 'a'}]),
    'core.v1.ServiceSpec ports': (lambda l: service(*l), [{'name': n, 'port': 80} for n in 'ab']),
    'storage.v1.CSINodeSpec drivers': (lambda l: of('storage.k8s.io/v1', 'CSINode', spec={'drivers': l}), [{'name': 'd', 'nodeID': n} for n in 'ab']),
    'admissionregistration.v1.MutatingAdmissionPolicySpec matchConditions': (
        lambda l: policy('Mutating', matchConditions=l, failurePolicy='Fail', reinvocationPolicy='Never', mutations=[MUTATION]), [CONDITION] * 2),
    'admissionregistration.v1.MutatingWebhook matchConditions': (lambda l: webhooks('Mutating', [hook(matchConditions=l)]), [CONDITION] * 2),
    'admissionregistration.v1.MutatingWebhookConfiguration webhooks': (lambda l: webhooks('Mutating', l), [hook(), hook(timeoutSeconds=3)]),
    'admissionregistration.v1.ValidatingAdmissionPolicyBindingSpec validationActions': (
        lambda l: admission('ValidatingAdmissionPolicyBinding', spec={'policyName': 'x', 'validationActions': l}),
        ['Deny', 'Deny']),
    'admissionregistration.v1.ValidatingAdmissionPolicySpec matchConditions': (
        lambda l: policy('Validating', matchConditions=l, validations=[{'expression': 'true'}]), [CONDITION] * 2),
    'admissionregistration.v1.ValidatingAdmissionPolicySpec variables': (
        lambda l: policy('Validating', variables=l, validations=[{'expression': 'true'}]), [CONDITION] * 2),
    'admissionregistration.v1.ValidatingWebhook matchConditions': (lambda l: webhooks('Validating', [hook(matchConditions=l)]), [CONDITION] * 2),
    'admissionregistration.v1.ValidatingWebhookConfiguration webhooks': (lambda l: webhooks('Validating', l), [hook(), hook(timeoutSeconds=3)]),
    'apiextensions.v1.JSONSchemaProps x-kubernetes-validations': (validated, [{'rule': 'true'}, {'rule': 'true', 'message': 'm'}]),
}
# Ephemeral containers come by a subresource that apply does not write.
WITHOUT_HOST = {'core.v1.EphemeralContainer env'}


def read_table(release=None):
    out = {}
    for line in facts.lines('duplicates.txt', release):
        name, field, what = line.split()
        parts = name.split('.')
        short = next((k for n in (3, 4) for k in ['.'.join(parts[-n:]) + ' ' + field] if k in HOSTS or k in WITHOUT_HOST), name)
        out[short] = what
    return out


def both_lines(text):
    return text.count('m.json:') >= 2 and 'appears twice' in text


def check_row(cl, check, name, what):
    space, refused = Space(cl, 'duplicates'), what == 'refused'
    host, items = HOSTS[name]
    one, two = host(copy.deepcopy(items[:1])), host(copy.deepcopy(items))

    def create(manifest):
        return space.kubectl('create', '-f', space.write('m.json', manifest), '--dry-run=server')
    check.says(name + ': one is accepted', create(one))
    server = create(two)
    check.true('%s: two are %s by the server' % (name, what), (server.returncode != 0) == refused, harness.said(server))
    mine = space.apply(two, '--dry-run=client')
    check.true('%s: and by smp, which names both lines' % name, (mine.returncode != 0) == refused and both_lines(mine.stderr), harness.said(mine))
    explained = json.loads(space.explain(two, '-o', 'json').stdout)['objects'][0]
    said = explained['error']['message'] if refused else ' '.join(explained.get('warnings', []))
    check.true(name + ': explain-diff names both lines', both_lines(said), explained)
    check(name + ': one alone gives no warning', space.apply(one, '--dry-run=client').stderr)


def rows(cl, check):
    check('every line of duplicates.txt is tried', sorted(set(read_table()) ^ (set(HOSTS) | WITHOUT_HOST)))
    table = read_table(cl.server.release())
    check.each({name: table[name] for name in HOSTS if name in table}, lambda name, what: check_row(cl, check, name, what))


def the_last_wins(cl, check):
    variables = deployment({'env': [{'name': 'X', 'value': '1'}, {'name': 'Y', 'value': '1'}, {'name': 'X', 'value': '2'}]})
    said = Space(cl, 'duplicates').apply(variables).stderr
    check.has('the last one takes effect', said, '.env[name=X]: appears twice, at m.json:', 'only the last one takes effect')


# name: the list in a Deployment; its path; items of few identities.
LISTS = {
    'env': (lambda l: deployment({'env': l}), 'spec.template.spec.containers[0].env',
            [{'name': n, 'value': v} for n in 'AB' for v in '12'] + [{'name': 'C', 'value': '$(A)'}]),
    'ports': (lambda l: deployment({'ports': l}), 'spec.template.spec.containers[0].ports',
              [{'containerPort': p, 'protocol': t} for p in (80, 81) for t in ('TCP', 'UDP')]),
    'imagePullSecrets': (lambda l: deployment(imagePullSecrets=l), 'spec.template.spec.imagePullSecrets', [{'name': n} for n in 'abc']),
    'hostAliases': (lambda l: deployment(hostAliases=l), 'spec.template.spec.hostAliases',
                    [{'ip': '1.2.3.%d' % i, 'hostnames': [h]} for i in (4, 5) for h in 'ab']),
}


def is_subsequence(part, whole):
    rest = iter(whole)
    return all(any(item == other for other in rest) for item in part)


def effective(env):
    return {item['name']: item['value'] for item in env}


def comings_and_goings(cl, check, name, edited, rounds=10):
    """Each manifest is applied over what the one before and, where `edited`, somebody else left."""
    host, path, pool = LISTS[name]
    choose, space, live = random.Random(name), Space(cl, 'duplicates'), []
    pick = lambda least: [copy.deepcopy(choose.choice(pool)) for _ in range(choose.randint(least, 4))]
    for i in range(rounds):
        wanted = pick(1)
        label = '%s, round %d: %s over %s' % (name, i, json.dumps(wanted), json.dumps(live))
        check.says(label + ' is applied', space.apply(host(wanted)))
        live = at(space.get('deployment', 'web'), path) or []
        if edited:
            check.true(label + ': what the manifest says is there, in its order', is_subsequence(wanted, live), live)
        else:
            check.equal(label + ': live is the manifest', live, wanted)
        if name == 'env':
            found, asked = effective(live), effective(wanted)
            check.equal(label + ': the effective environment', {n: found.get(n) for n in asked}, asked)
        check.did(label + ' again: unchanged', space.apply(host(wanted)), 'unchanged')
        if edited:
            live = live + pick(1) if choose.random() < 0.5 else pick(1) + live
            space.patch('deployment web', [{'op': 'replace', 'path': pointer(path), 'value': live}])


def lists(cl, check):
    for name in LISTS:
        for edited in (False, True):
            comings_and_goings(cl, check, name, edited)


if __name__ == '__main__':
    sys.exit(harness.run(__doc__, rows, the_last_wins, lists))
