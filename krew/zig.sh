# Sourced by krew/release and tests/rig/windows: the compiler for macOS and Windows, and the static libraries that the program is linked with there, from the
# sources of Debian's packages. The compiler is zig, which has the headers of both systems and its own C++ library and linker. A PLATFORM
# is darwin_amd64, windows_arm64 and the like.

zig_sources=(openssl zlib nghttp2 curl boost1.74)
zig_headers=(libboost1.74-dev:amd64 rapidjson-dev)

# The oldest system that runs the program for platform $1: the first macOS for these processors that has what a program of today needs,
# and the first Windows whose console understands colors and UTF-8.
zig_target_of() {
  case $1 in
    darwin_amd64) echo x86_64-macos.10.15 ;;
    darwin_arm64) echo aarch64-macos.11.0 ;;
    windows_amd64) echo x86_64-windows.win10_rs5-gnu ;;
    windows_arm64) echo aarch64-windows.win10_rs5-gnu ;;
  esac
}

# OpenSSL's name for platform $1, and options that it needs there. OpenSSL of Debian 12 has no assembler for Windows on arm64.
openssl_target_of() {
  case $1 in
    darwin_amd64) echo darwin64-x86_64-cc ;;
    darwin_arm64) echo darwin64-arm64-cc ;;
    # For size: the program must fit.
    windows_amd64) echo mingw64 -Os ;;
    windows_arm64) echo mingw64 no-asm ;;
  esac
}

# The folder of OpenSSL's own settings on platform $1. On Windows a name with a colon, which no folder can have: anybody may create
# \etc\ssl there.
openssl_folder_of() {
  [[ $1 == windows_* ]] && echo /no:where || echo /etc/ssl
}

# Installs zig into folder $1, once; its files are then in $1/ziglang.
install_zig() {
  [[ ! -x $1/ziglang/zig ]] || return 0
  rm -rf "$1"
  python3 -m venv "$1/venv"
  "$1/venv/bin/pip" install --quiet --disable-pip-version-check --require-hashes --only-binary :all: --target "$1" \
    --requirement "$here/zig.txt"
}

# cmake, configuring for platform $1 with the libraries in folder $2. A pkg-config of this machine would name this machine's libraries.
cmake_zig() {
  local platform=$1 libraries=$2
  shift 2
  PKG_CONFIG_LIBDIR=$libraries cmake -G Ninja -DCMAKE_BUILD_TYPE=Release -DCMAKE_TOOLCHAIN_FILE="$here/zig.cmake" \
    -DSMP_TARGET="$(zig_target_of "$platform")" -DSMP_ROOT="$libraries/root" "$@"
}

# Makes the compiler's programs for platform $1 in folder $2: smp-cc and the like.
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

download_zig() {
  local folder=$1 package
  mkdir -p "$folder/apt/lists/partial" "$folder/apt/cache/archives/partial" "$folder/packages"
  write_sources "$folder/apt"
  private_apt "$folder/apt" update
  cd "$folder/packages"
  private_apt "$folder/apt" download "${zig_headers[@]}"
  for package in "${zig_sources[@]}"; do
    download_source "$folder/apt" "$package"
  done
}

# Unpacks the sources into $1/NAME, and the headers that need no building into $1/root.
unpack_zig() {
  local folder=$1 package
  for package in "${zig_sources[@]}"; do
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
  patch --directory="$folder/curl" --strip=1 <"$here/curl-darwin.patch" # of macOS alone
}

build_openssl() {
  local platform=$1 folder=$2 target
  read -ra target < <(openssl_target_of "$platform")
  CC=smp-cc AR=smp-ar RANLIB=smp-ranlib \
    make_openssl "$folder" "${target[@]}" --libdir=lib --openssldir="$(openssl_folder_of "$platform")"
}

# cmake for the library with the sources in $2/$3.
build_library() {
  local platform=$1 folder=$2 name=$3
  shift 3
  cmake_zig "$platform" "$folder" -S "$folder/$name" -B "$folder/$name-build" -DBUILD_SHARED_LIBS=OFF \
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
  local compile=smp-cc
  # It takes every macOS for one before X, which has no fdopen.
  [[ $1 != darwin_* ]] || compile+=' -DHAVE_UNISTD_H -Dfdopen=fdopen'
  build_archive "$2" z "$compile" "$2"/zlib/*.c
  cp "$2"/zlib/{zlib,zconf}.h "$2/root/usr/include"
}

build_program_options() {
  local source sources=()
  for source in "$1"/boost1.74/libs/program_options/src/*.cpp; do
    [[ $source == */winmain.cpp ]] || sources+=("$source")
  done
  build_archive "$1" boost_program_options 'smp-c++ -std=c++17 -DBOOST_NO_CXX98_FUNCTION_BASE' "${sources[@]}"
}

# Gets and builds the libraries for platform $1 in folder $2, unless they are there already.
prepare_zig() {
  local platform=$1 folder=$2 key nghttp2_options=()
  # With both clocks, it would call a function that it leaves out.
  [[ $platform != windows_* ]] || nghttp2_options=(-DHAVE_CLOCK_GETTIME=OFF)
  key=$(cat "$here/libraries.sh" "$here/zig.sh" "$here/zig.cmake" "$here/curl-darwin.patch" "$here/zig.txt" | sha256sum)
  install_zig "$work/zig"
  [[ ! -e $folder/done || $(<"$folder/done") != "$key" ]] || return 0
  rm -rf "$folder"
  (download_zig "$folder")
  unpack_zig "$folder"
  make_tools "$platform" "$folder/tools"
  (
    PATH=$folder/tools:$PATH
    (build_openssl "$platform" "$folder")
    build_zlib "$platform" "$folder"
    build_library "$platform" "$folder" nghttp2 "${nghttp2_options[@]}" -DENABLE_LIB_ONLY=ON -DENABLE_STATIC_LIB=ON -DENABLE_SHARED_LIB=OFF
    build_library "$platform" "$folder" curl "${curl_options[@]}" -DENABLE_ARES=OFF
    build_program_options "$folder"
  )
  printf '%s' "$key" >"$folder/done"
}
