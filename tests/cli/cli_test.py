#!/usr/bin/env python3
"""The built program without a cluster: exit status, messages, the JSON shape of explain-diff, and that no Secret value gets out.

  cli_test.py PATH_OF_KUBECTL_SMP"""
import base64
import contextlib
import fcntl
import json
import os
import pty
import re
import socket
import struct
import subprocess
import sys
import termios
import threading
import unittest

import json_schema
import tool

HERE = os.path.dirname(os.path.abspath(__file__))

# The formats of explain-diff.
OUTPUTS = ('text', 'summary', 'diff', 'patch', 'curl', 'json', 'yaml', 'markdown', 'github')

CANARY, NEW_CANARY = 'canary-4711', 'canary-0815'


def base64_of(text):
    return base64.b64encode(text.encode()).decode()


def config_map(name='web', **data):
    return json.dumps({'apiVersion': 'v1', 'kind': 'ConfigMap', 'metadata': {'name': name, 'namespace': 'shop'}, 'data': data})


def secret(text, **more):
    annotations = {}
    if 'applied' in more:
        annotations['kubectl.kubernetes.io/last-applied-configuration'] = secret(more['applied'])
    return json.dumps({'apiVersion': 'v1', 'kind': 'Secret', 'metadata': {'name': 's', 'namespace': 'shop', 'annotations': annotations},
                       'data': {'password': base64_of(text)}, **more.get('fields', {})})


class CommandLine(tool.ToolTest):
    def expect(self, args, exit_status, stdout='', stderr='', stdin=''):
        """`stdout` and `stderr` are parts of what is printed; when empty nothing may be printed."""
        done = self.run_tool(*args, stdin=stdin)
        self.assertEqual(done.returncode, exit_status, done)
        for name, part, text in (('stdout', stdout, done.stdout), ('stderr', stderr, done.stderr)):
            if part:
                self.assertIn(part, text, name)
            else:
                self.assertEqual('', text, name)
        return done


class OddManifests(CommandLine):
    """What reads otherwise than it was meant."""
    POD = 'apiVersion: v1\nkind: Pod\nmetadata: {name: p}\nspec:\n  containers:\n  - name: app\n    env:\n    - {name: DEBUG, value: %s}\n'

    def test_a_boolean_for_a_string_is_an_error_with_line_and_path(self):
        self.write('pod.yaml', self.POD % 'yes')
        self.write('live.yaml', self.POD % "'yes'")
        self.expect(['explain-diff', '-f', 'pod.yaml', '--live', 'live.yaml'], 2, stdout='1 object: 1 with errors',
                    stderr='error: pod.yaml:8: spec.containers[name=app].env[name=DEBUG].value: expected a string, found a boolean')

    def test_a_duplicate_key_is_an_error_as_for_apply(self):
        self.write('map.json', '{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"m"},\n"data":{"a":"1",\n"a":"2"}}')
        done = self.run_tool('explain-diff', '-f', 'map.json', '--live', 'map.json')
        self.assertIn('error: map.json:3: configmap/m: duplicate key "a" on line 3 (first on line 2); the server would keep the last one', done.stderr)
        self.assertEqual(2, done.returncode, done)


class Limits(CommandLine):
    """Each once ended in a signal, or left more than it should."""

    def with_limits(self, limits, *args):
        return subprocess.run(['/bin/sh', '-c', limits + '; exec "$0" "$@"', tool.TOOL, *args], capture_output=True, text=True,
                              cwd=self.dir, env=self.environment(), timeout=120, check=False)

    def test_deep_maps_fit_into_a_small_stack(self):
        for name, leaf in (('deep.json', '1'), ('live.json', '2')):
            self.write(name, '{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"m"},"x":%s%s%s}' % ('{"a":' * 990, leaf, '}' * 990))
        for output in OUTPUTS:
            with self.subTest(output=output):
                done = self.with_limits('ulimit -s 1024', 'explain-diff', '-f', 'deep.json', '--live', 'live.json', '-o', output)
                self.assertIn(done.returncode, (1, 2), done.stderr[:500])

    @unittest.skipUnless(sys.platform.startswith('linux'), 'libcurl needs other files elsewhere')
    def test_too_few_files_are_an_error(self):
        """It waited a minute for each request."""
        self.write('map.json', config_map())
        done = self.with_limits('ulimit -n 4', 'apply', '-f', 'map.json', '--server', 'http://127.0.0.1:1')
        if 'object has invalid vptr' in done.stderr:
            return  # UBSan looks at an object through a pipe, for which there are no files left
        self.assertEqual(1, done.returncode, done)
        self.assertIn('too many open files', done.stderr)

    @unittest.skipUnless(sys.platform.startswith('linux'), 'limits of the address space')
    def test_a_thread_that_cannot_start_is_an_error(self):
        self.write('map.json', config_map())
        done = self.with_limits('ulimit -s 100000000; ulimit -v 4000000', 'apply', '-f', 'map.json', '--server', 'http://127.0.0.1:1')
        if 'AddressSanitizer' in done.stderr:
            return  # it needs more address space itself
        self.assertEqual(1, done.returncode, done)
        self.assertIn('cannot start a thread', done.stderr)

    def test_no_core_file_is_left(self):
        self.write('map.json', config_map(a='b'))
        self.write('live.json', config_map(a='c'))
        self.write('limit', '#!/bin/sh\nulimit -S -c\n')
        os.chmod(os.path.join(self.dir, 'limit'), 0o700)
        done = self.with_limits('ulimit -S -c "$(ulimit -H -c)"; export KUBECTL_EXTERNAL_DIFF="$PWD/limit"',
                                'explain-diff', '-f', 'map.json', '--live', 'live.json', '-o', 'diff')
        self.assertEqual('0\n', done.stdout, done)


class Errors(CommandLine):
    """Each was once swallowed, or printed raw."""

    def test_what_a_terminal_does_not_show_is_escaped(self):
        self.write('policy.yaml', json.dumps({
            'apiVersion': 'policy.karmada.io/v1alpha1', 'kind': 'OverridePolicy', 'metadata': {'name': 'p', 'namespace': 'shop'},
            'spec': {'overrideRules': [{'overriders': {'plaintext': [{'path': '/data/b', 'operator': 'add', 'value': 'c'}]}}]}}))
        self.write('map.json', config_map(a='x\u202egpj\u200b'))
        for output, escaped in (('yaml', 'a: "x\\u202Egpj\\u200B"'), ('json', '"a": "x\\u202egpj\\u200b"')):
            with self.subTest(output=output):
                self.expect(['override', '-f', 'map.json', '--policy', 'policy.yaml', '-o', output], 0, stdout=escaped)

    def test_a_value_with_a_wrong_tag_is_not_quoted(self):
        self.write('s.yaml', 'apiVersion: v1\nkind: Secret\nmetadata: {name: s}\nstringData: {a: !!int %s}\n' % CANARY)
        done = self.run_tool('explain-diff', '-f', 's.yaml', '--live', '/dev/null')
        self.assertIn('error: s.yaml:4: this is not valid YAML: the value is not a !!int', done.stderr)
        self.assertNotIn(CANARY, done.stdout + done.stderr)

    def test_a_line_of_the_input_is_no_command_to_a_workflow(self):
        self.write('map.json', '{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"m"}}')
        done = self.run_tool('explain-diff', '-f', 'map.json', '--live', '/dev/null', '-l', 'a\n ::stop-commands::((')
        self.assertIn('\n \\x3a:stop-commands::((', done.stderr)

    def test_a_line_of_a_secret_in_its_kind_is_not_quoted(self):
        self.write('s.yaml', 'apiVersion: v1\nkind: Secret\n  password=%s\nmetadata: {name: s}\n' % CANARY)
        for command in ('explain-diff', '--live', '/dev/null'), ('lint',):
            done = self.run_tool(command[0], '-f', 's.yaml', *command[1:])
            self.assertIn('Secret …', done.stdout + done.stderr)
            self.assertNotIn(CANARY, done.stdout + done.stderr)

    def test_what_cannot_be_parsed_is_said_on_stderr(self):
        self.write('bad.yaml', 'a: [1\n')
        for output in ('text', 'patch'):
            with self.subTest(output=output):
                done = self.run_tool('explain-diff', '-f', 'bad.yaml', '--live', 'bad.yaml', '-o', output)
                self.assertEqual(2, done.returncode, done)
                self.assertIn('bad.yaml:', done.stderr)

    def test_a_missing_path_stops_everything(self):
        self.write('map.yaml', 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: m}\n')
        for command, exit_status in (('apply', 1), ('explain-diff', 2)):
            with self.subTest(command=command):
                self.expect([command, '-f', 'map.yaml', '-f', 'nope.yaml'], exit_status,
                            stderr='error: the path "nope.yaml" does not exist')

    def test_a_misspelt_field_of_a_secret_leaks_nothing(self):
        self.write('s.yaml', 'apiVersion: v1\nkind: Secret\nmetadata: {name: s}\nstringdatta: {a: verysecret99}\n')
        self.write('live.yaml', 'apiVersion: v1\nkind: Secret\nmetadata: {name: s}\n')
        for output in OUTPUTS:
            with self.subTest(output=output):
                done = self.run_tool('explain-diff', '-f', 's.yaml', '--live', 'live.yaml', '-o', output)
                self.assertNotIn('verysecret99', done.stdout + done.stderr)


class Usage(CommandLine):
    def test_help_is_no_error(self):
        for args in ([], ['help'], ['--help'], ['-h']):
            with self.subTest(args=args):
                self.expect(args, 0, stdout='explain-diff')

    def test_each_command_has_help(self):
        for command in ('apply', 'explain-diff', 'version'):
            with self.subTest(command=command):
                self.expect([command, '--help'], 0, stdout='Usage:\n  kubectl smp ' + command)

    def test_help_is_found_anywhere(self):
        for args in (['help', 'apply'], ['-h', 'apply'], ['apply', '-f', 'x.yaml', '-Rh'], ['-n', 'x', 'apply', '--help']):
            with self.subTest(args=args):
                self.expect(args, 0, stdout='Usage:\n  kubectl smp apply')
        self.expect(['apply', '-f', '-h'], 1, stderr='error: the path "-h" does not exist')
        self.expect(['help', 'aply'], 1, stderr='error: unknown help topic "aply" for "kubectl smp"\n\nDid you mean this?\n\tapply\n')

    def test_global_flags_are_listed_once_and_apart(self):
        self.expect(['options'], 0, stdout='  -n, --namespace=NAMESPACE\n')
        done = self.run_tool('apply', '--help')
        self.assertNotIn('--namespace', done.stdout)
        self.assertIn('Use "kubectl smp options" for the global flags.', done.stdout)

    def test_what_was_meant_is_suggested(self):
        rows = [
            (['aply'], 'error: unknown command "aply" for "kubectl smp"\n\nDid you mean this?\n\tapply\n'),
            (['diff', '-f', 'web.yaml'], 'error: unknown command "diff" for "kubectl smp"\n\nDid you mean this?\n\texplain-diff\n'),
            (['plan'], 'error: unknown command "plan" for "kubectl smp"\n\nDid you mean this?\n\texplain-diff\n'),
            (['help', 'diff'], 'error: unknown help topic "diff" for "kubectl smp"\n\nDid you mean this?\n\texplain-diff\n'),
            (['apply', '--filenam', 'x'], 'error: unknown flag: --filenam\nDid you mean --filename?\n'),
            (['apply', 'view-last-applied', 'deploy/web'],
             "error: Unexpected args: [view-last-applied deploy/web]\nDid you mean 'kubectl smp last-applied view'?"),
            (['apply', '--dry-run', 'server'], 'error: Unexpected args: [server]\nDid you mean --dry-run=server?'),
        ]
        for args, message in rows:
            with self.subTest(args=args):
                self.expect(args, 1, stderr=message)

    def test_what_is_typed_cannot_steer_the_terminal(self):
        for args in (['\x1b[31m'], ['--\x1b[31m'], ['apply', '-f', '\x1b]0;x'], ['apply', '\x1b[31m'], ['help', '\x1b[31m']):
            with self.subTest(args=args):
                done = self.run_tool(*args)
                self.assertEqual(1, done.returncode)
                self.assertNotIn('\x1b', done.stdout + done.stderr)

    def test_version_is_printed(self):
        self.expect(['version', '--client'], 0, stdout='Client Version: v')
        done = self.expect(['version', '--client', '-o', 'json'], 0, stdout='"clientVersion"')
        self.assertEqual(['builtinSchemaVersion', 'clientVersion'], sorted(json.loads(done.stdout)))
        self.expect(['version', '-o', 'xml', '--client'], 1, stderr='error: unable to match a printer suitable for the output format "xml"')
        self.expect(['version'], 1, stdout='Client Version: v', stderr='error: no configuration has been provided')

    def test_wrong_command_lines(self):
        rows = [
            (['frobnicate'], 'error: unknown command "frobnicate"', (1, 1)),
            (['COMMAND', '--bogus'], 'error: unknown flag: --bogus', (1, 2)),
            (['COMMAND', '-Z'], "error: unknown shorthand flag: 'Z'", (1, 2)),
            (['COMMAND', '-f'], 'error: flag needs an argument: ', (1, 2)),
            (['COMMAND', '-o', 'bogus', '-f', 'x.yaml'], 'error: unable to match a printer suitable for the output format "bogus"', (1, 2)),
            (['COMMAND'], 'error: must specify one of -f and -k', (1, 2)),
            (['COMMAND', 'x.yaml'], 'error: Unexpected args: [x.yaml]', (1, 2)),
            (['apply', '--dry-run=bogus', '-f', 'x.yaml'], 'error: Invalid dry-run value (bogus)', (1, 1)),
            (['apply', '--validate=bogus', '-f', 'x.yaml'], 'validate option "bogus"', (1, 1)),
        ]
        for args, message, statuses in rows:
            for command, status in zip(('apply', 'explain-diff'), statuses):
                with self.subTest(args=args, command=command):
                    self.expect([command if a == 'COMMAND' else a for a in args], status, stderr=message)


class Apply(CommandLine):
    # Nobody listens there; the tests below end before a request.
    NOWHERE = ['--server', 'http://127.0.0.1:1']

    def test_unreadable_input_is_an_error(self):
        self.write('broken.yaml', 'apiVersion: v1\nkind: [ConfigMap\n')
        self.write('nameless.yaml', 'apiVersion: v1\nkind: ConfigMap\n')
        for file in ('missing.yaml', 'broken.yaml', 'nameless.yaml'):
            with self.subTest(file=file):
                self.expect(['apply', '-f', file, *self.NOWHERE], 1, stderr=file)

    def test_output_that_cannot_be_written_is_an_error(self):
        self.write('cm.yaml', 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n')
        with open('/dev/full', 'w', encoding='utf-8') as full:
            for args, status in ((['version', '--client'], 1), (['explain-diff', '-f', 'cm.yaml', '--live', 'cm.yaml'], 2)):
                result = subprocess.run([tool.TOOL, *args], cwd=self.dir, stdout=full, stderr=subprocess.PIPE, text=True, check=False)
                self.assertEqual((result.returncode, 'cannot write the output' in result.stderr), (status, True), result.stderr)

    def test_a_reader_that_goes_away_gets_no_message(self):
        self.write('old.yaml', 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n')
        self.write('new.yaml', 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\ndata: {k: v}\n')
        for args in (['version', '--client'], ['explain-diff', '-f', 'new.yaml', '--live', 'old.yaml']):
            result = self.without_reader(args)
            self.assertEqual((result.returncode, result.stderr), (141, ''))
        result = self.without_reader(['explain-diff', '-f', 'missing.yaml', '--live', 'old.yaml'])
        self.assertEqual((result.returncode, 'missing.yaml' in result.stderr), (2, True))

    def without_reader(self, args):
        read, write = os.pipe()
        os.close(read)
        try:
            return subprocess.run([tool.TOOL, *args], cwd=self.dir, stdout=write, stderr=subprocess.PIPE, text=True, check=False)
        finally:
            os.close(write)

    def test_after_a_server_that_cannot_be_reached_no_other_object_is_tried(self):
        self.write('three.yaml', '---\n'.join('apiVersion: v1\nkind: ConfigMap\nmetadata: {name: %s}\n' % n for n in 'abc'))
        result = self.run_tool('apply', '-f', 'three.yaml', '-s', 'https://127.0.0.1:1')
        self.assertEqual(result.returncode, 1)
        self.assertIn('configmap/a: The connection to the server 127.0.0.1:1 was refused', result.stderr)
        self.assertIn('error: 2 more objects were not tried\n', result.stderr)
        self.assertEqual(result.stderr.count('refused'), 1)

    def test_a_name_cannot_begin_a_line_of_its_own(self):
        self.write('cm.yaml', 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: "a\\nerror: forged"}\n')
        result = self.run_tool('apply', '-f', 'cm.yaml', '-s', 'https://127.0.0.1:1')
        self.assertEqual(len(result.stderr.splitlines()), 1, result.stderr)

    def test_closed_standard_streams_are_no_place_for_sockets(self):
        listener = socket.create_server(('127.0.0.1', 0))
        received = []

        def serve():
            connection, _ = listener.accept()
            with connection:
                received.append(connection.recv(65536))
                connection.sendall(b'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}')
                while data := connection.recv(65536):
                    received.append(data)

        server = threading.Thread(target=serve)
        server.start()
        url = 'http://127.0.0.1:%d' % listener.getsockname()[1]
        subprocess.run(['bash', '-c', '"$0" version -v=8 -s "$1" <&- >&- 2>&-', tool.TOOL, url], check=False, timeout=60)
        server.join()
        listener.close()
        request = b''.join(received)
        self.assertTrue(request.startswith(b'GET /version '), request)
        self.assertTrue(request.endswith(b'\r\n\r\n'), request)

    def test_a_server_that_does_not_answer_is_an_error(self):
        self.write('new.yaml', config_map())
        self.expect(['apply', '-f', 'new.yaml', *self.NOWHERE], 1, stderr='127.0.0.1:1')


class ExplainOffline(CommandLine):
    def setUp(self):
        super().setUp()
        self.write('live.yaml', config_map(a='1', b='2'))
        self.write('same.yaml', config_map(a='1', b='2'))
        self.write('other.yaml', config_map(a='9', b='2'))
        self.write('new.yaml', config_map('new', a='1'))
        self.write('broken.yaml', 'apiVersion: v1\nkind: [ConfigMap\n')

    def explain(self, file, *args):
        return ['explain-diff', '-f', file, '--live', 'live.yaml', '--original', 'same.yaml', *args]

    def test_exit_status_says_whether_there_are_differences(self):
        self.expect(self.explain('same.yaml'), 0, stdout='unchanged')
        self.expect(self.explain('other.yaml'), 1, stdout='data.a')
        self.expect(self.explain('new.yaml'), 1, stdout='will be created')
        self.expect(self.explain('other.yaml', '--exit-code=never'), 0, stdout='data.a')

    def test_unreadable_input_is_an_error(self):
        missing_live = ['explain-diff', '-f', 'same.yaml', '--live', 'missing.yaml']
        rows = [(self.explain('missing.yaml'), 2, 'missing.yaml'), (self.explain('broken.yaml'), 2, 'broken.yaml'),
                (self.explain('broken.yaml', '--exit-code=detailed'), 3, 'broken.yaml'), (missing_live, 2, 'missing.yaml'),
                (self.explain('missing.yaml', '--exit-code=detailed'), 3, 'missing.yaml'),
                ([*missing_live, '--exit-code=detailed'], 3, 'missing.yaml')]
        for args, status, name in rows:
            with self.subTest(args=args):
                done = self.run_tool(*args)
                self.assertEqual(status, done.returncode, done)
                self.assertIn(name, done.stdout + done.stderr)

    def test_standard_input_is_read(self):
        self.expect(['explain-diff', '-f', '-', '--live', 'live.yaml'], 1, stdout='data.a', stdin=config_map(a='9'))

    def test_patch_is_what_apply_would_send(self):
        both = [*self.explain('other.yaml', '-o', 'patch'), '-f', 'new.yaml']
        lines = [json.loads(line) for line in self.expect(both, 1, stdout='{').stdout.splitlines()]
        maps, query = '/api/v1/namespaces/shop/configmaps', '?fieldManager=kubectl-client-side-apply&fieldValidation=Strict'
        self.assertEqual([('PATCH', maps + '/web' + query, 'application/strategic-merge-patch+json', 'web'),
                          ('POST', maps + query, 'application/json', 'new')],
                         [(line['method'], line['url'], line['contentType'], line['object']['name']) for line in lines])
        self.assertEqual({'a': '9'}, lines[0]['body']['data'])
        self.assertEqual({'apiVersion': 'v1', 'kind': 'ConfigMap', 'namespace': 'shop', 'name': 'web'}, lines[0]['object'])
        self.assertEqual({'a': '1'}, lines[1]['body']['data'])

    def test_curl_is_a_shell_script_that_no_name_can_extend(self):
        self.write('evil.yaml', {'apiVersion': 'v1', 'kind': 'ConfigMap', 'metadata': {'name': "x';touch bad;'\ntouch bad\n$(touch bad)", 'namespace': 'shop'},
                                 'data': {'a': '\nEOF\ntouch bad\n`touch bad`'}})
        script = self.run_tool(*self.explain('evil.yaml', '-o', 'curl')).stdout
        self.write('bin/curl', '#!/bin/sh\nprintf "<%s>" "$@" >> "$OUT"\ncat >> "$OUT"\n')
        os.chmod(os.path.join(self.dir, 'bin/curl'), 0o700)
        out = os.path.join(self.dir, 'out')
        env = {**self.environment(), 'PATH': os.path.join(self.dir, 'bin') + ':' + os.environ['PATH'], 'SERVER': 'http://s', 'OUT': out}
        subprocess.run(['sh'], input=script, text=True, cwd=self.dir, env=env, timeout=60, check=True)
        self.assertFalse(os.path.exists(os.path.join(self.dir, 'bad')))
        with open(out, encoding='utf-8') as f:
            arguments, body = f.read().rsplit('>', 1)
        self.assertIn('<POST><http://s/api/v1/namespaces/shop/configmaps?', arguments)
        self.assertEqual('\nEOF\ntouch bad\n`touch bad`', json.loads(body)['data']['a'])

    def test_the_summary_has_a_line_for_each_object_that_changes(self):
        still = config_map('still', a='1')
        self.write('still.yaml', still)
        self.write('live.yaml', config_map(a='1', b='2') + '\n---\n' + still)
        done = self.run_tool('explain-diff', '-f', 'other.yaml', '-f', 'new.yaml', '-f', 'still.yaml', '-f', 'broken.yaml', '--live', 'live.yaml',
                             '-o', 'summary')
        self.assertEqual(('change    ConfigMap shop/web: a (1 → 9) (1 change)\ncreate    ConfigMap shop/new\nerror     broken.yaml:3\n\n'
                          '4 objects: 1 to create, 1 to change, 1 unchanged, 1 with errors\n', 2), (done.stdout, done.returncode))
        self.assertIn('error: broken.yaml:3: ', done.stderr)

    def test_what_live_lacks_counts_as_new_and_a_warning_says_so(self):
        self.expect(self.explain('new.yaml'), 1, stdout='warning: the --live file does not contain this object, so it counts as new')
        self.expect(['explain-diff', '-f', 'new.yaml', '--original', 'same.yaml'], 1, stdout='warning: --live is not set')

    def test_rows_that_are_shown_are_not_announced_as_hidden(self):
        self.write('fewer.yaml', config_map(a='9'))
        hidden = self.run_tool('explain-diff', '-f', 'fewer.yaml', '--live', 'live.yaml').stdout
        shown = self.run_tool('explain-diff', '-f', 'fewer.yaml', '--live', 'live.yaml', '--show=live-only').stdout
        self.assertIn('1 field only in live, kept (--show=live-only)', hidden)
        self.assertIn('= data.b', shown)
        self.assertNotIn('(--show=live-only)', shown)

    def says(self, args, exit_status, *parts):
        """`parts` of what is printed to either stream."""
        done = self.run_tool(*args)
        self.assertEqual(done.returncode, exit_status, done)
        for part in parts:
            self.assertIn(part, done.stdout + done.stderr)
        return done

    def test_objects_in_files_are_found_by_their_namespace(self):
        maps = [dict(json.loads(json.dumps({'apiVersion': 'v1', 'kind': 'ConfigMap', 'metadata': {'name': 'web'}, 'data': {'a': name}})),
                     metadata={'name': 'web', 'namespace': name}) for name in ('one', 'two')]
        self.write('list.json', {'apiVersion': 'v1', 'kind': 'List', 'items': maps})
        self.write('bare.json', {'apiVersion': 'v1', 'kind': 'ConfigMap', 'metadata': {'name': 'web'}, 'data': {'a': 'two'}})
        run = ['explain-diff', '--live', 'list.json', '-o', 'summary']
        self.expect([*run, '-f', 'list.json'], 0, stdout='2 objects: 2 unchanged')
        self.expect([*run, '-f', 'bare.json', '-n', 'two'], 0, stdout='1 unchanged')
        self.expect([*run, '-f', 'bare.json', '-n', 'one'], 1, stdout='change    ConfigMap one/web: a (one → two) (1 change)')
        self.expect([*run, '-f', 'bare.json', '-n', 'three'], 1, stdout='create    ConfigMap three/web')
        self.says([*run, '-f', 'bare.json'], 2, 'bare.json:1: the --live file has ConfigMap web in several namespaces (one, two); say with -n which')
        # One without a namespace counts as in the manifest's.
        self.expect(['explain-diff', '-f', 'list.json', '--live', 'bare.json', '-o', 'summary'], 1,
                    stdout='change    ConfigMap one/web: a (two → one) (1 change)\n\n2 objects: 1 to change, 1 unchanged')

    def test_live_may_be_a_folder_and_standard_input_only_one_of_the_files(self):
        self.write('folder/below/same.yaml', config_map(a='1', b='2'))
        self.expect(['explain-diff', '-f', 'same.yaml', '--live', 'folder', '-R', '-o', 'summary'], 0, stdout='1 unchanged')
        self.expect(['explain-diff', '-f', 'same.yaml', '--live', '-', '-o', 'summary'], 0, stdout='1 unchanged', stdin=config_map(a='1', b='2'))
        for args in (['-f', '-', '--live', '-'], ['-f', 'same.yaml', '--live', '-', '--original', '-']):
            self.expect(['explain-diff', *args], 2, stderr='standard input (-) can be used only once', stdin=config_map(a='1'))

    def test_ignored_fields_are_neither_shown_nor_counted(self):
        ends = {'text': 'stdout', 'summary': 'stdout', 'markdown': 'stdout', 'diff': 'stderr', 'github': 'stderr'}
        for output, stream in ends.items():
            with self.subTest(output=output):
                done = self.says(self.explain('other.yaml', '--ignore', 'ConfigMap:data.a', '-o', output), 0)
                self.assertIn('1 ignored (--ignore)', getattr(done, stream))
                self.assertNotIn('"9"', done.stdout)
        done = json.loads(self.says(self.explain('other.yaml', '--ignore', 'data', '-o', 'json'), 0).stdout)
        self.assertEqual(('unchanged', [], 1, 1), (done['objects'][0]['action'], done['objects'][0]['changes'],
                                                   done['objects'][0]['hidden']['ignored'], done['summary']['ignored']))

    def test_an_ignored_field_that_nothing_has_is_a_warning(self):
        words = 'Warning: --ignore: ConfigMap:data.x names nothing in any live object or manifest'
        self.says(self.explain('other.yaml', '--ignore', 'ConfigMap:data.x', '--ignore', 'data.a'), 0, words)
        self.assertNotIn('names nothing', self.run_tool(*self.explain('new.yaml', '--ignore', 'data.x')).stderr)

    def test_requests_are_in_the_order_in_which_apply_sends_them(self):
        """Found by hand: they were in the order of the input, so a replay created objects before their namespace."""
        self.write('all.yaml', '\n---\n'.join(json.dumps({'apiVersion': version, 'kind': kind, 'metadata': {'name': name}}) for version, kind, name in (
            ('v1', 'Service', 'one'), ('rbac.authorization.k8s.io/v1', 'RoleBinding', 'two'), ('v1', 'ConfigMap', 'three'), ('v1', 'Service', 'four'),
            ('v1', 'Namespace', 'five'), ('v1', 'ConfigMap', 'six'))))
        for output, pattern in (('patch', r'"object":.*?"name":"(.*?)"'), ('curl', r'(?m)^# \w+ (\w+): create')):
            done = self.run_tool('explain-diff', '-f', 'all.yaml', '--live', 'live.yaml', '-o', output)
            self.assertEqual(['five', 'three', 'six', 'two', 'one', 'four'], re.findall(pattern, done.stdout), done)

    def test_copies_that_labels_leave_out_are_told(self):
        self.write('twice.yaml', '\n---\n'.join(json.dumps({**json.loads(config_map(a=app)), 'metadata': {'name': 'web', 'labels': {'app': app}}}) for app in 'xy'))
        self.says(self.explain('twice.yaml', '-l', 'app=y', '-n', 'shop'), 1, 'Warning: twice.yaml:3: configmap/web is also in twice.yaml:1, with labels that -l does not select')

    def test_kinds_of_ignored_fields_have_other_names(self):
        """Found by hand: plurals and short names named nothing."""
        for kind in ('configmap', 'ConfigMaps', 'configmaps', 'configmaps/web'):
            self.expect(self.explain('other.yaml', '--ignore', kind + ':data.a'), 0, stdout='1 ignored')
        self.expect(self.explain('other.yaml', '--ignore', 'cm:data.a'), 2, stderr='--ignore cm:data.a: unknown kind "cm": short names are only known with a cluster')
        self.says(self.explain('other.yaml', '--ignore', 'Widget:data.a'), 1, 'Widget:data.a names nothing')
        self.write('.smpignore', '# why\ncm:data.a\n')
        self.expect(self.explain('other.yaml'), 2, stderr='error: .smpignore:2: unknown kind "cm"')

    def test_paths_of_an_ignore_file_that_name_nothing_are_one_line(self):
        self.write('.smpignore', '\ufeffdata.a # generated\ndata.y\nConfigMap/web:data.z\nConfigMap/other:data.q\nDeployment:spec.q\n')
        done = self.says(self.explain('other.yaml'), 0, 'Warning: .smpignore: line 2 (data.y), line 3 (ConfigMap/web:data.z) name nothing in any live object or manifest\n')
        self.assertNotIn('.q', done.stderr)
        self.assertIn('1 ignored (.smpignore)', done.stdout)

    def test_ignored_fields_hide_neither_errors_nor_new_objects(self):
        self.says(self.explain('broken.yaml', '--ignore', 'data'), 2, 'broken.yaml:3')
        self.expect(self.explain('new.yaml', '--ignore', 'data', '--ignore', 'metadata'), 1, stdout='+ ')

    def test_the_ignore_file_of_the_working_directory_is_read(self):
        self.write('.smpignore', '# generated\n\nConfigMap/web:data.a\n')
        self.expect(self.explain('other.yaml'), 0, stdout='1 ignored (.smpignore)')
        self.expect(self.explain('other.yaml', '--ignore-file='), 1, stdout='data.a')
        self.expect(self.explain('other.yaml', '--compat=kubectl'), 1, stdout='data.a')
        self.expect(self.explain('other.yaml', '-o', 'patch'), 1, stdout='"a":"9"')
        self.write('other.ignore', 'data.x\n')
        self.expect(self.explain('other.yaml', '--ignore-file', 'other.ignore'), 1, stdout='data.a', stderr='Warning: other.ignore: line 1 (data.x) names nothing')
        self.write('.smpignore', 'data.a\nspec..x\n')
        self.expect(self.explain('other.yaml'), 2, stderr='error: .smpignore:2: ')

    def test_an_ignore_file_that_leads_elsewhere_is_not_read(self):
        self.write('token', CANARY)
        os.symlink('token', os.path.join(self.dir, '.smpignore'))
        done = self.says(self.explain('other.yaml'), 2, 'error: .smpignore is a symbolic link; name the file with --ignore-file, or read none with --ignore-file=')
        self.assertNotIn(CANARY, done.stdout + done.stderr)
        self.expect(self.explain('other.yaml', '--ignore-file='), 1, stdout='data.a')

    def test_ignore_refuses_what_makes_no_sense(self):
        self.expect(self.explain('other.yaml', '--ignore', 'data.a', '-o', 'patch'), 2, stderr='which is about what apply sends')
        self.expect(self.explain('other.yaml', '--ignore', 'data[0]'), 2, stderr='an index does not identify an item')
        self.expect(self.explain('other.yaml', '--ignore-file', 'missing'), 2, stderr='unable to read the ignore file missing')

    def test_unchanged_objects_are_listed_when_asked(self):
        self.write('both.yaml', config_map(a='1', b='2') + '\n---\n' + config_map('new', a='1'))
        counted = self.expect(self.explain('both.yaml'), 1, stdout='1 to create, 1 unchanged').stdout
        listed = self.expect(self.explain('both.yaml', '--show=all'), 1, stdout='1 to create, 1 unchanged').stdout
        self.assertNotIn(': unchanged (both.yaml:1)', counted)
        self.assertIn(': unchanged (both.yaml:1)', listed)

    def test_lines_fit_eighty_columns_unless_wide(self):
        self.write('long.yaml', config_map(a='x' * 200, b='2'))
        self.assertLessEqual(max(map(len, self.run_tool(*self.explain('long.yaml')).stdout.splitlines())), 80)
        self.assertIn('x' * 200, self.run_tool(*self.explain('long.yaml', '--wide')).stdout)

    def test_lines_fit_the_terminal_which_gets_a_legend(self):
        self.write('long.yaml', config_map(a='x' * 200, b='2'))
        text = self.on_a_terminal(self.explain('long.yaml', '--color=never', '--no-pager'), columns=50)
        self.assertEqual(50, max(map(len, text.splitlines())), text)
        self.assertIn('\nreasons:\n  changed: the manifest changed it since', text)
        self.assertNotIn('reasons (', self.run_tool(*self.explain('long.yaml')).stdout)

    def on_a_terminal(self, args, columns):
        """Returns what the program prints to a terminal of this width."""
        ours, its = pty.openpty()
        fcntl.ioctl(its, termios.TIOCSWINSZ, struct.pack('HHHH', 24, columns, 0, 0))
        with subprocess.Popen([tool.TOOL, *args], cwd=self.dir, stdin=subprocess.DEVNULL, stdout=its, stderr=subprocess.DEVNULL):
            os.close(its)
            text = b''
            with contextlib.suppress(OSError), open(ours, 'rb', buffering=0) as output:  # a terminal ends with an error
                while data := output.read(65536):
                    text += data
        return text.decode().replace('\r\n', '\n')

    def test_compat_explains_kubectls_patch_and_warns_of_what_it_loses(self):
        service = 'apiVersion: v1\nkind: Service\nmetadata: {name: dns}\nspec:\n  ports:\n  - {name: tcp, port: 53, protocol: TCP}\n'
        self.write('one.yaml', service)
        self.write('both.yaml', service + '  - {name: udp, port: 53, protocol: UDP}\n')
        lost = "spec.ports[port=53,protocol=UDP]: kubectl's patch loses it"
        args = ['explain-diff', '-f', 'both.yaml', '--live', 'one.yaml', '--original', 'one.yaml', '--compat=kubectl']
        done = self.expect(args, 0, stdout='  warning: ' + lost)
        self.assertNotIn('+ spec.ports', done.stdout)
        report = json.loads(self.run_tool(*args, '-o', 'json').stdout)['objects'][0]
        self.assertEqual(([], [lost]), (report['changes'], report['warnings']))
        back = ['explain-diff', '-f', 'one.yaml', '--live', 'both.yaml', '--original', 'both.yaml', '--compat=kubectl']
        self.expect(back, 1, stdout='- spec.ports[port=53,protocol=TCP]')
        self.assertEqual([], json_schema.wrong_report(self.run_tool(*back, '-o', 'json').stdout))

    def test_rows_that_are_kept_are_no_change(self):
        """kubectl's patch deletes a default, which the server sets again."""
        thing = {'apiVersion': 'apps/v1', 'kind': 'Deployment', 'metadata': {'name': 'web'}}
        for file, fields in (('bare.yaml', {}), ('recorded.yaml', {'replicas': 1}), ('stored.yaml', {'replicas': 1, 'paused': True})):
            self.write(file, json.dumps(dict(thing, spec=fields)))
        run = ['explain-diff', '-f', 'bare.yaml', '--live', 'stored.yaml', '--original', 'recorded.yaml', '--compat=kubectl']
        self.expect(run, 0, stdout='unchanged')
        self.expect([*run, '--show=live-only'], 0, stdout='= spec.paused')

    def test_several_wrong_values_are_named_on_lines_of_their_own(self):
        self.write('wrong.yaml', 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: c}\ndata:\n  a: yes\n  b: 1\n')
        done = self.expect(self.explain('wrong.yaml'), 2, stdout='cannot be explained', stderr='error: wrong.yaml:5: data.a: ')
        self.assertIn('\nwrong.yaml:6: data.b: ', done.stderr)

    def test_what_a_file_says_cannot_steer_the_terminal(self):
        self.write('live.yaml', config_map(a='\x1b[31mred\x9b2J\u202e'))
        for output in OUTPUTS:
            done = self.run_tool(*self.explain('other.yaml', '-o', output))
            for sign in '\x1b\x9b\u202e':
                self.assertNotIn(sign, done.stdout + done.stderr, output)

    def test_json_has_the_documented_shape(self):
        self.write('s.yaml', secret(NEW_CANARY))
        actions = {'same.yaml': 'unchanged', 'other.yaml': 'change', 'new.yaml': 'create', 'broken.yaml': 'error', 's.yaml': 'create'}
        for file, action in actions.items():
            for more in ([], ['--show=live-only']):
                with self.subTest(file=file, more=more):
                    report = self.run_tool(*self.explain(file, '-o', 'json', *more)).stdout
                    self.assertEqual([], json_schema.wrong_report(report))
                    self.assertEqual(action, json.loads(report)['objects'][0]['action'])

    def test_the_shape_is_really_checked(self):
        good = json.loads(self.run_tool(*self.explain('other.yaml', '-o', 'json')).stdout)
        thing = good['objects'][0]
        change = thing['changes'][0]
        for spoilt in (dict(good, version=2), dict(good, extra=1), {k: v for k, v in good.items() if k != 'summary'},
                       dict(good, objects=[dict(thing, changes=[dict(change, equal=True)])]),
                       dict(good, objects=[dict(thing, changes=[dict(change, op='unset')])]),
                       dict(good, objects=[dict(thing, changes=[])]), dict(good, objects=[dict(thing, changes=[dict(change, op='keep')])]), dict(good, objects=[dict(thing, appliers=[])]),
                       dict(good, objects=[dict(thing, patch=dict(thing['patch'], redacted=True))])):
            self.assertNotEqual([], json_schema.wrong_report(json.dumps(spoilt)), spoilt)
        self.assertEqual(["duplicate keys: ['version', 'version']"], json_schema.wrong_report('{"version": 1, "version": 1}'))


class SecretsStayInside(CommandLine):
    def setUp(self):
        super().setUp()
        self.write('live.yaml', secret(CANARY, applied=CANARY))
        self.write('change.yaml', secret(NEW_CANARY))
        self.write('string-data.yaml', secret(CANARY, fields={'stringData': {'token': NEW_CANARY}}))
        self.write('bad-type.yaml', secret(NEW_CANARY, fields={'stringData': [NEW_CANARY]}))
        self.write('bad-syntax.yaml', 'apiVersion: v1\nkind: Secret\nmetadata: {name: s}\nstringData:\n  token: "%s\n' % NEW_CANARY)
        self.write('nothing.yaml', config_map())

    def outputs(self, *more):
        for file in ('live.yaml', 'change.yaml', 'string-data.yaml', 'bad-type.yaml', 'bad-syntax.yaml'):
            for live in ('live.yaml', 'nothing.yaml'):
                for output in OUTPUTS:
                    args = ['explain-diff', '-f', file, '--live', live, '-o', output, '--show=live-only', *more]
                    done = self.run_tool(*args)
                    self.assertIn(done.returncode, (0, 1, 2), done)
                    yield args, done.stdout + done.stderr

    def test_no_value_is_ever_printed(self):
        for args, text in self.outputs():
            for canary in (CANARY, NEW_CANARY):
                for form in (canary, base64_of(canary)):
                    self.assertNotIn(form, text, args)

    def test_only_the_secret_is_masked(self):
        """Values that files, names, keys, numbers and booleans have, too."""
        nasty = {'TLS': 'false', 'number': '8080', 'name': 'shop', 'file': 'false.yaml', 'password': 'password', 'text': 'port'}
        stored = {'apiVersion': 'v1', 'kind': 'Secret', 'metadata': {'name': 's', 'namespace': 'shop'},
                  'data': {key: base64_of(value) for key, value in nasty.items()}}
        other = {'apiVersion': 'v1', 'kind': 'Service', 'metadata': {'name': 'password', 'namespace': 'shop'},
                 'spec': {'publishNotReadyAddresses': False, 'ports': [{'name': 'shop', 'port': 8080}]}}
        live = json.loads(json.dumps(other).replace('8080', '8081').replace('false', 'true'))
        live['spec']['ports'][0]['name'] = 'web'
        self.write('false.yaml', json.dumps(dict(stored, data=dict(stored['data'], TLS='dHJ1ZQ=='))) + '\n---\n' + json.dumps(other))
        self.write('live.yaml', json.dumps(stored) + '\n---\n' + json.dumps(live))
        run = ['explain-diff', '-f', 'false.yaml', '--live', 'live.yaml']
        printed = self.run_tool(*run, '-o', 'json').stdout
        self.assertEqual([], json_schema.wrong_report(printed))
        self.assertEqual(printed, self.run_tool(*run, '-o', 'json').stdout)
        self.assertNotIn('*** (', printed)
        masked, service = json.loads(printed)['objects']
        self.assertEqual([('data.TLS', False)], [(row['path'], row.get('equal')) for row in masked['changes']])
        self.assertEqual(({'data': {'TLS': '***'}}, True), (masked['patch']['body'], masked['patch']['redacted']))
        self.assertNotIn('bytes', masked['patch'])
        self.assertEqual('false.yaml', service['source']['file'])
        self.assertEqual([{'name': 'shop', 'port': 8080, 'protocol': 'TCP', 'targetPort': 8080}, False],
                         [row['outcome'] for row in service['changes'] if row['op'] == 'set'])
        text = self.run_tool(*run).stdout
        self.assertRegex(text, r'data\.TLS: \*\*\* \(\w{12}\) → \*\*\* \(\w{12}\)  owned')
        self.assertIn('~ spec.publishNotReadyAddresses: true → false', text)

    def test_the_keys_of_a_new_secret_are_listed(self):
        run = ['explain-diff', '-f', 'change.yaml', '--live', 'nothing.yaml']
        self.assertRegex(self.run_tool(*run).stdout, r'\+ data\.password: \*\*\* \(\w{12}\)  added')
        rows = json.loads(self.run_tool(*run, '-o', 'json').stdout)['objects'][0]['changes']
        self.assertEqual({'path': 'data.password', 'equal': False},
                         {key: rows[0].get(key) for key in ('path', 'equal')})

    def test_show_secrets_prints_them(self):
        text = ''.join(text for _, text in self.outputs('--show-secrets'))
        for form in (base64_of(CANARY), base64_of(NEW_CANARY), NEW_CANARY):
            self.assertIn(form, text)

    def test_a_redacted_patch_says_so(self):
        change = ['explain-diff', '-f', 'change.yaml', '--live', 'live.yaml']
        done = self.expect([*change, '-o', 'patch'], 1, stdout='***', stderr='redacted, not replayable')
        self.assertTrue(json.loads(done.stdout)['redacted'])
        done = self.expect([*change, '-o', 'curl'], 1, stdout='\n# Secret shop/s: change (redacted, not replayable)\n', stderr='redacted, not replayable')
        self.assertNotIn('curl -', done.stdout)
        self.assertNotIn('redacted', self.run_tool(*change, '-o', 'patch', '--show-secrets').stdout)


if __name__ == '__main__':
    unittest.main(argv=sys.argv[:1])
