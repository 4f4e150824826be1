# The libraries that Dinette is built with: those of this Debian or, by the presets linux-*, the static ones of a sysroot.

find_package(Threads REQUIRED)
find_package(nlohmann_json REQUIRED)
if(POLICY CMP0167)
  cmake_policy(SET CMP0167 OLD) # FindBoost, which Debian 12 needs
endif()
find_package(Boost 1.74 REQUIRED)
find_package(Python3 REQUIRED COMPONENTS Interpreter)

# dinette_static_library(TARGET NAME libs...): declares lib<NAME>.a, and what it needs.
function(dinette_static_library target name)
  find_library(${name}_archive lib${name}.a REQUIRED)
  add_library(${target} STATIC IMPORTED)
  set_target_properties(${target} PROPERTIES IMPORTED_LOCATION ${${name}_archive} INTERFACE_LINK_LIBRARIES "${ARGN}")
endfunction()

# Everywhere the static library, see RocksDB.
dinette_static_library(expat expat)
dinette_static_library(sqlite3 sqlite3 m Threads::Threads dl)
dinette_static_library(yaml_cpp yaml-cpp)
if(DINETTE_PLATFORM)
  dinette_static_library(deflate deflate)
  dinette_static_library(isal isal)
  dinette_static_library(zstd zstd)
  dinette_static_library(simdjson::simdjson simdjson)
  dinette_static_library(OpenSSL::Crypto crypto Threads::Threads dl)
  dinette_static_library(OpenSSL::SSL ssl OpenSSL::Crypto)
  foreach(compression snappy z bz2 lz4)
    dinette_static_library(${compression} ${compression})
  endforeach()
  dinette_static_library(RocksDB::rocksdb rocksdb snappy z bz2 lz4 zstd)
else()
  find_package(OpenSSL REQUIRED)
  find_package(simdjson REQUIRED)
  # The static library: loading the shared one would take most of the time in which the program starts.
  find_package(RocksDB REQUIRED)
  # These install no package file for CMake.
  foreach(name deflate isal zstd lz4 snappy)
    find_library(${name}_shared ${name} REQUIRED)
    add_library(${name} INTERFACE)
    target_link_libraries(${name} INTERFACE ${${name}_shared})
  endforeach()
endif()

# Headers alone: the program loads the library itself if it is to keep its data in PostgreSQL.
find_path(LIBPQ_HEADERS libpq-fe.h PATH_SUFFIXES postgresql)
if(NOT LIBPQ_HEADERS)
  message(STATUS "libpq-fe.h was not found (Debian: libpq-dev): this build has no engine over PostgreSQL")
endif()

if(DINETTE_TESTS)
  find_package(Catch2 REQUIRED)
  if(Catch2_VERSION VERSION_GREATER_EQUAL 3)
    # The tests include the header of Catch2 2.
    target_include_directories(Catch2::Catch2 SYSTEM INTERFACE ${PROJECT_SOURCE_DIR}/tests/support/catch2_3)
  endif()
endif()
