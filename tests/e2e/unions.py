#!/usr/bin/env python3
"""Every line of lib/schema/builtin/unions.txt against the real server: each alternative alone is accepted, two together are refused.
Then every switch between alternatives, with a third one put into live by somebody else in between where that can be: smp applies it.
And a manifest with two alternatives is refused before anything is sent, with its line."""
import copy
import json
import os
import sys

import cluster

TABLE = os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', '..', 'lib', 'schema', 'builtin', 'unions.txt')
SELECTOR = {'matchLabels': {'a': 'b'}}


def pod(container=None, **spec):
    return {'containers': [dict({'name': 'web', 'image': 'web:1'}, **(container or {}))], **spec}


def deployment(spec, **more):
    return {'apiVersion': 'apps/v1', 'kind': 'Deployment', 'metadata': {'name': 'web'},
            'spec': {'selector': SELECTOR, 'template': {'metadata': {'labels': {'a': 'b'}}, 'spec': spec}, **more}}


def of(api_version, kind, spec, name='web'):
    return {'apiVersion': api_version, 'kind': kind, 'metadata': {'name': name}, 'spec': spec}


def env(fields):
    return deployment(pod({'env': [{'name': 'A', **fields}]}))


def volume(fields):
    return deployment(pod(volumes=[{'name': 'v', **fields}]))


def metric(fields):
    target = {'type': 'AverageValue', 'averageValue': '1'}
    return of('autoscaling/v2', 'HorizontalPodAutoscaler', {
        'maxReplicas': 3, 'scaleTargetRef': {'apiVersion': 'apps/v1', 'kind': 'Deployment', 'name': 'web'},
        'metrics': [json.loads(json.dumps(fields).replace('"TARGET"', json.dumps(target)))]})


def webhook(fields):
    return {'apiVersion': 'admissionregistration.k8s.io/v1', 'kind': 'ValidatingWebhookConfiguration',
            'metadata': {'name': '__NS__'},
            'webhooks': [{'name': 'a.example.com', 'clientConfig': fields, 'sideEffects': 'None', 'admissionReviewVersions': ['v1'],
                          'rules': [{'apiGroups': ['nothing.example.com'], 'apiVersions': ['v1'], 'operations': ['CREATE'],
                                     'resources': ['nothing'], 'scope': '*'}]}]}


def conversion(fields):
    version = {'served': True, 'schema': {'openAPIV3Schema': {'type': 'object'}}}
    return {'apiVersion': 'apiextensions.k8s.io/v1', 'kind': 'CustomResourceDefinition', 'metadata': {'name': 'things.__NS__.test'},
            'spec': {'group': '__NS__.test', 'scope': 'Namespaced', 'names': {'plural': 'things', 'kind': 'Thing'},
                     'versions': [{'name': 'v1', 'storage': True, **version}],
                     'conversion': {'strategy': 'Webhook', 'webhook': {'conversionReviewVersions': ['v1'], 'clientConfig': fields}}}}


def access(kind):
    def make(fields):
        user = {'user': 'u'} if kind == 'SubjectAccessReview' else {}
        return {'apiVersion': 'authorization.k8s.io/v1', 'kind': kind, 'spec': {**user, **fields}}
    return make


def priority(fields):
    """The server has one object of type Exempt, and takes no other."""
    name = 'exempt' if fields.get('type') == 'Exempt' else '__NS__'
    return of('flowcontrol.apiserver.k8s.io/v1', 'PriorityLevelConfiguration', fields, name)


def flow_schema(fields):
    return of('flowcontrol.apiserver.k8s.io/v1', 'FlowSchema', {
        'priorityLevelConfiguration': {'name': 'global-default'},
        'rules': [{'subjects': [fields], 'nonResourceRules': [{'verbs': ['get'], 'nonResourceURLs': ['/x']}]}]}, '__NS__')


def job(fields):
    rule = {'action': 'Ignore', **fields}
    return of('batch/v1', 'Job', {'podFailurePolicy': {'rules': [rule]}, 'template': {'spec': pod(restartPolicy='Never')}})


def ingress(fields):
    return of('networking.k8s.io/v1', 'Ingress', {'defaultBackend': fields})


def peer(fields):
    return of('networking.k8s.io/v1', 'NetworkPolicy', {'podSelector': {}, 'ingress': [{'from': [fields]}]})


PORT = {'port': 80}
HANDLERS = [{'exec': {'command': ['x']}}, {'httpGet': PORT}, {'tcpSocket': PORT}]
WEBHOOKS = [{'url': 'https://127.0.0.1:9/x'}, {'service': {'namespace': 'default', 'name': 'x'}}]
ACCESS = [{'nonResourceAttributes': {'path': '/x', 'verb': 'get'}}, {'resourceAttributes': {'verb': 'get', 'resource': 'pods'}}]
SELECTED = {'configMap': {'name': 'x'}}

# type: (host, alternatives as fields with the discriminator, updatable?, kept by the server?)
HOSTS = {
    'core.v1.EnvVar': (env, [{'value': 'x'}, {'valueFrom': {'fieldRef': {'fieldPath': 'metadata.name'}}}]),
    'core.v1.EnvVarSource': (lambda f: env({'valueFrom': f}), [
        {'configMapKeyRef': {'name': 'x', 'key': 'k'}}, {'fieldRef': {'fieldPath': 'metadata.name'}},
        {'resourceFieldRef': {'resource': 'limits.cpu'}}, {'secretKeyRef': {'name': 'x', 'key': 'k'}}]),
    'core.v1.EnvFromSource': (lambda f: deployment(pod({'envFrom': [f]})), [{'configMapRef': {'name': 'x'}}, {'secretRef': {'name': 'x'}}]),
    'core.v1.Volume': (volume, [{'emptyDir': {}}, {'configMap': {'name': 'x'}}, {'secret': {'secretName': 'x'}},
                                {'hostPath': {'path': '/x'}}, {'nfs': {'server': 'x', 'path': '/x'}},
                                {'persistentVolumeClaim': {'claimName': 'x'}}, {'projected': {'sources': [SELECTED]}},
                                {'downwardAPI': {'items': []}}, {'csi': {'driver': 'x.example.com'}}]),
    'core.v1.VolumeProjection': (lambda f: volume({'projected': {'sources': [f]}}), [
        SELECTED, {'secret': {'name': 'x'}}, {'serviceAccountToken': {'path': 'x', 'expirationSeconds': 3600}}]),
    'core.v1.DownwardAPIVolumeFile': (lambda f: volume({'downwardAPI': {'items': [{'path': 'x', **f}]}}), [
        {'fieldRef': {'apiVersion': 'v1', 'fieldPath': 'metadata.name'}},
        {'resourceFieldRef': {'resource': 'limits.cpu', 'containerName': 'web', 'divisor': '0'}}]),
    'core.v1.PersistentVolumeSpec': (
        lambda f: of('v1', 'PersistentVolume', {'capacity': {'storage': '1Gi'}, 'accessModes': ['ReadWriteOnce'], **f}, '__NS__'),
        [{'hostPath': {'path': '/x'}}, {'nfs': {'server': 'x', 'path': '/x'}}], False),
    'core.v1.Probe': (lambda f: deployment(pod({'readinessProbe': f})), HANDLERS + [{'grpc': PORT}]),
    'core.v1.LifecycleHandler': (lambda f: deployment(pod({'lifecycle': {'postStart': f}})), HANDLERS + [{'sleep': {'seconds': 1}}]),
    'core.v1.SeccompProfile': (lambda f: deployment(pod({'securityContext': {'seccompProfile': f}})), [
        {'type': 'RuntimeDefault'}, {'type': 'Localhost', 'localhostProfile': 'x'}, {'type': 'Unconfined'}]),
    'core.v1.AppArmorProfile': (lambda f: deployment(pod({'securityContext': {'appArmorProfile': f}})), [
        {'type': 'RuntimeDefault'}, {'type': 'Localhost', 'localhostProfile': 'x'}]),
    'apps.v1.DeploymentStrategy': (lambda f: deployment(pod(), strategy=f), [
        {'type': 'Recreate'}, {'type': 'RollingUpdate', 'rollingUpdate': {'maxSurge': 2}}]),
    'apps.v1.StatefulSetUpdateStrategy': (
        lambda f: of('apps/v1', 'StatefulSet', {**deployment(pod())['spec'], 'serviceName': 'web', 'updateStrategy': f}),
        [{'type': 'OnDelete'}, {'type': 'RollingUpdate', 'rollingUpdate': {'partition': 1}}]),
    'policy.v1.PodDisruptionBudgetSpec': (lambda f: of('policy/v1', 'PodDisruptionBudget', {'selector': SELECTOR, **f}), [
        {'minAvailable': 1}, {'maxUnavailable': 1}]),
    'networking.v1.NetworkPolicyPeer': (peer, [{'ipBlock': {'cidr': '10.0.0.0/8'}}, {'podSelector': {}, 'namespaceSelector': {}}]),
    'networking.v1.IngressBackend': (ingress, [{'service': {'name': 'x', 'port': {'number': 80}}}, {'resource': {'kind': 'K', 'name': 'x'}}]),
    'networking.v1.ServiceBackendPort': (lambda f: ingress({'service': {'name': 'x', 'port': f}}), [{'name': 'http'}, {'number': 80}]),
    'admissionregistration.v1.WebhookClientConfig': (webhook, WEBHOOKS),
    'apiextensions.v1.WebhookClientConfig': (conversion, WEBHOOKS),
    'autoscaling.v2.MetricSpec': (metric, [
        {'type': 'Pods', 'pods': {'metric': {'name': 'x'}, 'target': 'TARGET'}},
        {'type': 'Resource', 'resource': {'name': 'cpu', 'target': 'TARGET'}},
        {'type': 'External', 'external': {'metric': {'name': 'x'}, 'target': 'TARGET'}},
        {'type': 'ContainerResource', 'containerResource': {'name': 'cpu', 'container': 'web', 'target': 'TARGET'}}]),
    'authorization.v1.SelfSubjectAccessReviewSpec': (access('SelfSubjectAccessReview'), ACCESS, False, False),
    'authorization.v1.SubjectAccessReviewSpec': (access('SubjectAccessReview'), ACCESS, False, False),
    'batch.v1.PodFailurePolicyRule': (job, [{'onExitCodes': {'operator': 'In', 'values': [1]}},
                                            {'onPodConditions': [{'type': 'DisruptionTarget', 'status': 'True'}]}], False),
    'flowcontrol.v1.LimitResponse': (lambda f: priority({'type': 'Limited', 'limited': {'limitResponse': f}}), [
        {'type': 'Reject'}, {'type': 'Queue', 'queuing': {'queues': 2, 'handSize': 1, 'queueLengthLimit': 5}}]),
    'flowcontrol.v1.PriorityLevelConfigurationSpec': (priority, [
        {'type': 'Limited', 'limited': {'limitResponse': {'type': 'Reject'}}}, {'type': 'Exempt', 'exempt': {}}], False),
    'flowcontrol.v1.Subject': (flow_schema, [{'kind': 'User', 'user': {'name': 'u'}}, {'kind': 'Group', 'group': {'name': 'g'}},
                                             {'kind': 'ServiceAccount', 'serviceAccount': {'namespace': 'default', 'name': 's'}}]),
}
# Status cannot be applied.
WITHOUT_HOST = {'core.v1.ContainerState'}


class Union:
    def __init__(self, name, host, alternatives, updatable=True, kept=True):
        self.name, self.host, self.alternatives, self.updatable, self.kept = name, host, alternatives, updatable, kept

    def manifest(self, fields, namespace):
        return json.loads(json.dumps(self.host(copy.deepcopy(fields))).replace('__NS__', namespace))

    def label(self, fields):
        return '%s %s' % (self.name, '+'.join(fields))


def create(cl, namespace, manifest, *flags):
    """By kubectl, which knows nothing of unions: the server alone decides."""
    cl.write('m.json', json.dumps(manifest))
    return cl.kubectl('create', '-f', 'm.json', '-n', namespace, '--validate=strict', *flags)


def check_server(check, cl, namespace, union):
    for fields in union.alternatives:
        result = create(cl, namespace, union.manifest(fields, namespace), '--dry-run=server')
        exists = 'already exists' in result.stderr
        check('%s alone is accepted' % union.label(fields), result.stderr if result.returncode and not exists else '')
    for i, one in enumerate(union.alternatives):
        for other in union.alternatives[i + 1:]:
            if set(one) == set(other):
                continue  # two values of the discriminator alone
            both = union.manifest({**other, **one} if set(one) < set(other) else {**one, **other}, namespace)
            result = create(cl, namespace, both, '--dry-run=server')
            check('%s with %s is refused' % (union.label(one), '+'.join(other)), '' if result.returncode else 'accepted')
            if not union.kept:
                continue
            cl.write('m.json', json.dumps(both, indent=1))
            mine = cl.smp('apply', '-f', 'm.json', '-n', namespace, '--dry-run=client')
            words = ('exclude each other', 'goes with')
            check('%s with %s is refused by smp, with its line' % (union.label(one), '+'.join(other)),
                  '' if mine.returncode == 1 and any(w in mine.stderr for w in words) and 'm.json:' in mine.stderr
                  else mine.stdout + mine.stderr)


def check_switches(check, cl, namespace, union):
    """From what kubectl create left (no last-applied), through each alternative in turn and back."""
    first = union.manifest(union.alternatives[0], namespace)
    cl.must(create(cl, namespace, first))
    for fields in union.alternatives[1:] + union.alternatives[:1]:
        cl.write('m.json', json.dumps(union.manifest(fields, namespace)))
        result = cl.smp('apply', '-f', 'm.json', '-n', namespace)
        check('switch to %s' % union.label(fields), '' if result.returncode == 0 else result.stdout + result.stderr)
        again = cl.smp('apply', '-f', 'm.json', '-n', namespace)
        check('%s again: unchanged' % union.label(fields), '' if again.stdout.endswith(' unchanged\n') else again.stdout + again.stderr)
        # Somebody switches live behind our back; the manifest wins.
        for other in union.alternatives:
            cl.write('other.json', json.dumps(union.manifest(other, namespace)))
            replaced = cl.kubectl('replace', '-f', 'other.json', '-n', namespace)
            if replaced.returncode:
                continue  # the kind wants a resourceVersion, or more
            result = cl.smp('apply', '-f', 'm.json', '-n', namespace)
            check('%s in live, back to %s' % ('+'.join(other), union.label(fields)),
                  '' if result.returncode == 0 else result.stdout + result.stderr)
    cl.kubectl('delete', '-f', 'm.json', '-n', namespace, '--wait=false')


def types_of_table():
    with open(TABLE, encoding='utf-8') as f:
        lines = [line.split()[0] for line in f if line.strip() and not line.startswith('#')]
    return {'.'.join(name.split('.')[-3:]) for name in lines}


def main():
    check = cluster.Checks()
    check('every line of unions.txt is tried', sorted(types_of_table() ^ (set(HOSTS) | WITHOUT_HOST)))
    with cluster.Cluster(cluster.parse_args(__doc__)) as cl:
        for name, row in HOSTS.items():
            union = Union(name, *row)
            namespace = cl.new_namespace('union')
            check_server(check, cl, namespace, union)
            if union.updatable:
                check_switches(check, cl, namespace, union)
    return check.finish()


if __name__ == '__main__':
    sys.exit(main())
