# Toolchain of release archives for macOS and Windows: programs for SMP_TARGET made by zig, with libraries and headers from SMP_ROOT
# only. All that they need of the machine is libSystem, or the libraries of Windows.
list(APPEND CMAKE_TRY_COMPILE_PLATFORM_VARIABLES SMP_TARGET SMP_ROOT)
string(REGEX REPLACE "-.*" "" CMAKE_SYSTEM_PROCESSOR ${SMP_TARGET})
if(SMP_TARGET MATCHES windows)
  set(CMAKE_SYSTEM_NAME Windows)
  set(CMAKE_RC_COMPILER true)  # for resources, of which there are none
  # Their headers would otherwise declare functions of shared libraries.
  set(system_flags "-DCURL_STATICLIB -DNGHTTP2_STATICLIB")
else()
  set(CMAKE_SYSTEM_NAME Darwin)
  set(CMAKE_INSTALL_NAME_TOOL true)  # for shared libraries, of which there are none
  set(strip_dead_code "-Wl,-dead_strip")
endif()
# Commands on the PATH, as OpenSSL's name for its compiler gets into the program.
set(CMAKE_C_COMPILER smp-cc)
set(CMAKE_CXX_COMPILER smp-c++)
set(CMAKE_AR smp-ar)
set(CMAKE_RANLIB smp-ranlib)

set(CMAKE_FIND_ROOT_PATH ${SMP_ROOT})
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_PACKAGE ONLY)
set(Boost_NO_BOOST_CMAKE ON)  # Debian's is about libraries for Linux
set(Boost_USE_STATIC_LIBS ON)
set(OPENSSL_USE_STATIC_LIBS ON)

set(compile_flags "-g0 -fstack-protector-strong -DSMP_STATIC ${system_flags} -isystem ${SMP_ROOT}/usr/include")
string(APPEND compile_flags " -ffile-prefix-map=${SMP_ROOT}=/ -ffile-prefix-map=${CMAKE_SOURCE_DIR}=. -ffile-prefix-map=${CMAKE_BINARY_DIR}=.")
# curl's configuration passes an int to where Windows wants a long, and would take the error for a missing function.
set(CMAKE_C_FLAGS_INIT "${compile_flags} -Wno-incompatible-pointer-types")
# Boost 1.74 builds upon std::unary_function, which C++17 has no more.
set(CMAKE_CXX_FLAGS_INIT "${compile_flags} -DBOOST_NO_CXX98_FUNCTION_BASE")
set(CMAKE_EXE_LINKER_FLAGS_INIT "-Wl,-s ${strip_dead_code}")
