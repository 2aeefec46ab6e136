#!/usr/bin/env python3
"""Values that the server writes in another form than the manifest are in sync: after the first apply nothing is sent any more, and
explain-diff finds nothing. Values that only look alike are not."""
import json
import sys

import harness
from harness import Space, facts, must
from harness.cluster import LAST_APPLIED
from harness.manifests import (RULE, SELECTOR, admission, autoscaler, changed, definition, deployment, hook, network_policy, of, pod, pod_spec,
                               secret, service, template, volume)


def limits(**values):
    return pod({'resources': {'limits': values}})


def per_pod(value):
    return autoscaler({'type': 'Pods', 'pods': {'metric': {'name': 'rps', 'selector': {'matchLabels': {}}},
                                                'target': {'type': 'AverageValue', 'averageValue': value}}})


def capacity(size):
    return volume(capacity={'storage': size}, hostPath={'path': '/x'})


def nulls(*names):
    return {name: None for name in names}


IN_SYNC = {
    'cpu in thousandths': limits(cpu='1000m'),
    'cpu as a fraction': limits(cpu=0.5),
    'cpu as an integer': limits(cpu=2),
    'memory in another unit': limits(memory='1024Mi'),
    'memory as a fraction': limits(memory='1.5Gi'),
    'memory with an exponent': limits(memory='1e9'),
    'memory in bytes': limits(memory=1073741824),
    'a quantity in a list that is replaced whole': per_pod('1000m'),
    'memory with spaces around it': limits(memory=' 1Gi '),
    'memory that is capped': limits(memory='16Ei'),
    'cpu that is larger than any number': limits(cpu='1e999'),
    'sizeLimit': pod(volumes=[{'name': 'tmp', 'emptyDir': {'sizeLimit': '1024Ki'}}]),
    'divisor': pod({'env': [{'name': 'A', 'valueFrom': {'resourceFieldRef': {'resource': 'limits.cpu', 'divisor': '1000m'}}}]}),
    'an annotation without a value': of('v1', 'ConfigMap', 'web', {'annotations': {'example.com/enabled': None}}),
    'stringData without a value': secret(stringData={'a': 'x', 'b': None}),
    'limits finer than a thousandth': limits(cpu='0.3333', memory='0.3333Gi'),
    'a storage request finer than a thousandth': of('v1', 'PersistentVolumeClaim', spec={
        'accessModes': ['ReadWriteOnce'], 'resources': {'requests': {'storage': '0.3333Gi'}}}),
    'capacity finer than a thousandth': capacity('0.3333Gi'),
    'sizeLimit finer than a thousandth': pod(volumes=[{'name': 'tmp', 'emptyDir': {'sizeLimit': '0.3333Gi'}}]),
    'a metric finer than a thousandth of a millionth': per_pod('0.1234567890123'),
    'limits of a Job, which cannot change': of('batch/v1', 'Job', spec={'template': template(
        {'resources': {'limits': {'cpu': '100u'}}}, restartPolicy='Never')}),
    'overhead of a RuntimeClass': of('node.k8s.io/v1', 'RuntimeClass', handler='x', overhead={'podFixed': {'cpu': '0.3333'}}),
    'quota finer than a thousandth': of('v1', 'ResourceQuota', spec={'hard': {'cpu': '0.33333'}}),
    'quota that is capped': of('v1', 'ResourceQuota', spec={'hard': {'limits.memory': '16Ei'}}),
    'quota': of('v1', 'ResourceQuota', spec={'hard': {'cpu': '0.1'}}),
    'capacity': capacity('2048Mi'),
    'base64 in lines': secret(data={'k': 'aGVs\nbG8=\n'}),
    'stringData': secret(data={'a': 'MQ=='}, stringData={'b': 'x'}),
    'empty lists and maps': of(
        'apps/v1', 'Deployment', 'web', {'annotations': {}, 'finalizers': [], 'ownerReferences': []},
        spec={'selector': {**SELECTOR, 'matchExpressions': []}, 'template': {
            'metadata': {'labels': {'a': 'b'}, 'annotations': {}, 'creationTimestamp': None},
            'spec': pod_spec({'args': [], 'env': [], 'ports': [], 'resources': {'limits': {}}}, nodeSelector={}, imagePullSecrets=[], tolerations=[],
                             initContainers=[], volumes=[], securityContext={})}}),
    'an empty ConfigMap': of('v1', 'ConfigMap', 'web', {'labels': {}}, data={}, binaryData={}),
    'time in another zone': of('coordination.k8s.io/v1', 'Lease', spec={'renewTime': '2026-01-01T01:00:00.500000+01:00'}),
    'an empty rule list': network_policy(ingress=[], egress=[], policyTypes=['Ingress', 'Egress']),
    'a list that Go writes as null': of('rbac.authorization.k8s.io/v1', 'Role', rules=[]),
    'zero values of a Pod': pod(
        {'stdin': False, 'tty': False, 'workingDir': '', 'terminationMessagePath': '', 'imagePullPolicy': '',
         'env': [{'name': 'A', 'value': ''}], 'ports': [{'containerPort': 80, 'hostPort': 0, 'name': '', 'hostIP': ''}],
         'livenessProbe': {'httpGet': {'port': 80, 'host': '', 'scheme': ''}, 'initialDelaySeconds': 0, 'periodSeconds': 0},
         'volumeMounts': [{'name': 'v', 'mountPath': '/v', 'readOnly': False, 'subPath': ''}]},
        hostNetwork=False, hostPID=False, hostIPC=False, nodeName='', priorityClassName='', serviceAccountName='', subdomain='', hostname='',
        restartPolicy='', dnsPolicy='', volumes=[{'name': 'v', 'emptyDir': {'medium': ''}}]),
    'zero values of a Deployment': {**changed(deployment({'image': 'web'}), paused=False, minReadySeconds=0, strategy={'type': ''}), 'status': {}},
    'the type of a strategy alone': changed(deployment({'image': 'web'}), strategy={'type': 'RollingUpdate'}),
    'zero values of a Service': service(
        {'port': 80, 'name': '', 'nodePort': 0}, clusterIP='', externalName='', loadBalancerIP='', publishNotReadyAddresses=False, type='',
        sessionAffinity=''),
    'allocated node ports': service({'port': 80, 'name': 'a', 'nodePort': None, 'targetPort': None}, {'port': 81, 'name': 'b', 'nodePort': 0}, type='NodePort'),
    'allocated addresses': service({'port': 80}, **nulls('clusterIP', 'clusterIPs', 'ipFamilies', 'ipFamilyPolicy')),
    'pull policies': pod({'imagePullPolicy': None}, initContainers=[{'name': n, 'image': image, 'imagePullPolicy': None} for n, image in (
        ('a', 'web'), ('b', 'web:latest'), ('f', 'ko://example.com/app'), ('g', 'r.example.com/PROJECT/app'), ('c', 'r.example.com:5000/web'), ('d', 'web@sha256:' + 64 * 'a'), ('e', 'r.example.com:5000/web:2'))]),
    'tolerations that admission adds to': pod(tolerations=[{'key': 'k', 'operator': 'Exists'}]),
    'policy types': network_policy(egress=[{}], policyTypes=None),
    'a pull secret without a name': pod(imagePullSecrets=[{'name': ''}]),
    'maps of nulls': of('apps/v1', 'Deployment', 'web', spec={'selector': SELECTOR, 'template': {
        'metadata': {'labels': {'a': 'b'}}, 'spec': pod_spec({'resources': {'limits': {'cpu': None}}}, nodeSelector={'disk': None})}}),
    'no policy types': network_policy(policyTypes=[]),
    'empty lists of addresses': service({'port': 80}, clusterIPs=[], ipFamilies=[]),
    'an empty list of families beside a policy': service({'port': 80}, ipFamilyPolicy='PreferDualStack', ipFamilies=[]),
    'a session timeout without sessions': service({'port': 80}, sessionAffinityConfig={'clientIP': {'timeoutSeconds': 60}}),
    'the group of a role': of('rbac.authorization.k8s.io/v1', 'RoleBinding', roleRef={'kind': 'ClusterRole', 'name': 'view', 'apiGroup': ''},
                              subjects=[{'kind': 'User', 'name': 'u'}]),
    'a rule for everybody': network_policy(ingress=[{}]),
}
ITEMS = [{'path': 'p', 'fieldRef': {'fieldPath': 'metadata.name'}},
         {'path': 'q', 'resourceFieldRef': {'containerName': 'web', 'resource': 'limits.cpu'}}]
DEVICE = {'deviceClassName': 'c.example.com', 'tolerations': [{'key': 'k', 'value': 'v'}]}
CHOICE = {'name': 'q', 'firstAvailable': [{'name': 's', **DEVICE}]}

# What the server adds inside lists that are replaced whole, and in place of null.
ISCSI = {'targetPortal': '10.0.0.1:3260', 'iqn': 'iqn.2001-04.com.example:x', 'lun': 0, 'iscsiInterface': None}
RBD = {'monitors': ['10.0.0.1:6789'], 'image': 'i', **nulls('keyring', 'pool', 'user')}
SCALE_IO = {'gateway': 'https://x', 'system': 's', 'volumeName': 'v', 'secretRef': {'name': 's'}, **nulls('fsType', 'storageMode')}
DEFAULTED = {
    'volumes of other makers': pod(volumes=[
        {'name': 'a', 'azureDisk': {'diskName': 'd', 'diskURI': 'https://x.blob.core.windows.net/c/d.vhd', **nulls('cachingMode', 'fsType', 'kind', 'readOnly')}},
        {'name': 'i', 'iscsi': ISCSI}, {'name': 'r', 'rbd': RBD}, {'name': 's', 'scaleIO': SCALE_IO}]),
    'iSCSI': volume(iscsi=ISCSI), 'RBD': volume(rbd=RBD), 'ScaleIO': volume(scaleIO=SCALE_IO),
    'webhook': admission('ValidatingWebhookConfiguration', webhooks=[hook(**nulls(
        'failurePolicy', 'matchPolicy', 'namespaceSelector', 'objectSelector', 'timeoutSeconds'))]),
    'webhook without an authority': admission('ValidatingWebhookConfiguration', webhooks=[hook(
        clientConfig={'service': {'name': 'x', 'namespace': 'y'}, 'caBundle': ''})]),
    'mutating webhook': admission('MutatingWebhookConfiguration', webhooks=[hook(
        clientConfig={'service': {'name': 'x', 'namespace': 'y', 'port': None}},
        **nulls('failurePolicy', 'matchPolicy', 'namespaceSelector', 'objectSelector', 'reinvocationPolicy', 'timeoutSeconds'))]),
    'admission policy binding': admission('ValidatingAdmissionPolicyBinding', spec={
        'policyName': 'x', 'validationActions': ['Deny'],
        'matchResources': {'resourceRules': [RULE], **nulls('matchPolicy', 'namespaceSelector', 'objectSelector')}}),
    'mutating admission policy': admission('MutatingAdmissionPolicy', spec={
        'reinvocationPolicy': 'Never', 'failurePolicy': None, 'matchConstraints': {'resourceRules': [RULE], 'matchPolicy': None},
        'mutations': [{'patchType': 'ApplyConfiguration', 'applyConfiguration': {'expression': 'Object{}'}}]}),
    'admission policy': admission('ValidatingAdmissionPolicy', spec={
        'failurePolicy': None, 'matchConstraints': {'resourceRules': [RULE], 'excludeResourceRules': [RULE]}, 'validations': [{'expression': 'true'}]}),
    'StatefulSet': of('apps/v1', 'StatefulSet', spec={'selector': SELECTOR, 'serviceName': 'x', 'template': template(), **nulls('podManagementPolicy', 'replicas', 'revisionHistoryLimit', 'updateStrategy', 'persistentVolumeClaimRetentionPolicy'),
        'volumeClaimTemplates': [{'metadata': {'name': 'd'}, 'spec': {'accessModes': ['ReadWriteOnce'], 'resources': {'requests': {'storage': '1024Mi'}}}}]}),
    'DaemonSet': of('apps/v1', 'DaemonSet', spec={'selector': SELECTOR, 'template': template(), **nulls('revisionHistoryLimit', 'updateStrategy')}),
    'ReplicaSet': of('apps/v1', 'ReplicaSet', spec={'selector': SELECTOR, 'template': template(), 'replicas': None}),
    'members of a strategy': of('apps/v1', 'Deployment', spec={'selector': SELECTOR, 'template': template(), 'strategy': {'type': None, 'rollingUpdate': nulls('maxSurge', 'maxUnavailable')}}),
    # Not in a CronJob, where 1.30 refuses a condition without a status.
    'a Job with a failure policy': of('batch/v1', 'Job', spec={
        'podFailurePolicy': {'rules': [{'action': 'Ignore', 'onPodConditions': [{'type': 'DisruptionTarget'}]}]},
        'template': template(restartPolicy='Never')}),
    'Job': of('batch/v1', 'Job', spec={'template': template(restartPolicy='Never'), **nulls(
        'backoffLimit', 'completionMode', 'completions', 'manualSelector', 'parallelism', 'podReplacementPolicy', 'suspend')}),
    'Deployment': of('apps/v1', 'Deployment', spec={'selector': SELECTOR, **nulls('progressDeadlineSeconds', 'replicas', 'revisionHistoryLimit', 'strategy'), 'template': template(
            {**nulls('terminationMessagePath', 'terminationMessagePolicy', 'resources'),
             'livenessProbe': {'httpGet': {'port': 80, 'path': None, 'scheme': None},
                               **nulls('failureThreshold', 'periodSeconds', 'successThreshold', 'timeoutSeconds')}},
            **nulls('dnsPolicy', 'restartPolicy', 'schedulerName', 'securityContext', 'terminationGracePeriodSeconds', 'nodeSelector'),
            volumes=[{'name': 'p', 'projected': {'defaultMode': None, 'sources': [{'serviceAccountToken': {'path': 't'}}, {'downwardAPI': {'items': ITEMS}}]}},
                     {'name': 'd', 'downwardAPI': {'defaultMode': None, 'items': ITEMS}},
                     {'name': 'c', 'configMap': {'name': 'c', 'defaultMode': None}},
                     {'name': 'h', 'hostPath': {'path': '/h', 'type': None}},
                     {'name': 's', 'secret': {'secretName': 's', 'defaultMode': None}}])}),
    'NetworkPolicy': network_policy(ingress=[{'ports': [{'port': 80}]}], egress=[{'ports': [{'port': 80}], 'to': [{'podSelector': {}}]}]),
    'ClusterRoleBinding': of('rbac.authorization.k8s.io/v1', 'ClusterRoleBinding',
                             roleRef={'kind': 'ClusterRole', 'name': 'view', 'apiGroup': 'rbac.authorization.k8s.io'},
                             subjects=[{'kind': 'User', 'name': 'u'}, {'kind': 'Group', 'name': 'g'},
                                       {'kind': 'ServiceAccount', 'name': 's', 'namespace': 'default'}]),
    'LimitRange': of('v1', 'LimitRange', spec={'limits': [
        {'type': 'Container', 'max': {'cpu': '2000m', 'memory': '1Gi'}, 'min': {'cpu': '100m', 'example.com/gpu': '1'}, 'defaultRequest': {'memory': '1Mi'}},
        {'type': 'Pod', 'max': {'cpu': 2}}]}),
    'CronJob': of('batch/v1', 'CronJob', spec={
        'schedule': '* * * * *', **nulls('concurrencyPolicy', 'failedJobsHistoryLimit', 'successfulJobsHistoryLimit', 'suspend'),
        'jobTemplate': {'spec': {'template': template(restartPolicy='Never')}}}),
    'Pod': pod(enableServiceLinks=None),
    'Namespace': of('v1', 'Namespace', '__NS__-other', spec=None),
    'PersistentVolume': volume(hostPath={'path': '/x'}, **nulls('persistentVolumeReclaimPolicy', 'volumeMode')),
    'Secret': secret(type=None, data={'a': 'MQ=='}),
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
    'CustomResourceDefinition': definition(schema={'type': 'object'}, conversion=None),
    'APIService': of('apiregistration.k8s.io/v1', 'APIService', 'v1.__NS__.example.com', spec={
        'group': '__NS__.example.com', 'version': 'v1', 'groupPriorityMinimum': 1, 'versionPriority': 1,
        'service': {'name': 'x', 'namespace': 'y', 'port': None}}),
    'HorizontalPodAutoscaler v1': {**autoscaler(**nulls('minReplicas', 'targetCPUUtilizationPercentage')), 'apiVersion': 'autoscaling/v1'},
    'scaling rules': autoscaler(behavior={'scaleDown': {'stabilizationWindowSeconds': 60, 'selectPolicy': None}}),
    'HorizontalPodAutoscaler': autoscaler(**nulls('minReplicas', 'metrics')),
    'Endpoints': of('v1', 'Endpoints', subsets=[{'addresses': [{'ip': '10.1.1.1'}], 'ports': [{'port': 80}]}]),
    'EndpointSlice': of('discovery.k8s.io/v1', 'EndpointSlice', addressType='IPv4', endpoints=[{'addresses': ['10.1.1.1']}], ports=[{'port': 80}]),
    'ResourceClaim': of('resource.k8s.io/v1', 'ResourceClaim', spec={'devices': {'requests': [
        {'name': 'r', 'exactly': DEVICE}, CHOICE]}}),
    'load balancer': service({'port': 80}, type='LoadBalancer', sessionAffinity='ClientIP', **nulls(
        'allocateLoadBalancerNodePorts', 'externalTrafficPolicy', 'sessionAffinityConfig')),
    'Service': service({'port': 80, 'protocol': None, 'targetPort': 80}, **nulls('internalTrafficPolicy', 'sessionAffinity', 'type')),
}
# Versions that an API server of 1.36 need not serve.
SERVED_ON_REQUEST = {
    'resource.k8s.io/v1beta2': [{'name': 'r', 'exactly': DEVICE}],
    'resource.k8s.io/v1beta1': [{'name': 'r', **DEVICE}],
}

# Another spelling of what was applied: nothing is sent. Another path, though live has its value already: the record is.
RESPELT = {
    'a quantity': (limits(cpu='500m'), limits(cpu=0.5)),
    'a memory size': (limits(memory='1Gi'), limits(memory='1024Mi')),
    'base64': (secret(data={'k': 'aGVsbG8='}), secret(data={'k': 'aGVs\nbG8='})),
}
NEW_PATHS = {
    'a default is stated': (pod(), pod({'terminationMessagePolicy': 'File'})),
    'a list is no longer stated': (pod({'args': []}), pod()),
}
# name: manifest, then its change, which must arrive.
CHANGED = {
    'cpu': tuple(deployment({'resources': {'limits': {'cpu': cpu}}}) for cpu in ('1000m', '1001m')),
    'Secret': (secret(data={'k': 'aGVsbG8='}), secret(data={'k': 'aGVsbG8h'})),
    'capacity': (capacity('1G'), capacity('1Gi')),
}


class Meaning(Space):
    """A namespace, and apply through a recording proxy."""

    def __init__(self, cl, proxy):
        super().__init__(cl, 'meaning')
        self.proxy, self.kubeconfig = proxy, proxy.kubeconfig

    def apply(self, *args, **kwargs):
        del self.proxy.log[:]
        return super().apply(*args, **kwargs)


def stays_in_sync(check, space, name, manifest):
    check.did(name + ': is applied', space.apply(manifest), 'created')
    check.says(name + ': explain-diff finds nothing', space.explain(manifest))
    check.did(name + ': unchanged', space.apply(manifest), 'unchanged')
    check(name + ': nothing is sent', [r['method'] + ' ' + r['body'] for r in space.proxy.sent()])


def in_sync(cl, check):
    with cl.proxy() as proxy:
        check.each(IN_SYNC, lambda name, manifest: stays_in_sync(check, Meaning(cl, proxy), name, manifest))


def added(live, manifest, found):
    """Collects the fields of live, and their values, where the manifest has nothing or null."""
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


def defaulted(check, space, name, manifest, found):
    stays_in_sync(check, space, 'defaults of ' + name, manifest)
    live = space.live(manifest)
    added(live, manifest, found)
    if 'namespace' not in live['metadata']:
        space.kubectl('delete', '-f', 'm.json', '--wait=false')


def defaults(cl, check):
    found = set()
    served = must(cl.kubectl('api-versions')).split()
    claims = {version: of(version, 'ResourceClaim', spec={'devices': {'requests': requests + [CHOICE]}})
              for version, requests in SERVED_ON_REQUEST.items() if version in served}
    with cl.proxy() as proxy:
        check.each({**DEFAULTED, **claims}, lambda name, manifest: defaulted(check, Meaning(cl, proxy), name, cl.server.trimmed(manifest), found))
    # Its story is the only one with these defaults, and is not told where a gate hides one of them.
    untold = [text for text in cl.server.lacking(DEFAULTED['StatefulSet']) if 'feature gate' in text]
    unserved = ['.%s.' % version.replace('.k8s.io/', '.') for version in set(SERVED_ON_REQUEST).difference(served)]
    for line in facts.lines('defaults.txt', cl.server.release()):
        type_name, field, value = line.split(' ', 2)
        lacks = cl.server.lacks_field(type_name, field)
        if untold and ('StatefulSet' in type_name or type_name.endswith('.PersistentVolumeClaim')):
            lacks = untold[0]
        if lacks:
            check.skip('default of %s %s' % (type_name, field), lacks)
        elif not any(version in type_name for version in unserved):
            check.true('default of %s %s' % (type_name, field), (field.split('.')[-1], json.dumps(json.loads(value))) in found, 'the server does not add ' + value)


def respelt(check, space, name, before, after, word):
    must(space.apply(before))
    check.did('%s: %s' % (name, word), space.apply(after), word)
    sent = [r['body'] for r in space.proxy.sent()]
    check.true(name + ': what is sent', len(sent) == (word != 'unchanged'), sent)
    if sent:
        patch = json.loads(sent[0])
        check.true(name + ': only the last-applied annotation', list(patch) == ['metadata'] and list(patch['metadata']['annotations']) == [LAST_APPLIED], patch)


def spelling(cl, check):
    with cl.proxy() as proxy:
        for rows, word in ((RESPELT, 'unchanged'), (NEW_PATHS, 'configured (last-applied only)')):
            check.each(rows, lambda name, before, after, word=word: respelt(check, Meaning(cl, proxy), name, before, after, word))


def finds(check, space, name, before, after):
    must(space.apply(before))
    check.says(name + ': explain-diff finds the change', space.explain(after), 1)


def changes(cl, check):
    check.each(CHANGED, lambda name, before, after: finds(check, Space(cl, 'meaning'), name, before, after))
    cl.kubectl('delete', 'persistentvolume', *cl.namespaces, '--ignore-not-found', '--wait=false')


def string_data(cl, check):
    """Keys that leave stringData leave the Secret, others' stay."""
    space = Space(cl, 'meaning')
    must(space.apply(secret(stringData={'a': '1', 'b': '2'})))
    space.patch('secret web', {'stringData': {'other': '3'}})
    for values, data in (({'a': '1'}, {'a': 'MQ==', 'other': 'Mw=='}), ({'a': '4'}, {'a': 'NA==', 'other': 'Mw=='})):
        must(space.apply(secret(stringData=values)))
        live = space.get('secret', 'web')
        check.equal('stringData %s is what the Secret has' % sorted(values), live['data'], data)
        check.has('the manifest is recorded as written', live['metadata']['annotations'][LAST_APPLIED], '"stringData":')


if __name__ == '__main__':
    sys.exit(harness.run(__doc__, in_sync, string_data, defaults, spelling, changes))
