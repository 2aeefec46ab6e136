#!/usr/bin/env python3
"""Long answers, many at once over one connection of HTTP/2, arrive to their ends. libcurl 7.88 with its default buffer misses the end of one in
some thousand, and waits for minutes: then a run of explain-diff takes as long as the server keeps the connection."""
import random
import sys
import time

import harness
from harness import Space
from harness.manifests import definition

KINDS, RUNS = 12, 100
BYTES = 240_000  # of a definition; a little more is too large for last-applied
STALL = 45  # seconds; a run takes less than one, the server closes idle connections after 90


def wordy(number, rng):
    """A CRD with a long description that gzip cannot make short."""
    kind = 'Wordy%d' % number
    text = ' '.join('%x' % rng.getrandbits(32) for _ in range(BYTES // 9))
    return definition(kind=kind, schema={'type': 'object', 'description': text})


def long_answers(cl, check):
    rng = random.Random(31)
    space = Space(cl, 'long')
    space.write('all.yaml', [wordy(number, rng) for number in range(KINDS)])
    harness.must(space.smp('apply', '-f', 'all.yaml'))
    for run in range(RUNS):
        start = time.monotonic()
        result = space.smp('explain-diff', '-f', 'all.yaml', '-o', 'summary')
        took = time.monotonic() - start
        check('run %d' % run, '' if result.returncode == 0 and took < STALL else
              'exit status %d after %.0f s: %s' % (result.returncode, took, result.stderr[-300:]))
    harness.must(space.kubectl('delete', '-f', 'all.yaml', '--wait=false'))


if __name__ == '__main__':
    sys.exit(harness.run(__doc__, long_answers))
