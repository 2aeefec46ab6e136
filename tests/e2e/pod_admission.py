#!/usr/bin/env python3
"""Pods that admission refuses: explain-diff says it of a Pod where a dry run on the server is refused by Pod Security or a quota, and of
no other one."""
import re
import sys

import harness
from harness import NotApplicable, Space, must
from harness.manifests import of, pod_spec

LABEL = 'pod-security.kubernetes.io/enforce'
VERSIONS = ('v1.18', 'v1.24', 'v1.28', 'v1.31', 'v1.33', 'latest')
SAFE = {'allowPrivilegeEscalation': False, 'capabilities': {'drop': ['ALL']}, 'runAsNonRoot': True, 'seccompProfile': {'type': 'RuntimeDefault'}}
HOST = {'host': '10.0.0.1', 'port': 80}
NEW = ('tcp_rmem', 'tcp_keepalive_time', 'ip_local_reserved_ports', 'tcp_syncookies', 'tcp_mtu_probing')
SOURCES = {'configMap': {'name': 'a'}, 'csi': {'driver': 'a.b'}, 'downwardAPI': {}, 'emptyDir': {}, 'persistentVolumeClaim': {'claimName': 'a'},
           'projected': {'sources': []}, 'secret': {'secretName': 'a'}, 'nfs': {'server': 'a', 'path': '/a'}, 'hostPath': {'path': '/a'},
           'image': {'reference': 'a'}, 'iscsi': {'targetPortal': 'a:1', 'iqn': 'iqn.2001-04.com.example:a', 'lun': 0}}


def safe(**more):
    """The securityContext of a container that restricted allows, with these fields; None takes one away."""
    return {key: value for key, value in {**SAFE, **more}.items() if value is not None}


def without(*names):
    return safe(**{name: None for name in names})


def pods():
    """Yields (name, annotations, fields of the container, fields of the Pod)."""
    contexts = {
        'nothing': {}, 'safe': SAFE, 'privileged': {'privileged': True}, 'added-allowed': safe(capabilities={'drop': ['ALL'], 'add': ['NET_BIND_SERVICE']}),
        'added-default': safe(capabilities={'drop': ['ALL'], 'add': ['CHOWN']}), 'added': safe(capabilities={'drop': ['ALL'], 'add': ['SYS_TIME']}),
        'drops-one': safe(capabilities={'drop': ['NET_RAW']}), 'drops-none': without('capabilities'), 'escalates': without('allowPrivilegeEscalation'),
        'root': safe(runAsUser=0), 'a-user': safe(runAsUser=1), 'may-be-root': safe(runAsNonRoot=False), 'no-word-of-root': without('runAsNonRoot'),
        'unconfined': safe(seccompProfile={'type': 'Unconfined'}), 'of-a-file': safe(seccompProfile={'type': 'Localhost', 'localhostProfile': 'a'}),
        'no-seccomp': without('seccompProfile'), 'armor': safe(appArmorProfile={'type': 'Unconfined'}), 'armored': safe(appArmorProfile={'type': 'RuntimeDefault'}),
        'selinux': safe(seLinuxOptions={'type': 'spc_t'}), 'selinux-engine': safe(seLinuxOptions={'type': 'container_engine_t'}),
        'selinux-init': safe(seLinuxOptions={'type': 'container_init_t', 'level': 's0'}), 'selinux-user': safe(seLinuxOptions={'user': 'a'}),
        'proc': safe(procMount='Default'), 'read-only': safe(readOnlyRootFilesystem=True)}
    for name, context in contexts.items():
        yield name, {}, {'securityContext': context}, {}
    container = {'securityContext': SAFE}
    for name, fields in {
            'host-port': {'ports': [{'containerPort': 80, 'hostPort': 80}]}, 'port': {'ports': [{'containerPort': 80}]},
            'probe-host': {'livenessProbe': {'tcpSocket': HOST}}, 'probe': {'readinessProbe': {'httpGet': {'port': 80}}},
            'hook-host': {'lifecycle': {'postStart': {'httpGet': HOST}}}, 'hook': {'lifecycle': {'preStop': {'httpGet': {'port': 80}}}}}.items():
        yield name, {}, {**container, **fields}, {}
    for name, fields in {
            'host-network': {'hostNetwork': True}, 'host-ipc': {'hostIPC': True}, 'host-pid': {'hostPID': True}, 'as-root': {'securityContext': {'runAsUser': 0}},
            'as-false': {'securityContext': {'runAsNonRoot': False}}, 'as-unconfined': {'securityContext': {'seccompProfile': {'type': 'Unconfined'}}},
            'init': {'initContainers': [{'name': 'i', 'image': 'a'}]}, 'own-users': {'hostUsers': False}, 'no-source': {'volumes': [{'name': 'v'}]}}.items():
        yield name, {}, container, fields
    for kind, source in SOURCES.items():
        yield 'volume-' + kind.lower(), {}, container, {'volumes': [{'name': 'v', kind: source}]}
    for name in NEW:
        yield 'sysctl-' + name.replace('_', '-'), {}, container, {'securityContext': {'sysctls': [{'name': 'net.ipv4.' + name, 'value': '1'}]}}
    for name, context in (('own-users-root', without('runAsNonRoot')), ('own-users-user', safe(runAsUser=0, runAsNonRoot=None)),
                          ('own-users-proc', safe(procMount='Unmasked'))):
        yield name, {}, {'securityContext': context}, {'hostUsers': False}
    whole = {'securityContext': {'runAsNonRoot': True, 'seccompProfile': {'type': 'RuntimeDefault'}}}
    yield 'of-the-pod', {}, {'securityContext': without('runAsNonRoot', 'seccompProfile')}, whole
    yield 'null', {}, {'securityContext': {**SAFE, 'runAsNonRoot': None, 'seccompProfile': None}}, whole
    yield 'windows', {}, {}, {'os': {'name': 'windows'}}
    yield 'windows-user', {}, {'securityContext': {'runAsNonRoot': True}}, {'os': {'name': 'windows'}}
    yield 'windows-host', {}, {}, {'os': {'name': 'windows'}, 'hostNetwork': True, 'securityContext': {'windowsOptions': {'hostProcess': True}}}
    for name, profile in (('unconfined', 'unconfined'), ('default', 'runtime/default'), ('local', 'localhost/a')):
        yield 'armor-annotation-' + name, {'container.apparmor.security.beta.kubernetes.io/web': profile}, container, {}


def manifests():
    return [of('v1', 'Pod', name, {'annotations': annotations}, spec=pod_spec(container, **fields)) for name, annotations, container, fields in pods()]


def refused_by_server(space, manifest):
    """The names of the Pods that the server would not create."""
    result = space.kubectl('create', '--dry-run=server', '--validate=false', '-f', space.write('pods.json', manifest))
    names = re.findall(r'pods "([^"]+)" is forbidden: (?:violates PodSecurity|failed quota)', result.stderr)
    taken = re.findall(r'^pod/(\S+) created', result.stdout, re.M)
    return set(names), set(taken)


def said_of(space, manifest):
    file = space.write(manifest['metadata']['name'] + '.json', manifest)
    return 'new Pods will be refused by admission' in space.smp('explain-diff', '-f', file, '--wide').stdout


def is_known(cl, manifest):
    """False if the server is of another release, and lacks a field."""
    try:
        cl.server.need(manifest)
        return True
    except NotApplicable:
        return False


def compare(check, space, name, all_pods):
    """Pods that the server refuses for another reason, such as a path that is missing, count for nothing."""
    known = [pod for pod in all_pods if is_known(space.cl, pod)]
    refused, taken = refused_by_server(space, {'apiVersion': 'v1', 'kind': 'List', 'items': known})
    check.true('%s: the server judges most' % name, len(refused | taken) >= len(known) - 4, 'not %d of %d' % (len(refused | taken), len(known)))

    def one(pod, manifest):
        if pod in refused or pod in taken:
            check.equal('%s: %s' % (name, pod), said_of(space, manifest), pod in refused)
    check.each([(pod['metadata']['name'], pod) for pod in known], one, workers=8)
    return refused, taken


def pod_security(cl, check):
    """Each level in each version that has other rules."""
    refused, taken = set(), set()
    for version in VERSIONS:
        for level in ('baseline', 'restricted'):
            space = Space(cl, 'pod-security')
            must(space.kubectl('create', 'serviceaccount', 'default'))
            must(space.kubectl('label', 'namespace', space.name, LABEL + '=' + level, LABEL + '-version=' + version))
            for names, more in zip((refused, taken), compare(check, space, '%s %s' % (level, version), manifests())):
                names.update(more)
    check.true('many are refused, and many taken', len(refused) > 30 and len(taken) > 30, '%d, %d' % (len(refused), len(taken)))


def quotas(cl, check):
    """What a quota counts and no LimitRange sets, each container has to state, unless the Pod has resources as a whole."""
    limits, requests = {'cpu': '1', 'memory': '1Gi'}, {'cpu': '1m', 'memory': '1Mi'}
    resources = {'none': {}, 'limits': {'limits': limits}, 'requests': {'requests': requests}, 'cpu': {'limits': {'cpu': '1'}},
                 'mixed': {'limits': {'cpu': '1'}, 'requests': {'cpu': '1m', 'memory': '1Mi'}}, 'null': {'limits': {'cpu': None}}}
    pods = [of('v1', 'Pod', name, spec=pod_spec({'resources': own})) for name, own in resources.items()]
    pods += [of('v1', 'Pod', 'whole-' + name, spec=pod_spec({}, resources=own)) for name, own in resources.items() if name in ('limits', 'requests', 'cpu')]
    pods += [of('v1', 'Pod', 'init', spec=pod_spec({'resources': {'limits': limits}}, initContainers=[{'name': 'i', 'image': 'a'}]))]
    hard = [{'limits.memory': '9Gi'}, {'requests.cpu': '9', 'limits.memory': '9Gi'}, {'cpu': '9'}, {'pods': '9'}, {'requests.storage': '9Gi', 'memory': '9Gi'}]
    ranges = [None, {'type': 'Container', 'default': {'memory': '1Gi'}}, {'type': 'Container', 'defaultRequest': {'cpu': '1m'}}, {'type': 'Pod', 'max': {'cpu': '9'}}]
    for number, counted in enumerate(hard):
        for at, limit in enumerate(ranges):
            space = Space(cl, 'quotas')
            must(space.kubectl('create', 'serviceaccount', 'default'))
            must(space.apply(of('v1', 'ResourceQuota', 'q', spec={'hard': counted})))
            # Its controller, which is not here, writes this.
            space.patch('resourcequota q', {'status': {'hard': counted, 'used': {name: '0' for name in counted}}}, subresource='status')
            if limit:
                must(space.apply(of('v1', 'LimitRange', 'l', spec={'limits': [limit]})))
            compare(check, space, 'quota %d, range %d' % (number, at), pods)


if __name__ == '__main__':
    sys.exit(harness.run(__doc__, pod_security, quotas))
