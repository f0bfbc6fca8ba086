// An incast on a switch with a shared memory, for tests of its tables.
#pragma once

#include "program.h"

namespace weir::test {

/// One switch, 8 hosts at 10 Gb/s, two incasts of 1 MB with windows that need all of it at once.
inline arguments incast(const arguments& more, const std::string& out) {
    return combined(
        {"run", "--switch.buffer=shared", "--fabric.topology=single", "--fabric.hosts=8", "--link.rate=10Gbps",
         "--link.latency=1us", "--switch.lookup_delay=400ns", "--switch.memory_cell=208B", "--switch.classes=2",
         "--traffic.kind=incast", "--traffic.incast_rounds=2", "--traffic.incast_bytes=1MB",
         "--tcp.initial_window=100", "--tcp.min_rto=1ms", "--out", out},
        more);
}

inline const arguments lossless{"--pfc.mode=pfc", "--shared.lossless_classes=0", "--shared.memory=1500KB",
                                "--shared.lossy_pool=100KB"};

}  // namespace weir::test
