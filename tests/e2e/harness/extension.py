"""An API server behind an APIService: it keeps its objects in memory, and publishes OpenAPI documents or none. It merges strategic merge
patches as Go does, by types that its documents need not tell."""
import json
import os
import ssl
import subprocess
import threading

from .cluster import must, until
from .manifests import merge, of
from .proxy import JsonHandler, serve, status_of

MERGE, STRATEGIC = 'application/merge-patch+json', 'application/strategic-merge-patch+json'


class Extension:
    """Serves group/v1 of the control plane for a with block. `kinds`: names of resources by kind. `document`: the OpenAPI v3 document.
    `merge`: merges a strategic merge patch into an object; without it, the server takes none."""

    def __init__(self, cl, group, kinds, document=None, merge=None):
        self.cl, self.group, self.kinds, self.document, self.strategic = cl, group, kinds, document, merge
        self.root, self.objects, self.patches, self.lock = '/apis/%s/v1' % group, {}, [], threading.Lock()

    def __enter__(self):
        self.server = serve(type('Bound', (Handler,), {'extension': self}), self.certificate())
        self.namespace = self.cl.new_namespace('extension')
        must(self.cl.smp('apply', '-f', self.cl.write(self.group + '.json', self.registration())))
        until('the APIService is available', self.available)
        if self.document:
            until('its document is published', lambda: self.cl.kubectl('get', '--raw', '/openapi/v3' + self.root).returncode == 0)
        return self

    def __exit__(self, *_):
        self.cl.kubectl('delete', 'apiservice', 'v1.' + self.group)
        self.server.shutdown()

    def certificate(self):
        must(self.cl.run('openssl', 'req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-subj', '/CN=extension', '-days', '1',
                         '-keyout', 'ext.key', '-out', 'ext.crt'))
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(self.cl.path('ext.crt'), self.cl.path('ext.key'))
        return context

    def registration(self):
        port = self.server.server_port
        reference = {'name': 'extension', 'namespace': self.namespace}
        return [of('v1', 'Service', 'extension', {'namespace': self.namespace}, spec={
            'type': 'ExternalName', 'externalName': '127.0.0.1', 'ports': [{'port': port}]}),
                of('apiregistration.k8s.io/v1', 'APIService', 'v1.' + self.group, spec={
                    'group': self.group, 'version': 'v1', 'insecureSkipTLSVerify': True, 'groupPriorityMinimum': 1000, 'versionPriority': 15,
                    'service': {**reference, 'port': port}})]

    def available(self):
        conditions = self.cl.get('apiservice', 'v1.' + self.group).get('status', {}).get('conditions', [])
        return any(c['type'] == 'Available' and c['status'] == 'True' for c in conditions)

    # What it answers: a status and a body.

    def get(self, path):
        if path == self.root:
            verbs = ['create', 'get', 'list', 'patch']
            return 200, {'kind': 'APIResourceList', 'apiVersion': 'v1', 'groupVersion': self.group + '/v1', 'resources': [
                {'name': plural, 'singularName': kind.lower(), 'namespaced': True, 'kind': kind, 'verbs': verbs} for kind, plural in self.kinds.items()]}
        if self.document and path == '/openapi/v3':
            return 200, {'paths': {self.root[1:]: {'serverRelativeURL': '/openapi/v3%s?hash=1' % self.root}}}
        if self.document and path == '/openapi/v3' + self.root:
            return 200, self.document
        return (200, self.objects[path]) if path in self.objects else self.listed(path)

    def listed(self, path):
        kind = next((kind for kind, plural in self.kinds.items() if path.endswith('/' + plural)), None)
        if not kind:
            return failure(404, 'NotFound')
        items = [item for name, item in self.objects.items() if name.startswith(path + '/')]
        return 200, {'kind': kind + 'List', 'apiVersion': self.group + '/v1', 'metadata': {'resourceVersion': '1'}, 'items': items}

    def post(self, path, thing):
        thing['metadata'].update(uid='1', resourceVersion='1')
        self.objects['%s/%s' % (path, thing['metadata']['name'])] = thing
        return 201, thing

    def patch(self, path, media_type, patch):
        if media_type not in ((MERGE, STRATEGIC) if self.strategic else (MERGE,)):
            return failure(415, 'UnsupportedMediaType')
        self.patches.append((media_type, patch))
        before = self.objects[path]
        thing = self.strategic(before, patch) if media_type == STRATEGIC else merge(before, patch)
        if thing['metadata'].get('resourceVersion') != before['metadata']['resourceVersion']:
            return failure(409, 'Conflict')
        if thing != before:
            thing['metadata']['resourceVersion'] = str(int(thing['metadata']['resourceVersion']) + 1)
        self.objects[path] = thing
        return 200, thing


def failure(status, reason):
    return status, status_of(status, reason, reason)


class Handler(JsonHandler):
    extension = None

    def respond(self, method, *args):
        with self.extension.lock:
            answer = method(self.path.split('?')[0], *args)
        self.answer(*answer)

    def do_GET(self):
        self.respond(self.extension.get)

    def do_POST(self):
        self.respond(self.extension.post, json.loads(self.body()))

    def do_PATCH(self):
        self.respond(self.extension.patch, self.headers['Content-Type'], json.loads(self.body()))


class StrategicMerge:
    """Go's strategic merge, by the types of an OpenAPI v3 document: those that a server has, not those that it tells."""

    def __init__(self, cl, document, gvk):
        oracle = os.path.join(os.path.dirname(cl.kubectl_path), 'oracle')
        self.gvk = gvk
        self.oracle = subprocess.Popen([oracle, '--openapi', cl.path(cl.write('types.json', document))], stdin=subprocess.PIPE,
                                       stdout=subprocess.PIPE, text=True)

    def __call__(self, target, patch):
        question = {'id': 1, 'op': 'merge', 'target': target, 'patch': patch, 'type': 'strategic', 'gvk': self.gvk}
        self.oracle.stdin.write(json.dumps(question) + '\n')
        self.oracle.stdin.flush()
        answer = json.loads(self.oracle.stdout.readline())
        if 'result' not in answer:
            raise AssertionError(answer)
        return answer['result']

    def close(self):
        self.oracle.stdin.close()
        self.oracle.wait()
