# `find_package(weir)` gives weir::base, weir::protocol, weir::model, weir::traffic, weir::plugin and weir::c. `COMPONENTS c` gives the
# last one only, which needs none of the packages of the others; `COMPONENTS tb` gives weir::tb too, the program as a library.
#
# Components: `program` is the executable, `development` everything else; test/outside/ uses the latter.
include(CMakePackageConfigHelpers)

set(weir_package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/weir)
foreach(row base protocol model traffic plugin tb c)
  set_target_properties(weir_${row} PROPERTIES EXPORT_NAME ${row})
endforeach()

install(TARGETS weir_base weir_protocol weir_model weir_traffic weir_plugin EXPORT weir
  ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT development)
install(TARGETS weir_tb EXPORT weir_tb ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT development)
install(TARGETS weir_c EXPORT weir_c
  LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT development NAMELINK_COMPONENT development)
install(TARGETS weir_program RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT program)
install(PROGRAMS scripts/demo DESTINATION ${CMAKE_INSTALL_DATADIR}/weir/scripts COMPONENT program)
install(DIRECTORY tb/experiments DESTINATION ${CMAKE_INSTALL_DATADIR}/weir COMPONENT program)
# Headers of the program.
install(DIRECTORY tb DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/weir_program COMPONENT development FILES_MATCHING PATTERN "*.h"
  PATTERN "experiments" EXCLUDE PATTERN "python" EXCLUDE)
# For one release plugins may include these headers by the names that they had in 0.1.0's first folders.
foreach(header options/options_from_outside=run/fields record/record_table=support/record results/run_tables=run/results
    results/run_metrics=run/results plot/run_charts=view/pictures)
  string(REGEX MATCH "^(([a-z]+)/([a-z_]+))=(.*)$" _ ${header})
  set(forward ${PROJECT_BINARY_DIR}/forward/tb/${CMAKE_MATCH_1}.h)
  file(CONFIGURE OUTPUT ${forward} CONTENT "#pragma once\n#include \"tb/${CMAKE_MATCH_4}/${CMAKE_MATCH_3}.h\"\n")
  install(FILES ${forward} DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/weir_program/tb/${CMAKE_MATCH_2} COMPONENT development)
endforeach()
install(FILES ${PROJECT_BINARY_DIR}/generated/weir/base/header_hash.h DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/weir/base
  COMPONENT development)
install(DIRECTORY include/weir DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} COMPONENT development)
install(EXPORT weir NAMESPACE weir:: FILE weir-targets.cmake DESTINATION ${weir_package_dir} COMPONENT development)

install(EXPORT weir_tb NAMESPACE weir:: FILE weir-tb-targets.cmake DESTINATION ${weir_package_dir} COMPONENT development)
install(EXPORT weir_c NAMESPACE weir:: FILE weir-c-targets.cmake DESTINATION ${weir_package_dir} COMPONENT development)
configure_file(cmake/weir_c.pc.in ${CMAKE_CURRENT_BINARY_DIR}/weir_c.pc @ONLY)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/weir_c.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig COMPONENT development)

configure_package_config_file(cmake/weir-config.cmake.in ${CMAKE_CURRENT_BINARY_DIR}/weir-config.cmake
  INSTALL_DESTINATION ${weir_package_dir})
write_basic_package_version_file(${CMAKE_CURRENT_BINARY_DIR}/weir-config-version.cmake
  COMPATIBILITY SameMinorVersion)
install(FILES cmake/WeirSystemC.cmake ${CMAKE_CURRENT_BINARY_DIR}/weir-config.cmake ${CMAKE_CURRENT_BINARY_DIR}/weir-config-version.cmake
  DESTINATION ${weir_package_dir} COMPONENT development)
