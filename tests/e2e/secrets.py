#!/usr/bin/env python3
"""Values of Secrets are masked where they are printed, and nothing else is: neither what other objects have by chance, nor names, keys
and files."""
import base64
import json
import random
import re
import sys

import harness
from harness import Space, must, until
from harness.manifests import config_map, merge, of, secret, service

CANARY = 'kanarienvogel-%08x' % random.getrandbits(32)
# Values that other objects, files, keys and messages have, too.
COMMON = {'TLS': 'false', 'digit': '1', 'letter': 'a', 'space': 'default', 'file': 'shop', 'key': 'password', 'kind': 'Service',
          'number': '5432', 'text': 'image-puller'}
# Values that nothing else has.
HIDDEN = {'password': CANARY, 'cert': '-----BEGIN X-----\n%s\n"quoted\\"\n' % CANARY[::-1], 'short': 'qzx7'}
FILE = 'shop-default-secret.yaml'
OTHERS = [config_map('shop', {'labels': {'TLS': 'false'}}, TLS='false', space='default', key='password', text='the image-puller of shop'),
          service({'name': 'a', 'port': 5432, 'targetPort': 5432, 'protocol': 'TCP'}, name='password', publishNotReadyAddresses=False)]
CHANGED = [merge(OTHERS[0], {'data': {'TLS': 'true', 'new': '1'}}), merge(OTHERS[1], {'spec': {'publishNotReadyAddresses': True}})]


def coded(text):
    return base64.b64encode(text.encode()).decode()


def planted(**more):
    return secret('shop', stringData={**COMMON, **HIDDEN, **more})


def forms(values):
    """What must not be seen of values that only a Secret has: as they are, quoted, and as base64."""
    for value in values:
        yield from (value, json.dumps(value)[1:-1], coded(value))


def secrets_in(text, more=()):
    common = [coded(value) for value in COMMON.values() if len(coded(value)) > 4]
    return [form for form in (*forms([*HIDDEN.values(), *more]), CANARY[3:20], *common) if form in text]


# name: the manifest of the Secret, its state in live, exit status.
SITUATIONS = {
    'create': (planted(), None, 1),
    'unchanged': (planted(), planted(), 0),
    'change': (planted(password=CANARY[::-1], TLS='true', added='default'), planted(), 1),
    'removed keys': (secret('shop', stringData={'TLS': 'false'}), planted(), 1),
    'all removed': (secret('shop'), planted(), 1),
    'only a label': (merge(planted(), {'metadata': {'labels': {'a': 'default'}}}), planted(), 1),
    'refused': (merge(planted(), {'type': 'example.com/other'}), planted(), 2),
    'a field that is no Secret\'s': ({**planted(), 'stringdatta': {'password': CANARY}}, planted(), 2),
}


def others_in(report):
    return [thing for thing in json.loads(report)['objects'] if thing['kind'] != 'Secret']


def blocks(text):
    """The objects in -o text, without the Secret and the summary. Time goes by between two runs."""
    parts = [thing for block in text.split('\n\n') for thing in re.split(r'\n(?! )', block)]
    objects = [thing for thing in parts if re.match(r'[A-Z]\w+ [\w/.-]+: ', thing)]
    return [re.sub(r'\d+s ago', '', thing) for thing in objects if not thing.startswith('Secret ')]


def masked(name, space, others, asks, check):
    def explain(objects, *flags):
        space.write(FILE, objects)
        return space.smp('explain-diff', '-f', FILE, '--show=all', *asks, *flags)
    thing, _, status = SITUATIONS[name]
    status = status or (1 if others is CHANGED else 0)
    name = ' '.join([name, *asks])
    runs = {form: explain([*others, thing], '-o', form) for form in ('json', 'text', 'patch')}
    for form, result in runs.items():
        check.says('%s -o %s' % (name, form), result, status)
        check('%s -o %s shows no value' % (name, form), secrets_in(result.stdout + result.stderr))
    check.equal(name + ': the JSON is the same twice', explain([*others, thing], '-o', 'json').stdout, runs['json'].stdout)
    check('%s: and has no digest' % name, re.findall(r'\*\*\* \(', runs['json'].stdout + runs['patch'].stdout))
    check.equal(name + ': others are untouched in JSON', others_in(runs['json'].stdout), others_in(explain(others, '-o', 'json').stdout))
    check.equal(name + ': and in text', blocks(runs['text'].stdout), blocks(explain(others).stdout))
    check.true(name + ': the file is named', FILE in runs['text'].stdout, runs['text'].stdout)
    return json.loads(runs['json'].stdout)['objects'][-1], runs['text'].stdout


def explained(cl, check):
    for name, (_, live, _) in SITUATIONS.items():
        space = Space(cl, 'secrets')
        must(space.apply([*([live] if live else []), *OTHERS]))
        for others, asks in ((OTHERS, []), (CHANGED, ['--ask-server']), (CHANGED, [])):
            of_secret, text = masked(name, space, others, asks, check)
        rows = {row['path']: row for row in of_secret['changes']}
        shown = [path for path, row in rows.items() if path.startswith('data') and not {'live', 'outcome', 'modified', 'original'}.isdisjoint(row)]
        check(name + ': rows of values say only whether they are equal', shown)
        if 'patch' in of_secret:
            check.true(name + ': its patch is marked', of_secret['patch'].get('redacted') and 'bytes' not in of_secret['patch'], of_secret['patch'])
        if name == 'create':
            check.equal('create: the keys are listed', sorted(path for path in rows if path.startswith('data')),
                        sorted('data.' + key for key in {**COMMON, **HIDDEN}))
        if name == 'change':
            digests = re.findall(r'~ (data\.\w+): \*\*\* \(\w{12}\) → \*\*\* \(\w{12}\) ', text)
            check.equal('change: text has digests', digests, ['data.TLS', 'data.password'])


def policy(name, kind, namespace, message, actions):
    """An admission policy that refuses objects (or warns of them) with this message, a CEL expression."""
    rule = {'apiGroups': [''], 'apiVersions': ['v1'], 'operations': ['CREATE', 'UPDATE'], 'resources': [kind]}
    here = {'namespaceSelector': {'matchLabels': {'kubernetes.io/metadata.name': namespace}}}
    return [of('admissionregistration.k8s.io/v1', 'ValidatingAdmissionPolicy', name, spec={
                'failurePolicy': 'Fail', 'matchConstraints': {'resourceRules': [rule], **here},
                'validations': [{'expression': '!has(object.metadata.labels)', 'message': 'no', 'messageExpression': message}]}),
            of('admissionregistration.k8s.io/v1', 'ValidatingAdmissionPolicyBinding', name, spec={'policyName': name, 'validationActions': actions})]


LABELLED = {'metadata': {'labels': {'a': 'b'}}}
# What a webhook might say: old and new values, parts of them, and common words.
QUOTE = "'got ' + string(object.data['password']) + ' TLS ' + string(object.data['TLS']) + ' part ' + string(object.data['password']).substring(2, 14)"
OLD = " + ' was ' + (oldObject == null ? '' : string(oldObject.data['password']))"


def told_by_server(cl, check):
    """Messages of the server about a Secret lose its values; those about other objects the long ones, from which no chance makes them."""
    space = Space(cl, 'secrets')
    prefix = space.name
    policies = [*policy(prefix + '-deny', 'secrets', prefix, QUOTE + OLD, ['Deny']), *policy(prefix + '-warn', 'secrets', prefix, QUOTE, ['Warn']),
                *policy(prefix + '-other', 'configmaps', prefix, "'got ' + object.data['text'] + ' ' + object.data['TLS']", ['Deny'])]
    must(space.apply([planted(), OTHERS[0]]))
    must(cl.smp('apply', '-f', cl.write('policies.yaml', policies)))
    try:
        labelled = [merge(planted(password=CANARY[::-1]), LABELLED), merge(OTHERS[0], {'metadata': {'labels': {'b': 'c'}}, 'data': {'extra': 'x'}})]
        refused = until('the policy', lambda: (lambda result: result.stderr.count('got ') >= 3 and result)(
            space.apply(labelled, '--dry-run=server')))
        for name, result in (('a dry run', refused), ('--ask-server', space.explain(labelled, '--ask-server')),
                             ('--ask-server -o json', space.explain(labelled, '--ask-server', '-o', 'json')), ('apply', space.apply(labelled)), ('server-side', space.apply(labelled, '--server-side', '--force-conflicts')),
                             ('apply -v=10', space.apply(labelled, '-v=10'))):
            check('%s shows no value' % name, [result.stderr] if secrets_in(result.stdout + result.stderr, [CANARY[::-1]]) else '')
            if name != 'apply -v=10':  # logs lose every copy
                check.says(name, result, 2 if 'ask' in name else 1, has=['got ***', 'got the *** of shop false', 'TLS ***'])
                check.true(name + ' names the Secret', re.search(r'"shop\\?" is invalid', result.stdout + result.stderr), harness.said(result))
                warnings = [line for line in result.stderr.split('\n') if line.startswith('Warning: ') and 'got ***' in line]
                check.true(name + ' warns', warnings, result.stderr)
    finally:
        cl.kubectl('delete', '-f', 'policies.yaml')


def refused_by_server(cl, check):
    """What the API server itself says of a Secret that it does not take."""
    space = Space(cl, 'secrets')
    must(space.apply(planted()))
    for name, thing in {
            'data that is no base64': secret('shop', data={'password': CANARY}),
            'a number': secret('shop', stringData={'password': 827491635}),
            'an invalid key': secret('shop', stringData={'a key': CANARY}),
            'another type': merge(planted(), {'type': 'kubernetes.io/dockerconfigjson', 'stringData': {'.dockerconfigjson': CANARY}}),
            'a stale version': merge(planted(a=CANARY), {'metadata': {'resourceVersion': '1'}})}.items():
        for flags in (['--validate=false'], ['--validate=false', '--dry-run=server'], []):
            result = space.apply(thing, *flags)
            check.equal(name + ' is refused', result.returncode, 1)
            shown = secrets_in(result.stdout + result.stderr, ['827491635'])
            check('%s %s' % (name, flags), shown and harness.said(result))


if __name__ == '__main__':
    sys.exit(harness.run(__doc__, explained, told_by_server, refused_by_server))
