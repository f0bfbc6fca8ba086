# Writes the headers that are to be installed. Those that include/weir/public_headers.txt lists keep their names; all others
# go below weir/detail/ and tb/detail/, and the include lines of all headers name them there.
#
#   source      root of the tree
#   generated   folder of weir/base/header_hash.h
#   target      folder that gets weir/ and weir_program/tb/; a file that has not changed keeps its time
#   installed   folder to which `target` is installed; the names that headers below `detail` had without it are removed there
cmake_minimum_required(VERSION 3.25)

file(STRINGS ${source}/include/weir/public_headers.txt listed REGEX "^(weir|tb)/")
set(public ${listed})
list(TRANSFORM public REPLACE " = .*" "")

# The installed name of a header.
function(installed_name result name)
  if(NOT name IN_LIST public)
    string(REGEX REPLACE "^(weir|tb)/" "\\1/detail/" name ${name})
  endif()
  set(${result} ${name} PARENT_SCOPE)
endfunction()

# The path of a header below `target` and `installed`.
function(path_of result name)
  string(REGEX REPLACE "^tb/" "weir_program/tb/" path ${name})
  set(${result} ${path} PARENT_SCOPE)
endfunction()

file(GLOB_RECURSE old ${target}/*.h)
set(made "")
function(make name text)
  path_of(path ${name})
  if(EXISTS ${target}/${path})
    file(READ ${target}/${path} before)
  endif()
  if(NOT "${before}" STREQUAL "${text}")
    file(WRITE ${target}/${path} "${text}")
  endif()
  set(made ${made} ${target}/${path} PARENT_SCOPE)
endfunction()

foreach(root ${source}/include/weir ${generated}/weir ${source}/tb)
  cmake_path(GET root PARENT_PATH above)
  file(GLOB_RECURSE names RELATIVE ${above} ${root}/*.h)
  list(FILTER names EXCLUDE REGEX "^tb/(experiments|python)/")
  foreach(name IN LISTS names)
    file(READ ${above}/${name} text)
    string(REGEX MATCHALL "#include \"(weir|tb)/[^\"]+\"" includes "${text}")
    foreach(include IN LISTS includes)
      string(REGEX REPLACE ".*\"(.*)\"" "\\1" included ${include})
      installed_name(new_name ${included})
      string(REPLACE ${include} "#include \"${new_name}\"" text "${text}")
    endforeach()
    installed_name(new_name ${name})
    make(${new_name} "${text}")
    if(NOT new_name STREQUAL name)
      path_of(path ${name})
      file(REMOVE ${installed}/${path})
    endif()
  endforeach()
endforeach()

# Names of before, which include the header of today.
foreach(line IN LISTS listed)
  if(line MATCHES "^(.+) = (.+)$")
    make(${CMAKE_MATCH_1} "#pragma once\n#include \"${CMAKE_MATCH_2}\"\n")
  endif()
endforeach()

list(REMOVE_ITEM old ${made})
if(old)
  file(REMOVE ${old})
endif()
