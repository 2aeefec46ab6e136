#!/usr/bin/env python3
"""apply decides by itself between client-side and server-side: each cell of the table in lib/apply/apply_mode.h, in both directions where it
has two, and what both tools make of the object afterwards.

  apply_mode.py --tool T --kubectl K --kubeconfig F"""
import json
import sys

import harness
from harness import Space, must
from harness.cluster import LAST_APPLIED
from harness.manifests import config_map, custom, definition, deployment, merge, of, secret, service

BIG = 'x' * 300_000  # too large for the annotation, which would have it, too
HALF = 'x' * 140_000  # as an annotation: it would be there twice
SWITCHED = 'serverside-applied (too large for last-applied)'
ENV = [{'name': 'A', 'value': '1'}, {'name': 'B', 'value': '2'}]


def small(**data):
    return config_map('cfg', **data)


def big(**data):
    return small(big=BIG, **data)


def noted(manifest):
    """Too large by an annotation of its own."""
    return merge(manifest, {'metadata': {'annotations': {'note': HALF}}})


def managers(live):
    return sorted((entry['manager'], entry['operation']) for entry in live['metadata']['managedFields'])


def data(live):
    return {key: value for key, value in live['data'].items() if key != 'big'}


def record(live):
    return live['metadata'].get('annotations', {}).get(LAST_APPLIED)


def version(live):
    return live['metadata']['resourceVersion']


class Story(Space):
    """A namespace for one story."""

    def __init__(self, cl, check):
        super().__init__(cl, 'mode')
        self.check = check

    def did(self, name, manifest, word, *flags, **said):
        """Applies the manifest and returns live."""
        result = self.apply(manifest, *flags)
        self.check.did(name, result, word)
        self.check.says(name + ': what it says', result, **said)
        return self.find('-f', 'm.json')

    def rests(self, name, manifest, *flags, asks=False):
        """A second apply changes nothing, and says so; explain-diff, too. `asks`: the server must say so, because managedFields name what
        the manifest leaves to a default (a key of a list item)."""
        before = version(self.live(manifest))
        self.did(name + ', again', manifest, 'unchanged', *flags, err='')
        self.check.equal(name + ', again: nothing was written', version(self.live(manifest)), before)
        self.check.equal(name + ', again: what was sent', 'verb="P' in self.apply(manifest, '-v=6', *flags).stderr, asks)
        self.check.says(name + ': explain-diff', self.explain(manifest, *flags))

    def untold(self, manifest):
        """Live has a label and an annotation that nobody owns, as if admission had injected them."""
        target = '%s %s' % (manifest['kind'].lower(), manifest['metadata']['name'])
        self.patch(target, {'metadata': {'labels': {'injected': 'l'}, 'annotations': {'injected': 'a'}}})
        live = self.live(manifest)
        entries = [entry for entry in live['metadata']['managedFields'] if entry['manager'] != 'somebody']
        self.patch(target, [{'op': 'replace', 'path': '/metadata/managedFields', 'value': entries}])

    def keeps_untold(self, name, live):
        self.check.holds(name + ': what was injected stays', live, {'metadata.labels.injected': 'l', 'metadata.annotations.injected': 'a'})


def creation(cl, check):
    t = Story(cl, check)
    for flag in ('client', 'server'):
        t.check.equal('a dry run stores nothing', t.did('dry run', big(a='1'), '%s (%s)' % (SWITCHED, {'client': 'dry run', 'server': 'server dry run'}[flag]), '--dry-run=' + flag), None)
    live = t.did('creation', big(a='1', b='2'), SWITCHED, err='')
    check.equal('no annotation', [record(live), managers(live)], [None, [('kubectl', 'Apply')]])
    t.rests('creation', big(a='1', b='2'))
    check.says('a removal is explained', t.explain(big(a='1')), 1, has=['- data.b: "2"  removed'])
    for flag in ('client', 'server'):
        result = t.apply(big(a='1'), '--dry-run=' + flag, '-o', 'json')
        check.equal('--dry-run=%s -o json' % flag, data(json.loads(must(result))), {'a': '1'})
    check.equal('stores nothing', data(t.live(big())), {'a': '1', 'b': '2'})
    check.equal('-o name', must(t.apply(big(a='1', b='2'), '-o', 'name')), 'configmap/cfg\n')
    result = json.loads(must(t.apply(big(a='3'), '-o', 'result-json')))
    check.holds('-o result-json', result, {'objects[0].action': 'serverside-applied', 'objects[0].tooLarge': True, 'summary.serverside-applied': 1})
    check.equal('what left the manifest is gone', data(t.live(big())), {'a': '3'})
    result = json.loads(must(t.apply(big(a='3'), '-o', 'result-json')))
    check.equal('unchanged is not too large', [result['objects'][0]['action'], 'tooLarge' in result['objects'][0]], ['unchanged', False])
    t.did('--wait-ready', big(a='4'), SWITCHED, '--wait-ready=20s')


def there_and_back(cl, check):
    """annotation → server-side → small again → annotation."""
    t = Story(cl, check)
    must(t.apply(small(a='1', b='2', c='3')))
    t.untold(small())
    for flag in ('client', 'server'):
        result = t.apply(big(a='1', c='4'), '--dry-run=' + flag, '-o', 'json')
        live = json.loads(must(result))
        check.equal('--dry-run=%s of the migration' % flag, [data(live), record(live)], [{'a': '1', 'c': '4'}, None])
    check.true('stores nothing', record(t.live(big())), 'the annotation is gone')
    check.says('the migration is explained', t.explain(big(a='1', c='4')), 1, has=['data.b', 'data.c'])
    live = t.did('migration', big(a='1', c='4'), SWITCHED, err='')
    check.equal('the removed key is gone, and the annotation', [data(live), record(live), managers(live)], [{'a': '1', 'c': '4'}, None, [('kubectl', 'Apply')]])
    t.keeps_untold('migration', live)
    t.rests('migration', big(a='1', c='4'))
    live = t.did('it fits again', small(a='1', d='5'), 'serverside-applied')
    check.equal('and stays server-side', [live['data'], record(live), managers(live)], [{'a': '1', 'd': '5'}, None, [('kubectl', 'Apply')]])
    t.rests('it fits again', small(a='1', d='5'))
    check.says('too large to go back', t.apply(big(a='1'), '--last-applied=annotation'), 1, out='',
               err=['m.json:1: configmap/cfg: metadata.annotations: the annotations would have 300', 'the server accepts 262144; apply the object without --last-applied=annotation'])
    live = t.did('going back', small(d='6'), 'configured', '--last-applied=annotation', err='')
    check.equal('removes what left the manifest', [live['data'], managers(live)], [{'d': '6'}, [('kubectl-client-side-apply', 'Update')]])
    check.equal('writes the annotation', json.loads(record(live))['data'], {'d': '6'})
    t.keeps_untold('going back', live)
    t.rests('going back', small(d='6'))
    t.rests('going back, with the flag', small(d='6'), '--last-applied=annotation')
    live = t.did('client-side again', small(e='7'), 'configured')
    check.equal('removes keys', live['data'], {'e': '7'})


def workloads(cl, check):
    """Defaults, allocated ports and list items across the switch, both ways."""
    t = Story(cl, check)
    web = deployment({'env': ENV, 'ports': [{'containerPort': 80}]})
    must(t.apply(web))
    t.untold(web)
    before = t.live(web)['spec']
    fewer = deployment({'env': ENV[:1], 'ports': [{'containerPort': 81}]})
    live = t.did('a Deployment', noted(fewer), SWITCHED)
    container = before['template']['spec']['containers'][0]
    container['env'] = ENV[:1]
    container['ports'] = [{'containerPort': 81, 'protocol': 'TCP'}]
    check.equal('loses its items and no default', live['spec'], before)
    t.keeps_untold('a Deployment', live)
    t.rests('a Deployment', noted(fewer), asks=True)
    live = t.did('back', deployment(), 'configured', '--last-applied=annotation')
    container.pop('env')
    container.pop('ports')
    check.equal('it loses the rest', [live['spec'], live['metadata']['annotations'].get('note')], [before, None])
    t.keeps_untold('a Deployment that is back', live)
    t.rests('back', deployment())
    ports = [{'name': 'a', 'port': 80}, {'name': 'b', 'port': 81}]
    must(t.apply(service(*ports, type='NodePort')))
    before = t.live(service())['spec']
    live = t.did('a Service', noted(service(ports[0], type='NodePort')), SWITCHED)
    before['ports'].pop()
    check.equal('keeps its address and port', live['spec'], before)
    t.rests('a Service', noted(service(ports[0], type='NodePort')), asks=True)
    live = t.did('a Service goes back', service(ports[0], type='NodePort'), 'configured', '--last-applied=annotation')
    check.equal('and keeps them again', live['spec'], before)
    live = t.did('a Secret', noted(secret(stringData={'a': '1', 'b': '2'})), SWITCHED)
    live = t.did('a key of stringData', noted(secret(stringData={'a': '1'})), SWITCHED)
    check.equal('is removed from data', live['data'], {'a': 'MQ=='})
    t.rests('a Secret', noted(secret(stringData={'a': '1'})))


def created_by_others(cl, check):
    """Neither annotation nor Apply entry."""
    t = Story(cl, check)
    must(t.kubectl('create', '-f', t.write('old.json', small(a='1', b='2'))))
    live = t.did('kubectl create', big(a='5', c='3'), SWITCHED, err='')
    check.equal('nothing is removed without a record', [data(live), managers(live)], [{'a': '5', 'b': '2', 'c': '3'}, [('kubectl', 'Apply')]])
    t.rests('kubectl create', big(a='5', c='3'))
    live = t.did('from then on', big(c='3'), SWITCHED)
    check.equal('keys of the manifest are', data(live), {'b': '2', 'c': '3'})
    must(t.kubectl('delete', 'cm/cfg'))
    must(t.kubectl('create', '-f', 'old.json'))
    t.patch('cm cfg', [{'op': 'replace', 'path': '/metadata/managedFields', 'value': [{}]}])
    t.did('no managedFields', big(a='1'), SWITCHED)
    live = t.did('no managedFields, later', big(b='1'), SWITCHED)
    check.equal('nobody else owns what was applied', data(live), {'b': '1'})
    must(t.kubectl('delete', 'cm/cfg'))
    must(t.kubectl('create', '-f', 'old.json'))
    live = t.did('--adopt', big(a='1'), SWITCHED, '--adopt=kubectl-create', err=['adopted and deleted, because the manifest lacks it: data.b'])
    check.equal('removes what that manager set', data(live), {'a': '1'})


def conflicts(cl, check):
    t = Story(cl, check)
    must(t.apply(small(a='1', b='2')))
    t.patch('cm cfg', {'data': {'a': 'theirs'}})
    before = version(t.live(big()))
    check.says('--overwrite=false', t.apply(big(a='1', b='2'), '--overwrite=false'), 1, err=['data.a: the patch would overwrite', 'owned by somebody (Update'])
    check.equal('sends nothing', version(t.live(big())), before)
    live = t.did('drift', big(a='1', b='2'), SWITCHED,
                 err=['the manifest wins over what other managers set: data.a: "kubectl" applies "1"; live has "theirs", owned by somebody (Update'])
    check.equal('is overwritten', data(live), {'a': '1', 'b': '2'})
    must(t.kubectl('apply', '--server-side', '--field-manager=other', '--force-conflicts', '-f', t.write('other.json', small(b='other'))))
    before = version(t.live(big()))
    check.says('explain-diff of what another applies', t.explain(big(a='1', b='2'), '-o', 'json'), 2, has=['data.b', 'other (Apply'])
    refused = ['m.json:1: configmap/cfg: data.b: other managers apply other values server-side, so apply sends nothing',
               'data.b: "kubectl" applies "2"; live has "other", owned by other (Apply', 'take them over with --force-conflicts']
    for flags in ([], ['--dry-run=client'], ['--dry-run=server']):
        check.says('what another applies %s' % flags, t.apply(big(a='1', b='2'), *flags), 1, out='', err=refused)
    check.equal('is left alone', version(t.live(big())), before)
    live = t.did('--force-conflicts', big(a='1', b='2'), SWITCHED, '--force-conflicts', err=['the manifest wins over'])
    check.equal('takes it', data(live), {'a': '1', 'b': '2'})
    t.rests('--force-conflicts', big(a='1', b='2'))
    must(t.apply(secret(stringData={'p': 'hunter2-hunter2'})))
    t.patch('secret web', {'stringData': {'p': 'another-hunter3'}})
    result = t.apply(noted(secret(stringData={'p': 'hunter2-hunter2'})))
    check.says('a Secret', result, err=['data.p: "kubectl" applies ***; live has ***'], lacks=['aHVu', 'hunter'])


def refused(cl, check):
    """An object that the server refuses stays as it was."""
    t = Story(cl, check)
    must(t.apply(small(a='1')))
    before = t.live(small())
    check.says('an invalid object', t.apply(merge(big(), {'data': {'in/valid': 'x'}})), 1, err=['in/valid'])
    check.equal('is not migrated', t.live(small()), before)


def recreation(cl, check):
    t = Story(cl, check)
    fixed = {'immutable': True}
    must(t.apply(merge(big(a='1', b='2'), fixed)))
    uid = t.live(big())['metadata']['uid']
    check.says('an immutable object', t.apply(merge(big(a='2'), fixed)), 1, err=['immutable'])
    live = t.did('--force', merge(big(a='2', c='1'), fixed), 'recreated', '--force')
    check.true('it is another one', live['metadata']['uid'] != uid, live['metadata']['uid'])
    check.equal('of ours', [data(live), managers(live), record(live)], [{'a': '2', 'c': '1'}, [('kubectl', 'Apply')], None])
    t.rests('--force', merge(big(a='2', c='1'), fixed))
    live = t.did('--force of one that fits', merge(small(a='3'), fixed), 'recreated', '--force')
    check.equal('is recorded in the annotation', [live['data'], json.loads(record(live))['data']], [{'a': '3'}] * 2)
    must(t.kubectl('delete', 'cm/cfg'))
    must(t.apply(merge(small(a='1'), fixed)))
    live = t.did('--force at the switch', merge(big(a='2'), fixed), 'recreated', '--force')
    check.equal('leads to server-side', [data(live), managers(live), record(live)], [{'a': '2'}, [('kubectl', 'Apply')], None])


def pruning(cl, check):
    t = Story(cl, check)
    def labelled(name, manifest):
        return merge(manifest, {'metadata': {'name': name, 'labels': {'app': 'mode'}}})
    one, two = labelled('one', big(a='1')), labelled('two', big(a='1'))
    must(t.apply([one, two]))
    theirs = t.write('theirs.json', labelled('theirs', small()))
    must(t.kubectl('apply', '--server-side', '--field-manager=other', '-f', theirs))
    flags = ('--prune', '-l', 'app=mode')
    check.says('explain-diff --prune', t.explain(one, *flags), 1, has=['two'], lacks=['theirs'])
    check.says('--prune --compat=kubectl', t.apply(labelled('small', small(a='1')), *flags, '--compat=kubectl'),
               lacks=['pruned'])
    must(t.kubectl('delete', 'cm/small'))
    check.says('--prune', t.apply(one, *flags), out='configmap/one unchanged\nconfigmap/two pruned\n')
    check.true('what another manager applied stays', t.find('cm/theirs'), 'it is gone')


def kept_fields(cl, check):
    t = Story(cl, check)
    must(t.apply(deployment()))
    must(t.kubectl('scale', 'deploy/web', '--replicas=5'))
    manifest = noted(merge(deployment(), {'spec': {'replicas': 1}}))
    live = t.did('--keep-live', manifest, SWITCHED, '--keep-live', 'spec.replicas', lacks=['the manifest wins'])
    check.equal('--keep-live: kept', [live['spec']['replicas'], record(live)], [5, None])
    t.rests('--keep-live', manifest, '--keep-live', 'spec.replicas')


def definitions(cl, check):
    """The objects that are too large in practice, and one of their kind in the same input."""
    t = Story(cl, check)
    group = '__NS__.example.com'
    crd = t.named(definition(group))
    crd['spec']['versions'][0]['schema']['openAPIV3Schema']['description'] = BIG
    must(t.apply([crd, custom(group)]))
    result = t.apply([crd, custom(group)])
    check.says('a CRD, again', result, out='customresourcedefinition.apiextensions.k8s.io/%s unchanged\n%s unchanged\n' % (
        crd['metadata']['name'], 'widget.%s/w' % t.named(group)), err='')
    result = t.smp('apply', '-f', 'm.json', '--dry-run=client')
    check.equal('a CRD, dry run', [result.returncode, result.stdout.count(' unchanged (dry run)\n')], [0, 2])
    must(t.kubectl('delete', 'crd', crd['metadata']['name']))


def kubectl_afterwards(cl, check):
    t = Story(cl, check)
    must(t.apply(big(a='1', b='2')))
    must(t.apply(big(a='3'), '--server-side', tool='kubectl'))
    live = t.live(big())
    check.equal('kubectl apply --server-side goes on', [data(live), managers(live)], [{'a': '3'}, [('kubectl', 'Apply')]])
    t.rests('after kubectl apply --server-side', big(a='3'))
    must(t.apply(small(a='4', b='5'), tool='kubectl'))
    live = t.did('after kubectl apply', small(a='4'), 'configured')
    check.equal('the annotation is the record again', [data(live), json.loads(record(live))['data']], [{'a': '4'}] * 2)
    t.rests('after kubectl apply', small(a='4'))
    must(t.apply(small(a='5', c='1'), '--server-side', '--force-conflicts', tool='kubectl'))
    check.true('kubectl keeps the annotation', record(t.live(big())), 'it is gone')
    live = t.did('after its migration, too large', big(a='6'), SWITCHED)
    check.equal('the annotation goes with its entry', [data(live), record(live), managers(live)], [{'a': '6'}, None, [('kubectl', 'Apply')]])
    t.did('going back', small(a='6', b='1'), 'configured', '--last-applied=annotation')
    must(t.apply(small(a='7'), tool='kubectl'))
    check.equal('kubectl apply goes on from there', t.live(big())['data'], {'a': '7'})


def others_before_going_back(cl, check):
    """What others did before the object goes back: managedFields keep no record of what they removed, and a program may be called kubectl."""
    t = Story(cl, check)
    must(t.apply(small(a='1', b='2', c='3'), '--server-side'))
    must(t.kubectl('patch', 'configmap', 'cfg', '--field-manager=kubectl-edit', '--type=merge', '-p', '{"data":{"b":null}}'))
    must(t.kubectl('patch', 'configmap', 'cfg', '--field-manager=kubectl', '--type=merge', '-p', '{"data":{"theirs":"1"}}'))
    back = ['--last-applied=annotation']
    wanted = small(a='1', b='2')
    check.says('what they removed may come back', t.explain(wanted, *back), 1, has=['or bring back what was removed in the cluster'],
               lacks=['no change made in the cluster is undone', 'data.theirs: "1"  removed'])
    must(t.apply(wanted, *back))
    check.equal('what they set stays', t.get('configmap', 'cfg')['data'], {'a': '1', 'b': '2', 'theirs': '1'})

    policy = of('networking.k8s.io/v1', 'NetworkPolicy', 'np', spec={'podSelector': {}, 'policyTypes': ['Ingress', 'Egress']})
    must(t.apply(policy, '--server-side'))
    wanted = merge(policy, {'spec': {'policyTypes': ['Egress']}})
    check.says('nobody has changed the list', t.explain(wanted, *back), 1, has=['policyTypes'], lacks=['undoes changes'])
    must(t.kubectl('patch', 'networkpolicy', 'np', '--field-manager=kubectl-edit', '--type=merge', '-p', '{"spec":{"policyTypes":["Ingress"]}}'))
    check.says('a part of a list', t.explain(policy, *back), 1, has=['undoes changes made in the cluster', 'by kubectl-edit'])


def others_stay(cl, check):
    """What never switches: kubectl's dialect, another manager's Apply entry."""
    t = Story(cl, check)
    check.says('--compat=kubectl', t.apply(big(), '--compat=kubectl'), 1, err=['Too long'])
    for flag in ('--last-applied=annotation', '--force-conflicts'):
        check.says(flag + ' --compat=kubectl', t.apply(big(), '--compat=kubectl', flag), 1, err=[flag.split('=')[0]])
    check.says('--last-applied --server-side', t.apply(big(), '--server-side', '--last-applied=annotation'), 1, err=['--last-applied cannot be used with --server-side'])
    check.says('--last-applied of a new object', t.apply(big(), '--last-applied=annotation'), 1, err=['the annotations would have 300'])
    check.equal('nothing was created', t.find('cm/cfg'), None)
    must(t.kubectl('apply', '--server-side', '--field-manager=other', '-f', t.write('old.json', small(a='1'))))
    live = t.did('applied by another manager', small(b='2'), 'configured')
    check.true('is recorded in the annotation', record(live), live)
    t.did('--field-manager', merge(big(a='1'), {'metadata': {'name': 'mine'}}), SWITCHED, '--field-manager=me')
    live = t.did('--field-manager, small', merge(small(b='1'), {'metadata': {'name': 'mine'}}), 'serverside-applied', '--field-manager=me')
    check.equal('goes by that entry', [live['data'], managers(live)], [{'b': '1'}, [('me', 'Apply')]])


def last_applied(cl, check):
    t = Story(cl, check)
    must(t.apply(big(a='1')))
    t.patch('cm cfg', {'data': {'theirs': 'x'}})
    viewed = json.loads(must(t.smp('last-applied', 'view', 'cm/cfg', '-o', 'json')))
    check.equal('view', viewed, t.named(merge(big(a='1'), {'metadata': {'namespace': '__NS__'}})))
    must(t.apply(small(a='1')))
    t.write('m.json', small(a='1'))
    for args in (['set', '-f', 'm.json'], ['set', '-f', 'm.json', '--create-annotation'], ['forget', 'data.a', 'cm/cfg'], ['edit', 'cm/cfg']):
        result = t.smp('last-applied', *args, KUBE_EDITOR='false')
        check.says('last-applied ' + ' '.join(args), result, 1, err=['configmap/cfg: the object is applied server-side', '--last-applied=annotation'])


if __name__ == '__main__':
    sys.exit(harness.run(__doc__, creation, there_and_back, workloads, created_by_others, conflicts, refused, recreation, pruning, kept_fields, definitions,
                         kubectl_afterwards, others_before_going_back, others_stay, last_applied))
