// Options [host].
#include "tb/options/option_tables.h"

namespace weir {

void add_host_options(option_table& table, run_config& config) {
    table.block("host", "Hosts and their NICs.").add(config.host);
}

}  // namespace weir
