#!/usr/bin/env python3
"""pull of large manifests.

  pull_many_test.py [PATH_OF_KUBECTL_SMP]     default: $SMP_BINARY"""
import sys
import unittest

from pull_case import PullCase, config_map, entry, owned
from pull_lists_test import deployment, manifest


class ManyTest(PullCase):
    """Time is linear in the changes of a document: quadratic time would exceed the limit of run_tool."""

    def test_many_keys(self):
        count = 50000
        text = 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: shop}\ndata:\n' + ''.join('  k%d: "%d" # c\n' % (i, i) for i in range(count))
        record = config_map(**{'k%d' % i: str(i) for i in range(count)})
        live = config_map(**{'k%d' % i: '%dx' % i for i in range(count)})
        got = self.pull('--write', text=text, original=record, live=live)
        self.assertEqual(got, text.replace('" # c', 'x" # c'))

    def test_many_objects(self):
        count = 20000
        one = '- apiVersion: v1\n  kind: ConfigMap\n  metadata: {name: c%d}\n  data: {a: b} # c\n'
        text = 'apiVersion: v1\nkind: List\nitems:\n' + ''.join(one % i for i in range(count))
        objects = [{'apiVersion': 'v1', 'kind': 'ConfigMap', 'metadata': {'name': 'c%d' % i}, 'data': {'a': 'b'}} for i in range(count)]
        record = {'apiVersion': 'v1', 'kind': 'List', 'items': objects}
        live = {**record, 'items': [{**one, 'data': {'a': 'z'}} for one in objects]}
        self.assertEqual(self.pull('--write', text=text, original=record, live=live), text.replace('a: b', 'a: z'))

    def test_many_items(self):
        count = 10000
        text = manifest(['env:'] + ['- {name: E%d, value: x} # c' % i for i in range(count)])
        record = deployment(env=[{'name': 'E%d' % i, 'value': 'x'} for i in range(count)])
        live = deployment(env=[{'name': 'E%d' % i, 'value': 'z'} for i in range(0, count, 2)])
        want = manifest(['env:'] + ['- {name: E%d, value: z} # c' % i for i in range(0, count, 2)])
        self.assertEqual(self.pull('--write', text=text, original=record, live=live), want)

    def renamed(self, count, value, new_value, has_record=True, **more):
        """The texts before and after a pull of a list all of whose items have a new name in live."""
        text = manifest(['env:'] + ['- {name: E%d, value: %s} # c' % (i, value(i)) for i in range(count)])
        record = has_record and deployment(env=[{'name': 'E%d' % i, 'value': value(i)} for i in range(count)])
        live = deployment(env=[{'name': 'N%d' % i, 'value': new_value(i)} for i in range(count)])
        return text, self.pull('--write', '--added', text=text, original=record, live=owned(live), **more)

    def test_many_new_names(self):
        text, got = self.renamed(7000, 'v{}'.format, 'v{}'.format)
        self.assertEqual(got, text.replace('name: E', 'name: N'))

    def test_many_new_names_of_other_values(self):
        count = 7000
        _, got = self.renamed(count, 'v{}'.format, 'w{}'.format)
        self.assertEqual(got, manifest(['env:'] + ['- name: N%d\n          value: w%d' % (i, i) for i in range(count)]))

    def test_new_names_after_many_other_items(self):
        """More than are compared one by one stand before the one that has kept its value."""
        values = [('v%d' if i > 100 else 'w%d') % i for i in range(200)]
        text, got = self.renamed(200, 'v{}'.format, values.__getitem__)
        kept = ['- {name: N%d, value: v%d} # c' % (i, i) for i in range(101, 200)]
        new = ['- name: N%d\n          value: w%d' % (i, i) for i in range(101)]
        self.assertEqual(got, manifest(['env:'] + new + kept))

    def test_many_new_names_without_a_record(self):
        text, got = self.renamed(20000, 'v{}'.format, 'v{}'.format, has_record=False, status=1, stderr='under another name')
        self.assertEqual(got, text)

    def test_many_new_names_that_are_not_taken(self):
        count = 30000
        text = manifest(['env:'] + ['- {name: E%d, value: x} # c' % i for i in range(count)])
        record = deployment(env=[{'name': 'E%d' % i, 'value': 'x'} for i in range(count)])
        live = owned(deployment(env=[{'name': 'N%d' % i, 'value': 'x'} for i in range(count)], image='nginx:2'))
        of_containers = {'f:containers': {'k:{"name":"web"}': {'f:image': {}}}}
        live['metadata']['managedFields'].append(entry('another', {'f:spec': {'f:template': {'f:spec': of_containers}}}))
        got = self.pull('--write', '--manager', 'another', text=text, original=record, live=live)
        self.assertEqual(got, text.replace('nginx:1', 'nginx:2'))


if __name__ == '__main__':
    unittest.main(argv=sys.argv[:1])
