"""What the end-to-end tests share: the options of their command lines, a namespace of their own, and runs of programs in a
temporary folder without anybody's configuration. Python 3 standard library only."""
import argparse
import json
import os
import random
import shutil
import string
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), 'scenarios'))


def parse_args(description):
    parser = argparse.ArgumentParser(description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--tool', required=True, help='path of kubectl-smp')
    parser.add_argument('--kubectl', required=True, help='path of kubectl')
    parser.add_argument('--kubeconfig', required=True, help='administrator of the control plane')
    options = parser.parse_args()
    for name in ('tool', 'kubectl', 'kubeconfig'):
        setattr(options, name, os.path.abspath(getattr(options, name)))
    return options


class Cluster:
    """A temporary folder and namespaces on the control plane; both go when the with-block ends."""

    def __init__(self, options):
        self.tool, self.kubectl_path, self.kubeconfig = options.tool, options.kubectl, options.kubeconfig
        self.namespaces = []

    def __enter__(self):
        self.dir = tempfile.mkdtemp(prefix='smp-e2e-')
        return self

    def __exit__(self, *_):
        for namespace in self.namespaces:
            # No controllers run, so a Service would keep its address for ever; the range is small.
            self.kubectl('delete', 'services', '--all', '--wait=false', '-n', namespace)
            self.kubectl('delete', 'namespace', namespace, '--wait=false')
        shutil.rmtree(self.dir, ignore_errors=True)

    def env(self, **extra):
        env = {k: v for k, v in os.environ.items() if not k.startswith(('KUBE', 'SMP_'))}
        env.update(HOME=self.dir, KUBECACHEDIR=os.path.join(self.dir, '.cache'), KUBERC='off', KUBECTL_KUBERC='false',
                   XDG_STATE_HOME=os.path.join(self.dir, '.state'), NO_COLOR='1', LC_ALL='C.UTF-8')
        env.update(extra)
        return env

    def run(self, *argv, stdin=None, **env):
        return subprocess.run(argv, input=stdin, capture_output=True, text=True, cwd=self.dir, env=self.env(**env),
                              timeout=120, check=False)

    def kubectl(self, *args, **kwargs):
        return self.run(self.kubectl_path, *args, '--kubeconfig', self.kubeconfig, **kwargs)

    def smp(self, *args, **kwargs):
        return self.run(self.tool, *args, '--kubeconfig', self.kubeconfig, **kwargs)

    def must(self, result):
        if result.returncode != 0:
            raise AssertionError('%s\nexit %d\n%s%s' % (' '.join(result.args), result.returncode, result.stdout, result.stderr))
        return result.stdout

    def get(self, *args):
        return json.loads(self.must(self.kubectl('get', *args, '-o', 'json', '--show-managed-fields')))

    def new_namespace(self, prefix):
        name = '%s-%s' % (prefix, ''.join(random.choices(string.ascii_lowercase + string.digits, k=6)))
        self.must(self.kubectl('create', 'namespace', name))
        self.namespaces.append(name)
        return name

    def write(self, name, text):
        with open(os.path.join(self.dir, name), 'w', encoding='utf-8') as f:
            f.write(text)
        return name


class Checks:
    """Collects failures, so that one run shows them all."""

    def __init__(self):
        self.count, self.failures = 0, []

    def __call__(self, name, failure):
        """`failure` is what went wrong, or empty."""
        self.count += 1
        if failure:
            self.failures.append(name)
            print('FAIL %s\n     %s' % (name, str(failure).strip().replace('\n', '\n     ')), flush=True)

    def finish(self):
        print('%d passed, %d failed' % (self.count - len(self.failures), len(self.failures)))
        return 1 if self.failures or self.count == 0 else 0
