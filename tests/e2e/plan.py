#!/usr/bin/env python3
"""explain-diff --plan-out and apply --plan: what was reviewed is what is sent, and anything else is refused and shown."""
import base64
import json
import os
import re
import stat
import sys

import harness
from harness import Space, must, said
from harness.cluster import LAST_APPLIED
from harness.terminal import Terminal
from harness.manifests import config_map, custom, definition, deployment, merge, mutating_policy, secret

WEB = merge(deployment({'image': 'web:1'}), {'spec': {'replicas': 2}})
NEXT = merge(WEB, {'spec': {'minReadySeconds': 5, 'template': {'metadata': {'labels': {'x': 'y'}}}}})
NOT_REVIEWED = 'not applied, because it is not as reviewed: '


class Planned(Space):
    """A namespace in which plans are made and applied."""
    plans = 0

    def __init__(self, cl, *first):
        super().__init__(cl, 'plan')
        if first:
            must(self.apply(list(first)))

    def plan(self, content, *flags, status=1, **kwargs):
        """Returns the file's name. An exit status of 1 means differences."""
        self.plans += 1
        name = 'p%d.plan' % self.plans
        result = self.explain(content, '--plan-out', name, *flags, **kwargs)
        if result.returncode != status:
            raise AssertionError(said(result))
        return name

    def by_plan(self, content, name, *flags, **kwargs):
        return self.apply(content, '--plan', name, *flags, **kwargs)


def data(space, name='a'):
    found = space.find('configmap', name)
    return found and found.get('data')


def actions(cl, check):
    """Every action, and a plan that is used twice."""
    space = Planned(cl, config_map('same'), config_map('gone'), WEB)
    content = [config_map('same'), config_map('new'), NEXT]
    prune = ('--prune', '--all', '--prune-allowlist=core/v1/ConfigMap')
    name = space.plan(content, *prune)
    plan = json.loads(space.read(name))
    check.equal('what the file has', {o['name']: o['action'] for o in plan['objects']},
                {'same': 'unchanged', 'new': 'create', 'web': 'change', 'gone': 'prune'})
    check.equal('its mode', stat.S_IMODE(os.stat(space.path(name)).st_mode), 0o600)
    check.says('a dry run by the plan', space.by_plan(content, name, *prune, '--dry-run=server'), 0, has=['configmap/new created (server dry run)'])
    check.equal('it stores nothing', data(space, 'new'), None)
    check.says('apply by the plan', space.by_plan(content, name, *prune), 0,
               out='configmap/same unchanged\nconfigmap/new created\ndeployment.apps/web configured\nconfigmap/gone pruned\n')
    check.says('the plan again: nothing is left to send', space.by_plan(content, name, *prune), 0,
               out='configmap/same unchanged\nconfigmap/new unchanged\ndeployment.apps/web unchanged\n')
    check.equal('live', space.live(NEXT)['spec']['minReadySeconds'], 5)


def moves(cl, check):
    """What is sent must be what was reviewed; other changes of live do not count."""
    space = Planned(cl, WEB)
    name = space.plan(NEXT)
    space.patch('deployment web', {'status': {'replicas': 1, 'observedGeneration': 1}}, subresource='status')
    space.patch('deployment web', {'metadata': {'annotations': {'mine': 'x'}}, 'spec': {'revisionHistoryLimit': 3}})
    space.patch('deployment web', [{'op': 'add', 'path': '/spec/template/spec/containers/-', 'value': {'name': 'sidecar', 'image': 'proxy:1'}}])
    check.did('status, managedFields, other fields and items of others', space.by_plan(NEXT, name), 'configured')
    live = space.live(NEXT)
    check.equal('they stay', [live['metadata']['annotations']['mine'], live['spec']['revisionHistoryLimit'], len(live['spec']['template']['spec']['containers'])],
                ['x', 3, 2])

    rows = {
        'drift that was not reviewed': ({'spec': {'replicas': 7}}, 'apply would also change spec.replicas', '~ spec.replicas: 7 → 2'),
        'somebody did a part of it': ({'spec': {'minReadySeconds': 5}}, 'apply would no longer change spec.minReadySeconds', 'metadata.labels'),
    }
    for what, (patch, why, shown) in rows.items():
        space = Planned(cl, WEB, config_map('a', k='1'))
        content = [NEXT, config_map('a', k='2')]
        name = space.plan(content)
        space.patch('deployment web', patch)
        before = space.live(NEXT)['metadata']['resourceVersion']
        codes = [o.get('error', {}).get('code') for o in json.loads(space.by_plan(content, name, '-o', 'result-json', '--dry-run=server').stdout)['objects']]
        check.equal(what + ': for programs', codes, ['conflict', None])
        result = space.by_plan(content, name)
        check.says(what, result, 1, err=[NOT_REVIEWED + why, 'not as reviewed; apply would do this now:', shown], out='configmap/a configured\n')
        check.equal(what + ': not written', space.live(NEXT)['metadata']['resourceVersion'], before)
        check.equal(what + ': the other object is', data(space), {'k': '2'})

    space = Planned(cl, config_map('a', k='1'))
    name = space.plan(config_map('a', k='1'), status=0)
    space.patch('configmap a', {'data': {'k': 'theirs'}})
    check.says('the plan says unchanged', space.by_plan(config_map('a', k='1'), name), 1, err=['apply would also change data.k'])
    check.equal('live stays', data(space), {'k': 'theirs'})

    content = config_map('a', k='2')
    name = space.plan(content)
    must(space.kubectl('delete', 'configmap', 'a'))
    check.says('the object is gone', space.by_plan(content, name), 1, err=['the object does not exist any more'])
    must(space.apply(config_map('a', k='theirs')))
    check.says('it is another one', space.by_plan(content, name), 1, err=['the object was deleted and created again'])
    new = config_map('new', k='1')
    name = space.plan(new)
    must(space.kubectl('create', 'configmap', 'new'))
    check.says('a new object exists already', space.by_plan(new, name), 1, err=['the object exists now'])


def race(cl, check):
    """Between the last look and the write."""
    def scale():
        space.patch('deployment web', {'spec': {'replicas': 9}})

    def annotate():
        space.patch('deployment web', {'metadata': {'annotations': {'mine': 'x'}}})

    for what, hook, status in (('what was reviewed moves', scale, 1), ('something else moves', annotate, 0)):
        for flags in ((), ('--server-side', '--force-conflicts')):
            space = Planned(cl)
            must(space.apply(WEB, *flags))
            with cl.proxy(hook=hook) as proxy:
                name = space.plan(NEXT, *flags, kubeconfig=proxy.kubeconfig)
                result = space.by_plan(NEXT, name, *flags, kubeconfig=proxy.kubeconfig)
            check.says('%s %s' % (what, flags), result, status, err=[NOT_REVIEWED] if status else [])
            live = space.live(NEXT)
            check.equal('%s %s: live' % (what, flags), [live['spec']['replicas'], live['spec'].get('minReadySeconds')],
                        [9, None] if status else [2, 5])

    # Created by somebody else after it was read.
    space = Planned(cl)
    content = config_map('a', k='ours')
    with cl.proxy() as proxy:
        name = space.plan(content, kubeconfig=proxy.kubeconfig)
        must(space.apply(config_map('a', k='theirs')))
        proxy.inject.append({'methods': ['GET'], 'path': '/configmaps/a$', 'status': 404, 'reason': 'NotFound', 'message': 'not found'})
        result = space.by_plan(content, name, kubeconfig=proxy.kubeconfig)
    check.says('created meanwhile', result, 1, err=['the object exists now'])
    check.equal('created meanwhile: live', data(space), {'k': 'theirs'})
    server_side_race(cl, check)
    guard_leaves_no_trace(cl, check)
    migration_race(cl, check)


def server_side_race(cl, check):
    """The server merges an unguarded apply into an object that was just created, and creates one that was just deleted."""
    for what, big, flags in (('--server-side', '1', ('--server-side',)), ('forced', '1', ('--server-side', '--force-conflicts')), ('too large', 'x' * 270_000, ())):
        space = Planned(cl)
        ours = config_map('a', k=big)
        with cl.proxy(hook=lambda: must(space.kubectl('create', 'configmap', 'a', '--from-literal=other=theirs'))) as proxy:
            name = space.plan(ours, *flags, kubeconfig=proxy.kubeconfig)
            result = space.by_plan(ours, name, *flags, kubeconfig=proxy.kubeconfig)
        check.says(what + ': created meanwhile', result, 1, err=[NOT_REVIEWED + 'the object exists now'])
        check.equal(what + ': theirs stays', data(space), {'other': 'theirs'})

        space = Planned(cl)
        must(space.apply(ours, *flags))
        more = merge(ours, {'data': {'l': '2'}})
        with cl.proxy(hook=lambda: must(space.kubectl('delete', 'configmap', 'a'))) as proxy:
            name = space.plan(more, *flags, kubeconfig=proxy.kubeconfig)
            result = space.by_plan(more, name, *flags, kubeconfig=proxy.kubeconfig)
        check.says(what + ': deleted meanwhile', result, 1, err=[NOT_REVIEWED + 'the object does not exist any more'])
        check.equal(what + ': it stays deleted', data(space), None)
        created = space.by_plan(more, space.plan(more, *flags), *flags, '-o', 'json')
        check.equal(what + ': created', json.loads(created.stdout)['metadata']['resourceVersion'], space.live(more)['metadata']['resourceVersion'])
        must(space.kubectl('delete', 'configmap', 'a'))
        dry = space.by_plan(more, space.plan(more, *flags), *flags, '--dry-run=server', '-o', 'json')
        check.equal(what + ': a dry run shows no guard', json.loads(dry.stdout)['metadata'].get('resourceVersion'), None)


def guard_leaves_no_trace(cl, check):
    """The server copies what kubectl's manager applies into last-applied, the guard, too. kubectl apply would remove that again,
    which most kinds refuse that cannot be updated unconditionally, such as a Lease."""
    def lease(seconds):
        return {'apiVersion': 'coordination.k8s.io/v1', 'kind': 'Lease', 'metadata': {'name': 'l'}, 'spec': {'leaseDurationSeconds': seconds}}
    flags = ('--server-side', '--force-conflicts')
    space = Planned(cl, lease(1))
    result = space.by_plan(lease(2), space.plan(lease(2), *flags), *flags)
    check.did('a reviewed server-side apply', result, 'serverside-applied')
    record = json.loads(space.live(lease(2))['metadata']['annotations'][LAST_APPLIED])
    check.equal('no guard in last-applied', sorted(record['metadata']), ['name', 'namespace'])
    before = space.live(lease(2))['metadata']['resourceVersion']
    check.did('the same again', space.by_plan(lease(2), space.plan(lease(2), *flags, status=0), *flags), 'unchanged')
    check.equal('nothing was written', space.live(lease(2))['metadata']['resourceVersion'], before)
    space.write('l.json', lease(3))
    check.says('kubectl apply afterwards', space.kubectl('apply', '-f', 'l.json'), 0, out=['configured'])

    space = Planned(cl, WEB)
    theirs = {'apiVersion': 'apps/v1', 'kind': 'Deployment', 'metadata': {'name': 'web'}, 'spec': {'minReadySeconds': 7}}
    space.write('theirs.json', theirs)
    must(space.kubectl('apply', '--server-side', '--field-manager=other', '-f', 'theirs.json'))
    owners = [e['manager'] for e in space.live(WEB)['metadata']['managedFields'] if 'f:annotations' in e['fieldsV1'].get('f:metadata', {})]
    check.equal('who has last-applied by a migration of its own', owners, ['other'])
    result = space.by_plan(NEXT, space.plan(NEXT, *flags), *flags)
    check.did('where another manager owns last-applied', result, 'serverside-applied')
    record = json.loads(space.live(NEXT)['metadata']['annotations'][LAST_APPLIED])
    check.equal('no guard in an annotation of theirs', sorted(record['metadata']), ['name', 'namespace'])
    check.did('that again', space.by_plan(NEXT, space.plan(NEXT, *flags, status=0), *flags), 'unchanged')

    void = merge(config_map('a', k='1'), {'metadata': {'resourceVersion': '0'}})
    for what, manifest in (('a resourceVersion of 0', void), ('an empty one', merge(void, {'metadata': {'resourceVersion': ''}}))):
        space = Planned(cl)
        with cl.proxy(hook=lambda: must(space.kubectl('create', 'configmap', 'a', '--from-literal=other=theirs'))) as proxy:
            name = space.plan(manifest, *flags, kubeconfig=proxy.kubeconfig)
            result = space.by_plan(manifest, name, *flags, kubeconfig=proxy.kubeconfig)
        check.says(what + ' is no guard', result, 1, err=[NOT_REVIEWED])
        check.equal(what + ': theirs stays', data(space), {'other': 'theirs'})


SERVER_SIDE = ('--server-side',)


def late_policy(cl, space):
    """Returns the objects of a policy that sets data.late of the ConfigMaps of the namespace, which have this label by then."""
    selected = {'objectSelector': {'matchLabels': {'late': space.name}}}
    return mutating_policy(space.name, ['configmaps'], 'Object{data: {"late": "yes"}}', constraints=selected)


def only_the_server_knows(cl, check):
    """A server-side apply in which reading shows no change, but which admission turns into one: it is sent only if that was reviewed."""
    space = Planned(cl)
    late = {'metadata': {'labels': {'late': space.name}}}
    ours, theirs, probe = (merge(config_map(name, k='1'), late) for name in ('ours', 'theirs', 'probe'))
    must(space.apply(ours, *SERVER_SIDE))
    must(space.kubectl('create', '-f', space.write('theirs.json', theirs)))
    both = [ours, theirs]
    recorded, unrecorded = space.plan(ours, *SERVER_SIDE, status=0), space.plan(theirs, *SERVER_SIDE, status=0)
    policy = late_policy(cl, space)
    must(cl.smp('apply', '-f', cl.write('late.json', policy)))
    try:
        harness.until('the policy is in force', lambda: 'late: "yes"' in space.apply(probe, '--dry-run=server', '-o', 'yaml').stdout)
        check.says('reading shows no change', space.explain(both, *SERVER_SIDE), 0)
        asked = space.explain(both, *SERVER_SIDE, '--ask-server', '-o', 'json')
        check.equal('the server does: the exit status', asked.returncode, 1)
        rows = [[(r['path'], r['op'], r['reason']) for r in o['changes'] if r['op'] != 'keep'] for o in json.loads(asked.stdout)['objects']]
        check.equal('the server does: the rows', rows, [[('data.late', 'set', 'server')]] * 2)
        check.says('reviewed as unchanged', space.by_plan(ours, recorded, *SERVER_SIDE), 0, out='configmap/ours unchanged\n')
        done = space.by_plan(theirs, unrecorded, *SERVER_SIDE)
        check.says('an apply that was to record the fields', done, 1, err=[NOT_REVIEWED, '/data/late', '--ask-server'], has=['data.late'])
        check.equal('nothing was stored', [data(space, name) for name in ('ours', 'theirs')], [{'k': '1'}] * 2)
        name = space.plan(both, *SERVER_SIDE, '--ask-server')
        check.equal('the plan has it', [o['action'] for o in json.loads(space.read(name))['objects']], ['change', 'change'])
        check.did('as the server was asked', space.by_plan(theirs, space.plan(theirs, *SERVER_SIDE, '--ask-server'), *SERVER_SIDE), 'serverside-applied')
        check.equal('it is stored', data(space, 'theirs'), {'k': '1', 'late': 'yes'})
    finally:
        cl.kubectl('delete', *('%s/%s' % (o['kind'], o['metadata']['name']) for o in policy))
    check.says('without the policy', space.by_plan(both, name, *SERVER_SIDE), 0, has=['configmap/ours unchanged', 'configmap/theirs unchanged'])


def records_its_fields(cl, check):
    """A reviewed apply without a change still makes the fields ours, so that a later one can remove them."""
    space = Planned(cl)
    must(space.kubectl('create', '-f', space.write('a.json', config_map('a', k='1'))))
    name = space.plan(config_map('a', k='1'), *SERVER_SIDE, status=0)
    check.says('the apply', space.by_plan(config_map('a', k='1'), name, *SERVER_SIDE), 0, out='configmap/a unchanged\n')
    entries = space.get('configmap', 'a')['metadata']['managedFields']
    check.true('our entry', any(e['manager'] == 'kubectl' and e['operation'] == 'Apply' for e in entries), entries)
    must(space.kubectl('apply', '--server-side', '--field-manager=third', '-f', 'a.json'))
    version = space.live(config_map('a'))['metadata']['resourceVersion']
    check.says('again', space.by_plan(config_map('a', k='1'), name, *SERVER_SIDE), 0, out='configmap/a unchanged\n')
    check.equal('again: nothing is written', space.live(config_map('a'))['metadata']['resourceVersion'], version)


def migration_without_a_change(cl, check):
    """An object that was applied client-side becomes ours, though nothing in it changes."""
    space = Planned(cl, config_map('a', k='1'))
    name = space.plan(config_map('a', k='1'), *SERVER_SIDE, status=0)
    check.says('the apply', space.by_plan(config_map('a', k='1'), name, *SERVER_SIDE), 0)
    entries = space.get('configmap', 'a')['metadata']['managedFields']
    check.equal('our entries', sorted((e['manager'], e['operation']) for e in entries), [('kubectl', 'Apply'), ('kubectl-last-applied', 'Apply')])


def migration_race(cl, check):
    """Between the requests of a migration from client-side apply, the object goes, or another one gets its name."""
    flags = ('--server-side', '--force-conflicts')
    for what, theirs in (('deleted', None), ('created anew', {'other': 'theirs'})):
        space = Planned(cl, config_map('a', k='1', l='1'))

        def interfere():
            must(space.kubectl('delete', 'configmap', 'a'))
            if theirs:
                must(space.kubectl('create', 'configmap', 'a', '--from-literal=other=theirs'))

        with cl.proxy(hook=lambda: setattr(proxy, 'hook', interfere)) as proxy:
            name = space.plan(config_map('a', k='2'), *flags, kubeconfig=proxy.kubeconfig)
            result = space.by_plan(config_map('a', k='2'), name, *flags, kubeconfig=proxy.kubeconfig)
        check.says('%s after the first request' % what, result, 1, err=['only a part of what was reviewed was applied'])
        check.equal('%s: what is there' % what, data(space), theirs)
        live = space.find('configmap', 'a') or {'metadata': {}}
        check.equal('%s: no last-applied of ours' % what, live['metadata'].get('annotations'), None)


def recreation(cl, check):
    """--force deletes only what was shown to be deleted."""
    job = {'apiVersion': 'batch/v1', 'kind': 'Job', 'metadata': {'name': 'j'},
           'spec': {'template': {'spec': {'restartPolicy': 'Never', 'containers': [{'name': 'a', 'image': 'i:1'}]}}}}
    other = json.loads(json.dumps(job).replace('i:1', 'i:2'))
    space = Planned(cl, job)
    name = space.plan(other, '--force')
    check.equal('the action', json.loads(space.read(name))['objects'][0]['action'], 'recreate')
    check.says('other flags', space.by_plan(other, name), 1, err=['the plan was made with --force, and this apply is without --force'])
    space.patch('job j', {'metadata': {'annotations': {'mine': 'x'}}})
    uid = space.live(job)['metadata']['uid']
    check.says('more would be lost', space.by_plan(other, name, '--force'), 1, err=[NOT_REVIEWED])
    check.equal('it was not deleted', space.live(job)['metadata']['uid'], uid)
    name = space.plan(other, '--force')
    check.says('recreated', space.by_plan(other, name, '--force'), 0, out='job.batch/j recreated\n')
    check.says('the plan again', space.by_plan(other, name, '--force'), 0, out='job.batch/j unchanged\n')

    # The server calls a change immutable that reading does not foretell: nobody has reviewed a deletion.
    space = Planned(cl, config_map('a', k='1'))
    content = config_map('a', k='2')
    refusal = {'methods': ['PATCH'], 'path': '/configmaps/a', 'status': 422, 'reason': 'Invalid', 'message': 'data.k: Invalid value: field is immutable'}
    with cl.proxy(inject=[refusal]) as proxy:
        name = space.plan(content, '--force', kubeconfig=proxy.kubeconfig)
        result = space.by_plan(content, name, '--force', kubeconfig=proxy.kubeconfig)
        check.says('a deletion that was not reviewed', result, 1, err=['the plan does not delete the object and create it again: ', 'field is immutable'])
        check.equal('no request deletes', [row for row in proxy.log if row['method'] == 'DELETE'], [])
    check.equal('it is there', data(space), {'k': '1'})


def pruning(cl, check):
    prune = ('--prune', '--all', '--prune-allowlist=core/v1/ConfigMap')
    space = Planned(cl, config_map('a'), config_map('b'))
    content = config_map('a', k='1')
    name = space.plan(content, *prune)
    must(space.apply(config_map('c')))
    check.says('somebody applied another object', space.by_plan(content, name, *prune), 1,
               err=['--prune would delete what the plan does not, so nothing is deleted: configmap/c'])
    check.equal('nothing was applied', data(space), None)
    check.equal('nothing was deleted', bool(space.find('configmap', 'b') and space.find('configmap', 'c')), True)
    must(space.kubectl('delete', 'configmap', 'c', 'b'))
    must(space.apply(config_map('b')))
    check.says('another object of that name', space.by_plan(content, name, *prune), 1, err=['nothing is deleted: configmap/b'])
    must(space.kubectl('delete', 'configmap', 'b'))
    check.says('gone already', space.by_plan(content, name, *prune), 0, out='configmap/a configured\n')

    must(space.apply(config_map('b')))
    name = space.plan(content, '--prune', prune[2])  # --all is only needed to delete
    check.says('as reviewed', space.by_plan(content, name, *prune), 0, out='configmap/a unchanged\nconfigmap/b pruned\n')


    # An ApplySet, whose parent does not exist yet.
    space = Planned(cl)
    members = ('--prune', '--applyset=set')
    content = [config_map('a'), config_map('b')]
    check.says('a new ApplySet', space.by_plan(content, space.plan(content, *members), *members), 0, out='configmap/a created\nconfigmap/b created\n')
    name = space.plan([config_map('a')], *members)
    check.says('an ApplySet', space.by_plan([config_map('a')], name, *members), 0, out='configmap/a unchanged\nconfigmap/b pruned\n')
    check.says('another set', space.by_plan([config_map('a')], name, '--prune', '--applyset=other'), 1, err=['use the same flags'])


def server_side(cl, check):
    flags = ('--server-side',)
    space = Planned(cl)
    name = space.plan(WEB, *flags)
    check.says('other flags', space.by_plan(WEB, name), 1, err=['the plan was made with --server-side, and this apply is without --server-side'])
    check.says('created', space.by_plan(WEB, name, *flags), 0, out='deployment.apps/web serverside-applied\n')
    check.says('again', space.by_plan(WEB, name, *flags), 0, out='deployment.apps/web unchanged\n')
    name = space.plan(NEXT, *flags)
    check.says('--force-conflicts', space.by_plan(NEXT, name, *flags, '--force-conflicts'), 1, err=['without --force-conflicts'])
    space.patch('deployment web', {'spec': {'replicas': 7}})
    result = space.by_plan(NEXT, name, *flags)
    check.says('not as reviewed', result, 1, err=[NOT_REVIEWED])
    check.equal('live', space.live(NEXT)['spec'].get('minReadySeconds'), None)
    space.patch('deployment web', {'spec': {'replicas': 2}})
    check.says('as reviewed again', space.by_plan(NEXT, name, *flags), 0, out='deployment.apps/web serverside-applied\n')

    # Too large for last-applied: server-side without the flag.
    big = config_map('big', k='x' * 270_000)
    space = Planned(cl)
    must(space.by_plan(big, space.plan(big)))
    more = merge(big, {'data': {'l': '1'}})
    name = space.plan(more)
    check.says('an object that is too large', space.by_plan(more, name), 0, has=['serverside-applied'])
    check.equal('it is there', sorted(data(space, 'big')), ['k', 'l'])


def custom_resources(cl, check):
    space = Planned(cl)
    group = space.name + '.example.com'
    content = [definition(group), custom(group, size=1)]
    name = space.plan(content)
    check.says('a CRD and its object', space.by_plan(content, name), 0, has=['created'])
    check.says('again', space.by_plan(content, name), 0, has=['unchanged'], lacks=['created', 'configured'])
    content = [definition(group), custom(group, size=2)]
    check.says('a change', space.by_plan(content, space.plan(content)), 0, has=['configured'])
    must(space.kubectl('delete', 'crd', 'widgets.' + group))


def inputs(cl, check):
    """The manifests must be those of the plan; otherwise nothing is sent."""
    a, b = config_map('a', k='1'), config_map('b')
    space = Planned(cl)
    name = space.plan([a, b])
    for what, content, why in (
            ('an object that is not in the plan', [a, b, config_map('c')], 'configmap/c is not in the plan'),
            ('an object that is not in the input', [a], 'configmap/b is in the plan, but not in the input'),
            ('another manifest', [config_map('a', k='2'), b], 'configmap/a has another manifest'),
            ('another namespace', [merge(a, {'metadata': {'namespace': 'default'}}), b], 'configmap/a is not in the plan'),
            ('an object with other content twice', [a, config_map('a', k='2'), b], 'with other content')):
        check.says(what, space.by_plan(content, name), 1, err=[why])
        check.equal(what + ': nothing was applied', [data(space), data(space, 'b')], [None, None])
    check.says('equal copies are one object', space.by_plan([a, a, b], name), 0)
    result = space.explain([a, a], '--plan-out', 'twice', '--compat=kubectl')
    check.says('--compat=kubectl applies copies in turn', result, 2, err=['more than once'])
    check.says('another -n', space.by('smp', 'apply', '-f', 'm.json', '--plan', name, '-n', 'default'), 1, err=['not in the plan'])
    result = space.explain([a, merge(b, {'data': ['x']})], '--plan-out', 'bad')
    check.says('an error: no plan', result, 2, err=['no plan was written, because of errors'])
    check.equal('no file', os.path.exists(space.path('bad')), False)


def files(cl, check):
    a = config_map('a', k='1')
    space = Planned(cl)
    name = space.plan(a)
    text = space.read(name)
    check.says('an old file is not replaced', space.explain(a, '--plan-out', name), 2, err=['exists already'])
    check.equal('it stays', space.read(name), text)
    plan = json.loads(text)

    def changed(**members):
        return json.dumps({**plan, **members})

    # A forger knows the format, but not the key.
    forged = changed(objects=[{**plan['objects'][0], 'request': '0' * 64}])
    for what, content, why in (
            ('cut off', text[:-40], 'is damaged'),
            ('no JSON', 'hello', 'is damaged'),
            ('empty', '', 'is damaged'),
            ('a list', '[]', 'is damaged'),
            ('no objects', changed(objects=[]), 'was changed after it was written'),
            ('another digest', forged, 'was changed after it was written'),
            ('another action', changed(objects=[{**plan['objects'][0], 'action': 'prune'}]), 'was changed after it was written'),
            ('an unknown action', changed(objects=[{**plan['objects'][0], 'action': 'own'}]), 'is damaged'),
            ('other options', changed(options={}), 'use the same flags'),
            ('a later version', changed(version=2), 'reads plans of version 1, not 2'),
            ('another server', changed(server='https://example.com'), 'was made for the server https://example.com'),
            ('another cluster', changed(cluster='0' * 64), 'was made for another cluster'),
            ('another anchor', changed(anchor='default'), 'was made for another cluster'),
            ('another nonce', changed(nonce='0' * 32), 'was made for another cluster')):
        os.chmod(space.path(name), 0o600)
        space.write(name, content)
        check.says('a plan: ' + what, space.by_plan(a, name), 1, err=[why])
        check.equal('a plan: %s: nothing was applied' % what, data(space), None)
    space.write(name, text)
    for mode, status, why in ((0o666, 1, 'may be written by others'), (0o620, 1, 'may be written by others'), (0o644, 0, 'may be read by others')):
        os.chmod(space.path(name), mode)
        check.says('mode %o' % mode, space.by_plan(a, name, '--dry-run=client'), status, err=[why])
    check.says('no such file', space.by_plan(a, 'none'), 1, err=['No such file'])
    os.mkfifo(space.path('pipe'), 0o600)
    check.says('a pipe', space.by_plan(a, 'pipe'), 1, err=['not a regular file'])
    for flags, why in ((('--live', 'm.json'), 'cannot be used with --live'), (('--live-context', 'x'), 'cannot be used with --live-context')):
        check.says('--plan-out %s' % flags[0], space.explain(a, '--plan-out', 'x', *flags), 2, err=[why])
    check.says('--plan-out of a comparison', space.smp('explain-diff', 'cm/a', '--live-namespace', 'default', '--plan-out', 'x'), 2,
               err=['they are compared, and nothing is applied'])


def secrets(cl, check):
    """The file has no values of Secrets, nor digests of them that the file alone would let one guess."""
    pin = '4711'
    space = Planned(cl)
    content = [secret('s', stringData={'pin': pin}), config_map('a', pin=pin)]
    one, two = (space.read(space.plan(content)) for _ in range(2))
    hidden = (pin, base64.b64encode(pin.encode()).decode(), space.cl.get('namespace', 'kube-system')['metadata']['uid'])
    check.equal('no value, and not the UID from which the key is derived', [h for h in hidden if re.search(r'(?<![0-9a-f])%s(?![0-9a-f])' % re.escape(h), one)], [])
    digests = [set(re.findall(r'"[0-9a-f]{64}"', text)) for text in (one, two)]
    check.equal('no digest is that of another plan', digests[0] & digests[1], set())
    name = space.plan(content)
    check.says('another value', space.by_plan([secret('s', stringData={'pin': '4712'}), content[1]], name), 1, err=['secret/s has another manifest'], lacks=['4711', '4712'])
    must(space.by_plan(content, name))
    content[0] = secret('s', stringData={'pin': '4712'})
    name = space.plan(content)
    space.patch('secret s', {'data': {'k': 'eA=='}})
    check.says('another key of it does not count', space.by_plan(content, name), 0, out='secret/s configured\nconfigmap/a unchanged\n')


def lost_updates(cl, check):
    """What somebody wrote after the review, where apply writes, was never looked at."""
    more = {'containers': [*WEB['spec']['template']['spec']['containers'], {'name': 'extra', 'image': 'b'}], 'tolerations': [{'key': 'old'}]}
    old = [config_map('a', k='old', gone='old'), secret('s', stringData={'pin': '1'}), merge(WEB, {'spec': {'template': {'spec': more}}})]
    new = [config_map('a', k='new'), secret('s', stringData={'pin': '2'}), merge(WEB, {'spec': {'template': {'spec': {'tolerations': [{'key': 'new'}]}}}})]
    late = 'live has other values where apply writes'
    for what, target, patch, failed in (
            ('a value', 'configmap a', {'data': {'k': 'hotfix'}}, 'configmap/a'),
            ('what is to be deleted', 'configmap a', {'data': {'gone': 'precious'}}, 'configmap/a'),
            ('a Secret', 'secret s', {'data': {'pin': 'aG90Zml4'}}, 'secret/s'),
            ('an item of a list', 'deployment web', [{'op': 'replace', 'path': '/spec/template/spec/containers/1/image', 'value': 'hotfix:2'}], 'deployment.apps/web'),
            ('an atomic list', 'deployment web', {'spec': {'template': {'spec': {'tolerations': [{'key': 'old'}, {'key': 'urgent'}]}}}}, 'deployment.apps/web')):
        space = Planned(cl, old)
        name = space.plan(new)
        space.patch(target, patch)
        check.says(what, space.by_plan(new, name), 1, err=['%s: not applied, because it is not as reviewed: ' % failed, late])


def users(cl, check):
    """Somebody who may not read kube-system: the namespace identifies the cluster."""
    space = Planned(cl)
    must(space.kubectl('create', 'role', 'dev', '--verb=get,list,create,patch', '--resource=namespaces,configmaps'))
    must(space.kubectl('create', 'rolebinding', 'dev', '--role=dev', '--user=dev'))
    a = config_map('a', k='1')
    name = space.plan(a, '--as=dev')
    check.equal('the anchor', json.loads(space.read(name))['anchor'], space.name)
    check.says('another user applies it', space.by_plan(a, name), 0, out='configmap/a created\n')
    check.says('nothing may be read', space.explain(a, '--as=nobody', '--plan-out', 'x'), 2, has=['kube-system'])
    result = space.by_plan(a, space.plan(a, status=0), '--as=dev')
    check.says('a plan by kube-system, which the user may not read', result, 1, err=['namespaces "kube-system" is forbidden'])


def confirmation(cl, check):
    """--confirm shows the explanation, asks, and sends what was shown."""
    content = [config_map('a', k='2'), config_map('new')]
    prune = ('--prune', '--all', '--prune-allowlist=core/v1/ConfigMap')

    def start(space, *flags, stdin=None, kubeconfig=None):
        space.write('m.json', content)
        return Terminal(space, space.argv('smp', 'apply', '-f', 'm.json', '--confirm', *flags, kubeconfig=kubeconfig), stdin)

    for answer, status, live in (('y\n', 0, {'k': '2'}), ('n\n', 1, {'k': '1'}), ('\x04', 1, {'k': '1'})):
        space = Planned(cl, config_map('a', k='1'), config_map('old'))
        terminal = start(space, *prune)
        terminal.await_text(r'ConfigMap \S+/old: will be deleted.*data\.k: "1" → "2".*ConfigMap \S+/new: will be created.*apply these changes\? \[y/N\]: ')
        terminal.type(answer)
        check.equal('%r: exit status' % answer, terminal.finish(), status)
        check.equal('%r: live' % answer, [data(space), bool(space.find('configmap', 'old')), bool(space.find('configmap', 'new'))],
                    [live, status != 0, status == 0])
    space = Planned(cl, *content)
    terminal = start(space)
    check.equal('nothing to change, nothing to ask', terminal.finish(), 0)
    check.has('nothing to change', terminal.text, '2 unchanged', lacks=['[y/N]'])

    space = Planned(cl, *content)
    before = space.get('configmap', 'a')['metadata']['resourceVersion']
    terminal = start(space, '--server-side')
    terminal.await_text('is applied server-side from now on.*apply these changes')
    terminal.type('n\n')
    check.equal('only the field manager changes: it is asked, too', [terminal.finish(), space.get('configmap', 'a')['metadata']['resourceVersion']], [1, before])

    space = Planned(cl, config_map('a', k='1'))
    terminal = start(space)
    terminal.await_text('apply these changes')
    space.patch('configmap a', {'data': {'k': '2'}})
    terminal.type('y\n')
    check.equal('somebody else does the same meanwhile: only the record is left, which was not shown', terminal.finish(), 1)
    check.has('it is shown', terminal.text, NOT_REVIEWED, 'only its last-applied annotation')

    space = Planned(cl, config_map('a', k='1'))
    terminal = start(space, '--force')
    terminal.await_text('apply these changes')
    terminal.type('y\n')
    check.equal('with --force', terminal.finish(), 0)

    bad = [*content, merge(config_map('bad'), {'metadata': {'namespace': 'nowhere-' + space.name}})]
    space.write('m.json', bad)
    terminal = Terminal(space, [cl.tool, 'apply', '-f', 'm.json', '--confirm', '--kubeconfig', cl.kubeconfig])
    check.equal('an error: nothing is asked', terminal.finish(), 1)
    check.has('the error', terminal.text, 'nowhere-' + space.name, 'nothing was applied, because 1 of 3 objects has an error', lacks=['[y/N]'])

    space = Planned(cl)
    check.says('no terminal', space.apply(content, '--confirm'), 1, err=['--confirm asks on standard error, which is not a terminal'])
    with open(space.path('m.json'), encoding='utf-8') as f:
        terminal = start(space, stdin=f)
        check.equal('nobody can answer', terminal.finish(), 1)
    check.has('why', terminal.text, 'standard input is not a terminal', 'use explain-diff --plan-out')
    check.equal('nothing was applied', data(space), None)
    for flags, why in ((('--yes',), '--confirm cannot be used with --yes'), (('--plan', 'x'), '--confirm cannot be used with --plan'),
                       (('--dry-run=server',), '--confirm cannot be used with --dry-run'),
                       (('--server-side', '--subresource=status'), '--subresource cannot be used with')):
        check.says('--confirm %s' % flags[-1], space.apply(content, '--confirm', *flags), 1, err=[why])


def checking(cl, check):
    """--check=all: the server tries every object before the first is written."""
    space = Planned(cl, WEB)
    a = config_map('a', k='1')
    for what, bad, why in (
            ('the server refuses one', merge(WEB, {'spec': {'selector': {'matchLabels': {'x': 'y'}}}}), 'spec.selector'),
            ('another one', config_map('A_'), 'Invalid value: "A_"'),
            ('a wrong type', config_map('b', k=['x']), 'data.k'),
            ('an unknown kind', {'apiVersion': 'nobody.io/v1', 'kind': 'Widget', 'metadata': {'name': 'w'}}, 'Widget'),
            ('unequal copies', config_map('a', k='2'), 'with other content')):
        space.write('m.json', [a, bad])
        with cl.proxy() as proxy:
            result = space.smp('apply', '-f', 'm.json', '--check=all', kubeconfig=proxy.kubeconfig)
            check.says(what, result, 1, out='', err=[why, 'nothing was applied'])
            check.equal(what + ': no write', proxy.writes(), [])
        check.equal(what + ': nothing was applied', data(space), None)
    space.write('m.json', [merge(a, {'metadata': {'namespace': space.name}}), merge(config_map('b'), {'metadata': {'namespace': 'nowhere-' + space.name}})])
    check.says('a namespace that does not exist', space.run(cl.tool, 'apply', '-f', 'm.json', '--check=all', '--kubeconfig', cl.kubeconfig), 1,
               out='', err=['namespaces "nowhere-%s" not found' % space.name, 'nothing was applied'])
    check.equal('a namespace that does not exist: nothing was applied', data(space), None)
    space.write('m.json', a)
    space.write('bad.yaml', 'kind: [\n')
    check.says('a document that cannot be read', space.smp('apply', '-f', 'm.json', '-f', 'bad.yaml', '--check=all'), 1,
               out='', err=['bad.yaml', 'nothing was applied'])
    check.says('all is well', space.apply([a, NEXT], '--check=all'), 0, out='configmap/a created\ndeployment.apps/web configured\n')
    check.says('server-side', space.apply([config_map('s')], '--check=all', '--server-side'), 0, has=['serverside-applied'])
    unknown = merge(a, {'spec': {'x': 1}})
    check.says('as strict as --validate', space.apply(unknown, '--check=all', '--validate=warn'), 0)
    check.says('a dry run', space.apply(config_map('d'), '--check=all', '--dry-run=server'), 0, out='configmap/d created (server dry run)\n')

    # Objects of a namespace and a CRD of the input can only be checked by their schema.
    group, other = space.name + '.example.com', space.name + '-new'
    cl.namespaces.append(other)
    content = [{'apiVersion': 'v1', 'kind': 'Namespace', 'metadata': {'name': other}}, merge(a, {'metadata': {'namespace': other}}),
               definition(group), custom(group, size=1)]
    space.write('m.json', content)
    result = space.run(cl.tool, 'apply', '-f', 'm.json', '--check=all', '--kubeconfig', cl.kubeconfig)
    check.says('what the input brings', result, 0, err=['ConfigMap/a: not checked by the server: its namespace is in the same input',
                                                        'not checked by the server: its CRD is in the same input'])
    must(space.kubectl('delete', 'crd', 'widgets.' + group))
    check.equal('a plan and a check', space.by_plan(NEXT, space.plan(NEXT, status=0), '--check=all').returncode, 0)


if __name__ == '__main__':
    sys.exit(harness.run(__doc__, actions, moves, race, recreation, pruning, server_side, custom_resources, inputs, files, secrets, lost_updates, users,
                         confirmation, checking, only_the_server_knows, records_its_fields, migration_without_a_change))
