# `find_package(weir)` gives weir::base, weir::protocol, weir::model and weir::traffic.
include(CMakePackageConfigHelpers)
foreach(row base protocol model traffic)
  set_target_properties(weir_${row} PROPERTIES EXPORT_NAME ${row})
endforeach()
install(TARGETS weir_base weir_protocol weir_model weir_traffic weir_strict EXPORT weir
  ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(TARGETS weir_program RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
install(DIRECTORY include/weir DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(EXPORT weir NAMESPACE weir:: DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/weir FILE weir-targets.cmake)
configure_package_config_file(cmake/weir-config.cmake.in ${CMAKE_CURRENT_BINARY_DIR}/weir-config.cmake
  INSTALL_DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/weir)
write_basic_package_version_file(${CMAKE_CURRENT_BINARY_DIR}/weir-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/weir-config.cmake ${CMAKE_CURRENT_BINARY_DIR}/weir-config-version.cmake
  DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/weir)
