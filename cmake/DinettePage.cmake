# Bundles the page in src/page into a C++ source, if there is esbuild. Sets page_source.
set(page_folder ${PROJECT_SOURCE_DIR}/src/page)
find_program(ESBUILD esbuild)

if(ESBUILD)
  file(GLOB_RECURSE page_inputs CONFIGURE_DEPENDS ${page_folder}/*.html ${page_folder}/*.svg ${page_folder}/ui/*
       ${page_folder}/editor/* ${page_folder}/lib/* ${page_folder}/views/* ${page_folder}/third_party/*)
  set(page_source ${CMAKE_BINARY_DIR}/generated/page_files.cc)
  add_custom_command(
    OUTPUT ${page_source}
    COMMAND ${Python3_EXECUTABLE} -B ${page_folder}/build_page.py ${ESBUILD} ${page_source}
    DEPENDS ${page_inputs} ${page_folder}/build_page.py
    COMMENT "Bundling the page"
    VERBATIM)
else()
  message(STATUS "Dinette: no page, since esbuild is missing (scripts/setup build)")
  set(page_source ${PROJECT_SOURCE_DIR}/src/admin/no_page.cc)
endif()
