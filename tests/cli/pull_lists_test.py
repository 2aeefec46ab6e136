#!/usr/bin/env python3
"""pull and the items of lists: which item a change belongs to, items whose key was changed, items that move, and the comments of
those that stay.

  pull_lists_test.py [PATH_OF_KUBECTL_SMP]     default: $SMP_BINARY"""
import copy
import sys
import unittest

from pull_case import PullCase, config_map, owned

SERVICE = '''apiVersion: v1
kind: Service
metadata: {name: dns}
spec:
  ports:
  # over TCP
  - name: tcp   # as always
    port: 53
    targetPort: 1
  # over UDP
  - {name: udp, port: 53, protocol: UDP, targetPort: 2} # u
'''


def service(*ports):
    """As the server stores it."""
    return {'apiVersion': 'v1', 'kind': 'Service', 'metadata': {'name': 'dns'}, 'spec': {'ports': list(ports)}}


def port(name, number, target, protocol='TCP'):
    return {'name': name, 'port': number, 'targetPort': target, 'protocol': protocol}


TCP, UDP = port('tcp', 53, 1), port('udp', 53, 2, 'UDP')


def recorded(live):
    """What was applied: without the protocol of TCP ports."""
    out = copy.deepcopy(live)
    for one in out['spec']['ports']:
        if one['protocol'] == 'TCP':
            del one['protocol']
    return out


class TwoKeysTest(PullCase):
    """The manifest leaves the protocol of the TCP port out, so by its port alone that item could be either."""
    text, original = SERVICE, recorded(service(TCP, UDP))

    def test_the_item_with_all_keys_changes(self):
        text = self.pull('--write', live=owned(service(TCP, port('udp', 53, 99, 'UDP'))))
        self.assertEqual(text, SERVICE.replace('targetPort: 2', 'targetPort: 99'))

    def test_the_item_with_the_default_changes(self):
        text = self.pull('--write', live=owned(service(port('tcp', 53, 99), UDP)))
        self.assertEqual(text, SERVICE.replace('targetPort: 1', 'targetPort: 99'))

    def test_the_right_item_goes(self):
        self.assertEqual(self.pull('--write', live=owned(service(TCP))), SERVICE[:SERVICE.index('  # over UDP')])
        tcp = SERVICE[SERVICE.index('  # over TCP'):SERVICE.index('  # over UDP')]
        self.assertEqual(self.pull('--write', live=owned(service(UDP))), SERVICE.replace(tcp, ''))

    def test_a_new_item_is_no_other_one(self):
        text = SERVICE[:SERVICE.index('  # over UDP')]
        live = owned(service(TCP, port('udp', 53, 53, 'UDP')))
        got = self.pull('--write', '--added', text=text, original=recorded(service(TCP)), live=live)
        self.assertEqual(got, text + '  - name: udp\n    port: 53\n    protocol: UDP\n')

    def test_keys_of_a_custom_resource(self):
        schema = {'type': 'object', 'properties': {'m': {
            'type': 'array', 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['name', 'proto'],
            'items': {'type': 'object', 'properties': {'name': {'type': 'string'}, 'proto': {'type': 'string', 'default': 'TCP'},
                                                       'v': {'type': 'string'}}}}}}
        definition = {'apiVersion': 'apiextensions.k8s.io/v1', 'kind': 'CustomResourceDefinition', 'metadata': {'name': 'foos.example.com'},
                      'spec': {'group': 'example.com', 'scope': 'Namespaced', 'names': {'kind': 'Foo', 'plural': 'foos'},
                               'versions': [{'name': 'v1', 'served': True, 'storage': True, 'schema': {'openAPIV3Schema': schema}}]}}
        foo = {'apiVersion': 'example.com/v1', 'kind': 'Foo', 'metadata': {'name': 'f'}}
        self.write('crd.json', definition)
        text = 'apiVersion: example.com/v1\nkind: Foo\nmetadata: {name: f}\nm:\n- name: x   # TCP\n  v: "1"\n- {name: x, proto: UDP, v: "2"}\n'
        record = {**foo, 'm': [{'name': 'x', 'v': '1'}, {'name': 'x', 'proto': 'UDP', 'v': '2'}]}
        live = {**foo, 'm': [{'name': 'x', 'proto': 'TCP', 'v': '1'}, {'name': 'x', 'proto': 'UDP', 'v': '9'}]}
        got = self.pull('--write', '-f', 'crd.json', text=text, original=record, live=live)
        self.assertEqual(got, text.replace('"2"', '"9"'))


def deployment(**container):
    return {'apiVersion': 'apps/v1', 'kind': 'Deployment', 'metadata': {'name': 'web'},
            'spec': {'selector': {'matchLabels': {'app': 'web'}}, 'template': {
                'metadata': {'labels': {'app': 'web'}}, 'spec': {'containers': [{'name': 'web', 'image': 'nginx:1', **container}]}}}}


def manifest(lines):
    """Of a Deployment whose container has these lines, too."""
    head = '''apiVersion: apps/v1
kind: Deployment
metadata: {name: web}
spec:
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec:
      containers:
      # the server
      - name: web
        image: nginx:1
'''
    return head + ''.join('        %s\n' % line for line in lines)


def container(live):
    return live['spec']['template']['spec']['containers'][0]


class RenamesTest(PullCase):
    """An item whose key was changed is a removed one and a new one to the plan. Half of that is never written."""

    def check(self, lines, was, becomes, want_lines, *args, status=0, stderr=None):
        """`was`, `becomes`: of the container, in the record and in live."""
        text, live = manifest(lines), owned(deployment(**becomes))
        got = self.pull('--write', *args, text=text, original=deployment(**was), live=live, status=status, stderr=stderr)
        self.assertEqual(got, manifest(want_lines))

    def test_a_container_keeps_its_comments(self):
        text, live = manifest(['args: [a]   # args']), deployment(args=['a'])
        container(live)['name'] = 'web2'
        got = self.pull('--write', text=text, original=deployment(args=['a']), live=owned(live))
        self.assertEqual(got, text.replace('- name: web\n', '- name: web2\n'))

    def test_a_port_number(self):
        text = 'apiVersion: v1\nkind: Service\nmetadata: {name: dns}\nspec:\n  ports:\n  - port: 80   # http\n    name: http\n'
        record = service({'name': 'http', 'port': 80})
        got = self.pull('--write', text=text, original=record, live=owned(service(port('http', 81, 80))))
        self.assertEqual(got, text.replace('port: 80 ', 'port: 81 ') + '    targetPort: 80\n')

    def test_the_name_of_a_variable(self):
        self.check(['env:', '- {name: A, value: x}   # about', '- {name: B, value: w}'],
                   {'env': [{'name': 'A', 'value': 'x'}, {'name': 'B', 'value': 'w'}]},
                   {'env': [{'name': 'C', 'value': 'x'}, {'name': 'B', 'value': 'w'}]},
                   ['env:', '- {name: C, value: x}   # about', '- {name: B, value: w}'])

    def test_a_name_that_kubectl_replace_recorded(self):
        """The record says what live says, so that the file looks changed."""
        becomes, item = {'env': [{'name': 'C', 'value': 'x'}]}, 'spec.template.spec.containers[name=web].env[name=%s]'
        self.check(['env:', '- value: x', '  name: A   # about'], becomes, becomes, ['env:', '- value: x', '  name: C   # about'],
                   '--field', item % 'A', '--field', item % 'C')

    def test_a_new_name_of_what_the_file_changed_too(self):
        """--added alone would leave the old container beside the new one."""
        text, record, live = manifest(['args: [b]   # args']), deployment(args=['a'], tty=True), deployment(args=['a'], tty=True)
        text += '        tty: true\n'
        container(live)['name'] = 'web2'
        said = ['containers[name=web]: conflict', 'containers[name=web2]: it may be spec.template.spec.containers[name=web] under another name']
        for args in [], ['--added'], ['--field', 'spec.template.spec.containers', '--added'], ['--manager', 'kubectl-edit']:
            got = self.pull('--write', *args, text=text, original=record, live=owned(live), status=1,
                            stderr=said[1 if '--manager' in args else 0:] + ['--conflicts takes both'])
            self.assertEqual(got, text)
        got = self.pull('--write', '--conflicts', text=text, original=record, live=owned(live))
        self.assertEqual(got, text.replace('- name: web\n', '- name: web2\n').replace('[b]', '[a]'))

    def test_a_new_name_without_a_record(self):
        text, live = manifest(['args: [a]   # args']), deployment(args=['a'])
        container(live)['name'] = 'web2'
        for args in [], ['--added'], ['--conflicts'], ['--manager', 'kubectl-edit']:
            got = self.pull('--write', *args, text=text, original=False, live=owned(live), status=1,
                            stderr='containers[name=web] under another name, which is left; --field spec.template.spec.containers takes both')
            self.assertEqual(got, text)
        got = self.pull('--write', '--field', 'spec.template.spec.containers', text=text, original=False, live=owned(live))
        self.assertEqual(got, text.replace('- name: web\n', '- name: web2\n'))

    def test_a_variable_for_another_one(self):
        """Nothing but the place is the same, so that the comments of the old one go with it."""
        self.check(['env:', '# about A', '- {name: A, value: x}', '- {name: B, value: w}'],
                   {'env': [{'name': 'A', 'value': 'x'}, {'name': 'B', 'value': 'w'}]},
                   {'env': [{'name': 'C', 'value': 'z'}, {'name': 'B', 'value': 'w'}]},
                   ['env:', '- name: C', '  value: z', '- {name: B, value: w}'])

    def test_the_path_of_a_mount(self):
        self.check(['volumeMounts:', '- mountPath: /a   # here', '  name: v'], {'volumeMounts': [{'mountPath': '/a', 'name': 'v'}]},
                   {'volumeMounts': [{'mountPath': '/b', 'name': 'v'}]}, ['volumeMounts:', '- mountPath: /b   # here', '  name: v'])

    def test_a_manager_gets_both_halves(self):
        self.check(['env:', '- {name: A, value: x}'], {'env': [{'name': 'A', 'value': 'x'}]}, {'env': [{'name': 'C', 'value': 'x'}]},
                   ['env:', '- {name: C, value: x}'], '--manager', 'kubectl-edit')

    def test_the_key_of_a_map(self):
        text = 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: shop}\ndata:\n  old.conf: "a: b"\n  other: x\n'
        got = self.pull('--write', text=text, original=config_map(**{'old.conf': 'a: b', 'other': 'x'}),
                        live=owned(config_map(**{'new.conf': 'a: b', 'other': 'x'})))
        self.assertEqual(got, text.replace('  old.conf: "a: b"\n', '') + '  new.conf: "a: b"\n')

    def test_other_keys_of_a_map_are_written_alone(self):
        """Only a key that keeps its value may be one with a new name."""
        text = 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: shop}\ndata:\n  gone: &x one\n  user: *x\n'
        for value, status, taken in ('new', 1, '  new.conf: new\n'), ('one', 1, ''):
            got = self.pull('--write', '--added', text=text, original=config_map(gone='one', user='one'), status=status,
                            live=owned(config_map(user='one', **{'new.conf': value})), stderr='data.gone: the value has an anchor on line 5')
            self.assertEqual(got, text + taken)
            self.assertEqual('it belongs to another change of this map' in self.done.stderr, not taken)

    def test_no_list_is_emptied(self):
        """Nobody knows who set the new item."""
        text, live = manifest([]), deployment()
        container(live)['name'] = 'web2'
        got = self.pull('--write', text=text, original=deployment(), live=live, status=1,
                        stderr='containers[name=web]: live has spec.template.spec.containers[name=web2] instead, which pull does not take '
                               'because live has no managedFields')
        self.assertEqual(got, text)

    def test_halves_of_which_one_cannot_be_written(self):
        lines = ['env:', '- &a {name: A, value: x}', '- {name: B, value: w}']
        text = manifest(lines) + '      initContainers: [{name: i, image: x, env: [*a]}]\n'
        record = deployment(env=[{'name': 'A', 'value': 'x'}, {'name': 'B', 'value': 'w'}])
        record['spec']['template']['spec']['initContainers'] = [{'name': 'i', 'image': 'x', 'env': [{'name': 'A', 'value': 'x'}]}]
        live = copy.deepcopy(record)
        container(live)['env'] = [{'name': 'B', 'value': 'w'}, {'name': 'C', 'value': 'z'}]
        got = self.pull('--write', text=text, original=record, live=owned(live), status=1,
                        stderr=['the value has an anchor on line', 'it belongs to another change of this list, which cannot be written'])
        self.assertEqual(got, text)


class DuplicatesTest(PullCase):
    def test_the_file_has_an_item_twice(self):
        text = manifest(['env:', '- {name: A, value: x} # a1', '- {name: B, value: w}', '- {name: A, value: z} # a2'])
        record = deployment(env=[{'name': 'A', 'value': 'x'}, {'name': 'B', 'value': 'w'}, {'name': 'A', 'value': 'z'}])
        live = copy.deepcopy(record)
        container(live)['env'][2]['value'] = 'new'
        got = self.pull('--write', text=text, original=record, live=owned(live), status=1,
                        stderr='env[name=A].value: live has several items [name=A]')
        self.assertEqual(got, text)
        live = deployment(env=[{'name': 'A', 'value': 'new'}, {'name': 'B', 'value': 'w'}])
        got = self.pull('--write', text=text, original=record, live=owned(live), status=1,
                        stderr='the file has this item 2 times, on lines 14, 16')
        self.assertEqual(got, text)


class AtomicTest(PullCase):
    """Items without keys, of which some went or came while others changed: what stays keeps its lines and comments."""

    def test_the_first_one_went_and_another_changed(self):
        head = 'apiVersion: rbac.authorization.k8s.io/v1\nkind: Role\nmetadata: {name: r}\nrules:\n'
        pods = '# pods\n- apiGroups: [""]   # core\n  resources: [pods]\n  verbs: [get]\n'
        deploys = '# deploys\n- apiGroups: [apps]\n  resources:\n  - deployments   # d\n  verbs: ["get"]\n'
        role = {'apiVersion': 'rbac.authorization.k8s.io/v1', 'kind': 'Role', 'metadata': {'name': 'r'}, 'rules': [
            {'apiGroups': [''], 'resources': ['pods'], 'verbs': ['get']}, {'apiGroups': ['apps'], 'resources': ['deployments'], 'verbs': ['get']}]}
        live = copy.deepcopy(role)
        del live['rules'][0]
        live['rules'][0]['verbs'].append('list')
        got = self.pull('--write', text=head + pods + deploys, original=role, live=owned(live))
        self.assertEqual(got, head + deploys.replace('"get"', '"get", "list"'))

    def test_one_came_in_front_of_one_that_changed(self):
        text = ('apiVersion: networking.k8s.io/v1\nkind: Ingress\nmetadata: {name: i}\nspec:\n  rules:\n  # first host\n  - host: a   # a\n    http:\n'
                '      paths:\n      - path: /\n        pathType: Prefix\n        backend: {service: {name: s, port: {number: 80}}}   # be\n  # second\n  - host: b\n')
        path = {'path': '/', 'pathType': 'Prefix', 'backend': {'service': {'name': 's', 'port': {'number': 80}}}}
        rules = [{'host': 'a', 'http': {'paths': [path]}}, {'host': 'b'}]
        ingress = {'apiVersion': 'networking.k8s.io/v1', 'kind': 'Ingress', 'metadata': {'name': 'i'}, 'spec': {'rules': rules}}
        live = copy.deepcopy(ingress)
        live['spec']['rules'][0]['http']['paths'][0]['backend']['service']['port'] = {'name': 'http'}
        live['spec']['rules'].insert(0, {'host': 'new'})
        got = self.pull('--write', text=text, original=ingress, live=owned(live))
        self.assertEqual(got, text.replace('number: 80', 'name: http').replace('  # first', '  - host: new\n  # first'))

    def test_an_argument_went_and_another_changed(self):
        text = manifest(['args:', '- --addr=:80   # web', '- --level=info   # logs'])
        live = owned(deployment(args=['--level=debug']))
        got = self.pull('--write', text=text, original=deployment(args=['--addr=:80', '--level=info']), live=live)
        self.assertEqual(got, manifest(['args:', '- --level=debug   # logs']))

    def test_what_is_written_out_stays_with_its_item(self):
        """A default that only the second item of the file says."""
        text = '''apiVersion: apps/v1
kind: Deployment
metadata: {name: web}
spec:
  template:
    spec:
      tolerations:
      - {key: a, operator: Exists}
      - {key: b, value: x, operator: Equal}   # b
'''
        def with_tolerations(*items):
            return {'apiVersion': 'apps/v1', 'kind': 'Deployment', 'metadata': {'name': 'web'}, 'spec': {'template': {'spec': {'tolerations': list(items)}}}}
        record = with_tolerations({'key': 'a', 'operator': 'Exists'}, {'key': 'b', 'value': 'x', 'operator': 'Equal'})
        live = owned(with_tolerations({'key': 'b', 'value': 'x', 'operator': 'Equal', 'effect': 'NoSchedule'}))
        got = self.pull('--write', text=text, original=record, live=live)
        self.assertEqual(got, text.replace('      - {key: a, operator: Exists}\n', '').replace('Equal}', 'Equal, effect: NoSchedule}'))


class OrderTest(PullCase):
    ARGS = ['args:', '- --one   # first', '# about two', '- --two', '- --three   # third']

    def check(self, args, want):
        text = manifest(self.ARGS)
        got = self.pull('--write', text=text, original=deployment(args=['--one', '--two', '--three']), live=owned(deployment(args=args)))
        self.assertEqual(got, manifest(want))

    def test_items_move_with_their_comments(self):
        a, one, about, two, three = self.ARGS
        self.check(['--three', '--two', '--one'], [a, three, about, two, one])
        self.check(['--two', '--three', '--one'], [a, about, two, three, one])
        self.check(['--three', '--one', '--two'], [a, three, one, about, two])
        self.check(['--three', 'new', '--one'], [a, three, '- new', one])

    def test_items_of_a_merged_list_are_named(self):
        env = [{'name': 'A', 'value': 'x'}, {'name': 'B', 'value': 'w'}]
        text, live = manifest(['env:', '- {name: A, value: x}', '- {name: B, value: w}']), owned(deployment(env=env[::-1]))
        for record, said in ((deployment(env=env), ''), (False, ', and no last-applied record tells whether live or the manifest was changed')):
            got = self.pull('--write', text=text, original=record, live=live, status=1,
                            stderr='containers[name=web].env: the items have another order in live%s; move them by hand' % said)
            self.assertEqual(got, text)
        self.pull(text=text, original=deployment(env=env[::-1]), live=live)  # nobody knows that another manifest was applied

    def test_what_is_commented_out_stays(self):
        for comment in ('# - name: B', '#   value: "2"'), ('# - --verbose',), ('# tty: true', '# stdin: true'), ('# args:', '#   - x y z'):
            text = manifest(['env:', '- {name: A, value: x}', *comment, 'readinessProbe:', '  exec: {command: [x]}'])
            record = deployment(env=[{'name': 'A', 'value': 'x'}], readinessProbe={'exec': {'command': ['x']}})
            got = self.pull('--write', text=text, original=record, live=owned(deployment(env=[{'name': 'A', 'value': 'x'}])))
            self.assertEqual(got, manifest(['env:', '- {name: A, value: x}', *comment]))

    def test_a_comment_on_what_goes_goes(self):
        text = manifest(['# - off', '# is it ready?', 'readinessProbe:', '  exec: {command: [x]}'])
        got = self.pull('--write', text=text, original=deployment(readinessProbe={'exec': {'command': ['x']}}), live=owned(deployment()))
        self.assertEqual(got, manifest(['# - off']))


class OtherKindTest(PullCase):
    def test_an_item_that_was_a_text_becomes_a_map(self):
        text = 'apiVersion: example.com/v1\nkind: Foo\nmetadata: {name: shop}\nspec:\n  list:\n  - one # c\n  - two\n'
        record = {'apiVersion': 'example.com/v1', 'kind': 'Foo', 'metadata': {'name': 'shop'}, 'spec': {'list': ['one', 'two']}}
        live = {**record, 'spec': {'list': ['one', {'a': 'b', 'c': ['d']}]}}
        got = self.pull('--write', text=text, original=record, live=live)
        self.assertEqual(got, text.replace('- two\n', '- a: b\n    c:\n    - d\n'))


if __name__ == '__main__':
    unittest.main(argv=sys.argv[:1])
