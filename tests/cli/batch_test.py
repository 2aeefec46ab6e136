#!/usr/bin/env python3
"""create-patch and merge without a cluster: files in, a patch or an object out; and --batch, requests in, answers out.

  batch_test.py [PATH_OF_KUBECTL_SMP]     default: $SMP_BINARY"""
import itertools
import json
import os
import subprocess
import sys
import threading
import unittest
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import tool

DEPLOYMENT = {'apiVersion': 'apps/v1', 'kind': 'Deployment'}

# A kind of its own: a list merged by two keys, and a resource whose server side knows no strategic merge patch.
OPENAPI = {
    'openapi': '3.0.0',
    'paths': {'/apis/example.com/v1/namespaces/{namespace}/widgets/{name}': {'patch': {
        'requestBody': {'content': {'application/merge-patch+json': {}}},
        'x-kubernetes-group-version-kind': {'group': 'example.com', 'version': 'v1', 'kind': 'Widget'}}}},
    'components': {'schemas': {
        'Pairs': {'properties': {'list': {
            'type': 'array', 'x-kubernetes-patch-strategy': 'merge', 'x-kubernetes-patch-merge-key': 'port,protocol',
            'items': {'type': 'object', 'properties': {n: {'type': 'string'} for n in ('port', 'protocol', 'value')}}}}},
        'Widget': {'x-kubernetes-group-version-kind': [{'group': 'example.com', 'version': 'v1', 'kind': 'Widget'}],
                   'properties': {'spec': {'type': 'object', 'properties': {'size': {'type': 'integer'}}}}}}}}

# The same as the older form has it.
SWAGGER = {
    'swagger': '2.0',
    'paths': {'/apis/example.com/v1/namespaces/{namespace}/widgets/{name}': {'patch': {
        'consumes': ['application/merge-patch+json'],
        'x-kubernetes-group-version-kind': {'group': 'example.com', 'version': 'v1', 'kind': 'Widget'}}}},
    'definitions': OPENAPI['components']['schemas']}


def deployment(**spec):
    return {**DEPLOYMENT, 'metadata': {'name': 'web'}, 'spec': spec}


def containers(*items):
    return deployment(template={'spec': {'containers': list(items)}})


class BatchTest(tool.ToolTest):
    def answers(self, args, lines):
        """The answers to `lines` (requests, or texts as they are)."""
        texts = [line if isinstance(line, str) else json.dumps(line) for line in lines]
        done = self.run_tool(*args, '--batch', stdin=''.join(text + '\n' for text in texts))
        self.assertEqual((done.returncode, done.stderr), (0, ''))
        self.assertEqual(done.stdout.count('\n'), len(lines))
        return [json.loads(line) for line in done.stdout.splitlines()]

    def expect_answers(self, args, rows):
        """Rows of (request, members of the answer besides id); of an error {'code', 'path'?, 'message'} the message is a part."""
        requests = [{'id': i, **request} for i, (request, _) in enumerate(rows)]
        for i, (answer, (request, expected)) in enumerate(zip(self.answers(args, requests), rows)):
            with self.subTest(request=request):
                self.assertEqual(answer.pop('id'), i)
                if 'error' in expected and 'error' in answer:
                    self.assertIn(expected['error'].get('message', ''), answer['error'].pop('message'))
                    expected['error'].pop('message', None)
                self.assertEqual(answer, expected)


def error(code, message, path=None):
    return {'error': {'code': code, 'message': message, **({'path': path} if path else {})}}


class Protocol(BatchTest):
    REQUEST = {'target': {'a': 1}, 'patch': {'b': 2}}
    RESULT = {'a': 1, 'b': 2}

    def merge(self, *lines):
        return self.answers(['merge', '--type=merge'], lines)

    def test_the_id_comes_back_as_it_was_given(self):
        for text in ('7', '"x"', 'null', 'true', '[1,{"a":null}]', '1.0', '1e3', '18446744073709551615', '[18446744073709551615,-0.0]',
                     '{"b":[1.0],"a":123456789012345678901234567890}', '"a \\"quote\\", ü"', '{}', '[[],","]'):
            with self.subTest(id=text):
                for line in ('{"id":%s,"target":{"id":5},"patch":{}}', '{"target":{"id":5},"patch":{},"x":"id", "id" : %s }'):
                    done = self.run_tool('merge', '--type=merge', '--batch', stdin=line % text + '\n')
                    self.assertEqual(done.stdout, '{"id":%s,"result":{"id":5}}\n' % text)

    def test_white_space_within_an_id_goes(self):
        done = self.run_tool('merge', '--type=merge', '--batch', stdin='{"id": [ 1.0,\t{"a b" : 2} ], "target":{}, "patch":{}}\n')
        self.assertEqual(done.stdout, '{"id":[1.0,{"a b":2}],"result":{}}\n')

    def test_of_two_ids_the_last_counts_however_it_is_spelt(self):
        done = self.run_tool('merge', '--type=merge', '--batch', stdin='{"id":1,"target":{},"patch":{},"\\u0069d":2.0}\n')
        self.assertEqual(done.stdout, '{"id":2.0,"result":{}}\n')
        for first, last in (('1', '2'), ('"a"', 'null'), ('null', '3'), ('18446744073709551614', '18446744073709551615')):
            with self.subTest(first=first, last=last):
                done = self.run_tool('merge', '--type=merge', '--batch', stdin='{"id":%s,"target":{},"id":%s,"patch":{}}\n' % (first, last))
                self.assertEqual(done.stdout, '{"id":%s,"result":{}}\n' % last)

    def test_without_id_the_answer_says_null(self):
        self.assertEqual(self.merge(self.REQUEST), [{'id': None, 'result': self.RESULT}])

    def test_a_bad_line_is_an_error_for_that_line_only(self):
        rows = [('nonsense', 'parse'), ('', 'parse'), ('{"id":1', 'parse'), ('{} {}', 'parse'), ('\x00', 'parse'), ('[' * 5000, 'parse'),
                ('[]', 'invalid-argument'), ('1', 'invalid-argument'), ('{}', 'invalid-argument')]
        good = {'id': 'good', **self.REQUEST}
        answers = self.merge(*(line for text, _ in rows for line in (text, good)))
        for (text, code), bad, after in zip(rows, answers[0::2], answers[1::2]):
            with self.subTest(line=text):
                self.assertEqual((bad['id'], bad['error']['code']), (None, code))
                self.assertEqual(after, {'id': 'good', 'result': self.RESULT})

    def test_the_last_line_needs_no_end(self):
        done = self.run_tool('merge', '--type=merge', '--batch', stdin=json.dumps(self.REQUEST))
        self.assertEqual(done.stdout, '{"id":null,"result":{"a":1,"b":2}}\n')

    def test_no_input_is_no_answer(self):
        self.assertEqual(self.merge(), [])

    def test_lines_may_end_as_on_windows(self):
        self.assertEqual(self.merge(json.dumps(self.REQUEST) + '\r'), [{'id': None, 'result': self.RESULT}])

    # 65535 characters are what one read takes.
    def test_lines_of_all_lengths_are_whole(self):
        empty = len(json.dumps({'id': 1, 'target': {'a': ''}, 'patch': {}}))
        for length in (65533, 65534, 65535, 65536, 65537, 131070, 131071, 3_000_000):
            request = {'id': 1, 'target': {'a': 'x' * (length - empty)}, 'patch': {}}
            with self.subTest(length=length):
                self.assertEqual(self.merge(request, request), [{'id': 1, 'result': request['target']}] * 2)

    def test_a_line_that_is_too_long_is_an_error_for_that_line_only(self):
        good = {'id': 1, **self.REQUEST}
        answers = self.merge(good, '"' + 'x' * (64 << 20) + '"', good)
        self.assertEqual([a.get('result') for a in answers], [self.RESULT, None, self.RESULT])
        self.assertEqual(answers[1]['error'], {'code': 'invalid-argument', 'message': 'the line is longer than 64 MiB'})

    def test_each_answer_comes_before_the_next_request(self):
        with subprocess.Popen([tool.TOOL, 'merge', '--type=merge', '--batch'], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
                              env=self.environment()) as running:
            for i in range(3):
                running.stdin.write(json.dumps({'id': i, **self.REQUEST}) + '\n')
                running.stdin.flush()
                self.assertEqual(json.loads(running.stdout.readline()), {'id': i, 'result': self.RESULT})
            running.stdin.close()
            self.assertEqual(running.wait(timeout=60), 0)

    def test_an_answer_does_not_wait_for_the_rest_of_the_next_line(self):
        with subprocess.Popen([tool.TOOL, 'merge', '--type=merge', '--batch'], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
                              env=self.environment()) as running:
            first, second = (json.dumps({'id': i, **self.REQUEST}) + '\n' for i in range(2))
            running.stdin.write(first + second[:5])
            running.stdin.flush()
            self.assertEqual(json.loads(running.stdout.readline()), {'id': 0, 'result': self.RESULT})
            running.stdin.write(second[5:])
            running.stdin.close()
            self.assertEqual(json.loads(running.stdout.readline()), {'id': 1, 'result': self.RESULT})

    def test_empty_lines_are_answered_as_they_come(self):
        done = self.run_tool('merge', '--type=merge', '--batch', stdin='\n' * 100_000)
        self.assertEqual((done.returncode, done.stdout.count('\n'), done.stdout.count('"code":"parse"')), (0, 100_000, 100_000))

    # Long and short ones, so that the threads which answer them finish in another order.
    def test_many_requests_at_once_are_answered_in_order(self):
        requests = [{'id': i, 'target': {'a': 'x' * (100_000 if i % 7 == 0 else 10)}, 'patch': {}} for i in range(500)]
        self.assertEqual(self.merge(*requests), [{'id': i, 'result': r['target']} for i, r in enumerate(requests)])

    # All of them look for the schema of their kind at once.
    def test_many_requests_of_several_kinds(self):
        kinds = ('Widget', 'Gadget', 'Gizmo')
        flags = [flag for kind in kinds for flag in ('--schema', self.write(kind + '.json', json.dumps(OPENAPI).replace('Widget', kind)))]
        of = lambda i, **spec: {'apiVersion': 'example.com/v1', 'kind': kinds[i % 3], 'spec': {'pad': 'x' * 5000, **spec}}
        answers = self.answers(['create-patch', *flags], [{'id': i, 'modified': of(i, size=i), 'live': of(i)} for i in range(300)])
        self.assertEqual(answers, [{'id': i, 'patch': {'spec': {'size': i}}, 'type': 'merge'} for i in range(300)])

    def test_a_reader_that_goes_away_ends_it(self):
        with subprocess.Popen([tool.TOOL, 'merge', '--type=merge', '--batch'], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE, text=True, env=self.environment()) as running:
            running.stdout.close()
            running.stdin.write(json.dumps(self.REQUEST) + '\n')
            running.stdin.flush()  # and more could follow
            self.assertEqual((running.wait(timeout=60), running.stderr.read()), (141, ''))

    def test_a_stream_that_cannot_be_read_is_the_only_failure(self):
        folder = os.open(self.dir, os.O_RDONLY)
        self.addCleanup(os.close, folder)
        done = subprocess.run([tool.TOOL, 'merge', '--batch'], stdin=folder, capture_output=True, text=True, timeout=60, check=False)
        self.assertEqual((done.returncode, done.stderr), (1, 'error: cannot read standard input\n'))

    def test_errors_are_made_visible(self):
        [answer] = self.answers(['merge'], [{'target': {}, 'patch': {}, 'schema': '\u202e\x1b[31m'}])
        self.assertNotIn('\u202e', answer['error']['message'])
        self.assertNotIn('\x1b', answer['error']['message'])


class CreatePatchBatch(BatchTest):
    def test_three_way(self):
        original, modified = deployment(replicas=1, paused=True), deployment(replicas=2)
        live = deployment(replicas=1, paused=True, minReadySeconds=5)
        self.expect_answers(['create-patch'], [
            ({'original': original, 'modified': modified, 'live': live}, {'patch': {'spec': {'paused': None, 'replicas': 2}}}),
            ({'modified': modified, 'live': live}, {'patch': {'spec': {'replicas': 2}}}),
            ({'original': None, 'modified': modified, 'live': live}, {'patch': {'spec': {'replicas': 2}}}),
            ({'original': live, 'modified': live, 'live': live}, {'patch': {}}),
            ({'original': original, 'modified': modified}, error('invalid-argument', 'only a two-way patch does not need it', 'live')),
            ({'original': original, 'live': live}, error('invalid-argument', 'is missing from the request', 'modified')),
            ({'modified': 1, 'live': live}, error('invalid-argument', 'must be an object, got integer', 'modified')),
            ({'modified': modified, 'live': []}, error('invalid-argument', 'must be an object', 'live')),
            ({'modified': modified, 'live': live, 'overwrite': 'no'}, error('invalid-argument', 'must be true or false', 'overwrite')),
            ({'modified': modified, 'live': live, 'gvk': 1}, error('invalid-argument', 'must be a string', 'gvk')),
        ])

    def test_two_way(self):
        self.expect_answers(['create-patch', '--type=two-way'], [
            ({'original': deployment(replicas=1, paused=True), 'modified': deployment(replicas=2)},
             {'patch': {'spec': {'paused': None, 'replicas': 2}}}),
            ({'modified': {'spec': {'replicas': 2}}, 'gvk': 'apps/v1/Deployment'}, {'patch': {'spec': {'replicas': 2}}}),
            ({'original': deployment(replicas=2), 'modified': deployment(replicas=2), 'live': deployment(replicas=5)}, {'patch': {}}),
        ])

    def test_json_merge_needs_no_schema(self):
        original, modified, live = {'a': {'x': 1}}, {'a': {'y': [2]}}, {'a': {'x': 1, 'y': [1], 'z': 1}}
        sides = {'original': original, 'modified': modified, 'live': live}
        unknown = {side: {'apiVersion': 'x/v1', 'kind': 'X', **value} for side, value in sides.items()}
        patch = {'patch': {'a': {'x': None, 'y': [2]}}}
        for compat in ([], ['--compat=kubectl']):
            with self.subTest(compat=compat):
                self.expect_answers(['create-patch', '--type=json-merge', *compat], [(sides, patch), (unknown, patch)])

    def test_kubectl_sends_again_what_is_gone(self):
        request = {'original': deployment(paused=True), 'modified': deployment(), 'live': deployment()}
        self.expect_answers(['create-patch'], [(request, {'patch': {}})])
        self.expect_answers(['create-patch', '--compat=kubectl'], [(request, {'patch': {'spec': {'paused': None}}})])

    def test_overwrite_false_refuses_to_undo_what_others_did(self):
        drift = {'original': deployment(replicas=1, paused=True), 'modified': deployment(replicas=1),
                 'live': deployment(replicas=5, paused=True)}
        change = {'original': deployment(replicas=1), 'modified': deployment(replicas=2), 'live': deployment(replicas=1)}
        undone = {'patch': {'spec': {'paused': None, 'replicas': 1}}}
        for compat in ([], ['--compat=kubectl']):
            with self.subTest(compat=compat):
                self.expect_answers(['create-patch', *compat], [
                    ({**drift, 'overwrite': False}, error('conflict', '', 'spec.replicas')),
                    ({**drift, 'overwrite': True}, undone),
                    (drift, undone),
                    ({**change, 'overwrite': False}, {'patch': {'spec': {'replicas': 2}}}),
                ])
                self.expect_answers(['create-patch', '--overwrite=false', *compat], [
                    (drift, error('conflict', '', 'spec.replicas')), ({**drift, 'overwrite': True}, undone)])

    def test_a_conflict_names_all_paths(self):
        original, live = deployment(replicas=1, minReadySeconds=1), deployment(replicas=2, minReadySeconds=2)
        [answer] = self.answers(['create-patch'], [{'original': original, 'modified': original, 'live': live, 'overwrite': False}])
        self.assertEqual('spec.minReadySeconds', answer['error']['path'])
        self.assertIn('; likewise spec.replicas; put ', answer['error']['message'])

    def test_how_a_type_is_named(self):
        sides = {'modified': {'spec': {'replicas': 2}}, 'live': {'spec': {'replicas': 1}}}
        patch = {'patch': {'spec': {'replicas': 2}}}
        self.expect_answers(['create-patch'], [
            ({**sides, 'gvk': 'apps/v1/Deployment'}, patch),
            ({**sides, 'gvk': 'v1/ReplicationController'}, patch),
            ({**sides, 'schema': 'io.k8s.api.apps.v1.Deployment'}, patch),
            ({**sides, 'schema': 'io.k8s.api.apps.v1.Deployment', 'gvk': 'v1/Nothing'}, patch),
            (sides, error('parse', 'apiVersion is missing', 'apiVersion')),
            ({**sides, 'gvk': 'Deployment'}, error('parse', 'is not a kind')),
            ({**sides, 'gvk': 'apps/v1/Nothing'}, error('schema', 'no schema for kind "Nothing" in version "apps/v1"')),
            ({**sides, 'schema': 'Nothing'}, error('schema', 'no schema for component "Nothing"')),
        ])
        self.expect_answers(['create-patch', '--gvk=apps/v1/Deployment'], [
            (sides, patch), ({**sides, 'gvk': 'v1/No'}, error('schema', ''))])

    def test_errors_of_the_engine_have_a_path(self):
        self.expect_answers(['create-patch'], [
            ({'modified': containers({'image': 'x'}), 'live': containers({'name': 'a'})},
             error('merge-key', 'needs `name`', 'spec.template.spec.containers[0]')),
            ({'modified': deployment(**{'$patch': 'replace'}), 'live': deployment()}, error('patch-format', '', 'spec["$patch"]')),
        ])

    def test_a_custom_resource_gets_a_json_merge_patch_that_says_so(self):
        def widget(size):
            return {'apiVersion': 'example.com/v1', 'kind': 'Widget', 'spec': {'size': size}}
        schemas = [self.write('openapi.json', OPENAPI), self.write('swagger.json', SWAGGER)]
        request, patch = {'modified': widget(2), 'live': widget(1)}, {'patch': {'spec': {'size': 2}}}
        for schema, compat in itertools.product(schemas, ([], ['--compat=kubectl'])):
            with self.subTest(schema=schema, compat=compat):
                self.expect_answers(['create-patch', '--schema', schema, *compat], [(request, {**patch, 'type': 'merge'})])
                self.expect_answers(['create-patch', '--schema', schema, '--type=json-merge', *compat], [(request, patch)])

    # The server cannot merge a map below additionalProperties, so a strategic merge patch cannot change it.
    def test_a_guarded_json_merge_patch_says_so(self):
        def config_map(value, **metadata):
            return {'apiVersion': 'v1', 'kind': 'ConfigMap', 'metadata': metadata, 'data': {'a': {'b': value}}}
        self.expect_answers(['create-patch'], [
            ({'modified': config_map(2), 'live': config_map(1, resourceVersion='7')},
             {'patch': {'data': {'a': {'b': 2}}, 'metadata': {'resourceVersion': '7'}}, 'type': 'merge'})])


class MergeBatch(BatchTest):
    def test_strategic(self):
        self.expect_answers(['merge'], [
            ({'target': containers({'name': 'a', 'image': 'x'}, {'name': 'b'}),
              'patch': {'spec': {'template': {'spec': {'containers': [{'name': 'a', 'image': 'y'}, {'name': 'b', '$patch': 'delete'}]}}}}},
             {'result': containers({'name': 'a', 'image': 'y'})}),
            ({'target': {'spec': {'replicas': 1, 'paused': True}}, 'patch': {'spec': {'paused': None}}, 'gvk': 'apps/v1/Deployment'},
             {'result': {'spec': {'replicas': 1}}}),
            ({'target': deployment(x={'a': 1}), 'patch': {'spec': {'x': {'b': 1}}}}, error('schema', '', 'spec.x')),
            ({'target': deployment()}, error('invalid-argument', 'is missing', 'patch')),
            ({'target': deployment(), 'patch': []}, error('invalid-argument', 'must be an object', 'patch')),
        ])

    def test_json_merge_patch(self):
        self.expect_answers(['merge', '--type=merge'], [
            ({'target': {'a': {'b': 1, 'c': 2}}, 'patch': {'a': {'b': None, 'd': [1]}}}, {'result': {'a': {'c': 2, 'd': [1]}}}),
            ({'target': [1], 'patch': {'a': 1}}, {'result': {'a': 1}}),
            ({'target': {'a': 1}, 'patch': None}, {'result': None}),
            ({'patch': {}}, error('invalid-argument', 'is missing', 'target')),
        ])

    def test_json_patch(self):
        self.expect_answers(['merge', '--type=json'], [
            ({'target': {'a': [1]}, 'patch': [{'op': 'add', 'path': '/a/-', 'value': 2}]}, {'result': {'a': [1, 2]}}),
            ({'target': {'a': 1}, 'patch': [{'op': 'remove', 'path': '/b'}]}, error('patch-format', 'operation 1 (remove "/b")')),
            ({'target': {'a': 1}, 'patch': [{'op': 'test', 'path': '/a', 'value': 2}]}, error('conflict', 'operation 1 (test "/a")')),
            ({'target': {'a': 1}, 'patch': {}}, error('patch-format', 'must be a list of operations')),
        ])


class SchemaFiles(BatchTest):
    WIDGET = {'target': {'apiVersion': 'example.com/v1', 'kind': 'Widget', 'spec': {}}, 'patch': {'spec': {'size': 1}}}
    PAIR = {'target': {'list': [{'port': 80, 'protocol': 'TCP'}, {'port': 80, 'protocol': 'UDP'}]},
            'patch': {'list': [{'port': 80, 'protocol': 'UDP', 'value': 'x'}]}, 'schema': 'Pairs'}

    def results(self, *schemas):
        flags = [flag for schema in schemas for flag in ('--schema', schema)]
        return [answer.get('result') or answer['error']['code'] for answer in self.answers(['merge', *flags], [self.WIDGET, self.PAIR])]

    def test_documents_are_found_wherever_they_are(self):
        paired = {'list': [{'port': 80, 'protocol': 'TCP'}, {'port': 80, 'protocol': 'UDP', 'value': 'x'}]}
        good = [{**self.WIDGET['target'], 'spec': {'size': 1}}, paired]
        other = self.write('other.json', {'components': {'schemas': {}}})
        v2_widgets = {**SWAGGER, 'definitions': {'Widget': SWAGGER['definitions']['Widget']}}
        self.write('mixed/v3.json', {'components': {'schemas': {'Pairs': SWAGGER['definitions']['Pairs']}}})
        rows = [
            ('a file', [self.write('openapi.json', OPENAPI)]),
            ('YAML', [self.write('openapi.yaml', '# hand-written\n' + json.dumps(OPENAPI, indent=1))]),
            ('a file after another', [other, 'openapi.json']),
            ('a list', ['other.json,openapi.json']),
            ('a folder', [os.path.dirname(self.write('named/apis__example.com__v1.json', OPENAPI))]),
            ('a folder with files of any name', [os.path.dirname(self.write('any/x.json', OPENAPI))]),
            ('OpenAPI v2', [self.write('swagger.json', SWAGGER)]),
            ('OpenAPI v2 as YAML', [self.write('swagger.yaml', '# hand-written\n' + json.dumps(SWAGGER, indent=1))]),
            ('OpenAPI v2 without a version', [self.write('parts.json', {'definitions': SWAGGER['definitions']})]),
            ('v3 and v2 in a folder', [os.path.dirname(self.write('mixed/v2.json', v2_widgets))]),
            ('folders in a folder', [os.path.dirname(os.path.dirname(self.write('deep/apis/v1.json', OPENAPI)))]),
        ]
        for folder in ('named', 'any', 'mixed'):
            self.write(folder + '/index.json', {'paths': {'api/v1': {}}})
            self.write(folder + '/a.json', [])
        for name, schemas in rows:
            with self.subTest(name):
                self.assertEqual(self.results(*schemas), good)

    def test_only_the_documents_given_count(self):
        self.assertEqual(self.results(self.write('other.json', {'components': {'schemas': {}}})), ['schema', 'schema'])

    def test_no_more_is_read_than_is_needed(self):
        self.write('openapi/apis__example.com__v1.json', OPENAPI)
        self.write('openapi/a.json', 'broken')
        [answer] = self.answers(['merge', '--schema', 'openapi'], [self.WIDGET])
        self.assertIn('result', answer)

    def test_errors_name_the_file(self):
        rows = [('broken.json', '{"a":\n', 'parse', 'broken.json:'), ('broken.yaml', 'a: b: c', 'parse', 'broken.yaml:1: '),
                ('none.json', '{"paths": {}}', 'schema', 'none.json: not an OpenAPI document: it has neither components.schemas (v3) nor'),
                ('bad-v2.json', '{"swagger": "2.0", "definitions": {"A": 1}}', 'schema', 'bad-v2.json: '),
                ('bad.json', '{"components": {"schemas": {"A": 1}}}', 'schema', 'bad.json: ')]
        for name, text, code, message in rows:
            with self.subTest(name):
                self.write(name, text)
                [answer] = self.answers(['merge', '--schema', name], [self.WIDGET])
                self.assertEqual(answer['error']['code'], code)
                self.assertIn(message, answer['error']['message'])


class ApiServer(BaseHTTPRequestHandler):
    """/openapi/v3 and one document."""
    protocol_version = 'HTTP/1.1'
    requests = []

    def do_GET(self):
        self.requests.append(self.path)
        answers = {'/openapi/v3': {'paths': {'apis/example.com/v1': {'serverRelativeURL': '/openapi/v3/apis/example.com/v1?hash=1'}}},
                   '/openapi/v3/apis/example.com/v1?hash=1': OPENAPI}
        body = json.dumps(answers.get(self.path, {})).encode()
        self.send_response(200 if self.path in answers else 404)
        self.send_header('Content-Type', 'application/json')
        self.send_header('Content-Length', str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


class FromServer(BatchTest):
    def setUp(self):
        super().setUp()
        ApiServer.requests.clear()
        server = ThreadingHTTPServer(('127.0.0.1', 0), ApiServer)
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        self.addCleanup(thread.join)
        self.addCleanup(server.server_close)
        self.addCleanup(server.shutdown)
        self.flags = ['--from-server', f'--server=http://127.0.0.1:{server.server_port}']

    def test_the_document_of_the_kind_is_fetched_once(self):
        rows = [
            (SchemaFiles.WIDGET, {'result': {**SchemaFiles.WIDGET['target'], 'spec': {'size': 1}}}),
            (SchemaFiles.WIDGET, {'result': {**SchemaFiles.WIDGET['target'], 'spec': {'size': 1}}}),
            ({**SchemaFiles.WIDGET, 'gvk': 'example.com/v1/Gadget'}, error('schema', 'no schema for kind "Gadget"')),
            ({**SchemaFiles.WIDGET, 'gvk': 'apps/v1/Deployment'}, error('schema', 'the server does not publish it')),
            (SchemaFiles.PAIR, error('invalid-argument', 'a component cannot be looked up on a server')),
        ]
        self.expect_answers(['merge', *self.flags], rows)
        documents = [path for path in ApiServer.requests if path.startswith('/openapi/')]
        self.assertEqual(documents, ['/openapi/v3', '/openapi/v3/apis/example.com/v1?hash=1'])

    def test_a_server_that_cannot_be_reached_is_an_error_for_each_line(self):
        self.expect_answers(['merge', '--from-server', '--server=http://127.0.0.1:1'], [
            (SchemaFiles.WIDGET, error('transport', '')), ({**SchemaFiles.WIDGET, 'target': 1}, error('invalid-argument', '', 'target'))])


class Files(BatchTest):
    def setUp(self):
        super().setUp()
        self.write('original.yaml', 'apiVersion: apps/v1\nkind: Deployment\nspec: {replicas: 1, paused: true}\n')
        self.write('modified.yaml', 'apiVersion: apps/v1\nkind: Deployment\nspec: {replicas: 2}\n')
        self.write('live.json', deployment(replicas=1, paused=True))
        self.write('patch.yaml', 'spec: {replicas: 7}\n')

    def expect(self, args, exit_status, stdout='', stderr='', stdin=''):
        done = self.run_tool(*args, stdin=stdin)
        self.assertEqual((done.returncode, done.stdout), (exit_status, stdout), done)
        self.assertIn(stderr, done.stderr)
        if not stderr:
            self.assertEqual(done.stderr, '')

    def test_a_patch_is_printed(self):
        patch = '{\n  "spec": {\n    "paused": null,\n    "replicas": 2\n  }\n}\n'
        sides = ['create-patch', '--original', 'original.yaml', '--modified', 'modified.yaml']
        rows = [
            ([*sides, '--live', 'live.json'], patch),
            ([*sides, '--live', 'live.json', '-o', 'yaml'], 'spec:\n  paused: null\n  replicas: 2\n'),
            ([*sides, '--live', 'live.json', '-o', 'kyaml'], '---\n{\n  spec: {\n    paused: null,\n    replicas: 2,\n  },\n}\n'),
            ([*sides, '--live', 'live.json', '--compat=kubectl'], patch),
            ([*sides, '--type=two-way'], patch),
            ([*sides, '--live', 'live.json', '--type=json-merge'], patch),
        ]
        for args, expected in rows:
            with self.subTest(args=args):
                self.expect(args, 0, stdout=expected)

    def test_standard_input(self):
        self.expect(['create-patch', '--type=two-way', '--original', '-', '--modified', 'modified.yaml'], 0, stdin='spec: {replicas: 1}',
                    stdout='{\n  "apiVersion": "apps/v1",\n  "kind": "Deployment",\n  "spec": {\n    "replicas": 2\n  }\n}\n')

    def test_a_merged_object_is_printed(self):
        self.expect(['merge', '--target', 'modified.yaml', '--patch', 'patch.yaml', '-o', 'yaml'], 0,
                    stdout='apiVersion: apps/v1\nkind: Deployment\nspec:\n  replicas: 7\n')
        self.expect(['merge', '--target', 'modified.yaml', '--patch', 'patch.yaml', '-o', 'kyaml'], 0,
                    stdout='---\n{\n  apiVersion: "apps/v1",\n  kind: "Deployment",\n  spec: {\n    replicas: 7,\n  },\n}\n')
        self.expect(['merge', '--target', 'patch.yaml', '--patch', '-', '--gvk=apps/v1/Deployment'], 0, stdin='{"spec": null, "x": []}',
                    stdout='{\n    "x": []\n}\n')

    def test_a_patch_that_nobody_asked_for_is_announced(self):
        self.write('widget.yaml', 'apiVersion: example.com/v1\nkind: Widget\nspec: {size: 1}\n')
        self.write('larger.yaml', 'apiVersion: example.com/v1\nkind: Widget\nspec: {size: 2}\n')
        args = ['create-patch', '--modified', 'larger.yaml', '--live', 'widget.yaml', '--schema', self.write('openapi.json', OPENAPI)]
        self.expect(args, 0, stdout='{\n  "spec": {\n    "size": 2\n  }\n}\n', stderr='Warning: this is a JSON merge patch')

    def test_errors(self):
        self.write('list.yaml', '[1]')
        self.write('two.yaml', 'a: 1\n---\na: 2\n')
        rows = [
            (['create-patch'], 'must specify --modified'),
            (['create-patch', '--modified', 'modified.yaml'], 'must specify --live, the current object; only --type=two-way'),
            (['create-patch', '--modified', 'nothing.yaml', '--live', 'live.json'], 'unable to read --modified file nothing.yaml'),
            (['create-patch', '--modified', 'list.yaml', '--live', 'live.json'], 'list.yaml:1: --modified must contain an object, got array'),
            (['create-patch', '--modified', 'two.yaml', '--live', 'live.json'], 'two.yaml'),
            (['create-patch', '--modified', '-', '--live', '-'], 'standard input (-) can be used only once'),
            (['create-patch', '--modified', 'modified.yaml', 'extra'], 'Unexpected args: [extra]'),
            (['create-patch', '--type=four-way'], 'expected one of three-way, two-way, json-merge'),
            (['create-patch', '--type=two-way', '--modified', 'modified.yaml', '--live', 'live.json'],
             '--live cannot be used with --type=two-way'),
            (['create-patch', '--batch', '--modified', 'modified.yaml'], '--modified cannot be used with --batch'),
            (['create-patch', '--batch', '--schema', 'nothing'], 'the --schema path "nothing" does not exist'),
            (['create-patch', '--batch', '--schema', 'openapi', '--from-server'], '--schema and --from-server cannot be used together'),
            (['merge', '--patch', 'patch.yaml'], 'must specify --target'),
            (['merge', '--target', 'patch.yaml', '--patch', 'patch.yaml'], 'apiVersion is missing'),
            (['merge', '--target', 'modified.yaml', '--patch', 'list.yaml'], 'patch: must be an object for a strategic merge patch'),
            (['create-patch', '--overwrite=false', '--original', 'original.yaml', '--modified', 'original.yaml', '--live', 'modified.yaml'],
             'spec.paused: the patch would overwrite what live has, neither last-applied nor as in the manifest; likewise spec.replicas'
             '; put the live values into the manifest, or overwrite them (--overwrite)'),
        ]
        for args, message in rows:
            with self.subTest(args=args):
                self.expect(args, 1, stderr=message)

    def test_an_empty_folder_of_schemas_is_an_error(self):
        os.mkdir(os.path.join(self.dir, 'empty'))
        self.expect(['merge', '--batch', '--schema', 'empty'], 1, stderr='--schema directory empty contains no .json file')

    def test_secrets_are_printed_but_not_in_errors(self):
        secret = 'apiVersion: v1\nkind: Secret\nmetadata: {name: s}\nstringData: {password: canary-4711}\n'
        self.write('secret.yaml', secret)
        self.write('test.json', [{'op': 'test', 'path': '/stringData/password', 'value': 'other'}])
        done = self.run_tool('merge', '--type=merge', '--target', 'secret.yaml', '--patch', 'patch.yaml')
        self.assertIn('canary-4711', done.stdout)
        done = self.run_tool('merge', '--type=json', '--target', 'secret.yaml', '--patch', 'test.json')
        self.assertEqual(done.returncode, 1)
        self.assertNotIn('canary-4711', done.stderr)


if __name__ == '__main__':
    unittest.main(argv=sys.argv[:1])
