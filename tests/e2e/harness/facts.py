"""The lines of lib/schema/facts, as they hold for the API server of the tests."""
import os
import re

FOLDER = os.path.join(os.path.dirname(os.path.abspath(__file__)), *['..'] * 3, 'lib', 'schema', 'facts')


def lines(name, release=None):
    """Yields the lines of a file that hold for a release, or all, without their since= and until=."""
    with open(os.path.join(FOLDER, name), encoding='utf-8') as f:
        for line in f:
            if not line.strip() or line.startswith('#'):
                continue
            since, until, text = re.match(r'(?:since=(\S+) )?(?:until=(\S+) )?(.*)', line).groups()
            if release is None or number(since or '0.0') <= release <= number(until or '9.999'):
                yield text


def number(release):
    return tuple(map(int, release.split('.')))
