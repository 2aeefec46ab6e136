#!/usr/bin/env python3
"""What is fetched to know the kinds of a server: documents once for each hash, custom resources a moment after their definition, and
an aggregated API that publishes no OpenAPI document."""
import json
import os
import re
import sys

import harness
from harness import until
from harness.extension import MERGE, Extension

CONFIG_MAP = 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: web}\ndata: {a: "%s"}\n'

SERVICE = 'apiVersion: v1\nkind: Service\nmetadata: {name: web}\nspec: {ports: [{port: 80}]}\n'

DEFINITION = '''apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: %(plural)s.%(group)s}
spec:
  group: %(group)s
  scope: Namespaced
  names: {plural: %(plural)s, singular: %(singular)s, kind: %(kind)s}
  versions:
  - name: v1
    served: true
    storage: true
    schema:
      openAPIV3Schema:
        type: object
        properties:
          spec: {type: object, x-kubernetes-preserve-unknown-fields: true}
'''

GROUP = 'ext.smp.test'
THING = 'apiVersion: ext.smp.test/v1\nkind: Thing\nmetadata: {name: one}\nspec: {size: %d, list: [%s]}\n'


def check_cache(cl, check, namespace):
    """The proxy's port is part of the server's identity, so both runs go through one proxy."""
    cl.write('web.yaml', CONFIG_MAP % 1)
    runs = []
    with cl.proxy() as proxy:
        for _ in range(2):
            del proxy.log[:]
            cl.must(cl.smp('apply', '-f', 'web.yaml', '-n', namespace, kubeconfig=proxy.kubeconfig))
            runs.append([r['path'] for r in proxy.log if r['path'].startswith('/openapi/')])
    documents = [[p for p in paths if p != '/openapi/v3'] for paths in runs]
    check('the first run fetches the index and one document',
          '' if len(documents[0]) == 1 and documents[0][0].startswith('/openapi/v3/api/v1?hash=') else runs[0])
    check('the second run fetches the index alone', '' if runs[1] == ['/openapi/v3'] else runs[1])
    folder = os.path.join(cl.dir, '.cache', 'smp')
    check('the cache is the user\'s alone', '' if os.stat(folder).st_mode & 0o777 == 0o700 else oct(os.stat(folder).st_mode))


def check_v2(cl, check, namespace):
    """A server before 1.24: the proxy hides /openapi/v3."""
    cl.write('svc.yaml', SERVICE)
    cl.must(cl.smp('apply', '-f', 'svc.yaml', '-n', namespace))
    cl.write('svc.yaml', SERVICE.replace('port: 80', 'port: 80, name: web, targetPort: 8080'))
    with cl.proxy(inject=[{'methods': ['GET'], 'path': '^/openapi/v3', 'status': 404, 'times': 1000}]) as proxy:
        result = cl.smp('apply', '-f', 'svc.yaml', '-n', namespace, kubeconfig=proxy.kubeconfig)
        statuses = []
        for _ in range(5):  # tests that run at the same time may define kinds
            statuses = [r['status'] for r in proxy.log if r['path'] == '/openapi/v2']
            if statuses[-1:] == [304]:
                break
            cl.must(cl.smp('apply', '-f', 'svc.yaml', '-n', namespace, kubeconfig=proxy.kubeconfig))
    check('the schema is read from /openapi/v2', '' if statuses[:1] == [200] else statuses)
    check('and not again until it changes', '' if statuses[-1:] == [304] else statuses)
    types = [r['type'] for r in proxy.log if r['method'] == 'PATCH']
    check('a Service is patched by strategic merge then, too',
          '' if types == ['application/strategic-merge-patch+json'] else '%s %s%s' % (types, result.stdout, result.stderr))
    port = cl.get('service', 'web', '-n', namespace)['spec']['ports'][0]
    check('and has the new port', '' if (port['name'], port['targetPort']) == ('web', 8080) else port)


def is_listed(cl, group_version, kind):
    listed = cl.raw('/apis/' + group_version)
    return bool(listed) and any(resource['kind'] == kind for resource in json.loads(listed)['resources'])


def check_new_definition(cl, check, namespace):
    group = 'g%s.smp.test' % re.sub('[^a-z0-9]', '', namespace)
    for plural, kind in (('widgets', 'Widget'), ('gadgets', 'Gadget')):
        name = '%s.%s' % (plural, group)
        cl.write('crd.yaml', DEFINITION % {'plural': plural, 'singular': plural[:-1], 'kind': kind, 'group': group})
        cl.write('cr.yaml', 'apiVersion: %s/v1\nkind: %s\nmetadata: {name: one}\nspec: {a: 1}\n' % (group, kind))
        cl.must(cl.smp('apply', '-f', 'crd.yaml'))
        until('%s of %s' % (kind, group), lambda: is_listed(cl, group + '/v1', kind))
        result = cl.smp('apply', '-f', 'cr.yaml', '-n', namespace)
        check('%s is applied as soon as discovery lists it' % kind,
              '' if result.stdout == '%s.%s/one created\n' % (kind.lower(), group) else result.stdout + result.stderr)
        cl.must(cl.kubectl('delete', 'customresourcedefinition', name, '--wait=false'))


def check_aggregated(cl, check, namespace):
    with Extension(cl, GROUP, {'Thing': 'things'}) as extension:
        check.true('the aggregated API is served', extension.available(), 'no')
        for text, expected in ((THING % (1, 'a'), 'created'), (THING % (1, 'a'), 'unchanged'), (THING % (2, 'a, b'), 'configured')):
            cl.write('thing.yaml', text)
            result = cl.smp('apply', '-f', 'thing.yaml', '-n', namespace)
            check('an object of an aggregated API is ' + expected,
                  '' if result.stdout == 'thing.%s/one %s\n' % (GROUP, expected) else result.stdout + result.stderr)
        patches = [(media_type, patch.get('spec')) for media_type, patch in extension.patches]
        check('it is patched by JSON merge patch', '' if patches == [(MERGE, {'size': 2, 'list': ['a', 'b']})] else patches)
        cl.write('thing.yaml', THING.replace('Thing', 'Nothing') % (1, 'a'))
        result = cl.smp('apply', '-f', 'thing.yaml', '-n', namespace)
        check('a kind that it does not have is an error', '' if 'no matches for kind "Nothing"' in result.stderr else result.stderr)


def stories(cl, check):
    namespace = cl.new_namespace('discovery')
    for story in (check_cache, check_v2, check_new_definition, check_aggregated):
        check.guard(story.__name__, story, cl, check, namespace)


if __name__ == '__main__':
    sys.exit(harness.run(__doc__, stories))
