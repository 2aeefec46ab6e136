# Sourced by krew/release: the licences of what is linked into the program, as Debian states them.

# Prints "PACKAGE VERSION|FILE" of each package and source package in folder $1, FILE being the one with its licence; the packages are
# unpacked in folder $2.
library_parts() {
  local package name
  for package in "$1"/packages/*.deb; do
    name=$(dpkg-deb --field "$package" Package)
    # libboost-program-options1.74-dev says the same as libboost1.74-dev.
    [[ $name != libboost1.74-dev || ! -e $2/usr/share/doc/libboost-program-options1.74-dev ]] || continue
    echo "$name $(dpkg-deb --field "$package" Version)|$2/usr/share/doc/$name/copyright"
  done
  for package in "$1"/packages/*.dsc; do
    name=$(sed -n 's/^Source: //p' "$package")
    [[ $name != boost* ]] || continue # as libboost1.74-dev
    echo "$name $(sed -n 's/^Version: //p' "$package" | head -n 1)|$1/$name/debian/copyright"
  done
}

# The same for what the compiler for triplet $1 brings along.
compiler_parts() {
  local archive name
  for archive in libc.a libgcc_eh.a libstdc++.a; do
    archive=$(realpath "$("$1-g++" -B"$2/root/usr/lib/$1" -print-file-name="$archive")")
    [[ $archive != "$2"/* ]] || continue # library_parts has it
    name=$(dpkg-query --search "$archive" | sed -n '1s/:.*//p')
    echo "$name $(dpkg-query --show --showformat '${Version}' "$name")|/usr/share/doc/$name/copyright"
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

# What zig links into programs for macOS; libSystem, which is macOS, is not part of them.
zig_parts() {
  local zig=$work/zig/ziglang name
  for name in libcxx libcxxabi; do
    echo "$name of ziglang $("$zig/zig" version) (PyPI)|$zig/lib/$name/LICENSE.TXT"
  done
  echo "compiler_rt of ziglang $("$zig/zig" version) (PyPI)|$zig/LICENSE"
}

# third_party_OS ARCH FOLDER: the versions and licences of what is linked into the program that is made in FOLDER.
third_party_linux() {
  local parts
  parts=$(library_parts "$2" "$2/root"; compiler_parts "$(triplet_of "$1")" "$2")
  third_party_licenses "$parts"
}

third_party_darwin() {
  local parts
  parts=$(library_parts "$2" "$2/headers"; zig_parts)
  third_party_licenses "$parts"
}

# Prints the versions and licences of the parts $1, each as library_parts prints them.
third_party_licenses() {
  local parts=$1 part common text
  cat <<END
The program kubectl-smp contains parts of these packages. They are Debian's, which publishes their sources, unless another origin is
named:

$(sed 's/|.*//; s/^/  /' <<<"$parts")

Their licences follow. krew/release, among the sources of kubectl-smp, links the program anew with other versions of them.
END
  text=$(while IFS='|' read -r part common; do
    print_heading "$part"
    print_licence "$common"
  done <<<"$parts")
  echo "$text"
  # Debian's statements refer to the licences that many share.
  grep -o '/usr/share/common-licenses/[A-Za-z0-9.-]*[A-Za-z0-9]' <<<"$text" | sort -u | xargs realpath | sort -u |
    while read -r common; do
      print_heading "$common"
      cat "$common"
    done
}
