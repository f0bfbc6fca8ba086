# Fails when a page of the documentation, or a comment in an experiment, names an option that does not exist.
#
#   cmake -DWEIR=build/release/weir -DROOT=. -P test/check_option_names.cmake
#
# A name is `block.key`, with or without dashes in front. Files (`link.md`), numbers of summary.json, SystemC objects
# (`fabric.tor0`) and tests may look like one; they are left out, or named below.
cmake_policy(SET CMP0057 NEW)  # IN_LIST
set(blocks "run|fabric|link|switch|pfc|host|tcp|udp|roce|traffic|output|trace")
set(no_options
  pfc.xoff_sent pfc.xon_sent pfc.frames_sent pfc.paused_ns pfc.paused_ns.total pfc.paused_percent  # summary.json
  pfc.paused_percent.host pfc.paused_percent.tier1 pfc.most_paused_percent
  switch.ingress_buffer_bytes run.columns run.errors            # code
  fabric.one_unloaded_switch_delays_a_full_frame_by_exactly_25_microseconds)

execute_process(COMMAND ${WEIR} options --format=md OUTPUT_VARIABLE reference RESULT_VARIABLE status)
if(NOT status EQUAL 0)
  message(FATAL_ERROR "${WEIR} options --format=md: exit status ${status}")
endif()
string(REGEX MATCHALL "\n\\| `[a-z0-9_.]+`" rows "${reference}")
set(keys)
foreach(row IN LISTS rows)
  string(REGEX REPLACE "[^a-z0-9_.]" "" key "${row}")
  list(APPEND keys ${key})
endforeach()
list(LENGTH keys count)
if(count LESS 100)
  message(FATAL_ERROR "only ${count} options found in the reference: has its form changed?")
endif()

file(GLOB_RECURSE pages ${ROOT}/docs/*.md ${ROOT}/tb/experiments/*.ini)
list(APPEND pages ${ROOT}/README.md)
set(wrong)
set(seen 0)
foreach(page IN LISTS pages)
  file(READ ${page} text)
  string(REGEX MATCHALL "[A-Za-z0-9_/.-]*(${blocks})\\.[A-Za-z0-9_.]+" names "${text}")
  foreach(name IN LISTS names)
    string(REGEX REPLACE "^--|\\.+$" "" name "${name}")
    if(NOT name MATCHES "^(${blocks})\\.[a-z]" OR name MATCHES "\\.(md|h|cpp|json|csv|ini|vcd|fst|hier|pcapng|partial)$" OR
       name MATCHES "^fabric\\.[a-z]+[0-9]" OR name IN_LIST no_options)
      continue()
    endif()
    math(EXPR seen "${seen} + 1")
    if(NOT name IN_LIST keys)
      list(APPEND wrong "${page}: ${name}")
    endif()
  endforeach()
endforeach()
list(JOIN wrong "\n  " wrong)
if(NOT wrong STREQUAL "")
  message(FATAL_ERROR "options that do not exist:\n  ${wrong}")
endif()
if(seen LESS 100)
  message(FATAL_ERROR "only ${seen} names of options found in the documentation")
endif()
message(STATUS "${seen} names of options, all exist")
