#include "tb/setup/table_sizes.h"

#include <algorithm>

#include "weir/model/fabric/fabric_changes.h"
#include "weir/model/forwarding/static_routes.h"

namespace weir::tb {

std::vector<std::size_t> table_sizes(const built_topology& built, const std::vector<switch_id>& switches) {
    std::vector<std::size_t> sizes(built.plan.switches());
    const auto consider = [&](const link_states& up) {
        for_each_route_table(built.plan, up, switches, [&](switch_id s, const route_table& computed) {
            route_table table = computed;
            add_static_routes(built.plan, built.routes, s, table);
            sizes[s] = std::max(sizes[s], table.size());
        });
    };
    link_states up = all_links_up(built.plan);
    consider(up);
    const std::vector<fabric_change> changes = in_order(built.changes);
    for (std::size_t i = 0; i < changes.size(); ++i) {
        up[changes[i].link] = changes[i].up.value_or(up[changes[i].link]);
        // Tables follow when all changes of an instant have been made.
        if (changes[i].up && (i + 1 == changes.size() || changes[i + 1].at != changes[i].at)) {
            consider(up);
        }
    }
    return sizes;
}

}  // namespace weir::tb
