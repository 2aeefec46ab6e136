#!/usr/bin/env python3
"""What can be known of an archive for macOS without a Mac: what it holds, and that its program has the form that macOS asks for:
processor, oldest version, no library but the system's, for Apple's processors a signature that fits its pages. That it runs is not
known."""
import hashlib
import struct
import sys

import archives
import harness
import zig_archive

CPU = {'amd64': 0x01000007, 'arm64': 0x0100000c}
OLDEST = {'amd64': (10, 15), 'arm64': (11, 0)}
# <mach-o/loader.h>
MAGIC_64, EXECUTE, PIE, PLATFORM_MACOS = 0xfeedfacf, 2, 0x200000, 1
LOAD_DYLIB, BUILD_VERSION, VERSION_MIN, CODE_SIGNATURE, RPATH, MAIN = 0xc, 0x32, 0x24, 0x1d, 0x8000001c, 0x80000028
# <kern/cs_blobs.h>; these are big-endian.
SUPER_BLOB, CODE_DIRECTORY, ADHOC, SHA256 = 0xfade0cc0, 0xfade0c02, 2, 2

class Program:
    """A Mach-O file of one architecture."""

    def __init__(self, data):
        self.data = data
        magic, self.cpu, _, self.type, count, _, self.flags, _ = struct.unpack_from('<8I', data)
        if magic != MAGIC_64:
            raise AssertionError('not a 64-bit Mach-O: %#x' % magic)
        self.commands, at = [], 32
        for _ in range(count):
            command, size = struct.unpack_from('<2I', data, at)
            self.commands.append((command, data[at:at + size]))
            at += size

    def all(self, wanted):
        return [body for command, body in self.commands if command == wanted]

    def libraries(self):
        return [body[struct.unpack_from('<I', body, 8)[0]:].rstrip(b'\0').decode() for body in self.all(LOAD_DYLIB)]

    def oldest(self):
        """(platform, (major, minor)) of the oldest system."""
        for body in self.all(BUILD_VERSION):
            platform, version = struct.unpack_from('<2I', body, 8)
            return platform, (version >> 16, version >> 8 & 255)
        for body in self.all(VERSION_MIN):
            version, = struct.unpack_from('<I', body, 8)
            return PLATFORM_MACOS, (version >> 16, version >> 8 & 255)
        return None

    def signature(self):
        """Why the kernel would not take it; '' if it would."""
        found = self.all(CODE_SIGNATURE)
        if len(found) != 1:
            return '%d signatures' % len(found)
        start, size = struct.unpack_from('<2I', found[0], 8)
        blob = self.data[start:start + size]
        magic, _, count = struct.unpack_from('>3I', blob)
        if magic != SUPER_BLOB:
            return 'not a signature: %#x' % magic
        offsets = [struct.unpack_from('>2I', blob, 12 + 8 * i)[1] for i in range(count)]
        directories = [blob[at:] for at in offsets if struct.unpack_from('>I', blob, at)[0] == CODE_DIRECTORY]
        return self.pages(directories[0], start) if len(directories) == 1 else '%d code directories' % len(directories)

    def pages(self, directory, signed):
        _, _, _, flags, hashes, _, _, count, limit, size, kind, _, page = struct.unpack_from('>9I4B', directory)
        if not flags & ADHOC or (size, kind, limit) != (32, SHA256, signed):
            return 'flags %#x, hash %d of %d bytes, of %d of %d bytes' % (flags, kind, size, limit, signed)
        for i in range(count):
            begin = i << page
            want = directory[hashes + i * size:hashes + (i + 1) * size]
            if hashlib.sha256(self.data[begin:min(begin + (1 << page), limit)]).digest() != want:
                return 'page %d is another one' % i
        return '' if count << page >= limit else 'only %d pages are signed' % count


def check_program(check, data, architecture):
    program = Program(data)
    check('processor', '' if program.cpu == CPU[architecture] else '%#x' % program.cpu)
    check('a program', '' if program.type == EXECUTE and program.flags & PIE and program.all(MAIN) else 'type %d' % program.type)
    check('libraries', '' if program.libraries() == ['/usr/lib/libSystem.B.dylib'] else program.libraries())
    check('no other places for libraries', program.all(RPATH))
    check('oldest system', '' if program.oldest() == (PLATFORM_MACOS, OLDEST[architecture]) else program.oldest())
    # On Intel's processors macOS runs what nobody has signed, and zig signs nothing.
    if architecture == 'arm64' or program.all(CODE_SIGNATURE):
        check('signature', program.signature())
    zig_archive.check_data(check, data)


def main():
    options = archives.parse_args(__doc__, architecture='amd64 or arm64')
    check = harness.Checks()
    with zig_archive.open_archive(options, 'darwin') as tar, zig_archive.open_archive(options, 'linux') as linux:
        zig_archive.check_contents(check, tar, set(linux.getnames()) | {'UNTESTED'})
        same = [name for name in linux.getnames() if name.endswith('.1') and tar.extractfile(name).read() != linux.extractfile(name).read()]
        check('manual pages', same)
        zig_archive.check_untested(check, tar, 'nobody has run it')
        check_program(check, tar.extractfile('kubectl-smp').read(), options.architecture)
    zig_archive.check_manifest(check, options, 'darwin', 'nobody has run it')
    return check.finish()


if __name__ == '__main__':
    sys.exit(main())
