"""Counts checks, reports those that fail, and runs the stories of a script."""
import concurrent.futures
import json
import os
import re
import subprocess
import threading

from . import cluster
from .paths import mismatches
from .server import NotApplicable


def said(result):
    return 'exit %d\n%s%s' % (result.returncode, result.stdout, result.stderr)


def without_summary(stderr):
    """What apply says on stderr, but for the line of counts after several objects, which has the time (tested in pipeline.py)."""
    return re.sub(r'(?m)^\d+ [a-z-]+(, \d+ [a-z -]+)* in [\d.]+ (ms|s|min)( \([a-z ]+\))?\n\Z', '', stderr)


def wrong_text(name, text, wanted):
    """`wanted` is a whole text, or a list of its parts."""
    if isinstance(wanted, str):
        return [] if text == wanted else ['wanted on %s: %r' % (name, wanted)]
    return ['missing on %s: %r' % (name, part) for part in wanted if part not in text]


class Checks:
    """Collects failures, so that one run shows them all."""

    def __init__(self):
        self.count, self.failures, self.skipped, self.lock = 0, [], {}, threading.Lock()

    def __call__(self, name, failure):
        """`failure` is what went wrong, or empty."""
        with self.lock:
            self.count += 1
            if failure:
                self.failures.append(name)
                print('FAIL %s\n     %s' % (name, str(failure).strip().replace('\n', '\n     ')), flush=True)

    def equal(self, name, got, wanted):
        self(name, '' if got == wanted else 'wanted %r\ngot    %r' % (wanted, got))

    def true(self, name, holds, otherwise):
        """`otherwise` tells what is the case if it does not hold."""
        self(name, '' if holds else str(otherwise) or 'no')

    def has(self, name, text, *parts, lacks=()):
        wrong = ['missing: %r' % part for part in parts if part not in text] + ['unwanted: %r' % part for part in lacks if part in text]
        self(name, wrong and '%s\n%s' % ('\n'.join(wrong), text))

    def holds(self, name, value, wanted):
        """`wanted` has values by path."""
        self(name, mismatches(value, wanted))

    def says(self, name, result, status=0, out=None, err=None, has=(), lacks=()):
        """Checks a run: its exit status, stdout and stderr (each a whole text or a list of parts), and parts that both together have or
        lack."""
        wrong = ['wanted exit status %d' % status] if result.returncode != status else []
        stderr = without_summary(result.stderr) if isinstance(err, str) else result.stderr
        for stream, text, wanted in (('stdout', result.stdout, out), ('stderr', stderr, err)):
            wrong += wrong_text(stream, text, wanted) if wanted is not None else []
        both = result.stdout + result.stderr
        wrong += wrong_text('either', both, list(has)) + ['unwanted: %r' % part for part in lacks if part in both]
        self(name, wrong and '%s\n%s' % ('\n'.join(wrong), said(result)))
        return not wrong

    def did(self, name, result, word):
        """Checks that the last line of stdout has this verb of apply."""
        ok = result.returncode == 0 and result.stdout.endswith(' %s\n' % word)
        self(name, '' if ok else said(result))
        return ok

    def guard(self, name, function, *args):
        """A call that cannot be finished is one failure."""
        try:
            function(*args)
        except NotApplicable as reason:
            self.skip(name, str(reason))
        except (AssertionError, subprocess.TimeoutExpired) as error:
            self(name, str(error) or type(error).__name__)

    def skip(self, name, reason):
        """The server is of another release, and lacks something that the check needs."""
        with self.lock:
            self.skipped[name] = reason
            print('not applicable: %s: %s' % (name, reason), flush=True)

    def each(self, rows, function, workers=1):
        """Calls function(name, *values) for each row: of a dict, whose values are a value or a tuple of them, or of a list."""
        if isinstance(rows, dict):
            rows = [(name, *(values if isinstance(values, tuple) else [values])) for name, values in rows.items()]
        with concurrent.futures.ThreadPoolExecutor(workers) as pool:
            list(pool.map(lambda row: self.guard(row[0], function, *row), rows))

    def finish(self):
        passed = self.count - len(self.failures)
        print('%d passed, %d failed' % (passed, len(self.failures)) + (', %d not applicable' % len(self.skipped) if self.skipped else ''))
        if 'SMP_RESULTS' in os.environ:
            with open(os.environ['SMP_RESULTS'], 'w', encoding='utf-8') as f:
                json.dump({'passed': passed, 'failed': self.failures, 'skipped': self.skipped}, f)
        return 1 if self.failures or not (self.count or self.skipped) else 0


def run(description, *stories, space=None, fixture=None, **options):
    """The main function of a script: calls each story with the cluster (or a Space of it, named after `space`) and the checks, or with
    what `fixture` makes of the two. `options` are further ones of the command line."""
    check = Checks()
    with cluster.Cluster(cluster.parse_args(description, **options)) as cl:
        arguments = [cluster.Space(cl, space) if space else cl, check]
        if fixture:
            arguments = [fixture(*arguments)]
        for story in stories:
            check.guard(story.__name__, story, *arguments)
    return check.finish()
