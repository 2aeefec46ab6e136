# Sourced by krew/release: the licences of what is linked into the program, as Debian states them.

# Prints a part of the program: "NAME VERSION|LICENCE|FILE|PURL", where LICENCE is the file with the licence, FILE is the package, or the
# library if the package is not at hand, and PURL is the package URL.
print_part() {
  echo "$1 $2|$3|$4|$5"
}

# The package URL of Debian's package $1 of version $2 for architecture $3.
deb_purl() {
  local text=$1@$2
  text=${text//+/%2B}
  echo "pkg:deb/debian/${text//:/%3A}?arch=$3"
}

# Prints the packages and source packages in folder $1; they are unpacked in folder $2.
library_parts() {
  local package name version
  for package in "$1"/packages/*.deb; do
    name=$(dpkg-deb --field "$package" Package) version=$(dpkg-deb --field "$package" Version)
    # libboost-program-options1.74-dev says the same as libboost1.74-dev.
    [[ $name != libboost1.74-dev || ! -e $2/usr/share/doc/libboost-program-options1.74-dev ]] || continue
    print_part "$name" "$version" "$2/usr/share/doc/$name/copyright" "$package" \
      "$(deb_purl "$name" "$version" "$(dpkg-deb --field "$package" Architecture)")"
  done
  for package in "$1"/packages/*.dsc; do
    name=$(sed -n 's/^Source: //p' "$package") version=$(sed -n 's/^Version: //p' "$package" | head -n 1)
    [[ $name != boost* ]] || continue # as libboost1.74-dev
    print_part "$name" "$version" "$1/$name/debian/copyright" "$package" "$(deb_purl "$name" "$version" source)"
  done
}

# The same for what the compiler for triplet $1 brings along.
compiler_parts() {
  local archive name version architecture
  for archive in libc.a libgcc_eh.a libstdc++.a; do
    archive=$(realpath "$("$1-g++" -B"$2/root/usr/lib/$1" -print-file-name="$archive")")
    [[ $archive != "$2"/* ]] || continue # library_parts has it
    name=$(dpkg-query --search "$archive" | sed -n '1s/:.*//p')
    read -r version architecture < <(dpkg-query --show --showformat '${Version} ${Architecture}\n' "$name")
    print_part "$name" "$version" "/usr/share/doc/$name/copyright" "$archive" "$(deb_purl "$name" "$version" "$architecture")"
  done
}

# Prints file $1. Of Boost's, which has two megabytes about all its libraries, only its licence.
print_licence() {
  case $1 in
    *boost*) awk -v RS= '/^License: BSL-1.0\n/ && /Permission is hereby granted/' "$1" ;;
    *) cat "$1" ;;
  esac
}

print_heading() {
  printf '\n%s\n%s\n\n' '================================================================================' "$1"
}

# What zig links into programs: the parts $@. libSystem and the libraries of Windows are not part of them.
zig_parts() {
  local zig=$work/zig/ziglang name version licence
  version=$("$zig/zig" version)
  for name in "$@"; do
    licence=$zig/lib/$name/LICENSE.TXT
    [[ $name != compiler_rt ]] || licence=$zig/LICENSE
    [[ $name != mingw-w64 ]] || licence=$zig/lib/libc/mingw/COPYING
    [[ $name != winpthreads ]] || licence=$work/zig/winpthreads # at the head of each of its files
    print_part "$name of PyPI's ziglang" "$version" "$licence" '' "pkg:pypi/ziglang@$version"
  done
}

# parts_of_OS ARCH FOLDER: what is linked into the program that is made in FOLDER, as print_part prints it.
parts_of_linux() {
  library_parts "$2" "$2/root"
  compiler_parts "$(triplet_of "$1")" "$2"
}

parts_of_darwin() {
  library_parts "$2" "$2/headers"
  zig_parts libcxx libcxxabi compiler_rt
}

parts_of_windows() {
  sed '/\*\//q' "$work/zig/ziglang/lib/libc/mingw/winpthreads/barrier.c" >"$work/zig/winpthreads"
  library_parts "$2" "$2/headers"
  zig_parts libcxx libcxxabi libunwind compiler_rt mingw-w64 winpthreads
}

# Prints the versions and licences of the parts in file $1.
third_party_licenses() {
  local part licence common text
  cat <<END
The program kubectl-smp contains parts of these packages. They are Debian's, which publishes their sources, unless another origin is
named:

$(sed 's/|.*//; s/^/  /' "$1")

Their licences follow. krew/release, among the sources of kubectl-smp, links the program anew with other versions of them.
END
  text=$(while IFS='|' read -r part licence _; do
    print_heading "$part"
    print_licence "$licence"
  done <"$1")
  echo "$text"
  # Debian's statements refer to the licences that many share.
  grep -o '/usr/share/common-licenses/[A-Za-z0-9.-]*[A-Za-z0-9]' <<<"$text" | sort -u | xargs realpath | sort -u |
    while read -r common; do
      print_heading "$common"
      cat "$common"
    done
}
