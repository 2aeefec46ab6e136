#!/usr/bin/env python3
"""pull without a cluster: manifests, live and last-applied objects in, edited files out.

  pull_test.py [PATH_OF_KUBECTL_SMP]     default: $SMP_BINARY"""
import base64
import copy
import os
import pty
import re
import subprocess
import sys
import unittest

import tool
from pull_case import PullCase, config_map, entry

CONFIG = '''# the shop's settings
apiVersion: v1
kind: ConfigMap
metadata:
  name: shop   # see the wiki
data:
  mode: "fast"  # or slow
  lines: |
    first
    # a comment in the text
    third
  old: x
'''


RECORD = config_map(mode='fast', lines='first\n# a comment in the text\nthird\n', old='x')

DEPLOYMENT = '''apiVersion: apps/v1
kind: Deployment
metadata:
  name: web
spec:
  replicas: 2 # two are enough
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec:
      containers:
        # the server
        - name: web
          image: nginx:1.25
          env:
            - {name: A, value: a}
            - name: C   # third
              value: c
'''


def deployment():
    return {'apiVersion': 'apps/v1', 'kind': 'Deployment', 'metadata': {'name': 'web'},
            'spec': {'replicas': 2, 'selector': {'matchLabels': {'app': 'web'}},
                     'template': {'metadata': {'labels': {'app': 'web'}},
                                  'spec': {'containers': [{'name': 'web', 'image': 'nginx:1.25', 'env': [
                                      {'name': 'A', 'value': 'a'}, {'name': 'C', 'value': 'c'}]}]}}}}


def env_of(live):
    return live['spec']['template']['spec']['containers'][0]['env']


class PullTest(PullCase):
    text, original = CONFIG, RECORD

    def test_nothing_to_pull(self):
        self.assertEqual(self.pull(live=RECORD), CONFIG)
        self.assertEqual((self.done.stdout, self.done.stderr), ('', 'nothing to pull\n'))

    def test_a_scalar_keeps_its_quotes_and_its_comment(self):
        text = self.pull('--write', live={**RECORD, 'data': {**RECORD['data'], 'mode': 'slow'}})
        self.assertEqual(text, CONFIG.replace('"fast"', '"slow"'))
        self.assertIn('web.yaml: 1 change written', self.done.stdout)

    def test_shown_and_not_written(self):
        live = {**RECORD, 'data': {**RECORD['data'], 'mode': 'slow'}}
        live['metadata'] = {'name': 'shop', 'managedFields': [entry('kubectl-edit', {'f:data': {'f:mode': {}}})]}
        for args in [], ['--dry-run']:
            self.assertEqual(self.pull(*args, status=1, live=live), CONFIG)
            self.assertRegex(self.done.stdout, r'\n# configmap/shop data.mode: kubectl-edit \(Update; last write \d+d ago\)\n@@ ')
            self.assertIn('\n-  mode: "fast"  # or slow\n+  mode: "slow"  # or slow\n', self.done.stdout)

    def test_lines_of_a_text(self):
        live = {**RECORD, 'data': {**RECORD['data'], 'lines': 'first\n# a comment in the text\n  second\nthird\n'}}
        self.assertEqual(self.pull('--write', live=live), CONFIG.replace('    third', '      second\n    third'))
        live['data']['lines'] = 'first\nthird'
        self.assertEqual(self.pull('--write', live=live),
                         CONFIG.replace('lines: |', 'lines: |-').replace('    # a comment in the text\n', ''))

    def test_what_live_lost(self):
        live = copy.deepcopy(RECORD)
        del live['data']['old']
        self.assertEqual(self.pull('--write', live=live), CONFIG.replace('  old: x\n', ''))

    def test_carriage_returns_and_no_line_end(self):
        old = CONFIG[:-1].replace('\n', '\r\n')
        live = {**RECORD, 'data': {**RECORD['data'], 'old': 'z', 'lines': 'first\nthird\n'}}
        want = CONFIG[:-1].replace('    # a comment in the text\n', '').replace('old: x', 'old: z').replace('\n', '\r\n')
        self.assertEqual(self.pull('--write', text=old, live=live), want)

    def test_conflicts_are_left(self):
        live = {**RECORD, 'data': {**RECORD['data'], 'mode': 'slow'}}
        mine = CONFIG.replace('"fast"', '"medium"')
        text = self.pull('--write', status=1, text=mine, live=live, stderr='left: configmap/shop data.mode: conflict: ')
        self.assertEqual(text, mine)
        self.assertEqual(self.pull('--write', '--conflicts', text=mine, live=live), CONFIG.replace('"fast"', '"slow"'))

    def test_without_a_record_nothing_is_drift(self):
        live = {**RECORD, 'data': {**RECORD['data'], 'mode': 'slow', 'old': 'z'}}
        self.assertEqual(self.pull('--write', status=1, original=False, live=live, stderr='no last-applied record tells whether'), CONFIG)
        self.assertEqual(self.pull('--write', '--field', 'data.mode', original=False, live=live), CONFIG.replace('fast', 'slow'))

    def test_fields_and_managers(self):
        live = {**RECORD, 'data': {**RECORD['data'], 'mode': 'slow', 'old': 'z'}}
        live['metadata'] = {'name': 'shop', 'managedFields': [
            entry('kubectl-edit', {'f:data': {'f:mode': {}}}), entry('bot', {'f:data': {'f:old': {}}})]}
        slow, old = CONFIG.replace('"fast"', '"slow"'), CONFIG.replace('old: x', 'old: z')
        self.assertEqual(self.pull('--write', '--field', 'data.mode', live=live), slow)
        self.assertEqual(self.pull('--write', '--field', 'data.*', live=live), slow.replace('old: x', 'old: z'))
        self.assertEqual(self.pull('--write', '--manager', 'bot', live=live), old)
        self.assertEqual(self.pull('--write', '--manager', 'nobody', live=live,
                                   stderr='--manager nobody: live has no such field manager; it has bot, kubectl-edit'), CONFIG)

    def test_a_new_item_goes_where_live_has_it(self):
        live = deployment()
        env_of(live).insert(1, {'name': 'B', 'value': 'b'})
        live['metadata']['managedFields'] = [entry('kubectl-edit', {'f:spec': {'f:template': {'f:spec': {'f:containers': {
            'k:{"name":"web"}': {'f:env': {'k:{"name":"B"}': {'.': {}, 'f:name': {}, 'f:value': {}}}}}}}}})]
        args = {'text': DEPLOYMENT, 'original': deployment(), 'live': live}
        self.assertEqual(self.pull('--write', **args), DEPLOYMENT)
        text = self.pull('--write', '--added', **args)
        self.assertEqual(text, DEPLOYMENT.replace('            - name: C', '            - name: B\n              value: b\n            - name: C'))

    def test_defaults_and_the_status_are_never_written(self):
        live = deployment()
        container = live['spec']['template']['spec']['containers'][0]
        container.update(image='nginx:1.26', imagePullPolicy='IfNotPresent', terminationMessagePath='/dev/termination-log')
        live['spec']['progressDeadlineSeconds'] = 600
        live['status'] = {'replicas': 1}
        text = self.pull('--write', '--added', text=DEPLOYMENT, original=deployment(), live=live)
        self.assertEqual(text, DEPLOYMENT.replace('1.25', '1.26'))

    def test_what_an_autoscaler_wrote_is_left(self):
        live = deployment()
        live['spec']['replicas'] = 7
        live['metadata']['managedFields'] = [entry('hpa', {'f:spec': {'f:replicas': {}}}, subresource='scale')]
        text = self.pull('--write', status=1, text=DEPLOYMENT, original=deployment(), live=live,
                         stderr='spec.replicas: last written through the subresource scale by hpa; remove the field')
        self.assertEqual(text, DEPLOYMENT)

    def test_lists_documents_and_json(self):
        slow = {**RECORD, 'data': {**RECORD['data'], 'mode': 'slow'}}
        other = '# nothing here\nkind: ConfigMap\napiVersion: v1\nmetadata: {name: b}\ndata: {mode: fast}\n'
        two = other + '---\n' + CONFIG + '---\n' + other.replace('name: b', 'name: c')
        self.assertEqual(self.pull('--write', text=two, live=slow), two.replace('"fast"', '"slow"'))
        items = 'apiVersion: v1\nkind: List\nitems:\n- ' + CONFIG.split('\n', 1)[1].rstrip().replace('\n', '\n  ') + '\n'
        self.assertEqual(self.pull('--write', text=items, live=slow), items.replace('"fast"', '"slow"'))
        as_json = '{"apiVersion":"v1", "kind":"ConfigMap",\n  "metadata": {"name": "shop"},\n\t"data": {"mode": "fast" }}'
        record = config_map(mode='fast')
        self.assertEqual(self.pull('--write', text=as_json, original=record, live=config_map(mode='slow')),
                         as_json.replace('fast', 'slow'))

    def test_aliases_are_refused_with_their_lines(self):
        text = 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: shop}\ndata:\n  a: &x one\n  b: *x\n  c: two\n'
        record = config_map(a='one', b='one', c='two')
        for name, why in ('b', 'is an alias (line 6) of that on line 5'), ('a', 'has an anchor on line 5 and is used on line 6'):
            live = copy.deepcopy(record)
            live['data'].update({name: 'new', 'c': 'three'})
            got = self.pull('--write', status=1, text=text, original=record, live=live, stderr=why)
            self.assertEqual(got, text.replace('two', 'three'))

    def test_an_alias_is_removed(self):
        """What it repeats stays."""
        text = 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: shop}\ndata:\n  a: &x one\n  b: *x\n  c: two\n'
        got = self.pull('--write', text=text, original=config_map(a='one', b='one', c='two'), live=config_map(a='one', c='two'))
        self.assertEqual(got, text.replace('  b: *x\n', ''))

    def test_origins_are_named(self):
        live = {**RECORD, 'data': {**RECORD['data'], 'mode': 'slow'}}
        helm = {**live, 'metadata': {'name': 'shop', 'annotations': {'meta.helm.sh/release-name': 'shop-7'}}}
        self.assertEqual(self.pull('--write', status=1, live=helm, stderr='belongs to the Helm release shop-7'), CONFIG)
        rendered = '# Source: shop/templates/config.yaml\n' + CONFIG
        self.assertEqual(self.pull('--write', status=1, text=rendered, live=live, stderr='from shop/templates/config.yaml'), rendered)
        made = '# Code generated by make-config. DO NOT EDIT.\n' + CONFIG
        self.assertEqual(self.pull('--write', status=1, text=made, live=live, stderr='a program wrote the file'), made)

    def test_secrets(self):
        secret = {'apiVersion': 'v1', 'kind': 'Secret', 'metadata': {'name': 's'},
                  'data': {'a': base64.b64encode(b'canary-old').decode(), 'b': base64.b64encode(b'canary-text').decode()}}
        text = ('kind: Secret\napiVersion: v1\nmetadata: {name: s}\ndata:\n  a: %s\nstringData:\n  b: canary-text # text\n'
                % secret['data']['a'])
        live = copy.deepcopy(secret)
        live['data'] = {'a': base64.b64encode(b'canary-new').decode(), 'b': base64.b64encode(b'canary-two').decode()}
        args = {'text': text, 'original': secret, 'live': live}
        self.assertEqual(self.pull('--write', status=1, stderr='--secrets writes it', **args), text)
        shown = self.pull('--secrets', status=1, **args)
        self.assertEqual(shown, text)
        self.assertIn('+  a: ***\n', self.done.stdout)
        for value in 'canary', secret['data']['a'], live['data']['a']:
            self.assertNotIn(value, self.done.stdout + self.done.stderr)
        self.assertEqual(self.pull('--write', '--secrets', **args),
                         text.replace(secret['data']['a'], live['data']['a']).replace('canary-text', 'canary-two'))
        self.pull('-o', 'patch', '--secrets', status=2, stderr='-o patch cannot be used with --secrets', **args)

    def test_git(self):
        slow = {**RECORD, 'data': {**RECORD['data'], 'mode': 'slow'}}
        self.write('web.yaml', CONFIG)
        self.git('init', '-q')
        self.git('add', 'web.yaml')
        self.assertEqual(self.pull('--write', status=2, live=slow, stderr='git has uncommitted changes of web.yaml'), CONFIG)
        self.git('commit', '-q', '-m', 'm')
        self.assertEqual(self.pull('--write', live=slow), CONFIG.replace('"fast"', '"slow"'))
        self.assertEqual(self.pull('-o', 'patch', status=1, live=slow), CONFIG)
        self.git('apply', stdin=self.done.stdout)
        with open(os.path.join(self.dir, 'web.yaml'), encoding='utf-8') as file:
            self.assertEqual(file.read(), CONFIG.replace('"fast"', '"slow"'))
        changed = CONFIG + '# mine\n'
        self.assertEqual(self.pull('--write', '--force', text=changed, live=slow), changed.replace('"fast"', '"slow"'))

    def on_terminal(self, answers, *args):
        """Runs pull on a terminal, with an answer a question; what it prints, and the file afterwards."""
        live = {**RECORD, 'data': {**RECORD['data'], 'mode': 'slow', 'old': 'z'}}
        self.write('web.yaml', CONFIG)
        self.write('live.json', live)
        self.write('original.json', RECORD)
        terminal, side = pty.openpty()
        command = [tool.TOOL, 'pull', '-f', 'web.yaml', '--live', 'live.json', '--original', 'original.json', *args]
        process = subprocess.Popen(command, stdin=side, stdout=side, stderr=side, cwd=self.dir, env=self.environment())
        os.close(side)
        out, asked, answers = b'', 0, answers.splitlines(keepends=True)
        try:
            while True:
                out += os.read(terminal, 4096)
                if answers and len(re.findall(rb'\? \[y/N\]: |,\?\]\? ', out)) > asked:
                    os.write(terminal, answers[0].encode())
                    asked, answers = asked + 1, answers[1:]
        except OSError:  # the other side is closed
            os.close(terminal)
        with open(os.path.join(self.dir, 'web.yaml'), encoding='utf-8') as file:
            return process.wait(), out.decode(), file.read()

    def test_a_question_on_a_terminal(self):
        both = CONFIG.replace('"fast"', '"slow"').replace('old: x', 'old: z')
        for answer, status, want in ('y', 0, both), ('n', 1, CONFIG), ('', 1, CONFIG):
            got = self.on_terminal(answer + '\n')
            self.assertEqual((got[0], got[2]), (status, want), got)
            self.assertIn('Write 2 changes in 1 file? [y/N]: ', got[1])

    def test_change_by_change(self):
        mode, old = CONFIG.replace('"fast"', '"slow"'), CONFIG.replace('old: x', 'old: z')
        both = mode.replace('old: x', 'old: z')
        for answers, want in (('y\ny\n', both), ('y\nn\n', mode), ('n\ny\n', old), ('a\n', both), ('d\n', CONFIG), ('q\n', CONFIG),
                              ('?\ny\nq\n', mode), ('\x04', CONFIG)):
            got = self.on_terminal(answers, '--interactive')
            self.assertEqual((got[0], got[2]), (0 if want == both else 1, want), got)
            self.assertIn('Take this change [y,n,q,a,d,?]? ', got[1])
            self.assertEqual('a - take this change and all that follow' in got[1], '?' in answers, got)

    def test_nothing_is_asked_before_changes_are_committed(self):
        self.write('web.yaml', CONFIG)
        self.git('init', '-q')
        for args in ['--interactive'], []:
            status, shown, text = self.on_terminal('y\ny\n', *args)
            self.assertEqual((status, text), (2, CONFIG), shown)
            self.assertIn('git has uncommitted changes of web.yaml', shown)
            self.assertNotIn('Take this change', shown)
            self.assertNotIn('Write 2 changes', shown)

    def test_refused(self):
        self.write('live.json', RECORD)
        for args, why in ((['-k', '.'], '-k cannot be used with pull: kustomize builds'),
                          (['-f', 'live.json', '-o', 'patch', '--write'], '-o patch cannot be used with --write'),
                          (['-f', 'live.json', '--dry-run', '--write'], '--dry-run writes nothing'),
                          (['-f', 'live.json', '--field', 'a['], '--field: '),
                          (['-f', 'missing.yaml'], 'does not exist')):
            done = self.run_tool('pull', *args, '--live', 'live.json')
            self.assertEqual(done.returncode, 2, done)
            self.assertIn(why, done.stderr)


if __name__ == '__main__':
    unittest.main(argv=sys.argv[:1])
