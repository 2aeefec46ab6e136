"""The last line of explain-diff's text: does it say that nothing is undone where something is? Judged by the object as the first apply left
it, as others then left it, and as the second apply left it: what others changed must be as they left it."""
import json

from harness.paths import ABSENT

from .judge import comparable, is_same, is_zero, same_meaning

NOTHING = 'no change made in the cluster is undone'
# Fields that tell the items of a list apart, the first that all items have.
KEYS = ('name',), ('mountPath',), ('containerPort', 'protocol'), ('port', 'protocol'), ('key',), ('host',), ('type',), ('ip',)
# What the server chooses anew with another change.
DRAWN = 'nodePort', 'clusterIP'


def false_end(text, started, before, after):
    """What is undone, though the text denies it; '' if nothing is."""
    return undone(started, before, after) if NOTHING in ' '.join(text.split()) else ''


def undone(started, before, after):
    one, two, three = [dict(leaves(comparable(live))) for live in (started, before, after)]
    for path in sorted(one.keys() | two.keys() | three.keys(), key=str):
        first, edited, last = [leaves_of.get(path, ABSENT) for leaves_of in (one, two, three)]
        if path[0] != 'status' and path[-1] not in DRAWN and differ(first, edited) and differ(edited, last):
            return '.'.join(path)
    return undone_order(*[dict(orders(comparable(live))) for live in (started, before, after)])


def undone_order(one, two, three):
    for path in sorted(one.keys() & two.keys() & three.keys()):
        stay = set(one[path]) & set(two[path]) & set(three[path])
        first, edited, last = [[name for name in order[path] if name in stay] for order in (one, two, three)]
        if path[0] != 'status' and first != edited and edited != last:
            return '.'.join(path) + ': the order'
    return ''


def differ(one, other):
    if all(value is ABSENT or is_zero(value) for value in (one, other)):
        return False
    return one is ABSENT or other is ABSENT or not (is_same(one, other) or same_meaning(one, other))


def items_by_name(items):
    """The items of a list by their keys, or elements by themselves; None where they cannot be told apart."""
    if any(isinstance(item, list) for item in items):
        return None
    keys = next((keys for keys in KEYS if all(isinstance(item, dict) and keys[0] in item for item in items)), None)
    if keys is None and any(isinstance(item, dict) for item in items):
        return None
    names = ['[%s]' % json.dumps([item.get(key) for key in keys] if keys else item) for item in items]
    return dict(zip(names, items)) if len(set(names)) == len(names) else None


def leaves(value, path=()):
    """The scalars of a value, and what is replaced as a whole, by their paths. An element of a set is where it is, whatever its place."""
    members = value if isinstance(value, dict) else items_by_name(value) if isinstance(value, list) else None
    if not members:
        yield path, value
    for name, member in (members or {}).items():
        yield from leaves(member, path + (name,))


def orders(value, path=()):
    """The names of the items of each list, in their order, by the path of the list."""
    members = value if isinstance(value, dict) else items_by_name(value) if isinstance(value, list) else None
    if isinstance(value, list) and members:
        yield path, list(members)
    for name, member in (members or {}).items():
        yield from orders(member, path + (name,))
