#!/usr/bin/env python3
"""Fields that the server derives from others and stores follow when those change, unless somebody set them to something of their
own; and every switch between the types of a Service, whose fields depend on each other, is accepted."""
import json
import sys

import cluster


def of(api_version, kind, **fields):
    return {'apiVersion': api_version, 'kind': kind, 'metadata': {'name': 'web'}, **fields}


def policy(**spec):
    return of('networking.k8s.io/v1', 'NetworkPolicy', spec={'podSelector': {}, **spec})


def deployment(**spec):
    return of('apps/v1', 'Deployment', spec={'selector': {'matchLabels': {'a': 'b'}}, 'template': {
        'metadata': {'labels': {'a': 'b'}}, 'spec': {'containers': [{'name': 'web', 'image': 'web:1'}], **spec}}})


class Steps:
    """Manifests that are applied one after another to one object in a namespace of its own."""

    def __init__(self, check, cl, label, plural):
        self.check, self.cl, self.label, self.plural = check, cl, label, plural
        self.namespace = cl.new_namespace('derived')

    def apply(self, what, manifest):
        self.cl.write('m.json', json.dumps(manifest))
        result = self.cl.smp('apply', '-f', 'm.json', '-n', self.namespace)
        self.check('%s, %s: is applied' % (self.label, what), '' if result.returncode == 0 else result.stdout + result.stderr)
        again = self.cl.smp('apply', '-f', 'm.json', '-n', self.namespace)
        self.check('%s, %s: again unchanged' % (self.label, what), '' if again.stdout.endswith(' unchanged\n') else again.stdout + again.stderr)
        return self.live()

    def live(self):
        return self.cl.get(self.plural, 'web', '-n', self.namespace)

    def patch(self, patch):
        self.cl.must(self.cl.kubectl('patch', self.plural, 'web', '-n', self.namespace, '--type=merge', '-p', json.dumps(patch)))

    def expect(self, what, found, wanted):
        self.check('%s, %s: %s' % (self.label, what, json.dumps(wanted)), '' if found == wanted else json.dumps(found))


def check_policy_types(check, cl):
    steps = Steps(check, cl, 'policyTypes', 'networkpolicies')
    rows = (('ingress', policy(ingress=[{}]), ['Ingress']),
            ('egress appears', policy(ingress=[{}], egress=[{}]), ['Ingress', 'Egress']),
            ('egress changes', policy(ingress=[{}], egress=[{'to': [{'podSelector': {}}]}]), ['Ingress', 'Egress']),
            ('egress goes', policy(ingress=[{}]), ['Ingress']),
            ('egress is stated', policy(ingress=[{}], policyTypes=['Egress'], egress=[{}]), ['Egress']),
            ('no longer stated', policy(ingress=[{}], egress=[{}]), ['Ingress', 'Egress']))
    for what, manifest, wanted in rows:
        steps.expect(what, steps.apply(what, manifest)['spec'].get('policyTypes'), wanted)
    steps.cl.write('m.json', json.dumps(policy()))
    explained = json.loads(steps.cl.smp('explain-diff', '-f', 'm.json', '-n', steps.namespace, '-o', 'json').stdout)
    reasons = {row['path']: row['reason'] for row in explained['objects'][0]['changes']}
    steps.expect('the reason', reasons.get('spec.policyTypes'), 'derived')
    steps.patch({'spec': {'policyTypes': ['Egress']}})
    steps.expect('somebody else said so', steps.apply('somebody else', policy(ingress=[{}]))['spec'].get('policyTypes'), ['Egress'])


def check_service_account(check, cl):
    steps = Steps(check, cl, 'service account', 'deployments')
    rows = (('named', deployment(serviceAccountName='a'), 'a'), ('other name', deployment(serviceAccountName='b'), 'b'),
            ('removed', deployment(), None), ('by the old field', deployment(serviceAccount='c'), 'c'),
            ('other name by the old field', deployment(serviceAccount='d'), 'd'),
            ('by the new field', deployment(serviceAccountName='e'), 'e'),
            ('by the old field again', deployment(serviceAccount='f'), 'f'), ('removed again', deployment(), None),
            ('by both', deployment(serviceAccount='g', serviceAccountName='g'), 'g'), ('one of both', deployment(serviceAccountName='g'), 'g'))
    for what, manifest, wanted in rows:
        spec = steps.apply(what, manifest)['spec']['template']['spec']
        steps.expect(what, [spec.get('serviceAccountName'), spec.get('serviceAccount')], [wanted, wanted])


def check_aggregated_rules(check, cl):
    steps = Steps(check, cl, 'aggregated rules', 'clusterroles')
    name = steps.namespace
    rule = {'verbs': ['get'], 'apiGroups': [''], 'resources': ['pods']}
    role = {**of('rbac.authorization.k8s.io/v1', 'ClusterRole', rules=[], aggregationRule={'clusterRoleSelectors': [{'matchLabels': {'a': name}}]}),
            'metadata': {'name': name}}
    cl.write('m.json', json.dumps(role))
    try:
        cl.must(cl.smp('apply', '-f', 'm.json'))
        cl.must(cl.kubectl('patch', 'clusterrole', name, '--type=merge', '-p', json.dumps({'rules': [rule]})))  # as the controller
        again = cl.smp('apply', '-f', 'm.json')
        steps.expect('empty in the manifest', again.stdout.endswith(' unchanged\n'), True)
        steps.expect('they stay', cl.get('clusterrole', name)['rules'], [rule])
    finally:
        cl.kubectl('delete', 'clusterrole', name, '--ignore-not-found')


SERVICES = {
    'ClusterIP': {'type': 'ClusterIP'},
    'nothing said': {},
    'NodePort': {'type': 'NodePort'},
    'NodePort, local': {'type': 'NodePort', 'externalTrafficPolicy': 'Local'},
    'LoadBalancer': {'type': 'LoadBalancer'},
    'LoadBalancer, local': {'type': 'LoadBalancer', 'externalTrafficPolicy': 'Local', 'loadBalancerClass': 'example.com/x'},
    'LoadBalancer without node ports': {'type': 'LoadBalancer', 'allocateLoadBalancerNodePorts': False, 'loadBalancerSourceRanges': ['10.0.0.0/8']},
    'ExternalName': {'type': 'ExternalName', 'externalName': 'example.com'},
    'ClusterIP with affinity': {'type': 'ClusterIP', 'sessionAffinity': 'ClientIP', 'sessionAffinityConfig': {'clientIP': {'timeoutSeconds': 9}}},
}
# The server takes the class of a load balancer only when the Service becomes one.
NOT_UPDATABLE = {('LoadBalancer', 'LoadBalancer, local'), ('LoadBalancer without node ports', 'LoadBalancer, local'),
                 ('LoadBalancer, local', 'LoadBalancer'), ('LoadBalancer, local', 'LoadBalancer without node ports')}


def service(name):
    return of('v1', 'Service', spec={'ports': [{'port': 80}], 'selector': {'a': 'b'}, **SERVICES[name]})


def check_services(check, cl):
    names = list(SERVICES)
    for i, first in enumerate(names):
        steps = Steps(check, cl, 'Service', 'services')
        at = first
        steps.apply(first, service(first))
        for other in names[i + 1:]:
            for name in (other, first):
                if (at, name) in NOT_UPDATABLE:
                    continue
                spec = steps.apply('%s to %s' % (at, name), service(name))['spec']
                wanted = SERVICES[name]
                steps.expect('%s to %s' % (at, name), {k: spec.get(k) for k in wanted}, wanted)
                at = name
        cl.kubectl('delete', 'service', 'web', '-n', steps.namespace, '--wait=false')


def main():
    check = cluster.Checks()
    with cluster.Cluster(cluster.parse_args(__doc__)) as cl:
        check_policy_types(check, cl)
        check_service_account(check, cl)
        check_aggregated_rules(check, cl)
        check_services(check, cl)
    return check.finish()


if __name__ == '__main__':
    sys.exit(main())
