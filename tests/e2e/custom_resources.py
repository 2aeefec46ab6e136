#!/usr/bin/env python3
"""Custom resources of a definition that has lists and sets with several owners, atomic lists, defaults, nullable fields and fields
that exclude each other. Three-way as for built-in kinds: what others put there stays, what leaves the manifest goes, what is unchanged
is not sent, and a race cannot lose anything."""
import copy
import json
import random
import sys
import time

import cluster
import get_only
import run as scenarios  # scenarios/run.py: its proxy

TEXT, NUMBER = {'type': 'string'}, {'type': 'integer'}


def map_of(**properties):
    return {'type': 'object', 'properties': properties}


def list_of(items, kind=None, *keys):
    out = {'type': 'array', 'items': items}
    if kind:
        out['x-kubernetes-list-type'] = kind
    if keys:
        out['x-kubernetes-list-map-keys'] = list(keys)
        items['required'] = [key for key in keys if 'default' not in items['properties'][key]]
    return out


def exactly_one(**properties):
    return {**map_of(**properties), 'oneOf': [{'required': [name]} for name in sorted(properties)]}


def one_or_none(**properties):
    """As Istio's generator writes it."""
    required = [{'required': [name]} for name in sorted(properties)]
    return {**map_of(**properties), 'oneOf': [{'not': {'anyOf': required}}] + required}


ALTERNATIVES = {
    'exactlyOne': exactly_one(file=map_of(path=TEXT, mode={'type': 'integer', 'default': 3}), http=map_of(url=TEXT), text=TEXT),
    'oneOrNone': one_or_none(simple=TEXT, hash=map_of(header=TEXT, size=NUMBER)),
    'pair': {**map_of(socket=TEXT, host=TEXT, port=NUMBER), 'oneOf': [{'required': ['socket']}, {'required': ['host', 'port']}]},
    'notBoth': {**map_of(least=NUMBER, most=NUMBER), 'not': {'required': ['least', 'most']}},
    'atMostOne': {**map_of(a=TEXT, b=map_of(c=TEXT), d=list_of(TEXT)), 'maxProperties': 1},
}
# Values of each, one for each alternative.
VALUES = {
    'exactlyOne': [{'file': {'path': '/x'}}, {'http': {'url': 'http://x'}}, {'text': ''}],
    'oneOrNone': [{'simple': 'RANDOM'}, {'hash': {'header': 'h', 'size': 3}}],
    'pair': [{'socket': '/s'}, {'host': 'h', 'port': 80}],
    'notBoth': [{'least': 1}, {'most': 2}],
    'atMostOne': [{'a': 'x'}, {'b': {'c': 'x'}}, {'d': ['x']}],
}

SPEC = map_of(
    rules=list_of(map_of(host=TEXT, to=TEXT, weight=NUMBER), 'map', 'host'),
    ports=list_of(map_of(port=NUMBER, protocol={**TEXT, 'default': 'TCP'}, name=TEXT), 'map', 'port', 'protocol'),
    tags=list_of(TEXT, 'set'),
    steps=list_of(map_of(run=TEXT, shell={**TEXT, 'default': 'sh'},
                         retry={**map_of(most={'type': 'integer', 'default': 1}), 'default': {}},
                         note={**TEXT, 'nullable': True})),
    timeout={**TEXT, 'nullable': True},
    fallback={**TEXT, 'nullable': True, 'default': 'x'},
    mode={**TEXT, 'default': 'fast'},
    size={'x-kubernetes-int-or-string': True},
    settings={'type': 'object', 'additionalProperties': {**TEXT, 'nullable': True}},
    free={'type': 'object', 'x-kubernetes-preserve-unknown-fields': True},
    nested=map_of(rules=list_of(map_of(host=TEXT, ports=list_of(map_of(port=NUMBER, name=TEXT), 'map', 'port')), 'map', 'host')),
    **ALTERNATIVES)


class Fixture:
    """A definition of its own group, a namespace, and the tool behind a proxy that logs what is sent."""

    def __init__(self, cl):
        self.cl, self.namespace = cl, cl.new_namespace('custom')
        self.group = self.namespace + '.test'
        self.kind = 'things.' + self.group
        cl.write('crd.json', json.dumps({
            'apiVersion': 'apiextensions.k8s.io/v1', 'kind': 'CustomResourceDefinition', 'metadata': {'name': self.kind},
            'spec': {'group': self.group, 'scope': 'Namespaced', 'names': {'plural': 'things', 'kind': 'Thing'},
                     'versions': [{'name': 'v1', 'served': True, 'storage': True,
                                   'schema': {'openAPIV3Schema': map_of(spec=SPEC)}}]}}))
        cl.must(cl.smp('apply', '-f', 'crd.json'))
        self.await_document()
        self.proxy = scenarios.Proxy(get_only.upstream(cl))
        self.config = get_only.write_kubeconfig(cl, self.proxy.url)

    def await_document(self):
        """The server publishes it a moment after the definition is established."""
        for _ in range(100):
            if 'Thing' in self.cl.kubectl('get', '--raw', '/openapi/v3/apis/%s/v1' % self.group).stdout:
                return
            time.sleep(0.2)
        raise AssertionError('the definition is not published')

    def close(self):
        self.proxy.close()
        self.cl.kubectl('delete', 'customresourcedefinition', self.kind, '--wait=false')

    def manifest(self, name, spec, **metadata):
        return {'apiVersion': self.group + '/v1', 'kind': 'Thing', 'metadata': {'name': name, **metadata}, 'spec': spec}

    def apply(self, name, spec, *flags, **metadata):
        self.cl.write('m.json', json.dumps(self.manifest(name, spec, **metadata), indent=1))
        del self.proxy.log[:]
        return self.cl.run(self.cl.tool, 'apply', '-f', 'm.json', '-n', self.namespace, '--kubeconfig', self.config, *flags)

    def sent(self):
        return [r for r in self.proxy.log if r['method'] != 'GET']

    def patch(self, name, patch, kind='json'):
        return self.cl.kubectl('patch', self.kind, name, '-n', self.namespace, '--type=' + kind, '-p', json.dumps(patch))

    def replace_spec(self, name, spec):
        return self.patch(name, [{'op': 'replace', 'path': '/spec', 'value': spec}])

    def live(self, name):
        return self.cl.get(self.kind, name, '-n', self.namespace)


def done(result):
    return '' if result.returncode == 0 else result.stdout + result.stderr


def check_unchanged(check, f, label, name, spec, **metadata):
    again = f.apply(name, spec, **metadata)
    check(label + ' again: unchanged', '' if again.stdout.endswith(' unchanged\n') else again.stdout + again.stderr)
    check(label + ' again: nothing is sent', [r['method'] + ' ' + r['body'] for r in f.sent()])


def check_owners(check, f):
    """Items, fields of items, elements and metadata of others survive; what leaves the manifest goes."""
    first = {'rules': [{'host': 'a', 'to': 'x'}, {'host': 'b', 'to': 'x'}], 'ports': [{'port': 53}], 'tags': ['p', 'q'],
             'nested': {'rules': [{'host': 'a', 'ports': [{'port': 1}, {'port': 2}]}]}}
    mine = {'finalizers': ['mine.example.com/x', 'old.example.com/x'], 'labels': {'mine': '1', 'old': '1'}}
    check('owners: created', done(f.apply('owners', first, **mine)))
    uid = f.cl.get('namespace', f.namespace)['metadata']['uid']
    owner = {'apiVersion': 'v1', 'kind': 'Namespace', 'name': f.namespace, 'uid': uid}
    f.cl.must(f.patch('owners', [
        {'op': 'add', 'path': '/spec/rules/-', 'value': {'host': 'theirs', 'to': 'z'}},
        {'op': 'add', 'path': '/spec/rules/0/weight', 'value': 7},
        {'op': 'add', 'path': '/spec/ports/-', 'value': {'port': 53, 'protocol': 'UDP'}},
        {'op': 'add', 'path': '/spec/tags/-', 'value': 'theirs'},
        {'op': 'add', 'path': '/spec/nested/rules/0/ports/-', 'value': {'port': 3, 'name': 'theirs'}},
        {'op': 'add', 'path': '/metadata/finalizers/-', 'value': 'theirs.example.com/x'},
        {'op': 'add', 'path': '/metadata/ownerReferences', 'value': [owner]}]))
    second = {'rules': [{'host': 'a', 'to': 'y'}], 'ports': [{'port': 53, 'name': 'dns'}], 'tags': ['q', 'r'],
              'nested': {'rules': [{'host': 'a', 'ports': [{'port': 2, 'name': 'n'}]}]}}
    mine = {'finalizers': ['mine.example.com/x'], 'labels': {'mine': '2'}}
    check('owners: changed', done(f.apply('owners', second, **mine)))
    body = json.loads(f.sent()[0]['body'])
    check('owners: the patch is guarded', '' if body['metadata'].get('resourceVersion') else body)
    live = f.live('owners')
    spec, metadata = live['spec'], live['metadata']
    keyed = lambda items, key: {item[key]: item for item in items}
    want = {
        'rules': ({'a': {'host': 'a', 'to': 'y', 'weight': 7}, 'theirs': {'host': 'theirs', 'to': 'z'}}, keyed(spec['rules'], 'host')),
        'ports': ({'TCP': {'port': 53, 'protocol': 'TCP', 'name': 'dns'}, 'UDP': {'port': 53, 'protocol': 'UDP'}}, keyed(spec['ports'], 'protocol')),
        'tags': ({'q', 'r', 'theirs'}, set(spec['tags'])),
        'nested': ({2: {'port': 2, 'name': 'n'}, 3: {'port': 3, 'name': 'theirs'}}, keyed(spec['nested']['rules'][0]['ports'], 'port')),
        'finalizers': ({'mine.example.com/x', 'theirs.example.com/x'}, set(metadata['finalizers'])),
        'ownerReferences': ([owner], metadata.get('ownerReferences')),
        'labels': ({'mine': '2'}, metadata.get('labels')),
    }
    for name, (wanted, found) in want.items():
        check('owners: %s' % name, '' if wanted == found else found)
    check_unchanged(check, f, 'owners', 'owners', second, **mine)
    f.cl.must(f.patch('owners', [{'op': 'remove', 'path': '/metadata/finalizers'}]))


def check_minimal(check, f):
    check('minimal: created', done(f.apply('minimal', {'mode': 'slow', 'size': 1, 'settings': {'a': '1', 'b': '1'}, 'tags': ['a']})))
    check('minimal: changed', done(f.apply('minimal', {'mode': 'slow', 'size': 2, 'settings': {'a': '1', 'b': '2'}, 'tags': ['a']})))
    body = json.loads(f.sent()[0]['body'])
    check('minimal: only what differs, unguarded without a list',
          '' if body['spec'] == {'size': 2, 'settings': {'b': '2'}} and set(body['metadata']) == {'annotations'} else body)


def check_race(check, f):
    """Somebody adds an item between our GET and our PATCH."""
    check('race: created', done(f.apply('race', {'rules': [{'host': 'a', 'to': 'x'}]})))
    f.proxy.hook = lambda: f.cl.must(f.patch('race', [{'op': 'add', 'path': '/spec/rules/-', 'value': {'host': 'theirs'}}]))
    check('race: applied', done(f.apply('race', {'rules': [{'host': 'a', 'to': 'y'}]})))
    check('race: refused once', '' if [r['status'] for r in f.sent()] == [409, 200] else f.sent())
    rules = sorted(rule['host'] for rule in f.live('race')['spec']['rules'])
    check('race: the item that came meanwhile is there', '' if rules == ['a', 'theirs'] else rules)


def check_nulls(check, f):
    spec = {'timeout': None, 'fallback': None, 'mode': None, 'settings': {'a': None, 'b': 'x'}, 'steps': [{'run': 'a', 'note': None}]}
    stored = {'timeout': None, 'fallback': None, 'mode': 'fast', 'settings': {'a': None, 'b': 'x'},
              'steps': [{'run': 'a', 'note': None, 'shell': 'sh', 'retry': {'most': 1}}]}
    check('nulls: created', done(f.apply('nulls', spec)))
    check('nulls: stored', '' if f.live('nulls')['spec'] == stored else f.live('nulls')['spec'])
    check_unchanged(check, f, 'nulls', 'nulls', spec)
    f.cl.must(f.replace_spec('nulls', {'timeout': '5s', 'fallback': 'y', 'settings': {'a': 'x', 'b': 'x'}, 'steps': [{'run': 'a'}]}))
    check('nulls: applied over values', done(f.apply('nulls', spec)))
    media = [r['type'] for r in f.sent()]
    check('nulls: as a JSON patch', '' if media == ['application/json-patch+json'] else media)
    check('nulls: stored over values', '' if f.live('nulls')['spec'] == stored else f.live('nulls')['spec'])
    check_unchanged(check, f, 'nulls over values', 'nulls', spec)
    check('nulls: removed', done(f.apply('nulls', {'settings': {'b': 'x'}, 'steps': spec['steps']})))
    without = {'fallback': 'x', 'mode': 'fast', 'settings': {'b': 'x'}, 'steps': stored['steps']}
    check('nulls: are gone', '' if f.live('nulls')['spec'] == without else f.live('nulls')['spec'])


IN_SYNC = {
    'defaults': {'steps': [{'run': 'a'}, {'run': 'b', 'retry': {}}], 'ports': [{'port': 80}]},
    'defaults that are written': {'steps': [{'run': 'a', 'shell': 'sh', 'retry': {'most': 1}}], 'mode': 'fast', 'fallback': 'x'},
    'empty': {'rules': [], 'tags': [], 'settings': {}, 'steps': [], 'nested': {}},
    'as written': {'size': '1000m', 'free': {'cpu': '0.50', 'time': '2026-01-01T01:00:00+01:00', 'empty': [], 'map': {}, 'f': 1.0}},
    'without spec': {},
}


def check_in_sync(check, f):
    for i, (name, spec) in enumerate(IN_SYNC.items()):
        check('in sync, %s: created' % name, done(f.apply('sync%d' % i, spec, creationTimestamp=None, labels={}, annotations={}, finalizers=[])))
        check_unchanged(check, f, 'in sync, ' + name, 'sync%d' % i, spec, creationTimestamp=None, labels={}, annotations={}, finalizers=[])
    check('drift inside an atomic list: created', done(f.apply('drift', {'steps': [{'run': 'a'}]})))
    f.cl.must(f.patch('drift', [{'op': 'replace', 'path': '/spec/steps/0/shell', 'value': 'bash'}]))
    check('drift inside an atomic list: applied', done(f.apply('drift', {'steps': [{'run': 'a'}]})))
    check('drift inside an atomic list: is reverted', '' if f.live('drift')['spec']['steps'][0]['shell'] == 'sh' else f.live('drift')['spec'])


def check_refusals(check, f):
    """By the server, and by smp before anything is sent, with the line."""
    both = {name: {**values[0], **values[1]} for name, values in VALUES.items()}
    rows = {name: {name: value} for name, value in both.items()}
    rows['rules'] = {'rules': [{'host': 'a'}, {'host': 'a'}]}
    rows['ports'] = {'ports': [{'port': 1}, {'port': 1, 'protocol': 'TCP'}]}
    rows['tags'] = {'tags': ['a', 'a']}
    for name, spec in rows.items():
        text = json.dumps(f.manifest('refused', spec), indent=1)
        server = f.cl.kubectl('create', '-f', '-', '-n', f.namespace, '--dry-run=server', stdin=text)
        check('%s: refused by the server' % name, '' if server.returncode else server.stdout)
        mine = f.apply('refused', spec)
        said = 'exclude each other' if name in VALUES else 'stands twice'
        check('%s: refused by smp' % name, '' if mine.returncode == 1 and said in mine.stderr and 'm.json:' in mine.stderr else mine.stderr)
        check('%s: nothing is sent' % name, [r['method'] for r in f.sent()])
    # Half an alternative beside a whole one is no contradiction.
    half = {'pair': {'socket': '/s', 'host': 'h'}}
    check('half an alternative is accepted', done(f.apply('half', half)))


def check_switches(check, f, rounds):
    """The property: from any alternative to any other, with yet another one put into live by somebody else, or nothing recorded."""
    choose = random.Random(7)
    for i in range(rounds):
        name = 'switch%d' % (i % 4)
        if i < 4:
            f.cl.write('m.json', json.dumps(f.manifest(name, random_choice(choose))))
            f.cl.must(f.cl.kubectl('create', '-f', 'm.json', '-n', f.namespace))  # no last-applied
        elif choose.random() < 0.6:
            f.cl.must(f.replace_spec(name, random_choice(choose)))
        wanted = random_choice(choose)
        before = f.live(name)['spec']
        label = 'switch %d: %s over %s' % (i, json.dumps(wanted), json.dumps(before))
        check(label, done(f.apply(name, wanted)))
        live = f.live(name)['spec']
        for field, value in wanted.items():
            holds = all(live.get(field, {}).get(k) == v or field == 'exactlyOne' and k == 'file' for k, v in value.items())
            check('%s: %s holds' % (label, field), '' if holds else live)
        check_unchanged(check, f, label, name, wanted)


def random_choice(choose):
    return {name: copy.deepcopy(choose.choice(values)) for name, values in VALUES.items() if name == 'exactlyOne' or choose.random() < 0.8}


def main():
    check = cluster.Checks()
    with cluster.Cluster(cluster.parse_args(__doc__)) as cl:
        f = Fixture(cl)
        try:
            check_owners(check, f)
            check_minimal(check, f)
            check_nulls(check, f)
            check_in_sync(check, f)
            check_refusals(check, f)
            check_switches(check, f, rounds=40)
        finally:
            f.close()
    return check.finish()


if __name__ == '__main__':
    sys.exit(main())
