#include "tb/run/options/run_options.h"

#include <map>
#include <mutex>
#include <utility>

#include "tb/run/options/run_conditions.h"
#include "tb/support/plugins/loaded_plugins.h"
#include "weir/model/host/nic_queues.h"
#include "weir/model/marking/marker.h"
#include "weir/model/memory/memory_organisation.h"
#include "weir/model/memory/queue_order.h"
#include "weir/model/overflow/overflow_action.h"
#include "weir/model/switch/block_kinds.h"
#include "weir/traffic/apps/workloads.h"
#include "weir/traffic/congestion/congestion_kinds.h"
#include "weir/traffic/congestion/path_choices.h"
#include "weir/traffic/roce/rate_controls.h"

namespace weir::tb {

option_table make_option_table(run_config& config) {
    option_table table;
    table.count_cells_of("switch.memory_cell");
    table.block("run", "The simulation as a whole.").add(config.run).add(config.plugins);
    table.block("fabric", "Hosts, switches and the links between them.").add(config.fabric);
    table.block("link", "Properties of every link for which the topology gives no others.").add(config.link);
    table.block("switch", "Switches: memory, lookup, crossbar, arbiter, classes and scheduler.")
        .add(config.device)
        .add(config);
    table.block("shared", "Memory that all ports of a switch share (switch.buffer = shared).")
        .add(config.shared)
        .add(config.shared_tables);
    table
        .block("sram",
               "Bandwidth of packet memories: each port's ingress and egress memory, or each slice of a shared "
               "one.")
        .add(config.sram);
    table.block("marking", "Marking of frames (ECN) by the length of their egress queue.").add(config.marking);
    table
        .block("qcn",
               "QCN: congestion points at egress queues (marking.kind = qcn), rate limiters in adapters; "
               "docs/blocks/qcn.md.")
        .add(config.qcn);
    table
        .block("detour",
               "Detours of frames whose egress port is full (switch.overflow = detour); docs/blocks/detour.md.")
        .add(config.detour);
    table.block("pfc", "Link-level flow control: switches send and obey pauses, hosts only obey them.")
        .add(config.flow_control);
    table.block("mac", "MACs of switches.").add(config.blocks);
    table.block("rtl", "RTL in the loop (docs/rtl.md).").add(config.rtl);
    table.block("host", "Hosts and their NICs.").add(config.host);
    table.block("tcp", "TCP at the hosts.").add(config.tcp);
    table.block("cubic", "CUBIC: TCP's window as a cubic function of time.").add(config.tcp.cubic);
    table.block("vegas", "Vegas: TCP's window by how many segments wait in queues.").add(config.tcp.vegas);
    table.block("flowbender", "FlowBender: senders that leave congested paths.").add(config.tcp.flowbender);
    table.block("udp", "UDP at the hosts.").add(config.udp);
    table.block("roce", "RoCEv2 at the hosts, and DCQCN.").add(config.roce);
    table.block("pfabric", "pFabric at the hosts.").add(config.pfabric);
    table.block("traffic", "What the hosts send.").add(config.traffic).add(config.files);
    table.block("output", "What a run writes besides its summary.").add(config.output);
    table.block("trace", "Traces: captures, causes of pauses and drops, waveforms and frame journeys.")
        .add(config.trace);
    config.extensions.add_to(table);
    add_conditions(table, config);
    table.finish();
    table.check([&config] { return config.validate(); });
    return table;
}

const option_table& known_options() {
    struct default_options {
        run_config config;
        option_table table = make_option_table(config);
    };
    static std::mutex guard;
    // One table for each pair of the numbers of plugins and of registered blocks. Neither number ever falls, so
    // the same pair means the same options.
    static std::map<std::pair<std::size_t, std::size_t>, default_options> tables;
    const std::lock_guard lock(guard);
    return tables[{loaded_plugins().size(), extension_blocks::registered().size()}].table;
}

}  // namespace weir::tb
