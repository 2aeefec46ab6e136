"""What the tests of the archives for macOS and Windows share: what every program that zig made, and its archive, must hold."""
import os
import re
import tarfile

import archives

MAX_BYTES = 10_000_000
LICENCES = (('openssl', 'Apache'), ('zlib', 'Mark Adler'), ('nghttp2', 'Expat|MIT'), ('curl', 'SSL-LIB|curl'),
            ('libboost1.74-dev', archives.BOOST_LICENCE), ('rapidjson-dev', 'Milo Yip'),
            ("libcxx of PyPI's ziglang", 'LLVM Exceptions'), ("libcxxabi of PyPI's ziglang", 'LLVM Exceptions'),
            ("compiler_rt of PyPI's ziglang", 'Zig contributors'))


def open_archive(options, system):
    return tarfile.open(os.path.join(options.archives, archives.name_of(options.architecture, system)))


def check_contents(check, tar, wanted, licences=()):
    """`licences` are of parts that no other system's program has, as pairs of a name and a pattern."""
    names = [m.name for m in tar.getmembers()]
    check('files', '' if set(names) == wanted else names)
    check('order of names', '' if names == sorted(names) else names)
    check('nobody owns the files', [m.name for m in tar.getmembers() if (m.uid, m.gid, m.uname, m.gname) != (0, 0, '', '')])
    third = tar.extractfile('THIRD-PARTY-LICENSES').read().decode()
    for name, licence in (*LICENCES, *licences):
        found = re.search(r'^  %s \d' % name, third, re.M) and re.search(licence, third, re.I | re.S)
        check('licence of ' + name, '' if found else 'not in THIRD-PARTY-LICENSES')


def check_untested(check, tar, words):
    text = ' '.join(tar.extractfile('UNTESTED').read().decode().split())
    check('it says what is untested', '' if words in text else text)


def check_data(check, data):
    check('size', '' if len(data) <= MAX_BYTES else '%d bytes' % len(data))
    check('no path of the build', 'holds ' + archives.SOURCE if archives.SOURCE.encode() in data else '')
    check('version', '' if archives.version().encode() in data else 'is not in it')


def check_manifest(check, options, system, words):
    with open(os.path.join(options.archives, 'smp.yaml'), encoding='utf-8') as f:
        manifest = f.read()
    entry = 'os: %s\n        arch: %s\n' % (system, options.architecture)
    check('the manifest offers it', '' if entry in manifest else 'no')
    check('the manifest says what is untested', '' if words in ' '.join(manifest.split('platforms:')[0].split()) else 'no')
