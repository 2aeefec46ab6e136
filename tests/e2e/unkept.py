#!/usr/bin/env python3
"""Fields that the server does not keep (lib/schema/facts/unkept.txt): no patch has them, so the second apply finds nothing to do. Each
line has its fields beside others that the server does keep, and kubectl's patch, which still has them, changes nothing there."""
import copy
import json
import sys

import harness
from harness import Space, facts, must
from harness.cluster import LAST_APPLIED
from harness.manifests import autoscaler, config_map, definition, merge, of, pod, pod_spec, service, template, workload
from kinds import REQUEST

TIME = '2026-01-01T00:00:00Z'
INIT = ['pod.%s.kubernetes.io/init-container%s' % (stage, what) for stage in ('alpha', 'beta') for what in ('-statuses', 's')]
SCALING = ['autoscaling.alpha.kubernetes.io/' + name for name in ('behavior', 'conditions', 'current-metrics', 'metrics')]
TYPES = 'io.k8s.api.'


def noted(*names):
    """Annotations, and one that is kept."""
    return {'annotations': {name: '[]' for name in names}}, {'annotations': {'example.com/note': 'x'}}


def in_template(change):
    return {'spec': {'template': {'metadata': change}}}


def job(kind='Job'):
    return of('batch/v1', kind, 'web', spec={'template': {'spec': pod_spec(restartPolicy='Never')}})


def of_templates():
    """The annotations of init containers in each kind's Pod template."""
    for name in ('apps.v1.DaemonSet', 'apps.v1.Deployment', 'apps.v1.ReplicaSet', 'apps.v1.StatefulSet', 'core.v1.ReplicationController'):
        yield name + ' spec.template.metadata.annotations', (
            workload(name.split('.')[-1], template()), *map(in_template, noted(*INIT)))
    yield 'core.v1.Pod metadata.annotations', (pod(), *({'metadata': part} for part in noted(*INIT)))
    yield 'core.v1.PodTemplate template.metadata.annotations', (
        workload('PodTemplate', template()), *({'template': {'metadata': part}} for part in noted(*INIT)))
    # A Job's template cannot change: the kept one is an annotation of the Job.
    yield 'batch.v1.Job spec.template.metadata.annotations', (job(), in_template(noted(*INIT)[0]), {'metadata': noted()[1]})
    yield 'batch.v1.CronJob spec.jobTemplate.spec.template.metadata.annotations', (
        workload('CronJob', template()), *({'spec': {'jobTemplate': in_template(part)}} for part in noted(*INIT)))


# By line: a manifest, what the server does not keep of it, and what it does keep: the near miss.
LINES = {
    'every-kind metadata': (config_map(a='1'), {'metadata': {
        'creationTimestamp': TIME, 'selfLink': '/x',
        'managedFields': [{'manager': 'x', 'operation': 'Update', 'apiVersion': 'v1', 'time': TIME, 'fieldsType': 'FieldsV1', 'fieldsV1': {'f:data': {}}}]}},
                            {'metadata': {'labels': {'a': 'b'}}}),
    'every-kind metadata generation': (service({'port': 80}), {'metadata': {'generation': 77}}, {'metadata': {'labels': {'generation': '77'}}}),
    'cluster-scoped metadata': (of('scheduling.k8s.io/v1', 'PriorityClass', value=5), {'metadata': {'namespace': 'default'}},
                                {'metadata': {'labels': {'namespace': 'default'}}}),
    'status-subresource -': (of('policy/v1', 'PodDisruptionBudget', 'web', spec={'minAvailable': 1}), {'status': {
        'currentHealthy': 1, 'desiredHealthy': 1, 'disruptionsAllowed': 0, 'expectedPods': 1}}, {'spec': {'minAvailable': 2}}),
    TYPES + 'core.v1.Node -': (of('v1', 'Node'), {'status': {'capacity': {'cpu': '3'}}}, {'spec': {'unschedulable': True}}),
    TYPES + 'core.v1.Namespace spec': (of('v1', 'Namespace', '__NS__-other'), {'spec': {'finalizers': ['example.com/a']}},
                                       {'metadata': {'labels': {'a': 'b'}}}),
    TYPES + 'certificates.v1.CertificateSigningRequest -': (
        of('certificates.k8s.io/v1', 'CertificateSigningRequest', spec={
            'request': REQUEST, 'signerName': 'example.com/x', 'usages': ['client auth']}),
        {'spec': {'signerName': 'example.com/other'}}, {'metadata': {'labels': {'a': 'b'}}}),
    TYPES + 'core.v1.ServiceAccount secrets[*]': (of('v1', 'ServiceAccount', 'web', secrets=[{'name': 'a'}]), {'secrets': [{
        'name': 'a', 'apiVersion': 'v1', 'fieldPath': 'x', 'kind': 'Secret', 'namespace': 'default', 'resourceVersion': '1', 'uid': 'x'}]},
                                                   {'secrets': [{'name': 'a'}, {'name': 'b'}]}),
    TYPES + 'discovery.v1.EndpointSlice endpoints[*]': (
        of('discovery.k8s.io/v1', 'EndpointSlice', 'web', addressType='IPv4', endpoints=[{'addresses': ['10.1.1.1']}]),
        {'endpoints': [{'addresses': ['10.1.1.1'], 'deprecatedTopology': {'x': 'y'}}]}, {'endpoints': [{'addresses': ['10.1.1.1'], 'hostname': 'x'}]}),
    TYPES + 'apps.v1.DaemonSet metadata.annotations': (
        workload('DaemonSet', template()), {'metadata': {'annotations': {'deprecated.daemonset.template.generation': '77'}}}, {'metadata': noted()[1]}),
    TYPES + 'autoscaling.v1.HorizontalPodAutoscaler metadata.annotations': (
        {**autoscaler(), 'apiVersion': 'autoscaling/v1'}, {'metadata': noted(*SCALING[1:3])[0]}, {'metadata': noted()[1]}),
    TYPES + 'autoscaling.v2.HorizontalPodAutoscaler metadata.annotations': (autoscaler(), {'metadata': noted(*SCALING)[0]}, {'metadata': noted()[1]}),
    **{TYPES + name: row for name, row in of_templates()},
}
# Taken by the server, which then adds what it finds out itself.
MERGED = ('managedFields',)


def key_of(line):
    """The key in LINES, and whether the fields stay in a new object."""
    which, when, path, *names = line.split(' ')
    key = '%s %s' % (which, path)
    return (key if key in LINES and names != ['generation'] else '%s %s' % (key, names[0])), when == 'update', path, names


def values_at(value, path):
    """The maps at a path of unkept.txt."""
    steps = [] if path == '-' else path.replace('[*]', '.[*]').split('.')
    found = [value]
    for step in steps:
        found = [below for v in found for below in (v if step == '[*]' else [v.get(step) or {}])]
    return found


def holds(has, said):
    """Whether live has what the manifest says, perhaps among other things."""
    if isinstance(said, dict):
        return isinstance(has, dict) and all(name in has and holds(has[name], value) for name, value in said.items())
    return all(item in has for item in said) if isinstance(said, list) and isinstance(has, list) else has == said


def kept(live, manifest, path, names):
    """Which of the names have the manifest's values in live."""
    pairs = list(zip(values_at(live, path), values_at(manifest, path)))
    return [name for name in names if name not in MERGED and any(name in said and holds(has.get(name), said[name]) for has, said in pairs)]


class Unkept(Space):
    def __init__(self, cl, proxy):
        super().__init__(cl, 'unkept')
        self.proxy, self.kubeconfig = proxy, proxy.kubeconfig

    def sends(self, manifest, *flags):
        """Applies; returns the run and the bodies of the writes."""
        del self.proxy.log[:]
        result = self.apply(manifest, *flags)
        return result, [json.loads(r['body']) for r in self.proxy.sent()]

    def remove(self, manifest):
        if manifest['kind'] in CLUSTER_SCOPED:
            self.kubectl('delete', '-f', self.write('m.json', manifest), '--wait=false')


CLUSTER_SCOPED = ('PriorityClass', 'Node', 'Namespace', 'CertificateSigningRequest')


def only_the_record(body):
    return list(body) == ['metadata'] and list(body['metadata']) == ['annotations'] and list(body['metadata']['annotations']) == [LAST_APPLIED]


# Before anything else, both programs take these out of the manifest: they are not even recorded.
TAKEN_OUT = ('cluster-scoped metadata',)


def nothing_is_sent(check, space, line, full):
    check.equal(line + ': explain-diff finds nothing to do', json.loads(space.explain(full, '-o', 'json').stdout)['objects'][0]['action'], 'unchanged')
    for flags in ((), ('--compat=kubectl',)):
        result, sent = space.sends(full, *flags)
        check.did('%s: %s nothing is to do' % (line, flags), result, 'unchanged')
        check.equal('%s: %s nothing is sent' % (line, flags), sent, [])
    check.did(line + ': kubectl has nothing to do', space.apply(full, tool='kubectl'), 'unchanged')


def try_line(cl, check, proxy, line):
    key, kept_when_new, path, names = key_of(line)
    plain, unkept, near = LINES[key]
    full, space = merge(plain, unkept), Unkept(cl, proxy)
    check.equal(line + ': the test has a value for each name', [n for n in names if not any(n in m for m in values_at(full, path))], [])
    try:
        must(space.apply(plain, tool='kubectl', command='create'))
        must(space.apply(plain))
        before = space.live(plain)
        if key in TAKEN_OUT:
            return nothing_is_sent(check, space, line, full)
        rows = json.loads(space.explain(full, '-o', 'json').stdout)['objects'][0]
        check.equal(line + ': explain-diff has a row of the record alone', [rows['action'], *(LAST_APPLIED in r['path'] for r in rows['changes'])], ['record', True])
        result, sent = space.sends(full)
        check.did(line + ': apply says so', result, 'configured (last-applied only)')
        check.true(line + ': only the record is sent', result.returncode == 0 and len(sent) == 1 and only_the_record(sent[0]), (result.stderr, sent))
        live = space.live(plain)
        check.equal(line + ': what is recorded', json.loads(live['metadata']['annotations'][LAST_APPLIED]).get('status'), full.get('status'))
        check.did(line + ': the second time nothing is to do', space.apply(full), 'unchanged')
        result, sent = space.sends(full, '--compat=kubectl')
        told = kept(merge({}, sent[0]) if sent else {}, full, path, names) or any(n in m for b in sent for m in values_at(b, path) for n in names)
        check.true(line + ': kubectl sends it', result.returncode == 0 and told, (result.stderr, sent))
        check.equal(line + ': the server does not keep it', kept(space.live(plain), full, path, names), kept(before, full, path, names))
        check.did(line + ': the near miss is sent', space.apply(merge(full, near)), 'configured')
        check.equal(line + ': and kept', without_lists(merge(space.live(plain), near)), without_lists(space.live(plain)))
        rows = json.loads(space.explain(merge(plain, near), '-o', 'json').stdout)['objects'][0]['changes']
        check.equal(line + ': when it leaves the manifest, nothing changes', [r['path'] for r in rows if LAST_APPLIED not in r['path']], [])
    finally:
        space.remove(plain)


def without_lists(live):
    """For a comparison of maps: what the server adds to items is no matter."""
    live = copy.deepcopy(live)
    return {**live, 'endpoints': [{'hostname': e.get('hostname')} for e in live.get('endpoints', [])]}


def lines(cl, check):
    with cl.proxy() as proxy:
        check.each([(line, line) for line in facts.lines('unkept.txt', cl.server.release())],
                   lambda _, line: try_line(cl, check, proxy, line))


def new_objects(cl, check):
    """What WHEN says: in a new object the server keeps the fields or not, and explain-diff shows them accordingly."""
    for line in facts.lines('unkept.txt', cl.server.release()):
        key, kept_when_new, path, names = key_of(line)
        plain, unkept, _ = LINES[key]
        space, full = Space(cl, 'unkept'), merge(plain, unkept)
        if 'creationTimestamp' in names or key == 'every-kind metadata generation':
            full = merge(config_map(a='1'), unkept)  # most kinds set the generation themselves
        rows = json.loads(space.explain(full, '-o', 'json').stdout)['objects'][0]['changes']
        told = merge({}, {row['path']: row['outcome'] for row in rows})
        must(space.apply(full, tool='kubectl', command='create'))
        live = space.live(full)
        check.equal(line + ': in a new object', kept(live, full, path, names), names if kept_when_new else [])
        check.equal(line + ': in what explain-diff says of a new object', kept(told, full, path, names), names if kept_when_new else [])
        if full['kind'] in CLUSTER_SCOPED:
            space.kubectl('delete', '-f', 'm.json', '--wait=false')


STATUS = {'subresources': {'status': {}}}


def custom_resources(cl, check):
    """The status of a custom resource is dropped only if its CRD has the subresource; also by discovery alone, and before the CRD
    exists."""
    space = Space(cl, 'unkept')
    group = space.name + '.example.com'
    crds = [definition(group, 'With', version=STATUS), definition(group, 'Without')]
    objects = [of(group + '/v1', kind, 'w', spec={'a': 1}, status={'x': 1}) for kind in ('With', 'Without')]
    told = json.loads(space.explain([*crds, *objects], '-o', 'json').stdout)['objects'][2:]
    check.equal('of a CRD of the input', [[r['path'] for r in o['changes']] for o in told],
                [['metadata', 'spec'], ['metadata', 'spec', 'status']])
    try:
        must(space.apply(crds, '--wait-ready'))
        space.await_api(group + '/v1')
        for flags in ((), ('--openapi-patch=false',)):
            for thing in objects:
                has, name = thing['kind'] == 'With', '%s %s' % (thing['kind'], ' '.join(flags))
                must(space.apply(merge(thing, {'status': None}), *flags))
                must(space.apply(thing, *flags))
                check.equal(name + ': what live has', space.live(thing).get('status'), None if has else {'x': 1})
                check.did(name + ': again', space.apply(thing, *flags), 'unchanged')
                changed = merge(thing, {'status': {'x': 2}})
                must(space.apply(changed, *flags))
                check.equal(name + ': a change', space.live(thing).get('status'), None if has else {'x': 2})
                check.says(name + ': explain-diff', space.explain(merge(thing, {'status': {'x': 3}})), 1,
                           has=['records another value for status.x'] if has else ['~ status.x'])
                space.kubectl('delete', '-f', space.write('m.json', thing))
    finally:
        space.kubectl('delete', 'crd', 'withs.' + group, 'withouts.' + group, '--wait=false')


def unknown_fields(cl, check):
    """What only the server's schema drops is no line of facts: apply learns it from the answer, and says so. kubectl: configured, again
    and again."""
    space = Space(cl, 'unkept')
    group = space.name + '.example.com'
    schema = {'type': 'object', 'properties': {'spec': {'type': 'object', 'properties': {'a': {'type': 'integer'}}}}}
    try:
        must(space.apply(definition(group, 'Strict', schema), '--wait-ready'))
        space.await_api(group + '/v1')
        thing = of(group + '/v1', 'Strict', 'w', spec={'a': 1, 'b': 2})
        check.did('first', space.apply(thing, '--validate=ignore'), 'created')
        for flags, said in ((), 'unchanged'), (['--dry-run=server'], 'unchanged (server dry run)'):
            again = space.apply(thing, '--validate=ignore', *flags)
            check.did('again %s' % (flags,), again, said)
            check.has('names the field', again.stderr, 'the server does not keep what the manifest says of spec.b')
        done = json.loads(space.apply(thing, '--validate=ignore', '-o', 'result-json').stdout)['objects'][0]
        check.equal('as data', (done['action'], done['notKept']), ('unchanged', ['spec.b']))
        changed = space.apply(merge(thing, {'spec': {'a': 3}}), '--validate=ignore')
        check.did('beside a change', changed, 'configured')
        check.did('as kubectl', space.apply(merge(thing, {'spec': {'a': 3}}), '--validate=ignore', '--compat=kubectl'), 'configured')
    finally:
        space.kubectl('delete', 'crd', 'stricts.' + group, '--wait=false')


if __name__ == '__main__':
    sys.exit(harness.run(__doc__, lines, new_objects, custom_resources, unknown_fields))
