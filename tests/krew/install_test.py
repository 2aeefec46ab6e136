#!/usr/bin/env python3
"""krew/install puts the program where kubectl finds it: without root, without bash, with few other programs; and refuses what it
should."""
import os
import shutil
import sys
import tempfile

import archives
import harness
from harness.peers import Certificates, Redirecting, server_context

# All that a machine needs to have.
PROGRAMS = ('sh', 'uname', 'tr', 'dirname', 'mktemp', 'rm', 'cp', 'mv', 'mkdir', 'chmod', 'sed', 'cut', 'sha256sum', 'tar', 'gzip')


class Machine:
    """A user's machine: a home, and a PATH of a few programs."""

    def __init__(self, folder, name, programs=PROGRAMS):
        self.script = os.path.join(folder, 'install')
        self.home = os.path.join(folder, name)
        self.bin = os.path.join(self.home, 'machine')
        os.makedirs(self.bin)
        for program in programs:
            os.symlink(shutil.which(program), os.path.join(self.bin, program))
        self.user = {}
        if os.getuid() == 0:
            self.user = {'user': 65534, 'group': 65534, 'extra_groups': []}  # nobody
            os.chown(self.home, 65534, 65534)
        self.env = {'HOME': self.home, 'PATH': self.bin}

    def run(self, *argv, **env):
        return archives.run(*argv, env=dict(self.env, **env), cwd=self.home, **self.user)

    def install(self, *args, **env):
        return self.run(os.path.join(self.bin, 'sh'), self.script, *args, **env)

    def program(self, name, text):
        """Puts a shell script on the PATH."""
        path = os.path.join(self.bin, name)
        with open(path, 'w', encoding='utf-8') as f:
            f.write('#!/bin/sh\n%s\n' % text)
        os.chmod(path, 0o755)

    def pretend(self, system, machine):
        os.remove(os.path.join(self.bin, 'uname'))
        self.program('uname', 'case $1 in -s) echo %s ;; *) echo %s ;; esac' % (system, machine))


class Suite:
    def __init__(self, options, folder):
        self.options, self.folder, self.check = options, folder, harness.Checks()

    def machine(self, name, **kwargs):
        return Machine(self.folder, name, **kwargs)

    def expect(self, name, result, *needles, status=0):
        self.check.says(name, result, status, has=needles)

    def copy_of_archives(self, name, files=None):
        folder = os.path.join(self.folder, name)
        os.makedirs(folder)
        for file in files or os.listdir(self.options.archives):
            shutil.copy(os.path.join(self.options.archives, file), folder)
        return folder


def completion(suite, m, folder):
    """What kubectl runs to complete a line passes the words on to the program."""
    m.program('kubectl-smp', 'printf "<%s>" "$@"')
    suite.expect('completion', m.run(os.path.join(folder, 'kubectl_complete-smp'), 'apply', '-f', 'a b', ''),
                 '<__complete><apply><-f><a b><>')


def manual_pages(suite, m, program):
    """man finds them by the PATH."""
    folder = os.path.join(m.home, '.local/share/man/man1')
    suite.check('manual pages', '' if sorted(os.listdir(folder)) == archives.MAN_PAGES else os.listdir(folder))
    path = os.path.dirname(program) + ':' + os.environ['PATH']
    suite.expect('man finds them', m.run('man', '-w', 'kubectl-smp', PATH=path), os.path.join(folder, 'kubectl-smp.1'))


def manual_pages_elsewhere(suite, source):
    m = suite.machine('elsewhere')
    pages = os.path.join(m.home, 'tools/man/man1')
    suite.expect('a folder that is no bin', m.install('--from', source, '--dir', 'tools'), 'installed')
    suite.check('has its pages below', '' if sorted(os.listdir(pages)) == archives.MAN_PAGES else os.listdir(pages))
    suite.expect('man finds these', m.run('man', '-w', 'kubectl-smp-apply', PATH=m.home + '/tools:' + os.environ['PATH']), pages)
    for path in (os.path.join(pages, 'kubectl-smp-gone.1'), os.path.join(pages, 'other.1')):
        with open(path, 'w', encoding='utf-8'):
            pass
        if os.getuid() == 0:
            os.chown(path, 65534, 65534)
    suite.expect('again', m.install('--from', source, '--dir', 'tools'), 'installed')
    wanted = sorted(archives.MAN_PAGES + ['other.1'])
    suite.check('pages of commands that are no more go', '' if sorted(os.listdir(pages)) == wanted else os.listdir(pages))
    shutil.rmtree(os.path.join(m.home, 'tools/man'))
    with open(os.path.join(m.home, 'tools/man'), 'w', encoding='utf-8'):
        pass
    suite.expect('no place for pages', m.install('--from', source, '--dir', 'tools'), 'installed', 'skipping the manual pages')


def from_folder(suite, source):
    m = suite.machine('folder')
    program = os.path.join(m.home, '.local/bin/kubectl-smp')
    suite.expect('from a folder', m.install('--from', source), 'installed ' + program, archives.version(),
                 'export PATH="%s:$PATH"' % os.path.dirname(program))
    suite.check('mode', '' if os.stat(program).st_mode & 0o777 == 0o755 else oct(os.stat(program).st_mode))
    path = m.bin + ':' + os.path.dirname(program)
    suite.expect('again, with the folder on the PATH', m.install('--from', source + '/', PATH=path), 'try: kubectl smp --help')
    shutil.copy(suite.options.kubectl, m.bin)
    suite.expect('kubectl runs it', m.run(os.path.join(m.bin, 'kubectl'), 'smp', 'version', '--client', PATH=path), archives.version())
    files = sorted(os.listdir(os.path.dirname(program)))
    suite.check('the files', '' if files == ['kubectl-smp', 'kubectl_complete-smp'] else files)
    manual_pages(suite, m, program)
    completion(suite, m, os.path.dirname(program))
    manual_pages_elsewhere(suite, source)
    suite.expect('--dir', m.install('--from', source, '--dir', 'some where/bin'), 'some where/bin/kubectl-smp (Client Version')


def from_address(suite, source):
    """Only by https, also after a redirect: SHA256SUMS comes from there, too."""
    certificates = Certificates(os.path.join(suite.folder, 'certificates'), 'web')
    context = server_context(certificates.issue('web'))
    trust = {'CURL_CA_BUNDLE': certificates.ca}
    for folder, _, files in os.walk(certificates.folder):
        for path in [folder] + [os.path.join(folder, file) for file in files]:
            os.chmod(path, 0o755)
    with_curl = lambda name: suite.machine(name, programs=PROGRAMS + ('curl',))
    with archives.Server(source, context) as server, archives.Server(source) as plain:
        suite.expect('by https', with_curl('curl').install('--from', server.url + '/v1', **trust), 'installed')
        suite.expect('an unknown authority', with_curl('distrust').install('--from', server.url + '/v1'), 'cannot download https', status=1)
        suite.expect('without curl', suite.machine('neither').install('--from', server.url, **trust), 'curl is required', status=1)
        suite.expect('nothing at the address', with_curl('nothing').install(
            '--from', server.url.replace('127.0.0.1', '127.0.0.1.invalid'), **trust), 'cannot download http', 'SHA256SUMS', status=1)
        suite.expect('by http', with_curl('http').install('--from', plain.url + '/v1'), 'is not safe from changes on the way; use https', status=1)
        suite.expect('by ftp', with_curl('ftp').install('--from', 'ftp://127.0.0.1/v1'), 'neither a directory nor an https URL', status=1)
        redirecting = Redirecting(plain.url + '/SHA256SUMS', context)
        suite.expect('a redirect to http', with_curl('redirect').install('--from', 'https://127.0.0.1:%d/v1' % redirecting.port, **trust),
                     'cannot download https', status=1)
        redirecting.close()
        suite.check('nothing was asked for by http', plain.paths)


def platforms(suite, source):
    there = sorted(name[len('kubectl-smp_'):-len('.tar.gz')] for name in os.listdir(source) if name.endswith('.tar.gz'))
    for system, machine, wanted in (('Linux', 'riscv64', 'linux_riscv64'), ('FreeBSD', 'amd64', 'freebsd_amd64')):
        m = suite.machine(wanted)
        m.pretend(system, machine)
        suite.expect(wanted, m.install('--from', source), 'no archive for %s in ' % wanted, 'SHA256SUMS; available: %s \n' % ' '.join(there), status=1)
    for system, machine, platform in (('Linux', 'aarch64', 'linux_arm64'), ('Darwin', 'arm64', 'darwin_arm64')):
        if platform in there:
            foreign(suite, source, platform, system, machine)


def foreign(suite, source, platform, system, machine):
    m = suite.machine('foreign ' + platform)
    m.pretend(system, machine)
    # A machine that pretends cannot run the program, unless it has qemu set up for that.
    result = m.install('--from', source)
    ok = result.returncode == 0 or 'the program in kubectl-smp_%s.tar.gz does not run' % platform in result.stderr
    suite.check('a program that does not run: ' + platform, '' if ok else harness.said(result))
    left = os.listdir(os.path.join(m.home, '.local/bin'))
    suite.check('and what it leaves', left if left and result.returncode else '')


def expect_refusal(suite, name, source, needle):
    """One error, and nothing installed."""
    m = suite.machine('refused ' + name)
    suite.expect(name, result := m.install('--from', source), needle, status=1)
    suite.check(name + ': one error', '' if result.stderr.count('install: ') == result.stderr.count('\n') == 1 else result.stderr)
    suite.check(name + ': nothing is installed', [file for file in os.listdir(m.home) if file != 'machine'])


def damaged_archives(suite):
    archive = archives.name_of(archives.host_architecture())
    for name, change in (('a longer archive', lambda data: data + b'\0'), ('a shorter archive', lambda data: data[:-1]),
                         ('another byte', lambda data: data[:1000] + bytes([data[1000] ^ 1]) + data[1001:]), ('an empty archive', lambda _: b'')):
        folder = suite.copy_of_archives(name, [archive, 'SHA256SUMS'])
        with open(os.path.join(folder, archive), 'rb') as f:
            data = f.read()
        with open(os.path.join(folder, archive), 'wb') as f:
            f.write(change(data))
        expect_refusal(suite, name, folder, 'is corrupt: its SHA-256 is')


def damaged_checksums(suite):
    archive = archives.name_of(archives.host_architecture())
    with open(os.path.join(suite.options.archives, 'SHA256SUMS'), encoding='utf-8') as f:
        sums = dict(reversed(line.split()) for line in f)
    line, digest = sums[archive] + '  %s\n', sums[archive]
    wrong = next(value for name, value in sums.items() if name != archive)
    for name, text, needle in (
            ('no line', '%s  other.tar.gz\n' % digest, 'no archive for linux_'), ('an empty SHA256SUMS', '', 'no archive for linux_'),
            ('a name that only looks alike', line % archive.replace('.', 'x', 1), 'no archive for linux_'),
            ('a name in a directory', line % ('other/' + archive), 'no archive for linux_'),
            ('the checksum of another file', '%s  %s\n' % (wrong, archive), 'is corrupt: its SHA-256 is ' + digest),
            ('two checksums', line % archive + '%s  %s\n' % (wrong, archive), 'it must have one SHA-256 for ' + archive),
            ('half a checksum', '%s  %s\n' % (digest[:32], archive), 'is corrupt'),
            ('what is no checksum', '%s  %s\n' % ('*' * 64, archive), 'it must have one SHA-256 for ' + archive)):
        folder = suite.copy_of_archives(name, [archive, 'SHA256SUMS'])
        with open(os.path.join(folder, 'SHA256SUMS'), 'w', encoding='utf-8') as f:
            f.write(text)
        expect_refusal(suite, name, folder, needle)


def refusals(suite, source):
    m = suite.machine('refused')
    suite.expect('an empty folder', m.install('--from', m.home), 'cannot download', 'SHA256SUMS', status=1)
    suite.expect('a folder that cannot be made', m.install('--from', source, '--dir', '/proc/none'), 'another one with --dir', status=1)
    suite.expect('no home', m.install('--from', source, HOME=''), 'use --dir', status=1)
    suite.expect('usage', m.install('--help'), 'usage: install', status=2)
    suite.check('nothing was installed', os.path.exists(os.path.join(m.home, '.local')))


def main():
    options = archives.parse_args(__doc__, kubectl='path of kubectl')
    with tempfile.TemporaryDirectory(prefix='smp install ') as folder:
        os.chmod(folder, 0o755)
        # The user nobody may have no access to the checkout.
        shutil.copy(os.path.join(archives.KREW, 'install'), folder)
        suite = Suite(options, folder)
        source = suite.copy_of_archives('archives')
        from_folder(suite, source)
        from_address(suite, source)
        platforms(suite, source)
        damaged_archives(suite)
        damaged_checksums(suite)
        refusals(suite, source)
        return suite.check.finish()


if __name__ == '__main__':
    sys.exit(main())
