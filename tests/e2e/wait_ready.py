#!/usr/bin/env python3
"""apply --wait-ready on a control plane without controllers: the test is the controller and patches status while apply waits.

  wait_ready.py --tool T --kubectl K --kubeconfig F"""
import json
import signal
import subprocess
import sys

import cluster

WEB = '''apiVersion: apps/v1
kind: Deployment
metadata: {name: web}
spec:
  replicas: 2
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec: {containers: [{name: app, image: nginx}]}
---
apiVersion: v1
kind: ConfigMap
metadata: {name: cfg}
'''
JOB = '''apiVersion: batch/v1
kind: Job
metadata: {name: once}
spec: {template: {spec: {restartPolicy: Never, containers: [{name: app, image: nginx}]}}}
'''


class Waiting:
    """apply --wait-ready in the background; `until` reads what it says, line by line."""

    def __init__(self, cl, namespace, text, *args):
        self.cl, self.namespace = cl, namespace
        argv = [cl.tool, 'apply', '-f', cl.write('wait.yaml', text), '-n', namespace, '--kubeconfig', cl.kubeconfig, *args]
        self.process = subprocess.Popen(argv, cwd=cl.dir, env=cl.env(), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self.said = ''

    def until(self, text):
        while text not in self.said:
            line = self.process.stderr.readline()
            if not line:
                raise AssertionError('it never said %r but %r' % (text, self.said))
            self.said += line

    def status(self, what, **status):
        generation = self.cl.get(what, '-n', self.namespace)['metadata'].get('generation')
        if what.startswith('deploy'):
            status['observedGeneration'] = generation
        self.cl.must(self.cl.kubectl('patch', what, '-n', self.namespace, '--subresource=status', '--type=merge', '-p', json.dumps({'status': status})))

    def end(self):
        out, err = self.process.communicate(timeout=60)
        return self.process.returncode, out, self.said + err


def becomes_ready(cl, check, namespace):
    w = Waiting(cl, namespace, WEB, '--wait-ready')
    w.until('deployment.apps/web waiting: its controller has not seen this change yet\n')
    w.status('deploy/web', replicas=2, updatedReplicas=1)
    w.until('deployment.apps/web waiting: 1 of 2 updated\n')
    w.status('deploy/web', replicas=2, updatedReplicas=2, readyReplicas=1, availableReplicas=1)
    w.until('deployment.apps/web waiting: 1 of 2 available\n')
    w.status('deploy/web', replicas=2, updatedReplicas=2, readyReplicas=2, availableReplicas=2)
    code, out, err = w.end()
    check('ready: exit status', '' if code == 0 else err)
    check('ready: what was done', '' if out == 'deployment.apps/web created\nconfigmap/cfg created\n' else out)
    check('ready: the last word', '' if err.endswith('deployment.apps/web is ready\n') else err)
    check('ready: nothing of the ConfigMap', err if 'cfg' in err else '')


def fails(cl, check, namespace):
    w = Waiting(cl, namespace, JOB, '--wait-ready=1m', '-o', 'name')
    w.until('job.batch/once waiting: 0 of 1 completed\n')
    condition = {'status': 'True', 'reason': 'BackoffLimitExceeded', 'message': 'too often',
                 'lastTransitionTime': '2026-01-01T00:00:00Z', 'lastProbeTime': '2026-01-01T00:00:00Z'}
    w.status('job/once', startTime='2026-01-01T00:00:00Z', failed=1,
             conditions=[dict(condition, type='FailureTarget'), dict(condition, type='Failed')])
    code, out, err = w.end()
    check('failed: exit status', '' if code == 1 else '%d %s' % (code, err))
    check('failed: the reason', '' if 'error: job.batch/once: is not ready: BackoffLimitExceeded: too often' in err else err)
    check('failed: stdout has names alone', '' if out == 'job.batch/once\n' else out)


def time_is_over(cl, check, namespace):
    cl.must(cl.kubectl('delete', 'deploy/web', '-n', namespace))
    file = cl.write('over.yaml', WEB)
    done = cl.smp('apply', '-f', file, '-n', namespace, '--wait-ready=1s')
    wanted = 'error: deployment.apps/web: is not ready after 1 s: its controller has not seen this change yet'
    check('over: exit status', '' if done.returncode == 1 else done.stderr)
    check('over: the reason', '' if wanted in done.stderr else done.stderr)
    done = cl.smp('apply', '-f', file, '-n', namespace, '--wait-ready=1m', '--dry-run=server')
    check('a dry run waits for nothing', '' if done.returncode == 0 and 'waiting' not in done.stderr else done.stderr)
    done = cl.smp('apply', '-f', file, '-n', namespace, '--wait-ready=soon')
    check('no duration', '' if done.returncode == 1 and done.stderr.startswith('error: --wait-ready: invalid timeout "soon"') else done.stderr)


def is_interrupted(cl, check, namespace):
    """It said that 5 minutes were over."""
    w = Waiting(cl, namespace, WEB, '--wait-ready')
    w.until('deployment.apps/web waiting: its controller has not seen this change yet\n')
    w.process.send_signal(signal.SIGINT)
    code, _, err = w.end()
    wanted = 'error: deployment.apps/web: was not ready yet when the waiting was interrupted: its controller has not seen this change yet\n'
    check('Ctrl-C: exit status', '' if code == 130 else code)
    check('Ctrl-C: what was not ready', '' if err.endswith(wanted) else err)


def definitions(cl, check, namespace):
    name = namespace.replace('-', '')
    text = json.dumps({'apiVersion': 'apiextensions.k8s.io/v1', 'kind': 'CustomResourceDefinition', 'metadata': {'name': 'widgets.%s.example.com' % name},
                       'spec': {'group': name + '.example.com', 'scope': 'Namespaced', 'names': {'plural': 'widgets', 'kind': 'Widget'},
                                'versions': [{'name': 'v1', 'served': True, 'storage': True, 'subresources': {'status': {}},
                                              'schema': {'openAPIV3Schema': {'type': 'object', 'x-kubernetes-preserve-unknown-fields': True}}}]}})
    done = cl.smp('apply', '-f', cl.write('crd.json', text), '--wait-ready')
    check('a definition', '' if done.returncode == 0 and 'is ready' in done.stderr else done.stdout + done.stderr)
    widget = 'apiVersion: %s.example.com/v1\nkind: Widget\nmetadata: {name: w}\n' % name
    cl.must(cl.smp('apply', '-f', cl.write('widget.yaml', widget), '-n', namespace))
    what = 'widgets.%s.example.com/w' % name
    building = [{'type': 'Ready', 'status': 'False', 'reason': 'Building', 'message': 'step 2'}]
    cl.must(cl.kubectl('patch', what, '-n', namespace, '--subresource=status', '--type=merge', '-p', json.dumps({'status': {'conditions': building}})))
    w = Waiting(cl, namespace, widget, '--wait-ready')
    w.until('waiting: Building: step 2\n')
    w.status(what, conditions=[{'type': 'Ready', 'status': 'True'}])
    code, _, err = w.end()
    check('a custom resource', '' if code == 0 and err.endswith('is ready\n') else err)
    cl.kubectl('delete', 'crd', 'widgets.%s.example.com' % name)


def main():
    options = cluster.parse_args(__doc__)
    check = cluster.Checks()
    with cluster.Cluster(options) as cl:
        namespace = cl.new_namespace('ready')
        for part in (becomes_ready, fails, time_is_over, is_interrupted, definitions):
            try:
                part(cl, check, namespace)
            except (AssertionError, subprocess.TimeoutExpired) as error:
                check(part.__name__, str(error))
    return check.finish()


if __name__ == '__main__':
    sys.exit(main())
