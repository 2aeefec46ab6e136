"""What the tests of pull share: manifests, live and last-applied objects as files, and pull without a cluster."""
import copy
import json
import os
import subprocess

import tool


def config_map(**data):
    return {'apiVersion': 'v1', 'kind': 'ConfigMap', 'metadata': {'name': 'shop'}, 'data': data}


def entry(manager, fields, **more):
    """Of managedFields."""
    return {'manager': manager, 'operation': 'Update', 'apiVersion': 'v1', 'fieldsType': 'FieldsV1', 'fieldsV1': fields,
            'time': '2020-01-02T03:04:05Z', **more}


def fields_of(value):
    """The FieldsV1 of whoever set all of the value. Items are known by name, or by their port and protocol."""
    if isinstance(value, dict):
        return {'f:' + key: fields_of(below) for key, below in value.items()}
    fields = {}
    for item in value if isinstance(value, list) else []:
        keys = [key for key in ('name', 'port', 'containerPort', 'protocol') if isinstance(item, dict) and key in item]
        if isinstance(item, dict) and ('name' in keys and 'port' not in keys and 'containerPort' not in keys):
            keys = ['name']
        elif isinstance(item, dict):
            keys = [key for key in keys if key != 'name']
        if keys:
            step = 'k:' + json.dumps({key: item[key] for key in keys}, separators=(',', ':'))
            fields[step] = {'.': {}, **fields_of(item)}
    return fields


def owned(live, manager='kubectl-edit'):
    """The object, all of which the manager set."""
    live = copy.deepcopy(live)
    fields = fields_of({key: value for key, value in live.items() if key not in ('apiVersion', 'kind')})
    fields.get('f:metadata', {}).pop('f:name', None)
    live['metadata']['managedFields'] = [entry(manager, fields)]
    return live


class PullCase(tool.ToolTest):
    text = original = None  # unless they are given

    def pull(self, *args, status=0, text=None, live=None, original=None, stderr=None, stdout=None, name='web.yaml'):
        """Runs pull on the file; its text afterwards. `text`: None: it is there. `original`: False: there is none."""
        text = self.text if text is None else text
        original = self.original if original is None else original
        if text:
            self.write_bytes(name, text)
        self.write('live.json', live)
        more = []
        if original:
            self.write('original.json', original)
            more = ['--original', 'original.json']
        self.done = self.run_tool('pull', '-f', name, '--live', 'live.json', *more, *args)
        self.assertEqual(self.done.returncode, status, self.done)
        for wanted, got in (stderr, self.done.stderr), (stdout, self.done.stdout):
            for part in [wanted] if isinstance(wanted, str) else wanted or []:
                self.assertIn(part, got)
        return self.read(name)

    def read(self, name):
        with open(os.path.join(self.dir, name), newline='', encoding='utf-8') as file:
            return file.read()

    def write_bytes(self, name, text):
        os.makedirs(os.path.dirname(os.path.join(self.dir, name)), exist_ok=True)
        with open(os.path.join(self.dir, name), 'w', newline='', encoding='utf-8') as file:
            file.write(text)

    def git(self, *args, stdin=None):
        subprocess.run(['git', '-c', 'user.name=a', '-c', 'user.email=a@b', *args], cwd=self.dir, check=True, input=stdin,
                       capture_output=True, text=True, env=self.environment())
