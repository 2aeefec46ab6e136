#!/usr/bin/env bash
# All C++ is formatted as .clang-format says; prints the files that are not.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

sources() {
  find cmd lib tests '(' -name '*.h' -o -name '*.cc' ')' -print0
}

sources | xargs -0 clang-format-16 --dry-run -Werror 2>/dev/null && exit
sources | xargs -0 -n 1 bash -c 'clang-format-16 --dry-run -Werror "$0" 2>/dev/null || echo "$0: run clang-format-16 -i on this file"' >&2
exit 1
