#!/usr/bin/env python3
"""One story for many kinds: a manifest is applied, another manager edits the live object, the changed manifest is applied, and once
more. The outcome is what the three-way rule says of the three: ours, and what the other added beside it. The last apply has nothing
to send."""
import base64
import json
import sys

import harness
from harness import Space, must
from harness.manifests import (ANYTHING, NUMBER, RULE, SELECTOR, TEXT, admission, autoscaler, changed, custom, definition, hook, ingress, list_of,
                               map_of, merge, network_policy, of, secret, service, template, volume, workload)

CLAIMS = [{'metadata': {'name': 'd'}, 'spec': {'accessModes': ['ReadWriteOnce'], 'resources': {'requests': {'storage': '1024Mi'}}}}]
STATEFUL = workload('StatefulSet', template(), replicas=1, volumeClaimTemplates=CLAIMS)
DAEMON = workload('DaemonSet', template(), updateStrategy={'type': 'RollingUpdate', 'rollingUpdate': {'maxUnavailable': 2}})
WEB = {'name': 'web', 'image': 'web:1', 'env': [{'name': 'A', 'value': ''}, {'name': 'B', 'value': '2'}]}
DEPLOYMENT = workload('Deployment', template(WEB, hostNetwork=False))
CPU = {'type': 'Resource', 'resource': {'name': 'cpu', 'target': {'type': 'Utilization', 'averageUtilization': 50}}}
MEMORY = {'type': 'Resource', 'resource': {'name': 'memory', 'target': {'type': 'AverageValue', 'averageValue': '1024Mi'}}}
SCALER = autoscaler(CPU)
BACKEND = {'path': '/', 'pathType': 'Prefix', 'backend': {'service': {'name': 'a', 'port': {'number': 80}}}}
POLICY = network_policy(ingress=[{'from': [{'podSelector': {}}], 'ports': [{'port': 80}]}])
CRON = of('batch/v1', 'CronJob', spec={'schedule': '* * * * *', 'jobTemplate': {'spec': {'backoffLimit': 2, 'template': template(restartPolicy='Never')}}})
JOB = of('batch/v1', 'Job', spec={'suspend': True, 'parallelism': 2, 'template': template(restartPolicy='Never')})
BUDGET = of('policy/v1', 'PodDisruptionBudget', spec={'minAvailable': 1, 'selector': SELECTOR})
VOLUME = volume(capacity={'storage': '1024Mi'}, hostPath={'path': '/x'}, mountOptions=['ro'])
CLAIM = of('v1', 'PersistentVolumeClaim', spec={'accessModes': ['ReadWriteOnce'], 'resources': {'requests': {'storage': '1Gi'}}})
HTTP, DNS, UDP = {'name': 'http', 'port': 80, 'nodePort': 0}, {'name': 'dns', 'port': 53, 'protocol': 'TCP'}, {'name': 'dns-udp', 'port': 53, 'protocol': 'UDP'}
ADMISSION = admission('ValidatingAdmissionPolicy', spec={
    'matchConstraints': {'resourceRules': [RULE]}, 'validations': [{'expression': 'true'}], 'variables': [{'name': 'a', 'expression': '1'}]})
SLICE = of('discovery.k8s.io/v1', 'EndpointSlice', addressType='IPv4', endpoints=[{'addresses': ['10.1.1.1']}], ports=[{'name': '', 'port': 80}])
LEVEL = of('flowcontrol.apiserver.k8s.io/v1', 'PriorityLevelConfiguration', spec={'type': 'Limited', 'limited': {'limitResponse': {'type': 'Queue', 'queuing': {'queues': 32}}}})


def hosts(*names, **spec):
    return ingress(**spec, rules=[{'host': name, 'http': {'paths': [BACKEND]}} for name in names])


def webhook(kind, **fields):
    return admission(kind, webhooks=[hook(**{'clientConfig': {'service': {'name': 'x', 'namespace': 'y'}}, **fields})])


def account(*names, **fields):
    return of('v1', 'ServiceAccount', secrets=[{'name': n} for n in names], **fields)


def role(*resources):
    return of('rbac.authorization.k8s.io/v1', 'Role', rules=[{'apiGroups': [''], 'resources': [r], 'verbs': ['get']} for r in resources])


def binding(*users):
    return of('rbac.authorization.k8s.io/v1', 'RoleBinding', roleRef={'kind': 'ClusterRole', 'name': 'view', 'apiGroup': 'rbac.authorization.k8s.io'},
              subjects=[{'kind': 'User', 'name': u} for u in users])


ONE_OF_TWO = [{'required': ['host']}, {'required': ['address']}]
SCHEMA = map_of(spec={**map_of(
    listeners=list_of({**map_of(name=TEXT, port=NUMBER, protocol={**TEXT, 'default': 'HTTP'})}, 'map', 'name'),
    tags=list_of(TEXT, 'set'), steps=list_of(TEXT, 'atomic'), paused={'type': 'boolean', 'default': False},
    host=TEXT, address=TEXT, free=ANYTHING), 'oneOf': [*ONE_OF_TWO, {'not': {'anyOf': ONE_OF_TWO}}]})


def gate_definition(**names):
    return definition(kind='Gate', schema=SCHEMA, names=names)


def gate(**spec):
    return custom(kind='Gate', name='web', **spec)


LISTENERS = [{'name': 'a', 'port': 1}, {'name': 'b', 'port': 2}]

# name: v1, what another manager merges into live, v2, what holds after it.
STORIES = {
    'StatefulSet: claims stay, replicas of another go back': (
        STATEFUL, {'spec': {'replicas': 5, 'updateStrategy': {'rollingUpdate': {'partition': 3}}}}, changed(STATEFUL, replicas=2),
        {'spec.replicas': 2, 'spec.updateStrategy.rollingUpdate.partition': 3, 'spec.volumeClaimTemplates[0].spec.volumeMode': 'Filesystem'}),
    'StatefulSet: to OnDelete and without partition': (
        changed(STATEFUL, updateStrategy={'rollingUpdate': {'partition': 1}}), {'metadata': {'labels': {'x': 'y'}}},
        changed(STATEFUL, updateStrategy={'type': 'OnDelete'}),
        {'spec.updateStrategy.type': 'OnDelete', 'spec.updateStrategy.rollingUpdate': None, 'metadata.labels.x': 'y'}),
    'DaemonSet: to OnDelete': (
        DAEMON, {'spec': {'minReadySeconds': 5}}, changed(DAEMON, updateStrategy={'type': 'OnDelete'}, minReadySeconds=0),
        {'spec.updateStrategy.type': 'OnDelete', 'spec.minReadySeconds': None}),
    'Deployment: an empty variable, hostNetwork false, and a sidecar of another': (
        DEPLOYMENT, {'spec': {'template': {'spec': {'hostNetwork': True, 'containers': [{'name': 'web', 'env': [{'name': 'A', 'value': 'x'}]}, {'name': 'side', 'image': 's:1'}]}}}},
        changed(DEPLOYMENT, template=template({**WEB, 'image': 'web:2'}, hostNetwork=False)),
        {'spec.template.spec.hostNetwork': None, 'spec.template.spec.containers[name=web].image': 'web:2',
         'spec.template.spec.containers[name=web].env[name=A].value': None, 'spec.template.spec.containers[name=web].env[name=B].value': '2',
         'spec.template.spec.containers[name=side].image': 's:1'}),
    'Deployment: the pull policy leaves the manifest and the tag becomes latest': (
        changed(DEPLOYMENT, template=template({'name': 'web', 'image': 'web:1', 'imagePullPolicy': 'Never'})), {'spec': {'paused': True}},
        changed(DEPLOYMENT, template=template({'name': 'web', 'image': 'web:latest'}), paused=False),
        {'spec.template.spec.containers[0].imagePullPolicy': 'Always', 'spec.paused': None}),
    'Deployment: a pull policy that nobody stated stays, as Kubernetes documents': (
        DEPLOYMENT, {'spec': {'replicas': 3}}, changed(DEPLOYMENT, template=template({'name': 'web', 'image': 'web:latest'})),
        {'spec.template.spec.containers[0].imagePullPolicy': 'IfNotPresent', 'spec.replicas': 3}),
    'Deployment: strategy null after Recreate': (
        changed(DEPLOYMENT, strategy={'type': 'Recreate'}), {'spec': {'replicas': 3}}, {**DEPLOYMENT, 'spec': {**DEPLOYMENT['spec'], 'strategy': None}},
        {'spec.strategy.type': 'RollingUpdate', 'spec.strategy.rollingUpdate.maxSurge': '25%'}),
    'HorizontalPodAutoscaler: metrics are replaced whole': (
        SCALER, {'spec': {'minReplicas': 2}}, changed(SCALER, metrics=[MEMORY], behavior={'scaleDown': {'stabilizationWindowSeconds': 0}}),
        {'spec.minReplicas': 2, 'spec.metrics[0].resource.name': 'memory', 'spec.metrics[1]': None, 'spec.behavior.scaleDown.stabilizationWindowSeconds': 0}),
    'HorizontalPodAutoscaler: metrics and behavior go': (
        changed(SCALER, behavior={'scaleUp': {'selectPolicy': 'Min'}}), {'spec': {'minReplicas': 2}}, changed(SCALER, metrics=None),
        {'spec.metrics[0].resource.target.averageUtilization': 80, 'spec.behavior.scaleUp.selectPolicy': None}),
    'Ingress: a rule more, the class of another stays': (
        hosts('a.example.com'), {'spec': {'ingressClassName': 'x'}}, hosts('a.example.com', 'b.example.com'),
        {'spec.ingressClassName': 'x', 'spec.rules[1].host': 'b.example.com'}),
    'Ingress: the rule of another in a list that is replaced whole goes': (
        hosts('a.example.com'), {'spec': {'rules': [{'host': 'c.example.com'}]}}, hosts('b.example.com', tls=[{'hosts': ['b.example.com']}]),
        {'spec.rules[0].host': 'b.example.com', 'spec.rules[1]': None, 'spec.tls[0].hosts[0]': 'b.example.com'}),
    'NetworkPolicy: from a selector to a block': (
        POLICY, {'metadata': {'annotations': {'x': 'y'}}}, changed(POLICY, ingress=[{'from': [{'ipBlock': {'cidr': '10.0.0.0/8', 'except': []}}]}], egress=[]),
        {'spec.ingress[0].from[0].ipBlock.cidr': '10.0.0.0/8', 'spec.ingress[0].from[0].podSelector': None, 'spec.policyTypes': ['Ingress'], 'metadata.annotations.x': 'y'}),
    'CronJob: suspended by another, limits by us': (
        CRON, {'spec': {'suspend': True}}, changed(CRON, schedule='1 * * * *', successfulJobsHistoryLimit=0),
        {'spec.suspend': True, 'spec.schedule': '1 * * * *', 'spec.successfulJobsHistoryLimit': 0, 'spec.jobTemplate.spec.backoffLimit': 2}),
    'Job: parallelism': (
        JOB, {'spec': {'parallelism': 7}}, changed(JOB, parallelism=3, suspend=False), {'spec.parallelism': 3, 'spec.suspend': False, 'spec.completionMode': 'NonIndexed'}),
    'PodDisruptionBudget: the other bound': (
        BUDGET, {'spec': {'unhealthyPodEvictionPolicy': 'AlwaysAllow'}}, changed(BUDGET, minAvailable=None, maxUnavailable='10%'),
        {'spec.minAvailable': None, 'spec.maxUnavailable': '10%', 'spec.unhealthyPodEvictionPolicy': 'AlwaysAllow'}),
    'PersistentVolume: mount options and claim': (
        VOLUME, {'spec': {'claimRef': {'name': 'c', 'namespace': 'default'}}}, changed(VOLUME, mountOptions=None, persistentVolumeReclaimPolicy='Delete'),
        {'spec.claimRef.name': 'c', 'spec.mountOptions': None, 'spec.persistentVolumeReclaimPolicy': 'Delete'}),
    'PersistentVolumeClaim: labels only': (
        CLAIM, {'metadata': {'labels': {'x': 'y'}, 'finalizers': ['example.com/f']}}, {**CLAIM, 'metadata': {'name': '__NS__', 'labels': {'a': 'b'}}},
        {'metadata.labels.x': 'y', 'metadata.labels.a': 'b', 'spec.volumeMode': 'Filesystem'}),
    'ValidatingWebhookConfiguration: the bundle of another stays, from service to url': (
        webhook('ValidatingWebhookConfiguration', timeoutSeconds=5), {'webhooks': [{'name': 'a.example.com', 'clientConfig': {'caBundle': 'e30K'}}]},
        webhook('ValidatingWebhookConfiguration', clientConfig={'url': 'https://x.example.com'}),
        {'webhooks[0].timeoutSeconds': 10, 'webhooks[0].clientConfig.service': None, 'webhooks[0].clientConfig.url': 'https://x.example.com'}),
    'MutatingWebhookConfiguration: another webhook stays': (
        webhook('MutatingWebhookConfiguration'),
        {'webhooks': [{'name': 'b.example.com', 'clientConfig': {'url': 'https://x.example.com'}, 'sideEffects': 'None', 'admissionReviewVersions': ['v1']}]},
        webhook('MutatingWebhookConfiguration', failurePolicy='Ignore'),
        {'webhooks[0].name': 'b.example.com', 'webhooks[1].failurePolicy': 'Ignore', 'webhooks[1].timeoutSeconds': 10}),
    'ServiceAccount: secrets of another stay': (
        account('a'), {'secrets': [{'name': 'theirs'}]}, account('b', automountServiceAccountToken=False),
        {'secrets[name=a]': None, 'secrets[name=b].name': 'b', 'secrets[name=theirs].name': 'theirs', 'automountServiceAccountToken': False}),
    'Role: rules are replaced whole': (
        role('pods'), {'rules': [{'apiGroups': [''], 'resources': ['nodes'], 'verbs': ['get']}]}, role('pods', 'secrets'),
        {'rules[0].resources[0]': 'pods', 'rules[1].resources[0]': 'secrets', 'rules[2]': None}),
    'Role: no rules': (role('pods'), {'metadata': {'labels': {'x': 'y'}}}, role(), {'rules': None, 'metadata.labels.x': 'y'}),
    'RoleBinding: subjects without their group': (
        binding('u'), {'metadata': {'labels': {'x': 'y'}}}, binding('u', 'v'), {'subjects[1].name': 'v', 'subjects[1].apiGroup': 'rbac.authorization.k8s.io'}),
    'ResourceQuota: the resource of another stays': (
        of('v1', 'ResourceQuota', spec={'hard': {'cpu': '1000m', 'pods': 3}}), {'spec': {'hard': {'memory': '1Gi'}}},
        of('v1', 'ResourceQuota', spec={'hard': {'cpu': 0.5}}), {'spec.hard.cpu': '500m', 'spec.hard.pods': None, 'spec.hard.memory': '1Gi'}),
    'PriorityClass: description goes, default is said': (
        of('scheduling.k8s.io/v1', 'PriorityClass', value=5, description='x'), {'metadata': {'labels': {'x': 'y'}}},
        of('scheduling.k8s.io/v1', 'PriorityClass', value=5, globalDefault=False, description=''), {'description': None, 'globalDefault': None, 'metadata.labels.x': 'y'}),
    'Endpoints: subsets are replaced whole': (
        of('v1', 'Endpoints', subsets=[{'addresses': [{'ip': '10.1.1.1'}], 'ports': [{'port': 80}]}]), {'metadata': {'labels': {'x': 'y'}}},
        of('v1', 'Endpoints', subsets=[{'addresses': [{'ip': '10.1.1.1'}, {'ip': '10.1.1.2', 'nodeName': None}], 'ports': [{'port': 80, 'name': ''}]}]),
        {'subsets[0].addresses[1].ip': '10.1.1.2', 'metadata.labels.x': 'y'}),
    'EndpointSlice: conditions of another in a list that is replaced whole go': (
        SLICE, {'endpoints': [{'addresses': ['10.1.1.1'], 'conditions': {'ready': False}}]}, {**SLICE, 'ports': [{'port': 80, 'protocol': None}, {'name': 'b', 'port': 81}]},
        {'endpoints[0].conditions.ready': None, 'ports[1].port': 81}),
    'CertificateSigningRequest: labels': (
        of('certificates.k8s.io/v1', 'CertificateSigningRequest', spec={'request': '__CSR__', 'signerName': 'example.com/x', 'usages': ['client auth']}),
        {'metadata': {'labels': {'x': 'y'}}},
        of('certificates.k8s.io/v1', 'CertificateSigningRequest', metadata={'labels': {'a': 'b'}},
           spec={'request': '__CSR__', 'signerName': 'example.com/x', 'usages': ['client auth']}), {'metadata.labels.x': 'y', 'metadata.labels.a': 'b'}),
    'ValidatingAdmissionPolicy: variables by name': (
        ADMISSION, {'spec': {'variables': [{'name': 'theirs', 'expression': '3'}]}},
        changed(ADMISSION, variables=[{'name': 'b', 'expression': '2'}], failurePolicy='Ignore'),
        {'spec.variables[name=a]': None, 'spec.variables[name=b].expression': '2', 'spec.variables[name=theirs].expression': '3', 'spec.failurePolicy': 'Ignore'}),
    'PriorityLevelConfiguration: from queues to reject': (
        LEVEL, {'spec': {'limited': {'lendablePercent': 5}}}, changed(LEVEL, limited={'limitResponse': {'type': 'Reject'}}),
        {'spec.limited.limitResponse.queuing': None, 'spec.limited.lendablePercent': 5}),
    'Service: a duplicate, node ports that are 0, and the port of another': (
        service(HTTP, DNS, clusterIP=''), {'spec': {'ports': [{'name': 'theirs', 'port': 9}]}}, service(HTTP, DNS, UDP, clusterIP='', sessionAffinity=''),
        {'spec.ports[name=http].port': 80, 'spec.ports[name=dns].protocol': 'TCP', 'spec.ports[name=dns-udp].protocol': 'UDP', 'spec.ports[name=theirs].port': 9}),
    'Secret: stringData beside data': (
        secret(data={'a': 'MQ=='}, stringData={'b': '2', 'c': ''}), {'data': {'x': 'eA=='}}, secret(data={'a': 'MQ=='}, stringData={'c': ''}),
        {'data.a': 'MQ==', 'data.b': None, 'data.c': '', 'data.x': 'eA=='}),
    'CustomResourceDefinition: names that the server adds': (
        gate_definition(), {'metadata': {'annotations': {'x': 'y'}}}, gate_definition(shortNames=['gt'], categories=[]),
        {'spec.names.shortNames[0]': 'gt', 'spec.names.listKind': 'GateList', 'metadata.annotations.x': 'y'}),
    'custom resource: items, elements and members of another stay': (
        gate(listeners=LISTENERS, tags=['a', 'b'], free={'x': 1, 'y': {'z': 1}}),
        {'spec': {'listeners': LISTENERS + [{'name': 'c', 'port': 3}], 'tags': ['a', 'b', 'c'], 'free': {'theirs': True}}},
        gate(listeners=[{'name': 'b', 'port': 4}], tags=['b'], free={'x': 2}),
        {'spec.listeners[name=a]': None, 'spec.listeners[name=b].port': 4, 'spec.listeners[name=b].protocol': 'HTTP', 'spec.listeners[name=c].port': 3,
         'spec.tags': ['b', 'c'], 'spec.free': {'x': 2, 'theirs': True}}),
    'custom resource: an atomic list, and the default of a field': (
        gate(steps=['a', 'b']), {'spec': {'steps': ['a', 'b', 'c'], 'paused': True}}, gate(steps=['b'], paused=False), {'spec.steps': ['b'], 'spec.paused': False}),
    'custom resource: one of two': (gate(host='a'), {'metadata': {'labels': {'x': 'y'}}}, gate(address='b'), {'spec.host': None, 'spec.address': 'b'}),
    'custom resource: zero values are kept as they are written': (
        gate(host='', free={'a': '', 'b': 0, 'c': False, 'd': [], 'e': {}}), {'spec': {'free': {'b': 3}}}, gate(host='', free={'a': '', 'b': 0, 'c': False, 'd': [], 'e': {}}),
        {'spec.host': '', 'spec.free': {'a': '', 'b': 0, 'c': False, 'd': [], 'e': {}}}),
}
# Kinds that take no strategic merge patch, or whose lists a plain one cannot name, are edited by a JSON merge patch.
STRATEGIC = {'Deployment', 'Service', 'ServiceAccount', 'ValidatingWebhookConfiguration', 'MutatingWebhookConfiguration', 'ValidatingAdmissionPolicy'}


# Of a key that nobody has any more.
REQUEST = base64.b64encode(b'''-----BEGIN CERTIFICATE REQUEST-----
MIHGMG4CAQAwDDEKMAgGA1UEAwwBeDBZMBMGByqGSM49AgEGCCqGSM49AwEHA0IA
BJi8kjbL+j3JjUCfIEqHmffmFkz0TblXHmWYlq+clRpqzhHYZEArRH2uhuENiYII
qKHuKuLiMOpgmyQjjUiWghSgADAKBggqhkjOPQQDAgNIADBFAiB3A7PDqSgJnUJx
hUAmF850TRgddeBykjkmYDqTvRlEoAIhAIkVT0FavpaGnSGiFoi2IeIwPdiYhWQF
POTGONp+9H7O
-----END CERTIFICATE REQUEST-----
''').decode()


def tell(cl, check, name, first, edit, second, wanted):
    space, is_custom = Space(cl, 'kinds'), first['kind'] == 'Gate'
    first, second = (cl.server.served(space.named(json.loads(json.dumps(manifest).replace('__CSR__', REQUEST)))) for manifest in (first, second))
    cl.server.need(merge(first, edit))
    if is_custom:
        must(space.apply(gate_definition(), '--wait-ready'))
    if not check.did(name + ': v1 is created', space.apply(first), 'created'):
        return
    check.did(name + ': v1 again is unchanged', space.apply(first), 'unchanged')
    space.patch('-f ' + space.write('m.json', first), edit, kind='strategic' if first['kind'] in STRATEGIC else 'merge')
    if check.did(name + ': v2 is configured', space.apply(second), 'configured'):
        check.did(name + ': v2 again is unchanged', space.apply(second), 'unchanged')
    live = space.live(second)
    check.holds(name + ': the outcome', live, wanted)
    if 'namespace' not in live['metadata']:
        space.by_http.delete(space.by_http.path_of(second, space.name))
    if is_custom:
        space.by_http.delete(space.by_http.place(['crd', 'gates.%s.example.com' % space.name], None, None)[0])
    cl.remove(space.name)


def all_stories(cl, check):
    check.each(STORIES, lambda *story: tell(cl, check, *story))


if __name__ == '__main__':
    sys.exit(harness.run(__doc__, all_stories))
