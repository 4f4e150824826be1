# Settings of all targets: language, warnings, sanitizers, fast linking. Functions that declare layers, test programs
# and fuzz targets.

set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/bin)

set(DINETTE_SANITIZE "" CACHE STRING "Sanitizers for every target, as -fsanitize= takes them")
option(DINETTE_TESTS "Build the test programs (needs Catch2)" ON)
set(DINETTE_PROFILE "" CACHE STRING "`record`: programs note what they execute; `use`: optimise by these notes")
option(DINETTE_WARNINGS_ARE_ERRORS "Warnings of g++ 12 are errors" OFF)
option(DINETTE_TOGETHER "Compile many sources of every layer at once: for builds that no edit follows" OFF)
option(DINETTE_FUZZ "Build the libFuzzer targets (needs clang)" OFF)

include(${CMAKE_CURRENT_LIST_DIR}/DinetteLibraries.cmake)

find_program(CCACHE ccache)
# Not with a profile, whose changes are no change of a source.
if(CCACHE AND NOT DINETTE_PROFILE)
  # Relative paths, so that clones in different folders share the cache. Dependencies come from the compiler's list, not
  # from preprocessed text, which lacks the macros of precompiled headers: without DEPEND, headers that differ only in a
  # macro would be considered equal (compiler_cache_test.py). Precompiled headers require the sloppiness.
  set(CMAKE_CXX_COMPILER_LAUNCHER ${CMAKE_COMMAND} -E env CCACHE_BASEDIR=${PROJECT_SOURCE_DIR} CCACHE_NOHASHDIR=1
      CCACHE_DEPEND=1 CCACHE_SLOPPINESS=pch_defines,time_macros ${CCACHE})
endif()
find_program(MOLD mold)
# Compilers for other processors do not find it.
if(MOLD AND NOT CMAKE_CROSSCOMPILING)
  add_link_options(-fuse-ld=mold)
endif()

add_compile_options(-Wall -Wextra -Wpedantic -Wshadow -Wnon-virtual-dtor -Wold-style-cast)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  # With the compiler of continuous integration. New warnings of other releases do not stop a build.
  if(DINETTE_WARNINGS_ARE_ERRORS AND CMAKE_CXX_COMPILER_VERSION VERSION_GREATER_EQUAL 12 AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
    add_compile_options(-Werror)
  endif()
  # g++ 12 reports these wrongly inside the standard library at -O2 (GCC bugs 105329, 105651, 107138, 109561).
  add_compile_options(-Wno-restrict -Wno-maybe-uninitialized -Wno-stringop-overread -Wno-array-bounds -Wno-stringop-overflow)
endif()
if(DINETTE_SANITIZE)
  add_compile_options(-fsanitize=${DINETTE_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer)
  add_link_options(-fsanitize=${DINETTE_SANITIZE})
  if(DINETTE_SANITIZE MATCHES "thread" AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    add_compile_options(-Wno-tsan)
  endif()
  if(DINETTE_SANITIZE MATCHES "undefined")
    # The address sanitizer finds most of these too. They take long to compile.
    add_compile_options(-fno-sanitize=vptr,null,object-size,alignment,pointer-overflow,nonnull-attribute,returns-nonnull-attribute)
  endif()
  if(CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
    # Checks and functions that are called instead of repeated: sources compile in about half the time.
    add_compile_options("SHELL:-mllvm -inline-threshold=20")
    if(DINETTE_SANITIZE MATCHES "address")
      add_compile_options("SHELL:-mllvm -asan-instrumentation-with-call-threshold=0")
    endif()
  endif()
endif()

# Both builds of a profile are in one folder, because the notes are found by the paths of object files. scripts/release
# has the programs execute what is served most (scripts/lib/record_profile.py) between the two.
set(profile ${CMAKE_BINARY_DIR}/profile)
if(DINETTE_PROFILE STREQUAL "record")
  add_compile_options(-fprofile-generate=${profile} -fprofile-update=prefer-atomic)
  add_link_options(-fprofile-generate=${profile})
elseif(DINETTE_PROFILE STREQUAL "use")
  # Sources that were never executed have no notes.
  add_compile_options(-fprofile-use=${profile} -Wno-missing-profile)
endif()

# dinette_precompile(TARGET headers...): precompiles headers that most of its sources include.
function(dinette_precompile target)
  # Required by ccache.
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    target_compile_options(${target} PRIVATE -fpch-preprocess)
  else()
    target_compile_options(${target} PRIVATE "SHELL:-Xclang -fno-pch-timestamp")
  endif()
  target_precompile_headers(${target} PRIVATE ${ARGN})
endfunction()

# dinette_small(TARGET): release builds compile it for size; with sanitizers it is not optimised, which compiles faster.
function(dinette_small target)
  target_compile_options(${target} PRIVATE $<$<CONFIG:Release>:-Os>)
  if(DINETTE_SANITIZE)
    target_compile_options(${target} PRIVATE -O0)
  endif()
endfunction()

# dinette_layer(NAME [SMALL] SOURCES ... [TINY_SOURCES ...] [SMALL_SOURCES ...] [PUBLIC libs...] [PRIVATE libs...]):
# static library dinette_<NAME> of one layer. SMALL: release builds compile this layer for size. For layers off the path of
# requests to the service. SMALL_SOURCES: the same for some sources, which become the object library dinette_<NAME>_small.
# TINY_SOURCES: those that take longer to include their headers than to compile; several are compiled at once in every build.
# Several sources of what is compiled for size are compiled at once, and with DINETTE_TOGETHER or sanitizers those of every layer,
# which takes less than half the time. Therefore names in anonymous namespaces are unique within a layer.
# Public headers are in include/dinette/<NAME>, private ones next to their .cc in src/<NAME>.
function(dinette_layer name)
  cmake_parse_arguments(arg "SMALL" "" "SOURCES;TINY_SOURCES;SMALL_SOURCES;PUBLIC;PRIVATE" ${ARGN})
  set(targets dinette_${name})
  if(arg_SMALL_SOURCES)
    list(APPEND targets dinette_${name}_small)
    add_library(dinette_${name}_small OBJECT ${arg_SMALL_SOURCES})
    dinette_small(dinette_${name}_small)
    list(APPEND arg_SOURCES $<TARGET_OBJECTS:dinette_${name}_small>)
  endif()
  add_library(dinette_${name} STATIC ${arg_SOURCES} ${arg_TINY_SOURCES})
  if(arg_SMALL)
    dinette_small(dinette_${name})
  endif()
  foreach(target ${targets})
    target_include_directories(${target} PUBLIC ${PROJECT_SOURCE_DIR}/include ${PROJECT_SOURCE_DIR}/src)
    target_link_libraries(${target} PUBLIC ${arg_PUBLIC} PRIVATE ${arg_PRIVATE})
    # With sanitizers, too. To include the headers of a group takes as long as to compile eight of its sources.
    if(DINETTE_SANITIZE OR DINETTE_TOGETHER)
      set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE 64)
    elseif(arg_SMALL OR target MATCHES "_small$")
      set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE 12)
    endif()
    get_target_property(unity ${target} UNITY_BUILD)
    if(unity AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
      # A local name may hide a name of another source; and that a source is no header is not seen when another includes it.
      target_compile_options(${target} PRIVATE -Wno-shadow -Wshadow=local -Wno-subobject-linkage)
      if(DINETTE_TOGETHER)
        # As much is inlined as if each were compiled alone: what is called large is the limit for what functions add to a unit.
        target_compile_options(${target} PRIVATE "SHELL:--param large-unit-insns=1000000"
                               "SHELL:--param ipa-cp-large-unit-insns=1000000")
      endif()
    endif()
    if(DINETTE_FUZZ)
      target_compile_options(${target} PRIVATE -fsanitize=fuzzer-no-link)
    endif()
  endforeach()
  get_target_property(unity dinette_${name} UNITY_BUILD)
  if(arg_TINY_SOURCES AND NOT unity)
    set_target_properties(dinette_${name} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
    set(position 0)
    foreach(source ${arg_TINY_SOURCES})
      math(EXPR group "${position} / 8")
      set_source_files_properties(${source} PROPERTIES UNITY_GROUP tiny_${group})
      math(EXPR position "${position} + 1")
    endforeach()
  endif()
endfunction()

# dinette_api(SERVICE [GENERATOR name]): generates the API of one service, types, codec, tables and dispatch, from
# api-specs/<SERVICE>, by scripts/gen_api.py, or by another script there that is named. Sets <SERVICE>_dispatch and
# <SERVICE>_api_sources: the first changes with every member.
function(dinette_api service)
  cmake_parse_arguments(arg "" "GENERATOR" "" ${ARGN})
  set(script ${PROJECT_SOURCE_DIR}/scripts/gen_api.py)
  if(arg_GENERATOR)
    set(script ${PROJECT_SOURCE_DIR}/scripts/${arg_GENERATOR}.py)
  endif()
  set(specs ${PROJECT_SOURCE_DIR}/api-specs/${service})
  set(generated ${CMAKE_BINARY_DIR}/generated)
  file(GLOB spec_files CONFIGURE_DEPENDS ${specs}/*.json ${specs}/*.txt ${specs}/operations/*.json)
  file(GLOB generator CONFIGURE_DEPENDS ${script} ${PROJECT_SOURCE_DIR}/scripts/lib/*_sources/*.py)
  # Which files there are depends on the operations and structures of the specs.
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${spec_files} ${generator})
  execute_process(COMMAND ${Python3_EXECUTABLE} ${script} --specs ${specs} --list
    OUTPUT_VARIABLE files OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
  list(TRANSFORM files PREPEND ${generated}/${service}/api/)
  add_custom_command(
    OUTPUT ${generated}/${service}.stamp
    BYPRODUCTS ${files}
    COMMAND Python3::Interpreter ${script} --specs ${specs} --out ${generated}
    COMMAND ${CMAKE_COMMAND} -E touch ${generated}/${service}.stamp
    DEPENDS ${spec_files} ${generator}
    COMMENT "Generating the API of ${service} from api-specs/"
    VERBATIM)
  add_custom_target(dinette_${service}_api DEPENDS ${generated}/${service}.stamp)
  set(dispatch ${generated}/${service}/api/dispatch.cc)
  list(FILTER files INCLUDE REGEX "\\.cc$")
  list(REMOVE_ITEM files ${dispatch})
  set(${service}_dispatch ${dispatch} PARENT_SCOPE)
  set(${service}_api_sources ${files} PARENT_SCOPE)
endfunction()

# dinette_uses_api(TARGET SERVICE): TARGET includes the generated headers of that service.
function(dinette_uses_api target service)
  target_include_directories(${target} PUBLIC ${CMAKE_BINARY_DIR}/generated)
  add_dependencies(${target} dinette_${service}_api)
endfunction()

# dinette_test_code(TARGET): sets how test code is compiled. The code under test is optimised and sanitized; the tests
# themselves are not, since Catch2's expansions would double the build time. Several sources are compiled together,
# because most of the cost of one is the headers and templates that it shares with the others. Therefore each source
# defines everything in a namespace named after it: `namespace test::sets_test {` in sets_test.cc. Only their JSON is optimised,
# since some read megabytes of it (tests/support/compiled_json.h).
function(dinette_test_code target)
  target_link_libraries(${target} PRIVATE dinette_test_json)
  set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE 32)
  target_compile_options(${target} PRIVATE -O0 -g0)
  if(DINETTE_SANITIZE)
    target_compile_definitions(${target} PRIVATE DINETTE_SANITIZED)
    if(DINETTE_SANITIZE MATCHES "thread")
      target_compile_definitions(${target} PRIVATE DINETTE_THREAD_SANITIZED)
    endif()
  endif()
  if(DINETTE_SANITIZE MATCHES "undefined")
    target_compile_options(${target} PRIVATE -fno-sanitize=undefined)
  endif()
  target_include_directories(${target} PUBLIC ${PROJECT_SOURCE_DIR}/tests)
endfunction()

# dinette_test(NAME SOURCES ... LIBS ... [PRECOMPILE headers...] [THREADS | SINGLE_THREADED]): a Catch2 program <NAME> that
# CTest runs. PRECOMPILE names headers that most of its sources include besides Catch2, for programs of many sources. THREADS: that
# threads meet is what it tests, and it has that label; of the thread sanitizer's build, the stage of scripts/test runs only these.
# SINGLE_THREADED excludes it from that build. The target "test_programs" builds all. Cases with the tag [volume] do the same many
# times or to very much, and take most of the time: sanitizers, which find nothing more in them, leave them out.
function(dinette_test name)
  cmake_parse_arguments(arg "THREADS;SINGLE_THREADED" "" "SOURCES;LIBS;PRECOMPILE" ${ARGN})
  if(arg_SINGLE_THREADED AND DINETTE_SANITIZE MATCHES "thread")
    return()
  endif()
  add_executable(${name} ${arg_SOURCES})
  dinette_test_code(${name})
  target_link_libraries(${name} PRIVATE ${arg_LIBS} Catch2::Catch2WithMain)
  if(arg_PRECOMPILE)
    dinette_precompile(${name} <support/compiled_json.h> <catch2/catch.hpp> ${arg_PRECOMPILE})
  else()
    target_compile_options(${name} PRIVATE "SHELL:-include ${PROJECT_SOURCE_DIR}/tests/support/compiled_json.h")
  endif()
  set(cases)
  if(DINETTE_SANITIZE)
    set(cases "~[volume]")
  endif()
  add_test(NAME ${name} COMMAND ${name} ${cases})
  if(NOT TARGET test_programs)
    add_custom_target(test_programs)
  endif()
  add_dependencies(test_programs ${name})
  if(arg_THREADS)
    set_tests_properties(${name} PROPERTIES LABELS threads)
    if(NOT TARGET threads)
      add_custom_target(threads)
    endif()
    add_dependencies(threads ${name})
  endif()
endfunction()

# dinette_on_postgres(NAME cases...): runs a test program of dinette_test once more, or the cases of it, with data in PostgreSQL
# (tests/support/postgres_engines.cc), as <NAME>_on_postgres. Needs libpq's headers.
function(dinette_on_postgres name)
  if(NOT LIBPQ_HEADERS OR DINETTE_SANITIZE)
    return()
  endif()
  set(engines ${PROJECT_SOURCE_DIR}/tests/support/postgres_engines.cc)
  set_source_files_properties(${engines} PROPERTIES SKIP_UNITY_BUILD_INCLUSION TRUE)
  target_sources(${name} PRIVATE ${engines})
  target_link_libraries(${name} PRIVATE dinette_kv_postgres)
  add_test(NAME ${name}_on_postgres
    COMMAND /usr/bin/python3 -B ${PROJECT_SOURCE_DIR}/tests/protocol/with_postgres.py $<TARGET_FILE:${name}> ${ARGN})
endfunction()

# dinette_fuzz(NAME SOURCES ... LIBS ... [SEEDS folder] [DICTIONARY file]): a libFuzzer program <NAME>, built with all of
# the preset "asan", or by its `--target fuzzers` alone, and run by scripts/fuzz, which reads names, seeds and dictionaries from
# fuzz-targets.txt. SEEDS is a folder of sample inputs, one per file, DICTIONARY a file of words for libFuzzer; both may
# be generated into the build folder. Without DINETTE_FUZZ it declares nothing.
function(dinette_fuzz name)
  if(NOT DINETTE_FUZZ)
    return()
  endif()
  cmake_parse_arguments(arg "" "SEEDS;DICTIONARY" "SOURCES;LIBS" ${ARGN})
  if(NOT TARGET fuzzers)
    add_custom_target(fuzzers)
    file(WRITE ${CMAKE_BINARY_DIR}/fuzz-targets.txt "")
  endif()
  add_executable(${name} ${arg_SOURCES})
  target_include_directories(${name} PRIVATE ${PROJECT_SOURCE_DIR}/tests)
  target_link_libraries(${name} PRIVATE ${arg_LIBS})
  target_link_options(${name} PRIVATE -fsanitize=fuzzer)
  add_dependencies(fuzzers ${name})
  file(APPEND ${CMAKE_BINARY_DIR}/fuzz-targets.txt "${name}\t${arg_SEEDS}\t${arg_DICTIONARY}\n")
endfunction()

# dinette_needs_program(TEST): a test that starts servers finds the program's path in DINETTE_PROGRAM, and has a label by which
# it can be left out where the program is not built.
function(dinette_needs_program test)
  set_tests_properties(${test} PROPERTIES ENVIRONMENT "DINETTE_PROGRAM=$<TARGET_FILE:dinette>" LABELS program)
endfunction()

# dinette_python_test(NAME FILE): a Python unittest file that CTest runs, which starts servers. Runs with Debian's Python,
# which has Debian's boto3.
function(dinette_python_test name file)
  add_test(NAME ${name} COMMAND /usr/bin/python3 -B ${CMAKE_CURRENT_SOURCE_DIR}/${file})
  dinette_needs_program(${name})
endfunction()
