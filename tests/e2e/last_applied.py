#!/usr/bin/env python3
"""last-applied view, set, edit and forget, beside kubectl's apply view-last-applied, set-last-applied and edit-last-applied on the same
objects; what completion offers for them; and what forget is for: the next apply leaves the field to others.

  last_applied.py --tool T --kubectl K --kubeconfig F"""
import json
import os
import sys

import cluster

LAST_APPLIED = 'kubectl.kubernetes.io/last-applied-configuration'
DEPLOYMENT = '''apiVersion: apps/v1
kind: Deployment
metadata: {name: web, labels: {app: web}}
spec:
  replicas: 2
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec:
      containers:
      - {name: app, image: "nginx:1.27", env: [{name: A, value: "<&>"}]}
'''
MAP = 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: cfg, labels: {app: web}}\ndata: {a: "1"}\n'
SECRET = 'apiVersion: v1\nkind: Secret\nmetadata: {name: key}\nstringData: {password: hunter2-hunter2}\n'


class Test:
    def __init__(self, cl, check):
        self.cl, self.check = cl, check
        self.ns = cl.new_namespace('last-applied')
        self.all = cl.write('all.yaml', DEPLOYMENT + '---\n' + MAP)
        self.cl.must(self.smp('apply', '-f', self.all))

    def smp(self, *args, **kwargs):
        return self.cl.smp(*args, '-n', self.ns, **kwargs)

    def kubectl(self, *args, **kwargs):
        return self.cl.kubectl(*args, '-n', self.ns, **kwargs)

    def record(self, what='deploy/web'):
        return json.loads(self.cl.get(what, '-n', self.ns)['metadata']['annotations'][LAST_APPLIED])

    def expect(self, name, got, wanted):
        self.check(name, '' if got == wanted else 'wanted %r\ngot    %r' % (wanted, got))

    def has(self, name, done, status, *texts):
        said = done.stdout + done.stderr
        bad = done.returncode != status or any(text not in said for text in texts)
        self.check(name, 'exit %d\n%s' % (done.returncode, said) if bad else '')

    def editor(self, script):
        path = os.path.join(self.cl.dir, self.cl.write('editor', '#!/bin/sh\n' + script))
        os.chmod(path, 0o700)
        return {'KUBE_EDITOR': path, 'TMPDIR': self.tmp()}

    def tmp(self):
        path = os.path.join(self.cl.dir, 'tmp')
        os.makedirs(path, exist_ok=True)
        return path


def view(t):
    for args in (['deploy/web'], ['deploy', 'web'], ['Deployment', 'web'], ['deployments.v1.apps/web'], ['-f', t.all],
                 ['deploy/web', 'cm/cfg'], ['deploy', '-l', 'app=web']):
        ours, theirs = t.smp('last-applied', 'view', *args), t.kubectl('apply', 'view-last-applied', *args)
        t.expect('view %s: as kubectl, but for separators' % args, ours.stdout.replace('---\n', ''), theirs.stdout)
        ours, theirs = (t.smp('last-applied', 'view', *args, '-o', 'json'), t.kubectl('apply', 'view-last-applied', *args, '-o', 'json'))
        t.expect('view %s: as kubectl in JSON' % args, (ours.returncode, ours.stdout), (theirs.returncode, theirs.stdout))
    for args in (['deploy/none'], ['none/web'], ['deploy/web/x'], ['deploy', 'deploy/web', '-o', 'xml'], [], ['deploy', 'web', '-l', 'a=b'],
                 ['deploy', '--all', '-l', 'a=b'], ['-f', t.all, 'deploy/web'], ['-f', 'none.yaml'], ['deploy/web', '--all']):
        ours, theirs = t.smp('last-applied', 'view', *args), t.kubectl('apply', 'view-last-applied', *args)
        t.expect('view %s: fails as kubectl does' % args, (ours.returncode, ours.stdout), (theirs.returncode, theirs.stdout))
    t.has('an unknown type in kubectl\'s words', t.smp('last-applied', 'view', 'none/web'), 1,
          'the server doesn\'t have a resource type "none"')
    t.expect('view by template', t.smp('last-applied', 'view', 'deploy/web', '-o', 'jsonpath={.spec.replicas}').stdout, '2')
    t.cl.must(t.kubectl('create', 'configmap', 'bare', '--from-literal=a=b'))
    t.has('no record', t.smp('last-applied', 'view', 'cm/bare'), 1, 'no last-applied-configuration annotation found on resource: bare')
    t.has('no record of one that was not named', t.smp('last-applied', 'view', 'cm'), 0)


def set_(t):
    t.expect('set without a change', t.smp('last-applied', 'set', '-f', t.all).stdout,
             'set-last-applied web: no changes required.\nset-last-applied cfg: no changes required.\n')
    changed = t.cl.write('changed.yaml', DEPLOYMENT.replace('replicas: 2', 'replicas: 3'))
    for how, suffix in (('client', ' (dry run)'), ('server', ' (server dry run)')):
        t.expect('set --dry-run=' + how, t.smp('last-applied', 'set', '-f', changed, '--dry-run=' + how).stdout,
                 'deployment.apps/web configured%s\n' % suffix)
        t.expect('nothing is stored', t.record()['spec']['replicas'], 2)
    t.expect('set', t.smp('last-applied', 'set', '-f', changed).stdout, 'deployment.apps/web configured\n')
    ours = t.record()
    t.expect('live is left alone', t.cl.get('deploy/web', '-n', t.ns)['spec']['replicas'], 2)
    t.cl.must(t.smp('last-applied', 'set', '-f', t.all))
    t.cl.must(t.kubectl('apply', 'set-last-applied', '-f', changed))
    theirs = t.record()
    ours['metadata'].pop('annotations')
    t.expect('set records what kubectl records', ours, theirs)
    t.expect('which is no change to us', t.smp('last-applied', 'set', '-f', changed).stdout, 'set-last-applied web: no changes required.\n')
    t.cl.must(t.smp('last-applied', 'set', '-f', t.all, '-o', 'name'))
    t.expect('apply takes it for its own', t.kubectl('apply', '-f', t.all).stdout, 'deployment.apps/web unchanged\nconfigmap/cfg unchanged\n')
    bare = t.cl.write('bare.yaml', 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: bare}\n')
    t.has('set where there is none', t.smp('last-applied', 'set', '-f', bare), 1, 'run the command with --create-annotation')
    t.has('set --create-annotation', t.smp('last-applied', 'set', '-f', bare, '--create-annotation'), 0, 'configmap/bare configured')
    t.has('set of nothing', t.smp('last-applied', 'set'), 1, 'must specify one of -f and -k')
    missing = t.cl.write('missing.yaml', MAP.replace('cfg', 'missing'))
    t.has('set of what is not there', t.smp('last-applied', 'set', '-f', missing), 1, 'Error from server (NotFound)')


def edit(t):
    env = t.editor('grep -q "^# Please edit the .last-applied-configuration. annotations" "$1" && sed -i s/1.27/1.28/ "$1"\n'
                   'stat -c %a "$1" "$(dirname "$1")" > "$(dirname "$0")/modes"\n')
    t.has('edit', t.smp('last-applied', 'edit', 'deploy/web', **env), 0, 'deployment.apps/web edited')
    t.expect('the record has it', t.record()['spec']['template']['spec']['containers'][0]['image'], 'nginx:1.28')
    with open(os.path.join(t.cl.dir, 'modes'), encoding='utf-8') as f:
        t.expect('nobody else can read it', f.read().split(), ['600', '700'])
    t.expect('nothing is left behind', os.listdir(t.tmp()), [])
    t.has('edit several', t.smp('last-applied', 'edit', 'deploy,cm', '-l', 'app=web', **env), 0, 'Edit cancelled, no changes made.')
    several = t.editor('sed -i s/1.28/1.29/ "$1"')
    t.expect('of which one is edited', t.smp('last-applied', 'edit', 'deploy/web', 'cm/cfg', **several).stdout,
             'deployment.apps/web edited\nconfigmap/cfg skipped\n')
    as_json = t.editor('case $1 in *.json) sed -i s/1.29/1.30/ "$1";; esac')
    t.has('edit JSON', t.smp('last-applied', 'edit', '-f', t.all, '-o', 'json', **as_json), 0, '"nginx:1.30"')
    t.has('an empty file', t.smp('last-applied', 'edit', 'cm/cfg', **t.editor(': > "$1"')), 0, 'Edit cancelled, saved file was empty.')
    broken = t.editor('grep -q "had a syntax error" "$1" || sed -i "s/kind: /kind: [/" "$1"')
    done = t.smp('last-applied', 'edit', 'cm/cfg', **broken)
    t.has('a broken file', done, 1, 'Edit cancelled, no valid changes were saved.', 'A copy of your changes has been stored to')
    kept = os.listdir(t.tmp())
    t.expect('is kept', len(kept), 1)
    renamed = t.smp('last-applied', 'edit', 'cm/cfg', **t.editor('sed -i "s/name: cfg/name: other/" "$1"'))
    t.has('another name', renamed, 1, 'no original object found for ConfigMap "other"')
    t.has('an editor that fails', t.smp('last-applied', 'edit', 'cm/cfg', **t.editor('exit 3')), 1, 'there was a problem with the editor')
    t.has('no editor', t.smp('last-applied', 'edit', 'cm/cfg', KUBE_EDITOR='', EDITOR='no-such-editor'), 1, 'unable to launch the editor')
    meanwhile = t.editor('sed -i \'s/a: "1"/a: "2"/\' "$1"; %s --kubeconfig %s -n %s apply set-last-applied -f %s >/dev/null'
                         % (t.cl.kubectl_path, t.cl.kubeconfig, t.ns, os.path.join(t.cl.dir, t.cl.write('m.yaml', MAP.replace('"1"', '"9"')))))
    t.has('somebody else was faster', t.smp('last-applied', 'edit', 'cm/cfg', **meanwhile), 1, 'changed by somebody else meanwhile')
    t.expect('and stays', t.record('cm/cfg')['data'], {'a': '9'})
    label = t.editor('sed -i \'s/a: "9"/a: "3"/\' "$1"; %s --kubeconfig %s -n %s label cm/cfg touched=yes >/dev/null'
                     % (t.cl.kubectl_path, t.cl.kubeconfig, t.ns))
    t.has('another field changed meanwhile', t.smp('last-applied', 'edit', 'cm/cfg', **label), 0, 'configmap/cfg edited')
    t.has('nothing to edit', t.smp('last-applied', 'edit', 'serviceaccounts', '--all'), 1, 'last-applied set --create-annotation')


def forget(t):
    t.cl.must(t.smp('apply', '-f', t.all))
    t.cl.must(t.kubectl('scale', 'deploy/web', '--replicas=7'))
    without = t.cl.write('without.yaml', DEPLOYMENT.replace('  replicas: 2\n', ''))
    t.has('a dry run', t.smp('last-applied', 'forget', 'spec.replicas', 'deploy/web', '--dry-run=server'), 0,
          'deployment.apps/web: forgot spec.replicas (2) (server dry run)\n')
    t.expect('stores nothing', t.record()['spec']['replicas'], 2)
    t.has('forget warns of the manifest', t.smp('last-applied', 'forget', 'spec.replicas', '-f', t.all, '--dry-run=client'), 0,
          'all.yaml:1: deployment.apps/web: spec.replicas: the manifest still has this field', 'configmap/cfg unchanged')
    t.expect('forget', t.smp('last-applied', 'forget', 'spec.replicas', 'deploy/web').stdout, 'deployment.apps/web: forgot spec.replicas (2)\n')
    t.expect('once', t.smp('last-applied', 'forget', 'spec.replicas', 'deploy/web').stdout,
             'deployment.apps/web unchanged: its record has no spec.replicas\n')
    t.cl.must(t.smp('apply', '-f', without))
    t.expect('apply leaves it alone', t.cl.get('deploy/web', '-n', t.ns)['spec']['replicas'], 7)
    t.cl.must(t.kubectl('apply', '-f', without))
    t.expect('kubectl, too', t.cl.get('deploy/web', '-n', t.ns)['spec']['replicas'], 7)
    done = t.smp('last-applied', 'forget', 'spec.template.spec.containers[*].env[name=A]', 'deploy', '-l', 'app=web')
    t.has('an item of a list', done, 0, 'forgot spec.template.spec.containers[name=app].env[name=A]')
    t.expect('and the list with it', 'env' in t.record()['spec']['template']['spec']['containers'][0], False)
    t.has('what names the object', t.smp('last-applied', 'forget', 'metadata.name', 'deploy/web'), 1, 'cannot be forgotten')
    t.has('no path', t.smp('last-applied', 'forget'), 1, 'the path of a field is needed')
    t.has('no object', t.smp('last-applied', 'forget', 'spec.replicas'), 1, 'You must provide one or more resources')
    t.has('a type is no object', t.smp('last-applied', 'forget', 'spec.replicas', 'deploy'), 1, 'no name was specified')
    t.cl.must(t.smp('apply', '-f', t.cl.write('secret.yaml', SECRET)))
    done = t.smp('last-applied', 'forget', 'stringData.password', 'secret/key')
    t.expect('nothing of a Secret is said', done.stdout + done.stderr, 'secret/key: forgot stringData.password\n')


def completion(t):
    def offered(*words):
        done = t.cl.run(t.cl.tool, '__complete', '--kubeconfig', t.cl.kubeconfig, '-n', t.ns, *words)
        return done.stdout.split('\n')
    for words, wanted in ((['last-applied', 'view', 'deploy'], 'deployments.apps'), (['last-applied', 'view', 'deploy', ''], 'web'),
                          (['last-applied', 'edit', 'deploy/'], 'deploy/web'), (['last-applied', 'forget', 'spec', 'cm', 'cf'], 'cfg'),
                          (['last-applied', 'view', 'namespaces', t.ns[:-1]], t.ns), (['last-applied', ''], 'view\tprint what apply recorded of objects')):
        t.check('%s offers %s' % (words, wanted), '' if wanted in offered(*words) else str(offered(*words)[:20]))


def main():
    options = cluster.parse_args(__doc__)
    check = cluster.Checks()
    with cluster.Cluster(options) as cl:
        test = Test(cl, check)
        for part in (view, set_, edit, forget, completion):
            try:
                part(test)
            except AssertionError as error:
                check(part.__name__, str(error))
    return check.finish()


if __name__ == '__main__':
    sys.exit(main())
