#!/usr/bin/env python3
"""Values that the server writes in another form than the manifest are in sync: after the first apply nothing is sent any more, and
explain-diff finds nothing. Values that only look alike are not."""
import json
import os
import sys

import cluster
import get_only
import run as scenarios  # scenarios/run.py: its proxy


DEFAULTS = os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', '..', 'lib', 'schema', 'builtin', 'defaults.txt')
LAST_APPLIED = 'kubectl.kubernetes.io/last-applied-configuration'


def pod(container=None, spec=None):
    return {'apiVersion': 'v1', 'kind': 'Pod', 'metadata': {'name': 'web'},
            'spec': {'containers': [{'name': 'web', 'image': 'web:1', **(container or {})}], **(spec or {})}}


def limits(**values):
    return pod({'resources': {'limits': values}})


def autoscaler(value):
    return {'apiVersion': 'autoscaling/v2', 'kind': 'HorizontalPodAutoscaler', 'metadata': {'name': 'web'},
            'spec': {'maxReplicas': 3, 'scaleTargetRef': {'apiVersion': 'apps/v1', 'kind': 'Deployment', 'name': 'web'},
                     'metrics': [{'type': 'Pods', 'pods': {'metric': {'name': 'rps', 'selector': {'matchLabels': {}}},
                                                           'target': {'type': 'AverageValue', 'averageValue': value}}}]}}


def volume(capacity):
    return {'apiVersion': 'v1', 'kind': 'PersistentVolume', 'metadata': {'name': '__NS__'},
            'spec': {'capacity': {'storage': capacity}, 'accessModes': ['ReadWriteOnce'], 'hostPath': {'path': '/x'}}}


def secret(text):
    return {'apiVersion': 'v1', 'kind': 'Secret', 'metadata': {'name': 'web'}, 'data': {'k': text}}


IN_SYNC = {
    'cpu in thousandths': limits(cpu='1000m'),
    'cpu as a fraction': limits(cpu=0.5),
    'cpu as an integer': limits(cpu=2),
    'memory in another unit': limits(memory='1024Mi'),
    'memory as a fraction': limits(memory='1.5Gi'),
    'memory with an exponent': limits(memory='1e9'),
    'memory in bytes': limits(memory=1073741824),
    'a quantity in a list that is replaced whole': autoscaler('1000m'),
    'sizeLimit': pod(spec={'volumes': [{'name': 'tmp', 'emptyDir': {'sizeLimit': '1024Ki'}}]}),
    'divisor': pod({'env': [{'name': 'A', 'valueFrom': {'resourceFieldRef': {'resource': 'limits.cpu', 'divisor': '1000m'}}}]}),
    'quota': {'apiVersion': 'v1', 'kind': 'ResourceQuota', 'metadata': {'name': 'web'}, 'spec': {'hard': {'cpu': '0.1'}}},
    'capacity': volume('2048Mi'),
    'base64 in lines': secret('aGVs\nbG8=\n'),
    'stringData': {'apiVersion': 'v1', 'kind': 'Secret', 'metadata': {'name': 'web'}, 'data': {'a': 'MQ=='}, 'stringData': {'b': 'x'}},
    'empty lists and maps': {'apiVersion': 'apps/v1', 'kind': 'Deployment',
                             'metadata': {'name': 'web', 'annotations': {}, 'finalizers': [], 'ownerReferences': []},
                             'spec': {'selector': {'matchLabels': {'a': 'b'}, 'matchExpressions': []},
                                      'template': {'metadata': {'labels': {'a': 'b'}, 'annotations': {}, 'creationTimestamp': None},
                                                   'spec': {'nodeSelector': {}, 'imagePullSecrets': [], 'tolerations': [],
                                                            'initContainers': [], 'volumes': [], 'securityContext': {},
                                                            'containers': [{'name': 'web', 'image': 'web:1', 'args': [], 'env': [],
                                                                            'ports': [], 'resources': {'limits': {}}}]}}}},
    'an empty ConfigMap': {'apiVersion': 'v1', 'kind': 'ConfigMap', 'metadata': {'name': 'web', 'labels': {}}, 'data': {},
                           'binaryData': {}},
    'time in another zone': {'apiVersion': 'coordination.k8s.io/v1', 'kind': 'Lease', 'metadata': {'name': 'web'},
                             'spec': {'renewTime': '2026-01-01T01:00:00.500000+01:00'}},
    'an empty rule list': {'apiVersion': 'networking.k8s.io/v1', 'kind': 'NetworkPolicy', 'metadata': {'name': 'web'},
                           'spec': {'podSelector': {}, 'ingress': [], 'egress': [], 'policyTypes': ['Ingress', 'Egress']}},
    'a list that Go writes as null': {'apiVersion': 'rbac.authorization.k8s.io/v1', 'kind': 'Role', 'metadata': {'name': 'web'}, 'rules': []},
    'zero values of a Pod': pod({'stdin': False, 'tty': False, 'workingDir': '', 'terminationMessagePath': '', 'imagePullPolicy': '',
                                    'env': [{'name': 'A', 'value': ''}], 'ports': [{'containerPort': 80, 'hostPort': 0, 'name': '', 'hostIP': ''}],
                                    'livenessProbe': {'httpGet': {'port': 80, 'host': '', 'scheme': ''}, 'initialDelaySeconds': 0, 'periodSeconds': 0},
                                    'volumeMounts': [{'name': 'v', 'mountPath': '/v', 'readOnly': False, 'subPath': ''}]},
                                   {'hostNetwork': False, 'hostPID': False, 'hostIPC': False, 'nodeName': '', 'priorityClassName': '',
                                    'serviceAccountName': '', 'subdomain': '', 'hostname': '', 'restartPolicy': '', 'dnsPolicy': '',
                                    'volumes': [{'name': 'v', 'emptyDir': {'medium': ''}}]}),
    'zero values of a Deployment': {'apiVersion': 'apps/v1', 'kind': 'Deployment', 'metadata': {'name': 'web'}, 'status': {},
                                    'spec': {'paused': False, 'minReadySeconds': 0, 'strategy': {'type': ''}, 'selector': {'matchLabels': {'a': 'b'}},
                                             'template': {'metadata': {'labels': {'a': 'b'}}, 'spec': {'containers': [{'name': 'web', 'image': 'web'}]}}}},
    'the type of a strategy alone': {'apiVersion': 'apps/v1', 'kind': 'Deployment', 'metadata': {'name': 'web'},
                                     'spec': {'strategy': {'type': 'RollingUpdate'}, 'selector': {'matchLabels': {'a': 'b'}}, 'template': {
                                         'metadata': {'labels': {'a': 'b'}}, 'spec': {'containers': [{'name': 'web', 'image': 'web'}]}}}},
    'zero values of a Service': {'apiVersion': 'v1', 'kind': 'Service', 'metadata': {'name': 'web'},
                                 'spec': {'clusterIP': '', 'externalName': '', 'loadBalancerIP': '', 'publishNotReadyAddresses': False, 'type': '',
                                          'sessionAffinity': '', 'ports': [{'port': 80, 'name': '', 'nodePort': 0}]}},
    'allocated node ports': {'apiVersion': 'v1', 'kind': 'Service', 'metadata': {'name': 'web'},
                             'spec': {'type': 'NodePort', 'ports': [{'port': 80, 'name': 'a', 'nodePort': None, 'targetPort': None},
                                                                    {'port': 81, 'name': 'b', 'nodePort': 0}]}},
    'allocated addresses': {'apiVersion': 'v1', 'kind': 'Service', 'metadata': {'name': 'web'},
                            'spec': {'clusterIP': None, 'clusterIPs': None, 'ipFamilies': None, 'ipFamilyPolicy': None, 'ports': [{'port': 80}]}},
    'pull policies': pod({'imagePullPolicy': None}, {'initContainers': [{'name': n, 'image': image, 'imagePullPolicy': None} for n, image in (
        ('a', 'web'), ('b', 'web:latest'), ('c', 'r.example.com:5000/web'), ('d', 'web@sha256:' + 64 * 'a'), ('e', 'r.example.com:5000/web:2'))]}),
    'tolerations that admission adds to': pod(spec={'tolerations': [{'key': 'k', 'operator': 'Exists'}]}),
    'policy types': {'apiVersion': 'networking.k8s.io/v1', 'kind': 'NetworkPolicy', 'metadata': {'name': 'web'},
                     'spec': {'podSelector': {}, 'egress': [{}], 'policyTypes': None}},
    'a rule for everybody': {'apiVersion': 'networking.k8s.io/v1', 'kind': 'NetworkPolicy', 'metadata': {'name': 'web'},
                             'spec': {'podSelector': {}, 'ingress': [{}]}},
}
RULE = {'apiGroups': ['nothing.example.com'], 'apiVersions': ['v1'], 'operations': ['CREATE'], 'resources': ['nothing']}
ITEMS = [{'path': 'p', 'fieldRef': {'fieldPath': 'metadata.name'}},
         {'path': 'q', 'resourceFieldRef': {'containerName': 'web', 'resource': 'limits.cpu'}}]
SELECTED = {'selector': {'matchLabels': {'a': 'b'}}}


def of(api_version, kind, **fields):
    return {'apiVersion': api_version, 'kind': kind, 'metadata': {'name': '__NS__'}, **fields}


def template(container=None, **spec):
    return {'metadata': {'labels': {'a': 'b'}}, 'spec': {'containers': [{'name': 'web', 'image': 'web:1', **(container or {})}], **spec}}


def nulls(*names):
    return {name: None for name in names}


# What the server adds inside lists that are replaced whole, and in place of null.
DEFAULTED = {
    'webhook': of('admissionregistration.k8s.io/v1', 'ValidatingWebhookConfiguration', webhooks=[
        {'name': 'a.example.com', 'clientConfig': {'url': 'https://x.example.com'}, 'sideEffects': 'None', 'admissionReviewVersions': ['v1'],
         'rules': [RULE], **nulls('failurePolicy', 'matchPolicy', 'namespaceSelector', 'objectSelector', 'timeoutSeconds')}]),
    'mutating webhook': of('admissionregistration.k8s.io/v1', 'MutatingWebhookConfiguration', webhooks=[
        {'name': 'a.example.com', 'clientConfig': {'service': {'name': 'x', 'namespace': 'y', 'port': None}}, 'sideEffects': 'None',
         'admissionReviewVersions': ['v1'], 'rules': [RULE],
         **nulls('failurePolicy', 'matchPolicy', 'namespaceSelector', 'objectSelector', 'reinvocationPolicy', 'timeoutSeconds')}]),
    'admission policy binding': of('admissionregistration.k8s.io/v1', 'ValidatingAdmissionPolicyBinding', spec={
        'policyName': 'x', 'validationActions': ['Deny'],
        'matchResources': {'resourceRules': [RULE], **nulls('matchPolicy', 'namespaceSelector', 'objectSelector')}}),
    'mutating admission policy': of('admissionregistration.k8s.io/v1', 'MutatingAdmissionPolicy', spec={
        'reinvocationPolicy': 'Never', 'failurePolicy': None, 'matchConstraints': {'resourceRules': [RULE], 'matchPolicy': None},
        'mutations': [{'patchType': 'ApplyConfiguration', 'applyConfiguration': {'expression': 'Object{}'}}]}),
    'admission policy': of('admissionregistration.k8s.io/v1', 'ValidatingAdmissionPolicy', spec={
        'failurePolicy': None, 'matchConstraints': {'resourceRules': [RULE], 'excludeResourceRules': [RULE]}, 'validations': [{'expression': 'true'}]}),
    'StatefulSet': of('apps/v1', 'StatefulSet', spec={
        **SELECTED, 'serviceName': 'x', 'template': template(), **nulls('podManagementPolicy', 'replicas', 'revisionHistoryLimit', 'updateStrategy', 'persistentVolumeClaimRetentionPolicy'),
        'volumeClaimTemplates': [{'metadata': {'name': 'd'}, 'spec': {'accessModes': ['ReadWriteOnce'], 'resources': {'requests': {'storage': '1024Mi'}}}}]}),
    'DaemonSet': of('apps/v1', 'DaemonSet', spec={**SELECTED, 'template': template(), **nulls('revisionHistoryLimit', 'updateStrategy')}),
    'ReplicaSet': of('apps/v1', 'ReplicaSet', spec={**SELECTED, 'template': template(), 'replicas': None}),
    'members of a strategy': of('apps/v1', 'Deployment', spec={
        **SELECTED, 'template': template(), 'strategy': {'type': None, 'rollingUpdate': nulls('maxSurge', 'maxUnavailable')}}),
    'Job': of('batch/v1', 'Job', spec={'template': template(restartPolicy='Never'), **nulls(
        'backoffLimit', 'completionMode', 'completions', 'manualSelector', 'parallelism', 'podReplacementPolicy', 'suspend')}),
    'Deployment': of('apps/v1', 'Deployment', spec={
        **SELECTED, **nulls('progressDeadlineSeconds', 'replicas', 'revisionHistoryLimit', 'strategy'), 'template': template(
            {**nulls('terminationMessagePath', 'terminationMessagePolicy', 'resources'),
             'livenessProbe': {'httpGet': {'port': 80, 'path': None, 'scheme': None},
                               **nulls('failureThreshold', 'periodSeconds', 'successThreshold', 'timeoutSeconds')}},
            **nulls('dnsPolicy', 'restartPolicy', 'schedulerName', 'securityContext', 'terminationGracePeriodSeconds', 'nodeSelector'),
            volumes=[{'name': 'p', 'projected': {'defaultMode': None, 'sources': [{'serviceAccountToken': {'path': 't'}}, {'downwardAPI': {'items': ITEMS}}]}},
                     {'name': 'd', 'downwardAPI': {'defaultMode': None, 'items': ITEMS}},
                     {'name': 'c', 'configMap': {'name': 'c', 'defaultMode': None}},
                     {'name': 'h', 'hostPath': {'path': '/h', 'type': None}},
                     {'name': 's', 'secret': {'secretName': 's', 'defaultMode': None}}])}),
    'NetworkPolicy': of('networking.k8s.io/v1', 'NetworkPolicy', spec={
        'podSelector': {}, 'ingress': [{'ports': [{'port': 80}]}], 'egress': [{'ports': [{'port': 80}], 'to': [{'podSelector': {}}]}]}),
    'ClusterRoleBinding': of('rbac.authorization.k8s.io/v1', 'ClusterRoleBinding',
                             roleRef={'kind': 'ClusterRole', 'name': 'view', 'apiGroup': 'rbac.authorization.k8s.io'},
                             subjects=[{'kind': 'User', 'name': 'u'}, {'kind': 'Group', 'name': 'g'},
                                       {'kind': 'ServiceAccount', 'name': 's', 'namespace': 'default'}]),
    'LimitRange': of('v1', 'LimitRange', spec={'limits': [
        {'type': 'Container', 'max': {'cpu': '2000m', 'memory': '1Gi'}, 'min': {'cpu': '100m', 'example.com/gpu': '1'}, 'defaultRequest': {'memory': '1Mi'}},
        {'type': 'Pod', 'max': {'cpu': 2}}]}),
    'CronJob': of('batch/v1', 'CronJob', spec={
        'schedule': '* * * * *', **nulls('concurrencyPolicy', 'failedJobsHistoryLimit', 'successfulJobsHistoryLimit', 'suspend'),
        'jobTemplate': {'spec': {'podFailurePolicy': {'rules': [{'action': 'Ignore', 'onPodConditions': [{'type': 'DisruptionTarget'}]}]},
                                 'template': template(restartPolicy='Never')}}}),
    'Pod': of('v1', 'Pod', spec={**template()['spec'], 'enableServiceLinks': None}),
    'Namespace': of('v1', 'Namespace', metadata={'name': '__NS__-other'}, spec=None),
    'PersistentVolume': of('v1', 'PersistentVolume', spec={'capacity': {'storage': '1Gi'}, 'accessModes': ['ReadWriteOnce'], 'hostPath': {'path': '/x'},
                                                           **nulls('persistentVolumeReclaimPolicy', 'volumeMode')}),
    'Secret': of('v1', 'Secret', type=None, data={'a': 'MQ=='}),
    'StorageClass': of('storage.k8s.io/v1', 'StorageClass', provisioner='example.com/x', **nulls('reclaimPolicy', 'volumeBindingMode')),
    'CSIDriver': of('storage.k8s.io/v1', 'CSIDriver', spec=nulls(
        'attachRequired', 'fsGroupPolicy', 'podInfoOnMount', 'requiresRepublish', 'seLinuxMount', 'storageCapacity', 'volumeLifecycleModes')),
    'IngressClass': of('networking.k8s.io/v1', 'IngressClass', spec={'controller': 'example.com/x', 'parameters': {'kind': 'X', 'name': 'y', 'scope': None}}),
    'RoleBinding': of('rbac.authorization.k8s.io/v1', 'RoleBinding', roleRef={'kind': 'ClusterRole', 'name': 'view', 'apiGroup': None},
                      subjects=[{'kind': 'User', 'name': 'u'}]),
    'PriorityClass': of('scheduling.k8s.io/v1', 'PriorityClass', value=5, preemptionPolicy=None),
    'FlowSchema': of('flowcontrol.apiserver.k8s.io/v1', 'FlowSchema', spec={'priorityLevelConfiguration': {'name': 'global-default'}, 'matchingPrecedence': None}),
    'PriorityLevelConfiguration': of('flowcontrol.apiserver.k8s.io/v1', 'PriorityLevelConfiguration', spec={'type': 'Limited', 'limited': {
        **nulls('lendablePercent', 'nominalConcurrencyShares'),
        'limitResponse': {'type': 'Queue', 'queuing': nulls('handSize', 'queueLengthLimit', 'queues')}}}),
    'CustomResourceDefinition': of('apiextensions.k8s.io/v1', 'CustomResourceDefinition', metadata={'name': 'things.__NS__.example.com'}, spec={
        'group': '__NS__.example.com', 'scope': 'Namespaced', 'names': {'plural': 'things', 'kind': 'Thing'}, 'conversion': None,
        'versions': [{'name': 'v1', 'served': True, 'storage': True, 'schema': {'openAPIV3Schema': {'type': 'object'}}}]}),
    'APIService': of('apiregistration.k8s.io/v1', 'APIService', metadata={'name': 'v1.__NS__.example.com'}, spec={
        'group': '__NS__.example.com', 'version': 'v1', 'groupPriorityMinimum': 1, 'versionPriority': 1,
        'service': {'name': 'x', 'namespace': 'y', 'port': None}}),
    'HorizontalPodAutoscaler v1': of('autoscaling/v1', 'HorizontalPodAutoscaler', spec={
        'maxReplicas': 3, **nulls('minReplicas', 'targetCPUUtilizationPercentage'), 'scaleTargetRef': {'apiVersion': 'apps/v1', 'kind': 'Deployment', 'name': 'web'}}),
    'scaling rules': of('autoscaling/v2', 'HorizontalPodAutoscaler', spec={
        'maxReplicas': 3, 'behavior': {'scaleDown': {'stabilizationWindowSeconds': 60, 'selectPolicy': None}},
        'scaleTargetRef': {'apiVersion': 'apps/v1', 'kind': 'Deployment', 'name': 'web'}}),
    'HorizontalPodAutoscaler': of('autoscaling/v2', 'HorizontalPodAutoscaler', spec={
        'maxReplicas': 3, 'minReplicas': None, 'metrics': None, 'scaleTargetRef': {'apiVersion': 'apps/v1', 'kind': 'Deployment', 'name': 'web'}}),
    'Endpoints': of('v1', 'Endpoints', subsets=[{'addresses': [{'ip': '10.1.1.1'}], 'ports': [{'port': 80}]}]),
    'EndpointSlice': of('discovery.k8s.io/v1', 'EndpointSlice', addressType='IPv4', endpoints=[{'addresses': ['10.1.1.1']}], ports=[{'port': 80}]),
    'ResourceClaim': of('resource.k8s.io/v1', 'ResourceClaim', spec={'devices': {'requests': [
        {'name': 'r', 'exactly': {'deviceClassName': 'c.example.com', 'tolerations': [{'key': 'k', 'value': 'v'}]}},
        {'name': 'q', 'firstAvailable': [{'name': 's', 'deviceClassName': 'c.example.com', 'tolerations': [{'key': 'k', 'value': 'v'}]}]}]}}),
    'load balancer': of('v1', 'Service', spec={'ports': [{'port': 80}], 'type': 'LoadBalancer', 'sessionAffinity': 'ClientIP', **nulls(
        'allocateLoadBalancerNodePorts', 'externalTrafficPolicy', 'sessionAffinityConfig')}),
    'Service': of('v1', 'Service', spec={'ports': [{'port': 80, 'protocol': None, 'targetPort': 80}], **nulls('internalTrafficPolicy', 'sessionAffinity', 'type')}),
}
# Versions that an API server of 1.36 need not serve.
SERVED_ON_REQUEST = {
    'resource.k8s.io/v1beta2': [{'name': 'r', 'exactly': {'deviceClassName': 'c.example.com', 'tolerations': [{'key': 'k', 'value': 'v'}]}}],
    'resource.k8s.io/v1beta1': [{'name': 'r', 'deviceClassName': 'c.example.com', 'tolerations': [{'key': 'k', 'value': 'v'}]}],
}
CHOICE = {'name': 'q', 'firstAvailable': [{'name': 's', 'deviceClassName': 'c.example.com', 'tolerations': [{'key': 'k', 'value': 'v'}]}]}

# Another spelling of what was applied: nothing is sent. Another path, though live has its value already: the record is.
RESPELT = {
    'a quantity': (limits(cpu='500m'), limits(cpu=0.5)),
    'a memory size': (limits(memory='1Gi'), limits(memory='1024Mi')),
    'base64': (secret('aGVsbG8='), secret('aGVs\nbG8=')),
}
NEW_PATHS = {
    'a default is stated': (pod(), pod({'terminationMessagePolicy': 'File'})),
    'a list is no longer stated': (pod({'args': []}), pod()),
}
# name: manifest, then its change, which must arrive.
CHANGED = {
    'cpu': (limits(cpu='1000m'), limits(cpu='1001m')),
    'Secret': (secret('aGVsbG8='), secret('aGVsbG8h')),
    'capacity': (volume('1G'), volume('1Gi')),
}


def send(cl, config, namespace, manifest, *args):
    cl.write('m.json', json.dumps(manifest).replace('__NS__', namespace))
    return cl.run(cl.tool, *args, '-f', 'm.json', '-n', namespace, '--kubeconfig', config)


def check_in_sync(check, cl, proxy, config, name, manifest):
    namespace = cl.new_namespace('meaning')
    first = send(cl, config, namespace, manifest, 'apply')
    check(name + ': is applied', '' if first.stdout.endswith(' created\n') else first.stdout + first.stderr)
    diff = send(cl, config, namespace, manifest, 'explain-diff')
    check(name + ': explain-diff finds nothing', '' if diff.returncode == 0 else diff.stdout + diff.stderr)
    del proxy.log[:]
    second = send(cl, config, namespace, manifest, 'apply')
    check(name + ': unchanged', '' if second.stdout.endswith(' unchanged\n') else second.stdout + second.stderr)
    check(name + ': nothing is sent', [r['method'] + ' ' + r['body'] for r in proxy.log if r['method'] != 'GET'])
    return namespace


def added(live, manifest, found):
    """The fields of live, and their values, where the manifest has nothing or null."""
    if isinstance(live, dict):
        for name, value in live.items():
            said = manifest.get(name) if isinstance(manifest, dict) else None
            if said is None:
                found.add((name, json.dumps(value)))
                # The default of a map is {} with the defaults of its fields.
                found.add((name, '{}' if isinstance(value, dict) else ''))
            added(value, said, found)
    elif isinstance(live, list):
        for i, item in enumerate(live):
            added(item, manifest[i] if isinstance(manifest, list) and i < len(manifest) else None, found)


def check_defaults(check, cl, proxy, config):
    found = set()
    served = cl.must(cl.kubectl('api-versions')).split()
    manifests = dict(DEFAULTED)
    for version in set(SERVED_ON_REQUEST).intersection(served):
        manifests[version] = of(version, 'ResourceClaim', spec={'devices': {'requests': SERVED_ON_REQUEST[version] + [CHOICE]}})
    for name, manifest in manifests.items():
        namespace = check_in_sync(check, cl, proxy, config, 'defaults of ' + name, manifest)
        cl.write('m.json', json.dumps(manifest).replace('__NS__', namespace))
        live = cl.get('-f', 'm.json', '-n', namespace)
        added(live, manifest, found)
        if 'namespace' not in live['metadata']:
            cl.kubectl('delete', '-f', 'm.json', '--wait=false')
    with open(DEFAULTS, encoding='utf-8') as f:
        lines = [line.split(' ', 2) for line in f if line.strip() and not line.startswith('#')]
    unserved = ['.%s.' % version.replace('.k8s.io/', '.') for version in set(SERVED_ON_REQUEST).difference(served)]
    for type_name, field, value in lines:
        if any(version in type_name for version in unserved):
            continue
        check('default of %s %s' % (type_name, field), '' if (field, json.dumps(json.loads(value))) in found else 'the server does not add ' + value)


def check_spelling(check, cl, proxy, config):
    for rows, word in ((RESPELT, 'unchanged'), (NEW_PATHS, 'configured')):
        for name, (before, after) in rows.items():
            namespace = cl.new_namespace('meaning')
            cl.must(send(cl, config, namespace, before, 'apply'))
            del proxy.log[:]
            second = send(cl, config, namespace, after, 'apply')
            check('%s: %s' % (name, word), '' if second.stdout.endswith(' %s\n' % word) else second.stdout + second.stderr)
            writes = [r['body'] for r in proxy.log if r['method'] != 'GET']
            check(name + ': what is sent', '' if len(writes) == (word == 'configured') else writes)
            if writes:
                patch = json.loads(writes[0])
                check(name + ': the record alone', '' if list(patch) == ['metadata'] and list(patch['metadata']['annotations']) == [LAST_APPLIED] else patch)


def check_changed(check, cl, config, name, before, after):
    namespace = cl.new_namespace('meaning')
    cl.must(send(cl, config, namespace, before, 'apply'))
    diff = send(cl, config, namespace, after, 'explain-diff')
    check(name + ': explain-diff finds the change', '' if diff.returncode == 1 else diff.stdout + diff.stderr)


def string_data(**values):
    return {'apiVersion': 'v1', 'kind': 'Secret', 'metadata': {'name': 'web'}, 'stringData': values}


def check_string_data(check, cl, config):
    """Keys that leave stringData leave the Secret, others' stay."""
    namespace = cl.new_namespace('meaning')
    cl.must(send(cl, config, namespace, string_data(a='1', b='2'), 'apply'))
    cl.must(cl.kubectl('patch', 'secret', 'web', '-n', namespace, '-p', '{"stringData":{"other":"3"}}'))
    for manifest, data in ((string_data(a='1'), {'a': 'MQ==', 'other': 'Mw=='}), (string_data(a='4'), {'a': 'NA==', 'other': 'Mw=='})):
        cl.must(send(cl, config, namespace, manifest, 'apply'))
        secret = cl.get('secret', 'web', '-n', namespace)
        check('stringData %s is what the Secret holds' % sorted(manifest['stringData']), '' if secret['data'] == data else secret['data'])
        check('the manifest is recorded as it is written',
              '' if '"stringData":' in secret['metadata']['annotations'][LAST_APPLIED] else secret['metadata']['annotations'])


def main():
    check = cluster.Checks()
    with cluster.Cluster(cluster.parse_args(__doc__)) as cl:
        proxy = scenarios.Proxy(get_only.upstream(cl))
        config = get_only.write_kubeconfig(cl, proxy.url)
        try:
            for name, manifest in IN_SYNC.items():
                check_in_sync(check, cl, proxy, config, name, manifest)
            check_string_data(check, cl, config)
            check_defaults(check, cl, proxy, config)
            check_spelling(check, cl, proxy, config)
            for name, (before, after) in CHANGED.items():
                check_changed(check, cl, config, name, before, after)
        finally:
            proxy.close()
            cl.kubectl('delete', 'persistentvolume', *cl.namespaces, '--ignore-not-found', '--wait=false')
    return check.finish()


if __name__ == '__main__':
    sys.exit(main())
