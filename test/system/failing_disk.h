// The program with a disk that fails (support/failing_disk.cpp).
//
//   run_program(where, run, failing_disk("fsync:5:flows.csv"));      // EIO
#pragma once

#include "program.h"

namespace weir::test {

/// `call:error:part of the path` that is to fail (support/failing_disk.cpp); `calls`: a file for all calls.
inline surroundings failing_disk(const std::string& what, const std::string& calls = {}) {
    surroundings around;
    around.environment = {{"LD_PRELOAD", WEIR_FAILING_DISK}, {"ASAN_OPTIONS", "verify_asan_link_order=0"}};
    if (!what.empty()) {
        around.environment["WEIR_FAIL"] = what;
    }
    if (!calls.empty()) {
        around.environment["WEIR_CALLS"] = calls;
    }
    return around;
}

}  // namespace weir::test
