#!/usr/bin/env python3
"""Every line of lib/schema/facts/values.txt against the real server: an object that the server takes is refused with a near miss of
the line, and taken with a value that just fits. lint says the same of both: an error at the field, and none."""
import copy
import json
import random
import sys

import harness
from harness import facts
from harness.dry_run import DryRun
from harness.manifests import of, pod
from truth import kinds
import unions

# For each form: texts that do not have it, and one that has.
FORMS = {
    'dns-label': (['a.b', 'UP', '-a', 'x' * 64], 'x' * 63),
    'dns-1035': (['1a', 'a.b'], 'a1'),
    'dns-subdomain': (['UP', 'a_b', 'x' * 254], 'a.b'),
    'port-name': (['UP', 'x' * 16, '-a', '12'], '1-a'),
    'config-key': (['a b', '..a', 'a/b'], '.A_b-1'),
    'qualified-name': (['a b', 'a/b/c', 'x' * 64, 'UP/a'], 'example.com/A_b.c'),
    'lower-qualified-name': (['a b', 'a/b/c'], 'example.com/A_b.c'),
    'label-value': (['a b', 'x' * 64, 'a/b'], 'A_b.c'),
    'absolute-path': (['data'], '/data'),
    'percent': (['half', '1.5%'], '50%'),
    'cron': (['* * * *', '* * * * * *'], '*/5 * * * *'),
}


class Line:
    """A line of the file: `values` yields what to put at the path (None: remove the field), and whether the server takes it."""

    def __init__(self, text):
        self.text = text
        self.type, self.path, self.rule, self.rest = (text.split(' ') + [''])[:4]
        self.names = [] if self.rule == 'any-required' else self.path.split('.')

    def near_misses_of(self, manifest, path, value):
        """The object with what the line says is refused, in the map at the path."""
        if self.rule == 'any-required':
            return [without_any(manifest, path, self.path.split(','))]
        return [with_value(manifest, path, self.names, miss) for miss in self.near_misses(value)]

    def near_misses(self, value):
        """Values for the field, instead of `value`, that the line says are refused."""
        if self.rule == 'required':
            return [None, type(value)()]
        if self.rule == 'one-of':
            return [['Bogus'] if isinstance(value, list) else 'Bogus']
        if self.rule == 'range':
            least, most = self.rest.split('..')
            return ([int(least) - 1] if least else []) + ([int(most) + 1] if most else [])
        if self.rule.startswith('length:'):
            return ['x' * (int(self.rule[7:]) + 1)]
        form = self.rule.split(':')[-1]
        if self.rule.startswith('keys:'):
            return [{bad: any_value(value)} for bad in FORMS[form][0]]
        if self.rule.startswith('values:'):
            return [{'a': bad} for bad in FORMS[form][0]]
        return FORMS[form][0]

    def fits(self, value):
        """A value that the line does not forbid, though it is near; None if there is none."""
        if self.rule == 'range':
            least, most = self.rest.split('..')
            return int(most or least)
        form = self.rule.split(':')[-1]
        if self.rule.startswith('keys:'):
            return {FORMS[form][1]: any_value(value)}
        if self.rule.startswith('values:'):
            return {'a': FORMS[form][1]}
        return FORMS[form][1] if form in FORMS else None


def any_value(value):
    """A value of a map that has values of this kind."""
    return next(iter(value.values())) if value else 'eA=='


def without_any(manifest, path, names):
    """A copy whose map at the path has none of the fields."""
    out = copy.deepcopy(manifest)
    for name in names:
        at_path(out, path).pop(name, None)
    return out


def at_path(value, path):
    for step in path:
        value = value[step]
    return value


def with_value(manifest, path, names, value):
    out = copy.deepcopy(manifest)
    target = at_path(out, path)
    for name in names[:-1]:
        target = target.setdefault(name, {})
    if value is None:
        target.pop(names[-1], None)
    else:
        target[names[-1]] = value
    return out


# --- objects that the server takes

def candidates(seed):
    rng = random.Random(seed)
    for kind in kinds.built_in():
        for _ in range(40):
            yield kind.manifest(kind.random_state(rng))
    for make, alternatives, *_ in unions.HOSTS.values():
        for alternative in alternatives:
            yield make(alternative)
    yield from MORE


MORE = [pod({'ports': [{'containerPort': 80, 'hostPort': 80}]}), of('v1', 'Namespace', '__NS__-other')]


def find_hosts(space, server, wanted):
    """For each line's type and field an object of each kind that the server takes and that has it, as (object, path of the map)."""
    found = {}
    for manifest in candidates(7):
        manifest = space.named(manifest)
        if (manifest['apiVersion'], manifest['kind']) not in server.kinds:
            continue
        places = [(key, path) for path, name in server.typed_maps(manifest) for key in wanted.get(name, ())
                  if has(at_path(manifest, path), key[1]) and manifest['kind'] not in [m['kind'] for m, _ in found.get(key, ())]]
        if places and not server.refusal(manifest):
            for key, path in places:
                found.setdefault(key, []).append((manifest, path))
    return found


def has(value, names):
    """Whether the map has the field, or one of the fields that are separated by commas."""
    if ',' in names:
        return any(value.get(name) is not None for name in names.split(','))
    for name in names.split('.'):
        value = value.get(name) if isinstance(value, dict) else None
    return value is not None


# --- what lint says

class Linted:
    """Files that lint reads in one run."""

    def __init__(self, space, folder):
        self.space, self.folder, self.count = space, folder, 0

    def add(self, manifest):
        self.count += 1
        return self.space.write('%s/%05d.json' % (self.folder, self.count), manifest)

    def errors(self):
        """By file, the errors as (rule, path)."""
        result = self.space.run(self.space.tool, 'lint', '-R', '-f', self.folder, '-o', 'json')
        assert result.returncode in (0, 1), harness.said(result)
        out = {}
        for finding in json.loads(result.stdout)['findings']:
            if finding['severity'] == 'error' and not finding['rule'] in ('same-object',):
                out.setdefault(finding['file'], []).append('%(rule)s %(path)s' % {'path': '', **finding})
        return out


def unlisted_choices(server, line):
    """Words that the server's document has for the field, and the line has not."""
    node = server.types[line.type].get('properties', {}).get(line.path, {})
    words = node.get('enum') or node.get('items', {}).get('enum') or []
    return [word for word in words if word and word not in line.rest.split(',')]


def try_choices(server, check, line, hosts):
    """What the line leaves out, the server refuses: its document lists words of alpha features, too."""
    for word in unlisted_choices(server, line) if line.rule == 'one-of' else ():
        manifest, path = hosts[0]
        value = [word] if isinstance(at_path(manifest, path)[line.path], list) else word
        check.true('%s: %s is refused' % (line.text, word), server.refusal(with_value(manifest, path, line.names, value)), 'it is taken')


def try_line(server, linted, line, hosts, told):
    """Asks the server about one line; tells lint's files what it should say of each."""
    refused = 0
    for manifest, path in hosts:
        value = at_path(manifest, path)
        for name in line.names:
            value = value[name]
        for bad in line.near_misses_of(manifest, path, value):
            if server.refusal(bad):
                refused += 1
                told.append((line, linted.add(bad), True))
            else:
                told.append((line, 'the server takes %s' % json.dumps(bad), None))
        fits = line.fits(value)
        good = with_value(manifest, path, line.names, fits) if fits is not None else None
        if good and not server.refusal(good):
            told.append((line, linted.add(good), False))
    return refused


def story(space, check):
    release = space.cl.server.release()
    server, linted, told = DryRun(space.cl.upstream(), space.name), Linted(space, 'lines'), []
    lines = [Line(text) for text in facts.lines('values.txt', release)]
    wanted = {}
    for line in lines:
        wanted.setdefault(line.type, set()).add((line.type, line.path))
    hosts = find_hosts(space, server, wanted)
    for line in lines:
        of_line = hosts.get((line.type, line.path), [])
        check.true('%s: there is an object that has it' % line.text, of_line, 'add one to MORE')
        refused = try_line(server, linted, line, of_line, told)
        check.true('%s: a near miss is refused' % line.text, refused or not of_line, 'none of them')
        try_choices(server, check, line, of_line)
    errors = linted.errors()
    for line, file, bad in told:
        if bad is None:
            check('%s: %s' % (line.text, file), 'the line says that it is refused')
        else:
            got = errors.get(file, [])
            check.true('%s: lint says %s of %s' % (line.text, 'an error' if bad else 'nothing', file), bool(got) == bad, got)
    print('%d lines, %d near misses and fits, %d objects asked about' % (len(lines), len(told), server.posts))


if __name__ == '__main__':
    sys.exit(harness.run(__doc__, story, space='lint-values'))
