// The program with a library loaded before it: a disk that fails (support/failing_disk.cpp), clocks that jump.
//
//   run_program(where, run, failing_disk("fsync:5:flows.csv"));      // EIO
#pragma once

#include <cstdlib>

#include "program.h"

namespace weir::test {

/// With a library loaded before the program. The address sanitizer would have to be the first.
inline surroundings loaded_before(const char* library) {
    const char* const options = std::getenv("ASAN_OPTIONS");
    surroundings around;
    around.environment = {
        {"LD_PRELOAD", library},
        {"ASAN_OPTIONS", std::string(options == nullptr ? "" : options) + ":verify_asan_link_order=0"}};
    return around;
}

/// `call:error:part of the path` that is to fail (support/failing_disk.cpp); `calls`: a file for all calls.
inline surroundings failing_disk(const std::string& what, const std::string& calls = {}) {
    surroundings around = loaded_before(WEIR_FAILING_DISK);
    if (!what.empty()) {
        around.environment["WEIR_FAIL"] = what;
    }
    if (!calls.empty()) {
        around.environment["WEIR_CALLS"] = calls;
    }
    return around;
}

}  // namespace weir::test
