// Options [tcp].
#include "tb/options/option_tables.h"
#include "weir/traffic/tcp/congestion_kinds.h"
#include "weir/traffic/tcp/path_choices.h"

namespace weir::tb {

template <>
struct enum_names<congestion_kind> : registered_names<congestion_kind, congestion_kinds> {};
template <>
struct enum_names<path_kind> : registered_names<path_kind, path_choices> {};

void add_tcp_options(option_table& table, run_config& config) {
    table.block("tcp", "TCP at the hosts.").add(config.tcp);
    table.condition(tcp_config::used, [&config] { return config.traffic.uses_tcp(); });
}

}  // namespace weir::tb
