// Packet captures: pcap and pcapng.
#include "fuzz/fuzz_target.h"
#include "tb/verify/capture/packet_flows.h"
#include "weir/model/topology/topology_generators.h"

namespace weir::test {

static const fuzz_target capture_target("capture", [](std::string_view input) {
    static const model::topology plan = model::make_topology(model::single_config{});
    const std::string path = file_of(input);
    for (const tb::packet_grouping grouping : {tb::packet_grouping::flows, tb::packet_grouping::packets}) {
        const tb::packet_flow_options options{grouping, tb::address_rule::modulo, picoseconds{1'000'000'000}};
        const tb::packet_flows read = tb::read_packet_flows(path, options, plan);
        check(read.scan.errors);
        check_texts(read.scan.warnings);
    }
});

}  // namespace weir::test
