#!/usr/bin/env python3
"""kubectl smp connects wherever kubectl connects: credential programs, impersonation, proxies, TLS, kubeconfigs. Each case runs both
programs; what one can reach, the other must, and where both fail ours must say what to do."""
import json
import os
import pty
import sys
import urllib.parse

import harness
from harness import peers
from harness.proxy import Handler, Proxy, kubeconfig_of

MANIFEST = 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: connections}\ndata: {a: "1"}\n'
V1 = 'client.authentication.k8s.io/v1'


class Setup:
    """What the cases share: the cluster's address, credentials, and kubeconfigs that differ in one thing."""

    def __init__(self, cl, check):
        self.cl, self.check = cl, check
        config = cl.config()
        self.cluster = config['clusters'][0]['cluster']
        self.token = config['users'][0]['user']['token']
        self.port = urllib.parse.urlparse(self.cluster['server']).port
        self.folder = os.path.dirname(cl.kubeconfig)
        self.own = peers.Certificates(cl.path('pki'), 'own')
        self.other = peers.Certificates(cl.path('pki'), 'other')
        cl.write('m.yaml', MANIFEST)
        self.read = cl.read

    def kubeconfig(self, name, user=None, **cluster_fields):
        fields = {k: v for k, v in {**self.cluster, **cluster_fields}.items() if v is not None}
        user = {'token': self.token} if user is None else user
        return self.cl.write(name + '.kubeconfig', kubeconfig_of(fields, user, namespace='default'))

    def plane(self, name):
        """The text of a file of the control plane."""
        with open(os.path.join(self.folder, name), encoding='utf-8') as f:
            return f.read()

    def script(self, name, text):
        return self.cl.script(name, 'cd "%s"\n%s' % (self.cl.dir, text))

    def smp(self, kubeconfig, *args, **env):
        return self.cl.smp('explain-diff', '-f', 'm.yaml', *args, kubeconfig=kubeconfig, **env)

    def kubectl(self, kubeconfig, *args, **env):
        return self.cl.kubectl('get', 'configmaps', *args, kubeconfig=kubeconfig, **env)

    def works(self, name, kubeconfig, *args, **env):
        """Both programs get through to the API server."""
        self.check.says(name, self.smp(kubeconfig, *args, **env), 1)
        self.check.says(name + ' (kubectl)', self.kubectl(kubeconfig, *args, **env))

    def fails(self, name, parts, kubeconfig, *args, kubectl_too=True, **env):
        ours = self.smp(kubeconfig, *args, **env)
        self.check.says(name, ours, 2, err=[parts] if isinstance(parts, str) else parts)
        if kubectl_too:
            self.check.true(name + ' (kubectl)', self.kubectl(kubeconfig, *args, **env).returncode, 'it works')
        return ours


def exec_user(command, **fields):
    return {'exec': dict({'apiVersion': V1, 'command': command, 'interactiveMode': 'Never'}, **fields)}


def credential(status, version=V1):
    return 'cat <<\'END\'\n%s\nEND\n' % json.dumps({'apiVersion': version, 'kind': 'ExecCredential', 'status': status})


def exec_plugins(s):
    token = credential({'token': s.token, 'expirationTimestamp': '2100-01-01T00:00:00Z'})
    s.script('login', 'echo run >> runs; echo "hello from the plugin" >&2\n' + token)
    kubeconfig = s.kubeconfig('exec', exec_user('./login'))
    result = s.smp(kubeconfig, '-v=9')
    s.check.says('exec: token', result, 1)
    s.check.equal('exec: run once', s.read('runs'), 'run\n')
    s.check.has('exec: its stderr is shown', result.stderr, 'hello from the plugin')
    s.check.has('exec: its token is not', result.stderr + result.stdout, lacks=[s.token])
    s.works('exec: relative to the kubeconfig', kubeconfig)
    s.works('exec: on PATH', s.kubeconfig('exec-path', exec_user('login')), PATH=s.cl.dir + ':' + os.environ['PATH'])

    s.script('login-beta', credential({'token': s.token}, V1 + 'beta1'))
    s.works('exec: v1beta1', s.kubeconfig('exec-beta', {'exec': {'apiVersion': V1 + 'beta1', 'command': './login-beta'}}))

    s.script('login-cert', credential({'clientCertificateData': s.plane('client.crt'), 'clientKeyData': s.plane('client.key')}))
    s.works('exec: certificate', s.kubeconfig('exec-cert', exec_user('./login-cert')))

    # 401: a wrong token first; the sockets of the connection must not reach the plugin when it is run again.
    s.script('login-late', 'ls -l /proc/$$/fd > "fds$(wc -l < late-runs 2>/dev/null)"\necho run >> late-runs\n'
             'if [ "$(wc -l < late-runs)" = 1 ]; then\n%selse\n%sfi\n' % (credential({'token': 'stale-token'}), token))
    result = s.smp(s.kubeconfig('exec-late', exec_user('./login-late')))
    s.check.says('exec: a refused token is requested again', result, 1)
    s.check.equal('exec: and only once', s.read('late-runs'), 'run\nrun\n')
    s.check.has('exec: no sockets leak into it', s.read('fds1'), 'pipe:', lacks=['socket:'])

    s.script('login-never', 'echo run >> never-runs\n' + 'n=$(wc -l < never-runs)\ncat <<END\n'
             '{"apiVersion":"%s","kind":"ExecCredential","status":{"token":"wrong-$n"}}\nEND\n' % V1)
    s.fails('exec: token that is never accepted', 'You must be logged in to the server',
            s.kubeconfig('exec-never', exec_user('./login-never')), kubectl_too=False)
    s.check.equal('exec: is not asked for ever', s.read('never-runs'), 'run\nrun\n')

    s.script('login-info', 'printf "%s" "$KUBERNETES_EXEC_INFO" > info-$WHO; printf "%s|" "$@" > args\n' + token)
    info = s.kubeconfig('exec-info', exec_user('./login-info', args=['a b', '$HOME', ';'], provideClusterInfo=True,
                                               env=[{'name': 'WHO', 'value': 'us'}]),
                        extensions=[{'name': 'client.authentication.k8s.io/exec', 'extension': {'audience': 'x'}}])
    s.smp(info)
    s.check.equal('exec: arguments without a shell', s.read('args'), 'a b|$HOME|;|')
    ours = json.loads(s.read('info-us'))
    s.kubectl(info)
    s.check.equal('exec: KUBERNETES_EXEC_INFO as kubectl gives it', ours, json.loads(s.read('info-us')))

    s.fails('exec: program that does not exist', ['executable no-such-login not found', 'get it at example.com'],
            s.kubeconfig('exec-missing', exec_user('no-such-login', installHint='get it at example.com')))
    s.script('login-fails', 'exit 7')
    s.fails('exec: program that fails', 'failed with exit code 7; run it to see why, or log in again', s.kubeconfig('exec-fails', exec_user('./login-fails')))
    s.script('login-noise', 'echo ' + s.token)
    result = s.fails('exec: invalid output', 'not print an ExecCredential', s.kubeconfig('exec-noise', exec_user('./login-noise')))
    s.check.has('exec: output is not quoted', result.stderr, lacks=[s.token])
    s.fails('exec: interactiveMode Always without a terminal', 'exec plugin cannot support interactive mode',
            s.kubeconfig('exec-always', exec_user('./login', interactiveMode='Always')))
    ask_on_terminal(s, token)
    kuberc(s, kubeconfig)
    for provider, successor in (('gcp', 'gke-gcloud-auth-plugin'), ('azure', 'kubelogin'), ('oidc', 'oidc-login')):
        s.fails('auth-provider ' + provider, [provider, 'exec credential plugin', successor],
                s.kubeconfig(provider, {'auth-provider': {'name': provider, 'config': {}}}), kubectl_too=False)


class Expiring(Proxy):
    """A server that accepts the token t1 for the first `left` requests, and t2 from then on."""
    left = 40

    class handler(Handler):
        def do_GET(self):
            if self.proxy.accepts(self.headers.get('Authorization')):
                super().do_GET()
            else:
                self.body()
                self.fail(401, 'Unauthorized', 'Unauthorized')

        do_POST = do_PUT = do_PATCH = do_DELETE = do_HEAD = do_OPTIONS = do_GET

    def accepts(self, authorization):
        with self.lock:
            self.left -= 1
            return authorization == ('Bearer t1' if self.left >= 0 else 'Bearer t2')


def expired_in_the_middle(s):
    """A token that expires while objects are applied is replaced once, and each object is applied once."""
    namespace, count = s.cl.new_namespace('expired'), 60
    s.cl.write('many.yaml', [{'apiVersion': 'v1', 'kind': 'ConfigMap', 'metadata': {'name': 'c%d' % i}} for i in range(count)])
    s.script('login-expires', 'echo run >> expires-runs\nif [ "$(wc -l < expires-runs)" = 1 ]; then\n%selse\n%sfi\n' % (
        credential({'token': 't1'}), credential({'token': 't2'})))
    with Expiring(s.cl.upstream(), s.cl, context=peers.server_context(s.own.issue('expiring'))) as proxy:
        at = {'server': proxy.url, 'certificate-authority-data': None, 'certificate-authority': s.own.ca}
        result = s.cl.smp('apply', '-f', 'many.yaml', '-n', namespace, kubeconfig=s.kubeconfig('expiring', exec_user('./login-expires'), **at))
        created = [r['path'] for r in proxy.writes() if r['status'] == 201]
    s.check.says('401 in the middle of an apply', result, 0, out=''.join('configmap/c%d created\n' % i for i in range(count)))
    s.check.equal('401 in the middle: each object is created once', len(created), count)
    s.check.true('401 in the middle: some requests came later', proxy.left < 0, proxy.left)
    s.check.equal('401 in the middle: one new token', s.read('expires-runs'), 'run\nrun\n')


def ask_on_terminal(s, token):
    s.script('login-asks', 'read word; [ "$word" = sesame ] || exit 9\n' + token)
    kubeconfig = s.kubeconfig('exec-asks', exec_user('./login-asks', interactiveMode='IfAvailable'))
    terminal, stdin = pty.openpty()
    os.write(terminal, b'sesame\n')
    s.check.says('exec: may ask on a terminal', s.smp(kubeconfig, stdin=stdin), 1)
    os.close(terminal)
    os.close(stdin)
    piped = s.cl.smp('explain-diff', '-f', '-', kubeconfig=kubeconfig, stdin=MANIFEST)
    s.check.has('exec: never reads the manifest of -f -', piped.stderr, 'failed with exit code')


def kuberc(s, kubeconfig):
    head = 'apiVersion: kubectl.config.k8s.io/v1beta1\nkind: Preference\ncredentialPluginPolicy: '
    gate = {'KUBECTL_KUBERC': 'true'}
    deny = s.cl.write('deny.kuberc', head + 'DenyAll\n')
    s.fails('kuberc: DenyAll', 'not allowed', kubeconfig, KUBERC=deny, **gate)
    listed = s.cl.write('listed.kuberc', head + 'Allowlist\ncredentialPluginAllowlist:\n- command: %s/login\n' % s.cl.dir)
    s.works('kuberc: on the list', kubeconfig, KUBERC=listed, **gate)
    unlisted = s.cl.write('unlisted.kuberc', head + 'Allowlist\ncredentialPluginAllowlist:\n- command: aws\n')
    s.fails('kuberc: not on the list', 'not in the credentialPluginAllowlist', kubeconfig, KUBERC=unlisted, **gate)
    wrong = s.cl.write('wrong.kuberc', head + 'Allow\n')
    s.fails('kuberc: misspelt policy', 'unknown plugin policy', kubeconfig, KUBERC=wrong, **gate)
    s.fails('kuberc: by flag', 'not allowed', kubeconfig, '--kuberc', deny, KUBERC='', **gate)


def impersonation(s):
    plain = s.kubeconfig('plain')
    s.fails('--as', 'User "jane" cannot get resource "configmaps"', plain, '--as=jane')
    s.works('--as with --as-group', plain, '--as=jane', '--as-group=nobody', '--as-group=system:masters')
    s.fails('as of the kubeconfig', 'User "joe" cannot', s.kubeconfig('as', {'token': s.token, 'as': 'joe'}))
    groups = s.kubeconfig('as-groups', {'token': s.token, 'as': 'joe', 'as-groups': ['system:masters'], 'as-uid': '7',
                                        'as-user-extra': {'acme.com/why': ['a', 'b']}})
    s.works('as-groups of the kubeconfig', groups)
    s.fails('--as-group without --as', 'without impersonating a user', plain, '--as-group=g')
    s.fails('reader may not impersonate', 'User "smp-reader" cannot impersonate',
            os.path.join(s.folder, 'reader.kubeconfig'), '--as=jane')
    server = peers.Server()
    url = 'http://127.0.0.1:%d' % server.port
    for name, run in (('ours', s.smp), ('kubectl', s.kubectl)):
        server.requests.clear()
        run(groups, '--server', url, '--as-user-extra=why=c=d', '--as-user-extra=why=e', '--as-uid=9')
        got = sorted((k.lower(), v) for k, v in server.requests[0][1].items() if k.lower().startswith('impersonate'))
        wanted = [('impersonate-extra-acme.com%2fwhy', 'a'), ('impersonate-extra-acme.com%2fwhy', 'b'),
                  ('impersonate-extra-why', 'c=d'), ('impersonate-extra-why', 'e'), ('impersonate-group', 'system:masters'),
                  ('impersonate-uid', '9'), ('impersonate-user', 'joe')]
        s.check.equal('impersonation headers (%s)' % name, got, wanted)
    server.close()


def headers(s):
    server = peers.Server()
    url = 'http://127.0.0.1:%d' % server.port
    s.smp(s.kubeconfig('plain'), '--server', url)
    sent = server.requests[0][1]
    agent = sent.get('User-Agent', '')
    s.check.true('User-Agent', agent.startswith('kubectl-smp/v') and agent.endswith('(linux/%s)' % machine()), agent)
    s.check.equal('Accept-Encoding', sent.get('Accept-Encoding'), 'gzip')
    s.check('no token over plain http', sent.get('Authorization', ''))
    for name, kubeconfig, args in (('flag', s.kubeconfig('plain'), ['--disable-compression']),
                                   ('kubeconfig', s.kubeconfig('raw', **{'disable-compression': True}), [])):
        server.requests.clear()
        s.smp(kubeconfig, '--server', url, *args)
        s.check('compression off by ' + name, server.requests[0][1].get('Accept-Encoding', ''))
    s.works('without compression', s.kubeconfig('plain'), '--disable-compression')
    server.close()


def machine():
    return {'x86_64': 'amd64', 'aarch64': 'arm64'}.get(os.uname().machine, os.uname().machine)


def proxies(s):
    with open(s.own.ca, encoding='utf-8') as own:
        both = s.cl.path(s.cl.write('both.crt', s.plane('ca.crt') + own.read()))
    both_cas = {'certificate-authority-data': None, 'certificate-authority': both}
    open_proxy, login = peers.ForwardProxy(), peers.ForwardProxy(login='me:p@ss word')
    socks, socks_login = peers.ForwardProxy('socks5'), peers.ForwardProxy('socks5', login='me:secret')
    tls = peers.ForwardProxy('https', certificate=s.own.issue('proxy'))
    for name, proxy, url, fields in (
            ('http', open_proxy, open_proxy.url(), {}), ('http with a login', login, login.url('me:p%40ss%20word'), {}),
            ('https', tls, tls.url(), both_cas),
            ('socks5', socks, socks.url(), {}), ('socks5 with a login', socks_login, socks_login.url('me:secret'), {})):
        s.works('proxy-url: ' + name, s.kubeconfig('proxy', **dict(fields, **{'proxy-url': url})), NO_PROXY='*')
        s.check.true('proxy-url: %s is used, with one tunnel for all requests' % name, len(proxy.seen) in (2, 3, 4), proxy.seen)
        s.check('proxy-url: %s sees no token' % name,
                [t for t in proxy.seen if s.token in t or 'authorization: bearer' in t.lower()])
    cutting = peers.ForwardProxy(first_bytes=20000)
    # Without a cache, so that a document is read that is longer than what passes.
    result = s.smp(s.kubeconfig('proxy', **{'proxy-url': cutting.url()}), KUBECACHEDIR=s.cl.path('no-cache'))
    s.check.true('reads go on after a connection broke', result.returncode == 1 and len(cutting.seen) >= 2, result.stderr)
    s.works('--proxy-url', s.kubeconfig('plain'), '--proxy-url', open_proxy.url())

    # By a name that only the proxy can lead to its place.
    named = s.kubeconfig('named', server='https://api.smp.test:%d' % s.port, **{'tls-server-name': 'localhost'})
    socks.seen.clear()
    s.works('HTTPS_PROXY: http', named, HTTPS_PROXY=open_proxy.url())
    s.works('https_proxy: socks5', named, https_proxy=socks.url(), HTTPS_PROXY='')
    s.check.true('socks5 proxies look names up themselves', socks.seen and all(t.startswith('3 ') for t in socks.seen), socks.seen)
    for no_proxy in ('smp.test', '.smp.test', '*', 'api.smp.test:%d' % s.port):
        s.fails('NO_PROXY=' + no_proxy, 'no such host', named, HTTPS_PROXY=open_proxy.url(), NO_PROXY=no_proxy)
    s.works('NO_PROXY that does not match', named, HTTPS_PROXY=open_proxy.url(), NO_PROXY='test.smp,api.smp.test:1')
    s.fails('HTTP_PROXY and ALL_PROXY are not for https', 'no such host', named, HTTP_PROXY=open_proxy.url(),
            ALL_PROXY=open_proxy.url())
    dead = 'http://127.0.0.1:1'
    s.works('loopback needs no proxy', s.kubeconfig('plain'), HTTPS_PROXY=dead)
    s.fails('proxy that is down', ['proxyconnect tcp', 'connection refused', 'proxy-url'], named, HTTPS_PROXY=dead)
    s.fails('proxy that wants a login', ['407 Proxy Authentication Required', 'user:password@'],
            s.kubeconfig('proxy', **{'proxy-url': login.url()}))
    result = s.fails('proxy with a wrong login', '407', s.kubeconfig('proxy', **{'proxy-url': login.url('me:wrong-password')}))
    s.check.has('its password is not shown', result.stderr, lacks=['wrong-password'])
    refusing, socks_refusing = peers.ForwardProxy(refuse=True), peers.ForwardProxy('socks5', refuse=True)
    s.fails('proxy that refuses', 'refused to connect to the server (HTTP 403)',
            s.kubeconfig('proxy', **{'proxy-url': refusing.url()}))
    s.fails('socks5 proxy that refuses', 'could not connect to the server',
            s.kubeconfig('proxy', **{'proxy-url': socks_refusing.url()}))
    s.fails('https proxy of an unknown CA', ['the proxy', 'unknown authority'], s.kubeconfig('proxy', **{'proxy-url': tls.url()}))
    s.fails('proxy-url of another scheme', 'must be http, https, or socks5', s.kubeconfig('proxy', **{'proxy-url': 'ftp://x'}))


def tls_failures(s):
    def at(server, **fields):
        return s.kubeconfig('tls', server='https://127.0.0.1:%d' % server.port,
                            **dict({'certificate-authority-data': None, 'certificate-authority': s.own.ca}, **fields))

    good = peers.Server(peers.server_context(s.own.issue('server')))
    s.fails('TLS: a server of HTTP/1.1 is accepted', 'the server could not find the requested resource', at(good), kubectl_too=False)
    s.check.true('TLS: by HTTP/1.1', good.requests and good.requests[0][0].endswith('HTTP/1.1'), good.requests)
    s.fails('TLS: unknown CA', ['certificate signed by unknown authority', 'certificate-authority'],
            at(good, **{'certificate-authority': s.other.ca}))
    named = peers.Server(peers.server_context(s.own.issue('named', 'DNS:api.example')))
    s.fails('TLS: wrong name', ['not valid for 127.0.0.1', '--tls-server-name'], at(named))
    s.fails('TLS: tls-server-name', 'could not find the requested', at(named, **{'tls-server-name': 'api.example'}),
            kubectl_too=False)
    expired = peers.Server(peers.server_context(s.own.issue('expired', days=-1)))
    s.fails('TLS: expired', ['certificate has expired', 'renew the server'], at(expired))
    s.fails('TLS: insecure skips all that', 'could not find the requested', at(expired, **{'certificate-authority': None}),
            '--insecure-skip-tls-verify', kubectl_too=False)

    picky = peers.Server(peers.server_context(s.own.issue('picky'), client_ca=s.own.ca))
    # The alert of the server does not always arrive: it closes while the request is under way.
    s.fails('TLS: missing client certificate', 'the server requires a client certificate', at(picky))
    crt, key = s.other.issue('client')
    s.fails('TLS: client certificate of another CA', 'client certificate', at(picky),
            '--client-certificate', crt, '--client-key', key)
    crt, key = s.own.issue('expired-client', days=-1)
    s.fails('TLS: expired client certificate', 'client certificate', at(picky), '--client-certificate', crt,
            '--client-key', key)
    crt, key = s.own.issue('client')
    s.fails('TLS: client certificate that is accepted', 'could not find the requested', at(picky), '--client-certificate', crt,
            '--client-key', key, kubectl_too=False)
    s.fails('TLS: key of another certificate', 'client-key', at(picky), '--client-certificate', crt, '--client-key', s.own.ca_key)

    away = peers.Redirecting('http://127.0.0.1:%d/m.yaml' % peers.Server().port, peers.server_context(s.own.issue('away')))
    result = s.cl.smp('explain-diff', '-f', 'https://127.0.0.1:%d/m.yaml' % away.port, SSL_CERT_FILE=s.own.ca)
    s.check.says('TLS: a redirect from https to http', result, 2, err=['it redirects to "http://', 'which is not encrypted'])
    plain = peers.Server()
    s.fails('TLS: plain HTTP server', ['server gave HTTP response to HTTPS client', 'scheme and port of its URL'], at(plain))
    silent = peers.Silent()
    s.fails('TLS: silent server and --request-timeout', 'i/o timeout', at(silent), '--request-timeout=300ms')


def kubeconfigs(s):
    first = s.kubeconfig('first', {'token': 'wrong'})
    second = s.kubeconfig('second')
    lists = {'KUBECONFIG': ':'.join(map(s.cl.path, ('missing', second, first)))}
    for name, status, argv in (('ours', 1, (s.cl.tool, 'explain-diff', '-f', 'm.yaml')),
                               ('kubectl', 0, (s.cl.kubectl_path, 'get', 'configmaps'))):
        s.check.says('KUBECONFIG: the first of a list counts (%s)' % name, s.cl.run(*argv, **lists), status)
    s.cl.write('sub/token', s.token)
    s.works('tokenFile relative to the kubeconfig', s.kubeconfig('sub/relative', {'tokenFile': 'token'}))
    s.works('--token', first, '--token', s.token)
    s.fails('a wrong token', 'You must be logged in to the server', first)
    s.works('--client-certificate', s.kubeconfig('nobody', {}), '--client-certificate', os.path.join(s.folder, 'client.crt'),
            '--client-key', os.path.join(s.folder, 'client.key'))
    elsewhere = s.kubeconfig('elsewhere', server='https://127.0.0.1:1', **{'certificate-authority-data': None})
    s.works('--server and --certificate-authority', elsewhere, '--server', s.cluster['server'],
            '--certificate-authority', os.path.join(s.folder, 'ca.crt'))
    server = peers.Server(peers.server_context(s.own.issue('basic')))
    at = {'server': 'https://127.0.0.1:%d' % server.port, 'certificate-authority-data': None, 'certificate-authority': s.own.ca}
    s.smp(s.kubeconfig('basic', {'username': 'me', 'password': 'old'}, **at), '--password', 'pw')
    s.check.equal('basic auth', server.requests[0][1].get('Authorization'), 'Basic bWU6cHc=')


if __name__ == '__main__':
    sys.exit(harness.run(__doc__, exec_plugins, expired_in_the_middle, impersonation, headers, proxies, tls_failures, kubeconfigs, fixture=Setup))
