#!/usr/bin/env python3
"""explain-diff --server-side: what a server-side apply takes, leaves, removes and is refused. The judge is live after the apply, by our
apply and by kubectl's.

  explain_server_side.py --tool T --kubectl K --kubeconfig F"""
import json
import random
import sys

import harness
from harness import Space, must, until
from harness.manifests import NUMBER, TEXT, config_map, custom, definition, deployment, list_of, map_of, map_to, merge, of, service
from harness.objects import Client

ON_SERVER = ('--server-side',)
FORCED = ('--server-side', '--force-conflicts')


def report(result):
    return json.loads(result.stdout)['objects'][0]


def rows(result):
    return {row['path']: (row['op'], row['reason']) for row in report(result)['changes']}


def others(space, *flags, **data):
    must(space.kubectl('apply', '--server-side', '--field-manager=other', '-f', space.write('other.json', config_map('cfg', **data)), *flags))


def data(space):
    return space.get('-f', 'other.json')['data']


def conflicts(cl, check):
    """A field that another manager owns with another value."""
    for tool in ('smp', 'kubectl'):
        space = Space(cl, 'onserver')
        must(space.apply(config_map('cfg', a='1', b='1'), *ON_SERVER))
        others(space, '--force-conflicts', a='2')
        wanted = config_map('cfg', a='3', b='1')
        said = space.explain(wanted, *ON_SERVER, '-o', 'json')
        check.says(tool + ': refused', said, 2)
        check.equal(tool + ': the row', rows(said), {'data.a': ('set', 'conflict')})
        check.equal(tool + ': the error', report(said)['error']['code'], 'conflict')
        check.says(tool + ': in words', space.explain(wanted, *ON_SERVER), 2, has=['data.a', 'other (Apply'], err=['1 conflict: data.a is owned by other (Apply', '--force-conflicts'])
        check.says(tool + ': its exit status', space.explain(wanted, *ON_SERVER, '--exit-code=detailed'), 5)
        check.says(tool + ': apply is refused', space.apply(wanted, *ON_SERVER, tool=tool), 1)
        check.equal(tool + ': and nothing changed', data(space), {'a': '2', 'b': '1'})
        check.says(tool + ': forced', space.explain(wanted, *FORCED), 1, has=['the manifest wins'])
        must(space.apply(wanted, *FORCED, tool=tool))
        check.equal(tool + ': the manifest wins', data(space), {'a': '3', 'b': '1'})
        check.says(tool + ': no difference afterwards', space.explain(wanted, *ON_SERVER), 0)
        check.says(tool + ': the same value is no conflict', space.explain(config_map('cfg', a='3', b='1'), '--server-side', '--field-manager=third'), 0)


def conflicts_over_the_same_value(cl, check):
    """The server compares what is sent: a null with the "" that it stands for, and the data of a key that stringData has, too."""
    space = Space(cl, 'onserver')
    secret = of('v1', 'Secret', 'key', data={'a': 'eA=='}, stringData={'a': 'y'})
    for what, live, wanted in [('a null', config_map('cfg', a='1', e=''), config_map('cfg', a='1', e=None)), ('data and stringData', secret, secret)]:
        must(space.kubectl('create', '--field-manager=other', '-f', space.write('live.json', live)))
        said = report(space.explain(wanted, *ON_SERVER, '-o', 'json'))
        check.equal(what + ': foretold', said.get('error', {}).get('code'), 'conflict')
        check.says(what + ': refused', space.apply(wanted, *ON_SERVER, tool='kubectl'), 1, err=['conflict'])
        check.says(what + ': forced', space.explain(wanted, *ON_SERVER, '--force-conflicts'), 0)
        must(space.apply(wanted, *ON_SERVER, '--force-conflicts'))
        check.says(what + ': at rest', space.explain(wanted, *ON_SERVER), 0)


def no_conflicts(cl, check):
    """A number that is written otherwise, and a policy that the server stores for a Service of type ExternalName, and does not show."""
    space, number = Space(cl, 'onserver'), {'type': 'number'}
    must(space.apply(definition(schema=map_of(spec=map_of(number=number, all=list_of(number), set=list_of(number, 'set'))))))
    cl.await_api(space.name + '.example.com/v1')
    must(space.apply(custom(number=1000, all=[1, 2], set=[1, 3]), *ON_SERVER, '--field-manager=other'))
    written = json.dumps(custom(number=1000, all=[1, 2], set=[1, 3])).replace('1000', '1e3').replace('[1, ', '[1.0, ')
    check.says('numbers', space.explain(written, *ON_SERVER), 0)
    must(space.apply(written, *ON_SERVER))
    external = of('v1', 'Service', 'web', spec={'type': 'ExternalName', 'externalName': 'x.example.com', 'internalTrafficPolicy': 'Local'})
    must(space.apply(external))
    check.says('a policy', space.explain(external, *ON_SERVER), 0, lacks=['conflict'])
    must(space.apply(external, *ON_SERVER))


def given_up(cl, check):
    """A field that the manifest lacks goes, unless another manager owns it, too."""
    space = Space(cl, 'onserver')
    must(space.apply(config_map('cfg', a='1', b='1', c='1'), *ON_SERVER))
    others(space, b='1')
    wanted = config_map('cfg', c='1')
    said = space.explain(wanted, *ON_SERVER, '-o', 'json')
    check.equal('rows', rows(said), {'data.a': ('delete', 'removed'), 'data.b': ('keep', 'given-up')})
    check.says('in words', space.explain(wanted, *ON_SERVER), 1, has=['it stays, because others own it, too', 'other (Apply'])
    must(space.apply(wanted, *ON_SERVER))
    check.equal('live', data(space), {'b': '1', 'c': '1'})
    check.says('no difference afterwards', space.explain(wanted, *ON_SERVER), 0)


def migration(cl, check):
    """An object that was applied client-side: its manager's fields are taken over."""
    for tool in ('smp', 'kubectl'):
        space = Space(cl, 'onserver')
        must(space.apply(config_map('cfg', a='1', b='1'), tool=tool))
        wanted = config_map('cfg', a='2')
        said = space.explain(wanted, *ON_SERVER, '-o', 'json')
        check.equal(tool + ': rows', rows(said), {'data.a': ('set', 'changed'), 'data.b': ('delete', 'removed')})
        check.equal(tool + ': no conflict, because live is as it was applied', 'error' in report(said), False)
        check.says(tool + ': why it goes', space.explain(wanted, *ON_SERVER), 1, has=["server-side apply takes over that manager's fields"])
        must(space.apply(wanted, *ON_SERVER, tool=tool))
        space.write('other.json', wanted)
        check.equal(tool + ': live', data(space), {'a': '2'})


def migration_to_another_manager(cl, check):
    """Its apply removes last-applied, as with kubectl. The preview says so."""
    space = Space(cl, 'onserver')
    manifest, by_other = config_map('cfg', a='1'), (*ON_SERVER, '--field-manager', 'other')
    must(space.apply(manifest))
    check.says('warned', space.explain(manifest, *by_other), 0, has=['the last-applied annotation will be removed', 'the manifest loses until then'])
    check.says('not where it stays', space.explain(manifest, *ON_SERVER), 0, lacks=['annotation'])
    check.says('not where the apply is refused', space.explain(config_map('cfg', a='2'), *by_other), 2, has=['is owned by'], lacks=['annotation'])
    must(space.apply(manifest, *by_other))
    check.equal('live', 'annotations' in space.live(manifest)['metadata'], False)
    check.says('afterwards', space.explain(manifest, *by_other), 0, lacks=['annotation'])


def another_version(cl, check):
    """Our entry was written in another version of the kind."""
    space = Space(cl, 'onserver')
    hpa = lambda version, **spec: {'apiVersion': 'autoscaling/' + version, 'kind': 'HorizontalPodAutoscaler', 'metadata': {'name': 'hpa'},
                                   'spec': {'scaleTargetRef': {'apiVersion': 'apps/v1', 'kind': 'Deployment', 'name': 'web'}, 'maxReplicas': 5, **spec}}
    must(space.apply(hpa('v1', minReplicas=3), *ON_SERVER))
    said = space.explain(hpa('v2'), *ON_SERVER, '-o', 'json')
    check.equal('the row', rows(said), {'spec.minReplicas': ('set', 'removed')})
    check.has('and that it is another version', said.stdout, 'kubectl applied the object as autoscaling/v1')
    must(space.apply(hpa('v2'), *ON_SERVER))
    check.equal('live', space.get('hpa', 'hpa')['spec']['minReplicas'], 1)


def nulls(cl, check):
    """The server reads null as "" in a map of strings. What apply sends server-side by itself has none: there, null means absent."""
    space = Space(cl, 'onserver')
    must(space.apply(config_map('cfg', a='1', b='1'), *ON_SERVER))
    wanted = config_map('cfg', a='1', b=None, c=None)
    check.equal('rows', rows(space.explain(wanted, *ON_SERVER, '-o', 'json')), {'data.b': ('set', 'changed'), 'data.c': ('set', 'added')})
    must(space.apply(wanted, *ON_SERVER))
    space.write('other.json', wanted)
    check.equal('live', data(space), {'a': '1', 'b': '', 'c': ''})
    space = Space(cl, 'onserver')
    must(space.apply(config_map('cfg', a='1', b='1')))
    wanted = config_map('cfg', a='x' * 270000, b=None)
    must(space.apply(wanted))
    space.write('other.json', wanted)
    check.equal('too large for last-applied', list(data(space)), ['a'])
    check.says('at rest', space.explain(wanted), 0)


def nulls_of_new_maps(cl, check):
    """The same in a map that live does not have yet: of texts, and of quantities."""
    space = Space(cl, 'onserver')
    of = lambda kind, version='v1', **fields: {'apiVersion': version, 'kind': kind, 'metadata': {'name': 'a'}, **fields}
    port, labels = [{'port': 80}], {'matchLabels': {'a': 'b'}}
    pods = lambda requests=None, **spec: {'metadata': {'labels': {'a': 'b'}}, 'spec': {'containers': [
        {'name': 'c', 'image': 'i', **({'resources': {'requests': requests}} if requests else {})}], **spec}}
    for before, after, path, stored in [
            (of('ConfigMap'), of('ConfigMap', data={'c': None}), 'data', {'c': ''}),
            (of('Service', spec={'ports': port}), of('Service', spec={'ports': port, 'selector': {'app': None}}), 'spec.selector', {'app': ''}),
            (of('Deployment', 'apps/v1', spec={'selector': labels, 'template': pods()}),
             of('Deployment', 'apps/v1', spec={'selector': labels, 'template': pods(nodeSelector={'q': None})}),
             'spec.template.spec.nodeSelector', {'q': ''}),
            (of('Deployment', 'apps/v1', spec={'selector': labels, 'template': pods(nodeSelector={'q': ''})}),
             of('Deployment', 'apps/v1', spec={'selector': labels, 'template': pods({'cpu': None}, nodeSelector={'q': ''})}),
             'spec.template.spec.containers[name=c].resources.requests', {'cpu': '0'})]:
        must(space.apply(before, *ON_SERVER))
        changes_of = report(space.explain(after, *ON_SERVER, '-o', 'json'))['changes']
        check.equal(path + ': foretold', [(row['path'], row['outcome']) for row in changes_of], [(path, stored)])
        check.says(path + ': in words', space.explain(after, *ON_SERVER), 1, has=[json.dumps(stored).replace('{"', '{').replace('":', ':')])
        must(space.apply(after, *ON_SERVER))
        check.says(path + ': at rest, as it was foretold', space.explain(after, *ON_SERVER), 0)
        check.has(path + ': live', json.dumps(space.live(after)), json.dumps(stored))


def defaults_set_now(cl, check):
    """The manifest sets what the server had set: nobody's change is undone. Scaling to 0, which leaves no manager, is somebody's."""
    space = Space(cl, 'onserver')
    of = lambda port, **spec: service({'port': 80, **port}, **spec)
    must(space.apply(of({}), *ON_SERVER))
    wanted = of({'targetPort': 8080}, internalTrafficPolicy='Local')
    check.equal('rows', rows(space.explain(wanted, *ON_SERVER, '-o', 'json')),
                {'spec.internalTrafficPolicy': ('set', 'owned'), 'spec.ports[port=80,protocol=TCP].targetPort': ('set', 'owned')})
    check.says('in words', space.explain(wanted, *ON_SERVER), 1, has=['managedFields name nobody (default, admission, scaling)', 'no change made in the cluster is undone'],
               lacks=['server-side apply by kubectl'])
    workloads = deployment()
    must(space.apply(workloads, *ON_SERVER))
    must(space.kubectl('scale', 'deployment', 'web', '--replicas=0'))
    scaled = merge(workloads, {'spec': {'replicas': 3}})
    check.says('scaled to 0', space.explain(scaled, *ON_SERVER), 1, has=['undoes changes made in the cluster', '(replicas 0 → 3 (starts again))'])


def secrets(cl, check):
    """Without data in the manifest, the server removes the map that we owned a part of, with keys that came from stringData."""
    space = Space(cl, 'onserver')
    of = lambda **members: {'apiVersion': 'v1', 'kind': 'Secret', 'metadata': {'name': 'key'}, **members}
    for manifest in (of(stringData={'a': 'one'}), of(data={'z': 'eg=='})):
        must(space.apply(manifest, *ON_SERVER))
    wanted = of(stringData={'k': 'new'})
    check.equal('rows', rows(space.explain(wanted, *ON_SERVER, '-o', 'json')),
                {'data.a': ('delete', 'removed'), 'data.k': ('set', 'added'), 'data.z': ('delete', 'removed')})
    must(space.apply(wanted, *ON_SERVER))
    check.equal('live', list(space.get('secret', 'key')['data']), ['k'])
    changed = of(stringData={'k': 'newer'})
    check.equal('our own text', rows(space.explain(changed, *ON_SERVER, '-o', 'json')), {'data.k': ('set', 'changed')})
    must(space.apply(changed, *ON_SERVER))
    check.says('at rest', space.explain(changed, *ON_SERVER), 0)
    must(space.kubectl('patch', 'secret', 'key', '--type=merge', '-p', '{"data":{"k":"eg=="}}'))
    check.equal("somebody else's", rows(space.explain(changed, *ON_SERVER, '-o', 'json')), {'data.k': ('set', 'owned')})
    must(space.apply(changed, *ON_SERVER))
    check.says("somebody else's stringData", space.explain(of(stringData={'k': 'newer'}), *ON_SERVER, '--field-manager=other'), 2, err=['is owned by kubectl'])

    # With both, the server asks who applied a key under the same name.
    one, two = 'MQ==', 'Mg=='
    for theirs, ours in [({'stringData': {'b': '1'}, 'data': {'a': one}}, {'stringData': {'b': '1'}, 'data': {'a': one}}),
                         ({'stringData': {'b': '1'}}, {'stringData': {'b': '1'}, 'data': {'a': one}}),
                         ({'data': {'b': one}}, {'stringData': {'b': '2'}, 'data': {'a': two}}),
                         ({'data': {'b': one}}, {'stringData': {'a': '1'}, 'data': None}),
                         ({'data': {'a': one}}, {'stringData': {'b': '1'}, 'data': {'a': two}})]:
        space = Space(cl, 'onserver')
        must(space.apply(of(**theirs), *ON_SERVER, '--field-manager=other'))
        said = space.explain(of(**ours), *ON_SERVER, '-o', 'json')
        done = space.apply(of(**ours), *ON_SERVER)
        check.equal('%s and %s: a conflict' % (theirs, ours), said.returncode == 2, done.returncode != 0)


def drift_is_a_conflict(cl, check):
    """The near miss: live is not as it was applied client-side."""
    space = Space(cl, 'onserver')
    must(space.apply(config_map('cfg', a='1')))
    must(space.kubectl('patch', 'configmap', 'cfg', '--type=merge', '-p', '{"data":{"a":"9"}}'))
    wanted = config_map('cfg', a='2')
    check.equal('the error', report(space.explain(wanted, *ON_SERVER, '-o', 'json'))['error']['code'], 'conflict')
    check.says('apply', space.apply(wanted, *ON_SERVER), 1, err=['conflict'])


def stored(live):
    """What must not change where nothing does."""
    return {**live, 'metadata': {k: v for k, v in live['metadata'].items() if k not in ('managedFields', 'resourceVersion')}}


def told_as_stored(check, what, space, first, then, told):
    """Applied twice; the second apply is foretold. told: the operations by path."""
    must(space.apply(first, *ON_SERVER))
    before = space.live(first)
    said = space.explain(then, *ON_SERVER, '-o', 'json')
    check.equal(what + ': the rows', {path: op for path, (op, _) in rows(said).items() if op != 'keep'}, told)
    must(space.apply(then, *ON_SERVER))
    changes = stored(space.live(first)) != stored(before)
    check.equal(what + ': the exit status', said.returncode, 1 if changes else 0)
    check.equal(what + ': told as stored', bool(told), changes)
    check.says(what + ': at rest', space.explain(then, *ON_SERVER), 0)


def emptied(cl, check):
    """Fields that the server allocates in some objects. What the manifest empties goes, unless the server sets it again."""
    pods = lambda **spec: deployment(None, **spec)
    account = lambda **more: of('v1', 'ServiceAccount', 'sa', None, **more)
    ports = lambda kind, port, **more: service({'port': 80, 'nodePort': port}, type=kind, **more)
    spec, port = 'spec.template.spec.', 'spec.ports[port=80,protocol=TCP].nodePort'
    both = {'serviceAccountName': '', 'serviceAccount': ''}
    number = lambda: random.randrange(30000, 32767)
    refuses = ports('LoadBalancer', 0, allocateLoadBalancerNodePorts=False)
    for what, first, then, told in [
            ('tolerations', pods(tolerations=[{'key': 'a', 'operator': 'Exists'}]), pods(tolerations=[]), {spec + 'tolerations': 'set'}),
            ('nodeName', pods(nodeName='n'), pods(nodeName=''), {spec + 'nodeName': 'set'}),
            ('both names of the account', pods(serviceAccountName='s'), pods(**both), {spec + name: 'set' for name in both}),
            ('one of them', pods(serviceAccountName='s'), pods(serviceAccountName=''), {}),
            ('secrets', account(secrets=[{'name': 't'}]), account(secrets=[]), {'secrets[name=t]': 'delete'}),
            ('the address', service({'port': 80}), service({'port': 80}, clusterIP='', clusterIPs=[], ipFamilies=[]), {}),
            ('a time limit of sessions without affinity', service({'port': 80}), service({'port': 80}, sessionAffinityConfig={'clientIP': {'timeoutSeconds': 60}}), {}),
            ('a time limit of sessions whose affinity goes', service({'port': 80}, sessionAffinity='ClientIP'),
             service({'port': 80}, sessionAffinityConfig={'clientIP': {'timeoutSeconds': 60}}), {'spec.sessionAffinity': 'set', 'spec.sessionAffinityConfig': 'delete'}),
            ('a node port', ports('NodePort', 0), ports('NodePort', 0, sessionAffinity='None'), {}),
            ('a node port that the manifest has no longer', ports('NodePort', number()), service({'port': 80}, type='NodePort'), {}),
            ('one whose port has another name', ports('NodePort', number()), service({'port': 80, 'name': 'web'}, type='NodePort'), {port: 'set', 'spec.ports[port=80,protocol=TCP].name': 'set'}),
            ('node ports that it refuses', ports('LoadBalancer', 0), refuses, {port: 'set', 'spec.allocateLoadBalancerNodePorts': 'set'})]:
        told_as_stored(check, what, Space(cl, 'onserver'), first, then, told)


def ports_of_two(cl, check):
    """A port that the manifest gives up stays if another manager applies it, too. This crashed."""
    for kind in ('NodePort', 'LoadBalancer', 'ClusterIP'):
        space = Space(cl, 'onserver')
        both = service({'name': 'a', 'port': 80}, type=kind)
        both['spec']['ports'].append({'name': 'b', 'port': 81})
        must(space.apply(both, '--server-side', tool='kubectl'))
        must(space.apply(both, '--server-side', '--field-manager=flux', tool='kubectl'))
        one = service({'name': 'a', 'port': 80}, type=kind)
        for flags in ((), ON_SERVER):
            check.says(kind, space.explain(one, *flags), 0)
        check.says(kind, space.apply(one, *ON_SERVER))
        check.equal(kind + ': the ports', [port['name'] for port in space.live(one)['spec']['ports']], ['a', 'b'])


def bound_volumes(cl, check):
    """What the binder adds to the claim of a volume stays: the field is granular, though its type is atomic."""
    space = Space(cl, 'onserver')
    volume = of('v1', 'PersistentVolume', space.name, None, spec={
        'accessModes': ['ReadWriteOnce'], 'capacity': {'storage': '1Gi'}, 'hostPath': {'path': '/x'}, 'claimRef': {'name': 'm', 'namespace': 'default'}})
    must(space.apply(volume, *ON_SERVER))
    must(space.kubectl('patch', 'pv', space.name, '--field-manager=binder', '-p', '{"spec":{"claimRef":{"uid":"aaaa","kind":"PersistentVolumeClaim"}}}'))
    check.says('at rest', space.explain(volume, *ON_SERVER), 0)
    must(space.apply(volume, *ON_SERVER))
    check.equal('the claim', space.live(volume)['spec']['claimRef'], {'name': 'm', 'namespace': 'default', 'uid': 'aaaa', 'kind': 'PersistentVolumeClaim'})
    must(space.kubectl('delete', 'pv', space.name, '--wait=false'))


def emptied_by_another(cl, check):
    """A list that another manager emptied is null in live, and still that manager's."""
    slice_of = lambda *addresses: of('discovery.k8s.io/v1', 'EndpointSlice', 'web', addressType='IPv4', endpoints=[{'addresses': list(addresses)}])
    for flags, code in ((ON_SERVER, 'conflict'), (ON_SERVER + ('--force-conflicts',), None), ((), None)):
        space = Space(cl, 'onserver')
        must(space.apply(slice_of('10.0.0.9'), *ON_SERVER))
        must(space.kubectl('patch', 'endpointslice', 'web', '--field-manager=kubectl-edit', '--type=merge', '-p', '{"endpoints":[]}'))
        told = space.explain(slice_of('10.0.0.9'), *flags, '-o', 'json')
        check.equal('%s: foretold' % (flags,), report(told).get('error', {}).get('code'), code)
        check.equal('%s: the row' % (flags,), rows(told), {'endpoints': ('set', 'conflict')})
        check.equal('%s: the exit status' % (flags,), space.apply(slice_of('10.0.0.9'), *flags).returncode, 1 if code else 0)
        check.equal('%s: live' % (flags,), bool(space.get('endpointslice', 'web')['endpoints']), code is None)


def emptied_maps(cl, check):
    """{} over a map in which all is ours, such as defaults after a migration, leaves null."""
    space = Space(cl, 'onserver')
    with_volume = lambda **source: deployment(None, volumes=[{'name': 'v', **source}])
    changes = lambda said: {path: op for path, (op, _) in rows(said).items() if op != 'keep'}
    for source in ('downwardAPI', 'projected'):
        must(space.kubectl('delete', 'deployments', '--all'))
        must(space.apply(with_volume(**{source: {}})))
        at = 'spec.template.spec.volumes[name=v].'
        check.equal(source + ': the rows', changes(space.explain(with_volume(**{source: {}}), *ON_SERVER, '-o', 'json')), {at + source: 'delete', at + 'emptyDir': 'set'})
        must(space.apply(with_volume(**{source: {}}), *ON_SERVER))
        check.equal(source + ': live', space.get('deployment', 'web')['spec']['template']['spec']['volumes'], [{'name': 'v', 'emptyDir': {}}])
    spec = map_of(tls=map_of(mode={**TEXT, 'default': 'Terminate'}), maybe={**map_of(mode=TEXT), 'nullable': True}, port=NUMBER)
    spec['properties']['pair'] = {**map_of(a=TEXT, b=TEXT), 'x-kubernetes-validations': [{'rule': 'has(self.a)'}]}
    must(space.apply(definition(schema=map_of(spec=spec))))
    cl.await_api(space.name + '.example.com/v1')
    stays = 'what the manifest no longer has stays, because the server refuses to remove it: '
    must(space.apply(custom(port=1, pair={'a': 'x', 'b': 'x'})))
    said = space.explain(custom(port=2, pair={'b': 'x'}), *ON_SERVER, '--ask-server', '-o', 'json')
    check.equal('only the server knows that it refuses the removal: the rows', changes(said), {'spec.port': 'set'})
    check.has('only the server knows that it refuses the removal: a warning', '\n'.join(report(said)['warnings']), stays, 'failed rule: has(self.a)')
    must(space.kubectl('delete', 'widgets.%s.example.com' % space.name, '--all'))
    must(space.apply(custom(port=1, maybe={'mode': 'x'}), *ON_SERVER))
    emptied = custom(port=1, maybe={})
    check.equal('a nullable map: the rows', changes(space.explain(emptied, *ON_SERVER, '-o', 'json')), {'spec.maybe': 'set'})
    must(space.apply(emptied, *ON_SERVER))
    check.equal('a nullable map: live', space.live(emptied)['spec']['maybe'], None)
    must(space.kubectl('delete', 'widgets.%s.example.com' % space.name, '--all'))
    defaulted = custom(port=1, tls={})
    must(space.apply(defaulted))
    migrates = merge(defaulted, {'spec': {'port': 2}})
    for flags in ((), ('--ask-server',)):
        said = space.explain(migrates, *ON_SERVER, *flags, '-o', 'json')
        check.equal('what is left of it %s: the first request is taken' % (flags,), changes(said), {'spec.port': 'set'})
        check.has('what is left of it %s: a warning' % (flags,), '\n'.join(report(said)['warnings']), stays + 'spec.tls: nothing would be left in it but null')
    check.says('what is left of it: not removed, as with kubectl', space.apply(migrates, *ON_SERVER), err=['failed to re-apply configuration', 'spec.tls'])
    check.equal('what is left of it: the first request was taken', space.live(defaulted)['spec']['port'], 2)
    check.says('what is left of it: refused from then on', space.apply(defaulted, *ON_SERVER), 1, err=['spec.tls'])


def emptied_pointers(cl, check):
    """{} over a map of a built-in kind in which all is ours: the server drops the map, and the next apply adds it again."""
    space = Space(cl, 'onserver')
    at = 'spec.template.spec.containers[name=web].'
    first, then = deployment({'securityContext': {'runAsUser': 1}}), deployment({'securityContext': {}})
    must(space.apply(first, *ON_SERVER))
    for what, told, left in (('first', (at + 'securityContext', 'delete'), {}), ('then', (at + 'securityContext', 'set'), {'securityContext': {}})):
        said = space.explain(then, *ON_SERVER, '-o', 'json')
        check.equal(what + ': the rows', [(path, op) for path, (op, _) in rows(said).items() if op != 'keep'], [told])
        if what == 'first':
            check.has('what comes next', report(said)['changes'][0]['message'], 'the next apply adds it again')
        must(space.apply(then, *ON_SERVER))
        container = space.live(then)['spec']['template']['spec']['containers'][0]
        check.equal(what + ': live', {k: v for k, v in container.items() if k == 'securityContext'}, left)
    check.says('at rest', space.explain(then, *ON_SERVER), 0)


def empty_sets(cl, check):
    """No path leads to a list that is merged and empty, so that a map with only defaults besides goes at each second apply."""
    space = Space(cl, 'onserver')
    sub = map_of(mode={**TEXT, 'default': 'x'}, users={**list_of(TEXT, 'set'), 'default': []})
    must(space.apply(definition(schema=map_of(spec=map_of(sub=sub, port=NUMBER)))))
    cl.await_api(space.name + '.example.com/v1')
    for port, told, left in ((1, None, {'mode': 'x', 'users': []}), (2, 'delete', None), (3, 'set', {'mode': 'x', 'users': []})):
        wanted = custom(port=port, sub={})
        if told:
            said = rows(space.explain(wanted, *ON_SERVER, '-o', 'json'))
            check.equal('port %d: the rows' % port, {path: op for path, (op, _) in said.items()}, {'spec.port': 'set', 'spec.sub': told})
        must(space.apply(wanted, *ON_SERVER))
        check.equal('port %d: live' % port, space.live(wanted)['spec'].get('sub'), left)


def migrated_alternatives(cl, check):
    """The first request of a migration removes nothing, so that two alternatives stand beside each other. An earlier apply helps."""
    space = Space(cl, 'onserver')
    with_volume = lambda **source: deployment(None, volumes=[{'name': 'v', **source}])
    first, then = with_volume(configMap={'name': 'c'}), with_volume(secret={'secretName': 's'})
    must(space.apply(first))
    check.equal('foretold', report(space.explain(then, *ON_SERVER, '-o', 'json')).get('error', {}).get('code'), 'refused')
    check.says('the server says so, too', space.explain(then, *ON_SERVER, '--ask-server'), 2, err=['may not specify more than 1 volume type'])
    check.says('refused', space.apply(then, *ON_SERVER), 1, err=['may not specify more than 1 volume type'])
    must(space.apply(first, *ON_SERVER))
    check.says('after a server-side apply', space.explain(then, *ON_SERVER), 1)
    must(space.apply(then, *ON_SERVER))

    # The first request takes away all that the volume has, though the former client-side manager still owns it.
    space = Space(cl, 'onserver')
    must(space.kubectl('apply', '-f', space.write('m.json', with_volume(emptyDir={}))))
    path = '/apis/apps/v1/namespaces/%s/deployments/web?fieldManager=kubectl&force=true' % space.name
    status, answer = Client(cl.upstream()).send('PATCH', path, with_volume(emptyDir={'medium': 'Memory'}), 'application/apply-patch+yaml')
    check.equal('applied by a client that migrates nothing', status, 200)
    check.says('an emptied volume: foretold', space.explain(then, *FORCED), 1, has=['-emptyDir, +secret'])
    check.says('an emptied volume: applied', space.apply(then, *FORCED), 0)
    check.equal('an emptied volume: live', [sorted(v) for v in space.live(then)['spec']['template']['spec']['volumes']], [['name', 'secret']])


def ports_that_are_renumbered(cl, check):
    """Beside the port of before, which the first request of a migration leaves, the new one has the same name."""
    space = Space(cl, 'onserver')
    first, then = (deployment({'ports': [{'name': 'http', 'containerPort': number}]}) for number in (8080, 8081))
    must(space.apply(first))
    check.equal('foretold', report(space.explain(then, *ON_SERVER, '-o', 'json')).get('error', {}).get('code'), 'refused')
    check.says('refused', space.apply(then, *ON_SERVER), 1, err=['Duplicate value: "http"'])
    must(space.apply(first, *ON_SERVER))
    check.says('after a server-side apply', space.explain(then, *ON_SERVER), 1)
    check.says('which is accepted', space.apply(then, *ON_SERVER), 0)


def switched_in_live(cl, check):
    """Somebody chose another alternative in live. What was applied server-side stays so, but for a client-side apply."""
    space = Space(cl, 'onserver')
    manifest = deployment(None, volumes=[{'name': 'v', 'configMap': {'name': 'c'}}])
    must(space.apply(manifest, *ON_SERVER))
    patch = {'spec': {'template': {'spec': {'volumes': [{'name': 'v', 'configMap': None, 'secret': {'secretName': 's'}}]}}}}
    must(space.kubectl('patch', 'deployment', 'web', '--field-manager=kubectl-edit', '-p', json.dumps(patch)))
    check.says('foretold, with a way out', space.explain(manifest), 2, err=['apply --last-applied=annotation is client-side, and removes it'])
    check.says('refused', space.apply(manifest), 1, err=['may not specify more than 1 volume type'])
    must(space.apply(manifest, '--last-applied=annotation'))
    check.holds('live', space.live(manifest)['spec']['template']['spec']['volumes'][0]['configMap'], {'name': 'c'})
    check.says('at rest', space.explain(manifest), 0)


def entries_of_maps(cl, check):
    """An entry of a map of objects, and an item of a list, goes with what an editor changed in it; what is left without members is null."""
    space = Space(cl, 'onserver')
    item = {'type': 'object', 'properties': {'k': TEXT, 'v': TEXT}}
    spec = map_of(map={'type': 'object', 'additionalProperties': map_of(a=TEXT, b={**TEXT, 'default': 'x'})},
                  any={'type': 'object', 'x-kubernetes-preserve-unknown-fields': True}, list=list_of(item, 'map', 'k'), port=NUMBER)
    must(space.apply(definition(schema=map_of(spec=spec))))
    cl.await_api(space.name + '.example.com/v1')
    changes = lambda said: {path: op for path, (op, _) in rows(said).items() if op != 'keep'}
    edited = {'map': {'m': {'a': 'z'}}, 'any': {'m': {'q': 2}}, 'list': [{'k': '1', 'v': 'z'}]}
    for field, first, then, told, left in [
            ('map', {'m': {'a': '1'}, 'n': {'a': '1'}}, {'n': {'a': '1'}}, {'spec.map.m': 'delete'}, {'n': {'a': '1', 'b': 'x'}}),
            ('any', {'m': {'y': 1}, 'n': 1}, {'n': 1}, {'spec.any.m': 'delete'}, {'n': 1}),
            ('map', {'m': {'a': '1'}}, None, None, {'m': {'a': 'z', 'b': 'x'}}),
            ('list', [{'k': '1', 'v': '1'}], None, None, [{'k': '1', 'v': 'z'}])]:
        must(space.kubectl('delete', 'widgets.%s.example.com' % space.name, '--all'))
        must(space.apply(custom(port=1, **{field: first}), *ON_SERVER))
        must(space.kubectl('patch', 'widgets.%s.example.com' % space.name, 'w', '--type=merge', '--field-manager=kubectl-edit', '-p',
                           json.dumps({'spec': {field: edited[field]}})))
        wanted = custom(port=1, **({field: then} if then else {}))
        said = space.explain(wanted, *ON_SERVER, '-o', 'json')
        check.equal('%s → %s: foretold' % (first, then), changes(said) if told else report(said)['error']['code'], told or 'refused')
        check.equal('%s → %s: the exit status' % (first, then), space.apply(wanted, *ON_SERVER).returncode, 0 if told else 1)
        check.equal('%s → %s: live' % (first, then), space.live(wanted)['spec'][field], left)


def nulls_of_custom_resources(cl, check):
    """A null is merged with what others have in a map or list; where the schema takes none, the server refuses it."""
    space = Space(cl, 'onserver')
    nullable = lambda schema: {**schema, 'nullable': True}
    spec = map_of(map=nullable(map_of(a={**TEXT, 'default': 'x'}, b=TEXT)), set=nullable(list_of(TEXT, 'set')), atomic=nullable(list_of(TEXT, 'atomic')),
                  any={'x-kubernetes-preserve-unknown-fields': True}, strict=map_of(a={**TEXT, 'default': 'x'}, b=TEXT), text=TEXT, plain=map_of(a=TEXT), port=NUMBER,
                  items=list_of(map_of(a=TEXT, b=TEXT), 'atomic'))
    must(space.apply(definition(schema=map_of(spec=spec))))
    cl.await_api(space.name + '.example.com/v1')
    changes = lambda said: {path: op for path, (op, _) in rows(said).items() if op != 'keep'}
    for what, field, first, own, told, after in [
            ('a map of others', 'map', {'a': 'z'}, False, {}, {'a': 'z'}),
            ('our map', 'map', {'a': 'z'}, True, {'spec.map': 'set'}, None),
            ('our map with a default', 'map', {'b': 'z'}, True, {'spec.map.b': 'delete'}, {'a': 'x'}),
            ('a set of others', 'set', ['z'], False, {}, ['z']),
            ('an atomic list of others', 'atomic', ['z'], False, {'spec.atomic': 'set'}, None),
            ('any map of others', 'any', {'a': 'z'}, False, {}, {'a': 'z'}),
            ('our map that takes no null, with a default', 'strict', {'b': 'z'}, True, {'spec.strict.b': 'delete'}, {'a': 'x'})]:
        must(space.kubectl('delete', 'widgets.%s.example.com' % space.name, '--all'))
        by = () if own else ('--field-manager=other',)
        must(space.apply(custom(port=1, **{field: first}), *ON_SERVER, *by))
        wanted = custom(port=1, **{field: None})
        check.equal(what + ': the rows', changes(space.explain(wanted, *ON_SERVER, '--force-conflicts', '-o', 'json')), told)
        must(space.apply(wanted, *ON_SERVER, '--force-conflicts'))
        check.equal(what + ': live', space.live(wanted)['spec'].get(field), after)
        check.says(what + ': at rest', space.explain(wanted, *ON_SERVER, '--force-conflicts'), 0)
    must(space.kubectl('delete', 'widgets.%s.example.com' % space.name, '--all'))
    must(space.apply(custom(port=1, any={'a': 1}), *ON_SERVER))
    added = custom(port=2, any={'a': 1, 'z': None})
    check.equal('a null where all is allowed: the rows', changes(space.explain(added, *ON_SERVER, '-o', 'json')), {'spec.any.z': 'set', 'spec.port': 'set'})
    must(space.apply(added, *ON_SERVER))
    check.equal('a null where all is allowed: live', space.live(added)['spec']['any'], {'a': 1, 'z': None})
    check.says('a null where all is allowed: at rest', space.explain(added, *ON_SERVER), 0)
    must(space.apply(custom(port=1, items=[{'a': 'x'}]), *ON_SERVER))
    for what, fields, path in [('a null', {'text': None}, 'spec.text'), ('a null in a new map', {'plain': {'a': None}}, 'spec.plain.a'),
                               ('a null in an item that is as live', {'items': [{'a': 'x', 'b': None}]}, 'spec.items[0].b')]:
        refused = custom(port=1, **fields)
        said = report(space.explain(refused, *ON_SERVER, '-o', 'json'))['error']
        check.equal(what + ': foretold', (said['code'], path + ': foretold: null is no value' in said['message']), ('refused', True))
        new = {**refused, 'metadata': {'name': 'new'}}
        check.equal(what + ': foretold of a new object', report(space.explain(new, *ON_SERVER, '-o', 'json')).get('error', {}).get('code'), 'refused')
        check.says(what + ': a new object is refused', space.apply(new, *ON_SERVER), 1, err=['%s: Invalid value: "null"' % path])
        check.says(what + ': refused', space.apply(refused, *ON_SERVER), 1, err=['%s: Invalid value: "null"' % path])


def items_that_cannot_be_told_apart(cl, check):
    """A patch may have null items and items that come twice; a server-side apply is refused for them, whether it was asked for or chosen, because
    the object was applied so before."""
    space = Space(cl, 'onserver')
    must(space.apply(definition(schema=map_of(spec=map_of(rules=list_of(map_of(name=TEXT, v=TEXT), 'map', 'name'), lists=list_of(map_of(set=list_of(TEXT, 'set')), 'atomic'))))))
    cl.await_api(space.name + '.example.com/v1')
    plain = deployment()
    twice, null, key = 'the list has this item twice', 'null is no item of this list', 'none of the fields that tell'
    for what, first, wanted, path, words in [
            ('a variable twice', plain, deployment({'env': [{'name': 'A', 'value': '1'}, {'name': 'A', 'value': '2'}]}), '.env[1]', twice),
            ('a null among secrets', plain, deployment(imagePullSecrets=[None]), 'imagePullSecrets[0]', null),
            ('a finalizer twice', plain, merge(plain, {'metadata': {'finalizers': ['a/b', 'a/b']}}), 'finalizers[1]', twice),
            ('a rule twice', custom(), custom(rules=[{'name': 'a'}, {'name': 'a'}]), 'rules', twice),
            ('a rule without its key', custom(), custom(rules=[{'v': 'a'}]), 'rules[0]', key),
            ('in an item of an atomic list', custom(), custom(lists=[{'set': ['a', None]}]), 'set[1]', null)]:
        must(space.apply(first, *ON_SERVER))
        new = merge(wanted, {'metadata': {'name': 'new'}})
        for label, manifest, flags in [('asked for', wanted, ON_SERVER), ('chosen', wanted, ()), ('new', new, ON_SERVER)]:
            said = space.explain(manifest, *flags)
            check.says('%s, %s: foretold' % (what, label), said, 2, lacks=['only the last one takes effect'])
            check.true('%s, %s: the words' % (what, label), path in said.stderr and (words in said.stderr or 'appears twice' in said.stderr or 'merge key' in said.stderr), said.stderr)
            check.says('%s, %s: refused' % (what, label), space.apply(manifest, '--validate=ignore', *flags), 1)
    accepted = deployment(imagePullSecrets=[{}])
    check.says('a secret without a name', space.explain(accepted, *ON_SERVER), 1)
    check.says('a secret without a name: accepted', space.apply(accepted, *ON_SERVER), 0)


def items_that_live_has_twice(cl, check):
    """The manifest's item takes the place of all, and conflicts with who owns them, whatever they have."""
    twice = [{'name': 'A', 'value': '1'}, {'name': 'A', 'value': '2'}]
    space = Space(cl, 'onserver')
    must(space.kubectl('apply', '-f', space.write('m.json', deployment({'env': twice}))))
    once = deployment({'env': twice[:1]})
    check.says('a conflict: foretold', space.explain(once, *ON_SERVER), 2, err=['1 conflict: spec.template.spec.containers[name=web].env[name=A]'])
    check.says('a conflict', space.apply(once, *ON_SERVER), 1, err=['env[name="A"]'])
    said = space.explain(once, *FORCED, '-o', 'json')
    check.equal('forced: foretold', list(rows(said).values()), [('delete', 'conflict')])
    must(space.apply(once, *FORCED))
    check.equal('forced: live', space.live(once)['spec']['template']['spec']['containers'][0]['env'], twice[:1])
    check.says('at rest', space.explain(once, *FORCED), 0)


def keys_in_another_order(cl, check):
    """A list may name its keys in any order; managedFields has them sorted."""
    space = Space(cl, 'onserver')
    must(space.apply(definition(schema=map_of(spec=map_of(l=list_of(map_of(name=TEXT, kind=TEXT, v=TEXT), 'map', 'name', 'kind'))))))
    cl.await_api(space.name + '.example.com/v1')
    a, b = {'name': 'a', 'kind': 'X', 'v': '1'}, {'name': 'b', 'kind': 'X'}
    for flags in (ON_SERVER, ()):
        must(space.apply(custom(l=[a, b]), *ON_SERVER))
        said = space.explain(custom(l=[b]), *flags, '-o', 'json')
        check.equal('the item that goes: foretold', [op for op, _ in rows(said).values()], ['delete'])
        must(space.apply(custom(l=[b]), *flags))
        check.equal('the item that goes: live', space.live(custom())['spec']['l'], [b])
        must(space.kubectl('delete', 'widgets.%s.example.com' % space.name, '--all'))


def empty_metadata(cl, check):
    """The server stores the metadata of a custom resource as a Go type: an empty map or list of it is nothing."""
    space = Space(cl, 'onserver')
    must(space.apply(definition(schema=map_of(spec=map_of(port=NUMBER)))))
    cl.await_api(space.name + '.example.com/v1')
    empty = custom(metadata={'labels': {}, 'annotations': {}, 'ownerReferences': []}, port=1)
    must(space.apply(empty, *ON_SERVER))
    check.says('at rest', space.explain(empty, *ON_SERVER), 0)
    check.says('at rest, and the server was asked', space.explain(empty, *ON_SERVER, '--ask-server'), 0)
    check.equal('what is stored', [k for k in ('labels', 'annotations', 'ownerReferences') if k in space.live(empty)['metadata']], [])


def lists_of_additional_properties(cl, check):
    """They are merged by their list type, as lists that are fields: what others have there is no conflict, and stays."""
    space = Space(cl, 'onserver')
    named = {'type': 'object', 'properties': {'name': TEXT, 'v': TEXT}}
    spec = map_of(sets=map_to(list_of(TEXT, 'set')), keyed=map_to(list_of(named, 'map', 'name')), port=NUMBER)
    must(space.apply(definition(schema=map_of(spec=spec))))
    cl.await_api(space.name + '.example.com/v1')
    of_spec = lambda **more: custom(port=1, **more)
    must(space.apply(of_spec(sets={'a': ['mine']}, keyed={'a': [{'name': 'mine', 'v': '1'}]}), *ON_SERVER))
    theirs = of_spec(sets={'a': ['theirs']}, keyed={'a': [{'name': 'theirs'}]})
    must(space.kubectl('apply', '--server-side', '--field-manager=other', '-f', space.write('other.json', theirs)))
    changed = of_spec(sets={'a': ['mine', 'more']}, keyed={'a': [{'name': 'mine', 'v': '2'}]})
    for what, wanted, told, left in [
            ('a change', changed, {'spec.keyed.a[name=mine].v': 'set', 'spec.sets.a["more"]': 'set'},
             ({'a': ['mine', 'theirs', 'more']}, {'a': [{'name': 'mine', 'v': '2'}, {'name': 'theirs'}]})),
            ('a removal', of_spec(), {'spec.keyed.a[name=mine]': 'delete', 'spec.sets.a["mine"]': 'delete', 'spec.sets.a["more"]': 'delete'}, ({'a': ['theirs']}, {'a': [{'name': 'theirs'}]}))]:
        for flags in (ON_SERVER, ON_SERVER + ('--ask-server',)):
            said = space.explain(wanted, *flags, '-o', 'json')
            check.equal('%s %s: the exit status' % (what, flags), said.returncode, 1)
            check.equal('%s %s: the rows' % (what, flags), {path: op for path, (op, _) in rows(said).items() if op != 'keep'}, told)
        must(space.apply(wanted, *ON_SERVER))
        live = space.live(wanted)['spec']
        check.equal(what + ': live', (live['sets'], live['keyed']), left)
        check.says(what + ': at rest', space.explain(wanted, *ON_SERVER), 0)


def given_up_maps(cl, check):
    """A map in which the manifest owns nothing any more goes with its defaults: an apply owns no field with an empty list that is merged."""
    space = Space(cl, 'onserver')
    named = {'type': 'object', 'properties': {'name': TEXT}}
    spec = map_of(list=list_of(named, 'map', 'name'), mode={**TEXT, 'default': 'fast'}, port=NUMBER)
    must(space.apply(definition(schema=map_of(spec=spec))))
    cl.await_api(space.name + '.example.com/v1')
    for more, told, left in (({'port': 1}, {'spec.list': 'delete'}, {'port': 1, 'mode': 'fast'}), ({}, {'spec': 'delete'}, None)):
        must(space.kubectl('delete', 'widgets.%s.example.com' % space.name, '--all'))
        must(space.apply(custom(list=[{'name': 'a'}], **more), *ON_SERVER))
        wanted = custom(list=[], **more)
        check.equal('rows', {path: op for path, (op, _) in rows(space.explain(wanted, *ON_SERVER, '-o', 'json')).items() if op != 'keep'}, told)
        must(space.apply(wanted, *ON_SERVER))
        check.equal('live', space.live(wanted).get('spec'), left)


def nobody_owns_anything(cl, check):
    """Without managedFields, the server gives all of it to "before-first-apply" at the first apply, and a migration takes it from there."""
    space = Space(cl, 'onserver')
    forget = {'metadata': {'managedFields': [{}]}}
    must(space.kubectl('apply', '-f', space.write('cm.json', config_map('cfg', a='1'))))
    for change in ({'data': {'theirs': 'x'}}, forget):
        space.patch('configmap cfg', change)
    check.equal('what goes', {path: op for path, (op, _) in rows(space.explain(config_map('cfg', a='1'), *ON_SERVER, '-o', 'json')).items() if op != 'keep'},
                {'data.theirs': 'delete'})
    must(space.apply(config_map('cfg', a='1'), *ON_SERVER))
    check.equal('live', space.live(config_map('cfg'))['data'], {'a': '1'})
    must(space.kubectl('create', '-f', space.write('cm.json', config_map('other', a='1'))))
    space.patch('configmap other', forget)
    check.says('a conflict', space.explain(config_map('other', a='2'), *ON_SERVER), 2, err=['data.a is owned by before-first-apply'])
    check.says('so says the server', space.apply(config_map('other', a='2'), *ON_SERVER), 1, err=['conflict with "before-first-apply"'])
    role = of('rbac.authorization.k8s.io/v1', 'Role', 'none')
    must(space.kubectl('create', '-f', space.write('role.json', role)))
    wanted = {**role, 'rules': [{'apiGroups': [''], 'resources': ['pods'], 'verbs': ['get']}]}
    check.says('a null, which is nobody\'s', space.explain(wanted, *ON_SERVER), 1, lacks=['conflict'])
    must(space.apply(wanted, *ON_SERVER))


def migration_in_another_version(cl, check):
    """What was applied in another version of the API is nobody's after the migration, and stays."""
    space = Space(cl, 'onserver')
    target = {'apiVersion': 'apps/v1', 'kind': 'Deployment', 'name': 'web'}
    scaler = lambda version, labels, **spec: of('autoscaling/' + version, 'HorizontalPodAutoscaler', 'web', {'labels': labels}, spec={'maxReplicas': 5, 'scaleTargetRef': target, **spec})
    must(space.apply(scaler('v1', {'a': '1', 'old': '2'}, minReplicas=2), tool='kubectl'))
    now = scaler('v2', {'a': '1'})
    check.says('nothing is foretold but who owns it', space.explain(now, *ON_SERVER), 0, has=['applied server-side from now on: its fields get another manager'])
    must(space.apply(now, *ON_SERVER))
    live = space.live(now)
    check.equal('live', (live['metadata']['labels'], live['spec']['minReplicas']), ({'a': '1', 'old': '2'}, 2))


def set_through_another_version(cl, check):
    """What others set through another version, where it has another name, is not a value that nobody set."""
    target = {'apiVersion': 'apps/v1', 'kind': 'Deployment', 'name': 'web'}
    scaler = lambda version, **spec: of('autoscaling/' + version, 'HorizontalPodAutoscaler', 'web', spec={'maxReplicas': 5, 'scaleTargetRef': target, **spec})
    cpu = lambda percent: [{'type': 'Resource', 'resource': {'name': 'cpu', 'target': {'type': 'Utilization', 'averageUtilization': percent}}}]
    for percent in (50, 80):  # 80 is the default, too
        space = Space(cl, 'onserver')
        must(space.apply(scaler('v1', targetCPUUtilizationPercentage=percent), *ON_SERVER, '--field-manager=argocd'))
        now = scaler('v2', metrics=cpu(55))
        check.says('%d server-side' % percent, space.explain(now, *ON_SERVER), 1, lacks=['nobody', 'no change made in the cluster is undone'],
                   has=['maybe set by argocd (Apply; last write', 'through autoscaling/v1, where fields have other names; then the server refuses'])
        check.says('%d is a conflict' % percent, space.apply(now, *ON_SERVER), 1, err=['conflict with "argocd"'])
        space = Space(cl, 'onserver')
        must(space.apply(scaler('v2', metrics=cpu(percent)), *ON_SERVER, '--field-manager=argocd'))
        check.says('%d from version 2' % percent, space.explain(scaler('v1', targetCPUUtilizationPercentage=55), *ON_SERVER), 1,
                   has=['maybe set by argocd'], lacks=['no change made in the cluster is undone'])

    space = Space(cl, 'onserver')
    old = scaler('v1', targetCPUUtilizationPercentage=50)
    must(space.apply(old))
    path = '/apis/autoscaling/v1/namespaces/%s/horizontalpodautoscalers/web' % space.name
    edited = merge(json.loads(must(space.kubectl('get', '--raw', path))), {'spec': {'targetCPUUtilizationPercentage': 99}})
    must(space.kubectl('replace', '--raw', path + '?fieldManager=kubectl-edit', '-f', space.write('edited.json', edited)))
    check.says('client-side', space.explain(now), 1, lacks=['nobody'],
               has=['maybe set by kubectl-edit', 'by kubectl-edit', 'the object was last applied as autoscaling/v1; what has another name there'])
    must(space.apply(now))
    check.says('at rest, without a warning', space.explain(now), 0, lacks=['last applied as'])


def first_server_side_apply(cl, check):
    """Nothing changes but who owns the fields: the last lines say so, once."""
    space = Space(cl, 'onserver')
    wanted = config_map('cfg', a='1')
    must(space.apply(wanted))
    said = 'is applied server-side from now on: its fields get another manager'
    check.says('it switches', space.explain(wanted, *ON_SERVER), 0, has=[said])
    check.says('also where something changes', space.explain(config_map('cfg', a='2'), *ON_SERVER), 1, has=[said])
    check.says('apply', space.apply(wanted, *ON_SERVER), 0, has=['serverside-applied'])
    check.says('at rest', space.explain(wanted, *ON_SERVER), 0, lacks=[said])
    # The manifest changes a list that the server has added defaults to.
    policy = lambda port: of('networking.k8s.io/v1', 'NetworkPolicy', 'web', spec={'podSelector': {}, 'policyTypes': ['Ingress'], 'ingress': [{'ports': [{'port': port}]}]})
    must(space.apply(policy(80)))
    check.says('nobody has changed the list', space.explain(policy(81), *FORCED), 1, has=['no change made in the cluster is undone'], lacks=['changed in live'])
    space.patch('networkpolicy web', [{'op': 'replace', 'path': '/spec/ingress/0/ports/0/port', 'value': 82}], kind='json')
    check.says('somebody has', space.explain(policy(81), *FORCED), 1, has=['undoes changes made in the cluster'])
    # The server keeps no manager of nothing.
    bare = of('v1', 'ServiceAccount', 'bare')
    for tool, flags in (('smp', ON_SERVER), ('smp', ())):
        must(space.apply(bare, *flags))
        check.says('a manifest that is only a name', space.explain(bare, *ON_SERVER), 0, lacks=[said])
        must(space.kubectl('delete', 'serviceaccount', 'bare'))


def removed_by_others(cl, check):
    """managedFields do not say what somebody removed, so what comes back cannot be told from what is new in the manifest."""
    space = Space(cl, 'onserver')
    first, undoes_none = config_map('cfg', a='1', mode='strict'), 'no change made in the cluster is undone'
    must(space.apply(first, *ON_SERVER))
    must(space.kubectl('patch', 'configmap', 'cfg', '--field-manager=kubectl-edit', '--type=json', '-p', '[{"op": "remove", "path": "/data/mode"}]'))
    may_bring_back = 'or bring back what was removed in the cluster: server-side apply keeps no record of that'
    check.says('the same manifest', space.explain(first, *ON_SERVER), 1, has=['data.mode', may_bring_back], lacks=[undoes_none])
    check.equal('why', report(space.explain(first, *ON_SERVER, '-o', 'json'))['changes'][0]['message'], 'live does not have it')
    must(space.apply(first, *ON_SERVER))
    check.equal('it comes back', space.get('configmap', 'cfg')['data'], {'a': '1', 'mode': 'strict'})
    check.says('another value', space.explain(config_map('cfg', a='2', mode='strict'), *ON_SERVER), 1, has=[undoes_none], lacks=[may_bring_back])

    # A part of a list or a text: then the other manager owns what is left.
    user = lambda name: {'kind': 'User', 'apiGroup': 'rbac.authorization.k8s.io', 'name': name}
    role = of('rbac.authorization.k8s.io/v1', 'RoleBinding', 'rb', roleRef={'kind': 'ClusterRole', 'apiGroup': 'rbac.authorization.k8s.io', 'name': 'view'},
              subjects=[user('alice'), user('mallory')])
    for what, manifest, path in (('an item', role, '/subjects/1'), ('a line', config_map('text', conf='a: 1\nb: 2\n', other='1'), '/data/conf')):
        must(space.apply(manifest, *ON_SERVER))
        operation = {'op': 'remove', 'path': path} if manifest is role else {'op': 'replace', 'path': path, 'value': 'a: 1\n'}
        must(space.kubectl('patch', manifest['kind'], manifest['metadata']['name'], '--field-manager=kubectl-edit', '--type=json', '-p', json.dumps([operation])))
        for flags in ((), FORCED):
            check.says('%s that was removed %s' % (what, flags), space.explain(manifest, *flags), 1, has=['undoes changes made in the cluster', 'by kubectl-edit'],
                       lacks=[undoes_none])


def kept_where_the_server_refuses_the_removal(cl, check):
    """A Pod loses no nodeSelector, so that the second request of the migration is refused. What the first changes was applied before."""
    space = Space(cl, 'onserver')
    pod = lambda tag, **spec: of('v1', 'Pod', 'web', spec={'containers': [{'name': 'web', 'image': 'web:' + tag}], **spec})
    must(space.apply(pod('1', nodeSelector={'disk': 'hdd'})))
    said = space.explain(pod('2'), *ON_SERVER, '-o', 'json')
    check.equal('the rows', {path: why for path, why in rows(said).items() if why[0] != 'keep'}, {'spec.containers[name=web].image': ('set', 'changed')})
    check.says('nobody else changed it', space.explain(pod('2'), *ON_SERVER), 1, has=['refuses to remove it', 'no change made in the cluster is undone'])
    must(space.apply(pod('2'), *ON_SERVER))
    spec = space.get('pod', 'web')['spec']
    check.equal('live', (spec['containers'][0]['image'], spec['nodeSelector']), ('web:2', {'disk': 'hdd'}))


def own_manager(cl, check):
    """Who has applied under the name of --field-manager is none of the others."""
    own, undoes, undoes_none = '--field-manager=ci', 'undoes changes made in the cluster', 'no change made in the cluster is undone'
    for name, flags in (('client', ()), ('server', ON_SERVER)):
        space = Space(cl, 'onserver')
        first, then = [{**config_map('cfg', a=a, b='1'), 'metadata': {'name': 'cfg', 'finalizers': []}} for a in '12']
        must(space.apply(first, *flags, own))
        check.says(name + ': an upgrade', space.explain(then, *flags, own), 1, has=[undoes_none], lacks=[undoes, 'taken over', 'set in the cluster'])
        check.says(name + ': a removal', space.explain(config_map('cfg', a='1'), *flags, own), 1, has=[undoes_none], lacks=[undoes, 'removes what others'])
        must(space.kubectl('patch', 'configmap', 'cfg', '--field-manager=kubectl-edit', '--type=merge', '-p', '{"data":{"b":"9"}}'))
        forced = ('--force-conflicts',) if flags else ()
        check.says(name + ': what others changed', space.explain(then, *flags, *forced, own), 1, has=[undoes, 'b 9 → 1; by kubectl-edit'], lacks=[undoes_none, '; by ci'])


def merged_no_longer(cl, check):
    """A list or map that its CRD makes atomic: the server takes who owned something in it for an owner of the whole."""
    space = Space(cl, 'onserver')
    key = map_of(name=TEXT, v=TEXT)
    forms = {'list': (list_of(key, 'map', 'name'), list_of(key), [{'name': 'p', 'v': '1'}], [{'name': 'p', 'v': '2'}], [{'name': 'z', 'v': '9'}]),
             'set': (list_of(TEXT, 'set'), list_of(TEXT), ['p'], ['p', 'q'], ['z']),
             'map': (map_to(TEXT), {**map_to(TEXT), 'x-kubernetes-map-type': 'atomic'}, {'p': '1'}, {'p': '2'}, {'z': '9'})}
    schema_of = lambda at: map_of(spec=map_of(**{name: form[at] for name, form in forms.items()}))
    must(space.apply(definition(schema=schema_of(0))))
    cl.await_api(space.name + '.example.com/v1')
    for name, (_, _, first, _, theirs) in forms.items():
        must(space.apply({**custom(**{name: first}), 'metadata': {'name': name}}, *ON_SERVER))
        must(space.kubectl('apply', '--server-side', '--field-manager=alice', '-f', space.write('theirs.json', {**custom(**{name: theirs}), 'metadata': {'name': name}})))
    group = 'apis/%s.example.com/v1' % space.name
    published = lambda: json.loads(must(space.kubectl('get', '--raw', '/openapi/v3')))['paths'][group]['serverRelativeURL']
    before = published()
    must(space.apply(definition(schema=schema_of(1))))
    until('the new schema is published', lambda: published() != before)
    for name, (_, _, _, then, _) in forms.items():
        wanted = {**custom(**{name: then}), 'metadata': {'name': name}}
        check.says(name + ': a conflict', space.explain(wanted, *ON_SERVER), 2, has=['spec.' + name], err=['is owned by alice (Apply'])
        check.says(name + ': refused', space.apply(wanted, *ON_SERVER), 1, err=['alice'])
        check.equal(name + ': forced', rows(space.explain(wanted, *FORCED, '-o', 'json')), {'spec.' + name: ('set', 'conflict')})
        must(space.apply(wanted, *FORCED))
        check.equal(name + ': live', space.live(wanted)['spec'][name], then)


def merged_in_another_version(cl, check):
    """A list that one version of the CRD merges: who takes an item away through that one leaves no entry."""
    space = Space(cl, 'onserver')
    schema_of = lambda users: {'openAPIV3Schema': map_of(spec=map_of(users=users, note=TEXT))}
    old = {'name': 'v1beta1', 'served': True, 'storage': False, 'schema': schema_of(list_of(TEXT))}
    now = {'name': 'v1', 'served': True, 'storage': True, 'schema': schema_of(list_of(TEXT, 'set'))}
    must(space.apply(definition(versions=[old, now])))
    for version in ('v1', 'v1beta1'):
        cl.await_api('%s.example.com/%s' % (space.name, version))
    wanted = {**custom(users=['a', 'b'], note='x'), 'apiVersion': '__NS__.example.com/v1beta1'}
    resource, undoes_none = 'widgets.v1.%s.example.com' % space.name, 'no change made in the cluster is undone'
    remove = ('--field-manager=kubectl-edit', '--type=json', '-p', '[{"op":"remove","path":"/spec/users/1"}]')
    for flags, told in (((), 'undoes changes made in the cluster'), (ON_SERVER, 'or bring back what was removed')):
        must(space.apply(wanted, *flags))
        must(space.kubectl('patch', resource, 'w', *remove))
        check.says('%s: told' % (flags,), space.explain(wanted, *flags), 1, has=[told], lacks=[undoes_none])
        if not flags:
            check.says('the guard', space.apply(wanted, '--overwrite=false'), 1, err=['spec.users'])
        must(space.apply(wanted, *flags))
        check.equal('%s: live' % (flags,), space.live(wanted)['spec']['users'], ['a', 'b'])
        must(space.kubectl('delete', resource, 'w'))


def combinations(cl, check):
    space = Space(cl, 'onserver')
    for flag in ('--adopt=x', '--keep-live=data.a', '--compat=kubectl', '--force', '--prune'):
        check.says(flag, space.explain(config_map('cfg'), *ON_SERVER, flag), 2, err=['cannot be used with --server-side' if flag != '--prune' else '--prune'])
    check.says('alone', space.explain(config_map('cfg'), '--force-conflicts', '--compat=kubectl'), 2, err=['--force-conflicts only works with --server-side'])


if __name__ == '__main__':
    sys.exit(harness.run(__doc__, items_that_live_has_twice, keys_in_another_order, items_that_cannot_be_told_apart, conflicts, conflicts_over_the_same_value, no_conflicts, given_up, migration, migration_to_another_manager, another_version, nulls, nulls_of_new_maps, defaults_set_now, secrets, drift_is_a_conflict, emptied, migrated_alternatives, ports_that_are_renumbered, switched_in_live, emptied_pointers, empty_sets, ports_of_two, entries_of_maps, emptied_by_another, emptied_maps, bound_volumes,
                         nulls_of_custom_resources, empty_metadata, lists_of_additional_properties, given_up_maps, nobody_owns_anything,
                         migration_in_another_version, set_through_another_version, first_server_side_apply, removed_by_others, kept_where_the_server_refuses_the_removal, own_manager, merged_no_longer, merged_in_another_version, combinations))
