#!/usr/bin/env python3
"""Every line of lib/schema/facts/unions.txt against the real server: each alternative alone is accepted, two together are refused.
And a manifest with two alternatives is refused before anything is sent, with its line.
Then every switch between alternatives, from what create left (nothing recorded) and from what apply left, with every other
alternative put into live by somebody else in between: smp applies it, and what it applied is there. The same in turn on the other
hosts of a type, all kinds with a Pod template among them. Where the server takes no update, the object that the patch would make is
one that it takes. (All alternatives of all types, without a server: tests/smp/switches_test.cc.)"""
import copy
import json
import sys

import harness
from harness import Space, facts, manifests, must
from harness.manifests import (SELECTOR, admission, autoscaler, changed, definition, deployment, hook, ingress, network_policy, of, pod_spec,
                               template, workload)
from harness.server import short


def env(fields):
    return deployment({'env': [{'name': 'A', **fields}]})


def volume(fields):
    return deployment(volumes=[{'name': 'v', **fields}])


def metric(fields):
    target = {'type': 'AverageValue', 'averageValue': '1'}
    return autoscaler(json.loads(json.dumps(fields).replace('"TARGET"', json.dumps(target))))


def validating(fields):
    return admission('ValidatingWebhookConfiguration', webhooks=[hook(clientConfig=fields)])


def conversion(fields):
    return definition(schema={'type': 'object'}, conversion={
        'strategy': 'Webhook', 'webhook': {'conversionReviewVersions': ['v1'], 'clientConfig': fields}})


def access(kind):
    user = {'user': 'u'} if kind == 'SubjectAccessReview' else {}
    return lambda fields: {'apiVersion': 'authorization.k8s.io/v1', 'kind': kind, 'spec': {**user, **fields}}


def priority(fields):
    """The server has one object of type Exempt, and takes no other."""
    name = 'exempt' if fields.get('type') == 'Exempt' else '__NS__'
    return of('flowcontrol.apiserver.k8s.io/v1', 'PriorityLevelConfiguration', name, spec=fields)


def flow_schema(fields):
    return of('flowcontrol.apiserver.k8s.io/v1', 'FlowSchema', spec={
        'priorityLevelConfiguration': {'name': 'global-default'},
        'rules': [{'subjects': [fields], 'nonResourceRules': [{'verbs': ['get'], 'nonResourceURLs': ['/x']}]}]})


def job(fields):
    rule = {'action': 'Ignore', **fields}
    return of('batch/v1', 'Job', spec={'podFailurePolicy': {'rules': [rule]}, 'template': {'spec': pod_spec(restartPolicy='Never')}})


def backend(fields):
    return ingress(defaultBackend=fields)


def peer(fields):
    return network_policy(ingress=[{'from': [fields]}])


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
    'core.v1.EnvFromSource': (lambda f: deployment({'envFrom': [f]}), [{'configMapRef': {'name': 'x'}}, {'secretRef': {'name': 'x'}}]),
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
        lambda f: manifests.volume(**f),
        [{'hostPath': {'path': '/x'}}, {'nfs': {'server': 'x', 'path': '/x'}}], False),
    'core.v1.Probe': (lambda f: deployment({'readinessProbe': f}), HANDLERS + [{'grpc': PORT}]),
    'core.v1.LifecycleHandler': (lambda f: deployment({'lifecycle': {'postStart': f}}), HANDLERS + [{'sleep': {'seconds': 1}}]),
    'core.v1.Handler': (lambda f: deployment({'lifecycle': {'postStart': f}}), HANDLERS),
    'core.v1.SeccompProfile': (lambda f: deployment({'securityContext': {'seccompProfile': f}}), [
        {'type': 'RuntimeDefault'}, {'type': 'Localhost', 'localhostProfile': 'x'}, {'type': 'Unconfined'}]),
    'core.v1.AppArmorProfile': (lambda f: deployment({'securityContext': {'appArmorProfile': f}}), [
        {'type': 'RuntimeDefault'}, {'type': 'Localhost', 'localhostProfile': 'x'}]),
    'apps.v1.DeploymentStrategy': (lambda f: changed(deployment(), strategy=f), [
        {'type': 'Recreate'}, {'type': 'RollingUpdate', 'rollingUpdate': {'maxSurge': 2}}]),
    'apps.v1.StatefulSetUpdateStrategy': (
        lambda f: workload('StatefulSet', template(), updateStrategy=f),
        [{'type': 'OnDelete'}, {'type': 'RollingUpdate', 'rollingUpdate': {'partition': 1}}]),
    'policy.v1.PodDisruptionBudgetSpec': (lambda f: of('policy/v1', 'PodDisruptionBudget', spec={'selector': SELECTOR, **f}), [
        {'minAvailable': 1}, {'maxUnavailable': 1}]),
    'networking.v1.NetworkPolicyPeer': (peer, [{'ipBlock': {'cidr': '10.0.0.0/8'}}, {'podSelector': {}, 'namespaceSelector': {}}]),
    'networking.v1.IngressBackend': (backend, [{'service': {'name': 'x', 'port': {'number': 80}}}, {'resource': {'kind': 'K', 'name': 'x'}}]),
    'networking.v1.ServiceBackendPort': (lambda f: backend({'service': {'name': 'x', 'port': f}}), [{'name': 'http'}, {'number': 80}]),
    'admissionregistration.v1.WebhookClientConfig': (validating, WEBHOOKS),
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
    """A type, a host with it, and its alternatives."""

    def __init__(self, name, host, alternatives, updatable=True, kept=True):
        self.name, self.host, self.alternatives, self.updatable, self.kept = name, host, alternatives, updatable, kept

    def manifest(self, fields):
        return self.host(copy.deepcopy(fields))

    def on(self, server, check):
        """Without the alternatives that the server lacks."""
        lacking = [server.lacking(self.manifest(fields)) for fields in self.alternatives]
        for fields, reason in zip(self.alternatives, lacking):
            if reason:
                check.skip(self.label(fields), reason[0])
        self.alternatives = [fields for fields, reason in zip(self.alternatives, lacking) if not reason]
        return self

    def label(self, fields):
        return '%s %s' % (self.name, '+'.join(fields))


def refusal_of(space, manifest):
    """Why the server does not create the object, which is not stored; nothing if it does. No tool decides, but the server alone."""
    cl = space.cl
    cl.server.need(manifest)
    status, answer = cl.by_http.create(space.named(manifest), space.name, dryRun='All')
    return '' if status == 201 else '%d %s' % (status, answer['message'])


def check_server(check, space, union):
    for fields in union.alternatives:
        refusal = refusal_of(space, union.manifest(fields))
        check('%s alone is accepted' % union.label(fields), '' if 'already exists' in refusal else refusal)
    for i, one in enumerate(union.alternatives):
        for other in union.alternatives[i + 1:]:
            if set(one) == set(other):
                continue  # two values of the discriminator alone
            both = union.manifest({**other, **one} if set(one) < set(other) else {**one, **other})
            label = '%s with %s' % (union.label(one), '+'.join(other))
            refusal = refusal_of(space, both)
            check.true(label + ' is refused', refusal.startswith('422 '), refusal or 'accepted')
            if union.kept:
                mine = space.apply(both, '--dry-run=client')
                refused = mine.returncode == 1 and any(words in mine.stderr for words in ('mutually exclusive', 'is only allowed if'))
                check.true(label + ' is refused by smp, with its line', refused and 'm.json:' in mine.stderr, harness.said(mine))


# Other kinds with the Pod template of a Deployment.
TEMPLATED = ('StatefulSet', 'DaemonSet', 'ReplicaSet', 'CronJob', 'ReplicationController', 'PodTemplate')


def in_init_container(container):
    return deployment(initContainers=[{'name': 'first', 'image': 'web:1', **container}])


def mutating(fields):
    return admission('MutatingWebhookConfiguration', webhooks=[hook(clientConfig=fields)])


# Other places of the type in updatable kinds.
OTHER_HOSTS = {
    'core.v1.EnvVar': [lambda f: in_init_container({'env': [{'name': 'A', **f}]})],
    'core.v1.EnvVarSource': [lambda f: in_init_container({'env': [{'name': 'A', 'valueFrom': f}]})],
    'core.v1.EnvFromSource': [lambda f: in_init_container({'envFrom': [f]})],
    'core.v1.Probe': [lambda f: deployment({'livenessProbe': f}), lambda f: deployment({'startupProbe': f})],
    'core.v1.LifecycleHandler': [lambda f: deployment({'lifecycle': {'preStop': f}})],
    'core.v1.SeccompProfile': [lambda f: deployment(securityContext={'seccompProfile': f})],
    'core.v1.AppArmorProfile': [lambda f: deployment(securityContext={'appArmorProfile': f})],
    'networking.v1.NetworkPolicyPeer': [lambda f: network_policy(egress=[{'to': [f]}])],
    'networking.v1.IngressBackend': [lambda f: ingress(
        rules=[{'http': {'paths': [{'path': '/', 'pathType': 'Prefix', 'backend': f}]}}])],
    'admissionregistration.v1.WebhookClientConfig': [mutating],
}


def has(live, wanted):
    """Whether live has everything in `wanted`. (The server would have refused an alternative that is excluded.)"""
    if isinstance(wanted, dict):
        return isinstance(live, dict) and all(has(live.get(k), v) for k, v in wanted.items())
    if isinstance(wanted, list):
        return len(live or []) == len(wanted) and all(map(has, live or [], wanted))
    return live == wanted or str(live) == str(wanted)


class Switcher(Space):
    """One object that is switched from alternative to alternative."""

    def __init__(self, check, cl, union):
        super().__init__(cl, 'union')
        self.check, self.union = check, union

    def manifest(self, fields):
        return self.named(self.union.manifest(fields))

    def create(self, fields):
        manifest = self.manifest(fields)
        self.cl.server.need(manifest)
        status, answer = self.by_http.create(manifest, self.name)
        assert status == 201, answer

    def edit(self, fields):
        """Somebody else switches live; the last-applied annotation stays."""
        manifest = self.manifest(fields)
        manifest['metadata'] = self.live(manifest)['metadata']
        status, answer = self.by_http.replace(manifest, self.name)
        assert status == 200, answer

    def begin(self, fields):
        must(self.apply(self.manifest(fields)))

    def switch(self, fields, label):
        manifest = self.manifest(fields)
        result = self.apply(manifest, '-o', 'json')
        label = '%s, %s' % (self.union.label(fields), label)
        self.check.says(label, result)
        live = json.loads(result.stdout) if result.returncode == 0 else {}
        key = next(key for key in ('spec', 'template', 'webhooks') if key in manifest)
        self.check.true(label + ': is there', has(live.get(key), manifest[key]), live.get(key))

    def delete(self):
        self.by_http.delete(self.by_http.path_of(self.manifest(self.union.alternatives[0]), self.name))


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
            switcher.switch(other, 'after ' + name_of(one))
            switcher.begin(one)
            switcher.edit(edited)
            switcher.switch(other, 'after %s, and %s by somebody else' % (name_of(one), name_of(edited)))
    switcher.delete()
    # What create left, without a last-applied annotation.
    for i, one in enumerate(union.alternatives):
        switcher = Switcher(check, cl, union)
        switcher.create(one)
        switcher.switch(union.alternatives[(i + 1) % count], 'over %s as created' % name_of(one))
        switcher.delete()


def check_in_turn(check, cl, union):
    switcher = Switcher(check, cl, union)
    switcher.create(union.alternatives[0])
    for fields in union.alternatives[1:] + union.alternatives[:1]:
        switcher.switch(fields, 'in turn')
    switcher.edit(union.alternatives[1])
    switcher.switch(union.alternatives[0], 'over what somebody else did')
    switcher.delete()


def check_at_the_patch(check, cl, union):
    """The server takes no update of the host, so the object as it would become is created anew, to see what the server says of it."""
    for one in union.alternatives:
        for other in union.alternatives:
            switcher = Switcher(check, cl, union)
            switcher.create(one)
            label = '%s after %s, at the patch' % (union.label(other), name_of(one))
            manifest = switcher.manifest(other)
            result = switcher.apply(manifest, '--dry-run=client', '-o', 'json')
            if check.says(label, result):
                outcome = json.loads(result.stdout)
                check.true(label + ': is there', has(outcome['spec'], manifest['spec']), outcome['spec'])
                outcome['metadata'] = {'name': manifest['metadata']['name'] + '-anew'}
                outcome['spec'].pop('selector', None)  # of Jobs: the server makes it
                if outcome['kind'] == 'Job':
                    outcome['spec']['template'].pop('metadata', None)
                check(label + ': the server takes the outcome', refusal_of(switcher, outcome))
            switcher.delete()


def as_pod(host):
    return lambda fields: of('v1', 'Pod', 'web', spec={**host(fields)['spec']['template']['spec'], 'serviceAccountName': 'x'})


def check_hosts(check, cl, union, name):
    check_switches(check, cl, union)
    hosts = list(OTHER_HOSTS.get(name, []))
    if union.host({})['kind'] == 'Deployment' and name.startswith('core.'):
        hosts += [lambda f, kind=kind: workload(kind, union.host(f)['spec']['template']) for kind in TEMPLATED]
        check_at_the_patch(check, cl, Union(name + ' in a Pod', as_pod(union.host), union.alternatives[:3]))
    for host in hosts:
        label = '%s in %s' % (name, host(copy.deepcopy(union.alternatives[0]))['kind'])
        check.guard(label, check_in_turn, check, cl, Union(label, host, union.alternatives))


# The server has one object of one alternative (`exempt`) and takes no other.
NEITHER_UPDATED_NOR_CREATED = {'flowcontrol.v1.PriorityLevelConfigurationSpec'}


def types_of_table(release=None):
    return {short(line.split()[0]) for line in facts.lines('unions.txt', release)}


def check_union(check, cl, name):
    union = Union(name, *HOSTS[name]).on(cl.server, check)
    check_server(check, Space(cl, 'union'), union)
    if len(union.alternatives) < 2:
        return
    if union.updatable:
        check_hosts(check, cl, union, name)
    elif union.kept and name not in NEITHER_UPDATED_NOR_CREATED:
        check_at_the_patch(check, cl, union)


def unions(cl, check):
    check('every line of unions.txt is tried', sorted(types_of_table() ^ (set(HOSTS) | WITHOUT_HOST)))
    here = types_of_table(cl.server.release())
    check.each([[name] for name in HOSTS if name in here], lambda name: check_union(check, cl, name), workers=4)


if __name__ == '__main__':
    sys.exit(harness.run(__doc__, unions))
