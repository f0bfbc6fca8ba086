#include "tb/results/node_table.h"

#include "tb/results/fabric_totals.h"
#include "tb/text/text_format.h"

namespace weir::tb {

void write_node_table(output_file& file, const topology& plan) {
    file.write("node,kind,host,address,tier\n");
    csv_line line;
    for (std::uint32_t i = 0; i < plan.nodes(); ++i) {
        const node_ref n = plan.node_at(i);
        line.add_name(plan.name(n)).add_name(n.is_host() ? "host" : "switch");
        if (n.is_host()) {
            line.add(n.index).add_name(to_text(plan.address_of(n.index)));
        } else {
            line.add_nothing(2);
        }
        line.add_name(tier_name(plan, n));
        file.write(line.end());
    }
}

}  // namespace weir::tb
