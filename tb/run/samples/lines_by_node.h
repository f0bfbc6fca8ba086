// Writes a table whose lines stand in the order of nodes, hosts first, whichever rank has the nodes.
//
//   write_by_node(table, network, [&](const node_ref& node, const auto& put) { put(row_of(node)); });
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "tb/support/record/record_table.h"
#include "weir/model/fabric/fabric.h"

namespace weir::tb {

/// Calls add(node, put) for each node that is on this rank; `put(row)` writes a line. Collective.
template <class Row, class Add>
void write_by_node(record_table<Row>& table, const model::fabric& made, Add&& add) {
    const model::topology& plan = made.plan();
    std::vector<std::pair<std::uint32_t, std::string>> own;
    kept_lines lines;
    for (std::uint32_t index = 0; index < plan.nodes(); ++index) {
        const model::node_ref node = plan.node_at(index);
        if (!made.is_here(node) || (node.is_host() && made.host(node.index) == nullptr)) {
            continue;
        }
        if (made.team().is_alone()) {
            add(node, [&](const Row& row) { table.write(row); });
            continue;
        }
        lines.clear();
        add(node, [&](const Row& row) { put_line(lines, row); });
        if (!lines.text().empty()) {
            own.emplace_back(index, lines.text());
        }
    }
    if (!made.team().is_alone()) {
        auto all = gathered(made.team(), std::move(own));
        std::sort(all.begin(), all.end());
        for (const auto& [index, of_node] : all) {
            table.write_lines(of_node);
        }
    }
}

}  // namespace weir::tb
