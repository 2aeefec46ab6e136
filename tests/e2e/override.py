#!/usr/bin/env python3
"""apply and explain-diff with --override on a real control plane: what is applied and recorded is the overridden manifest, and rows of
what a policy wrote name it.

  override.py --tool T --kubectl K --kubeconfig F"""
import json
import sys

import cluster

CONFIG = '''apiVersion: v1
kind: ConfigMap
metadata: {name: shop}
data:
  app.yaml: |
    # read at start
    host: localhost  # per cluster
    released: 2026-11-21
  other: x
'''
WEB = '''apiVersion: apps/v1
kind: Deployment
metadata: {name: web}
spec:
  replicas: 1
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec:
      containers:
      - {name: side, image: "registry.io/side:1"}
      - {name: app, image: "registry.io/app:1", args: [a, b]}
'''
POLICY = '''apiVersion: policy.karmada.io/v1alpha1
kind: OverridePolicy
metadata: {name: %(name)s}
spec:
  overrideRules:
  - targetCluster: {clusterNames: [member1]}
    overriders:
%(overriders)s
'''
FIELDS = '''      fieldOverrider:
      - fieldPath: /data/app.yaml
        yaml: [{subPath: /host, operator: replace, value: %s}]
'''
IMAGES = '''      imageOverrider:
      - {component: Registry, operator: replace, value: mirror.io}
      plaintext:
      - {path: /spec/template/spec/containers/1/args/0, operator: remove}
      - {path: /spec/replicas, operator: replace, value: 3}
'''
LAST_APPLIED = 'kubectl.kubernetes.io/last-applied-configuration'


def different(got, wanted):
    return '' if got == wanted else 'got %r\nwanted %r' % (got, wanted)


class Run:
    def __init__(self, cl, check):
        self.cl, self.check, self.namespace = cl, check, cl.new_namespace('override')
        cl.write('shop.yaml', CONFIG)
        cl.write('web.yaml', WEB)

    def smp(self, *args, status=0):
        done = self.cl.smp(*args, '-n', self.namespace)
        if done.returncode != status:
            raise AssertionError('%s\nexit %d\n%s%s' % (args, done.returncode, done.stdout, done.stderr))
        return done

    def policy(self, name, overriders):
        return self.cl.write(name + '.yaml', POLICY % {'name': name, 'overriders': overriders})

    def get(self, *args):
        return self.cl.get(*args, '-n', self.namespace)

    def text_of_a_config_map(self):
        policy = self.policy('fields', FIELDS % 'db.member1')
        flags = ['-f', 'shop.yaml', '--override', policy, '--member-cluster', 'member1']
        self.check('creates', different(self.smp('apply', *flags).stdout, 'configmap/shop created\n'))
        wanted = '# read at start\nhost: db.member1  # per cluster\nreleased: 2026-11-21\n'
        live = self.get('configmap', 'shop')
        self.check('the text keeps its comments', different(live['data']['app.yaml'], wanted))
        recorded = json.loads(live['metadata']['annotations'][LAST_APPLIED])
        self.check('records what it applied', different(recorded['data']['app.yaml'], wanted))
        self.check('again changes nothing', different(self.smp('apply', *flags).stdout, 'configmap/shop unchanged\n'))
        self.check('explains no difference', self.smp('explain-diff', *flags).stderr)
        self.policy('fields', FIELDS % 'other.member1')
        report = json.loads(self.smp('explain-diff', *flags, '-o', 'json', status=1).stdout)
        rows = report['objects'][0]['changes']
        self.check('one row', different([row['path'] for row in rows], ['data["app.yaml"]']))
        self.check('names policy, rule and operation', different(rows[0]['source'], {
            'file': policy, 'line': 10,
            'policy': 'OverridePolicy %s/fields spec.overrideRules[0].overriders.fieldOverrider[0].yaml[0]' % self.namespace}))

    def fields_of_a_workload(self):
        flags = ['-f', 'web.yaml', '--policy', self.policy('images', IMAGES), '--member-cluster', 'member1']
        self.smp('apply', '-f', 'web.yaml')
        report = json.loads(self.smp('explain-diff', *flags, '-o', 'json', status=1).stdout)
        lines = {row['path']: row.get('source', {}) for row in report['objects'][0]['changes']}
        containers = 'spec.template.spec.containers'
        self.check('rows', different(sorted(lines), [
            'spec.replicas', containers + '[name=app].args', containers + '[name=app].image', containers + '[name=side].image']))
        self.check('the line of an image', different(lines[containers + '[name=app].image'].get('line'), 9))
        self.check('the line of a field', different(lines['spec.replicas'].get('line'), 12))
        self.check('a part of a list', different(lines[containers + '[name=app].args'].get('policy', '')[:21], 'partly OverridePolicy'))
        self.smp('apply', *flags)
        spec = self.get('deployment', 'web')['spec']
        images = [c['image'] for c in spec['template']['spec']['containers']]
        self.check('applies', different((spec['replicas'], images), (3, ['mirror.io/side:1', 'mirror.io/app:1'])))

    def failures_apply_nothing(self):
        policy = self.policy('bad', FIELDS.replace('/host', '/hots') % 'x')
        both = ['-f', 'shop.yaml', '-f', 'web.yaml', '--override', policy, '--member-cluster', 'member1']
        before = self.get('configmap', 'shop')['metadata']['resourceVersion']
        done = self.smp('apply', *both, status=1)
        self.check('says where', '' if done.stderr.count('error: bad.yaml:') == 2 and '"hots"' in done.stderr else done.stderr)
        self.check('applies nothing', different(self.get('configmap', 'shop')['metadata']['resourceVersion'], before))
        done = self.smp('apply', '-f', 'shop.yaml', '--override', policy, status=1)
        self.check('wants the cluster described', '' if 'give --member-cluster' in done.stderr else done.stderr)


def main():
    check = cluster.Checks()
    with cluster.Cluster(cluster.parse_args(__doc__)) as cl:
        run = Run(cl, check)
        run.text_of_a_config_map()
        run.fields_of_a_workload()
        run.failures_apply_nothing()
    return check.finish()


if __name__ == '__main__':
    sys.exit(main())
