# Sourced by krew/release: the static libraries that the program is linked with, from Debian's packages of the configured mirrors.
#
# libcurl is built from Debian's source package: the library in libcurl4-openssl-dev wants Kerberos and LDAP, of which there are no
# static libraries. c-ares resolves names: glibc's getaddrinfo, linked statically, loads the NSS modules of the machine it runs on
# and dies in them when that machine's glibc is newer.
#
# OpenSSL, too, is built from Debian's source package, without what no connection to a server, proxy or identity provider uses: the program
# is a megabyte smaller, and starts faster, as OpenSSL makes a table of every algorithm that it has.

library_packages=(
  libnghttp2-dev libc-ares-dev zlib1g-dev libboost1.74-dev libboost-program-options1.74-dev
)
library_sources=(curl openssl)

openssl_options=(
  no-shared no-module no-dso no-engine no-legacy no-deprecated no-autoload-config no-tests no-filenames no-ui-console
  # TLS 1.2 is the oldest version that is used. It and 1.3 need AES, ChaCha20, SHA-1, SHA-2, RSA, DH, EC and what is in them.
  no-ssl3 no-ssl3-method no-tls1 no-tls1_1 no-dtls no-dgram no-srtp no-srp no-psk no-nextprotoneg no-comp no-ct no-weak-ssl-ciphers
  no-aria no-bf no-blake2 no-camellia no-cast no-des no-dsa no-ec2m no-gost no-idea no-md4 no-mdc2 no-ocb no-rc2 no-rc4 no-rc5 no-rmd160
  no-seed no-siphash no-siv no-sm2 no-sm3 no-sm4 no-whirlpool
  no-cmp no-cms no-ocsp no-rfc3779 no-ts
  -g0 -ffunction-sections -fdata-sections -fstack-protector-strong
)

curl_options=(
  -DBUILD_SHARED_LIBS=OFF -DBUILD_CURL_EXE=OFF -DBUILD_TESTING=OFF -DENABLE_MANUAL=OFF
  -DHTTP_ONLY=ON -DENABLE_ARES=ON -DCURL_USE_OPENSSL=ON -DUSE_NGHTTP2=ON -DCURL_ZLIB=ON
  -DCURL_USE_LIBSSH2=OFF -DCURL_USE_LIBPSL=OFF -DUSE_LIBIDN2=OFF -DCURL_USE_GSSAPI=OFF -DCURL_BROTLI=OFF -DCURL_ZSTD=OFF
  -DCURL_DISABLE_ALTSVC=ON -DCURL_DISABLE_HSTS=ON -DCURL_DISABLE_COOKIES=ON -DENABLE_UNIX_SOCKETS=OFF
  -DCURL_DISABLE_CRYPTO_AUTH=ON -DCURL_DISABLE_DOH=ON -DCURL_DISABLE_GETOPTIONS=ON -DCURL_DISABLE_LIBCURL_OPTION=ON
  -DCURL_DISABLE_MIME=ON -DCURL_DISABLE_PARSEDATE=ON -DCURL_DISABLE_PROGRESS_METER=ON
  -DCMAKE_C_FLAGS_RELEASE='-O2 -DNDEBUG'
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

# Downloads the sources of package $2 with apt's folder $1. Mirrors drop the sources of a security update when the next one comes: then
# those of the last point release are taken, and the archive says which.
download_source() {
  private_apt "$1" source --download-only "$2" && return
  mkdir -p "$1/release"
  ln -sfn ../lists ../cache "$1/release"
  grep -v -e '-security ' "$1/sources.list" >"$1/release/sources.list"
  private_apt "$1/release" source --download-only "$2"
}

# Downloads into the folder $2 the packages for architecture $1 and the sources.
download() {
  local architecture=$1 folder=$2 package
  mkdir -p "$folder/apt/lists/partial" "$folder/apt/cache/archives/partial" "$folder/packages"
  write_sources "$folder/apt"
  private_apt "$folder/apt" update
  cd "$folder/packages"
  private_apt "$folder/apt" download rapidjson-dev "${library_packages[@]/%/:$architecture}"
  # Debian's cross compilers come with a glibc that gets no security updates.
  [[ $architecture == amd64 ]] || private_apt "$folder/apt" download "libc6-dev:$architecture"
  for package in "${library_sources[@]}"; do
    download_source "$folder/apt" "$package"
  done
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

# Builds OpenSSL, unpacked in $1/openssl, into $1/root for the target $2 with the settings $3…
make_openssl() {
  local folder=$1
  shift
  cd "$folder/openssl"
  ./Configure "$@" "${openssl_options[@]}" --prefix=/usr
  make -j"$(nproc)" build_libs
  make DESTDIR="$folder/root" install_dev
}

build_openssl_static() {
  local architecture=$1 folder=$2 compile=(-O2 -fPIE -D_FORTIFY_SOURCE=2) cross=()
  dpkg-source --extract "$folder"/packages/openssl_*.dsc "$folder/openssl" >/dev/null
  if [[ $architecture == amd64 ]]; then
    compile+=(-fcf-protection enable-ec_nistp_64_gcc_128)
  else
    cross=(--cross-compile-prefix="$(triplet_of "$architecture")-")
  fi
  (make_openssl "$folder" "debian-$architecture" "${compile[@]}" "${cross[@]}" --libdir="lib/$(triplet_of "$architecture")" \
    --openssldir=/usr/lib/ssl)
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
  build_openssl_static "$architecture" "$folder"
  build_curl "$architecture" "$folder"
  drop_unwind_tables "$architecture" "$folder"
  printf '%s' "$key" >"$folder/done"
}
