#!/usr/bin/env python3
"""Whole inputs: the order in which they are applied, what is said of them, how they are interrupted."""
import json
import os
import pty
import re
import select
import signal
import subprocess
import sys
import time

import cluster
import get_only
import run as scenarios  # scenarios/run.py: its proxy


def config_map(name, namespace=None, **data):
    metadata = {'name': name, **({'namespace': namespace} if namespace else {})}
    return {'apiVersion': 'v1', 'kind': 'ConfigMap', 'metadata': metadata, 'data': data}


def stream(*objects):
    return '\n---\n'.join(json.dumps(o) for o in objects)


def definition(group):
    return {'apiVersion': 'apiextensions.k8s.io/v1', 'kind': 'CustomResourceDefinition', 'metadata': {'name': 'widgets.' + group},
            'spec': {'group': group, 'scope': 'Namespaced', 'names': {'kind': 'Widget', 'plural': 'widgets'},
                     'versions': [{'name': 'v1', 'served': True, 'storage': True,
                                   'schema': {'openAPIV3Schema': {'type': 'object', 'x-kubernetes-preserve-unknown-fields': True}}}]}}


def widget(group, name):
    return {'apiVersion': group + '/v1', 'kind': 'Widget', 'metadata': {'name': name}, 'spec': {'size': 1}}


def expect(check, name, result, code, out=None, err=None):
    problems = []
    if result.returncode != code:
        problems.append('exit status %d, wanted %d' % (result.returncode, code))
    if out is not None and result.stdout != out:
        problems.append('wanted on stdout: %r' % out)
    for part in [err] if isinstance(err, str) else err or []:
        if part not in result.stderr:
            problems.append('lacks on stderr: %r' % part)
    if err == '' and result.stderr:
        problems.append('stderr should be empty')
    check(name, problems and '%s\nstdout: %s\nstderr: %s' % ('; '.join(problems), result.stdout, result.stderr))


def order_of_an_input(check, cl):
    """What others need comes first, lines come in input order, in one run."""
    group = cl.new_namespace('waves') + '.example.com'
    namespace = group.split('.', maxsplit=1)[0] + '-new'
    binding = {'apiVersion': 'rbac.authorization.k8s.io/v1', 'kind': 'RoleBinding', 'metadata': {'name': 'b', 'namespace': namespace},
               'roleRef': {'apiGroup': 'rbac.authorization.k8s.io', 'kind': 'Role', 'name': 'r'},
               'subjects': [{'kind': 'ServiceAccount', 'name': 'default', 'namespace': namespace}]}
    role = {'apiVersion': 'rbac.authorization.k8s.io/v1', 'kind': 'Role', 'metadata': {'name': 'r', 'namespace': namespace},
            'rules': [{'apiGroups': [''], 'resources': ['pods'], 'verbs': ['get']}]}
    whole = stream(widget(group, 'w'), binding, role, config_map('c', namespace, a='1'), definition(group),
                   {'apiVersion': 'v1', 'kind': 'Namespace', 'metadata': {'name': namespace}})
    cl.write('whole.json', whole)
    labels = ['widget.%s/w' % group, 'rolebinding.rbac.authorization.k8s.io/b', 'role.rbac.authorization.k8s.io/r', 'configmap/c',
              'customresourcedefinition.apiextensions.k8s.io/widgets.' + group, 'namespace/' + namespace]

    def lines(word):
        return ''.join('%s %s\n' % (label, word) for label in labels)
    expect(check, 'explain-diff of kinds and namespaces to come', cl.smp('explain-diff', '-f', 'whole.json', '--exit-code=never'), 0)
    expect(check, 'server dry run of kinds and namespaces to come', cl.smp('apply', '-f', 'whole.json', '--dry-run=server'), 0,
           lines('created (server dry run)'),
           ['widget.%s/w: the server could not check it: its kind is defined by the same input' % group,
            'configmap/c: the server could not check it: its namespace is created by the same input'])
    expect(check, 'client dry run of kinds to come', cl.smp('apply', '-f', 'whole.json', '--dry-run=client'), 0, lines('created (dry run)'))
    expect(check, 'everything in one run', cl.smp('apply', '-f', 'whole.json'), 0, lines('created'), '')
    expect(check, 'and again', cl.smp('apply', '-f', 'whole.json'), 0, lines('unchanged'), '')
    cl.must(cl.kubectl('delete', 'crd', 'widgets.' + group))
    cl.must(cl.kubectl('delete', 'namespace', namespace, '--wait=false'))


def input_order(check, cl):
    """--order=input does as kubectl, but tries again what a later object cures."""
    group = cl.new_namespace('input') + '.example.com'
    cl.write('late.json', stream(widget(group, 'w'), definition(group)))
    expect(check, 'a kind that is defined behind its object', cl.smp('apply', '-f', 'late.json', '--order=input'), 0,
           'widget.%s/w created\ncustomresourcedefinition.apiextensions.k8s.io/widgets.%s created\n' % (group, group), '')
    cl.must(cl.kubectl('delete', 'crd', 'widgets.' + group))


def one_object_twice(check, cl):
    namespace = cl.new_namespace('twice')
    objects = [config_map('c', a=str(i)) for i in range(30)]
    cl.write('twice.json', stream(*objects))
    cl.must(cl.smp('apply', '-f', 'twice.json', '-n', namespace))
    check('the last of one object that stands there often wins',
          cl.get('configmap', 'c', '-n', namespace)['data'] != {'a': '29'} and 'it did not')


def failures(check, cl):
    """One object's failure stops no other; many objects end with a summary."""
    namespace = cl.new_namespace('fails')
    objects = [config_map('c-%02d' % i, a='1') for i in range(12)]
    objects[3]['metadata']['name'] = 'Not_A_Name'
    objects[7]['data'] = {'bad key': '1'}
    cl.write('many.json', stream(*objects))
    result = cl.smp('apply', '-f', 'many.json', '-n', namespace)
    expect(check, 'some of many fail', result, 1,
           ''.join('configmap/c-%02d created\n' % i for i in range(12) if i not in (3, 7)), '\n2 of 12 objects failed:\n')
    check('each error is told, and told again at the end', result.stderr.count('bad key') < 2 and result.stderr)
    result = cl.smp('apply', '-f', 'many.json', '-n', namespace, '-o', 'result-json')
    told = json.loads(result.stdout)
    check('result-json: actions', [o['action'] for o in told['objects']].count('unchanged') != 10 and result.stdout)
    check('result-json: the summary', told['summary'] != {'created': 0, 'configured': 0, 'serverside-applied': 0, 'unchanged': 10, 'failed': 2, 'not-tried': 0}
          and result.stdout)
    error = told['objects'][7].get('error', {})
    check('result-json: the error', (error.get('code'), error.get('reason')) != ('server', 'Invalid') and result.stdout)
    objects = [config_map('c-00', a='2')]
    cl.write('one.json', stream(*objects))
    told = json.loads(cl.smp('apply', '-f', 'one.json', '-n', namespace, '-o', 'result-json').stdout)
    entry = told['objects'][0]
    check('result-json: why', (entry['action'], entry.get('reasons'), entry['tries']) != ('configured', ['changed'], 1) and entry)


def requests(check, cl):
    """Many objects of a kind are read by LIST, Secrets and few objects one by one."""
    namespace = cl.new_namespace('lists')
    secrets = [{'apiVersion': 'v1', 'kind': 'Secret', 'metadata': {'name': 's-%02d' % i}} for i in range(25)]
    cl.write('lists.json', stream(*[config_map('c-%02d' % i) for i in range(25)], *secrets))
    _, sent = get_only.explain(cl, namespace, '-f', 'lists.json')
    lists = [r for r in sent if 'configmaps' in r]
    check('25 config maps take one request', len(lists) != 1 and lists)
    check('25 Secrets take 25', len([r for r in sent if '/secrets/s-' in r]) != 25 and sent)
    check('and no LIST', [r for r in sent if r.split('?')[0].endswith('/secrets')])


def built_in_schema(check, cl):
    """--openapi-patch=false: the server's documents are not asked for."""
    namespace = cl.new_namespace('builtin')
    group = namespace + '.example.com'
    cl.write('kinds.json', stream(config_map('c', a='1'), definition(group), widget(group, 'w')))
    cl.must(cl.smp('apply', '-f', 'kinds.json', '-n', namespace))
    cl.write('kinds.json', stream(config_map('c', a='2'), widget(group, 'w')))
    proxy = scenarios.Proxy(get_only.upstream(cl))
    try:
        kubeconfig = get_only.write_kubeconfig(cl, proxy.url)
        result = cl.run(cl.tool, 'apply', '-f', 'kinds.json', '-n', namespace, '--openapi-patch=false', '--kubeconfig', kubeconfig)
        sent = ['%s %s' % (r['method'], r['path']) for r in proxy.log]
    finally:
        proxy.close()
    expect(check, '--openapi-patch=false', result, 0, 'configmap/c configured\nwidget.%s/w unchanged\n' % group, '')
    check('asks for no OpenAPI document', [r for r in sent if 'openapi' in r])
    cl.must(cl.kubectl('delete', 'crd', 'widgets.' + group))


def pace(check, cl):
    namespace = cl.new_namespace('pace')
    cl.write('pace.json', stream(*[config_map('c-%02d' % i) for i in range(5)]))
    begin = time.monotonic()
    cl.must(cl.smp('apply', '-f', 'pace.json', '-n', namespace, '--qps', '8', '--parallel', '1'))
    seconds = time.monotonic() - begin
    check('--qps slows down', seconds < 1 and '%.1f s' % seconds)  # 11 requests or more
    for flags, words in ((['--parallel=0'], '--parallel must be a number from 1 to 100, not 0'),
                         (['--qps=fast'], '--qps must be a number above 0, not "fast"')):
        expect(check, flags[0], cl.smp('apply', '-f', 'pace.json', *flags), 1, '', words)


def interrupted(check, cl):
    """Ctrl-C: what is in flight ends, the rest is named, exit status 130. Also when a wrapper such as timeout(1) passes the
    signal on to the program and to its group of processes."""
    namespace = cl.new_namespace('stop')
    cl.write('stop.json', stream(*[config_map('c-%03d' % i, namespace) for i in range(200)]))
    argv = [cl.tool, 'apply', '-f', 'stop.json', '--qps', '20', '--kubeconfig', cl.kubeconfig]
    process = subprocess.Popen(argv, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=cl.dir, env=cl.env())
    first = process.stdout.readline()
    for _ in range(2):
        process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=60)
    created = (first + out).count(' created\n')
    there = len(cl.get('configmaps', '-n', namespace)['items'])
    found = re.search(r'interrupted: (\d+) of 200 objects were tried, and these were not:', err)
    check('Ctrl-C: exit status 130', process.returncode != 130 and process.returncode)
    check('Ctrl-C: what is said to be created is there', (created != there or not 0 < created < 200) and (created, there))
    check('Ctrl-C: says what was not tried', (not found or int(found.group(1)) != created or '  configmap/c-199' not in err
                                              and 'more\n' not in err) and err)


def an_object_that_is_being_deleted(check, cl):
    namespace = cl.new_namespace('going')
    held = config_map('c', namespace, a='1')
    held['metadata']['finalizers'] = ['example.com/hold']
    cl.write('held.json', stream(held))
    cl.must(cl.smp('apply', '-f', 'held.json'))
    cl.must(cl.kubectl('delete', 'configmap', 'c', '-n', namespace, '--wait=false'))
    words = 'Warning: Detected changes to resource c which is currently being deleted.\n'
    check('kubectl warns', words not in cl.kubectl('apply', '-f', 'held.json').stderr and 'it does not')
    expect(check, 'an unchanged object that is being deleted', cl.smp('apply', '-f', 'held.json'), 0, 'configmap/c unchanged\n', words)
    held['data']['a'] = '2'
    cl.write('held.json', stream(held))
    told = cl.smp('explain-diff', '-f', 'held.json')
    check('explain-diff says it, and what holds it', 'is being deleted, and what is applied to it goes with it (its finalizer is '
          'example.com/hold)' not in told.stdout and told.stdout)
    expect(check, 'a changed object that is being deleted', cl.smp('apply', '-f', 'held.json'), 0, 'configmap/c configured\n', words)
    cl.must(cl.kubectl('patch', 'configmap', 'c', '-n', namespace, '--type=merge', '-p', '{"metadata":{"finalizers":null}}'))


def run_on_terminal(cl, *argv):
    """Gives what the program wrote to a terminal."""
    pid, fd = pty.fork()
    if pid == 0:
        os.chdir(cl.dir)
        os.execve(cl.tool, [cl.tool, *argv, '--kubeconfig', cl.kubeconfig], cl.env())
    text = b''
    while select.select([fd], [], [], 60)[0]:
        try:
            block = os.read(fd, 65536)
        except OSError:
            break
        if not block:
            break
        text += block
    os.waitpid(pid, 0)
    return text.decode()


def progress(check, cl):
    namespace = cl.new_namespace('live')
    cl.write('live.json', stream(*[config_map('c-%02d' % i, namespace) for i in range(30)]))
    shown = run_on_terminal(cl, 'apply', '-f', 'live.json', '--qps', '40', '--parallel', '2')
    check('a terminal shows how far it is', not re.search(r'\r\x1b\[K\d+/30, \d+/s, step 1 of 1', shown) and shown)
    # What stays on the screen: each line without what was written over.
    kept = [line.split('\x1b[K')[-1].strip() for line in shown.split('\n')]
    check('and leaves nothing behind', [k for k in kept if k] != ['configmap/c-%02d created' % i for i in range(30)] and kept)
    check('a pipe gets none of it', '\x1b' in cl.smp('apply', '-f', 'live.json', '--qps', '100').stderr and 'escapes')


def main():
    options = cluster.parse_args(__doc__)
    check = cluster.Checks()
    with cluster.Cluster(options) as cl:
        for part in (order_of_an_input, input_order, one_object_twice, failures, requests, built_in_schema, pace, interrupted,
                     an_object_that_is_being_deleted, progress):
            part(check, cl)
    return check.finish()


if __name__ == '__main__':
    sys.exit(main())
