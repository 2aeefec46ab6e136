"""Slots: places in an object with the values they may have. An object is the base of its kind and a state, a value for each slot."""
import copy

from harness.paths import ABSENT, split, walk

FIELD, ITEMS, UNION, FIXED = 'field', 'items', 'union', 'fixed'


class Slot:
    """`values` are what a manifest may say here; for ITEMS each is a list of variants of one item. `default` is what the server puts
    where a manifest says nothing. `null`: a manifest may say null. FIXED slots cannot be changed once they are set; `required` ones
    are in every manifest."""

    def __init__(self, path, *values, kind=FIELD, default=ABSENT, null=False, required=False):
        self.path, self.values, self.kind, self.default, self.null, self.required = path, values, kind, default, null, required

    def keep(self, fits):
        """Drops the values, or variants of items, that do not fit."""
        if self.kind == ITEMS:
            self.values = [kept for kept in ([v for v in variants if fits(v)] for variants in self.values) if kept]
        else:
            self.values = [v for v in self.values if fits(v)]
        if self.default is not ABSENT and not fits(self.default):
            self.default = ABSENT

    def pick(self, rng):
        """A value for a manifest."""
        if self.kind == ITEMS:
            return self.pick_items(rng)
        chance = rng.random()
        if not self.required:
            if chance < 0.35:
                return ABSENT
            if chance < 0.40 and self.null:
                return None
            if chance < 0.52 and self.default is not ABSENT:
                return copy.deepcopy(self.default)
        return self.stated(rng)

    def stated(self, rng):
        """A value that is neither absent nor null, and not the default."""
        return self.pick_items(rng, 1) if self.kind == ITEMS else copy.deepcopy(rng.choice(self.values or (self.default,)))

    def pick_items(self, rng, least=0):
        """Some of the items in any order; the first one always where the slot is required."""
        fixed = self.values[:1] if self.required else ()
        rest = self.values[len(fixed):]
        chosen = list(fixed) + rng.sample(rest, rng.randint(min(len(rest), max(0, least - len(fixed))), len(rest)))
        rng.shuffle(chosen)
        return [copy.deepcopy(rng.choice(variants)) for variants in chosen] or ABSENT

    def other(self, rng, value):
        """A value unlike this one if there is any."""
        for _ in range(8):
            found = self.pick(rng)
            if found is ABSENT or value is ABSENT or found != value:
                if not (found is ABSENT and value is ABSENT):
                    return found
        return value

    def edited(self, rng, live):
        """What another manager makes of the live value."""
        if self.kind != ITEMS and not self.required and rng.random() < 0.15:
            return ABSENT
        if self.kind != ITEMS or not isinstance(live, list) or not live:
            return self.stated(rng)
        live = copy.deepcopy(live)
        action = rng.choice(('add', 'change', 'remove', 'swap'))
        if action == 'remove' and len(live) > 1 and not self.required:
            live.pop(rng.randrange(len(live)))
        elif action == 'swap' and len(live) > 1:
            rng.shuffle(live)
        elif action == 'change':
            at = rng.randrange(len(live))
            alike = [v for variants in self.values if len(variants) > 1 and live[at] in variants for v in variants if v != live[at]]
            live[at] = copy.deepcopy(rng.choice(alike)) if alike else live[at]
        else:
            items = [variants for variants in self.values if not any(same_item(v, l) for v in variants for l in live)]
            if items:
                live.insert(rng.randint(0, len(live)), copy.deepcopy(rng.choice(rng.choice(items))))
        return live


IDENTIFYING = ('name', 'key', 'ip', 'containerPort', 'port', 'mountPath', 'host', 'topologyKey')


def same_item(one, other):
    """Whether two items of a list may be about the same thing."""
    if not isinstance(one, dict) or not isinstance(other, dict):
        return one == other
    return any(name in one and one.get(name) == other.get(name) for name in IDENTIFYING)


def put(value, path, new):
    """Sets or removes what is at the path; makes maps on the way, but no items."""
    steps = split(path)
    for at, (kind, argument) in enumerate(steps[:-1]):
        below = walk(value, steps[at:at + 1])
        if below is ABSENT or below is None:
            if new is ABSENT or kind != 'key' or not isinstance(value, dict):
                return
            below = value[argument] = {}
        value = below
    last = steps[-1][1]
    if not isinstance(value, dict):
        return
    if new is ABSENT:
        value.pop(last, None)
    else:
        value[last] = copy.deepcopy(new)


def at_path(value, path):
    return walk(value, split(path))


class Kind:
    """A kind: a base object, its slots, a status that a controller may write, and extras: things to write into a manifest that the
    server does not keep, by name."""

    def __init__(self, base, *slots, weight=1.0, status=None, extras=None, apart=False):
        self.base, self.slots, self.weight, self.status, self.extras, self.apart = base, slots, weight, status, extras or {}, apart
        self.name = base['kind']

    def random_state(self, rng):
        return [slot.pick(rng) for slot in self.slots]

    def manifest(self, state):
        out = copy.deepcopy(self.base)
        for slot, value in zip(self.slots, state):
            if value is not ABSENT:
                put(out, slot.path, value)
        return out

    def on(self, server):
        """Without what the server lacks; nothing if it lacks the kind."""
        if server.lacking(self.base):
            return None
        for slot in self.slots:
            slot.keep(lambda value, slot=slot: not server.lacking(self.with_value(slot, value)))
        self.slots = [slot for slot in self.slots if slot.values or slot.default is not ABSENT]
        return self

    def with_value(self, slot, value):
        out = copy.deepcopy(self.base)
        put(out, slot.path, [value] if slot.kind == ITEMS else value)
        return out

    def of(self, *kinds):
        """The numbers of the slots of these kinds."""
        return [number for number, slot in enumerate(self.slots) if slot.kind in kinds]
