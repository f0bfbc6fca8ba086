#include "tb/results/node_table.h"

#include <utility>

#include "tb/record/record_table.h"
#include "tb/results/fabric_totals.h"

namespace weir::tb {

void write_node_table(output_file file, const topology& plan) {
    record_table<node_row> table(std::move(file));
    for (std::uint32_t i = 0; i < plan.nodes(); ++i) {
        const node_ref n = plan.node_at(i);
        const std::string tier = tier_name(plan, n);
        n.is_host()
            ? table.write({plan.name(n), listed_node::host, n.index, to_text(plan.address_of(n.index)), tier})
            : table.write({plan.name(n), listed_node::device, std::nullopt, "", tier});
    }
    table.finish();
}

}  // namespace weir::tb
