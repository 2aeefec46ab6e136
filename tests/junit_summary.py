#!/usr/bin/env python3
"""Adds up what ctest wrote with --output-junit, and prints "N passed, N failed, N skipped".

  junit_summary.py [--no-skips] [--need PREFIX] [--passed N] [--failed N] FILE...

Before that, the end of what each failed test printed, as a log may keep its last part only.
--passed, --failed: checks outside of ctest. Fails when a test failed; with --no-skips also when one was skipped or is disabled; with
--need also when no test passed whose name begins so."""
import argparse
import sys
import xml.etree.ElementTree

SHOWN_TESTS, SHOWN_CHARACTERS = 10, 4000


def outcome(case):
    """ctest calls a test that never started "notrun", whether it skipped itself or its fixture failed."""
    if case.get('status') == 'run':
        return 'passed'
    skipped = case.find('skipped')
    text = skipped.get('message', '') if skipped is not None else ''
    asked_for = case.get('status') == 'disabled' or text.startswith('SKIP_')
    return 'skipped' if asked_for else 'failed'


def end_of_output(case):
    return (case.findtext('system-out') or '').strip()[-SHOWN_CHARACTERS:]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('--no-skips', action='store_true')
    parser.add_argument('--need', action='append', default=[])
    parser.add_argument('--passed', type=int, default=0)
    parser.add_argument('--failed', type=int, default=0)
    parser.add_argument('files', nargs='*')
    options = parser.parse_args()

    names = {'passed': [], 'failed': [], 'skipped': []}
    ends = []
    for file in options.files:
        for case in xml.etree.ElementTree.parse(file).iter('testcase'):
            names[outcome(case)].append(case.get('name'))
            if outcome(case) == 'failed':
                ends.append('-- %s\n%s' % (case.get('name'), end_of_output(case)))
    for end in ends[:SHOWN_TESTS]:
        print(end)
    bad = len(names['failed']) + options.failed
    for name in names['failed']:
        print('failed: ' + name)
    for name in names['skipped']:
        print('skipped: ' + name)
    if options.no_skips and names['skipped']:
        print('skipped tests count as failures here')
    missing = [p for p in options.need if not any(name.startswith(p) for name in names['passed'])]
    for prefix in missing:
        print('no test passed whose name begins with ' + prefix)
    good = len(names['passed']) + options.passed
    print('%d%% tests passed, %d tests failed out of %d' % (100 * good // max(1, good + bad), bad, good + bad))
    print('%d passed, %d failed, %d skipped' % (good, bad, len(names['skipped'])))
    return 1 if bad or missing or (options.no_skips and names['skipped']) else 0


if __name__ == '__main__':
    sys.exit(main())
