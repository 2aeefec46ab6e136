"""Whether the sentences of rows are true: who owns a field, by managedFields; what was applied before, by the manifests that were; and what
live lost, by the edits that were made."""
import json
import re

from harness.cluster import LAST_APPLIED
from harness.paths import ABSENT

from . import owners
from .rows import Unclear, parse, value_at

# kubectl-edit (Update of scale; last write 2026-01-02T03:04:05Z)
MANAGER = re.compile(r'(\S+) \((Update|Apply)(?: of (\w+))?; (?:last write (\S+)|time unknown)\)')
# What our own managers do: the words, and the only owner that makes them true.
OWN = {'set with an apply by kubectl or smp': ('kubectl-client-side-apply', 'Update', ''),
       'set with a server-side apply by kubectl or smp': ('kubectl', 'Apply', ''),
       'set with kubectl-create': ('kubectl-create', 'Update', '')}


def sentences(situation):
    """Yields (row, what is untrue or '') for each row about live."""
    before = situation.before
    if before is None:
        return
    fields = before['metadata'].get('managedFields', [])
    for row in situation.report['changes']:
        try:
            steps = parse(row['path'])
        except Unclear:
            continue
        if row['op'] in ('set', 'delete', 'keep'):
            yield row, '; '.join(untrue(row, owners.of(fields, before, steps), Facts(situation, steps)))
    for fields_of in situation.report.get('of-others', []):
        for path in fields_of['paths']:
            yield {'path': path, 'reason': 'of-others', 'message': ''}, untrue_of_others(fields_of['manager'], path, before)


def untrue_of_others(manager, path, before):
    """What is untrue in "set by": the manager must own the field itself, or what is in it."""
    found = owners.of(before['metadata']['managedFields'], before, parse(path))
    own = [o for o in found if not o.ours and o.key() == (manager['name'], manager['operation'], manager.get('subresource', ''))]
    return '' if own else 'owners are %s' % [o.key() for o in found]


def written_at(manifest, steps):
    """The value in a manifest, where a port may lack its protocol, and a Secret may have a value as stringData."""
    manifest = {**manifest, 'data': {**manifest.get('data', {}), **manifest['stringData']}} if 'stringData' in manifest else manifest
    for kind, argument in steps:
        if kind == 'key' and isinstance(manifest, list):
            fits = lambda item: isinstance(item, dict) and all(item.get(k, 'TCP') == v for k, v in argument.items())  # pylint: disable=cell-var-from-loop
            manifest = next((item for item in manifest if fits(item)), ABSENT)
        else:
            manifest = value_at(manifest, [(kind, argument)])
        if manifest is ABSENT:
            return ABSENT
    return manifest


def written(value):
    """Its JSON: for Python, 0 is False."""
    return value if value is ABSENT else json.dumps(value, sort_keys=True)


class Facts:
    """A path in what was applied before, in the record of it, and in live."""

    def __init__(self, situation, steps):
        text = situation.before['metadata'].get('annotations', {}).get(LAST_APPLIED)
        self.has_record = bool(text)
        self.record = written_at(json.loads(text), steps) if text else ABSENT
        self.live = value_at(situation.before, steps)
        self.applied = [written_at(manifest, steps) for _, manifest in situation.first]
        self.repeats = situation.theme == 'duplicate'  # a second item beside the one that was applied
        self.edited = bool([done for done in situation.done if 'refused' not in done])


def untrue(row, found, facts):
    """What is untrue in a row."""
    said, told = row['message'], [(m['name'], m['operation'], m.get('subresource', ''), m.get('time')) for m in row.get('managers', [])]
    named = [(name, operation, subresource, time or None) for name, operation, subresource, time in MANAGER.findall(said)]
    keys = [o.key() for o in found]
    if 'live' in row and sorted(key[:3] for key in told) != sorted(keys):
        yield 'managers %s, but owners are %s' % (told, keys)
    if set(named) - set(told):
        yield 'names %s, not among the managers' % (set(named) - set(told))
    if 'live' in row and {o.key() for o in found if not o.ours} - {key[:3] for key in named}:
        yield 'does not name all of %s' % keys
    if 'somebody' in said:
        yield 'somebody is named'
    for words, owner in OWN.items():
        if words in said and set(keys) != {owner}:
            yield '%s, but owners are %s' % (words, keys)
    if 'nobody set' in said and any(not o.ours or not o.only_around for o in found):
        yield 'somebody set it: %s' % keys
    if 'name no owner' in said and keys:
        yield 'no owner, but owners are %s' % keys
    yield from untrue_of_before(said, facts, [o for o in found if not o.ours])


def untrue_of_before(said, facts, others):
    """What is untrue about what was applied, and what became of it."""
    if 'was applied before' in said and all(value is ABSENT for value in facts.applied):
        yield 'was never applied'
    # An empty value that the server does not store is as good as none: args: [], hostNetwork: false.
    applied = facts.applied[-1]
    had_none = applied in (ABSENT, None) or (facts.live in (ABSENT, None) and applied in (False, 0, '', [], {}))
    if 'new in the manifest' in said and not had_none and not facts.repeats:
        yield 'the manifest had it before'
    if 'removed from live' in said and not (facts.live in (ABSENT, None) and facts.edited):
        yield 'nobody removed it'
    if 'last-applied lacks' in said and not (facts.has_record and facts.record in (ABSENT, None)):
        yield 'last-applied has it, or there is none'
    if 'last-applied' in said and not facts.has_record:
        yield 'there is no last-applied'
    changed = facts.record is not ABSENT and written(facts.record) != written(facts.live) and facts.edited and others
    if ('live changed' in said or 'live both changed' in said) and not changed:
        yield 'nobody changed live'
