"""Reads the rows of explain-diff -o json by the grammar of lib/contracts.md section 2, and makes the object that they foretell."""
import copy
import json
import re

from harness.paths import ABSENT

SCAN = json.JSONDecoder()
NAME = re.compile(r'[A-Za-z0-9_-]+')
PLAIN = re.compile(r'[^,\]]*')


class Chosen:
    """A value that the server will choose: a node port."""

    def __deepcopy__(self, _):
        return self


CHOSEN = Chosen()


class Unclear(Exception):
    """A row that means nothing in this object."""


def with_all_keys(report):
    """The report, where a row names a new list item with all keys that it says the item has: the manifest may leave one to its default, and
    live may have an item with another value for it (53/TCP beside 53/UDP)."""
    for row in report.get('changes', ()):
        keys, item = (row.get('rule') or {}).get('keys') or (), row.get('outcome')
        item = {'protocol': 'TCP', **item} if isinstance(item, dict) else item  # of a copy, the outcome is as the manifest has it
        words = [item[k] for k in keys if k in item] if row['op'] == 'set' and 'live' not in row and isinstance(item, dict) else []
        head, bracket, step = row['path'].rpartition('[')
        if len(words) == len(keys) > 1 and step.endswith(']') and step.startswith(keys[0] + '=') and all(
                isinstance(w, int) or re.fullmatch('[A-Za-z][A-Za-z0-9-]*', str(w)) for w in words):
            row['path'] = head + bracket + ','.join('%s=%s' % pair for pair in zip(keys, words)) + ']'
    return report


def parse(path):
    """Returns the steps: ('field', name), ('key', {name: value}), ('index', n), ('element', value) or ('quoted', text), which is a
    field or an element."""
    steps, at = [], 0
    while at < len(path):
        if path[at] == '.':
            at += 1
        elif path[at] == '[':
            step, at = bracket(path, at + 1)
            steps.append(step)
        else:
            match = NAME.match(path, at)
            if not match:
                raise Unclear('cannot read the path %s' % path)
            steps.append(('field', match.group()))
            at = match.end()
    return steps


def bracket(path, at):
    if path[at] == '"':
        text, at = SCAN.raw_decode(path, at)
        return ('quoted', text), closed(path, at)
    if path[at] == '=':
        value, at = SCAN.raw_decode(path, at + 1)
        return ('element', value), closed(path, at)
    match = re.compile(r'(\d+)\]').match(path, at)
    if match:
        return ('index', int(match.group(1))), match.end()
    keys = {}
    while True:
        equals = path.index('=', at)
        value, at = key_value(path, equals + 1)
        keys[path[keys_start(path, equals):equals]] = value
        if path[at] == ']':
            return ('key', keys), at + 1
        at += 1


def keys_start(path, equals):
    return max(path.rfind('[', 0, equals), path.rfind(',', 0, equals)) + 1


def key_value(path, at):
    if path[at] in '"{[':
        return SCAN.raw_decode(path, at)
    match = PLAIN.match(path, at)
    text = match.group()
    try:
        return json.loads(text), match.end()
    except ValueError:
        return text, match.end()


def closed(path, at):
    if path[at] != ']':
        raise Unclear('no ] in %s' % path)
    return at + 1


def find(container, step):
    """The member name or the number of the item, or None."""
    kind, argument = step
    if isinstance(container, dict):
        return argument if kind in ('field', 'quoted') and argument in container else None
    if not isinstance(container, list):
        return None
    if kind == 'index':
        return argument if argument < len(container) else None
    if kind == 'key':
        fits = lambda item: isinstance(item, dict) and all(item.get(k) == v for k, v in argument.items() if v is not None or k in item)
        return next((n for n, item in enumerate(container) if fits(item)), None)
    return next((n for n, item in enumerate(container) if item == argument), None)


def value_at(value, steps):
    for step in steps:
        at = find(value, step)
        if at is None:
            return ABSENT
        value = value[at]
    return value


def predict(live, rows):
    """Returns the object as the rows say it will be, and the complaints: pairs of a row and what it cannot mean."""
    out, complaints = copy.deepcopy(live), []
    for row in rows:
        try:
            if row['op'] in ('set', 'delete'):
                follow(out, parse(row['path']), row)
        except Unclear as error:
            complaints.append((row, str(error)))
    return out, complaints


def follow(value, steps, row):
    for step, after in zip(steps, steps[1:] + [None]):
        at = find(value, step)
        if after is None:
            return finish(value, step, at, row)
        if at is None:
            if row['op'] == 'delete':
                raise Unclear('deletes what is not there')
            at = grow(value, step, [] if after[0] in ('key', 'element', 'index') else {})
        if value[at] is None:
            value[at] = [] if after[0] in ('key', 'element', 'index') else {}
        value = value[at]
    return None


def grow(value, step, new):
    """Adds a member or an item."""
    kind, argument = step
    if isinstance(value, dict) and kind in ('field', 'quoted'):
        value[argument] = new
        return argument
    if not isinstance(value, list):
        raise Unclear('there is no place for it')
    value.append({**argument, **new} if kind == 'key' and isinstance(new, dict) else new)
    return len(value) - 1


def finish(value, step, at, row):
    if row['op'] == 'delete':
        if at is None:
            raise Unclear('deletes what is not there')
        del value[at]
        return
    if 'outcome' not in row and row['reason'] != 'server':
        raise Unclear('sets nothing')
    outcome = copy.deepcopy(row.get('outcome', CHOSEN))
    # In a list perhaps beside an equal item; but what the server adds to a new value is in that value's outcome, too.
    beside = step[0] == 'key' and 'live' not in row and row['reason'] != 'server'
    if at is None or step[0] == 'element' or beside:
        grow(value, step, outcome)
    else:
        value[at] = outcome
