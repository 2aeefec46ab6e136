"""The part of JSON Schema (draft 2020-12) that our schema document uses. An unknown keyword is an error, so that nothing is
taken for checked that is not. The end-to-end tests use it, too."""
import json
import os

TYPES = {'object': dict, 'array': list, 'string': str, 'boolean': bool, 'integer': int, 'number': (int, float), 'null': type(None)}
ANNOTATIONS = {'$schema', '$defs', 'title', 'description'}


with open(os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', 'explain', 'explain-diff.schema.json'), encoding='utf-8') as f:
    EXPLAIN_DIFF = json.load(f)


def distinct(pairs):
    """For json.loads, which takes the last of duplicate keys otherwise."""
    if len(dict(pairs)) < len(pairs):
        raise ValueError('duplicate keys: %s' % [key for key, _ in pairs])
    return dict(pairs)


def wrong_report(text):
    """What is wrong with the output of explain-diff -o json, as texts."""
    try:
        return violations(json.loads(text, object_pairs_hook=distinct), EXPLAIN_DIFF)
    except ValueError as error:
        return [str(error)]


def is_type(value, name):
    return isinstance(value, TYPES[name]) and (name == 'boolean' or not isinstance(value, bool))


def violations(value, schema, root=None, path='$'):
    """Every place where `value` is not what `schema` says, as text."""
    root = schema if root is None else root
    if isinstance(schema, bool):
        return [] if schema else [path + ' must not be there']
    out = []
    for keyword, rule in schema.items():
        if keyword not in ANNOTATIONS:
            out += KEYWORDS[keyword](value, rule, schema, root, path)
    return out


def check_ref(value, rule, _, root, path):
    target = root
    for step in rule.removeprefix('#/').split('/'):
        target = target[step]
    return violations(value, target, root, path)


def check_type(value, rule, *rest):
    names = rule if isinstance(rule, list) else [rule]
    return [] if any(is_type(value, name) for name in names) else ['%s is no %s' % (rest[-1], ' or '.join(names))]


def check_enum(value, rule, *rest):
    return [] if value in rule else ['%s is %r, not one of %s' % (rest[-1], value, rule)]


def check_const(value, rule, *rest):
    return check_enum(value, [rule], *rest)


def check_minimum(value, rule, *rest):
    return ['%s is less than %s' % (rest[-1], rule)] if is_type(value, 'number') and value < rule else []


def check_min_items(value, rule, *rest):
    return ['%s has less than %d items' % (rest[-1], rule)] if isinstance(value, list) and len(value) < rule else []


def check_contains(value, rule, _, root, path):
    found = not isinstance(value, list) or any(not violations(item, rule, root, path) for item in value)
    return [] if found else ['%s lacks an item like %s' % (path, rule)]


def check_if(value, rule, schema, root, path):
    return [] if violations(value, rule, root, path) else violations(value, schema['then'], root, path)


def check_then(*_):
    """check_if does it."""
    return []


def check_required(value, rule, *rest):
    return ['%s lacks %s' % (rest[-1], name) for name in rule if isinstance(value, dict) and name not in value]


def check_properties(value, rule, _, root, path):
    out = []
    for name, schema in rule.items():
        if isinstance(value, dict) and name in value:
            out += violations(value[name], schema, root, '%s.%s' % (path, name))
    return out


def check_additional(value, rule, schema, root, path):
    out = []
    for name in set(value if isinstance(value, dict) else ()) - set(schema.get('properties', {})):
        out += violations(value[name], rule, root, '%s.%s' % (path, name))
    return out


def check_items(value, rule, _, root, path):
    out = []
    for i, item in enumerate(value if isinstance(value, list) else ()):
        out += violations(item, rule, root, '%s[%d]' % (path, i))
    return out


def check_dependent(value, rule, _, root, path):
    out = []
    for name, schema in rule.items():
        if isinstance(value, dict) and name in value:
            out += violations(value, schema, root, path)
    return out


KEYWORDS = {'$ref': check_ref, 'type': check_type, 'enum': check_enum, 'const': check_const, 'minimum': check_minimum,
            'minItems': check_min_items, 'contains': check_contains, 'if': check_if, 'then': check_then,
            'required': check_required, 'properties': check_properties, 'additionalProperties': check_additional,
            'items': check_items, 'dependentSchemas': check_dependent}
