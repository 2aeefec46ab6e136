#!/usr/bin/env python3
"""Real krew takes the manifest and the archives: its validator, installation without a network, and from a plugin index
installation, upgrade and removal; real kubectl runs what was installed."""
import os
import shutil
import sys
import tempfile

import archives
import harness


class Krew:
    """krew with a folder of its own. kubectl finds krew as a plugin, and what krew has installed."""

    def __init__(self, folder, options, with_git):
        self.folder = folder
        self.root = os.path.join(folder, 'krew-root')
        self.bin = os.path.join(folder, 'bin')
        os.makedirs(self.bin)
        programs = {'kubectl': options.kubectl, 'kubectl-krew': options.krew}
        if with_git:
            programs['git'] = shutil.which('git')
        for name, path in programs.items():
            os.symlink(path, os.path.join(self.bin, name))
        self.env = {'HOME': folder, 'KREW_ROOT': self.root, 'KREW_NO_UPGRADE_CHECK': '1', 'KUBECTL_KUBERC': 'false',
                    'PATH': self.bin + ':' + os.path.join(self.root, 'bin')}

    def kubectl(self, *args, **env):
        return archives.run(os.path.join(self.bin, 'kubectl'), *args, env=dict(self.env, **env), cwd=self.folder)

    def git(self, *args):
        return archives.run('git', '-c', 'user.name=test', '-c', 'user.email=test@example.invalid', *args,
                            env=dict(os.environ, HOME=self.folder), cwd=self.folder)


class Suite:
    def __init__(self, options, folder):
        self.options, self.folder, self.check = options, folder, harness.Checks()
        self.archives = os.path.join(folder, 'archives')
        os.makedirs(self.archives)
        self.archive = os.path.join(self.archives, archives.name_of(archives.host_architecture()))
        self.names = sorted(name for name in os.listdir(options.archives) if name.endswith('.tar.gz'))
        for name in self.names:
            shutil.copy(os.path.join(options.archives, name), self.archives)

    def expect(self, name, result, *needles, status=0):
        self.check.says(name, result, status, has=needles)

    def krew(self, name, with_git=False):
        folder = os.path.join(self.folder, name)
        os.makedirs(folder)
        return Krew(folder, self.options, with_git)

    def manifest(self, *args):
        """Writes smp.yaml with krew/manifest; gives its path."""
        result = archives.run(os.path.join(archives.KREW, 'manifest'), *args, self.archives)
        self.expect('krew/manifest ' + ' '.join(args), result)
        return os.path.join(self.archives, 'smp.yaml')


def validate(suite, server):
    manifest = suite.manifest('--url', server.url + '/smp/')
    krew = suite.krew('validator')
    argv = [suite.options.validator, '-manifest', manifest]
    suite.expect('the validator takes the manifest', archives.run(*argv, '-skip-install', env=krew.env))
    suite.expect('the validator installs every platform', archives.run(*argv, env=krew.env),
                 'all %d spec.platforms installed fine' % len(suite.names))
    wanted = ['/smp/releases/download/%s/%s' % (archives.version(), name) for name in suite.names]
    suite.check('addresses of the archives', '' if server.paths == wanted else server.paths)


def refuse_addresses(suite):
    for url in ('example.invalid/smp', 'ftp://example.invalid', 'https://example.invalid/a b', 'https://x/\nname: y'):
        result = archives.run(os.path.join(archives.KREW, 'manifest'), '--url', url, suite.archives)
        suite.expect('--url ' + repr(url), result, 'is not an http or https URL', status=1)


def in_shell(krew, commands):
    return archives.run('/bin/sh', '-c', 'set -e\n' + commands, env=dict(krew.env, PATH=krew.env['PATH'] + ':' + os.environ['PATH']))


def expect_completion(suite, name, krew):
    """kubectl finds the helper on krew's PATH and asks it."""
    result = krew.kubectl('__complete', 'smp', 'apply', '--dry-run=s')
    suite.check(name, '' if (result.returncode, result.stdout) == (0, 'server\n:4\n') else harness.said(result))


def follow_caveats(suite, krew, manifest):
    """The commands that krew shows after the installation do what they say."""
    with open(manifest, encoding='utf-8') as f:
        caveats = f.read().split('caveats: |')[1].split('platforms:')[0]
    commands = '\n'.join(line.strip() for line in caveats.splitlines() if line.startswith('      '))
    suite.expect('caveats', in_shell(krew, commands))
    expect_completion(suite, 'completion after the caveats', krew)
    suite.expect('manual pages after the caveats', in_shell(krew, 'man -w kubectl-smp-explain-diff'), 'man1/kubectl-smp-explain-diff.1')


def follow_readme(krew):
    """What README has people do for completion."""
    with open(os.path.join(archives.SOURCE, 'README.md'), encoding='utf-8') as f:
        section = f.read().split('\n## Completion\n')[1].split('\n## ')[0]
    return in_shell(krew, next(line[2:] for line in section.splitlines() if line.startswith('$ ln ')))


def install_offline(suite):
    manifest = suite.manifest()
    krew = suite.krew('offline')
    install = ['krew', 'install', '--manifest=' + manifest, '--archive=' + suite.archive]
    suite.expect('install without a network', krew.kubectl(*install), 'Installed plugin: smp')
    suite.expect('kubectl runs it', krew.kubectl('smp', 'version', '--client'), archives.version())
    suite.expect('help names kubectl smp', krew.kubectl('smp', '--help'), 'kubectl smp')
    suite.expect('kubectl lists it', krew.kubectl('plugin', 'list'), 'kubectl-smp')
    store = os.path.join(krew.root, 'store', 'smp', archives.version())
    installed = sorted(os.listdir(store)) + sorted(os.listdir(os.path.join(store, 'man', 'man1')))
    wanted = ['LICENSE', 'THIRD-PARTY-LICENSES', 'kubectl-smp', 'man', *archives.MAN_PAGES]
    suite.check('installed files', '' if installed == wanted else installed)
    follow_caveats(suite, krew, manifest)
    for name in ('windows', 'darwin'):
        if not any(name in archive for archive in suite.names):
            other = suite.krew(name)
            suite.expect('install on ' + name, other.kubectl(*install, KREW_OS=name), 'does not offer installation', status=1)
    damaged = os.path.join(suite.folder, 'damaged.tar.gz')
    with open(suite.archive, 'rb') as whole, open(damaged, 'wb') as part:
        part.write(whole.read()[:-1])
    install[-1] = '--archive=' + damaged
    suite.expect('a damaged archive', suite.krew('damaged').kubectl(*install), 'checksum does not match', status=1)


def publish(suite, krew, manifest, version):
    """Puts the manifest into the index, a git repository, as one of the given version."""
    index = os.path.join(krew.folder, 'index')
    plugins = os.path.join(index, 'plugins')
    os.makedirs(plugins, exist_ok=True)
    with open(manifest, encoding='utf-8') as f:
        text = f.read().replace(archives.version(), version)
    with open(os.path.join(plugins, 'smp.yaml'), 'w', encoding='utf-8') as f:
        f.write(text)
    krew.git('init', '--quiet', index)
    krew.git('-C', index, 'add', '.')
    suite.expect('commit ' + version, krew.git('-C', index, 'commit', '--quiet', '-m', version))
    krew.env['KREW_DEFAULT_INDEX_URI'] = 'file://' + index
    suite.expect('update to ' + version, krew.kubectl('krew', 'update'))


def use_index(suite, server):
    manifest = suite.manifest('--url', server.url)
    krew = suite.krew('index', with_git=True)
    old, new = archives.version(), 'v999.0.0'
    publish(suite, krew, manifest, old)
    suite.expect('search', krew.kubectl('krew', 'search', 'strategic'), 'smp', 'Apply and explain strategic merge patches (SMP)')
    suite.expect('info', krew.kubectl('krew', 'info', 'smp'), 'VERSION: ' + old, 'HOMEPAGE: ' + server.url)
    suite.expect('install', krew.kubectl('krew', 'install', 'smp'), 'Installed plugin: smp')
    suite.expect('list', krew.kubectl('krew', 'list'), 'smp')
    suite.expect('the link that README adds', follow_readme(krew))
    expect_completion(suite, 'completion', krew)
    publish(suite, krew, manifest, new)
    suite.expect('upgrade', krew.kubectl('krew', 'upgrade', 'smp'), 'Upgraded plugin: smp')
    link = os.readlink(os.path.join(krew.root, 'bin', 'kubectl-smp'))
    suite.check('the new version is the one that runs', '' if new in link else link)
    suite.expect('kubectl runs it after the upgrade', krew.kubectl('smp', 'version', '--client'), 'Client Version')
    expect_completion(suite, 'completion after the upgrade', krew)
    suite.expect('uninstall', krew.kubectl('krew', 'uninstall', 'smp'), 'Uninstalled plugin')
    suite.expect('kubectl after removal', krew.kubectl('smp', 'version'), 'unknown command "smp"', status=1)
    store, bin_folder = os.path.join(krew.root, 'store', 'smp'), os.path.join(krew.root, 'bin')
    left = [store] if os.path.lexists(store) else os.listdir(bin_folder)
    suite.check('nothing is left but the link that README adds', '' if left == ['kubectl_complete-smp'] else left)


def main():
    options = archives.parse_args(__doc__, kubectl='path of kubectl', krew='path of krew', validator='path of validate-krew-manifest')
    with tempfile.TemporaryDirectory(prefix='smp-krew-') as folder:
        suite = Suite(options, folder)
        with archives.Server(suite.archives) as server:
            validate(suite, server)
            refuse_addresses(suite)
            install_offline(suite)
            use_index(suite, server)
        return suite.check.finish()


if __name__ == '__main__':
    sys.exit(main())
