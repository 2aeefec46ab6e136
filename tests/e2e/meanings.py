#!/usr/bin/env python3
"""Values that the server writes in another form than the manifest are in sync: after the first apply nothing is sent any more, and
explain-diff finds nothing. Values that only look alike are not."""
import json
import sys

import cluster
import get_only
import run as scenarios  # scenarios/run.py: its proxy


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
    'a rule for everybody': {'apiVersion': 'networking.k8s.io/v1', 'kind': 'NetworkPolicy', 'metadata': {'name': 'web'},
                             'spec': {'podSelector': {}, 'ingress': [{}]}},
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
            for name, (before, after) in CHANGED.items():
                check_changed(check, cl, config, name, before, after)
        finally:
            proxy.close()
            cl.kubectl('delete', 'persistentvolume', *cl.namespaces, '--ignore-not-found', '--wait=false')
    return check.finish()


if __name__ == '__main__':
    sys.exit(main())
