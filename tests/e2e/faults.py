#!/usr/bin/env python3
"""What kubectl smp does when the network, the server or the disk fails: a proxy does harm at one request of an apply, and a judge reads
from the server, without either tool, what came of it. Prints the table of faults and operations, which the README has.

A fault is survived if nothing is lost that others wrote, nothing is applied twice (by the server's own history of the object), the run
ends in time, status 0 means that the server has what was asked for, and an error names the object and is true. "done": the apply ended
with status 0; "told": with an error that says what is known. With SMP_LONG=1 everything is repeated, in another order."""
import collections
import concurrent.futures
import contextlib
import gzip
import json
import os
import queue
import random
import re
import signal
import subprocess
import sys
import threading
import time

import harness
import harness.proxy
from harness import fault_proxy as fp
from harness import until
from harness.cluster import finish

TOP = os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', '..')
LONG = os.environ.get('SMP_LONG') == '1'
WORKERS = 6
TITLE = 32  # columns of the table before its cells
SECONDS = 120  # no run may take longer, also on a busy machine
KEPT = {'judge.example/kept': 'by somebody else'}


def deployment(name, image, selector='a', **annotations):
    labels = {'case': name, 'select': selector}
    return {'apiVersion': 'apps/v1', 'kind': 'Deployment',
            'metadata': {'name': name, 'labels': {'case': name.split('-')[0]}, **({'annotations': annotations} if annotations else {})},
            'spec': {'replicas': 1, 'selector': {'matchLabels': labels},
                     'template': {'metadata': {'labels': labels}, 'spec': {'containers': [{'name': 'main', 'image': image}]}}}}


class Judge:
    """Writes and reads objects without either tool, and follows what the server says of them."""

    def __init__(self, cl):
        self.upstream, self.events, self.lock = cl.upstream(), collections.defaultdict(list), threading.Lock()
        listed = self.upstream.send('GET', '/apis/apps/v1/deployments?limit=1')
        threading.Thread(target=self._watch, args=(listed['metadata']['resourceVersion'],), daemon=True).start()

    def _watch(self, version):
        connection = self.upstream.connect()
        connection.request('GET', '/apis/apps/v1/deployments?watch=1&timeoutSeconds=3600&resourceVersion=' + version,
                           headers=self.upstream.headers)
        connection.sock.settimeout(None)
        for line in connection.getresponse():
            event = json.loads(line)
            metadata = event['object']['metadata']
            with self.lock:
                self.events[metadata['namespace'], metadata['name']].append((event['type'], metadata))

    def create(self, namespace, manifest, by_apply=False):
        """As an apply of this manifest would have left it, with an annotation of somebody else."""
        path = '/apis/apps/v1/namespaces/%s/deployments' % namespace
        if by_apply:
            self.upstream.send('PATCH', '%s/%s?fieldManager=kubectl' % (path, manifest['metadata']['name']), manifest,
                               'application/apply-patch+yaml')
            kept = {'metadata': {'annotations': KEPT}}
            self.upstream.send('PATCH', '%s/%s?fieldManager=judge' % (path, manifest['metadata']['name']), kept,
                               'application/merge-patch+json')
            return
        record = {'kubectl.kubernetes.io/last-applied-configuration': json.dumps(manifest)}
        live = json.loads(json.dumps(manifest))
        live['metadata']['annotations'] = {**KEPT, **record}
        self.upstream.send('POST', path + '?fieldManager=kubectl-client-side-apply', live)

    def find(self, namespace, name):
        try:
            return self.upstream.send('GET', '/apis/apps/v1/namespaces/%s/deployments/%s' % (namespace, name))
        except AssertionError as error:
            if ': 404 ' not in str(error):
                raise
            return None

    def history(self, namespace, name, live):
        """What happened to an object; `live` is what the server has now."""
        def complete():
            with self.lock:
                seen = list(self.events[namespace, name])
            if live is None:
                return seen if not seen or seen[-1][0] == 'DELETED' else None
            version = live['metadata']['resourceVersion']
            return seen if seen and seen[-1][1]['resourceVersion'] == version else None
        return [kind for kind, _ in until('the history of ' + name, lambda: [complete()] if complete() is not None else None, 20)[0]]


# --- operations: what is there before, what is applied, and the request to which harm is done

class Operation:
    """`before` and `after` have images by name, None for an object that is not there; '' stands for the name of the case."""

    def __init__(self, before, after, method, path, *flags, words=('configured',), selector='a', skip=0, plan=False, by_apply=False):
        self.before, self.after, self.method, self.path, self.flags = before, after, method, path, flags
        self.words, self.selector, self.skip, self.plan, self.by_apply = words, selector, skip, plan, by_apply


PRUNE = ('--prune', '-l', 'case=__NAME__', '--prune-allowlist=apps/v1/Deployment')
PRUNED = {'before': {'': 'v:1', '-old': 'v:1'}, 'after': {'': 'v:2', '-old': None}}
OPERATIONS = {
    'GET': [Operation({'': 'v:1'}, {'': 'v:2'}, 'GET', r'/__NAME__(\?|$)|"name":"__NAME__"')],
    'LIST': [Operation(*PRUNED.values(), 'GET', r'labelSelector|MetadataList', *PRUNE, words=('configured', 'pruned'))],
    'POST': [Operation({'': None}, {'': 'v:2'}, 'POST', '', words=('created',))],
    'PATCH': [Operation({'': 'v:1'}, {'': 'v:2'}, 'PATCH', '')],
    'SSA': [Operation({'': 'v:1'}, {'': 'v:2'}, 'PATCH', '', '--server-side', words=('serverside-applied',), by_apply=True)],
    'PLAN': [Operation({'': 'v:1'}, {'': 'v:2'}, 'PATCH', '', plan=True)],
    'DEL': [Operation(*PRUNED.values(), 'DELETE', '', *PRUNE, words=('configured', 'pruned'))],
    'FORCE': [Operation({'': 'v:1'}, {'': 'v:2'}, 'DELETE', '', '--force', words=('recreated',), selector='b'),
              Operation({'': 'v:1'}, {'': 'v:2'}, 'POST', '', '--force', words=('recreated',), selector='b', skip=1)]}


# --- faults

class Fault:
    def __init__(self, name, act, times=1, early=None, flags=(), http2=False, alerts=0):
        self.name, self.act, self.times, self.early = name, act, times, early
        self.flags, self.http2, self.alerts = flags, http2, alerts


def statuses():
    for code, reason in ((429, 'TooManyRequests'), (500, 'InternalError'), (502, ''), (503, 'ServiceUnavailable'), (504, 'Timeout')):
        yield Fault('%d twice, Retry-After: 1' % code, fp.answering(code, reason, 1), 2)
        yield Fault('%d twice' % code, fp.answering(code, reason), 2)


IN_TIME = ('--request-timeout=3s',)
FAULTS = {
    'The connection breaks': [
        Fault('before the request is read', fp.pass_on, early='line'),
        Fault('within the request', fp.pass_on, early='head'),
        Fault('after the request', fp.cut_after),
        Fault("within the response's headers", fp.cut_in_head),
        Fault('within its body', fp.cut_in_body),
        Fault('after each request', fp.cut_after, 99),
        Fault('and then a TLS alert', fp.pass_on, early='line', alerts=1),
        Fault('by what is no TLS', fp.garble),
        Fault('HTTP/2 GOAWAY, not done', fp.go_away_before, early='stream', http2=True),
        Fault('HTTP/2 GOAWAY, done', fp.go_away_after, http2=True),
        Fault('HTTP/2 REFUSED_STREAM', fp.refuse_stream, early='stream', http2=True),
        Fault('HTTP/2 RST_STREAM, done', fp.reset_stream, http2=True),
        Fault('HTTP/2 RST_STREAM in the body', fp.reset_in_body, http2=True)],
    'The server is slow': [
        Fault('0.3 s late', fp.delay),
        Fault('no answer, --request-timeout', fp.never_answer, flags=IN_TIME),
        Fault('half of it, --request-timeout', fp.stall_in_body, flags=IN_TIME)],
    'The server is busy or broken': [
        *statuses(),
        Fault('502, but done', fp.done_but_answering(502, 'Bad Gateway')),
        Fault('504, but done', fp.done_but_answering(504, 'Gateway Timeout'))],
    'Status 200, done, but': [
        Fault('half of the JSON', fp.rewriting(lambda body: body[:len(body) // 2])),
        Fault('corrupt JSON', fp.rewriting(lambda body: body[:50] + b'\x00' + body[51:])),
        Fault('no body', fp.rewriting(lambda body: b'')),
        Fault('type text/html', fp.rewriting(lambda body: body, 'text/html')),
        Fault('corrupt gzip', fp.rewriting(lambda body: b'\x1f\x8b\x08' + body, headers=[('Content-Encoding', 'gzip')])),
        Fault('gzip without its end', fp.rewriting(lambda body: gzip.compress(body)[:-8], headers=[('Content-Encoding', 'gzip')])),
        Fault('300 MiB', fp.huge)],
    'Somebody else answers with 200': [
        Fault('a page of HTML', fp.not_forwarding(b'<html>Welcome to this hotel</html>', 'text/html')),
        Fault('{}', fp.not_forwarding(b'{}')),
        Fault('another object', fp.not_forwarding(json.dumps(
            {'apiVersion': 'v1', 'kind': 'ConfigMap', 'metadata': {'name': 'other', 'uid': 'x', 'resourceVersion': '1'}}).encode()))]}


class Case:
    """One operation with one fault, in the namespace of a worker."""

    def __init__(self, setup, number, fault, operation, space):
        self.judge, self.fault, self.operation, self.space = setup.judge, fault, operation, space
        self.name, self.failures = 'c%d' % number, []
        self.proxy = setup.http2 if fault.http2 else setup.alerting if fault.alerts else setup.http1

    def named(self, text):
        return text.replace('__NAME__', self.name)

    def run(self):
        """Returns done or told; `failures` has what went wrong."""
        operation, name = self.operation, self.name
        for end, image in operation.before.items():
            if image:
                self.judge.create(self.space.name, deployment(name + end, image), operation.by_apply)
        flags = [self.named(flag) for flag in (*operation.flags, *self.fault.flags)]
        manifest = self.space.write(name + '.json', deployment(name, 'v:2', operation.selector))
        if operation.plan:
            flags += ['--plan', name + '.plan']
            planned = self.space.smp('explain-diff', '-f', manifest, '--plan-out', name + '.plan', kubeconfig=self.proxy.kubeconfig)
            if planned.returncode != 1:
                self.failures.append('no plan: ' + planned.stderr)
        before = {end: self.find(end) for end in operation.after}
        result, rule = self.apply(manifest, flags)
        if result is None:
            return 'hang'
        if not rule.hits:
            self.failures.append('the fault had no request to harm')
        self.examine(result, before)
        if self.failures:
            self.failures.append(harness.said(result))
        return 'done' if result.returncode == 0 else 'told'

    def apply(self, manifest, flags):
        fault, operation = self.fault, self.operation
        path = self.named(operation.path)
        where = path if fault.http2 else '/namespaces/%s/.*(%s)' % (self.space.name, path)
        rule = self.proxy.add(operation.method, where, fault.act, fault.times, fault.early, operation.skip, fault.alerts)
        try:
            return self.space.smp('apply', '-f', manifest, *flags, kubeconfig=self.proxy.kubeconfig, timeout=SECONDS), rule
        except subprocess.TimeoutExpired:
            self.failures.append('still running after %d s' % SECONDS)
            return None, rule
        finally:
            self.proxy.alerts = rule.times = 0

    def find(self, end):
        return self.judge.find(self.space.name, self.name + end)

    def examine(self, result, before):
        wrong, operation = self.failures, self.operation
        live = {end: self.find(end) for end in operation.after}
        reached = all(image_of(live[end]) == image for end, image in operation.after.items())
        for end, wanted in operation.after.items():
            self.examine_history(end, before[end], live[end])
            if wanted and before[end] and not live[end] and not self.saved(result):
                wrong.append('%s is lost' % (self.name + end))
            if live[end] and before[end] and live[end]['metadata']['uid'] == before[end]['metadata']['uid']:
                annotations = live[end]['metadata']['annotations']
                if any(annotations.get(key) != value for key, value in KEPT.items()):
                    wrong.append('the annotation of somebody else is lost')
        if result.returncode not in (0, 1):
            wrong.append('exit status %d' % result.returncode)
        elif result.returncode == 0:
            self.examine_success(result, reached)
        else:
            self.examine_error(result, reached)

    def examine_history(self, end, before, live):
        """Each object is written once, at most."""
        events = self.judge.history(self.space.name, self.name + end, live)
        begun = (2 if self.operation.by_apply else 1) if before else 0
        allowed = [[]]
        if self.operation.after[end] is None:
            allowed.append(['DELETED'])
        elif before is None:
            allowed.append(['ADDED'])
        elif '--force' in self.operation.flags:
            allowed += [['DELETED'], ['DELETED', 'ADDED']]
        else:
            allowed.append(['MODIFIED'])
        if events[begun:] not in allowed:
            self.failures.append('%s was written more than once, or wrongly: %s' % (self.name + end, events))

    def saved(self, result):
        """The object is in a file that the error names."""
        found = re.search(r'saved in (\S+\.json)', result.stderr)
        return bool(found) and os.path.exists(found.group(1)) and json.load(open(found.group(1)))['metadata']['name'] == self.name

    def examine_success(self, result, reached):
        if not reached:
            self.failures.append('status 0, but the server does not have what was asked for')
        words = [line.rsplit(' ', 1)[-1] for line in result.stdout.splitlines()]
        if words != list(self.operation.words):
            self.failures.append('stdout says %s, wanted %s' % (words, self.operation.words))

    def examine_error(self, result, reached):
        if self.name not in result.stderr and 'Kind=Deployment' not in result.stderr:
            self.failures.append('the error names neither the object nor, of a list, the kind')
        unsure = re.search('may have|may still|not known', result.stderr)
        said = len(result.stdout.splitlines())
        if reached and not unsure and said < len(self.operation.words):
            self.failures.append('the server has what was asked for, and the error denies it')
        if re.search('has prevented', result.stderr) and reached:
            self.failures.append('"has prevented" is not true')


def image_of(live):
    return live['spec']['template']['spec']['containers'][0]['image'] if live else None


class Setup:
    def __init__(self, cl, check):
        self.cl, self.check, self.judge = cl, check, Judge(cl)
        self.http1, self.http2, self.alerting = fp.FaultProxy(cl), fp.StreamProxy(cl), fp.FaultProxy(cl)
        self.lines = []  # of the table

    @contextlib.contextmanager
    def row(self, title):
        """A line of the table for all checks of the with block."""
        before = len(self.check.failures)
        yield
        self.lines.append('  %-72s%s' % (title, 'done' if len(self.check.failures) == before else 'FAIL'))


# --- the table

def cases(setup):
    """Every fault with every operation: (fault, name of the operation, operation)."""
    every = [(fault, name, operation) for faults in FAULTS.values() for fault in faults
             for name, operations in OPERATIONS.items() for operation in operations]
    if LONG:
        every *= 5
        random.shuffle(every)
    return every


def table(s):
    outcomes, spaces, alone = collections.defaultdict(set), queue.Queue(), threading.Lock()
    for _ in range(WORKERS):
        spaces.put(harness.Space(s.cl, 'faults'))

    def one(number, fault, name, operation):
        space = spaces.get()
        case = Case(s, number, fault, operation, space)
        try:
            if fault.http2 or fault.alerts or fault.act is fp.huge:  # the last takes memory and time
                with alone:
                    outcome = case.run()
            else:
                outcome = case.run()
        finally:
            spaces.put(space)
        s.check('%s: %s' % (name, fault.name), '\n'.join(case.failures))
        outcomes[fault.name, name].add('FAIL' if case.failures else outcome)

    s.check.each([(i, *row) for i, row in enumerate(cases(s))], one, workers=WORKERS)
    s.lines += lines_of(outcomes)


def lines_of(outcomes):
    lines = [' ' * TITLE + ''.join('%-6s' % name for name in OPERATIONS)]
    for group, faults in FAULTS.items():
        lines.append(group)
        for fault in faults:
            cells = ['/'.join(sorted(outcomes[fault.name, name])) for name in OPERATIONS]
            lines.append(('  ' + fault.name).ljust(TITLE) + ''.join('%-6s' % cell for cell in cells))
    return lines


def in_readme(s):
    """The README has the table as it was printed: the same rows, with no outcome that it does not have. Which of several possible
    ones comes of a fault may depend on the moment."""
    lines = [line.rstrip() for line in s.lines]
    print('\n'.join(lines))
    with open(os.path.join(TOP, 'README.md'), encoding='utf-8') as f:
        readme = f.read().split('\n')
    start = readme.index(lines[0]) if lines[0] in readme else len(readme)
    for line, there in zip(lines, readme[start:] + [''] * len(lines)):
        s.check.true('the README has: ' + line, same_row(line, there) or LONG, there)


def same_row(line, there):
    """Two rows that differ at most in cells such as "done", which may be "done/told" in the second."""
    if line == there:
        return True
    cells, known = line[TITLE:].split(), there[TITLE:].split()
    return (line[:TITLE] == there[:TITLE] and len(cells) == len(known)
            and all(set(cell.split('/')) <= set(other.split('/')) for cell, other in zip(cells, known)))


# --- the server ends

class Plane:
    """A control plane that may be killed, without a proxy in front of it."""

    def __init__(self, setup):
        self.cl, self.dir = setup.cl, setup.cl.path('plane')

    def start(self, *flags):
        subprocess.run([os.path.join(TOP, 'tests/rig/start'), self.dir, *flags], check=True, capture_output=True)

    def kill(self):
        with open(os.path.join(self.dir, 'pid'), encoding='utf-8') as f:
            os.kill(int(f.read()), signal.SIGKILL)

    def kubeconfig(self):
        return os.path.join(self.dir, 'admin.kubeconfig')

    def argv(self, file):
        return self.cl.argv('smp', 'apply', '-f', file, kubeconfig=self.kubeconfig())

    def names(self):
        """The objects that the server has, read without either tool."""
        with open(os.path.join(self.dir, 'ready'), encoding='utf-8') as ready, open(os.path.join(self.dir, 'admin.token'), encoding='utf-8') as token:
            config = harness.proxy.kubeconfig_of({'server': ready.read().strip()}, {'token': token.read().strip()})
        listed = harness.proxy.Upstream(config).send('GET', '/api/v1/namespaces/default/configmaps?labelSelector=restart')
        return {item['metadata']['name'] for item in listed['items']}


def restart(s):
    """The server is killed in the middle of an apply of many objects. What was said to be created is there when it runs again."""
    objects = [{'apiVersion': 'v1', 'kind': 'ConfigMap', 'metadata': {'name': 'r%d' % i, 'labels': {'restart': 'x'}}} for i in range(1000)]
    file, plane = s.cl.write('restart.json', objects), Plane(s)
    s.lines.append('The server is killed')
    try:
        with s.row('in the middle of an apply of 1,000 objects, and started again'):
            killed_and_started(s, plane, file, {one['metadata']['name'] for one in objects})
    finally:
        subprocess.run([os.path.join(TOP, 'tests/rig/stop'), plane.dir], check=True)


def first_lines(process, count):
    """At least these lines. Past Python's buffer, as finish() does not see what is left in it."""
    out = b''
    while out.count(b'\n') < count and (more := os.read(process.stdout.fileno(), 65536)):
        out += more
    return out.decode()


def killed_and_started(s, plane, file, names):
    plane.start()
    process = s.cl.start(*plane.argv(file))
    first = first_lines(process, 50)
    plane.kill()
    result = finish(process, timeout=SECONDS)
    created = set(re.findall(r'configmap/(r\d+) created', first + result.stdout))
    s.check.true('killed: status 1 and an error', result.returncode == 1 and 'error: ' in result.stderr, harness.said(result))
    s.check.true('killed: not everything was created', len(created) < len(names), len(created))
    plane.start('--keep')
    there = plane.names()
    s.check.equal('started again: it has what was said to be created', created - there, set())
    # The same error of many objects is told once, and then counted.
    failed = int(re.search(r'(\d+) failed', result.stderr).group(1))
    told = not there - created or ('may have processed' in result.stderr and failed >= len(there - created))
    s.check.true('started again: of what it has besides, the errors said so', told, '%s\n%s' % (sorted(there - created), harness.said(result)))
    again = s.cl.run(*plane.argv(file))
    s.check.says('started again: apply', again)
    words = collections.Counter(line.rsplit(' ', 1)[-1] for line in again.stdout.splitlines())
    s.check.equal('started again: words', words, {'created': len(names - there), 'unchanged': len(there)})
    s.check.equal('started again: objects', plane.names(), names)


# --- many at once

class Crowd:
    """Objects that several write at the same time."""

    def __init__(self, setup, title, names):
        self.setup, self.check, self.title, self.names = setup, setup.check, title, names
        self.space = harness.Space(setup.cl, 'crowd')

    def live(self, name):
        return self.setup.judge.find(self.space.name, name)

    def manifests(self, key, make):
        return self.space.write(key + '.json', [make(name) for name in self.names])

    def all_at_once(self, commands):
        """Runs (tool, arguments…) at the same time; all must succeed. Returns the results."""
        with concurrent.futures.ThreadPoolExecutor(len(commands)) as pool:
            results = list(pool.map(lambda command: self.space.by(*command), commands))
        for command, result in zip(commands, results):
            self.check.says('%s: %s' % (self.title, ' '.join(command[:2])), result)
        return results


def same_manifests(s, count):
    """Several apply the same: each object is created once, and one of them says so."""
    crowd = Crowd(s, '%d appliers of the same' % count, ['same-%d' % i for i in range(5)])
    file = crowd.manifests('same', lambda name: deployment(name, 'v:1'))
    results = crowd.all_at_once([('smp', 'apply', '-f', file)] * count)
    for name in crowd.names:
        live = crowd.live(name)
        events = s.judge.history(crowd.space.name, name, live)
        s.check.equal('%s: history of %s' % (crowd.title, name), (events.count('ADDED'), live['metadata']['generation']), (1, 1))
        line = 'deployment.apps/%s created\n' % name
        s.check.equal('%s: who created %s' % (crowd.title, name), sum(line in result.stdout for result in results), 1)


def whole_manifests(s, count):
    """Each states other values for the same fields: all values that an object has in the end are of one of them."""
    crowd = Crowd(s, '%d appliers of other values' % count, ['whole-%d' % i for i in range(5)])
    crowd.all_at_once([('smp', 'apply', '-f', crowd.manifests('before', lambda name: deployment(name, 'v:0', by='nobody')))])
    files = [crowd.manifests('whole-%d' % i, lambda name, i=i: deployment(name, 'v:%d' % (i + 1), by=str(i + 1))) for i in range(count)]
    crowd.all_at_once([('smp', 'apply', '-f', file) for file in files])
    for name in crowd.names:
        live = crowd.live(name)
        annotations = live['metadata']['annotations']
        record = json.loads(annotations['kubectl.kubernetes.io/last-applied-configuration'])
        values = {image_of(live), 'v:' + annotations['by'], image_of(record), 'v:' + record['metadata']['annotations']['by']}
        s.check.equal('%s: %s is of one' % (crowd.title, name), len(values), 1)


def own_fields(s, count):
    """Each owns an annotation, by smp or kubectl, client-side or server-side: in the end all are there."""
    crowd = Crowd(s, '%d appliers of their own fields' % count, ['own-%d' % i for i in range(3)])
    crowd.all_at_once([('smp', 'apply', '-f', crowd.manifests('base', lambda name: deployment(name, 'v:0')))])

    def field(number):
        return lambda name: {'apiVersion': 'apps/v1', 'kind': 'Deployment',
                             'metadata': {'name': name, 'annotations': {'owner-%d' % number: 'said'}}}
    commands = [('smp', 'apply', '-f', crowd.manifests('base-1', lambda name: deployment(name, 'v:1')))]
    for i in range(count):
        file = crowd.manifests('own-%d' % i, field(i))
        commands.append((('smp', 'kubectl')[i % 2], 'apply', '-f', file, '--server-side', '--field-manager', 'owner-%d' % i))
    crowd.all_at_once(commands)
    for name in crowd.names:
        live = crowd.live(name)
        said = {key for key, value in live['metadata']['annotations'].items() if value == 'said'}
        s.check.equal('%s: annotations of %s' % (crowd.title, name), said, {'owner-%d' % i for i in range(count)})
        s.check.equal('%s: image of %s' % (crowd.title, name), image_of(live), 'v:1')


class Controller:
    """Writes the status of objects all the time."""

    def __init__(self, setup, space, names):
        self.judge, self.space, self.names, self.count, self.ended = setup.judge, space, names, 0, False
        self.thread = threading.Thread(target=self._run)
        self.thread.start()

    def _run(self):
        while not self.ended:
            for name in self.names:
                self.count += 1
                path = '/apis/apps/v1/namespaces/%s/deployments/%s/status?fieldManager=controller' % (self.space.name, name)
                self.judge.upstream.send('PATCH', path, {'status': {'observedGeneration': self.count}}, 'application/merge-patch+json')

    def end(self):
        self.ended = True
        self.thread.join()


def busy_controller(s, applies):
    """While a controller writes the status, applies of all kinds come through, and the status stays the controller's."""
    crowd = Crowd(s, 'a controller writes status', ['busy-%d' % i for i in range(2)])
    crowd.all_at_once([('smp', 'apply', '-f', crowd.manifests('busy', lambda name: deployment(name, 'v:0')))])
    controller = Controller(s, crowd.space, crowd.names)
    try:
        for i in range(1, applies + 1):
            file = crowd.manifests('busy', lambda name, i=i: deployment(name, 'v:%d' % i))
            flags = []
            if i % 3 == 0:
                flags = ['--plan', 'busy-%d.plan' % i]
                s.check.says('a controller writes status: plan', crowd.space.smp('explain-diff', '-f', file, '--plan-out', flags[1]), 1)
            tool = 'kubectl' if i % 5 == 0 else 'smp'
            s.check.says('a controller writes status: apply %d' % i, crowd.space.by(tool, 'apply', '-f', file, *flags), has=['configured'])
            for name in crowd.names:
                s.check.equal('a controller writes status: image of ' + name, image_of(crowd.live(name)), 'v:%d' % i)
    finally:
        controller.end()
    counts = sorted(crowd.live(name)['status']['observedGeneration'] for name in crowd.names)
    s.check.equal('a controller writes status: its last words', counts, [controller.count - 1, controller.count])


def many_at_once(s):
    s.lines.append('Many at once')
    for title, story in {'2 and 10 applies of the same manifests': same_manifests,
                         '2 and 10 applies with other values of the same fields': whole_manifests,
                         'kubectl and smp, 2 and 10 server-side applies of fields of their own': own_fields}.items():
        with s.row(title):
            for count in (2, 10) * (5 if LONG else 1):
                story(s, count)
    with s.row('a controller that writes status all the time; kubectl and smp in turn'):
        busy_controller(s, 50 if LONG else 10)


# --- this machine fails

class Place:
    """One configuration of an object, applied under circumstances of this machine's."""

    def __init__(self, setup):
        self.setup, self.check, self.space = setup, setup.check, harness.Space(setup.cl, 'place')
        self.count = 0

    def fresh(self):
        """The name of a deployment that exists, and the file with its next manifest."""
        self.count += 1
        name = 'p%d' % self.count
        self.setup.judge.create(self.space.name, deployment(name, 'v:1'))
        return name, self.space.write(name + '.json', deployment(name, 'v:2'))

    def image(self, name):
        return image_of(self.setup.judge.find(self.space.name, name))

    def applies(self, title, prefix=(), **env):
        """An apply goes on as if nothing was wrong."""
        name, file = self.fresh()
        result = self.space.run(*prefix, *self.space.argv('smp', 'apply', '-f', file), **env)
        self.check.says(title, result, out='deployment.apps/%s configured\n' % name, err='')
        self.check.equal(title + ': image', self.image(name), 'v:2')

    def folder(self, name, mode=0o700):
        path = self.space.path(name)
        os.makedirs(path, mode)
        return path


NO_FILE_GROWS = ('bash', '-c', 'ulimit -f 0; exec "$@"', 'bash')


def this_machine(s):
    s.lines.append('This machine')
    place = Place(s)
    with s.row('HOME is missing, or does not exist'):
        place.applies('HOME is missing', ('env', '-u', 'HOME', '-u', 'KUBECACHEDIR'))
        place.applies('HOME does not exist', HOME=os.path.join(s.cl.path('no'), 'home'), KUBECACHEDIR='')
    with s.row('the cache folder is a file, a link, read-only, or open to others'):
        wrong_folders(s, place)
    with s.row('files of the cache are folders, pipes, links, empty, or of somebody else'):
        damaged_files(s, place)
    with s.row('no file may grow (ulimit -f 0)'):
        place.applies('no file may grow', NO_FILE_GROWS, KUBECACHEDIR=place.folder('cannot-grow'))
    with s.row('the disk is full or read-only: cache, plan, --force, standard output'):
        full_disk(s, place)
    with s.row('standard output, or all standard streams, are closed'):
        closed_streams(s, place)


def wrong_folders(s, place):
    place.applies('cache: a file in its place', KUBECACHEDIR=place.space.path(place.space.write('a-file', 'mine')))
    s.check.equal('cache: the file is as it was', place.space.read('a-file'), 'mine')
    place.applies('cache: /proc', KUBECACHEDIR='/proc')
    hostile, elsewhere = place.folder('hostile'), place.folder('elsewhere')
    os.symlink(elsewhere, os.path.join(hostile, 'smp'))
    place.applies('cache: smp is a link', KUBECACHEDIR=hostile)
    s.check.equal('cache: nothing is written where the link leads', os.listdir(elsewhere), [])
    shared = os.path.join(place.folder('shared'), 'smp')
    os.mkdir(shared)
    os.chmod(shared, 0o777)
    place.applies('cache: others may write it', KUBECACHEDIR=os.path.dirname(shared))
    s.check.equal('cache: nothing is written where others may', os.listdir(shared), [])


def damaged_files(s, place):
    """Each file of a good cache in turn is something else."""
    cache = place.folder('cache')
    place.applies('cache: made', KUBECACHEDIR=cache)
    files = [os.path.join(folder, name) for folder, _, names in os.walk(cache) for name in names]
    s.check.true('cache: it has files', files, cache)
    secret = place.space.path(place.space.write('private', 'not for the cache'))
    for name, damage in {'a folder': os.mkdir, 'a pipe': os.mkfifo, 'a link': lambda path: os.symlink(secret, path),
                         'empty': lambda path: open(path, 'w').close(), 'foreign': lambda path: os.link(secret, path)}.items():
        for path in files:
            if os.path.isdir(path) and not os.path.islink(path):
                os.rmdir(path)
            else:
                os.unlink(path)
            damage(path)
        place.applies('cache: files are ' + name, KUBECACHEDIR=cache)
        s.check.equal('cache: %s: the other file is as it was' % name, place.space.read('private'), 'not for the cache')
        for path in files:
            if not os.path.lexists(path):
                open(path, 'w').close()


def full_disk(s, place):
    """A small file system without room, if this user may mount one, else a limit on the size of files."""
    full = place.folder('full')
    mounted = subprocess.run(['mount', '-t', 'tmpfs', '-o', 'size=64k', 'tmpfs', full], capture_output=True, check=False).returncode == 0
    try:
        if mounted:
            os.mkdir(os.path.join(full, 'cache'), 0o700)
            with open(os.path.join(full, 'filler'), 'wb', buffering=0) as f:
                while fill(f):
                    pass
        full_disk_stories(s, place, full, () if mounted else NO_FILE_GROWS)
        if mounted:
            subprocess.run(['mount', '-o', 'remount,ro', full], check=True)
            place.applies('cache on a read-only disk', KUBECACHEDIR=os.path.join(full, 'cache'))
            refuses_force(s, place, full, (), 'a read-only disk')
    finally:
        if mounted:
            subprocess.run(['umount', full], check=True)


def fill(file):
    try:
        return file.write(b'x' * 4096)
    except OSError:
        return 0


def full_disk_stories(s, place, full, prefix):
    place.applies('cache on a full disk', prefix, KUBECACHEDIR=os.path.join(full, 'cache'))
    refuses_force(s, place, full, prefix, 'a full disk')
    name, file = place.fresh()
    plan = os.path.join(full, 'plan')
    result = place.space.run(*prefix, *place.space.argv('smp', 'explain-diff', '-f', file, '--plan-out', plan))
    s.check.says('plan to a full disk', result, 2, err=[plan])
    s.check('plan to a full disk: no part of it is left', os.path.exists(plan))
    with open('/dev/full', 'w') as nowhere:
        process = subprocess.run(place.space.argv('smp', 'apply', '-f', file), cwd=place.space.dir, env=place.space.env(), stdout=nowhere,
                                 stderr=subprocess.PIPE, encoding='utf-8', check=False)
    s.check.true('stdout to a full disk', process.returncode == 1 and 'cannot write the output' in process.stderr, process)
    s.check.equal('stdout to a full disk: image', place.image(name), 'v:2')


def closed_streams(s, place):
    for title, redirect in {'stdout is closed': '>&-', 'all streams are closed': '<&- >&- 2>&-'}.items():
        name, file = place.fresh()
        result = place.space.run('bash', '-c', '"$@" ' + redirect, 'bash', *place.space.argv('smp', 'apply', '-f', file))
        s.check.says(title, result)
        s.check.equal(title + ': image', place.image(name), 'v:2')


def refuses_force(s, place, folder, prefix, where):
    """Where the old object cannot be saved, nothing is deleted."""
    name, _ = place.fresh()
    file = place.space.write(name + '.json', deployment(name, 'v:2', 'b'))
    argv = place.space.argv('smp', 'apply', '--force', '-f', os.path.join(place.space.dir, file))
    result = place.space.run('env', '-C', folder, *prefix, *argv, XDG_STATE_HOME=folder, TMPDIR=folder)
    s.check.says('--force, ' + where, result, 1, err=[name, 'nothing was deleted', 'XDG_STATE_HOME'])
    s.check.equal('--force, %s: image' % where, place.image(name), 'v:1')


if __name__ == '__main__':
    sys.exit(harness.run(__doc__, table, restart, many_at_once, this_machine, in_readme, fixture=Setup))
