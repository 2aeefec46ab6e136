#!/usr/bin/env python3
"""The pre-commit framework takes our hook as the README says: a commit of a manifest with a mistake is refused, and others are not.

  pre_commit_test.py TOOL"""
import os
import re
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import readme_lint_test
import readme_test
from readme_lint_test import BAD, GOOD


class User:
    """A repository that uses the hook; nothing of the machine's configuration is seen."""

    def __init__(self, folder, tool):
        self.folder, self.failures = folder, []
        for name in ('bin', 'hooks', 'work/manifests'):
            os.makedirs(os.path.join(folder, name))
        os.symlink(os.path.abspath(tool), os.path.join(folder, 'bin', 'kubectl-smp'))

    def run(self, where, *argv):
        author = {'GIT_%s_%s' % (who, what): 'me@example.com' for who in ('AUTHOR', 'COMMITTER') for what in ('NAME', 'EMAIL')}
        env = {'PATH': '%s:%s' % (os.path.join(self.folder, 'bin'), os.environ['PATH']), 'HOME': self.folder, 'GIT_CONFIG_NOSYSTEM': '1', **author}
        return subprocess.run(argv, cwd=os.path.join(self.folder, where), env=env, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, text=True, check=False)

    def expect(self, name, done, status, *needles):
        if done.returncode != status or not all(needle in done.stdout for needle in needles):
            self.failures.append('%s: exit status %d\n%s' % (name, done.returncode, done.stdout))

    def write(self, name, text):
        path = os.path.join(self.folder, 'work', name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, 'w', encoding='utf-8') as f:
            f.write(text)

    def commit(self, name, text):
        self.write(name, text)
        self.run('work', 'git', 'add', '.')
        return self.run('work', 'git', 'commit', '-m', name)


def publish(user):
    """The repository with the hook, as ours but for the rest of it. Returns its revision."""
    shutil.copy(os.path.join(readme_test.TOP, '.pre-commit-hooks.yaml'), os.path.join(user.folder, 'hooks'))
    for argv in (('init', '-q'), ('add', '.'), ('commit', '-qm', 'hook')):
        user.expect('git ' + argv[0], user.run('hooks', 'git', *argv), 0)
    return user.run('hooks', 'git', 'rev-parse', 'HEAD').stdout.strip()


def configuration(user, revision):
    """The one of the README, with the address and the release that there are here."""
    block = re.search(r'```yaml\n(repos:\n.*?)```', readme_lint_test.section(), re.S).group(1)
    text = re.sub(r'(?m)^- repo: .*', '- repo: ' + os.path.join(user.folder, 'hooks'), block)
    return re.sub(r'(?m)^  rev: .*', '  rev: ' + revision, text)


def main(tool):
    with tempfile.TemporaryDirectory() as folder:
        user = User(folder, tool)
        text = configuration(user, publish(user))
        user.expect('git init', user.run('work', 'git', 'init', '-q'), 0)
        user.write('.pre-commit-config.yaml', text)
        user.expect('pre-commit install', user.run('work', 'pre-commit', 'install'), 0, 'pre-commit installed')
        user.expect('a manifest', user.commit('manifests/web.yaml', GOOD), 0, 'kubectl smp lint', 'Passed')
        user.expect('a mistake', user.commit('manifests/deep/web.yaml', BAD), 1, 'Failed', 'manifests/deep/web.yaml:4:1: error: unknown field "dat"')
        user.expect('a mistake in another file', user.commit('manifests/new.yaml', GOOD.replace('web', 'new')), 1, 'manifests/deep/web.yaml:4:1')
        user.expect('corrected', user.commit('manifests/deep/web.yaml', GOOD.replace('web', 'deep')), 0, 'Passed')
        user.expect('no manifest', user.commit('notes.txt', 'none\n'), 0, 'Skipped')
        user.write('.pre-commit-config.yaml', text.replace('manifests/', 'deploy/'))
        user.expect('a mistake elsewhere', user.commit('deploy/web.yaml', BAD), 1, 'deploy/web.yaml:4:1: error')
    print('\n'.join(user.failures) or 'the hook does what the README says')
    return 1 if user.failures else 0


if __name__ == '__main__':
    sys.exit(main(sys.argv[1]))
