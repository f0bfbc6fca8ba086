// The fabric, and its traffic, that tests of waveforms and journeys look into.
#pragma once

#include <gtest/gtest.h>

#include <string>

#include "program.h"

namespace weir::test {

/// All links have 1 Gb/s, so that every time is a whole nanosecond, as the stamps of captures are.
inline const arguments traced_fabric{
    "--fabric.topology=racks",  "--fabric.racks=2", "--fabric.hosts_per_rack=3", "--fabric.roots=1",
    "--fabric.root_rate=1Gbps", "--run.seed=4",     "--run.progress=false"};
/// Loses frames at egress.
inline const arguments traced_losses{"--traffic.kind=incast", "--traffic.incast_rounds=2",
                                     "--traffic.incast_bytes=400KB", "--switch.scheme=baseline",
                                     "--switch.egress_buffer=32KiB"};

inline outcome run_traced(const scratch_directory& where, const std::string& out, const arguments& options) {
    outcome o = run_program(where, combined(combined({"run"}, options), {"--out", out}));
    EXPECT_EQ(o.status, 0) << o.err;
    return o;
}

}  // namespace weir::test
