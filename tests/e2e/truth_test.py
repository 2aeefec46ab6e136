#!/usr/bin/env python3
"""Does explain-diff tell the truth? Random objects of all kinds, begun in random ways, changed by others, then explained and applied:
live must end as the rows say (truth/judge.py), and as the last line of the text does (truth/ends.py). Prints shares by class and the
misses; a share below its floor (truth/floors.txt) is a failure. And lies that are planted in the rows must be found.

Environment: SMP_SEED (a fresh one by default), SMP_CASES (300), SMP_ONLY (numbers of situations: only these, told in full),
SMP_PEER=1 (measure kubectl's dry run as well; slow), SMP_DUMP (a folder for everything about each miss and refusal
that was not foretold), SMP_WRITE_FLOORS=1,
SMP_EXPLAIN (more flags of explain-diff; then no floors hold, but with --ask-server all is to be true, admission policies or not, and with
--server-side and --force-conflicts, which apply gets, too, 97 % and each sentence)."""
import concurrent.futures
import copy
import json
import os
import random
import sys
import threading
import traceback

import harness
from truth import judge
from truth.ends import false_end
from truth.figures import Figures, FLOORS, classes, read_floors
from truth.sentences import sentences
from truth.stage import Stage

BATCH = 100
# The floors hold since 1.29. Older servers take a server-side apply that changes only the order of lists for no change, and clear a status
# of Services that newer ones refuse.
FLOORS_SINCE, OLDER = (1, 29), {'exact': 97, 'foretold': 99, 'true': 99}
SAME_WORD = {'create': ('created', 'serverside-applied'), 'change': ('configured', 'serverside-applied'), 'record': ('configured (last-applied only)',),
             'unchanged': ('unchanged',), 'error': ('failed',), 'recreate': ('recreated',)}


class Run:
    """All situations of a seed."""

    def __init__(self, cl, check):
        self.cl, self.check, self.figures, self.lock = cl, check, Figures(), threading.Lock()
        self.seed = os.environ.get('SMP_SEED') or '%08x' % random.randrange(16**8)
        self.cases = int(os.environ.get('SMP_CASES') or 300)
        self.only = [int(n) for n in os.environ.get('SMP_ONLY', '').split(',') if n]
        self.peer, self.explain = bool(os.environ.get('SMP_PEER')), os.environ.get('SMP_EXPLAIN', '').split()
        self.on_older = cl.server.release() < FLOORS_SINCE
        self.asks, self.on_server = '--ask-server' in self.explain, '--server-side' in self.explain
        self.stage = Stage(cl, self.asks)
        self.liars = {name: [] for name in LIES}
        self.unexpected = 0

    def run(self):
        print('SMP_SEED=%s SMP_CASES=%d' % (self.seed, self.cases), flush=True)
        numbers = self.only or list(range(self.cases))
        batches = [numbers[n:n + BATCH] for n in range(0, len(numbers), BATCH)]
        try:
            with concurrent.futures.ThreadPoolExecutor(2) as pool:
                list(pool.map(self.batch, batches))
        finally:
            self.stage.close()

    def batch(self, numbers):
        batch = self.stage.batch(self.seed, numbers)
        try:
            batch.begin()
            situations = batch.ask(self.explain, self.peer)
        finally:
            batch.end()
        with self.lock:
            for situation in situations:
                self.judge(situation)
            self.unexpected += len(batch.refused)

    def judge(self, situation):
        """One that the judge cannot judge is a failure, and stops no other."""
        try:
            self.measure(situation)
        except Exception:  # pylint: disable=broad-except
            self.check('SMP_SEED=%s SMP_ONLY=%d' % (self.seed, situation.number), traceback.format_exc())

    def measure(self, situation):
        names, refused = classes(situation), situation.applied['action'] == 'failed'
        verdict = None if refused or situation.theme == 'twice' else judge.judge(situation.report, situation.second, situation.before,
            situation.after, self.custom(situation))
        if refused or situation.expected in ('twice', 'duplicate-key'):
            self.refusal(situation, refused)
        if verdict:
            self.figures.add('exact', names, verdict.exact)
            self.figures.add('last', names, verdict.to_the_last_field)
            self.words(situation, names)
            self.end(situation)
            self.foreseen(situation, names)
            for name in judge.CLASSES:
                self.figures.add('free', ['misses ' + name], all(miss.name != name for miss in verdict.misses))
            for miss in verdict.misses:
                self.figures.miss(situation, miss)
            self.plant(situation, verdict)
        untrue = self.sentences(situation)
        if self.only:
            tell(situation, verdict, untrue)
        if os.environ.get('SMP_DUMP') and (untrue or verdict and verdict.misses):
            dump(situation, verdict, untrue)

    def custom(self, situation):
        return situation.kind.name in self.stage.custom

    def refusal(self, situation, refused):
        """A refusal is foretold by action error."""
        said, kind = situation.report['action'], situation.expected or 'something else'
        told = (said == 'error') == refused if self.on_server else said == 'error' if refused else situation.applied['action'] in SAME_WORD[said]
        self.figures.add('foretold', ['refusal ' + kind] + (['all', 'item 3'] if situation.expected else []), told)
        if not told and os.environ.get('SMP_DUMP'):
            dump(situation, None, [], 'untold')

    def words(self, situation, names):
        said = situation.report['action']
        words = SAME_WORD[said] if not self.on_server else ('serverside-applied',) if said != 'error' else ('failed',)
        same = situation.applied['action'] in words and not (said == 'change' and not situation.report['changes'])
        self.figures.add('word', ['all', names[3]], same)

    def foreseen(self, situation, names):
        """Whether kubectl's dry run is what apply made, but for numbers that the server draws."""
        if self.peer and situation.before is not None and not situation.expected:
            seen = judge.comparable(situation.foreseen) if situation.foreseen else {}
            self.figures.add('kubectl', names, judge.is_same(undrawn(seen), undrawn(judge.comparable(situation.after))))

    def end(self, situation):
        """The last line of the text must not deny that something is undone."""
        if situation.started is not None and situation.before is not None and situation.report['action'] == 'change':
            undone = false_end(situation.text, situation.started, situation.before, situation.after)
            self.check('the end says that nothing is undone; SMP_SEED=%s SMP_ONLY=%d' % (self.seed, situation.number), undone)

    def sentences(self, situation):
        out = []
        for row, untrue in sentences(situation):
            self.figures.add('true', ['all', 'item 5', 'sentence ' + row['reason'], 'start ' + situation.first[0][0]], not untrue)
            out += [(row, untrue)] if untrue else []
        return out

    def plant(self, situation, verdict):
        """Lies in a report that is exact."""
        if verdict.exact and situation.report['changes'] and situation.report['action'] != 'record':
            for name, lie in LIES.items():
                report = lie(copy.deepcopy(situation.report), random.Random(situation.number))
                if report:
                    found = judge.judge(report, situation.second, situation.before, situation.after, self.custom(situation))
                    self.liars[name].append(not found.exact)
                    if found.exact and os.environ.get('SMP_DUMP'):
                        dump(situation, found, [], 'lie-' + name, report)

    def finish(self):
        self.figures.print_all()
        print('\n%d situations, of which %d did not come about (the server refused the first manifest)' % (len(self.only) or self.cases,
            self.unexpected))
        for name, found in self.liars.items():
            share = 100.0 * sum(found) / max(1, len(found))
            print('lies planted: %-8s %5.1f %% of %d found' % (name, share, len(found)))
            self.check.true('planted lies are found: ' + name, share >= 98 or len(found) < 10, '%.1f %%' % share)
        if os.environ.get('SMP_WRITE_FLOORS'):
            self.figures.write_floors(FLOORS)
        if self.on_older and not self.only:
            self.least(OLDER)
        elif not self.only and not self.explain:
            self.check('no share is below its floor; SMP_SEED=%s SMP_CASES=%d' % (self.seed, self.cases),
                       '\n'.join(self.figures.below_floor(read_floors())))
        if self.asks and not self.only:
            for what in ('exact', 'foretold'):
                share = self.figures.shares[what, 'all']
                self.check.true('the server\'s answer is the truth: ' + what, share.percent() >= 99.5, '%s; SMP_SEED=%s' % (share, self.seed))
        if self.on_server and not self.only and not self.on_older:
            self.least({'exact': 97, 'true': 99.5})
        total, last = self.figures.shares['exact', 'all'], self.figures.shares['last', 'all']
        print('exact %s, to the last field %.1f %%, refusals foretold %s, sentences true %s, SMP_SEED=%s' % (
            total, last.percent(), self.figures.shares['foretold', 'all'], self.figures.shares['true', 'all'], self.seed))

    def least(self, shares):
        for what, percent in shares.items():
            share = self.figures.shares[what, 'all']
            self.check.true('share ' + what, share.percent() >= percent, '%s; SMP_SEED=%s' % (share, self.seed))


def undrawn(value):
    """Without the numbers that the server draws."""
    if isinstance(value, dict):
        return {k: undrawn(v) for k, v in value.items() if k not in ('nodePort', 'healthCheckNodePort', 'clusterIP', 'clusterIPs')}
    return [undrawn(v) for v in value] if isinstance(value, list) else value


# --- Lies: each gets a report and returns it changed, or nothing where it has no place for the lie.

def claims(report):
    """The rows that the share "exact" judges. What the server adds inside a value that another row sets counts "to the last field"."""
    rows = [r for r in report['changes'] if r['op'] in ('set', 'delete')]
    whole = tuple(r['path'] + after for r in rows if r['op'] == 'set' and r['reason'] != 'server' for after in '.[')
    return [r for r in rows if r['reason'] != 'server' or not r['path'].startswith(whole)]


def drop(report, rng):
    rows = claims(report)
    if not rows:
        return None
    report['changes'].remove(rng.choice(rows))
    return report


def alter(report, rng):
    rows = [r for r in claims(report) if r['op'] == 'set' and 'outcome' in r]  # without: the server chooses it
    if not rows:
        return None
    row = rng.choice(rows)
    row['outcome'] = altered(row['outcome'])
    return report


def altered(value):
    if isinstance(value, dict):
        return {**value, 'lie': 'x'}
    if isinstance(value, list):
        return value + ['lie']
    return value + 'lie' if isinstance(value, str) else 'lie' if isinstance(value, bool) or value is None else value + 7


def add(report, rng):
    path, row = rng.choice((('metadata.labels.lie', {'op': 'set', 'outcome': 'x'}), ('metadata.name', {'op': 'delete'}),
                            ('metadata.annotations["example.com/lie"]', {'op': 'delete'})))
    report['changes'].append({'path': path, 'reason': 'added', 'message': '', **row})
    return report if report['action'] == 'change' else None


def silence(report, rng):
    if not any(r['op'] in ('set', 'delete') for r in report['changes']):
        return None
    report['changes'], report['action'] = [], 'unchanged'
    return report


LIES = {'drop': drop, 'alter': alter, 'add': add, 'silence': silence}


def story(situation, verdict, untrue, report=None):
    """Everything that is needed to understand a situation, and to play it again by hand."""
    return {'seed': situation.seed, 'number': situation.number, 'kind': situation.kind.name, 'theme': situation.theme, 'slot': situation.slot,
            'extra': situation.extra,
            'first': situation.first, 'edits': situation.done, 'before': situation.before, 'second': situation.second,
            'report': report or situation.report,
            'applied': situation.applied, 'after': situation.after, 'misses': [m.shown() for m in verdict.misses] if verdict else [],
            'untrue': [{'path': row['path'], 'message': row['message'], 'why': why} for row, why in untrue]}


def tell(*what):
    print(json.dumps(story(*what), indent=1, ensure_ascii=False))


def dump(situation, verdict, untrue, prefix='miss', report=None):
    folder = os.environ['SMP_DUMP']
    os.makedirs(folder, exist_ok=True)
    with open(os.path.join(folder, '%s-%05d.json' % (prefix, situation.number)), 'w', encoding='utf-8') as f:
        json.dump(story(situation, verdict, untrue, report), f, indent=1, ensure_ascii=False)


def truth(cl, check):
    run = Run(cl, check)
    run.run()
    run.finish()


if __name__ == '__main__':
    sys.exit(harness.run(__doc__, truth))
