#!/usr/bin/env python3
"""--adopt deletes what a manager set in an object without last-applied annotation and the manifest lacks, and nothing else: no default,
nothing that the server allocates, nothing of others."""
import json
import sys

import harness
import kinds
from harness import Space, must
from harness.manifests import config_map, deployment, merge, of, pod, secret, service

ADOPT = ('--adopt=kubectl-create',)
NEW = 'adopted: the manifest lacks it; set with kubectl-create (Update; last write '
WEB = deployment({'env': [{'name': 'A', 'value': '1'}]})
OLD = merge(deployment({'env': [{'name': 'A', 'value': '1'}, {'name': 'B', 'value': '2'}], 'args': ['x']}),
            {'metadata': {'labels': {'x': 'y'}}, 'spec': {'minReadySeconds': 5, 'replicas': 3}})
GONE = ['metadata.labels', 'spec.minReadySeconds', 'spec.replicas', 'spec.template.spec.containers[name=web].args',
        'spec.template.spec.containers[name=web].env[name=B]']


def created(cl, manifest=OLD):
    space = Space(cl, 'adopt')
    must(space.kubectl('create', '-f', space.write('old.json', manifest)))
    return space


def removed(result):
    return sorted(row['path'] for row in json.loads(result.stdout)['objects'][0]['changes'] if row['reason'] == 'removed')


def adoption(cl, check):
    space = created(cl)
    check.equal('without the flag nothing is deleted', removed(space.explain(WEB, '-o', 'json')), [])
    check.equal('each deletion has a row', removed(space.explain(WEB, *ADOPT, '-o', 'json')), GONE)
    check.says('with its reason', space.explain(WEB, *ADOPT), 1, has=[NEW, 'spec.replicas: 3 → 1', 'what is adopted and the manifest lacks goes'],
               lacks=['was applied before', 'since the last apply'])
    check.says('apply names them', space.apply(WEB, *ADOPT), err=['adopted and deleted, because the manifest lacks it: ' + ', '.join(GONE) + '\n'])
    live = space.live(WEB)
    container = live['spec']['template']['spec']['containers'][0]
    check.equal('live', [live['metadata'].get('labels'), live['spec'].get('minReadySeconds'), live['spec']['replicas'], container.get('args'), container['env']],
                [None, None, 1, None, [{'name': 'A', 'value': '1'}]])
    check.did('again', space.apply(WEB, *ADOPT), 'unchanged')


def of_others(cl, check):
    """What others set stays, also in a map or list that the manifest lacks altogether."""
    space = created(cl)
    space.patch('deployment web', {'metadata': {'labels': {'theirs': 'z'}}, 'spec': {'paused': True}})
    bare = json.loads(json.dumps(WEB))
    del bare['spec']['template']['spec']['containers'][0]['env']
    space.patch('deployment web', {'spec': {'template': {'spec': {'containers': [{'name': 'web', 'env': [{'name': 'T', 'value': 't'}]}]}}}}, kind='strategic')
    rows = removed(space.explain(bare, *ADOPT, '-o', 'json'))
    check.true('only the parts go', 'metadata.labels.x' in rows and 'metadata.labels' not in rows, rows)
    must(space.apply(bare, *ADOPT))
    live = space.live(bare)
    check.equal('live', [live['metadata']['labels'], live['spec'].get('paused'), live['spec']['template']['spec']['containers'][0]['env']],
                [{'theirs': 'z'}, True, [{'name': 'T', 'value': 't'}]])


def atomic(cl, check):
    """Maps that managedFields know only as a whole, although apply merges their members."""
    wide = service({'port': 80}, selector={'app': 'web', 'tier': 'x'})
    narrow = service({'port': 80}, selector={'app': 'web'})
    space = created(cl, wide)
    check.equal('a selector', removed(space.explain(narrow, *ADOPT, '-o', 'json')), ['spec.selector.tier'])
    check.says('apply', space.apply(narrow, *ADOPT), err=['adopted and deleted, because the manifest lacks it: spec.selector.tier\n'])
    check.equal('live', space.live(narrow)['spec']['selector'], {'app': 'web'})
    space = created(cl, wide)
    space.patch('service web', {'spec': {'selector': {'tier': 'theirs'}}})
    check.equal('a selector that another manager changed is theirs', removed(space.explain(narrow, *ADOPT, '-o', 'json')), [])
    reference = lambda **more: deployment({'env': [{'name': 'A', 'valueFrom': {'secretKeyRef': {'name': 's', 'key': 'k', **more}}}]},
                                          nodeSelector={'os': 'x', **({'zone': 'y'} if more else {})})
    space = created(cl, reference(optional=True))
    pod_spec = 'spec.template.spec.'
    check.equal('in a Pod template', removed(space.explain(reference(), *ADOPT, '-o', 'json')),
                [pod_spec + 'containers[name=web].env[name=A].valueFrom.secretKeyRef.optional', pod_spec + 'nodeSelector.zone'])
    space = created(cl, config_map(metadata={'labels': {'x': 'y'}}))
    space.patch('configmap web', {'metadata': {'labels': {'x': 'theirs'}}})
    check.equal('a map whose only member another manager changed', removed(space.explain(config_map(), *ADOPT, '-o', 'json')), [])


def template(cl, check):
    """What the server chooses in a Pod is a person's choice in the template of a workload."""
    old = deployment({}, tolerations=[{'key': 'a', 'operator': 'Exists'}], serviceAccountName='old')
    space = created(cl, old)
    must(space.apply(deployment({}), *ADOPT))
    live = space.live(old)['spec']['template']['spec']
    check.equal('in a template', [live.get(name) for name in ('tolerations', 'serviceAccountName', 'serviceAccount')], [None, None, None])


def near_misses(cl, check):
    space = created(cl)
    check.says('an unknown manager', space.explain(WEB, '--adopt=nobody', '-o', 'json'), 1,
               has=['--adopt: managedFields have no entry of nobody; there are kubectl-create'])
    check.equal('adopts nothing', removed(space.explain(WEB, '--adopt=nobody', '-o', 'json')), [])
    check.says('apply warns, too', space.apply(WEB, '--adopt=nobody', '--dry-run=server'), err=['have no entry of nobody; there are kubectl-create'])
    check.equal('several managers', removed(space.explain(WEB, '--adopt=nobody,kubectl-create', '-o', 'json')), GONE)
    check.equal('a manifest that has it all', removed(space.explain(OLD, *ADOPT, '-o', 'json')), [])
    kept = space.explain(WEB, *ADOPT, '--keep-live', 'spec.replicas', '-o', 'json')
    check.equal('beside --keep-live', removed(kept), [path for path in GONE if path != 'spec.replicas'])
    must(space.apply(OLD))
    check.equal('an object with a record is planned from it', removed(space.explain(merge(OLD, {'metadata': {'labels': None}}), *ADOPT, '-o', 'json')), ['metadata.labels'])
    check.says('no word of it', space.explain(OLD, *ADOPT, '-o', 'json'), 0, lacks=['--adopt', 'adopted'])
    for flag in ('--server-side', '--compat=kubectl'):
        check.says(flag, space.apply(WEB, *ADOPT, flag), 1, err=['--adopt cannot be used with ' + flag])


MORE = {
    'Pod': pod(), 'ConfigMap': config_map(a='1'), 'Secret': secret(stringData={'a': '1'}), 'Namespace': of('v1', 'Namespace', '__NS__-other'),
    'Service: load balancer': service({'port': 80}, type='LoadBalancer', externalTrafficPolicy='Local'),
    'Service: headless': service({'port': 80}, clusterIP='None'), 'Service: node port': service({'port': 80}, type='NodePort'),
}


def each_kind(cl, check, name, manifest):
    """Whoever creates an object owns its defaults and what the server allocates: none of it is adopted."""
    space = Space(cl, 'adopt')
    try:
        must(space.kubectl('create', '-f', space.write('old.json', manifest)))
        result = space.explain(manifest, *ADOPT, '-o', 'json')
        objects = json.loads(result.stdout)['objects']
        wrong = [(row['path'], row.get('live')) for row in objects[0]['changes'] if row['op'] != 'keep' and not row['path'].startswith('metadata.annotations')]
        check.equal(name, [objects[0].get('error'), wrong], [None, []])
    finally:
        if space.named(manifest)['metadata']['name'].startswith(space.name):
            space.kubectl('delete', '-f', 'old.json', '--wait=false')


def allocations(cl, check):
    stories = {name: row[0] for name, row in kinds.STORIES.items()}
    # What the other test fills in at run time is left out: a signing request, and objects of its own CRDs.
    rows = [(name, m) for name, m in {**stories, **MORE}.items() if 'example.com' not in m['apiVersion'] and m['kind'] != 'CertificateSigningRequest']
    check.true('many kinds', len({m['kind'] for _, m in rows}) > 20, rows)
    check.each([(name, name, m) for name, m in rows], lambda _, name, m: each_kind(cl, check, name, m))


if __name__ == '__main__':
    sys.exit(harness.run(__doc__, adoption, of_others, atomic, template, near_misses, allocations))
