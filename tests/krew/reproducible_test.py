#!/usr/bin/env python3
"""The same sources give the same bytes: this machine's archive, its bill of materials and its packages once more, from a copy of the
sources in another folder; with --platforms all every file that krew/release made, with
arm64 those of that processor. Only the libraries are those of the first build."""
import filecmp
import os
import shutil
import subprocess
import sys
import tarfile
import tempfile

import archives
import harness

# What krew/release has in .build/krew/PLATFORM but for the program and the libraries; the last five are of macOS and Windows.
KEPT = ('packages', 'curl', 'done', 'openssl', 'zlib', 'nghttp2', 'headers', 'tools')


def copy_sources(folder):
    """Those of the checkout, without what was built; gives the time of the last commit, as the copy has none."""
    ignore = shutil.ignore_patterns('.git', '.build', 'build', 'dist', '__pycache__')
    shutil.copytree(archives.SOURCE, folder, symlinks=True, ignore=ignore)
    done = subprocess.run(['git', '-C', archives.SOURCE, 'log', '-1', '--format=%ct'], capture_output=True, text=True, check=False)
    return done.stdout.strip() or '0'


def difference(first, again):
    """Names the files that differ; '' for the same bytes."""
    if filecmp.cmp(first, again, shallow=False):
        return ''
    with tarfile.open(first) as one, tarfile.open(again) as other:
        read = lambda tar: {m.name: tar.extractfile(m).read() for m in tar.getmembers() if m.isfile()}
        old, new = read(one), read(other)
    return [name for name in sorted(old.keys() | new.keys()) if old.get(name) != new.get(name)] or 'how they are packed'


def keep_libraries(built, build, platform):
    """Those of the platform, without the program."""
    os.makedirs(os.path.join(build, platform))
    for name in KEPT:
        if os.path.exists(os.path.join(built, platform, name)):
            os.symlink(os.path.join(built, platform, name), os.path.join(build, platform, name))
    # A link would not do: the compiler names system headers by the path that a link leads to, where that is shorter.
    shutil.copytree(os.path.join(built, platform, 'root'), os.path.join(build, platform, 'root'), symlinks=True)


def platform_of(name):
    """Of which platform a file of krew/release is, as it names folders: arm64, darwin_arm64."""
    for architecture in ('amd64', 'arm64'):
        if architecture in name or archives.RPM_ARCHITECTURE[architecture] in name:
            return next((system + '_' for system in ('darwin', 'windows') if system in name), '') + architecture
    return ''


def files_of(options):
    """The files to be compared, with their platforms."""
    with open(os.path.join(options.archives, 'SHA256SUMS'), encoding='utf-8') as f:
        names = [line.split()[1] for line in f]
    files = {name: platform_of(name) for name in names}
    wanted = {'host': lambda platform: platform == archives.host_architecture(), 'all': lambda _: True,
              'arm64': lambda platform: platform.endswith('arm64')}[options.platforms]
    return {name: platform for name, platform in files.items() if wanted(platform)}


def flags_for(platforms):
    """Of krew/release."""
    return sorted({'--' + platform.split('_')[0] for platform in platforms if '_' in platform}) + \
        sorted({platform.split('_')[-1] for platform in platforms})


def main():
    options = archives.parse_args(__doc__, built='folder in which krew/release builds', platforms='host, arm64 or all')
    check = harness.Checks()
    files = files_of(options)
    platforms = sorted(set(files.values()))
    with tempfile.TemporaryDirectory(prefix='smp-reproducible-') as folder:
        sources = os.path.join(folder, 'elsewhere', 'smp')
        time = copy_sources(sources)
        build = os.path.join(sources, '.build', 'krew')
        for platform in platforms:
            keep_libraries(options.built, build, platform)
        if '_' in ''.join(platforms):
            os.symlink(os.path.join(options.built, 'zig'), os.path.join(build, 'zig'))
        env = dict(os.environ, SOURCE_DATE_EPOCH=time, CCACHE_DISABLE='1')
        done = subprocess.run([os.path.join(sources, 'krew', 'release'), *flags_for(platforms)], env=env, capture_output=True, text=True, check=False)
        check('the second build', '' if done.returncode == 0 else done.stdout + done.stderr)
        for name in files if done.returncode == 0 else ():
            first, again = os.path.join(options.archives, name), os.path.join(sources, 'dist', name)
            if name.endswith('.tar.gz'):
                check('the same bytes: ' + name, difference(first, again))
            else:
                check.true('the same bytes: ' + name, filecmp.cmp(first, again, shallow=False), 'others')
    return check.finish()


if __name__ == '__main__':
    sys.exit(main())
