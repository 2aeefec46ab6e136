#!/usr/bin/env python3
"""override without a cluster: manifests and policies in, manifests or an explanation out; and --batch, requests in, answers out.

  override_test.py [PATH_OF_KUBECTL_SMP]     default: $SMP_BINARY"""
import base64
import json
import sys
import unittest

import tool

CANARY = 'canary-4711'


def config_map(name='shop', **more):
    return {'apiVersion': 'v1', 'kind': 'ConfigMap', 'metadata': {'name': name}, 'data': {'app.json': '{"a": 1}'}, **more}


def policy(overriders, name='p', kind='OverridePolicy', selectors=None, target=None):
    rule = {'overriders': overriders, **({'targetCluster': target} if target else {})}
    spec = {'overrideRules': [rule], **({'resourceSelectors': selectors} if selectors else {})}
    return {'apiVersion': 'policy.karmada.io/v1alpha1', 'kind': kind, 'metadata': {'name': name}, 'spec': spec}


def field(path, sub_path, value, form='json'):
    return {'fieldOverrider': [{'fieldPath': path, form: [{'subPath': sub_path, 'operator': 'replace', 'value': value}]}]}


LABEL = {'labelsOverrider': [{'operator': 'add', 'value': {'seen': 'yes'}}]}
BOTH = {'fieldOverrider': [{'fieldPath': '/data/app.json', 'json': [{'subPath': '/a', 'operator': 'remove'}],
                            'yaml': [{'subPath': '/a', 'operator': 'remove'}]}]}


class OverrideTest(tool.ToolTest):
    def override(self, *args, status=0, stderr='', stdin=''):
        """What is printed; `stderr` is a part of what is said, and when empty nothing may be said."""
        done = self.run_tool('override', *args, stdin=stdin)
        self.assertEqual(done.returncode, status, done)
        if stderr:
            self.assertIn(stderr, done.stderr)
        else:
            self.assertEqual(done.stderr, '')
        return done.stdout


class Files(OverrideTest):
    def setUp(self):
        super().setUp()
        self.write('shop.yaml', config_map())
        self.write('two.yaml', json.dumps(config_map()) + '\n---\n' + json.dumps(config_map('other', data={})))
        self.write('label.yaml', policy(LABEL))
        self.write('field.yaml', policy(field('/data/app.json', '/a', 2)))

    def test_without_a_policy_objects_are_printed_as_read(self):
        self.assertEqual(json.loads(self.override('-f', 'shop.yaml', '-o', 'json')), config_map())
        several = json.loads(self.override('-f', 'two.yaml', '-o', 'json'))
        self.assertEqual((several['apiVersion'], several['kind'], several['items']),
                         ('v1', 'List', [config_map(), config_map('other', data={})]))
        self.assertEqual(self.override('-f', 'two.yaml').count('\n---\n'), 1)

    def test_policies_of_several_files_and_of_standard_input(self):
        both = json.loads(self.override('-f', 'shop.yaml', '--policy', 'label.yaml', '--policy', '-', '-o', 'json',
                                        stdin=json.dumps(policy(field('/data/app.json', '/a', 3), name='q'))))
        self.assertEqual((both['metadata']['labels'], both['data']), ({'seen': 'yes'}, {'app.json': '{"a": 3}'}))

    def test_a_list_of_policies_as_kubectl_get_prints_it(self):
        self.write('list.json', {'apiVersion': 'v1', 'kind': 'List', 'items': [policy(LABEL)]})
        self.assertIn('seen', self.override('-f', 'shop.yaml', '--policy', 'list.json'))

    def test_an_object_that_fails_does_not_hide_the_others(self):
        out = self.override('-f', 'two.yaml', '--policy', 'field.yaml', status=1,
                            stderr='OverridePolicy default/p cannot override /data/app.json: there is no /data/app.json '
                                   '(configmap/other from two.yaml:3)')
        self.assertIn('name: shop', out)
        self.assertNotIn('name: other', out)

    def test_a_namespace_that_nobody_names_is_that_of_the_flag(self):
        here = policy(LABEL)
        here['metadata']['namespace'] = 'here'
        self.write('here.yaml', here)
        self.assertIn('seen', self.override('-f', 'shop.yaml', '--policy', 'here.yaml', '-n', 'here'))
        self.assertNotIn('seen', self.override('-f', 'shop.yaml', '--policy', 'here.yaml',
                                               stderr='OverridePolicy here/p does not select any object'))

    def test_a_cluster_scoped_object_has_no_namespace(self):
        self.write('ns.yaml', {'apiVersion': 'v1', 'kind': 'Namespace', 'metadata': {'name': 'n'}})
        self.assertNotIn('seen', self.override('-f', 'ns.yaml', '--policy', 'label.yaml', stderr='does not select any object'))
        self.write('cluster.yaml', policy(LABEL, kind='ClusterOverridePolicy'))
        self.assertIn('seen', self.override('-f', 'ns.yaml', '--policy', 'cluster.yaml'))

    def test_a_selector_that_selects_nothing_is_noted(self):
        selectors = [{'apiVersion': 'v1', 'kind': 'ConfigMap'}, {'apiVersion': 'v1', 'kind': 'Secret'}]
        self.write('policy.yaml', policy(LABEL, selectors=selectors))
        done = self.run_tool('override', '-f', 'shop.yaml', '--policy', 'policy.yaml')
        self.assertEqual(done.stderr.count('does not select any object'), 1, done)
        self.assertIn('spec.resourceSelectors[1]', done.stderr)

    def test_a_selector_of_an_object_that_fails_is_in_use(self):
        self.write('policy.yaml', policy(field('/data/x', '/a', 1), selectors=[{'apiVersion': 'v1', 'kind': 'ConfigMap'}]))
        done = self.run_tool('override', '-f', 'shop.yaml', '--policy', 'policy.yaml')
        self.assertEqual((done.returncode, done.stdout, 'does not select any' in done.stderr), (1, '', False), done)

    def test_the_cluster_by_flags_or_by_its_object(self):
        target = {'labelSelector': {'matchLabels': {'env': 'prod'}},
                  'fieldSelector': {'matchExpressions': [{'key': 'zone', 'operator': 'In', 'values': ['b']},
                                                         {'key': 'provider', 'operator': 'NotIn', 'values': ['aws']},
                                                         {'key': 'region', 'operator': 'In', 'values': ['eu']}]}}
        self.write('policy.yaml', policy(LABEL, target=target))
        flags = ['--member-cluster-labels=env=prod,tier=1', '--member-cluster-zones=a,b', '--member-cluster-provider=',
                 '--member-cluster-region=eu']
        use = ['-f', 'shop.yaml', '--policy', 'policy.yaml']
        self.assertIn('seen', self.override(*use, *flags))
        self.assertNotIn('seen', self.override(*use, *flags[2:], '--member-cluster-zones=', '--member-cluster-labels='))
        for left_out in flags:
            self.override(*use, *(f for f in flags if f != left_out), status=1, stderr='use ' + left_out.split('=')[0])
        cluster = {'apiVersion': 'cluster.karmada.io/v1alpha1', 'kind': 'Cluster', 'metadata': {'name': 'm', 'labels': {'env': 'prod'}},
                   'spec': {'syncMode': 'Push', 'region': 'eu', 'zones': ['b']}, 'status': {}}
        self.write('cluster.yaml', cluster)
        self.assertIn('seen', self.override(*use, '--member-cluster-file', 'cluster.yaml'))
        cluster['spec'] = {'region': 'eu', 'zone': 'b'}
        self.write('cluster.yaml', cluster)
        self.assertIn('seen', self.override(*use, '--member-cluster-file', 'cluster.yaml'))

    def test_what_stands_beside_policies_is_left_out_with_a_note(self):
        propagation = {'apiVersion': 'policy.karmada.io/v1alpha1', 'kind': 'PropagationPolicy', 'metadata': {'name': 'x'}, 'spec': {}}
        self.write('all.yaml', json.dumps(propagation) + '\n---\n' + json.dumps(policy(LABEL)))
        self.assertIn('seen', self.override('-f', 'shop.yaml', '--policy', 'all.yaml',
                                            stderr='all.yaml:1: PropagationPolicy x is not an override policy and was skipped'))

    def test_usage_errors(self):
        self.write('both.yaml', policy(BOTH))
        self.write('twice.yaml', json.dumps(policy(LABEL)) + '\n---\n' + json.dumps(policy(LABEL)))
        self.write('keys.yaml', json.dumps(policy(LABEL)).replace('"metadata"', '"kind": "OverridePolicy", "metadata"'))
        use = ['-f', 'shop.yaml', '--policy']
        rows = [
            ([], 'must specify one of -f and -k'),
            ([*use, 'shop.yaml'], 'shop.yaml:1: not an override policy: found v1 ConfigMap, expected OverridePolicy or'),
            ([*use, 'nothing.yaml'], 'the path "nothing.yaml" does not exist'),
            ([*use, 'both.yaml'], 'spec.overrideRules[0].overriders.fieldOverrider[0]: has both json and yaml operations'),
            ([*use, 'twice.yaml'], 'twice.yaml:3: duplicate policy; the first is twice.yaml:1: OverridePolicy default/p'),
            ([*use, 'keys.yaml'], 'keys.yaml:1: '),
            (['-f', '-', '--policy', '-'], 'standard input (-) can be used only once'),
            (['-f', 'shop.yaml', '--member-cluster', 'm'], '--member-cluster has no effect without --policy'),
            ([*use, 'label.yaml', '--member-cluster-labels', 'a'], '--member-cluster-labels must be KEY=VALUE'),
            ([*use, 'label.yaml', '--member-cluster-file', 'shop.yaml'], 'is not a Cluster of cluster.karmada.io'),
            ([*use, 'label.yaml', '--member-cluster', 'm', '--member-cluster-file', 'shop.yaml'], 'cannot be used together'),
            (['-f', 'shop.yaml', '--explain', '-o', 'json'], '-o cannot be used with --explain'),
            (['--batch', '-f', 'shop.yaml'], '--filename cannot be used with --batch'),
            (['--batch', '--member-cluster', 'm'], '--member-cluster cannot be used with --batch'),
        ]
        for args, message in rows:
            with self.subTest(args=args):
                self.assertEqual(self.override(*args, status=1, stderr=message), '')

    def test_secrets_are_printed_but_not_in_errors(self):
        text = base64.b64encode(('{"password": "%s"}' % CANARY).encode()).decode()
        self.write('secret.yaml', {'apiVersion': 'v1', 'kind': 'Secret', 'metadata': {'name': 's'}, 'data': {'conf': text}})
        self.write('policy.yaml', policy(field('/data/conf', '/password', 'new')))
        changed = json.loads(self.override('-f', 'secret.yaml', '--policy', 'policy.yaml', '-o', 'json'))['data']['conf']
        self.assertEqual(base64.b64decode(changed).decode(), '{"password": "new"}')
        explained = self.override('-f', 'secret.yaml', '--policy', 'policy.yaml', '--explain')
        self.assertNotIn(CANARY, explained)
        self.assertIn('    data.conf\n      - ***\n      + ***\n', explained)
        self.assertIn(CANARY, self.override('-f', 'secret.yaml', '--policy', 'policy.yaml', '--explain', '--show-secrets'))
        tests = {'jsonPlaintextOverrider': [{'path': '/data/conf', 'patch': [{'path': '/password', 'operator': 'test', 'value': 'x'}]}]}
        for overriders in (tests, field('/data/conf', '/a', 1), field('/data/conf', '/password/x', 1)):
            self.write('policy.yaml', policy(overriders))
            done = self.run_tool('override', '-f', 'secret.yaml', '--policy', 'policy.yaml')
            self.assertEqual(done.returncode, 1)
            self.assertNotIn(CANARY, done.stderr)

    def test_explain_shows_long_lines_around_the_change(self):
        self.write('long.yaml', config_map(data={'app.json': json.dumps({'x': 'é' * 3000, 'a': 1, 'z': 'é' * 3000})}))
        out = self.override('-f', 'long.yaml', '--policy', 'field.yaml', '--explain')
        self.assertRegex(out, r'\n      - ….*"a": 1, .*…\n      \+ ….*"a": 2, .*…\n')
        self.assertLess(max(map(len, out.splitlines())), 200)

    def test_explain_diff_and_apply_name_the_policy(self):
        args = ['explain-diff', '-f', 'shop.yaml', '--live', 'shop.yaml', '--override', 'field.yaml']
        done = self.run_tool(*args, '--wide')
        self.assertEqual(done.returncode, 1, done)
        self.assertIn('value from field.yaml:15: OverridePolicy default/p spec.overrideRules[0].overriders.fieldOverrider[0].json[0], instead of shop.yaml:',
                      done.stdout)
        source = json.loads(self.run_tool(*args, '-o', 'json').stdout)['objects'][0]['changes'][0]['source']
        self.assertEqual(source['policy'], 'OverridePolicy default/p spec.overrideRules[0].overriders.fieldOverrider[0].json[0]')
        done = self.run_tool('apply', '-f', 'shop.yaml', '--member-cluster', 'm')
        self.assertIn('--member-cluster has no effect without --policy', done.stderr)


class Batch(OverrideTest):
    def answers(self, *requests):
        text = ''.join((r if isinstance(r, str) else json.dumps(r)) + '\n' for r in requests)
        return [json.loads(line) for line in self.override('--batch', stdin=text).splitlines()]

    def test_answers_each_line(self):
        here = config_map(metadata={'name': 'shop', 'namespace': 'default'})
        named = policy(LABEL, target={'clusterNames': ['m']})
        got = self.answers({'id': 1, 'object': here, 'policies': [named], 'cluster': {'name': 'm'}},
                           {'id': 2, 'object': here, 'policies': [named], 'cluster': {'name': 'n'}},
                           'no JSON',
                           {'id': 'x', 'object': here, 'policies': []})
        self.assertEqual(got[0]['object']['metadata'].get('labels'), {'seen': 'yes'})
        self.assertEqual((got[1], got[3]), ({'id': 2, 'object': here}, {'id': 'x', 'object': here}))
        self.assertEqual(got[2]['error']['code'], 'parse')

    def test_an_object_without_namespace_has_no_override_policies(self):
        got = self.answers({'id': 1, 'object': config_map(), 'policies': [policy(LABEL)]})
        self.assertEqual(got, [{'id': 1, 'object': config_map()}])

    def test_errors_name_the_policy_and_its_part(self):
        here = config_map(metadata={'name': 'shop', 'namespace': 'default'})
        named = policy(LABEL, target={'clusterNames': ['m']})
        rows = [
            ({'policies': []}, 'invalid-argument', 'object'),
            ({'object': here}, 'invalid-argument', 'policies'),
            ({'object': here, 'policies': {}}, 'invalid-argument', 'policies'),
            ({'object': here, 'policies': [5]}, 'policy', 'policies[0]'),
            ({'object': here, 'policies': [policy(LABEL), policy(BOTH)]}, 'policy',
             'policies[1].spec.overrideRules[0].overriders.fieldOverrider[0]'),
            ({'object': here, 'policies': [policy(field('/data/x', '/a', 1))]}, 'policy',
             'spec.overrideRules[0].overriders.fieldOverrider[0]'),
            ({'object': here, 'policies': [named]}, 'policy', 'spec.overrideRules[0].targetCluster'),
            ({'object': here, 'policies': [named], 'cluster': 'm'}, 'invalid-argument', 'cluster'),
            ({'object': here, 'policies': [named], 'cluster': {'name': 5}}, 'invalid-argument', 'cluster.name'),
        ]
        for (request, code, path), answer in zip(rows, self.answers(*({'id': 1, **row[0]} for row in rows))):
            with self.subTest(path=path):
                self.assertEqual((answer['error']['code'], answer['error'].get('path')), (code, path), answer)


if __name__ == '__main__':
    unittest.main(argv=sys.argv[:1])
