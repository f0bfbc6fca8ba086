// Options [host].
#include "tb/options/option_tables.h"
#include "weir/model/host/nic_queues.h"

namespace weir::tb {

template <>
struct enum_names<nic_kind> : registered_names<nic_kind, nic_kinds> {};

void add_host_options(option_table& table, run_config& config) {
    table.block("host", "Hosts and their NICs.").add(config.host);
}

}  // namespace weir::tb
