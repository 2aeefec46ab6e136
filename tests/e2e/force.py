#!/usr/bin/env python3
"""apply --force: an object whose change the server calls immutable is created anew, and nothing is lost on the way."""
import glob
import json
import os
import re
import signal
import stat
import subprocess
import sys
import time

import harness
from harness import said, until
from truth import judge

ROLE_BINDING = '''apiVersion: rbac.authorization.k8s.io/v1
kind: RoleBinding
metadata: {name: rb%s}
roleRef: {apiGroup: rbac.authorization.k8s.io, kind: Role, name: %s}
subjects: [{apiGroup: rbac.authorization.k8s.io, kind: User, name: bob}]
'''
SERVICE = '''apiVersion: v1
kind: Service
metadata: {name: web}
spec: {type: NodePort, clusterIP: %s, selector: {app: web}, ports: [{port: %d, nodePort: %d}]%s}
'''
POD = 'apiVersion: v1\nkind: Pod\nmetadata: {name: p}\nspec: {containers: [%s]}\n'
JOB = '''apiVersion: batch/v1
kind: Job
metadata: {name: j}
spec: {template: {spec: {restartPolicy: Never, containers: [{name: a, image: "%s"}]}}}
'''
WIDGETS = '''apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: widgets.NS.example.com}
spec:
  group: NS.example.com
  names: {plural: widgets, singular: widget, kind: Widget}
  scope: Namespaced
  versions:
  - name: v1
    served: true
    storage: true
    schema:
      openAPIV3Schema:
        type: object
        properties:
          spec:
            type: object
            properties:
              plain: {type: string, x-kubernetes-validations: [{rule: self == oldSelf}]}
              ours: {type: string, x-kubernetes-validations: [{rule: self == oldSelf, message: all names are immutable}]}
'''
WIDGET = 'apiVersion: NS.example.com/v1\nkind: Widget\nmetadata: {name: w}\nspec: {%s}\n'


def deployment(app):
    return '''apiVersion: apps/v1
kind: Deployment
metadata: {name: web}
spec:
  selector: {matchLabels: {app: %s}}
  template: {metadata: {labels: {app: %s}}, spec: {containers: [{name: a, image: i}]}}
''' % (app, app)


def stateful_set(service):
    return deployment('web').replace('Deployment', 'StatefulSet').replace('spec:\n', 'spec:\n  serviceName: %s\n' % service, 1)


def class_of_volumes(driver, iops):
    return ('apiVersion: storage.k8s.io/v1\nkind: VolumeAttributesClass\nmetadata: {name: NS}\n'
            'driverName: %s\nparameters: {iops: "%d"}\n' % (driver, iops))


def claim(mode):
    return ('apiVersion: v1\nkind: PersistentVolumeClaim\nmetadata: {name: c}\n'
            'spec: {accessModes: [%s], storageClassName: none, resources: {requests: {storage: 1Gi}}}\n' % mode)


def volume(path):
    return ('apiVersion: v1\nkind: PersistentVolume\nmetadata: {name: NS}\n'
            'spec: {accessModes: [ReadWriteOnce], capacity: {storage: 1Gi}, hostPath: {path: %s}}\n' % path)


# For each rule of lib/schema/facts/immutable.txt a change that meets it: TYPE/NAME, before, after.
CHANGES = {
    'ends is immutable': ('deployment/web', deployment('web'), deployment('other')),
    'ends are immutable': ('widgets.NS.example.com/w', WIDGET % 'ours: a', WIDGET % 'ours: b'),
    'ends failed rule: self == oldSelf': ('widgets.NS.example.com/w', WIDGET % 'plain: a', WIDGET % 'plain: b'),
    'ends field is immutable when `immutable` is set': (
        'configmap/c', 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: c}\nimmutable: true\ndata: {k: "1"}\n',
        'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: c}\nimmutable: true\ndata: {k: "2"}\n'),
    'ends cannot change roleRef': ('rolebinding/rb', ROLE_BINDING % ('', 'r1'), ROLE_BINDING % ('', 'r2')),
    'ends may not change once set': (
        'service/s', 'apiVersion: v1\nkind: Service\nmetadata: {name: s}\nspec: {ports: [{port: 1}]}\n',
        'apiVersion: v1\nkind: Service\nmetadata: {name: s}\nspec: {clusterIP: None, ports: [{port: 1}]}\n'),
    'ends may not be changed in an update.': (
        'priorityclass/NS', 'apiVersion: scheduling.k8s.io/v1\nkind: PriorityClass\nmetadata: {name: NS}\nvalue: 1\n',
        'apiVersion: scheduling.k8s.io/v1\nkind: PriorityClass\nmetadata: {name: NS}\nvalue: 2\n'),
    'ends updates to driverName are forbidden.': (
        'volumeattributesclass/NS', class_of_volumes('a.io', 1), class_of_volumes('b.io', 1)),
    'ends updates to parameters are forbidden.': (
        'volumeattributesclass/NS', class_of_volumes('a.io', 1), class_of_volumes('a.io', 2)),
    'starts updates to statefulset spec for fields other than': ('statefulset/web', stateful_set('a'), stateful_set('b')),
    'starts pod updates may not change fields other than': (
        'pod/p', POD % '{name: a, image: i, command: [b]}', POD % '{name: a, image: i, command: [c]}'),
    'starts pod updates may not add or remove containers': (
        'pod/p', POD % '{name: a, image: i}', POD % '{name: a, image: i}, {name: b, image: i}'),
    'starts spec is immutable after creation': ('persistentvolumeclaim/c', claim('ReadWriteOnce'), claim('ReadOnlyMany')),
    'starts spec.persistentvolumesource is immutable after creation': (
        'persistentvolume/NS', volume('/a'), volume('/b')),
}
DANGEROUS = ('persistentvolumeclaim/c', 'persistentvolume/NS')


class Space:
    """A namespace; NS in manifests and names stands for it."""

    def __init__(self, cl, check):
        self.cl, self.check, self.name = cl, check, cl.new_namespace('force')

    def write(self, text):
        return self.cl.write('%s.yaml' % self.name, text.replace('NS', self.name))

    def apply(self, text, *flags):
        return self.cl.smp('apply', '-n', self.name, '-f', self.write(text), *flags)

    def start(self, text, *flags, output=subprocess.PIPE):
        argv = [self.cl.tool, 'apply', '-n', self.name, '-f', self.write(text), *flags, '--kubeconfig', self.cl.kubeconfig]
        return subprocess.Popen(argv, cwd=self.cl.dir, env=self.cl.env(), text=True, stdout=output, stderr=output)

    def get(self, target):
        return self.cl.find(target.replace('NS', self.name), '-n', self.name)

    def path(self, target):
        return self.cl.by_http.place([target.replace('NS', self.name)], self.name, self.cl.read)[0]

    def edit(self, target, metadata):
        """Returns the status: it may be gone."""
        return self.cl.by_http.patch(self.path(target), {'metadata': metadata}, 'merge', 'somebody')[0]

    def release(self, target):
        return self.edit(target, {'finalizers': None})

    def await_deletion(self, target):
        """Until the object is on its way out, or gone."""
        def deleted():
            live = self.get(target)
            return live is None or 'deletionTimestamp' in live['metadata']
        until('deletion of ' + target, deleted)

    def delete(self, target):
        self.cl.by_http.delete(self.path(target))
        self.release(target)

    def saved(self):
        return glob.glob(os.path.join(self.cl.dir, '.state/kubectl-smp/*'))


def uid(live):
    return live and live['metadata']['uid']


def check_foretold(space, rule, after, flags, old, target):
    """explain-diff --force and both dry runs say what --force would do, and do nothing. Returns the object's part of the report."""
    explained = space.cl.smp('explain-diff', '-n', space.name, '-f', space.write(after), '-o', 'json', '--show-secrets', *flags)
    report = json.loads(explained.stdout)['objects'][0]
    space.check(rule + ': explain-diff --force', '' if explained.returncode == 1 and report['action'] == 'recreate' else said(explained))
    for kind in ('client', 'server'):
        result = space.apply(after, '--dry-run=' + kind, *flags)
        words = ' recreated (dry run)\n' if kind == 'client' else ' recreated (server dry run)\n'
        space.check('%s: --dry-run=%s' % (rule, kind), '' if result.returncode == 0 and result.stdout.endswith(words) else said(result))
    space.check(rule + ': a dry run does nothing', '' if uid(space.get(target)) == uid(old) else 'it was recreated')
    if '--force-dangerous' in flags:
        result = space.apply(after, '--dry-run=client', '--force')
        space.check(rule + ': --dry-run refuses, too', '' if result.returncode == 1 and '--force-dangerous' in result.stderr else said(result))
        result = space.cl.smp('explain-diff', '-n', space.name, '-f', space.write(after), '--force')
        space.check(rule + ': explain-diff, too', '' if result.returncode == 2 and '--force-dangerous' in result.stderr else said(result))
    return report


def check_rows(check, rule, report, old, new, custom):
    """The new object is what the rows said."""
    old, new = [{k: v for k, v in live.items() if k != 'status'} for live in (old, new)]
    verdict = judge.judge(report, {}, old, new, custom)
    check(rule + ': is as the rows say', json.dumps([miss.shown() for miss in verdict.misses], indent=1) if verdict.misses else '')


def check_rules(cl, check):
    """Each rule of immutable.txt: the change is refused in these words, and --force makes it, as it was foretold."""
    path = os.path.join(os.path.dirname(os.path.abspath(__file__)), '../../lib/schema/facts/immutable.txt')
    with open(path, encoding='utf-8') as f:
        rules = [line.strip() for line in f if re.match('(ends|starts) ', line)]
    check('each rule has a change', set(rules) ^ set(CHANGES))
    space = Space(cl, check)
    cl.must(space.apply(WIDGETS))
    for rule in rules:
        target, before, after = CHANGES[rule]
        cl.must(space.apply(before))
        assert space.edit(target, {'labels': {'theirs': '1'}}) == 200
        old = space.get(target)
        refused = space.apply(after)
        words = rule.split(' ', 1)[1]
        check(rule + ': is what the server says', '' if refused.returncode == 1 and words in refused.stderr else said(refused))
        check(rule + ': without --force nothing happens', '' if uid(space.get(target)) == uid(old) else 'it was recreated')
        flags = ['--force', '--force-dangerous'] if target in DANGEROUS else ['--force']
        report = check_foretold(space, rule, after, flags, old, target)
        process = space.start(after, *flags)
        if old['metadata'].get('finalizers'):
            space.await_deletion(target)
            space.release(target)
        out, err = process.communicate(timeout=90)
        check(rule + ': --force', '' if process.returncode == 0 and out.endswith(' recreated\n') else out + err)
        new = space.get(target)
        check_rows(check, rule, report, old, new, 'widget' in target)
        check(rule + ': is another object', '' if new and uid(new) != uid(old) else 'uid %s' % uid(new))
        check(rule + ': is what the manifest says', '' if space.apply(after).stdout.endswith(' unchanged\n') else new)
        space.delete(target)
    check('no file is left', space.saved())
    space.delete('crd/widgets.NS.example.com')


def check_refusals(cl, check):
    """What --force does not do."""
    space = Space(cl, check)
    cl.must(space.apply(SERVICE % ('10.0.0.77', 80, 30977, '')))
    before = space.get('service/web')

    def unchanged(name, result, *words):
        check(name, '' if result.returncode == 1 and all(w in result.stderr for w in words) else said(result))
        check(name + ': the object is as it was', '' if space.get('service/web') == before else 'it changed')

    unchanged('a new object that is invalid', space.apply(SERVICE % ('10.0.0.77', 99999, 30977, ''), '--force'),
              'must be between 1 and 65535')
    unchanged('an immutable change with another field that is invalid',
              space.apply(SERVICE % ('None', 99999, 30977, ''), '--force'), 'invalid')
    # None cannot stand with a NodePort: the change is immutable, the new object invalid.
    unchanged('an immutable change to an invalid object', space.apply(SERVICE % ('None', 80, 30977, ''), '--force'),
              'nothing was deleted')
    result = cl.smp('apply', '-n', space.name, '-f', space.write(SERVICE % ('10.0.0.78', 80, 30977, '')), '--force',
                    '--as=nobody')
    unchanged('without permission', result, 'orbidden')
    kubectl = cl.kubectl('apply', '-n', space.name, '-f', space.write(SERVICE % ('10.0.0.77', 99999, 30977, '')), '--force')
    check('kubectl deletes it for the same', '' if uid(space.get('service/web')) != uid(before) else said(kubectl))

    # Ports and addresses that only the live object itself holds.
    before = space.get('service/web')
    result = space.apply(SERVICE % ('10.0.0.78', 80, 30977, ''), '--force')
    after = space.get('service/web')
    check('a Service that keeps its node port', '' if result.returncode == 0 and uid(after) != uid(before) and
          after['spec']['clusterIP'] == '10.0.0.78' and after['spec']['ports'][0]['nodePort'] == 30977 else said(result))
    # And one that another Service holds.
    cl.must(space.apply('apiVersion: v1\nkind: Service\nmetadata: {name: other}\n'
                        'spec: {clusterIP: 10.0.0.79, ports: [{port: 1}]}\n'))
    before = after
    unchanged('an address that another Service holds', space.apply(SERVICE % ('10.0.0.79', 80, 30977, ''), '--force'),
              'already allocated', 'nothing was deleted')

    for text, target, name in (
            (claim('ReadOnlyMany'), 'pvc/c', 'PersistentVolumeClaim'),
            (WIDGETS.replace('scope: Namespaced', 'scope: Cluster'), 'crd/widgets.NS.example.com', 'CustomResourceDefinition')):
        cl.must(space.apply(text.replace('ReadOnlyMany', 'ReadWriteOnce').replace('scope: Cluster', 'scope: Namespaced')))
        old = space.get(target)
        result = space.apply(text, '--force')
        check('--force refuses a ' + name, '' if result.returncode == 1 and '--force-dangerous' in result.stderr and
              uid(space.get(target)) == uid(old) and 'deletionTimestamp' not in space.get(target)['metadata'] else said(result))
        space.delete(target)
    # kubectl deletes the Namespace for a label that is none (kubernetes issue 90968).
    text = 'apiVersion: v1\nkind: Namespace\nmetadata: {name: NS, labels: {a: "%s"}}\n'
    result = space.apply(text % 'no label!', '--force', '--force-dangerous')
    live = space.get('namespace/NS')
    check('--force does not delete a Namespace for a bad label', '' if result.returncode == 1 and
          'deletionTimestamp' not in live['metadata'] else said(result))


def put_back(cl, message):
    """Runs the command that a message names."""
    command = re.search(r'to restore it, run: kubectl (create --raw \S+ -f \S+)', message)
    return cl.kubectl(*command.group(1).split())


def check_waiting(cl, check):
    space = Space(cl, check)
    v1 = ROLE_BINDING % (', finalizers: [example.com/hold]', 'r1')
    v2 = ROLE_BINDING % ('', 'r2')
    cl.must(space.apply(v1))

    result = cl.smp('explain-diff', '-n', space.name, '-f', space.write(v2), '--force', '--wide')
    check('explain-diff --force names the finalizer', '' if 'fail: it has finalizer example.com/hold' in result.stdout else said(result))
    # Time is over.
    result = space.apply(v2, '--force', '--timeout=1s')
    live = space.get('rolebinding/rb')
    check('an object that is not released in time', '' if result.returncode == 1 and 'after 1 s it still exists' in
          result.stderr and 'example.com/hold' in result.stderr and live['roleRef']['name'] == 'r1' else said(result))
    files = space.saved()
    check('it is in a file', '' if len(files) == 1 and files[0] in result.stderr else files)
    check('that nobody else can read', '' if stat.S_IMODE(os.stat(files[0]).st_mode) == 0o600 else 'mode')
    # kubectl stops at once, says nothing and keeps nothing; as the message says, it can be put back.
    space.release('rolebinding/rb')
    check('the file puts it back', put_back(cl, result.stderr).stderr)
    os.remove(files[0])
    check('with its content', '' if space.get('rolebinding/rb')['roleRef']['name'] == 'r1' else 'another')

    # Ctrl-C while the finalizer holds it.
    for number, name in ((signal.SIGINT, 'Ctrl-C'), (signal.SIGTERM, 'SIGTERM')):
        process = space.start(v2, '--force')
        space.await_deletion('rolebinding/rb')
        process.send_signal(number)
        out, err = process.communicate(timeout=60)
        files = space.saved()
        check(name, '' if process.returncode == 130 and 'is being deleted and was interrupted' in err else
              'exit %s: %s%s' % (process.returncode, out, err))
        check(name + ': the old object is saved in a file', '' if len(files) == 1 and files[0] in err else err)
        space.release('rolebinding/rb')
        cl.must(cl.kubectl('create', '-n', space.name, '-f', files[0]))
        os.remove(files[0])

    # Released while it waits: it is told what it waits for.
    old = space.get('rolebinding/rb')
    process = space.start(v2, '--force')
    space.await_deletion('rolebinding/rb')
    space.release('rolebinding/rb')
    out, err = process.communicate(timeout=60)
    new = space.get('rolebinding/rb')
    check('an object that is released', '' if process.returncode == 0 and uid(new) != uid(old) and
          new['roleRef']['name'] == 'r2' else out + err)
    check('no file is left', space.saved())


def check_early_ends(cl, check):
    """Whatever ends the program or its output between the deletion and the creation: the object is not lost."""
    space = Space(cl, check)
    v1 = ROLE_BINDING % (', finalizers: [example.com/hold]', 'r1')
    v2 = ROLE_BINDING % ('', 'r2')
    cl.must(space.apply(v1))

    # Nobody reads what it prints.
    old = space.get('rolebinding/rb')
    read, write = os.pipe()
    os.close(read)
    process = space.start(v2, '--force', output=write)
    os.close(write)
    space.await_deletion('rolebinding/rb')
    time.sleep(2)  # so that it has said what it waits for
    space.release('rolebinding/rb')
    status = process.wait(timeout=60)
    new = space.get('rolebinding/rb')
    check('a closed pipe: the new object is created', '' if new and uid(new) != uid(old) and
          new['roleRef']['name'] == 'r2' else 'exit %s: %s' % (status, new))
    check('a closed pipe: the status says so', '' if status == 141 else status)
    check('no file is left', space.saved())

    # kill -9
    space.delete('rolebinding/rb')
    cl.must(space.apply(v1))
    process = space.start(v2, '--force')
    message = process.stderr.readline()  # that it deletes the object, which is in a file
    process.stderr.readline()  # that it waits for the finalizer
    process.kill()
    process.communicate()
    space.release('rolebinding/rb')
    check('kill -9: the object is gone', '' if space.get('rolebinding/rb') is None else 'it is there')
    files = space.saved()
    check('kill -9: the old object is saved in a file', '' if len(files) == 1 and files[0] in message else (files, message))
    modes = [stat.S_IMODE(os.stat(path).st_mode) for path in (files[0], os.path.dirname(files[0]))]
    check('kill -9: that nobody else can read', '' if modes == [0o600, 0o700] else modes)
    shown = cl.smp('explain-diff', '-n', space.name, '-f', space.write(v2))
    check('kill -9: explain-diff tells of it', '' if shown.returncode == 1 and 'is saved in %s; the object does not exist' % files[0] in shown.stderr
          else said(shown))
    check('kill -9: and leaves it', '' if space.saved() == files else space.saved())
    check('kill -9: the file puts it back', put_back(cl, message).stderr)
    live = space.get('rolebinding/rb')
    check('kill -9: with its content', '' if live['roleRef']['name'] == 'r1' and
          live['metadata']['finalizers'] == ['example.com/hold'] else live)
    space.release('rolebinding/rb')
    os.remove(files[0])


def check_failing_creation(cl, check):
    """The server would take the new object and then does not: a proxy refuses."""
    space = Space(cl, check)

    def apply_refusing(creations):
        refusal = {'methods': ['POST'], 'path': '^(?!.*dryRun).*/jobs', 'status': 403, 'reason': 'Forbidden', 'message': 'exceeded quota',
                   'times': creations}
        with cl.proxy(inject=[refusal]) as proxy:
            return cl.smp('apply', '-n', space.name, '-f', space.write(JOB % 'new'), '--force', kubeconfig=proxy.kubeconfig)

    cl.must(space.apply(JOB % 'old'))
    old = space.get('job/j')
    result = apply_refusing(1)
    live = space.get('job/j')
    image = live and live['spec']['template']['spec']['containers'][0]['image']
    check('a creation that is refused: the old object is back', '' if result.returncode == 1 and image == 'old' and
          'then restored' in result.stderr and uid(live) != uid(old) else said(result))
    check('no file is left', space.saved())

    result = apply_refusing(2)
    files = space.saved()
    check('neither can be created: the old one is in a file', '' if result.returncode == 1 and len(files) == 1 and
          files[0] in result.stderr and 'the object is gone' in result.stderr else said(result))
    check('it says what is gone', '' if space.get('job/j') is None else 'it is there')
    check('the file puts it back', put_back(cl, result.stderr).stderr)
    # By a plain "kubectl create" all defaults of the server would become last-applied, and the next apply would delete them.
    result = space.apply(JOB % 'old')
    check('with its record: the manifest that it came from has nothing to change', '' if result.returncode == 0 and
          result.stdout == 'job.batch/j unchanged\n' else said(result))


def check_flags(cl, check):
    space = Space(cl, check)
    for flags, words in ((['--force', '--dry-run=server', '--compat=kubectl'], 'error: --dry-run=server cannot be used with --force'),
                         (['--force', '--prune', '--all'], 'error: --force cannot be used with --prune'),
                         (['--timeout=5'], 'error: invalid argument "5" for "--timeout" flag: time: missing unit in duration "5"\n'),
                         (['--cascade=nope'], 'error: invalid cascade value (nope). Must be "background", "foreground", or "orphan"')):
        ours = space.apply(ROLE_BINDING % ('', 'r1'), *flags)
        same = [flag for flag in flags if not flag.startswith('--compat')]
        theirs = cl.kubectl('apply', '-n', space.name, '-f', space.write(ROLE_BINDING % ('', 'r1')), *same)
        check(' '.join(flags), '' if ours.returncode == 1 and ours.stderr.startswith(words) else said(ours))
        check(' '.join(flags) + ': as kubectl', '' if theirs.stderr.startswith(words) else said(theirs))
    check('nothing was created', '' if space.get('rolebinding/rb') is None else 'it was')


if __name__ == '__main__':
    sys.exit(harness.run(__doc__, check_rules, check_refusals, check_waiting, check_early_ends, check_failing_creation, check_flags))
