"""A proxy in front of the API server (plain HTTP in, TLS out) that records requests, answers some of them itself, and can do
something just before the first write. And a client of the API server that is neither of the tools."""
import http.client
import http.server
import json
import re
import ssl
import threading
import urllib.parse

# Headers that hold for one connection, or that the proxy sets itself.
OWN_HEADERS = ('host', 'connection', 'transfer-encoding', 'content-length', 'expect', 'authorization')


def status_of(code, reason, message):
    return {'kind': 'Status', 'apiVersion': 'v1', 'status': 'Failure', 'code': code, 'reason': reason, 'message': message}


class JsonHandler(http.server.BaseHTTPRequestHandler):
    """Answers with bytes or JSON; quiet, and with persistent connections."""
    protocol_version = 'HTTP/1.1'

    def log_message(self, *_):
        pass

    def send(self, status, data, media_type, **headers):
        self.send_response(status)
        for name, value in {'Content-Type': media_type, 'Content-Length': str(len(data)), **headers}.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(data)

    def answer(self, status, body, **headers):
        self.send(status, json.dumps(body).encode(), 'application/json', **headers)

    def fail(self, status, reason, message, **headers):
        self.answer(status, status_of(status, reason, message), **headers)

    def body(self):
        if self.headers.get('Transfer-Encoding', '').lower() != 'chunked':
            return self.rfile.read(int(self.headers.get('Content-Length') or 0))
        data = b''
        while size := int(self.rfile.readline().split(b';')[0].strip() or b'0', 16):
            data += self.rfile.read(size)
            self.rfile.readline()
        self.rfile.readline()
        return data


def serve(handler, context=None):
    """Starts a server on a free port of loopback, over TLS if there is a context."""
    server = http.server.ThreadingHTTPServer(('127.0.0.1', 0), handler)
    server.daemon_threads = True
    if context:
        server.socket = context.wrap_socket(server.socket, server_side=True)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return server


def kubeconfig_of(cluster, user=None, **context):
    return {'apiVersion': 'v1', 'kind': 'Config', 'current-context': 'x', 'clusters': [{'name': 'c', 'cluster': cluster}],
            'users': [{'name': 'u', 'user': user or {}}], 'contexts': [{'name': 'x', 'context': {'cluster': 'c', 'user': 'u', **context}}]}


class Upstream:
    """The API server of a kubeconfig, spoken to by somebody who is neither of the two tools."""

    def __init__(self, config):
        self.host = urllib.parse.urlparse(config['clusters'][0]['cluster']['server']).netloc
        self.context = ssl._create_unverified_context()  # a test server on loopback
        token = config['users'][0]['user'].get('token')
        self.headers = {'Authorization': 'Bearer ' + token} if token else {}

    def connect(self):
        return http.client.HTTPSConnection(self.host, context=self.context, timeout=120)

    def send(self, method, path, body=None, media_type='application/json'):
        connection = self.connect()
        text = json.dumps(body) if body is not None else None
        connection.request(method, path, text, {**self.headers, 'Content-Type': media_type})
        response = connection.getresponse()
        text = response.read().decode()
        connection.close()
        if response.status >= 300:
            raise AssertionError('%s %s: %d %s' % (method, path, response.status, text))
        return json.loads(text)


class Handler(JsonHandler):
    proxy = None  # each proxy has a class of its own

    def do_GET(self):
        body = self.body()
        self.proxy.before(self.command, self.path)
        bad = self.proxy.injected(self.command, self.path)
        if bad:
            self.fail(bad['status'], bad.get('reason', ''), bad.get('message', 'injected'), **bad.get('headers', {}))
            return
        connection = self.proxy.upstream.connect()
        headers = {k: v for k, v in self.headers.items() if k.lower() not in OWN_HEADERS}
        headers.update(self.proxy.upstream.headers)
        connection.request(self.command, self.path, body=body if body or self.command in ('POST', 'PUT', 'PATCH') else None, headers=headers)
        response = connection.getresponse()
        self.proxy.note(self.command, self.path, response.status, self.headers.get('Content-Type', ''), body)
        self.pass_on(response)
        connection.close()

    do_POST = do_PUT = do_PATCH = do_DELETE = do_HEAD = do_OPTIONS = do_GET

    def pass_on(self, response):
        self.send_response(response.status)
        for name, value in response.getheaders():
            if name.lower() not in OWN_HEADERS:
                self.send_header(name, value)
        length = response.getheader('Content-Length')
        if length is not None or self.command == 'HEAD' or response.status in (204, 304):
            self.send_header('Content-Length', length or '0')
            self.end_headers()
            self.wfile.write(response.read())
            return
        self.send_header('Transfer-Encoding', 'chunked')
        self.end_headers()
        while block := response.read1(65536):
            self.wfile.write(b'%x\r\n' % len(block) + block + b'\r\n')
            self.wfile.flush()
        self.wfile.write(b'0\r\n\r\n')


class Proxy:
    """For a with block. `log` has the requests, `kubeconfig` is the path of one that leads here. `inject` has the answers of the proxy:
    methods, path (a regular expression), status, and optionally reason, message, headers, times (1). `hook` is called once, before the
    first PATCH or PUT. `context`: for TLS."""
    handler = Handler

    def __init__(self, upstream, folder, inject=(), hook=None, context=None):
        self.upstream, self.log, self.inject, self.hook = upstream, [], [dict(rule) for rule in inject], hook
        self.lock = threading.Lock()
        self.server = serve(type('Handler', (self.handler,), {'proxy': self}), context)
        self.url = '%s://127.0.0.1:%d' % ('https' if context else 'http', self.server.server_port)
        self.kubeconfig = folder.path(folder.write('proxy-%d.kubeconfig' % self.server.server_port, kubeconfig_of({'server': self.url})))

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.server.shutdown()
        self.server.server_close()

    def before(self, method, path):
        if method in ('PATCH', 'PUT') and 'dryRun=All' not in path:
            with self.lock:
                hook, self.hook = self.hook, None
            if hook:
                hook()

    def injected(self, method, path):
        with self.lock:
            for rule in self.inject:
                if rule.get('times', 1) > 0 and method in rule['methods'] and re.search(rule.get('path', ''), path):
                    rule['times'] = rule.get('times', 1) - 1
                    self.log.append({'method': method, 'path': path, 'status': rule['status'], 'injected': True, 'body': '', 'type': ''})
                    return rule
        return None

    def note(self, method, path, status, media_type, body):
        with self.lock:
            self.log.append({'method': method, 'path': path, 'status': status, 'type': media_type, 'body': body.decode('utf-8', 'replace')})

    def requests(self):
        """The requests as "METHOD path"."""
        return ['%s %s' % (r['method'], r['path']) for r in self.log]

    def sent(self):
        """The requests that are not only reads."""
        return [r for r in self.log if r['method'] not in ('GET', 'HEAD')]

    def writes(self):
        """The requests that the server was to store something for."""
        return [r for r in self.sent() if not r.get('injected') and 'dryRun=All' not in r['path'] and '/apis/authorization.k8s.io/' not in r['path']]

    def parsed(self):
        """What was sent, without what is chance: order of the query, spelling of the JSON body."""
        urls = ((r, urllib.parse.urlparse(r['path'])) for r in self.sent())
        return [{'method': r['method'], 'path': url.path, 'query': [list(pair) for pair in sorted(urllib.parse.parse_qsl(url.query))],
                 'type': r['type'], 'body': json.loads(r['body'])} for r, url in urls]
