// nodes.csv: the names of each node in other tables. Columns `node` and `peer` hold a name, `src` and `dst` of
// flows, jobs and causes a host's number, as traces have it, and captures a host's address.
//
//   write_node_table(directory.create<node_row>(), plan);
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "tb/files/output_file.h"
#include "tb/record/cell.h"
#include "weir/model/topology/topology.h"

namespace weir::tb {

enum class listed_node : std::uint8_t { host, device };
constexpr auto names_of(listed_node) {
    return enum_names<listed_node>({{listed_node::host, "host"}, {listed_node::device, "switch"}});
}

struct node_row {
    std::string_view node{};
    listed_node kind{};
    std::optional<host_id> host{};
    std::string address{};
    std::string tier{};

    static constexpr table_facts table{
        "nodes.csv",
        "Names, numbers and addresses of hosts and switches, hosts first; joins the other tables."};
    template <class Columns>
    static void describe(Columns& columns) {
        using self = typename Columns::row;
        columns(column("node", &self::node, "Name, as in the columns node and peer of other tables."));
        columns(column("kind", &self::kind, "Kind of node."));
        columns(column("host", &self::host, "Number, as in the columns src and dst of other tables.")
                    .absent("it is a switch"));
        columns(column("address", &self::address, "IPv4 address, as in captures.").absent("it is a switch"));
        columns(
            column("tier", &self::tier, "Place in the fabric: host, tier1 (switches with hosts), tier2, ...")
                .pattern("host|tier[0-9]+"));
    }
};

/// Hosts, then switches. Throws output_error.
void write_node_table(output_file file, const topology& plan);

}  // namespace weir::tb
