"""A temporary folder without anybody's configuration, namespaces on the control plane, and runs of both tools."""
import argparse
import copy
import functools
import json
import os
import random
import shlex
import shutil
import string
import subprocess
import tempfile
import time

from . import explained
from .manifests import text_of
from .objects import Objects, Unclear
from .proxy import Proxy, Upstream
from .server import Server

LAST_APPLIED = 'kubectl.kubernetes.io/last-applied-configuration'


def parse_args(description, **more):
    """Parses the command line of a script. `more` has further options by name: the default and the help text."""
    parser = argparse.ArgumentParser(description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--tool', required=True, help='path of kubectl-smp')
    parser.add_argument('--kubectl', required=True, help='path of kubectl')
    parser.add_argument('--kubeconfig', required=True, help='administrator of the control plane')
    for name, (default, text) in more.items():
        parser.add_argument('--' + name, default=default, help=text)
    options = parser.parse_args()
    for name in ('tool', 'kubectl', 'kubeconfig'):
        setattr(options, name, os.path.abspath(getattr(options, name)))
    return options


def must(result):
    """Returns stdout; raises AssertionError if the run failed."""
    if result.returncode != 0:
        raise AssertionError('%s\nexit %d\n%s%s' % (shlex.join(result.args), result.returncode, result.stdout, result.stderr))
    return result.stdout


def until(what, condition, seconds=60):
    """Returns the first true value of condition()."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        value = condition()
        if value:
            return value
        time.sleep(0.1)
    raise AssertionError('waited %d s: %s' % (seconds, what))


def finish(process, timeout=90):
    """Waits for a process of Folder.start; returns what Folder.run would."""
    out, err = process.communicate(timeout=timeout)
    return subprocess.CompletedProcess(process.args, process.returncode, out, err)


class Folder:
    """A folder in which programs run without anybody's configuration."""

    def __init__(self, folder, home=None):
        self.dir, self.home = folder, home or folder

    def path(self, name):
        return os.path.join(self.dir, name)

    def write(self, name, content):
        """Returns the name. `content` is a text, an object or a list of objects."""
        os.makedirs(os.path.dirname(self.path(name)), exist_ok=True)
        with open(self.path(name), 'w', encoding='utf-8') as f:
            f.write(text_of(content))
        return name

    def read(self, name):
        """Returns the text, or nothing if there is no such file."""
        try:
            with open(self.path(name), encoding='utf-8') as f:
                return f.read()
        except FileNotFoundError:
            return ''

    def script(self, name, text):
        """Returns the path of a shell script."""
        path = self.path(self.write(name, '#!/bin/sh\n' + text))
        os.chmod(path, 0o700)
        return path

    def env(self, **extra):
        env = {k: v for k, v in os.environ.items() if not k.startswith(('KUBE', 'SMP_'))}
        env.update(HOME=self.home, KUBECACHEDIR=os.path.join(self.home, '.cache'), KUBERC='off', KUBECTL_KUBERC='false',
                   XDG_STATE_HOME=os.path.join(self.home, '.state'), NO_COLOR='1', LC_ALL='C.UTF-8')
        env.update(extra)
        return env

    def run(self, *argv, stdin=None, timeout=120, **env):
        """`stdin` is a text or a file."""
        text = {'input': stdin} if isinstance(stdin, str) else {'stdin': stdin}
        result = subprocess.run(argv, capture_output=True, encoding='utf-8', errors='replace', cwd=self.dir, env=self.env(**env),
                                timeout=timeout, check=False, **text)
        explained.check(argv, result.stdout)
        return result

    def start(self, *argv, **env):
        return subprocess.Popen(argv, cwd=self.dir, env=self.env(**env), encoding='utf-8', stdout=subprocess.PIPE, stderr=subprocess.PIPE)


class Tools(Folder):
    """A folder and both tools, which talk to the control plane. A run may have another kubeconfig."""
    flags = ()

    def __init__(self, options, folder, home=None):
        super().__init__(folder, home)
        self.tool, self.kubectl_path, self.kubeconfig = options.tool, options.kubectl, options.kubeconfig

    must = staticmethod(must)

    def argv(self, tool, *args, kubeconfig=None):
        """The command line of 'smp' or 'kubectl'. A -n in `args` wins over the namespace of this object."""
        program = {'smp': self.tool, 'kubectl': self.kubectl_path}[tool]
        flags = () if {'-n', '--namespace'}.intersection(args) else self.flags
        return [*([program] if isinstance(program, str) else program), *args, *flags, '--kubeconfig', kubeconfig or self.kubeconfig]

    def by(self, tool, *args, kubeconfig=None, **kwargs):
        return self.run(*self.argv(tool, *args, kubeconfig=kubeconfig), **kwargs)

    def smp(self, *args, **kwargs):
        return self.by('smp', *args, **kwargs)

    def kubectl(self, *args, **kwargs):
        return self.by('kubectl', *args, **kwargs)

    def get(self, *args):
        """Returns the object, or a list, that these arguments mean to kubectl get."""
        found = self.find(*args)
        assert found is not None, 'not found: ' + ' '.join(args)
        return found

    def find(self, *args):
        """Returns the object, or nothing if it does not exist. By HTTP if the arguments are the usual ones."""
        try:
            return self.by_http.find(args, self.namespace, self.read)
        except Unclear:
            result = self.kubectl('get', *args, '-o', 'json', '--show-managed-fields')
            return json.loads(result.stdout) if result.returncode == 0 else None

    @property
    def namespace(self):
        """That of a run without a -n of its own."""
        return self.flags[1] if self.flags else 'default'

    def patch(self, target, patch, *, kind=None, subresource=None):
        """Edits a live object as another field manager. The default kind is JSON for lists and merge for objects."""
        kind = kind or ('json' if isinstance(patch, list) else 'merge')
        path, single, _ = self.by_http.place(target.split(), self.namespace, self.read) or ('', False, None)
        assert single, 'no single object: ' + target
        status, answer = self.by_http.patch(path + ('/' + subresource if subresource else ''), patch, kind, 'somebody')
        assert status == 200, '%s: %d %s' % (path, status, answer)

    def raw(self, path):
        """What the server answers to a GET, or nothing if it refuses."""
        status, text = self.by_http.client.send_once('GET', path)
        return text if status == 200 else ''

    def await_api(self, group_version):
        """The server publishes the schema of a CRD a moment after it is established; before 1.24 in the document of all kinds."""
        until('/apis/' + group_version, lambda: self.raw('/apis/' + group_version))
        published = ('/openapi/v3/apis/' + group_version, '') if self.raw('/openapi/v3') else ('/openapi/v2', '/apis/%s/' % group_version)
        until(published[0], lambda: published[1] in self.raw(published[0]) and self.raw(published[0]))


class Cluster(Tools):
    """A temporary folder and namespaces on the control plane; both are removed when the with block ends."""

    def __init__(self, options, keep=False):
        super().__init__(options, tempfile.mkdtemp(prefix='smp-e2e-'))
        self.options, self.keep, self.namespaces = options, keep, []
        self.server = Server(self.must_get)

    @functools.cached_property
    def by_http(self):
        return Objects(self.upstream())

    def must_get(self, path):
        """The text at a path."""
        text = self.raw(path)
        assert text, 'the server refuses GET ' + path
        return text

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.remove(*self.namespaces)
        if not self.keep:
            shutil.rmtree(self.dir, ignore_errors=True)

    def remove(self, *namespaces):
        # No controllers run, so a Service would keep its address for ever; the range is small.
        for namespace in namespaces:
            for service in self.get('services', '-n', namespace)['items']:
                self.by_http.delete('/api/v1/namespaces/%s/services/%s' % (namespace, service['metadata']['name']))
            self.by_http.delete('/api/v1/namespaces/' + namespace)
            self.namespaces.remove(namespace)

    def config(self, kubeconfig=None):
        """The kubeconfig, or the one of somebody else, with everything that it refers to."""
        return copy.deepcopy(self.own_config) if kubeconfig is None else self.read_config(kubeconfig)

    @functools.cached_property
    def own_config(self):
        return self.read_config(None)

    def read_config(self, kubeconfig):
        return json.loads(must(self.kubectl('config', 'view', '--raw', '--flatten', '--minify', '-o', 'json', kubeconfig=kubeconfig)))

    def upstream(self):
        return Upstream(self.config())

    def new_namespace(self, prefix):
        name = '%s-%s' % (prefix, ''.join(random.choices(string.ascii_lowercase + string.digits, k=6)))
        manifest = {'apiVersion': 'v1', 'kind': 'Namespace', 'metadata': {'name': name}}
        status, answer = self.by_http.create(manifest, None)
        assert status == 201, answer
        self.namespaces.append(name)
        return name

    def proxy(self, **how):
        """A recording proxy (proxy.py), for a with block."""
        return Proxy(self.upstream(), self, **how)

    def as_user(self, namespace):
        """Returns the environment of somebody who has both tools on the PATH and works in this namespace."""
        os.makedirs(self.path('bin'))
        os.symlink(self.tool, self.path('bin/kubectl-smp'))
        os.symlink(self.kubectl_path, self.path('bin/kubectl'))
        config = self.config()
        config['contexts'][0]['context']['namespace'] = namespace
        return {'KUBECONFIG': self.path(self.write('config', config)), 'PATH': self.path('bin') + ':' + os.environ['PATH']}


class Space(Tools):
    """A namespace of its own, which runs of the tools get by -n, and a folder of its own. "__NS__" in what is written means its name."""

    def __init__(self, cl, prefix):
        self.cl, self.name = cl, cl.new_namespace(prefix)
        folder = cl.path(self.name)
        os.mkdir(folder)
        super().__init__(cl.options, folder, cl.home)
        self.flags = ('-n', self.name)

    @property
    def by_http(self):
        return self.cl.by_http

    def named(self, content):
        """A copy with the namespace's name."""
        if isinstance(content, str):
            return content.replace('__NS__', self.name)
        return json.loads(json.dumps(content).replace('__NS__', self.name))

    def write(self, name, content):
        """Raises NotApplicable if the server is of another release and lacks a kind or field of `content`."""
        self.cl.server.need(content)
        return super().write(name, self.named(content))

    def apply(self, content, *flags, tool='smp', command='apply', **kwargs):
        """Applies what is written to m.json."""
        return self.by(tool, command, '-f', self.write('m.json', content), *flags, **kwargs)

    def explain(self, content, *flags, **kwargs):
        """With --wide, so that sentences are not broken into lines."""
        return self.apply(content, *flags, '--wide', command='explain-diff', **kwargs)

    def live(self, content):
        """The live object of a manifest."""
        return self.get('-f', self.write('live.json', content))
