# Sourced by cmd/demo and tests/install: Debian packages.

# What a build of the program needs.
build_packages=(
  g++ cmake ninja-build
  libboost-program-options-dev rapidjson-dev libcurl4-openssl-dev libssl-dev zlib1g-dev
)

# Installs those of the packages $@ that are missing. Says nothing and asks for nothing when none is. Where there is no dpkg, CMake
# names what is missing.
install_packages() {
  command -v dpkg-query >/dev/null || return 0
  local missing=() package as_root=()
  for package in "$@"; do
    [[ $(dpkg-query --show --showformat '${db:Status-Status}' "$package" 2>/dev/null) == installed ]] || missing+=("$package")
  done
  ((${#missing[@]} > 0)) || return 0
  ((EUID == 0)) || as_root=(sudo)
  echo "Installing ${missing[*]}" >&2
  "${as_root[@]}" apt-get -qq update >&2
  "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive \
    apt-get -qq -o DPkg::Lock::Timeout=300 install --no-install-recommends "${missing[@]}" >&2
}
