"""The kinds of random situations. Values are chosen so that the server takes nearly every combination."""
import base64

import custom_resources
from harness.manifests import (ANYTHING, NUMBER, RULE, SELECTOR, TEXT, admission, autoscaler, custom, definition, hook, list_of, map_of, of, service,
                               template, workload)

from .slots import FIXED, ITEMS, UNION, Kind, Slot, at_path, put

RBAC = 'rbac.authorization.k8s.io'
STORAGE = 'storage.k8s.io/v1'


def text64(text):
    return base64.b64encode(text.encode()).decode()


def labelled():
    """Slots that all kinds have."""
    return [
        Slot('metadata.labels.app', 'web', 'api'), Slot("metadata.labels['example.com/tier']", 'front', 'back', ''),
        Slot("metadata.annotations['example.com/note']", 'one', 'two', '')]


def kind(base, *slots, finalizers=False, **more):
    finalizer = [Slot('metadata.finalizers', *[['example.com/' + n] for n in 'ab'], kind=ITEMS)]
    return Kind(base, *labelled(), *(finalizer if finalizers else []), *slots, **more)


# --- Pods and what makes them

HANDLERS = [{'httpGet': {'port': 80, 'path': '/healthz'}}, {'httpGet': {'port': 'http', 'scheme': 'HTTPS'}}, {'tcpSocket': {'port': 80}},
            {'exec': {'command': ['true']}}, {'grpc': {'port': 9000}}]
PROBES = [{**handler, **timing} for handler, timing in zip(HANDLERS, (
    {}, {'periodSeconds': 5}, {'timeoutSeconds': 3, 'failureThreshold': 5}, {'initialDelaySeconds': 7},
    {'periodSeconds': 10, 'successThreshold': 1}))]
SIDE = [[{'name': 'side', 'image': 'side:1'}, {'name': 'side', 'image': 'side:2', 'args': ['-x']}],
        [{'name': 'log', 'image': 'log', 'resources': {'limits': {'cpu': '0.5'}}},
         {'name': 'log', 'image': 'log:latest', 'imagePullPolicy': 'Never'}]]
FIRST = [[{'name': n, 'image': n + ':1'}, {'name': n, 'image': n + ':1', 'command': ['sh'], 'env': [{'name': 'A', 'value': '1'}]}]
         for n in ('init', 'copy')]
VOLUMES = [[{'name': 'tmp', 'emptyDir': {}}, {'name': 'tmp', 'emptyDir': {'medium': 'Memory', 'sizeLimit': '1Gi'}},
            {'name': 'tmp', 'hostPath': {'path': '/x'}},
            {'name': 'tmp', 'configMap': {'name': 'c'}}, {'name': 'tmp', 'secret': {'secretName': 's', 'defaultMode': 256}}],
           [{'name': 'cfg', 'configMap': {'name': 'c', 'defaultMode': 420}}, {'name': 'cfg',
               'projected': {'sources': [{'configMap': {'name': 'c'}}]}}],
           [{'name': 'data', 'persistentVolumeClaim': {'claimName': 'd'}}, {'name': 'data', 'nfs': {'server': 'n', 'path': '/'}}]]
ENV = [[{'name': n, 'value': '1'}, {'name': n, 'value': ''}, {'name': n}, {'name': n, 'valueFrom': {'fieldRef': {'fieldPath': 'metadata.name'}}},
        {'name': n, 'valueFrom': {'secretKeyRef': {'name': 's', 'key': n}}}] for n in 'ABCD']
PORTS = [[{'containerPort': 80}, {'containerPort': 80, 'name': 'http'}, {'containerPort': 80, 'protocol': 'TCP', 'name': 'http'}],
         [{'containerPort': 53, 'protocol': 'UDP'}, {'containerPort': 53, 'protocol': 'UDP', 'name': 'dns'}],
         [{'containerPort': 53, 'protocol': 'TCP'}, {'containerPort': 53}], [{'containerPort': 9090, 'name': 'metrics'}]]
RESOURCES = [{'limits': {'cpu': '1', 'memory': '1Gi'}}, {'limits': {'cpu': '500m'}, 'requests': {'cpu': 0.25}}, {'requests': {'memory': '1024Mi'}},
             {}]
SPREAD = [[{'maxSkew': n, 'topologyKey': 'zone', 'whenUnsatisfiable': w, 'labelSelector': SELECTOR} for n in (1, 2)] for w in ('DoNotSchedule',
    'ScheduleAnyway')]
TOLERATIONS = [[{'key': 'a', 'operator': 'Exists'}], [{'key': 'b', 'value': 'x', 'effect': 'NoSchedule'}, {'key': 'a', 'operator': 'Exists'}]]
AFFINITY = {'nodeAffinity': {'requiredDuringSchedulingIgnoredDuringExecution': {'nodeSelectorTerms': [
    {'matchExpressions': [{'key': 'zone', 'operator': 'In', 'values': ['a', 'b']}]}]}}}


def container_slots(at):
    return [
        Slot(at + '.image', 'web:1', 'web:2', 'web', 'r.example.com/web:latest', required=True),
        Slot(at + '.imagePullPolicy', 'Always', 'Never', default='IfNotPresent', null=True),
        Slot(at + '.args', ['-a'], ['-b', '-a'], []),
        Slot(at + '.command', ['sh', '-c', 'x'], null=True),
        Slot(at + '.workingDir', '/srv', ''),
        Slot(at + '.env', *ENV, kind=ITEMS),
        Slot(at + '.envFrom', [{'configMapRef': {'name': 'c'}}], [{'secretRef': {'name': 's', 'optional': True}}], kind=UNION),
        Slot(at + '.ports', *PORTS, kind=ITEMS),
        Slot(at + '.resources', *RESOURCES, default={}),
        Slot(at + '.livenessProbe', *PROBES, kind=UNION, null=True),
        Slot(at + '.readinessProbe', *PROBES, kind=UNION),
        Slot(at + '.lifecycle', {'preStop': {'exec': {'command': ['x']}}}, {'preStop': {'sleep': {'seconds': 3}}},
             {'postStart': {'httpGet': {'port': 80}}}, kind=UNION),
        Slot(at + '.terminationMessagePolicy', 'FallbackToLogsOnError', default='File', null=True),
        Slot(at + '.terminationMessagePath', '/x', default='/dev/termination-log'),
        Slot(at + '.securityContext', {'runAsNonRoot': True}, {'seccompProfile': {'type': 'RuntimeDefault'}},
             {'seccompProfile': {'type': 'Localhost', 'localhostProfile': 'p'}}, {'privileged': False, 'runAsUser': 1}, {}, kind=UNION),
        Slot(at + '.tty', True, default=False),
        Slot(at + '.volumeMounts', [{'name': 'tmp', 'mountPath': '/tmp'}, {'name': 'tmp', 'mountPath': '/tmp', 'readOnly': True}],
             [{'name': 'tmp', 'mountPath': '/var/tmp', 'subPath': 'x'}], kind=ITEMS)]


def pod_slots(at, long_lived=True):
    """Of a Pod's spec; `at` is its path."""
    web = at + '.containers[name=web]'
    restart = [Slot(at + '.restartPolicy', default='Always')] if long_lived else [Slot(at + '.restartPolicy', 'Never', 'OnFailure', required=True)]
    return [
        Slot(at + '.containers', [{'name': 'web', 'image': 'web:1'}], *SIDE, kind=ITEMS, required=True),
        Slot(at + '.volumes', *VOLUMES, kind=ITEMS, required=True),
        *container_slots(web), *restart,
        Slot(at + '.initContainers', *FIRST, kind=ITEMS),
        Slot(at + '.terminationGracePeriodSeconds', 5, 0, default=30, null=True),
        Slot(at + '.dnsPolicy', 'Default', 'ClusterFirstWithHostNet', default='ClusterFirst', null=True),
        Slot(at + '.nodeSelector', {'disk': 'ssd'}, {'disk': 'hdd', 'zone': 'a'}, {}),
        Slot(at + '.tolerations', *TOLERATIONS), Slot(at + '.affinity', AFFINITY, {}),
        Slot(at + '.hostPID', True, default=False),
        Slot(at + '.hostNetwork', True, default=False),
        Slot(at + '.imagePullSecrets', *[[{'name': n}] for n in 'abc'], kind=ITEMS),
        Slot(at + '.hostAliases', *[[{'ip': ip, 'hostnames': [h]} for h in 'ab'] for ip in ('10.9.9.1', '10.9.9.2')], kind=ITEMS),
        Slot(at + '.topologySpreadConstraints', *SPREAD, kind=ITEMS),
        Slot(at + '.serviceAccountName', 'robot', 'other'),
        Slot(at + '.securityContext', {'fsGroup': 3}, {'runAsUser': 1, 'seccompProfile': {'type': 'Unconfined'}}, default={}),
        Slot(at + '.schedulerName', 'mine', default='default-scheduler', null=True),
        Slot(at + '.enableServiceLinks', False, True),
        Slot(at + '.automountServiceAccountToken', False, True)]


def volume_by_name(at):
    """A volume without a source: the server makes it an emptyDir."""
    def add(manifest):
        at_path(manifest, at).setdefault('volumes', []).append({'name': 'bare'})
    return add


def annotate(at, key, value='[]'):
    return lambda manifest: put(manifest, "%s['%s']" % (at, key), value)


def template_extras(at):
    """`at` is the path of the Pod template."""
    return {'volume-without-source': volume_by_name(at + '.spec'),
            'legacy-annotation': annotate(at + '.metadata.annotations', 'pod.beta.kubernetes.io/init-containers'),
            'template-creationTimestamp': lambda manifest: put(manifest, at + '.metadata.creationTimestamp', None)}


ROLLING = [{'type': 'RollingUpdate', 'rollingUpdate': {'maxSurge': 2}}, {'type': 'RollingUpdate', 'rollingUpdate': {'maxUnavailable': '10%'}},
           {'type': 'RollingUpdate'},
           {'rollingUpdate': {'maxSurge': 3, 'maxUnavailable': 0}}]
STRATEGIES = [{'type': 'Recreate'}, *ROLLING]
ROLLED = {'type': 'RollingUpdate', 'rollingUpdate': {'maxSurge': '25%', 'maxUnavailable': '25%'}}


def updates(partition, whole):
    return [{'type': 'OnDelete'}, {'type': 'RollingUpdate'}, {'rollingUpdate': partition}, {'type': 'RollingUpdate', 'rollingUpdate': whole}]


COUNTS = {'replicas': 3, 'readyReplicas': 2, 'observedGeneration': 1}
OTHER_SELECTOR = {'matchLabels': {'a': 'b', 'c': 'd'}}


def selector():
    """Its other value fits the template as well."""
    return Slot('spec.selector', {'matchLabels': {'a': 'b'}}, OTHER_SELECTOR, kind=FIXED, required=True)


def with_labels(base, at='spec.template.metadata'):
    put(base, at + '.labels', {'a': 'b', 'c': 'd'})
    return base


def workloads():
    at = 'spec.template'
    pods, extras = pod_slots(at + '.spec'), template_extras(at)
    made = lambda name, **spec: with_labels(workload(name, template(), **spec))
    replicas = Slot('spec.replicas', 3, 5, 0, default=1, null=True)
    history, ready = Slot('spec.revisionHistoryLimit', 3, 0, default=10, null=True), Slot('spec.minReadySeconds', 5, default=0)
    annotation = Slot(at + ".metadata.annotations['example.com/rev']", '1', '2')
    yield kind(made('Deployment'), selector(), replicas, history, ready, annotation,
               Slot('spec.strategy', *STRATEGIES, kind=UNION, default=ROLLED, null=True),
               Slot('spec.progressDeadlineSeconds', 60, default=600, null=True), Slot('spec.paused', True, default=False), *pods, weight=3,
               status=COUNTS, extras=extras)
    yield kind(made('StatefulSet'), selector(), replicas, history, ready, annotation,
               Slot('spec.updateStrategy', *updates({'partition': 2}, {'partition': 0}), kind=UNION,
                    default={'type': 'RollingUpdate', 'rollingUpdate': {'partition': 0}}),
               Slot('spec.serviceName', 'web', 'other', kind=FIXED, required=True),
               Slot('spec.podManagementPolicy', 'Parallel', 'OrderedReady', kind=FIXED),
               Slot('spec.persistentVolumeClaimRetentionPolicy', {'whenDeleted': 'Delete'}, {'whenScaled': 'Delete', 'whenDeleted': 'Retain'},
                    default={'whenDeleted': 'Retain', 'whenScaled': 'Retain'}), *pods, weight=1.5, status=COUNTS, extras=extras)
    yield kind(made('DaemonSet'), selector(), history, ready, annotation,
               Slot('spec.updateStrategy', *updates({'maxUnavailable': 2}, {'maxUnavailable': 1, 'maxSurge': 0}), kind=UNION,
                    default={'type': 'RollingUpdate', 'rollingUpdate': {'maxSurge': 0, 'maxUnavailable': 1}}), *pods, weight=1.5,
               status={'currentNumberScheduled': 1, 'numberMisscheduled': 0, 'desiredNumberScheduled': 1, 'numberReady': 0}, extras=extras)
    yield kind(made('ReplicaSet'), selector(), replicas, ready, *pods, status={'replicas': 1}, extras=extras)
    yield kind(made('ReplicationController'), Slot('spec.selector', {'a': 'b'}, {'a': 'b', 'c': 'd'}), replicas, ready, *pods, status={'replicas': 1},
               extras=extras)
    yield kind(with_labels(workload('PodTemplate', template()), 'template.metadata'), *pod_slots('template.spec'), extras=template_extras('template'))


def jobs():
    job = of('batch/v1', 'Job', spec={'suspend': True, 'template': template(restartPolicy='Never')})
    inside = 'spec.jobTemplate.spec.template'
    yield kind(job, Slot('spec.parallelism', 2, 4, default=1, null=True), Slot('spec.suspend', True, default=False, null=True),
               Slot('spec.backoffLimit', 3, default=6, null=True), Slot('spec.activeDeadlineSeconds', 60, 90),
               Slot('spec.ttlSecondsAfterFinished', 100, 0), Slot('spec.completions', 2, 5, kind=FIXED),
               Slot('spec.podReplacementPolicy', 'Failed', default='TerminatingOrFailed'),
               Slot('spec.template.spec.containers[name=web].image', 'web:1', 'web:2', kind=FIXED, required=True), status={'active': 1},
               extras={'template-creationTimestamp': template_extras('spec.template')['template-creationTimestamp']})
    cron = of('batch/v1', 'CronJob', spec={'schedule': '* * * * *', 'jobTemplate': {'spec': {'template': template(restartPolicy='Never')}}})
    yield kind(cron, Slot('spec.schedule', '1 * * * *', '*/5 * * * *', required=True), Slot('spec.suspend', True, default=False, null=True),
               Slot('spec.concurrencyPolicy', 'Forbid', 'Replace', default='Allow', null=True),
               Slot('spec.successfulJobsHistoryLimit', 0, 5, default=3, null=True), Slot('spec.failedJobsHistoryLimit', 4, default=1),
               Slot('spec.timeZone', 'Etc/UTC'), Slot('spec.startingDeadlineSeconds', 200), Slot('spec.jobTemplate.spec.backoffLimit', 2, 0),
               Slot('spec.jobTemplate.metadata.labels.x', 'y', 'z'), *pod_slots(inside + '.spec', False), weight=1.5,
               status={'lastScheduleTime': '2026-01-01T00:00:00Z'}, extras=template_extras(inside))


def pods():
    base = of('v1', 'Pod', spec=template()['spec'])
    yield kind(base, Slot('spec.containers[name=web].image', 'web:1', 'web:2', 'web', required=True), Slot('spec.activeDeadlineSeconds', 100, 90),
               Slot('spec.containers[name=web].env', [{'name': 'A', 'value': '1'}], [{'name': 'A', 'value': '2'}], kind=FIXED),
               Slot('spec.nodeSelector', {'disk': 'ssd'}, {'disk': 'hdd'}, kind=FIXED), Slot('spec.tolerations', TOLERATIONS[0]),
               status={'phase': 'Running', 'podIP': '10.1.1.1'},
               extras={'legacy-annotation': annotate('metadata.annotations', 'pod.beta.kubernetes.io/init-containers')})


# --- Services and other network

def service_ports():
    return [[{'port': 80, 'name': 'http'}, {'port': 80, 'name': 'http', 'targetPort': 8080},
             {'port': 80, 'name': 'http', 'targetPort': 'web', 'protocol': 'TCP'}],
            [{'port': 53, 'name': 'dns', 'protocol': 'UDP'}, {'port': 53, 'name': 'dns', 'protocol': 'UDP', 'targetPort': 54}],
            [{'port': 53, 'name': 'dns-tcp'}, {'port': 53, 'name': 'dns-tcp', 'protocol': 'TCP', 'appProtocol': 'dns'}],
            [{'port': 443, 'name': 'https', 'nodePort': 0}, {'port': 444, 'name': 'https'}]]


def target_zero(manifest):
    for port in manifest['spec'].get('ports', []):
        port['targetPort'] = 0


def services():
    base = service({'port': 80, 'name': 'http'})
    base['spec']['selector'] = {'a': 'b'}
    common = [Slot('spec.ports', *service_ports(), kind=ITEMS, required=True), Slot('spec.selector.tier', 'front', 'back')]
    types = [Slot('spec.sessionAffinity', 'ClientIP', default='None', null=True), Slot('spec.publishNotReadyAddresses', True, default=False),
             Slot('spec.externalIPs', ['10.9.0.1'], ['10.9.0.1', '10.9.0.2']), Slot('spec.internalTrafficPolicy', 'Local', default='Cluster',
                 null=True)]
    switch = Slot('spec.type', 'NodePort', 'LoadBalancer', 'ClusterIP', kind=UNION, default='ClusterIP', null=True)
    yield kind(base, *common, *types, switch, weight=3, status={'loadBalancer': {'ingress': [{'ip': '10.1.1.1'}]}},
               extras={'targetPort-0': target_zero})
    names = {**base, 'spec': {'externalName': 'x.example.com', 'ports': [{'port': 80, 'name': 'http'}]}}
    yield kind(names, *common, Slot('spec.type', 'ExternalName', 'ClusterIP', 'NodePort', kind=UNION, required=True), status={'loadBalancer': {}})
    headless = {**base, 'spec': {'clusterIP': 'None', 'selector': {'a': 'b'}, 'ports': [{'port': 80, 'name': 'http'}]}}
    yield kind(headless, *common, types[0], types[1])
    balanced = {**base, 'spec': {'type': 'LoadBalancer', 'selector': {'a': 'b'}, 'ports': [{'port': 80, 'name': 'http'}]}}
    yield kind(balanced, *common, Slot('spec.externalTrafficPolicy', 'Local', default='Cluster', null=True),
               Slot('spec.allocateLoadBalancerNodePorts', False, default=True, null=True),
               Slot('spec.loadBalancerSourceRanges', ['10.0.0.0/8'], ['10.0.0.0/8', '192.168.0.0/16']),
               Slot('spec.sessionAffinityConfig', {'clientIP': {'timeoutSeconds': 60}}, {'clientIP': {'timeoutSeconds': 10800}}),
               Slot('spec.sessionAffinity', 'ClientIP', required=True), weight=0.7)


def network():
    backend = lambda n: {'service': {'name': n, 'port': {'number': 80}}}
    rule = lambda host, *names: {'host': host, 'http': {'paths': [{'path': '/' + n, 'pathType': 'Prefix', 'backend': backend(n)} for n in names]}}
    yield kind(of('networking.k8s.io/v1', 'Ingress', spec={'defaultBackend': backend('x')}),
               Slot('spec.defaultBackend', backend('a'), {'service': {'name': 'a', 'port': {'name': 'http'}}},
                    {'resource': {'kind': 'K', 'name': 'x'}}, kind=UNION, required=True),
               Slot('spec.rules', [rule('a.example.com', 'a')], [rule('b.example.com', 'a', 'b'), rule('a.example.com', 'a')],
                    [rule('a.example.com', 'b', 'a')]),
               Slot('spec.tls', [{'hosts': ['a.example.com']}], [{'hosts': ['a.example.com'], 'secretName': 't'}]),
               Slot('spec.ingressClassName', 'nginx', 'other'), status={'loadBalancer': {'ingress': [{'ip': '10.1.1.1'}]}})
    peer = [{'podSelector': {}}, {'ipBlock': {'cidr': '10.0.0.0/8'}}, {'namespaceSelector': SELECTOR, 'podSelector': SELECTOR}]
    rules = [[{'from': [one], 'ports': [{'port': 80}]}] for one in peer] + [[{}], [{'ports': [{'port': 'http', 'protocol': 'TCP'},
        {'port': 53, 'protocol': 'UDP'}]}]]
    yield kind(of('networking.k8s.io/v1', 'NetworkPolicy', spec={'podSelector': {}}), Slot('spec.ingress', *rules, kind=UNION),
               Slot('spec.egress', [{'to': peer[1:2]}], [{'to': peer[:1], 'ports': [{'port': 53, 'protocol': 'UDP'}]}], []),
               Slot('spec.podSelector', SELECTOR, {}, required=True), Slot('spec.policyTypes', ['Ingress'], ['Ingress', 'Egress']))
    yield kind(of('networking.k8s.io/v1', 'IngressClass'), Slot('spec.controller', 'example.com/a', 'example.com/b', kind=FIXED, required=True),
               Slot('spec.parameters', {'kind': 'P', 'name': 'p'}, {'kind': 'P', 'name': 'q', 'scope': 'Cluster'},
                    {'kind': 'P', 'name': 'p', 'scope': 'Namespace', 'namespace': 'default'}))
    yield kind(of('v1', 'Endpoints'),
               Slot('subsets', [{'addresses': [{'ip': '10.1.1.1'}], 'ports': [{'port': 80}]}],
                    [{'addresses': [{'ip': '10.1.1.1'}, {'ip': '10.1.1.2'}], 'ports': [{'port': 80, 'name': 'http', 'protocol': 'TCP'}]}]))
    yield kind(of('discovery.k8s.io/v1', 'EndpointSlice', endpoints=[]), Slot('addressType', 'IPv4', kind=FIXED, required=True),
               Slot('ports', [{'port': 80}], [{'port': 80, 'name': 'http', 'protocol': 'TCP'}, {'port': 53, 'name': 'dns', 'protocol': 'UDP'}]),
               Slot('endpoints', [{'addresses': ['10.1.1.1']}],
                    [{'addresses': ['10.1.1.1'], 'conditions': {'ready': True}}, {'addresses': ['10.1.1.2'], 'nodeName': 'n'}], required=True))


# --- Configuration, storage, rules

def secret_namespace(manifest):
    manifest['secrets'] = [{'name': 's', 'namespace': 'default'}]


def configuration():
    yield kind(of('v1', 'ConfigMap', data={}), Slot('data.a', '1', '2', ''), Slot('data.b', 'x\ny\n', 'x\nz\n'), Slot("data['c.txt']", '1'),
               Slot('binaryData.bin', text64('1'), text64('2')), Slot('immutable', default=False), finalizers=True, weight=1.5)
    frozen = of('v1', 'ConfigMap', immutable=True)
    yield kind(frozen, Slot('data.a', '1', '2', kind=FIXED, required=True), Slot('data.b', '1', kind=FIXED), weight=0.4)
    yield kind(of('v1', 'Secret', data={}), Slot('data.a', text64('1'), text64('2')), Slot('data.b', text64('x\n')), Slot('stringData.c', '3', '4'),
               Slot('stringData.a', '5', '6'), Slot('type', 'Opaque', 'example.com/t', kind=FIXED), weight=1.5)
    yield kind(of('v1', 'ServiceAccount'), Slot('secrets', *[[{'name': n}] for n in 'abc'], kind=ITEMS),
               Slot('imagePullSecrets', *[[{'name': n}] for n in 'ab'], kind=ITEMS), Slot('automountServiceAccountToken', True, False),
               extras={'secrets-namespace': secret_namespace})
    yield kind(of('v1', 'Namespace', spec={}), weight=0.25, extras={'spec-finalizers': lambda m: put(m, 'spec.finalizers', [])})
    yield kind(of('v1', 'ResourceQuota', spec={'hard': {}}), Slot('spec.hard.cpu', '1', '1000m', 0.5), Slot('spec.hard.pods', 3, '5'),
               Slot('spec.hard.memory', '1Gi', '1024Mi'), Slot('spec.scopes', ['Terminating'], ['NotTerminating'], kind=FIXED),
               status={'hard': {'cpu': '1'}}, apart=True)
    limits = [{'type': 'Container', 'max': {'cpu': '2'}}, {'type': 'Container', 'default': {'cpu': '500m'}},
              {'type': 'Pod', 'max': {'memory': '1Gi'}}]
    yield kind(of('v1', 'LimitRange'), Slot('spec.limits', limits[:1], limits[1:2], limits[1:], [limits[2], limits[0]], required=True), apart=True)
    yield kind(of('coordination.k8s.io/v1', 'Lease', spec={}), Slot('spec.holderIdentity', 'a', 'b'), Slot('spec.leaseDurationSeconds', 15, 30),
               Slot('spec.renewTime', '2026-01-01T00:00:00.000000Z'))
    yield kind(of('node.k8s.io/v1', 'RuntimeClass'), Slot('handler', 'runc', 'kata', kind=FIXED, required=True),
               Slot('scheduling', {'nodeSelector': {'a': 'b'}}, {'nodeSelector': {'a': 'c'}}))
    yield kind(of('scheduling.k8s.io/v1', 'PriorityClass', value=5), Slot('description', 'x', 'y', ''), Slot('globalDefault', default=False),
               Slot('value', 5, 6, kind=FIXED, required=True), Slot('preemptionPolicy', 'Never', 'PreemptLowerPriority', kind=FIXED))
    yield kind(of('v1', 'Node', spec={}), Slot('spec.unschedulable', True, default=False),
               Slot('spec.taints', [{'key': 'a', 'effect': 'NoSchedule'}], [{'key': 'b', 'effect': 'NoExecute', 'value': 'x'}]), weight=0.4,
               status={'capacity': {'cpu': '4'}})


def storage():
    yield kind(of('v1', 'PersistentVolume', spec={'capacity': {'storage': '1Gi'}, 'accessModes': ['ReadWriteOnce'], 'hostPath': {'path': '/x'}}),
               Slot('spec.capacity.storage', '1Gi', '1024Mi', '2Gi', required=True),
               Slot('spec.persistentVolumeReclaimPolicy', 'Delete', 'Recycle', default='Retain', null=True),
               Slot('spec.mountOptions', ['ro'], ['ro', 'x']), Slot('spec.hostPath.path', '/x', '/y', kind=FIXED, required=True),
               Slot('spec.storageClassName', 'a'), Slot('spec.volumeMode', 'Filesystem', 'Block', kind=FIXED))
    yield kind(of('v1', 'PersistentVolumeClaim', spec={'accessModes': ['ReadWriteOnce'], 'resources': {'requests': {'storage': '1Gi'}}}),
               Slot('spec.storageClassName', 'a', 'b', kind=FIXED, required=True), Slot('spec.volumeMode', 'Filesystem', 'Block', kind=FIXED),
               finalizers=True, weight=0.7, status={'phase': 'Pending'})
    yield kind(of(STORAGE, 'StorageClass', provisioner='example.com/x'), Slot('reclaimPolicy', 'Retain', 'Delete', kind=FIXED),
               Slot('allowVolumeExpansion', True, False), Slot('volumeBindingMode', 'WaitForFirstConsumer', kind=FIXED),
               Slot('mountOptions', ['ro'], ['rw'], kind=FIXED), Slot('parameters.type', 'fast', 'slow', kind=FIXED))
    yield kind(of(STORAGE, 'CSIDriver', spec={}), Slot('spec.podInfoOnMount', True, default=False),
               Slot('spec.fsGroupPolicy', 'File', 'None', default='ReadWriteOnceWithFSType', null=True),
               Slot('spec.requiresRepublish', True, default=False), Slot('spec.seLinuxMount', True, default=False),
               Slot('spec.storageCapacity', True, default=False), Slot('spec.attachRequired', False, True, kind=FIXED),
               Slot('spec.tokenRequests', [{'audience': 'a'}], [{'audience': 'a', 'expirationSeconds': 700}]))
    yield kind(of(STORAGE, 'VolumeAttributesClass'), Slot('driverName', 'a.example.com', 'b.example.com', kind=FIXED, required=True),
               Slot('parameters', {'a': '1'}, {'a': '2'}, kind=FIXED, required=True), weight=0.5)


def access():
    rules = lambda *names, **more: [{'apiGroups': [''], 'resources': [n], 'verbs': ['get'], **more} for n in names]
    role = Slot('rules', rules('pods'), rules('pods', 'secrets'), rules('nodes', resourceNames=['n']), [])
    yield kind(of(RBAC + '/v1', 'Role'), role)
    plain = Slot('rules', *role.values)
    yield kind(of(RBAC + '/v1', 'ClusterRole'), plain,
               Slot('aggregationRule', {'clusterRoleSelectors': [SELECTOR]}, {'clusterRoleSelectors': [OTHER_SELECTOR]}))
    subjects = lambda *names: [{'kind': 'User', 'name': n} for n in names]
    for name in ('RoleBinding', 'ClusterRoleBinding'):
        yield kind(of(RBAC + '/v1', name),
                   Slot('roleRef', {'kind': 'ClusterRole', 'name': 'view', 'apiGroup': RBAC},
                        {'kind': 'ClusterRole', 'name': 'edit', 'apiGroup': RBAC}, kind=FIXED, required=True),
                   Slot('subjects', subjects('u'), subjects('v', 'u'), [{'kind': 'Group', 'name': 'g', 'apiGroup': RBAC}],
                        [{'kind': 'ServiceAccount', 'name': 's', 'namespace': 'default'}]))


def policies():
    yield kind(of('policy/v1', 'PodDisruptionBudget', spec={}), Slot('spec.selector', SELECTOR, OTHER_SELECTOR, required=True),
               Slot('spec.minAvailable', 1, '50%'), Slot('spec.unhealthyPodEvictionPolicy', 'AlwaysAllow', 'IfHealthyBudget'),
               status={'currentHealthy': 1, 'desiredHealthy': 1, 'disruptionsAllowed': 0, 'expectedPods': 1})
    cpu = {'type': 'Resource', 'resource': {'name': 'cpu', 'target': {'type': 'Utilization', 'averageUtilization': 50}}}
    eighty = {'type': 'Resource', 'resource': {'name': 'cpu', 'target': {'type': 'Utilization', 'averageUtilization': 80}}}
    memory = {'type': 'Resource', 'resource': {'name': 'memory', 'target': {'type': 'AverageValue', 'averageValue': '1024Mi'}}}
    yield kind(autoscaler(), Slot('spec.minReplicas', 2, default=1, null=True), Slot('spec.maxReplicas', 5, 7, required=True),
               Slot('spec.metrics', [cpu], [memory, cpu], [memory], default=[eighty], null=True),
               Slot('spec.behavior', {'scaleDown': {'stabilizationWindowSeconds': 0}}, {'scaleUp': {'selectPolicy': 'Min'}},
                    {'scaleDown': {'policies': [{'type': 'Pods', 'value': 1, 'periodSeconds': 60}]}}, kind=UNION),
               Slot('spec.scaleTargetRef.name', 'web', 'api', required=True), weight=1.5, status={'currentReplicas': 1, 'desiredReplicas': 2},
               extras={'legacy-annotation': annotate('metadata.annotations', 'autoscaling.alpha.kubernetes.io/conditions')})
    client = [{'url': 'https://x.example.com'}, {'service': {'name': 'x', 'namespace': 'y'}},
              {'service': {'name': 'x', 'namespace': 'y', 'port': 443, 'path': '/'}}]
    for name, more in (('ValidatingWebhookConfiguration', []), ('MutatingWebhookConfiguration',
        [Slot('webhooks[name=a.example.com].reinvocationPolicy', 'IfNeeded', default='Never', null=True)])):
        one = 'webhooks[name=a.example.com]'
        extra = [hook(name='b.example.com'), hook(name='b.example.com', timeoutSeconds=3, rules=[{**RULE, 'scope': 'Namespaced'}])]
        yield kind(admission(name, webhooks=[hook()]), Slot('webhooks', [hook()], extra, kind=ITEMS, required=True),
                   Slot(one + '.clientConfig', *client, kind=UNION, required=True), Slot(one + '.failurePolicy', 'Ignore', default='Fail', null=True),
                   Slot(one + '.timeoutSeconds', 5, default=10, null=True), Slot(one + '.matchPolicy', 'Exact', default='Equivalent'),
                   Slot(one + '.namespaceSelector', SELECTOR, default={}, null=True),
                   Slot(one + '.rules', [RULE], [RULE, {**RULE, 'operations': ['UPDATE'], 'scope': '*'}]), *more)
    constraints = {'resourceRules': [RULE]}
    check = [{'expression': 'true'}, {'expression': 'true', 'message': 'm'}, {'expression': '1 == 1', 'reason': 'Invalid'}]
    yield kind(admission('ValidatingAdmissionPolicy', spec={'matchConstraints': constraints}),
               Slot('spec.validations', check[:1], check[1:], [check[2], check[0]], required=True),
               Slot('spec.failurePolicy', 'Ignore', default='Fail', null=True),
               Slot('spec.matchConstraints', constraints, {**constraints, 'matchPolicy': 'Exact'}, {**constraints, 'namespaceSelector': SELECTOR},
                    required=True),
               Slot('spec.variables', *[[{'name': n, 'expression': '1'}, {'name': n, 'expression': '2'}] for n in 'ab'], kind=ITEMS),
               Slot('spec.matchConditions', *[[{'name': n, 'expression': 'true'}, {'name': n, 'expression': 'false'}] for n in 'cd'], kind=ITEMS))
    yield kind(admission('ValidatingAdmissionPolicyBinding', spec={'policyName': 'x'}),
               Slot('spec.validationActions', ['Deny'], ['Audit', 'Warn'], ['Warn'], required=True),
               Slot('spec.matchResources', {'resourceRules': [RULE]}, {'namespaceSelector': SELECTOR}, {'matchPolicy': 'Exact'}),
               Slot('spec.policyName', 'x', 'y', required=True))
    rule = {'subjects': [{'kind': 'User', 'user': {'name': 'nobody'}}], 'nonResourceRules': [{'verbs': ['get'], 'nonResourceURLs': ['/x']}]}
    group = {**rule, 'subjects': [{'kind': 'Group', 'group': {'name': 'nobodies'}}]}
    yield kind(of('flowcontrol.apiserver.k8s.io/v1', 'FlowSchema', spec={'priorityLevelConfiguration': {'name': 'global-default'}}),
               Slot('spec.rules', [rule], [group], [group, rule]), Slot('spec.matchingPrecedence', 900, 800, default=1000, null=True),
               Slot('spec.distinguisherMethod', {'type': 'ByUser'}, {'type': 'ByNamespace'}), weight=0.5)
    queue = lambda **how: {'type': 'Queue', **({'queuing': how} if how else {})}
    yield kind(of('flowcontrol.apiserver.k8s.io/v1', 'PriorityLevelConfiguration', spec={'type': 'Limited', 'limited': {}}),
               Slot('spec.limited.limitResponse', {'type': 'Reject'}, queue(queues=32), queue(handSize=4, queues=16), kind=UNION, required=True),
               Slot('spec.limited.lendablePercent', 5, default=0), Slot('spec.limited.nominalConcurrencyShares', 3, default=30, null=True),
               weight=0.3)


# --- Custom resources

GATE = map_of(spec={**map_of(
    mode={**TEXT, 'enum': ['fast', 'slow'], 'default': 'fast'}, size={'type': 'integer', 'default': 3, 'minimum': 0}, host=TEXT, address=TEXT,
    className={**TEXT, 'x-kubernetes-validations': [{'rule': 'self == oldSelf', 'message': 'className is immutable'}]},
    selector={**map_of(matchLabels={'type': 'object', 'additionalProperties': TEXT}), 'x-kubernetes-map-type': 'atomic'},
    retry={**map_of(limit={'type': 'integer', 'default': 1}, backoff={**map_of(factor={'type': 'integer', 'default': 2}), 'default': {}}),
           'default': {}},
    listeners=list_of(map_of(name=TEXT, port=NUMBER, protocol={**TEXT, 'default': 'HTTP'}, routes=list_of(map_of(path=TEXT,
        weight={'type': 'integer', 'default': 1}))), 'map', 'name')),
    'oneOf': [{'required': ['host']}, {'required': ['address']}, {'not': {'anyOf': [{'required': ['host']}, {'required': ['address']}]}}]})
PLAIN = map_of(spec=map_of(replicas={'type': 'integer', 'default': 1}, paused={'type': 'boolean', 'default': False}, image=TEXT,
                           items=list_of(map_of(name=TEXT, value=TEXT, kind={**TEXT, 'default': 'x'})),
                           quota={'x-kubernetes-int-or-string': True, 'pattern': '^[0-9]+m?$'},
                           limits={'type': 'object', 'additionalProperties': {'x-kubernetes-int-or-string': True}},
                           parts=list_of(map_of(id=NUMBER, note={**TEXT, 'default': ''}))),
               status=map_of(phase=TEXT, replicas=NUMBER, conditions=list_of(map_of(type=TEXT, status=TEXT), 'map', 'type')))
STATUS = {'subresources': {'status': {}, 'scale': {'specReplicasPath': '.spec.replicas', 'statusReplicasPath': '.status.replicas'}}}
STACK = map_of(spec=map_of(
    template={'type': 'object', 'properties': {'metadata': {'type': 'object', 'properties': {'name': TEXT,
        'labels': {'type': 'object', 'additionalProperties': TEXT}, 'finalizers': list_of(TEXT)}},
                                               'spec': ANYTHING}},
    embedded={'type': 'object', 'x-kubernetes-embedded-resource': True, 'x-kubernetes-preserve-unknown-fields': True}, tags=list_of(TEXT, 'set'),
    order=list_of(TEXT)), status=ANYTHING)
FREE = {**ANYTHING}


def pool(*names, **fields):
    return [[{'name': n}, *[{'name': n, **{k: v}} for k, v in fields.items()]] for n in names]


def custom_resources_of(group):
    """The CRDs and the kinds of the five of them."""
    cluster = {'scope': 'Cluster'}
    crds = [definition(group, 'Thing', map_of(spec=custom_resources.SPEC)), definition(group, 'Gate', GATE, version={'subresources': {'status': {}}}),
            definition(group, 'Plain', PLAIN, version=STATUS),
            definition(group, 'Stack', STACK, version={'subresources': {'status': {}}}, **cluster), definition(group, 'Free', FREE)]
    values = custom_resources.VALUES
    thing = kind(custom(group, 'Thing'), Slot('spec.rules', *[[{'host': h, 'to': 'x'}, {'host': h, 'to': 'y', 'weight': 3}] for h in 'abc'],
        kind=ITEMS),
                 Slot('spec.ports', [{'port': 53}, {'port': 53, 'protocol': 'TCP', 'name': 'x'}], [{'port': 53, 'protocol': 'UDP'}],
                      [{'port': 80, 'name': 'h'}], kind=ITEMS),
                 Slot('spec.tags', ['a'], ['b'], ['c'], kind=ITEMS), Slot('spec.steps', [{'run': 'a'}],
                     [{'run': 'b', 'shell': 'zsh'}, {'run': 'a', 'retry': {}}], [{'run': 'a', 'note': None}], []),
                 Slot('spec.timeout', '5s', '6s', null=True), Slot('spec.fallback', 'y', default='x', null=True),
                 Slot('spec.mode', 'slow', default='fast', null=True),
                 Slot('spec.size', 1, '1', '50%'), Slot('spec.settings.a', '1', '2', null=True), Slot('spec.settings.b', '1'),
                 Slot('spec.free', {'x': 1}, {'x': 2, 'y': {'z': []}}, {'y': {}}),
                 Slot('spec.nested.rules', [{'host': 'a', 'ports': [{'port': 1}]}, {'host': 'a', 'ports': [{'port': 2, 'name': 'x'}, {'port': 1}]}],
                      [{'host': 'b'}], kind=ITEMS),
                 *[Slot('spec.' + n, *values[n], kind=UNION) for n in ('exactlyOne', 'oneOrNone', 'pair', 'notBoth', 'atMostOne')], weight=2)
    gate = kind(custom(group, 'Gate'), Slot('spec.mode', 'slow', default='fast', null=True), Slot('spec.size', 5, 0, default=3, null=True),
                Slot('spec.host', 'a', 'b'),
                Slot('spec.className', 'x', 'y', kind=FIXED), Slot('spec.selector', {'matchLabels': {'a': 'b'}},
                    {'matchLabels': {'a': 'c', 'd': 'e'}}, {}),
                Slot('spec.retry', {'limit': 2}, {'backoff': {'factor': 5}}, {}, default={'limit': 1, 'backoff': {'factor': 2}}),
                Slot('spec.listeners', *pool('a', 'b', 'c', port=1, protocol='TCP', routes=[{'path': '/'}, {'path': '/x', 'weight': 2}]), kind=ITEMS),
                weight=1.5, status={})
    plain = kind(custom(group, 'Plain'), Slot('spec.replicas', 2, 0, default=1), Slot('spec.paused', True, default=False),
                 Slot('spec.image', 'a', 'b', ''), Slot('spec.quota', 1, '1', '100m'),
                 Slot('spec.items', [{'name': 'a'}], [{'name': 'a', 'value': '1', 'kind': 'x'}, {'name': 'b'}], [{'name': 'b', 'kind': 'y'}], []),
                 Slot('spec.limits.cpu', 1, '1', '500m'),
                 Slot('spec.limits.memory', '1Gi', '1024Mi'), Slot('spec.parts', [{'id': 1}], [{'id': 2, 'note': 'x'}, {'id': 1}]), weight=1.5,
                 status={'phase': 'Ready', 'replicas': 1, 'conditions': [{'type': 'Ready', 'status': 'True'}]})
    inner = {'apiVersion': 'v1', 'kind': 'ConfigMap', 'metadata': {'name': 'x'}}
    stack = kind(custom(group, 'Stack'), Slot('spec.template.metadata', {'labels': {'a': 'b'}}, {'name': 'x', 'labels': {'a': 'c', 'd': 'e'}},
        {'finalizers': ['example.com/x']}),
                 Slot('spec.template.spec', {'a': 1}, {'a': 2, 'b': None}, {'list': [{'x': 1}, {'x': 2}]}),
                 Slot('spec.embedded', {**inner, 'data': {'a': '1'}}, {**inner, 'data': {'a': '2', 'b': ''}}),
                 Slot('spec.tags', ['a'], ['b'], ['c'], kind=ITEMS), Slot('spec.order', ['a', 'b'], ['b', 'a'], ['c']), weight=1.5, status={'x': 1})
    free = kind(custom(group, 'Free'), Slot('spec.a', 1, 1.5, '1', True, None), Slot('spec.b', {'c': {'d': []}}, {'c': {'e': {}}}),
                Slot('spec.list', [1, 2], [{'name': 'a'}, {'name': 'b'}], []),
                Slot('spec.zero', 0, False, '', {}), Slot('status.x', 1, 2), weight=1.2)
    return crds, [thing, gate, plain, stack, free]


def definitions():
    one = 'spec.names'
    yield kind(definition(kind='Random', schema=map_of(spec=map_of(a=TEXT))), Slot(one + '.shortNames', ['rd'], ['rd', 'rnd'], []),
               Slot(one + '.categories', ['all'], ['all', 'x']),
               Slot('spec.versions',
                    [{'name': 'v1', 'served': True, 'storage': True, 'schema': {'openAPIV3Schema': map_of(spec=map_of(a=TEXT, b=NUMBER))}}],
                    [{'name': 'v1', 'served': True, 'storage': True, 'schema': {'openAPIV3Schema': map_of(spec=map_of(a={**TEXT, 'default': 'x'}))},
                      'additionalPrinterColumns': [{'name': 'A', 'type': 'string', 'jsonPath': '.spec.a'}]}], required=True),
               Slot('spec.preserveUnknownFields', default=False), weight=0.3,
               extras={
                       'empty-status': lambda m: put(m, 'status', {'acceptedNames': {'kind': '', 'plural': ''}, 'conditions': [], 'storedVersions': []})})


def built_in():
    return [k for make in (workloads, jobs, pods, services, network, configuration, storage, access, policies, definitions) for k in make()]
