#!/usr/bin/env python3
"""The Debian package and the rpm have the very files of the archive: dpkg and rpm install each into an empty root, where the program
runs, verify it and remove it. Made again elsewhere at another time they are the same bytes."""
import filecmp
import gzip
import os
import shutil
import stat
import sys
import tarfile
import tempfile

import archives
import harness

DOC, MAN = 'usr/share/doc/kubectl-smp/', 'usr/share/man/man1/'
DEBIAN_FILES = [DOC + 'changelog.gz', DOC + 'copyright', 'usr/share/lintian/overrides/kubectl-smp']
DEBIAN_FIELDS = ('Package', 'Version', 'Architecture', 'Section', 'Priority', 'Maintainer', 'Depends', 'Recommends', 'Suggests', 'Homepage')
RPM_FIELDS = '%{NAME} %{VERSION} %{RELEASE} %{ARCH} %{OS} %{BUILDHOST}'
MAINTAINER = 'kubectl-smp <nobody@kubectl-smp.invalid>'  # until krew/release is told
# krew/cpack.sh with what krew/release gives it.
AGAIN = r'''set -euo pipefail
fail() { echo "$*" >&2; exit 1; }
here=$1 out=$2 maintainer=$6 url=(${7:+--url "$7"})
for part in version sbom cpack; do source "$here/$part.sh"; done
version=$(version_of_sources)
make_packages "$3" "$4" "$5"
'''


def files_below(folder):
    return sorted(os.path.relpath(os.path.join(where, name), folder) for where, _, names in os.walk(folder) for name in names)


def wanted_files(archive):
    """The files of the archive with their contents, by where a package has them."""
    with tarfile.open(archive) as tar:
        files = {m.name: tar.extractfile(m).read() for m in tar.getmembers() if m.isfile()}
    places = {'kubectl-smp': 'usr/bin/', 'kubectl_complete-smp': 'usr/bin/'}
    return {MAN + os.path.basename(name) + '.gz' if name.startswith('man/') else places.get(name, DOC) + name: data
            for name, data in files.items()}


class Package:
    """A package of form deb or rpm, and the empty root into which it is installed."""

    def __init__(self, options, folder, form):
        self.options, self.form = options, form
        self.path = os.path.join(options.archives, archives.package_of(options.architecture, form))
        self.root = archives.Root(os.path.join(folder, form), options.architecture)
        self.files = wanted_files(os.path.join(options.archives, archives.name_of(options.architecture)))

    def installed(self):
        """What is not the package manager's own."""
        return [name for name in files_below(self.root.folder) if name.startswith('usr/')]

    def manage(self, *args):
        """Runs the package manager on the root."""
        tool = {'deb': ['dpkg', '--root=' + self.root.folder], 'rpm': ['rpm', '--root', self.root.folder]}[self.form]
        return archives.run(*self.root.as_root, *tool, *args)

    def install(self):
        if self.form == 'rpm':
            return self.manage('-i', '--nodeps', '--ignorearch', self.path)
        os.makedirs(os.path.join(self.root.folder, 'var/lib/dpkg/info'))
        os.makedirs(os.path.join(self.root.folder, 'var/lib/dpkg/updates'))
        self.root.write('var/lib/dpkg/status', '')
        return self.manage('--force-architecture', '-i', self.path)

    def remove(self):
        return self.manage(*(['-P'] if self.form == 'deb' else ['-e', '--nodeps']), 'kubectl-smp')


def check_files(check, package):
    wanted = sorted([*package.files, *(DEBIAN_FILES if package.form == 'deb' else [])])
    check.equal('files', package.installed(), wanted)
    for name, data in package.files.items():
        path = os.path.join(package.root.folder, name)
        check.equal('mode of ' + name, oct(stat.S_IMODE(os.stat(path).st_mode)), oct(0o755 if 'bin/' in name else 0o644))
        with (gzip.open if name.endswith('.gz') else open)(path, 'rb') as f:
            check.true('bytes of ' + name, f.read() == data, 'not those of the archive')


def check_life(check, package):
    """From installation to removal."""
    check.says('install', package.install())
    check_files(check, package)
    result = package.root.run('version', '--client', program='/usr/bin/kubectl-smp')
    check.says('the program runs', result, out=['Client Version: ' + archives.version()])
    check.says('verify', package.manage('-V', 'kubectl-smp'), out='')
    check.says('remove', package.remove())
    check.equal('what is left', package.installed(), [])


def check_deb(check, package):
    fields = archives.run('dpkg-deb', '--field', package.path, *DEBIAN_FIELDS).stdout
    check.equal('fields', dict(line.split(': ', 1) for line in fields.splitlines()), {
        'Package': 'kubectl-smp', 'Version': archives.version()[1:], 'Architecture': package.options.architecture, 'Section': 'admin',
        'Priority': 'optional', 'Maintainer': MAINTAINER, 'Suggests': 'kubectl | kubernetes-client'})
    check.says('description', archives.run('dpkg-deb', '--field', package.path, 'Description'),
               out=['apply and explain strategic merge patches (kubectl plugin)\n ', '\n .\n'])
    listing = archives.run('dpkg-deb', '--contents', package.path).stdout
    check.equal('owners', {line.split()[1] for line in listing.splitlines()}, {'root/root'})
    control = archives.run('sh', '-c', 'dpkg-deb --ctrl-tarfile "$0" | tar -t', package.path).stdout.split()
    control_files = sorted(os.path.basename(name) for name in control if not name.endswith('/'))
    check.equal('nothing runs at installation', control_files, ['control', 'md5sums'])
    copyright = archives.run('sh', '-c', 'dpkg-deb --fsys-tarfile "$0" | tar -xO ./%scopyright' % DOC, package.path)
    check.says('copyright', copyright, out=['copyright-format/1.0/\n', '\nLicense: Apache-2.0\n', 'THIRD-PARTY-LICENSES'])


def check_rpm(check, package):
    query = lambda *args: archives.run('rpm', '-qp', *args, package.path)
    check.says('fields', query('--queryformat', RPM_FIELDS), out='kubectl-smp %s 1 %s linux localhost' % (
        archives.version()[1:], archives.RPM_ARCHITECTURE[package.options.architecture]))
    check.says('licences of all that is in it', query('--queryformat', '%{LICENSE}'),
               out=['Apache-2.0 AND ', 'LGPL-2.1-or-later', 'GPL-3.0-or-later WITH GCC-exception-3.1'])
    check.says('nothing runs at installation', query('--scripts'), out='')
    check.says('owners', query('--queryformat', '[%{FILEUSERNAME}/%{FILEGROUPNAME}\n]'), out='root/root\n' * (len(package.files) + 1))
    needed = query('--queryformat', '[%{REQUIRENAME}\n]').stdout.split()
    check.equal('needs only features of rpm', [name for name in needed if not name.startswith('rpmlib(')], [])
    check.says('digests', archives.run('rpm', '--checksig', '--nosignature', package.path), out=['digests OK'])


def make_again(options, folder, *published):
    """Makes both packages below another folder, of files with other times. `published` are a maintainer and a homepage."""
    built, out = os.path.join(options.built, options.architecture), os.path.join(folder, 'out')
    staged = os.path.join(folder, 'elsewhere', 'staged')
    os.makedirs(out)
    shutil.copytree(os.path.join(built, 'staged'), staged, copy_function=shutil.copy)
    with tarfile.open(os.path.join(options.archives, archives.name_of(options.architecture))) as tar:
        env = dict(os.environ, LC_ALL='C', SOURCE_DATE_EPOCH=str(tar.getmembers()[0].mtime))
    parts = os.path.join(built, 'parts')
    return archives.run('bash', '-c', AGAIN, 'again', archives.KREW, out, options.architecture, staged, parts, *published, env=env), out


def check_published(check, options, folder):
    """What krew/release is told gets into the packages."""
    maintainer, url = 'Me <me@example.com>', 'https://example.com/smp'
    made, out = make_again(options, folder, maintainer, url)
    check.says('made for publication', made)
    deb, rpm = (os.path.join(out, archives.package_of(options.architecture, form)) for form in ('deb', 'rpm'))
    check.says('deb: published', archives.run('dpkg-deb', '--field', deb, 'Maintainer', 'Homepage'),
               out='Maintainer: %s\nHomepage: %s\n' % (maintainer, url))
    check.says('rpm: published', archives.run('rpm', '-qp', '--queryformat', '%{URL}', rpm), out=url)


def main():
    options = archives.parse_args(__doc__, architecture='amd64 or arm64', built='folder in which krew/release builds')
    check = harness.Checks()
    with tempfile.TemporaryDirectory(prefix='smp-packages-') as folder:
        if options.architecture == archives.host_architecture():
            check_published(check, options, os.path.join(folder, 'published'))
        made, out = make_again(options, folder, MAINTAINER)
        check.says('made again', made)
        for form, check_form in (('deb', check_deb), ('rpm', check_rpm)):
            package = Package(options, folder, form)
            check_life(check, package)
            check_form(check, package)
            again = os.path.join(out, os.path.basename(package.path))
            check.true('the same bytes: ' + form, os.path.exists(again) and filecmp.cmp(package.path, again, shallow=False), 'others')
    return check.finish()


if __name__ == '__main__':
    sys.exit(main())
