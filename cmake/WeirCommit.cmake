# The commit that the program is built from, looked up in each build: weir_commit(FILE) makes FILE, a source that defines
# `weir::tb::commit_text`, and the target weir_commit that renews it. Run as a script it writes it.
if(CMAKE_SCRIPT_MODE_FILE)
  # Of the project's own repository only: a copy without one may stand in somebody else's.
  set(commit "")
  if(EXISTS ${SOURCE_DIR}/.git)
    execute_process(COMMAND git -C ${SOURCE_DIR} describe --always --dirty --abbrev=12 --exclude=*
      OUTPUT_VARIABLE commit ERROR_QUIET OUTPUT_STRIP_TRAILING_WHITESPACE)
  endif()
  if(commit STREQUAL "")
    set(commit "unknown")
  endif()
  file(CONFIGURE OUTPUT ${FILE} CONTENT "namespace weir::tb {\nextern const char* const commit_text;\nconst char* const commit_text = \"${commit}\";\n}  // namespace weir::tb\n")
  return()
endif()

function(weir_commit file)
  add_custom_target(weir_commit
    COMMAND ${CMAKE_COMMAND} -DSOURCE_DIR=${PROJECT_SOURCE_DIR} -DFILE=${file} -P ${PROJECT_SOURCE_DIR}/cmake/WeirCommit.cmake
    BYPRODUCTS ${file} VERBATIM)
endfunction()
