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
# Headers, those of the program too. A folder of the build has them as they are installed.
install(CODE "execute_process(COMMAND \"${CMAKE_COMMAND}\" \"-Dsource=${PROJECT_SOURCE_DIR}\"
  \"-Dgenerated=${PROJECT_BINARY_DIR}/generated\" \"-Dtarget=${PROJECT_BINARY_DIR}/headers\"
  \"-Dinstalled=\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/${CMAKE_INSTALL_INCLUDEDIR}\"
  -P \"${PROJECT_SOURCE_DIR}/cmake/install_headers.cmake\" COMMAND_ERROR_IS_FATAL ANY)" COMPONENT development)
install(DIRECTORY ${PROJECT_BINARY_DIR}/headers/ DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} COMPONENT development)
install(FILES include/weir/public_headers.txt DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/weir COMPONENT development)
install(FILES include/weir/c/weir_dpi.sv DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/weir/c COMPONENT development)
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
