#!/usr/bin/env python3
"""apply and explain-diff with --override on a real control plane: the overridden manifest is applied and recorded, and rows that a
policy wrote name the policy.

  override.py --tool T --kubectl K --kubeconfig F"""
import json
import sys

import harness
from harness import must
from harness.cluster import LAST_APPLIED

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
FILES = ['-f', 'shop.yaml', '--override', 'fields.yaml', '--member-cluster', 'member1']


def write_policy(space, name, overriders):
    return space.write(name + '.yaml', POLICY % {'name': name, 'overriders': overriders})


def changes(check, name, result):
    """The rows of an explanation that has differences."""
    check.says(name, result, 1)
    return json.loads(result.stdout)['objects'][0]['changes']


def text_of_a_config_map(space, check):
    space.write('shop.yaml', CONFIG)
    write_policy(space, 'fields', FIELDS % 'db.member1')
    check.says('creates', space.smp('apply', *FILES), out='configmap/shop created\n')
    wanted = '# read at start\nhost: db.member1  # per cluster\nreleased: 2026-11-21\n'
    live = space.get('configmap', 'shop')
    check.equal('the text keeps its comments', live['data']['app.yaml'], wanted)
    check.equal('records what it applied', json.loads(live['metadata']['annotations'][LAST_APPLIED])['data']['app.yaml'], wanted)
    check.says('again changes nothing', space.smp('apply', *FILES), out='configmap/shop unchanged\n')
    check.says('explains no difference', space.smp('explain-diff', *FILES), err='')
    write_policy(space, 'fields', FIELDS % 'other.member1')
    rows = changes(check, 'explains a difference', space.smp('explain-diff', *FILES, '-o', 'json'))
    check.equal('one row', [row['path'] for row in rows], ['data["app.yaml"]'])
    check.equal('names policy, rule and operation, and the line of the manifest', rows[0]['source'], {
        'file': 'fields.yaml', 'line': 10, 'overridden': {'file': 'shop.yaml', 'line': 5},
        'policy': 'OverridePolicy %s/fields spec.overrideRules[0].overriders.fieldOverrider[0].yaml[0]' % space.name})
    text = space.smp('explain-diff', *FILES, '--wide').stdout
    check.has('and in the text', text, 'value from fields.yaml:10: OverridePolicy ', '.yaml[0], instead of shop.yaml:5')


def fields_of_a_workload(space, check):
    flags = ['-f', space.write('web.yaml', WEB), '--policy', write_policy(space, 'images', IMAGES), '--member-cluster', 'member1']
    must(space.smp('apply', '-f', 'web.yaml'))
    rows = changes(check, 'explains several differences', space.smp('explain-diff', *flags, '-o', 'json'))
    sources, containers = {row['path']: row.get('source', {}) for row in rows}, 'spec.template.spec.containers'
    check.equal('rows', sorted(sources), [
        'spec.replicas', containers + '[name=app].args', containers + '[name=app].image', containers + '[name=side].image'])
    check.equal('the line of an image', sources[containers + '[name=app].image'].get('line'), 9)
    check.equal('the line of a field', sources['spec.replicas'].get('line'), 12)
    check.equal('a part of a list', sources[containers + '[name=app].args'].get('policy', '')[:21], 'partly OverridePolicy')
    must(space.smp('apply', *flags))
    check.holds('applies', space.get('deployment', 'web'), {
        'spec.replicas': 3, containers + '[*].image': ['mirror.io/side:1', 'mirror.io/app:1']})


def failures_apply_nothing(space, check):
    policy = write_policy(space, 'bad', FIELDS.replace('/host', '/hots') % 'x')
    before = space.get('configmap', 'shop')['metadata']['resourceVersion']
    done = space.smp('apply', '-f', 'shop.yaml', '-f', 'web.yaml', '--override', policy, '--member-cluster', 'member1')
    check.says('says where', done, 1, err=['"hots"'])
    check.equal('says it for each object', done.stderr.count('error: bad.yaml:'), 2)
    check.equal('applies nothing', space.get('configmap', 'shop')['metadata']['resourceVersion'], before)
    check.says('wants the cluster described', space.smp('apply', '-f', 'shop.yaml', '--override', policy), 1, err=['use --member-cluster'])


if __name__ == '__main__':
    sys.exit(harness.run(__doc__, text_of_a_config_map, fields_of_a_workload, failures_apply_nothing, space='override'))
