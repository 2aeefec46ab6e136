#!/usr/bin/env python3
"""What the program shows on a terminal: colors, the pager, progress, and help that fits.

  terminal_test.py PATH_OF_KUBECTL_SMP"""
import contextlib
import fcntl
import http.server
import json
import os
import pty
import re
import select
import shutil
import signal
import struct
import sys
import termios
import threading
import time
import unittest

import tool

COLOR = re.compile(r'\x1b\[[0-9;]*m')
FOR_PEOPLE = ('text', 'summary', 'diff')


def config_map(name='web', **data):
    return {'apiVersion': 'v1', 'kind': 'ConfigMap', 'metadata': {'name': name, 'namespace': 'shop'}, 'data': data}


class Shown:
    """What a terminal got, the exit status, and the modes of the terminal before and after."""
    def __init__(self, text, status, modes):
        self.text, self.status, self.modes = text.replace('\r\n', '\n'), status, modes


class TerminalTest(tool.ToolTest):
    def environment(self):
        hidden = ('NO_COLOR', 'CLICOLOR', 'CLICOLOR_FORCE', 'PAGER', 'KUBECTL_SMP_PAGER', 'KUBECTL_EXTERNAL_DIFF', 'LESS')
        env = {k: v for k, v in super().environment().items() if k not in hidden}
        return {**env, 'TERM': 'xterm', 'LESSHISTFILE': '-', **self.variables}

    def setUp(self):
        super().setUp()
        self.variables = {}
        self.write('live.yaml', config_map(a='1', b='2', c='x' * 200))
        self.write('other.yaml', config_map(a='2', c='y' * 200, d='new'))

    def with_variables(self, variables):
        self.variables = variables
        return self.subTest(**variables)

    def explain(self, *more):
        return ['explain-diff', '-f', 'other.yaml', '--live', 'live.yaml', '--original', 'live.yaml', *more]

    def piped(self, *args):
        return self.run_tool(*args).stdout

    def on_a_terminal(self, *args, rows=50, columns=80, keys=()):
        """Runs the program in a session of its own on a terminal. `keys`: what is typed after which text. All but the
        first are also typed if nothing comes for two seconds: an interrupt may swallow what a pager was about to show.
        The first is not: on a busy machine it would meet a program that has not started its pager yet."""
        pid, terminal = pty.fork()
        if pid == 0:
            with contextlib.suppress(OSError):
                os.chdir(self.dir)
                fcntl.ioctl(1, termios.TIOCSWINSZ, struct.pack('HHHH', rows, columns, 0, 0))
                os.execve(tool.TOOL, [tool.TOOL, *args], self.environment())
            os._exit(127)
        before, text, seen, typed, keys = termios.tcgetattr(terminal), b'', 0, False, list(keys)
        deadline = time.monotonic() + 60
        while time.monotonic() < deadline:
            readable, _, _ = select.select([terminal], [], [], 2)
            if readable:
                try:
                    text += os.read(terminal, 65536)
                except OSError:  # how a terminal ends
                    break
            silent = typed and not readable
            if keys and (silent or keys[0][0] in text[seen:]):
                seen, typed = len(text), True
                os.write(terminal, keys.pop(0)[1])
        else:
            os.kill(pid, signal.SIGKILL)
        modes = (before, termios.tcgetattr(terminal))
        os.close(terminal)
        return Shown(text.decode(), os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]), modes)


class Colors(TerminalTest):
    def test_only_a_terminal_gets_colors_unless_they_are_asked_for(self):
        for output in FOR_PEOPLE:
            with self.subTest(output=output):
                args = self.explain('-o', output)
                self.assertNotRegex(self.piped(*args), '\x1b')
                self.assertRegex(self.piped(*args, '--color=always'), COLOR)
                self.assertRegex(self.on_a_terminal(*args).text, COLOR)
                self.assertNotRegex(self.on_a_terminal(*args, '--color=never').text, '\x1b')

    def test_formats_for_programs_have_none(self):
        for output in ('json', 'yaml', 'patch', 'curl', 'markdown', 'github'):
            self.assertNotRegex(self.piped(*self.explain('-o', output, '--color=always')), '\x1b', output)

    def test_variables_turn_them_off_on_a_terminal(self):
        for variables in ({'NO_COLOR': '1'}, {'NO_COLOR': '0'}, {'CLICOLOR': '0'}, {'TERM': 'dumb'}, {'TERM': ''},
                          {'NO_COLOR': '1', 'CLICOLOR_FORCE': '1'}):
            with self.with_variables(variables):
                self.assertNotRegex(self.on_a_terminal(*self.explain()).text, '\x1b')
                self.assertRegex(self.piped(*self.explain('--color=always')), COLOR)

    def test_variables_leave_them_on(self):
        for variables in ({'NO_COLOR': ''}, {'CLICOLOR': '1'}, {'CLICOLOR_FORCE': '0'}):
            with self.with_variables(variables):
                self.assertRegex(self.on_a_terminal(*self.explain()).text, COLOR)
                self.assertNotRegex(self.piped(*self.explain()), '\x1b')

    def test_a_variable_turns_them_on(self):
        with self.with_variables({'CLICOLOR_FORCE': '1'}):
            self.assertRegex(self.piped(*self.explain()), COLOR)
            self.assertNotRegex(self.piped(*self.explain('--color=never')), '\x1b')

    def test_they_change_nothing_but_the_color(self):
        for output in FOR_PEOPLE:
            plain, colored = (self.piped(*self.explain('-o', output, f'--color={color}')) for color in ('never', 'always'))
            times = re.compile(r'\t.*')  # of the files that diff compares
            self.assertEqual(times.sub('', plain), times.sub('', COLOR.sub('', colored)), output)

    def test_nothing_from_an_object_steers_the_terminal(self):
        for control in '\x1b[31m', '\x10', '\x1f', '\x9b2J', '\u202e':
            evil = f'evil{control}'
            item = lambda *names: [{'name': name, 'image': 'i'} for name in names]
            thing = lambda *names, **data: {'apiVersion': 'v1', 'kind': 'Pod', 'metadata': {'name': evil, 'annotations': data},
                                            'spec': {'containers': item(*names)}}
            self.write('live.json', thing('a', evil, 'b', **{evil: evil, 'text': f'1\n{evil}\n'}))
            self.write('new.json', thing(evil, 'b', 'a', **{evil: evil + '2', 'text': f'2\n{evil}\n'}))
            for output in FOR_PEOPLE:
                with self.subTest(control=control, output=output):
                    done = self.run_tool('explain-diff', '-f', 'new.json', '--live', 'live.json', '--original', 'live.json', '-o', output,
                                         '--color=always')
                    self.assertEqual('', re.sub('[^\x00-\x08\x0b-\x1f\x7f-\x9f\u202e]', '', COLOR.sub('', done.stdout + done.stderr)))
                    self.assertEqual(set(), set(COLOR.findall(done.stdout)) - {f'\x1b[{n}m' for n in ('0', '1', '2', '31', '32', '33', '35', '1;31')})
                    self.assertNotIn('evil\x1b', done.stdout.replace('evil\x1b[0m', ''))


class Paging(TerminalTest):
    def setUp(self):
        super().setUp()
        self.write('my pager', 'echo "LESS=$LESS" > paged\ncat >> paged\necho shown by the pager\n')
        self.variables = {'PAGER': "sh 'my pager'"}

    def paged(self):
        """What the pager was given since the last call; None if it was not called."""
        path = os.path.join(self.dir, 'paged')
        if not os.path.exists(path):
            return None
        with open(path, encoding='utf-8') as f:
            text = f.read()
        os.unlink(path)
        return text

    def test_it_shows_what_is_longer_than_the_screen(self):
        for output in FOR_PEOPLE:
            with self.subTest(output=output):
                shown = self.on_a_terminal(*self.explain('-o', output), rows=3)
                self.assertEqual((shown.text, shown.status), ('shown by the pager\n', 1))
                text = self.paged()
                self.assertTrue(text.startswith('LESS=FRX\n'), text)
                self.assertRegex(text, COLOR)
                self.assertIn('web', text)

    def test_the_longest_text_that_fits_needs_none(self):
        lines = self.on_a_terminal(*self.explain(), rows=100).text.count('\n')
        self.on_a_terminal(*self.explain(), rows=lines + 1)
        self.assertIsNone(self.paged())
        self.on_a_terminal(*self.explain(), rows=lines)
        self.assertIsNotNone(self.paged())

    def test_lines_of_several_rows_count(self):
        lines = self.on_a_terminal(*self.explain('--wide'), rows=100).text.count('\n')
        self.on_a_terminal(*self.explain('--wide'), rows=lines + 2)
        self.assertIsNotNone(self.paged())

    def test_programs_and_pipes_get_none(self):
        self.assertIn('web', self.piped(*self.explain()))
        self.on_a_terminal(*self.explain('-o', 'json'), rows=3)
        self.on_a_terminal(*self.explain('--no-pager'), rows=3)
        self.assertIsNone(self.paged())

    def test_the_environment_chooses(self):
        mine = "sh 'my pager'"
        for variables, paged in (({'KUBECTL_SMP_PAGER': mine, 'PAGER': 'false'}, True), ({'KUBECTL_SMP_PAGER': '', 'PAGER': mine}, False),
                                 ({'KUBECTL_SMP_PAGER': 'cat', 'PAGER': mine}, False), ({'PAGER': ''}, False), ({'PAGER': 'cat'}, False),
                                 ({'PAGER': mine, 'TERM': 'dumb'}, False), ({'PAGER': mine, 'NO_COLOR': '1'}, True)):
            with self.with_variables(variables):
                shown = self.on_a_terminal(*self.explain(), rows=3)
                self.assertEqual(self.paged() is not None, paged)
                self.assertEqual('ConfigMap' in shown.text, not paged)
                self.assertEqual(1, shown.status)

    def test_options_of_less_are_the_users(self):
        self.variables['LESS'] = 'S'
        self.on_a_terminal(*self.explain(), rows=3)
        self.assertTrue(self.paged().startswith('LESS=S\n'))

    def test_without_the_pager_it_prints(self):
        """Also one that fails at once, which git loses."""
        for pager, why in (('no-such-pager -x', 'exit status 127'), ('/no/such', 'exit status 127'), ("a 'b", 'exit status 2'), ('false', 'exit status 1'),
                           ('less -no-such-option 2> /dev/null < /dev/null; exit 1', 'exit status 1'), ('kill -9 $$', 'exit status 137')):
            with self.with_variables({'PAGER': pager}):
                shown = self.on_a_terminal(*self.explain(), rows=3)
                self.assertIn(f'Warning: PAGER: {pager}: failed with {why}', shown.text)
                self.assertIn('ConfigMap', shown.text)
                self.assertEqual(1, shown.status)

    def test_a_missing_less_is_not_worth_a_word(self):
        self.variables = {'PATH': self.dir}
        shown = self.on_a_terminal(*self.explain(), rows=3)
        self.assertNotIn('Warning', shown.text)
        self.assertIn('ConfigMap', shown.text)

    def test_a_pager_that_ends_early_changes_nothing(self):
        self.write('other.yaml', config_map(**{f'key-{i}': 'x' * 50 for i in range(10000)}))
        for pager in ('true', 'head -n 1', 'sleep 1.2; false'):
            with self.with_variables({'PAGER': pager}):
                shown = self.on_a_terminal(*self.explain('--wide'))
                self.assertEqual(1, shown.status)
                self.assertNotIn('error', shown.text)
                self.assertNotIn('Warning', shown.text)

    def test_a_shell_runs_the_pager(self):
        """As git does: PAGER may have a pipe and variables."""
        self.variables = {'PAGER': "sed -e 's/ConfigMap/Configuration/' | tee \"$SHOWN\" > /dev/null; echo \"shown by $0\"", 'SHOWN': os.path.join(self.dir, 'paged')}
        shown = self.on_a_terminal(*self.explain(), rows=3)
        self.assertEqual((shown.text, shown.status), ('shown by sh\n', 1))
        self.assertIn('Configuration', self.paged())

    @unittest.skipUnless(shutil.which('less'), 'less is not installed')
    def test_less_survives_an_interrupt_and_leaves_the_terminal_as_it_was(self):
        self.write('other.yaml', config_map(**{f'key-{i}': 'x' * 50 for i in range(10000)}))
        self.variables = {}
        shown = self.on_a_terminal(*self.explain('--wide'), rows=10, keys=((b':\x1b[K', b'\x03'), (b':\x1b[K', b'G'), (b'(END)', b'q')))
        self.assertEqual(1, shown.status)
        self.assertEqual(*shown.modes)


class SlowServer(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        time.sleep(0.7)
        self.send_error(404)

    def log_message(self, *args):
        pass


class Progress(TerminalTest):
    def setUp(self):
        super().setUp()
        server = http.server.ThreadingHTTPServer(('127.0.0.1', 0), SlowServer)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        self.addCleanup(server.server_close)
        self.addCleanup(server.shutdown)
        self.address = f'http://127.0.0.1:{server.server_port}'

    def test_reading_is_counted_in_place_and_the_count_goes(self):
        self.write('two.yaml', f'{json.dumps(config_map("a"))}\n---\n{json.dumps(config_map("b"))}\n')
        args = ('explain-diff', '-f', 'two.yaml', '-s', self.address)
        shown = self.on_a_terminal(*args)
        self.assertEqual(2, shown.status)
        self.assertRegex(shown.text, '\r\x1b\\[Kreading 0/2 objects')
        shows_last = re.sub('[^\n]*\r\x1b\\[K', '', shown.text)
        self.assertNotIn('reading', shows_last)
        self.assertIn('error: ', shows_last)
        self.assertNotIn('reading', self.run_tool(*args).stderr)


class Help(TerminalTest):
    def test_it_is_as_wide_as_the_terminal(self):
        def widest(text):
            """Of all but the examples and the lines that tell where there is more."""
            text = re.sub(r'\nExamples:\n.*?\n\nUsage:', '', text, flags=re.S)
            return max(len(line) for line in text.splitlines() if not line.startswith('Use '))
        for args in (['--help'], ['options'], ['last-applied', '--help'], ['apply', '--help'], ['explain-diff', '-h'], ['help', 'create-patch']):
            with self.subTest(args=args):
                self.assertLessEqual(widest(self.piped(*args)), 80)
                self.assertEqual(self.piped(*args), self.on_a_terminal(*args, columns=80).text)
                self.assertLessEqual(widest(self.on_a_terminal(*args, columns=60).text), 60)
                self.assertLessEqual(widest(self.on_a_terminal(*args, columns=300).text), 120)
        self.assertGreater(widest(self.on_a_terminal('apply', '--help', columns=110).text), 100)

    def test_reasons_have_colors_and_a_pager(self):
        self.variables = {'PAGER': 'head -n 1'}
        self.assertRegex(self.on_a_terminal('explain-diff', '--reasons', rows=20).text, '^\x1b\\[1madded: new in the manifest\x1b\\[0m\n$')


if __name__ == '__main__':
    unittest.main(argv=sys.argv[:1] + sys.argv[2:])
