#!/usr/bin/env python3
"""Runs what the README says of lint and schema, which need no cluster: the console blocks of the section, as readme_test.py does, and the
steps of its workflow, on manifests with and without mistakes.

  readme_lint_test.py TOOL"""
import os
import re
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import readme_test

SECTION = '### Find mistakes before any request\n'
GOOD = 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: web}\n'
BAD = GOOD + 'dat: {}\n'
FAKE_KUBECTL = '#!/bin/sh\n# Finds the plugin, as kubectl does.\nshift\nexec %s "$@"\n'


def section():
    with open(os.path.join(readme_test.TOP, 'README.md'), encoding='utf-8') as f:
        text = f.read()
    return text[text.index(SECTION):].split('\n## ')[0]


def run(folder, *argv):
    env = {'PATH': '%s:%s' % (os.path.join(folder, 'bin'), os.environ['PATH']), 'HOME': folder, 'GIT_CONFIG_NOSYSTEM': '1'}
    return subprocess.run(argv, cwd=os.path.join(folder, 'work'), env=env, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, text=True, check=False)


def console_failures(folder, text):
    found = readme_test.examples(text)
    output = run(folder, 'bash', '-c', readme_test.script([e.command for e in found], 'command-of-readme')).stdout
    outputs = readme_test.split(output, 'command-of-readme')
    for i, example in enumerate(found):
        why = readme_test.failure(example, outputs.get(i))
        if why:
            yield '%s\n%s' % (example.command[0], why)
    if not found:
        yield 'the section has no command'


def workflow_failures(folder, text):
    steps = re.findall(r'^ *- run: (.*)$', text, re.M)
    if len(steps) < 2:
        yield 'the section has no workflow'
    os.makedirs(os.path.join(folder, 'work', 'manifests'), exist_ok=True)
    for manifest, wanted in ((GOOD, 0), (BAD, 1)):
        for name in os.listdir(os.path.join(folder, 'work', 'manifests')):
            os.remove(os.path.join(folder, 'work', 'manifests', name))
        with open(os.path.join(folder, 'work', 'manifests', 'web.yaml'), 'w', encoding='utf-8') as f:
            f.write(manifest)
        for step in steps:
            done = run(folder, 'bash', '-ec', step)
            if done.returncode != wanted:
                yield '%s: exit status %d instead of %d\n%s' % (step, done.returncode, wanted, done.stdout)


def main(tool):
    failures = []
    with tempfile.TemporaryDirectory() as folder:
        for name in ('bin', 'work'):
            os.mkdir(os.path.join(folder, name))
        path = os.path.join(folder, 'bin', 'kubectl')
        with open(path, 'w', encoding='utf-8') as f:
            f.write(FAKE_KUBECTL % os.path.abspath(tool))
        os.chmod(path, 0o755)
        text = section()
        failures += console_failures(folder, text)
        failures += workflow_failures(folder, text)
    print('\n'.join(failures) or 'the section is true')
    return 1 if failures else 0


if __name__ == '__main__':
    sys.exit(main(sys.argv[1]))
