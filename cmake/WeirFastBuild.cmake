# What makes a clean build short (docs/contributing.md has the figures). Nothing here changes what is computed.

# GCC looks for memory to free as soon as it holds 128 MB, and most of what a batch has read is in use: that is a fifth of a
# compilation's time.
if(WEIR_FAST_BUILD AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  add_compile_options($<$<COMPILE_LANGUAGE:CXX>:--param=ggc-min-heapsize=1048576>)
endif()

# weir_frame_path(TARGET NAME LIST SOURCE...): what runs for each frame is one translation unit, however fast the build is, so
# that calls between its files can be inlined. The sources are taken out of LIST, the target's. WEIR_FRAME_PATH_UNITS=OFF is for the
# test that compiles each source on its own.
option(WEIR_FRAME_PATH_UNITS "Compile what runs for each frame as one unit" ON)
mark_as_advanced(WEIR_FRAME_PATH_UNITS)
function(weir_frame_path target name list)
  if(NOT WEIR_FRAME_PATH_UNITS)
    return()
  endif()
  list(TRANSFORM ARGN PREPEND ${PROJECT_SOURCE_DIR}/)
  foreach(source IN LISTS ARGN)
    if(NOT source IN_LIST ${list})
      message(FATAL_ERROR "${source} is part of a frame's path (${name}), and is no source of ${target}")
    endif()
  endforeach()
  list(REMOVE_ITEM ${list} ${ARGN})
  set(${list} ${${list}} PARENT_SCOPE)
  set_source_files_properties(${ARGN} PROPERTIES UNITY_GROUP ${name})
  set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
endfunction()

# weir_unit(FOLDER OTHER...): weir_batches compiles the sources of the other folders together with those of the first one. Small
# folders cost less this way: each unit reads the same headers and makes the same functions from templates.
function(weir_unit folder)
  foreach(other IN LISTS ARGN)
    set_property(GLOBAL PROPERTY weir_unit_of_${other} ${folder})
  endforeach()
endfunction()

# weir_batches(TARGET MOST SOURCE...): compiles the sources of one folder (or of a weir_unit) together, at most MOST at a time, unless
# each is to be compiled on its own (WEIR_FAST_BUILD=OFF). Files of a batch share one scope: two of them cannot have helpers of one
# name.
function(weir_batches target most)
  if(NOT WEIR_FAST_BUILD)
    return()
  endif()
  set(folders "")
  foreach(source IN LISTS ARGN)
    cmake_path(GET source PARENT_PATH folder)
    cmake_path(RELATIVE_PATH folder BASE_DIRECTORY ${PROJECT_SOURCE_DIR})
    string(MAKE_C_IDENTIFIER "${folder}" folder)
    get_property(unit GLOBAL PROPERTY weir_unit_of_${folder})
    if(unit)
      set(folder ${unit})
    endif()
    list(APPEND folders ${folder})
    list(APPEND sources_of_${folder} ${source})
  endforeach()
  list(REMOVE_DUPLICATES folders)
  foreach(folder IN LISTS folders)
    list(LENGTH sources_of_${folder} count)
    math(EXPR batches "(${count} + ${most} - 1) / ${most}")
    set(place 0)
    foreach(source IN LISTS sources_of_${folder})
      math(EXPR batch "${place} * ${batches} / ${count}")
      set_source_files_properties(${source} PROPERTIES UNITY_GROUP ${folder}_${batch})
      math(EXPR place "${place} + 1")
    endforeach()
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
  target_compile_options(${target} PRIVATE $<$<CONFIG:Release>:-Og>)
endfunction()
