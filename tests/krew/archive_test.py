#!/usr/bin/env python3
"""A release archive holds what it should, and its program works where there is nothing but the program: in an empty root, under
every layout of nsswitch.conf, against a real API server with TLS and a client certificate. kubectl completes its command line where
the archive was unpacked on the PATH. What is not for this machine's processor runs under qemu."""
import json
import os
import re
import shutil
import stat
import struct
import sys
import tarfile
import time
import urllib.parse

import archives
import harness

TRIPLETS = {'amd64': 'x86_64-linux-gnu', 'arm64': 'aarch64-linux-gnu'}
ELF_MACHINE = {'amd64': 62, 'arm64': 183}
PT_DYNAMIC, PT_INTERP, PT_GNU_STACK, PT_GNU_RELRO = 2, 3, 0x6474e551, 0x6474e552
ET_DYN, PF_X, PF_W = 3, 1, 2
DT_FLAGS_1, DF_1_NOW, DF_1_PIE = 0x6ffffffb, 1, 0x08000000
# Machine code of amd64: load a stack canary, mark the target of an indirect jump (CET). The program has more of both than the libraries
# that are linked into it.
CANARY, MARK = b'\x64\x48\x8b\x04\x25\x28\0\0\0', b'\xf3\x0f\x1e\xfa'
LEAST = {CANARY: 1000, MARK: 10000}
MAX_BYTES = 10_000_000
NSS_MODULES = ('files', 'dns', 'myhostname', 'mymachines', 'resolve')
NSSWITCH = {'no nsswitch.conf': None, 'files dns': 'hosts: files dns\n', 'myhostname first': 'hosts: myhostname files dns\n',
            'systemd': 'passwd: files systemd\nhosts: mymachines resolve [!UNAVAIL=return] files myhostname dns\n'}
TRAPPED = 86  # trap.c

MANIFEST = '''apiVersion: v1
kind: ConfigMap
metadata: {name: web}
data: {a: "%(value)s"}
---
apiVersion: apps/v1
kind: Deployment
metadata: {name: web}
spec:
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec:
      containers:
      - {name: app, image: "nginx:%(value)s", ports: [{containerPort: 53, protocol: TCP}, {containerPort: 53, protocol: UDP}]}
'''


def check_contents(check, tar):
    members = {m.name: m for m in tar.getmembers()}
    want = {'LICENSE': 0o644, 'README.md': 0o644, 'THIRD-PARTY-LICENSES': 0o644, 'kubectl-smp': 0o755,
            'kubectl_complete-smp': 0o755, 'man': 0o755, 'man/man1': 0o755}
    want.update({'man/man1/' + page: 0o644 for page in archives.MAN_PAGES})
    modes = {name: stat.S_IMODE(m.mode) for name, m in members.items()}
    check('files and modes', '' if modes == want else modes)
    check('nobody owns the files', [m.name for m in members.values() if (m.uid, m.gid, m.uname, m.gname) != (0, 0, '', '')])
    check('one time', '' if len({m.mtime for m in members.values()}) == 1 else 'several')
    check('order of names', '' if list(members) == sorted(members) else list(members))
    third = tar.extractfile('THIRD-PARTY-LICENSES').read().decode()
    for name, licence in (('openssl', 'Apache'), ('curl', 'SSL-LIB|curl'), ('libnghttp2-dev', 'Expat|MIT'),
                          ('libc-ares-dev', 'Massachusetts'), ('zlib1g-dev', 'Mark Adler'),
                          ('libboost-program-options1.74-dev', archives.BOOST_LICENCE), ('rapidjson-dev', 'Milo Yip'),
                          ('libc6-dev', 'GNU C Library'), (r'libstdc\+\+-12-dev', 'RUNTIME LIBRARY EXCEPTION')):
        found = re.search(r'^  %s\S* \d' % name, third, re.M) and re.search(licence, third, re.I | re.S)
        check('licence of ' + name, '' if found else 'not in THIRD-PARTY-LICENSES')


def check_man_pages(check, tar):
    page = tar.extractfile('man/man1/kubectl-smp-apply.1').read().decode()
    check('manual pages are of this version', '' if 'kubectl\\-smp ' + archives.version() in page else page[:200])


def check_completion(check, cl, unpacked, options):
    """As README has it: the archive's folder is on the PATH, and that is all."""
    bin_folder = os.path.join(cl.dir, 'kubectl-bin')
    os.mkdir(bin_folder)
    os.symlink(options.kubectl, os.path.join(bin_folder, 'kubectl'))
    if options.architecture != archives.host_architecture():
        real = os.path.join(cl.dir, 'emulated')
        program = os.path.join(unpacked, 'kubectl-smp')
        os.rename(program, real)
        with open(program, 'w', encoding='utf-8') as f:
            f.write('#!/bin/sh\nexec %s %s "$@"\n' % (shutil.which(archives.QEMU[options.architecture]), real))
        os.chmod(program, 0o755)
    namespace = cl.new_namespace('completed')
    env = {'HOME': cl.dir, 'PATH': unpacked + ':' + bin_folder, 'KUBECONFIG': options.certificate, 'KUBECTL_KUBERC': 'false'}
    rows = [(['exp'], 'explain-diff\tshow what apply would change, and why, field by field\n:4\n'),
            (['apply', '--dry-run=s'], 'server\n:4\n')]
    if options.architecture == archives.host_architecture():  # qemu takes longer to connect than completion waits for a cluster
        rows.append((['apply', '-n', namespace[:-2]], namespace + '\n:4\n'))
    for typed, wanted in rows:
        result = archives.run(os.path.join(bin_folder, 'kubectl'), '__complete', 'smp', *typed, env=env, cwd=cl.dir)
        check('completes ' + ' '.join(typed), '' if (result.returncode, result.stdout) == (0, wanted) else harness.said(result))


def segments_of(data):
    """Flags, offset and size of each segment, in lists by type."""
    start, size, count = struct.unpack_from('<Q', data, 32)[0], *struct.unpack_from('<HH', data, 54)
    out = {}
    for i in range(count):
        kind, flags, offset, _, _, length = struct.unpack_from('<IIQQQQ', data, start + i * size)
        out.setdefault(kind, []).append((flags, offset, length))
    return out


def dynamic_flags(data, segments):
    """DT_FLAGS_1."""
    for _, offset, length in segments.get(PT_DYNAMIC, []):
        for tag, value in struct.iter_unpack('<qQ', data[offset:offset + length]):
            if tag == DT_FLAGS_1:
                return value
    return 0


def check_hardening(check, data, segments, architecture):
    """What makes an error in memory harder to exploit."""
    flags, kind = dynamic_flags(data, segments), struct.unpack_from('<H', data, 16)[0]
    check('PIE', '' if kind == ET_DYN and flags & DF_1_PIE else 'type %d, flags %x' % (kind, flags))
    check('full RELRO', '' if PT_GNU_RELRO in segments and flags & DF_1_NOW else 'flags %x' % flags)
    stack = segments.get(PT_GNU_STACK, [(PF_X,)])[0][0]
    check('stack that cannot be executed', 'it can' if stack & PF_X else '')
    both = [row for rows in segments.values() for row in rows if row[0] & PF_W and row[0] & PF_X]
    check('nothing is both writable and executable', both)
    for name, text in (('stack protector', b'stack smashing detected'), ('FORTIFY', b'buffer overflow detected')):
        check(name, '' if text in data else 'the program has no %r' % text)
    for code, least in LEAST.items() if architecture == 'amd64' else ():
        check('machine code ' + code.hex(), '' if data.count(code) >= least else '%d times' % data.count(code))


def check_program(check, path, architecture):
    with open(path, 'rb') as f:
        data = f.read()
    machine, = struct.unpack_from('<H', data, 18)
    check('processor', '' if machine == ELF_MACHINE[architecture] else machine)
    segments = segments_of(data)
    check('static', 'wants a loader' if PT_INTERP in segments else '')
    check('size', '' if len(data) <= MAX_BYTES else '%d bytes' % len(data))
    check_hardening(check, data, segments, architecture)
    check('no path of the build', 'holds ' + archives.SOURCE if archives.SOURCE.encode() in data else '')


def check_version(check, root):
    result = root.run('version', '--client')
    check('version in an empty root',
          '' if result.stdout.split()[:3] == ['Client', 'Version:', archives.version()] else harness.said(result))
    started = time.monotonic()
    for _ in range(20):
        root.run('version', '--client')
    print('version takes %.1f ms, with unshare' % ((time.monotonic() - started) * 50))


def kubeconfig(config, host):
    config = json.loads(json.dumps(config))
    port = urllib.parse.urlparse(config['clusters'][0]['cluster']['server']).port
    config['clusters'][0]['cluster'].update({'server': 'https://%s:%d' % (host, port), 'tls-server-name': '127.0.0.1'})
    return json.dumps(config)


def check_apply(check, cl, root, config):
    namespace = cl.new_namespace('release')
    root.write('kubeconfig', kubeconfig(config, '127.0.0.1'))
    smp = lambda *args: root.run(*args, '-f', '/web.yaml', '--kubeconfig', '/kubeconfig', '-n', namespace)

    def expect(name, result, status, *needles):
        check.says(name, result, status, out=list(needles))

    root.write('web.yaml', MANIFEST % {'value': '1'})
    expect('explain-diff before', smp('explain-diff'), 1, '2 to create')
    expect('apply creates', smp('apply'), 0, 'configmap/web created', 'deployment.apps/web created')
    expect('explain-diff after', smp('explain-diff'), 0)
    root.write('web.yaml', MANIFEST % {'value': '2'})
    expect('explain-diff of a change', smp('explain-diff'), 1, 'spec.template.spec.containers[name=app].image', 'nginx:1 → nginx:2')
    expect('apply changes', smp('apply'), 0, 'configmap/web configured', 'deployment.apps/web configured')
    expect('apply again', smp('apply'), 0, 'configmap/web unchanged', 'deployment.apps/web unchanged')
    live = cl.get('deployment', 'web', '-n', namespace)['spec']['template']['spec']['containers'][0]
    check('live object', '' if live['image'] == 'nginx:2' and len(live['ports']) == 2 else live)


def check_openssl_config(check, cl, root, config):
    """Machines with FIPS name modules in openssl.cnf that a static program cannot load."""
    namespace = cl.new_namespace('openssl')
    root.write('usr/lib/ssl/openssl.cnf', 'openssl_conf = all\n[all]\nproviders = some\n[some]\nfips = fips\n'
               '[fips]\nmodule = /nowhere/fips.so\nactivate = 1\n')
    root.write('kubeconfig', kubeconfig(config, '127.0.0.1'))
    root.write('m.yaml', 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: web}\n')
    result = root.run('apply', '-f', '/m.yaml', '--kubeconfig', '/kubeconfig', '-n', namespace)
    check.says('openssl.cnf is ignored', result, 0, out=['configmap/web created'])
    root.write('usr/lib/ssl/openssl.cnf', None)


def compile_traps(root, architecture):
    """Puts the trap at the place of each NSS module, and the program that falls into it at /look-up."""
    compiler, source = TRIPLETS[architecture] + '-gcc', os.path.join(archives.HERE, 'trap.c')
    folder = os.path.join(root.folder, 'lib', TRIPLETS[architecture])
    os.makedirs(folder)
    for argv in ([compiler, '-O1', '-shared', '-fPIC', '-nostdlib', source, '-o', os.path.join(folder, 'trap.so')],
                 [compiler, '-O1', '-static', '-w', '-DLOOK_UP', source, '-o', os.path.join(root.folder, 'look-up')]):
        result = archives.run(*argv)
        if result.returncode != 0:
            raise AssertionError(harness.said(result))
    for module in NSS_MODULES:
        shutil.copy(os.path.join(folder, 'trap.so'), os.path.join(folder, 'libnss_%s.so.2' % module))


def check_names(check, cl, root, config, architecture):
    namespace = cl.new_namespace('names')
    compile_traps(root, architecture)
    root.write('etc/hosts', '127.0.0.1 api.test\n')
    root.write('etc/resolv.conf', 'nameserver 127.0.0.1\noptions timeout:1 attempts:1\n')
    root.write('m.yaml', 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: web}\n')
    trapped = []
    for layout, text in NSSWITCH.items():
        root.write('etc/nsswitch.conf', text)
        trapped.append(root.run(program='/look-up').returncode == TRAPPED)
        for host, status in (('api.test', 1), ('localhost', 1), ('nowhere.invalid', 2)):
            root.write('kubeconfig', kubeconfig(config, host))
            result = root.run('explain-diff', '-f', '/m.yaml', '--kubeconfig', '/kubeconfig', '-n', namespace)
            check.says('%s under %s' % (host, layout), result, status)
    check('the trap catches getaddrinfo', '' if any(trapped) else 'no NSS module was loaded: this test sees nothing')


def main():
    options = archives.parse_args(__doc__, architecture='amd64 or arm64', kubectl='path of kubectl',
                                  kubeconfig='administrator of the control plane', certificate='kubeconfig of a user with one')
    architecture = options.architecture
    check = harness.Checks()
    options.tool = None
    with harness.Cluster(options) as cl:
        with tarfile.open(os.path.join(options.archives, archives.name_of(architecture))) as tar:
            check_contents(check, tar)
            check_man_pages(check, tar)
            unpacked = os.path.join(cl.dir, 'unpacked')
            tar.extractall(unpacked)
        program = os.path.join(unpacked, 'kubectl-smp')
        check_program(check, program, architecture)
        root = archives.Root(os.path.join(cl.dir, 'root'), architecture, program)
        check_version(check, root)
        config = cl.config(options.certificate)
        check_apply(check, cl, root, config)
        check_openssl_config(check, cl, root, config)
        check_names(check, cl, root, config, architecture)
        check_completion(check, cl, unpacked, options)
    return check.finish()


if __name__ == '__main__':
    sys.exit(main())
