# Sourced by krew/release: the compiler for macOS, and the static libraries that the program is linked with there, from the sources
# of Debian's packages. The compiler is zig, which has headers for macOS and its own C++ library, linker and signature.

darwin_sources=(openssl zlib nghttp2 curl boost1.74)
darwin_headers=(libboost1.74-dev:amd64 rapidjson-dev)

# The oldest macOS that can run on processors of architecture $1 and still gets what a program of today needs.
zig_target_of() {
  case $1 in
    amd64) echo x86_64-macos.10.15 ;;
    arm64) echo aarch64-macos.11.0 ;;
  esac
}

openssl_target_of() {
  case $1 in
    amd64) echo darwin64-x86_64-cc ;;
    arm64) echo darwin64-arm64-cc ;;
  esac
}

# Installs zig into folder $1, once; its files are then in $1/ziglang.
install_zig() {
  [[ ! -x $1/ziglang/zig ]] || return 0
  rm -rf "$1"
  python3 -m venv "$1/venv"
  "$1/venv/bin/pip" install --quiet --disable-pip-version-check --require-hashes --only-binary :all: --target "$1" \
    --requirement "$here/zig.txt"
}

# Makes the compiler's programs for architecture $1 in folder $2: smp-cc and the like.
make_tools() {
  local target tool
  target=$(zig_target_of "$1")
  mkdir -p "$2"
  for tool in cc c++ ar ranlib; do
    printf '#!/bin/sh\nexport ZIG_GLOBAL_CACHE_DIR=%q ZIG_LOCAL_CACHE_DIR=%q\nexec %q %s "$@"\n' "$work/zig-cache" "$work/zig-cache" \
      "$work/zig/ziglang/zig" "$tool$([[ $tool != c* ]] || echo " -target $target")" >"$2/smp-$tool"
    chmod 755 "$2/smp-$tool"
  done
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

download_darwin() {
  local folder=$1 package
  mkdir -p "$folder/apt/lists/partial" "$folder/apt/cache/archives/partial" "$folder/packages"
  write_sources "$folder/apt"
  private_apt "$folder/apt" update
  cd "$folder/packages"
  private_apt "$folder/apt" download "${darwin_headers[@]}"
  for package in "${darwin_sources[@]}"; do
    download_source "$folder/apt" "$package"
  done
}

# Unpacks the sources into $1/NAME, and the headers that need no building into $1/root.
unpack_darwin() {
  local folder=$1 package
  for package in "${darwin_sources[@]}"; do
    [[ $package != boost* ]] || continue # 60 MB, of which a few files are needed
    dpkg-source --extract "$folder"/packages/"$package"_*.dsc "$folder/$package" >/dev/null
  done
  mkdir -p "$folder/boost1.74"
  tar --extract --file "$folder"/packages/boost1.74_*.orig.tar.xz --directory "$folder/boost1.74" --strip-components=1 --wildcards \
    '*/libs/program_options/src/*'
  for package in "$folder"/packages/*.deb; do
    dpkg-deb -x "$package" "$folder/headers"
  done
  mkdir -p "$folder/root/usr/share/cmake"
  cp -r "$folder/headers/usr/include" "$folder/root/usr"
  cp -r "$folder/headers/usr/share/cmake/RapidJSON" "$folder/root/usr/share/cmake"
  # It assigns to a constant member, and newer compilers look into templates that nobody uses.
  sed -i '/GenericStringRef& operator=(const GenericStringRef& rhs) {/d' "$folder/root/usr/include/rapidjson/document.h"
  patch --directory="$folder/curl" --strip=1 <"$here/curl-darwin.patch"
}

build_openssl() {
  local architecture=$1 folder=$2
  cd "$folder/openssl"
  CC=smp-cc AR=smp-ar RANLIB=smp-ranlib ./Configure "$(openssl_target_of "$architecture")" --prefix=/usr --libdir=lib --openssldir=/etc/ssl \
    no-shared no-tests no-legacy no-engine no-dso no-autoload-config -g0
  make -j"$(nproc)" build_libs
  make DESTDIR="$folder/root" install_dev
}

# cmake for the library with the sources in $2/$3.
build_library() {
  local architecture=$1 folder=$2 name=$3
  shift 3
  cmake_darwin "$architecture" "$folder" -S "$folder/$name" -B "$folder/$name-build" -DBUILD_SHARED_LIBS=OFF \
    -DCMAKE_INSTALL_PREFIX="$folder/root/usr" -DCMAKE_INSTALL_LIBDIR=lib "$@"
  cmake --build "$folder/$name-build" --target install
}

# Compiles sources $4… with the command $3 into library $2 of folder $1; for what has no build of its own that would do.
build_archive() {
  local folder=$1 name=$2 compile=$3 source object objects=()
  shift 3
  mkdir -p "$folder/$name-build"
  for source in "$@"; do
    object=$folder/$name-build/$(basename "$source").o
    $compile -O2 -g0 -w -fstack-protector-strong -isystem "$folder/root/usr/include" "-ffile-prefix-map=$folder=." -c "$source" -o "$object"
    objects+=("$object")
  done
  smp-ar rcs "$folder/root/usr/lib/lib$name.a" "${objects[@]}"
}

build_zlib() {
  # It takes every macOS for one before X, which has no fdopen.
  build_archive "$1" z 'smp-cc -DHAVE_UNISTD_H -Dfdopen=fdopen' "$1"/zlib/*.c
  cp "$1"/zlib/{zlib,zconf}.h "$1/root/usr/include"
}

build_program_options() {
  local source sources=()
  for source in "$1"/boost1.74/libs/program_options/src/*.cpp; do
    [[ $source == */winmain.cpp ]] || sources+=("$source")
  done
  build_archive "$1" boost_program_options 'smp-c++ -std=c++17 -DBOOST_NO_CXX98_FUNCTION_BASE' "${sources[@]}"
}

# Gets and builds the libraries for architecture $1 in folder $2, unless they are there already.
prepare_darwin() {
  local architecture=$1 folder=$2 key
  key=$(cat "$here/darwin.sh" "$here/darwin.cmake" "$here/curl-darwin.patch" "$here/zig.txt" | sha256sum)
  install_zig "$work/zig"
  [[ ! -e $folder/done || $(<"$folder/done") != "$key" ]] || return 0
  rm -rf "$folder"
  (download_darwin "$folder")
  unpack_darwin "$folder"
  make_tools "$architecture" "$folder/tools"
  (
    PATH=$folder/tools:$PATH
    (build_openssl "$architecture" "$folder")
    build_zlib "$folder"
    build_library "$architecture" "$folder" nghttp2 -DENABLE_LIB_ONLY=ON -DENABLE_STATIC_LIB=ON -DENABLE_SHARED_LIB=OFF
    build_library "$architecture" "$folder" curl "${curl_options[@]}" -DENABLE_ARES=OFF
    build_program_options "$folder"
  )
  printf '%s' "$key" >"$folder/done"
}
