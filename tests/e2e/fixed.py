#!/usr/bin/env python3
"""What explain-diff foretells, the server does: it refuses each change of lib/schema/facts/fixed.txt in the words of that line, and
accepts the near miss, which is not foretold. The same for metadata that the manifest must not state, and for missing namespaces."""
import json
import sys

import harness
from harness import Space, facts, must
from harness.manifests import config_map, merge, of, pod_spec, secret, service, template, volume, workload

OTHER = {'matchLabels': {'a': 'b', 'c': 'd'}}
RBAC, STORAGE = 'rbac.authorization.k8s.io', 'storage.k8s.io/v1'
LABELLED = {'metadata': {'labels': {'x': 'y'}}}


def labelled(kind):
    return merge(workload(kind, template()), {'spec': {'template': {'metadata': {'labels': {'c': 'd'}}}}})


def job(image='web:1', **spec):
    return of('batch/v1', 'Job', 'web', spec={'template': {'spec': pod_spec({'image': image}, restartPolicy='Never')}, **spec})


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


CSI = {'driver': 'x.example.com', 'volumeHandle': 'a'}
LOCAL = {'nodeAffinity': {'required': {'nodeSelectorTerms': [{'matchExpressions': [{'key': 'a', 'operator': 'Exists'}]}]}}}
PRIORITY = of('scheduling.k8s.io/v1', 'PriorityClass', value=5)
QUOTA = of('v1', 'ResourceQuota', 'web', spec={'hard': {'pods': '5'}, 'scopes': ['Terminating']})
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
    'batch.v1.Job spec.completionMode!=Indexed spec.completions': (job(completions=2), job(completions=3), job(completions=2, suspend=True)),
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
    'core.v1.PersistentVolume - spec.hostPath': (source(hostPath={'path': '/x'}), source(hostPath={'path': '/y'}),
                                                 source(hostPath={'path': '/x', 'type': ''}, mountOptions=['ro'])),
    'core.v1.PersistentVolume - spec.nfs': (source(nfs={'server': 'a', 'path': '/x'}), source(nfs={'server': 'b', 'path': '/x'}),
                                            source(nfs={'server': 'a', 'path': '/x'}, capacity={'storage': '2Gi'})),
    'core.v1.PersistentVolume - spec.local': (source(local={'path': '/x'}, **LOCAL), source(local={'path': '/y'}, **LOCAL),
                                              source(local={'path': '/x'}, mountOptions=['ro'], **LOCAL)),
    'core.v1.PersistentVolume - spec.csi': (source(csi=CSI), source(csi={**CSI, 'fsType': 'ext4'}),
                                            source(csi={**CSI, 'controllerExpandSecretRef': {'name': 'a', 'namespace': 'b'}})),
    'core.v1.PersistentVolume - spec.volumeMode': (source(hostPath={'path': '/x'}), source(hostPath={'path': '/x'}, volumeMode='Block'),
                                                   source(hostPath={'path': '/x'}, volumeMode='Filesystem', mountOptions=['ro'])),
    'core.v1.ResourceQuota - spec.scopes': (QUOTA, merge(QUOTA, {'spec': {'scopes': ['NotTerminating']}}), merge(QUOTA, {'spec': {'hard': {'pods': '6'}}})),
    'core.v1.Service spec.type!=ExternalName spec.clusterIP': (
        service({'port': 80}), service({'port': 80}, clusterIP='None'), service({'port': 80}, type='ExternalName', externalName='x.example.com')),
    'discovery.v1.EndpointSlice - addressType': (SLICE, merge(SLICE, {'addressType': 'IPv6'}), merge(SLICE, {'endpoints': [{'addresses': ['10.1.1.1']}]})),
    'networking.v1.IngressClass - spec.controller': (
        CLASS, merge(CLASS, {'spec': {'controller': 'example.com/b'}}), merge(CLASS, {'spec': {'parameters': {'kind': 'X', 'name': 'y'}}})),
    'node.v1.RuntimeClass - handler': (of('node.k8s.io/v1', 'RuntimeClass', handler='a'), of('node.k8s.io/v1', 'RuntimeClass', handler='b'),
                                       of('node.k8s.io/v1', 'RuntimeClass', handler='a', scheduling={'nodeSelector': {'a': 'b'}})),
    **{'rbac.v1.%s - roleRef' % kind: (binding(kind, 'view'), binding(kind, 'edit'), merge(binding(kind, 'view'), {
        'roleRef': {'apiGroup': None}, 'subjects': [{'kind': 'User', 'name': 'u'}]})) for kind in ('ClusterRoleBinding', 'RoleBinding')},
    'scheduling.v1.PriorityClass - preemptionPolicy': (PRIORITY, merge(PRIORITY, {'preemptionPolicy': 'Never'}),
                                                       merge(PRIORITY, {'preemptionPolicy': 'PreemptLowerPriority', 'description': 'x'})),
    'scheduling.v1.PriorityClass - value': (PRIORITY, merge(PRIORITY, {'value': 6}), merge(PRIORITY, {'description': 'x'})),
    'storage.v1.CSIDriver - spec.attachRequired': (DRIVER, merge(DRIVER, {'spec': {'attachRequired': True}}),
                                                   merge(DRIVER, {'spec': {'podInfoOnMount': True}})),
    'storage.v1.StorageClass - parameters': (storage_class(parameters={'a': '1'}), storage_class(parameters={'a': '2'}),
                                             storage_class(parameters={'a': '1'}, allowVolumeExpansion=True)),
    'storage.v1.StorageClass - provisioner': (storage_class(), {**storage_class(), 'provisioner': 'example.com/y'}, storage_class(mountOptions=['ro'])),
    'storage.v1.StorageClass - reclaimPolicy': (storage_class(), storage_class(reclaimPolicy='Retain'),
                                                storage_class(reclaimPolicy='Delete', allowVolumeExpansion=True)),
    'storage.v1.StorageClass - volumeBindingMode': (storage_class(), storage_class(volumeBindingMode='WaitForFirstConsumer'),
                                                    storage_class(volumeBindingMode='Immediate', allowVolumeExpansion=True)),
    'storage.v1.VolumeAttributesClass - driverName': (attributes(), attributes('b.example.com'), merge(attributes(), LABELLED)),
    'storage.v1.VolumeAttributesClass - parameters': (attributes(), attributes(a='2'), merge(attributes(), LABELLED)),
}
NAMESPACED = ('ControllerRevision', 'Deployment', 'DaemonSet', 'ReplicaSet', 'StatefulSet', 'Job', 'ConfigMap', 'Secret', 'PersistentVolumeClaim',
              'ResourceQuota', 'Service', 'EndpointSlice', 'RoleBinding')


def told(space, manifest, *flags):
    """The object's part of the report, and the code and the message of its error."""
    report = json.loads(space.explain(manifest, '-o', 'json', *flags).stdout)['objects'][0]
    error = report.get('error', {})
    return report['action'], error.get('code'), error.get('message', '')


def refused(check, name, space, manifest, words, *flags):
    action, code, message = told(space, manifest, *flags)
    check.equal(name + ': is foretold', (action, code, 'foretold: ' in message and words in message), ('error', 'refused', True))
    result = space.apply(manifest, *flags)
    check.true(name + ': is refused', result.returncode == 1 and words in result.stderr, (result.stdout, result.stderr))


def accepted(check, name, space, manifest):
    action, _, message = told(space, manifest)
    check.true(name + ': the near miss is not foretold', action != 'error', message)
    check.says(name + ': the near miss is accepted', space.apply(manifest))


def try_line(cl, check, line):
    kind, condition, path, _, words = line.split(' ', 4)
    before, after, near = LINES['%s %s %s' % (kind.replace('io.k8s.api.', ''), condition, path)]
    space = Space(cl, 'fixed')
    try:
        must(space.apply(before))
        refused(check, line, space, after, words)
        accepted(check, line, space, near)
    finally:
        if before['kind'] not in NAMESPACED:
            space.kubectl('delete', '-f', space.write('m.json', before), '--wait=false')


def lines(cl, check):
    rows = list(facts.lines('fixed.txt', facts.release_of(cl)))
    check.equal('each line has a test', len(rows), len(LINES))
    check.each([(line, line) for line in rows], lambda _, line: try_line(cl, check, line), workers=2)


def conditions(cl, check):
    """Where the condition of a line does not hold, the change is accepted."""
    for name, before, after in (
            ('the template of a suspended Job', job(suspend=True), merge(job(suspend=True), {'spec': {'template': {'spec': {'nodeSelector': {'a': 'b'}}}}})),
            ('the completions of an Indexed Job', job(completionMode='Indexed', completions=2, parallelism=2),
             job(completionMode='Indexed', completions=3, parallelism=3)),
            ('data of a ConfigMap that is not yet immutable', HOLDS_DATA, frozen(config_map(a='2'))),
            ('data of a Secret', secret(data={'a': 'MQ=='}), frozen(secret(data={'a': 'Mg=='}))),
            ('the class of a claim without one', merge(claim(), {'spec': {'storageClassName': None}}), claim()),
            ('the address of an ExternalName', service(type='ExternalName', externalName='x.example.com'), service({'port': 80}, clusterIP='None'))):
        space = Space(cl, 'fixed')
        must(space.apply(before))
        accepted(check, name, space, after)


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
    space.kubectl('delete', 'namespace', missing, '--wait=false')


def duplicate_keys(cl, check):
    space = Space(cl, 'fixed')
    text = 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: web}\ndata:\n  a: "1"\n  a: "2"\n'
    report = json.loads(space.explain(text, '-o', 'json').stdout)['objects'][0]
    result = json.loads(space.apply(text, '-o', 'result-json').stdout)['objects'][0]
    check.equal('duplicate keys have one code', (report['error']['code'], result['error']['code']), ('parse', 'parse'))
    check.has('and one message', report['error']['message'], result['error']['message'])


if __name__ == '__main__':
    sys.exit(harness.run(__doc__, lines, conditions, metadata, namespaces, duplicate_keys))
