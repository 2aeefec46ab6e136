"""Builders of manifests. "__NS__" in them means the namespace of the test (Space.write), so that objects of cluster-scoped kinds have
names of their own."""
import copy
import json

SELECTOR = {'matchLabels': {'a': 'b'}}
# A rule of admission that meets nothing.
RULE = {'apiGroups': ['nothing.example.com'], 'apiVersions': ['v1'], 'operations': ['CREATE'], 'resources': ['nothing']}
TEXT, NUMBER = {'type': 'string'}, {'type': 'integer'}
ANYTHING = {'type': 'object', 'x-kubernetes-preserve-unknown-fields': True}


WEB_YAML = '''apiVersion: apps/v1
kind: Deployment
metadata: {name: web, labels: {app: web}}
spec:
  replicas: 2
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec:
      containers:
      - {name: app, image: "nginx:1.27"%s}
'''


def web_yaml(container=''):
    """A Deployment as YAML, for tests that change its text. `container` is the rest of a flow mapping."""
    return WEB_YAML % container


def text_of(content):
    """A file of an object or of a list of objects; a text as it is."""
    if isinstance(content, str):
        return content
    return '\n---\n'.join(map(text_of, content)) if isinstance(content, list) else json.dumps(content, indent=1)


def of(api_version, kind, name='__NS__', metadata=None, **fields):
    return {'apiVersion': api_version, 'kind': kind, 'metadata': {'name': name, **(metadata or {})}, **fields}


def changed(manifest, **spec):
    """A copy with other fields of spec; None removes one."""
    out = copy.deepcopy(manifest)
    out['spec'] = {k: v for k, v in {**out['spec'], **spec}.items() if v is not None}
    return out


def merge(target, patch):
    """RFC 7386."""
    if not isinstance(patch, dict):
        return patch
    out = dict(target) if isinstance(target, dict) else {}
    for name, value in patch.items():
        if value is None:
            out.pop(name, None)
        else:
            out[name] = merge(out.get(name), value)
    return out


def config_map(name='web', metadata=None, **data):
    return of('v1', 'ConfigMap', name, metadata, data=data)


def secret(name='web', **fields):
    return of('v1', 'Secret', name, **fields)


def service(*ports, name='web', **spec):
    return of('v1', 'Service', name, spec={'selector': {'a': 'b'}, 'ports': list(ports), **spec})


def pod_spec(container=None, **spec):
    """One container "web" with these fields, in a Pod with those."""
    return {'containers': [{'name': 'web', 'image': 'web:1', **(container or {})}], **spec}


def pod(container=None, **spec):
    return of('v1', 'Pod', 'web', spec=pod_spec(container, **spec))


def template(container=None, **spec):
    return {'metadata': {'labels': {'a': 'b'}}, 'spec': pod_spec(container, **spec)}


def workload(kind, pod_template, **spec):
    """The kind with this Pod template."""
    if kind == 'CronJob':
        never = {**pod_template, 'spec': {**pod_template['spec'], 'restartPolicy': 'Never'}}
        return of('batch/v1', kind, 'web', spec={'schedule': '* * * * *', 'jobTemplate': {'spec': {'template': never}}, **spec})
    if kind == 'ReplicationController':
        return of('v1', kind, 'web', spec={'selector': {'a': 'b'}, 'template': pod_template, **spec})
    if kind == 'PodTemplate':
        return of('v1', kind, 'web', template=pod_template)
    named = {'serviceName': 'web'} if kind == 'StatefulSet' else {}
    return of('apps/v1', kind, 'web', spec={'selector': SELECTOR, 'template': pod_template, **named, **spec})


def deployment(container=None, **spec):
    """`spec` is that of the Pod."""
    return workload('Deployment', template(container, **spec))


def autoscaler(*metrics, **spec):
    target = {'apiVersion': 'apps/v1', 'kind': 'Deployment', 'name': 'web'}
    listed = {'metrics': list(metrics)} if metrics else {}
    return of('autoscaling/v2', 'HorizontalPodAutoscaler', 'web', spec={'maxReplicas': 3, 'scaleTargetRef': target, **listed, **spec})


def ingress(**spec):
    return of('networking.k8s.io/v1', 'Ingress', 'web', spec=spec)


def network_policy(**spec):
    return of('networking.k8s.io/v1', 'NetworkPolicy', 'web', spec={'podSelector': {}, **spec})


def volume(**spec):
    return of('v1', 'PersistentVolume', spec={'capacity': {'storage': '1Gi'}, 'accessModes': ['ReadWriteOnce'], **spec})


def hook(**fields):
    """A webhook of a configuration."""
    return {'name': 'a.example.com', 'clientConfig': {'url': 'https://x.example.com'}, 'sideEffects': 'None',
            'admissionReviewVersions': ['v1'], 'rules': [RULE], **fields}


def admission(kind, **fields):
    """A webhook configuration or an admission policy."""
    return of('admissionregistration.k8s.io/v1', kind, **fields)


def admission_policy(kind, name, resources, constraints=None, **spec):
    """A MutatingAdmissionPolicy or ValidatingAdmissionPolicy for these resources of all groups, and its binding."""
    rules = [{'apiGroups': ['*'], 'apiVersions': ['*'], 'operations': ['CREATE', 'UPDATE'], 'resources': resources}]
    api, actions = 'admissionregistration.k8s.io/v1', {'validationActions': ['Deny']} if kind.startswith('Validating') else {}
    return [of(api, kind, name, spec={'matchConstraints': {'resourceRules': rules, **(constraints or {})}, 'failurePolicy': 'Fail', **spec}),
            of(api, kind + 'Binding', name, spec={'policyName': name, **actions})]


def mutating_policy(name, resources, expression, **how):
    """`expression`: an apply configuration in CEL."""
    mutation = {'patchType': 'ApplyConfiguration', 'applyConfiguration': {'expression': expression}}
    return admission_policy('MutatingAdmissionPolicy', name, resources, reinvocationPolicy='Never', mutations=[mutation], **how)


def map_of(**properties):
    """A schema."""
    return {'type': 'object', 'properties': properties}


def map_to(value):
    """A schema."""
    return {'type': 'object', 'additionalProperties': value}


def list_of(items, kind=None, *keys):
    """A schema; of a list with keys those without a default are required."""
    out = {'type': 'array', 'items': items}
    if kind:
        out['x-kubernetes-list-type'] = kind
    if keys:
        out['x-kubernetes-list-map-keys'] = list(keys)
        out['items'] = {**items, 'required': [key for key in keys if 'default' not in items['properties'][key]]}
    return out


def definition(group='__NS__.example.com', kind='Widget', schema=None, metadata=None, version=None, **spec):
    """A CRD of one version. Without a schema, objects may have any fields."""
    plural = kind.lower() + 's'
    names = {'plural': plural, 'kind': kind, **spec.pop('names', {})}
    only = {'name': 'v1', 'served': True, 'storage': True, 'schema': {'openAPIV3Schema': schema or ANYTHING}, **(version or {})}
    return of('apiextensions.k8s.io/v1', 'CustomResourceDefinition', '%s.%s' % (plural, group), metadata,
              spec={'group': group, 'scope': 'Namespaced', 'names': names, 'versions': [only], **spec})


def custom(group='__NS__.example.com', kind='Widget', name='w', metadata=None, **spec):
    return of(group + '/v1', kind, name, metadata, spec=spec)
