#include "tb/report/busy_ports.h"

#include <algorithm>
#include <filesystem>
#include <map>
#include <set>
#include <utility>

#include "tb/files/input_file.h"
#include "tb/text/csv_file.h"

namespace weir::tb {

namespace fs = std::filesystem;

namespace {

/// `egress_full_frames`, but not what was received or sent, or never was on a wire.
std::vector<std::size_t> drop_columns(const csv_file& table) {
    static const std::set<std::string> others{"rx_frames", "tx_frames", "unsent_link_down_frames"};
    const std::string end = "_frames";
    std::vector<std::size_t> columns;
    for (std::size_t i = 0; i < table.header().size(); ++i) {
        const std::string& name = table.header()[i];
        const bool counts_frames =
            name.size() > end.size() && name.compare(name.size() - end.size(), end.size(), end) == 0;
        if (counts_frames && others.count(name) == 0) {
            columns.push_back(i);
        }
    }
    return columns;
}

/// 0 where the field is empty: it does not apply.
template <class Number>
Number number_or_none(csv_file& table, std::size_t column) {
    Number value{};
    table.number_or_none(column, value);
    return value;
}

}  // namespace

std::vector<busy_port> most_used_ports(const std::string& directory, std::size_t most, config_errors& errors) {
    const fs::path file = fs::path(directory) / "ports.csv";
    if (!path_exists(file)) {
        return {};
    }
    csv_file table(file.string(), errors, input_kind::any, "the ports.csv of a run of weir");
    const std::vector<std::size_t> columns =
        table.columns({"node", "port", "peer", "port_utilisation_percent", "tx_bytes", "paused_ns",
                       "ingress_max_bytes", "egress_max_bytes"});
    const std::vector<std::size_t> drops = drop_columns(table);
    std::vector<busy_port> ports;
    std::map<std::pair<std::string, std::string>, std::size_t> known;
    while (table.next()) {
        const auto [place, is_new] =
            known.emplace(std::pair(table.text(columns[0]), table.text(columns[1])), ports.size());
        if (is_new) {
            ports.push_back({place->first.first, place->first.second, table.text(columns[2])});
        }
        busy_port& port = ports[place->second];
        port.utilisation_percent =
            std::max(port.utilisation_percent, number_or_none<double>(table, columns[3]));
        port.tx_bytes += number_or_none<std::uint64_t>(table, columns[4]);
        port.paused_ns += number_or_none<double>(table, columns[5]);
        port.ingress_max_bytes =
            std::max(port.ingress_max_bytes, number_or_none<std::uint64_t>(table, columns[6]));
        port.egress_max_bytes =
            std::max(port.egress_max_bytes, number_or_none<std::uint64_t>(table, columns[7]));
        for (const std::size_t column : drops) {
            port.dropped_frames += number_or_none<std::uint64_t>(table, column);
        }
    }
    std::stable_sort(ports.begin(), ports.end(), [](const busy_port& a, const busy_port& b) {
        return a.utilisation_percent > b.utilisation_percent;
    });
    ports.resize(std::min(ports.size(), most));
    return ports;
}

}  // namespace weir::tb
