#!/usr/bin/env python3
"""What explain-diff foretells, the server does: it refuses each change of lib/schema/facts/fixed.txt in the words of that line, and
accepts the near miss, which is not foretold. The same for rules and stored versions of CRDs, for metadata that the manifest must not
state, and for missing namespaces."""
import json
import sys

import harness
from harness import NotApplicable, Space, facts, must, server
from harness.manifests import NUMBER, TEXT, config_map, custom, definition, list_of, map_of, merge, of, pod_spec, secret, service, template, volume, workload

OTHER = {'matchLabels': {'a': 'b', 'c': 'd'}}
RBAC, STORAGE = 'rbac.authorization.k8s.io', 'storage.k8s.io/v1'
LABELLED = {'metadata': {'labels': {'x': 'y'}}}
AFFINITY = {'nodeAffinity': {'requiredDuringSchedulingIgnoredDuringExecution': {'nodeSelectorTerms': [
    {'matchExpressions': [{'key': 'a', 'operator': 'Exists'}]}]}}}


def labelled(kind):
    return merge(workload(kind, template()), {'spec': {'template': {'metadata': {'labels': {'c': 'd'}}}}})


def job(image='web:1', **spec):
    return of('batch/v1', 'Job', 'web', spec={'template': {'spec': pod_spec({'image': image}, restartPolicy='Never')}, **spec})


def suspended(**pod):
    """A suspended Job; `pod` is of its Pods' spec."""
    return merge(job(suspend=True), {'spec': {'template': {'spec': pod}}})


def frozen(of_kind, **fields):
    return {**of_kind, 'immutable': True, **fields}


def binding(kind, role):
    return of(RBAC + '/v1', kind, roleRef={'kind': 'ClusterRole', 'name': role, 'apiGroup': RBAC}, subjects=[])


def claim(**spec):
    return of('v1', 'PersistentVolumeClaim', 'web', spec={
        'accessModes': ['ReadWriteOnce'], 'storageClassName': 'a', 'resources': {'requests': {'storage': '1Gi'}}, **spec})


def storage_class(**fields):
    return of(STORAGE, 'StorageClass', provisioner='example.com/x', **fields)


def attributes(driver='a.example.com', **parameters):
    return of(STORAGE, 'VolumeAttributesClass', driverName=driver, parameters=parameters or {'a': '1'})


def source(**fields):
    return volume(**fields)


URI = 'https://a.blob.core.windows.net/b/c.vhd'
# Sources of volumes: live's, another one, and what means the same as live's.
SOURCES = {
    'awsElasticBlockStore': ({'volumeID': 'a'}, {'volumeID': 'b'}, {'volumeID': 'a', 'partition': 0}),
    'azureDisk': ({'diskName': 'a', 'diskURI': URI}, {'diskName': 'b', 'diskURI': URI},
                  {'diskName': 'a', 'diskURI': URI, 'cachingMode': 'ReadWrite', 'fsType': 'ext4', 'readOnly': False, 'kind': 'Shared'}),
    'azureFile': ({'shareName': 'a', 'secretName': 's', 'secretNamespace': 'n'}, {'shareName': 'b', 'secretName': 's', 'secretNamespace': 'n'},
                  {'shareName': 'a', 'secretName': 's', 'secretNamespace': 'n', 'readOnly': False}),
    'cephfs': ({'monitors': ['a']}, {'monitors': ['b']}, {'monitors': ['a'], 'readOnly': False}),
    'cinder': ({'volumeID': 'a'}, {'volumeID': 'b'}, {'volumeID': 'a', 'fsType': ''}),
    'fc': ({'targetWWNs': ['a'], 'lun': 1}, {'targetWWNs': ['a'], 'lun': 2}, {'targetWWNs': ['a'], 'lun': 1, 'readOnly': False}),
    'flexVolume': ({'driver': 'a/b'}, {'driver': 'a/c'}, {'driver': 'a/b', 'options': {}}),
    'flocker': ({'datasetName': 'a'}, {'datasetName': 'b'}, {'datasetName': 'a'}),
    'gcePersistentDisk': ({'pdName': 'a'}, {'pdName': 'b'}, {'pdName': 'a', 'partition': 0}),
    'glusterfs': ({'endpoints': 'a', 'path': 'p'}, {'endpoints': 'b', 'path': 'p'}, {'endpoints': 'a', 'path': 'p', 'readOnly': False}),
    'iscsi': ({'targetPortal': '1.1.1.1', 'iqn': 'iqn.2015-02.example.com:test', 'lun': 0}, {'targetPortal': '1.1.1.1',
        'iqn': 'iqn.2015-02.example.com:test', 'lun': 1}, {'targetPortal': '1.1.1.1', 'iqn': 'iqn.2015-02.example.com:test', 'lun': 0,
                                                          'iscsiInterface': 'default'}),
    'photonPersistentDisk': ({'pdID': 'a'}, {'pdID': 'b'}, {'pdID': 'a', 'fsType': ''}),
    'portworxVolume': ({'volumeID': 'a'}, {'volumeID': 'b'}, {'volumeID': 'a', 'readOnly': False}),
    'quobyte': ({'registry': 'a:1', 'volume': 'v'}, {'registry': 'a:1', 'volume': 'w'}, {'registry': 'a:1', 'volume': 'v', 'readOnly': False}),
    'rbd': ({'monitors': ['a'], 'image': 'i'}, {'monitors': ['a'], 'image': 'j'}, {'monitors': ['a'], 'image': 'i', 'pool': 'rbd', 'user': 'admin',
                                                                                   'keyring': '/etc/ceph/keyring'}),
    'scaleIO': ({'gateway': 'g', 'system': 's', 'volumeName': 'v', 'secretRef': {'name': 's'}}, {'gateway': 'g', 'system': 's', 'volumeName': 'w',
        'secretRef': {'name': 's'}}, {'gateway': 'g', 'system': 's', 'volumeName': 'v', 'secretRef': {'name': 's'}, 'storageMode': 'ThinProvisioned',
                                      'fsType': 'xfs'}),
    'storageos': ({'volumeName': 'v', 'volumeNamespace': 'n'}, {'volumeName': 'w', 'volumeNamespace': 'n'},
                  {'volumeName': 'v', 'volumeNamespace': 'n', 'readOnly': False}),
    'vsphereVolume': ({'volumePath': 'a'}, {'volumePath': 'b'}, {'volumePath': 'a', 'fsType': ''}),
}
DRA = 'resource.k8s.io/v1'


def ip_address(service_name):
    return of('networking.k8s.io/v1', 'IPAddress', '10.0.0.77', {'labels': {'ipaddress.kubernetes.io/ip-family': 'IPv4', 'x': service_name}},
              spec={'parentRef': {'group': '', 'resource': 'services', 'namespace': 'default', 'name': service_name}})


def requests(name):
    return {'devices': {'requests': [{'name': name, 'exactly': {'deviceClassName': 'example.com'}}]}}


def slice_of(**spec):
    return of(DRA, 'ResourceSlice', spec={'driver': 'a.example.com', 'nodeName': 'n', 'pool': {'name': 'p', 'generation': 1, 'resourceSliceCount': 1},
                                          **spec})


def limited(cpu):
    return {'resources': {'limits': {'cpu': cpu}}}


def pod(container=None, **spec):
    return of('v1', 'Pod', 'web', spec=pod_spec(container, **spec))


def init(**fields):
    return [{'name': 'init', 'image': 'i:1', **fields}]


CAPACITY = of(STORAGE, 'CSIStorageCapacity', 'web', storageClassName='a', nodeTopology={'matchLabels': {'a': 'b'}})
ATTACHMENT = of(STORAGE, 'VolumeAttachment', spec={'attacher': 'a', 'nodeName': 'n', 'source': {'persistentVolumeName': 'p'}})
BALANCER = service({'port': 80}, type='LoadBalancer', loadBalancerClass='example.com/a')
LOCAL_BALANCER = service({'port': 80}, type='LoadBalancer', externalTrafficPolicy='Local', healthCheckNodePort=32006)
FAILURES = {'rules': [{'action': 'Ignore', 'onPodConditions': [{'type': 'DisruptionTarget'}]}]}
INDEXED = {'completionMode': 'Indexed', 'completions': 2}
CSI = {'driver': 'x.example.com', 'volumeHandle': 'a'}
LOCAL = {'nodeAffinity': {'required': {'nodeSelectorTerms': [{'matchExpressions': [{'key': 'a', 'operator': 'Exists'}]}]}}}
PRIORITY = of('scheduling.k8s.io/v1', 'PriorityClass', value=5)
QUOTA = of('v1', 'ResourceQuota', 'web', spec={'hard': {'pods': '5'}, 'scopes': ['Terminating', 'NotBestEffort']})
SLICE = of('discovery.k8s.io/v1', 'EndpointSlice', 'web', addressType='IPv4', endpoints=[])
DRIVER = of(STORAGE, 'CSIDriver', spec={'attachRequired': False})
CLASS = of('networking.k8s.io/v1', 'IngressClass', spec={'controller': 'example.com/a'})
REVISION = of('apps/v1', 'ControllerRevision', 'web', revision=1, data={'a': 1})
HOLDS_DATA = config_map(a='1')
IMMUTABLE = 'field is immutable when'

# By type, condition and path: a manifest, the change that is refused, and the near miss.
LINES = {
    **{'apps.v1.%s - spec.selector' % kind: (labelled(kind), merge(labelled(kind), {'spec': {'selector': OTHER}}),
                                            merge(labelled(kind), {'spec': {'minReadySeconds': 3}}))
       for kind in ('Deployment', 'DaemonSet', 'ReplicaSet')},
    'apps.v1.ControllerRevision - data': (REVISION, merge(REVISION, {'data': {'a': 2}}), merge(REVISION, {'revision': 2})),
    'apps.v1.StatefulSet - spec': (labelled('StatefulSet'), merge(labelled('StatefulSet'), {'spec': {'serviceName': 'other'}}),
                                   merge(labelled('StatefulSet'), {'spec': {
                                       'podManagementPolicy': 'OrderedReady', 'replicas': 3, 'updateStrategy': {'type': 'OnDelete'}}})),
    'batch.v1.Job spec.suspend!=true spec.template': (job(), job('web:2'), job(parallelism=2)),
    'batch.v1.Job - spec.template.spec': (suspended(), suspended(hostAliases=[{'ip': '10.1.1.1', 'hostnames': ['a']}]),
                                          suspended(nodeSelector={'a': 'b'})),
    'batch.v1.Job - spec.template.spec.containers[#]': (suspended(), suspended(containers=[{'name': n, 'image': 'web:1'} for n in ('web', 'b')]),
                                                        suspended(tolerations=[{'key': 'a', 'operator': 'Exists'}])),
    'batch.v1.Job - spec.template.spec.containers[*]': (suspended(), job('web:2', suspend=True), job(suspend=True, parallelism=2)),
    'batch.v1.Job - spec.template.spec.initContainers[#]': (suspended(), suspended(initContainers=init()), suspended(initContainers=[])),
    'batch.v1.Job - spec.template.spec.initContainers[*]': (
        suspended(initContainers=init()), suspended(initContainers=init(args=['a'])), suspended(initContainers=init(), affinity=AFFINITY)),
    'batch.v1.Job spec.completionMode!=Indexed spec.completions': (job(completions=2), job(completions=3), job(completions=2, suspend=True)),
    'batch.v1.Job - spec.backoffLimitPerIndex': (job(**INDEXED, backoffLimitPerIndex=1), job(**INDEXED, backoffLimitPerIndex=2),
                                                 job(**INDEXED, backoffLimitPerIndex=1, parallelism=2)),
    'batch.v1.Job - spec.managedBy': (job(), job(managedBy='example.com/x'), job(parallelism=2)),
    'batch.v1.Job - spec.podFailurePolicy': (job(podFailurePolicy=FAILURES), job(podFailurePolicy={'rules': [{**FAILURES['rules'][0],
        'action': 'Count'}]}), merge(job(podFailurePolicy={'rules': [{'action': 'Ignore', 'onPodConditions': [{'type': 'DisruptionTarget',
                                                                                                             'status': 'True'}]}]}), LABELLED)),
    'batch.v1.Job - spec.selector': (job(), job(selector={'matchLabels': {'a': 'b'}}), merge(job(), LABELLED)),
    'batch.v1.Job - spec.successPolicy': (job(**INDEXED), job(**INDEXED, successPolicy={'rules': [{'succeededCount': 1}]}),
                                          job(**INDEXED, parallelism=2)),
    'batch.v1.Job spec.completionMode==Indexed spec.completions': (job(**INDEXED), job(**INDEXED | {'completions': 3}), job(**INDEXED, suspend=True)),
    'batch.v1.Job - spec.completionMode': (job(completions=2), job(completions=2, completionMode='Indexed'),
                                           job(completions=2, completionMode='NonIndexed')),
    **{'core.v1.ConfigMap immutable=true ' + name: (frozen(config_map(a='1')), merge(frozen(config_map(a='1')), change),
                                                   merge(frozen(config_map(a='1')), LABELLED))
       for name, change in (('data', {'data': {'a': '2'}}), ('binaryData', {'binaryData': {'b': 'MQ=='}}), ('immutable', {'immutable': False}))},
    **{'core.v1.Secret immutable=true ' + name: (frozen(secret(data={'a': 'MQ=='})), merge(frozen(secret(data={'a': 'MQ=='})), change),
                                                merge(frozen(secret(stringData={'a': '1'})), LABELLED))
       for name, change in (('data', {'data': {'a': 'Mg=='}}), ('immutable', {'immutable': False}))},
    'core.v1.Secret - type': (secret(data={}), secret(data={}, type='example.com/t'), secret(data={'a': 'MQ=='}, type='Opaque')),
    'core.v1.PersistentVolumeClaim - spec': (claim(), claim(accessModes=['ReadOnlyMany']), claim(volumeName='x', volumeMode='Filesystem')),
    'core.v1.PersistentVolumeClaim status.phase=Pending spec.resources': (
        claim(), claim(resources={'requests': {'storage': '2Gi'}}), claim(resources={'requests': {'storage': '1024Mi'}})),
    'core.v1.PersistentVolumeClaim status.phase=Pending spec.volumeAttributesClassName': (
        claim(volumeAttributesClassName='a'), claim(volumeAttributesClassName='b'), merge(claim(volumeAttributesClassName='a'), LABELLED)),
    'core.v1.PersistentVolume - spec.hostPath': (source(hostPath={'path': '/x'}), source(hostPath={'path': '/y'}),
                                                 source(hostPath={'path': '/x', 'type': ''}, mountOptions=['ro'])),
    'core.v1.PersistentVolume - spec.nfs': (source(nfs={'server': 'a', 'path': '/x'}), source(nfs={'server': 'b', 'path': '/x'}),
                                            source(nfs={'server': 'a', 'path': '/x'}, capacity={'storage': '2Gi'})),
    'core.v1.PersistentVolume - spec.local': (source(local={'path': '/x'}, **LOCAL), source(local={'path': '/y'}, **LOCAL),
                                              source(local={'path': '/x'}, mountOptions=['ro'], **LOCAL)),
    'core.v1.PersistentVolume - spec.csi': (source(csi=CSI), source(csi={**CSI, 'fsType': 'ext4'}),
                                            source(csi={**CSI, 'controllerExpandSecretRef': {'name': 'a', 'namespace': 'b'}})),
    **{'core.v1.PersistentVolume - spec.' + name: tuple(volume(**{name: source}) for source in sources[:2]) +
       (volume(**{name: sources[2]}, mountOptions=['ro']),) for name, sources in SOURCES.items()},
    'core.v1.PersistentVolumeClaim spec.storageClassName=* spec.storageClassName': (
        claim(), claim(storageClassName='b'), merge(claim(), LABELLED)),
    'core.v1.PersistentVolumeClaim spec.volumeName=* spec.volumeName': (
        claim(volumeName='x'), claim(volumeName='y'), merge(claim(volumeName='x'), LABELLED)),
    'core.v1.Pod - spec.containers[#]': (pod(), pod(containers=[*pod()['spec']['containers'], {'name': 'b', 'image': 'b'}]), pod({'image': 'web:2'})),
    'core.v1.Pod - spec.initContainers[#]': (pod(), pod(initContainers=init()), pod(initContainers=[])),
    'core.v1.Pod - spec.containers[*]': (pod(limited('1')), pod(limited('2')), pod({**limited('1000m'), 'image': 'web:2',
                                                                                  'terminationMessagePath': '/dev/termination-log'})),
    'core.v1.Pod - spec.initContainers[*]': (pod(initContainers=init(args=['a'])), pod(initContainers=init(args=['b'])),
                                             pod(initContainers=init(args=['a'], image='i:2'))),
    'core.v1.Pod spec.schedulingGates!=* spec.affinity': (pod(), pod(affinity=AFFINITY), pod(affinity=None)),
    'core.v1.Pod spec.schedulingGates!=* spec.nodeSelector': (pod(nodeSelector={'a': 'b'}), pod(nodeSelector={'a': 'c'}),
                                                              merge(pod(nodeSelector={'a': 'b'}), LABELLED)),
    'core.v1.Pod - spec.nodeName': (pod(), pod(nodeName='other'), pod({'image': 'web:2'})),
    'core.v1.Pod - spec.serviceAccountName': (pod(), pod(serviceAccountName='other'), pod({'image': 'web:2'})),
    'core.v1.Pod - spec.terminationGracePeriodSeconds': (pod(), pod(terminationGracePeriodSeconds=5), pod(terminationGracePeriodSeconds=30)),
    'core.v1.Pod spec.priority==* spec.priority': (pod(priority=0), pod(priority=5), pod({'image': 'web:2'}, priority=0)),
    'core.v1.Pod spec.preemptionPolicy==* spec.preemptionPolicy': (
        pod(), pod(preemptionPolicy='Never'), pod({'image': 'web:2'}, preemptionPolicy='PreemptLowerPriority')),
    'core.v1.Pod - spec.runtimeClassName': (pod(), pod(runtimeClassName='other'), pod({'image': 'web:2'}, runtimeClassName=None)),
    'core.v1.Pod - spec': (pod(), pod(hostAliases=[{'ip': '10.1.1.1', 'hostnames': ['a']}]),
                           pod(activeDeadlineSeconds=9, dnsPolicy='ClusterFirst', tolerations=[{'key': 'a', 'operator': 'Exists'}])),
    'core.v1.PersistentVolume - spec.volumeMode': (source(hostPath={'path': '/x'}), source(hostPath={'path': '/x'}, volumeMode='Block'),
                                                   source(hostPath={'path': '/x'}, volumeMode='Filesystem', mountOptions=['ro'])),
    'core.v1.PersistentVolume spec.nodeAffinity=* spec.nodeAffinity': (
        source(local={'path': '/x'}, **LOCAL), source(local={'path': '/x'}, nodeAffinity={'required': {'nodeSelectorTerms': [
            {'matchExpressions': [{'key': 'b', 'operator': 'Exists'}]}]}}), source(local={'path': '/x'}, mountOptions=['ro'], **LOCAL)),
    'core.v1.ResourceQuota - spec.scopes[]': (QUOTA, merge(QUOTA, {'spec': {'scopes': ['NotTerminating', 'NotBestEffort']}}),
                                              merge(QUOTA, {'spec': {'hard': {'pods': '6'}, 'scopes': ['NotBestEffort', 'Terminating']}})),
    'core.v1.Service spec.type==LoadBalancer spec.loadBalancerClass': (
        BALANCER, merge(BALANCER, {'spec': {'loadBalancerClass': 'example.com/b'}}), merge(BALANCER, {'spec': {'selector': {'c': 'd'}}})),
    'core.v1.Service spec.type!=ExternalName spec.clusterIP': (
        service({'port': 80}), service({'port': 80}, clusterIP='None'), service({'port': 80}, type='ExternalName', externalName='x.example.com')),
    'discovery.v1.EndpointSlice - addressType': (SLICE, merge(SLICE, {'addressType': 'IPv6'}), merge(SLICE, {'endpoints': [{'addresses': ['10.1.1.1']}]})),
    'networking.v1.IngressClass - spec.controller': (
        CLASS, merge(CLASS, {'spec': {'controller': 'example.com/b'}}), merge(CLASS, {'spec': {'parameters': {'kind': 'X', 'name': 'y'}}})),
    'networking.v1.IPAddress - spec.parentRef': (ip_address('a'), ip_address('b'), merge(ip_address('a'), LABELLED)),
    'node.v1.RuntimeClass - handler': (of('node.k8s.io/v1', 'RuntimeClass', handler='a'), of('node.k8s.io/v1', 'RuntimeClass', handler='b'),
                                       of('node.k8s.io/v1', 'RuntimeClass', handler='a', scheduling={'nodeSelector': {'a': 'b'}})),
    **{'rbac.v1.%s - roleRef' % kind: (binding(kind, 'view'), binding(kind, 'edit'), merge(binding(kind, 'view'), {
        'roleRef': {'apiGroup': None}, 'subjects': [{'kind': 'User', 'name': 'u'}]})) for kind in ('ClusterRoleBinding', 'RoleBinding')},
    'resource.v1.ResourceClaim - spec': (of(DRA, 'ResourceClaim', 'web', spec=requests('a')), of(DRA, 'ResourceClaim', 'web', spec=requests('b')),
                                         of(DRA, 'ResourceClaim', 'web', LABELLED['metadata'], spec=requests('a'))),
    'resource.v1.ResourceClaimTemplate - spec': (
        of(DRA, 'ResourceClaimTemplate', 'web', spec={'spec': requests('a')}), of(DRA, 'ResourceClaimTemplate', 'web', spec={'spec': requests('b')}),
        of(DRA, 'ResourceClaimTemplate', 'web', LABELLED['metadata'], spec={'spec': requests('a')})),
    'resource.v1.ResourceSlice - spec.driver': (slice_of(), slice_of(driver='b.example.com'), merge(slice_of(), LABELLED)),
    'resource.v1.ResourceSlice - spec.nodeName': (slice_of(), slice_of(nodeName='m'), merge(slice_of(), LABELLED)),
    'resource.v1.ResourceSlice - spec.pool.name': (slice_of(), merge(slice_of(), {'spec': {'pool': {'name': 'q'}}}),
                                                   merge(slice_of(), {'spec': {'pool': {'generation': 2}}})),
    'scheduling.v1.PriorityClass - preemptionPolicy': (PRIORITY, merge(PRIORITY, {'preemptionPolicy': 'Never'}),
                                                       merge(PRIORITY, {'preemptionPolicy': 'PreemptLowerPriority', 'description': 'x'})),
    'scheduling.v1.PriorityClass - value': (PRIORITY, merge(PRIORITY, {'value': 6}), merge(PRIORITY, {'description': 'x'})),
    'storage.v1.CSIDriver - spec.attachRequired': (DRIVER, merge(DRIVER, {'spec': {'attachRequired': True}}),
                                                   merge(DRIVER, {'spec': {'requiresRepublish': True}})),
    'storage.v1.CSIDriver - spec.podInfoOnMount': (DRIVER, merge(DRIVER, {'spec': {'podInfoOnMount': True}}),
                                                   merge(DRIVER, {'spec': {'requiresRepublish': True}})),
    'storage.v1.CSIDriver - spec.volumeLifecycleModes': (DRIVER, merge(DRIVER, {'spec': {'volumeLifecycleModes': ['Ephemeral']}}),
                                                         merge(DRIVER, {'spec': {'volumeLifecycleModes': ['Persistent'], 'requiresRepublish': True}})),
    'storage.v1.CSIStorageCapacity - nodeTopology': (CAPACITY, merge(CAPACITY, {'nodeTopology': OTHER}), merge(CAPACITY, {'capacity': '1Gi'})),
    'storage.v1.CSIStorageCapacity - storageClassName': (CAPACITY, {**CAPACITY, 'storageClassName': 'b'}, merge(CAPACITY, {'capacity': '1Gi'})),
    'storage.v1.StorageClass - parameters': (storage_class(parameters={'a': '1'}), storage_class(parameters={'a': '2'}),
                                             storage_class(parameters={'a': '1'}, allowVolumeExpansion=True)),
    'storage.v1.StorageClass - provisioner': (storage_class(), {**storage_class(), 'provisioner': 'example.com/y'}, storage_class(mountOptions=['ro'])),
    'storage.v1.StorageClass - reclaimPolicy': (storage_class(), storage_class(reclaimPolicy='Retain'),
                                                storage_class(reclaimPolicy='Delete', allowVolumeExpansion=True)),
    'storage.v1.StorageClass - volumeBindingMode': (storage_class(), storage_class(volumeBindingMode='WaitForFirstConsumer'),
                                                    storage_class(volumeBindingMode='Immediate', allowVolumeExpansion=True)),
    'io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.CustomResourceDefinition - spec.names.kind': (
        definition(), merge(definition(), {'spec': {'names': {'kind': 'Other'}}}), merge(definition(), {'spec': {'names': {'shortNames': ['o']}}})),
    'io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.CustomResourceDefinition - spec.names.plural': (
        definition(), merge(definition(), {'spec': {'names': {'plural': 'others'}}}), merge(definition(), {'spec': {'names': {'categories': ['all']}}})),
    'io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.CustomResourceDefinition - spec.group': (
        definition(), merge(definition(), {'spec': {'group': 'other.example.com'}}), merge(definition(), LABELLED)),
    'io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.CustomResourceDefinition - spec.scope': (
        definition(), definition(scope='Cluster'), merge(definition(), LABELLED)),
    'storage.v1.VolumeAttachment - spec': (ATTACHMENT, merge(ATTACHMENT, {'spec': {'nodeName': 'm'}}), merge(ATTACHMENT, LABELLED)),
    'storage.v1.VolumeAttributesClass - driverName': (attributes(), attributes('b.example.com'), merge(attributes(), LABELLED)),
    'storage.v1.VolumeAttributesClass - parameters': (attributes(), attributes(a='2'), merge(attributes(), LABELLED)),
}
NAMESPACED = ('ControllerRevision', 'Deployment', 'DaemonSet', 'ReplicaSet', 'StatefulSet', 'Job', 'ConfigMap', 'Secret', 'PersistentVolumeClaim',
              'ResourceQuota', 'Service', 'EndpointSlice', 'RoleBinding', 'Pod', 'CSIStorageCapacity', 'ResourceClaim', 'ResourceClaimTemplate')


def told(space, manifest, *flags):
    """The object's part of the report, and the code and the message of its error."""
    report = json.loads(space.explain(manifest, '-o', 'json', *flags).stdout)['objects'][0]
    error = report.get('error', {})
    return report['action'], error.get('code'), error.get('message', '')


def refused(check, name, space, manifest, words, *flags):
    action, code, message = told(space, manifest, *flags)
    check.equal(name + ': is foretold', (action, code, 'foretold: ' in message and words in message), ('error', 'refused', True))
    result = space.apply(manifest, *flags)
    said = words in result.stderr or (server.OTHER and ' is invalid: ' in result.stderr)  # other releases refuse in other words
    check.true(name + ': is refused', result.returncode == 1 and said, (result.stdout, result.stderr))


def accepted(check, name, space, manifest):
    action, _, message = told(space, manifest)
    check.true(name + ': the near miss is not foretold', action != 'error', message)
    check.says(name + ': the near miss is accepted', space.apply(manifest))


def key_of(line):
    """TYPE CONDITION PATH"""
    return ' '.join(line.replace('io.k8s.api.', '').split(' ')[:3])


def try_line(cl, check, line):
    path, _, words = line.split(' ', 4)[2:]
    before, after, near = LINES[key_of(line)]
    space = Space(cl, 'fixed')
    try:
        must(space.apply(before))
        if before['kind'] == 'CustomResourceDefinition':
            cl.await_api(space.name + '.example.com/v1')
        refused(check, line, space, after, words)
        for manifest in without(before, path):
            agree(check, line + ': removed', space, manifest)
        accepted(check, line, space, near)
    finally:
        if before['kind'] not in NAMESPACED:
            space.kubectl('delete', '-f', space.write('m.json', before), '--wait=false')


def without(manifest, path):
    """The manifest without the field, if it has it."""
    *maps, name = path.split('[')[0].split('.')
    out = value = json.loads(json.dumps(manifest))
    for step in maps:
        value = value.get(step, {})
    return [out] if value.pop(name, None) is not None and name != 'spec' else []


def agree(check, name, space, manifest):
    """explain-diff foretells a refusal where the server refuses, and nowhere else."""
    action, _, message = told(space, manifest)
    result = space.apply(manifest, '--validate=ignore', '--dry-run=server')
    check.equal(name, (action == 'error', message), (result.returncode == 1, message))


def lines(cl, check):
    check.equal('each line has a test', {key_of(line) for line in facts.lines('fixed.txt')}, set(LINES))
    check.each([(line, line) for line in facts.lines('fixed.txt', cl.server.release())], lambda _, line: try_line(cl, check, line), workers=2)


def conditions(cl, check):
    """Where the condition of a line does not hold, the change is accepted."""
    for name, before, after in (
            ('the template of a suspended Job', job(suspend=True), merge(job(suspend=True), {'spec': {'template': {'spec': {'nodeSelector': {'a': 'b'}}}}})),
            ('the completions of an Indexed Job', job(completionMode='Indexed', completions=2, parallelism=2),
             job(completionMode='Indexed', completions=3, parallelism=3)),
            ('data of a ConfigMap that is not yet immutable', HOLDS_DATA, frozen(config_map(a='2'))),
            ('the node selector of a gated Pod', pod(schedulingGates=[{'name': 'example.com/a'}]),
             pod(schedulingGates=[{'name': 'example.com/a'}], nodeSelector={'a': 'b'})),
            ('the class of a load balancer that becomes another type', BALANCER, service({'port': 80}, type='ClusterIP')),
            ('data of a Secret', secret(data={'a': 'MQ=='}), frozen(secret(data={'a': 'Mg=='}))),
            ('the class of a claim without one', merge(claim(), {'spec': {'storageClassName': None}}), claim()),
            ('the address of an ExternalName', service(type='ExternalName', externalName='x.example.com'), service({'port': 80}, clusterIP='None'))):
        check.guard(name, condition_fails, cl, check, name, before, after)


# The first release that accepts it.
ACCEPTED_SINCE = {'the completions of an Indexed Job': (1, 27), 'the class of a claim without one': (1, 26)}


def condition_fails(cl, check, name, before, after):
    if cl.server.release() < ACCEPTED_SINCE.get(name, (1, 0)):
        raise NotApplicable('accepted since %d.%d' % ACCEPTED_SINCE[name])
    space = Space(cl, 'fixed')
    must(space.apply(before))
    accepted(check, name, space, after)


GATE, OTHER_GATE = {'name': 'example.com/a'}, {'name': 'example.com/b'}
TOLERATED = [{'key': 'a', 'operator': 'Exists'}, {'key': 'b', 'operator': 'Exists', 'effect': 'NoExecute', 'tolerationSeconds': 5}]


def indexed(completions, parallelism):
    return job(completionMode='Indexed', parallelism=parallelism, **({'completions': completions} if completions else {}))


def controller(selector, labels):
    spec = {'selector': selector, 'template': {'metadata': {'labels': labels}, 'spec': pod_spec()}}
    return of('v1', 'ReplicationController', 'web', spec=spec)


def ranges(*cidrs):
    return of('networking.k8s.io/v1', 'ServiceCIDR', spec={'cidrs': list(cidrs)})


# What foretold_of_kinds.cc knows: before and after. The server decides which of them are refused.
KINDS = {
    'a Job loses its parallelism': (job(parallelism=2), job()),
    'a Job loses its parallelism and has completions': (job(parallelism=2, completions=3), job(completions=3)),
    'a Job loses its completions': (job(parallelism=2, completions=2), job(parallelism=2)),
    'a Job loses both, which were 1': (job(parallelism=1, completions=1), merge(job(), LABELLED)),
    'completions of an Indexed Job': (indexed(2, 2), indexed(3, 2)),
    'completions and parallelism of an Indexed Job': (indexed(2, 2), indexed(3, 3)),
    'completions of an Indexed Job grow to its parallelism': (indexed(2, 3), indexed(3, 3)),
    'completions of an Indexed Job go': (indexed(2, 2), indexed(None, 2)),
    'a toleration goes': (pod(tolerations=TOLERATED), pod(tolerations=TOLERATED[:1])),
    'all tolerations go': (pod(tolerations=TOLERATED), pod()),
    'a toleration becomes another': (pod(tolerations=TOLERATED), pod(tolerations=[TOLERATED[0], {'key': 'c', 'operator': 'Exists'}])),
    'a toleration comes': (pod(tolerations=TOLERATED), pod(tolerations=[*TOLERATED, {'key': 'c', 'operator': 'Exists'}])),
    'tolerations in another order': (pod(tolerations=TOLERATED), pod(tolerations=TOLERATED[::-1])),
    'a toleration lasts longer': (pod(tolerations=TOLERATED), pod(tolerations=[TOLERATED[0], {**TOLERATED[1], 'tolerationSeconds': 9}])),
    'a gate goes': (pod(schedulingGates=[GATE, OTHER_GATE]), pod(schedulingGates=[OTHER_GATE])),
    'a gate comes': (pod(schedulingGates=[GATE]), pod(schedulingGates=[GATE, OTHER_GATE])),
    'the first gate comes': (pod(), pod(schedulingGates=[GATE])),
    'a gated Pod gets a node selector': (pod(schedulingGates=[GATE]), pod(schedulingGates=[GATE], nodeSelector={'a': 'b'})),
    'a gated Pod gets another node selector': (pod(schedulingGates=[GATE], nodeSelector={'a': 'b'}), pod(schedulingGates=[GATE], nodeSelector={'a': 'c'})),
    'a gated Pod loses its node selector': (pod(schedulingGates=[GATE], nodeSelector={'a': 'b'}), pod(schedulingGates=[GATE])),
    'a deadline is later': (pod(activeDeadlineSeconds=10), pod(activeDeadlineSeconds=20)),
    'a deadline is earlier': (pod(activeDeadlineSeconds=10), pod(activeDeadlineSeconds=5)),
    'a deadline comes': (pod(), pod(activeDeadlineSeconds=5)),
    'a deadline goes': (pod(activeDeadlineSeconds=10), pod()),
    'a range of addresses becomes another': (ranges('10.71.0.0/24'), ranges('10.72.0.0/24')),
    'a range of the other family comes': (ranges('10.73.0.0/24'), ranges('10.73.0.0/24', 'fd00:7::/112')),
    'the family of an address': (service({'port': 80}, ipFamilies=['IPv4']), service({'port': 80}, ipFamilies=['IPv6'])),
    'the family of an address is not stated': (service({'port': 80}, ipFamilies=['IPv4']), merge(service({'port': 80}), LABELLED)),
    'a port for health checks becomes another': (LOCAL_BALANCER, merge(LOCAL_BALANCER, {'spec': {'healthCheckNodePort': 32007}})),
    'a port for health checks goes with its policy': (
        service({'port': 80}, type='LoadBalancer', externalTrafficPolicy='Local'), service({'port': 80}, type='LoadBalancer', externalTrafficPolicy='Cluster')),
    'a port for health checks goes with the type': (
        service({'port': 80}, type='LoadBalancer', externalTrafficPolicy='Local'), service({'port': 80}, type='ClusterIP')),
    'a port for health checks goes with the type, and the policy stays': (
        service({'port': 80}, type='LoadBalancer', externalTrafficPolicy='Local'), service({'port': 80}, type='NodePort', externalTrafficPolicy='Local')),
    'labels that a ReplicationController does not select': (controller({'a': 'b'}, {'a': 'b'}), controller({'a': 'b'}, {'a': 'c'})),
    'a ReplicationController loses its selector': (controller({'a': 'b'}, {'a': 'b'}), merge(controller(None, {'a': 'b'}), LABELLED)),
    'another selector of a ReplicationController': (controller({'a': 'b'}, {'a': 'b'}), controller({'a': 'c'}, {'a': 'c'})),
}


def kinds(cl, check):
    """Refusals that are peculiar to a kind are foretold, in the server's words, and nothing else is."""
    tried = [(name, pair) for name, pair in KINDS.items() if cl.server.release() >= (1, 33) or pair[0]['kind'] != 'ServiceCIDR']
    check.each(tried, lambda name, pair: check_kind(cl, check, name, *pair), workers=2)


# Before and after, where one of several causes is that a field cannot change: then --force recreates the object.
COMBINED = {
    'completions and their mode': (job(completions=1), job(completions=2, completionMode='Indexed')),
    'completions of an Indexed Job and its image': (indexed(2, 2), job('web:2', completionMode='Indexed', parallelism=2, completions=3)),
    'completions of an Indexed Job alone': (indexed(2, 2), indexed(3, 2)),
    'a toleration and a command': (pod(tolerations=TOLERATED), pod({'command': ['a']}, tolerations=TOLERATED[:1])),
    'a toleration alone': (pod(tolerations=TOLERATED), pod(tolerations=TOLERATED[:1])),
    'labels of a ReplicationController': (controller({'a': 'b'}, {'a': 'b'}), controller({'a': 'b'}, {'a': 'c'})),
}


def combined(cl, check):
    """explain-diff --force says that an object is recreated if and only if apply --force recreates it."""
    for name, (before, after) in COMBINED.items():
        check.guard(name, check_force, cl, check, name, before, after)
    space = Space(cl, 'fixed')
    crd = definition('%s.both' % space.name, 'Tried')
    must(space.apply(crd, '--wait-ready'))
    later = {**crd, 'spec': {**crd['spec'], 'scope': 'Cluster', 'versions': [{**crd['spec']['versions'][0], 'name': 'v2'}]}}
    check.equal('the scope and a stored version of a CRD', told(space, later, '--force', '--force-dangerous')[0], 'recreate')
    check.says('and so it is', space.apply(later, '--force', '--force-dangerous'), 0, has=['recreated'])
    space.kubectl('delete', 'crd', crd['metadata']['name'], '--wait=false')
    shrunk = lambda size: claim(resources={'requests': {'storage': size}})
    must(space.apply(shrunk('2Gi')))
    action, _, message = told(space, shrunk('1Gi'), '--force', '--force-dangerous')
    check.equal('a claim without a volume that asks for less', (action, message), ('recreate', ''))


def check_force(cl, check, name, before, after):
    space = Space(cl, 'fixed')
    must(space.apply(before))
    uid = space.live(before)['metadata']['uid']
    action, _, message = told(space, after, '--force')
    result = space.apply(after, '--force', '--validate=ignore')
    check.equal(name, (action == 'recreate', message), (space.live(before)['metadata']['uid'] != uid, message))
    check.equal(name + ': is refused or recreated', action in ('error', 'recreate'), True)
    check.equal(name + ': exit status', result.returncode, 1 if action == 'error' else 0)


def mounts(cl, check):
    """A container that others added mounts a volume that the manifest no longer has."""
    space = Space(cl, 'fixed')
    mounted = {'volumeMounts': [{'name': 'v', 'mountPath': '/v'}]}
    with_volume = merge(workload('Deployment', template(mounted)), {'spec': {'template': {'spec': {'volumes': [{'name': 'v', 'emptyDir': {}}]}}}})
    without_volume = workload('Deployment', template())
    must(space.apply(with_volume))
    accepted(check, 'a volume goes with its mount', space, without_volume)
    must(space.apply(with_volume))
    must(space.kubectl('patch', 'deployment', with_volume['metadata']['name'], '--field-manager=injector', '-p', json.dumps(
        {'spec': {'template': {'spec': {'containers': [{'name': 'side', 'image': 'side:1', **mounted}]}}}})))
    refused(check, 'a kept container mounts it', space, without_volume, 'Not found: "v"')
    refused(check, 'a mount without a volume', space, merge(workload('Deployment', template(mounted)), {'metadata': {'name': 'other'}}), 'Not found: "v"')
    claimed = merge(workload('StatefulSet', template(mounted)), {'spec': {'volumeClaimTemplates': [
        {'metadata': {'name': 'v'}, 'spec': {'accessModes': ['ReadWriteOnce'], 'resources': {'requests': {'storage': '1Gi'}}}}]}})
    accepted(check, 'the claims of a StatefulSet are volumes', space, claimed)
    group = space.name + '.example.com'
    must(space.apply(definition(group, 'Rollout'), '--wait-ready'))
    cl.await_api(group + '/v1')
    accepted(check, 'a custom resource that looks like a workload', space, custom(group, 'Rollout', template=template(mounted)))
    space.kubectl('delete', 'crd', 'rollouts.' + group, '--wait=false')


def check_kind(cl, check, name, before, after):
    space = Space(cl, 'fixed')
    try:
        must(space.apply(before))
        action, _, message = told(space, after)
        result = space.apply(after, '--validate=ignore')
        check.equal(name, action == 'error', result.returncode == 1)
        words = message.split('foretold: ')[-1]
        check.true(name + ': in the words of the server', action != 'error' or words in result.stderr or server.OTHER, (words, result.stderr))
    finally:
        if before['kind'] == 'ServiceCIDR':
            space.kubectl('delete', '-f', space.write('m.json', before), '--wait=false')


TRIED = map_of(spec=map_of(
    name={**TEXT, 'x-kubernetes-validations': [{'rule': ' self == oldSelf '}]},
    words={**TEXT, 'x-kubernetes-validations': [{'rule': 'self == oldSelf', 'message': 'words are immutable'}]},
    since={**TEXT, 'format': 'date-time', 'x-kubernetes-validations': [{'rule': 'self == oldSelf'}]},
    wait={**TEXT, 'format': 'duration', 'x-kubernetes-validations': [{'rule': 'self == oldSelf'}]},
    other={**TEXT, 'x-kubernetes-validations': [{'rule': 'self == oldSelf || oldSelf == "a"'}]},
    far={**map_of(home=map_of(zone=TEXT), size=NUMBER), 'x-kubernetes-validations': [{'rule': 'self.home.zone == oldSelf.home.zone', 'message': 'zone is immutable'}]},
    engine={**map_of(kind=TEXT, size=NUMBER, mode=TEXT), 'x-kubernetes-validations': [
        {'rule': 'self.kind == oldSelf.kind', 'message': 'kind is immutable'}, {'rule': '!has(oldSelf.mode) || self.mode == oldSelf.mode'}]},
    count={**NUMBER, 'x-kubernetes-validations': [{'rule': 'self == oldSelf'}]},
    place={**map_of(zone={**TEXT, 'default': 'z'}, rack=TEXT), 'x-kubernetes-validations': [{'rule': 'self == oldSelf'}]},
    tags={**list_of({**TEXT, 'maxLength': 9}, 'set'), 'maxItems': 9, 'x-kubernetes-validations': [{'rule': 'self == oldSelf'}]},
    labels={'type': 'object', 'maxProperties': 9, 'additionalProperties': {**TEXT, 'maxLength': 9, 'x-kubernetes-validations': [{'rule': 'self == oldSelf'}]}},
    parts={**list_of(map_of(name=TEXT, size={**NUMBER, 'x-kubernetes-validations': [{'rule': 'self == oldSelf'}]}), 'map', 'name'), 'maxItems': 9}))
# By name: spec before and after, and where the server refuses it, its words.
RULES = {
    'a string': ({'name': 'a'}, {'name': 'b'}, 'failed rule: self == oldSelf'),
    'with a message': ({'words': 'a'}, {'words': 'b'}, 'words are immutable'),
    'a number': ({'count': 1}, {'count': 2}, 'failed rule: self == oldSelf'),
    'a map': ({'place': {'rack': 'a'}}, {'place': {'rack': 'b'}}, 'failed rule: self == oldSelf'),
    'a member is added': ({'place': {}}, {'place': {'rack': 'b'}}, 'failed rule: self == oldSelf'),
    'a member goes': ({'place': {'rack': 'a', 'zone': 'y'}}, {'place': {'zone': 'y'}}, 'failed rule: self == oldSelf'),
    'an element of a set': ({'tags': ['a', 'b']}, {'tags': ['b', 'c']}, 'failed rule: self == oldSelf'),
    'a value of a map': ({'labels': {'a': '1', 'b': '1'}}, {'labels': {'a': '2', 'b': '1'}}, 'failed rule: self == oldSelf'),
    'in an item with keys': ({'parts': [{'name': 'a', 'size': 1}]}, {'parts': [{'name': 'b', 'size': 3}, {'name': 'a', 'size': 2}]},
                             'failed rule: self == oldSelf'),
    'a time': ({'since': '2026-01-01T00:00:00Z'}, {'since': '2026-01-02T00:00:00Z'}, 'failed rule: self == oldSelf'),
    'a rule of the map above': ({'engine': {'kind': 'a'}}, {'engine': {'kind': 'b'}}, 'kind is immutable'),
    'a rule of the map above, with a condition': ({'engine': {'kind': 'a', 'mode': 'x'}}, {'engine': {'kind': 'a', 'mode': 'y'}},
                                                  'failed rule: !has(oldSelf.mode) || self.mode == oldSelf.mode'),
    'a rule far above': ({'far': {'home': {'zone': 'x'}}}, {'far': {'home': {'zone': 'y'}}}, 'zone is immutable'),
    'a rule far above, of another field': ({'far': {'home': {'zone': 'x'}}}, {'far': {'home': {'zone': 'x'}, 'size': 1}}, ''),
    'a rule of the map above, of another member': ({'engine': {'kind': 'a', 'size': 1}}, {'engine': {'kind': 'a', 'size': 2, 'mode': 'x'}}, ''),
    'the same': ({'name': 'a'}, {'name': 'a', 'count': 1}, ''),
    'absent before': ({'count': 1}, {'count': 1, 'name': 'b'}, ''),
    'absent afterwards': ({'count': 1, 'name': 'b'}, {'count': 1}, ''),
    'another rule': ({'other': 'a'}, {'other': 'b'}, ''),
    'the default is written': ({'place': {'rack': 'a'}}, {'place': {'rack': 'a', 'zone': 'z'}, 'count': 1}, ''),
    'the order of a set': ({'tags': ['a', 'b']}, {'tags': ['b', 'a'], 'count': 1}, ''),
    'the same time': ({'since': '2026-01-01T00:00:00Z'}, {'since': '2026-01-01T01:00:00+01:00'}, ''),
    'the same duration': ({'wait': '60s'}, {'wait': '1m'}, ''),
    'a new item': ({'parts': [{'name': 'a', 'size': 1}]}, {'parts': [{'name': 'b', 'size': 3}]}, ''),
    'a new member': ({'labels': {'a': '1'}}, {'labels': {'b': '2'}}, ''),
}


def rules(cl, check):
    """x-kubernetes-validations of a CRD: the rule self == oldSelf."""
    space = Space(cl, 'fixed')
    crd = definition('%s.test' % space.name, 'Tried', TRIED)
    must(space.apply(crd, '--wait-ready'))
    try:
        cl.await_api('%s.test/v1' % space.name)
        for number, (name, (before, after, words)) in enumerate(RULES.items()):
            first, then = [{**custom('%s.test' % space.name, 'Tried'), 'metadata': {'name': 'r%d' % number}, 'spec': spec} for spec in (before, after)]
            must(space.apply(first))
            if words:
                refused(check, 'rule: ' + name, space, then, words)
            else:
                accepted(check, 'rule: ' + name, space, then)
    finally:
        space.kubectl('delete', 'crd', crd['metadata']['name'], '--wait=false')


def grown_claims(cl, check):
    """A claim that is bound may ask for more if its StorageClass allows it."""
    space = Space(cl, 'fixed')
    classes = {allows: merge(storage_class(allowVolumeExpansion=allows), {'metadata': {'name': '%s-%s' % (space.name, str(allows).lower())}})
               for allows in (True, False)}
    must(space.kubectl('create', '-f', space.write('classes.json', list(classes.values()))))
    sized = lambda name, size, of_class: merge(claim(storageClassName=of_class, resources={'requests': {'storage': size}}), {'metadata': {'name': name}})
    try:
        for name, of_class, words in (('kept', space.name + '-false', 'has no allowVolumeExpansion'), ('lost', space.name + '-none', 'does not exist'),
                                      ('grown', space.name + '-true', '')):
            first = sized(name, '1Gi', of_class)
            must(space.apply(first))
            must(space.kubectl('patch', 'pvc', name, '--subresource=status', '-p', '{"status": {"phase": "Bound", "capacity": {"storage": "1Gi"}}}'))
            larger = sized(name, '2Gi', of_class)
            for flags in ([], ['--server-side']):
                action, _, message = told(space, larger, *flags)
                check.equal('%s: foretold with %s' % (name, flags), (action == 'error', words in message), (bool(words), True))
            result = space.apply(larger, '--dry-run=server')
            check.equal(name + ': as the server', result.returncode, 1 if words else 0)
            check.equal(name + ': the same size', told(space, merge(first, LABELLED))[0], 'change')
        beside = [classes[False], sized('kept', '2Gi', space.name + '-false')]
        report = json.loads(space.explain(beside, '-o', 'json').stdout)['objects']
        check.equal('the input has the class', [o['action'] for o in report][-1], 'change')
    finally:
        for of_class in classes.values():
            space.kubectl('delete', 'storageclass', of_class['metadata']['name'], '--wait=false')


def allocated_ports(cl, check):
    """No two Services have the same node port or address."""
    space, other = Space(cl, 'fixed'), Space(cl, 'fixed')
    asks = lambda name='web', **spec: of('v1', 'Service', name, spec={'type': 'NodePort', 'selector': {'a': 'b'}, 'ports': [{'port': 80, 'nodePort': 32672}], **spec})
    must(other.apply(asks()))
    taken = '32672 is taken by Service %s/web' % other.name
    for flags in ([], ['--server-side']):
        action, _, message = told(space, asks(), *flags)
        check.equal('taken, %s' % flags, (action, taken in message), ('error', True))
    check.says('the server', space.apply(asks()), 1, err=['provided port is already allocated'])
    must(space.apply(asks(ports=[{'port': 80}])))
    check.equal('a change', told(space, asks())[0], 'error')
    check.equal('another one', told(space, asks(ports=[{'port': 80, 'nodePort': 32673}]))[0], 'change')
    address = other.live(asks())['spec']['clusterIP']
    action, _, message = told(space, of('v1', 'Service', 'addressed', spec={'clusterIP': address, 'ports': [{'port': 80}]}))
    check.equal('an address', (action, '%s is taken by Service %s/web' % (address, other.name) in message), ('error', True))
    check.equal('its own', told(other, merge(asks(), {'metadata': {'labels': {'a': 'b'}}}))[0], 'change')
    both = [merge(asks(ports=[{'port': 80}]), {'metadata': {'namespace': other.name}}), merge(asks('beside'), {'metadata': {'namespace': space.name}})]
    space.flags = ()
    check.equal('the input may release it', [o['action'] for o in json.loads(space.explain(both, '-o', 'json').stdout)['objects']], ['record', 'create'])


def stored_versions(cl, check):
    """A CRD must keep the versions in which objects may be stored."""
    space = Space(cl, 'fixed')
    crd = definition('%s.stored' % space.name, 'Tried')
    old, new = crd['spec']['versions'][0], {**crd['spec']['versions'][0], 'name': 'v2'}
    with_versions = lambda *versions: {**crd, 'spec': {**crd['spec'], 'versions': list(versions)}}
    not_stored = lambda version: {**version, 'storage': False}
    must(space.apply(with_versions(old), '--wait-ready'))
    try:
        refused(check, 'a stored version goes', space, with_versions(new), 'missing from spec.versions')
        object_of = lambda version: {**custom('%s.stored' % space.name, 'Tried'), 'apiVersion': '%s.stored/%s' % (space.name, version)}
        both = [with_versions(new), object_of('v2')]
        report = json.loads(space.explain(both, '-o', 'json').stdout)['objects'][1]
        check.equal('an object of a version that does not come', (report['action'], report.get('error', {}).get('code')), ('error', 'not-found'))
        late = json.loads(space.explain([object_of('v2'), with_versions(new)], '-o', 'json').stdout)['objects'][0]
        check.equal('nor if its CRD comes behind it', (late['action'], late.get('error', {}).get('code')), ('error', 'not-found'))
        check.says('is not created', space.apply(both), 1, err=['no matches for kind "Tried"'])
        unreadable = merge(crd, {'metadata': {'labels': {'a': 5}}})
        report = json.loads(space.explain([unreadable, object_of('v1')], '-o', 'json').stdout)['objects']
        check.equal('an object beside a CRD with another error', [o['action'] for o in report], ['error', 'create'])
        check.equal('one of a version that stays', json.loads(space.explain([with_versions(new), object_of('v1')], '-o', 'json').stdout)['objects'][1]['action'], 'create')
        accepted(check, 'a stored version stays', space, with_versions(not_stored(old), new))
        accepted(check, 'a version is added', space, with_versions(not_stored(old), new, {**not_stored(old), 'name': 'v3'}))
        accepted(check, 'a version goes that was never stored', space, with_versions(not_stored(old), new))
    finally:
        space.kubectl('delete', 'crd', crd['metadata']['name'], '--wait=false')


def metadata(cl, check):
    space = Space(cl, 'fixed')
    must(space.apply(HOLDS_DATA))
    live = space.live(HOLDS_DATA)['metadata']
    stated = lambda **fields: merge(config_map(a='2'), {'metadata': fields})
    refused(check, 'another uid', space, stated(uid='00000000-0000-0000-0000-000000000000'), 'field is immutable')
    refused(check, 'an old resourceVersion', space, stated(resourceVersion='1'), 'the object has been modified')
    refused(check, 'a deletionTimestamp', space, stated(deletionTimestamp='2026-01-01T00:00:00Z'), 'field is immutable')
    accepted(check, 'any resourceVersion', space, stated(resourceVersion='0'))
    accepted(check, "live's uid", space, stated(uid=live['uid']))
    accepted(check, "live's resourceVersion", space, stated(resourceVersion=space.live(HOLDS_DATA)['metadata']['resourceVersion'], labels={'a': 'b'}))
    accepted(check, 'the uid of a new object', space, config_map('fresh', {'uid': '00000000-0000-0000-0000-000000000000'}, a='1'))
    accepted(check, 'any resourceVersion of a new object', space, config_map('newer', {'resourceVersion': '0'}, a='1'))
    refused(check, 'the resourceVersion of a new object', space, config_map('new', {'resourceVersion': '1'}, a='1'), 'should not be set')


def ports(cl, check):
    """The server merges the ports of a Service by their numbers, and refuses two with one name, or without."""
    space = Space(cl, 'fixed')
    http = lambda port: {'name': 'http', 'port': port}
    must(space.apply(service(http(9091))))
    must(space.kubectl('patch', 'service', 'web', '--type=json', '-p', '[{"op": "replace", "path": "/spec/ports/0/port", "value": 80}]'))
    refused(check, 'a port that comes back beside the one of live', space, service(http(9091)), 'Duplicate value: "http"')
    accepted(check, 'another name', space, service({'name': 'web', 'port': 9091}))
    refused(check, 'new ports with one name', space, service(http(1), http(2), name='new'), 'Duplicate value: "http"')
    refused(check, 'new ports without names', space, service({'port': 1}, http(2), name='new'), 'Required value')
    accepted(check, 'one port without a name', space, service({'port': 1}, name='new'))


def headless(cl, check):
    """A Service without an address of its own cannot have a port on the nodes."""
    space = Space(cl, 'fixed')
    none = of('v1', 'Service', 'web', spec={'clusterIP': 'None', 'selector': {'a': 'b'}, 'ports': [{'port': 80}]})
    must(space.apply(none))
    for kind in ('NodePort', 'LoadBalancer'):
        refused(check, 'a headless Service of type ' + kind, space, merge(none, {'spec': {'type': kind}}), "may not be set to 'None' for %s services" % kind)
    accepted(check, 'with type ClusterIP', space, merge(none, {'spec': {'type': 'ClusterIP', 'selector': {'a': 'c'}}}))


def selectors(cl, check):
    """The labels of a template must match the selector, in a new object, too."""
    space = Space(cl, 'fixed')
    for kind in ('Deployment', 'DaemonSet', 'StatefulSet', 'ReplicaSet'):
        right = workload(kind, template())
        wrong = workload(kind, {**template(), 'metadata': {'labels': {'other': 'label'}}})
        for state in ('new', 'changed'):
            refused(check, '%s %s' % (state, kind), space, wrong, '`selector` does not match template `labels`')
            must(space.apply(right))


def source_ranges(cl, check):
    """What somebody set beside type LoadBalancer stays, and the server does not take it beside another type."""
    space = Space(cl, 'fixed')
    port, ranges, words = {'port': 80}, ['10.0.0.0/8'], "may only be used when `type` is 'LoadBalancer'"
    must(space.apply(service(port, type='NodePort')))
    must(space.kubectl('patch', 'service', 'web', '-p', json.dumps({'spec': {'type': 'LoadBalancer', 'loadBalancerSourceRanges': ranges}})))
    refused(check, 'ranges that stay', space, service(port, type='NodePort', externalName=None), words)
    accepted(check, 'beside their type', space, service(port, type='LoadBalancer'))
    accepted(check, 'with the ranges removed', space, service(port, type='NodePort', loadBalancerSourceRanges=None))
    refused(check, 'ranges of a new Service', space, service(port, name='new', loadBalancerSourceRanges=ranges), words)
    annotated = merge(service(port), {'metadata': {'annotations': {'service.beta.kubernetes.io/load-balancer-source-ranges': '10.0.0.0/8'}}})
    refused(check, 'the annotation', space, annotated, words)


def namespaces(cl, check):
    space, missing = Space(cl, 'fixed'), 'none-' + cl.new_namespace('fixed')
    there = of('v1', 'Namespace', missing)
    lost = config_map('lost', {'namespace': missing}, a='1')
    here = ('-n', missing)
    refused(check, 'no such namespace', space, lost, 'namespaces "%s" not found' % missing, *here)
    report = json.loads(space.explain([lost, there], '-o', 'json', *here).stdout)
    check.equal('the input brings the namespace', [o['action'] for o in report['objects']], ['create', 'create'])
    check.says('the input brings the namespace: is accepted', space.apply([lost, there], *here))
    check.equal('an object that is there', told(space, lost, *here)[0], 'unchanged')
    check.equal('a new one in a namespace that is there', told(space, merge(lost, {'metadata': {'name': 'x'}}), *here)[0], 'create')
    must(space.kubectl('delete', 'namespace', missing, '--wait=false'))
    words = 'is forbidden: unable to create new content in namespace %s because it is being terminated' % missing
    refused(check, 'a namespace that is being deleted', space, config_map('late', {'namespace': missing}, a='1'), 'configmaps "late" ' + words, *here)
    late = merge(workload('Deployment', template()), {'metadata': {'name': 'late', 'namespace': missing}})
    refused(check, 'a kind with a group there', space, late, 'deployments.apps "late" ' + words, *here)
    check.equal('a change of what is there', told(space, merge(lost, {'data': {'a': '2'}}), *here)[0], 'change')
    check.says('is accepted', space.apply(merge(lost, {'data': {'a': '2'}}), *here))


def invalid_values(cl, check):
    """What only the validation refuses is told before the apply, of what is new or changed."""
    space = Space(cl, 'fixed')
    told = 'is not valid, and will be refused by the server unless a webhook mends it: '
    no_image = workload('Deployment', template(containers=[{'name': 'app', 'image': 'web:1'}, {'name': 'log', 'image': ''}]))
    for what, manifest, words in [
            ('a Service without ports', of('v1', 'Service', 'none', spec={'selector': {'a': 'b'}}), '(spec: a Service needs ports, '),
            ('a container without image', no_image, '(spec.template.spec.containers[name=log]'),
            ('a claim without access modes', of('v1', 'PersistentVolumeClaim', 'web', spec={'resources': {'requests': {'storage': '1Gi'}}}), '(spec: the field accessModes')]:
        kind = manifest['kind']
        check.says(what, space.explain(manifest), 1, has=[told, words, kind])
        check.says(what + ': the server', space.apply(manifest), 1, err=['is invalid: '])
        check.says(what + ', asked', space.explain(manifest, '--ask-server'), 2, lacks=[told])
    # Nobody validates the selector of a metric.
    metric = {'type': 'Pods', 'pods': {'metric': {'name': 'n', 'selector': {'matchLabels': {'path': '/api/v1'}}}, 'target': {'type': 'AverageValue', 'averageValue': '30'}}}
    scaler = of('autoscaling/v2', 'HorizontalPodAutoscaler', 'web', spec={'scaleTargetRef': {'apiVersion': 'apps/v1', 'kind': 'Deployment', 'name': 'x'}, 'maxReplicas': 2, 'metrics': [metric]})
    check.says('the selector of a metric', space.explain(scaler), 1, lacks=[told])
    check.says('the selector of a metric: the server', space.apply(scaler))
    # Nor the metadata of what a controller makes, nor how a DaemonSet rolls that does not.
    odd = {'metadata': {'name': 'data', 'labels': {'version': 'v1.2+build.7'}}}
    claim = {**odd, 'spec': {'accessModes': ['ReadWriteOnce'], 'resources': {'requests': {'storage': '1Gi'}}}}
    for manifest in (merge(workload('StatefulSet', template()), {'spec': {'serviceName': 'web', 'volumeClaimTemplates': [claim]}}),
                     of('batch/v1', 'CronJob', 'web', spec={'schedule': '@daily', 'jobTemplate': {**odd, 'spec': {'template': template(restartPolicy='Never')}}}),
                     merge(workload('DaemonSet', template()), {'spec': {'updateStrategy': {'type': 'OnDelete', 'rollingUpdate': {'maxUnavailable': '1'}}}})):
        check.says('%s with what nobody validates' % manifest['kind'], space.explain(manifest), 1, lacks=[told])
        check.says('%s: the server' % manifest['kind'], space.apply(manifest))
    right = workload('Deployment', template(containers=[{'name': 'app', 'image': 'web:1'}]))
    check.says('a valid one', space.explain(right), 1, lacks=[told])
    must(space.apply(right))
    check.says('a change', space.explain(no_image), 1, has=[told])
    check.says('another change', space.explain(merge(right, {'spec': {'replicas': 2}})), 1, lacks=[told])
    sized = lambda limit: workload('Deployment', template(containers=[{'name': 'app', 'image': 'web:1', 'resources': {'requests': {'memory': '128Mi'}, 'limits': {'memory': limit}}}]))
    must(space.apply(sized('256Mi')))
    check.says('the field that has to fit changes', space.explain(sized('64Mi')), 1, has=[told, 'requests.memory: "128Mi" is more than the limit, "64Mi"'])
    check.says('the field that has to fit changes: the server', space.apply(sized('64Mi')), 1, err=['is invalid: '])


def data_sources(cl, check):
    """The server takes each of a claim's two data sources from the other."""
    space = Space(cl, 'fixed')
    source = {'apiGroup': 'snapshot.storage.k8s.io', 'kind': 'VolumeSnapshot', 'name': 'snap'}
    both = ('dataSource', 'dataSourceRef')
    for before in (both[:1], both[1:], both):
        for after in ((), both[:1], both[1:]):
            name = 'from-%d-to-%d' % (sum(len(f) for f in before), sum(len(f) for f in after))
            first, then = (merge(claim(**{field: source for field in fields}), {'metadata': {'name': name}}) for fields in (before, after))
            must(space.apply(first))
            if before == both and not after:
                refused(check, name, space, then, 'spec is immutable')
            else:
                check.says(name, space.explain(then), 0 if before == after else 1, lacks=['will be refused', 'dataSource: '])
                check.says(name + ': the server', space.apply(then))


def copies(cl, check):
    """With --compat=kubectl, an object that is in the input twice is said to be; others are not."""
    space = Space(cl, 'fixed')
    said = lambda *manifests: [o.get('warnings', []) for o in json.loads(
        space.explain(list(manifests), '-o', 'json', '--compat=kubectl').stdout)['objects']]
    one, other = config_map('web', {'namespace': space.name}, a='1'), config_map('web', a='2')
    first, second = said(one, other)
    check.equal('the first copy', first, [])
    check.true('the second copy', len(second) == 1 and second[0].startswith('the same object is in m.json:'), second)
    check.equal('another kind and another name', said(one, config_map('other', a='1'), secret(data={})), [[], [], []])
    result = space.apply([one, other], '--compat=kubectl')
    check.equal('apply writes both in turn', (result.returncode, space.live(other)['data']), (0, {'a': '2'}))


def duplicate_keys(cl, check):
    space = Space(cl, 'fixed')
    text = 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: web}\ndata:\n  a: "1"\n  a: "2"\n'
    report = json.loads(space.explain(text, '-o', 'json').stdout)['objects'][0]
    result = json.loads(space.apply(text, '-o', 'result-json').stdout)['objects'][0]
    check.equal('duplicate keys have one code', (report['error']['code'], result['error']['code']), ('parse', 'parse'))
    check.has('and one message; apply adds its flag', report['error']['message'],
              result['error']['message'].removesuffix(' (--validate=warn accepts it)'))


if __name__ == '__main__':
    sys.exit(harness.run(__doc__, lines, conditions, rules, grown_claims, allocated_ports, stored_versions, metadata, ports, headless, kinds, combined, mounts, selectors, source_ranges, namespaces, invalid_values, data_sources, copies, duplicate_keys))
