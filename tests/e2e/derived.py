#!/usr/bin/env python3
"""Fields that the server derives from others and stores follow when those change, unless somebody set them to something of their
own; and every switch between the types of a Service, whose fields depend on each other, is accepted."""
import json
import sys

import harness
from harness import Space, must
from harness.manifests import deployment, network_policy, of, service
from harness.paths import at


class Steps(Space):
    """Manifests that are applied one after another to one object in a namespace of its own."""

    def __init__(self, cl, check, label):
        super().__init__(cl, 'derived')
        self.check, self.label = check, label

    def step(self, what, manifest, *wanted):
        """Applies the manifest, twice; `wanted` is a value and the paths that must have it."""
        self.check.says('%s, %s: is applied' % (self.label, what), self.apply(manifest))
        self.check.did('%s, %s: again unchanged' % (self.label, what), self.apply(manifest), 'unchanged')
        live = self.live(manifest)
        if wanted:
            self.expect(what, [at(live, path) for path in wanted[1:]], [wanted[0]] * len(wanted[1:]))
        return live

    def expect(self, what, found, wanted):
        self.check.equal('%s, %s: %s' % (self.label, what, json.dumps(wanted)), found, wanted)


def policy_types(cl, check):
    steps, policy = Steps(cl, check, 'policyTypes'), network_policy
    for what, manifest, wanted in (
            ('ingress', policy(ingress=[{}]), ['Ingress']),
            ('egress appears', policy(ingress=[{}], egress=[{}]), ['Ingress', 'Egress']),
            ('egress changes', policy(ingress=[{}], egress=[{'to': [{'podSelector': {}}]}]), ['Ingress', 'Egress']),
            ('egress goes', policy(ingress=[{}]), ['Ingress']),
            ('egress is stated', policy(ingress=[{}], policyTypes=['Egress'], egress=[{}]), ['Egress']),
            ('no longer stated', policy(ingress=[{}], egress=[{}]), ['Ingress', 'Egress'])):
        steps.step(what, manifest, wanted, 'spec.policyTypes')
    rows = json.loads(steps.explain(policy(), '-o', 'json').stdout)['objects'][0]['changes']
    steps.expect('the reason', [row['reason'] for row in rows if row['path'] == 'spec.policyTypes'], ['derived'])
    steps.patch('networkpolicy web', {'spec': {'policyTypes': ['Egress']}})
    steps.step('somebody else set it', policy(ingress=[{}]), ['Egress'], 'spec.policyTypes')


def service_account(cl, check):
    steps = Steps(cl, check, 'service account')
    for what, fields, wanted in (
            ('named', {'serviceAccountName': 'a'}, 'a'), ('other name', {'serviceAccountName': 'b'}, 'b'), ('removed', {}, None),
            ('by the old field', {'serviceAccount': 'c'}, 'c'), ('other name by the old field', {'serviceAccount': 'd'}, 'd'),
            ('by the new field', {'serviceAccountName': 'e'}, 'e'), ('by the old field again', {'serviceAccount': 'f'}, 'f'),
            ('removed again', {}, None), ('by both', {'serviceAccount': 'g', 'serviceAccountName': 'g'}, 'g'),
            ('one of both', {'serviceAccountName': 'g'}, 'g')):
        pod = 'spec.template.spec.'
        steps.step(what, deployment(**fields), wanted, pod + 'serviceAccountName', pod + 'serviceAccount')


def aggregated_rules(cl, check):
    steps = Steps(cl, check, 'aggregated rules')
    rule = {'verbs': ['get'], 'apiGroups': [''], 'resources': ['pods']}
    role = of('rbac.authorization.k8s.io/v1', 'ClusterRole', rules=[],
              aggregationRule={'clusterRoleSelectors': [{'matchLabels': {'a': '__NS__'}}]})
    try:
        must(steps.apply(role))
        steps.patch('clusterrole ' + steps.name, {'rules': [rule]})  # as the controller
        check.did('aggregated rules, empty in the manifest', steps.apply(role), 'unchanged')
        steps.expect('they stay', steps.live(role)['rules'], [rule])
    finally:
        cl.kubectl('delete', 'clusterrole', steps.name, '--ignore-not-found')


SERVICES = {
    'ClusterIP': {'type': 'ClusterIP'},
    'no type': {},
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


def services(cl, check):
    lacking = {name: cl.server.lacking(service({'port': 80}, **spec)) for name, spec in SERVICES.items()}
    for name in filter(lacking.get, lacking):
        check.skip('Service, ' + name, lacking[name][0])
    names = [name for name in SERVICES if not lacking[name]]
    for i, first in enumerate(names):
        steps = Steps(cl, check, 'Service')
        steps.step(first, service({'port': 80}, **SERVICES[first]))
        now = first
        for name in [name for other in names[i + 1:] for name in (other, first)]:
            if (now, name) in NOT_UPDATABLE:
                continue
            wanted, what = SERVICES[name], '%s to %s' % (now, name)
            spec = steps.step(what, service({'port': 80}, **wanted))['spec']
            steps.expect(what, {k: spec.get(k) for k in wanted}, wanted)
            now = name
        cl.remove(steps.name)


if __name__ == '__main__':
    sys.exit(harness.run(__doc__, policy_types, service_account, aggregated_rules, services))
