#!/usr/bin/env python3
"""Each example of each command's --help is run as printed, by a shell, with the real kubectl and a control plane.

  help_examples.py --tool T --kubectl K --kubeconfig F"""
import json
import re
import sys

import harness
from harness import must
from harness.checks import without_summary
from harness.manifests import config_map, definition, map_of, of, web_yaml

WEB = web_yaml().replace('  replicas: 2\n', '')
OPENAPI = {'components': {'schemas': {'Widget': {'type': 'object', 'x-kubernetes-group-version-kind': [
    {'group': 'example.com', 'version': 'v1', 'kind': 'Widget'}]}}}}
WIDGET = of('example.com/v1', 'Widget', 'w')
CONFIG = config_map('config', {'namespace': 'shop'}, **{'app.yaml': 'a: 1\n'})
POLICY = of('policy.karmada.io/v1alpha1', 'OverridePolicy', 'p', {'namespace': 'shop'}, spec={
    'overrideRules': [{'targetCluster': {'clusterNames': ['member1']}, 'overriders': {'fieldOverrider': [
        {'fieldPath': '/data/app.yaml', 'yaml': [{'subPath': '/a', 'operator': 'replace', 'value': 2}]}]}}]})


def labelled(name):
    return config_map(name, {'labels': {'app': 'web'}})


FILES = {
    'web.yaml': WEB.replace('1.27', '1.29'), 'new.yaml': WEB.replace('1.27', '1.29'),
    'scaled.yaml': web_yaml(), 'live.yaml': WEB, 'last-applied.yaml': WEB, 'old.yaml': WEB,
    'patch.yaml': 'spec: {replicas: 2}\n', 'patch.json': '[{"op": "add", "path": "/spec/replicas", "value": 2}]',
    'manifests/a.yaml': labelled('a'), 'manifests/below/b.yaml': labelled('b'),
    'overlay/kustomization.yaml': 'resources: [c.yaml]\n', 'overlay/c.yaml': labelled('c'),
    'app.yaml': labelled('app'), 'crds/widgets.yaml': definition('example.com', schema=map_of(spec=map_of(size={'type': 'integer'}))),
    'openapi/example.json': OPENAPI, 'config.yaml': CONFIG, 'policy.yaml': POLICY,
    'cluster.yaml': of('cluster.karmada.io/v1alpha1', 'Cluster', 'member1', spec={'region': 'eu'}),
}
# The stream that an example with --batch reads.
REQUESTS = {
    'create-patch': {'id': 1, 'modified': WIDGET, 'live': WIDGET},
    'override': {'id': 1, 'object': CONFIG, 'policies': [POLICY], 'cluster': {'name': 'member1'}},
    'merge': {'id': 1, 'target': {'apiVersion': 'v1', 'kind': 'ConfigMap', 'metadata': {'name': 'm'}}, 'patch': {'data': {'a': 'b'}}},
}


def examples(help_text):
    """Returns the lines of the section that are not comments."""
    section = re.search(r'\nExamples:\n(.*?)\nUsage:\n', help_text, re.S).group(1)
    return [line.strip() for line in section.splitlines() if line.strip() and not line.strip().startswith('#')]


def wrong(command, line, done):
    statuses = (0, 1) if command in ('explain-diff', 'pull') else (0,)  # 1: there are differences
    said = done.stderr.replace('wrote the plan to web.plan\n', '')
    said = re.sub(r'\d changes? in 1 file not written(; --write writes them)?\n', '', said)
    said = re.sub(r'not in live: .*; apply would create it\n', '', said)
    said = re.sub(r'\d objects? in \d files?: 0 errors, 0 warnings\n', '', said)  # lint found nothing
    said = re.sub(r'deleting what was applied before.*:\n(  .* in namespace .*\n)+', '', said)  # --prune names it first
    said = re.sub(r'--prune leaves .* or use --applyset\n', '', said)  # of other tests, which run at the same time
    silent = line.endswith('| git apply') or command == 'lint'
    if done.returncode not in statuses or without_summary(said) or bool(done.stdout) == silent:
        return harness.said(done)
    return done.stdout if '--batch' in line and '"error"' in done.stdout else ''


def drift(cl, env):
    """Live is not as the files say, and was applied from them."""
    for name in 'web.yaml', 'manifests/web.yaml':
        cl.write(name, WEB)
    must(cl.run('kubectl', 'smp', 'apply', '-f', 'web.yaml', **env))
    must(cl.run('kubectl', 'set', 'image', 'deployment/web', '*=nginx:1.31', '--field-manager=kubectl-edit', **env))
    cl.write('live.yaml', must(cl.run('kubectl', 'get', 'deployment', 'web', '-o', 'yaml', '--show-managed-fields', **env)))


def all_examples(cl, check):
    for name, content in FILES.items():
        cl.write(name, content)
    env = {**cl.as_user(cl.new_namespace('help')), 'EDITOR': 'sed -i s/nginx/my-nginx/'}
    cl.run('kubectl', 'create', 'namespace', 'web', **env)  # of --live-namespace; an earlier run may have left it
    config = json.loads(cl.read('config'))
    config['contexts'].append({**config['contexts'][0], 'name': 'staging'})
    cl.write('config', config)
    overview = must(cl.run('kubectl', 'smp', '--help', **env))
    commands = re.findall(r'^  (\S+(?: \S+)?)  ', re.search(r'\nCommands:\n(.*?)\n\n', overview, re.S).group(1), re.M)
    for command in commands:
        found = examples(must(cl.run('kubectl', 'smp', *command.split(), '--help', **env)))
        check.true('%s has examples' % command, found, 'none')
        cl.write('requests.jsonl', json.dumps(REQUESTS.get(command, {})) + '\n')
        if command != 'apply':  # whose last example prunes it
            must(cl.run('kubectl', 'smp', 'apply', '-f', 'web.yaml', **env))
        if command == 'last-applied forget':
            must(cl.run('kubectl', 'smp', 'apply', '-f', 'scaled.yaml', **env))  # so that replicas are recorded
        if command == 'explain-diff':
            cl.write('web.yaml', WEB.replace('1.27', '1.30'))  # so that it differs from live again
        for line in found:
            if command == 'pull':
                drift(cl, env)
            done = cl.run('bash', '-c', 'set -o pipefail; ' + line, **env)
            check('%s: %s' % (command, line), wrong(command, line, done))


if __name__ == '__main__':
    sys.exit(harness.run(__doc__, all_examples))
