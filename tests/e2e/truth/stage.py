"""Brings many situations about on a server at once, and asks both tools about them."""
import concurrent.futures
import copy
import json
import random

from harness.cluster import must, until
from harness.manifests import config_map, mutating_policy, template, workload
from harness.objects import Client

from . import kinds
from .rows import with_all_keys
from .situations import Situation

THREADS = 4


# Admission that only the server's answer can show; a third of the objects in namespaces "asked-…" each.
MUTATIONS = {
    'note': (['*'], 'Object{metadata: Object.metadata{annotations: {"example.com/admitted": "yes"}}}', 0),
    'replicas': (['deployments', 'replicasets', 'statefulsets'], 'Object{spec: Object.spec{replicas: 3}}', 1),
    'sidecar': (['deployments', 'daemonsets', 'cronjobs'], None, 2),
}
SIDECAR = 'containers: [{0}.containers{{name: "proxy", image: "proxy:1"}}]'


def sidecar(resource):
    """The apply configuration that adds a container to the Pod template of a resource."""
    names = ('spec', 'jobTemplate', 'spec', 'template', 'spec') if resource == 'cronjobs' else ('spec', 'template', 'spec')
    out = SIDECAR.format('Object.' + '.'.join(names))
    for n in range(len(names), 0, -1):
        out = '%s: Object.%s{%s}' % (names[n - 1], '.'.join(names[:n]), out)
    return 'Object{%s}' % out


def admission(token):
    """The policies: objects whose number is 0, 1 or 2 modulo 3."""
    out = []
    for name, (resources, expression, rest) in MUTATIONS.items():
        for resource in resources:
            own = [{'name': 'own', 'expression': 'request.namespace.startsWith("asked-") && '
                            'object.metadata.name.matches("^asked-[a-z0-9]+-[0-9]+$") && int(object.metadata.name.split("-")[2]) %% 3 == %d' % rest}]
            out += mutating_policy('%s-%s-%s' % (token, name, resource.replace('*', 'all')), [resource], expression or sidecar(resource),
                                   matchConditions=own)
    return out


class Stage:
    """Namespaces, the CRDs, and the kinds with their places in the API. `admits`: with admission policies."""

    def __init__(self, cl, admits=False):
        self.cl, self.client = cl, Client(cl.upstream())
        self.policies = admission('truth%06d' % random.randrange(10**6)) if admits else []
        if admits:
            must(cl.smp('apply', '-f', cl.write('policies.json', self.policies)))
            until('the admission policies are in force', self.admitted)
        self.group = 'truth%06d.test' % random.randrange(10**6)
        crds, custom = kinds.custom_resources_of(self.group)
        self.crds = ['%s' % crd['metadata']['name'] for crd in crds]
        must(cl.smp('apply', '-f', cl.write('crds.json', crds), '--wait-ready'))
        cl.await_api(self.group + '/v1')
        self.kinds = [kind for kind in kinds.built_in() if kind.on(cl.server)] + custom
        self.custom = {k.name for k in custom}
        self.resources = {}
        for kind in self.kinds:
            self.place(kind)

    def admitted(self):
        """Whether each policy changes an object of its kind."""
        kinds = {'deployments': 'Deployment', 'replicasets': 'ReplicaSet', 'statefulsets': 'StatefulSet', 'daemonsets': 'DaemonSet',
                 'cronjobs': 'CronJob'}
        probes = [(config_map(), 'admitted', 0)] + [
            (workload(kinds[resource], template()), '"replicas": 3' if rest == 1 else 'proxy', rest)
            for resources, _, rest in MUTATIONS.values() for resource in resources if resource != '*']
        space = self.space = getattr(self, 'space', None) or self.cl.new_namespace('asked')
        for manifest, sign, rest in probes:
            manifest['metadata']['name'] = 'asked-probe-%d' % rest
            answer = self.cl.kubectl('create', '--dry-run=server', '-o', 'json', '-f', self.cl.write('probe.json', manifest), '-n', space)
            if sign not in answer.stdout:
                return False
        return True

    def place(self, kind):
        version = kind.base['apiVersion']
        if version not in self.resources:
            root = '/apis/' if '/' in version else '/api/'
            self.resources[version] = {r['kind']: r for r in self.client.get(root + version)['resources'] if '/' not in r['name']}
        resource = self.resources[version][kind.name]
        kind.root = ('/apis/' if '/' in version else '/api/') + version
        kind.plural, kind.cluster_scoped = resource['name'], not resource['namespaced']

    def close(self):
        self.cl.kubectl('delete', 'crd', *self.crds, '--wait=false')
        if self.policies:
            self.cl.kubectl('delete', '-f', 'policies.json')

    def collection(self, kind, namespace):
        return '%s/%s%s' % (kind.root, 'namespaces/%s/' % namespace if namespace else '', kind.plural)

    def path(self, situation):
        return '%s/%s' % (self.collection(situation.kind, situation.namespace), situation.first[0][1]['metadata']['name'])

    def batch(self, seed, numbers):
        return Batch(self, seed, numbers)


class Batch:
    """Situations in two namespaces of their own: one for the objects that admission takes for rules about others."""

    def __init__(self, stage, seed, numbers):
        self.stage, self.cl, self.client = stage, stage.cl, stage.client
        self.name = self.cl.new_namespace('asked' if stage.policies else 'truth')
        self.apart = self.cl.new_namespace('asked' if stage.policies else 'truth')
        self.situations = [Situation(seed, number, stage.kinds, self) for number in numbers]
        self.refused = []

    def namespace_of(self, kind):
        return '' if kind.cluster_scoped else self.apart if kind.apart else self.name

    def write(self, name, manifests):
        return self.cl.write('%s-%s.json' % (self.name, name), manifests)

    def begin(self):
        """Applies the first manifests, tool by tool, and lets others change the objects."""
        for turn in (0, 1):
            for tool in sorted({s.first[turn][0] for s in self.begun() if len(s.first) > turn}):
                self.run_start(tool, turn, [s for s in self.begun() if len(s.first) > turn and s.first[turn][0] == tool])
        self.keep_those_that_exist()
        with concurrent.futures.ThreadPoolExecutor(THREADS) as pool:
            list(pool.map(self.edit, self.situations))

    def begun(self):
        return [s for s in self.situations if s.theme not in ('new', 'no-namespace')]

    def run_start(self, tool, turn, situations):
        file = self.write('%s-%d' % (tool.replace(' ', ''), turn), [s.first[turn][1] for s in situations])
        program, *words = tool.split() if tool.startswith('kubectl') else ('smp', *tool.split())
        force = ['--force-conflicts'] if '--server-side' in words else []
        result = self.cl.by(program, *words, *force, '-f', file, timeout=600)
        if turn == 0:
            self.said = result.stderr

    def keep_those_that_exist(self):
        live = self.lives()
        for s in self.begun():
            s.started = live.get(s.number)
            if s.started is None:
                self.refused.append(s)
        self.situations = [s for s in self.situations if s not in self.refused]

    def edit(self, situation):
        for how in situation.edits:
            status, live = self.client.send('GET', self.stage.path(situation))
            request = situation.edit(how, copy.deepcopy(live)) if status == 200 else None
            if not request:
                continue
            method, rest, body, media_type = request
            if method == 'kubectl':
                self.kubectl(situation, body)
                continue
            status, answer = self.client.send(method, self.stage.path(situation) + rest, body, media_type)
            if status >= 300:
                situation.done[-1]['refused'] = answer.get('message')

    def kubectl(self, situation, words):
        kind, name = situation.kind, situation.first[0][1]['metadata']['name']
        group = kind.base['apiVersion'].split('/')[0] if '/' in kind.base['apiVersion'] else ''
        target = [words[0], kind.plural + ('.' + group if group else ''), name]
        result = self.cl.kubectl(*target, *words[1:], *(['-n', situation.namespace] if situation.namespace else []))
        if result.returncode:
            situation.done[-1]['refused'] = result.stderr

    def lives(self):
        """The live objects by the number of their situation."""
        groups = {}
        for s in self.situations:
            groups.setdefault(self.stage.collection(s.kind, s.namespace), []).append(s)
        found = {}
        for collection, situations in groups.items():
            items = {i['metadata']['name']: i for i in self.client.get(collection)['items']}
            for s in situations:
                name = s.first[0][1]['metadata']['name']
                if name in items:
                    found[s.number] = {'apiVersion': s.kind.base['apiVersion'], 'kind': s.kind.name, **items[name]}
        return found

    def ask(self, flags=(), peer=False):
        """Explains, and applies: fills in each situation's before, report, applied and after, and what kubectl foresees."""
        before = self.lives()
        for s in self.situations:
            s.know(before.get(s.number))
        file = self.write('second', [document for s in self.situations for document in s.documents()])
        explained = self.cl.smp('explain-diff', '-f', file, '-o', 'json', '--show-secrets', *flags, timeout=600)
        foreseen = self.foresee([s for s in self.situations if s.number in before and not s.expected]) if peer else {}
        of_apply = [flag for flag in flags if flag in ('--server-side', '--force-conflicts')]
        with concurrent.futures.ThreadPoolExecutor(THREADS) as pool:
            texts = list(pool.map(lambda s: self.text(s, flags), self.situations))
        applied = self.cl.smp('apply', '-f', file, '-o', 'result-json', *of_apply, timeout=600)
        after = self.lives()
        reports, results = [self.parts(r) for r in (explained, applied)]
        for s, text, report, result in zip(self.situations, texts, reports, results):
            s.text = text
            s.before, s.after, s.report, s.applied = before.get(s.number), after.get(s.number), with_all_keys(report), result
            s.applied['action'] += ' (last-applied only)' if s.applied.get('lastAppliedOnly') else ''
            s.foreseen = foreseen.get((s.kind.name, s.namespace, s.second['metadata']['name']))
        return self.situations

    def text(self, situation, flags):
        """What explain-diff says of the object alone, for people."""
        file = self.write('text-%d' % situation.number, situation.documents())
        return self.cl.smp('explain-diff', '-f', file, '--no-pager', '--show-secrets', *flags).stdout

    def parts(self, result):
        try:
            objects = json.loads(result.stdout)['objects']
        except ValueError as error:
            raise AssertionError('%s\n%s%s' % (error, result.stdout[:2000], result.stderr[:4000])) from error
        wanted = len(self.situations)  # unequal copies of an object are one error
        assert len(objects) == wanted, '%d objects of %d\n%s' % (len(objects), wanted, result.stderr[:4000])
        return objects

    def foresee(self, situations):
        """What kubectl diff compares live with: the server's dry run of kubectl's patches, by kind, namespace and name. kubectl prints
        nothing where one object is refused, so halves are tried again."""
        result = self.cl.kubectl('apply', '--dry-run=server', '-o', 'json', '-f', self.write('peer', [s.second for s in situations]), timeout=600)
        if result.returncode == 0:
            answer = json.loads(result.stdout)
            items = answer['items'] if answer['kind'] == 'List' else [answer]
            return {(i['kind'], i['metadata'].get('namespace', ''), i['metadata']['name']): i for i in items}
        half = len(situations) // 2
        return {**self.foresee(situations[:half]), **self.foresee(situations[half:])} if half else {}

    def end(self):
        """Removes what would be in the way of others: addresses, and objects without a namespace."""
        with concurrent.futures.ThreadPoolExecutor(THREADS) as pool:
            list(pool.map(self.remove, [s for s in self.situations + self.refused if s.kind.cluster_scoped or s.kind.name == 'Service']))
        for namespace in (self.name, self.apart):
            self.cl.kubectl('delete', 'namespace', namespace, '--wait=false')
            self.cl.namespaces.remove(namespace)

    def remove(self, situation):
        self.client.send('DELETE', self.stage.path(situation))
