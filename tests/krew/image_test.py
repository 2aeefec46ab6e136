#!/usr/bin/env python3
"""krew/Dockerfile makes an image that holds the static program and its licences and nothing else: buildah builds it as its comment says, and
the program runs there as the user nobody, against a real API server, with what the comment mounts. Without certificates of authorities it
says what is missing."""
import hashlib
import json
import os
import re
import shlex
import sys
import tarfile

import archives
import harness

DOCKERFILE = os.path.join(archives.KREW, 'Dockerfile')
MANIFEST = 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: web}\ndata: {a: "1"}\n'
BUNDLE = 'etc/ssl/certs/ca-certificates.crt'
NOBODY = '65534'


def comment_line(start):
    """The words of the command in the Dockerfile's comment that starts so."""
    with open(DOCKERFILE, encoding='utf-8') as f:
        return shlex.split(re.search(r'(?m)^# +(%s .*)$' % start, f.read()).group(1))


class Image:
    """What a registry would get: the configuration, and the files with their modes and contents."""

    def __init__(self, folder):
        self.blobs = os.path.join(folder, 'blobs', 'sha256')
        with open(os.path.join(folder, 'index.json'), encoding='utf-8') as f:
            manifest = self.read(json.load(f)['manifests'][0])
        self.config = self.read(manifest['config'])
        self.files, self.modes, self.owners = {}, {}, set()
        for layer in manifest['layers']:
            with tarfile.open(self.path(layer)) as tar:
                for m in tar.getmembers():
                    self.modes[m.name.strip('/')] = oct(m.mode & 0o7777)
                    self.owners.add((m.uid, m.gid))
                    if m.isfile():
                        self.files[m.name.strip('/')] = tar.extractfile(m).read()

    def path(self, descriptor):
        return os.path.join(self.blobs, descriptor['digest'].split(':')[1])

    def read(self, descriptor):
        with open(self.path(descriptor), encoding='utf-8') as f:
            return json.load(f)


def build(check, cl, options, architecture):
    """Runs the command of the comment, with buildah for docker, in a folder that has krew/ and dist/."""
    folder = cl.path('build-' + architecture)
    os.makedirs(folder)
    os.symlink(archives.KREW, os.path.join(folder, 'krew'))
    os.symlink(options.archives, os.path.join(folder, 'dist'))
    buildah = ['buildah', '--root', folder + '/storage', '--runroot', folder + '/run', '--storage-driver', 'vfs']
    words = comment_line('docker build')
    check.equal('the command of the comment', words[:2] + words[-1:], ['docker', 'build', 'dist'])
    env = dict(os.environ, HOME=folder, XDG_RUNTIME_DIR=folder)
    check.says('build for ' + architecture, archives.run(
        *buildah, 'bud', '--isolation', 'chroot', '--platform', 'linux/' + architecture, *words[2:], cwd=folder, env=env))
    check.says('push', archives.run(*buildah, 'push', words[words.index('-t') + 1], 'oci:%s/image' % folder, cwd=folder, env=env))
    return Image(os.path.join(folder, 'image'))


def check_image(check, image, options, architecture):
    with tarfile.open(os.path.join(options.archives, archives.name_of(architecture))) as tar:
        wanted = {name: tar.extractfile(name).read() for name in ('kubectl-smp', 'LICENSE', 'THIRD-PARTY-LICENSES')}
    digests = lambda files: {name: hashlib.sha256(data).hexdigest() for name, data in files.items()}
    check.equal('the files of ' + architecture, digests(image.files), digests(wanted))
    check.equal('modes', image.modes, {'kubectl-smp': '0o755', 'LICENSE': '0o644', 'THIRD-PARTY-LICENSES': '0o644', 'work': '0o755'})
    check.equal('owners', image.owners, {(0, 0)})
    check.holds('the configuration', image.config, {'architecture': architecture, 'os': 'linux', 'config.Entrypoint': ['/kubectl-smp'],
                                                    'config.User': NOBODY + ':' + NOBODY, 'config.WorkingDir': '/work'})


class Container:
    """The root of the image, with what is mounted."""

    def __init__(self, cl, image):
        self.root, self.image = archives.Root(cl.path('container'), archives.host_architecture()), image
        os.mkdir(os.path.join(self.root.folder, 'work'))
        for name, data in image.files.items():
            path = os.path.join(self.root.folder, name)
            with open(path, 'wb') as f:
                f.write(data)
            os.chmod(path, int(image.modes[name], 8))

    def run(self, *args):
        """As the user of the image, if we may become somebody else. A container's home is / without /etc/passwd."""
        user = ['--setgid=' + NOBODY, '--setuid=' + NOBODY] if os.getuid() == 0 else []
        config = self.image.config['config']
        argv = [*self.root.change_root, *user, '--wd=' + config['WorkingDir'], *config['Entrypoint'], *args]
        return archives.run(*argv, env=dict(word.split('=', 1) for word in [*config['Env'], 'HOME=/']))


def check_runs(check, cl, container, config):
    words = comment_line('docker run')
    mounted = [words[i + 1].split(':')[1:] for i, word in enumerate(words) if word == '-v']
    check.equal('what is mounted', mounted, [['/.kube/config', 'ro'], ['/work', 'ro']])
    explain = words[words.index('kubectl-smp') + 1:]
    namespace = cl.new_namespace('image')
    config['contexts'][0]['context']['namespace'] = namespace
    container.root.write('work/manifests/web.yaml', MANIFEST)
    authority = config['clusters'][0]['cluster'].pop('certificate-authority-data')

    container.root.write('.kube/config', json.dumps(config))
    check.says('without certificates of authorities', container.run(*explain), 2, err=[
        'certificate signed by unknown authority', 'this machine has no certificate authorities in $SSL_CERT_FILE, /' + BUNDLE])
    container.root.write(BUNDLE, archives.run('sh', '-c', 'echo "$0" | base64 -d', authority).stdout)
    check.says('with the bundle that the comment mounts', container.run(*explain), 1, out=['ConfigMap %s/web: will be created' % namespace], err='')
    container.root.write(BUNDLE, None)

    config['clusters'][0]['cluster']['certificate-authority-data'] = authority
    container.root.write('.kube/config', json.dumps(config))
    check.says('with the authority of the kubeconfig', container.run(*explain), 1, out=['ConfigMap %s/web: will be created' % namespace], err='')
    check.says('apply', container.run('apply', '-f', 'manifests/'), 0, out='configmap/web created\n')
    check.says('and again', container.run(*explain), 0)
    if os.getuid() == 0:
        check.equal('nothing is written', sorted(os.listdir(container.root.folder)),
                    ['.kube', 'LICENSE', 'THIRD-PARTY-LICENSES', 'etc', 'kubectl-smp', 'work'])
        check.equal('nor to the home', os.listdir(os.path.join(container.root.folder, '.kube')), ['config'])


def main():
    options = archives.parse_args(__doc__, kubectl='path of kubectl', kubeconfig='administrator of the control plane',
                                  certificate='kubeconfig of a user with one')
    check = harness.Checks()
    options.tool = None
    with harness.Cluster(options) as cl:
        images = {}
        for architecture in ('amd64', 'arm64'):
            images[architecture] = build(check, cl, options, architecture)
            check_image(check, images[architecture], options, architecture)
        os.chmod(cl.dir, 0o755)
        check_runs(check, cl, Container(cl, images[archives.host_architecture()]), cl.config(options.certificate))
    return check.finish()


if __name__ == '__main__':
    sys.exit(main())
