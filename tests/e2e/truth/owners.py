"""Who owns a path of an object, by its managedFields: those who own it or something in it, else those who own its nearest ancestor."""
import json

from .rows import find

# Names that kubectl and kubectl-smp use when they apply or create.
OURS = ('kubectl', 'kubectl-client-side-apply', 'kubectl-create', 'kubectl-last-applied', 'before-first-apply')


class Owner:
    def __init__(self, entry, only_around):
        self.only_around = only_around  # it owns what the path is in, and nothing at the path
        self.manager, self.operation, self.subresource = entry['manager'], entry['operation'], entry.get('subresource', '')
        self.ours = self.manager in OURS and not self.subresource

    def key(self):
        return self.manager, self.operation, self.subresource


def of(entries, value, steps):
    """The owners of a path."""
    depths = [(max(depth_of(fields, value, steps) for fields in readings(entry.get('fieldsV1', {}))), entry) for entry in entries]
    deepest = max((depth for depth, _ in depths), default=0)
    return [Owner(entry, deepest < len(steps)) for depth, entry in depths if depth == deepest] if deepest else []


def readings(fields):
    """The fields of an entry; also as they are where a Secret's stringData, which the server stores as data, is read as data."""
    texts = fields.get('f:stringData')
    return [fields] if texts is None else [fields, {'f:data': texts}]


def depth_of(fields, value, steps):
    """How many steps of the path the entry owns: all of them where it has something there, else those up to the nearest field that it owns
    itself. A field with children is owned itself only where it has a "."."""
    owned = 0
    for depth, step in enumerate(steps, 1):
        at = find(value, step)
        below = next((fields[name] for name in names_of(value, step, at) if name in fields), None)
        if below is None:
            below = keyed(fields, value, step, at)
        if below is None:
            return owned
        fields, value = below, value[at] if at is not None else None
        if not fields or '.' in fields or depth == len(steps):
            owned = depth
    return owned


def names_of(value, step, at):
    kind, argument = step
    if kind in ('field', 'quoted') and not isinstance(value, list):
        return ['f:' + argument]
    return ['i:%d' % at] if kind == 'index' and at is not None else []


def keyed(fields, value, step, at):
    """An item by its keys, or an element by its value."""
    item = value[at] if at is not None and isinstance(value, list) else step[1] if step[0] in ('key', 'element', 'quoted') else None
    for name, below in fields.items():
        if name.startswith('k:') and isinstance(item, dict) and all(item.get(k) == v for k, v in json.loads(name[2:]).items()):
            return below
        if name.startswith('v:') and json.loads(name[2:]) == item:
            return below
    return None
