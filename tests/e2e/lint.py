#!/usr/bin/env python3
"""lint against the real server: an error is said only of what the server refuses, of what kubectl makes something else of, and of what
kubectl or kubectl smp refuses itself; the test says which. Of random objects, texts and custom resources, most of which are bad: no
error is said of those that the server takes as they are. Also printed: how many of those that it refuses lint finds."""
import collections
import json
import os
import random
import re
import sys

import harness
import lint_values
from harness import must
from harness.dry_run import DryRun
from harness.manifests import config_map, definition, of
from lint_values import Linted, at_path

RULES = os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', '..', 'lib', 'lint', 'rules.txt')
SEED = int(os.environ.get('SMP_SEED', random.randrange(1 << 32)))


# What not the server refuses but kubectl apply: objects without a name, and changes of what has items without their key.
BY_KUBECTL = ('no-object', 'missing-key')


# --- the example of each rule

def rules():
    """Yields (code, severity, files by name, flags) of each rule."""
    with open(RULES, encoding='utf-8') as f:
        for part in re.split(r'(?m)^== ', f.read())[1:]:
            code, severity = part.split('\n')[0].split(' ')
            blocks = re.split(r'(?m)^-- ', part)[1:]
            files = {b.split('\n', 1)[0]: b.split('\n', 1)[1] for b in blocks}
            flags = next((name for name in files if name.startswith('flags ')), 'flags').split(' ')[1:]
            yield code, severity, {name: text for name, text in files.items() if name.endswith('.yaml')}, flags


def refused(space, files):
    """The server refuses it."""
    for command in ('create', 'apply'):
        result = space.kubectl(command, '--dry-run=server', '-f', space.write('web.yaml', files['web.yaml']))
        if result.returncode == 0:
            return 'kubectl %s takes it' % command
    return ''


def of_definition(space, files):
    """The server refuses the object; its CRD is stored before."""
    crd, objects = files['web.yaml'].split('---\n')
    space.must(space.kubectl('apply', '-f', space.write('crd.yaml', crd)))
    try:
        space.await_api('example.com/v1')
        return refused(space, {'web.yaml': objects})
    finally:
        space.kubectl('delete', '-f', 'crd.yaml')


def mangled(space, files):
    """kubectl makes something else of it: of two values one, of a key another."""
    result = space.kubectl('create', '--dry-run=server', '-o', 'json', '-f', space.write('web.yaml', files['web.yaml']))
    data = json.loads(must(result))['data']
    return '' if data in ({'mode': 'safe'}, {'true': '1'}) else data


def back_and_forth(space, files):
    """kubectl applies both in turn, and has something to do whenever it is run."""
    for _ in range(2):
        out = must(space.kubectl('apply', '-f', space.write('web.yaml', files['web.yaml'])))
    return '' if out.count('configured') == 2 else out


def refused_later(space, files):
    """kubectl applies it, and cannot apply any change of it."""
    must(space.kubectl('apply', '-f', space.write('web.yaml', files['web.yaml'])))
    result = space.kubectl('apply', '-f', space.write('web.yaml', files['web.yaml'].replace('nginx', 'nginx:1')))
    return '' if result.returncode == 1 and 'does not contain declared merge key' in result.stderr else harness.said(result)


def no_object(space, files):
    """kubectl cannot read it, or not as an object."""
    result = space.kubectl('apply', '--dry-run=client', '-f', space.write('web.yaml', files['web.yaml']))
    return '' if result.returncode == 1 else harness.said(result)


def immutable(space, files):
    """The server refuses the change."""
    must(space.kubectl('create', '-f', space.write('live.yaml', files['live.yaml'].replace(', namespace: default, resourceVersion: "7"', ''))))
    return refused(space, files)


HOW = {
    'unreadable': no_object, 'no-object': no_object, 'duplicate-key': mangled, 'renamed-key': mangled, 'removed-api': refused,
    'unknown-kind': refused, 'wrong-type': refused, 'unknown-field': refused, 'exclusive-fields': refused, 'missing-field': refused,
    'invalid-quantity': refused, 'invalid-time': refused, 'invalid-base64': refused, 'invalid-name': refused, 'invalid-label': refused,
    'invalid-port': refused, 'invalid-choice': refused, 'out-of-range': refused, 'pattern': of_definition, 'schema-rule': of_definition,
    'duplicate-item': refused, 'missing-key': refused_later, 'directive': refused, 'selector': refused, 'same-object': back_and_forth,
    'immutable-field': immutable, 'unknown-volume': refused}


def story_of_examples(cl, check):
    for code, severity, files, _ in rules():
        if severity != 'error' or code.startswith('patch-'):
            continue
        check.true(code + ': the test says how', code in HOW, 'add it to HOW')
        if code in HOW:
            space = harness.Space(cl, 'lint')
            check('%s: %s' % (code, HOW[code].__doc__), HOW[code](space, files))


# --- random objects

WORDS = ['', 'x', 'UP', 'a b', 'a_b', 'a.b', 'a/b', '-a', '/x', '1', '0', '80', '50%', '1Gi', '100m', 'x' * 64, 'x' * 300, 'yes', 'null', '{}', 'ä',
         '2026-01-01T00:00:00Z', '2026-01-01', 'eA==', 'e!', 'TCP', 'Always', '10.0.0.1', '10.0.0.0/8', 'a:b', '*', '$(A)', '{{x}}', '%']
NUMBERS = [-1, 0, 1, 2, 80, 65535, 65536, 1 << 31, 1 << 40, 0.5, 1.0, 1e30]
OTHERS = [None, True, False, {}, [], [{}], [None], {'a': 'b'}, ['a'], ['a', 'a'], [{'name': 'a'}, {'name': 'a'}]]
DIRECTIVES = [('$patch', 'delete'), ('$retainKeys', ['name']), ('$setElementOrder/containers', [])]


def typo(rng, name):
    i = rng.randrange(len(name))
    return rng.choice([name[:i] + name[i + 1:], name.upper(), name + 's', name[:i] + name[i].swapcase() + name[i + 1:]])


def change(rng, manifest, path, parts):
    """Changes something in the map at the path; `parts` are other maps of its type. Returns what it was."""
    target = at_path(manifest, path)
    names = [n for n in target if n not in ('apiVersion', 'kind')] or ['x']
    name = rng.choice(names)
    how = rng.choice(['remove', 'word', 'number', 'other', 'typo', 'unknown', 'directive', 'copy', 'part', 'part', 'item'])
    value = target.get(name)
    if how == 'remove':
        target.pop(name, None)
    elif how == 'typo':
        target[typo(rng, name)] = target.pop(name, 1)
    elif how == 'directive':
        key, word = rng.choice(DIRECTIVES)
        target[key] = word
    elif how == 'copy' and isinstance(value, list) and value:
        value.insert(rng.randrange(len(value) + 1), json.loads(json.dumps(rng.choice(value))))
    elif how == 'item' and isinstance(value, list) and value:
        value[rng.randrange(len(value))] = rng.choice(WORDS + NUMBERS + OTHERS)
    elif how == 'part':
        target.update(rng.choice(parts))
    elif how in ('word', 'number', 'other'):
        target[name] = rng.choice({'word': WORDS, 'number': NUMBERS, 'other': OTHERS}[how])
    else:
        target['x'] = rng.choice(WORDS + NUMBERS + OTHERS)
    return how


class Verdicts:
    """What lint and the server say of the same objects."""

    def __init__(self, check, linted, server):
        self.check, self.linted, self.server = check, linted, server
        self.false = 0  # errors of what neither the server nor kubectl refuses
        self.files, self.counts, self.missed = [], collections.Counter(), collections.Counter()

    def add(self, manifest, how):
        self.files.append((self.linted.add(manifest), manifest, how))

    def compare(self, what):
        errors = self.linted.errors()
        for file, manifest, how in self.files:
            refusal, said = self.server.refusal(manifest), errors.get(file, [])
            self.counts[bool(refusal), bool(said)] += 1
            if refusal and not said:
                self.missed[how] += 1
                if os.environ.get('SMP_MISSED'):
                    print('missed (%s): %s' % (how, refusal))
            if said and not refusal and any(e.split(' ')[0] not in BY_KUBECTL for e in said):
                self.false += 1
                self.check('%s: the server takes %s (%s)' % (what, file, how), '%s\n%s' % (said, json.dumps(manifest)))
        both, only_server = self.counts[True, True], self.counts[True, False]
        taken = self.counts[False, False] + self.counts[False, True]
        self.check.true(what + ': there are many of both', both > len(self.files) / 10 and self.counts[False, False] > len(self.files) / 50,
                        self.counts)
        print('%s: %d objects; of %d that the server refuses lint finds %d (%.0f %%); of %d that it takes %d false alarms, and %d errors of '
              'what kubectl refuses' % (what, len(self.files), both + only_server, both, 100 * both / max(1, both + only_server), taken,
                                        self.false, self.counts[False, True] - self.false))


def hosts_of(space, server):
    """Objects that the server takes, and the maps in them by type."""
    hosts, parts = [], collections.defaultdict(list)
    for i, manifest in enumerate(lint_values.candidates(SEED)):
        manifest = space.named(manifest)
        known = (manifest['apiVersion'], manifest['kind']) in server.kinds and 'metadata' in manifest
        if i % 4 or not known or server.refusal(manifest):
            continue
        hosts.append(manifest)
        for path, name in server.typed_maps(manifest):
            parts[name].append(at_path(manifest, path))
    return hosts, parts


def story_of_objects(cl, check):
    space = harness.Space(cl, 'lint')
    server, rng = DryRun(cl.upstream(), space.name), random.Random(SEED)
    hosts, parts = hosts_of(space, server)
    good = Linted(space, 'good')
    for manifest in hosts:
        good.add(manifest)
    check.equal('no errors of what the server takes', good.errors(), {})
    verdicts = Verdicts(check, Linted(space, 'bad'), server)
    for _ in range(4000):
        manifest = json.loads(json.dumps(rng.choice(hosts)))
        path, name = rng.choice(list(server.typed_maps(manifest)))
        verdicts.add(manifest, change(rng, manifest, path, parts[name]))
    verdicts.compare('random objects')
    print('missed by what was changed:', dict(verdicts.missed))


# --- random texts

SCALARS = [
    'y', 'Y', 'n', 'yes', 'No', 'on', 'OFF', 'true', 'True', 'tRUE', 'null', '~', 'Null', '', '0', '00', '007', '0644', '0o17', '08', '0x1F', '0b11',
    '1_000', '+1', '-1', '1.0', '1.', '.5', '1e3', '1e', '.inf', '-.INF', '.nan', '1:30', '190:20:30', '2026-01-01', '2026-01-01T00:00:00Z', '=', '<<',
    '9223372036854775807', '9223372036854775808', '18446744073709551616', '1e400', 'abc', 'a b', '"x"', "'1'", '!!str 1', '!!int "1"', '[a]', '{a: b}',
    '0x', '0b', '1__0', '_1', '1.2.3', '12e345', 'NaN', '-', '0.0', '-0', '1,5', '@x', '`x`', '%x', 'a: b', 'a #b', '&a b', '*a', '|', '?', 'é']


def read_by_kubectl(space, folder):
    """The objects that it reads, by name, and of the other files why not. One run for all of them: it goes on after one that is bad."""
    result = space.kubectl('create', '--dry-run=client', '--validate=false', '-o', 'json', '-f', folder)
    objects, text = {}, result.stdout.strip()
    while text:
        manifest, end = json.JSONDecoder().raw_decode(text)
        objects[manifest['metadata']['name']], text = manifest, text[end:].lstrip()
    return objects, dict(re.findall(r'(?m)^(?:error: )?error parsing (\S+): (.*)$', result.stderr))


def story_of_texts(cl, check):
    """Each scalar as a value and as a key of a ConfigMap: an error is said if kubectl cannot read it, makes another key of it, or the
    server does not take it; and of no other."""
    space = harness.Space(cl, 'lint')
    server = DryRun(cl.upstream(), space.name)
    rows = [(s, 'data:\n  k: %s\n' % s, 'k') for s in SCALARS] + [(s, 'data:\n  %s: v\n' % s, re.sub(r'^(!!\w+|&a) ', '', s)) for s in SCALARS]
    for i, (_, data, _) in enumerate(rows):
        space.write('texts/%03d.yaml' % i, 'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: web-%03d\n' % i + data)
    errors, (read, unread) = Linted(space, 'texts').errors(), read_by_kubectl(space, 'texts')
    for i, (scalar, data, key) in enumerate(rows):
        file, name = 'texts/%03d.yaml' % i, 'web-%03d' % i
        check.true('%r: kubectl can read it, or says why not' % data, (file in unread) != (name in read), (file, unread.get(file), read.get(name)))
        why = unread[file] if file in unread else server.refusal(read[name])
        if not why and key.strip('"\'') not in read[name]['data']:
            why = 'kubectl makes another key of it'
        check.equal('%r: lint says an error if there is one (%s)' % (data, why.strip()), bool(errors.get(file)), bool(why))


# --- random custom resources

SCHEMA = {'type': 'object', 'required': ['spec'], 'properties': {'spec': {'type': 'object', 'required': ['size', 'mode'], 'properties': {
    'size': {'type': 'integer', 'minimum': 1, 'maximum': 9}, 'mode': {'type': 'string', 'enum': ['fast', 'safe', ''], 'default': 'fast'},
    'small': {'type': 'integer', 'format': 'int32', 'multipleOf': 3}, 'uuid': {'type': 'string', 'format': 'uuid'}, 'ratio': {'type': 'number', 'minimum': 0, 'exclusiveMinimum': True},
    'name': {'type': 'string', 'pattern': '^[a-z]([-a-z0-9]*[a-z0-9])?$', 'maxLength': 5}, 'text': {'type': 'string', 'minLength': 2},
    'time': {'type': 'string', 'format': 'date-time'}, 'bytes': {'type': 'string', 'format': 'byte'}, 'date': {'type': 'string', 'format': 'date'},
    'mail': {'type': 'string', 'format': 'email'}, 'any': {'x-kubernetes-preserve-unknown-fields': True},
    'port': {'x-kubernetes-int-or-string': True}, 'maybe': {'type': 'string', 'nullable': True},
    'tags': {'type': 'array', 'items': {'type': 'string'}, 'x-kubernetes-list-type': 'set', 'maxItems': 2},
    'rules': {'type': 'array', 'minItems': 1, 'items': {'type': 'object', 'required': ['host'], 'properties': {
        'host': {'type': 'string'}, 'port': {'type': 'integer', 'default': 80}, 'note': {'type': 'string'}}},
        'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['host', 'port']},
    'labels': {'type': 'object', 'additionalProperties': {'type': 'string', 'minLength': 1}, 'maxProperties': 2},
    'choice': {'type': 'object', 'oneOf': [{'required': ['a']}, {'required': ['b']}], 'properties': {'a': {'type': 'string'}, 'b': {'type': 'integer'}}},
    'either': {'type': 'object', 'anyOf': [{'properties': {'a': {'enum': ['x']}}, 'required': ['a']}, {'required': ['b']}],
               'not': {'required': ['c']}, 'properties': {n: {'type': 'string'} for n in 'abc'}}}}}}
FIELDS = SCHEMA['properties']['spec']['properties']


def value_for(rng, node, depth=0):
    """Mostly a value that fits the node."""
    if rng.random() < 0.12 or depth > 4:
        return rng.choice(WORDS + NUMBERS + OTHERS)
    if 'enum' in node or 'default' in node:
        return rng.choice(node.get('enum', [node.get('default')]))
    kind = node.get('type', rng.choice(['string', 'integer']))
    if kind == 'object':
        names = node.get('properties', {'a': node.get('additionalProperties', {})})
        return {n: value_for(rng, names[n], depth + 1) for n in names if rng.random() < 0.6}
    if kind == 'array':
        return [value_for(rng, node['items'], depth + 1) for _ in range(rng.randrange(4))]
    if node.get('format'):
        return rng.choice(TIMES if node['format'] in ('date', 'date-time') else WORDS)
    return rng.randrange(12) if kind in ('integer', 'number') else rng.choice(['ab', 'abc', 'a-b', 'abcdef', 'A'])


TIMES = ['2026-01-31T10:00:00Z', '2026-01-31T10:00:00.123+01:00', '2026-01-31t10:00:00z', '2026-01-31 10:00:00Z', '2026-01-31T10:00:00', '2026-01-31',
         '2026-02-31', '2026-01-31T25:00:00Z', '2026-01-31T10:00Z', '10:00', '2026-1-1', '2026-01-31T10:00:00,5Z', '2026-01-31T23:59:60Z']


def story_of_custom_resources(cl, check):
    space = harness.Space(cl, 'lint')
    rng = random.Random(SEED)
    crd = space.named(definition(kind='Gauge', schema=SCHEMA))
    must(space.apply(crd, tool='kubectl'))
    group = crd['spec']['group'] + '/v1'
    space.await_api(group)
    verdicts = Verdicts(check, Linted(space, 'custom'), DryRun(cl.upstream(), space.name))
    space.write('custom/crd.json', crd)
    for _ in range(3000):
        spec = {'size': rng.randrange(11), 'mode': 'fast'}
        for name in rng.sample(list(FIELDS), rng.randrange(3)):
            spec[name] = value_for(rng, FIELDS[name])
        if rng.random() < 0.1:
            spec.pop(rng.choice(['size', 'mode']))
        name = rng.choice(WORDS) if rng.random() < 0.05 else 'web'
        labels = {rng.choice(WORDS): rng.choice(WORDS)} if rng.random() < 0.05 else {}
        verdicts.add({'apiVersion': group, 'kind': 'Gauge', 'metadata': {'name': name, 'labels': labels}, 'spec': spec}, 'spec')
    verdicts.compare('random custom resources')


if __name__ == '__main__':
    print('SMP_SEED=%d' % SEED)
    sys.exit(harness.run(__doc__, story_of_examples, story_of_objects, story_of_texts, story_of_custom_resources))
