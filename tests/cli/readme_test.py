#!/usr/bin/env python3
"""Runs the examples of the README against the control plane.

In every block that begins with ```console a line that begins with "$ " is a command (a here-document or a line that ends in a
backslash goes on below it) and the lines after it are what it prints; there a line "..." stands for any lines, and "..." in a line
for any text. All blocks run in order, in one bash, in a folder that has only cmd/ of this checkout. kubectl and kubectl-smp are on the
PATH, and the kubeconfig's namespace is new; in what is printed it is called default, and the server https://127.0.0.1:6443.

  readme_test.py --tool T --kubectl K --kubeconfig F [--readme README.md]"""
import difflib
import os
import re
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', 'e2e'))
import harness

TOP = os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', '..')


class Example:
    def __init__(self, line, command):
        self.line, self.command, self.expected = line, [command], []
        self.last = None  # the line that ends the here-document we are in

    def in_command(self):
        return self.last is not None or self.command[-1].endswith('\\')

    def add(self, text):
        if not self.in_command():
            self.expected.append(text)
            return
        self.command.append(text)
        if text == self.last:
            self.last = None

    def look_for_here_document(self):
        found = re.search(r'<<-?\s*([\'"]?)(\w+)\1', self.command[0])
        self.last = found.group(2) if found else None


def examples(readme):
    """The commands of the console blocks with what they print."""
    out, inside, block_ended = [], False, True
    for number, line in enumerate(readme.splitlines(), 1):
        if line.startswith('```'):
            inside, block_ended = not inside and line.strip() == '```console', True
        elif inside and line.startswith('$ ') and (block_ended or not out[-1].in_command()):
            out.append(Example(number, line[2:]))
            out[-1].look_for_here_document()
            block_ended = False
        elif inside and not block_ended:
            out[-1].add(line)
    return out


def script(commands, marker):
    """One bash runs all commands, so that cd, variables and $? reach the next one."""
    lines = ['exec 2>&1 </dev/null', 'status=0']
    for i, command in enumerate(commands):
        lines += ['printf "\\n%s %d\\n"' % (marker, i), '(exit $status)', *command, 'status=$?']
    return '\n'.join([*lines, 'printf "\\n%s %d\\n"' % (marker, len(commands)), ''])


def split(output, marker):
    """The output of each command by its number."""
    parts = re.split(r'\n%s (\d+)\n' % marker, output)
    return {int(parts[i]): parts[i + 1] for i in range(1, len(parts) - 1, 2)}


def agrees(expected, actual):
    """Whether the lines `actual` are `expected`, in which "..." stands for anything."""
    pattern = ''.join('(?:.*\n)*?' if line == '...' else re.escape(line).replace(r'\.\.\.', '.*') + '\n' for line in expected)
    return re.fullmatch(pattern, ''.join(line + '\n' for line in actual)) is not None


def failure(example, output):
    if output is None:
        return 'did not run: a command before it ended the shell'
    actual = [line.rstrip() for line in output.rstrip('\n').splitlines()]
    expected = [line.rstrip() for line in example.expected]
    while expected and not expected[-1]:
        expected.pop()
    if agrees(expected, actual):
        return ''
    return '\n'.join(difflib.unified_diff(expected, actual, 'README', 'printed', lineterm=''))


def run_examples(cl, found):
    """Returns what each command prints, with the fixed names for what has another name each time."""
    namespace, server = cl.new_namespace('readme'), cl.config()['clusters'][0]['cluster']['server']
    marker = 'command-%s' % os.urandom(8).hex()
    os.mkdir(cl.path('work'))
    os.symlink(os.path.abspath(os.path.join(TOP, 'cmd')), cl.path('work/cmd'))
    text = 'cd work\n' + script([example.command for example in found], marker)
    output = cl.run('bash', cl.write('script', text), **cl.as_user(namespace)).stdout
    return split(output.replace(namespace, 'default').replace(server, 'https://127.0.0.1:6443'), marker)


def all_examples(cl, check):
    readme = cl.options.readme
    with open(readme, encoding='utf-8') as f:
        found = examples(f.read())
    outputs = run_examples(cl, found)
    for i, example in enumerate(found):
        check('%s:%d: $ %s' % (os.path.basename(readme), example.line, example.command[0]), failure(example, outputs.get(i)))
    check.true('examples', found, readme + ' has no ```console block with a command')


if __name__ == '__main__':
    sys.exit(harness.run(__doc__, all_examples, readme=(os.path.join(TOP, 'README.md'), 'instead of that of this checkout')))
