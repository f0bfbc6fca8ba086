# Labels of the tests, for `ctest -L`: what kind of test it is, and the folder it is in.
#
#   unit, system   by folder: what test/system has is a system test, and test/rtl's suite rtl_in_the_loop
#   golden         suites called *_golden: against a file of test/golden
#   statistical    suites called *_statistical: a bound with a stated confidence, on fixed seeds
#   long           tests called long_run_*: minutes rather than seconds, beside their kind
#   extra          tests called extra_*: need a heavy package that scripts/bootstrap installs with --ci only, beside their kind
#
# test/CMakeLists.txt gives `fingerprint` and `speed` to its tests itself.
foreach(folder base protocol model traffic c tb rtl system)
  foreach(test IN LISTS weir_${folder}_tests)
    set(kind unit)
    if(test MATCHES "_(golden|statistical)\\.")
      set(kind ${CMAKE_MATCH_1})
    elseif(folder STREQUAL "system" OR test MATCHES "^rtl_in_the_loop[.]")
      set(kind system)
    endif()
    set(labels ${kind} ${folder})
    if(test MATCHES "\\.long_run_")
      list(APPEND labels long)
    elseif(test MATCHES "\\.extra_")
      list(APPEND labels extra)
    endif()
    list(REMOVE_DUPLICATES labels)
    set_tests_properties("${test}" PROPERTIES LABELS "${labels}")
  endforeach()
endforeach()
