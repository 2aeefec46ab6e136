# Sourced by krew/release: the bill of materials of a program, in SPDX 2.3.

# The licence of part $1 as an SPDX expression. Debian's statements, which licenses.sh collects, have no such names.
licence_of() {
  case $1 in
    kubectl-smp | openssl) echo Apache-2.0 ;;
    libboost*) echo BSL-1.0 ;;
    libc-ares-dev | libnghttp2-dev | nghttp2 | rapidjson-dev) echo MIT ;;
    libc6-dev*) echo LGPL-2.1-or-later ;;
    libgcc-* | libstdc++-*) echo 'GPL-3.0-or-later WITH GCC-exception-3.1' ;;
    zlib | zlib1g-dev) echo Zlib ;;
    curl) echo curl ;;
    libcxx | libcxxabi | libunwind) echo 'Apache-2.0 WITH LLVM-exception' ;;
    compiler_rt) echo MIT ;; # zig's own
    mingw-w64) echo ZPL-2.1 ;;
    winpthreads) echo MIT ;;
    *) fail "$here/sbom.sh does not know the licence of $1" ;;
  esac
}

# The licences of the program whose parts are in file $1, as one expression.
all_licences() {
  local name names
  names=$(sed 's/ .*//' "$1")
  for name in kubectl-smp $names; do
    licence_of "$name" || return
  done | sort -u | sed ':a; N; $!ba; s/\n/ AND /g'
}

spdx_id() {
  echo "SPDXRef-${1//[^A-Za-z0-9.-]/-}"
}

# Prints package $1 of version $2 as JSON, with supplier $3, the licences of all that is in it $4, file $5 and package URL $6, of which
# the last two may be empty.
spdx_package() {
  local supplier=$3 file=$5 purl=$6 declared
  declared=$(licence_of "$1") || return
  cat <<END
    {
      "SPDXID": "$(spdx_id "$1")",
      "name": "$1",
      "versionInfo": "$2",
      "supplier": "$supplier",
      "downloadLocation": "NOASSERTION",
      "filesAnalyzed": false,
      "licenseConcluded": "$4",
      "licenseDeclared": "$declared",
END
  [[ -z $file ]] || cat <<END
      "packageFileName": "${file##*/}",
      "checksums": [{"algorithm": "SHA256", "checksumValue": "$(sha256sum <"$file" | cut -d' ' -f1)"}],
END
  [[ -z $purl ]] || cat <<END
      "externalRefs": [{"referenceCategory": "PACKAGE-MANAGER", "referenceType": "purl", "referenceLocator": "$purl"}],
END
  printf '      "copyrightText": "NOASSERTION"\n    }'
}

# Prints the parts in file $1.
spdx_parts() {
  local part file purl supplier licence
  while IFS='|' read -r part _ file purl; do
    supplier='Organization: Debian'
    [[ $purl == pkg:deb/* ]] || supplier='Organization: Zig Software Foundation'
    licence=$(licence_of "${part%% *}") || return
    printf ',\n'
    spdx_package "${part%% *}" "${part##* }" "$supplier" "$licence" "$file" "$purl"
  done <"$1"
}

# Prints what the program contains: the parts in file $1.
spdx_relationships() {
  local part
  printf '    {"spdxElementId": "SPDXRef-DOCUMENT", "relationshipType": "DESCRIBES", "relatedSpdxElement": "SPDXRef-kubectl-smp"}'
  while IFS='|' read -r part _; do
    printf ',\n    {"spdxElementId": "SPDXRef-kubectl-smp", "relationshipType": "STATIC_LINK", "relatedSpdxElement": "%s"}' \
      "$(spdx_id "${part%% *}")"
  done <"$1"
  echo
}

# Prints the bill of materials of program $1 for platform $2 with the parts in file $3.
sbom() {
  local licences packages
  licences=$(all_licences "$3")
  packages=$(spdx_package kubectl-smp "$version" NOASSERTION "$licences" "$1" '' && spdx_parts "$3")
  cat <<END
{
  "spdxVersion": "SPDX-2.3",
  "dataLicense": "CC0-1.0",
  "SPDXID": "SPDXRef-DOCUMENT",
  "name": "kubectl-smp_$2",
  "documentNamespace": "https://spdx.org/spdxdocs/kubectl-smp_$2-$version-$(sha256sum <"$1" | cut -c1-32)",
  "creationInfo": {
    "created": "$(date --utc --date="@$SOURCE_DATE_EPOCH" +%Y-%m-%dT%H:%M:%SZ)",
    "creators": ["Tool: kubectl-smp-release-$version"]
  },
  "packages": [
$packages
  ],
  "relationships": [
$(spdx_relationships "$3")
  ]
}
END
}
