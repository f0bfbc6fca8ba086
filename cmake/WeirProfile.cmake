# A build that is guided by a profile: preset `profiled`; docs/performance.md has its gain. A program that counts how often each branch
# is taken is built in a folder of its own, runs what scripts/train names, and its counts guide the compilation of what runs
# for each frame.
if(NOT WEIR_PROFILE MATCHES "^(guided|counting)?$")
  message(FATAL_ERROR "WEIR_PROFILE is '${WEIR_PROFILE}'; expected guided, counting, or nothing")
endif()
if(WEIR_PROFILE AND NOT CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  message(FATAL_ERROR "WEIR_PROFILE: ${CMAKE_CXX_COMPILER_ID} is not supported; expected GCC")
endif()

if(WEIR_PROFILE STREQUAL "counting")
  set(weir_profile_folder ${CMAKE_BINARY_DIR}/counts)
elseif(WEIR_PROFILE STREQUAL "guided")
  set(counting_folder ${CMAKE_BINARY_DIR}/counting)
  set(weir_profile_folder ${counting_folder}/counts)
  # It looks for SystemC and the other packages where this build does.
  add_custom_target(weir_counting_program
    COMMAND ${CMAKE_COMMAND} -E env "PKG_CONFIG_PATH=$ENV{PKG_CONFIG_PATH}" "CMAKE_PREFIX_PATH=$ENV{CMAKE_PREFIX_PATH}"
      ${CMAKE_COMMAND} -S ${PROJECT_SOURCE_DIR} -B ${counting_folder} -G ${CMAKE_GENERATOR}
      "-DCMAKE_PREFIX_PATH=${CMAKE_PREFIX_PATH}"
      -DWEIR_PROFILE=counting -DWEIR_BUILD_TESTS=OFF -DWEIR_WERROR=OFF
      -DCMAKE_BUILD_TYPE=${CMAKE_BUILD_TYPE} -DCMAKE_CXX_COMPILER=${CMAKE_CXX_COMPILER} -DCMAKE_CXX_FLAGS=${CMAKE_CXX_FLAGS}
      -DWEIR_MAX_PORTS=${WEIR_MAX_PORTS} -DWEIR_ARCH=${WEIR_ARCH} -DWEIR_FAST_BUILD=${WEIR_FAST_BUILD}
      -DWEIR_WITH_RTL=${WEIR_WITH_RTL} -DWEIR_WITH_FST=${WEIR_WITH_FST}
    COMMAND ${CMAKE_COMMAND} --build ${counting_folder} --target weir_program
    BYPRODUCTS ${counting_folder}/weir
    USES_TERMINAL VERBATIM)
  # Empty: it is included so that everything is compiled again with new counts.
  set(trained ${weir_profile_folder}/trained.h)
  add_custom_command(OUTPUT ${trained}
    COMMAND ${PROJECT_SOURCE_DIR}/scripts/train ${counting_folder}/weir ${weir_profile_folder}
    COMMAND ${CMAKE_COMMAND} -E touch ${trained}
    DEPENDS weir_counting_program ${counting_folder}/weir ${PROJECT_SOURCE_DIR}/scripts/train
    USES_TERMINAL VERBATIM)
  add_custom_target(weir_profile DEPENDS ${trained})
endif()

# weir_with_profile(TARGET): what runs for each frame, sample or line.
function(weir_with_profile target)
  if(WEIR_PROFILE STREQUAL "counting")
    target_compile_options(${target} PRIVATE -fprofile-generate=${weir_profile_folder} -fprofile-prefix-path=${CMAKE_BINARY_DIR})
    target_link_options(${target} INTERFACE -fprofile-generate)
  elseif(WEIR_PROFILE STREQUAL "guided")
    # What no training run reaches is compiled as without a profile.
    target_compile_options(${target} PRIVATE -fprofile-use=${weir_profile_folder} -fprofile-prefix-path=${CMAKE_BINARY_DIR}
      -fprofile-partial-training -Wno-missing-profile -include ${weir_profile_folder}/trained.h)
    add_dependencies(${target} weir_profile)
  endif()
endfunction()
