#!/usr/bin/env python3
"""Two ports with one number and two protocols, and what else is identified by more than the server merges by: each row of ROWS in each
host of HOSTS, against the real server, field by field, with kubectl beside it."""
import sys

import harness
from harness.beside import Runner, Situation
from harness.manifests import service, template, workload
from harness.paths import as_text, at, pointer


class Item:
    """`80/TCP a 1`: key, second key (optional, as it has a default), a label, and an optional number for one more field."""

    def __init__(self, text):
        words = text.split()
        number, _, protocol = words[0].partition('/')
        self.number, self.protocol, self.label = int(number), protocol, words[1]
        self.more = int(words[2]) if len(words) > 2 else None


def items(text):
    return [Item(part) for part in text.split(',') if part.strip()]


def without_nothing(fields):
    return {name: value for name, value in fields.items() if value not in (None, '')}


class Service:
    path = 'spec.ports'

    def manifest(self, ports):
        return service(*ports)

    def render(self, item):
        return without_nothing({'name': item.label, 'port': item.number, 'protocol': item.protocol, 'targetPort': item.more})

    def stored(self, item):
        return {'protocol': 'TCP', 'targetPort': item.number, **self.render(item)}


class Containers:
    """Ports of one container somewhere in a kind."""

    def __init__(self, kind, field):
        self.kind, self.field = kind, field
        self.path = '%s.template.spec.%s[0].ports' % ('spec.jobTemplate.spec' if kind == 'CronJob' else 'spec', field)

    def manifest(self, ports):
        if self.field == 'initContainers':
            return workload(self.kind, template(initContainers=[{'name': 'first', 'image': 'first:1', 'ports': ports}]))
        return workload(self.kind, template({'ports': ports}))

    def render(self, item):
        host_port = None if item.more is None else 1000 + item.more
        return without_nothing({'name': item.label, 'containerPort': item.number, 'protocol': item.protocol, 'hostPort': host_port})

    def stored(self, item):
        return {'protocol': 'TCP', **self.render(item)}


class HostPorts(Containers):
    """Each with its number as host port, too."""

    def render(self, item):
        address = None if item.more is None else '127.0.0.%d' % item.more
        return without_nothing({'name': item.label, 'containerPort': item.number, 'protocol': item.protocol, 'hostPort': item.number,
                                'hostIP': address})


class Spread:
    """topologySpreadConstraints: one topologyKey, two answers to what cannot be satisfied."""
    path = 'spec.template.spec.topologySpreadConstraints'
    ANSWERS = {'TCP': 'DoNotSchedule', 'UDP': 'ScheduleAnyway', '': 'DoNotSchedule'}  # which has no default

    def manifest(self, constraints):
        return workload('Deployment', template(topologySpreadConstraints=constraints))

    def render(self, item):
        return {'topologyKey': 'zone-%d' % item.number, 'whenUnsatisfiable': self.ANSWERS[item.protocol],
                'maxSkew': item.more or 1, 'labelSelector': {'matchLabels': {'app': item.label}}}

    stored = render


HOSTS = {'Service': Service(), 'Deployment': Containers('Deployment', 'containers'),
         'initContainers': Containers('Deployment', 'initContainers'), 'CronJob': Containers('CronJob', 'containers'),
         'CronJob initContainers': Containers('CronJob', 'initContainers'), 'hostPorts': HostPorts('DaemonSet', 'containers'),
         'topologySpreadConstraints': Spread()}

# name: last applied, manifest, then by name: `want` if it is not the manifest; `edit`, the list that another manager made of live;
# `race`, what one makes of it between read and write; `right`: kubectl gets there, too; `but not`: a host that takes no empty list.
BOTH = '80/TCP a 1, 80/UDP b 2'
ROWS = {
    'add the second': ('80/TCP a 1', BOTH, {}),
    'add the first': ('80/UDP b 2', BOTH, {}),
    'add both': ('9153/TCP m', '9153/TCP m, 80/TCP a, 80/UDP b', {}),
    'add the second, protocol left to its default': ('80 a', '80 a, 80/UDP b', {}),
    'remove the first': (BOTH, '80/UDP b 2', {}),
    'remove the second': (BOTH, '80/TCP a 1', {}),
    'remove both': (BOTH + ', 9153/TCP m', '9153/TCP m', {'right': True}),
    'edit the first': (BOTH, '80/TCP a 3, 80/UDP b 2', {'right': True}),
    'edit the second': (BOTH, '80/TCP a 1, 80/UDP b 3', {}),
    'reorder': (BOTH, '80/UDP b 2, 80/TCP a 1', {}),
    'renumber the first': (BOTH, '81/TCP a 1, 80/UDP b 2', {}),
    'renumber the second': (BOTH, '80/TCP a 1, 81/UDP b 2', {}),
    'renumber both': (BOTH, '81/TCP a 1, 81/UDP b 2', {}),
    'rename the first': (BOTH, '80/TCP c 1, 80/UDP b 2', {'right': True}),
    'rename the second': (BOTH, '80/TCP a 1, 80/UDP c 2', {}),
    'swap the names': (BOTH, '80/TCP b 1, 80/UDP a 2', {}),
    'change the protocol': ('80/TCP a 1', '80/UDP a 1', {'right': True}),
    'change the protocol to what the duplicate was': (BOTH, '80/UDP a 1', {}),
    'drift of the second': (BOTH, BOTH, {'edit': '80/TCP a 1, 80/UDP b 9'}),
    'drift of the first': (BOTH, BOTH, {'edit': '80/TCP a 9, 80/UDP b 2', 'right': True}),
    'somebody changed the protocol': ('80/TCP a 1', '80/TCP a 1', {'edit': '80/UDP a 1', 'right': True, 'but not': 'topologySpreadConstraints'}),
    'somebody changed the protocol, and the port is edited': ('80/TCP a 1, 443/TCP s', '80/TCP a 3, 443/TCP s', {'edit': '443/TCP s, 80/UDP a 1', 'right': True,
                                                                                       'but not': 'topologySpreadConstraints'}),
    'the second is lost': (BOTH, BOTH, {'edit': '80/TCP a 1'}),
    'the first is lost': (BOTH, BOTH, {'edit': '80/UDP b 2'}),
    "another manager's duplicate, ours edited": (
        '80/TCP a 1', '80/TCP a 3', {'edit': '80/TCP a 1, 80/UDP t 2', 'want': '80/TCP a 3, 80/UDP t 2', 'right': True}),
    "another manager's duplicate in front, ours edited": (
        '80/TCP a 1', '80/TCP a 3', {'edit': '80/UDP t 2, 80/TCP a 1', 'want': '80/UDP t 2, 80/TCP a 3'}),
    "another manager's duplicate, ours removed": (
        '80/TCP a 1, 443/TCP s', '443/TCP s', {'edit': '80/TCP a 1, 443/TCP s, 80/UDP t 2', 'want': '443/TCP s, 80/UDP t 2'}),
    "another manager's duplicate, another port added": (
        '80/TCP a 1', '80/TCP a 1, 443/TCP s', {'edit': '80/TCP a 1, 80/UDP t 2', 'want': '80/TCP a 1, 443/TCP s, 80/UDP t 2',
                                               'right': True}),
    'a third port races in': ('80/TCP a 1', BOTH, {'race': '80/TCP a 1, 443/TCP r', 'want': BOTH + ', 443/TCP r'}),
    'a duplicate races in while another port is added': (
        '80/TCP a 1', '80/TCP a 1, 443/TCP s', {'race': '80/TCP a 1, 80/UDP r 2', 'want': '80/TCP a 1, 443/TCP s, 80/UDP r 2',
                                               'right': True}),
    'a duplicate races in where there was no port': (
        '', '80/TCP a 1', {'race': '80/UDP r 2', 'want': '80/TCP a 1, 80/UDP r 2', 'but not': 'Service'}),
    'the same duplicate races in under another name': ('80/TCP a 1', BOTH, {'race': '80/TCP a 1, 80/UDP r 7'}),
    'a duplicate races in while ours is edited': (
        '80/TCP a 1', '80/TCP a 3', {'race': '80/UDP r 2, 80/TCP a 1', 'want': '80/UDP r 2, 80/TCP a 3'}),
    'no duplicate at all: a port is renumbered': ('80/TCP a 1, 443/TCP s', '81/TCP a 1, 443/TCP s', {'right': True}),
}


def expectation(host, wanted, manifest):
    """The items are those, field by field; those of the manifest are in its order."""
    stored = [host.stored(item) for item in items(wanted)]
    order = [host.stored(item) for item in items(manifest)]

    def expect(live):
        found = at(live, host.path) or []
        text = '%s, wanted %s' % (found, stored)
        if sorted(map(as_text, found)) != sorted(map(as_text, stored)):
            return 'items: ' + text
        return '' if [item for item in found if item in order] == order else 'order: ' + text
    return expect


def situation(host_name, host, name, before, after, more):
    def render(text):
        return [host.render(item) for item in items(text)]

    edits = {what: [{'op': 'add', 'path': pointer(host.path), 'value': render(more[what])}] for what in ('edit', 'race') if what in more}
    return Situation('%s: %s' % (host_name, name), host.manifest(render(before)), host.manifest(render(after)),
                     expectation(host, more.get('want', after), after), **edits, right=more.get('right', False))


def all_rows(runner):
    runner.run_all([situation(host_name, host, name, *row) for name, row in ROWS.items() for host_name, host in HOSTS.items()
                    if host_name != row[2].get('but not')])


if __name__ == '__main__':
    sys.exit(harness.run(__doc__, all_rows, fixture=Runner))
