#!/usr/bin/env python3
"""explain-diff sends only GETs, whatever it finds: a recording proxy is in front of the API server."""
import sys

import harness
from harness import Space
from harness.manifests import config_map, of, service

DNS = {'name': 'dns', 'port': 53, 'protocol': 'UDP'}
RULE = {'apiGroups': [''], 'resources': ['pods'], 'verbs': ['get']}


def objects(name='web', value='1', port=53):
    return [config_map(name, a=value, b='2'), service(DNS, {'name': 'dns-tcp', 'port': port, 'protocol': 'TCP'}, name=name),
            of('rbac.authorization.k8s.io/v1', 'Role', name, rules=[RULE])]


FILES = {'v1.yaml': objects(), 'v2.yaml': objects(value='3', port=54), 'value.yaml': objects(value='3'), 'new.yaml': objects('new'),
         'broken.yaml': 'apiVersion: v1\nkind: [ConfigMap\n'}
# name: arguments, exit status.
RUNS = {
    'differences': ('-f v2.yaml', 1),
    'differences, -o text': ('-f v2.yaml -o text', 1),
    'differences, -o json': ('-f v2.yaml -o json', 1),
    'differences, -o diff': ('-f v2.yaml -o diff', 1),
    'differences, -o patch': ('-f v2.yaml -o patch', 1),
    'differences, --exit-code=never': ('-f v2.yaml --exit-code=never', 0),
    'differences, --server-side': ('-f value.yaml --server-side', 1),
    # The request before the migration removes nothing, so two ports have the name dns-tcp. kubectl is refused as well.
    'a refusal of --server-side': ('-f v2.yaml --server-side', 2),
    'objects of another namespace': ('cm,svc --live-namespace default', 1),
    'no differences': ('-f v1.yaml', 0),
    'objects that do not exist': ('-f new.yaml', 1),
    'an invalid YAML file': ('-f broken.yaml', 2),
    'a file that does not exist': ('-f missing.yaml', 2),
    'one bad file among good ones': ('-f v2.yaml -f broken.yaml', 2),
}


def only_gets(cl, check):
    space = Space(cl, 'getonly')
    for name, content in FILES.items():
        space.write(name, content)
    harness.must(space.smp('apply', '-f', 'v1.yaml'))
    before = space.get('-f', 'v1.yaml')
    for name, (args, status) in RUNS.items():
        with cl.proxy() as proxy:
            check.says(name + ': exit status', space.smp('explain-diff', *args.split(), kubeconfig=proxy.kubeconfig), status)
        check(name + ': only GETs', [r for r in proxy.requests() if not r.startswith('GET ')])
        if name == 'differences':
            check.true('the proxy saw the requests', len(proxy.log) >= 3, proxy.log)
    check.equal('live is unchanged', space.get('-f', 'v1.yaml'), before)


if __name__ == '__main__':
    sys.exit(harness.run(__doc__, only_gets))
