#!/usr/bin/env python3
"""What kubectl gets wrong, family by family, besides twin ports (twin_ports.py), unions (unions.py) and equal meanings (meanings.py):
duplicates, Secrets, custom resources, defaults that went stale, files that say something else than they seem to, items that
were renamed in the file of an object without a record."""
import sys
import time

import beside


# Duplicates: the container sees the last of two variables with one name; for the other lists both count.

def deployment(pod, container=None):
    labels = {'app': 'x'}
    web = {'name': 'web', 'image': 'web:1', **(container or {})}
    return {'apiVersion': 'apps/v1', 'kind': 'Deployment',
            'spec': {'selector': {'matchLabels': labels},
                     'template': {'metadata': {'labels': labels}, 'spec': {'containers': [web], **pod}}}}


def env(text, image='web:1'):
    """`X=1 Y=2`"""
    variables = [dict(zip(('name', 'value'), word.split('='))) for word in text.split()]
    return deployment({}, {'env': variables, 'image': image})


def is_env(text):
    container = env(text)['spec']['template']['spec']['containers'][0]
    return beside.at({'spec.template.spec.containers[0].env': container['env']})


def pull_secrets(names):
    return deployment({'imagePullSecrets': [{'name': name} for name in names]})


def are_pull_secrets(names):
    return beside.at({'spec.template.spec.imagePullSecrets[*].name': list(names)})


def aliases(*hosts):
    """All of one address."""
    return deployment({'hostAliases': [{'ip': '10.0.0.1', 'hostnames': [host]} for host in hosts]})


def are_aliases(*hosts):
    return beside.at({'spec.template.spec.hostAliases[*].hostnames': [[host] for host in hosts]})


ENV = '/spec/template/spec/containers/0/env'
DUPLICATES = [
    ('the last of two variables is removed', env('X=1 X=2 Y=y'), env('X=1 Y=y'), is_env('X=1 Y=y'), {}),
    ('the first of two variables is removed', env('X=1 X=2 Y=y'), env('X=2 Y=y'), is_env('X=2 Y=y'), {}),
    ('the middle one of three is removed', env('X=1 X=2 X=3'), env('X=1 X=3'), is_env('X=1 X=3'), {}),
    ('both variables are removed', env('X=1 X=2 Y=y'), env('Y=y'), is_env('Y=y'), {'right': True}),
    ('a third is added', env('X=1 X=2'), env('X=1 X=2 X=3'), is_env('X=1 X=2 X=3'), {}),
    ('the first of two is edited', env('X=1 X=2 Y=y'), env('X=9 X=2 Y=y'), is_env('X=9 X=2 Y=y'), {'right': True}),
    ('the second of two is edited', env('X=1 X=2 Y=y'), env('X=1 X=9 Y=y'), is_env('X=1 X=9 Y=y'), {}),
    ('two variables are swapped', env('X=1 X=2'), env('X=2 X=1'), is_env('X=2 X=1'), {}),
    ('two variables stand apart, another one moves between', env('X=1 Y=y X=2'), env('X=1 X=2 Y=y'), is_env('X=1 X=2 Y=y'),
     {'right': True}),
    ('variables stay when the image changes', env('X=1 Y=y X=2'), env('X=1 Y=y X=2', 'web:2'), is_env('X=1 Y=y X=2'), {'right': True}),
    ('drift of the first of two variables', env('X=1 X=2'), env('X=1 X=2'), is_env('X=1 X=2'),
     {'edit': [{'op': 'replace', 'path': ENV + '/0/value', 'value': '7'}], 'right': True}),
    ("another manager's copy behind ours does not count", env('X=1'), env('X=1 Z=z'),
     beside.at({'spec.template.spec.containers[0].env[?name=X].value': {'$regexlast': '^1$'},
                'spec.template.spec.containers[0].env[name=Z].value': 'z'}),
     {'edit': [{'op': 'add', 'path': ENV + '/-', 'value': {'name': 'X', 'value': '5'}}]}),
    ('a pull secret is named twice, then once', pull_secrets('bcb'), pull_secrets('bc'), are_pull_secrets('bc'), {}),
    ('a pull secret is named twice, then not at all', pull_secrets('bcb'), pull_secrets('c'), are_pull_secrets('c'), {'right': True}),
    ('a pull secret is named once, then twice', pull_secrets('bc'), pull_secrets('bcb'), are_pull_secrets('bcb'), {}),
    ('one of two aliases of an address is removed', aliases('a', 'b'), aliases('b'), are_aliases('b'), {}),
    ('one of two aliases of an address is edited', aliases('a', 'b'), aliases('a', 'c'), are_aliases('a', 'c'), {}),
    ('an alias of the same address is added', aliases('a'), aliases('a', 'b'), are_aliases('a', 'b'), {}),
]


# Secrets

def secret(data=None, string_data=None):
    values = {'data': data, 'stringData': string_data}
    return {'apiVersion': 'v1', 'kind': 'Secret', **{name: value for name, value in values.items() if value}}


def is_data(**data):
    return beside.at({'data': data})


SECRETS = [
    ('a key of stringData is renamed', secret(string_data={'user': 'a'}), secret(string_data={'user1': 'a'}), is_data(user1='YQ=='), {}),
    ('a key of stringData leaves, another manager has one', secret(string_data={'a': 'a', 'b': 'b'}), secret(string_data={'a': 'a'}),
     is_data(a='YQ==', c='Yw=='), {'edit': [{'op': 'add', 'path': '/data/c', 'value': 'Yw=='}]}),
    ('stringData becomes data', secret(string_data={'a': 'a', 'b': 'b'}), secret(data={'a': 'YQ=='}), is_data(a='YQ=='), {}),
    ('data becomes stringData', secret(data={'a': 'YQ==', 'b': 'Yg=='}), secret(string_data={'a': 'z'}), is_data(a='eg=='),
     {'right': True}),
    ('stringData wins over data', secret(data={'a': 'YQ=='}), secret(data={'a': 'YQ=='}, string_data={'a': 'z'}), is_data(a='eg=='),
     {'right': True}),
    ('drift of a key of stringData', secret(string_data={'a': 'a'}), secret(string_data={'a': 'a'}), is_data(a='YQ=='),
     {'edit': [{'op': 'replace', 'path': '/data/a', 'value': 'eg=='}], 'right': True}),
]


# Custom resources: lists by their type, and metadata as that of every kind.

SCHEMA = {'type': 'object', 'properties': {'spec': {'type': 'object', 'properties': {
    'rules': {'type': 'array', 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['host'], 'items': {
        'type': 'object', 'required': ['host'], 'properties': {
            'host': {'type': 'string'}, 'to': {'type': 'string'}, 'weight': {'type': 'integer'},
            'tags': {'type': 'array', 'x-kubernetes-list-type': 'set', 'items': {'type': 'string'}}}}},
    'ports': {'type': 'array', 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['port', 'protocol'], 'items': {
        'type': 'object', 'required': ['port'], 'properties': {
            'port': {'type': 'integer'}, 'protocol': {'type': 'string', 'default': 'TCP'}, 'name': {'type': 'string'}}}},
    'tags': {'type': 'array', 'x-kubernetes-list-type': 'set', 'items': {'type': 'string'}},
    'args': {'type': 'array', 'items': {'type': 'string'}},
    'size': {'type': 'integer'}}}}}


def make_widgets(runner):
    """The definition; gives the group and version."""
    group = runner.namespace + '.example.com'
    runner.api.send('POST', '/apis/apiextensions.k8s.io/v1/customresourcedefinitions', {
        'apiVersion': 'apiextensions.k8s.io/v1', 'kind': 'CustomResourceDefinition', 'metadata': {'name': 'widgets.' + group},
        'spec': {'group': group, 'scope': 'Namespaced', 'names': {'plural': 'widgets', 'kind': 'Widget'},
                 'versions': [{'name': 'v1', 'served': True, 'storage': True, 'schema': {'openAPIV3Schema': SCHEMA}}]}})
    end = time.time() + 60
    while runner.cl.kubectl('get', '--raw', '/openapi/v3/apis/%s/v1' % group).returncode != 0:
        if time.time() > end:
            raise AssertionError('not served: ' + group)
        time.sleep(0.2)
    return group + '/v1'


def owner(name):
    return {'apiVersion': 'v1', 'kind': 'ConfigMap', 'name': name, 'uid': 'uid-of-' + name}


def widgets(api_version):
    def widget(metadata=None, **spec):
        return {'apiVersion': api_version, 'kind': 'Widget', 'metadata': metadata or {}, 'spec': spec}

    a, b, c = ({'host': host, 'to': host} for host in 'abc')
    tcp, udp, new = {'port': 53, 'name': 't'}, {'port': 53, 'protocol': 'UDP', 'name': 'u'}, {'port': 54, 'name': 'n'}
    add_c = [{'op': 'add', 'path': '/spec/rules/-', 'value': c}]
    add_udp = [{'op': 'add', 'path': '/spec/ports/-', 'value': udp}]
    tag = [{'op': 'add', 'path': '/spec/tags/-', 'value': 'theirs'}]

    def rules(*items):
        return beside.has('spec.rules', items)

    def ports(*items):
        return beside.has('spec.ports', [{'protocol': 'TCP', **item} for item in items])

    yield "another's item stays, ours is edited", widget(rules=[a]), widget(rules=[{**a, 'to': 'z'}]), rules({**a, 'to': 'z'}, c), {
        'edit': add_c}
    yield "another's item stays, one of ours goes", widget(rules=[a, b]), widget(rules=[b]), rules(b, c), {'edit': add_c}
    yield "another's item stays, all of ours go", widget(rules=[a, b]), widget(rules=[]), rules(c), {'edit': add_c}
    yield "another's item stays, one of ours is new", widget(rules=[a]), widget(rules=[b, a]), rules(a, b, c), {'edit': add_c}
    yield "another's item stays, ours are reordered", widget(rules=[a, b]), widget(rules=[b, a]), beside.at(
        {'spec.rules[*].host': ['b', 'a', 'c']}), {'edit': add_c}
    yield "another's field in our item stays", widget(rules=[a]), widget(rules=[{**a, 'to': 'z'}]), rules({**a, 'to': 'z', 'weight': 5}), {
        'edit': [{'op': 'add', 'path': '/spec/rules/0/weight', 'value': 5}]}
    yield "another's element of a set in our item stays", widget(rules=[{**a, 'tags': ['x']}]), widget(
        rules=[{**a, 'tags': ['y']}]), beside.at({'spec.rules[host=a].tags': {'$set': ['theirs', 'y']}}), {
            'edit': [{'op': 'add', 'path': '/spec/rules/0/tags/-', 'value': 'theirs'}]}
    yield 'an item that another took over goes back', widget(rules=[a]), widget(rules=[a]), rules(a), {
        'edit': [{'op': 'replace', 'path': '/spec/rules/0/to', 'value': 'theirs'}], 'right': True}
    yield "another's item races in", widget(rules=[a]), widget(rules=[{**a, 'to': 'z'}]), rules({**a, 'to': 'z'}, c), {'race': add_c}
    yield "another's first item races in", widget(size=1), widget(size=1, rules=[a]), rules(a, c), {
        'race': [{'op': 'add', 'path': '/spec/rules', 'value': [c]}]}
    yield "two keys: another's 53/UDP stays, our 53/TCP is edited", widget(ports=[tcp]), widget(ports=[{**tcp, 'name': 'x'}]), ports(
        {**tcp, 'name': 'x'}, udp), {'edit': add_udp}
    yield "two keys: another's 53/UDP stays, our 53/TCP goes", widget(ports=[tcp, new]), widget(ports=[new]), ports(new, udp), {
        'edit': add_udp}
    yield 'two keys: the default is written out', widget(ports=[tcp, udp]), widget(
        ports=[{**tcp, 'protocol': 'TCP', 'name': 'x'}, udp]), ports({**tcp, 'name': 'x'}, udp), {'right': True}
    yield "a set: another's value stays, ours go and come", widget(tags=['a', 'b']), widget(tags=['b', 'c']), beside.at(
        {'spec.tags': {'$set': ['b', 'c', 'theirs']}}), {'edit': tag}
    yield "a set: another's value races in", widget(tags=['a']), widget(tags=['a', 'b']), beside.at(
        {'spec.tags': {'$set': ['a', 'b', 'theirs']}}), {'race': tag}
    yield 'a list without a type is replaced', widget(args=['a']), widget(args=['b']), beside.at({'spec.args': ['b']}), {
        'edit': [{'op': 'add', 'path': '/spec/args/-', 'value': 'theirs'}], 'right': True}
    for race in ('edit', 'race'):
        yield "another's finalizer stays (%s)" % race, widget({'finalizers': ['a.io/x']}, size=1), widget(
            {'finalizers': ['a.io/y']}, size=1), beside.at({'metadata.finalizers': {'$set': ['a.io/y', 'theirs.io/x']}}), {
                race: [{'op': 'add', 'path': '/metadata/finalizers/-', 'value': 'theirs.io/x'}]}
        yield "another's owner stays (%s)" % race, widget({'ownerReferences': [owner('a')]}, size=1), widget(
            {'ownerReferences': [owner('b')]}, size=1), beside.at({'metadata.ownerReferences[*].name': {'$set': ['b', 'theirs']}}), {
                race: [{'op': 'add', 'path': '/metadata/ownerReferences/-', 'value': owner('theirs')}]}


# Files that say something else than they seem to: refused, with a line (the document's, where it is 1), before anything is sent.

CONFIG_MAP = 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: refused}\n'
REFUSED = {
    'a key twice': (CONFIG_MAP + 'data:\n  a: "1"\n  a: "2"\n', 6, '"a"'),
    'a key that YAML reads as true': (CONFIG_MAP + 'data:\n  y: "1"\n', 5, 'true'),
    'text behind the end of a document': (CONFIG_MAP + '...\ndata: {a: "1"}\n', 1, 'behind the end'),
    'a boolean where a string is wanted': (CONFIG_MAP + 'data:\n  a: yes\n', 5, 'data'),
    'a misspelt field': (CONFIG_MAP + 'data: {a: "1"}\nimutable: true\n', 5, 'did you mean "immutable"?'),
    'a patch directive': (CONFIG_MAP + 'data: {a: "1"}\n$patch: replace\n', 1, 'directive'),
}


def check_refused(runner):
    cl, path = runner.cl, '/api/v1/namespaces/%s/configmaps/refused' % runner.namespace
    cl.write('first.yaml', CONFIG_MAP + 'data: {a: "0"}\n')
    cl.must(cl.smp('apply', '-f', 'first.yaml', '-n', runner.namespace))
    before = runner.api.send('GET', path)
    for name, (text, line, word) in REFUSED.items():
        cl.write('refused.yaml', text)
        result = cl.smp('apply', '-f', 'refused.yaml', '-n', runner.namespace)
        refused = result.returncode == 1 and 'refused.yaml:%d' % line in result.stderr and word in result.stderr
        runner.check('refused: ' + name, '' if refused else result.stdout + result.stderr)
        runner.check('refused: %s: nothing is sent' % name, '' if runner.api.send('GET', path) == before else 'the object changed')


# An object that `kubectl create` made, and an item with another name in the file: did the old one become the new one, or is it to
# stay? Refused; a record of the old file or of the new one decides.

RECORDED = {'the old file: the item goes': ('old', ['new']), 'the new file: the item stays': ('new', ['new', 'old'])}


def container(name, tag='1'):
    return deployment({'containers': [{'name': name, 'image': 'web:' + tag}]})


def check_unrecorded(runner):
    cl = runner.cl
    for number, (name, (recorded, names)) in enumerate(RECORDED.items()):
        what = 'unrecorded%d' % number
        path = '/apis/apps/v1/namespaces/%s/deployments/%s' % (runner.namespace, what)
        files = {word: runner.write(container(word), what, word) for word in ('old', 'new')}
        cl.must(cl.kubectl('create', '-f', files['old'], '-n', runner.namespace))
        before = runner.api.send('GET', path)
        for command, status in (('apply', 1), ('explain-diff', 2)):
            refused = cl.smp(command, '-f', files['new'], '-n', runner.namespace)
            wanted = ('spec.template.spec.containers[name=old]', 'kubectl-create', '[name=new]', 'last-applied set', files['new'])
            ok = refused.returncode == status and all(text in refused.stderr for text in wanted)
            runner.check('unrecorded: %s refuses' % command, '' if ok else '%d: %s' % (refused.returncode, refused.stderr))
        runner.check('unrecorded: nothing is sent', '' if runner.api.send('GET', path) == before else 'the object changed')
        cl.must(cl.smp('last-applied', 'set', '--create-annotation', '-f', files[recorded], '-n', runner.namespace))
        cl.must(cl.smp('apply', '-f', files['new'], '-n', runner.namespace))
        wrong = beside.at({'spec.template.spec.containers[*].name': names})(runner.api.send('GET', path))
        runner.check('unrecorded: %s' % name, wrong)
    file = runner.write(container('old', '2'), 'unrecorded-same', 'new')
    cl.must(cl.kubectl('create', '-f', runner.write(container('old'), 'unrecorded-same', 'old'), '-n', runner.namespace))
    cl.must(cl.smp('apply', '-f', file, '-n', runner.namespace))


def check_more(runner):
    check_refused(runner)
    check_unrecorded(runner)


def situations(runner):
    families = {'duplicates': DUPLICATES, 'secrets': SECRETS, 'custom resources': widgets(make_widgets(runner))}
    for family, rows in families.items():
        for name, before, after, expect, more in rows:
            yield beside.Situation('%s: %s' % (family, name), before, after, expect, more.get('edit'), more.get('race'),
                                   kubectl_is_right=more.get('right', False))


if __name__ == '__main__':
    sys.exit(beside.main(__doc__, situations, check_more))
