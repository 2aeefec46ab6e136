#!/usr/bin/env python3
"""--compat=kubectl sends what kubectl sends: a recording proxy is in front of the API server, and both tools meet the same live
objects. Every POST and PATCH must be equal: address, query, content type and, as JSON, body. What kubectl's patch loses, smp reports."""
import json
import os
import sys

import harness
from harness import Space, must, said
from harness.manifests import service
from harness.pairs import PAIRS, Pair, scenario

# The scenarios with unusual patches: one key for two items, duplicates, unions, lists of custom resources, nulls.
SCENARIOS = ['001-svc-twin-add', '003-svc-twin-remove-first', '005-svc-twin-reorder', '023-env-dup-add', '025-env-dedupe',
             '027-imagepullsecrets-dup-roundtrip', '055-crd-keyed-list-foreign-item', '057-crd-multikey-list', '085-container-order',
             '089-strategy-recreate', '091-volume-source-switch', '093-probe-switch-plain', '095-null-deletes']
FOLDERS = [*PAIRS.values(), *map(scenario, SCENARIOS)]
TCP, UDP = {'name': 'tcp', 'port': 53, 'protocol': 'TCP'}, {'name': 'udp', 'port': 53, 'protocol': 'UDP'}


def compare(check, name, pair, proxy, file):
    """Compares what both would send now, stores nothing, and returns the number of requests."""
    sent, results = [], []
    for tool, *flags in (['kubectl'], ['smp', '--compat=kubectl', '--order=input']):
        proxy.log.clear()
        results.append(pair.by(tool, 'apply', '-f', file, '--dry-run=server', *flags, kubeconfig=proxy.kubeconfig))
        sent.append(proxy.parsed())
    dump = '%s\n%s' % (json.dumps(sent, indent=1), ''.join(map(said, results)))
    check.true(name + ': requests', sent[0] == sent[1], dump)
    check.true(name + ': exit status', results[0].returncode == results[1].returncode, dump)
    return len(sent[0])


def run_folder(cl, check, path):
    """One proxy for all runs: what the tools cache of a server is by its address."""
    with cl.proxy() as proxy:
        compare_all(check, os.path.basename(path), Pair(cl, path, 'kubectl'), proxy)


def compare_all(check, name, pair, proxy):
    if 'crd.yaml' in pair.files():
        pair.apply_crd()
    compared = compare(check, name + ': creation', pair, proxy, 'v1.yaml')
    pair.apply_file('v1.yaml')
    if 'edit.json' in pair.files():
        pair.edit()
    compared += compare(check, name + ': change', pair, proxy, 'v2.yaml')
    done, theirs = pair.smp('apply', '--compat=kubectl', '-f', 'v2.yaml'), pair.kubectl('apply', '-f', 'v2.yaml')
    check.true(name + ': kubectl can continue', done.returncode == theirs.returncode, said(done) + said(theirs))
    compare(check, name + ': once more', pair, proxy, 'v2.yaml')
    compared += compare(check, name + ': and back', pair, proxy, 'v1.yaml')
    check.true(name + ': something was compared', compared >= 2, 'only %d requests' % compared)
    pair.delete_objects()


def folders(cl, check):
    check.each([(os.path.basename(path), path) for path in FOLDERS], lambda _, path: run_folder(cl, check, path), workers=2)


def losses_are_reported(cl, check):
    space = Space(cl, 'compat')
    space.write('both.json', service(TCP, UDP, name='dns'))
    must(space.apply(service(TCP, name='dns')))
    lost = "spec.ports[port=53,protocol=UDP]: kubectl's patch loses it"
    explained = space.smp('explain-diff', '--compat=kubectl', '-f', 'both.json')
    check.has('explain-diff warns of the lost port', explained.stdout, 'warning: ' + lost)
    applied = space.smp('apply', '--compat=kubectl', '-f', 'both.json')
    check.has('apply warns of the lost port', applied.stderr, 'Warning: both.json:1: service/dns: ' + lost)
    check.equal('apply prints what kubectl prints', applied.stdout, 'service/dns configured\n')
    check.holds('the port is lost', space.get('service/dns'), {'spec.ports[*].protocol': ['TCP']})


if __name__ == '__main__':
    sys.exit(harness.run(__doc__, folders, losses_are_reported))
