#!/usr/bin/env python3
"""The same sources give the same bytes: this machine's archive, its bill of materials and its packages once more, from a copy of the
sources in another folder. Only the libraries are those of the first build."""
import filecmp
import os
import shutil
import subprocess
import sys
import tarfile
import tempfile

import archives
import harness

KEPT = ('packages', 'curl', 'done')  # what krew/release has in .build/krew/ARCH but for the program and the libraries


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


def main():
    options = archives.parse_args(__doc__, built='folder in which krew/release builds')
    check = harness.Checks()
    architecture = archives.host_architecture()
    with tempfile.TemporaryDirectory(prefix='smp-reproducible-') as folder:
        sources = os.path.join(folder, 'elsewhere', 'smp')
        time = copy_sources(sources)
        build = os.path.join(sources, '.build', 'krew', architecture)
        os.makedirs(build)
        for name in KEPT:
            os.symlink(os.path.join(options.built, architecture, name), os.path.join(build, name))
        # A link would not do: the compiler names system headers by the path that a link leads to, where that is shorter.
        shutil.copytree(os.path.join(options.built, architecture, 'root'), os.path.join(build, 'root'), symlinks=True)
        env = dict(os.environ, SOURCE_DATE_EPOCH=time, CCACHE_DISABLE='1')
        done = subprocess.run([os.path.join(sources, 'krew', 'release'), architecture], env=env, capture_output=True, text=True, check=False)
        check('the second build', '' if done.returncode == 0 else done.stdout + done.stderr)
        again = os.path.join(sources, 'dist', archives.name_of(architecture))
        first = os.path.join(options.archives, archives.name_of(architecture))
        if done.returncode == 0:
            check('the same bytes', difference(first, again))
            for name in ('kubectl-smp_linux_%s.spdx.json' % architecture, *(archives.package_of(architecture, form) for form in ('deb', 'rpm'))):
                check.true('the same bytes: ' + name, filecmp.cmp(os.path.join(options.archives, name), os.path.join(sources, 'dist', name),
                                                                  shallow=False), 'others')
    return check.finish()


if __name__ == '__main__':
    sys.exit(main())
