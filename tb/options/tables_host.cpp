// Options [host].
#include "tb/options/option_table.h"
#include "tb/options/run_config.h"
#include "weir/model/host/nic_queues.h"

namespace weir {

template <>
struct enum_names<nic_kind> : registered_names<nic_kind, nic_kinds> {};

void add_host_options(option_table& table, run_config& config) {
    host_config& host = config.host;
    auto block = table.block("host", "Hosts and their NICs.");
    block.add("stack_out", host.stack_out)
        .range(host_config::stack_range)
        .doc("Delay of a frame from the transport to the NIC's queue.")
        .source("cross-layer study: 9.5 us");
    block.add("stack_in", host.stack_in)
        .range(host_config::stack_range)
        .doc("Delay from the arrival of a frame's last bit to the transport.")
        .source("cross-layer study: 24 us");
    block.add("nic_buffer", host.nic_buffer)
        .range(host_config::nic_buffer_range)
        .doc(
            "Memory of the NIC for frames that wait for transmission. At least switch.max_frame. 0: unlimited.")
        .source("cross-layer study: 512 KB");
    block.add("nic", host.nic).doc("Queues and rate limiters of the NIC.").source("project");
    block.add_repeated("broken", config.broken_adapters)
        .form("HOST, then any of classes=, from=, to=, such as h3 classes=3,4 from=2ms to=9ms")
        .doc(
            "The network adapter of this host is broken: it pauses its link for ever, or between the times "
            "from= and to=, for all classes or for the classes given. May be given several times. Needs "
            "pfc.mode = pfc or pause. docs/pause-storms.md.")
        .source("Guo et al., SIGCOMM 2016, section 4.3: the NIC PFC frame storm");
    table.check([&config]() {
        config_errors errors = config.host.validate();
        if (!config.broken_adapters.empty() && config.pfc.mode == flow_control_mode::none) {
            errors.push_back(
                {"", 0, "host.broken[0]",
                 "pauses a link that has no flow control; expected pfc.mode = pfc or pfc.mode = pause"});
        }
        const bytes memory = config.host.nic_buffer;
        if (memory > 0_B && memory < config.device.max_frame) {
            errors.push_back({"", 0, "host.nic_buffer",
                              "'" + to_text(memory) + "' is out of range; expected 0B, or at least " +
                                  "switch.max_frame (" + to_text(config.device.max_frame) + ")"});
        }
        return errors;
    });
}

}  // namespace weir
