# Bundles the page in src/page into a C++ source, if npm's packages are there (scripts/setup page). Sets page_source.
set(page_folder ${PROJECT_SOURCE_DIR}/src/page)
find_program(NODE node)
# A glob that is looked at again in each build, so that packages may come later.
file(GLOB page_bundler CONFIGURE_DEPENDS ${page_folder}/node_modules/esbuild/package.json)

if(NODE AND page_bundler)
  file(GLOB_RECURSE page_inputs CONFIGURE_DEPENDS ${page_folder}/*.html ${page_folder}/*.svg ${page_folder}/ui/*
       ${page_folder}/lib/* ${page_folder}/views/*)
  set(page_source ${CMAKE_BINARY_DIR}/generated/page_files.cc)
  add_custom_command(
    OUTPUT ${page_source}
    COMMAND ${NODE} ${page_folder}/build.mjs ${page_source}
    DEPENDS ${page_inputs} ${page_folder}/build.mjs ${page_folder}/package-lock.json
    COMMENT "Bundling the page"
    VERBATIM)
else()
  message(STATUS "Dinette: no page, since Node.js or the packages of src/page are missing (scripts/setup page)")
  set(page_source ${PROJECT_SOURCE_DIR}/src/admin/no_page.cc)
endif()
