// Options [tcp].
#include "tb/options/option_tables.h"

namespace weir {

void add_tcp_options(option_table& table, run_config& config) {
    table.block("tcp", "TCP at the hosts.").add(config.tcp);
    table.condition(tcp_config::used, [&config] { return config.traffic.uses_tcp(); });
}

}  // namespace weir
