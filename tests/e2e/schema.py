#!/usr/bin/env python3
"""The patches that `schema` prints, against the real server: it carries out each (what it refuses then, it refuses as an object, not as a
patch), and it has the merge keys and defaults that are stated. `schema --from-server` says the same as the built-in schema."""
import json
import sys

import harness
from harness import must
from harness.dry_run import DryRun
from harness.manifests import of

POD = {'containers': [{'name': 'web', 'image': 'nginx', 'ports': [{'containerPort': 80}], 'env': [{'name': 'web', 'value': 'x'}],
                       'volumeMounts': [{'name': 'web', 'mountPath': '/data'}]}], 'volumes': [{'name': 'web', 'emptyDir': {}}]}
TEMPLATE = {'metadata': {'labels': {'app': 'web'}}, 'spec': POD}
SELECTOR = {'matchLabels': {'app': 'web'}}
OBJECTS = [of('apps/v1', 'Deployment', spec={'selector': SELECTOR, 'template': TEMPLATE}),
           of('v1', 'Service', spec={'ports': [{'port': 80, 'protocol': 'TCP'}], 'selector': {'app': 'web'}}),
           of('v1', 'ServiceAccount'), of('v1', 'ConfigMap', data={'web': 'x'}), of('v1', 'Pod', spec=POD)]
# What says that the server could not carry out a patch.
BROKEN = ('merge key', 'directive', 'strategic', 'setElementOrder', 'retainKeys', 'cannot unmarshal', 'unable to')


def entry(space, name, *flags):
    return json.loads(must(space.smp('schema', name, '-o', 'json', *flags)))


def fields_of(space, kind):
    """Yields the entries of the fields below spec, data and metadata, the first time a type is met."""
    seen, left = set(), [kind + '.' + top for top in ('metadata', 'spec', 'data')]
    while left:
        name = left.pop()
        result = space.smp('schema', name, '-o', 'json')
        if result.returncode:
            continue
        found = json.loads(result.stdout)
        yield found
        if found.get('component') in seen or len(name.split('.')) > 7:
            continue
        seen.add(found.get('component'))
        left += [name + '.' + field['name'] for field in found.get('fields', [])]


def story_of_patches(cl, check):
    space = harness.Space(cl, 'schema')
    server, count = DryRun(cl.upstream(), space.name), 0
    server.upstream.headers['Content-Type'] = 'application/strategic-merge-patch+json'
    for manifest in OBJECTS:
        manifest = space.named(manifest)
        must(space.apply(manifest, tool='kubectl'))
        path = server.paths[(manifest['apiVersion'], manifest['kind'])] + '/' + manifest['metadata']['name'] + '?dryRun=All'
        for found in fields_of(space, manifest['kind']):
            for example in found.get('examples', []):
                status, answer = patch(server, path, example['patch'])
                count += 1
                words = answer.get('message', '')
                broken = status not in (200, 422) or any(word in words for word in BROKEN)
                if broken and status != 409:
                    check('%s %s: the server carries it out' % (found['path'], example.get('directive', 'null')),
                          '%d %s: %s' % (status, words, json.dumps(example['patch'])))
    check.true('there are many examples', count > 200, count)
    print('%d examples' % count)


def patch(server, path, body):
    connection = server.upstream.connect()
    headers = {**server.upstream.headers, 'Content-Type': 'application/strategic-merge-patch+json'}
    connection.request('PATCH', path, json.dumps(body), headers)
    response = connection.getresponse()
    answer = json.loads(response.read())
    connection.close()
    return response.status, answer


def story_of_server(cl, check):
    space = harness.Space(cl, 'schema')
    for name in ('deployment.spec.strategy', 'service.spec.ports', 'pod.spec.containers', 'deploy.spec.replicas', 'svc.spec'):
        full = name.replace('deploy.', 'deployment.').replace('svc.', 'service.')
        builtin, served = entry(space, full), entry(space, name, '--from-server')
        for either in (builtin, served):
            del either['schema']
        check.equal(name + ' of the server', served, builtin)


if __name__ == '__main__':
    sys.exit(harness.run(__doc__, story_of_patches, story_of_server))
