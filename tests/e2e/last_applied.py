#!/usr/bin/env python3
"""last-applied view, set, edit and forget, beside kubectl's apply view-last-applied, set-last-applied and edit-last-applied on the same
objects; completion for them; and the purpose of forget: the next apply leaves the field to others.

  last_applied.py --tool T --kubectl K --kubeconfig F"""
import json
import os
import shlex
import sys

import harness
from harness import Space, must, until
from harness.cluster import LAST_APPLIED
from harness.manifests import admission_policy, config_map, service, web_yaml

DEPLOYMENT = web_yaml(', env: [{name: A, value: "<&>"}]')
MAP = 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: cfg, labels: {app: web}}\ndata: {a: "1"}\n'
SECRET = 'apiVersion: v1\nkind: Secret\nmetadata: {name: key}\nstringData: {password: hunter2-hunter2}\n'
BARE = 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: bare}\n'
FILES = {
    'all.yaml': DEPLOYMENT + '---\n' + MAP, 'changed.yaml': DEPLOYMENT.replace('replicas: 2', 'replicas: 3'), 'bare.yaml': BARE,
    'missing.yaml': MAP.replace('cfg', 'missing'), 'nine.yaml': MAP.replace('"1"', '"9"'),
    'without.yaml': DEPLOYMENT.replace('  replicas: 2\n', ''), 'secret.yaml': SECRET,
}


class Records(Space):
    """A namespace with a Deployment and a ConfigMap that were applied."""

    def __init__(self, cl, check):
        super().__init__(cl, 'last-applied')
        self.check = check
        for name, text in FILES.items():
            self.write(name, text)
        os.mkdir(self.path('tmp'))
        must(self.smp('apply', '-f', 'all.yaml'))

    def ours(self, line, **env):
        return self.smp('last-applied', *shlex.split(line), **env)

    def recorded(self, target='deploy/web'):
        return json.loads(self.get(target)['metadata']['annotations'][LAST_APPLIED])

    def says(self, name, line, out, **env):
        self.check.equal(name, self.ours(line, **env).stdout, out)

    def has(self, name, line, status, *parts, **env):
        self.check.says(name, self.ours(line, **env), status, has=parts)

    def editor(self, script):
        return {'KUBE_EDITOR': self.script('editor', script), 'TMPDIR': self.path('tmp')}


def view(t):
    for args in ('deploy/web', 'deploy web', 'Deployment web', 'deployments.v1.apps/web', '-f all.yaml', 'deploy/web cm/cfg', 'deploy -l app=web'):
        theirs = t.kubectl('apply', 'view-last-applied', *args.split())
        t.check.equal('view %s: as kubectl, except separators' % args, t.ours('view ' + args).stdout.replace('---\n', ''), theirs.stdout)
        same(t, 'view %s: as kubectl in JSON' % args, args + ' -o json')
    for args in ('deploy/none', 'none/web', 'deploy/web/x', 'deploy deploy/web -o xml', '', 'deploy web -l a=b', 'deploy --all -l a=b',
                 '-f all.yaml deploy/web', '-f none.yaml', 'deploy/web --all'):
        same(t, 'view %s: fails as kubectl does' % args, args)
    t.has('an unknown type in kubectl\'s words', 'view none/web', 1, 'the server doesn\'t have a resource type "none"')
    t.says('view by template', 'view deploy/web -o jsonpath={.spec.replicas}', '2')
    must(t.kubectl('create', 'configmap', 'bare', '--from-literal=a=b'))
    t.has('no annotation', 'view cm/bare', 1, 'no last-applied-configuration annotation found on resource: bare')
    t.has('no annotation on an object that was not named', 'view cm', 0)


def same(t, name, args):
    ours, theirs = t.ours('view ' + args), t.kubectl('apply', 'view-last-applied', *args.split())
    t.check.equal(name, (ours.returncode, ours.stdout), (theirs.returncode, theirs.stdout))


def set_(t):
    t.says('set without a change', 'set -f all.yaml', 'set-last-applied web: no changes required.\nset-last-applied cfg: no changes required.\n')
    for how, suffix in (('client', ' (dry run)'), ('server', ' (server dry run)')):
        t.says('set --dry-run=' + how, 'set -f changed.yaml --dry-run=' + how, 'deployment.apps/web configured%s\n' % suffix)
        t.check.equal('nothing is stored', t.recorded()['spec']['replicas'], 2)
    t.says('set', 'set -f changed.yaml', 'deployment.apps/web configured\n')
    ours = t.recorded()
    t.check.equal('live is left alone', t.get('deploy/web')['spec']['replicas'], 2)
    must(t.ours('set -f all.yaml'))
    must(t.kubectl('apply', 'set-last-applied', '-f', 'changed.yaml'))
    ours['metadata'].pop('annotations')
    t.check.equal('set records what kubectl records', ours, t.recorded())
    t.says('which is no change to us', 'set -f changed.yaml', 'set-last-applied web: no changes required.\n')
    must(t.ours('set -f all.yaml -o name'))
    t.check.equal('kubectl apply accepts it as its own', t.kubectl('apply', '-f', 'all.yaml').stdout,
                  'deployment.apps/web unchanged\nconfigmap/cfg unchanged\n')
    t.has('set without an annotation', 'set -f bare.yaml', 1, 'run the command with --create-annotation')
    t.has('set --create-annotation', 'set -f bare.yaml --create-annotation', 0, 'configmap/bare configured')
    t.has('set without a file', 'set', 1, 'must specify one of -f and -k')
    t.has('set of a missing object', 'set -f missing.yaml', 1, 'Error from server (NotFound)')


def edit(t):
    env = t.editor('grep -q "^# Please edit the .last-applied-configuration. annotations" "$1" && sed -i s/1.27/1.28/ "$1"\n'
                   'stat -c %a "$1" "$(dirname "$1")" > "$(dirname "$0")/modes"\n')
    t.has('edit', 'edit deploy/web', 0, 'deployment.apps/web edited', **env)
    t.check.holds('the annotation has the change', t.recorded(), {'spec.template.spec.containers[0].image': 'nginx:1.28'})
    t.check.equal('nobody else can read the file', t.read('modes').split(), ['600', '700'])
    t.check.equal('no file is left', os.listdir(t.path('tmp')), [])
    t.has('edit several', 'edit deploy,cm -l app=web', 0, 'Edit cancelled, no changes made.', **env)
    t.says('of which one is edited', 'edit deploy/web cm/cfg', 'deployment.apps/web edited\nconfigmap/cfg skipped\n',
           **t.editor('sed -i s/1.28/1.29/ "$1"'))
    t.has('edit JSON', 'edit -f all.yaml -o json', 0, '"nginx:1.30"', **t.editor('case $1 in *.json) sed -i s/1.29/1.30/ "$1";; esac'))
    t.has('an empty file', 'edit cm/cfg', 0, 'Edit cancelled, saved file was empty.', **t.editor(': > "$1"'))
    t.has('a broken file', 'edit cm/cfg', 1, 'Edit cancelled, no valid changes were saved.', 'A copy of your changes has been stored to',
          **t.editor('grep -q "had a syntax error" "$1" || sed -i "s/kind: /kind: [/" "$1"'))
    t.check.equal('is kept', len(os.listdir(t.path('tmp'))), 1)
    t.has('another name', 'edit cm/cfg', 1, 'no original object found for ConfigMap "other"', **t.editor('sed -i "s/name: cfg/name: other/" "$1"'))
    files = os.listdir(t.path('tmp'))
    t.has('a signal while the editor runs', 'edit cm/cfg', 130, 'interrupted', **t.editor('kill -TERM $PPID; sleep 20'))
    t.check.equal('leaves no file', os.listdir(t.path('tmp')), files)
    t.has('an editor that fails', 'edit cm/cfg', 1, 'there was a problem with the editor', **t.editor('exit 3'))
    t.has('no editor', 'edit cm/cfg', 1, 'unable to launch the editor', KUBE_EDITOR='', EDITOR='no-such-editor')

    def meanwhile(change, *args):
        return t.editor("sed -i 's/%s/' \"$1\"; %s >/dev/null" % (change, shlex.join(t.argv('kubectl', *args))))
    t.has('somebody else was faster', 'edit cm/cfg', 1, 'changed by someone else in the meantime',
          **meanwhile('a: "1"/a: "2"', 'apply', 'set-last-applied', '-f', t.path('nine.yaml')))
    t.check.equal('and the other change stays', t.recorded('cm/cfg')['data'], {'a': '9'})
    t.has('another field changed meanwhile', 'edit cm/cfg', 0, 'configmap/cfg edited', **meanwhile('a: "9"/a: "3"', 'label', 'cm/cfg', 'touched=yes'))
    t.has('nothing to edit', 'edit serviceaccounts --all', 1, 'last-applied set --create-annotation')


def forget(t):
    must(t.smp('apply', '-f', 'all.yaml'))
    must(t.kubectl('scale', 'deploy/web', '--replicas=7'))
    t.has('a dry run', 'forget spec.replicas deploy/web --dry-run=server', 0, 'deployment.apps/web: forgot spec.replicas (2) (server dry run)\n')
    t.check.equal('stores nothing', t.recorded()['spec']['replicas'], 2)
    t.has('forget warns of the manifest', 'forget spec.replicas -f all.yaml --dry-run=client', 0,
          'all.yaml:1: deployment.apps/web: spec.replicas: the manifest still has this field', 'configmap/cfg unchanged')
    t.says('forget', 'forget spec.replicas deploy/web', 'deployment.apps/web: forgot spec.replicas (2)\n')
    t.has('once', 'forget spec.replicas deploy/web', 1, 'deployment.apps/web: its last-applied annotation has no spec.replicas')
    t.has('a path that no object has', 'forget spec.replica deploy,cm -l app=web', 1, 'no last-applied annotation of these objects has spec.replica')
    for words in ('deploy/web spec.paths', 'deploy web spec.paths', 'deploy -l app=web spec.paths', 'spec.paths deploy web', 'spec.paths deploy -l app=web'):
        t.has('either order: ' + words, 'forget ' + words, 1, ' has no spec.paths')
    must(t.smp('apply', '-f', 'all.yaml'))
    t.says('the path last', 'forget deploy/web spec.replicas', 'deployment.apps/web: forgot spec.replicas (2)\n')
    must(t.kubectl('scale', 'deploy/web', '--replicas=7'))
    for tool in ('smp', 'kubectl'):
        must(t.by(tool, 'apply', '-f', 'without.yaml'))
        t.check.equal('%s apply leaves it alone' % tool, t.get('deploy/web')['spec']['replicas'], 7)
    t.has('an item of a list', 'forget spec.template.spec.containers[*].env[name=A] deploy -l app=web', 0,
          'forgot spec.template.spec.containers[name=app].env[name=A]')
    t.check.holds('and the list with it', t.recorded(), {'spec.template.spec.containers[0].env': None})
    t.has('the name of the object', 'forget metadata.name deploy/web', 1, 'cannot forget this field')
    t.has('no path', 'forget', 1, 'must specify the path of a field')
    t.has('no object', 'forget spec.replicas', 1, 'You must provide one or more resources')
    t.has('a type without a name', 'forget spec.replicas deploy', 1, 'no name was specified')
    must(t.apply(service({'port': 80, 'targetPort': 8080})))
    rows = json.loads(t.explain(service({'port': 80}), '-o', 'json').stdout)['objects'][0]['changes']
    path = 'spec.ports[port=80,protocol=TCP].targetPort'
    t.check.equal('a path that explain-diff shows has the keys of live', [row['path'] for row in rows], [path])
    t.has('and means the item that leaves out the default', 'forget %s svc/web' % path, 0, 'service/web: forgot spec.ports[port=80].targetPort')
    must(t.smp('apply', '-f', 'secret.yaml'))
    t.check.says('no value of a Secret is printed', t.ours('forget stringData.password secret/key'),
                 out='secret/key: forgot stringData.password\n', err='')


def completion(t):
    for words, wanted in (('view deploy', 'deployments.apps'), ('view deploy ', 'web'), ('edit deploy/', 'deploy/web'),
                          ('forget spec cm cf', 'cfg'), ('view namespaces ' + t.name[:-1], t.name), ('', 'view\tprint the last-applied annotation of objects')):
        done = t.run(t.tool, '__complete', '--kubeconfig', t.kubeconfig, '-n', t.name, 'last-applied', *words.split(' '))
        t.check.true('last-applied %s offers %s' % (words, wanted), wanted in done.stdout.split('\n'), done.stdout)


def stripped(t):
    """An admission policy removes the annotation: no change is claimed, and one line says so."""
    ours = {'labels': {'team': t.name}}
    remove = 'JSONPatch{op: "remove", path: "/metadata/annotations/" + jsonpatch.escapeKey("%s")}' % LAST_APPLIED
    policy = admission_policy('MutatingAdmissionPolicy', t.name, ['configmaps'], {'objectSelector': {'matchLabels': {'team': t.name}}},
                              reinvocationPolicy='Never', mutations=[{'patchType': 'JSONPatch', 'jsonPatch': {'expression': '[%s]' % remove}}],
                              matchConditions=[{'name': 'has', 'expression': 'has(object.metadata.annotations) && "%s" in object.metadata.annotations' % LAST_APPLIED}])
    must(t.apply(policy))
    try:
        until('the policy is in force', lambda: 'did not keep' in t.apply(config_map('probe', ours), '--dry-run=server').stderr)
        lost = 'the server did not keep the last-applied annotation of '
        said = t.apply([config_map('one', ours, a='1'), config_map('two', ours, a='1'), config_map('free', a='1')])
        t.check.says('new objects: one line', said, err=['Warning: ' + lost + 'configmap/one, configmap/two, so the next apply cannot know which fields were '
                     'removed from the manifest; let the admission policy or webhook that removes %s keep it, or use --server-side\n3 created in ' % LAST_APPLIED])
        t.check.equal('and no other warning', said.stderr.count('Warning: '), 1)
        t.check.says('at rest: no change is claimed', t.apply(config_map('one', ours, a='1')), out='configmap/one unchanged\n', err=[lost + 'configmap/one'])
        t.check.says('a change is', t.apply(config_map('one', ours, a='2')), out='configmap/one configured\n', err=[lost + 'configmap/one'])
        result = json.loads(t.apply(config_map('one', ours, a='2'), '-o', 'result-json').stdout)['objects'][0]
        t.check.equal('in JSON', [result['action'], result.get('lastAppliedLost'), result.get('lastAppliedOnly')], ['unchanged', True, None])
        t.check.says('kubectl and its dialect claim one', t.apply(config_map('one', ours, a='2'), '--compat=kubectl'), out='configmap/one configured\n')
        t.check.says('an annotation that stays', t.apply(config_map('free', a='2')), out='configmap/free configured\n', err='')
    finally:
        t.kubectl('delete', *['%s/%s' % (o['kind'], o['metadata']['name']) for o in policy])


if __name__ == '__main__':
    sys.exit(harness.run(__doc__, view, set_, edit, forget, completion, stripped, fixture=Records))
