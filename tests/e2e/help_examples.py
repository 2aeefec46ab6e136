#!/usr/bin/env python3
"""Each example of each command's --help is run as it stands, by a shell, with the real kubectl and a control plane.

  help_examples.py --tool T --kubectl K --kubeconfig F"""
import json
import os
import re
import sys

import cluster

WEB = ('apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web, labels: {app: web}}\nspec:\n  selector: {matchLabels: {app: web}}\n'
       '  template:\n    metadata: {labels: {app: web}}\n    spec: {containers: [{name: app, image: "nginx:%s"}]}\n')
MAP = 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: %s, labels: {app: web}}\n'
OPENAPI = {'components': {'schemas': {'Widget': {'type': 'object', 'x-kubernetes-group-version-kind': [
    {'group': 'example.com', 'version': 'v1', 'kind': 'Widget'}]}}}}
WIDGET = {'apiVersion': 'example.com/v1', 'kind': 'Widget', 'metadata': {'name': 'w'}}
CONFIG = {'apiVersion': 'v1', 'kind': 'ConfigMap', 'metadata': {'name': 'config', 'namespace': 'shop'}, 'data': {'app.yaml': 'a: 1\n'}}
POLICY = {'apiVersion': 'policy.karmada.io/v1alpha1', 'kind': 'OverridePolicy', 'metadata': {'name': 'p', 'namespace': 'shop'}, 'spec': {
    'overrideRules': [{'targetCluster': {'clusterNames': ['member1']}, 'overriders': {'fieldOverrider': [
        {'fieldPath': '/data/app.yaml', 'yaml': [{'subPath': '/a', 'operator': 'replace', 'value': 2}]}]}}]}}
CLUSTER = {'apiVersion': 'cluster.karmada.io/v1alpha1', 'kind': 'Cluster', 'metadata': {'name': 'member1'}, 'spec': {'region': 'eu'}}


def fill(folder):
    def write(path, text):
        path = os.path.join(folder, path)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, 'w', encoding='utf-8') as f:
            f.write(text)
    write('web.yaml', WEB % '1.29')
    for name in ('live.yaml', 'last-applied.yaml', 'old.yaml'):
        write(name, WEB % '1.27')
    write('new.yaml', WEB % '1.29')
    write('patch.yaml', 'spec: {replicas: 2}\n')
    write('patch.json', '[{"op": "add", "path": "/spec/replicas", "value": 2}]')
    write('manifests/a.yaml', MAP % 'a')
    write('manifests/below/b.yaml', MAP % 'b')
    write('overlay/kustomization.yaml', 'resources: [c.yaml]\n')
    write('overlay/c.yaml', MAP % 'c')
    write('openapi/example.json', json.dumps(OPENAPI))
    for name, value in (('config', CONFIG), ('policy', POLICY), ('cluster', CLUSTER)):
        write(name + '.yaml', json.dumps(value))


# The stream that an example with --batch reads.
REQUESTS = {
    'create-patch': {'id': 1, 'modified': WIDGET, 'live': WIDGET},
    'override': {'id': 1, 'object': CONFIG, 'policies': [POLICY], 'cluster': {'name': 'member1'}},
    'merge': {'id': 1, 'target': {'apiVersion': 'v1', 'kind': 'ConfigMap', 'metadata': {'name': 'm'}}, 'patch': {'data': {'a': 'b'}}},
}


def examples(help_text):
    """The lines of the section that are no comments."""
    section = re.search(r'\nExamples:\n(.*?)\nUsage:\n', help_text, re.S).group(1)
    return [line.strip() for line in section.splitlines() if line.strip() and not line.strip().startswith('#')]


def wrong(command, line, done):
    statuses = (0, 1) if command == 'explain-diff' else (0,)  # 1: there are differences
    if done.returncode not in statuses or done.stderr or not done.stdout:
        return 'exit %d\n%s%s' % (done.returncode, done.stdout, done.stderr)
    return done.stdout if '--batch' in line and '"error"' in done.stdout else ''


def main():
    check = cluster.Checks()
    with cluster.Cluster(cluster.parse_args(__doc__)) as cl:
        fill(cl.dir)
        os.mkdir(os.path.join(cl.dir, 'bin'))
        os.symlink(cl.kubectl_path, os.path.join(cl.dir, 'bin', 'kubectl'))
        os.symlink(cl.tool, os.path.join(cl.dir, 'bin', 'kubectl-smp'))
        config = os.path.join(cl.dir, cl.write('config', cl.must(cl.kubectl('config', 'view', '--raw', '--flatten', '--minify'))))
        cl.must(cl.run(cl.kubectl_path, 'config', 'set-context', '--current', '--namespace', cl.new_namespace('help'), KUBECONFIG=config))
        env = {'KUBECONFIG': config, 'EDITOR': 'sed -i s/nginx/my-nginx/', 'PATH': os.path.join(cl.dir, 'bin') + ':' + os.environ['PATH']}
        overview = cl.must(cl.run('kubectl', 'smp', '--help', **env))
        commands = re.findall(r'^  (\S+(?: \S+)?)  ', re.search(r'\nCommands:\n(.*?)\n\n', overview, re.S).group(1), re.M)
        for command in commands:
            found = examples(cl.must(cl.run('kubectl', 'smp', *command.split(), '--help', **env)))
            check('%s has examples' % command, '' if found else 'none')
            cl.write('requests.jsonl', json.dumps(REQUESTS.get(command, {})) + '\n')
            if command != 'apply':  # whose last example prunes it
                cl.must(cl.run('kubectl', 'smp', 'apply', '-f', 'web.yaml', **env))
            if command == 'explain-diff':
                cl.write('web.yaml', WEB % '1.30')  # apply has made live what it was
            for line in found:
                done = cl.run('bash', '-c', 'set -o pipefail; ' + line, **env)
                check('%s: %s' % (command, line), wrong(command, line, done))
    return check.finish()


if __name__ == '__main__':
    sys.exit(main())
