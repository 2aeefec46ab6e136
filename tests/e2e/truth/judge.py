"""Compares what the rows of an object say with what became of it.

Exact: live before, changed as the rows say, is live after, and each row names a change. Three liberties, each counted: another
spelling of the same quantity or time; a zero value that the server leaves out; and what the server fills into a value that is new as
a whole (`filled`: the rows are true, but not the last word). Without all of them an object is exact `to the last field`."""
import copy
import json
import re

from harness.cluster import LAST_APPLIED
from harness.paths import ABSENT, quantity

from .rows import CHOSEN, Unclear, find, parse, predict, value_at

SERVERS_OWN = ('uid', 'resourceVersion', 'generation', 'creationTimestamp', 'managedFields', 'selfLink')
# Kinds whose status the API server itself writes when it likes.
BUSY_STATUS = ('CustomResourceDefinition', 'FlowSchema', 'PriorityLevelConfiguration', 'Namespace', 'APIService')
ZEROS = (None, False, 0, '', [], {})

# The classes of misses, and the item of the issue that each belongs to.
CLASSES = {
    'put-back': '1: the row deletes, the server puts a default there',
    'put-back-same': '1: the row deletes what live keeps as it is',
    'consequence': '1: the server changes what no row names',
    'other-value': '1: the row sets a value, the server stores another',
    'kept-inside': '1: the value is set as a whole, but live keeps a member that it lacks',
    'order': '1: the order of a list is not as the rows say',
    'not-kept': '4: the row sets what the server does not keep',
    'status': '4: a row about status, which apply does not write',
    'metadata': '4: a row about metadata that the server keeps for itself',
    'unclear': '9: the row means nothing in this object',
    'no-rows': '9: there is no row, and yet live changes',
    'needless-error': '3: explain-diff refuses, the server accepts',
}


class Miss:
    def __init__(self, name, path, said=ABSENT, before=ABSENT, after=ABSENT, row=None):
        self.name, self.path, self.said, self.before, self.after, self.row = name, path, said, before, after, row

    def shown(self):
        out = {'class': self.name, 'path': self.path}
        for name in ('said', 'before', 'after'):
            value = getattr(self, name)
            out[name] = '(absent)' if value is ABSENT else value
        if self.row:
            out['row'] = {k: v for k, v in self.row.items() if k not in ('source', 'rule')}
        return out

    def pattern(self):
        """The path without what is only this object's."""
        return re.sub(r'\[[^\]]*\]', '[*]', self.path)


class Verdict:
    def __init__(self):
        self.misses, self.liberties = [], {'spelled': 0, 'zero': 0, 'filled': 0}

    @property
    def exact(self):
        return not self.misses

    @property
    def to_the_last_field(self):
        return not self.misses and not any(self.liberties.values())


def comparable(live):
    """A copy without what says nothing of the outcome."""
    if live is None:
        return {}
    out = copy.deepcopy(live)
    for name in SERVERS_OWN:
        out['metadata'].pop(name, None)
    annotations = out['metadata'].get('annotations', {})
    for name in (LAST_APPLIED, 'deprecated.daemonset.template.generation'):  # the latter is a generation, too
        annotations.pop(name, None)
    if not annotations:
        out['metadata'].pop('annotations', None)
    if out['kind'] in BUSY_STATUS:
        out.pop('status', None)
    return out


def judge(report, manifest, before, after, custom):
    """`report` is the object's part of the JSON; `before` may be None. For an object that apply did not refuse."""
    verdict = Verdict()
    rows = [row for row in report['changes'] if LAST_APPLIED not in row['path']]
    if report['action'] == 'error':
        verdict.misses.append(Miss('needless-error', '', said=report['error'].get('message')))
        return verdict
    judge_record(verdict, [row for row in report['changes'] if row not in rows], before, after)
    created, before, after = before is None, comparable(before), comparable(after)
    if created:
        before = {k: v for k, v in after.items() if k in ('apiVersion', 'kind')}
    predicted, complaints = predict(before, [r for r in rows if not (created and r['path'] == 'metadata')])
    if created:
        predicted['metadata'] = {k: v for row in rows if row['path'] == 'metadata' for k, v in row['outcome'].items()}
        predicted = comparable({'metadata': {}, **predicted})
    Comparison(verdict, rows, before, after, custom, created).run(predicted, complaints)
    for name in manifest if created else ():
        if name not in ('apiVersion', 'kind') and name in after and not any(row['path'] == name for row in rows):
            verdict.misses.append(Miss('consequence', name, after=after[name]))
    return verdict


def judge_record(verdict, rows, before, after):
    """The row about the annotation itself: it is there where nothing else changes."""
    was, became = [(live or {}).get('metadata', {}).get('annotations', {}).get(LAST_APPLIED) for live in (before, after)]
    for row in rows:
        if (row.get('live'), row.get('outcome')) != (was, became) or was == became:
            verdict.misses.append(Miss('other-value', row['path'], said=row.get('outcome'), before=was, after=became, row=row))


class Comparison:
    def __init__(self, verdict, rows, before, after, custom, created):
        self.verdict, self.rows, self.before, self.after, self.custom, self.created = verdict, rows, before, after, custom, created
        self.lists, self.moves, self.set_paths, self.told, self.whole = {}, set(), {}, set(), {}
        for row in rows:
            self.note(row)

    def canonical(self, steps):
        """The steps with all keys of each list, as the items have them."""
        out, value = [], self.whole
        for step in steps:
            keys = self.lists.get(text(out))
            exact = [n for n, item in enumerate(value) if key_step(item, keys) == step] if keys and isinstance(value, list) else []
            at = exact[0] if exact else find(value, step)
            value = value[at] if at is not None else None
            if keys and step[0] == 'key' and isinstance(value, dict):
                step = key_step(value, keys)
            elif keys == () and step[0] == 'quoted':
                step = ('element', step[1])
            out.append(step)
        return out

    def note(self, row):
        """Lists whose items the rows name by keys or by value, lists that move, and paths that are set as a whole."""
        try:
            steps = parse(row['path'])
        except Unclear:
            return
        for n, (kind, argument) in enumerate(steps):
            if kind == 'key':
                where = text(steps[:n])
                self.lists[where] = max(self.lists.get(where, ()), tuple(argument), key=len)
            elif kind == 'element' or kind == 'quoted' and isinstance(value_at(self.before, steps[:n]), list):
                self.lists[text(steps[:n])] = ()
        if row['op'] == 'move':
            self.moves.add(text(steps))
            self.lists.setdefault(text(steps), tuple((row.get('rule') or {}).get('keys', ())))

    def note_paths(self):
        for row in self.rows:
            try:
                where = text(self.canonical(parse(row['path'])))
            except Unclear:
                continue
            if row['op'] == 'set':
                self.set_paths[where] = row
            elif row['op'] == 'delete':
                self.told.add(where)

    def run(self, predicted, complaints):
        self.whole = merged(self.before, predicted)
        self.note_paths()
        for row, why in complaints:
            self.miss('unclear', row['path'], said=why, row=row)
        for row in self.rows:
            self.effect(row)
        self.compare(predicted, self.after, self.before, [], None, None)

    def miss(self, name, path, **values):
        try:
            path = shown(self.canonical(parse(path)))
        except Unclear:
            pass
        if not any(m.path == path or path and m.path.startswith((path + '.', path + '[')) for m in self.verdict.misses):
            self.verdict.misses.append(Miss(name, path, **values))

    def liberty(self, name):
        self.verdict.liberties[name] += 1

    # Each row must change something.

    def effect(self, row):
        if row['op'] not in ('set', 'delete', 'move') or self.created:
            return
        try:
            steps = parse(row['path'])
        except Unclear:
            return
        was, became = value_at(self.before, steps), value_at(self.after, steps)
        if row['op'] == 'move':
            if was is not ABSENT and became is not ABSENT and not self.moved(was, became, text(steps)):
                self.miss('order', row['path'], said='moves', before=was, after=became, row=row)
        elif self.alike(was, became) and not self.one_more(row, steps):
            said = row.get('outcome', ABSENT) if row['op'] == 'set' else ABSENT
            self.miss(self.name_of_idle(row, steps), row['path'], said=said, before=was, after=became, row=row)

    def one_more(self, row, steps):
        """Whether the row adds an item beside one with the same keys."""
        if row['op'] != 'set' or 'live' in row or steps[-1][0] != 'key':
            return False
        was, became = [value_at(value, steps[:-1]) for value in (self.before, self.after)]
        if not isinstance(was, list) or not isinstance(became, list):
            return False
        keys = tuple(steps[-1][1])
        count = [sum(may_be(steps[-1][1], item, keys) for item in items) for items in (was, became)]
        return count[1] > count[0]

    @staticmethod
    def alike(was, became):
        """Whether live did not change here."""
        return was is became or was is not ABSENT and became is not ABSENT and is_same(was, became)

    def name_of_idle(self, row, steps):
        if steps[0] == ('field', 'status'):
            return 'status'
        if row['op'] == 'delete':
            return 'put-back-same'
        return 'metadata' if steps[0] == ('field', 'metadata') and steps[1][1] in SERVERS_OWN + ('namespace',) else 'not-kept'

    def moved(self, was, became, where):
        keys = self.lists.get(where, ())
        one, other = [identity(i, keys) for i in was], [identity(i, keys) for i in became]
        one, other = [i for i in one if i in other], [i for i in other if i in one]
        return not is_part(one, other) and not is_part(other, one)  # of items that are there twice one may come or go

    # What the rows say against what is.

    def compare(self, said, got, was, steps, row, inside_list):
        """`row` is the one that sets this value as a whole, or one above it."""
        where = text(steps)
        row = self.set_paths.get(where, row)
        if is_same(said, got) or said is CHOSEN:
            return
        if isinstance(said, dict) and isinstance(got, dict):
            for name in list(said) + [n for n in got if n not in said]:
                below = was.get(name, ABSENT) if isinstance(was, dict) else ABSENT
                self.member(said.get(name, ABSENT), got.get(name, ABSENT), below, steps + [('field', name)], row, inside_list)
        elif isinstance(said, list) and isinstance(got, list):
            self.compare_lists(said, got, was, steps, row)
        elif not self.custom and same_meaning(said, got):
            self.liberty('spelled')
        elif not self.custom and is_zero(said) and is_zero(got) and row is not None:
            self.liberty('zero')
        elif not self.custom and said in (None, 0, '') and said is not False and row is not None and where not in self.set_paths:
            self.liberty('filled')
        else:
            self.differ('other-value', steps, said, was, got, row)

    def member(self, said, got, was, steps, row, inside_list):
        row = self.set_paths.get(text(steps), row)
        if said is not ABSENT and got is not ABSENT:
            self.compare(said, got, was, steps, row, inside_list)
        elif got is ABSENT:
            # The server leaves it out, or it is a map that the rows emptied.
            left_out = row is not None or self.created or said in ({}, []) and not is_same(was, said)
            if left_out and is_zero(said) and (not self.custom or said in ({}, [], None)):
                self.liberty('zero')
            else:
                self.differ('not-kept', steps, said, was, got, row)
        elif row is not None or self.created:
            # Live before had it, and the value that is set as a whole does not.
            if was is not ABSENT and is_same(was, got) and not inside_list and not self.created:
                self.differ('kept-inside', steps, said, was, got, row)
            else:
                self.liberty('filled')
        elif got is None and not self.custom:
            self.liberty('zero')
        else:
            self.differ('put-back' if text(steps) in self.told else 'consequence', steps, said, was, got, row)

    def differ(self, name, steps, said, was, got, row):
        if not self.rows and name == 'consequence':
            name = 'no-rows'
        if steps and steps[0] == ('field', 'status') and row is not None:
            name = 'status'
        if row is None and name in ('not-kept', 'other-value'):
            name = 'consequence'
        self.miss(name, shown(steps), said=said, before=was, after=got, row=row)

    def compare_lists(self, said, got, was, steps, row):
        where = text(steps)
        if where not in self.lists or any(isinstance(i, dict) for i in said + got) and not self.lists[where]:
            return self.by_number(said, got, was, steps, row)
        keys = self.lists[where]
        pairs, origins = pair_items(said, got, keys), pair_items(said, was if isinstance(was, list) else [], keys)
        for item, other, before in zip(said, pairs, origins):
            step = steps + [key_step(item, keys)]
            if other is ABSENT:
                self.differ('not-kept', step, item, before, ABSENT, row or self.set_paths.get(text(step)))
                continue
            self.compare(item, other, before, step, row, False)
        for item in (i for i in got if not any(i is other for other in pairs)):
            step = steps + [key_step(item, keys)]
            self.differ('put-back' if text(step) in self.told else 'consequence', step, ABSENT, ABSENT, item, row)
        if keys and isinstance(was, list) and where not in self.moves and row is None and self.moved(was, got, where):
            self.miss('order', shown(steps), said='stays in its order', before=was, after=got)
        return None

    def by_number(self, said, got, was, steps, row):
        if len(said) < len(got) and was is ABSENT and (row is not None or self.created):
            self.liberty('filled')  # admission adds items to a new list
        elif len(said) != len(got):
            return self.differ('other-value', steps, said, was, got, row)
        for n, (one, other) in enumerate(zip(said, got)):
            before = was[n] if isinstance(was, list) and n < len(was) else ABSENT
            self.compare(one, other, before, steps + [('index', n)], row, True)
        return None


def merged(one, other):
    """A value in which the paths of both can be found; it says nothing else."""
    if isinstance(one, dict) and isinstance(other, dict):
        both = {k: merged(one[k], other[k]) for k in one if k in other}
        return {**one, **other, **both}
    if isinstance(one, list) and isinstance(other, list):
        return other + [i for i in one if i not in other]
    return other


def pair_items(said, got, keys):
    """The item of `got` for each of `said`, or ABSENT: those with the same keys, then those that lack a key (which has a default)."""
    left, pairs = list(range(len(got))), [ABSENT] * len(said)
    for fits in (lambda one, other: identity(one, keys) == identity(other, keys), lambda one, other: keys and may_be(one, other, keys)):
        for n, item in enumerate(said):
            at = next((m for m in left if pairs[n] is ABSENT and fits(item, got[m])), None)
            if at is not None:
                left.remove(at)
                pairs[n] = got[at]
    return pairs


def is_part(part, whole):
    """Whether `part` is `whole` with some left out."""
    rest = iter(whole)
    return all(any(item == other for other in rest) for item in part)


def key_step(item, keys):
    return ('key', {k: item[k] for k in keys if k in item}) if keys and isinstance(item, dict) else ('element', item)


def identity(item, keys):
    return tuple(json.dumps(item.get(k)) for k in keys) if keys and isinstance(item, dict) else json.dumps(item, sort_keys=True)


def may_be(item, other, keys):
    """Whether the items differ only in keys that the first one does not have."""
    return isinstance(item, dict) and isinstance(other, dict) and all(k not in item or is_same(item[k], other.get(k)) for k in keys)


def text(steps):
    """A key for a path: two spellings of one are the same."""
    return json.dumps([('field' if kind == 'quoted' else kind, argument) for kind, argument in steps], sort_keys=True)


PLAIN = re.compile(r'[A-Za-z_/-][A-Za-z0-9_./-]*')


def shown(steps):
    out = ''
    for kind, argument in steps:
        if kind == 'key':
            words = {k: v if isinstance(v, str) and PLAIN.fullmatch(v) else json.dumps(v) for k, v in argument.items()}
            out += '[%s]' % ','.join('%s=%s' % word for word in words.items())
        elif kind == 'index':
            out += '[%d]' % argument
        elif kind == 'element':
            out += ('[%s]' if isinstance(argument, str) else '[=%s]') % json.dumps(argument)
        else:
            out += ('.' if out else '') + argument if re.fullmatch(r'[A-Za-z0-9_-]+', argument) else '["%s"]' % argument
    return out


def is_same(one, other):
    """Equal as JSON: true is not 1, but 1 is 1.0."""
    if isinstance(one, dict) and isinstance(other, dict):
        return one.keys() == other.keys() and all(is_same(one[k], other[k]) for k in one)
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(map(is_same, one, other))
    return isinstance(one, bool) == isinstance(other, bool) and one == other


def is_zero(value):
    return any(is_same(value, zero) for zero in ZEROS)


def same_meaning(said, got):
    """Other spellings of a quantity or a time that the server chooses."""
    if isinstance(said, bool) or isinstance(got, bool) or isinstance(said, (dict, list)) or isinstance(got, (dict, list)):
        return False
    if isinstance(got, str) and isinstance(quantity(said), float) and quantity(said) == quantity(got):
        return True
    times = [re.sub(r'(\.\d*?)0*Z$', lambda m: (m.group(1) if len(m.group(1)) > 1 else '') + 'Z', str(v)) for v in (said, got)]
    return isinstance(said, str) and isinstance(got, str) and times[0] == times[1]
