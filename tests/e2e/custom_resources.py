#!/usr/bin/env python3
"""Custom resources whose CRD has lists and sets with several owners, atomic lists, defaults, nullable fields and fields that exclude
each other. Three-way as for built-in kinds: what others put there stays, what leaves the manifest goes, what is unchanged is not sent,
and a race cannot lose anything."""
import copy
import json
import random
import sys

import harness
from harness import Space, must
from harness.manifests import NUMBER, TEXT, custom, definition, list_of, map_of


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
    places=list_of({**map_of(zone=TEXT), 'x-kubernetes-map-type': 'atomic'}, 'set'),
    template={'type': 'object', 'x-kubernetes-preserve-unknown-fields': True, 'x-kubernetes-embedded-resource': True},
    nested=map_of(rules=list_of(map_of(host=TEXT, ports=list_of(map_of(port=NUMBER, name=TEXT), 'map', 'port')), 'map', 'host')),
    **ALTERNATIVES)


class Things(Space):
    """A CRD of its own group, a namespace, and smp behind a recording proxy."""

    def __init__(self, cl, check, proxy):
        super().__init__(cl, 'custom')
        self.check, self.proxy = check, proxy
        self.group = self.name + '.test'
        must(super().apply(definition(self.group, 'Thing', map_of(spec=SPEC))))
        self.await_api(self.group + '/v1')

    def delete(self):
        self.kubectl('delete', 'customresourcedefinition', 'things.' + self.group, '--wait=false')

    def thing(self, name, spec, **metadata):
        return custom(self.group, 'Thing', name, metadata, **spec)

    def apply(self, name, spec, **metadata):
        del self.proxy.log[:]
        return super().apply(self.thing(name, spec, **metadata), kubeconfig=self.proxy.kubeconfig)

    def works(self, what, name, spec, **metadata):
        self.check.says(what, self.apply(name, spec, **metadata))

    def again(self, label, name, spec, **metadata):
        self.check.did(label + ' again: unchanged', self.apply(name, spec, **metadata), 'unchanged')
        self.check(label + ' again: nothing is sent', [r['method'] + ' ' + r['body'] for r in self.proxy.sent()])

    def body(self):
        """The body of the first request that was sent."""
        return json.loads(self.proxy.sent()[0]['body'])

    def edit(self, name, patch):
        self.patch('things.%s %s' % (self.group, name), patch)

    def replace_spec(self, name, spec):
        self.edit(name, [{'op': 'replace', 'path': '/spec', 'value': spec}])

    def live_thing(self, name):
        return self.get('things.' + self.group, name)

    def spec(self, name):
        return self.live_thing(name)['spec']


def owners(t):
    """Items, fields of items, elements and metadata of others survive; what leaves the manifest goes."""
    first = {'rules': [{'host': 'a', 'to': 'x'}, {'host': 'b', 'to': 'x'}], 'ports': [{'port': 53}], 'tags': ['p', 'q'],
             'nested': {'rules': [{'host': 'a', 'ports': [{'port': 1}, {'port': 2}]}]}}
    mine = {'finalizers': ['mine.example.com/x', 'old.example.com/x'], 'labels': {'mine': '1', 'old': '1'}}
    t.works('owners: created', 'owners', first, **mine)
    owner = {'apiVersion': 'v1', 'kind': 'Namespace', 'name': t.name, 'uid': t.get('namespace', t.name)['metadata']['uid']}
    t.edit('owners', [{'op': 'add', 'path': path, 'value': value} for path, value in (
        ('/spec/rules/-', {'host': 'theirs', 'to': 'z'}),
        ('/spec/rules/0/weight', 7),
        ('/spec/ports/-', {'port': 53, 'protocol': 'UDP'}),
        ('/spec/tags/-', 'theirs'),
        ('/spec/nested/rules/0/ports/-', {'port': 3, 'name': 'theirs'}),
        ('/metadata/finalizers/-', 'theirs.example.com/x'),
        ('/metadata/ownerReferences', [owner]))])
    second = {'rules': [{'host': 'a', 'to': 'y'}], 'ports': [{'port': 53, 'name': 'dns'}], 'tags': ['q', 'r'],
              'nested': {'rules': [{'host': 'a', 'ports': [{'port': 2, 'name': 'n'}]}]}}
    mine = {'finalizers': ['mine.example.com/x'], 'labels': {'mine': '2'}}
    t.works('owners: changed', 'owners', second, **mine)
    t.check.true('owners: the patch is guarded', t.body()['metadata'].get('resourceVersion'), t.body())
    live = t.live_thing('owners')
    for path, wanted in {
            'spec.rules': {'$set': [{'host': 'a', 'to': 'y', 'weight': 7}, {'host': 'theirs', 'to': 'z'}]},
            'spec.ports': {'$set': [{'port': 53, 'protocol': 'TCP', 'name': 'dns'}, {'port': 53, 'protocol': 'UDP'}]},
            'spec.tags': {'$set': ['q', 'r', 'theirs']},
            'spec.nested.rules[0].ports': {'$set': [{'port': 2, 'name': 'n'}, {'port': 3, 'name': 'theirs'}]},
            'metadata.finalizers': {'$set': ['mine.example.com/x', 'theirs.example.com/x']},
            'metadata.ownerReferences': [owner],
            'metadata.labels': {'mine': '2'}}.items():
        t.check.holds('owners: ' + path, live, {path: wanted})
    t.again('owners', 'owners', second, **mine)
    t.edit('owners', [{'op': 'remove', 'path': '/metadata/finalizers'}])


def minimal(t):
    t.works('minimal: created', 'minimal', {'mode': 'slow', 'size': 1, 'settings': {'a': '1', 'b': '1'}, 'tags': ['a']})
    t.works('minimal: changed', 'minimal', {'mode': 'slow', 'size': 2, 'settings': {'a': '1', 'b': '2'}, 'tags': ['a']})
    body = t.body()
    t.check.equal('minimal: only what differs, unguarded without a list', (body['spec'], list(body['metadata'])),
                  ({'size': 2, 'settings': {'b': '2'}}, ['annotations']))


def embedded(t):
    """The metadata of an embedded object is the user's, as far as it says something."""
    pod = lambda **metadata: {'template': {'apiVersion': 'v1', 'kind': 'Pod', 'metadata': metadata}}
    t.works('embedded: created', 'embedded', pod(name='x', labels={'a': 'b', 'c': 'd'}, finalizers=['a.b/c', 'd.e/f']))
    t.works('embedded: changed', 'embedded', pod(name='x', labels={'a': 'z'}, finalizers=['d.e/f'], annotations={}))
    t.check.equal('embedded: stored', t.spec('embedded')['template']['metadata'], {'name': 'x', 'labels': {'a': 'z'}, 'finalizers': ['d.e/f']})


def set_of_maps(t):
    t.works('a set of maps: created', 'places', {'places': [{'zone': 'a'}, {'zone': 'b'}]})
    t.works('a set of maps: changed', 'places', {'places': [{'zone': 'a'}, {'zone': 'c'}]})
    t.check.equal('a set of maps: stored', t.spec('places')['places'], [{'zone': 'a'}, {'zone': 'c'}])
    t.again('a set of maps', 'places', {'places': [{'zone': 'a'}, {'zone': 'c'}]})


def race(t):
    """Somebody adds an item between our GET and our PATCH."""
    t.works('race: created', 'race', {'rules': [{'host': 'a', 'to': 'x'}]})
    t.proxy.hook = lambda: t.edit('race', [{'op': 'add', 'path': '/spec/rules/-', 'value': {'host': 'theirs'}}])
    t.works('race: applied', 'race', {'rules': [{'host': 'a', 'to': 'y'}]})
    t.check.equal('race: refused once', [r['status'] for r in t.proxy.sent()], [409, 200])
    t.check.holds('race: the item that was added meanwhile is there', t.spec('race'), {'rules[*].host': {'$set': ['a', 'theirs']}})


def nulls(t):
    spec = {'timeout': None, 'fallback': None, 'mode': None, 'settings': {'a': None, 'b': 'x'}, 'steps': [{'run': 'a', 'note': None}]}
    stored = {'timeout': None, 'fallback': None, 'mode': 'fast', 'settings': {'a': None, 'b': 'x'},
              'steps': [{'run': 'a', 'note': None, 'shell': 'sh', 'retry': {'most': 1}}]}
    t.works('nulls: created', 'nulls', spec)
    t.check.equal('nulls: stored', t.spec('nulls'), stored)
    t.again('nulls', 'nulls', spec)
    t.replace_spec('nulls', {'timeout': '5s', 'fallback': 'y', 'settings': {'a': 'x', 'b': 'x'}, 'steps': [{'run': 'a'}]})
    t.works('nulls: applied over values', 'nulls', spec)
    t.check.equal('nulls: as a JSON patch', [r['type'] for r in t.proxy.sent()], ['application/json-patch+json'])
    t.check.equal('nulls: stored over values', t.spec('nulls'), stored)
    t.again('nulls over values', 'nulls', spec)
    t.works('nulls: removed', 'nulls', {'settings': {'b': 'x'}, 'steps': spec['steps']})
    t.check.equal('nulls: are gone', t.spec('nulls'), {'fallback': 'x', 'mode': 'fast', 'settings': {'b': 'x'}, 'steps': stored['steps']})


IN_SYNC = {
    'defaults': {'steps': [{'run': 'a'}, {'run': 'b', 'retry': {}}], 'ports': [{'port': 80}]},
    'defaults that are written': {'steps': [{'run': 'a', 'shell': 'sh', 'retry': {'most': 1}}], 'mode': 'fast', 'fallback': 'x'},
    'empty': {'rules': [], 'tags': [], 'settings': {}, 'steps': [], 'nested': {}},
    'as written': {'size': '1000m', 'free': {'cpu': '0.50', 'time': '2026-01-01T01:00:00+01:00', 'empty': [], 'map': {}, 'f': 1.0}},
    'an embedded object': {'template': {'apiVersion': 'v1', 'kind': 'Pod', 'spec': {'a': {}, 'b': ''}, 'metadata': {
        'name': 'x', 'labels': {}, 'annotations': {}, 'finalizers': [], 'ownerReferences': [], 'namespace': '', 'generateName': '', 'generation': 0}}},
    'without spec': {},
}


def in_sync(t):
    empty = {'creationTimestamp': None, 'labels': {}, 'annotations': {}, 'finalizers': []}
    for i, (name, spec) in enumerate(IN_SYNC.items()):
        t.works('in sync, %s: created' % name, 'sync%d' % i, spec, **empty)
        t.again('in sync, ' + name, 'sync%d' % i, spec, **empty)
    t.works('drift inside an atomic list: created', 'drift', {'steps': [{'run': 'a'}]})
    t.edit('drift', [{'op': 'replace', 'path': '/spec/steps/0/shell', 'value': 'bash'}])
    t.works('drift inside an atomic list: applied', 'drift', {'steps': [{'run': 'a'}]})
    t.check.holds('drift inside an atomic list: is reverted', t.spec('drift'), {'steps[0].shell': 'sh'})


DUPLICATES = {
    'rules': {'rules': [{'host': 'a'}, {'host': 'a'}]},
    'ports': {'ports': [{'port': 1}, {'port': 1, 'protocol': 'TCP'}]},
    'tags': {'tags': ['a', 'a']},
}


def refusals(t):
    """By the server, and by smp before anything is sent, with the line."""
    both = {name: {name: {**values[0], **values[1]}} for name, values in VALUES.items()}
    for name, spec in {**both, **DUPLICATES}.items():
        t.write('m.json', t.thing('refused', spec))
        server = t.kubectl('create', '-f', 'm.json', '--dry-run=server')
        t.check.true('%s: refused by the server' % name, server.returncode, server.stdout)
        t.check.says('%s: refused by smp' % name, t.apply('refused', spec), 1,
                     err=['m.json:', 'mutually exclusive' if name in VALUES else 'appears twice'])
        t.check('%s: nothing is sent' % name, [r['method'] for r in t.proxy.sent()])
    # Half an alternative beside a whole one is no contradiction.
    t.works('half an alternative is accepted', 'half', {'pair': {'socket': '/s', 'host': 'h'}})


def random_choice(choose):
    return {name: copy.deepcopy(choose.choice(values)) for name, values in VALUES.items() if name == 'exactlyOne' or choose.random() < 0.8}


def switches(t, rounds=40):
    """From any alternative to any other, with yet another one put into live by somebody else, or without a last-applied annotation."""
    choose = random.Random(7)
    for i in range(rounds):
        name = 'switch%d' % (i % 4)
        if i < 4:
            must(t.kubectl('create', '-f', t.write('m.json', t.thing(name, random_choice(choose)))))
        elif choose.random() < 0.6:
            t.replace_spec(name, random_choice(choose))
        wanted = random_choice(choose)
        label = 'switch %d: %s over %s' % (i, json.dumps(wanted), json.dumps(t.spec(name)))
        t.works(label, name, wanted)
        live = t.spec(name)
        for field, value in wanted.items():
            holds = all(live.get(field, {}).get(k) == v or field == 'exactlyOne' and k == 'file' for k, v in value.items())
            t.check.true('%s: %s holds' % (label, field), holds, live)
        t.again(label, name, wanted)


def stories(cl, check):
    with cl.proxy() as proxy:
        things = Things(cl, check, proxy)
        try:
            for story in (owners, minimal, embedded, set_of_maps, race, nulls, in_sync, refusals, switches):
                check.guard(story.__name__, story, things)
        finally:
            things.delete()


if __name__ == '__main__':
    sys.exit(harness.run(__doc__, stories))
