# Sourced by krew/release: the licences of what is linked into the program, as Debian states them.

# Prints "PACKAGE VERSION|FILE" of each library in folder $1, FILE being the one with its licence.
library_parts() {
  local package name
  for package in "$1"/packages/*.deb; do
    name=$(dpkg-deb --field "$package" Package)
    [[ $name != libboost1.74-dev ]] || continue # libboost-program-options1.74-dev says the same
    echo "$name $(dpkg-deb --field "$package" Version)|$1/root/usr/share/doc/$name/copyright"
  done
  echo "curl $(sed -n 's/^Version: //p' "$1"/packages/curl_*.dsc | head -n 1)|$1/curl/debian/copyright"
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
    *boost*) sed -n '/^License: BSL-1.0$/,/^$/{p;/^$/q}' "$1" ;;
    *) cat "$1" ;;
  esac
}

print_heading() {
  printf '\n%s\n%s\n\n' '================================================================================' "$1"
}

# Prints the versions and licences of the libraries in folder $2 and of what comes with the compiler for triplet $1.
third_party_licenses() {
  local parts part common text
  parts=$(library_parts "$2"; compiler_parts "$1" "$2")
  cat <<END
The program kubectl-smp contains parts of these Debian packages, whose sources Debian publishes:

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
