// Tables whose lines stand in the order of nodes, hosts first, whatever rank has the nodes.
//
//   write_by_node(file, network, [&](const node_ref& node, std::string& lines) { lines += line_of(node); });
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "tb/files/output_file.h"
#include "weir/model/fabric/fabric.h"

namespace weir::tb {

/// `add(node, lines)` appends a node's lines; called for each node of this rank that is there. Collective.
template <class Add>
void write_by_node(output_file& file, const model::fabric& made, Add&& add) {
    const model::topology& plan = made.plan();
    std::vector<std::pair<std::uint32_t, std::string>> own;
    std::string lines;
    for (std::uint32_t index = 0; index < plan.nodes(); ++index) {
        const model::node_ref node = plan.node_at(index);
        if (!made.is_here(node) || (node.is_host() && made.host(node.index) == nullptr)) {
            continue;
        }
        lines.clear();
        add(node, lines);
        if (made.team().is_alone()) {
            file.write(lines);
        } else if (!lines.empty()) {
            own.emplace_back(index, lines);
        }
    }
    if (!made.team().is_alone()) {
        auto all = gathered(made.team(), std::move(own));
        std::sort(all.begin(), all.end());
        for (const auto& [index, of_node] : all) {
            file.write(of_node);
        }
    }
}

}  // namespace weir::tb
