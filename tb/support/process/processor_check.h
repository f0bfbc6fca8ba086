// Whether this processor has the instructions that the program was compiled for. One that has not would end it
// with SIGILL somewhere.
#pragma once

#include <array>
#include <cstddef>

namespace weir::tb {

/// A level of x86-64 (System V ABI, x86-64 psABI 1.0, 3.1.1) by what a compiler uses of it.
struct processor_feature {
    /// As in /proc/cpuinfo.
    const char* name;
    bool is_there;
};

/// Features of x86-64-v2 and v3, and whether this processor has them.
std::array<processor_feature, 12> processor_features();
/// How many of them a level needs, in their order: 0 for a level that is not known.
std::size_t features_of_level(const char* level);

/// Says what is missing and ends the process with status 3. Calls nothing that was compiled for the level.
void check_processor();

}  // namespace weir::tb
