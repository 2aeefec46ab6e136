#!/usr/bin/env python3
"""Manual pages say what --help says, in what groff takes without a warning: options and examples as they are typed.

  man_test.py TOOL"""
import os
import re
import shutil
import subprocess
import sys
import tempfile


def run(*argv, **kwargs):
    return subprocess.run(argv, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=60, check=False, **kwargs)


def render(page):
    """The page as a wide plain terminal shows it, and groff's warnings."""
    done = run('groff', '-man', '-Tascii', '-P-c', '-rLL=500n', '-ww', page)
    return re.sub(r'.\x08', '', done.stdout), done.stderr + ('' if done.returncode == 0 else 'exit %d' % done.returncode)


def words(text):
    """Neither filling nor indentation."""
    return ' '.join(text.split())


def missing(text, page):
    """Lines of --help that the page does not have. --help names the program as it was called."""
    have = words(page).replace('kubectl-smp', 'kubectl smp')
    for line in text.splitlines():
        for cell in re.split(r'\s{2,}', line.strip()):
            if cell and words(cell) not in have:
                yield cell


def check_page(tool, folder, command):
    name = 'kubectl-smp-%s.1' % command.replace(' ', '-') if command else 'kubectl-smp.1'
    page, warnings = render(os.path.join(folder, name))
    if warnings:
        yield '%s: groff says %s' % (name, warnings)
    if command:
        said = run(tool, *command.split(), '--help', executable=tool).stdout.replace('kubectl-smp', 'kubectl smp')
        wanted = said.partition('\nUse "')[0].replace('Examples:', '').replace('Usage:', '')
    else:
        wanted = run(tool, 'options').stdout.partition('\n\n')[2]
    wanted = re.sub(r'^([A-Z][^:\n]*):$', r'\1', wanted, flags=re.M)  # headings of groups of flags
    for line in missing(wanted, page):
        yield '%s lacks %r' % (name, line)


def main():
    tool = os.path.abspath(sys.argv[1])
    if shutil.which('groff') is None:
        print('groff is not installed; see tests/install')
        return 1
    with tempfile.TemporaryDirectory() as folder:
        done = run(tool, '__reference', 'man', folder)
        if done.returncode != 0:
            print(done.stderr)
            return 1
        commands = re.findall(r'^  ([a-z-]+(?: [a-z]+)?)  ', run(tool, '--help').stdout, re.M)
        pages = sorted('kubectl-smp-%s.1' % c.replace(' ', '-') for c in commands) + ['kubectl-smp.1']
        wrong = [] if sorted(os.listdir(folder)) == pages else ['pages: %s' % os.listdir(folder)]
        for command in [''] + commands:
            wrong += check_page(tool, folder, command)
        refused = run(tool, '__reference', 'man', os.path.join(folder, 'none'))
        if refused.returncode != 1 or 'cannot write' not in refused.stderr:
            wrong.append('a folder that is not there: exit %d %s' % (refused.returncode, refused.stderr))
    print('\n'.join(wrong) or '%d pages' % len(pages))
    return 1 if wrong else 0


if __name__ == '__main__':
    sys.exit(main())
