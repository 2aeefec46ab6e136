#!/usr/bin/env python3
"""pull on random manifests in random YAML styles, with random changes in live. Afterwards each file reads as the manifest and the
changes, exactly, and all lines that no change touches are as they were; or the change was left. PyYAML judges.

  pull_texts_test.py [PATH_OF_KUBECTL_SMP]     default: $SMP_BINARY
  SMP_CASES=N: how many texts, 1,000 by default; SMP_SEED=N repeats a run."""
import copy
import json
import os
import random
import re
import sys
import unittest

import yaml

import tool

SEED = int(os.environ.get('SMP_SEED', '0')) or random.SystemRandom().randrange(1, 1 << 31)
CASES = int(os.environ.get('SMP_CASES', '1000'))
BATCH = 250
WORDS = ['alpha', 'beta', 'x y', 'true', '012', 'a: b', '- c', '# no comment', "it's", 'say "hi"', '', ' padded ', 'é', '{}', '*', '3.5',
         'http://x/y?z=1', 'null', '~', 'yes', 'a,b', '[x]', '%', '@at', '&amp', 'tab\tin', '=', '<<', '1e3', '2001-01-01']


class Writer:
    """One document in random styles. Values are dicts, lists and scalars; an Anchor or an Alias stands for its value."""

    def __init__(self, rng):
        self.rng = rng
        self.step = rng.choice([2, 2, 2, 3, 4])
        self.list_offset = rng.choice([0, 2])
        self.comments = rng.random() < 0.7
        self.line_end = rng.choice(['\n', '\n', '\n', '\r\n'])
        self.anchors = {}  # name -> value

    def text(self, value):
        lines = self.block_map(value, 0)
        text = self.line_end.join(lines)
        return text if self.rng.random() < 0.1 else text + self.line_end

    def chance(self, share):
        return self.rng.random() < share

    def key(self, key):
        return self.rng.choice([key] * 6 + ['"%s"' % key, "'%s'" % key])

    def comment(self, indent):
        if self.comments and self.chance(0.15):
            yield ' ' * indent + '# ' + self.rng.choice(['why', 'x: 1', '- y', 'see the wiki'])
        elif self.chance(0.05):
            yield ''

    def at_end(self):
        return '  # ' + self.rng.choice(['note', 'k: v']) if self.comments and self.chance(0.15) else ''

    def scalar(self, value, flow=False):
        if value is None:
            return 'null'
        if isinstance(value, bool):
            return 'true' if value else 'false'
        if not isinstance(value, str):
            return str(value)
        plain = re.fullmatch(r'[a-z][a-z-]*', value) and yaml.safe_load(value) == value
        styles = ['double'] + (['single'] if re.fullmatch(r'[ -~é]*', value) else []) + (['plain'] * 3 if plain else [])
        style = self.rng.choice(styles)
        return value if style == 'plain' else "'" + value.replace("'", "''") + "'" if style == 'single' else json.dumps(value)

    def flow(self, value):
        if isinstance(value, dict):
            pad = self.rng.choice(['', ' '])
            return '{' + pad + ', '.join('%s: %s' % (self.key(k), self.flow(v)) for k, v in value.items()) + pad + '}'
        if isinstance(value, list):
            return '[' + self.rng.choice([', ', ','])[:2].join(self.flow(v) for v in value) + ']'
        return self.scalar(value, True)

    def literal(self, value, indent):
        head = '|' if value.endswith('\n') else '|-'
        lines = value[:-1].split('\n') if value.endswith('\n') else value.split('\n')
        return [' ' + head + self.at_end()] + [' ' * indent + line if line else '' for line in lines]

    def fits_literal(self, value):
        return (isinstance(value, str) and '\n' in value and re.fullmatch(r'[!-~][^\r\t\x00-\x09\x0b-\x1f]*[!-~]\n?', value) is not None
                and not re.search(r' \n', value))

    def value_after(self, value, indent, is_item):
        """The lines of a value behind a colon or dash at the column `indent`; the first goes onto the line of that."""
        anchor = ''
        if isinstance(value, (str, int)) and not isinstance(value, bool) and value != '' and not self.fits_literal(value):
            known = [name for name, of in self.anchors.items() if of == value and type(of) is type(value)]
            if known and self.chance(0.5):
                return [' *' + known[0] + self.at_end()]
            if self.chance(0.06):
                name = 'a%d' % len(self.anchors)
                self.anchors[name] = value
                anchor = ' &' + name
        if self.fits_literal(value) and self.chance(0.8):
            return self.literal(value, indent + self.step)
        if isinstance(value, (dict, list)) and value and self.chance(0.8):
            if isinstance(value, dict):
                lines = self.block_map(value, indent + (2 if is_item else self.step))
            else:
                lines = self.block_list(value, indent + (2 if is_item else self.list_offset))
            if is_item and lines and not lines[0].lstrip().startswith('#') and lines[0].strip():
                return [' ' + lines[0].lstrip()] + lines[1:]
            return [self.at_end()] + lines
        return [anchor + ' ' + self.flow(value) + self.at_end()]

    def block_map(self, value, indent):
        lines = []
        for key, below in value.items():
            lines += self.comment(indent)
            rest = self.value_after(below, indent, False)
            lines += [' ' * indent + self.key(key) + ':' + rest[0]] + rest[1:]
        return lines

    def block_list(self, value, indent):
        lines = []
        for item in value:
            lines += self.comment(indent)
            rest = self.value_after(item, indent, True)
            lines += [' ' * indent + '-' + rest[0]] + rest[1:]
        return lines


class Maker:
    def __init__(self, rng):
        self.rng = rng

    def scalar(self):
        kind = self.rng.random()
        if kind < 0.2:
            return self.rng.randrange(-5, 100000)
        if kind < 0.3:
            return self.rng.random() < 0.5
        if kind < 0.45:
            return self.lines()
        return self.rng.choice(WORDS) + self.rng.choice(['', '', 'q'])

    def lines(self):
        return '\n'.join(self.rng.choice(['one', 'two: 2', '# three', '  four', '', '- five', 'six']) for _ in range(self.rng.randrange(2, 7))) \
            + self.rng.choice(['', '\n', '\n'])

    def value(self, depth):
        kind = self.rng.random()
        if depth > 0 and kind < 0.35:
            return {self.name(): self.value(depth - 1) for _ in range(self.rng.randrange(0, 5))}
        if depth > 0 and kind < 0.55:
            return [self.value(depth - 1) for _ in range(self.rng.randrange(0, 5))]
        return self.scalar()

    def name(self):
        return self.rng.choice('abcdefghijklmop') + self.rng.choice(['', '1', '-x', 'Name'])

    def spec(self):
        return {self.name(): self.value(3) for _ in range(self.rng.randrange(2, 8))}


def places(value, path=()):
    """The paths of maps, and of values in maps. What is in a list is a part of the list."""
    yield path
    if isinstance(value, dict):
        for key, below in value.items():
            yield from places(below, path + (key,))


def at(value, path):
    for key in path:
        value = value[key]
    return value


class Change:
    def __init__(self, path, value, op):
        self.path, self.value, self.op = path, value, op

    def do(self, value):
        parent = at(value, self.path[:-1])
        if self.op == 'remove':
            del parent[self.path[-1]]
        else:
            parent[self.path[-1]] = copy.deepcopy(self.value)

    def apart(self, other):
        short = min(len(self.path), len(other.path))
        return self.path[:short] != other.path[:short]


def same(a, b):
    """Equal, and of the same types: to Python, True is 1."""
    return json.dumps(a, sort_keys=True) == json.dumps(b, sort_keys=True)


def random_change(spec, maker):
    rng = maker.rng
    path = rng.choice([p for p in places(spec)])
    old = at(spec, path)
    if isinstance(old, dict) and (not path or rng.random() < 0.4):
        name = maker.name()
        return None if name in old else Change(path + (name,), maker.value(2), 'add')
    if rng.random() < 0.25:
        return Change(path, None, 'remove')
    if isinstance(old, list):
        new = copy.deepcopy(old)
        where = rng.randrange(len(new) + 1)
        if where < len(new) and rng.random() < 0.6:
            new[where:where + 1] = [maker.value(1)] if rng.random() < 0.5 else []
        else:
            new.insert(where, maker.value(1))
        return None if same(new, old) or not new else Change(path, new, 'set')
    if isinstance(old, str) and '\n' in old:
        lines = old.split('\n')
        lines[rng.randrange(len(lines))] = rng.choice(['changed', 'more\nlines', '  indented'])
        return None if '\n'.join(lines) == old else Change(path, '\n'.join(lines), 'set')
    new = maker.scalar()
    return None if isinstance(old, dict) or same(new, old) else Change(path, new, 'set')


class Case:
    def __init__(self, seed, name):
        self.rng = random.Random(seed)
        self.name = name
        maker = Maker(self.rng)
        self.object = {'apiVersion': 'example.com/v1', 'kind': 'Widget', 'metadata': {'name': name}, 'spec': maker.spec()}
        self.text = Writer(self.rng).text(self.object)
        self.object = load(self.text)
        self.changes = []
        for _ in range(self.rng.randrange(1, 5)):
            change = random_change(self.object['spec'], maker)
            if change and all(change.apart(other) for other in self.changes):
                self.changes.append(change)

    def record(self):
        return copy.deepcopy(self.object)

    def live(self):
        live = copy.deepcopy(self.object)
        fields = {}
        for change in self.changes:
            change.do(live['spec'])
            if change.op == 'add':
                node = fields
                for key in ('spec',) + change.path:
                    node = node.setdefault('f:' + key, {})
        live['metadata']['managedFields'] = [{'manager': 'kubectl-edit', 'operation': 'Update', 'apiVersion': 'example.com/v1',
                                              'fieldsType': 'FieldsV1', 'fieldsV1': fields, 'time': '2020-01-02T03:04:05Z'}]
        return live

    def expected(self, left):
        out = self.record()
        for change in self.changes:
            if change.path not in left:
                change.do(out['spec'])
        return out

    def node(self, path):
        """The key and value of a path in the old text, and the outermost flow collection above or at it."""
        key, node, flow = None, yaml.compose(self.text, Loader=yaml.SafeLoader), None
        for name in ('spec',) + path:
            if flow is None and isinstance(node, yaml.CollectionNode) and node.flow_style:
                flow = node
            key, node = next((k, v) for k, v in node.value if k.value == name)
        return key, node, flow

    def lines_that_may_change(self, left):
        out = self.open_literal()
        for change in self.changes:
            if change.path in left:
                continue
            path = change.path if change.op != 'add' else change.path[:-1]
            key, node, flow = self.node(path)
            emptied = not at(self.expected(left)['spec'], change.path[:-1])
            if change.op == 'add' and (flow or node.flow_style):
                out |= span((flow or node).start_mark.line, (flow or node).end_mark.line)
            if change.op == 'add':
                out |= set() if node.value else span(key.start_mark.line, node.end_mark.line)
                continue
            first = flow or key
            # An alias is composed as what it repeats, which ends above the key.
            last = max(key.end_mark.line, node.end_mark.line, (flow or node).end_mark.line)
            out |= span(first.start_mark.line, last)
            if change.op == 'remove':
                out |= self.comments_of(key)
            if emptied:
                parent_key, _, _ = self.node(change.path[:-1])
                out.add(parent_key.start_mark.line)
        return out

    def open_literal(self):
        """The header of a literal that ends the text without a line end: below it nothing can stand unless the header changes."""
        if self.text.endswith('\n'):
            return set()
        headers = [i for i, line in enumerate(self.text.splitlines()) if re.search(r'[:-] \|-?( +#.*)?$', line)]
        return set(headers[-1:])

    def comments_of(self, key):
        """The lines of comments that belong to a key: directly above it in its column. Those below it are in its span."""
        lines = self.text.splitlines()
        line = key.start_mark.line - 1
        out = set()
        while line >= 0 and re.match(' ' * key.start_mark.column + '#', lines[line]):
            out.add(line)
            line -= 1
        return out

    def fault(self, new_text, left):
        try:
            new = load(new_text)
        except yaml.YAMLError as error:
            return 'unreadable: %s' % error
        if not same(new, self.expected(left)):
            return 'reads as %s, wanted %s' % (json.dumps(new), json.dumps(self.expected(left)))
        free = self.lines_that_may_change(left)
        kept = [line for i, line in enumerate(self.text.splitlines()) if i not in free]
        while kept and not kept[-1]:
            kept.pop()  # at the end a blank line cannot be told from a line end
        rest = iter(new_text.splitlines())
        lost = next((line for line in kept if not any(line == other for other in rest)), None)
        if lost is not None:
            return 'lost the line %r' % lost
        ends = {'\r\n'} if '\r\n' in self.text else set()
        if ends and '\n' in new_text.replace('\r\n', ''):
            return 'another line end'
        return None


def load(text):
    """As kubectl reads it, which ends each line with a line break: so does a literal that ends with the text."""
    return yaml.safe_load(text if text.endswith('\n') else text + '\n')


def span(first, last):
    return set(range(first, last + 1))


# Of the kind nothing is known but that it exists, so JSON's rules hold.
WIDGETS = {'apiVersion': 'apiextensions.k8s.io/v1', 'kind': 'CustomResourceDefinition', 'metadata': {'name': 'widgets.example.com'},
           'spec': {'group': 'example.com', 'scope': 'Cluster', 'names': {'kind': 'Widget', 'plural': 'widgets'},
                    'versions': [{'name': 'v1', 'served': True, 'storage': True, 'schema': {'openAPIV3Schema': {
                        'type': 'object', 'x-kubernetes-preserve-unknown-fields': True}}}]}}


class PullTextsTest(tool.ToolTest):
    def test_random_texts(self):
        print('SMP_SEED=%d' % SEED, flush=True)
        changes = left_changes = 0
        for first in range(0, CASES, BATCH):
            cases = [Case(SEED * 1000003 + i, 'w%d' % i) for i in range(first, min(first + BATCH, CASES))]
            left = self.pull(cases)
            for case in cases:
                with open(os.path.join(self.dir, 'in', case.name + '.yaml'), newline='', encoding='utf-8') as file:
                    text = file.read()
                fault = case.fault(text, left.get(case.name, set()))
                self.assertIsNone(fault, '%s\n--- before\n%s\n--- after\n%s\n--- changes %s, left %s' % (
                    fault, case.text, text, [(c.op, c.path, c.value) for c in case.changes], left.get(case.name)))
                changes += len(case.changes)
                left_changes += len(left.get(case.name, ()))
        print('%d texts, %d changes, %d left' % (CASES, changes, left_changes), flush=True)
        self.assertLess(left_changes, changes * 0.1 + 10)

    def pull(self, cases):
        """Runs pull on the cases; the paths that were left, by name."""
        os.makedirs(os.path.join(self.dir, 'in'), exist_ok=True)
        for old in os.listdir(os.path.join(self.dir, 'in')):
            os.remove(os.path.join(self.dir, 'in', old))
        self.write('in/widgets.json', WIDGETS)
        for case in cases:
            with open(os.path.join(self.dir, 'in', case.name + '.yaml'), 'w', newline='', encoding='utf-8') as file:
                file.write(case.text)
        self.write('live.json', {'apiVersion': 'v1', 'kind': 'List', 'items': [case.live() for case in cases]})
        self.write('original.json', {'apiVersion': 'v1', 'kind': 'List', 'items': [case.record() for case in cases]})
        done = self.run_tool('pull', '-f', 'in', '--live', 'live.json', '--original', 'original.json', '--write', '--added')
        self.assertIn(done.returncode, (0, 1), done.stderr)
        left = {}
        notes = [line for line in done.stderr.splitlines() if not line.startswith('not in live: customresourcedefinition')]
        for line in notes:
            if re.match(r'left, \d+ fields: ', line):
                continue  # they follow, a line each
            match = re.match(r'(?:left:| ) widget\.example\.com/(\w+) spec\.([\w.-]+)(?:: |$)', line)
            self.assertTrue(match, line)
            left.setdefault(match[1], set()).add(tuple(match[2].split('.')))
        return left


if __name__ == '__main__':
    unittest.main(argv=sys.argv[:1])
