// Long TCP transfers that meet at one port: where congestion controls settle.
#pragma once

#include <fstream>

#include "program.h"

namespace weir::test {

/// Hosts 0 to `flows` - 1 send 2 GB each to the last host, through one switch at 10 Gb/s with 4 MB at the port.
inline outcome run_long_flows(const scratch_directory& where, int flows, const arguments& more) {
    std::ofstream trace(where / "flows.csv");
    trace << "start_ns,src,dst,bytes,priority,tag\n";
    for (int flow = 0; flow < flows; ++flow) {
        trace << 1'000 * flow << ',' << flow << ',' << flows << ",2000000000,0,long\n";
    }
    trace.close();
    return run_program(
        where, combined({"run", "--fabric.topology=single", "--fabric.hosts=" + std::to_string(flows + 1),
                         "--link.rate=10Gbps", "--link.latency=20us", "--switch.lookup_delay=3.1us",
                         "--tcp.header=58B", "--switch.egress_buffer=4MB", "--switch.ingress_buffer=4MB",
                         "--traffic.kind=trace", "--traffic.file=flows.csv"},
                        more));
}

}  // namespace weir::test
