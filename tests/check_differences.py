#!/usr/bin/env python3
"""The table of cmd/differences.md, the marks `Differs from kubectl:` in lib/ and cmd/, and the tests that prove each row must agree. tests/differences.txt ties them together, and says how.

  check_differences.py [--self-test]
"""
import os
import re
import sys

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), '..')
MARK = 'Differs from kubectl:'


def read(path):
    with open(os.path.join(ROOT, path), encoding='utf-8') as f:
        return f.read()


def rows_of(page):
    """The first cells of the table."""
    lines = [line for line in page.splitlines() if line.startswith('| ')]
    return [line.strip('| ').split(' | ')[0] for line in lines[1:]]


def marks_of(source):
    """What stands behind each mark in the comments of a file, however their lines are broken."""
    comments, marks = [[]], []
    for line in source.splitlines():
        code, slashes, text = line.partition('//')
        if not slashes or code.strip():
            comments.append([])
        comments[-1].append(text.strip() if slashes else '')
    for comment in comments:
        marks += [text.strip() for text in ' '.join(comment).split(MARK)[1:]]
    return marks


class Entry:
    def __init__(self, row):
        self.row, self.marks, self.tests = row, [], []


def entries_of(text):
    entries = []
    for line in text.splitlines():
        word, _, rest = line.partition(' ')
        if word == '=':
            entries.append(Entry(rest))
        elif word == 'mark':
            entries[-1].marks.append(tuple(rest.split(': ', 1)))
        elif word == 'test':
            entries[-1].tests.append(tuple((rest + ': ').split(': ')[:2]))
        elif line and not line.startswith('#'):
            raise ValueError('differences.txt: what is this? ' + line)
    return entries


def check_rows(rows, entries):
    for row in rows:
        found = [e for e in entries if row.startswith(e.row)]
        if len(found) != 1:
            yield 'row "%s…" has %d entries in tests/differences.txt' % (row[:60], len(found))
    for entry in entries:
        if not any(row.startswith(entry.row) for row in rows):
            yield 'entry "%s" has no row in cmd/differences.md' % entry.row


def check_marks(marks, entries):
    named = [mark for entry in entries for mark in entry.marks]
    for path, text in marks:
        if not any(path == file and text.startswith(start) for file, start in named):
            yield '%s: "%s %s…" has no entry in tests/differences.txt (and so no row in cmd/differences.md)' % (path, MARK, text[:60])
    for file, start in named:
        if not any(path == file and text.startswith(start) for path, text in marks):
            yield '%s has no mark that begins "%s"' % (file, start)
    for entry in entries:
        if not entry.marks:
            yield 'entry "%s" names no mark in the code' % entry.row


def check_tests(entries, text_of):
    for entry in entries:
        if not entry.tests:
            yield 'entry "%s" names no test' % entry.row
        for file, text in entry.tests:
            content = text_of(file)
            if content is None or text not in content:
                yield 'entry "%s": tests/%s %s' % (entry.row, file, 'does not exist' if content is None else 'does not say ' + text)


def text_of_test(file):
    return read('tests/' + file) if os.path.exists(os.path.join(ROOT, 'tests', file)) else None


def all_marks():
    for top in ('lib', 'cmd'):
        for folder, _, files in os.walk(os.path.join(ROOT, top)):
            for file in files:
                if re.search(r'\.(h|cc)$', file):
                    path = os.path.relpath(os.path.join(folder, file), ROOT)
                    for text in marks_of(read(path)):
                        yield path, text


def problems(page, marks, mapping, text_of):
    rows, entries = rows_of(page), entries_of(mapping)
    return [*check_rows(rows, entries), *check_marks(marks, entries), *check_tests(entries, text_of)]


def self_test():
    """Whatever of the three is missing is found."""
    page = '# Differences\n\n| kubectl | we |\n|---|---|\n| loses a port | do not |\n'
    marks = [('lib/a.h', text) for text in marks_of('int a;  // x. Differs from\n// kubectl: it loses\n// a port.\n')]
    mapping = '# words\n= loses a\nmark lib/a.h: it loses a port\ntest cases/a.txtar: port\n'
    files = {'cases/a.txtar': 'a port'}
    assert problems(page, marks, mapping, files.get) == [], problems(page, marks, mapping, files.get)
    broken = [
        (page.replace('| loses', '| finds'), marks, mapping, files),
        (page + '| another | row |\n', marks, mapping, files),
        (page, [], mapping, files),
        (page, marks + [('lib/b.h', 'it does more')], mapping, files),
        (page, marks, mapping.replace('mark lib/a.h: it loses a port\n', ''), files),
        (page, marks, mapping.replace('test cases/a.txtar: port\n', ''), files),
        (page, marks, mapping, {}),
        (page, marks, mapping, {'cases/a.txtar': 'nothing'}),
    ]
    for page, marks, mapping, files in broken:
        assert problems(page, marks, mapping, files.get), (page, marks, mapping, files)
    return []


def main():
    if sys.argv[1:] not in ([], ['--self-test']):
        sys.exit(__doc__)
    found = self_test() if sys.argv[1:] else problems(read('cmd/differences.md'), list(all_marks()), read('tests/differences.txt'), text_of_test)
    print('\n'.join(found) if found else 'the differences from kubectl are documented, marked in the code and tested')
    return 1 if found else 0


if __name__ == '__main__':
    sys.exit(main())
