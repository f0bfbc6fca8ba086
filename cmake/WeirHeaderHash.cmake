# weir/base/header_hash.h: one text of all headers that a plugin can include, so that one that was compiled with others is refused
# when it is loaded. It is made again when one of them changes.
file(GLOB_RECURSE weir_headers CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/include/weir/*.h ${PROJECT_SOURCE_DIR}/tb/*.h)
set_property(DIRECTORY ${PROJECT_SOURCE_DIR} APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${weir_headers})
set(weir_header_hashes "")
foreach(header IN LISTS weir_headers)
  file(SHA256 ${header} hash)
  file(RELATIVE_PATH name ${PROJECT_SOURCE_DIR} ${header})
  string(APPEND weir_header_hashes "${name} ${hash}\n")
endforeach()
string(SHA256 hash "${weir_header_hashes}")
string(SUBSTRING ${hash} 0 12 hash)
file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/generated/weir/base/header_hash.h CONTENT
  "// Made by cmake/WeirHeaderHash.cmake.\n#pragma once\n\n#define WEIR_HEADERS \"${hash}\"\n")
