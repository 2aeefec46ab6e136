#!/usr/bin/env python3
"""The same files through kubectl and through smp leave equal objects.

Both tools apply the folders of pairs/ (harness/pairs.py), each in a namespace of its own; then live objects are compared, byte for
byte in the last-applied annotation, and neither tool has anything to do after the other."""
import difflib
import json
import sys

import harness
from harness.cluster import LAST_APPLIED
from harness.pairs import PAIRS, Pair

# What the server makes up anew for every object.
RANDOM = ('uid', 'resourceVersion', 'creationTimestamp', 'time', 'lastTransitionTime', 'clusterIP', 'clusterIPs', 'nodePort')


def without_random(value):
    if isinstance(value, dict):
        return {k: without_random(v) for k, v in value.items() if k not in RANDOM}
    if isinstance(value, list):
        return [without_random(v) for v in value]
    return value


def comparable(live):
    """An object as text. The server sorts managers by their time, which is random when it is the same second."""
    uid = live['metadata']['uid']
    live = without_random(live)
    live['metadata']['managedFields'].sort(key=json.dumps)
    return json.dumps(live, indent=1, sort_keys=True, ensure_ascii=False).replace(uid, '__UID__')


def neutral(pair, texts):
    return '\n'.join(texts).replace(pair.name, '__NS__')


def difference(kubectl, smp):
    return '\n'.join(difflib.unified_diff(kubectl.splitlines(), smp.splitlines(), 'kubectl', 'smp', lineterm='', n=2))


def compare(check, pairs, label, file):
    lives = []
    for pair in pairs:
        found = pair.get('-f', file)
        lives.append(found['items'] if found['kind'] == 'List' else [found])
    objects = [neutral(pair, map(comparable, live)) for pair, live in zip(pairs, lives)]
    check('%s/%s: live objects' % (label, file), difference(*objects))
    recorded = [neutral(pair, (o['metadata']['annotations'][LAST_APPLIED] for o in live)) for pair, live in zip(pairs, lives)]
    check('%s/%s: last-applied' % (label, file), difference(*recorded))


def touched(pair, output):
    lines = neutral(pair, [output]).splitlines()
    return {line.split()[0] for line in lines if not line.endswith(' unchanged')} if lines else {'no output'}


def settle(check, pairs, label):
    """Applies v2 again with both tools, each in its own namespace first."""
    kubectl, smp = pairs
    kubectl_again, smp_again = kubectl.apply_file('v2.yaml'), smp.apply_file('v2.yaml')
    # Some objects kubectl patches at each apply, because it compares atomic lists without the server's defaults.
    never = touched(kubectl, kubectl_again)
    check('%s: smp finds nothing to do after smp' % label, touched(smp, smp_again) - never)
    check('%s: smp finds nothing to do after kubectl' % label, touched(kubectl, kubectl.apply_file('v2.yaml', 'smp')) - never)
    check('%s: kubectl says the same after smp as after itself' % label,
          difference(neutral(kubectl, [kubectl_again]), neutral(smp, [smp.apply_file('v2.yaml', 'kubectl')])))


def run_pair(cl, check, label, folder):
    pairs = [Pair(cl, folder, tool) for tool in ('kubectl', 'smp')]
    if 'crd.yaml' in pairs[0].files():
        for pair in pairs:
            pair.apply_crd()
        compare(check, pairs, label, 'crd.yaml')
    for pair in pairs:
        pair.apply_file('v1.yaml')
    compare(check, pairs, label, 'v1.yaml')
    for pair in pairs:
        pair.edit()
        pair.apply_file('v2.yaml')
    compare(check, pairs, label, 'v2.yaml')
    settle(check, pairs, label)
    for pair in pairs:
        pair.delete_objects()


def all_pairs(cl, check):
    check.each(PAIRS, lambda label, folder: run_pair(cl, check, label, folder), workers=2)


if __name__ == '__main__':
    sys.exit(harness.run(__doc__, all_pairs))
