# What a shell and man(1) read, made by the program; and Debian packages of what is installed:
#
#   cmake --build --preset release --target package       weir_VERSION_ARCH.deb and weir-dev_VERSION_ARCH.deb in build/release
set(completion ${CMAKE_CURRENT_BINARY_DIR}/weir.bash)
set(man_page ${CMAKE_CURRENT_BINARY_DIR}/weir.1)
add_custom_command(OUTPUT ${completion} ${man_page}
  COMMAND weir_program --bash-completion > ${completion}
  COMMAND weir_program --man-page > ${man_page}
  DEPENDS weir_program VERBATIM)
add_custom_target(weir_shell_files ALL DEPENDS ${completion} ${man_page})
install(FILES ${completion} DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions RENAME weir COMPONENT program)
install(FILES ${man_page} DESTINATION ${CMAKE_INSTALL_MANDIR}/man1 COMPONENT program)
install(FILES LICENSE RENAME copyright DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/weir COMPONENT program)
install(FILES LICENSE RENAME copyright DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/weir-dev COMPONENT development)

if(PROJECT_IS_TOP_LEVEL)
  set(CPACK_GENERATOR DEB)
  set(CPACK_PACKAGE_CONTACT "The weir developers <weir@example.org>")
  set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
  set(CPACK_STRIP_FILES ON)
  set(CPACK_COMPONENTS_ALL program development)
  set(CPACK_DEB_COMPONENT_INSTALL ON)
  set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
  set(CPACK_DEBIAN_PACKAGE_SECTION science)
  # The libraries of the program are found by dpkg-shlibdeps (package dpkg-dev).
  set(CPACK_DEBIAN_PROGRAM_PACKAGE_NAME weir)
  set(CPACK_DEBIAN_PROGRAM_PACKAGE_SHLIBDEPS ON)
  set(CPACK_DEBIAN_PROGRAM_PACKAGE_RECOMMENDS "gnuplot-nox | gnuplot, fonts-dejavu-core")
  set(CPACK_DEBIAN_PROGRAM_PACKAGE_SUGGESTS "openmpi-bin, bash-completion, man-db")
  set(CPACK_COMPONENT_PROGRAM_DESCRIPTION "${PROJECT_DESCRIPTION}")
  set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_NAME weir-dev)
  set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_SECTION libdevel)
  set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_DEPENDS "g++, cmake, pkg-config, libsystemc-dev, libboost-dev")
  # What weir::tb needs.
  set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_RECOMMENDS
    "libboost-program-options-dev, nlohmann-json3-dev, zlib1g-dev, libpcap-dev, libopenmpi-dev, libmetis-dev")
  set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_SUGGESTS "weir")
  set(CPACK_COMPONENT_DEVELOPMENT_DESCRIPTION "Libraries and headers of weir, for modules and plugins of one's own")
  include(CPack)
endif()
