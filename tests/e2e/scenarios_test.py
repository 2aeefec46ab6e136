#!/usr/bin/env python3
"""Runs all scenarios and compares the outcome with scenarios/must-pass, which has to be exact."""
import json
import os
import subprocess
import sys

import harness

FOLDER = os.path.join(os.path.dirname(os.path.abspath(__file__)), 'scenarios')


def run_all(cl, check):
    """Whether each scenario passed, by name, but for those that do not apply."""
    subprocess.run([os.path.join(FOLDER, 'run.py'), '--tool', cl.tool, '--kubectl', cl.kubectl_path, '--kubeconfig', cl.kubeconfig,
                    '--jobs', '2', '--json', cl.path('results.json')], check=False)
    results = json.loads(cl.read('results.json'))
    for result in results:
        if 'skipped' in result:
            check.skip(result['name'], result['skipped'])
    return {r['name']: r['passed'] for r in results if 'skipped' not in r}


def compare(cl, check):
    with open(os.path.join(FOLDER, 'must-pass'), encoding='utf-8') as f:
        listed = [name for name in (line.split('#')[0].strip() for line in f) if name]
    results = run_all(cl, check)
    check('must-pass names every scenario once', [n for n in listed if listed.count(n) > 1])
    for name in [name for name in listed if name not in check.skipped]:
        check.true(name, results.get(name), 'is in must-pass and ' + ('fails' if name in results else 'does not exist'))
    for name in sorted(n for n, passed in results.items() if passed and n not in listed):
        check(name, 'passes: add it to tests/e2e/scenarios/must-pass')
    print('%d of %d scenarios pass, %d are listed' % (sum(results.values()), len(results), len(listed)))


if __name__ == '__main__':
    sys.exit(harness.run(__doc__, compare))
