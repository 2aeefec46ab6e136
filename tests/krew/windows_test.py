#!/usr/bin/env python3
"""What can be known of an archive for Windows without running it: what it holds, and that its program has the form that Windows asks for:
processor, console, no library but the system's, random addresses, UTF-8. tests/rig/windows runs the program for amd64 under Wine."""
import struct
import sys

import archives
import harness
import zig_archive

MACHINE = {'amd64': 0x8664, 'arm64': 0xaa64}
# winnt.h
PE32_PLUS, CONSOLE, HIGH_ENTROPY, DYNAMIC_BASE, NO_EXECUTE = 0x20b, 3, 0x20, 0x40, 0x100
LIBRARIES = {'advapi32.dll', 'bcrypt.dll', 'crypt32.dll', 'kernel32.dll', 'ntdll.dll', 'shell32.dll', 'user32.dll', 'ws2_32.dll'}
LICENCES = (("libunwind of PyPI's ziglang", 'LLVM Exceptions'), ("mingw-w64 of PyPI's ziglang", 'Zope Public License'),
            ("winpthreads of PyPI's ziglang", 'mingw-w64 project'))


class Program:
    """A PE file."""

    def __init__(self, data):
        self.data = data
        start, = struct.unpack_from('<I', data, 0x3c)
        if data[:2] != b'MZ' or data[start:start + 4] != b'PE\0\0':
            raise AssertionError('not a PE file')
        self.machine, sections, _, _, _, size, _ = struct.unpack_from('<HHIIIHH', data, start + 4)
        optional = start + 24
        self.magic, = struct.unpack_from('<H', data, optional)
        self.subsystem, self.flags = struct.unpack_from('<HH', data, optional + 68)
        self.imports, = struct.unpack_from('<I', data, optional + 120)
        self.sections = [struct.unpack_from('<IIII', data, optional + size + 40 * i + 8) for i in range(sections)]

    def at(self, address):
        """The offset in the file of an address in memory."""
        for virtual_size, begin, raw_size, offset in self.sections:
            if begin <= address < begin + max(virtual_size, raw_size):
                return address - begin + offset
        raise AssertionError('no section has %#x' % address)

    def libraries(self):
        names, at = set(), self.at(self.imports)
        while True:
            name, = struct.unpack_from('<I', self.data, at + 12)
            if name == 0:
                return names
            begin = self.at(name)
            names.add(self.data[begin:self.data.index(b'\0', begin)].decode().lower())
            at += 20


def is_of_the_system(library):
    return library in LIBRARIES or library.startswith('api-ms-win-crt-')


def check_program(check, data, architecture):
    program = Program(data)
    check('processor', '' if program.machine == MACHINE[architecture] else '%#x' % program.machine)
    check('a program for the console', '' if (program.magic, program.subsystem) == (PE32_PLUS, CONSOLE) else program.subsystem)
    wanted = HIGH_ENTROPY | DYNAMIC_BASE | NO_EXECUTE
    check('random addresses, and no code in data', '' if program.flags & wanted == wanted else '%#x' % program.flags)
    check('libraries', sorted(name for name in program.libraries() if not is_of_the_system(name)))
    check('UTF-8', '' if b'activeCodePage' in data else 'the program has no such manifest')
    zig_archive.check_data(check, data)


def main():
    options = archives.parse_args(__doc__, architecture='amd64 or arm64')
    check = harness.Checks()
    with zig_archive.open_archive(options, 'windows') as tar:
        wanted = {'LICENSE', 'README.md', 'THIRD-PARTY-LICENSES', 'UNTESTED', 'kubectl-smp.exe', 'kubectl_complete-smp.cmd'}
        zig_archive.check_contents(check, tar, wanted, LICENCES)
        zig_archive.check_untested(check, tar, 'under Wine, which is not Windows')
        check_program(check, tar.extractfile('kubectl-smp.exe').read(), options.architecture)
    zig_archive.check_manifest(check, options, 'windows', 'tested with Wine on Linux only')
    return check.finish()


if __name__ == '__main__':
    sys.exit(main())
