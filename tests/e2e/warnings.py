#!/usr/bin/env python3
"""What explain-diff and apply warn of before harm: fields taken from a controller (with a command that really leaves them to it), items
that a list loses, conflicts; explain-diff also of privileges that others added (lib/schema/facts/privileges.txt), each line with a near
miss."""
import json
import re
import shlex
import sys

import harness
from harness import Space, facts, must
from harness.manifests import admission, config_map, custom, definition, deployment, hook, ingress, merge, of, pod_spec, secret, service, template, workload

WEB = merge(deployment({'args': ['a']}), {'spec': {'replicas': 2}})
TAKES = 'takes spec.replicas from kube-controller-manager (Update of scale; time unknown), which may set it again'


def scaled(cl, by, replicas=7):
    space = Space(cl, 'warnings')
    must(space.apply(WEB))
    must(space.kubectl('patch', 'deployment', 'web', '--subresource=scale', '--type=merge', '--field-manager', by,
                       '-p', json.dumps({'spec': {'replicas': replicas}})))
    return space


def autoscaled(cl, check):
    space = scaled(cl, 'kube-controller-manager')
    told = space.explain(WEB)
    check.says('explain-diff warns', told, 1, has=[TAKES])
    check.says('in JSON, too', space.explain(WEB, '-o', 'json'), 1, has=[TAKES])
    check.says('apply warns', space.apply(WEB, '--dry-run=server'), err=[TAKES])
    server_side = space.explain(merge(WEB, {'metadata': {'annotations': {'smp.io/keep-live': 'spec.replicas'}}}), '--server-side', '--force-conflicts')
    check.says('--server-side keeps nothing', server_side, 1, has=['the annotation smp.io/keep-live has no effect with --server-side', 'takes spec.replicas'],
               lacks=['--keep-live spec.replicas'])
    check.says('kubectl and its dialect do not', space.apply(WEB, '--compat=kubectl', '--dry-run=server'), err='')
    command = re.search(r'run (kubectl smp .*?) and remove it', told.stdout).group(1)
    must(space.smp(*[word for word in shlex.split(command)[2:] if word not in ('-n', space.name)]))
    without = merge(WEB, {'spec': {'replicas': None}})
    check.says('after the command and without the field', space.apply(without), lacks=['takes'])
    check.equal('the field is left', space.live(WEB)['spec']['replicas'], 7)
    check.says('explain-diff is quiet, too', space.explain(without), 0, lacks=['takes'])


def stays_at_zero(cl, check):
    """Somebody scaled a workload to 0, which leaves no manager, and the manifest does not say how many Pods there are."""
    space = Space(cl, 'warnings')
    without = deployment({'image': 'a:1'})
    must(space.apply(without))
    must(space.kubectl('scale', 'deployment', 'web', '--replicas=0'))
    check.says('it stays', space.explain(deployment({'image': 'a:2'})), 1, has=['keeps what others set in the cluster: ', '(replicas: 0)'])
    check.says('the manifest says it', space.explain(merge(deployment({'image': 'a:2'}), {'spec': {'replicas': 0}})), 1, lacks=['(replicas: 0)'])


def near_misses(cl, check):
    check.says('kubectl scale', scaled(cl, 'kubectl').explain(WEB), 1, has=['~ spec.replicas: 7 → 2'], lacks=['takes'])
    check.says('the same number', scaled(cl, 'kube-controller-manager').explain(merge(WEB, {'spec': {'replicas': 7, 'paused': True}})), 1, lacks=['takes'])
    kept = scaled(cl, 'kube-controller-manager').explain(WEB, '--keep-live', 'spec.replicas')
    check.says('a field that is kept', kept, 0, has=['= spec.replicas: 7'], lacks=['takes'])


def lists(cl, check):
    space = Space(cl, 'warnings')
    must(space.apply(WEB))
    args = '/spec/template/spec/containers/0/args'
    space.patch('deployment web', [{'op': 'replace', 'path': args, 'value': ['a', '--debug']}])
    lost = 'replaces spec.template.spec.containers[name=web].args as a whole, without what others added: "--debug"'
    check.says('explain-diff names the item', space.explain(WEB), 1, has=[lost])
    check.says('so does apply', space.apply(WEB), err=[lost])
    must(space.apply(WEB))
    longer = json.loads(json.dumps(WEB))
    longer['spec']['template']['spec']['containers'][0]['args'] = ['b']
    check.says('its own items are no loss', space.apply(longer), err='')


def conflicts(cl, check):
    space = Space(cl, 'warnings')
    must(space.apply(WEB))
    space.patch('deployment web', {'spec': {'minReadySeconds': 9, 'replicas': 7}})
    wins = 'the manifest and live both changed since the last apply, and the manifest wins: spec.replicas'
    check.says('apply', space.apply(merge(WEB, {'spec': {'replicas': 3, 'paused': True}})), err=[wins + '\n'])
    check.says('no conflict', space.apply(merge(WEB, {'spec': {'replicas': 4}})), err='')


def listing(*objects):
    return {'apiVersion': 'v1', 'kind': 'List', 'items': objects}


def left_workloads(cl, check):
    space = Space(cl, 'warnings')
    settings = of('v1', 'ConfigMap', 'settings', data={'a': 'b'})
    daemon = workload('DaemonSet', template())
    must(space.apply(listing(settings, daemon)))
    line = 'that apply does not delete: Deployment'
    deployment = merge(daemon, {'kind': 'Deployment'})
    check.says('another kind of the same name', space.explain(listing(settings, deployment), '--wide'), 1, has=[line, '(DaemonSet of the same name)'])
    check.says('another name', space.explain(listing(settings, merge(deployment, {'metadata': {'name': 'other'}})), '--wide'), 1, lacks=[line])
    check.says('both are in the input', space.explain(listing(settings, daemon, deployment), '--wide'), 1, lacks=[line])
    # What somebody has set in the old one, and a Service that reaches both.
    old, front = merge(deployment, {'metadata': {'name': 'db'}}), service({'port': 80})
    must(space.apply(listing(old, front)))
    must(space.kubectl('set', 'env', 'deployment/db', 'HEAP=4g'))
    new = merge(workload('StatefulSet', template(), serviceName='web'), {'metadata': {'name': 'db'}})
    said = space.explain(listing(settings, front, new))
    check.says('a Service reaches both', said, 1, has=['StatefulSet %s/db (Deployment of the same name; Service web reaches both)' % space.name, LACKS, 'env HEAP'])
    must(space.kubectl('scale', 'deployment', 'db', '--replicas=0'))
    check.says('the old one runs no Pods', space.explain(listing(settings, front, new)), 1, lacks=[line, LACKS, 'seems to have been deleted'])
    check.says('the new one runs no Pods', space.explain(listing(settings, front, merge(new, {'spec': {'replicas': 0}}))), 1, lacks=[line, LACKS])


RBAC = 'rbac.authorization.k8s.io/v1'
RULES = [{'apiGroups': [''], 'resources': ['secrets'], 'verbs': ['get']}]
ROLE_REF = {'apiGroup': 'rbac.authorization.k8s.io', 'kind': 'ClusterRole', 'name': 'view'}
SUBJECTS = [{'kind': 'User', 'apiGroup': 'rbac.authorization.k8s.io', 'name': 'mallory'}]


def in_pod(**spec):
    return {'spec': {'template': {'spec': spec}}}


def in_container(**fields):
    return in_pod(containers=[{'name': 'web', **fields}])


def with_volume(**source):
    return in_pod(volumes=[{'name': 'v', **source}])


POD = 'spec.template.spec.'
CONTAINER = POD + 'containers[name=web].'
# By line: a manifest, what another manager adds, the path of the warning, and an addition without one.
LINES = {
    **{'core.v1.PodSpec ' + name: (WEB, in_pod(**{name: True}), POD + name, in_pod(**{name: False, 'priority': 5}))
       for name in ('hostIPC', 'hostNetwork', 'hostPID')},
    'core.v1.PodSpec serviceAccountName': (WEB, in_pod(serviceAccountName='admin'), POD + 'serviceAccountName', in_pod(hostname='x')),
    'core.v1.SecurityContext allowPrivilegeEscalation': (
        WEB, in_container(securityContext={'allowPrivilegeEscalation': True}), CONTAINER + 'securityContext.allowPrivilegeEscalation',
        in_container(securityContext={'allowPrivilegeEscalation': False, 'privileged': False})),
    'core.v1.Capabilities add': (WEB, in_container(securityContext={'capabilities': {'add': ['SYS_ADMIN']}}),
                                 CONTAINER + 'securityContext.capabilities.add', in_container(securityContext={'capabilities': {'drop': ['CHOWN']}})),
    'core.v1.Volume hostPath': (WEB, with_volume(hostPath={'path': '/'}), POD + 'volumes[name=v].hostPath', with_volume(emptyDir={})),
    'core.v1.Volume secret': (WEB, with_volume(secret={'secretName': 's'}), POD + 'volumes[name=v].secret', with_volume(configMap={'name': 's'})),
    'core.v1.VolumeProjection secret': (WEB, with_volume(projected={'sources': [{'secret': {'name': 's'}}]}),
                                        POD + 'volumes[name=v].projected.sources[0].secret', with_volume(projected={'sources': [{'configMap': {'name': 's'}}]})),
    'core.v1.EnvFromSource secretRef': (WEB, in_container(envFrom=[{'secretRef': {'name': 's'}}]), CONTAINER + 'envFrom[0].secretRef',
                                        in_container(envFrom=[{'configMapRef': {'name': 's'}}])),
    'core.v1.EnvVarSource secretKeyRef': (WEB, in_container(env=[{'name': 'A', 'valueFrom': {'secretKeyRef': {'name': 's', 'key': 'k'}}}]),
                                          CONTAINER + 'env[name=A].valueFrom.secretKeyRef', in_container(env=[{'name': 'A', 'value': 'x'}])),
    'rbac.v1.Role rules': (of(RBAC, 'Role', 'web'), {'rules': RULES}, 'rules', {'metadata': {'labels': {'a': 'b'}}}),
    'rbac.v1.ClusterRole rules': (of(RBAC, 'ClusterRole'), {'rules': RULES}, 'rules', {'metadata': {'labels': {'a': 'b'}}}),
    'rbac.v1.ClusterRole aggregationRule': (of(RBAC, 'ClusterRole'), {'aggregationRule': {'clusterRoleSelectors': [{'matchLabels': {'a': 'b'}}]}},
                                            'aggregationRule', {'metadata': {'labels': {'a': 'b'}}}),
    **{'rbac.v1.%s subjects' % kind: (of(RBAC, kind, name, roleRef=ROLE_REF), {'subjects': SUBJECTS}, 'subjects', {'metadata': {'labels': {'a': 'b'}}})
       for kind, name in (('RoleBinding', 'web'), ('ClusterRoleBinding', '__NS__'))},
    **{'admissionregistration.v1.%s -' % kind: (
        admission(kind + 'Configuration', webhooks=[hook()]), {'webhooks': [hook(name='b.example.com')]}, 'webhooks[name="b.example.com"]',
        {'metadata': {'labels': {'a': 'b'}}}) for kind in ('MutatingWebhook', 'ValidatingWebhook')},
}
# Fields that this server lets nobody add to an object that exists, or that exclude what the manifest has. Some are in tests/cases.
UNTRIED = ('core.v1.SecurityContext privileged', 'core.v1.PersistentVolumeSpec hostPath', 'admissionregistration.v1.WebhookClientConfig service',
           'admissionregistration.v1.WebhookClientConfig url')


def privilege(cl, check, line):
    manifest, added, path, near = LINES[line]
    for patch, warned in ((added, True), (near, False)):
        space = Space(cl, 'warnings')
        try:
            must(space.apply(manifest))
            quiet = space.explain(manifest)
            check.says(line + ': at first', quiet, 0, lacks=['privileges'])
            target = '%s %s' % (manifest['kind'], space.named(manifest)['metadata']['name'])
            space.patch(target, patch, kind='strategic')
            text = space.explain(manifest)
            if warned:
                check.says(line, text, 0, has=['unchanged', 'warning: apply keeps privileges that the manifest does not have: %s, set by somebody (Update; last write ' % path])
            else:
                check.says(line + ': the near miss', text, 0, lacks=['privileges'])
        finally:
            if space.named(manifest)['metadata']['name'] == space.name:
                space.kubectl('delete', '-f', 'm.json', '--wait=false')


def left_objects(cl, check):
    """What earlier manifests had is named: in a namespace of its own, what kubectl or smp applied; not what others made."""
    space = Space(cl, 'left')
    marked = lambda name, **labels: config_map(name, {'labels': labels}, a='1')
    web = deployment()
    must(space.apply([web, marked('old', app='web'), marked('stranger')], tool='kubectl'))
    must(space.kubectl('create', '-f', space.write('made.json', marked('made', app='web'))))
    must(space.apply(marked('web-of-last-year'), tool='kubectl'))
    must(space.kubectl('patch', 'configmap', 'stranger', '--field-manager=kubectl-edit', '-p', '{"data": {"a": "2"}}'))
    left = 'applied before and not in the input; they stay without --prune:'
    others = ['made', 'not looked for']
    check.says('with a new object', space.explain([web, marked('new', app='web')], '--wide'), 1, has=[left, 'old', 'stranger (others set a; by kubectl-edit)', 'web-of-last-year'], lacks=others)
    check.says('a first installation', space.explain([marked('new', app='web')], '--wide'), 1, lacks=[left, 'not looked for'])
    check.says('nothing is new', space.explain([merge(web, {'spec': {'replicas': 2}})], '--wide'), 1, lacks=[left, 'not looked for'])
    check.says('with --prune', space.explain([web, marked('new', app='web')], '--wide', '--prune', '-l', 'app=web'), 1, lacks=[left, 'not looked for'])
    check.says('with -l, which leaves out some of the input', space.explain([web, marked('new', app='web')], '--wide', '-l', 'app=web'), 1, lacks=[left])
    many = [marked('of-another-application-%d' % n) for n in range(5)]
    must(space.apply(many, tool='kubectl'))
    check.says('beside other applications', space.explain([web, marked('new', app='web')], '--wide'), 1, has=[left, 'old', 'web-of-last-year'], lacks=['of-another', *others])


def left_in_the_cluster(cl, check):
    """Roles and bindings that got other names stay, also those of the cluster that are called after what is in a namespace."""
    space = Space(cl, 'left')
    rbac = 'rbac.authorization.k8s.io/v1'
    names = [space.name + '-agent' + end for end in ('-old', '-new')]
    role = lambda name: of(rbac, 'ClusterRole', name, rules=[{'apiGroups': [''], 'resources': ['pods'], 'verbs': ['get']}])
    own = lambda name: {**role(name), 'kind': 'Role'}
    agent = lambda image: merge(deployment({'image': image}), {'metadata': {'name': space.name + '-agent'}})
    # Of the former controller: its role is called after it, and not after anything of the input.
    controller = merge(agent('a:1.0.0'), {'metadata': {'name': space.name + '-controller', 'labels': {'app': 'web'}}})
    of_controller = role(space.name + '-controller-reader')
    hook = {**of('admissionregistration.k8s.io/v1', 'MutatingWebhookConfiguration', space.name + '-agent-hook'), 'webhooks': []}
    must(space.apply([agent('a:1.0.0'), role(names[0]), own('reader-old'), controller, of_controller, hook], tool='kubectl'))
    try:
        said = space.explain([merge(agent('a:1.0.1'), {'metadata': {'labels': {'app': 'web'}}}), role(names[1])], '--wide')
        check.says('what belongs to what stays', said, 1, has=['Deployment %s/%s-controller' % (space.name, space.name), '%s-agent-old, %s-controller-reader' % (space.name, space.name),
                                                               'MutatingWebhookConfiguration %s-agent-hook' % space.name])
        said = space.explain([agent('a:1.0.1'), role(names[1]), own('reader-new')], '--wide')
        check.says('other names', said, 1, has=['they stay without --prune:', 'ClusterRole ' + names[0], 'Role %s/reader-old' % space.name])
        service = of('v1', 'Service', 'checker', spec={'ports': [{'port': 443}]})
        call = {'clientConfig': {'service': {'name': 'checker', 'namespace': space.name}}, 'sideEffects': 'None', 'admissionReviewVersions': ['v1'], 'failurePolicy': 'Ignore'}
        hooks = lambda name: {**of('admissionregistration.k8s.io/v1', 'ValidatingWebhookConfiguration', space.name + name), 'webhooks': [{'name': 'a.example.com', **call}]}
        must(space.apply([service, hooks('old')], tool='kubectl'))
        space.kubectl('patch', 'validatingwebhookconfiguration', space.name + 'old', '--type=json', '--field-manager=kubectl-patch', '-p',
                      '[{"op": "replace", "path": "/webhooks/0/failurePolicy", "value": "Fail"}]')
        check.says('webhooks of another name that call the same Service', space.explain([service, hooks('-and-new')], '--wide'), 1,
                   has=['stay without --prune: ValidatingWebhookConfiguration %sold' % space.name, 'failurePolicy Fail → Ignore; by kubectl-patch'], lacks=['is new, or was deleted'])
        space.kubectl('delete', 'validatingwebhookconfiguration', space.name + 'old')
        check.says('nothing of the cluster in the input', space.explain([agent('a:1.0.1'), own('reader-new')], '--wide'), 1,
                   has=['Role %s/reader-old' % space.name], lacks=[names[0]])
    finally:
        space.kubectl('delete', 'clusterrole', names[0], of_controller['metadata']['name'], '--wait=false')
        space.kubectl('delete', 'mutatingwebhookconfiguration', hook['metadata']['name'], '--wait=false')


def shared_hosts(cl, check):
    """A new Ingress beside one of an earlier manifest, which serves the same host."""
    space = Space(cl, 'hosts')
    limit = {'annotations': {'nginx.ingress.kubernetes.io/whitelist-source-range': '10.0.0.0/8'}}
    backend = {'path': '/', 'pathType': 'Prefix', 'backend': {'service': {'name': 'web', 'port': {'number': 80}}}}
    ingress = lambda name, host, **metadata: of('networking.k8s.io/v1', 'Ingress', name, {'labels': {'app': 'web'}, **metadata},
                                                spec={'rules': [{'host': host, 'http': {'paths': [backend]}}]})
    web = deployment()
    must(space.apply([web, ingress('web', 'a.example.com', **limit), ingress('other', 'b.example.com')], tool='kubectl'))
    shares = 'serves hosts that an Ingress serves, too, which apply does not delete'
    said = space.explain([web, ingress('web-2', 'a.example.com')], '--wide')
    check.says('the same host', said, 1, has=[shares, 'web-2 (a.example.com: Ingress web, which has whitelist-source-range, and the new one has not)'])
    check.says('with the same annotation', space.explain([web, ingress('web-2', 'a.example.com', **limit)], '--wide'), 1,
               has=['web-2 (a.example.com: Ingress web)'])
    check.says('another host', space.explain([web, ingress('web-2', 'c.example.com')], '--wide'), 1, lacks=[shares])
    check.says('the former is in the input', space.explain([web, ingress('web', 'a.example.com', **limit), ingress('web-2', 'a.example.com')], '--wide'), 1,
               lacks=[shares])


BESIDE = 'runs beside a workload that the input does not have, and that apply does not delete'
LACKS = 'comes without what others have set in the one that stays (that one → the new one)'


def renamed_workload(cl, check):
    """A Deployment gets another name: the old one runs on behind the same Service, with what others have set in it."""
    space = Space(cl, 'renamed')
    old, front = deployment(), service({'port': 80})
    must(space.apply([old, front], tool='kubectl'))
    must(space.kubectl('scale', 'deployment', 'web', '--replicas=6'))
    must(space.kubectl('set', 'env', 'deployment/web', 'DB_PASSWORD=hidden-value'))
    new = merge(old, {'metadata': {'name': 'web-production'}, 'spec': {'replicas': 3}})
    said = space.explain([new, front], '--wide')
    check.says('a Service reaches both', said, 1, has=[BESIDE, '(Deployment web; Service web reaches both)', LACKS, 'web-production (replicas 6 → 3', 'env DB_PASSWORD'],
               lacks=['seems to have been deleted', 'hidden-value'])
    elsewhere = merge(front, {'spec': {'selector': {'a': None, 'tier': 'b'}}})
    check.says('no Service reaches both', space.explain([new, elsewhere], '--wide'), 1, lacks=[BESIDE, LACKS])
    must(space.kubectl('scale', 'deployment', 'web', '--replicas=0'))
    check.says('it is scaled to 0', space.explain([new, front], '--wide'), 1, has=['(scaled to 0; '], lacks=[BESIDE, LACKS, 'seems to have been deleted'])


def renamed_application(cl, check):
    """Everything but the namespace gets another name."""
    space, reader = Space(cl, 'renamed'), Space(cl, 'renamed')
    reader.flags = ()
    home = {'apiVersion': 'v1', 'kind': 'Namespace', 'metadata': {'name': space.name}}
    of_name = lambda name, **labels: merge(deployment(), {'metadata': {'name': name, 'labels': labels}})
    old = of_name('web-controller', run='web')
    must(space.apply([home, old, config_map('settings', a='1')], tool='kubectl'))
    new = of_name('kubernetes-web', run='web')
    left = 'applied before and not in the input; they stay without --prune: Deployment %s/web-controller' % space.name
    check.says('renamed', space.explain([home, new], '--wide'), 1, has=[left])
    other = of('v1', 'Namespace', '__NS__-other', None)
    moved = merge(of_name('database'), {'metadata': {'namespace': '__NS__-other'}})
    check.says('another namespace', reader.explain([other, moved], '--wide'), 1,
               lacks=['applied before and not in the input'])


def moved_to_another_namespace(cl, check):
    """An application moves: its role is given to its ServiceAccount in the new namespace, and the old workload runs on."""
    before, after = Space(cl, 'moved'), Space(cl, 'moved')
    account = {'apiVersion': 'v1', 'kind': 'ServiceAccount', 'metadata': {'name': 'agent'}}
    binding = lambda space: of(RBAC, 'ClusterRoleBinding', before.name, roleRef=ROLE_REF, subjects=[
        {'kind': 'ServiceAccount', 'name': 'agent', 'namespace': space.name}])
    agent = merge(workload('DaemonSet', template()), {'metadata': {'name': 'agent'}, 'spec': {'template': {'spec': {'serviceAccountName': 'agent'}}}})
    settings = lambda mode: config_map('agent', mode=mode)
    try:
        must(before.apply([account, agent, settings('a'), binding(before)], tool='kubectl'))
        must(before.kubectl('patch', 'configmap', 'agent', '--field-manager=kubectl-edit', '-p', '{"data": {"mode": "b"}}'))
        must(before.kubectl('patch', 'daemonset', 'agent', '--field-manager=kubectl-edit', '-p', '{"spec": {"minReadySeconds": 9}}'))
        said = after.explain([account, agent, settings('a'), binding(after)], '--wide')
        check.says('all of it', said, 1, has=[BESIDE, 'agent (DaemonSet %s/agent)' % before.name, LACKS, 'minReadySeconds 9 → none; by kubectl-edit',
                                              'ConfigMap %s/agent (mode b → a)' % after.name, '%s/agent (others set mode; by kubectl-edit)' % before.name])
    finally:
        before.kubectl('delete', 'clusterrolebinding', before.name, '--wait=false')


def renamed_namespace(cl, check):
    """The input creates a namespace, and its workloads run in another one: only there, or in several."""
    before, other, reader = Space(cl, 'renamed'), Space(cl, 'renamed'), Space(cl, 'renamed')
    reader.flags = ()
    after = before.name + '-new'
    name = before.name + '-web'
    both = [merge(deployment({'image': 'web'}), {'metadata': {'name': n}}) for n in (name, name + '-2')]
    moved = [{'apiVersion': 'v1', 'kind': 'Namespace', 'metadata': {'name': after}}, *(merge(one, {'metadata': {'namespace': after}}) for one in both)]
    must(before.apply(both[0], tool='kubectl'))
    check.says('one alone', reader.explain(moved, '--wide'), 1, lacks=[BESIDE])
    must(before.apply(both, tool='kubectl'))
    check.says('it runs there', reader.explain(moved, '--wide'), 1, has=[BESIDE, '%s (Deployment %s/%s)' % (name, before.name, name)])
    must(other.apply(both, tool='kubectl'))
    check.says('one more environment', reader.explain(moved, '--wide'), 1, lacks=[BESIDE])


def needs_of_new_pods(cl, check):
    """Keys that a Secret lacks, known without its values, and labels that no node has."""
    space = Space(cl, 'needs')
    reads = lambda key, **more: merge(deployment({'env': [{'name': 'A', 'valueFrom': {'secretKeyRef': {'name': 'db', 'key': key, **more}}}]}), {})
    must(space.kubectl('create', 'secret', 'generic', 'db', '--from-literal=user=hidden-value'))
    missing = 'key password of Secret %s/db is missing on the server' % space.name
    check.says('a key that is not there', space.explain(reads('password'), '--wide'), 1, has=[missing], lacks=['hidden-value'])
    check.says('an optional one', space.explain(reads('password', optional=True), '--wide'), 1, lacks=[missing])
    check.says('one that is there', space.explain(reads('user'), '--wide'), 1, lacks=['is missing'])
    volume = {'name': 'v', 'secret': {'secretName': 'db'}}
    mounts = lambda path: deployment({'volumeMounts': [{'name': 'v', 'mountPath': '/a', 'subPath': path}]}, volumes=[volume])
    check.says('a file that is not there', space.explain(mounts('password')), 1, has=[missing + ': new Pods find an empty folder in place of the file'])
    check.says('a file that is there', space.explain(mounts('user')), 1, lacks=['is missing'])
    must(space.apply(reads('password')))
    check.says('Pods of today miss it, too', space.explain(merge(reads('password'), {'spec': {'replicas': 3, 'minReadySeconds': 5}}), '--wide'), 1, lacks=[missing])
    priority = {'apiVersion': 'scheduling.k8s.io/v1', 'kind': 'PriorityClass', 'metadata': {'name': space.name}, 'value': 1}
    ranked = deployment(priorityClassName=space.name)
    check.says('a class that is missing', space.explain(ranked), 1, has=['PriorityClass %s is missing' % space.name])
    check.says('a class of the input', space.explain([priority, ranked]), 1, lacks=['is missing'])
    label = 'example.com/' + space.name
    needs = merge(deployment(), {'spec': {'template': {'spec': {'nodeSelector': {label: 'a'}}}}})
    check.says('no node', space.explain(needs, '--wide'), 1, has=['new Pods need a label that no node has now', label + '=a'])
    try:
        must(space.kubectl('create', '-f', space.write('node.json', {'apiVersion': 'v1', 'kind': 'Node', 'metadata': {'name': space.name, 'labels': {label: 'a'}}})))
        check.says('a node has it', space.explain(needs, '--wide'), 1, lacks=['new Pods need'])
        term = lambda *values: {'matchExpressions': [{'key': label, 'operator': 'In', 'values': values}]}
        requires = lambda *terms: deployment(affinity={'nodeAffinity': {'requiredDuringSchedulingIgnoredDuringExecution': {'nodeSelectorTerms': terms}}})
        no_node = 'new Pods need a label that no node has now'
        check.says('an affinity', space.explain(requires(term('b', 'c'))), 1, has=[no_node, label + ' in (b,c)'])
        check.says('an affinity that a node has', space.explain(requires(term('a', 'c'))), 1, lacks=[no_node])
        check.says('one of two terms', space.explain(requires(term('a'), term('b'))), 1, lacks=[no_node])
    finally:
        space.kubectl('delete', 'node', space.name, '--wait=false')


def missing_services(cl, check):
    """A changed setting names a Service that neither the input nor the server has."""
    space = Space(cl, 'warnings')
    with_url = lambda url: deployment({'env': [{'name': 'DB', 'value': url}]})
    must(space.apply([with_url('postgres://db:5432/shop'), config_map('settings', cache='redis:6379')]))
    new = [with_url('postgres://db-2:5432/shop'), config_map('settings', cache='redis.__NS__.svc:6379')]
    check.says('nobody has them', space.explain(new), 1, has=['names a Service that neither the input nor the server has', 'DB db-2', 'cache redis.%s.svc' % space.name])
    must(space.apply(service({'port': 5432}, name='db-2')))
    check.says('the server has one, and the input one', space.explain([*new, service({'port': 6379}, name='redis')]), 1,
               has=['db → db-2', 'redis → redis.'], lacks=['neither the input'])
    asks = lambda host: deployment({'args': ['--url=https://%s:9090/x' % host]})
    none, there = 'prometheus.__NS__.svc', 'db-2.__NS__.svc.cluster.local'
    named = 'names a Service that neither the input nor the server has: Deployment %s/web (args prometheus.%s.svc' % (space.name, space.name)
    check.says('an argument', space.explain(asks(none)), 1, has=[named])
    check.says('of a new object', space.explain({**asks(none), 'metadata': {'name': 'new'}}), 1, has=['neither the input', 'new (args prometheus.'])
    check.says('an argument with a Service that is there', space.explain(asks(there)), 1, lacks=['neither the input'])
    check.says('a path is no host', space.explain(deployment({'args': ['--out=/data/report.final.svc']})), 1, lacks=['neither the input'])
    marked = {'metadata': {'labels': {'app': 'pruned'}}}
    must(space.apply(merge(service({'port': 80}, name='gone'), marked)))
    check.says('a Service that is pruned', space.explain(merge(asks('gone.__NS__.svc'), marked), '--prune', '-l', 'app=pruned', '--prune-allowlist', 'core/v1/Service'), 1,
               has=['neither the input', 'args gone.'])
    check.says('an address outside', space.explain(with_url('postgres://db.example.com:5432/shop')), 1, has=['db → db.example.com'], lacks=['neither the input'])


def missing_of_paused(cl, check):
    """What a paused Deployment needs is missing once somebody resumes it."""
    space = Space(cl, 'warnings')
    paused = lambda name, spec, **more: merge(deployment(spec), {'metadata': {'name': name}, 'spec': {'paused': True, **more}})
    needs = {'envFrom': [{'configMapRef': {'name': 'urls'}}]}
    must(space.apply(paused('web', {})))
    said = space.explain([paused('web', needs), paused('new', needs)])
    check.says('it is told', said, 1, has=['! ConfigMap %s/urls is missing' % space.name, 'needed by Deployment', 'does not start them', '(paused)'])
    check.says('not of what is scaled to 0', space.explain(paused('none', needs, paused=False, replicas=0)), 1, lacks=['urls is missing'])


def missing_of_ingresses(cl, check):
    """An Ingress names a Service and a TLS Secret that neither the input nor the server has."""
    space = Space(cl, 'warnings')
    backend = {'service': {'name': 'shop', 'port': {'number': 80}}}
    shop = ingress(defaultBackend=backend, tls=[{'hosts': ['shop.example.com'], 'secretName': 'shop-tls'}])
    no_service, no_secret = 'names a Service that neither', 'names a TLS Secret that neither the input nor the server has'
    check.says('nobody has them', space.explain(shop), 1, has=[no_service, 'backend shop', no_secret, 'shop-tls'])
    made = merge(shop, {'metadata': {'annotations': {'cert-manager.io/cluster-issuer': 'ours'}}})
    action = {'path': '/x', 'pathType': 'Prefix', 'backend': {'service': {'name': 'ssl-redirect', 'port': {'name': 'use-annotation'}}}}
    check.says('an action of a controller', space.explain(of('networking.k8s.io/v1', 'Ingress', 'actions', spec={'rules': [{'http': {'paths': [action]}}]})), 1, lacks=[no_service])
    check.says('a controller makes the Secret', space.explain(made), 1, has=[no_service], lacks=[no_secret])
    check.says('the input has them', space.explain([shop, service({'port': 80}, name='shop'), secret(name='shop-tls')]), 1, lacks=['that neither'])
    must(space.apply(shop))
    check.says('it names them today', space.explain(merge(shop, {'metadata': {'labels': {'a': 'b'}}})), 1, lacks=['that neither'])


def missing_class(cl, check):
    """An Ingress names an IngressClass that neither the input nor the server has."""
    space = Space(cl, 'warnings')
    web = lambda name: ingress(ingressClassName=name, rules=[{'host': 'class.example.com'}])
    ours = of('networking.k8s.io/v1', 'IngressClass', space.name, spec={'controller': 'example.com/ours'})
    words = 'names an IngressClass that neither the input nor the server has'
    must(space.apply(web('old')))
    check.says('nobody has it', space.explain(web('none')), 1, has=['! ' + words, '(none)'])
    check.says('the input has it', space.explain([web(space.name), ours]), 1, lacks=[words])
    check.says('it is missing today, too', space.explain(merge(web('old'), {'metadata': {'labels': {'a': 'b'}}})), 1, lacks=[words])
    must(space.apply(ours))
    try:
        check.says('the server has it', space.explain(web(space.name)), 1, lacks=[words])
    finally:
        space.kubectl('delete', 'ingressclass', space.name, '--wait=false')


def refused_pods(cl, check):
    """Pod Security and quotas refuse Pods, not the workloads that start them."""
    space = Space(cl, 'warnings')
    home = lambda level: {'apiVersion': 'v1', 'kind': 'Namespace', 'metadata': {'name': space.name, 'labels': {'pod-security.kubernetes.io/enforce': level}}}
    words, free = 'new Pods will be refused by admission', deployment({'securityContext': {'privileged': True}})
    must(space.apply(home('baseline')))
    check.says('Pod Security', space.explain(free), 1, has=['! ' + words, 'Pod Security baseline: privileged'])
    suspended = lambda suspend: of('batch/v1', 'Job', 'task', spec={'suspend': suspend, 'template': {'spec': pod_spec({'ports': [{'containerPort': 80, 'hostPort': 80}]}, restartPolicy='Never')}})
    must(space.apply(suspended(True)))
    check.says('a Job that is resumed', space.explain(suspended(False)), 1, has=['! ' + words])
    others = [cl.new_namespace('warnings') for _ in range(5)]
    file = space.path(space.write('all.json', [merge(free, {'metadata': {'namespace': name}}) for name in [space.name, *others]]))
    check.says('many namespaces', cl.smp('explain-diff', '-f', file, '--wide'), 1, has=['! ' + words, space.name + '/web (Pod Security'])
    plain = deployment({})
    check.says('restricted', space.explain([home('restricted'), plain]), 1, has=['Pod Security restricted: allowPrivilegeEscalation is not false'])
    check.says('baseline', space.explain(plain), 1, lacks=[words])
    check.says('the input allows it', space.explain([home('privileged'), free]), 1, lacks=[words])
    quota = of('v1', 'ResourceQuota', 'ours', spec={'hard': {'limits.memory': '1Gi', 'pods': '9'}})
    must(space.apply([home('privileged'), quota]))
    limited = deployment({'resources': {'limits': {'memory': '1Gi', 'cpu': '1'}}})
    check.says('a quota', space.explain(free), 1, has=['! ' + words, 'ResourceQuota ours: no limits.memory'])
    check.says('what the quota counts is stated', space.explain(limited), 1, lacks=[words])
    labelled = merge(quota, {'metadata': {'labels': {'chart': '2'}}})
    check.says('the quota gets a label', space.explain([labelled, free]), 1, has=['! ' + words, 'ResourceQuota ours: no limits.memory'])
    check.says('the input changes the quota', space.explain([merge(quota, {'spec': {'hard': {'limits.memory': None}}}), free]), 1, lacks=[words])
    must(space.apply(of('v1', 'LimitRange', 'ours', spec={'limits': [{'type': 'Container', 'default': {'memory': '1Gi'}}]})))
    check.says('a LimitRange sets it', space.explain(free), 1, lacks=[words])


def renamed_workloads(cl, check):
    """A workload of another name, or a Pod of the same one, stays beside the new one."""
    space = Space(cl, 'warnings')
    named = lambda name: merge(deployment({}), {'metadata': {'name': name}})
    must(space.apply([named('driver-amd64'), config_map('m', a='b'), of('v1', 'Pod', 'db', spec={'containers': [{'name': 'a', 'image': 'a:1'}]})]))
    beside = 'runs beside a workload that the input does not have'
    changed = config_map('m', a='c')
    check.says('a shorter name', space.explain([named('driver'), changed]), 1, has=[beside, '(Deployment driver-amd64)'], lacks=['seems to have been deleted'])
    check.says('a Pod', space.explain([named('db'), changed]), 1, has=[beside, '(Pod of the same name)'], lacks=['seems to have been deleted'])
    must(space.apply(named('store-16'), tool='kubectl'))
    claim = of('v1', 'PersistentVolumeClaim', 'data-17', spec={'accessModes': ['ReadWriteOnce'], 'resources': {'requests': {'storage': '1Gi'}}})
    later = merge(named('store-17'), {'spec': {'template': {'spec': {'volumes': [{'name': 'v', 'persistentVolumeClaim': {'claimName': 'data-17'}}]}}}})
    check.says('another version', space.explain([later, claim, changed]), 1, has=[beside, '(Deployment store-16; its claim data-17 is new and empty)'])


def roles_of_running_workloads(cl, check):
    """The new version has another ServiceAccount and another name, and the old one runs on without its rights."""
    space = Space(cl, 'warnings')
    rbac = 'rbac.authorization.k8s.io/v1'
    role = {**of(rbac, 'Role', 'agent'), 'rules': [{'apiGroups': [''], 'resources': ['pods'], 'verbs': ['get']}]}
    binding = lambda account: {**of(rbac, 'RoleBinding', 'agent'), 'roleRef': {'apiGroup': 'rbac.authorization.k8s.io', 'kind': 'Role', 'name': 'agent'},
                               'subjects': [{'kind': 'ServiceAccount', 'name': account, 'namespace': space.name}]}
    runs_as = lambda name, account: merge(deployment({}), {'metadata': {'name': name}, 'spec': {'template': {'spec': {'serviceAccountName': account}}}})
    account = lambda name: of('v1', 'ServiceAccount', name)
    must(space.apply([role, binding('agent'), account('agent'), runs_as('agent', 'agent')], tool='kubectl'))
    words = '! takes a role from workloads that go on running as they are: RoleBinding %s/agent (Deployment %s/agent)' % (space.name, space.name)
    new = [role, binding('agent-2'), account('agent-2'), runs_as('agent-2', 'agent-2')]
    check.says('it stays', space.explain(new, '--wide'), 1, has=[words])
    check.says('it gets new Pods', space.explain([role, binding('agent-2'), account('agent-2'), runs_as('agent', 'agent-2')], '--wide'), 1, lacks=['takes a role from'])
    again = merge(binding('agent'), {'metadata': {'name': 'agent-again'}})
    check.says('another binding gives it back', space.explain([*new, again], '--wide'), 1, lacks=['takes a role from', 'lost by'])
    space.kubectl('scale', 'deployment/agent', '--replicas=0')
    check.says('it has no Pods', space.explain(new, '--wide'), 1, lacks=['takes a role from'])


def labels_of_a_recreated_job(cl, check):
    """The server sets a Job's own labels again; what somebody has added goes."""
    space = Space(cl, 'warnings')
    job = lambda image: of('batch/v1', 'Job', 'task', spec={'template': {'spec': {'restartPolicy': 'Never', 'containers': [{'name': 'a', 'image': image}]}}})
    must(space.apply(job('a:1')))
    must(space.kubectl('label', 'job', 'task', 'team=shop'))
    check.says('with --force', space.explain(job('a:2'), '--force'), 1, has=['- metadata.labels.team: shop', 'labels team shop → none'], lacks=['controller-uid', 'job-name'])


def two_defaults(cl, check):
    """A class becomes the default while another one is."""
    space = Space(cl, 'warnings')
    kind = lambda name, default: merge(of('networking.k8s.io/v1', 'IngressClass', '%s-%s' % (space.name, name), spec={'controller': 'example.com/x'}),
                                       {'metadata': {'annotations': {'ingressclass.kubernetes.io/is-default-class': default}}})
    words = 'becomes a default class beside another one: IngressClass %s-new (%s-old)' % (space.name, space.name)
    must(space.apply(kind('old', 'true')))
    try:
        check.says('beside one of the server', space.explain(kind('new', 'true')), 1, has=[words])
        check.says('it is no default', space.explain(kind('new', 'false')), 1, lacks=['becomes a default'])
        check.says('it takes its place', space.explain([kind('new', 'true'), kind('old', 'false')]), 1, lacks=['becomes a default'])
        labeled = lambda name: merge(kind(name, 'true'), {'metadata': {'labels': {'of': space.name}}})
        must(space.apply(labeled('old'), tool='kubectl'))
        prune = ['--prune', '-l', 'of=' + space.name, '--prune-allowlist=networking.k8s.io/v1/IngressClass']
        check.says('the other one is pruned', space.explain(labeled('new'), *prune), 1, has=['1 to delete'], lacks=['becomes a default'])
    finally:
        space.kubectl('delete', 'ingressclass', space.name + '-old', '--wait=false')


def ports_of_others(cl, check):
    """An Ingress and a Service outside of the input name ports that the apply takes away."""
    space = Space(cl, 'warnings')
    backend = lambda port: {'service': {'name': 'shop', 'port': {'number': port}}}
    pods = lambda port: deployment({'ports': [{'containerPort': port}]})
    must(space.apply([service({'port': 80}, name='shop'), pods(3000), {**ingress(defaultBackend=backend(80)), 'metadata': {'name': 'public'}},
                      service({'port': 80, 'targetPort': 3000}, name='edge')]))
    words = 'loses a port that objects outside of the input name'
    check.says('a Service', space.explain(service({'port': 8000}, name='shop')), 1, has=['! ' + words, '80: Ingress public'])
    check.says('Pods', space.explain(pods(3001)), 1, has=['! ' + words, '3000: Service edge'])
    check.says('one more', space.explain(service({'port': 80, 'name': 'a'}, {'port': 8000, 'name': 'b'}, name='shop')), 1, lacks=[words])
    changed = [service({'port': 8000}, name='shop'), {**ingress(defaultBackend=backend(8000)), 'metadata': {'name': 'public'}}]
    check.says('the input has it, too', space.explain(changed), 1, lacks=[words])
    must(space.kubectl('label', 'ingress', 'public', 'tier=b'))
    shop = lambda port: merge(service({'port': port}, name='shop'), {'metadata': {'labels': {'tier': 'b'}}})
    prune = ['--prune', '-l', 'tier=b', '--prune-allowlist=networking.k8s.io/v1/Ingress']
    check.says('the Ingress is pruned', space.explain(shop(8000), *prune), 1, has=['1 to delete'], lacks=[words])


def unread_objects(cl, check):
    """A role may no longer read custom resources, of which there are some."""
    space = Space(cl, 'unread')
    group = space.name + '.example.com'
    reads = lambda *rules: of('rbac.authorization.k8s.io/v1', 'ClusterRole', space.name, rules=[
        {'apiGroups': [g], 'resources': [r], 'verbs': ['get', 'list', 'watch']} for g, r in rules])
    crd = definition()
    must(space.apply([crd, reads(('', 'pods'), (group, 'widgets'))], '--wait-ready'))
    less, words = reads(('', 'pods')), 'may no longer read custom resources that exist'
    try:
        cl.await_api(group + '/v1')
        check.says('none exists', space.explain(less, '--wide'), 1, has=['takes rights away'], lacks=[words])
        must(space.apply(custom(name='one')))
        check.says('one exists', space.explain(less, '--wide'), 1, has=[words, '%s (widgets.%s: one)' % (space.name, group)])
        role, elsewhere = {**reads(('', 'pods'), (group, 'widgets')), 'kind': 'Role'}, Space(cl, 'unread')
        must(elsewhere.apply(role))
        check.says('a Role elsewhere', elsewhere.explain({**role, 'rules': less['rules']}, '--wide'), 1, has=['takes rights away'], lacks=[words])
        check.says('it may still read them', space.explain(reads((group, 'widgets')), '--wide'), 1, lacks=[words])
        every = merge(reads((group, 'widgets')), {})
        every['rules'] = [{**rule, 'verbs': ['*']} for rule in every['rules']]
        must(space.apply(every))
        check.says('of all verbs, those for reading stay', space.explain(reads((group, 'widgets')), '--wide'), 1, has=['takes rights away'], lacks=[words])
    finally:
        space.kubectl('delete', 'clusterrole', space.name, '--wait=false')
        space.kubectl('delete', 'crd', 'widgets.' + group, '--wait=false')


def privileges(cl, check):
    lines = [' '.join(line.split(' ')[:2])[len('io.k8s.api.'):] for line in facts.lines('privileges.txt', cl.server.release())]
    check.equal('every line is tried', sorted(lines), sorted([*LINES, *UNTRIED]))
    check.each([(line, line) for line in lines if line in LINES], lambda _, line: privilege(cl, check, line))


if __name__ == '__main__':
    sys.exit(harness.run(__doc__, autoscaled, stays_at_zero, near_misses, lists, conflicts, left_workloads, left_objects, left_in_the_cluster, shared_hosts, renamed_workload, renamed_application, moved_to_another_namespace, renamed_namespace,
                         needs_of_new_pods, missing_services, missing_of_paused, missing_of_ingresses, missing_class, refused_pods, renamed_workloads, roles_of_running_workloads, labels_of_a_recreated_job, two_defaults, ports_of_others, unread_objects, privileges))
