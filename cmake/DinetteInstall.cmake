# What is installed, by component: `runtime` is the program with its manual page and completions, `development` the
# library for programs that embed the service, `debian` what only the Debian package has, `elsewhere` what it has not. Build
# the target `installable` first: tests and benchmarks need not be built.
set(CMAKE_SKIP_INSTALL_ALL_DEPENDENCY ON)

include(GNUInstallDirs)

# The program describes itself: its manual page and completions come from its table of options.
set(described ${CMAKE_BINARY_DIR}/described)
file(MAKE_DIRECTORY ${described})
add_custom_command(
  OUTPUT ${described}/dinette.1.gz ${described}/dinette.bash ${described}/_dinette ${described}/dinette.fish
  COMMAND dinette --help-man > ${described}/dinette.1
  COMMAND gzip -9nf ${described}/dinette.1
  COMMAND dinette --completions bash > ${described}/dinette.bash
  COMMAND dinette --completions zsh > ${described}/_dinette
  COMMAND dinette --completions fish > ${described}/dinette.fish
  DEPENDS dinette
  COMMENT "Writing the manual page and completions"
  VERBATIM)
add_custom_target(dinette_described DEPENDS ${described}/dinette.1.gz)

# The notices of the libraries that are compiled into the programs.
set(linked)
if(DINETTE_PLATFORM)
  set(linked ${CMAKE_SYSROOT} ${CMAKE_BINARY_DIR})
endif()
add_custom_command(
  OUTPUT ${described}/THIRD-PARTY-NOTICES.gz
  COMMAND ${Python3_EXECUTABLE} -B ${PROJECT_SOURCE_DIR}/scripts/lib/notices.py ${linked} > ${described}/THIRD-PARTY-NOTICES
  COMMAND gzip -9nf ${described}/THIRD-PARTY-NOTICES
  DEPENDS dinette dinette-full ${PROJECT_SOURCE_DIR}/scripts/lib/notices.py ${PROJECT_SOURCE_DIR}/scripts/lib/release/linked.py
  COMMENT "Collecting the notices of libraries"
  VERBATIM)
add_custom_target(dinette_notices DEPENDS ${described}/THIRD-PARTY-NOTICES.gz)

install(TARGETS dinette DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT runtime)
install(TARGETS dinette-full DESTINATION ${CMAKE_INSTALL_LIBEXECDIR} COMPONENT runtime)
install(FILES ${described}/THIRD-PARTY-NOTICES.gz DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/dinette COMPONENT runtime)
install(FILES ${described}/dinette.1.gz DESTINATION ${CMAKE_INSTALL_MANDIR}/man1 COMPONENT runtime)
install(FILES ${described}/dinette.bash DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions
  RENAME dinette COMPONENT runtime)
# Where zsh looks below /usr/local, and in most distributions below /usr. Debian leaves that folder to administrators.
install(FILES ${described}/_dinette DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/site-functions COMPONENT elsewhere)
install(FILES ${described}/_dinette DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/vendor-completions
  COMPONENT debian EXCLUDE_FROM_ALL)
install(FILES ${described}/dinette.fish DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d
  COMPONENT runtime)

# One static library of all layers that embedding needs, so that its users need not know them, and none of the libraries
# that only their sources include.
set(layers base observe objects kv tcp http store deliveries tenancy face aws iam dynamodb embed)
list(TRANSFORM layers REPLACE "(.+)" "dinette_\\1" OUTPUT_VARIABLE layer_targets)
list(TRANSFORM layer_targets REPLACE "(.+)" "ADDLIB $<TARGET_FILE:\\1>" OUTPUT_VARIABLE additions)
list(JOIN additions "\n" additions)
set(library ${CMAKE_BINARY_DIR}/libdinette.a)
file(GENERATE OUTPUT ${library}.mri CONTENT "CREATE ${library}\n${additions}\nSAVE\nEND\n")
add_custom_command(
  OUTPUT ${library}
  COMMAND ${CMAKE_COMMAND} -E rm -f ${library}
  COMMAND ${CMAKE_AR} -M < ${library}.mri
  DEPENDS ${layer_targets} ${library}.mri
  COMMENT "Merging the layers into libdinette.a"
  VERBATIM)
add_custom_target(dinette_library DEPENDS ${library})

set(config ${CMAKE_INSTALL_LIBDIR}/cmake/Dinette)
include(CMakePackageConfigHelpers)
configure_package_config_file(${PROJECT_SOURCE_DIR}/cmake/DinetteConfig.cmake.in ${CMAKE_BINARY_DIR}/DinetteConfig.cmake
  INSTALL_DESTINATION ${config} PATH_VARS CMAKE_INSTALL_INCLUDEDIR CMAKE_INSTALL_LIBDIR)
write_basic_package_version_file(${CMAKE_BINARY_DIR}/DinetteConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${library} DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT development)
install(FILES ${CMAKE_BINARY_DIR}/DinetteConfig.cmake ${CMAKE_BINARY_DIR}/DinetteConfigVersion.cmake
  DESTINATION ${config} COMPONENT development)
set(headers ${PROJECT_SOURCE_DIR}/include/dinette)
install(FILES ${headers}/dinette.h ${headers}/embedded.h DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/dinette
  COMPONENT development)
install(FILES ${headers}/base/result.h DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/dinette/base COMPONENT development)

# The Debian package, for this Debian: cpack -G DEB. Those of scripts/release fit every Debian.
set(debian ${PROJECT_SOURCE_DIR}/cmake/debian)
configure_file(${debian}/changelog ${described}/changelog @ONLY)
add_custom_command(
  OUTPUT ${described}/changelog.gz
  COMMAND gzip -9nkf ${described}/changelog
  DEPENDS ${debian}/changelog
  VERBATIM)
add_custom_target(dinette_debian DEPENDS ${described}/changelog.gz)

install(FILES ${debian}/dinette.service DESTINATION lib/systemd/system COMPONENT debian EXCLUDE_FROM_ALL)
install(FILES ${debian}/dinette.default DESTINATION /etc/default RENAME dinette COMPONENT debian EXCLUDE_FROM_ALL)
install(FILES ${debian}/copyright ${described}/changelog.gz DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/dinette
  COMPONENT debian EXCLUDE_FROM_ALL)

add_custom_target(installable
  DEPENDS dinette dinette-full dinette_described dinette_notices dinette_library dinette_debian)

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_VENDOR "Dinette")
set(CPACK_PACKAGE_CONTACT "Dinette maintainers <maintainers@dinette.example>")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_INSTALL_CMAKE_PROJECTS
  ${CMAKE_BINARY_DIR} dinette runtime /
  ${CMAKE_BINARY_DIR} dinette debian /)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION database)
if(DINETTE_PLATFORM)
  set(CPACK_DEBIAN_PACKAGE_DEPENDS "libc6 (>= 2.31)")
  if(DINETTE_PLATFORM STREQUAL "arm64")
    set(CPACK_DEBIAN_PACKAGE_ARCHITECTURE arm64)
  endif()
else()
  set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
endif()
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
set(CPACK_DEBIAN_PACKAGE_CONTROL_EXTRA
  ${debian}/conffiles ${debian}/postinst ${debian}/prerm ${debian}/postrm)
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "stand-in for Amazon DynamoDB, for development and tests")
set(CPACK_DEBIAN_PACKAGE_DESCRIPTION
"Serves the API of Amazon DynamoDB from this machine: the same answers and
error messages, in memory or in a folder, without a Java runtime. Point an AWS
SDK or the AWS CLI at it. The service keeps its data in /var/lib/dinette:
systemctl enable --now dinette.")
include(CPack)
