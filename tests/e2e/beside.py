"""kubectl smp and kubectl beside each other: both meet the same situation, each on an object of its own. What smp makes of it must be
right; what kubectl makes of it is noted, and a warning is printed when it is no longer what the row says of it."""
import concurrent.futures
import copy
import http.client
import json
import os

import cluster
import get_only
import run as scenarios  # scenarios/run.py: its proxy, and paths into objects

PLURALS = {'ConfigMap': 'api/v1/namespaces/%s/configmaps', 'Secret': 'api/v1/namespaces/%s/secrets',
           'Service': 'api/v1/namespaces/%s/services', 'Deployment': 'apis/apps/v1/namespaces/%s/deployments',
           'DaemonSet': 'apis/apps/v1/namespaces/%s/daemonsets', 'StatefulSet': 'apis/apps/v1/namespaces/%s/statefulsets',
           'CronJob': 'apis/batch/v1/namespaces/%s/cronjobs',
           'NetworkPolicy': 'apis/networking.k8s.io/v1/namespaces/%s/networkpolicies',
           'PodDisruptionBudget': 'apis/policy/v1/namespaces/%s/poddisruptionbudgets'}


class Api:
    """The API server, spoken to by somebody who is neither of the two tools."""

    def __init__(self, cl):
        self.upstream = get_only.upstream(cl)

    def send(self, method, path, body=None, content_type='application/json'):
        connection = http.client.HTTPSConnection(self.upstream['host'], context=self.upstream['ctx'], timeout=60)
        headers = {'Authorization': 'Bearer ' + self.upstream['token'], 'Content-Type': content_type}
        connection.request(method, path, json.dumps(body) if body is not None else None, headers)
        answer = connection.getresponse()
        text = answer.read().decode()
        connection.close()
        if answer.status >= 300:
            raise AssertionError('%s %s: %d %s' % (method, path, answer.status, text))
        return json.loads(text)

    def edit(self, path, operations):
        """A JSON patch by another manager."""
        return self.send('PATCH', path + '?fieldManager=somebody', operations, 'application/json-patch+json')


class Situation:
    """`v1` is applied (by smp; or `created` by somebody, without last-applied), somebody makes `edit`, then `v2` is applied; `race` is made between
    the read and the write of that. `expect` gets the live object and says what is wrong with it, or nothing."""

    def __init__(self, name, v1, v2, expect, edit=None, race=None, created=False, kubectl_is_right=True):
        self.name, self.v1, self.v2, self.expect, self.edit, self.race = name, v1, v2, expect, edit, race
        self.created, self.kubectl_is_right = created, kubectl_is_right


class Runner:
    def __init__(self, cl, check):
        self.cl, self.check, self.api = cl, check, Api(cl)
        self.namespace = cl.new_namespace('beside')
        self.surprises = []

    def run_all(self, situations):
        with concurrent.futures.ThreadPoolExecutor(2) as pool:
            list(pool.map(self.run, enumerate(situations)))
        for line in self.surprises:
            print('Warning: %s' % line, flush=True)

    def run(self, numbered):
        number, situation = numbered
        try:
            self.judge(number, situation)
        except AssertionError as error:
            self.check(situation.name, error)

    def judge(self, number, situation):
        wrong, done = self.apply(situation, 'smp-%d' % number, self.cl.tool)
        self.check(situation.name, wrong)
        again = self.cl.run(self.cl.tool, 'apply', '-f', done, '-n', self.namespace, '--kubeconfig', self.cl.kubeconfig)
        self.check(situation.name + ': nothing to do then', '' if again.stdout.endswith(' unchanged\n') else again.stdout + again.stderr)
        kubectl, _ = self.apply(situation, 'kubectl-%d' % number, self.cl.kubectl_path)
        if bool(kubectl) == situation.kubectl_is_right:
            self.surprises.append('%s: kubectl is %s now' % (situation.name, 'wrong (%s)' % kubectl if kubectl else 'right'))

    def collection(self, manifest):
        if manifest['kind'] == 'Widget':
            return 'apis/%s/namespaces/%s/widgets' % (manifest['apiVersion'], self.namespace)
        return PLURALS[manifest['kind']] % self.namespace

    def apply(self, situation, name, tool):
        """What is wrong in the end, and the file that was applied."""
        v1, v2 = self.write(situation.v1, name, 'v1'), self.write(situation.v2, name, 'v2')
        path = '/%s/%s' % (self.collection(situation.v1), name)
        if situation.created:
            self.api.send('POST', os.path.dirname(path), self.named(situation.v1, name))
        else:
            self.cl.must(self.cl.smp('apply', '-f', v1, '-n', self.namespace))
        if situation.edit:
            self.api.edit(path, situation.edit)
        result = self.apply_in_race(situation, path, tool, v2)
        if result.returncode != 0:
            return 'exit %d: %s' % (result.returncode, result.stderr.strip()), v2
        live = self.api.send('GET', path)
        wrong = situation.expect(live)
        return wrong and '%s\nlive: %s' % (wrong, json.dumps(live.get('spec', live))), v2

    def apply_in_race(self, situation, path, tool, file):
        if not situation.race:
            return self.cl.run(tool, 'apply', '-f', file, '-n', self.namespace, '--kubeconfig', self.cl.kubeconfig)
        proxy = scenarios.Proxy(self.api.upstream)
        proxy.hook = lambda: self.api.edit(path, situation.race)
        config = os.path.join(self.cl.dir, self.cl.write(file + '.kubeconfig', get_only.kubeconfig_text(proxy.url)))
        try:
            return self.cl.run(tool, 'apply', '-f', file, '-n', self.namespace, '--kubeconfig', config)
        finally:
            proxy.close()

    def write(self, manifest, name, version):
        return self.cl.write('%s-%s.json' % (name, version), json.dumps(self.named(manifest, name)))

    def named(self, manifest, name):
        manifest = copy.deepcopy(manifest)
        manifest.setdefault('metadata', {})['name'] = name
        return manifest


def at(wanted):
    """An expectation: values at paths (scenarios/README.md has the words for both)."""
    def expect(live):
        wrong = []
        for path, value in wanted.items():
            phrase = scenarios.check(scenarios.lookup(live, path), value)
            if phrase:
                wrong.append('%s: %s' % (path, phrase))
        return '\n'.join(wrong)
    return expect


def has(path, items):
    """An expectation: a list of these items in any order."""
    def expect(live):
        there = scenarios.lookup(live, path)
        same = isinstance(there, list) and sorted(map(as_text, there)) == sorted(map(as_text, items))
        return '' if same else '%s: want %s' % (path, as_text(items))
    return expect


def as_text(value):
    return json.dumps(value, sort_keys=True)


def main(description, situations, more=None):
    """`situations` and `more`, further checks, get the runner."""
    check = cluster.Checks()
    with cluster.Cluster(cluster.parse_args(description)) as cl:
        runner = Runner(cl, check)
        runner.run_all(list(situations(runner)))
        if more:
            more(runner)
    return check.finish()
