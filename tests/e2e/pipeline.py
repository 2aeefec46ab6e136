#!/usr/bin/env python3
"""Whole inputs: the order in which they are applied, what is said of them, how they are interrupted."""
import json
import os
import re
import signal
import sys
import time

import harness
from harness import Space, must
from harness.cluster import finish
from harness.manifests import config_map, custom, definition, of, secret
from harness.terminal import Terminal

RBAC = 'rbac.authorization.k8s.io'
WIDGET, WIDGETS = custom(size=1), definition()


def maps(count, **data):
    return [config_map('c-%02d' % i, **data) for i in range(count)]


def order_of_an_input(cl, check):
    """What others need comes first, lines come in input order, in one run."""
    space = Space(cl, 'waves')
    group, namespace = space.name + '.example.com', space.name + '-new'
    inside = {'namespace': namespace}
    binding = of(RBAC + '/v1', 'RoleBinding', 'b', inside, roleRef={'apiGroup': RBAC, 'kind': 'Role', 'name': 'r'},
                 subjects=[{'kind': 'ServiceAccount', 'name': 'default', 'namespace': namespace}])
    role = of(RBAC + '/v1', 'Role', 'r', inside, rules=[{'apiGroups': [''], 'resources': ['pods'], 'verbs': ['get']}])
    cl.write('whole.json', [space.named(o) for o in (
        WIDGET, binding, role, config_map('c', inside, a='1'), WIDGETS, of('v1', 'Namespace', namespace))])
    labels = ['widget.%s/w' % group, 'rolebinding.%s/b' % RBAC, 'role.%s/r' % RBAC, 'configmap/c',
              'customresourcedefinition.apiextensions.k8s.io/widgets.' + group, 'namespace/' + namespace]

    def expect(name, flags, word=None, err=None):
        out = ''.join('%s %s\n' % (label, word) for label in labels) if word else None
        check.says(name, cl.smp(*flags.split(), '-f', 'whole.json'), out=out, err=err)
    expect('explain-diff of kinds and namespaces to come', 'explain-diff --exit-code=never')
    expect('server dry run of kinds and namespaces to come', 'apply --dry-run=server', 'created (server dry run)',
           ['widget.%s/w: not checked by the server: its CRD is in the same input' % group,
            'configmap/c: not checked by the server: its namespace is in the same input'])
    expect('client dry run of kinds to come', 'apply --dry-run=client', 'created (dry run)')
    expect('everything in one run', 'apply', 'created', '')
    expect('and again', 'apply', 'unchanged', '')
    must(cl.kubectl('delete', 'crd', 'widgets.' + group))
    must(cl.kubectl('delete', 'namespace', namespace, '--wait=false'))


def input_order(cl, check):
    """--order=input does as kubectl, but retries what a later object cures."""
    space = Space(cl, 'input')
    group = space.name + '.example.com'
    check.says('a kind that is defined after its object', space.apply([WIDGET, WIDGETS], '--order=input'),
               out='widget.%s/w created\ncustomresourcedefinition.apiextensions.k8s.io/widgets.%s created\n' % (group, group), err='')
    must(cl.kubectl('delete', 'crd', 'widgets.' + group))


def one_object_twice(cl, check):
    space = Space(cl, 'twice')
    must(space.apply([config_map('c', a=str(i)) for i in range(30)]))
    check.equal('the last of several manifests of one object wins', space.get('configmap', 'c')['data'], {'a': '29'})


def failures(cl, check):
    """The failure of one object stops no other; many objects end with a summary."""
    space, many = Space(cl, 'fails'), maps(12, a='1')
    many[3]['metadata']['name'] = 'Not_A_Name'
    many[7]['data'] = {'bad key': '1'}
    result = space.apply(many)
    check.says('some of many fail', result, 1, err=['\n2 of 12 objects failed:\n'],
               out=''.join('configmap/c-%02d created\n' % i for i in range(12) if i not in (3, 7)))
    check.true('each error is printed, and again at the end', result.stderr.count('bad key') >= 2, result.stderr)
    report = json.loads(space.apply(many, '-o', 'result-json').stdout)
    check.equal('result-json: actions', [o['action'] for o in report['objects']].count('unchanged'), 10)
    check.equal('result-json: the summary', report['summary'], {
        'created': 0, 'configured': 0, 'recreated': 0, 'serverside-applied': 0, 'unchanged': 10, 'failed': 2, 'not-tried': 0})
    check.holds('result-json: the error', report, {'objects[7].error.code': 'server', 'objects[7].error.reason': 'Invalid'})
    report = json.loads(space.apply(config_map('c-00', a='2'), '-o', 'result-json').stdout)
    check.holds('result-json: why', report['objects'][0], {
        'action': 'configured', 'lastAppliedOnly': None, 'reasons': ['changed'], 'tries': 1})


def requests(cl, check):
    """Many objects of a kind are read by LIST, Secrets and few objects one by one."""
    space = Space(cl, 'lists')
    with cl.proxy() as proxy:
        space.explain(maps(25) + [secret('s-%02d' % i) for i in range(25)], kubeconfig=proxy.kubeconfig)
    sent = proxy.requests()
    check.equal('25 config maps take one request', len([r for r in sent if 'configmaps' in r]), 1)
    check.equal('25 Secrets take 25', len([r for r in sent if '/secrets/s-' in r]), 25)
    check('and no LIST', [r for r in sent if r.split('?')[0].endswith('/secrets')])


def built_in_schema(cl, check):
    """--openapi-patch=false: the server's documents are not requested."""
    space = Space(cl, 'builtin')
    must(space.apply([config_map('c', a='1'), WIDGETS, WIDGET]))
    with cl.proxy() as proxy:
        result = space.apply([config_map('c', a='2'), WIDGET], '--openapi-patch=false', kubeconfig=proxy.kubeconfig)
    check.says('--openapi-patch=false', result, out='configmap/c configured\nwidget.%s.example.com/w unchanged\n' % space.name, err='')
    check('asks for no OpenAPI document', [r for r in proxy.requests() if 'openapi' in r])
    must(cl.kubectl('delete', 'crd', 'widgets.%s.example.com' % space.name))


def pace(cl, check):
    space, begin = Space(cl, 'pace'), time.monotonic()
    must(space.apply(maps(5), '--qps', '8', '--parallel', '1'))
    seconds = time.monotonic() - begin
    check.true('--qps slows down', seconds >= 1, '%.1f s' % seconds)  # 11 requests or more
    for flag, words in (('--parallel=0', '--parallel must be a number from 1 to 100, not 0'),
                        ('--qps=fast', '--qps must be a number greater than 0, not "fast"')):
        check.says(flag, space.apply(maps(5), flag), 1, out='', err=[words])


def interrupted(cl, check):
    """Ctrl-C: requests in flight end, the rest is named, exit status 130. Also when a wrapper such as timeout(1) passes the signal on to
    the program and to its process group."""
    space = Space(cl, 'stop')
    objects = [config_map('c-%03d' % i) for i in range(200)]
    process = space.start(*space.argv('smp', 'apply', '-f', space.write('m.json', objects), '--qps', '20'))
    first = os.read(process.stdout.fileno(), 1 << 16).decode()  # readline() would keep the rest of what it read from finish()
    for _ in range(2):
        process.send_signal(signal.SIGINT)
    result = finish(process)
    created = (first + result.stdout).count(' created\n')
    there = len(space.get('configmaps')['items'])
    found = re.search(r'interrupted: (\d+) of 200 objects were tried; these were not:', result.stderr)
    check.says('Ctrl-C: exit status 130', result, 130)
    check.true('Ctrl-C: what it reports as created exists', created == there and 0 < created < 200, (created, there))
    check.true('Ctrl-C: says what was not tried', found and int(found.group(1)) == created and
               ('  configmap/c-199' in result.stderr or 'more\n' in result.stderr), result.stderr)


def an_object_that_is_being_deleted(cl, check):
    space = Space(cl, 'going')
    held, edited = (config_map('c', {'finalizers': ['example.com/hold']}, a=value) for value in '12')
    must(space.apply(held))
    must(space.kubectl('delete', 'configmap', 'c', '--wait=false'))
    words = 'Warning: Detected changes to resource c which is currently being deleted.\n'
    check.has('kubectl warns', space.apply(held, tool='kubectl').stderr, words)
    check.says('an unchanged object that is being deleted', space.apply(held), out='configmap/c unchanged\n', err=[words])
    check.has('explain-diff says it, and what holds it', space.explain(edited).stdout,
              'is being deleted; applied changes will be lost (it has finalizer example.com/hold)')
    check.says('a changed object that is being deleted', space.apply(edited), out='configmap/c configured\n', err=[words])
    space.patch('configmap c', {'metadata': {'finalizers': None}})


def progress(cl, check):
    space = Space(cl, 'live')
    terminal = Terminal(space, space.argv('smp', 'apply', '-f', space.write('m.json', maps(30)), '--qps', '40', '--parallel', '2'))
    terminal.finish()
    shown = terminal.text
    check.true('a terminal shows progress', re.search(r'\r\x1b\[K\d+/30, \d+/s, step 1 of 1', shown), shown)
    # What stays on the screen: each line without what was overwritten.
    kept = [line.split('\x1b[K')[-1].strip() for line in shown.split('\n')]
    check.equal('and no progress stays on the screen', [k for k in kept if k], ['configmap/c-%02d created' % i for i in range(30)])
    check.has('a pipe gets none of it', space.apply(maps(30), '--qps', '100').stderr, lacks=['\x1b'])


if __name__ == '__main__':
    sys.exit(harness.run(__doc__, order_of_an_input, input_order, one_object_twice, failures, requests, built_in_schema, pace, interrupted,
                         an_object_that_is_being_deleted, progress))
