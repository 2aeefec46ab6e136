#!/usr/bin/env bash
# Includes go only along the edges of the module map in README.md, each library is seen only where it is wrapped, and the top level
# holds what it should.
#
#   check_layering.sh               prints what is wrong; fails when something is
#   check_layering.sh --self-test   proves that each rule can fail
set -euo pipefail

# What each module may include, besides itself.
declare -A may_include=(
  [base]=''
  [value]='base'
  [yaml]='value base'
  [schema]='value base'
  [smp]='schema value base'
  [kube]='net schema value base'
  [net]='value base'
  [auth]='net yaml value base'
  [compat]='smp schema value base'
  [edit]='yaml value base'
  [explain]='compat smp schema yaml value base'
  [karmada]='edit yaml value base'
  [apply]='kube compat smp karmada net schema edit yaml value base'
  [pull]='apply explain kube compat karmada smp net schema edit yaml value base'
  [lint]='apply kube compat karmada smp net schema edit yaml value base'
  [cmd]='lint pull apply explain karmada kube compat smp net auth schema edit yaml value base'
)

# The only files that may include a library: a pattern of headers and one of files.
wrapped=(
  '^rapidjson/   ^lib/value/[^/]*\.cc$'
  '^yaml-cpp/    ^$'
  '^curl/        ^lib/net/curl_[^/]*$'
  '^boost/       ^cmd/flags\.cc$'
  '^zlib\.h      ^lib/base/(packed_text|gunzip)\.cc$'
  # The system is called in lib/base alone, in one file for each system.
  '^((unistd|poll|pthread|signal|spawn|termios)\.h|(arpa|netinet|sys)/.*)$ ^lib/base/([^/]*_posix|read_file)\.cc$'
  '^(windows|winsock2|ws2tcpip|io|process|aclapi|sddl|shellapi|shlobj)\.h$ ^lib/base/([^/]*_windows\.cc|windows_api\.h)$'
)

top_level='^(\..*|cmd|lib|krew|tests|CMakeLists\.txt|CMakePresets\.json|README\.md|LICENSE)$'

module_of() {
  local path=${1#lib/}
  echo "${path%%/*}"
}

# "file header" for each include of the sources below lib and cmd.
includes() {
  grep -rHoE '^[[:space:]]*#[[:space:]]*include[[:space:]]*[<"][^>"]*' --include='*.h' --include='*.cc' --include='*.in' lib cmd |
    sed -E 's/:[^<"]*[<"]/ /'
}

check_modules() {
  local file header from to
  while read -r file header; do
    from=$(module_of "$file") to=${header%%/*}
    if [[ -z ${may_include[$from]+x} ]]; then
      echo "$file: the module $from is not in the map"
    elif [[ $header == */* && -n ${may_include[$to]+x} && $to != "$from" && " ${may_include[$from]} " != *" $to "* ]]; then
      echo "$file: $from may not include $header"
    fi
  done
}

check_wrapped() {
  local file header rule headers files
  while read -r file header; do
    for rule in "${wrapped[@]}"; do
      read -r headers files <<<"$rule"
      if [[ $header =~ $headers && ! $file =~ $files ]]; then
        echo "$file: may not include $header"
      fi
    done
  done
}

check_top_level() {
  ls -A | { grep -vE "$top_level" || true; } | sed 's|$|: does not belong at the top level|'
}

# What is wrong below the working directory.
problems() {
  local all
  all=$(includes)
  check_modules <<<"$all"
  check_wrapped <<<"$all"
  check_top_level
}

# Adds one line or file to a good tree and expects the message.
expect_problem() {
  local path=$1 line=$2 message=$3 dir
  dir=$(mktemp -d)
  (
    cd "$dir"
    mkdir -p lib/{base,edit,compat,auth,net,value,yaml,schema,smp,kube,explain,karmada,apply,pull,lint} cmd
    echo '#include "smp/smp.h"' >lib/apply/good.cc
    [[ -z $(problems) ]] || { echo "self-test: a good tree is not: $(problems)"; exit 1; }
    mkdir -p "$(dirname "$path")"
    echo "$line" >"$path"
    [[ $(problems) == "$message" ]] || { echo "self-test: $path: want '$message', got '$(problems)'"; exit 1; }
  ) || failed=1
  rm -r "$dir"
}

self_test() {
  failed=0
  expect_problem lib/base/a.h '#include "value/value.h"' 'lib/base/a.h: base may not include value/value.h'
  expect_problem lib/smp/a.cc '# include "kube/client.h"' 'lib/smp/a.cc: smp may not include kube/client.h'
  expect_problem lib/kube/a.cc '#include "smp/smp.h"' 'lib/kube/a.cc: kube may not include smp/smp.h'
  expect_problem lib/explain/a.cc '#include "apply/submit.h"' 'lib/explain/a.cc: explain may not include apply/submit.h'
  expect_problem lib/apply/a.cc '#include "cmd/flags.h"' 'lib/apply/a.cc: apply may not include cmd/flags.h'
  expect_problem lib/apply/a.cc '#include "pull/choice.h"' 'lib/apply/a.cc: apply may not include pull/choice.h'
  expect_problem lib/lint/a.cc '#include "explain/report.h"' 'lib/lint/a.cc: lint may not include explain/report.h'
  expect_problem lib/karmada/a.cc '#include <schema/schema.h>' 'lib/karmada/a.cc: karmada may not include schema/schema.h'
  expect_problem lib/new/a.cc '#include <string>' 'lib/new/a.cc: the module new is not in the map'
  expect_problem lib/value/a.h '#include <rapidjson/reader.h>' 'lib/value/a.h: may not include rapidjson/reader.h'
  expect_problem lib/yaml/a.cc '#include "schema/schema.h"' 'lib/yaml/a.cc: yaml may not include schema/schema.h'
  expect_problem lib/yaml/a.cc '#include <yaml-cpp/yaml.h>' 'lib/yaml/a.cc: may not include yaml-cpp/yaml.h'
  expect_problem cmd/a.cc '#include <yaml-cpp/yaml.h>' 'cmd/a.cc: may not include yaml-cpp/yaml.h'
  expect_problem lib/kube/client.cc '#include <curl/curl.h>' 'lib/kube/client.cc: may not include curl/curl.h'
  expect_problem cmd/apply.cc '#include <boost/program_options.hpp>' 'cmd/apply.cc: may not include boost/program_options.hpp'
  expect_problem cmd/a.cc '#include <unistd.h>' 'cmd/a.cc: may not include unistd.h'
  expect_problem lib/net/a.cc '#include <sys/socket.h>' 'lib/net/a.cc: may not include sys/socket.h'
  expect_problem lib/base/a_posix.cc '#include <windows.h>' 'lib/base/a_posix.cc: may not include windows.h'
  expect_problem docs/a.md '' 'docs: does not belong at the top level'
  return "$failed"
}

case ${1-} in
  --self-test) self_test ;;
  '')
    cd "$(dirname "${BASH_SOURCE[0]}")/.."
    found=$(problems)
    [[ -z $found ]] || { echo "$found" >&2; exit 1; }
    ;;
  *) echo "usage: check_layering.sh [--self-test]" >&2; exit 2 ;;
esac
