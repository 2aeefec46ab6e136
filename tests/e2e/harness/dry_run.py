"""What the API server says of objects when nothing is stored, and where in them its types are."""
import http.client
import json


def parsed(answer):
    try:
        return json.loads(answer)
    except ValueError:  # of a path that is not served
        return answer.decode(errors='replace')


class DryRun:
    """Creates objects in a namespace, with dryRun=All and strict validation of fields. Keeps one connection."""

    def __init__(self, upstream, namespace):
        self.upstream, self.namespace, self.connection = upstream, namespace, None
        self.types, self.paths, self.kinds, self.posts = {}, {}, {}, 0
        for url in [at['serverRelativeURL'] for at in self.get('/openapi/v3')['paths'].values()]:
            # With the hash the server redirects if another test has changed a CRD of that group since.
            status, document = self.send('GET', url.split('?')[0])
            assert status in (200, 404), '%s: %d %s' % (url, status, document)
            if status == 200 and document:  # else (404, or nothing in it) another test has just deleted the CRDs of that group
                self.read(document)

    def read(self, document):
        for name, node in document.get('components', {}).get('schemas', {}).items():
            self.types[name] = node
            for gvk in node.get('x-kubernetes-group-version-kind', []):
                self.kinds[key_of(gvk)] = name
        for path, operations in document.get('paths', {}).items():
            gvk = operations.get('post', {}).get('x-kubernetes-group-version-kind')
            if gvk and '{name}' not in path:
                self.paths[key_of(gvk)] = path.replace('{namespace}', self.namespace)

    def get(self, path):
        status, answer = self.send('GET', path)
        assert status == 200, '%s: %d %s' % (path, status, answer)
        return answer

    def send(self, method, path, body=None):
        text = json.dumps(body) if body is not None else None
        headers = {**self.upstream.headers, 'Content-Type': 'application/json'}
        for attempt in (1, 2):
            self.connection = self.connection or self.upstream.connect()
            try:
                self.connection.request(method, path, text, headers)
                response = self.connection.getresponse()
                return response.status, parsed(response.read())
            except (http.client.HTTPException, ConnectionError):
                self.connection.close()
                self.connection = None
                if attempt == 2:
                    raise

    def refusal(self, manifest):
        """Why the server does not take the object; nothing if it does."""
        path = self.paths.get((manifest.get('apiVersion'), manifest.get('kind')))
        if path is None:
            return 'no such kind'
        self.posts += 1
        status, answer = self.send('POST', path + '?dryRun=All&fieldValidation=Strict', manifest)
        return '' if status in (200, 201) else answer['message']

    def typed_maps(self, manifest):
        """Yields (path, type) for each map in the object whose type has a name: paths are lists of keys and indices."""
        yield from self.walk(manifest, {'$ref': '/' + self.kinds[(manifest['apiVersion'], manifest['kind'])]}, [])

    def walk(self, value, node, path):
        name = named(node)
        node = self.types[name] if name else node
        if isinstance(value, dict):
            if name:
                yield path, name
            for key, below in value.items():
                at = node.get('properties', {}).get(key, node.get('additionalProperties'))
                if isinstance(at, dict):
                    yield from self.walk(below, at, path + [key])
        elif isinstance(value, list):
            for i, item in enumerate(value):
                yield from self.walk(item, node.get('items', {}), path + [i])


def key_of(gvk):
    return '/'.join(filter(None, (gvk['group'], gvk['version']))), gvk['kind']


def named(node):
    """The component that a node refers to."""
    return next((n['$ref'].split('/')[-1] for n in [node, *node.get('allOf', [])] if '$ref' in n), None)
