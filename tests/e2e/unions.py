#!/usr/bin/env python3
"""Every line of lib/schema/builtin/unions.txt against the real server: each alternative alone is accepted, two together are refused.
And a manifest with two alternatives is refused before anything is sent, with its line.
Then every switch between alternatives, from what create left (nothing recorded) and from what apply left, with every other
alternative put into live by somebody else in between: smp applies it, and what it applied is there. The same in turn on the other
hosts of a type, all kinds with a Pod template among them. Where the server takes no update, the object that the patch would make is
one that it takes. (All alternatives of all types, without a server: tests/smp/switches_test.cc.)"""
import concurrent.futures
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
    return cl.kubectl('create', '-f', '-', '-n', namespace, '--validate=strict', *flags, stdin=json.dumps(manifest))


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
            name = cl.write(namespace + '.json', json.dumps(both, indent=1))
            mine = cl.smp('apply', '-f', name, '-n', namespace, '--dry-run=client')
            words = ('exclude each other', 'goes with')
            check('%s with %s is refused by smp, with its line' % (union.label(one), '+'.join(other)),
                  '' if mine.returncode == 1 and any(w in mine.stderr for w in words) and name + ':' in mine.stderr
                  else mine.stdout + mine.stderr)


def templated(kind):
    """The Deployment of a host as another kind with a Pod template."""
    def of_kind(manifest):
        spec = manifest['spec']
        spec.pop('strategy', None)
        if kind == 'CronJob':
            spec['template']['spec']['restartPolicy'] = 'Never'
            return of('batch/v1', kind, {'schedule': '* * * * *', 'jobTemplate': {'spec': {'template': spec['template']}}})
        if kind == 'ReplicationController':
            return of('v1', kind, {'selector': {'a': 'b'}, 'template': spec['template']})
        if kind == 'PodTemplate':
            return {'apiVersion': 'v1', 'kind': kind, 'metadata': {'name': 'web'}, 'template': spec['template']}
        more = {'serviceName': 'web'} if kind == 'StatefulSet' else {}
        return of('apps/v1', kind, {**spec, **more})
    return of_kind


TEMPLATED = {kind: templated(kind) for kind in ('StatefulSet', 'DaemonSet', 'ReplicaSet', 'CronJob', 'ReplicationController', 'PodTemplate')}


def in_init_container(container):
    return deployment(pod(initContainers=[{'name': 'first', 'image': 'web:1', **container}]))


def mutating(fields):
    manifest = webhook(fields)
    manifest['kind'] = 'MutatingWebhookConfiguration'
    return manifest


# Other places of the type in updatable kinds.
OTHER_HOSTS = {
    'core.v1.EnvVar': [lambda f: in_init_container({'env': [{'name': 'A', **f}]})],
    'core.v1.EnvVarSource': [lambda f: in_init_container({'env': [{'name': 'A', 'valueFrom': f}]})],
    'core.v1.EnvFromSource': [lambda f: in_init_container({'envFrom': [f]})],
    'core.v1.Probe': [lambda f: deployment(pod({'livenessProbe': f})), lambda f: deployment(pod({'startupProbe': f}))],
    'core.v1.LifecycleHandler': [lambda f: deployment(pod({'lifecycle': {'preStop': f}}))],
    'core.v1.SeccompProfile': [lambda f: deployment(pod(securityContext={'seccompProfile': f}))],
    'core.v1.AppArmorProfile': [lambda f: deployment(pod(securityContext={'appArmorProfile': f}))],
    'networking.v1.NetworkPolicyPeer': [lambda f: of('networking.k8s.io/v1', 'NetworkPolicy', {'podSelector': {}, 'egress': [{'to': [f]}]})],
    'networking.v1.IngressBackend': [lambda f: of('networking.k8s.io/v1', 'Ingress', {
        'rules': [{'http': {'paths': [{'path': '/', 'pathType': 'Prefix', 'backend': f}]}}]})],
    'admissionregistration.v1.WebhookClientConfig': [mutating],
}


def has(live, wanted):
    """Everything that `wanted` says, and of a union nothing else that excludes it (the server would have refused that)."""
    if isinstance(wanted, dict):
        return isinstance(live, dict) and all(has(live.get(k), v) for k, v in wanted.items())
    if isinstance(wanted, list):
        return len(live or []) == len(wanted) and all(map(has, live or [], wanted))
    return live == wanted or str(live) == str(wanted)


class Switcher:
    """One object that is switched from alternative to alternative."""

    def __init__(self, check, cl, union):
        self.check, self.cl, self.union = check, cl, union
        self.namespace = cl.new_namespace('union')

    def manifest(self, fields):
        manifest = self.union.manifest(fields, self.namespace)
        self.name = manifest['metadata']['name']
        self.kind = manifest['kind'] + '.' + (manifest['apiVersion'].split('/')[0] if '/' in manifest['apiVersion'] else '')
        return manifest

    def live(self):
        return self.cl.get(self.kind.rstrip('.'), self.name, '-n', self.namespace)

    def create(self, fields):
        self.cl.must(create(self.cl, self.namespace, self.manifest(fields)))

    def edit(self, fields):
        """Somebody switches live behind our back; the record stays."""
        manifest, live = self.manifest(fields), self.live()
        manifest['metadata'] = live['metadata']
        self.cl.must(self.cl.kubectl('replace', '-f', '-', '-n', self.namespace, stdin=json.dumps(manifest)))

    def smp_apply(self, manifest, *flags):
        name = self.cl.write(self.namespace + '.json', json.dumps(manifest))
        return self.cl.smp('apply', '-f', name, '-n', self.namespace, *flags)

    def begin(self, fields):
        self.cl.must(self.smp_apply(self.manifest(fields)))

    def apply(self, fields, label):
        manifest = self.manifest(fields)
        result = self.smp_apply(manifest, '-o', 'json')
        label = '%s, %s' % (self.union.label(fields), label)
        self.check(label, '' if result.returncode == 0 else result.stdout + result.stderr)
        live = json.loads(result.stdout) if result.returncode == 0 else {}
        key = 'template' if manifest['kind'] == 'PodTemplate' else 'webhooks' if 'webhooks' in manifest else 'spec'
        self.check(label + ': is there', '' if has(live.get(key), manifest[key]) else json.dumps(live.get(key)))

    def delete(self):
        self.cl.kubectl('delete', self.kind.rstrip('.'), self.name, '-n', self.namespace, '--wait=false')


def name_of(fields):
    return json.dumps(fields)


def check_switches(check, cl, union):
    """Every ordered pair, without and with others (in turn) put into live in between."""
    switcher = Switcher(check, cl, union)
    switcher.create(union.alternatives[0])
    count = len(union.alternatives)
    for i, one in enumerate(union.alternatives):
        for j, other in enumerate(union.alternatives):
            edited = union.alternatives[(i + 2 * j + 1) % count]
            switcher.begin(one)
            switcher.apply(other, 'after ' + name_of(one))
            switcher.begin(one)
            switcher.edit(edited)
            switcher.apply(other, 'after %s, and %s by somebody else' % (name_of(one), name_of(edited)))
    switcher.delete()
    # What create left, nothing recorded.
    for i, one in enumerate(union.alternatives):
        switcher = Switcher(check, cl, union)
        switcher.create(one)
        switcher.apply(union.alternatives[(i + 1) % count], 'over %s as created' % name_of(one))
        switcher.delete()


def check_in_turn(check, cl, union):
    switcher = Switcher(check, cl, union)
    switcher.create(union.alternatives[0])
    for fields in union.alternatives[1:] + union.alternatives[:1]:
        switcher.apply(fields, 'in turn')
    switcher.edit(union.alternatives[1])
    switcher.apply(union.alternatives[0], 'over what somebody else did')
    switcher.delete()


def check_at_the_patch(check, cl, union):
    """The server takes no update of the host, so the object as it would become is created anew, to see what the server says of it."""
    for one in union.alternatives:
        for other in union.alternatives:
            switcher = Switcher(check, cl, union)
            switcher.create(one)
            label = '%s after %s, at the patch' % (union.label(other), name_of(one))
            result = switcher.smp_apply(switcher.manifest(other), '--dry-run=client', '-o', 'json')
            check(label, '' if result.returncode == 0 else result.stderr)
            if result.returncode == 0:
                outcome = json.loads(result.stdout)
                check(label + ': is there', '' if has(outcome['spec'], switcher.manifest(other)['spec']) else outcome['spec'])
                outcome['metadata'] = {'name': switcher.name + '-anew'}
                outcome['spec'].pop('selector', None)  # of Jobs: the server makes it
                if outcome['kind'] == 'Job':
                    outcome['spec']['template'].pop('metadata', None)
                anew = create(cl, switcher.namespace, outcome, '--dry-run=server')
                check(label + ': the server takes the outcome', '' if anew.returncode == 0 else anew.stderr)
            switcher.delete()


def as_pod(host):
    def make(fields):
        return {'apiVersion': 'v1', 'kind': 'Pod', 'metadata': {'name': 'web'}, 'spec': {**host(fields)['spec']['template']['spec'], 'serviceAccountName': 'x'}}
    return make


def check_hosts(check, cl, union, name):
    check_switches(check, cl, union)
    hosts = list(OTHER_HOSTS.get(name, []))
    if union.host({})['kind'] == 'Deployment' and name.startswith('core.'):
        hosts += [lambda f, kind=kind: kind(union.host(f)) for kind in TEMPLATED.values()]
        check_at_the_patch(check, cl, Union(name + ' in a Pod', as_pod(union.host), union.alternatives[:3]))
    for host in hosts:
        check_in_turn(check, cl, Union('%s in %s' % (name, host(copy.deepcopy(union.alternatives[0]))['kind']), host, union.alternatives))


# The server has one object of one alternative (`exempt`) and takes no other.
NEITHER_UPDATED_NOR_CREATED = {'flowcontrol.v1.PriorityLevelConfigurationSpec'}


def types_of_table():
    with open(TABLE, encoding='utf-8') as f:
        lines = [line.split()[0] for line in f if line.strip() and not line.startswith('#')]
    return {'.'.join(name.split('.')[-3:]) for name in lines}


def check_union(cl, name):
    check = cluster.Checks()
    union = Union(name, *HOSTS[name])
    check_server(check, cl, cl.new_namespace('union'), union)
    if union.updatable:
        check_hosts(check, cl, union, name)
    elif union.kept and name not in NEITHER_UPDATED_NOR_CREATED:
        check_at_the_patch(check, cl, union)
    return check


def main():
    check = cluster.Checks()
    check('every line of unions.txt is tried', sorted(types_of_table() ^ (set(HOSTS) | WITHOUT_HOST)))
    with cluster.Cluster(cluster.parse_args(__doc__)) as cl, concurrent.futures.ThreadPoolExecutor(4) as pool:
        for done in pool.map(lambda name: check_union(cl, name), HOSTS):
            check.count += done.count
            check.failures += done.failures
    return check.finish()


if __name__ == '__main__':
    sys.exit(main())
