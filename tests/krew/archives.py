"""What the tests of release archives share: options, paths, and a web server that has the archives as a project's address would.
Python 3 standard library only."""
import argparse
import os
import shutil
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
SOURCE = os.path.dirname(os.path.dirname(HERE))
KREW = os.path.join(SOURCE, 'krew')
MAN_PAGES = ['kubectl-smp%s.1' % suffix for suffix in (
    '-apply', '-create-patch', '-explain-diff', '-last-applied-edit', '-last-applied-forget', '-last-applied-set', '-last-applied-view',
    '-lint', '-merge', '-override', '-pull', '-schema', '-version', '')]
BOOST_LICENCE = r'Boost Software License - Version 1.0.*?Permission is hereby granted'
QEMU = {'amd64': 'qemu-x86_64-static', 'arm64': 'qemu-aarch64-static'}
RPM_ARCHITECTURE = {'amd64': 'x86_64', 'arm64': 'aarch64'}
sys.path.insert(0, os.path.join(os.path.dirname(HERE), 'e2e'))

from harness.proxy import JsonHandler, serve


def parse_args(description, **options):
    """`options` are names and help texts of paths that the command line must give."""
    parser = argparse.ArgumentParser(description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--archives', required=True, help='folder that krew/release filled')
    for name, text in options.items():
        parser.add_argument('--' + name, required=True, help=text)
    parsed = parser.parse_args()
    for name in ('archives', *options):
        if os.path.exists(getattr(parsed, name)):
            setattr(parsed, name, os.path.abspath(getattr(parsed, name)))
    return parsed


def name_of(architecture, system='linux'):
    return 'kubectl-smp_%s_%s.tar.gz' % (system, architecture)


def package_of(architecture, form):
    """The name of the package of form deb or rpm."""
    if form == 'deb':
        return 'kubectl-smp_%s_%s.deb' % (version()[1:], architecture)
    return 'kubectl-smp-%s-1.%s.rpm' % (version()[1:], RPM_ARCHITECTURE[architecture])


def host_architecture():
    return {'x86_64': 'amd64', 'aarch64': 'arm64'}[os.uname().machine]


def version():
    with open(os.path.join(SOURCE, 'CMakeLists.txt'), encoding='utf-8') as f:
        return 'v' + f.read().split('project(')[1].split('VERSION ')[1].split()[0]


def run(*argv, env=None, cwd=None, **kwargs):
    return subprocess.run(argv, stdin=subprocess.DEVNULL, capture_output=True, text=True, env=env, cwd=cwd, timeout=120,
                          check=False, **kwargs)


class Root:
    """A folder that holds what the tests put there, such as the program; `run` makes it the root directory."""

    def __init__(self, folder, architecture, program=None):
        self.folder = folder
        self.emulator = [] if architecture == host_architecture() else ['/qemu']
        os.makedirs(folder)
        if program:
            shutil.copy(program, os.path.join(folder, 'kubectl-smp'))
        if self.emulator:
            shutil.copy(shutil.which(QEMU[architecture]), os.path.join(folder, 'qemu'))
        self.as_root = [] if os.getuid() == 0 else [shutil.which('unshare'), '--map-root-user']
        self.change_root = (self.as_root or [shutil.which('unshare')]) + ['--root=' + folder, '--wd=/']

    def write(self, path, text):
        path = os.path.join(self.folder, path)
        if text is None:
            if os.path.exists(path):
                os.remove(path)
            return
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, 'w', encoding='utf-8') as f:
            f.write(text)

    def run(self, *args, program='/kubectl-smp'):
        return run(*self.change_root, *self.emulator, program, *args, env={'HOME': '/', 'PATH': '/nowhere'})


class Server:
    """Serves the files of a folder under any path that ends in their name, and notes the paths."""

    def __init__(self, folder, context=None):
        self.paths = paths = []

        class Handler(JsonHandler):
            def do_GET(self):
                paths.append(self.path)
                try:
                    with open(os.path.join(folder, os.path.basename(self.path)), 'rb') as f:
                        self.send(200, f.read(), 'application/octet-stream')
                except OSError:
                    self.send(404, b'', 'text/plain')

        self.server = serve(Handler, context)
        self.url = '%s://127.0.0.1:%d' % ('https' if context else 'http', self.server.server_port)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.server.shutdown()
        self.server.server_close()
