"""Peers of connection tests on loopback: forward proxies (CONNECT and SOCKS 5), TLS servers, and certificates made with the openssl
program."""
import base64
import os
import socket
import ssl
import struct
import subprocess
import threading

from .proxy import JsonHandler


class Certificates:
    """A certificate authority in a folder."""

    def __init__(self, folder, name):
        self.folder, self.name = folder, name
        os.makedirs(folder, exist_ok=True)
        self.ca, self.ca_key = self._path(name + '-ca.crt'), self._path(name + '-ca.key')
        self._openssl('req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-days', '2',
                      '-subj', '/CN=%s-ca' % name, '-keyout', self.ca_key, '-out', self.ca)

    def _path(self, name):
        return os.path.join(self.folder, name)

    @staticmethod
    def _openssl(*args):
        subprocess.run(('openssl',) + args, check=True, capture_output=True)

    def issue(self, name, alt='IP:127.0.0.1', days=2, subject=None):
        """Returns the paths of certificate and key."""
        crt, key, csr, ext = (self._path('%s-%s.%s' % (self.name, name, end)) for end in ('crt', 'key', 'csr', 'ext'))
        with open(ext, 'w', encoding='utf-8') as f:
            f.write('subjectAltName=%s\n' % alt)
        self._openssl('req', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-subj',
                      subject or '/CN=' + name, '-keyout', key, '-out', csr)
        self._openssl('x509', '-req', '-in', csr, '-CA', self.ca, '-CAkey', self.ca_key, '-CAcreateserial', '-days',
                      str(days), '-extfile', ext, '-out', crt)
        return crt, key


def server_context(certificate, client_ca=None):
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(*certificate)
    if client_ca:
        context.verify_mode = ssl.CERT_REQUIRED
        context.load_verify_locations(client_ca)
    return context


class Listener:
    """Accepts on a free port of loopback and serves each connection in a thread of its own."""

    def __init__(self, context=None):
        self.context = context
        self.socket = socket.create_server(('127.0.0.1', 0))
        self.port = self.socket.getsockname()[1]
        threading.Thread(target=self._accept, daemon=True).start()

    def close(self):
        self.socket.close()

    def _accept(self):
        while True:
            try:
                connection = self.socket.accept()[0]
            except OSError:
                return
            threading.Thread(target=self._serve, args=(connection,), daemon=True).start()

    def _serve(self, connection):
        try:
            if self.context:
                connection = self.context.wrap_socket(connection, server_side=True)
            self.serve(connection)
        except (OSError, ValueError):
            pass
        finally:
            connection.close()


def _exactly(connection, count):
    data = b''
    while len(data) < count:
        block = connection.recv(count - len(data))
        if not block:
            raise OSError('closed')
        data += block
    return data


def _pump(source, target, limit=None):
    """Copies until the end, or at most `limit` bytes."""
    try:
        while (limit is None or limit > 0) and (block := source.recv(65536 if limit is None else min(limit, 65536))):
            target.sendall(block)
            limit = None if limit is None else limit - len(block)
    except OSError:
        pass
    for end in (source, target):
        try:
            end.shutdown(socket.SHUT_RDWR)
        except OSError:
            pass


class ForwardProxy(Listener):
    """Connects every host name to loopback. `seen` has what clients asked for, as text. The first connection breaks after
    `first_bytes` of the server's answer."""

    def __init__(self, scheme='http', certificate=None, login=None, refuse=False, first_bytes=None):
        self.scheme, self.login, self.refuse, self.seen, self.first_bytes = scheme, login, refuse, [], first_bytes
        super().__init__(server_context(certificate) if certificate else None)

    def url(self, login=None):
        return '%s://%s127.0.0.1:%d' % (self.scheme, login + '@' if login else '', self.port)

    def serve(self, connection):
        port = self._socks(connection) if self.scheme == 'socks5' else self._connect(connection)
        if port is None:
            return
        upstream = socket.create_connection(('127.0.0.1', port))
        limit = self.first_bytes if len(self.seen) == 1 else None
        threading.Thread(target=_pump, args=(upstream, connection, limit), daemon=True).start()
        _pump(connection, upstream)

    def _connect(self, connection):
        head = b''
        while b'\r\n\r\n' not in head:
            head += _exactly(connection, 1)
        text = head.decode('latin-1')
        self.seen.append(text)
        wanted = 'proxy-authorization: basic ' + base64.b64encode((self.login or '').encode()).decode()
        if self.login and wanted.lower() not in text.lower():
            connection.sendall(b'HTTP/1.1 407 Proxy Authentication Required\r\nContent-Length: 0\r\n\r\n')
            return None
        if self.refuse or not text.startswith('CONNECT '):
            connection.sendall(b'HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\n\r\n')
            return None
        connection.sendall(b'HTTP/1.1 200 Connection established\r\nX-Proxy: hello\r\n\r\n')
        return int(text.split()[1].rsplit(':', 1)[1])

    def _socks(self, connection):
        _, count = _exactly(connection, 2)
        methods = _exactly(connection, count)
        method = 2 if self.login else 0
        if method not in methods:
            connection.sendall(b'\x05\xff')
            return None
        connection.sendall(bytes([5, method]))
        if self.login and not self._socks_login(connection):
            return None
        _, _, _, kind = _exactly(connection, 4)
        size = {1: 4, 4: 16}.get(kind) or _exactly(connection, 1)[0]
        host = _exactly(connection, size)
        port = struct.unpack('>H', _exactly(connection, 2))[0]
        self.seen.append('%d %s:%d' % (kind, host.decode('latin-1') if kind == 3 else host.hex(), port))
        connection.sendall(b'\x05%c\x00\x01\x00\x00\x00\x00\x00\x00' % (2 if self.refuse else 0))
        return None if self.refuse else port

    def _socks_login(self, connection):
        _, size = _exactly(connection, 2)
        user = _exactly(connection, size)
        password = _exactly(connection, _exactly(connection, 1)[0])
        good = (user + b':' + password).decode() == self.login
        connection.sendall(b'\x01' + (b'\x00' if good else b'\x01'))
        return good


class Server(Listener):
    """Answers every GET over HTTP/1.1 with 404 as an API server would. `requests` has request lines and headers."""

    def __init__(self, context=None):
        self.requests = requests = []

        class Handler(JsonHandler):
            def do_GET(self):
                requests.append((self.requestline, self.headers))
                self.fail(404, 'NotFound', 'the server could not find the requested resource')

        self.handler = Handler
        super().__init__(context)

    def serve(self, connection):
        self.handler(connection, connection.getpeername(), None)


class Redirecting(Server):
    """Answers every GET with a redirect."""

    def __init__(self, to, context=None):
        super().__init__(context)

        class Handler(JsonHandler):
            def do_GET(self):
                self.answer(302, {}, Location=to)

        self.handler = Handler


class Silent(Listener):
    """Accepts connections and never answers."""

    def serve(self, connection):
        while connection.recv(65536):
            pass
