# Programs for every Linux with glibc 2.31 or later, on DINETTE_PLATFORM (x64 or arm64), which scripts/lib/release/sysroot.py makes a
# sysroot for: everything but glibc is linked statically.
list(APPEND CMAKE_TRY_COMPILE_PLATFORM_VARIABLES DINETTE_PLATFORM)

if(DINETTE_PLATFORM STREQUAL "arm64")
  set(processor aarch64)
else()
  set(processor x86_64)
endif()
if(NOT CMAKE_HOST_SYSTEM_PROCESSOR STREQUAL processor)
  set(CMAKE_SYSTEM_NAME Linux)
  set(CMAKE_SYSTEM_PROCESSOR ${processor})
  # Runs the program for its manual page.
  set(CMAKE_CROSSCOMPILING_EMULATOR qemu-${processor}-static -L ${CMAKE_CURRENT_LIST_DIR}/../build/sysroot/${DINETTE_PLATFORM})
endif()
set(triplet ${processor}-linux-gnu)
set(CMAKE_LIBRARY_ARCHITECTURE ${triplet})
set(CMAKE_CXX_COMPILER ${triplet}-g++-12)

get_filename_component(CMAKE_SYSROOT ${CMAKE_CURRENT_LIST_DIR}/../build/sysroot/${DINETTE_PLATFORM} ABSOLUTE)
set(CMAKE_FIND_ROOT_PATH ${CMAKE_SYSROOT})
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_PACKAGE ONLY)

# The compiler would look for glibc in its own folders first.
set(libraries ${CMAKE_SYSROOT}/usr/lib/${triplet})
set(CMAKE_EXE_LINKER_FLAGS_INIT
  "-static-libstdc++ -static-libgcc -B${libraries} -L${libraries} -L${CMAKE_SYSROOT}/lib/${triplet}")
set(CMAKE_CXX_STANDARD_LIBRARIES ${libraries}/glibc_2_31.o)
