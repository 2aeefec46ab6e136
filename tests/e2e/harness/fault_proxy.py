"""Proxies between a client and the API server that do harm at a chosen place, over TLS: FaultProxy speaks HTTP/1.1 and can break a
request or a response at any byte, StreamProxy passes on the frames of HTTP/2 and can end streams and connections.

Both note what reached the server in `forwarded`, as "METHOD path". A fault does harm `times` times, then all is well."""
import http.client
import json
import os
import re
import select
import socket
import ssl
import struct
import threading
import time
import urllib.parse
import zlib

from .peers import Certificates, Listener, server_context
from .proxy import kubeconfig_of, status_of


class Cut(Exception):
    """The connection is to be broken."""


class Rule:
    """Where a fault does harm. `path` is a regular expression; `skip` requests are spared; `early` is how much of the request is read:
    line, head or all of it. `alerts` is how many of the next connections are refused with a TLS alert."""

    def __init__(self, method, path, act, times=1, early=None, skip=0, alerts=0):
        self.method, self.path, self.act, self.times = method, path, act, times
        self.early, self.skip, self.alerts = early, skip, alerts
        self.hits = 0

    def matches(self, method, path):
        if method != self.method or not re.search(self.path, path):
            return False
        self.skip -= 1
        return self.skip < 0 and self.hits < self.times


def reset(connection):
    """Ends a connection with a TCP reset."""
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack('ii', 1, 0))
    os.close(connection.detach())


class TlsProxy(Listener):
    """What both proxies share: an address with a certificate of its own, rules, and notes."""
    protocols = ('http/1.1',)

    def __init__(self, cl):
        config = cl.config()
        self.target = urllib.parse.urlparse(config['clusters'][0]['cluster']['server'])
        self.rules, self.forwarded, self.lock = [], [], threading.Lock()
        super().__init__()
        certificates = Certificates(cl.path('fault-pki'), str(self.port))
        context = server_context(certificates.issue('proxy'))
        context.set_alpn_protocols(list(self.protocols))
        self.tls, self.alerts, self.down = context, 0, False
        cluster = {'server': 'https://127.0.0.1:%d' % self.port, 'certificate-authority': certificates.ca}
        self.kubeconfig = cl.path(cl.write('fault-%d.kubeconfig' % self.port, kubeconfig_of(cluster, config['users'][0]['user'])))

    def add(self, *args, **how):
        rule = Rule(*args, **how)
        with self.lock:
            self.rules.append(rule)
        return rule

    def hit(self, method, path):
        """The rule of this request, which counts as used."""
        with self.lock:
            for rule in self.rules:
                if rule.matches(method, path):
                    rule.hits += 1
                    return rule
        return None

    def note(self, method, path):
        with self.lock:
            self.forwarded.append('%s %s' % (method, path))

    def serve(self, connection):
        with self.lock:
            alert = self.alerts > 0
            self.alerts -= alert
        if alert:
            connection.recv(1)
            connection.sendall(b'\x15\x03\x03\x00\x02\x02\x50')  # fatal: internal_error
            return
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        secure = self.tls.wrap_socket(connection, server_side=True)
        try:
            self.converse(secure)
        except Cut:
            reset(secure)
        finally:
            secure.close()

    def dial(self):
        """A connection to the API server that takes the same protocols."""
        context = ssl._create_unverified_context()  # a test server on loopback
        context.set_alpn_protocols(list(self.protocols))
        plain = socket.create_connection((self.target.hostname, self.target.port), timeout=60)
        plain.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        return context.wrap_socket(plain)


# --- HTTP/1.1

class Exchange:
    """A request of the client's, for which the server may be asked."""

    def __init__(self, proxy, connection, method, path):
        self.proxy, self.connection, self.method, self.path = proxy, connection, method, path
        self.headers, self.body = [], b''

    def forward(self):
        """Returns status line with headers, and body, as bytes."""
        upstream = http.client.HTTPSConnection(self.proxy.target.netloc, context=ssl._create_unverified_context(), timeout=60)
        self.proxy.note(self.method, self.path)
        dropped = ('host', 'connection', 'content-length', 'transfer-encoding', 'expect')
        headers = {name: value for name, value in self.headers if name.lower() not in dropped}
        upstream.request(self.method, self.path, body=self.body or None, headers=headers)
        response = upstream.getresponse()
        body = response.read()
        upstream.close()
        kept = [(name, value) for name, value in response.getheaders() if name.lower() not in dropped]
        return head_of(response.status, response.reason, kept, len(body)), body

    def send(self, *parts):
        self.connection.sendall(b''.join(parts))

    def await_close(self):
        """Waits until the client gives up."""
        while self.connection.recv(65536):
            pass
        raise Cut


def head_of(status, reason, headers, length):
    lines = ['HTTP/1.1 %d %s' % (status, reason), *('%s: %s' % pair for pair in headers), 'Content-Length: %d' % length]
    return '\r\n'.join([*lines, '', '']).encode('latin-1')


class FaultProxy(TlsProxy):
    """Speaks HTTP/1.1."""

    def converse(self, connection):
        stream = connection.makefile('rb')
        while line := stream.readline():
            method, path, _ = line.decode('latin-1').split(' ', 2)
            rule = self.hit(method, path)
            exchange = Exchange(self, connection, method, path)
            if rule and rule.early == 'line':
                self.alerts = rule.alerts
                raise Cut
            read_headers(stream, exchange)
            if rule and rule.early == 'head':
                raise Cut
            read_body(stream, exchange)
            try:
                (rule.act if rule else pass_on)(exchange)
            except (ConnectionRefusedError, http.client.HTTPException):
                raise Cut from None  # the server is down


def read_headers(stream, exchange):
    while line := stream.readline().decode('latin-1').strip():
        name, _, value = line.partition(':')
        exchange.headers.append((name, value.strip()))


def read_body(stream, exchange):
    fields = {name.lower(): value for name, value in exchange.headers}
    if fields.get('transfer-encoding', '').lower() != 'chunked':
        exchange.body = stream.read(int(fields.get('content-length') or 0))
        return
    while size := int(stream.readline().split(b';')[0], 16):
        exchange.body += stream.read(size)
        stream.readline()
    stream.readline()


# What a rule does once the request was read.

def pass_on(exchange):
    exchange.send(*exchange.forward())


def cut_after(exchange):
    exchange.forward()
    raise Cut


def cut_in_head(exchange):
    head, _ = exchange.forward()
    exchange.send(head[:len(head) // 2])
    raise OSError  # an orderly end of the connection, in the wrong place


def cut_in_body(exchange):
    head, body = exchange.forward()
    exchange.send(head, body[:len(body) // 2])
    raise OSError


def garble(exchange):
    """Bytes that are no TLS record."""
    exchange.forward()
    with socket.socket(fileno=os.dup(exchange.connection.fileno())) as plain:
        plain.sendall(b'\x17\x03\x03\x00\x20' + b'?' * 32)
    raise OSError


def delay(exchange):
    time.sleep(0.3)
    pass_on(exchange)


def never_answer(exchange):
    exchange.forward()
    exchange.await_close()


def stall_in_body(exchange):
    head, body = exchange.forward()
    exchange.send(head, body[:len(body) // 2])
    exchange.await_close()


def answering(status, reason, retry_after=None):
    """The proxy's own answer, as that of a server that did nothing."""
    headers = [('Content-Type', 'application/json')] + ([('Retry-After', str(retry_after))] if retry_after is not None else [])
    body = json.dumps(status_of(status, reason, 'injected')).encode()

    def act(exchange):
        exchange.send(head_of(status, reason, headers, len(body)), body)
    return act


def done_but_answering(status, reason):
    """What a gateway says that has lost the answer of the server."""
    body = b'upstream connect error'

    def act(exchange):
        exchange.forward()
        exchange.send(head_of(status, reason, [('Content-Type', 'text/plain')], len(body)), body)
    return act


def rewriting(rewrite, media_type='application/json', headers=()):
    """The server does what it was asked for, and its answer comes as status 200 with another body."""

    def act(exchange):
        body = rewrite(exchange.forward()[1])
        exchange.send(head_of(200, 'OK', [('Content-Type', media_type), *headers], len(body)), body)
    return act


def not_forwarding(body, media_type='application/json'):
    """Somebody else answers with status 200, and the server knows nothing of it."""

    def act(exchange):
        exchange.send(head_of(200, 'OK', [('Content-Type', media_type)], len(body)), body)
    return act


def huge(exchange):
    """300 MiB of JSON, in 300 KB of gzip."""
    exchange.forward()
    block = zlib.compressobj(9, zlib.DEFLATED, -15)
    begin = b'\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\x03' + block.compress(b'{"a":"') + block.flush(zlib.Z_FULL_FLUSH)
    mebibyte = block.compress(b'x' * (1 << 20)) + block.flush(zlib.Z_FULL_FLUSH)
    body = begin + 300 * mebibyte
    exchange.send(head_of(200, 'OK', [('Content-Type', 'application/json'), ('Content-Encoding', 'gzip')], len(body)), body)


# --- HTTP/2

DATA, HEADERS, RST_STREAM, SETTINGS, GOAWAY = 0, 1, 3, 4, 7
END_STREAM, ACK = 1, 1
NO_ERROR, INTERNAL_ERROR, REFUSED_STREAM = 0, 2, 7
PREFACE = b'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'


def frame(kind, flags, stream, payload):
    return struct.pack('>I', len(payload))[1:] + bytes([kind, flags]) + struct.pack('>I', stream) + payload


class Frames:
    """Takes bytes and returns whole frames: kind, flags, stream, payload."""

    def __init__(self):
        self.buffer = b''

    def take(self, data):
        self.buffer += data
        out = []
        while len(self.buffer) >= 9:
            size = int.from_bytes(self.buffer[:3], 'big')
            if len(self.buffer) < 9 + size:
                break
            kind, flags, stream = self.buffer[3], self.buffer[4], int.from_bytes(self.buffer[5:9], 'big')
            out.append((kind, flags, stream, self.buffer[9:9 + size]))
            self.buffer = self.buffer[9 + size:]
        return out


def without_table(flags, payload):
    """Settings without a table of headers: each block of headers can be read, and left out, by itself."""
    if flags & ACK:
        return payload
    pairs = [payload[i:i + 6] for i in range(0, len(payload), 6)]
    return b''.join([pair for pair in pairs if pair[:2] != b'\0\1'] + [b'\0\1\0\0\0\0'])


def block_of(flags, payload):
    """The block of headers in a frame, without padding and priority."""
    begin, end = 0, len(payload)
    if flags & 0x08:
        begin, end = 1, end - payload[0]
    return payload[begin + (5 if flags & 0x20 else 0):end]


def method_of(block, body):
    """By RFC 7541, appendix A, :method is 2 for GET and 3 for POST; PATCH and DELETE have their names in letters."""
    while block and block[0] & 0xe0 == 0x20:  # the size of the table
        block = block[1:]
    if block[:1] in (b'\x82', b'\x83'):
        return {b'\x82': 'GET', b'\x83': 'POST'}[block[:1]]
    return 'DELETE' if b'"DeleteOptions"' in body else 'PATCH'


class Stream:
    """A request and its response, held back until they are complete."""

    def __init__(self):
        self.frames, self.block, self.body, self.method, self.rule = [], b'', b'', '', None
        self.answer, self.data = [], b''


class StreamProxy(TlsProxy):
    """Speaks HTTP/2. Its rules know no paths, so `path` is searched in the body of the answer instead; one client at a time."""
    protocols = ('h2',)

    def converse(self, connection):
        server = self.dial()
        try:
            Relay(self, connection, server).run()
        finally:
            server.close()


class Relay:
    """Passes frames on between two connections, in one thread."""

    def __init__(self, proxy, client, server):
        self.proxy, self.client, self.server, self.streams = proxy, client, server, {}

    def run(self):
        preface = b''
        while len(preface) < len(PREFACE):
            preface += self.client.recv(len(PREFACE) - len(preface)) or self.fail()
        self.server.sendall(preface)
        readers = {self.client: (Frames(), self.from_client), self.server: (Frames(), self.from_server)}
        while True:
            ready = [end for end in readers if end.pending()] or select.select(list(readers), [], [])[0]
            for end in ready:
                frames, handle = readers[end]
                for one in frames.take(end.recv(65536) or self.fail()):
                    handle(*one)

    @staticmethod
    def fail():
        raise OSError('closed')

    def to_client(self, *args):
        self.client.sendall(frame(*args))

    def to_server(self, *args):
        self.server.sendall(frame(*args))

    def from_client(self, kind, flags, number, payload):
        if kind == SETTINGS:
            payload = without_table(flags, payload)
        if kind not in (HEADERS, DATA):
            self.to_server(kind, flags, number, payload)
            return
        stream = self.streams.setdefault(number, Stream())
        stream.frames.append((kind, flags, number, payload))
        if kind == HEADERS:
            stream.block = block_of(flags, payload)
        else:
            stream.body += payload
        if flags & END_STREAM:
            self.request(number, stream)

    def request(self, number, stream):
        stream.method = method_of(stream.block, stream.body)
        if stream.method != 'GET':
            stream.rule = self.proxy.hit(stream.method, '')
        if stream.rule and stream.rule.early:
            stream.rule.act(self, number, stream)
            return
        self.proxy.note(stream.method, '')
        for one in stream.frames:
            self.to_server(*one)

    def from_server(self, kind, flags, number, payload):
        if kind == SETTINGS:
            payload = without_table(flags, payload)
        if kind not in (HEADERS, DATA) or number not in self.streams:
            self.to_client(kind, flags, number, payload)
            return
        stream = self.streams[number]
        stream.answer.append((kind, flags, number, payload))
        stream.data += payload if kind == DATA else b''
        if flags & END_STREAM:
            self.response(number, stream)

    def response(self, number, stream):
        if stream.method == 'GET':
            stream.rule = self.proxy.hit('GET', stream.data.decode('utf-8', 'replace'))
        if stream.rule:
            stream.rule.act(self, number, stream)
            return
        for one in stream.answer:
            self.to_client(*one)


# What a rule does with a stream: before the server sees the request (early), or instead of its answer.

def refuse_stream(relay, number, _):
    relay.to_client(RST_STREAM, 0, number, struct.pack('>I', REFUSED_STREAM))


def reset_stream(relay, number, _):
    relay.to_client(RST_STREAM, 0, number, struct.pack('>I', INTERNAL_ERROR))


def reset_in_body(relay, number, stream):
    relay.to_client(*stream.answer[0])
    relay.to_client(DATA, 0, number, stream.data[:len(stream.data) // 2])
    reset_stream(relay, number, stream)


def go_away_before(relay, number, _):
    """The server ends and promises that it did nothing of this request."""
    relay.to_client(GOAWAY, 0, 0, struct.pack('>II', max(number - 2, 0), NO_ERROR))
    raise OSError


def go_away_after(relay, number, _):
    """The server ends; it has done what was asked for and gives no answer."""
    relay.to_client(GOAWAY, 0, 0, struct.pack('>II', number, INTERNAL_ERROR))
    raise OSError
