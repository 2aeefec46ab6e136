#!/usr/bin/env python3
"""pull on the real server: what somebody changed in live gets into the file; explain-diff no longer has rows for it, and an apply of the
file records it and changes nothing else."""
import json
import os
import stat
import sys

import harness
from harness import Space, must
from harness.cluster import LAST_APPLIED

WEB = '''# the web server
apiVersion: apps/v1
kind: Deployment
metadata:
  name: web
spec:
  replicas: 2      # for now
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec:
      containers:
        # serves
        - name: app
          image: "nginx:1.27"
          env:
            - {name: LEVEL, value: info}   # debug is loud
            - name: MODE
              value: fast
          ports:
            - containerPort: 80
---
apiVersion: v1
kind: ConfigMap
metadata: {name: web}
data:
  app.conf: |
    # listens
    port = 80
    root = /srv
'''
CONTAINER = '/spec/template/spec/containers/0'


def rows(space, *flags):
    """The rows of explain-diff by path, without those about the record."""
    done = space.smp('explain-diff', '-f', 'web.yaml', '-o', 'json', *flags)
    report = json.loads(done.stdout)
    return {row['path']: row['reason'] for one in report['objects'] for row in one['changes'] if LAST_APPLIED not in row['path']}


def started(cl, text=WEB):
    space = Space(cl, 'pull')
    space.write('web.yaml', text)
    must(space.smp('apply', '-f', 'web.yaml'))
    return space


def drifted(cl):
    """Both objects, changed as with kubectl edit."""
    space = started(cl)
    space.patch('deployment web', [
        {'op': 'replace', 'path': CONTAINER + '/image', 'value': 'nginx:1.28'},
        {'op': 'replace', 'path': CONTAINER + '/env/0/value', 'value': 'debug'},
        {'op': 'add', 'path': CONTAINER + '/env/1', 'value': {'name': 'REGION', 'value': 'eu'}}])
    space.patch('configmap web', {'data': {'app.conf': '# listens\nport = 8080\nroot = /srv\n'}})
    return space


def without_record(space):
    """Both live objects. The generation of a Deployment counts changes of its annotations, too."""
    out = []
    for kind in ('deployment', 'configmap'):
        live = space.get(kind, 'web')
        live['metadata'] = {k: v for k, v in live['metadata'].items() if k not in ('annotations', 'managedFields', 'resourceVersion', 'generation')}
        out.append(live)
    return out


def round_trip(cl, check):
    space = drifted(cl)
    check.equal('drift before', set(rows(space).values()), {'drift'})
    shown = space.smp('pull', '-f', 'web.yaml', '--added')
    check.says('shown', shown, 1, has=['-          image: "nginx:1.27"\n+          image: "nginx:1.28"\n', 'somebody (Update; last write ',
                                       '4 changes in 1 file not written; --write writes them'])
    check.equal('and not written', space.read('web.yaml'), WEB)
    check.says('written', space.smp('pull', '-f', 'web.yaml', '--added', '--write'), 0, has=['web.yaml: 4 changes written'])
    want = WEB.replace('1.27', '1.28').replace('value: info', 'value: debug').replace('port = 80\n', 'port = 8080\n')
    want = want.replace('            - name: MODE', '            - name: REGION\n              value: eu\n            - name: MODE')
    check.equal('the file', space.read('web.yaml'), want)
    check.equal('no rows are left', rows(space), {})
    before = without_record(space)
    check.says('apply records', space.smp('apply', '-f', 'web.yaml'), has=['deployment.apps/web configured (last-applied only)\n',
                                                                           'configmap/web configured (last-applied only)\n'])
    check.equal('and changes nothing else', without_record(space), before)
    check.says('again', space.smp('apply', '-f', 'web.yaml'), has=['deployment.apps/web unchanged', 'configmap/web unchanged'])
    check.says('nothing to pull', space.smp('pull', '-f', 'web.yaml', '--added', '--write'), 0, out='', err='nothing to pull\n')


def conflict(cl, check):
    space = drifted(cl)
    mine = WEB.replace('nginx:1.27', 'nginx:1.29')
    space.write('web.yaml', mine)
    check.says('left', space.smp('pull', '-f', 'web.yaml', '--write'), 1, err=['containers[name=app].image: conflict: the manifest was changed, too'])
    check.equal('the rest is written', space.read('web.yaml').count('debug\n') + space.read('web.yaml').count('value: debug'), 1)
    check.equal('the image stays', 'nginx:1.29' in space.read('web.yaml'), True)
    check.says('taken', space.smp('pull', '-f', 'web.yaml', '--write', '--conflicts'), 0)
    check.equal('the image', 'nginx:1.28' in space.read('web.yaml'), True)
    check.equal('rows', rows(space), {})


def scale(cl, check):
    space = started(cl)
    must(space.kubectl('scale', 'deployment/web', '--replicas=7'))
    check.says('left', space.smp('pull', '-f', 'web.yaml', '--write'), 1, err=['spec.replicas: last written through the subresource scale'])
    check.equal('the file', space.read('web.yaml'), WEB)


def removed(cl, check):
    space = started(cl)
    space.patch('deployment web', [{'op': 'remove', 'path': CONTAINER + '/env/1'}, {'op': 'remove', 'path': CONTAINER + '/ports'}])
    check.says('written', space.smp('pull', '-f', 'web.yaml', '--write'), 0)
    lost = '            - name: MODE\n              value: fast\n          ports:\n            - containerPort: 80\n'
    check.equal('the file', space.read('web.yaml'), WEB.replace(lost, ''))
    check.equal('rows', rows(space), {})


def unions(cl, check):
    """A value that live has in place of another takes its place in the file."""
    space = started(cl)
    space.patch('deployment web', [
        {'op': 'replace', 'path': CONTAINER + '/env/1', 'value': {'name': 'MODE', 'valueFrom': {'configMapKeyRef': {'name': 'web', 'key': 'mode'}}}},
        {'op': 'replace', 'path': '/spec/strategy', 'value': {'type': 'Recreate'}}])
    check.says('written', space.smp('pull', '-f', 'web.yaml', '--write'), 0)
    check.has('the file', space.read('web.yaml'), 'configMapKeyRef', lacks=['value: fast'])
    check.equal('rows', rows(space), {})


def cleared(cl, check):
    """What live has beside a field of the manifest that has $retainKeys: an apply would clear it."""
    text = WEB.replace('  replicas: 2 ', '  strategy: {type: RollingUpdate}   # one by one\n  replicas: 2 ')
    text = text.replace('      containers:\n', '      volumes:\n        - name: v   # empty\n      containers:\n')
    space = started(cl, text)
    check.says('defaults', space.smp('pull', '-f', 'web.yaml', '--write', '--added'), 0, err='nothing to pull\n')
    source = {'name': 'v', '$retainKeys': ['name', 'secret'], 'secret': {'secretName': 'x'}}
    space.patch('deployment web', {'spec': {'strategy': {'rollingUpdate': {'maxSurge': 3}}, 'template': {'spec': {'volumes': [source]}}}})
    check.equal('rows before', set(rows(space).values()), {'retain-keys', 'server'})
    before = without_record(space)
    check.says('written', space.smp('pull', '-f', 'web.yaml', '--write'), 0, has=['web.yaml: 2 changes written'])
    want = text.replace('{type: RollingUpdate}', '{type: RollingUpdate, rollingUpdate: {maxSurge: 3}}')
    want = want.replace('# empty\n', '# empty\n          secret:\n            secretName: x\n')
    check.equal('the file', space.read('web.yaml'), want)
    check.equal('no rows are left', rows(space), {})
    check.says('apply records', space.smp('apply', '-f', 'web.yaml'), has=['deployment.apps/web configured (last-applied only)\n'])
    check.equal('and changes nothing else', without_record(space), before)
    check.says('at rest', space.smp('explain-diff', '-f', 'web.yaml'), 0)
    space.write('web.yaml', want.replace('{type: RollingUpdate, rollingUpdate: {maxSurge: 3}}', '{type: Recreate}'))
    check.says('the manifest chose', space.smp('pull', '-f', 'web.yaml', '--write'), 0, err=['changed in the manifest since', 'strategy.type'])
    check.has('and keeps its choice', space.read('web.yaml'), '{type: Recreate}', lacks=['maxSurge'])


def without_keys(cl, check):
    """The first rule of a Role goes, and the second one changes: it keeps its lines and comments."""
    head = 'apiVersion: rbac.authorization.k8s.io/v1\nkind: Role\nmetadata: {name: r}\nrules:\n'
    pods = '# pods\n- apiGroups: [""]   # core\n  resources: [pods]\n  verbs: [get]\n'
    deploys = '# deploys\n- apiGroups: [apps]\n  resources:\n  - deployments   # d\n  verbs: ["get"]\n'
    space = started(cl, head + pods + deploys)
    space.patch('role r', [{'op': 'add', 'path': '/rules/1/verbs/-', 'value': 'list'}, {'op': 'remove', 'path': '/rules/0'}])
    check.says('written', space.smp('pull', '-f', 'web.yaml', '--write'), 0)
    check.equal('the file', space.read('web.yaml'), head + deploys.replace('"get"', '"get", "list"'))
    check.equal('rows', rows(space), {})


def secrets(cl, check):
    space = Space(cl, 'pull')
    text = 'apiVersion: v1\nkind: Secret\nmetadata: {name: s}\nstringData:\n  key: canary-one # text\n'
    space.write('web.yaml', text)
    must(space.smp('apply', '-f', 'web.yaml'))
    space.patch('secret s', {'data': {'key': 'Y2FuYXJ5LXR3bw=='}})
    check.says('left', space.smp('pull', '-f', 'web.yaml', '--write'), 1, err=['--secrets writes it'], lacks=['canary', 'Y2Fu'])
    check.says('masked', space.smp('pull', '-f', 'web.yaml', '--secrets'), 1, out=['+  key: ***\n'], lacks=['canary', 'Y2Fu'])
    check.says('written', space.smp('pull', '-f', 'web.yaml', '--secrets', '--write'), 0, lacks=['canary', 'Y2Fu'])
    check.equal('the file', space.read('web.yaml'), text.replace('canary-one', 'canary-two'))
    check.equal('rows', rows(space), {})


def managers(cl, check):
    """Without a record nothing is drift; a field manager is named."""
    space = Space(cl, 'pull')
    text = 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: c}\ndata: {a: "1", b: "1"}\n'
    space.write('web.yaml', text)
    must(space.kubectl('create', '-f', 'web.yaml'))
    space.patch('configmap c', {'data': {'a': '2', 'new': '3'}})
    check.says('nothing', space.smp('pull', '-f', 'web.yaml', '--write'), 1, out='', err=['no last-applied record tells', 'only in live'])
    check.says('of a manager', space.smp('pull', '-f', 'web.yaml', '--write', '--manager', 'somebody'), 0)
    check.equal('the file', space.read('web.yaml'), text.replace('a: "1"', 'a: "2"').replace('b: "1"', 'b: "1", new: "3"'))


def new(cl, check):
    """An object that is in no file."""
    space = Space(cl, 'pull')
    must(space.kubectl('create', 'deployment', 'made', '--image=nginx:1.27'))
    must(space.kubectl('create', 'secret', 'generic', 's', '--from-literal=a=canary'))
    made = 'new/deployment-made.yaml'
    check.says('shown', space.smp('pull', 'deployment/made', '--new', 'new', '--dry-run'), 1, out=['kind: Deployment', 'image: nginx:1.27'],
               lacks=['uid', 'status', 'terminationMessagePath', 'progressDeadlineSeconds'])
    check.equal('not written', space.read(made), '')
    check.says('written', space.smp('pull', 'deployment/made', '--new', 'new'), 0, has=['deployment.apps/made written to new', 'deployment-made.yaml'])
    check.says('says what live has', space.smp('explain-diff', '-f', made), 1, has=['last-applied'], lacks=['spec.'])
    check.says('not twice', space.smp('pull', 'deployment/made', '--new', 'new'), 2, err=['exists already'])
    check.says('a Secret', space.smp('pull', 'secret/s', '--new', 'new'), 1, err=['--secrets'])
    check.says('with its values', space.smp('pull', 'secret/s', '--new', 'new', '--secrets'), 0)
    check.equal('for the owner alone', stat.S_IMODE(os.stat(space.path('new/secret-s.yaml')).st_mode), 0o600)
    odd = 'pull:\x1b[31m odd'  # RBAC objects may have such names
    must(space.kubectl('create', 'clusterrole', odd, '--verb=get', '--resource=pods'))
    check.says('an odd name', space.smp('pull', 'clusterrole', odd, '--new', 'new'), 0, has=['written to new'])
    check.equal('its file', space.read('new/clusterrole-pull___31m_odd.yaml') != '', True)
    must(space.kubectl('delete', 'clusterrole', odd))
    must(space.smp('apply', '-f', made))
    space.patch('deployment made', {'spec': {'replicas': 3}})
    check.says('the record', space.smp('pull', 'deployment/made', '--new', 'other'), 0)
    check.equal('is what was applied', space.read('other/deployment-made.yaml'), space.read(made))


def forged_record(cl, check):
    """Whoever may annotate an object may put the record of any other object there."""
    space = Space(cl, 'pull')
    must(space.kubectl('create', 'configmap', 'c', '--from-literal=a=live'))
    role = {'apiVersion': 'rbac.authorization.k8s.io/v1', 'kind': 'ClusterRole', 'metadata': {'name': 'c'}, 'rules': []}
    config = {'apiVersion': 'v1', 'kind': 'ConfigMap', 'metadata': {'name': 'c'}, 'data': {'a': 'record'}}
    elsewhere = {**config, 'metadata': {'name': 'c', 'namespace': 'kube-system'}}
    renamed = {**config, 'metadata': {'name': 'other'}}
    for record, value, warned in ((role, 'live', True), (elsewhere, 'live', True), (renamed, 'live', True), (config, 'record', False)):
        must(space.kubectl('annotate', 'configmap', 'c', '--overwrite', LAST_APPLIED + '=' + json.dumps(record)))
        done = space.smp('pull', 'configmap/c', '--new', 'new', '--dry-run')
        warning = 'Warning: the last-applied annotation of configmap/c is of another object'
        check.says(json.dumps(record), done, 1, out=['kind: ConfigMap', 'name: c\n', 'a: ' + value], err=[warning] if warned else [],
                   lacks=['ClusterRole', 'kube-system', 'other\n'])


if __name__ == '__main__':
    sys.exit(harness.run(__doc__, round_trip, conflict, scale, removed, unions, cleared, without_keys, secrets, managers, new, forged_record))
