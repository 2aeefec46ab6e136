"""What an API server of another release has: what a test needs and it lacks makes the test not applicable there. With SMP_OTHER_SERVER=1
only; the server of this release (tests/controlplane) has everything that the tests need. SMP_ALL_FEATURES=1: all feature gates are on."""
import json
import os
import re

REF = '#/definitions/'
OTHER, ALL_FEATURES = bool(os.environ.get('SMP_OTHER_SERVER')), bool(os.environ.get('SMP_ALL_FEATURES'))
# Fields that the server's documents have before the server keeps them: the first release whose feature gate is on by default.
GATED = {
    'autoscaling.v2.MetricSpec containerResource': (1, 27), 'autoscaling.v2beta2.MetricSpec containerResource': (1, 27),
    'batch.v1.JobSpec suspend': (1, 22), 'batch.v1.JobSpec podFailurePolicy': (1, 26),
    'core.v1.LifecycleHandler sleep': (1, 30), 'core.v1.Probe grpc': (1, 24), 'core.v1.ServiceSpec allocateLoadBalancerNodePorts': (1, 22),
    'apiextensions.v1.JSONSchemaProps x-kubernetes-validations': (1, 25),
    'policy.v1.PodDisruptionBudgetSpec unhealthyPodEvictionPolicy': (1, 27),
    'batch.v1.CronJobSpec timeZone': (1, 25), 'apps.v1.StatefulSetSpec persistentVolumeClaimRetentionPolicy': (1, 27),
}

# Kinds with a default behind a feature gate, which no document states: the first release where the gate is on by default. Before, a server
# with all features has a default that nobody can know.
HIDDEN_DEFAULTS = {'StatefulSet': (1, 37)}


class NotApplicable(Exception):
    """The server lacks what the test needs; the text says what."""


class Server:
    """Asked of once for each cluster: its release, and its OpenAPI v2 document, which all releases have."""

    def __init__(self, get):
        """`get` returns what the server answers to a GET of a path."""
        self.get, self.known = get, None

    def release(self):
        """(1, 36)"""
        version = json.loads(self.get('/version'))['gitVersion']
        return tuple(map(int, re.match(r'v(\d+)\.(\d+)', version).groups()))

    def definitions(self):
        if self.known is None:
            self.known = json.loads(self.get('/openapi/v2'))['definitions']
            self.kinds = {(k['group'], k['version'], k['kind']): name for name, schema in self.known.items()
                          for k in schema.get('x-kubernetes-group-version-kind', [])}
            self.its_release, self.documents = self.release(), self.documents_v3()
        return self.known

    def documents_v3(self):
        """The paths of OpenAPI v3; empty before 1.24, whose documents lack the kinds of the aggregator."""
        try:
            return json.loads(self.get('/openapi/v3'))['paths']
        except AssertionError:
            return {}

    def need(self, *content):
        """Raises NotApplicable if the server lacks something that is in `content`."""
        lacking = self.lacking(*content)
        if lacking:
            raise NotApplicable(lacking[0])

    def lacking(self, *content):
        """What the server lacks: of an object, of each in a list, or of the kinds in a YAML text. Custom resources are none of its own."""
        return [text for part in content for manifest in objects_in(part) for text in self.known_part(manifest)[1]]

    def trimmed(self, manifest):
        """The object without the fields that the server lacks."""
        return self.known_part(manifest)[0]

    def known_part(self, manifest):
        """The object without what the server lacks, and what that is."""
        if not OTHER or not built_in(manifest['apiVersion']):
            return manifest, []
        self.definitions()
        name, lacking = self.kinds.get(group_version_kind(manifest)), []
        if name is None:
            return manifest, ['no %s in %s' % (manifest['kind'], manifest['apiVersion'])]
        if ALL_FEATURES and self.its_release < HIDDEN_DEFAULTS.get(manifest['kind'], (1, 0)):
            return manifest, ['a default of %s is behind a feature gate' % manifest['kind']]
        if self.documents and group_of(manifest) not in self.documents:
            return manifest, ['no OpenAPI document of ' + manifest['apiVersion']]
        return self.part_of(manifest, {'$ref': REF + name}, lacking), sorted(set(lacking))

    def part_of(self, value, schema, lacking):
        name = schema.get('$ref', REF)[len(REF):]
        schema = self.known[name] if name else schema
        if isinstance(value, list):
            return [self.part_of(item, schema.get('items', {}), lacking) for item in value]
        if not isinstance(value, dict):
            return value
        fields, others = schema.get('properties'), schema.get('additionalProperties')
        if fields is None:
            return {k: self.part_of(v, others, lacking) for k, v in value.items()} if isinstance(others, dict) else value
        reasons = {field: self.why_lacking(short(name), field, fields) for field in value}
        lacking += filter(None, reasons.values())
        return {field: self.part_of(below, fields[field], lacking) for field, below in value.items() if not reasons[field]}

    def why_lacking(self, type_name, field, fields):
        if field not in fields:
            return 'no %s in %s' % (field, type_name)
        off = self.its_release < GATED.get('%s %s' % (type_name, field), (1, 0)) and not ALL_FEATURES
        return '%s of %s is off by default' % (field, type_name) if off else ''

    def lacks_field(self, type_name, path):
        """Why a line of the facts does not apply: TYPE, and PATH of names."""
        schema = self.definitions().get(type_name)
        for field in path.split('.'):
            if OTHER and (schema is None or field not in schema.get('properties', {})):
                return 'no %s in %s' % (path, short(type_name))
            schema = schema and schema['properties'][field]
            schema = schema and self.known.get(schema.get('$ref', REF)[len(REF):], schema)
        return ''

    def served(self, manifest):
        """The manifest, in another version of its group if the server has it there alone."""
        group, _, kind = group_version_kind(manifest)
        others = [key for key in self.kinds if (key[0], key[2]) == (group, kind)] if self.lacking(manifest) else []
        for _, version, _ in sorted(others, reverse=True):
            other = {**manifest, 'apiVersion': '%s/%s' % (group, version)}
            if not self.lacking(other):
                return other
        return manifest


def objects_in(content):
    if isinstance(content, list):
        return [manifest for part in content for manifest in objects_in(part)]
    if isinstance(content, dict):
        return [content] if 'kind' in content and 'apiVersion' in content else []
    return [{'apiVersion': version, 'kind': kind} for version, kind in re.findall(r'^apiVersion: (\S+)\nkind: (\w+)$', content, re.M)]


def group_of(manifest):
    """A path of OpenAPI v3."""
    version = manifest['apiVersion']
    return ('apis/' if '/' in version else 'api/') + version


def built_in(api_version):
    group = api_version.split('/')[0]
    return '/' not in api_version or '.' not in group or group.endswith('.k8s.io')


def group_version_kind(manifest):
    group, _, version = manifest['apiVersion'].rpartition('/')
    return group, version, manifest['kind']


def short(name):
    """io.k8s.api.core.v1.Probe as core.v1.Probe."""
    return '.'.join(name.split('.')[-3:])
