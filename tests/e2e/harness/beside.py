"""kubectl smp and kubectl beside each other: both meet the same situation, each on an object of its own. What smp makes of it must be
right; what kubectl makes of it is noted, and a warning is printed when it is no longer what the row says of it."""
import copy
import json

from . import checks
from .cluster import Space, must
from .paths import mismatches

PLURALS = {'ConfigMap': 'api/v1/namespaces/%s/configmaps', 'Secret': 'api/v1/namespaces/%s/secrets',
           'Service': 'api/v1/namespaces/%s/services', 'Deployment': 'apis/apps/v1/namespaces/%s/deployments',
           'DaemonSet': 'apis/apps/v1/namespaces/%s/daemonsets', 'CronJob': 'apis/batch/v1/namespaces/%s/cronjobs'}


class Situation:
    """`v1` is applied by smp, somebody makes `edit`, then `v2` is applied; `race` is made between the read and the write of that. `expect`
    gets the live object and says what is wrong with it, or nothing. `right`: kubectl gets there, too."""

    def __init__(self, name, v1, v2, expect, edit=None, race=None, right=False):
        self.name, self.v1, self.v2, self.expect, self.edit, self.race, self.right = name, v1, v2, expect, edit, race, right


class Runner:
    """A namespace, and a client of the API server for the other managers."""

    def __init__(self, cl, check):
        self.cl, self.check, self.api, self.space = cl, check, cl.upstream(), Space(cl, 'beside')

    def run_all(self, situations):
        self.check.each([(s.name, number, s) for number, s in enumerate(situations)], self.judge, workers=2)

    def judge(self, name, number, situation):
        wrong, done = self.apply(situation, 'smp-%d' % number, 'smp')
        self.check(name, wrong)
        self.check.did(name + ': nothing to do then', self.space.smp('apply', '-f', done), 'unchanged')
        kubectl, _ = self.apply(situation, 'kubectl-%d' % number, 'kubectl')
        if bool(kubectl) == situation.right:
            print('Warning: %s: kubectl is %s now' % (name, 'wrong (%s)' % kubectl if kubectl else 'right'), flush=True)

    def path(self, manifest, name):
        plural = PLURALS.get(manifest['kind'], 'apis/%s/namespaces/%%s/widgets' % manifest['apiVersion'])
        return '/%s/%s' % (plural % self.space.name, name)

    def edit(self, path, operations):
        self.api.send('PATCH', path + '?fieldManager=somebody', operations, 'application/json-patch+json')

    def apply(self, situation, name, tool):
        """Returns what is wrong in the end, and the file that was applied."""
        v1, v2 = self.write(situation.v1, name, 'v1'), self.write(situation.v2, name, 'v2')
        path = self.path(situation.v1, name)
        must(self.space.smp('apply', '-f', v1))
        if situation.edit:
            self.edit(path, situation.edit)
        result = self.apply_in_race(situation, path, tool, v2)
        if result.returncode != 0:
            return checks.said(result), v2
        live = self.api.send('GET', path)
        wrong = situation.expect(live)
        return wrong and '%s\nlive: %s' % (wrong, json.dumps(live.get('spec', live))), v2

    def apply_in_race(self, situation, path, tool, file):
        if not situation.race:
            return self.space.by(tool, 'apply', '-f', file)
        with self.cl.proxy(hook=lambda: self.edit(path, situation.race)) as proxy:
            return self.space.by(tool, 'apply', '-f', file, kubeconfig=proxy.kubeconfig)

    def write(self, manifest, name, version):
        manifest = copy.deepcopy(manifest)
        manifest['metadata']['name'] = name
        return self.space.write('%s-%s.json' % (name, version), manifest)


def has_at(wanted):
    """An expectation: values by path (paths.py)."""
    return lambda live: mismatches(live, wanted)


def has_items(path, items):
    """An expectation: a list of these items in any order."""
    return has_at({path: {'$set': list(items)}})
