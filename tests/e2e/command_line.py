#!/usr/bin/env python3
"""The same command lines given to kubectl apply and to kubectl smp apply: flags (spf13/pflag's rules to the letter), input, and
what both say. Each row runs with --dry-run=client, unless it has a --dry-run of its own, in a folder of a few manifests.

  command_line.py --tool T --kubectl K --kubeconfig F"""
import os
import re
import shlex
import sys

import harness
from harness.checks import without_summary
from harness.manifests import config_map
from harness.proxy import JsonHandler, serve

MAP = 'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: %s\ndata:\n  k: v\n'
POD = ('apiVersion: v1\nkind: Pod\nmetadata: {name: w%s}\nspec: {containers: [{name: a, image: x%s}], '
       'nodeSelector: {beta.kubernetes.io/os: linux}}\n')
SECRET = 'apiVersion: v1\nkind: Secret\nmetadata: {name: s}\nstringData: {password: kanarienvogel-4711%s}\n'
TWICE = ', env: [{name: A, value: b}, {name: A, value: c}]'

# Same output and same exit status. A trailing comment explains a row.
SAME = r"""
-f cm.yaml
-fcm.yaml
-f=cm.yaml
--filename cm.yaml
--filename=cm.yaml
-Rf cm.yaml
-Rfcm.yaml
-Rf=cm.yaml
-R -f cm.yaml
-R=false -f cm.yaml
--recursive=TRUE -f cm.yaml
--recursive=1 --recursive=f -f cm.yaml
-f cm.yaml -f dir/b.yaml
-f cm.yaml,dir/b.yaml
-f '"cm.yaml",dir/b.yaml'
-f cm.yaml --field_manager=x                # "_" is "-"
-f cm.yaml -v=3 -v 2 --v=1 -v0
-f cm.yaml --recursive false                # a switch takes no value in the next argument
-f cm.yaml --recursive=maybe
-f cm.yaml --recursive=
-f cm.yaml -R=yes
-f cm.yaml -Rx
-f cm.yaml -RZ
-f cm.yaml -Z
-f cm.yaml -=
-f cm.yaml -R=
-f cm.yaml --
-f cm.yaml -- x
-f cm.yaml -- -R
-f cm.yaml x y
-f cm.yaml -
-f cm.yaml ---
-f cm.yaml ---x
-f cm.yaml --=x
-f cm.yaml --bogus
-f cm.yaml --bogus=1
-f cm.yaml --filen cm.yaml                  # no abbreviations
-f cm.yaml --Recursive
-f cm.yaml -v=x
-f cm.yaml -v=0x1
-f cm.yaml -v 99999999999
-f cm.yaml -v
-f cm.yaml -n
-f cm.yaml -Rn
-f cm.yaml --warnings-as-errors=maybe
-f cm.yaml --warnings-as-errors
-f cm.yaml --profile=none
-f cm.yaml --log-flush-frequency=1s
-f cm.yaml -R=yes --bogus                   # the first error counts
-f cm.yaml -h=maybe
-f cm.yaml --bogus -h
-h --bogus
-f
--filename
--filename= cm.yaml

-f ''
-f cm.yaml, 
-f 'cm.yaml,"dir/b.yaml'
-f 'a"b'
-f cm.yaml --dry-run
-f cm.yaml --dry-run=true
-f cm.yaml --dry-run=T
-f cm.yaml --dry-run=unchanged
-f cm.yaml --dry-run=server
-f cm.yaml --dry-run server                 # the bare flag and a stray argument
-f cm.yaml --dry-run=foo
-f cm.yaml --dry-run=
-f cm.yaml -o ''
-f dir
-f dir -R
-f dir/d.txt                                # by name any file
-f nested -R                                # folders come where their names sort
-f 'dir/*.y*ml'
-f 'c?.yaml,dir/b.yaml'
-f '[a-c]m.yaml'
-f 'c[.yaml'
-f 'zz*.yaml'
-f missing.yaml
-f missing.yaml -f cm.yaml                  # nothing is done
-f nowhere.yaml
-f ftp://localhost/x
-f none.yaml
-f comment.yaml
-f list.yaml
-f stream.json
-f URL/ok.yaml
-f URL/redirect
-f URL/flaky
-f - -f -
-f - -k .
-k kust
-k=kust
-k kust -R
-k kust x
""".strip('\n').split('\n')

# Same objects and same exit status, other words; the comment says why.
SAME_OBJECTS = [
    '-f withbroken',               # we name the operation
    '-f cm.yaml -f bad.yaml -f dir/b.yaml',
    '-f URL/404 -f cm.yaml',
    '-f cm.yaml --match-server-version=false',
    '-f cm.yaml -o foo',
]


class Web(JsonHandler):
    seen = []
    flaky = 0

    def do_GET(self):
        Web.seen.append(dict(self.headers))
        Web.flaky += self.path == '/flaky'
        status = {'/ok.yaml': 200, '/redirect': 302, '/flaky': 503 if Web.flaky % 3 else 200}.get(self.path, 404)
        self.send(status, (MAP % 'web').encode(), 'text/plain', **({'Location': 'ok.yaml'} if status == 302 else {}))


ONE = '{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"%s"}}'
MAPS = {'cm.yaml': 'a', 'dir/b.yaml': 'b', 'dir/a.yaml': 'a', 'dir/c.yml': 'c', 'dir/d.txt': 'd', 'dir/sub/s.yaml': 's', 'dir/U.YAML': 'u',
        'nested/m/x.yaml': 'n1', 'nested/m-x.yaml': 'n2', 'nested/m.yaml': 'n3', 'kust/cm.yaml': 'k', 'withbroken/cm.yaml': 'a', 'withbroken/z.yaml': 'z'}
FILES = {
    **{path: MAP % name for path, name in MAPS.items()},
    'kust/kustomization.yaml': 'resources: [cm.yaml]\nnamePrefix: pre-\n',
    'none.yaml': '',
    'comment.yaml': '# nothing\n---\n---\n',
    'bad.yaml': 'a: [\n',
    'half.yaml': MAP % 'h1' + '---\na: [\n---\n' + MAP % 'h2',
    'stream.json': ONE % 'j1' + '\n' + ONE % 'j2',
    'nested-list.json': '{"apiVersion":"v1","kind":"List","items":[{"apiVersion":"v1","kind":"List","items":[%s]},%s]}' % (ONE % 'j3', ONE % 'j4'),
    'list.yaml': 'apiVersion: v1\nkind: ConfigMapList\nitems:\n- {apiVersion: v1, kind: ConfigMap, metadata: {name: l}}\n',
    'warn.yaml': POD % ('1', ''),
    'warn2.yaml': POD % ('2', TWICE),
    'secret.yaml': SECRET % '',
}
LINKS = {'nowhere.yaml': 'nowhere', 'withbroken/x.yaml': 'nowhere', 'link': 'dir'}


def comparable(text):
    """What both programs should print alike."""
    text = without_summary(text).replace('kubectl smp', 'kubectl')
    text = re.sub(r'^[WE]\d{4} .*?\] ', 'Warning: ', text, flags=re.M)
    text = re.sub(r'^Did you mean --.*\n', '', text, flags=re.M)
    return text.strip()


class CommandLine:
    def __init__(self, cl, check):
        self.cl, self.check, self.web = cl, check, 'http://127.0.0.1:%d' % serve(Web).server_port
        for path, text in FILES.items():
            cl.write(path, text)
        for path, target in LINKS.items():
            os.symlink(target, cl.path(path))
        os.makedirs(cl.path('empty'))
        self.env = {'KUBECTL_PATH': cl.kubectl_path, 'KUBECONFIG': cl.as_user(cl.new_namespace('command-line'))['KUBECONFIG']}

    def run(self, program, *args, stdin='', **env):
        return self.cl.run(program, *args, stdin=stdin, **{**self.env, **env})

    def smp(self, *args, **kwargs):
        return self.run(self.cl.tool, *args, **kwargs)

    def both(self, row):
        args = shlex.split(row.split(' # ')[0].replace('URL', self.web))
        if not any(arg.startswith('--dry-run') for arg in args):
            args = ['--dry-run=client', *args]
        results = []
        for program in (self.cl.kubectl_path, self.cl.tool):
            Web.flaky = 0
            results.append(self.run(program, 'apply', *args))
        return results

    def expect(self, name, done, status, *parts, absent=()):
        self.check.says(name, done, status, has=parts, lacks=absent)


def same_words(t):
    for row in SAME:
        kubectl, smp = ((done.returncode, done.stdout, comparable(done.stderr)) for done in t.both(row))
        t.check.equal('apply ' + row, smp, kubectl)


def same_objects(t):
    for row in SAME_OBJECTS:
        kubectl, smp = ((done.returncode, done.stdout, bool(without_summary(done.stderr))) for done in t.both(row))
        t.check.equal('apply ' + row, smp, kubectl)


def global_flags(t):
    namespace = ['-n', 'default']
    for args in ([*namespace, 'apply', '-f', 'cm.yaml'], ['apply', *namespace, '-f', 'cm.yaml'], ['apply', '-f', 'cm.yaml', *namespace],
                 ['-f', 'cm.yaml', 'apply', '-ndefault'], ['--namespace=default', '--v', '0', 'apply', '-f', 'cm.yaml']):
        t.expect(' '.join(args), t.smp(*args, '--dry-run=client'), 0, 'configmap/a ')
    t.expect('flags before the command are read', t.smp('--context', 'nope', 'apply', '-f', 'cm.yaml'), 1, 'nope')
    t.expect('unknown flag before the command', t.smp('--bogus'), 1, "unknown flag: --bogus\nSee 'kubectl smp --help' for usage.")
    t.expect('every command has the global flags', t.smp('version', '--client', '-n', 'x', '--context', 'y'), 0, 'Client Version')
    t.expect('--match-server-version', t.smp('apply', '-f', 'cm.yaml', '--match-server-version'), 1, '--match-server-version is not supported')
    t.expect('--profile=cpu', t.smp('apply', '-f', 'cm.yaml', '--profile=cpu'), 1, '--profile=cpu is not supported')


def warnings(t):
    for program in (t.cl.kubectl_path, t.cl.tool):
        for files, status, message in ((['warn.yaml'], 1, 'error: 1 warning received\n'),
                                       (['warn.yaml', 'warn2.yaml'], 1, 'error: 2 warnings received\n'),
                                       (['cm.yaml'], 0, '')):
            args = ['apply', '--warnings-as-errors', '--dry-run=server', '-f', ','.join(files)]
            done = t.run(program, *args)
            t.expect('%s %s' % (os.path.basename(program), ' '.join(args)), done, status, message, '(server dry run)')
    unknown = [{**config_map(name, a='1'), 'unknown': 1} for name in ('one', 'two')]
    several = t.smp('apply', '-f', t.cl.write('several.json', unknown), '--dry-run=server', '--validate=warn')
    t.check.says('warnings of several objects have their names', several, err='Warning: configmap/one, configmap/two: unknown field "unknown"\n')
    single = t.smp('apply', '-f', t.cl.write('single.json', unknown[0]), '--dry-run=server', '--validate=warn')
    t.check.says('of a single object, not', single, err='Warning: unknown field "unknown"\n')
    as_kubectl = t.smp('apply', '-f', 'several.json', '--dry-run=server', '--validate=warn', '--compat=kubectl')
    t.check.says('nor as kubectl', as_kubectl, err='Warning: unknown field "unknown"\n')
    t.expect('warnings without the flag', t.smp('apply', '-f', 'warn.yaml', '--dry-run=server'), 0, absent=['received'])
    done = t.smp('apply', '-f', 'warn.yaml', '-f', 'bad.yaml', '--dry-run=server', '--warnings-as-errors')
    t.expect('a failure keeps its own message', done, 1, 'error: bad.yaml:', absent=['received'])


def kustomize(t):
    t.expect('KUBECTL_PATH names the kubectl', t.smp('apply', '-k', 'kust', '--dry-run=client', PATH='/nonexistent'), 0, 'configmap/pre-k')
    bin_dir = os.path.dirname(t.cl.kubectl_path)
    t.expect('else that of the PATH', t.smp('apply', '-k', 'kust', '--dry-run=client', PATH=bin_dir, KUBECTL_PATH=''), 0, 'configmap/pre-k')
    t.expect('or none', t.smp('apply', '-k', 'kust', PATH='/nonexistent', KUBECTL_PATH=''), 1, 'error: -k needs kubectl', 'KUBECTL_PATH')
    t.expect('a wrong KUBECTL_PATH', t.smp('apply', '-k', 'kust', KUBECTL_PATH='/nonexistent'), 1, 'error: -k needs kubectl', '/nonexistent')
    t.expect('what kubectl complains of is shown', t.smp('apply', '-k', 'empty'), 1, "unable to find one of 'kustomization.yaml'")
    t.expect('a folder that looks like a flag is none', t.smp('apply', '-k', '--help'), 1, "not a valid directory: evalsymlink failure on '--help'")
    done = t.smp('explain-diff', '-k', 'kust')
    t.expect('explain-diff -k', done, 1, 'pre-k')


def files(t):
    t.expect('a link to a folder is that folder', t.smp('apply', '-f', 'link', '--dry-run=client'), 0, 'configmap/a', 'configmap/c')
    # kubectl reads no further in a file, and knows no lists of lists.
    t.expect('a bad document hides no other', t.smp('apply', '-f', 'half.yaml', '--dry-run=client'), 1, 'configmap/h1', 'configmap/h2',
             'error: half.yaml:')
    t.expect('lists of lists', t.smp('apply', '-f', 'nested-list.json', '--dry-run=client'), 0, 'configmap/j3', 'configmap/j4')
    t.expect('an empty folder', t.smp('apply', '-f', 'empty', '-f', 'cm.yaml'), 1,
             'error: error reading [empty]: recognized file extensions are [.json .yaml .yml]', absent=['configmap'])
    t.expect('standard input', t.smp('apply', '-f', '-', '--dry-run=client', stdin=MAP % 'in'), 0, 'configmap/in')
    t.expect('standard input has a name', t.smp('apply', '-f', '-', stdin='a: b\n'), 1, 'error: STDIN:1: ')
    t.expect('lines of URLs', t.smp('apply', '-f', t.web + '/404'), 1, 'server reported status code=404')
    t.smp('apply', '-f', t.web + '/ok.yaml', '--dry-run=client', '--token=geheimestoken')
    t.check.true('no credentials are sent to a stranger', 'Authorization' not in Web.seen[-1], Web.seen[-1])


def logs(t):
    def log(level, *args, dry_run='--dry-run=server'):
        return t.smp('apply', *args, '-v=%d' % level, dry_run)
    t.expect('-v=5', log(5, '-f', 'cm.yaml'), 0, absent=['verb='])
    t.expect('-v=6', log(6, '-f', 'cm.yaml'), 0, '"Response" verb="GET" url="https://', 'status="404 Not Found" milliseconds=',
             '"Response" verb="POST" url="https://', absent=['headers=', 'body='])
    t.expect('-v=7', log(7, '-f', 'cm.yaml'), 0, '\tAuthorization: Bearer <masked>\n', '\tUser-Agent: kubectl-smp/', absent=['body='])
    t.expect('-v=8', log(8, '-f', 'cm.yaml'), 0, '"Request Body" body="{\\"apiVersion\\":\\"v1\\"', '"Response Body" body=',
             ' chars]', '\tAudit-Id: ', absent=['curl -v'])
    t.expect('-v=9', log(9, '-f', 'cm.yaml'), 0, "curl -v -XPOST -H 'Accept: application/json' -H 'Authorization: Bearer <masked>'")
    token = t.cl.config()['users'][0]['user'].get('token')
    password = ['kanarienvogel-4711', 'a2FuYXJpZW52b2dlbC00NzEx']
    for dry_run in ('--dry-run=server', '--dry-run=none', '--dry-run=none'):  # created, then read and unchanged
        done = log(10, '-f', 'secret.yaml', dry_run=dry_run)
        t.expect('-v=10 shows no secret', done, 0, 'Response Body', absent=[*password, *([token] if token else [])])
    t.cl.write('secret.yaml', SECRET % ', b: c')
    t.expect('-v=10 shows no secret of a patch', log(10, '-f', 'secret.yaml', dry_run='--dry-run=none'), 0, '-XPATCH', absent=password)


if __name__ == '__main__':
    sys.exit(harness.run(__doc__, same_words, same_objects, global_flags, warnings, kustomize, files, logs, fixture=CommandLine))
