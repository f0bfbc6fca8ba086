// Options [shared]: the memory that all ports of a switch share.
#include "tb/options/option_tables.h"

namespace weir::tb {

template <>
struct enum_names<buffer_kind> {
    static constexpr enum_name<buffer_kind> list[] = {
        {buffer_kind::partitioned, "partitioned",
         "each ingress port and each egress port has its own memory; a crossbar connects them"},
        {buffer_kind::shared, "shared", "all ports share one memory ([shared]); there is no crossbar"},
    };
};
template <>
struct enum_names<slice_map> {
    static constexpr enum_name<slice_map> list[] = {
        {slice_map::egress, "egress", "by egress port; consecutive ports share a slice"},
        {slice_map::ingress, "ingress", "by ingress port; consecutive ports share a slice"},
    };
};

void add_shared_options(option_table& table, run_config& config) {
    table.block("shared", "Memory that all ports of a switch share (switch.buffer = shared).")
        .add(config.shared)
        .add(config.shared_tables);
    const auto some = [&config](bool lossless) {
        for (unsigned c = 0; c < config.device.classes; ++c) {
            const bool held_back =
                config.flow_control.mode != flow_control_mode::none && config.shared.is_lossless(c);
            if (held_back == lossless) {
                return true;
            }
        }
        return false;
    };
    table.condition(shared_buffer_config::when_lossless, [some] { return some(true); });
    table.condition(shared_buffer_config::when_lossy, [some] { return some(false); });
    // A table of SONiC's gives all lossless groups theirs.
    table.condition("no shared.pg_profile_lookup, or lossy classes",
                    [&config, some] { return config.shared_tables.pg_profile_lookup.empty() || some(false); });
    table.condition("traffic over TCP", [&config] { return config.traffic.uses_tcp(); });
}

}  // namespace weir::tb
