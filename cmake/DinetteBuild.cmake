# What every target of the project shares: language, warnings, sanitizers, fast linking, and the functions by
# which layers, test programs and fuzz targets are declared.

set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/bin)

set(DINETTE_SANITIZE "" CACHE STRING "Sanitizers for every target, as -fsanitize= takes them")
option(DINETTE_TESTS "Build the test programs (needs Catch2)" ON)
option(DINETTE_FUZZ "Build the libFuzzer targets (needs clang)" OFF)

find_package(Threads REQUIRED)
find_package(OpenSSL REQUIRED)
# These two install no package file for CMake: libdeflate, and ISA-L.
find_library(DEFLATE_LIBRARY deflate REQUIRED)
find_library(ISAL_LIBRARY isal REQUIRED)
find_package(simdjson REQUIRED)
find_package(nlohmann_json REQUIRED)
if(DINETTE_TESTS)
  find_package(Catch2 2 REQUIRED)
endif()
find_package(Boost 1.81 REQUIRED)
find_package(Python3 REQUIRED COMPONENTS Interpreter)

find_program(CCACHE ccache)
if(CCACHE)
  # Relative paths, so that clones in different folders share the cache. What was included is told by the compiler's
  # list of dependencies, never by preprocessed text, which for a precompiled header lacks the macros: without DEPEND,
  # one that differs in nothing but a macro is taken for the same (compiler_cache_test.py). The sloppiness is what
  # precompiled headers need.
  set(CMAKE_CXX_COMPILER_LAUNCHER ${CMAKE_COMMAND} -E env CCACHE_BASEDIR=${PROJECT_SOURCE_DIR} CCACHE_NOHASHDIR=1
      CCACHE_DEPEND=1 CCACHE_SLOPPINESS=pch_defines,time_macros ${CCACHE})
endif()
find_program(MOLD mold)
if(MOLD)
  add_link_options(-fuse-ld=mold)
endif()

add_compile_options(-Wall -Wextra -Wpedantic -Wshadow -Wnon-virtual-dtor -Wold-style-cast)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  # g++ is the judge of warnings; clang, which builds for the sanitizers, may have others without stopping them.
  add_compile_options(-Werror)
  # g++ 12 reports these inside the standard library at -O2 (GCC bugs 105329, 105651, 107138, 109561).
  add_compile_options(-Wno-restrict -Wno-maybe-uninitialized -Wno-stringop-overread -Wno-array-bounds -Wno-stringop-overflow)
endif()
if(DINETTE_SANITIZE)
  add_compile_options(-fsanitize=${DINETTE_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer)
  add_link_options(-fsanitize=${DINETTE_SANITIZE})
  if(DINETTE_SANITIZE MATCHES "thread" AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    add_compile_options(-Wno-tsan)
  endif()
  if(DINETTE_SANITIZE MATCHES "undefined")
    # The address sanitizer finds these too; without them a build takes half the time.
    add_compile_options(-fno-sanitize=vptr,null,object-size)
  endif()
endif()
# dinette_precompile(TARGET headers...): parses what most of its sources include once.
function(dinette_precompile target)
  # For ccache.
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    target_compile_options(${target} PRIVATE -fpch-preprocess)
  else()
    target_compile_options(${target} PRIVATE "SHELL:-Xclang -fno-pch-timestamp")
  endif()
  target_precompile_headers(${target} PRIVATE ${ARGN})
endfunction()

# dinette_layer(NAME SOURCES ... [PUBLIC libs...] [PRIVATE libs...]): static library dinette_<NAME> of one layer.
# A layer's public headers are include/dinette/<NAME>; its private ones lie beside their .cc in src/<NAME>.
function(dinette_layer name)
  cmake_parse_arguments(arg "" "" "SOURCES;PUBLIC;PRIVATE" ${ARGN})
  add_library(dinette_${name} STATIC ${arg_SOURCES})
  target_include_directories(dinette_${name} PUBLIC ${PROJECT_SOURCE_DIR}/include ${PROJECT_SOURCE_DIR}/src)
  target_link_libraries(dinette_${name} PUBLIC ${arg_PUBLIC} PRIVATE ${arg_PRIVATE})
  if(DINETTE_FUZZ)
    target_compile_options(dinette_${name} PRIVATE -fsanitize=fuzzer-no-link)
  endif()
endfunction()

# dinette_test_code(TARGET): how test code is compiled. What is tested is optimised and looked at by the sanitizers;
# the tests themselves need not be, and Catch2's expansions would double the time of the build. Several sources are
# compiled at a time, for most of what one costs is the headers and templates that it shares with the others: so each
# defines all that it has in a namespace named after it, `namespace test::sets_test {` in sets_test.cc.
function(dinette_test_code target)
  set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE 12)
  target_compile_options(${target} PRIVATE -O0 -g0)
  if(DINETTE_SANITIZE)
    target_compile_definitions(${target} PRIVATE DINETTE_SANITIZED)
  endif()
  if(DINETTE_SANITIZE MATCHES "undefined")
    target_compile_options(${target} PRIVATE -fno-sanitize=undefined)
  endif()
  target_include_directories(${target} PUBLIC ${PROJECT_SOURCE_DIR}/tests)
endfunction()

# dinette_test(NAME SOURCES ... LIBS ... [PRECOMPILE headers...] [SINGLE_THREADED]): a Catch2 program <NAME> that CTest
# runs. PRECOMPILE names what most of its sources include beside Catch2, for programs of many sources. SINGLE_THREADED
# says that there is nothing in it for the thread sanitizer to find: it is not built there.
function(dinette_test name)
  cmake_parse_arguments(arg "SINGLE_THREADED" "" "SOURCES;LIBS;PRECOMPILE" ${ARGN})
  if(arg_SINGLE_THREADED AND DINETTE_SANITIZE MATCHES "thread")
    return()
  endif()
  add_executable(${name} ${arg_SOURCES})
  dinette_test_code(${name})
  target_link_libraries(${name} PRIVATE ${arg_LIBS} Catch2::Catch2WithMain)
  if(arg_PRECOMPILE)
    dinette_precompile(${name} <catch2/catch.hpp> ${arg_PRECOMPILE})
  endif()
  add_test(NAME ${name} COMMAND ${name})
endfunction()

# dinette_fuzz(NAME SOURCES ... LIBS ... [SEEDS folder] [DICTIONARY file]): a libFuzzer program <NAME>, built by
# `--target fuzzers` of the preset "asan" and run by scripts/fuzz, which reads names, seeds and dictionaries from
# fuzz-targets.txt. SEEDS is a folder of sample inputs, one a file, DICTIONARY a file of words for libFuzzer to
# use; both may be generated into the build folder. Without DINETTE_FUZZ it declares nothing.
function(dinette_fuzz name)
  if(NOT DINETTE_FUZZ)
    return()
  endif()
  cmake_parse_arguments(arg "" "SEEDS;DICTIONARY" "SOURCES;LIBS" ${ARGN})
  if(NOT TARGET fuzzers)
    add_custom_target(fuzzers)
    file(WRITE ${CMAKE_BINARY_DIR}/fuzz-targets.txt "")
  endif()
  add_executable(${name} EXCLUDE_FROM_ALL ${arg_SOURCES})
  target_include_directories(${name} PRIVATE ${PROJECT_SOURCE_DIR}/tests)
  target_link_libraries(${name} PRIVATE ${arg_LIBS})
  target_link_options(${name} PRIVATE -fsanitize=fuzzer)
  add_dependencies(fuzzers ${name})
  file(APPEND ${CMAKE_BINARY_DIR}/fuzz-targets.txt "${name}\t${arg_SEEDS}\t${arg_DICTIONARY}\n")
endfunction()

# dinette_python_test(NAME FILE): a Python unittest file that CTest runs, with the program's place in
# DINETTE_PROGRAM. It is run by Debian's own Python, for which Debian's boto3 is.
function(dinette_python_test name file)
  add_test(NAME ${name} COMMAND /usr/bin/python3 -B ${CMAKE_CURRENT_SOURCE_DIR}/${file})
  set_tests_properties(${name} PROPERTIES ENVIRONMENT "DINETTE_PROGRAM=$<TARGET_FILE:dinette>")
endfunction()
