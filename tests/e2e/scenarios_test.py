#!/usr/bin/env python3
"""Runs all scenarios and compares with the list scenarios/must-pass, which has to be exact."""
import json
import os
import subprocess
import sys
import tempfile

import cluster

FOLDER = os.path.join(os.path.dirname(os.path.abspath(__file__)), 'scenarios')


def read_list():
    with open(os.path.join(FOLDER, 'must-pass'), encoding='utf-8') as f:
        lines = [line.split('#')[0].strip() for line in f]
    return [line for line in lines if line]


def run_all(options):
    with tempfile.TemporaryDirectory() as folder:
        out = os.path.join(folder, 'results.json')
        subprocess.run([os.path.join(FOLDER, 'run.py'), '--tool', options.tool, '--kubectl', options.kubectl,
                        '--kubeconfig', options.kubeconfig, '--jobs', '2', '--json', out], check=False)
        with open(out, encoding='utf-8') as f:
            return {r['name']: r['passed'] for r in json.load(f)}


def main():
    options = cluster.parse_args(__doc__)
    listed = read_list()
    results = run_all(options)
    check = cluster.Checks()
    check('must-pass names every scenario once', [n for n in listed if listed.count(n) > 1])
    for name in listed:
        check(name, '' if results.get(name) else 'is on the list must-pass and ' +
              ('fails' if name in results else 'does not exist'))
    for name in sorted(n for n, passed in results.items() if passed and n not in listed):
        check(name, 'passes: add it to tests/e2e/scenarios/must-pass')
    print('%d of %d scenarios pass, %d are on the list' % (sum(results.values()), len(results), len(listed)))
    return check.finish()


if __name__ == '__main__':
    sys.exit(main())
