# Sourced by krew/release: the static libraries that the program is linked with, from Debian's packages of the configured mirrors.
#
# libcurl is built from Debian's source package: the library in libcurl4-openssl-dev wants Kerberos and LDAP, of which there are no
# static libraries. c-ares resolves names: glibc's getaddrinfo, linked statically, loads the NSS modules of the machine it runs on
# and dies in them when that machine's glibc is newer.

library_packages=(
  libssl-dev libnghttp2-dev libc-ares-dev zlib1g-dev libboost1.74-dev libboost-program-options1.74-dev
)

curl_options=(
  -DBUILD_SHARED_LIBS=OFF -DBUILD_CURL_EXE=OFF -DBUILD_TESTING=OFF -DENABLE_MANUAL=OFF
  -DHTTP_ONLY=ON -DENABLE_ARES=ON -DCURL_USE_OPENSSL=ON -DUSE_NGHTTP2=ON -DCURL_ZLIB=ON
  -DCURL_USE_LIBSSH2=OFF -DCURL_USE_LIBPSL=OFF -DUSE_LIBIDN2=OFF -DCURL_USE_GSSAPI=OFF -DCURL_BROTLI=OFF -DCURL_ZSTD=OFF
  -DCURL_DISABLE_ALTSVC=ON -DCURL_DISABLE_HSTS=ON -DCURL_DISABLE_COOKIES=ON -DENABLE_UNIX_SOCKETS=OFF
  -DCURL_DISABLE_CRYPTO_AUTH=ON -DCURL_DISABLE_DOH=ON -DCURL_DISABLE_GETOPTIONS=ON -DCURL_DISABLE_LIBCURL_OPTION=ON
  -DCURL_DISABLE_MIME=ON -DCURL_DISABLE_PARSEDATE=ON -DCURL_DISABLE_PROGRESS_METER=ON
  -DCMAKE_C_FLAGS_RELEASE='-Os -DNDEBUG'
  # The program finds the certificate authorities of the system itself.
  -DCURL_CA_BUNDLE=none -DCURL_CA_PATH=none
  # openssl.cnf may name modules of the machine's own OpenSSL, which a static program cannot load.
  -DCURL_DISABLE_OPENSSL_AUTO_LOAD_CONFIG=ON
)

# apt with package lists and a cache of its own in folder $1, so that the machine's stay as they are.
private_apt() {
  local folder=$1
  shift
  apt-get -qq -o Dir::Etc::SourceList="$folder/sources.list" -o Dir::Etc::SourceParts=- -o Dir::State::Lists="$folder/lists" \
    -o Dir::Cache="$folder/cache" -o APT::Architectures::=amd64 -o APT::Architectures::=arm64 \
    -o APT::Sandbox::User="$(id -un)" -o Acquire::Languages=none "$@"
}

# Writes the machine's Debian mirrors as sources of both kinds to $1/sources.list.
write_sources() {
  local codename site release component
  codename=$(. /etc/os-release && echo "${VERSION_CODENAME-}")
  while IFS='|' read -r site release component; do
    [[ $release == "$codename" || $release == "$codename"-* ]] || continue # others than Debian
    printf '%s %s %s %s\n' deb "$site" "$release" "$component" deb-src "$site" "$release" "$component"
  done < <(apt-get indextargets --format '$(REPO_URI)|$(RELEASE)|$(COMPONENT)' 'Created-By: Packages') | sort -u >"$1/sources.list"
  [[ -s $1/sources.list ]] || fail "apt has no package sources for Debian ${codename:-(not a Debian)}"
}

# Downloads into the folder $2 the packages for architecture $1 and curl's sources.
download() {
  local architecture=$1 folder=$2
  mkdir -p "$folder/apt/lists/partial" "$folder/apt/cache/archives/partial" "$folder/packages"
  write_sources "$folder/apt"
  private_apt "$folder/apt" update
  cd "$folder/packages"
  private_apt "$folder/apt" download rapidjson-dev "${library_packages[@]/%/:$architecture}"
  # Debian's cross compilers come with a glibc that gets no security updates.
  [[ $architecture == amd64 ]] || private_apt "$folder/apt" download "libc6-dev:$architecture"
  private_apt "$folder/apt" source --download-only curl
}

# Unpacks the packages of folder $1 into $1/root as static libraries: nothing else is there to be found.
unpack() {
  local folder=$1 package
  for package in "$folder"/packages/*.deb; do
    dpkg-deb -x "$package" "$folder/root"
  done
  find "$folder/root/usr/lib" -name '*.so' -delete
}

# Takes from the libraries in C, for architecture $1 in folder $2, what an exception would need to pass through their functions: half a
# megabyte of the program. None passes: they call nothing of ours that throws.
drop_unwind_tables() {
  local triplet library
  triplet=$(triplet_of "$1")
  for library in libcrypto libssl libcurl libnghttp2 libcares; do
    "$triplet-objcopy" --remove-section=.eh_frame --remove-section=.rela.eh_frame "$2/root/usr/lib/$triplet/$library.a"
  done
}

build_curl() {
  local architecture=$1 folder=$2
  dpkg-source --extract "$folder"/packages/curl_*.dsc "$folder/curl" >/dev/null
  patch --directory="$folder/curl" --strip=1 <"$here/curl-lookups.patch"
  cmake_static "$architecture" "$folder" -S "$folder/curl" -B "$folder/curl-build" "${curl_options[@]}" \
    -DCMAKE_INSTALL_PREFIX="$folder/root/usr" -DCMAKE_INSTALL_LIBDIR="lib/$(triplet_of "$architecture")"
  cmake --build "$folder/curl-build" --target install
}

# Gets and builds the libraries for architecture $1 in folder $2, unless they are there already. What was built with old ones goes,
# too: the files of Debian's packages are older than the objects that have to be built anew.
prepare_libraries() {
  local architecture=$1 folder=$2 key
  key=$(cat "$here/libraries.sh" "$here/linux-static.cmake" "$here/curl-lookups.patch" | sha256sum)
  [[ ! -e $folder/done || $(<"$folder/done") != "$key" ]] || return 0
  rm -rf "$folder"
  (download "$architecture" "$folder")
  unpack "$folder"
  build_curl "$architecture" "$folder"
  drop_unwind_tables "$architecture" "$folder"
  printf '%s' "$key" >"$folder/done"
}
