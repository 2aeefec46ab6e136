#!/usr/bin/env python3
"""What pull leaves, what it says of that, and what takes it. Whatever is left has a true reason and a status; nothing is silent.

  pull_left_test.py [PATH_OF_KUBECTL_SMP]     default: $SMP_BINARY"""
import copy
import json
import os
import sys
import tempfile
import unittest

from pull_case import PullCase, config_map, entry, owned

CONFIG = 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: shop}\ndata: {a: one, b: two}\n'
RECORD = config_map(a='one', b='two')


def live_with(manager='kubectl-edit', **data):
    """RECORD with other data, which the manager set."""
    live = config_map(**{'a': 'one', 'b': 'two', **data})
    fields = {'f:data': {'f:' + key: {} for key in data}}
    live['metadata']['managedFields'] = [entry(manager, fields)]
    return live


def recorded(live, record, time='2020-01-02T03:04:05Z'):
    """The object with a last-applied annotation, which kubectl wrote at that time."""
    live = copy.deepcopy(live)
    name = 'kubectl.kubernetes.io/last-applied-configuration'
    live['metadata'].setdefault('annotations', {})[name] = json.dumps(record)
    live['metadata'].setdefault('managedFields', []).append(
        {**entry('kubectl-client-side-apply', {'f:metadata': {'f:annotations': {'f:' + name: {}}}, 'f:data': {'f:a': {}, 'f:b': {}}}), 'time': time})
    return live


class NullTest(PullCase):
    """A null in the manifest is a place for what live has, not a reason to say nothing."""

    def test_a_null_is_replaced(self):
        text = 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: shop}\ndata:   # nothing yet\n'
        record = {**config_map(), 'data': None}
        live = {**live_with(x='2'), 'data': {'x': '2'}}
        want = text + '  x: "2"\n'
        for args in [], ['--field', 'data'], ['--field', 'data.x'], ['--manager', 'kubectl-edit']:
            self.assertEqual(self.pull('--write', *args, text=text, original=record, live=live), want)
        self.assertEqual(self.pull('--write', '--field', 'data.y', text=text, original=record, live=live, stderr='does not differ'), text)

    def test_a_null_scalar(self):
        text = 'apiVersion: apps/v1\nkind: ReplicaSet\nmetadata:\n  name: web\n  annotations:\nspec: {replicas: null}\n'
        record = {'apiVersion': 'apps/v1', 'kind': 'ReplicaSet', 'metadata': {'name': 'web', 'annotations': None}, 'spec': {'replicas': None}}
        live = {**copy.deepcopy(record), 'spec': {'replicas': 5}}
        live['metadata']['annotations'] = {'note': 'x', 'other': 'y'}
        want = text.replace('null', '5').replace('annotations:\n', 'annotations:\n    note: x\n    other: "y"\n')
        self.assertEqual(self.pull('--write', text=text, original=record, live=owned(live)), want)

    def test_the_manifests_new_null_is_its_own_change(self):
        text = CONFIG.replace('b: two', 'b: null')
        self.assertEqual(self.pull('--write', text=text, original=RECORD, live=live_with(b='two'),
                                   stderr='changed in the manifest since it was applied'), text)
        self.assertEqual(self.pull('--write', text=text, original=RECORD, live=live_with(b='new'), status=1, stderr='data.b: conflict'), text)


class ClearedTest(PullCase):
    """A field that apply clears because of what the manifest has beside it: taken, unless the manifest chose another alternative."""

    def check(self, manifest, record, live, want, *args, status=0, stderr=None, at='strategy'):
        """Each: the fields of a strategy or of a volume."""
        def deployment(fields):
            spec = {'strategy': fields} if at == 'strategy' else {'template': {'spec': {'volumes': [{'name': 'v', **fields}]}}}
            return {'apiVersion': 'apps/v1', 'kind': 'Deployment', 'metadata': {'name': 'web'}, 'spec': spec}

        got = self.pull('--write', *args, text=json.dumps(deployment(manifest)), original=record is not None and deployment(record),
                        live=owned(deployment(live)), status=status, stderr=stderr)
        self.assertEqual(json.loads(got), deployment(want), self.done)

    ROLLING = {'type': 'RollingUpdate'}
    EDITED = {**ROLLING, 'rollingUpdate': {'maxSurge': 3, 'maxUnavailable': '25%'}}
    SURGE = {**ROLLING, 'rollingUpdate': {'maxSurge': 3}}

    def test_the_manifest_is_as_applied(self):
        for args in [], ['--field', 'spec.strategy'], ['--field', 'spec.strategy.rollingUpdate.maxSurge'], ['--manager', 'kubectl-edit']:
            self.check(self.ROLLING, self.ROLLING, self.EDITED, self.SURGE, *args)
        self.check({}, {}, {'secret': {'secretName': 's', 'defaultMode': 420}}, {'secret': {'secretName': 's'}}, at='volumes')
        self.check({}, {}, {'downwardAPI': {'defaultMode': 420}}, {'downwardAPI': {}}, at='volumes')

    def test_defaults(self):
        default = {**self.ROLLING, 'rollingUpdate': {'maxSurge': '25%', 'maxUnavailable': '25%'}}
        self.check(self.ROLLING, self.ROLLING, default, self.ROLLING, stderr='nothing to pull')
        self.check({}, {}, {'emptyDir': {}}, {}, at='volumes', stderr='nothing to pull')

    def test_the_manifest_chose_another_one(self):
        recreate, said = {'type': 'Recreate'}, 'changed in the manifest since it was applied'
        self.check(recreate, self.ROLLING, self.EDITED, recreate, stderr=said)
        self.check(recreate, self.ROLLING, self.EDITED, self.SURGE, '--field', 'spec.strategy.type')
        secret, config_map = {'secret': {'secretName': 's'}}, {'configMap': {'name': 'c'}}
        self.check(config_map, secret, secret, config_map, at='volumes', stderr=said)
        self.check(config_map, {'emptyDir': {}}, secret, config_map, at='volumes', stderr=said)

    def test_both_chose_the_same_one(self):
        recreate = {'type': 'Recreate'}
        self.check(self.ROLLING, recreate, self.EDITED, self.ROLLING, status=1, stderr='spec.strategy.rollingUpdate: conflict')
        self.check(self.ROLLING, recreate, self.EDITED, self.SURGE, '--conflicts')

    def test_without_a_record(self):
        said = 'no last-applied record tells whether live or the manifest was changed: deployment.apps/web spec.strategy.rollingUpdate'
        self.check(self.ROLLING, None, self.EDITED, self.ROLLING, status=1, stderr=said)
        self.check(self.ROLLING, None, self.EDITED, self.SURGE, '--field', 'spec.strategy.rollingUpdate')


class SaidTest(PullCase):
    text, original = CONFIG, RECORD

    def test_what_only_live_has(self):
        self.pull(live=live_with(c='new'), stderr='only in live: configmap/shop data.c (set by kubectl-edit); --added takes it')
        self.pull(live=live_with(c='new', d='new'), stderr='configmap/shop data.c, configmap/shop data.d (set by kubectl-edit); --added takes them')

    def test_what_live_lacks(self):
        self.pull(live=config_map(a='one') | {'metadata': {'name': 'other'}}, stderr='not in live: configmap/shop; apply would create it')

    def test_without_managed_fields(self):
        live = config_map(a='new', b='two', c='new')
        said = ['no managedFields in live\'s configmap/shop: who changed what is not known', '--show-managed-fields prints them']
        self.pull('--added', status=1, live=live, stderr=said)
        self.assertIn('data.a: changed in live, which has no managedFields to tell by whom', self.done.stdout)
        self.assertNotIn('removed', self.done.stdout)
        self.pull(status=1, live=config_map(b='two'), stdout='data.a: removed from live\n')
        self.assertEqual(self.pull('--write', '--field', 'data.c', live=live), CONFIG.replace('b: two', 'b: two, c: new'))

    def test_what_nobody_removed(self):
        """What is gone is in nobody's managedFields, so that --manager cannot mean it."""
        said = 'do not record by whom: configmap/shop data.b; without --manager, --field data.b removes it from the file'
        live = owned(config_map(a='new'))
        self.assertEqual(self.pull('--write', '--manager', 'kubectl-edit', live=live, stderr=said), CONFIG.replace('one', 'new'))
        self.assertEqual(self.pull('--write', '--field', 'data.b', live=live), CONFIG.replace(', b: two', ''))

    def test_replicas_of_nobody_knows_whom(self):
        text = 'apiVersion: apps/v1\nkind: ReplicaSet\nmetadata: {name: web}\nspec: {replicas: 2}\n'
        record = {'apiVersion': 'apps/v1', 'kind': 'ReplicaSet', 'metadata': {'name': 'web'}, 'spec': {'replicas': 2}}
        live = {**record, 'spec': {'replicas': 7}}
        self.assertEqual(self.pull('--write', text=text, original=record, live=live, status=1,
                                   stderr='so it is not known whether an autoscaler wrote it; --field spec.replicas takes it'), text)
        self.assertEqual(self.pull('--write', '--field', 'spec.replicas', text=text, original=record, live=live), text.replace('2', '7'))

    def test_a_scaled_object(self):
        text = 'apiVersion: apps/v1\nkind: ReplicaSet\nmetadata: {name: web}\nspec: {replicas: 2}\n'
        record = {'apiVersion': 'apps/v1', 'kind': 'ReplicaSet', 'metadata': {'name': 'web'}, 'spec': {'replicas': 2}}
        live = {**record, 'spec': {'replicas': 7}, 'metadata': {'name': 'web', 'managedFields': [
            entry('kubectl', {'f:spec': {'f:replicas': {}}}, subresource='scale')]}}
        for args in [], ['--field', 'spec'], ['--added']:
            self.assertEqual(self.pull('--write', *args, text=text, original=record, live=live, status=1,
                                       stderr='or take it with --field spec.replicas'), text)
        for args in ['--field', 'spec.replicas'], ['--manager', 'kubectl']:
            self.assertEqual(self.pull('--write', *args, text=text, original=record, live=live), text.replace('2', '7'))

    def test_another_manifest_was_applied(self):
        """The record has live's value: the manifest was edited, or another one was applied at night. The times tell."""
        applied = config_map(a='one', b='night')
        live = recorded(applied, applied)
        self.write('web.yaml', CONFIG)
        said = 'changed in the manifest since it was applied, or applied from another file: configmap/shop data.b; --field data.b takes live\'s value'
        for args in [], ['--conflicts'], ['--manager', 'kubectl-client-side-apply']:
            self.assertEqual(self.pull('--write', *args, text=CONFIG, original=False, live=live, stderr=said), CONFIG)
        night = CONFIG.replace('two', 'night')
        self.assertEqual(self.pull('--write', '--field', 'data.b', text=CONFIG, original=False, live=live), night)
        self.assertEqual(self.pull('--write', '--field', 'data.*', text=CONFIG, original=False, live=live, stderr=said), CONFIG)
        old = 1500000000
        self.write('web.yaml', CONFIG)
        os.utime(os.path.join(self.dir, 'web.yaml'), (old, old))
        self.assertEqual(self.pull('--write', text='', original=False, live=live, status=1,
                                   stderr='data.b: another manifest was applied since this file was changed: by kubectl-client-side-apply'), CONFIG)
        for args in ['--conflicts'], ['--manager', 'kubectl-client-side-apply']:
            self.write('web.yaml', CONFIG)
            os.utime(os.path.join(self.dir, 'web.yaml'), (old, old))
            self.assertEqual(self.pull('--write', *args, text='', original=False, live=live), night)

    def test_a_commit_tells_when_a_file_was_changed(self):
        """A fresh checkout has new times."""
        applied = config_map(a='one', b='night')
        self.write('web.yaml', CONFIG)
        self.git('init', '-q')
        self.git('add', '.')
        self.git('-c', 'user.name=a', 'commit', '-q', '-m', 'm')
        live = recorded(applied, applied, time='2100-01-01T00:00:00Z')
        self.assertEqual(self.pull('--write', text='', original=False, live=live, status=1, stderr='another manifest was applied since'), CONFIG)

    def test_the_manifests_new_fields_are_its_own(self):
        text = CONFIG.replace('b: two', 'b: two, c: mine')
        self.assertEqual(self.pull('--write', '--conflicts', text=text, live=live_with()), text)


class ServersTest(PullCase):
    """What the server, admission or a controller sets is in no manifest, also with --added."""

    def test_derived_values(self):
        text = 'apiVersion: v1\nkind: Service\nmetadata: {name: web}\nspec:\n  type: ClusterIP\n  ports: [{port: 80}]\n'
        record = {'apiVersion': 'v1', 'kind': 'Service', 'metadata': {'name': 'web'}, 'spec': {'type': 'ClusterIP', 'ports': [{'port': 80}]}}
        live = copy.deepcopy(record)
        live['spec'].update(type='NodePort', externalTrafficPolicy='Cluster', internalTrafficPolicy='Cluster', ipFamilies=['IPv4'],
                            ipFamilyPolicy='SingleStack', sessionAffinity='None', clusterIP='10.0.0.1', clusterIPs=['10.0.0.1'])
        live['spec']['ports'] = [{'port': 80, 'protocol': 'TCP', 'targetPort': 80, 'nodePort': 30080}]
        want = text.replace('ClusterIP', 'NodePort')
        self.assertEqual(self.pull('--write', '--added', text=text, original=record, live=owned(live)), want)
        live['spec']['externalTrafficPolicy'] = 'Local'
        self.assertEqual(self.pull('--write', '--added', text=text, original=record, live=owned(live)), want + '  externalTrafficPolicy: Local\n')

    def test_of_a_pod_template(self):
        text = ('apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web}\nspec:\n  selector: {matchLabels: {a: b}}\n  template:\n'
                '    metadata: {labels: {a: b}}\n    spec:\n      serviceAccountName: me\n      containers:\n      - name: web\n        image: nginx:1\n')
        record = {'apiVersion': 'apps/v1', 'kind': 'Deployment', 'metadata': {'name': 'web'}, 'spec': {
            'selector': {'matchLabels': {'a': 'b'}}, 'template': {'metadata': {'labels': {'a': 'b'}}, 'spec': {
                'serviceAccountName': 'me', 'containers': [{'name': 'web', 'image': 'nginx:1'}]}}}}
        live = copy.deepcopy(record)
        pod = live['spec']['template']
        pod['metadata']['annotations'] = {'kubectl.kubernetes.io/restartedAt': '2026-01-01T00:00:00Z'}
        pod['spec'].update(serviceAccountName='you', serviceAccount='you', priorityClassName='high', nodeSelector={'disk': 'ssd'})
        pod['spec']['containers'][0]['imagePullPolicy'] = 'IfNotPresent'
        pod['spec']['containers'].append({'name': 'side', 'image': 'side', 'imagePullPolicy': 'Always', 'terminationMessagePolicy': 'File'})
        got = self.pull('--write', '--added', text=text, original=record, live=owned(live), status=1,
                        stderr='kubectl rollout restart wrote it to restart the Pods once; --field')
        self.assertEqual(got, text.replace('me\n', 'you\n') + '      - image: side\n        name: side\n'
                         '      nodeSelector:\n        disk: ssd\n      priorityClassName: high\n')
        path = 'spec.template.metadata.annotations["kubectl.kubernetes.io/restartedAt"]'
        got = self.pull('--write', '--field', path, text=text, original=record, live=owned(live))
        self.assertIn('kubectl.kubernetes.io/restartedAt', got)

    def test_labels_and_certificates(self):
        text = 'apiVersion: v1\nkind: Namespace\nmetadata: {name: shop, labels: {a: b}}\n'
        record = {'apiVersion': 'v1', 'kind': 'Namespace', 'metadata': {'name': 'shop', 'labels': {'a': 'b'}}}
        live = copy.deepcopy(record)
        live['metadata']['labels'].update({'kubernetes.io/metadata.name': 'shop', 'c': 'd'})
        self.assertEqual(self.pull('--write', '--added', text=text, original=record, live=owned(live, 'terraform')), text.replace('a: b', 'a: b, c: d'))
        hook = {'name': 'a.example.com', 'sideEffects': 'None', 'admissionReviewVersions': ['v1'], 'clientConfig': {'url': 'https://x'}}
        record = {'apiVersion': 'admissionregistration.k8s.io/v1', 'kind': 'ValidatingWebhookConfiguration', 'metadata': {'name': 'w'}, 'webhooks': [hook]}
        text = json.dumps(record)
        live = copy.deepcopy(record)
        live['webhooks'][0]['clientConfig']['caBundle'] = 'QQ=='
        self.assertEqual(self.pull('--write', '--added', text=text, original=record, live=owned(live, 'cainjector'), status=1,
                                   stderr='caBundle: a certificate that a controller injects'), text)
        self.assertIn('QQ==', self.pull('--write', '--added', text=text, original=record, live=owned(live)))

    def test_defaults_beside_applied_fields_are_nobodys(self):
        """Server-side apply lists what was applied, and not the defaults beside it."""
        text = ('apiVersion: apps/v1\nkind: DaemonSet\nmetadata: {name: web}\nspec:\n  template:\n    spec: {containers: [{name: web, image: "nginx:1"}]}\n')
        record = {'apiVersion': 'apps/v1', 'kind': 'DaemonSet', 'metadata': {'name': 'web'}, 'spec': {'template': {'spec': {'containers': [
            {'name': 'web', 'image': 'nginx:1'}]}}}}
        live = copy.deepcopy(record)
        live['spec']['template']['spec']['containers'][0]['workingDir'] = '/x'
        live['metadata']['managedFields'] = [{**entry('flux', {'f:spec': {'f:template': {'f:spec': {'f:containers': {
            'k:{"name":"web"}': {'.': {}, 'f:name': {}, 'f:image': {}}}}}}}), 'operation': 'Apply'}]
        self.assertEqual(self.pull('--write', '--added', text=text, original=record, live=live), text)

    def test_finalizers(self):
        live = live_with()
        live['metadata']['finalizers'] = ['example.com/mine', 'example.com/theirs', 'kubernetes.io/pvc-protection']
        live['metadata']['managedFields'] = [
            entry('kubectl-edit', {'f:metadata': {'f:finalizers': {'.': {}, 'v:"example.com/mine"': {}, 'v:"kubernetes.io/pvc-protection"': {}}}}),
            entry('shop-controller', {'f:metadata': {'f:finalizers': {'v:"example.com/theirs"': {}}}})]
        want = CONFIG.replace('name: shop', 'name: shop, finalizers: [example.com/mine]')
        for args in ['--added'], ['--manager', 'kubectl-edit'], ['--field', 'metadata.finalizers["example.com/mine"]']:
            self.assertEqual(self.pull('--write', *args, text=CONFIG, original=RECORD, live=live), want, args)
        text = CONFIG.replace('name: shop', 'name: shop, finalizers: [example.com/other]')
        record = copy.deepcopy(RECORD)
        record['metadata']['finalizers'] = ['example.com/other']
        live['metadata']['finalizers'].insert(0, 'example.com/other')
        self.assertEqual(self.pull('--write', '--added', text=text, original=record, live=live),
                         text.replace('[example.com/other]', '[example.com/other, example.com/mine]'))


class FilesTest(PullCase):
    original = RECORD

    def test_copies_of_a_manifest(self):
        self.write('b.yaml', '# the same\n' + CONFIG.replace('{a: one, b: two}', '\n  a: "one"\n  b: two'))
        got = self.pull('--write', '-f', 'b.yaml', text=CONFIG, live=live_with(a='new'))
        self.assertEqual(got, CONFIG.replace('one', 'new'))
        self.assertEqual(self.read('b.yaml'), '# the same\n' + CONFIG.replace('{a: one, b: two}', '\n  a: "new"\n  b: two'))

    def test_a_copy_that_cannot_be_changed(self):
        other = CONFIG.replace('{a: one, b: two}', '{a: &x one, b: two}').replace('metadata:', '# c\nmetadata:') + 'immutable: false\n'
        text = CONFIG + 'immutable: false\n'
        self.write('b.yaml', other.replace('name: shop', 'name: shop, labels: {l: *x}').replace('data: {a: &x one', 'data: {a: *x').replace(
            'kind: ConfigMap', 'kind: ConfigMap').replace('labels: {l: *x}', 'labels: {l: &x one}'))
        text = text.replace('name: shop', 'name: shop, labels: {l: one}')
        record = copy.deepcopy(RECORD)
        record['metadata']['labels'] = {'l': 'one'}
        record['immutable'] = False
        live = copy.deepcopy(record)
        live['data'].update(a='new', b='changed')
        before = self.read('b.yaml')
        got = self.pull('--write', '-f', 'b.yaml', text=text, original=record, live=owned(live), status=1, stderr='data.a: the value is an alias')
        self.assertEqual(got, text.replace('two', 'changed'))
        self.assertEqual(self.read('b.yaml'), before.replace('two', 'changed'))

    def test_a_file_with_two_json_values(self):
        first = json.dumps(RECORD)
        self.write('a.json', first + '\n' + json.dumps(config_map(a='x') | {'metadata': {'name': 'z'}}))
        live = {'apiVersion': 'v1', 'kind': 'List', 'items': [live_with(a='new'), {**live_with(a='new'), 'metadata': {'name': 'z'}}]}
        record = {'apiVersion': 'v1', 'kind': 'List', 'items': [RECORD, config_map(a='x') | {'metadata': {'name': 'z'}},
                                                                  {**RECORD, 'metadata': {'name': 'other'}}]}
        live['items'].append({**live_with(a='new'), 'metadata': {'name': 'other'}})
        got = self.pull('--write', '-f', 'a.json', text=CONFIG.replace('shop', 'other'), original=record, live=live, status=2,
                        stderr='error: a.json:1: there are several JSON values without --- between them')
        self.assertEqual(got, CONFIG.replace('shop', 'other').replace('one', 'new'))
        self.assertEqual(self.read('a.json').split('\n')[0], first)

    def test_generated_files(self):
        mark = '# Code generated by shop. DO NOT EDIT.\n'
        live = live_with(a='new')
        for text in mark + CONFIG, mark + '---\n' + CONFIG, '---\n' + mark + CONFIG, mark + 'kind: Namespace\napiVersion: v1\nmetadata: {name: ns}\n---\n' + CONFIG:
            got = self.pull('--write', text=text, live=live, status=1, stderr='a program wrote the file ("Code generated by shop. DO NOT EDIT."); '
                                                                              'change what it is made from, or use --force')
            self.assertEqual(got, text)
            self.assertEqual(self.pull('--write', '--force', text=text, live=live), text.replace('one', 'new'))
        three = mark + CONFIG.replace('b: two', 'b: two, c: three')
        self.pull('--write', text=three, original=config_map(a='one', b='two', c='three'), live=live_with(a='1', b='2', c='3'), status=1,
                  stderr='left, 3 fields: a program wrote the file ("Code generated by shop. DO NOT EDIT."); change what it is made from, or use '
                         '--force\n  configmap/shop data.a\n  configmap/shop data.b\n  configmap/shop data.c\n')
        for note in '# Please do not edit the live object, edit this file!\n', '# do not edit live; edit this file\n', '# edit me\n':
            self.assertEqual(self.pull('--write', text=note + CONFIG, live=live), note + CONFIG.replace('one', 'new'))
        for note in '# do not edit this file\n', '# AUTOGENERATED\n':
            self.pull('--write', text=note + CONFIG, live=live, status=1)

    def test_keys_and_copies_as_other_commands_treat_them(self):
        text = CONFIG.replace('b: two', 'y: two')
        live = {**live_with(a='new'), 'data': {'a': 'new', 'true': 'two'}}
        record = config_map(**{'a': 'one', 'true': 'two'})
        self.pull('--write', text=text, original=record, live=live, status=2, stderr='(--validate=warn accepts it)')
        self.assertEqual(self.pull('--write', '--validate=warn', text=text, original=record, live=live), text.replace('one', 'new'))
        two = CONFIG.replace('one', 'other') + '---\n' + CONFIG
        self.pull('--write', text=two, live=live_with(a='new'), status=2, stderr='--duplicates=last')
        self.assertEqual(self.pull('--write', '--duplicates=last', text=two, live=live_with(a='new')), two.replace('one', 'new'))

    def test_a_kind_without_schema(self):
        text = 'apiVersion: example.com/v1\nkind: Foo\nmetadata: {name: f}\nspec: {a: 1, l: [{k: one}, {k: two}]}\n'
        record = {'apiVersion': 'example.com/v1', 'kind': 'Foo', 'metadata': {'name': 'f'}, 'spec': {'a': 1, 'l': [{'k': 'one'}, {'k': 'two'}]}}
        live = {**record, 'spec': {'a': 2, 'l': [{'k': 'one'}, {'k': 'three'}]}}
        got = self.pull('--write', text=text, original=record, live=live)
        self.assertEqual(got, text.replace('a: 1', 'a: 2').replace('k: two', 'k: three'))

    def test_names_of_files(self):
        self.write('a/b/web.yaml', CONFIG)
        self.pull('--write', text='', name='a/b/../b/./web.yaml', live=live_with(a='new'), stdout=['--- a/a/b/web.yaml\n', '\na/b/web.yaml: 1 change'])
        self.assertEqual(self.read('a/b/web.yaml'), CONFIG.replace('one', 'new'))

    def test_a_member_that_hides_a_merged_one(self):
        text = 'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: shop\n  labels: &l\n    a: one\n  annotations:\n    <<: *l\n    a: own\n    b: two\n'
        record = {'apiVersion': 'v1', 'kind': 'ConfigMap', 'metadata': {'name': 'shop', 'labels': {'a': 'one'}, 'annotations': {'a': 'own', 'b': 'two'}}}
        live = copy.deepcopy(record)
        del live['metadata']['annotations']['a']
        got = self.pull('--write', text=text, original=record, live=owned(live), status=1,
                        stderr='annotations.a: without it, << on line 8 would bring in another value of this name')
        self.assertEqual(got, text)


class LastLineTest(PullCase):
    def test_a_block_scalar_without_a_line_break(self):
        text = 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: shop}\ndata:\n  b: two\n  a: |\n    one'
        self.pull(text=text, original=config_map(a='one\n', b='two'), live=owned(config_map(a='one\n', b='two')))
        self.assertEqual(self.done.stdout, '')
        got = self.pull('--write', text=text, original=config_map(a='one\n', b='two'), live=owned(config_map(a='new\n', b='two')))
        self.assertEqual(got.rstrip('\n'), text.replace('one', 'new'))


class TypedListTest(PullCase):
    """A list as a server prints it."""

    def test_items_without_a_kind(self):
        text = 'apiVersion: v1\nkind: ConfigMapList\nitems:\n- metadata: {name: other}\n- metadata: {name: shop}\n  data: {a: one, b: two} # mine\n'
        live = {'apiVersion': 'v1', 'kind': 'List', 'items': [live_with(a='new'), {**RECORD, 'metadata': {'name': 'other'}}]}
        record = {'apiVersion': 'v1', 'kind': 'List', 'items': [RECORD, {**RECORD, 'metadata': {'name': 'other'}, 'data': {}}]}
        got = self.pull('--write', text=text, original=record, live=live)
        self.assertEqual(got, text.replace('one', 'new'))


class SecretsTest(PullCase):
    SECRET = 'apiVersion: v1\nkind: Secret\nmetadata: {name: s}\ndata: {k: Y2FuYXJ5}\n'

    def test_a_patch_without_values_of_a_secret(self):
        far = ''.join('# %d\n' % i for i in range(4))
        live = live_with(a='new')
        for text, shown in ((CONFIG + far + '---\n' + self.SECRET, True), (CONFIG + '---\nkind: Secret\napiVersion: v1\nmetadata: {name: s}\n', True),
                            (CONFIG + '---\n' + self.SECRET.replace('metadata', 'data: {k: Y2FuYXJ5}\nmetadata').replace('\ndata: {k: Y2FuYXJ5}\n', '\n'), True),
                            (CONFIG.replace('data: {a: one, b: two}\n', '') + 'data: {a: one, b: two}\n---\n' + 'data: {k: Y2FuYXJ5}\n' + self.SECRET.replace('data: {k: Y2FuYXJ5}\n', ''), False)):
            self.write('other.yaml', CONFIG.replace('shop', 'c2'))
            both = {'apiVersion': 'v1', 'kind': 'List', 'items': [live, {**live_with(a='new'), 'metadata': {'name': 'c2'}}]}
            record = {'apiVersion': 'v1', 'kind': 'List', 'items': [RECORD, {**RECORD, 'metadata': {'name': 'c2'}}]}
            self.pull('-o', 'patch', '-f', 'other.yaml', text=text, original=record, live=both, status=1, stdout='+++ b/other.yaml')
            self.assertEqual('+++ b/web.yaml' in self.done.stdout, shown, (text, self.done))
            self.assertEqual('left: web.yaml: its patch would show lines of a Secret' in self.done.stderr, not shown, self.done)
            self.assertNotIn('Y2FuYXJ5', self.done.stdout)

    def test_the_neighbours_of_a_secret_are_shown(self):
        text = ('apiVersion: v1\nkind: List\nitems:\n- apiVersion: v1\n  kind: ConfigMap\n  metadata: {name: shop}\n  data:\n    a: one\n    b: two\n'
                '# canary\n- apiVersion: v1\n  kind: Secret\n  metadata: {name: s}\n  data: {k: Y2FuYXJ5}\n')
        self.pull(text=text, original=RECORD, live=live_with(a='new', b='changed'), status=1, stdout=['-    a: one\n', '+    a: new\n'])
        self.assertNotIn('canary', self.done.stdout)
        self.assertNotIn('Y2FuYXJ5', self.done.stdout)

    def test_the_items_of_a_list_of_secrets_need_no_kind(self):
        text = 'apiVersion: v1\nkind: SecretList\nitems:\n- metadata: {name: s}\n  type: a/b\n  data:\n    k: Y2FuYXJ5\n    l: Y2FuYXJ6\n'
        secret = {'apiVersion': 'v1', 'kind': 'Secret', 'metadata': {'name': 's'}, 'type': 'a/b', 'data': {'k': 'Y2FuYXJ5', 'l': 'Y2FuYXJ6'}}
        live = {**secret, 'data': {'k': 'bmV3'}}
        self.pull('--secrets', text=text, original=secret, live=owned(live), status=1, stdout='web.yaml')
        for value in 'Y2FuYXJ5', 'Y2FuYXJ6', 'bmV3':
            self.assertNotIn(value, self.done.stdout + self.done.stderr)


class ShownTest(PullCase):
    """What live says cannot move the cursor, hide text, or give commands to a workflow."""

    def test_values(self):
        text = 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: shop}\ndata:\n  a: |\n    ::add-mask::old\n    one\n'
        live = live_with(a='::add-mask::old\n::warning::x\n##[error]y\nad\u202emin\u200b\n')
        self.pull(text=text, original=config_map(a='::add-mask::old\none\n'), live=live, status=1)
        out = self.done.stdout
        for hidden in '\u202e', '\u200b', '##[', '\n     ::':
            self.assertNotIn(hidden, out)
        self.assertIn('+    ad\\u202emin\\u200b\n', out)

    def test_odd_names_of_files(self):
        self.write('d/m\x1b[31m\n::error::"x".yaml', CONFIG)
        self.write('live.json', live_with(a='new'))
        self.write('original.json', RECORD)
        done = self.run_tool('pull', '-f', 'd', '--live', 'live.json', '--original', 'original.json', '--write')
        self.assertEqual(done.returncode, 0, done)
        self.assertIn('--- "a/d/m\\033[31m\\012::error::\\042x\\042.yaml"\n', done.stdout)
        self.assertNotIn('\x1b', done.stdout)
        self.assertNotIn('\n::', done.stdout)

    def test_carriage_returns(self):
        text = CONFIG.replace('\n', '\r\n')
        got = self.pull('--write', text=text, original=RECORD, live=live_with(a='new'), stdout='+data: {a: new, b: two}\n')
        self.assertEqual(got, text.replace('one', 'new'))


class GitTest(PullCase):
    text, original = CONFIG, RECORD

    def repository(self):
        self.write('web.yaml', CONFIG)
        self.git('init', '-q')
        self.git('add', 'web.yaml')
        self.git('commit', '-q', '-m', 'm')

    def test_git_that_cannot_tell(self):
        """No word of git is no permission."""
        self.repository()
        with open(os.path.join(self.dir, '.git', 'config'), 'a', encoding='utf-8') as file:
            file.write('[broken\n')
        got = self.pull('--write', live=live_with(a='new'), status=2, stderr=['git cannot tell if the files in', 'bad config'])
        self.assertEqual(got, CONFIG)
        self.assertEqual(self.pull('--write', '--force', live=live_with(a='new')), CONFIG.replace('one', 'new'))

    def test_outside_of_a_work_tree(self):
        self.assertEqual(self.pull('--write', live=live_with(a='new')), CONFIG.replace('one', 'new'))

    def test_a_link_out_of_the_repository(self):
        """A clone may have a link to any file of the user, and git shows no change of what it leads to."""
        self.repository()
        with tempfile.TemporaryDirectory() as outside:
            target = os.path.join(outside, 'web.yaml')
            for folder in ('links', 'folder'):
                os.makedirs(os.path.join(self.dir, folder))
            os.symlink(target, os.path.join(self.dir, 'links', 'web.yaml'))
            os.symlink(outside, os.path.join(self.dir, 'folder', 'sub'))
            for name in 'links/web.yaml', 'folder/sub/web.yaml':
                with open(target, 'w', encoding='utf-8') as file:
                    file.write(CONFIG)
                self.git('add', '.')
                self.git('commit', '-q', '--allow-empty', '-m', 'links')
                done = self.pull_file(name, '--write')
                self.assertEqual(done.returncode, 2, done)
                self.assertIn('%s is a link to %s, outside of ' % (name, os.path.realpath(target)), done.stderr)
                self.assertEqual(self.read(target), CONFIG)
                self.assertEqual(self.pull_file(name, '--write', '--force').returncode, 0)
                self.assertEqual(self.read(target), CONFIG.replace('one', 'new'))

    def test_a_link_inside_of_the_repository(self):
        self.repository()
        os.symlink('web.yaml', os.path.join(self.dir, 'link.yaml'))
        self.assertEqual(self.pull_file('link.yaml', '--write').returncode, 0)
        self.assertEqual(self.read('web.yaml'), CONFIG.replace('one', 'new'))
        self.assertTrue(os.path.islink(os.path.join(self.dir, 'link.yaml')))

    def pull_file(self, name, *flags):
        self.write('live.json', live_with(a='new'))
        self.write('original.json', RECORD)
        return self.run_tool('pull', '-f', name, '--live', 'live.json', '--original', 'original.json', *flags)

    def test_nothing_of_a_hostile_repository_is_run(self):
        self.repository()
        mark = os.path.join(self.dir, 'ran')
        run = os.path.join(self.dir, 'run.sh')
        self.write('run.sh', '#!/bin/sh\ntouch %s\ncat\n' % mark)
        os.chmod(run, 0o755)
        hooks = os.path.join(self.dir, '.git', 'hooks')
        os.makedirs(hooks, exist_ok=True)
        for hook in 'post-index-change', 'pre-commit', 'fsmonitor-watchman':
            path = os.path.join(hooks, hook)
            with open(path, 'w', encoding='utf-8') as file:
                file.write('#!/bin/sh\ntouch %s\n' % mark)
            os.chmod(path, 0o755)
        for name, value in (('core.fsmonitor', run), ('core.hooksPath', hooks), ('filter.x.clean', run), ('filter.x.smudge', run),
                            ('filter.x.required', 'true'), ('filter.y.z.process', run), ('diff.x.textconv', run), ('diff.external', run),
                            ('core.pager', run), ('log.showSignature', 'true'), ('gpg.program', run), ('core.sshCommand', run)):
            self.git('config', name, value)
        self.write('.gitattributes', '*.yaml filter=x diff=x\n*.json filter=y.z\n')
        web = os.path.join(self.dir, 'web.yaml')
        os.utime(web, (1600000000, 1600000000))  # so that git reads it again
        self.git('status')
        self.assertTrue(os.path.exists(mark))  # it is hostile
        os.remove(mark)
        for args in ['--write'], ['-o', 'patch'], []:
            self.write('web.yaml', CONFIG)
            os.utime(web, (1600000000 + len(args), 1600000000))
            self.pull(*args, text='', live=recorded(config_map(a='new', b='two'), config_map(a='new', b='two')), original=False)
            self.pull(*args, text='', live=live_with(a='new'), status=0 if args == ['--write'] else 1)
            self.assertFalse(os.path.exists(mark), args)

    def refused(self, *names):
        text = self.read('web.yaml')
        got = self.pull('--write', text='', live=live_with(a='new'), status=2, stderr=names or 'git has uncommitted changes of web.yaml')
        self.assertEqual(got, text)

    def test_a_work_tree_elsewhere(self):
        """The configuration names another folder, in which the file has no changes."""
        self.repository()
        self.write('other/web.yaml', CONFIG)
        self.write('web.yaml', CONFIG + '# mine\n')
        self.git('config', 'core.worktree', os.path.join(self.dir, 'other'))
        self.refused('git cannot tell', 'the work tree of its repository is')

    def test_a_file_that_git_does_not_track(self):
        self.repository()
        self.git('rm', '-q', '--cached', 'web.yaml')
        self.git('commit', '-q', '--allow-empty', '-m', 'm')
        self.refused()
        self.git('config', 'status.showUntrackedFiles', 'no')
        self.refused()
        self.write('.gitignore', 'web.yaml\n')
        self.refused()

    def test_a_file_that_the_index_takes_as_unchanged(self):
        for flag in 'assume-unchanged', 'skip-worktree':
            self.repository()
            self.git('update-index', '--' + flag, 'web.yaml')
            self.write('web.yaml', CONFIG + '# mine\n')
            self.refused()
            self.git('update-index', '--no-' + flag, 'web.yaml')
            self.git('add', '-A')

    def test_variables_that_lead_git_elsewhere(self):
        self.repository()
        self.write('web.yaml', CONFIG + '# mine\n')
        for name, value in (('GIT_DIR', '/nonexistent'), ('GIT_INDEX_FILE', 'none'), ('GIT_LITERAL_PATHSPECS', '1'), ('GIT_WORK_TREE', '/')):
            os.environ[name] = value
            self.addCleanup(os.environ.pop, name, None)
            self.refused()
            del os.environ[name]

    def test_a_damaged_repository(self):
        self.repository()
        self.write('web.yaml', CONFIG + '# mine\n')
        os.remove(os.path.join(self.dir, '.git', 'HEAD'))
        self.refused('git cannot tell if the files in')

    def test_a_folder_that_looks_like_a_repository(self):
        """Any clone may bring one, with a config that names programs."""
        mark = os.path.join(self.dir, 'ran')
        self.write('m/HEAD', 'ref: refs/heads/main\n')
        self.write('m/config', '[core]\n\trepositoryformatversion = 0\n\tbare = false\n\tworktree = .\n\tfsmonitor = "touch %s; false"\n' % mark)
        for folder in 'objects', 'refs':
            self.write('m/%s/.keep' % folder, '')
        self.write('m/web.yaml', CONFIG)
        self.git('init', '-q')
        self.git('add', '-A')
        self.git('commit', '-q', '-m', 'm')
        got = self.pull('--write', text='', name='m/web.yaml', live=live_with(a='new'), status=2, stderr='git cannot tell if the files in')
        self.assertEqual(got, CONFIG)
        self.assertFalse(os.path.exists(mark))

    def test_a_filter_that_cannot_be_turned_off(self):
        self.repository()
        self.git('config', 'filter.a=b.clean', 'false')
        self.assertEqual(self.pull('--write', live=live_with(a='new'), status=2, stderr='it has the filter filter.a=b.clean'), CONFIG)


if __name__ == '__main__':
    unittest.main(argv=sys.argv[:1])
