"""One situation: how an object began, what others did to it, and the manifest that comes next. Everything is chosen by one seed and
the situation's number, so that each can be played again alone."""
import copy
import random

from harness.manifests import text_of
from harness.paths import ABSENT, at

from .slots import FIELD, FIXED, ITEMS, UNION, at_path, put

STARTS = {'apply': 35, 'kubectl apply': 25, 'kubectl create': 20, 'kubectl apply --server-side': 12, 'apply --server-side': 8}
AGAIN = {'apply': 50, 'kubectl apply': 20, 'kubectl apply --server-side': 20, 'apply --server-side': 10}
# What the next manifest is about, and the item of the issue that it measures (figures.py).
THEMES = {'plain': 28, 'default': 15, 'union': 10, 'unsettled': 10, 'same': 9, 'fixed': 6, 'reorder': 5, 'new': 5, 'record': 5,
          'duplicate': 3, 'stale': 3, 'no-namespace': 2, 'twice': 2, 'duplicate-key': 2}
# What exported manifests have in metadata.
SERVERS_OWN = {'generation': 1, 'creationTimestamp': None, 'selfLink': '/x'}
MANAGERS = ('kubectl-edit', 'kubectl-patch', 'helm', 'mallory')
EDITS = {'put': 45, 'list': 8, 'metadata': 15, 'server-side apply': 15, 'scale': 10, 'status': 12, 'kubectl': 3}


def choose(rng, weights):
    return rng.choices(list(weights), list(weights.values()))[0]


class Situation:
    """`first` are the manifests applied so far, each with the tool that applied it; `second` is the next one. `edits` says how others
    change the object in between, `done` collects what they did. `expected`: a refusal that was planted, or nothing."""

    def __init__(self, seed, number, kinds, places):
        self.seed, self.number, self.rng = seed, number, random.Random('%s/%d' % (seed, number))
        rng = self.rng
        self.theme = choose(rng, THEMES)
        self.kind = choose_kind(rng, kinds, self.theme)
        self.name, self.namespace = '%s-%d' % (places.name, number), places.namespace_of(self.kind)
        self.started, self.done, self.expected, self.extra, self.slot, self.fitting = None, [], '', '', '', False
        state = self.kind.random_state(rng)
        start = choose(rng, STARTS)
        state, following = getattr(self, theme_method(self.theme))(state)
        self.first = [(start, self.placed(self.kind.manifest(state)))]
        if rng.random() < 0.25 and self.theme in ('plain', 'same', 'default', 'union', 'record'):
            between = state
            if self.theme == 'plain':
                between = self.changed(state, rng.randint(0, 2))
            self.first.append((choose(rng, AGAIN), self.placed(self.kind.manifest(between))))
        self.edits = self.choose_edits()
        self.second = self.placed(self.kind.manifest(following))
        self.spoil()

    def placed(self, manifest):
        """With the name of this situation's object."""
        metadata = manifest.setdefault('metadata', {})
        metadata['name'] = self.name
        if self.namespace:
            metadata['namespace'] = self.namespace
        if self.kind.name == 'CustomResourceDefinition':
            group = '%s.test' % self.name
            metadata['name'], manifest['spec']['group'] = 'randoms.' + group, group
        return manifest

    def changed(self, state, count, kinds=(FIELD, ITEMS, UNION)):
        """A copy with some slots chosen anew."""
        state, slots = list(state), self.kind.of(*kinds)
        for number in self.rng.sample(slots, min(count, len(slots))):
            state[number] = self.kind.slots[number].other(self.rng, state[number])
        return state

    def few(self):
        return self.rng.choice((0, 1, 1, 2, 2, 3, 4))

    # Each theme gives the state of the first manifest and that of the second.

    def plain(self, state):
        return state, self.changed(state, 1 + self.few())

    def same(self, state):
        return state, state

    def new(self, state):
        return state, state

    stale = no_namespace = twice = duplicate_key = plain

    def default(self, state):
        """A value that is not the default leaves the manifest, or the default is written out, or null is."""
        slots = [n for n, slot in enumerate(self.kind.slots) if slot.default is not ABSENT and slot.kind != FIXED]
        if not slots:
            return self.plain(state)
        number = self.rng.choice(slots)
        slot, state = self.kind.slots[number], list(state)
        self.slot = slot.path
        state[number] = slot.stated(self.rng) if self.rng.random() < 0.8 else ABSENT
        following = self.changed(state, self.rng.choice((0, 0, 1)))
        following[number] = self.rng.choice([ABSENT, ABSENT, slot.default] + [None] * slot.null)
        return state, following

    def union(self, state):
        slots = self.kind.of(UNION)
        if not slots:
            return self.plain(state)
        number = self.rng.choice(slots)
        slot, state = self.kind.slots[number], list(state)
        self.slot = slot.path
        state[number] = slot.stated(self.rng)
        following = self.changed(state, self.rng.choice((0, 0, 1)), (FIELD, ITEMS))
        following[number] = slot.other(self.rng, state[number])
        return state, following

    def reorder(self, state):
        return self.items(state, lambda items: self.rng.shuffle(items))

    def duplicate(self, state):
        def repeat(items):
            items.insert(self.rng.randint(0, len(items)), copy.deepcopy(self.rng.choice(items)))
        return self.items(state, repeat)

    def items(self, state, change):
        slots = self.kind.of(ITEMS)
        if not slots:
            return self.plain(state)
        number = self.rng.choice(slots)
        state = list(state)
        self.slot = self.kind.slots[number].path
        state[number] = self.kind.slots[number].pick_items(self.rng, 2)
        if state[number] is ABSENT:
            return self.plain(state)
        following = self.changed(state, self.rng.choice((0, 0, 1)), (FIELD, UNION))
        following[number] = copy.deepcopy(state[number])
        change(following[number])
        return state, following

    def fixed(self, state):
        """A change that the server should refuse."""
        slots = [n for n in self.kind.of(FIXED) if len(self.kind.slots[n].values) > 1]
        if not slots:
            return self.plain(state)
        number = self.rng.choice(slots)
        slot, state = self.kind.slots[number], list(state)
        self.slot = slot.path
        one, other = self.rng.sample(slot.values, 2)
        state[number] = copy.deepcopy(one)
        following = self.changed(state, self.rng.choice((0, 1)))
        following[number] = copy.deepcopy(other)
        self.expected = 'fixed'
        return state, following

    def record(self, state):
        """Only what is recorded changes: a default is written out or leaves the manifest, and live has it anyway."""
        slots = [n for n, slot in enumerate(self.kind.slots) if slot.default is not ABSENT and slot.kind != FIXED]
        if not slots:
            return self.plain(state)
        number = self.rng.choice(slots)
        state, following = list(state), list(state)
        self.slot = self.kind.slots[number].path
        state[number], following[number] = self.rng.sample([ABSENT, self.kind.slots[number].default], 2)
        return state, following

    def unsettled(self, state):
        return state, self.changed(state, self.rng.choice((0, 0, 1)))

    def spoil(self):
        """Writes into the second manifest what cannot be kept or will be refused."""
        metadata = self.second['metadata']
        if self.theme == 'no-namespace' and self.namespace:
            metadata['namespace'], self.expected = 'none-' + self.namespace, 'no-namespace'
        elif self.theme == 'stale':
            field = self.rng.choice(('resourceVersion', 'uid'))
            metadata[field], self.expected = {'resourceVersion': '1', 'uid': '00000000-0000-0000-0000-000000000000'}[field], field
            self.fitting = self.number % 3 == 0  # the near miss: one that live has
        elif self.theme in ('twice', 'duplicate-key'):
            self.expected = self.theme
        elif self.theme == 'unsettled':
            self.add_unsettled()

    def know(self, live):
        """Takes what the manifest is to have from live."""
        if self.fitting and live:
            self.second['metadata'][self.expected] = live['metadata'][self.expected]
            self.extra, self.expected = 'fitting-' + self.expected, ''

    def documents(self):
        """The documents of the next manifest: some objects are in the input twice, some have a duplicate key."""
        if self.theme == 'twice':
            again = copy.deepcopy(self.second)
            put(again, 'metadata.labels.twice', 'yes')
            return [self.second, again]
        if self.theme == 'duplicate-key':
            name = '"name": "%s"' % self.second['metadata']['name']
            return [text_of(self.second).replace(name, '"name": "x",\n  ' + name, 1)]
        return [self.second]

    def add_unsettled(self):
        metadata = self.second['metadata']
        general = {name: lambda m, name=name, value=value: put(m, 'metadata.' + name, value) for name, value in SERVERS_OWN.items()}
        general['exported-creationTimestamp'] = lambda m: put(m, 'metadata.creationTimestamp', '2026-01-01T00:00:00Z')
        if not self.namespace:
            general['namespace-of-cluster-scoped'] = lambda m: put(m, 'metadata.namespace', 'default')
        special = dict(self.kind.extras)
        if self.kind.status is not None:
            special['status'] = lambda m: put(m, 'status', copy.deepcopy(self.kind.status))
            special['empty-status'] = lambda m: put(m, 'status', {})
        table = special if special and self.rng.random() < 0.75 else general
        self.extra = self.rng.choice(sorted(table))
        table[self.extra](self.second)
        if self.rng.random() < 0.5 and self.first[0][0] != 'kubectl create' and not metadata.get('uid'):
            table[self.extra](self.first[-1][1])

    def choose_edits(self):
        if self.theme in ('new', 'no-namespace'):
            return []
        count = self.rng.choice((0, 0, 1, 1, 1, 2, 2, 3))
        return [choose(self.rng, EDITS) for _ in range(max(count, self.theme == 'same'))]

    # What others do: each returns a request of the API (method, path below the object, body, media type), or nothing.

    def edit(self, how, live):
        manager = self.rng.choice(MANAGERS)
        request = getattr(self, 'edit_' + how.replace('-', ' ').replace(' ', '_'))(live, manager)
        if request:
            self.done.append({'how': how, 'method': request[0], 'path': request[1], 'body': request[2]})
        return request

    def edit_put(self, live, manager):
        slots = self.kind.of(FIELD, ITEMS, UNION)
        if not slots:
            return None
        for number in self.rng.sample(slots, min(len(slots), self.rng.choice((1, 1, 2)))):
            slot = self.kind.slots[number]
            put(live, slot.path, slot.edited(self.rng, at_path(live, slot.path)))
        live['metadata'].pop('managedFields', None)
        return 'PUT', '?fieldManager=' + manager, live, 'application/json'

    def edit_list(self, live, manager):
        """Takes an item away, or gives the items another order."""
        lists = [found for found in lists_in({'spec': live.get('spec'), 'finalizers': live['metadata'].get('finalizers')}) if len(found) > 1]
        if not lists:
            return None
        chosen = self.rng.choice(lists)
        chosen.reverse() if self.rng.random() < 0.5 else chosen.pop(self.rng.randrange(len(chosen)))  # pylint: disable=expression-not-assigned
        live['metadata'].pop('managedFields', None)
        return 'PUT', '?fieldManager=' + manager, live, 'application/json'

    def edit_metadata(self, live, manager):
        name = self.rng.choice(('labels', 'annotations'))
        value = {self.rng.choice(('app', 'theirs', 'example.com/tier', 'example.com/note')): self.rng.choice(('1', 'theirs', None))}
        return 'PATCH', '?fieldManager=kubectl-' + name[:-1], {'metadata': {name: value}}, 'application/merge-patch+json'

    def edit_server_side_apply(self, live, manager):
        slots = [n for n in self.kind.of(FIELD, UNION) if '[name=' not in self.kind.slots[n].path]
        if not slots:
            return None
        slot = self.kind.slots[self.rng.choice(slots)]
        body = {k: live[k] for k in ('apiVersion', 'kind')}
        body['metadata'] = {'name': live['metadata']['name']}
        put(body, slot.path, slot.stated(self.rng))
        return 'PATCH', '?fieldManager=controller&force=true', body, 'application/apply-patch+yaml'

    def edit_scale(self, live, manager):
        if at(live, 'spec.replicas') is None:
            return None
        manager = self.rng.choice(('autoscaler', 'kubectl-scale'))
        return 'PATCH', '/scale?fieldManager=' + manager, {'spec': {'replicas': self.rng.randint(0, 9)}}, 'application/merge-patch+json'

    def edit_status(self, live, manager):
        if not self.kind.status:
            return None
        return 'PATCH', '/status?fieldManager=controller', {'status': self.kind.status}, 'application/merge-patch+json'

    def edit_kubectl(self, live, manager):
        """By the real program (stage.py)."""
        if at(live, 'spec.replicas') is not None and self.rng.random() < 0.5:
            return 'kubectl', '', ['scale', '--replicas', str(self.rng.randint(0, 9))], ''
        words = (['label', '--overwrite', 'app=theirs'], ['annotate', '--overwrite', 'example.com/note=theirs'])
        return 'kubectl', '', self.rng.choice(words), ''


def lists_in(value):
    """All lists in a value."""
    members = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return ([value] if isinstance(value, list) else []) + [found for member in members for found in lists_in(member)]


def theme_method(theme):
    return theme.replace('-', '_')


def choose_kind(rng, kinds, theme):
    """A kind that the theme makes sense for."""
    has_items = lambda k: k.of(ITEMS)
    fits = {'fixed': lambda k: any(len(k.slots[n].values) > 1 for n in k.of(FIXED)), 'union': lambda k: k.of(UNION), 'reorder': has_items,
            'duplicate': has_items, 'default': has_default, 'record': has_default, 'no-namespace': lambda k: not k.cluster_scoped}
    fits = fits.get(theme, lambda k: True)
    kinds = [k for k in kinds if fits(k)]
    return rng.choices(kinds, [k.weight for k in kinds])[0]


def has_default(kind):
    return any(slot.default is not ABSENT and slot.kind != FIXED for slot in kind.slots)
