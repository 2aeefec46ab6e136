# Sourced by the scripts beside it.

rig=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
tests=$(dirname "$rig")
build=$(dirname "$tests")/.build
tools=$build/tools

fail() {
  echo "$(basename "$0"): $*" >&2
  exit 1
}

# The process id of the control plane that runs in folder $1; fails when none does. A number in a stale file may by now belong to
# somebody else's process, so the command line decides.
running_pid() {
  local pid
  pid=$(cat "$1/pid" 2>/dev/null) && [[ $pid =~ ^[0-9]+$ ]] || return 1
  [[ $(tr '\0' ' ' 2>/dev/null <"/proc/$pid/cmdline") == *"/controlplane --dir $1 "* ]] || return 1
  echo "$pid"
}
