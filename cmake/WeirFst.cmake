# GTKWave's library for FST waveforms, fstapi, from the source that Verilator ships (Debian's libfst-dev is something else).
# Made where both it and zlib are found; without it `weir` reads and writes VCD only, and says so.
#
# weir_use_fst(TARGET SOURCE...): these sources may include fstapi.h, and have WEIR_WITH_FST defined.
find_path(WEIR_FSTAPI_DIR fstapi.c
  HINTS ENV VERILATOR_ROOT
  PATHS /usr/share/verilator /usr/local/share/verilator
  PATH_SUFFIXES include/gtkwave
  DOC "Folder of fstapi.c, as Verilator ships it")
find_package(ZLIB QUIET)
if(WEIR_FSTAPI_DIR AND ZLIB_FOUND)
  set(fst_found ON)
else()
  set(fst_found OFF)
endif()
option(WEIR_WITH_FST "FST waveforms (needs Verilator's fstapi, and zlib)" ${fst_found})

if(WEIR_WITH_FST)
  if(NOT fst_found)
    message(FATAL_ERROR "WEIR_WITH_FST=ON, but fstapi.c (package verilator) or zlib (zlib1g-dev) is missing; expected OFF")
  endif()
  enable_language(C)
  add_library(weir_fst STATIC
    ${WEIR_FSTAPI_DIR}/fstapi.c ${WEIR_FSTAPI_DIR}/fastlz.c ${WEIR_FSTAPI_DIR}/lz4.c)
  target_include_directories(weir_fst PRIVATE ${WEIR_FSTAPI_DIR})
  target_compile_definitions(weir_fst PRIVATE FST_CONFIG_INCLUDE="fst_config.h")
  # Not the project's code: neither its warnings nor its sanitizers' findings are for the project to mend.
  target_compile_options(weir_fst PRIVATE -w)
  if(WEIR_SANITIZE)
    target_compile_options(weir_fst PRIVATE -fno-sanitize=all)
  endif()
  target_link_libraries(weir_fst PUBLIC ZLIB::ZLIB)

  # Its folder is for those sources alone: all others are compiled as without it.
  function(weir_use_fst target)
    target_link_libraries(${target} PRIVATE $<LINK_ONLY:weir_fst>)
    set_source_files_properties(${ARGN} PROPERTIES
      COMPILE_DEFINITIONS WEIR_WITH_FST COMPILE_OPTIONS "-isystem;${WEIR_FSTAPI_DIR}")
  endfunction()
else()
  message(STATUS "weir: built without FST waveforms (packages verilator, zlib1g-dev)")
endif()
