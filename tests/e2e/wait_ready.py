#!/usr/bin/env python3
"""apply --wait-ready on a control plane without controllers: the test is the controller and patches status while apply waits.

  wait_ready.py --tool T --kubectl K --kubeconfig F"""
import signal
import sys

import harness
from harness import must
from harness.cluster import finish
from harness.manifests import custom, definition, of, pod_spec, web_yaml

WEB = web_yaml() + '---\napiVersion: v1\nkind: ConfigMap\nmetadata: {name: cfg}\n'
UNSEEN = 'its controller has not observed this change yet'
JOB = of('batch/v1', 'Job', 'once', spec={'template': {'spec': pod_spec(restartPolicy='Never')}})
GROUP = '__NS__.example.com'


class Waiting:
    """apply --wait-ready in the background; `until` reads stderr line by line."""

    def __init__(self, space, content, *flags):
        self.space, self.said = space, ''
        self.process = space.start(*space.argv('smp', 'apply', '-f', space.write('m.json', content), *flags))

    def until(self, text):
        while text not in self.said:
            line = self.process.stderr.readline()
            if not line:
                raise AssertionError('it never said %r but %r' % (text, self.said))
            self.said += line

    def status(self, target, **status):
        if target.startswith('deploy'):
            status['observedGeneration'] = self.space.get(target)['metadata'].get('generation')
        self.space.patch(target, {'status': status}, subresource='status')

    def end(self):
        result = finish(self.process)
        result.stderr = self.said + result.stderr
        return result


def becomes_ready(space, check):
    w = Waiting(space, WEB, '--wait-ready')
    w.until('deployment.apps/web waiting: %s\n' % UNSEEN)
    w.status('deploy/web', replicas=2, updatedReplicas=1)
    w.until('deployment.apps/web waiting: 1 of 2 updated\n')
    w.status('deploy/web', replicas=2, updatedReplicas=2, readyReplicas=1, availableReplicas=1)
    w.until('deployment.apps/web waiting: 1 of 2 available\n')
    w.status('deploy/web', replicas=2, updatedReplicas=2, readyReplicas=2, availableReplicas=2)
    done = w.end()
    check.says('ready: exit status', done)
    check.says('ready: what was done', done, out='deployment.apps/web created\nconfigmap/cfg created\n')
    check.true('ready: the last line', done.stderr.endswith('deployment.apps/web is ready\n'), done.stderr)
    check.has('ready: no line about the ConfigMap', done.stderr, lacks=['cfg'])


def fails(space, check):
    w = Waiting(space, JOB, '--wait-ready=1m', '-o', 'name')
    w.until('job.batch/once waiting: 0 of 1 completed\n')
    time = '2026-01-01T00:00:00Z'
    condition = {'status': 'True', 'reason': 'BackoffLimitExceeded', 'message': 'too often', 'lastTransitionTime': time, 'lastProbeTime': time}
    w.status('job/once', startTime=time, failed=1, conditions=[{**condition, 'type': 'FailureTarget'}, {**condition, 'type': 'Failed'}])
    done = w.end()
    check.says('failed: exit status', done, 1)
    check.has('failed: the reason', done.stderr, 'error: job.batch/once: is not ready: BackoffLimitExceeded: too often')
    check.equal('failed: stdout has only names', done.stdout, 'job.batch/once\n')


def timeout(space, check):
    must(space.kubectl('delete', 'deploy/web'))
    done = space.apply(WEB, '--wait-ready=1s')
    check.says('timeout: exit status', done, 1)
    check.has('timeout: the reason', done.stderr, 'error: deployment.apps/web: is not ready after 1 s: ' + UNSEEN)
    done = space.apply(WEB, '--wait-ready=1m', '--dry-run=server')
    check.true('a dry run does not wait', done.returncode == 0 and 'waiting' not in done.stderr, done.stderr)
    done = space.apply(WEB, '--wait-ready=soon')
    check.true('an invalid duration', done.returncode == 1 and done.stderr.startswith('error: --wait-ready: invalid timeout "soon"'), done.stderr)


def is_interrupted(space, check):
    """It once said that 5 minutes were over."""
    w = Waiting(space, WEB, '--wait-ready')
    w.until('deployment.apps/web waiting: %s\n' % UNSEEN)
    w.process.send_signal(signal.SIGINT)
    done = w.end()
    wanted = 'error: deployment.apps/web: was not ready when the wait was interrupted: %s\n' % UNSEEN
    check.says('Ctrl-C: exit status', done, 130)
    check.true('Ctrl-C: what was not ready', done.stderr.endswith(wanted), done.stderr)


def custom_resources(space, check):
    crd = space.named(definition(GROUP, version={'subresources': {'status': {}}}))
    check.says('a CRD', space.apply(crd, '--wait-ready'), has=['is ready'])
    space.await_api(crd['spec']['group'] + '/v1')
    must(space.apply(custom(GROUP)))
    target = crd['metadata']['name'] + '/w'
    building = {'type': 'Ready', 'status': 'False', 'reason': 'Building', 'message': 'step 2'}
    space.patch(target, {'status': {'conditions': [building]}}, subresource='status')
    w = Waiting(space, custom(GROUP), '--wait-ready')
    w.until('waiting: Building: step 2\n')
    w.status(target, conditions=[{'type': 'Ready', 'status': 'True'}])
    done = w.end()
    check.true('a custom resource', done.returncode == 0 and done.stderr.endswith('is ready\n'), done.stderr)
    space.kubectl('delete', 'crd', crd['metadata']['name'])


def unwritten_conditions(space, check):
    """A new custom resource has no condition before its controller looks at it: a column of the CRD says that there will be one."""
    column = {'name': 'Ready', 'type': 'string', 'jsonPath': '.status.conditions[?(@.type == "Ready")].status'}
    group = '__NS__.columns'
    crd = space.named(definition(group, version={'subresources': {'status': {}}, 'additionalPrinterColumns': [column]}))
    must(space.apply(crd))
    space.await_api(crd['spec']['group'] + '/v1')
    w = Waiting(space, custom(group), '--wait-ready')
    w.until('waiting: its controller has not written a Ready condition yet\n')
    w.status(crd['metadata']['name'] + '/w', conditions=[{'type': 'Ready', 'status': 'False', 'message': 'two\nlines'}])
    w.until('waiting: two\\nlines\n')
    w.status(crd['metadata']['name'] + '/w', conditions=[{'type': 'Ready', 'status': 'True'}])
    check.says('a column for Ready', w.end())
    must(space.kubectl('delete', crd['metadata']['name'] + '/w'))
    check.says('nobody writes it', space.apply(custom(group), '--wait-ready=1s'), 1, err=['is not ready after 1 s: its controller has not written'])
    space.patch(crd['metadata']['name'] + '/w', {'status': {'conditions': [{'type': 'Ready', 'status': 'False', 'message': 'two\nlines'}]}}, subresource='status')
    check.says('a message of two lines', space.apply(custom(group), '--wait-ready=1s'), 1, err=['error: ', 'two\\nlines'])
    space.kubectl('delete', 'crd', crd['metadata']['name'])
    plain = space.named(definition('__NS__.plain'))
    must(space.apply(plain))
    space.await_api(plain['spec']['group'] + '/v1')
    check.says('no column', space.apply(custom('__NS__.plain'), '--wait-ready'), err=['w is not waited for: it has no Ready condition\n'])
    rule = {'apiGroups': [plain['spec']['group']], 'resources': ['*'], 'verbs': ['*']}
    subject = {'kind': 'User', 'name': space.name, 'apiGroup': 'rbac.authorization.k8s.io'}
    must(space.apply([of('rbac.authorization.k8s.io/v1', 'Role', 'all', rules=[rule]),
                      of('rbac.authorization.k8s.io/v1', 'RoleBinding', 'all', subjects=[subject],
                         roleRef={'apiGroup': 'rbac.authorization.k8s.io', 'kind': 'Role', 'name': 'all'})]))
    check.says('a CRD that may not be read', space.apply(custom('__NS__.plain'), '--wait-ready', '--as', space.name),
               err=['w is not waited for: it has no Ready condition, and its CRD cannot be read: ', 'forbidden'])
    space.kubectl('delete', 'crd', plain['metadata']['name'])


if __name__ == '__main__':
    sys.exit(harness.run(__doc__, becomes_ready, fails, timeout, is_interrupted, custom_resources, unwritten_conditions, space='ready'))
