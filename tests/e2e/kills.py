#!/usr/bin/env python3
"""Runs of apply --force and apply --prune are ended at random times: by SIGKILL, SIGTERM, three Ctrl-C, or because nobody reads their
output any more. Then the server is read, by plain HTTP: each object that was there is still there in its old or new form, or a file has it
and the output said which one, or it was to be pruned and the output said so. The next run of the same apply finds the file, says so, and
ends with the right state and without the file.

Environment: SMP_SEED (a fresh one by default), SMP_KILLS (60 runs)."""
import collections
import concurrent.futures
import glob
import json
import os
import random
import re
import select
import signal
import stat
import subprocess
import sys
import threading
import time

import harness
from harness import said, until
from harness.proxy import Proxy

ENDS = ('SIGKILL', 'SIGTERM', 'three SIGINT', 'closed pipe')
SAME_SIGNAL = 0.55  # s; a second signal counts after 0.5 s (base/interrupt.h)
WORKERS = 3
HOLD = 'example.com/hold'
DELETING = b'deleting '  # the output has it just before the first deletion
SERVER_METADATA = ('creationTimestamp', 'deletionGracePeriodSeconds', 'deletionTimestamp', 'generation', 'managedFields', 'resourceVersion',
                   'selfLink', 'uid')
THEIRS = {'metadata': {'annotations': {'example.com/theirs': 'x'}}}


# --- Manifests: an object in its form number `n`, which is another one in a field that the server calls immutable.

def pods(n, app='a', **more):
    return {'metadata': {'labels': {'app': app}}, 'spec': {'containers': [{'name': 'a', 'image': 'i:%d' % n}], **more}}


SPECS = {
    'ConfigMap': ('v1', 'configmaps', lambda n: {'immutable': True, 'data': {'n': str(n)}}),
    'Secret': ('v1', 'secrets', lambda n: {'immutable': True, 'stringData': {'n': str(n)}}),
    'Job': ('batch/v1', 'jobs', lambda n: {'spec': {'template': pods(n, restartPolicy='Never')}}),
    'Deployment': ('apps/v1', 'deployments', lambda n: {'spec': {'selector': {'matchLabels': {'app': str(n)}}, 'template': pods(n, str(n))}}),
    'RoleBinding': ('rbac.authorization.k8s.io/v1', 'rolebindings', lambda n: {
        'roleRef': {'apiGroup': 'rbac.authorization.k8s.io', 'kind': 'Role', 'name': 'r%d' % n},
        'subjects': [{'apiGroup': 'rbac.authorization.k8s.io', 'kind': 'User', 'name': 'bob'}]}),
}
FORMS = {'ConfigMap': lambda o: o['data']['n'], 'Secret': lambda o: o['data']['n'], 'RoleBinding': lambda o: o['roleRef']['name'],
         'Job': lambda o: o['spec']['template']['spec']['containers'], 'Deployment': lambda o: o['spec']['selector']}


def manifest(kind, name, n, **metadata):
    return {'apiVersion': SPECS[kind][0], 'kind': kind, 'metadata': {'name': name, **metadata}, **SPECS[kind][2](n)}


def mutable(name, n, **metadata):
    return {'apiVersion': 'v1', 'kind': 'ConfigMap', 'metadata': {'name': name, **metadata}, 'data': {'n': str(n)}}


def listed(objects):
    return {'apiVersion': 'v1', 'kind': 'List', 'items': objects}


def key_of(obj):
    return obj['kind'], obj['metadata']['name']


def as_created_again(obj):
    """What a file must have of a live object."""
    obj = json.loads(json.dumps(obj))
    obj.pop('status', None)
    for name in SERVER_METADATA:
        obj['metadata'].pop(name, None)
    if obj['kind'] == 'Job':  # the server makes these of the uid
        obj['spec'].pop('selector')
        for metadata in (obj['metadata'], obj['spec']['template']['metadata']):
            for name in ('controller-uid', 'job-name'):
                metadata.get('labels', {}).pop(name, None)
                metadata.get('labels', {}).pop('batch.kubernetes.io/' + name, None)
    return obj


def without_empty(value):
    if isinstance(value, dict):
        return {k: without_empty(v) for k, v in value.items() if v not in ({}, None)}
    return value


# --- The server, as nobody's tool sees it.

class Objects:
    """Those of a namespace, of some kinds."""

    def __init__(self, upstream, namespace, kinds=('ConfigMap',)):
        self.upstream, self.namespace, self.kinds = upstream, namespace, kinds

    def path(self, kind, name=''):
        version, plural, _ = SPECS[kind]
        root = '/api/' if version == 'v1' else '/apis/'
        return '%s%s/namespaces/%s/%s%s' % (root, version, self.namespace, plural, '/' + name if name else '')

    def all(self):
        out = {}
        for kind in self.kinds:
            for item in self.upstream.send('GET', self.path(kind))['items']:
                out[kind, item['metadata']['name']] = {'apiVersion': SPECS[kind][0], 'kind': kind, **item}
        return {k: v for k, v in out.items() if k[1] != 'kube-root-ca.crt'}

    def patch(self, key, patch):
        self.upstream.send('PATCH', self.path(*key), patch, 'application/merge-patch+json')

    def release(self, key):
        try:
            self.patch(key, {'metadata': {'finalizers': None}})
        except AssertionError:
            pass  # it is gone

    def clear(self):
        for key, obj in self.all().items():
            self.upstream.send('DELETE', self.path(*key), {'propagationPolicy': 'Background'})
            if HOLD in obj['metadata'].get('finalizers', ()):
                self.release(key)


class Releaser(threading.Thread):
    """What a controller does: takes the finalizer from objects that are being deleted, a while after their deletion."""

    def __init__(self, objects, rng):
        super().__init__(daemon=True)
        self.objects, self.pause, self.over = objects, rng.uniform(0, 0.5), threading.Event()

    def __enter__(self):
        self.start()
        return self

    def __exit__(self, *_):
        self.over.set()
        self.join()

    def run(self):
        while not self.over.wait(0.05):
            for key, obj in self.objects.all().items():
                if 'deletionTimestamp' in obj['metadata']:
                    self.over.wait(self.pause)
                    self.objects.release(key)


class SlowProxy(Proxy):
    """Writes reach the server `delay` seconds late, also those of a client that is gone by then."""
    delay = 0
    waiting = 0

    def __init__(self, *args):
        super().__init__(*args)
        self.server.handle_error = lambda *_: None  # clients that are killed close their connections

    def before(self, method, path):
        if self.delay and method in ('POST', 'PATCH', 'DELETE') and 'dryRun' not in path:
            with self.lock:
                self.waiting += 1
            time.sleep(self.delay)
            with self.lock:
                self.waiting -= 1


# --- Ends of a run

Ended = collections.namedtuple('Ended', 'output status seconds rest early')


def run_until(argv, folder, env, end, at, mark=b''):
    """Starts the program and ends it in the way of `end` (None: never), `at` seconds after its output has `mark`. `rest`: seconds since
    it has said that it deletes something; `early`: it was still running."""
    read, write = os.pipe()
    process = subprocess.Popen(argv, cwd=folder, env=env, stdin=subprocess.DEVNULL, stdout=write, stderr=write)
    os.close(write)
    started, output, early, signals = time.monotonic(), b'', False, 3 if end == 'three SIGINT' else 1
    marked, deleting = None if mark else started, None
    while True:
        left = None if end is None or marked is None or signals == 0 else max(0, marked + at - time.monotonic())
        if select.select([read], [], [], left)[0]:
            block = os.read(read, 65536)
            output += block
            marked = marked or (time.monotonic() if mark in output else None)
            deleting = deleting or (time.monotonic() if DELETING in output else None)
            if block:
                continue
            break
        early |= process.poll() is None
        if end == 'closed pipe':
            break
        process.send_signal(signal.SIGINT if end == 'three SIGINT' else getattr(signal, end))
        signals, at = signals - 1, at + SAME_SIGNAL
    os.close(read)
    status, over = process.wait(timeout=120), time.monotonic()
    return Ended(output.decode(), status, over - started, over - (deleting or over), early)


# --- Rounds

class Figures:
    def __init__(self):
        self.rows, self.lock = collections.defaultdict(collections.Counter), threading.Lock()

    def add(self, row, **counts):
        with self.lock:
            self.rows[row].update(counts)
            self.rows['all'].update(counts)

    def print(self):
        names = ('runs', 'early', 'absent', 'files', 'told', 'pruned')
        print('%-28s' % '' + ''.join('%10s' % name for name in names))
        for row in sorted(self.rows, key=lambda name: (name == 'all', name)):
            print('%-28s' % row + ''.join('%10d' % self.rows[row][name] for name in names))


class Worker(harness.Space):
    """One run after the other in a namespace, with a state folder of its own."""

    def __init__(self, cl, check, figures):
        super().__init__(cl, 'kills')
        self.check, self.figures = check, figures
        self.objects = Objects(cl.upstream(), self.name)
        self.proxy = SlowProxy(cl.upstream(), self)
        self.state = self.path('state')
        self.durations = {}

    def files(self):
        return sorted(glob.glob(self.state + '/kubectl-smp/*'))

    def command(self, name, flags, slow):
        return self.argv('smp', 'apply', '-f', name, *flags, kubeconfig=self.proxy.kubeconfig if slow else None)

    def must_apply(self, content, *flags):
        return self.must(self.apply(content, *flags, XDG_STATE_HOME=self.state))

    def ended(self, argv, end, shape):
        """Ends a run at a time between its start, or its first deletion, and when it would be done."""
        mark = self.rng.choice((b'', DELETING))
        seconds, rest = self.durations.get(shape, (0, 0))
        at = self.rng.uniform(0, rest if mark else 1.05 * seconds)
        return run_until(argv, self.dir, self.env(XDG_STATE_HOME=self.state), end, at, mark)

    def settle(self):
        """Until the server has got what was sent, and what is being deleted is gone."""
        until('the proxy', lambda: not self.proxy.waiting)
        time.sleep(0.1)
        until('deletions', lambda: not any('deletionTimestamp' in o['metadata'] for o in self.objects.all().values()))
        return self.objects.all()

    def round(self, seed, end, kind):
        self.rng = random.Random(seed)
        slow = end == 'three SIGINT' or self.rng.random() < 0.2
        parallel = 16 if slow else self.rng.choice((1, 16))
        shape = (kind, slow, parallel)
        if shape not in self.durations:
            self.play(shape, None, seed + ' measured')
        self.play(shape, end, seed)

    def play(self, shape, end, name):
        kind, slow, _ = shape
        story = {'force': Force, 'prune': Prune, 'applyset': PruneSet}[kind](self)
        self.objects.kinds = story.kinds
        with Releaser(self.objects, self.rng):
            story.begin()
            before = self.objects.all()
            argv = self.command(self.write('after.json', listed(story.after)), ['--parallel=%d' % shape[2], *story.flags], slow)
            # Long enough for three signals, which must arrive half a second apart.
            self.proxy.delay = (self.rng.uniform(0.4, 0.9) if end == 'three SIGINT' else 0.2) if slow else 0
            ended = self.ended(argv, end, shape)
            self.proxy.delay = 0
            if end is None:
                self.durations[shape] = ended.seconds, ended.rest
            self.judge(story, name, before, self.settle(), ended, end)
            self.again(story, name, argv, slow)
        self.objects.clear()

    def judge(self, story, name, before, after, ended, end):
        files, counts = {path: read(path) for path in self.files()}, collections.Counter()
        for key, old in before.items():
            wrong = story.loss(key, old, after.get(key), files, None if end == 'closed pipe' else ended.output, counts)
            self.check('%s: %s %s' % (name, *key), wrong and '%s\nafter %.3f s, exit status %d, files: %s\n%s' % (
                wrong, ended.seconds, ended.status, list(files), ended.output))
        if end:
            self.figures.add('%s, %s' % (story.title, end), runs=1, early=ended.early, absent=counts['absent'] > 0, files=bool(files),
                             pruned=counts['pruned'] > 0)

    def again(self, story, name, argv, slow):
        """The next run of the same apply. Through the proxy, which has no TLS, it leaves the files alone: they may be of another server
        behind the same URL."""
        # The file of a run that was killed while it wrote has nothing that was deleted, and is removed without a word.
        files = [path for path in self.files() if parsed(read(path)) is not None]
        result = self.run(*argv, XDG_STATE_HOME=self.state)
        told = [path for path in files if path in result.stderr]
        after = self.settle()
        self.check(name + ': the next run', '' if result.returncode == 0 else said(result))
        self.check(name + ': the next run tells of the file', '' if told == files else '%s\n%s' % (files, said(result)))
        self.check(name + ': the state is right', story.unfinished(after) and '%s\n%s' % (story.unfinished(after), said(result)))
        left = self.files()
        self.check(name + ': what is left of the files', left != (files if slow else []) and '%s\n%s' % (left, said(result)))
        for path in left:
            os.remove(path)
        self.figures.add('next run', told=len(told))


def read(path):
    with open(path, encoding='utf-8') as f:
        text = f.read()
    return text if stat.S_IMODE(os.stat(path).st_mode) == 0o600 else 'others may read it'


def parsed(text):
    try:
        return json.loads(text)
    except ValueError:
        return None


class Force:
    """Objects that must be deleted and created again."""
    title, flags = '--force', ['--force']

    def __init__(self, worker):
        self.worker, rng = worker, worker.rng
        kinds = [rng.choice(list(SPECS)) for _ in range(rng.randint(1, 5))]
        held = [{'finalizers': [HOLD]} if rng.random() < 0.3 else {} for _ in kinds]
        self.kinds = sorted(set(kinds))
        self.old, self.after = ([manifest(kind, 'o%d' % i, n, **held[i]) for i, kind in enumerate(kinds)] for n in (1, 2))

    def begin(self):
        self.worker.must_apply(listed(self.old))
        for obj in self.old:
            self.worker.objects.patch(key_of(obj), THEIRS)

    def loss(self, key, old, now, files, output, counts):
        """Empty if nothing of the object is lost."""
        if now:
            return self.changed(key, old, now)
        counts['absent'] += 1
        wanted = without_empty(as_created_again(old))
        having = [path for path, text in files.items() if without_empty(parsed(text)) == wanted]
        if not having:
            return 'it is gone, and no file has it: %s' % json.dumps(wanted)
        return '' if output is None or any(path in output for path in having) else 'it is gone, and the output does not name the file'

    def changed(self, key, old, now):
        is_new = FORMS[key[0]](now) != FORMS[key[0]](old)
        kept = now['metadata'].get('annotations', {}).get('example.com/theirs') == 'x'
        return '' if is_new or kept else 'it is there in its old form, but not complete: %s' % json.dumps(now)

    def unfinished(self, after):
        old = {key_of(obj): obj for obj in self.old}
        wrong = [key for key in old if key not in after or 'example.com/theirs' in after[key]['metadata'].get('annotations', {})]
        return ['%s %s' % key for key in wrong]


class Prune:
    """Objects that are not in the manifests any more, beside such as must stay."""
    title, kinds = '--prune', ['ConfigMap']

    def __init__(self, worker):
        self.worker, rng = worker, worker.rng
        held = {'finalizers': [HOLD]} if rng.random() < 0.3 else {}
        label = {'labels': {'set': 'x'}}
        self.stale = [mutable('stale%d' % i, 1, **held, **label) for i in range(rng.randint(1, 5))]
        self.kept = [mutable('kept%d' % i, 1, **label) for i in range(rng.randint(1, 2))]
        self.after = [mutable(obj['metadata']['name'], 2, **label) for obj in self.kept]
        self.flags = ['--prune', '-l', 'set=x'] + rng.choice(([], ['--wait']))

    def begin(self):
        self.worker.must_apply(listed(self.kept + self.stale))
        self.bystanders()

    def bystanders(self):
        self.worker.must_apply(mutable('other', 1, labels={'set': 'y'}))
        objects = self.worker.objects
        objects.upstream.send('POST', objects.path('ConfigMap'), mutable('unrecorded', 1, labels={'set': 'x'}))

    def loss(self, key, old, now, files, output, counts):
        if now:
            return ''
        if key not in map(key_of, self.stale):
            return 'it was not to be pruned'
        counts['pruned'] += 1
        named = output is None or re.search(r'^  configmap/%s in namespace ' % key[1], output, re.M)
        return '' if named else 'it was pruned, and the output had not said so'

    def unfinished(self, after):
        stale = [key_of(obj) for obj in self.stale if key_of(obj) in after]
        late = [key for key in map(key_of, self.after) if after.get(key, {}).get('data') != {'n': '2'}]
        missing = [name for name in self.others() if ('ConfigMap', name) not in after]
        return stale + late + missing

    def others(self):
        return ['other', 'unrecorded']


class PruneSet(Prune):
    """The same by an ApplySet."""
    title, kinds = '--prune --applyset', ['ConfigMap', 'Secret']  # the parent is a Secret

    def __init__(self, worker):
        super().__init__(worker)
        self.flags = ['--prune', '--applyset=set']

    def begin(self):
        self.worker.must_apply(listed(self.kept + self.stale), *self.flags)
        self.bystanders()


def kill(cl, check):
    seed = os.environ.get('SMP_SEED') or '%08x' % random.randrange(16**8)
    count = int(os.environ.get('SMP_KILLS') or 60)
    print('SMP_SEED=%s SMP_KILLS=%d' % (seed, count), flush=True)
    figures = Figures()
    workers = [Worker(cl, check, figures) for _ in range(WORKERS)]

    def rounds(number):
        for i in range(number, count, WORKERS):
            kind = ('force', 'force', 'prune', 'applyset')[i // len(ENDS) % 4]
            workers[number].round('%s run %d, %s' % (seed, i, ENDS[i % len(ENDS)]), ENDS[i % len(ENDS)], kind)

    with concurrent.futures.ThreadPoolExecutor(WORKERS) as pool:
        for future in [pool.submit(rounds, number) for number in range(WORKERS)]:
            future.result()
    figures.print()
    seen = figures.rows['all']
    check.true('most runs are ended before they are done', seen['early'] > count / 2, dict(seen))
    check.true('some leave a file', seen['files'] > 0, dict(seen))


# --- What the next run says where it does not apply the object itself

def say(cl, check):
    t = harness.Space(cl, 'kills-said')
    state = t.path('state')
    run = lambda content, *flags: t.apply(content, *flags, XDG_STATE_HOME=state)
    held = [manifest('ConfigMap', 'a', n, finalizers=[HOLD]) for n in (1, 2)]
    other = mutable('other', 1)
    objects = Objects(cl.upstream(), t.name)
    t.must(run(held[0]))
    check.says('not in time', run(held[1], '--force', '--timeout=1s'), 1, err=['after 1 s it still exists'])
    path, = glob.glob(state + '/kubectl-smp/*')
    label = 'configmap/a in namespace ' + t.name
    check.says('while it is being deleted', run(other), 0, err=[label, path, 'is being deleted; when it is gone, apply it again'])
    objects.release(('ConfigMap', 'a'))
    result = run(other, '--dry-run=server')
    check.says('when it is gone', result, 0, err=[label, path, 'the object does not exist; apply it again, or restore the old one'])
    command = re.search(r'kubectl (create --raw \S+ -f \S+);', result.stderr)
    t.must(t.kubectl(*command.group(1).split()))
    restored = objects.all().get(('ConfigMap', 'a'))
    check('the command restores it', '' if restored and restored['data'] == {'n': '1'} else restored)
    check.says('when it is restored', run(other), 0, err=[path, 'the object exists; remove the file unless you need it'])
    check.says('a dry run removes nothing', run(held[0], '--dry-run=server'), 0, err=[path, 'the object exists'])
    check.says('when it is applied', run(held[0]), 0, err=['removed ' + path])
    check.says('and then', run(held[0]), 0, err='')
    objects.release(('ConfigMap', 'a'))


if __name__ == '__main__':
    sys.exit(harness.run(__doc__, say, kill))
