"""What the tests of the command line share: the program, a folder of one's own, and no cluster."""
import json
import os
import subprocess
import sys
import tempfile
import unittest

TOOL = os.path.abspath(sys.argv[1] if len(sys.argv) > 1 else os.environ['SMP_BINARY'])


class ToolTest(unittest.TestCase):
    maxDiff = None

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.dir = folder.name

    def write(self, name, content):
        """The name, by which the program finds the file; `content` that is no text is written as JSON."""
        path = os.path.join(self.dir, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, 'w', encoding='utf-8') as f:
            f.write(content if isinstance(content, str) else json.dumps(content, indent=1))
        return name

    def environment(self):
        env = {k: v for k, v in os.environ.items() if not k.startswith(('KUBE', 'SMP_'))}
        return {**env, 'HOME': self.dir, 'LC_ALL': 'C.UTF-8', 'NO_PROXY': '*', 'no_proxy': '*'}

    def run_tool(self, *args, stdin=''):
        return subprocess.run([TOOL, *args], input=stdin, capture_output=True, text=True, cwd=self.dir, env=self.environment(),
                              timeout=120, check=False)
