# Sourced by krew/release and krew/manifest.

# Prints the version of the sources, without a v.
version_of_sources() {
  local version
  version=$(sed -nE 's/^project\(.* VERSION ([0-9.]+) .*/\1/p' "$here/../CMakeLists.txt")
  [[ $version =~ ^[0-9]+\.[0-9]+\.[0-9]+$ ]] || fail "CMakeLists.txt contains no version"
  echo "$version"
}
