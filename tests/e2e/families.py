#!/usr/bin/env python3
"""What kubectl gets wrong, family by family, besides duplicate ports (same_port.py), unions (unions.py) and equal meanings (meanings.py):
duplicates, Secrets, custom resources, defaults that went stale, files that do not say what they seem to say, items that were renamed
in the file of an object without a last-applied annotation."""
import sys

import harness
from harness import must
from harness.beside import Runner, Situation, has_at, has_items
from harness.manifests import NUMBER, TEXT, custom, definition, deployment, list_of, map_of, secret
from harness.paths import at, pointer

VARIABLES = 'spec.template.spec.containers[0].env'


# Duplicates: the container sees the last of two variables with one name; for the other lists both count.

def env(text, image='web:1'):
    """`X=1 Y=2`"""
    variables = [dict(zip(('name', 'value'), word.split('='))) for word in text.split()]
    return deployment({'env': variables, 'image': image})


def is_env(text):
    return has_at({VARIABLES: at(env(text), VARIABLES)})


def pull_secrets(names):
    return deployment(imagePullSecrets=[{'name': name} for name in names])


def are_pull_secrets(names):
    return has_at({'spec.template.spec.imagePullSecrets[*].name': list(names)})


def aliases(*hosts):
    """All of one address."""
    return deployment(hostAliases=[{'ip': '10.0.0.1', 'hostnames': [host]} for host in hosts])


def are_aliases(*hosts):
    return has_at({'spec.template.spec.hostAliases[*].hostnames': [[host] for host in hosts]})


ENV = pointer(VARIABLES)
DUPLICATES = [
    ('the last of two variables is removed', env('X=1 X=2 Y=y'), env('X=1 Y=y'), is_env('X=1 Y=y'), {}),
    ('the first of two variables is removed', env('X=1 X=2 Y=y'), env('X=2 Y=y'), is_env('X=2 Y=y'), {}),
    ('the middle one of three is removed', env('X=1 X=2 X=3'), env('X=1 X=3'), is_env('X=1 X=3'), {}),
    ('both variables are removed', env('X=1 X=2 Y=y'), env('Y=y'), is_env('Y=y'), {'right': True}),
    ('a third is added', env('X=1 X=2'), env('X=1 X=2 X=3'), is_env('X=1 X=2 X=3'), {}),
    ('the first of two is edited', env('X=1 X=2 Y=y'), env('X=9 X=2 Y=y'), is_env('X=9 X=2 Y=y'), {'right': True}),
    ('the second of two is edited', env('X=1 X=2 Y=y'), env('X=1 X=9 Y=y'), is_env('X=1 X=9 Y=y'), {}),
    ('two variables are swapped', env('X=1 X=2'), env('X=2 X=1'), is_env('X=2 X=1'), {}),
    ('two variables are apart, another one moves between', env('X=1 Y=y X=2'), env('X=1 X=2 Y=y'), is_env('X=1 X=2 Y=y'),
     {'right': True}),
    ('variables stay when the image changes', env('X=1 Y=y X=2'), env('X=1 Y=y X=2', 'web:2'), is_env('X=1 Y=y X=2'), {'right': True}),
    ('drift of the first of two variables', env('X=1 X=2'), env('X=1 X=2'), is_env('X=1 X=2'),
     {'edit': [{'op': 'replace', 'path': ENV + '/0/value', 'value': '7'}], 'right': True}),
    ("another manager's copy after ours does not count", env('X=1'), env('X=1 Z=z'),
     has_at({VARIABLES + '[?name=X].value': {'$regexlast': '^1$'}, VARIABLES + '[name=Z].value': 'z'}),
     {'edit': [{'op': 'add', 'path': ENV + '/-', 'value': {'name': 'X', 'value': '5'}}]}),
    ('a pull secret is named twice, then once', pull_secrets('bcb'), pull_secrets('bc'), are_pull_secrets('bc'), {}),
    ('a pull secret is named twice, then not at all', pull_secrets('bcb'), pull_secrets('c'), are_pull_secrets('c'), {'right': True}),
    ('a pull secret is named once, then twice', pull_secrets('bc'), pull_secrets('bcb'), are_pull_secrets('bcb'), {}),
    ('one of two aliases of an address is removed', aliases('a', 'b'), aliases('b'), are_aliases('b'), {}),
    ('one of two aliases of an address is edited', aliases('a', 'b'), aliases('a', 'c'), are_aliases('a', 'c'), {}),
    ('an alias of the same address is added', aliases('a'), aliases('a', 'b'), are_aliases('a', 'b'), {}),
]


# Secrets

def is_data(**data):
    return has_at({'data': data})


SECRETS = [
    ('a key of stringData is renamed', secret(stringData={'user': 'a'}), secret(stringData={'user1': 'a'}), is_data(user1='YQ=='), {}),
    ('a key of stringData leaves, another manager has one', secret(stringData={'a': 'a', 'b': 'b'}), secret(stringData={'a': 'a'}),
     is_data(a='YQ==', c='Yw=='), {'edit': [{'op': 'add', 'path': '/data/c', 'value': 'Yw=='}]}),
    ('stringData becomes data', secret(stringData={'a': 'a', 'b': 'b'}), secret(data={'a': 'YQ=='}), is_data(a='YQ=='), {}),
    ('data becomes stringData', secret(data={'a': 'YQ==', 'b': 'Yg=='}), secret(stringData={'a': 'z'}), is_data(a='eg=='),
     {'right': True}),
    ('stringData wins over data', secret(data={'a': 'YQ=='}), secret(data={'a': 'YQ=='}, stringData={'a': 'z'}), is_data(a='eg=='),
     {'right': True}),
    ('drift of a key of stringData', secret(stringData={'a': 'a'}), secret(stringData={'a': 'a'}), is_data(a='YQ=='),
     {'edit': [{'op': 'replace', 'path': '/data/a', 'value': 'eg=='}], 'right': True}),
]


# Custom resources: lists by their type, and metadata as that of every kind.

SCHEMA = map_of(spec=map_of(
    rules=list_of(map_of(host=TEXT, to=TEXT, weight=NUMBER, tags=list_of(TEXT, 'set')), 'map', 'host'),
    ports=list_of(map_of(port=NUMBER, protocol={**TEXT, 'default': 'TCP'}, name=TEXT), 'map', 'port', 'protocol'),
    tags=list_of(TEXT, 'set'), args=list_of(TEXT), size=NUMBER))


def make_widgets(space):
    """Creates the CRD; returns the group."""
    group = space.name + '.example.com'
    must(space.apply(definition(group, schema=SCHEMA), tool='kubectl'))
    space.await_api(group + '/v1')
    return group


def delete_widgets(space):
    resource = 'widgets.%s.example.com' % space.name
    space.kubectl('delete', 'crd', resource, '--wait=false')
    for item in space.get(resource)['items']:
        if 'finalizers' in item['metadata']:
            space.kubectl('patch', resource, item['metadata']['name'], '--type=merge', '-p', '{"metadata":{"finalizers":null}}')


def owner(name):
    return {'apiVersion': 'v1', 'kind': 'ConfigMap', 'name': name, 'uid': 'uid-of-' + name}


def widgets(group):
    def widget(metadata=None, **spec):
        return custom(group, metadata=metadata, **spec)

    a, b, c = ({'host': host, 'to': host} for host in 'abc')
    tcp, udp, new = {'port': 53, 'name': 't'}, {'port': 53, 'protocol': 'UDP', 'name': 'u'}, {'port': 54, 'name': 'n'}
    add_c = [{'op': 'add', 'path': '/spec/rules/-', 'value': c}]
    add_udp = [{'op': 'add', 'path': '/spec/ports/-', 'value': udp}]
    tag = [{'op': 'add', 'path': '/spec/tags/-', 'value': 'theirs'}]

    def rules(*items):
        return has_items('spec.rules', items)

    def ports(*items):
        return has_items('spec.ports', [{'protocol': 'TCP', **item} for item in items])

    yield "another's item stays, ours is edited", widget(rules=[a]), widget(rules=[{**a, 'to': 'z'}]), rules({**a, 'to': 'z'}, c), {
        'edit': add_c}
    yield "another's item stays, one of ours goes", widget(rules=[a, b]), widget(rules=[b]), rules(b, c), {'edit': add_c}
    yield "another's item stays, all of ours go", widget(rules=[a, b]), widget(rules=[]), rules(c), {'edit': add_c}
    yield "another's item stays, one of ours is new", widget(rules=[a]), widget(rules=[b, a]), rules(a, b, c), {'edit': add_c}
    yield "another's item stays, ours are reordered", widget(rules=[a, b]), widget(rules=[b, a]), has_at(
        {'spec.rules[*].host': ['b', 'a', 'c']}), {'edit': add_c}
    yield "another's field in our item stays", widget(rules=[a]), widget(rules=[{**a, 'to': 'z'}]), rules({**a, 'to': 'z', 'weight': 5}), {
        'edit': [{'op': 'add', 'path': '/spec/rules/0/weight', 'value': 5}]}
    yield "another's element of a set in our item stays", widget(rules=[{**a, 'tags': ['x']}]), widget(
        rules=[{**a, 'tags': ['y']}]), has_at({'spec.rules[host=a].tags': {'$set': ['theirs', 'y']}}), {
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
    yield "a set: another's value stays, ours go and come", widget(tags=['a', 'b']), widget(tags=['b', 'c']), has_at(
        {'spec.tags': {'$set': ['b', 'c', 'theirs']}}), {'edit': tag}
    yield "a set: another's value races in", widget(tags=['a']), widget(tags=['a', 'b']), has_at(
        {'spec.tags': {'$set': ['a', 'b', 'theirs']}}), {'race': tag}
    yield 'a list without a type is replaced', widget(args=['a']), widget(args=['b']), has_at({'spec.args': ['b']}), {
        'edit': [{'op': 'add', 'path': '/spec/args/-', 'value': 'theirs'}], 'right': True}
    for race in ('edit', 'race'):
        yield "another's finalizer stays (%s)" % race, widget({'finalizers': ['a.io/x']}, size=1), widget(
            {'finalizers': ['a.io/y']}, size=1), has_at({'metadata.finalizers': {'$set': ['a.io/y', 'theirs.io/x']}}), {
                race: [{'op': 'add', 'path': '/metadata/finalizers/-', 'value': 'theirs.io/x'}]}
        yield "another's owner stays (%s)" % race, widget({'ownerReferences': [owner('a')]}, size=1), widget(
            {'ownerReferences': [owner('b')]}, size=1), has_at({'metadata.ownerReferences[*].name': {'$set': ['b', 'theirs']}}), {
                race: [{'op': 'add', 'path': '/metadata/ownerReferences/-', 'value': owner('theirs')}]}


def situations(runner):
    families = {'duplicates': DUPLICATES, 'secrets': SECRETS, 'custom resources': widgets(make_widgets(runner.space))}
    for family, rows in families.items():
        for name, before, after, expect, more in rows:
            yield Situation('%s: %s' % (family, name), before, after, expect, **more)


def families(runner):
    runner.run_all(situations(runner))
    delete_widgets(runner.space)


# Files that do not say what they seem to say: refused with a line (that of the document, where it is 1) before anything is sent.

CONFIG_MAP = 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: refused}\n'
REFUSED = {
    'a key twice': (CONFIG_MAP + 'data:\n  a: "1"\n  a: "2"\n', 6, '"a"'),
    'a key that YAML reads as true': (CONFIG_MAP + 'data:\n  y: "1"\n', 5, 'true'),
    'text after the end of a document': (CONFIG_MAP + '...\ndata: {a: "1"}\n', 5, 'after the end'),
    'a boolean where a string is wanted': (CONFIG_MAP + 'data:\n  a: yes\n', 5, 'data'),
    'a misspelt field': (CONFIG_MAP + 'data: {a: "1"}\nimutable: true\n', 5, 'did you mean "immutable"?'),
    'a patch directive': (CONFIG_MAP + 'data: {a: "1"}\n$patch: replace\n', 1, 'directive'),
}


def refusals(runner):
    space, check = runner.space, runner.check
    must(space.apply(CONFIG_MAP + 'data: {a: "0"}\n'))
    before = space.get('configmap/refused')
    for name, (text, line, word) in REFUSED.items():
        check.says('refused: ' + name, space.apply(text), 1, err=['m.json:%d' % line, word])
        check.equal('refused: %s: nothing is sent' % name, space.get('configmap/refused'), before)


# An object that `kubectl create` made, and an item with another name in the file: was the old one renamed, or is it to stay? Refused;
# a last-applied annotation of the old file or of the new one decides.

RECORDED = {'the old file: the item goes': ('old', ['new']), 'the new file: the item stays': ('new', ['new', 'old'])}


def container(name, image, object_name):
    manifest = deployment(containers=[{'name': name, 'image': image}])
    manifest['metadata']['name'] = object_name
    return manifest


def renamed_items(runner):
    space, check = runner.space, runner.check
    for number, (name, (recorded, names)) in enumerate(RECORDED.items()):
        what = 'unrecorded%d' % number
        for word in ('old', 'new'):
            space.write(word + '.json', container(word, 'web:1', what))
        must(space.kubectl('create', '-f', 'old.json'))
        before = space.get('deployment', what)
        for command, status in (('apply', 1), ('explain-diff', 2)):
            wanted = ('spec.template.spec.containers[name=old]', 'kubectl-create', '[name=new]', 'last-applied set', 'new.json')
            check.says('unrecorded: %s refuses' % command, space.smp(command, '-f', 'new.json'), status, err=wanted)
        check.equal('unrecorded: nothing is sent', space.get('deployment', what), before)
        must(space.smp('last-applied', 'set', '--create-annotation', '-f', recorded + '.json'))
        must(space.smp('apply', '-f', 'new.json'))
        check.holds('unrecorded: %s' % name, space.get('deployment', what), {'spec.template.spec.containers[*].name': names})
    must(space.kubectl('create', '-f', space.write('m.json', container('old', 'web:1', 'unrecorded-same'))))
    must(space.apply(container('old', 'web:2', 'unrecorded-same')))


if __name__ == '__main__':
    sys.exit(harness.run(__doc__, families, refusals, renamed_items, fixture=Runner))
