# `cmake --build build/release --target demo`: the README's first command, without the installation and the build.
add_custom_target(demo
  COMMAND ${PROJECT_SOURCE_DIR}/scripts/demo $<TARGET_FILE:weir_program> ${PROJECT_SOURCE_DIR}/out/demo
  WORKING_DIRECTORY ${PROJECT_SOURCE_DIR}
  USES_TERMINAL VERBATIM)
