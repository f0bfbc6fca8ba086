# The RTL of tb/verify/verilog/, made into C++ by Verilator: for co-simulation, and in the loop (docs/rtl.md). Made where Verilator is
# found; without it `weir` refuses what would need it, and says so, and the tests check the models against the goldens
# that the RTL has written.
weir_optional(WEIR_WITH_RTL "RTL blocks by Verilator: co-simulation, RTL in the loop")
set(missing "")
if(weir_look)
  find_package(verilator 5.006 QUIET HINTS ENV VERILATOR_ROOT)
  if(NOT verilator_FOUND)
    set(missing "Verilator 5.006 or later (package verilator)")
  endif()
endif()
weir_decide(WEIR_WITH_RTL weir_has_rtl "${missing}" "RTL, so without co-simulation and RTL in the loop")

if(weir_has_rtl)
  add_library(weir_verilated STATIC)
  set_target_properties(weir_verilated PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
  # Not the project's code: its warnings and its sanitizers' findings are not for the project to mend.
  target_compile_options(weir_verilated PRIVATE -w)
  if(WEIR_SANITIZE)
    target_compile_options(weir_verilated PRIVATE -fno-sanitize=all)
  endif()
  # Verilator writes what a compiler cannot do much about: -O3 takes 114 s for the largest of these, -O1 16 s.
  target_compile_options(weir_verilated PRIVATE $<$<CONFIG:Release>:-O1>)
  target_compile_features(weir_verilated PRIVATE cxx_std_17)

  # weir_verilate(MODULE NAME PARAMETER=VALUE ...): tb/verify/verilog/MODULE.sv with these parameters as the class VNAME.
  function(weir_verilate module name)
    list(TRANSFORM ARGN PREPEND "-G")
    get_target_property(before weir_verilated SOURCES)
    verilate(weir_verilated PREFIX V${name} TOP_MODULE ${module}
      SOURCES ${PROJECT_SOURCE_DIR}/tb/verify/verilog/${module}.sv INCLUDE_DIRS ${PROJECT_SOURCE_DIR}/tb/verify/verilog
      DIRECTORY ${CMAKE_BINARY_DIR}/verilated/${name} VERILATOR_ARGS -Wall ${ARGN})
    # One translation unit per class: there are many small files, and each would read the same headers.
    get_target_property(sources weir_verilated SOURCES)
    list(REMOVE_ITEM sources ${before})
    list(FILTER sources INCLUDE REGEX "/V${name}[^/]*[.]cpp$")
    set_source_files_properties(${sources} PROPERTIES UNITY_GROUP ${name})
  endfunction()
  # weir_use_rtl(TARGET SOURCE...): these sources may include the verilated classes. All others are compiled as without.
  function(weir_use_rtl target)
    target_link_libraries(${target} PRIVATE $<LINK_ONLY:weir_verilated>)
    get_target_property(folders weir_verilated INTERFACE_INCLUDE_DIRECTORIES)
    list(REMOVE_DUPLICATES folders)
    list(TRANSFORM folders PREPEND "-isystem")
    set_source_files_properties(${ARGN} PROPERTIES COMPILE_OPTIONS "${folders}")
  endfunction()
  # A switch takes the smallest that has its ports: tb/verify/rtl/arbiter_pins.cpp knows these sizes too.
  foreach(ports 8 16 64)
    weir_verilate(islip_arbiter islip_arbiter_${ports} PORTS=${ports})
  endforeach()
  math(EXPR words "${WEIR_MAX_PORTS} / 64")
  foreach(entries 64 1024)  # tb/verify/rtl/tcam_pins.cpp
    weir_verilate(tcam tcam_${entries} ENTRIES=${entries} WORDS=${words})
  endforeach()
  weir_verilate(pfc_receive pfc_receive)
  weir_verilate(pfc_transmit pfc_transmit)
  weir_verilate(voq_crossbar voq_crossbar_4 PORTS=4)
  foreach(ports 4 8 16 64)  # tb/verify/rtl/switch_pins.cpp
    weir_verilate(cell_switch cell_switch_${ports} PORTS=${ports})
  endforeach()
endif()
