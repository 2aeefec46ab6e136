"""A program on a terminal of its own."""
import fcntl
import os
import pty
import re
import select
import subprocess
import termios
import time


class Terminal:
    """`text` is what the program wrote since it was last read. Without `controlling` the program cannot open /dev/tty."""

    def __init__(self, folder, argv, stdin=None, controlling=True, **env):
        self.main, end = pty.openpty()
        take = (lambda: fcntl.ioctl(1, termios.TIOCSCTTY, 0)) if controlling else None
        self.process = subprocess.Popen(argv, cwd=folder.dir, env=folder.env(**env), stdin=end if stdin is None else stdin, stdout=end,
                                        stderr=end, start_new_session=True, preexec_fn=take)
        os.close(end)
        self.text = ''

    def read(self, seconds):
        """Reads once; returns whether the program may write more."""
        if not select.select([self.main], [], [], seconds)[0]:
            return False
        try:
            block = os.read(self.main, 65536)
        except OSError:  # the other end is closed
            return False
        self.text += block.decode(errors='replace')
        return bool(block)

    def await_text(self, pattern, seconds=60):
        """Returns the match of a regular expression."""
        end = time.monotonic() + seconds
        while not re.search(pattern, self.text, re.S):
            if not self.read(max(0, end - time.monotonic())):
                raise AssertionError('no %s on the terminal: %r' % (pattern, self.text))
        return re.search(pattern, self.text, re.S)

    def type(self, text):
        os.write(self.main, text.encode())

    def finish(self):
        """Waits for the end of the program; returns its exit status."""
        while self.read(60):
            pass
        os.close(self.main)
        return self.process.wait(timeout=60)
