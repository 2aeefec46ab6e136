"""Counts by class, the floors that they must not fall below, and the list of misses."""
import collections
import json
import math
import os

# Which item of the issue a theme measures.
ITEMS = {'default': 1, 'union': 1, 'fixed': 3, 'stale': 3, 'no-namespace': 3, 'twice': 3, 'duplicate-key': 3, 'record': 3, 'unsettled': 4}
FLOORS = os.path.join(os.path.dirname(os.path.abspath(__file__)), 'floors.txt')
# A class of fewer cases says nothing.
ENOUGH = 20


HEAD = '''# What truth_test.py must find at least, in percent: MEASURE FLOOR CLASS. Floors are only raised: SMP_WRITE_FLOORS=1 with SMP_CASES=5000
# writes what the program reaches now, less two standard deviations.
'''
MEASURES = ('exact', 'last', 'kubectl', 'word', 'foretold', 'true', 'free')
GROUPS = ('all', 'item', 'theme', 'unsettled', 'refusal', 'sentence', 'misses', 'start', 'again', 'edit', 'kind')


class Share:
    def __init__(self):
        self.hits, self.of = 0, 0

    def add(self, hit):
        self.hits, self.of = self.hits + bool(hit), self.of + 1

    def percent(self):
        return 100.0 * self.hits / self.of if self.of else 100.0

    def deviation(self, share):
        """Of such a share (0 to 1) in as many cases, in percent."""
        return 100.0 * math.sqrt(share * (1 - share) / self.of)

    def __str__(self):
        return '%.1f %% of %d' % (self.percent(), self.of)


class Figures:
    """Shares by measure and class. Measures: `exact` and `last` (to the last field) of the objects that apply did not refuse, `kubectl`
    (its server-side dry run, for the same objects), `foretold` of the refusals, `word` (explain-diff and apply call it the same), `true` of
    the sentences about who did what, and `free` (the objects without a miss of that class)."""

    def __init__(self):
        self.shares = collections.defaultdict(Share)
        self.misses = collections.Counter()
        self.examples = {}

    def add(self, measure, names, hit):
        for name in names:
            self.shares[measure, name].add(hit)

    def miss(self, situation, miss):
        key = miss.name, situation.kind.name, miss.pattern()
        self.misses[key] += 1
        if key not in self.examples or situation.number < self.examples[key][0].number:
            self.examples[key] = situation, miss

    def print_all(self, most=60):
        names = sorted({name for _, name in self.shares}, key=lambda name: (GROUPS.index(name.split()[0]), name))
        print('%-44s' % '' + ''.join('%16s' % measure for measure in MEASURES))
        for name in names:
            print('%-44s' % name + ''.join('%16s' % self.shares.get((measure, name), '') for measure in MEASURES))
        print('\nMisses by class, kind and path: the number, and the smallest example (SMP_ONLY plays it again)')
        for key, count in self.misses.most_common(most):
            situation, miss = self.examples[key]
            print('%5d  %-14s %-28s %s' % (count, *key))
            print('       SMP_SEED=%s SMP_ONLY=%d  %s' % (situation.seed, situation.number, short(miss.shown())))
        if len(self.misses) > most:
            print('       and %d more' % (len(self.misses) - most))

    def below_floor(self, floors):
        """The classes whose share is below the floor by more than chance explains: four standard deviations."""
        out = []
        for key, floor in floors.items():
            share = self.shares.get(key, Share())
            if share.of >= ENOUGH and share.percent() < floor - 4 * share.deviation(floor / 100):
                out.append('%s %s: %s, the floor is %.1f %%' % (*key, share, floor))
        return out

    def write_floors(self, path):
        """What holds for the measured program with two standard deviations' certainty."""
        with open(path, 'w', encoding='utf-8') as f:
            f.write(HEAD)
            for (measure, name), share in sorted(self.shares.items()):
                if share.of >= ENOUGH and measure != 'kubectl':
                    smoothed = (share.hits + 1) / (share.of + 2)
                    f.write('%s %.1f %s\n' % (measure, max(0, share.percent() - 2 * share.deviation(smoothed)), name))


def short(value, most=900):
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= most else text[:most] + ' …'


def read_floors(path=FLOORS):
    out = {}
    with open(path, encoding='utf-8') as f:
        for line in f:
            if line.strip() and not line.startswith('#'):
                measure, floor, name = line.strip().split(' ', 2)
                out[measure, name] = float(floor)
    return out


def classes(situation):
    """The names of the classes that a situation counts for."""
    start = 'absent' if situation.before is None else situation.first[0][0]
    out = ['all', 'kind ' + situation.kind.name, 'start ' + start, 'theme ' + situation.theme]
    if situation.theme in ITEMS:
        out.append('item %d' % ITEMS[situation.theme])
    if situation.extra:
        out.append(('unsettled ' if situation.theme == 'unsettled' else 'theme ') + situation.extra)
    if len(situation.first) > 1 and situation.before is not None:
        out.append('again ' + situation.first[1][0])
    return out + sorted({'edit ' + done['how'] for done in situation.done if 'refused' not in done})
