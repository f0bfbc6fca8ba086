# What makes a clean build short (docs/contributing.md has the figures). Nothing here changes what is computed.

# weir_batches(TARGET SIZE SOURCE...): sources of one folder are compiled together, SIZE at a time, unless each is to be
# compiled on its own (WEIR_FAST_BUILD=OFF). Files of a batch share one scope: two of them cannot have a helper of the same name.
function(weir_batches target size)
  if(NOT WEIR_FAST_BUILD)
    return()
  endif()
  foreach(source IN LISTS ARGN)
    cmake_path(GET source PARENT_PATH folder)
    cmake_path(RELATIVE_PATH folder BASE_DIRECTORY ${PROJECT_SOURCE_DIR})
    string(MAKE_C_IDENTIFIER "${folder}" folder)
    math(EXPR batch "${count_${folder}}0 / 10 / ${size}")
    math(EXPR count_${folder} "${count_${folder}}0 / 10 + 1")
    set_source_files_properties(${source} PROPERTIES UNITY_GROUP ${folder}_${batch})
  endforeach()
  set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
endfunction()

# weir_precompile(TARGET HEADER...): headers of other projects that most of the target's sources read.
function(weir_precompile target)
  if(WEIR_FAST_BUILD)
    target_precompile_headers(${target} PRIVATE ${ARGN})
  endif()
endfunction()

# weir_not_on_the_frame_path(TARGET): nothing in it runs for each frame, so it is compiled quickly rather than well.
function(weir_not_on_the_frame_path target)
  target_compile_options(${target} PRIVATE $<$<CONFIG:Release>:-O1>)
endfunction()
