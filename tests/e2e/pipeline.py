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
    expect('everything in one run', 'apply', 'created', ['6 created in '])
    expect('and again', 'apply', 'unchanged', ['6 unchanged in '])
    must(cl.kubectl('delete', 'crd', 'widgets.' + group))
    must(cl.kubectl('delete', 'namespace', namespace, '--wait=false'))


def input_order(cl, check):
    """--order=input does as kubectl, but retries what a later object cures."""
    space = Space(cl, 'input')
    group = space.name + '.example.com'
    check.says('a kind that is defined after its object', space.apply([WIDGET, WIDGETS], '--order=input'),
               out='widget.%s/w created\ncustomresourcedefinition.apiextensions.k8s.io/widgets.%s created\n' % (group, group), lacks=['error', 'Warning'])
    must(cl.kubectl('delete', 'crd', 'widgets.' + group))


def node_port_that_moves(cl, check):
    """A new Service takes the node port that another one of the input gives up after it: kubectl fails, and has to run again."""
    space = Space(cl, 'ports')
    def service(name, **spec):
        return of('v1', 'Service', name, spec={'selector': {'app': 'web'}, 'ports': [{'port': 80, **spec}], 'type': 'NodePort' if spec else 'ClusterIP'})
    must(space.apply(service('web', nodePort=31207)))
    moved = [service('external', nodePort=31207), service('web')]
    check.says('explain-diff', space.explain(moved), 1, has=['1 to create', '1 to change', 'loses a way in from outside the cluster: Service %s/web' % space.name], lacks=['refused'])
    check.says('kubectl', space.apply(moved, tool='kubectl'), 1, err=['provided port is already allocated'])
    must(space.kubectl('patch', 'service', 'web', '--type=merge', '-p', '{"spec": {"type": "NodePort", "ports": [{"port": 80, "nodePort": 31207}]}}'))
    check.says('ours', space.apply(moved, '--order=input'), out='service/external created\nservice/web configured\n')

    # From one to the next, where the last one has to go first.
    names = ['a', 'b', 'c', 'd']
    must(space.apply([service(name, nodePort=31211 + i) for i, name in enumerate(names)]))
    passed_on = [service(name, nodePort=31212 + i) for i, name in enumerate(names)]
    check.says('a chain', space.apply(passed_on, '--order=input', '--parallel=1'), 0, lacks=['error'])
    check.equal('all have theirs', [space.get('service', name)['spec']['ports'][0]['nodePort'] for name in names], [31212, 31213, 31214, 31215])
    must(space.kubectl('delete', 'service', '--all'))


def kinds_of_the_input(cl, check):
    """Only objects of a kind that the input brings wait for it."""
    space = Space(cl, 'brings')
    group = space.name + '.example.com'
    crd = 'customresourcedefinition.apiextensions.k8s.io/%s.' + group
    with cl.proxy() as proxy:
        must(space.apply([WIDGETS, config_map('c', a='1')], kubeconfig=proxy.kubeconfig))
    check('nothing waits for a CRD without objects', [r for r in proxy.requests() if '/apis/' + group in r])
    newer = json.loads(json.dumps(WIDGETS))
    first = newer['spec']['versions'][0]
    newer['spec']['versions'] = [{**first, 'storage': False}, {**first, 'name': 'v2'}]
    widget = {**WIDGET, 'apiVersion': '__NS__.example.com/v2'}
    must(space.apply(WIDGET))
    bigger = {**widget, 'spec': {'size': 2}}
    report = json.loads(space.explain([bigger, newer], '-o', 'json').stdout)['objects'][0]
    check.holds('explain-diff reads it in a version that is served', report,
                {'action': 'change', 'changes[0].path': 'spec.size', 'changes[0].live': 1})
    check.has('a dry run does, too', space.apply([bigger, newer], '--dry-run=server').stdout,
              'widget.%s/w configured (server dry run)' % group)
    must(cl.kubectl('delete', 'widgets.v1.' + group, 'w', '-n', space.name))
    check.says('an object of a version that the CRD gets in the same run', space.apply([widget, newer]), lacks=['error', 'Warning'],
               out='widget.%s/w created\n%s configured\n' % (group, crd % 'widgets'))
    taken = definition(names={'plural': 'gadgets'})
    taken['metadata']['name'] = 'gadgets.__NS__.example.com'
    check.says('a CRD whose names are taken costs nothing but its objects',
               space.apply([taken, {**widget, 'apiVersion': '__NS__.example.com/v3'}, config_map('c', a='2')]), 1,
               out='%s created\nconfigmap/c configured\n' % (crd % 'gadgets'), err=['widget'])
    for name in 'widgets', 'gadgets':
        must(cl.kubectl('delete', 'crd', '%s.%s' % (name, group)))


def one_object_twice(cl, check):
    space = Space(cl, 'twice')
    other, copies = config_map('other', a='1'), [config_map('c', a=str(i)) for i in range(3)]
    check.says('unequal copies are an error of that object', space.apply([*copies, other]), 1, out='configmap/other created\n',
               err=['m.json:', 'configmap/c is also in m.json:', 'with other content; remove all but one of them, or use --duplicates=last\n'])
    check.says('in explain-diff, too', space.explain([*copies, other]), 2, err=['configmap/c is also in m.json:'])
    check.says('--duplicates=last', space.apply([*copies, other], '--duplicates=last'), out='configmap/c created\nconfigmap/other unchanged\n',
               err=['Warning: configmap/c is in m.json:', ': the last one counts\n'])
    check.equal('stores the last', space.get('configmap', 'c')['data'], {'a': '2'})
    stated = config_map('c', {'namespace': space.name}, a='2')
    check.says('equal copies are one object', space.apply([copies[2], stated]), out='configmap/c unchanged\n',
               err=['Warning: configmap/c is in m.json:', ', with the same content: one of them counts\n'])
    check.says('objects of other namespaces and kinds are others', space.explain([copies[2], secret('c')]), 1, err='')
    must(space.apply(copies, '--compat=kubectl'))
    check.equal('--compat=kubectl applies them in turn', space.get('configmap', 'c')['data'], {'a': '2'})


QUOTED = """apiVersion: batch/v1
kind: Job
metadata: {name: job}
spec: {template: {spec: {restartPolicy: Never, containers: [{name: c, image: IMAGE, env: [{name: A, value: "IMAGE"}]}]}}}
---
apiVersion: v1
kind: Pod
metadata: {name: pod}
spec: {containers: [{name: c, image: i, env: [{name: A, value: "IMAGE"}]}]}
"""


def quotes(cl, check):
    """The server quotes whole objects: the field, the cause and the beginning of a value are left, in apply and in explain-diff."""
    space = Space(cl, 'quotes')
    must(space.smp('apply', '-f', space.write('q.yaml', QUOTED.replace('IMAGE', 'one'))))
    space.write('q.yaml', QUOTED.replace('IMAGE', 'two'))
    for args, status in ((('apply',), 1), (('explain-diff', '--ask-server'), 2)):
        result = space.smp(*args, '-f', 'q.yaml')
        check.says('%s says what is immutable' % args[0], result, status, has=['spec.template: Invalid value: {"labels":', '…: field is immutable'], lacks=['ServiceAccountName'])
        check.says('%s says what differs' % args[0], result, status, has=['pod updates may not change fields', '\n  - "Value": "one",\n  + "Value": "two",\n'], lacks=['@@'])
        check.true('%s is brief' % args[0], max(map(len, result.stderr.split('\n'))) < 500, result.stderr)
    result = space.smp('apply', '-f', 'q.yaml', '--compat=kubectl')
    check.says('--compat=kubectl says it all', result, 1, has=['ServiceAccountName', '@@'])


KINDS = """apiVersion: v1
kind: ConfigMap
metadata: {name: first}
---
apiVersion: v1
kind: ConfigMap
metadata: {name: open
---
apiVersion: v1
kind: ConfigMap
metadata: {name: twice}
data: {}
data: {}
---
apiVersion: apps/v1
kind: Deploymnt
metadata: {name: x}
---
apiVersion: app/v1
kind: Deployment
metadata: {name: x}
---
apiVersion: nowhere.example.com/v1
kind: Unheard
metadata: {name: x}
---
apiVersion: kustomize.config.k8s.io/v1beta1
kind: Kustomization
---
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: wrong.example.com}
spec: {group: broken.example.com, scope: Namespaced, names: {plural: gears, kind: Gear}, versions: [{name: v1, served: true, storage: true, schema: {openAPIV3Schema: {type: object}}}]}
---
apiVersion: broken.example.com/v1
kind: Gear
metadata: {name: x}
---
apiVersion: v1
kind: ConfigMap
metadata: {name: last}
"""


def unknown_kinds(cl, check):
    """What cannot be read or is of an unknown kind costs that object only, and the error says what was meant."""
    space = Space(cl, 'unknown')
    space.write('all.yaml', KINDS)
    result = space.smp('apply', '-f', 'all.yaml')
    check.says('mistakes cost their objects only', result, 1, out='configmap/first created\nconfigmap/last created\n', err=[
        'all.yaml:8: this is not valid YAML', 'all.yaml:13: configmap/twice: duplicate key "data"', 'did you mean "Deployment"?', 'Deployment is in apps/v1',
        'no matches for kind "Unheard" in version "nowhere.example.com/v1"\nensure CRDs are installed first', 'pass its directory to -k instead of -f',
        'its definition failed above: customresourcedefinition.apiextensions.k8s.io/wrong.example.com', '2 created, 8 failed in '])
    check.says('explain-diff says what was meant, too', space.smp('explain-diff', '-f', 'all.yaml'), 2, err=['did you mean "Deployment"?', 'Deployment is in apps/v1'])
    check.says('--compat=kubectl says what kubectl says', space.smp('apply', '-f', 'all.yaml', '--compat=kubectl'), 1, lacks=['did you mean', 'is in apps/v1', 'failed above'])


def failures(cl, check):
    """The failure of one object stops no other; many objects end with a summary."""
    space, many = Space(cl, 'fails'), maps(12, a='1')
    many[3]['metadata']['name'] = 'Not_A_Name'
    many[7]['data'] = {'bad key': '1'}
    result = space.apply(many)
    check.says('some of many fail', result, 1, err=['10 created, 2 failed in ', '\nfailed: configmap/Not_A_Name (', 'configmap/c-07', '\nfix ', ', then run the same command again\n'],
               out=''.join('configmap/c-%02d created\n' % i for i in range(12) if i not in (3, 7)))
    check.equal('each error is printed once', result.stderr.count('data[bad key]'), 1)
    check.says('-o changed: nothing of what is unchanged', space.apply(many, '-o', 'changed'), 1, out='', err=['10 unchanged, 2 failed in '])
    check.says('-o name ends with a summary only after failures', space.apply(many[:3], '-o', 'name'), 0, err='')
    check.says('--compat=kubectl has no summary', space.apply(many[:3], '--compat=kubectl'), 0, err='')
    must(space.kubectl('create', 'configmap', 'bare-a'))
    must(space.kubectl('create', 'configmap', 'bare-b'))
    check.says('an advice is given once', space.apply([config_map('bare-a', a='1'), config_map('bare-b', a='1')]), 0, err=['resources configmaps/bare-'],
               lacks=['resource configmaps/'])
    check.says('server-side', space.apply(config_map('ssa', a='1'), '--server-side'), 0, out='configmap/ssa serverside-applied\n')
    check.says('server-side again', space.apply(config_map('ssa', a='1'), '--server-side'), 0, out='configmap/ssa unchanged\n')
    check.says('server-side again, dry run', space.apply(config_map('ssa', a='1'), '--server-side', '--dry-run=server'), 0,
               out='configmap/ssa unchanged (server dry run)\n')
    check.says('server-side, a change', space.apply(config_map('ssa', a='2'), '--server-side'), 0, out='configmap/ssa serverside-applied\n')
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
    check.says('--openapi-patch=false', result, out='configmap/c configured\nwidget.%s.example.com/w unchanged\n' % space.name, lacks=['error', 'Warning'])
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
    check.has('why it does not end at once', result.stderr, 'interrupted: waiting for the requests in flight; again to exit at once\n')
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
    kept = [k for k in kept if k]
    check.equal('and no progress stays on the screen', kept[:-1], ['configmap/c-%02d created' % i for i in range(30)])
    check.true('but the summary does', re.fullmatch(r'30 created in \d+(\.\d)? m?s', kept[-1]), kept[-1])
    check.has('a pipe gets none of it', space.apply(maps(30), '--qps', '100').stderr, lacks=['\x1b'])


if __name__ == '__main__':
    sys.exit(harness.run(__doc__, order_of_an_input, input_order, node_port_that_moves, kinds_of_the_input, one_object_twice, failures, quotes, unknown_kinds, requests, built_in_schema, pace, interrupted,
                         an_object_that_is_being_deleted, progress))
