// How many processors this process may use: taskset and cpusets count, quotas of processor time do not.
#pragma once

#include <thread>

#if defined(__linux__)
#include <sched.h>
#endif

namespace weir {

/// At least 1.
inline unsigned usable_processors() {
#if defined(__linux__)
    cpu_set_t set;
    if (sched_getaffinity(0, sizeof set, &set) == 0 && CPU_COUNT(&set) > 0) {
        return static_cast<unsigned>(CPU_COUNT(&set));
    }
#endif
    const unsigned all = std::thread::hardware_concurrency();
    return all == 0 ? 1 : all;
}

}  // namespace weir
