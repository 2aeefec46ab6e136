"""Reads values in objects by path: a.b['x/y'].c[0], [*] for all items, [k=v,k2=v2] for the one item with these values, and [?k=v] for
all of them. And compares what is found with what is wanted."""
import json
import re

ABSENT = object()


def split(path):
    """Returns the steps, each a kind and its argument."""
    steps = []
    for quoted, selector, name in re.findall(r"\['(.*?)'\]|\[(.*?)\]|([^.\[]+)", path):
        if quoted or name:
            steps.append(('key', quoted or name))
        elif selector == '*':
            steps.append(('all', None))
        elif re.fullmatch(r'-?\d+', selector):
            steps.append(('index', int(selector)))
        else:
            kind = 'filter' if selector.startswith('?') else 'one'
            steps.append((kind, dict(part.split('=', 1) for part in selector.lstrip('?').split(','))))
    return steps


def matches(item, selector):
    return isinstance(item, dict) and all(k in item and str(item[k]) == v for k, v in selector.items())


def walk(value, steps):
    if not steps:
        return value
    (kind, argument), rest = steps[0], steps[1:]
    if kind == 'key':
        return walk(value[argument], rest) if isinstance(value, dict) and argument in value else ABSENT
    if not isinstance(value, list):
        return [] if kind in ('all', 'filter') and value is ABSENT else ABSENT
    if kind == 'index':
        return walk(value[argument], rest) if -len(value) <= argument < len(value) else ABSENT
    found = value if kind == 'all' else [item for item in value if matches(item, argument)]
    if kind != 'one':
        return [None if v is ABSENT else v for v in (walk(item, rest) for item in found)]
    if len(found) > 1:
        return '<%d items match %s>' % (len(found), argument)
    return walk(found[0], rest) if found else ABSENT


def lookup(value, path):
    """Returns the value at the path, or ABSENT."""
    return walk(value, split(path))


def at(value, path):
    """Returns the value at the path, or None."""
    found = lookup(value, path)
    return None if found is ABSENT else found


def pointer(path):
    """The path of names and indexes as a JSON pointer."""
    return ''.join('/' + str(argument) for _, argument in split(path))


def quantity(text):
    """The number that a quantity of Kubernetes means, or the text if it is none."""
    match = re.fullmatch(r'([+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+))([a-zA-Z]*)', str(text))
    units = {'': 1, 'n': 1e-9, 'u': 1e-6, 'm': 1e-3, 'k': 1e3, 'M': 1e6, 'G': 1e9, 'T': 1e12, 'Ki': 2**10, 'Mi': 2**20, 'Gi': 2**30,
             'Ti': 2**40}
    return round(float(match.group(1)) * units[match.group(2)], 9) if match and match.group(2) in units else text


def as_text(value):
    return json.dumps(value, sort_keys=True)


def is_json(value, wanted):
    try:
        return json.loads(value) == wanted
    except (TypeError, ValueError):
        return False


def as_list(value):
    return value if isinstance(value, list) else [value]


OPERATORS = {
    '$present': lambda value, _: True,
    '$len': lambda value, wanted: len(value) == wanted,
    '$set': lambda value, wanted: isinstance(value, list) and sorted(map(as_text, value)) == sorted(map(as_text, wanted)),
    '$has': lambda value, wanted: all(item in value for item in as_list(wanted)),
    '$regex': lambda value, wanted: isinstance(value, str) and re.search(wanted, value),
    '$regexlast': lambda value, wanted: isinstance(value, list) and value and re.search(wanted, str(value[-1])),
    '$quantity': lambda value, wanted: quantity(value) == quantity(wanted),
    '$json': is_json,
}


def agrees(value, wanted):
    if wanted == 'absent':
        return value is ABSENT or value in ([], {})
    if wanted is None:
        return value is ABSENT or value is None
    if isinstance(wanted, dict) and len(wanted) == 1 and next(iter(wanted)).startswith('$'):
        operator, argument = next(iter(wanted.items()))
        if operator == '$not':
            return value is ABSENT or value != argument
        return value is not ABSENT and bool(OPERATORS[operator](value, argument))
    return isinstance(value, bool) == isinstance(wanted, bool) and value == wanted


def mismatch(value, wanted):
    """Returns nothing if the value is the one wanted, else a phrase. `wanted` is a value, 'absent' (which an empty list or map is,
    too), None (absent or null) or an operator with its argument."""
    if agrees(value, wanted):
        return ''
    shown = 'nothing' if value is ABSENT else json.dumps(value, ensure_ascii=False)[:400]
    return 'wanted %s, got %s' % (json.dumps(wanted, ensure_ascii=False)[:400], shown)


def mismatches(value, wanted):
    """`wanted` has what is wanted by path."""
    found = ((path, mismatch(lookup(value, path), one)) for path, one in wanted.items())
    return '\n'.join('%s: %s' % row for row in found if row[1])
