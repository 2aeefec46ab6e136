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
        """Each first manifest is applied with all the others, and so is each second one, once more, in the end. kubectl, whose mistakes
        are only noted, applies all of its second ones in one run, but for those with a race."""
        rows = [(s.name, number, s) for number, s in enumerate(situations)]
        for _, number, situation in rows:
            for tool in ('smp', 'kubectl'):
                self.write(situation.v1, '%s-%d' % (tool, number), 'v1')
        must(self.space.smp('apply', '-f', 'v1'))
        self.check.each(rows, self.judge, workers=2)
        self.note_kubectl(rows)
        again = self.space.smp('apply', '-f', 'v2-smp')
        for name, number, _ in rows:
            self.check.equal(name + ': nothing to do then', words_of(again, 'smp-%d' % number), ['unchanged'])

    def judge(self, name, number, situation):
        self.check(name, self.apply(situation, 'smp-%d' % number, 'smp'))

    def note_kubectl(self, rows):
        for _, number, situation in rows:
            if not situation.race:
                self.begin(situation, 'kubectl-%d' % number, 'kubectl')
        all_of_them = self.space.kubectl('apply', '-f', 'v2-kubectl')
        for name, number, situation in rows:
            target = 'kubectl-%d' % number
            if situation.race:
                wrong = self.apply(situation, target, 'kubectl-race')
            elif words_of(all_of_them, target):
                wrong = self.wrong(situation, target)
            else:
                wrong = 'it failed'
            if bool(wrong) == situation.right:
                print('Warning: %s: kubectl is %s now' % (name, 'wrong (%s)' % wrong if wrong else 'right'), flush=True)

    def path(self, manifest, name):
        plural = PLURALS.get(manifest['kind'], 'apis/%s/namespaces/%%s/widgets' % manifest['apiVersion'])
        return '/%s/%s' % (plural % self.space.name, name)

    def edit(self, path, operations):
        self.api.send('PATCH', path + '?fieldManager=somebody', operations, 'application/json-patch+json')

    def begin(self, situation, name, folder):
        """Writes the second manifest; somebody makes the edit."""
        if situation.edit:
            self.edit(self.path(situation.v1, name), situation.edit)
        return self.write(situation.v2, name, 'v2-' + folder)

    def apply(self, situation, name, folder):
        """Returns what is wrong in the end."""
        v2 = self.begin(situation, name, folder)
        result = self.apply_in_race(situation, self.path(situation.v1, name), folder.split('-')[0], v2)
        return checks.said(result) if result.returncode != 0 else self.wrong(situation, name)

    def wrong(self, situation, name):
        live = self.api.send('GET', self.path(situation.v1, name))
        wrong = situation.expect(live)
        return wrong and '%s\nlive: %s' % (wrong, json.dumps(live.get('spec', live)))

    def apply_in_race(self, situation, path, tool, file):
        if not situation.race:
            return self.space.by(tool, 'apply', '-f', file)
        with self.cl.proxy(hook=lambda: self.edit(path, situation.race)) as proxy:
            return self.space.by(tool, 'apply', '-f', file, kubeconfig=proxy.kubeconfig)

    def write(self, manifest, name, folder):
        manifest = copy.deepcopy(manifest)
        manifest['metadata']['name'] = name
        return self.space.write('%s/%s.json' % (folder, name), manifest)


def words_of(result, name):
    """What a run of apply said that it did to the object."""
    lines = [line.split(' ') for line in result.stdout.splitlines()]
    return [' '.join(words[1:]) for words in lines if words[0].endswith('/' + name)]


def has_at(wanted):
    """An expectation: values by path (paths.py)."""
    return lambda live: mismatches(live, wanted)


def has_items(path, items):
    """An expectation: a list of these items in any order."""
    return has_at({path: {'$set': list(items)}})
