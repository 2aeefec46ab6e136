#!/usr/bin/env python3
"""The output formats that programs act on: -o diff of explain-diff says what kubectl diff says, and -o yaml and kyaml of apply print what kubectl's print."""
import json
import re
import sys

import harness
from harness import Space, must
from harness.manifests import config_map, service, web_yaml

CONF = 'server {\n  listen %d;\n}\n'
DATABASE = {'apiVersion': 'apps/v1', 'kind': 'StatefulSet', 'metadata': {'name': 'db'},
            'spec': {'serviceName': 'db', 'selector': {'matchLabels': {'a': 'b'}},
                     'template': {'metadata': {'labels': {'a': 'b'}},
                                  'spec': {'containers': [{'name': 'app', 'image': 'pg:1', 'ports': [{'containerPort': 5432}]}]}}}}
# What the server counts and sets: kubectl diff shows it, explain-diff does not.
NOISE = re.compile(r'[-+]  (creationTimestamp|generation|resourceVersion|uid):')


def secret(name, **values):
    return {'apiVersion': 'v1', 'kind': 'Secret', 'metadata': {'name': name}, 'stringData': values}


def before():
    return [config_map('web', a='1', conf=CONF % 80), service({'name': 'http', 'port': 80}, name='web', type='NodePort'),
            secret('web', password='hunter2hunter2', same='samesamesame')]


def after():
    return [config_map('web', a='1', conf=CONF % 8080), service({'name': 'http', 'port': 80}, name='web', type='ClusterIP'),
            secret('web', password='changedchanged', same='samesamesame', more='more more more'), DATABASE]


def changed_lines(text):
    """The changed lines of each file of a unified diff, without noise and the status."""
    files = {}
    for line in text.splitlines():
        if line.startswith('diff '):
            lines = files.setdefault(line.rsplit('/', 1)[1], [])
            in_status = False
        elif line.startswith(('+', '-')) and not line.startswith(('+++ ', '--- ')):
            in_status = in_status or line[1:] == 'status:'
            if not in_status and not NOISE.match(line):
                lines.append(line)
    return {name: lines for name, lines in files.items() if lines}


def write(space, number, objects, yaml):
    space.write('%d/web.yaml' % number, yaml)
    space.write('%d/rest.json' % number, objects)
    return '%d' % number


def check_diff(cl, check):
    space = Space(cl, 'formats')
    must(space.smp('apply', '-f', write(space, 1, before(), web_yaml(', env: [{name: DEBUG, value: "1"}, {name: R, value: eu}]'))))
    must(space.kubectl('scale', 'deployment/web', '--replicas=5'))
    new = web_yaml(', env: [{name: R, value: eu}]').replace('nginx:1.27', 'nginx:1.29').replace('replicas: 2', 'strategy: {type: Recreate}')
    folder = write(space, 2, after(), new)
    ours, theirs = (space.by(tool, command, '-f', folder, *more) for tool, command, more in
                    (('smp', 'explain-diff', ('-o', 'diff')), ('kubectl', 'diff', ())))
    check.equal('exit status', (ours.returncode, theirs.returncode), (1, 1))
    check.equal('the same lines change as in kubectl diff', changed_lines(ours.stdout), changed_lines(theirs.stdout))
    check.equal('files', sorted(changed_lines(ours.stdout)),
                ['%s.%s.%s' % (kind, space.name, name) for kind, name in
                 (('apps.v1.Deployment', 'web'), ('apps.v1.StatefulSet', 'db'), ('v1.ConfigMap', 'web'), ('v1.Secret', 'web'), ('v1.Service', 'web'))])
    check.has('a value that changes', ours.stdout, "-  password: '*** (before)'\n", "+  password: '*** (after)'\n", lacks=('hunter2', 'aHVudGVyM', 'Y2hhbmdlZ'))
    asked = space.smp('explain-diff', '-f', folder, '-o', 'diff', '--ask-server')
    check.equal('the same lines with --ask-server', changed_lines(asked.stdout), changed_lines(theirs.stdout))
    must(space.smp('apply', '-f', folder))
    check.says('nothing after an apply', space.smp('explain-diff', '-f', folder, '-o', 'diff'), 0)
    check.equal('nothing is printed', space.smp('explain-diff', '-f', folder, '-o', 'diff').stdout, '')


def check_external(cl, check):
    space = Space(cl, 'formats')
    must(space.smp('apply', '-f', space.write('m.json', config_map('m', a='1'))))
    space.write('m.json', config_map('m', a='2'))
    program = space.script('show tool', 'for word; do echo "<$word>"; done\ncat "$3"/* "$4"/*\nexit ${STATUS:-1}\n')
    run = ('explain-diff', '-f', 'm.json', '-o', 'diff')
    shown = space.smp(*run, KUBECTL_EXTERNAL_DIFF="'%s' \"two words\" --colour=always" % program)
    check.equal('words of a shell, and then the folders', re.sub(r'(<).*(live>|merged>)', r'\1\2', shown.stdout).splitlines()[:4],
                ['<two words>', '<--colour=always>', '<live>', '<merged>'])
    check.has('both states', shown.stdout, '  a: "1"\n', '  a: "2"\n')
    folder = re.search(r'<(/.*)/live>', shown.stdout).group(1)
    check.equal('exit status', shown.returncode, 1)
    check.equal('the folder is gone', space.run('ls', folder).returncode != 0, True)
    failed = space.smp(*run, KUBECTL_EXTERNAL_DIFF="'%s' a b" % program, STATUS='3')
    check.says('a program that fails', failed, 2)
    check.has('a program that fails says so', failed.stderr, 'failed: exit status 3')
    git = space.smp(*run, KUBECTL_EXTERNAL_DIFF='git diff --no-index')
    check.has('git diff --no-index', git.stdout, '-  a: "1"\n+  a: "2"\n')


def check_prune(cl, check):
    space = Space(cl, 'formats')
    objects = [config_map(name, a='1') for name in ('keep', 'gone')] + [secret('gone', password='hunter2hunter2')]
    for thing in objects:
        thing['metadata']['labels'] = {'set': space.name}
    must(space.smp('apply', '-f', space.write('m.json', objects)))
    space.write('m.json', objects[:1])
    ours = space.smp('explain-diff', '-f', 'm.json', '-o', 'diff', '--prune', '-l', 'set=' + space.name)
    theirs = space.kubectl('diff', '-f', 'm.json', '--prune', '-l', 'set=' + space.name)
    of_map = 'v1.ConfigMap.%s.gone' % space.name
    check.equal('exit status', ours.returncode, 1)
    shown = changed_lines(ours.stdout)[of_map]
    check.equal('a pruned object', shown, ['-apiVersion: v1', '-data:', '-  a: "1"', '-kind: ConfigMap', '-metadata:', '-  labels:',
                                           '-    set: ' + space.name, '-  name: gone', '-  namespace: ' + space.name])
    # kubectl also shows the last-applied annotation and managedFields here.
    check.equal('kubectl has these lines, too', set(shown) - set(changed_lines(theirs.stdout)[of_map]), set())
    check.has('a pruned Secret is masked', ours.stdout + ours.stderr, "-  password: '***'\n", lacks=('hunter2', 'aHVudGVyM'))


def check_curl(cl, check):
    """Running the commands is as good as an apply. A proxy of kubectl's has the credentials."""
    space = Space(cl, 'formats')
    yaml = web_yaml()
    labelled = yaml.replace('labels: {app: web}}', 'labels: {app: web, set: %s}}' % space.name, 1)
    must(space.smp('apply', '-f', write(space, 1, [config_map('web', a='1', b="it's")], labelled)))
    new = config_map('new', a="it's $HOME")
    new['metadata']['labels'] = {'set': space.name}
    folder = write(space, 2, [new], labelled.replace('1.27', '1.29'))
    prune = ('--prune', '-l', 'set=' + space.name)
    must(space.kubectl('label', 'configmap', 'web', 'set=' + space.name))
    lines = [json.loads(line) for line in space.smp('explain-diff', '-f', folder, '-o', 'patch', *prune).stdout.splitlines()]
    check.equal('requests', sorted((line['method'], line['object']['kind'], line['object']['name']) for line in lines),
                [('DELETE', 'ConfigMap', 'web'), ('PATCH', 'Deployment', 'web'), ('POST', 'ConfigMap', 'new')])
    script = space.smp('explain-diff', '-f', folder, '-o', 'curl', *prune)
    check.equal('exit status', script.returncode, 1)
    server = cl.config()['clusters'][0]['cluster']['server']
    check.has('the server is named', script.stdout, 'SERVER=${SERVER:-%s}\n' % server)
    check.equal('urls', {line['url'].startswith(server + '/api') for line in lines}, {True})
    with cl.proxy() as proxy:
        config = json.loads(open(proxy.kubeconfig, encoding='utf-8').read())
        done = space.run('sh', stdin=script.stdout, SERVER=config['clusters'][0]['cluster']['server'])
    check.says('the script runs', done, 0)
    check.says('nothing is left to do', space.smp('explain-diff', '-f', folder, *prune), 0)


def check_requests(cl, check):
    """-o patch has the requests that a recording proxy then sees."""
    forced = ('--server-side', '--force-conflicts', '--field-manager=me')
    # The last one is applied server-side again, although nobody says so.
    for first, mode in (((), ()), ((), ('--field-manager=me',)), (('--server-side',), ('--server-side',)), (forced, forced), (('--server-side',), ())):
        space = Space(cl, 'formats')
        old, new = config_map('old', a='1'), config_map('new', a='1')
        must(space.smp('apply', '-f', space.write('m.json', old), *first))
        old['data']['a'] = '2'
        space.write('m.json', [old, new])
        lines = [json.loads(line) for line in space.smp('explain-diff', '-f', 'm.json', '-o', 'patch', *mode).stdout.splitlines()]
        with cl.proxy() as proxy:
            must(space.smp('apply', '-f', 'm.json', *mode, kubeconfig=proxy.kubeconfig))
        sent = [request for request in proxy.requests() if not request.startswith('GET ')]
        name = ' '.join(mode or ('after', *first))
        check.equal(name, sorted(line['method'] + ' ' + line['url'][line['url'].index('/api'):] for line in lines), sorted(sent))
        check.equal(name + ': two requests', len(lines), 2)


def check_recreation(cl, check):
    space = Space(cl, 'formats')
    role = {'apiVersion': 'rbac.authorization.k8s.io/v1', 'kind': 'RoleBinding', 'metadata': {'name': 'r'},
            'roleRef': {'apiGroup': 'rbac.authorization.k8s.io', 'kind': 'Role', 'name': 'one'}}
    must(space.smp('apply', '-f', space.write('m.json', role)))
    role['roleRef']['name'] = 'two'
    uid = space.get('rolebinding', 'r')['metadata']['uid']
    done = space.smp('explain-diff', '-f', space.write('m.json', role), '--force', '-o', 'patch')
    lines = [json.loads(line) for line in done.stdout.splitlines()]
    check.equal('requests', [(line['method'], line['body'].get('preconditions', {}).get('uid')) for line in lines], [('DELETE', uid), ('POST', None)])
    diff = space.smp('explain-diff', '-f', 'm.json', '--force', '-o', 'diff')
    check.equal('its lines', list(changed_lines(diff.stdout).values()), [['-  name: one', '+  name: two']])


# kubectl begins a List with these lines, and ends it with the third; we sort its members.
LISTS = {'json': ('    "kind": "List",\n', '    "metadata": {},\n', '\n}\n', ',\n    "kind": "List",\n    "metadata": {}\n}\n'),
         'kyaml': ('  kind: "List",\n', '  metadata: {},\n', '}\n', '  kind: "List",\n  metadata: {},\n}\n')}


def sorted_list(text, form):
    kind, metadata, end, sorted_end = LISTS[form]
    return text.replace(kind, '', 1).replace(metadata, '', 1)[:-len(end)] + sorted_end


def check_objects(cl, check):
    """apply prints objects as kubectl does."""
    space = Space(cl, 'formats')
    folder = write(space, 1, before() + [config_map('odd', **{'no': 'off', 'a.b': ' x\n\ty\n\nz', '1': '<&>\u00a0"\\'})], web_yaml())
    must(space.smp('apply', '-f', folder))
    for files, form in ((files, form) for files in (folder, folder + '/web.yaml') for form in ('json', 'yaml', 'kyaml')):
        run = ('apply', '-f', files, '-o', form)
        ours, theirs = space.smp(*run).stdout, space.kubectl(*run).stdout
        is_list = files == folder and form in LISTS
        check.equal('-o %s of %s' % (form, files), ours, sorted_list(theirs, form) if is_list else theirs)
    check.has('-o kyaml', ours, '---\n{\n  apiVersion: "apps/v1",\n', lacks=['managedFields'])
    check.has('-o kyaml --show-managed-fields', space.smp(*run, '--show-managed-fields').stdout, '    managedFields: [{\n')
    space.write('printed.yaml', space.smp('override', '-f', folder, '-o', 'kyaml').stdout)
    check.says('what is printed can be applied', space.smp('apply', '-f', 'printed.yaml', '-o', 'changed'), out='')
    view = ('last-applied', 'view', '-f', folder, '-o')
    check.says('a view can be applied', space.smp('apply', '-f', space.write('view.yaml', space.smp(*view, 'kyaml').stdout), '-o', 'changed'), out='')
    check.says('an unknown format names it', space.smp(*run[:-1], 'xml'), 1, err=['jsonpath-file,kyaml,name,'])


if __name__ == '__main__':
    sys.exit(harness.run(__doc__, check_objects, check_diff, check_external, check_prune, check_curl, check_requests, check_recreation))
