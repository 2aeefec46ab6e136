#!/usr/bin/env python3
"""explain-diff --live-context and --live-namespace: the same objects in another cluster or namespace. The other context leads to the server
through a recording proxy, so it is another cluster to the tool, and everything that is sent there is seen."""
import json
import sys

import harness
from harness import Space, must
from harness.manifests import config_map, deployment, merge, secret, service

WEB = merge(deployment({'image': 'web:1'}), {'spec': {'replicas': 2}})
OTHER = merge(WEB, {'spec': {'replicas': 5}})
PORT = {'port': 80, 'protocol': 'TCP'}


class Two:
    """Two namespaces, and a kubeconfig with a context for each."""

    def __init__(self, cl, check):
        self.cl, self.check = cl, check
        self.here, self.there = Space(cl, 'here'), Space(cl, 'there')
        for space, web, data in ((self.here, WEB, 'production'), (self.there, OTHER, 'staging')):
            must(space.apply([web, config_map('cm', {'labels': {'app': 'a'}}, url=data, same='x'), service(PORT, name='svc', type='NodePort'),
                              secret('s', data={'password': 'aHVudGVyMg==' if space is self.here else 'aHVudGVyMw=='}),
                              config_map('only-' + space.name[:4])]))

    def config(self, proxy):
        config = self.cl.config()
        config['contexts'] = [{'name': name, 'context': {'cluster': cluster, 'user': user, 'namespace': space.name}}
                              for name, cluster, user, space in (('production', config['clusters'][0]['name'], config['users'][0]['name'], self.here),
                                                                 ('staging', 'other', 'nobody', self.there))]
        config['clusters'].append({'name': 'other', 'cluster': {'server': proxy.url}})
        config['users'].append({'name': 'nobody', 'user': {}})
        config['current-context'] = 'production'
        return self.cl.path(self.cl.write('two.kubeconfig', config))

    def run(self, *args, tool='smp', command='explain-diff', only_gets=True):
        """Runs the tool without a namespace flag."""
        with self.cl.proxy() as proxy:
            result = self.cl.by(tool, command, *args, kubeconfig=self.config(proxy))
        if only_gets:
            self.check('only GETs: ' + ' '.join(args), [r for r in proxy.requests() if not r.startswith('GET ')])
        return result


def by_name(two):
    check, run = two.check, two.run
    check.says('two objects', run('deploy/web', 'svc/svc', '--live-context', 'staging'), 1,
               has=['there: context staging', 'namespace ' + two.there.name, 'here:  context production', 'namespace ' + two.here.name,
                    'Deployment %s/web: differs' % two.there.name, '~ spec.replicas: 5 → 2', '2 objects: 1 different, 1 equal'],
               lacks=['uid', '~ spec.clusterIP', '~ spec.ports', 'resourceVersion', 'will change', 'last-applied', '--ask-server'])
    check.says('the same by TYPE NAME', run('deployment', 'web', '--live-context', 'staging', '-o', 'summary'), 1, has=['differs    Deployment'])
    check.says('an equal object, with what each server chose', run('svc', 'svc', '--live-context', 'staging'), 0,
               has=['not compared, though different: nodePort\n', '1 object: 1 equal'])
    only = 'cm/only-here', 'cm/only-ther'
    check.says('only in one of the two', run(*only, '--live-context', 'staging'), 1, has=[two.here.name + '/only-here: only here', two.there.name + '/only-ther: only there', '1 only here, 1 only there'])
    check.says('in neither', run('cm/nix', 'deploy/web', '--live-context', 'staging'), 2, has=['configmaps "nix" not found', '1 different, 1 with errors'])
    check.says('an unknown type', run('nonsuches/a', '--live-context', 'staging'), 2, has=['the server doesn\'t have a resource type "nonsuches"'])
    check.says('values of a Secret', run('secret/s', '--live-context', 'staging'), 1, has=['data.password: ***'], lacks=['aHVudGVy', 'hunter'])
    check.says('another namespace', two.cl.smp('explain-diff', 'deploy/web', '-n', two.here.name, '--live-namespace', two.there.name), 1, has=['spec.replicas: 5 → 2'])
    check.says('a short name', run('deploy/web', '--live-context', 'staging', '--ignore', 'deploy:spec.replicas'), 0, has=['1 equal (1 with ignored changes); 1 ignored (--ignore)'], lacks=['names nothing'])
    check.says('a short name that the server does not know', run('deploy/web', '--live-context', 'staging', '--ignore', 'dploy:spec.replicas'), 2,
               has=['--ignore dploy:spec.replicas: the server doesn\'t have a resource type "dploy"'])
    check.says('an ignored field', run('deploy/web', '--live-context', 'staging', '--ignore', 'Deployment:spec.replicas'), 0, has=['1 equal (1 with ignored changes); 1 ignored (--ignore)'])


def nothing_found(two):
    """A misspelt label or namespace must not look like two equal places, nor like objects that are missing."""
    check, run = two.check, two.run
    check.says('a misspelt label', run('cm,svc', '-l', 'app=nix', '--live-context', 'staging'), 2,
               has=['no objects to compare: no configmaps, services with -l app=nix in namespace %s (here) or in namespace %s (there)' % (two.here.name, two.there.name)],
               lacks=['0 objects'])
    check.says('none of a cluster-scoped type', run('priorityclass', '-l', 'app=nix', '--live-context', 'staging'), 2,
               has=['no priorityclasses.scheduling.k8s.io with -l app=nix (here) or (there)'])
    for words in (('deploy/web',), ('deploy,svc',), ('cm', '-l', 'app=a')):
        check.says('a namespace that is not there: ' + ' '.join(words), run(*words, '--live-namespace', 'no-such-place'), 2,
                   has=['namespaces "no-such-place" not found (there: context production'], lacks=['only here'])
        check.says('a namespace that is not here: ' + ' '.join(words), run(*words, '-n', 'no-such-place', '--live-context', 'staging', '--live-namespace', two.there.name), 2,
                   has=['namespaces "no-such-place" not found (here: context production'], lacks=['only there'])
    file = two.cl.write('web.json', WEB)
    check.says('manifests', run('-f', file, '--live-namespace', 'no-such-place'), 2, has=['namespaces "no-such-place" not found'])


def as_data(two):
    report = json.loads(two.run('deploy/web', 'cm/only-ther', '--live-context', 'staging', '-o', 'json').stdout)
    two.check.equal('where', [report[side]['namespace'] for side in ('context', 'manifest-context')], [two.there.name, two.here.name])
    web, only = report['objects']
    two.check.equal('the actions', [web['action'], only['action']], ['different', 'only-there'])
    two.check.equal('the counts', report['summary'], {'only-here': 0, 'different': 1, 'equal': 0, 'only-there': 1, 'error': 0})
    row = [row for row in web['changes'] if row['path'] == 'spec.replicas'][0]
    two.check.equal('the row', [row['live'], row['outcome'], row['message']], [5, 2, 'differs'])
    two.check.equal('no patch', 'patch' in web, False)


def by_list(two):
    check, run = two.check, two.run
    check.says('all of a type', run('deploy,secret,cm', '--live-context', 'staging', '-o', 'summary'), 1,
               has=['5 objects: 1 only here, 3 different, 1 only there'])
    check.says('by label', run('cm', '-l', 'app=a', '--live-context', 'staging', '-o', 'summary'), 1, has=['1 object: 1 different'])
    must(two.there.kubectl('label', 'cm', 'cm', 'app=b', '--overwrite'))
    check.says('a label that differs hides no twin', run('cm', '-l', 'app=a', '--live-context', 'staging'), 1, has=['~ metadata.labels.app: b → a', '1 object: 1 different'])
    check.says('from the other side either', run('cm', '-l', 'app=b', '--live-context', 'staging'), 1, has=['1 object: 1 different'])
    must(two.there.kubectl('label', 'cm', 'cm', 'app=a', '--overwrite'))


def what_somebody_set_counts(two):
    """Live objects are compared, not what was applied."""
    two.there.patch('configmap cm', {'data': {'url': 'production', 'extra': 'y'}})
    two.check.says('a field that nobody applied', two.run('cm/cm', '--live-context', 'staging'), 1, has=['- data.extra'], lacks=['data.url'])


def allocated(two):
    """What the server chooses for each object is no difference; what people choose is."""
    check, run = two.check, two.run
    headless = service(PORT, name='headless', clusterIP='None')
    must(two.here.apply(headless))
    must(two.there.apply(merge(headless, {'spec': {'clusterIP': None}})))
    check.says('a headless Service', run('svc/headless', '--live-context', 'staging'), 1, has=['clusterIP'])
    account = {'spec': {'template': {'spec': {'serviceAccountName': 'robot'}}}}
    must(two.here.apply(merge(WEB, {'metadata': {'name': 'robot'}, **account})))
    must(two.there.apply(merge(WEB, {'metadata': {'name': 'robot'}})))
    check.says('a service account', run('deploy/robot', '--live-context', 'staging'), 1, has=['serviceAccountName'])


def manifests(two):
    """-f: what apply would change there, as the same command with --context there says."""
    check, run = two.check, two.run
    file = two.cl.write('web.json', merge(WEB, {'spec': {'minReadySeconds': 3}}))
    other = run('-f', file, '--live-context', 'staging', '-o', 'yaml')
    check.says('another context', other, 1, has=['path: spec.replicas', 'namespace: ' + two.there.name])
    there = two.run('-f', file, '--context', 'staging', '-o', 'yaml')
    check.equal('as with --context', other.stdout.split('server:')[0], there.stdout.split('server:')[0])
    diff = run('-f', file, '--context', 'staging', tool='kubectl', command='diff', only_gets=False)
    check.says('kubectl diff there finds the same', diff, 1, has=['-  replicas: 5', '+  replicas: 2', '+  minReadySeconds: 3'])
    stated = two.cl.write('stated.json', merge(WEB, {'metadata': {'namespace': two.here.name}}))
    check.says('another namespace, whatever the manifest says', run('-f', stated, '--live-context', 'staging', '--live-namespace', two.there.name), 1,
               has=['Deployment %s/web' % two.there.name, 'spec.replicas: 5 → 2'])
    asked = run('-f', file, '--live-context', 'staging', '--ask-server', only_gets=False)
    check.says('a dry run there', asked, 1, has=['spec.replicas: 5 → 2'], lacks=['not checked by the server'])
    check.equal('stores nothing', two.there.live(OTHER)['spec']['replicas'], 5)


def refused(two):
    """Each with the reason."""
    file = two.cl.write('web.json', WEB)
    rows = [(('deploy/web',), 'say where with --live-context'), (('-f', file, 'deploy/web'), 'name each file with -f'), (('-f', file, 'deploy/web', '--live-context', 'staging'), 'you may not specify resource arguments as well'),
            (('deploy/web', '--live-context', 'production'), '--live-context names the place where they are read from'),
            (('deploy/web', '--live-namespace', two.here.name), '--live-namespace names the place where they are read from'),
            (('deploy/web', '--live-context', 'nix'), 'context was not found for specified context: nix'),
            (('ns/default', '--live-namespace', 'x'), 'has no namespace: compare it with --live-context'),
            (('deploy/web', '--live-context', 'staging', '--ask-server'), 'nothing is applied'),
            (('deploy/web', '--live-context', 'staging', '-o', 'patch'), 'nothing is applied'),
            (('deploy/web', '--live-context', 'staging', '-o', 'html'), 'nothing is applied'),
            (('deploy/web', '--live-context', 'staging', '--show=live-only'), 'what only one has is shown'),
            (('-f', file, '--live-context', 'staging', '--prune'), 'use --context to see'),
            (('-f', file, '--live-context', 'staging', '--context', 'production'), 'only compared with the cluster of --live-context'),
            (('-f', file, '--live-context', 'staging', '--token', 'x'), 'only compared with the cluster of --live-context'),
            (('-f', file, '--live-context', 'staging', '--live', file), 'read live objects from a cluster'),
            (('deploy/web', '--live', file), 'read from a cluster'),
            (('-f', file, '--live-namespace', 'x', '-n', 'y'), 'says where the live objects are'),
            (('-f', file, '--live-context='), 'must not be empty')]
    for args, words in rows:
        two.check.says(' '.join(args), two.run(*args), 2, has=[words])


def credentials_stay(two):
    """A token for this cluster is not sent to the other one."""
    with two.cl.proxy() as proxy:
        done = two.cl.smp('explain-diff', 'deploy/web', '--live-context', 'staging', '--token', 'sesame', '-v', '8', kubeconfig=two.config(proxy))
    two.check.true('the token is not accepted here, and not sent there', done.returncode == 2 and not proxy.requests(), done.stderr[-500:])


def managed_fields(two):
    """kubectl diff's flags, beside kubectl diff."""
    check = two.check
    changed = merge(WEB, {'spec': {'replicas': 9}})
    flags = ('--show-managed-fields', '-f', two.here.write('m.json', changed))
    check.says('kubectl shows them', two.here.kubectl('diff', *flags), 1, has=['+  replicas: 9', 'manager: kubectl-client-side-apply'])
    check.says('so do we', two.here.smp('explain-diff', *flags, '-o', 'diff', '--ask-server'), 1, has=['+  replicas: 9', 'manager: kubectl-client-side-apply'])
    check.says('not by default', two.here.smp('explain-diff', *flags[1:], '-o', 'diff', '--ask-server'), 1, has=['+  replicas: 9'], lacks=['manager:'])
    check.says('only where they are known', two.here.smp('explain-diff', *flags, '-o', 'diff'), 2, has=['only the server knows'])
    for number in ('0', '-1', '2', '500'):
        for tool, command in (('kubectl', 'diff'), ('smp', 'explain-diff')):
            check.says('%s %s --concurrency=%s' % (tool, command, number), two.here.by(tool, command, *flags[1:], '--concurrency=' + number), 1, has=['replicas'])
    check.says('two names of one flag', two.here.smp('explain-diff', *flags[1:], '--concurrency=2', '--parallel=2'), 2, has=['give one'])


if __name__ == '__main__':
    sys.exit(harness.run(__doc__, by_name, nothing_found, as_data, by_list, what_somebody_set_counts, allocated, manifests, refused, credentials_stay, managed_fields, fixture=Two))
