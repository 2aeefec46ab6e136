"""Folders of manifests that tools apply one after another: v1.yaml and v2.yaml, what another manager does to live between them
(edit.json), and first crd.yaml, if any."""
import json
import os

from .cluster import Space, must

E2E = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
PAIRS = {name: os.path.join(E2E, 'pairs', name) for name in sorted(os.listdir(os.path.join(E2E, 'pairs')))}


def scenario(name):
    return os.path.join(E2E, 'scenarios', name)


class Pair(Space):
    """A namespace with the files of one folder, which one tool applies."""

    def __init__(self, cl, folder, tool):
        super().__init__(cl, 'pair')
        self.folder, self.default_tool = folder, tool
        for name in self.files():
            with open(os.path.join(folder, name), encoding='utf-8') as f:
                self.write(name, f.read())

    def files(self):
        return [name for name in os.listdir(self.folder) if os.path.isfile(os.path.join(self.folder, name))]

    def apply_file(self, name, tool=None):
        return must(self.by(tool or self.default_tool, 'apply', '-f', name))

    def apply_crd(self):
        self.apply_file('crd.yaml')
        self.await_api(self.name + '.example.com/v1')

    def delete_objects(self):
        """Those of cluster-scoped kinds do not go with the namespace."""
        for name in {'crd.yaml', 'v2.yaml'}.intersection(self.files()):
            self.kubectl('delete', '-f', name, '--wait=false')

    def edit(self):
        edit = json.loads(self.read('edit.json'))
        self.patch(edit['target'], edit['patch'], kind=edit.get('type', 'strategic'))
