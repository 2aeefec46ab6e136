"""What every run of explain-diff -o json must print."""
import os
import shlex
import sys

sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', '..', 'cli'))
import json_schema  # pylint: disable=wrong-import-position


def is_report(argv):
    flags = ' '.join(argv[1:])
    return 'explain-diff' in argv[1:3] and any(flag in flags for flag in ('-o json', '-ojson', '--output=json', '--output json'))


def check(argv, stdout):
    """Raises AssertionError if a run that wants a report prints something else. A run that fails as a whole prints nothing."""
    wrong = json_schema.wrong_report(stdout) if stdout and is_report(argv) else []
    if wrong:
        raise AssertionError('%s\n%s\n%s' % (shlex.join(argv), '\n'.join(wrong), stdout))
