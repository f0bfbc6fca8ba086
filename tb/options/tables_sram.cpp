// Options [sram]: how much a packet memory can read and write.
#include "tb/options/option_table.h"
#include "tb/options/run_config.h"

namespace weir {

template <>
struct enum_names<sram_ports> {
    static constexpr enum_name<sram_ports> list[] = {
        {sram_ports::one_read_or_write, "1rw", "one read or one write"},
        {sram_ports::one_read_one_write, "1r1w", "one read and one write"},
    };
};

void add_sram_options(option_table& table, run_config& config) {
    sram_config& sram = config.sram;
    auto block =
        table.block("sram",
                    "Bandwidth of packet memories: each port's ingress and egress memory, or each slice "
                    "of a shared one.");
    block.add("access_time", sram.access_time)
        .range(sram_config::access_time_range)
        .doc(
            "Duration of one access to a bank, which moves one cell (switch.memory_cell). Bandwidth = banks x "
            "cell / access_time. 0: bandwidth is unlimited.")
        .source("project; about 1 ns in an ASIC");
    const relevance limited{"sram.access_time above 0", [&sram] { return sram.is_limited(); }};
    block.add("banks", sram.banks)
        .range(sram_config::banks_range)
        .matters(limited)
        .doc(
            "Number of banks per memory. The first cell of a frame goes to the bank that is free first, the "
            "following cells to the next banks.")
        .source("project");
    block.add("ports", sram.ports)
        .matters(limited)
        .doc("Accesses that a bank can make in one access time.")
        .source("project; single-port cells are the smallest");
    table.check([&config] { return config.sram.validate(); });
}

}  // namespace weir
