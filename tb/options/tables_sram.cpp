// Options [sram]: how much a packet memory can read and write.
#include "tb/options/option_tables.h"

namespace weir::tb {

template <>
struct enum_names<sram_ports> {
    static constexpr enum_name<sram_ports> list[] = {
        {sram_ports::one_read_or_write, "1rw", "one read or one write"},
        {sram_ports::one_read_one_write, "1r1w", "one read and one write"},
    };
};

void add_sram_options(option_table& table, run_config& config) {
    table
        .block("sram",
               "Bandwidth of packet memories: each port's ingress and egress memory, or each slice of a shared "
               "one.")
        .add(config.sram);
}

}  // namespace weir::tb
