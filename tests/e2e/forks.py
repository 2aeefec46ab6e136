#!/usr/bin/env python3
"""Servers with their own forks of types, as OpenShift has them: a DeploymentConfig with a Pod template in an aggregated API. Whatever its
document says or leaves out of how lists are merged, live ends as the manifest says and as explain-diff foretold, what others added stays
where the types are known, and the next apply sends nothing."""
import json
import sys

import harness
from harness import NotApplicable, Space, must
from harness.extension import Extension, MERGE, STRATEGIC, StrategicMerge
from harness.manifests import of, template
from harness.paths import at

DEPLOYMENT, FORK = 'io.k8s.api.apps.v1.Deployment', 'com.example.fork.v1.DeploymentConfig'
PLURAL = 'deploymentconfigs'


def changed_maps(value, change):
    """The value with the members of each map as `change` says, recursively."""
    if isinstance(value, dict):
        return change({name: changed_maps(below, change) for name, below in value.items()})
    return [changed_maps(item, change) for item in value] if isinstance(value, list) else value


def without_rules(members):
    """Of a document that says nothing of how lists are merged."""
    return {name: below for name, below in members.items() if not name.startswith(('x-kubernetes-patch', 'x-kubernetes-list'))}


def renamed(document):
    """The types of Kubernetes as another project's."""
    return json.loads(json.dumps(document).replace('io.k8s.api.', 'com.example.fork.'))


def document(cl, group, *patch_types):
    """That of a server which has Deployments under another name."""
    schemas = json.loads(must(cl.kubectl('get', '--raw', '/openapi/v3/apis/apps/v1')))['components']['schemas']
    gvk = {'group': group, 'version': 'v1', 'kind': 'DeploymentConfig'}
    fork = {**schemas[DEPLOYMENT], 'x-kubernetes-group-version-kind': [gvk]}
    patch = {'patch': {'x-kubernetes-group-version-kind': gvk, 'requestBody': {'content': {name: {} for name in patch_types}}}}
    return {'openapi': '3.0.0', 'info': {'title': 'Fork', 'version': 'v1'},
            'paths': {'/apis/%s/v1/namespaces/{namespace}/%s/{name}' % (group, PLURAL): patch},
            'components': {'schemas': {**schemas, FORK: fork}}}


def config(group, *containers):
    spec = template()
    spec['spec']['containers'] = list(containers)
    return of(group + '/v1', 'DeploymentConfig', 'web', spec={'replicas': 2, 'selector': {'matchLabels': {'a': 'b'}}, 'template': spec})


def container(name, image='x:1', **fields):
    return {'name': name, 'image': image, **fields}


def env(**values):
    return [{'name': name, 'value': value} for name, value in values.items()]


FIRST = [container('a', env=env(X='1', Y='2')), container('b', ports=[{'containerPort': 80}])]
THEN = [container('c'), container('a', 'x:2', env=env(Y='3'))]
# What somebody adds to live.
SIDECAR = container('sidecar', 'proxy:1')
CONTAINERS = 'spec.template.spec.containers'


def add_sidecar(extension):
    with extension.lock:
        live = next(iter(extension.objects.values()))
        at(live, CONTAINERS).append(SIDECAR)
        live['metadata']['resourceVersion'] += '0'


def foretold(space, manifest):
    return json.loads(space.explain(manifest, '-o', 'json').stdout)['objects'][0]


def by_name(containers):
    return sorted(containers, key=lambda item: item['name'])


def tell(cl, check, name, group, published, types, keeps):
    """`types`: of the server, if it takes strategic merge patches. `keeps`: the sidecar."""
    merge = StrategicMerge(cl, types, group + '/v1/DeploymentConfig') if types else None
    with Extension(cl, group, {'DeploymentConfig': PLURAL}, published, merge) as extension:
        space = Space(cl, 'forks')
        must(space.apply(config(group, *FIRST)))
        check.did(name + ': unchanged', space.apply(config(group, *FIRST)), 'unchanged')
        add_sidecar(extension)
        check.equal(name + ': a change is foretold', foretold(space, config(group, *THEN))['action'], 'change')
        check.did(name + ': applied', space.apply(config(group, *THEN)), 'configured')
        live = next(iter(extension.objects.values()))
        check.equal(name + ': the outcome', by_name(at(live, CONTAINERS)), by_name(THEN + ([SIDECAR] if keeps else [])))
        check.equal(name + ': the kind of patch', extension.patches[-1][0], STRATEGIC if types and keeps else MERGE)
        sent = len(extension.patches)
        check.did(name + ': applied again', space.apply(config(group, *THEN)), 'unchanged')
        check.equal(name + ': nothing more is sent', len(extension.patches), sent)
    if merge:
        merge.close()


def forks(cl, check):
    if cl.server.release() < (1, 27):
        raise NotApplicable('OpenAPI v3 of aggregated servers is not published')
    group = lambda n: 'fork%d.example.com' % n
    both = (MERGE, STRATEGIC)
    full = lambda n, *types: document(cl, group(n), *types)
    rows = {
        'types of Kubernetes': (group(1), full(1, *both), full(1, *both), True),
        'types of its own': (group(2), renamed(full(2, *both)), renamed(full(2, *both)), True),
        'a document without merge keys': (group(3), changed_maps(renamed(full(3, *both)), without_rules), renamed(full(3, *both)), False),
        'no strategic merge patches': (group(4), renamed(full(4, MERGE)), None, True),
        'no document': (group(5), None, None, False),
        'no document, though it takes strategic merge patches': (group(6), None, full(6, *both), False),
    }
    check.each(rows, lambda name, *row: tell(cl, check, name, *row))


if __name__ == '__main__':
    sys.exit(harness.run(__doc__, forks))
