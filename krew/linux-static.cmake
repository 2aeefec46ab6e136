# Toolchain of release archives: fully static programs for SMP_TRIPLET, with libraries and headers from SMP_ROOT only.
list(APPEND CMAKE_TRY_COMPILE_PLATFORM_VARIABLES SMP_TRIPLET SMP_ROOT)
string(REGEX REPLACE "-.*" "" processor ${SMP_TRIPLET})
cmake_host_system_information(RESULT host QUERY OS_PLATFORM)
if(NOT processor STREQUAL host)
  set(CMAKE_SYSTEM_NAME Linux)
  set(CMAKE_SYSTEM_PROCESSOR ${processor})
  set(CMAKE_CROSSCOMPILING_EMULATOR qemu-${processor}-static)  # libcurl's configuration runs programs
endif()
set(CMAKE_C_COMPILER ${SMP_TRIPLET}-gcc)
set(CMAKE_CXX_COMPILER ${SMP_TRIPLET}-g++)
set(CMAKE_LIBRARY_ARCHITECTURE ${SMP_TRIPLET})

set(CMAKE_FIND_ROOT_PATH ${SMP_ROOT})
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_PACKAGE ONLY)
set(Boost_USE_STATIC_LIBS ON)

# Debian keeps headers that depend on the processor apart, and the FindX modules do not look there.
set(compile_flags "-isystem ${SMP_ROOT}/usr/include/${SMP_TRIPLET} -isystem ${SMP_ROOT}/usr/include")
string(APPEND compile_flags " -ffunction-sections -fdata-sections -fPIE -fstack-protector-strong -D_FORTIFY_SOURCE=2 -DSMP_STATIC")
if(processor STREQUAL x86_64)
  string(APPEND compile_flags " -fcf-protection")
  # The relocations of a position-independent program take half a megabyte otherwise. The linker does not pack them for arm64.
  set(pack_relocations ",-z,pack-relative-relocs")
endif()
# The same bytes come out of any folder.
string(APPEND compile_flags " -ffile-prefix-map=${SMP_ROOT}=/ -ffile-prefix-map=${CMAKE_SOURCE_DIR}=. -ffile-prefix-map=${CMAKE_BINARY_DIR}=.")
set(CMAKE_C_FLAGS_INIT ${compile_flags})
set(CMAKE_CXX_FLAGS_INIT ${compile_flags})
set(CMAKE_EXE_LINKER_FLAGS_INIT "-static-pie -s -B${SMP_ROOT}/usr/lib/${SMP_TRIPLET} -Wl,--gc-sections -Wl,--build-id=none -Wl,-z,relro,-z,now,-z,noexecstack${pack_relocations}")
