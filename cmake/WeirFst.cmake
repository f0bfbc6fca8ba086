# GTKWave's library for FST waveforms, fstapi, from the source that Verilator ships (Debian's libfst-dev is something else). Verilator
# after 5.046 has a writer of its own instead: then from a copy of github.com/gtkwave/libfst, -DWEIR_FSTAPI_DIR=.../libfst/src.
# Made where both it and zlib are found; without it `weir` reads and writes VCD only, and says so.
#
# weir_use_fst(SOURCE...): these sources may include fstapi.h, and have WEIR_WITH_FST defined. The objects are in weir_tb.
weir_optional(WEIR_WITH_FST "FST waveforms (needs Verilator's fstapi, and zlib)")
set(missing "")
if(weir_look)
  # What was found once may have been removed since.
  if(WEIR_FSTAPI_DIR AND NOT EXISTS "${WEIR_FSTAPI_DIR}/fstapi.c")
    unset(WEIR_FSTAPI_DIR CACHE)
  endif()
  find_path(WEIR_FSTAPI_DIR fstapi.c
    HINTS ENV VERILATOR_ROOT
    PATHS /usr/share/verilator /usr/local/share/verilator
    PATH_SUFFIXES include/gtkwave
    DOC "Folder of fstapi.c, as Verilator ships it")
  find_package(ZLIB QUIET)
  if(NOT WEIR_FSTAPI_DIR)
    set(missing "fstapi.c (package verilator, or WEIR_FSTAPI_DIR with the folder src of github.com/gtkwave/libfst)")
  elseif(NOT ZLIB_FOUND)
    set(missing "zlib (package zlib1g-dev)")
  endif()
endif()
weir_decide(WEIR_WITH_FST weir_has_fst "${missing}" "FST waveforms")

if(weir_has_fst)
  enable_language(C)
  add_library(weir_fst OBJECT
    ${WEIR_FSTAPI_DIR}/fstapi.c ${WEIR_FSTAPI_DIR}/fastlz.c ${WEIR_FSTAPI_DIR}/lz4.c)
  # What the library's own build would find out: Verilator has it in a file, libfst wants a config.h.
  file(CONFIGURE OUTPUT ${CMAKE_CURRENT_BINARY_DIR}/fst/config.h CONTENT "#define HAVE_ALLOCA_H 1\n#define HAVE_FSEEKO 1\n")
  target_include_directories(weir_fst PRIVATE ${WEIR_FSTAPI_DIR} ${CMAKE_CURRENT_BINARY_DIR}/fst)
  target_compile_definitions(weir_fst PRIVATE FST_CONFIG_INCLUDE="config.h")
  # Not the project's code: neither its warnings nor its sanitizers' findings are for the project to mend.
  target_compile_options(weir_fst PRIVATE -w)
  if(WEIR_SANITIZE)
    target_compile_options(weir_fst PRIVATE -fno-sanitize=all)
  endif()
  target_link_libraries(weir_fst PRIVATE ZLIB::ZLIB)

  # Its folder is for those sources alone: all others are compiled as without it.
  function(weir_use_fst)
    set_source_files_properties(${ARGN} PROPERTIES
      COMPILE_DEFINITIONS WEIR_WITH_FST COMPILE_OPTIONS "-isystem;${WEIR_FSTAPI_DIR}")
  endfunction()
endif()
