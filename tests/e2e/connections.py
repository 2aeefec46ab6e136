#!/usr/bin/env python3
"""kubectl smp connects wherever kubectl connects: credential programs, impersonation, proxies, TLS, kubeconfigs. Each case
runs both programs; what one can reach, the other must, and where both fail ours must say what to do."""
import json
import os
import pty
import subprocess
import sys
import urllib.parse

import cluster
import peers

MANIFEST = 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: connections}\ndata: {a: "1"}\n'
V1 = 'client.authentication.k8s.io/v1'


class Setup:
    """What the cases share: the cluster's address, credentials, and kubeconfigs that differ in one thing."""

    def __init__(self, cl, check):
        self.cl, self.check = cl, check
        view = json.loads(cl.must(cl.kubectl('config', 'view', '--raw', '--flatten', '--minify', '-o', 'json')))
        self.cluster = view['clusters'][0]['cluster']
        self.token = view['users'][0]['user']['token']
        self.port = urllib.parse.urlparse(self.cluster['server']).port
        self.folder = os.path.dirname(cl.kubeconfig)
        self.own = peers.Certificates(os.path.join(cl.dir, 'pki'), 'own')
        self.other = peers.Certificates(os.path.join(cl.dir, 'pki'), 'other')
        cl.write('m.yaml', MANIFEST)

    def kubeconfig(self, name, user=None, **cluster_fields):
        fields = dict(self.cluster, **cluster_fields)
        config = {'apiVersion': 'v1', 'kind': 'Config', 'current-context': 'x',
                  'clusters': [{'name': 'c', 'cluster': {k: v for k, v in fields.items() if v is not None}}],
                  'users': [{'name': 'u', 'user': {'token': self.token} if user is None else user}],
                  'contexts': [{'name': 'x', 'context': {'cluster': 'c', 'user': 'u', 'namespace': 'default'}}]}
        return self.cl.write(name + '.kubeconfig', json.dumps(config))

    def script(self, name, text):
        path = os.path.join(self.cl.dir, self.cl.write(name, '#!/bin/sh\ncd "%s"\n%s' % (self.cl.dir, text)))
        os.chmod(path, 0o700)
        return path

    def read(self, name):
        try:
            with open(os.path.join(self.cl.dir, name), encoding='utf-8') as f:
                return f.read()
        except FileNotFoundError:
            return ''

    def smp(self, kubeconfig, *args, **env):
        return self.cl.run(self.cl.tool, 'explain-diff', '-f', 'm.yaml', '--kubeconfig', kubeconfig, *args, **env)

    def works(self, name, kubeconfig, *args, **env):
        """Both programs get through to the API server."""
        ours = self.smp(kubeconfig, *args, **env)
        self.check(name, '' if ours.returncode == 1 else 'exit %d: %s%s' % (ours.returncode, ours.stdout, ours.stderr))
        theirs = self.cl.run(self.cl.kubectl_path, 'get', 'configmaps', '--kubeconfig', kubeconfig, *args, **env)
        self.check(name + ' (kubectl)', '' if theirs.returncode == 0 else theirs.stderr)
        return ours

    def fails(self, name, needles, kubeconfig, *args, kubectl_too=True, **env):
        ours = self.smp(kubeconfig, *args, **env)
        missing = [n for n in ([needles] if isinstance(needles, str) else needles) if n not in ours.stderr]
        said = 'exit %d: %s' % (ours.returncode, ours.stderr)
        self.check(name, said + '\nlacks %s' % missing if missing or ours.returncode != 2 else '')
        if kubectl_too:
            theirs = self.cl.run(self.cl.kubectl_path, 'get', 'configmaps', '--kubeconfig', kubeconfig, *args, **env)
            self.check(name + ' (kubectl)', 'it works' if theirs.returncode == 0 else '')
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
    s.check('exec: token', '' if result.returncode == 1 else result.stderr)
    s.check('exec: run once', '' if s.read('runs') == 'run\n' else s.read('runs'))
    s.check('exec: its stderr is shown', '' if 'hello from the plugin' in result.stderr else result.stderr)
    s.check('exec: its token is not', result.stderr if s.token in result.stderr + result.stdout else '')
    s.works('exec: relative to the kubeconfig', kubeconfig)
    s.works('exec: on PATH', s.kubeconfig('exec-path', exec_user('login')), PATH=s.cl.dir + ':' + os.environ['PATH'])

    s.script('login-beta', credential({'token': s.token}, V1 + 'beta1'))
    s.works('exec: v1beta1', s.kubeconfig('exec-beta', {'exec': {'apiVersion': V1 + 'beta1', 'command': './login-beta'}}))

    with open(os.path.join(s.folder, 'client.crt'), encoding='utf-8') as crt, \
         open(os.path.join(s.folder, 'client.key'), encoding='utf-8') as key:
        s.script('login-cert', credential({'clientCertificateData': crt.read(), 'clientKeyData': key.read()}))
    s.works('exec: certificate', s.kubeconfig('exec-cert', exec_user('./login-cert')))

    # 401: a wrong token first; the sockets of the connection must not reach the plugin when it is run again.
    s.script('login-late', 'ls -l /proc/$$/fd > "fds$(wc -l < late-runs 2>/dev/null)"\necho run >> late-runs\n'
             'if [ "$(wc -l < late-runs)" = 1 ]; then\n%selse\n%sfi\n' % (credential({'token': 'stale-token'}), token))
    result = s.smp(s.kubeconfig('exec-late', exec_user('./login-late')))
    s.check('exec: refused token is got again', '' if result.returncode == 1 else result.stderr)
    s.check('exec: and once only', '' if s.read('late-runs') == 'run\nrun\n' else s.read('late-runs'))
    fds = s.read('fds1')
    s.check('exec: no sockets leak into it', '' if 'pipe:' in fds and 'socket:' not in fds else fds)

    s.script('login-never', 'echo run >> never-runs\n' + 'n=$(wc -l < never-runs)\ncat <<END\n'
             '{"apiVersion":"%s","kind":"ExecCredential","status":{"token":"wrong-$n"}}\nEND\n' % V1)
    s.fails('exec: token that is never accepted', 'You must be logged in to the server',
            s.kubeconfig('exec-never', exec_user('./login-never')), kubectl_too=False)
    s.check('exec: is not asked for ever', '' if s.read('never-runs') == 'run\nrun\n' else s.read('never-runs'))

    s.script('login-info', 'printf "%s" "$KUBERNETES_EXEC_INFO" > info-$WHO; printf "%s|" "$@" > args\n' + token)
    info = s.kubeconfig('exec-info', exec_user('./login-info', args=['a b', '$HOME', ';'], provideClusterInfo=True,
                                               env=[{'name': 'WHO', 'value': 'us'}]),
                        extensions=[{'name': 'client.authentication.k8s.io/exec', 'extension': {'audience': 'x'}}])
    s.smp(info)
    s.check('exec: arguments without a shell', '' if s.read('args') == 'a b|$HOME|;|' else s.read('args'))
    ours = json.loads(s.read('info-us'))
    s.cl.run(s.cl.kubectl_path, 'get', 'configmaps', '--kubeconfig', info)
    theirs = json.loads(s.read('info-us'))
    s.check('exec: KUBERNETES_EXEC_INFO as kubectl gives it', '' if ours == theirs else '%s\n%s' % (ours, theirs))

    s.fails('exec: program that is not there', ['executable no-such-login not found', 'get it at example.com'],
            s.kubeconfig('exec-missing', exec_user('no-such-login', installHint='get it at example.com')))
    s.script('login-fails', 'exit 7')
    s.fails('exec: program that fails', 'failed with exit code 7', s.kubeconfig('exec-fails', exec_user('./login-fails')))
    s.script('login-noise', 'echo ' + s.token)
    result = s.fails('exec: output that is none', 'no ExecCredential', s.kubeconfig('exec-noise', exec_user('./login-noise')))
    s.check('exec: output is not quoted', result.stderr if s.token in result.stderr else '')
    s.fails('exec: interactiveMode Always without a terminal', 'exec plugin cannot support interactive mode',
            s.kubeconfig('exec-always', exec_user('./login', interactiveMode='Always')))
    ask_on_terminal(s, token)
    kuberc(s, kubeconfig)
    for provider, successor in (('gcp', 'gke-gcloud-auth-plugin'), ('azure', 'kubelogin'), ('oidc', 'oidc-login')):
        s.fails('auth-provider ' + provider, [provider, 'exec credential plugin', successor],
                s.kubeconfig(provider, {'auth-provider': {'name': provider, 'config': {}}}), kubectl_too=False)


def ask_on_terminal(s, token):
    s.script('login-asks', 'read word; [ "$word" = sesame ] || exit 9\n' + token)
    kubeconfig = s.kubeconfig('exec-asks', exec_user('./login-asks', interactiveMode='IfAvailable'))
    terminal, stdin = pty.openpty()
    os.write(terminal, b'sesame\n')
    result = subprocess.run([s.cl.tool, 'explain-diff', '-f', 'm.yaml', '--kubeconfig', kubeconfig], stdin=stdin,
                            capture_output=True, text=True, cwd=s.cl.dir, env=s.cl.env(), timeout=60, check=False)
    os.close(terminal)
    os.close(stdin)
    s.check('exec: may ask on a terminal', '' if result.returncode == 1 else result.stderr)
    piped = s.cl.run(s.cl.tool, 'explain-diff', '-f', '-', '--kubeconfig', kubeconfig, stdin=MANIFEST)
    s.check('exec: never reads the manifest of -f -', '' if 'failed with exit code' in piped.stderr else piped.stderr)


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
    for name, tool, verb in (('ours', s.cl.tool, ('explain-diff', '-f', 'm.yaml')),
                             ('kubectl', s.cl.kubectl_path, ('get', 'configmaps'))):
        server.requests.clear()
        s.cl.run(tool, *verb, '--server', url, '--kubeconfig', groups, '--as-user-extra=why=c=d',
                 '--as-user-extra=why=e', '--as-uid=9')
        got = sorted((k.lower(), v) for k, v in server.requests[0][1].items() if k.lower().startswith('impersonate'))
        wanted = [('impersonate-extra-acme.com%2fwhy', 'a'), ('impersonate-extra-acme.com%2fwhy', 'b'),
                  ('impersonate-extra-why', 'c=d'), ('impersonate-extra-why', 'e'), ('impersonate-group', 'system:masters'),
                  ('impersonate-uid', '9'), ('impersonate-user', 'joe')]
        s.check('impersonation headers (%s)' % name, '' if got == wanted else got)
    server.close()


def headers(s):
    server = peers.Server()
    url = 'http://127.0.0.1:%d' % server.port
    s.smp(s.kubeconfig('plain'), '--server', url)
    sent = server.requests[0][1]
    agent = sent.get('User-Agent', '')
    s.check('User-Agent', '' if agent.startswith('kubectl-smp/v') and agent.endswith('(linux/%s)' % machine()) else agent)
    s.check('Accept-Encoding', '' if sent.get('Accept-Encoding') == 'gzip' else sent.get('Accept-Encoding'))
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
    with open(os.path.join(s.folder, 'ca.crt'), encoding='utf-8') as a, open(s.own.ca, encoding='utf-8') as b:
        both_cas = {'certificate-authority-data': None,
                    'certificate-authority': os.path.join(s.cl.dir, s.cl.write('both.crt', a.read() + b.read()))}
    open_proxy, login = peers.ForwardProxy(), peers.ForwardProxy(login='me:p@ss word')
    socks, socks_login = peers.ForwardProxy('socks5'), peers.ForwardProxy('socks5', login='me:secret')
    tls = peers.ForwardProxy('https', certificate=s.own.issue('proxy'))
    for name, proxy, url, fields in (
            ('http', open_proxy, open_proxy.url(), {}), ('http with a login', login, login.url('me:p%40ss%20word'), {}),
            ('https', tls, tls.url(), both_cas),
            ('socks5', socks, socks.url(), {}), ('socks5 with a login', socks_login, socks_login.url('me:secret'), {})):
        s.works('proxy-url: ' + name, s.kubeconfig('proxy', **dict(fields, **{'proxy-url': url})), NO_PROXY='*')
        s.check('proxy-url: %s is used, with one tunnel for all requests' % name,
                '' if len(proxy.seen) in (2, 3, 4) else '%d: %s' % (len(proxy.seen), proxy.seen))
        s.check('proxy-url: %s sees no token' % name,
                [t for t in proxy.seen if s.token in t or 'authorization: bearer' in t.lower()])
    cutting = peers.ForwardProxy(first_bytes=20000)
    result = s.smp(s.kubeconfig('proxy', **{'proxy-url': cutting.url()}))
    s.check('reads go on after a connection broke', '' if result.returncode == 1 and len(cutting.seen) >= 2 else result.stderr)
    s.works('--proxy-url', s.kubeconfig('plain'), '--proxy-url', open_proxy.url())

    # By a name that only the proxy can lead to its place.
    named = s.kubeconfig('named', server='https://api.smp.test:%d' % s.port, **{'tls-server-name': 'localhost'})
    socks.seen.clear()
    s.works('HTTPS_PROXY: http', named, HTTPS_PROXY=open_proxy.url())
    s.works('https_proxy: socks5', named, https_proxy=socks.url(), HTTPS_PROXY='')
    s.check('socks5 proxies look names up themselves',
            '' if socks.seen and all(t.startswith('3 ') for t in socks.seen) else socks.seen)
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
    s.check('its password is not shown', result.stderr if 'wrong-password' in result.stderr else '')
    refusing, socks_refusing = peers.ForwardProxy(refuse=True), peers.ForwardProxy('socks5', refuse=True)
    s.fails('proxy that refuses', 'refuses to connect to the server (HTTP 403)',
            s.kubeconfig('proxy', **{'proxy-url': refusing.url()}))
    s.fails('socks5 proxy that refuses', 'does not connect to the server',
            s.kubeconfig('proxy', **{'proxy-url': socks_refusing.url()}))
    s.fails('https proxy of an unknown CA', ['the proxy', 'unknown authority'], s.kubeconfig('proxy', **{'proxy-url': tls.url()}))
    s.fails('proxy-url of another scheme', 'must be http, https, or socks5', s.kubeconfig('proxy', **{'proxy-url': 'ftp://x'}))


def tls_failures(s):
    def at(server, **fields):
        return s.kubeconfig('tls', server='https://127.0.0.1:%d' % server.port,
                            **dict({'certificate-authority-data': None, 'certificate-authority': s.own.ca}, **fields))

    good = peers.Server(peers.server_context(s.own.issue('server')))
    s.fails('TLS: HTTP/1.1 server is spoken to', 'the server could not find the requested resource', at(good), kubectl_too=False)
    s.check('TLS: by HTTP/1.1', '' if good.requests and good.requests[0][0].endswith('HTTP/1.1') else good.requests)
    s.fails('TLS: unknown CA', ['certificate signed by unknown authority', 'certificate-authority'],
            at(good, **{'certificate-authority': s.other.ca}))
    named = peers.Server(peers.server_context(s.own.issue('named', 'DNS:api.example')))
    s.fails('TLS: wrong name', ['not valid for 127.0.0.1', '--tls-server-name'], at(named))
    s.fails('TLS: tls-server-name', 'could not find the requested', at(named, **{'tls-server-name': 'api.example'}),
            kubectl_too=False)
    expired = peers.Server(peers.server_context(s.own.issue('expired', days=-1)))
    s.fails('TLS: expired', ['certificate has expired', 'must be renewed'], at(expired))
    s.fails('TLS: insecure skips all that', 'could not find the requested', at(expired, **{'certificate-authority': None}),
            '--insecure-skip-tls-verify', kubectl_too=False)

    picky = peers.Server(peers.server_context(s.own.issue('picky'), client_ca=s.own.ca))
    # Which alert the server sends is not always seen: it closes while the request is under way.
    s.fails('TLS: missing client certificate', 'the server wants a client certificate', at(picky))
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

    plain = peers.Server()
    s.fails('TLS: plain HTTP server', ['server gave HTTP response to HTTPS client', 'scheme and port of its URL'], at(plain))
    silent = peers.Silent()
    s.fails('TLS: silent server and --request-timeout', 'i/o timeout', at(silent), '--request-timeout=300ms')


def kubeconfigs(s):
    first = s.kubeconfig('first', {'token': 'wrong'})
    second = s.kubeconfig('second')
    lists = {'KUBECONFIG': ':'.join(os.path.join(s.cl.dir, name) for name in ('missing', second, first))}
    for name, result in (('ours', s.cl.run(s.cl.tool, 'explain-diff', '-f', 'm.yaml', **lists)),
                         ('kubectl', s.cl.run(s.cl.kubectl_path, 'get', 'configmaps', **lists))):
        s.check('KUBECONFIG: the first of a list counts (%s)' % name,
                '' if result.returncode == (name == 'ours') else result.stderr)
    os.makedirs(os.path.join(s.cl.dir, 'sub'), exist_ok=True)
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
    s.check('basic auth', '' if server.requests[0][1].get('Authorization') == 'Basic bWU6cHc=' else server.requests[0][1])


def main():
    check = cluster.Checks()
    with cluster.Cluster(cluster.parse_args(__doc__)) as cl:
        setup = Setup(cl, check)
        for part in (exec_plugins, impersonation, headers, proxies, tls_failures, kubeconfigs):
            part(setup)
    return check.finish()


if __name__ == '__main__':
    sys.exit(main())
