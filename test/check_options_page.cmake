# Fails when docs/options.md is not what the program says.
#
#   cmake -DWEIR=build/release/weir -DPAGE=docs/options.md -DMADE=made.md -P test/check_options_page.cmake
execute_process(COMMAND ${WEIR} options --format=md OUTPUT_FILE ${MADE} RESULT_VARIABLE status)
if(NOT status EQUAL 0)
  message(FATAL_ERROR "${WEIR} options --format=md: exit status ${status}")
endif()
execute_process(COMMAND ${CMAKE_COMMAND} -E compare_files ${PAGE} ${MADE} RESULT_VARIABLE status)
if(NOT status EQUAL 0)
  message(FATAL_ERROR "${PAGE} is out of date; run: ${WEIR} options --format=md > ${PAGE}")
endif()
