# Build options, and the warnings that every target of the project is compiled with.
# As a part of another project (add_subdirectory), weir leaves to that what is that project's.
option(WEIR_BUILD_TESTS "Build the tests" ${PROJECT_IS_TOP_LEVEL})
option(WEIR_WERROR "Treat warnings as errors" ${PROJECT_IS_TOP_LEVEL})
set(WEIR_MAX_PORTS 256 CACHE STRING "Most ports of a switch: 64, 128, 192 or 256; fewer is faster")
set(WEIR_ARCH "x86-64-v3" CACHE STRING "Instruction set for -march; empty for the compiler's default")
option(WEIR_FAST_BUILD "Compile sources in batches, with precompiled headers; OFF compiles each file on its own" ON)
set(WEIR_SANITIZE "" CACHE STRING "address,undefined or thread; empty for none")
option(WEIR_FUZZ "Build libFuzzer's targets (needs clang)" OFF)
set(WEIR_PROFILE "" CACHE STRING "guided: compiled with a profile, recorded first; counting: the program that records it; empty: neither")

if(PROJECT_IS_TOP_LEVEL)
  set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
endif()
if(NOT CMAKE_BUILD_TYPE AND PROJECT_IS_TOP_LEVEL)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "" FORCE)
endif()
set(CMAKE_CXX_FLAGS_RELEASE "-O3")
set(CMAKE_CXX_EXTENSIONS OFF)

find_program(CCACHE ccache)
if(CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER AND NOT WEIR_PROFILE)
  set(CMAKE_CXX_COMPILER_LAUNCHER ${CCACHE})
endif()

add_library(weir_strict INTERFACE)
target_compile_options(weir_strict INTERFACE
  -Wall -Wextra -Wpedantic -Wconversion -Wno-sign-conversion $<$<BOOL:${WEIR_WERROR}>:-Werror>)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_GREATER_EQUAL 13)
  # Inlined, a vector that grows seems to be written beyond its end.
  target_compile_options(weir_strict INTERFACE -Wno-stringop-overflow)
endif()
if(WEIR_SANITIZE AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  # Instrumented code hides from GCC what has been set: it warns of <regex>.
  target_compile_options(weir_strict INTERFACE -Wno-maybe-uninitialized)
endif()
# The same flags for all, or inlined code would differ between objects.
set(weir_arch_flag "")
if(WEIR_ARCH AND CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
  set(weir_arch_flag "-march=${WEIR_ARCH}")
endif()
add_compile_options(${weir_arch_flag} -ffp-contract=off)
if(WEIR_SANITIZE)
  # What is undefined ends the process, as does what the other sanitizers find.
  add_compile_options(-fsanitize=${WEIR_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer)
  add_link_options(-fsanitize=${WEIR_SANITIZE})
endif()
if(WEIR_FUZZ)
  add_compile_options(-fsanitize=fuzzer-no-link)
endif()

# What figures of speed hold for.
string(JOIN ", " weir_build "${CMAKE_CXX_COMPILER_ID} ${CMAKE_CXX_COMPILER_VERSION}" "${CMAKE_BUILD_TYPE}"
  "flags '${CMAKE_CXX_FLAGS}'" "arch '${WEIR_ARCH}'" "${WEIR_MAX_PORTS} ports" "sanitizers '${WEIR_SANITIZE}'")
if(WEIR_PROFILE)
  string(APPEND weir_build ", profile '${WEIR_PROFILE}'")
endif()
