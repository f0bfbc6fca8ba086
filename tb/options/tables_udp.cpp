// Options [udp].
#include "tb/options/option_tables.h"

namespace weir::tb {

void add_udp_options(option_table& table, run_config& config) {
    table.block("udp", "UDP at the hosts.").add(config.udp);
    table.condition(udp_config::used, [&config] { return config.traffic.uses_udp(); });
    table.condition("traffic.transport = udp with traffic.kind = poisson, permutation or trace", [&config] {
        return config.traffic.uses_udp() && config.traffic.kind != workload_kind::bernoulli;
    });
}

}  // namespace weir::tb
