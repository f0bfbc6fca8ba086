// Options [host].
#include "tb/options/option_table.h"
#include "tb/options/run_config.h"

namespace weir {

void add_host_options(option_table& table, run_config& config) {
    host_config& host = config.host;
    auto block = table.block("host", "Hosts and their NICs.");
    block.add("stack_out", host.stack_out)
        .range(host_config::stack_range)
        .doc("Delay from the transport to the NIC's queue.")
        .source("cross-layer study: 9.5 us");
    block.add("stack_in", host.stack_in)
        .range(host_config::stack_range)
        .doc("Delay from a frame's last bit to the transport.")
        .source("cross-layer study: 24 us");
    block.add("nic_buffer", host.nic_buffer)
        .range(host_config::nic_buffer_range)
        .doc("NIC memory for frames that wait, at least switch.max_frame. 0: as much as is needed.")
        .source("cross-layer study: 512 KB");
    table.check([&config]() {
        config_errors errors = config.host.validate();
        const bytes memory = config.host.nic_buffer;
        if (memory > 0_B && memory < config.device.max_frame) {
            errors.push_back({"", 0, "host.nic_buffer",
                              "'" + to_text(memory) + "' is out of range; allowed: 0B, or at least " +
                                  "switch.max_frame (" + to_text(config.device.max_frame) + ")"});
        }
        return errors;
    });
}

}  // namespace weir
