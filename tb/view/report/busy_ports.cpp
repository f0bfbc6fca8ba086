#include <algorithm>
#include <filesystem>
#include <iterator>
#include <optional>
#include <tuple>

#include "tb/support/files/input_file.h"
#include "tb/support/record/record_reader.h"
#include "tb/support/record/row_of.h"
#include "tb/view/report/report_tables.h"
#include "weir/model/engine/drop_reason.h"

namespace weir::tb {

namespace fs = std::filesystem;

namespace {

constexpr const char* elsewhere = "it does not apply to the class or the node";
constexpr auto port_cells =
    std::tuple(cell<std::string>("node"), cell<std::string>("port"), cell<std::string>("peer"),
               cell<std::optional<double>>("port_utilisation_percent").absent(elsewhere),
               cell<std::optional<std::uint64_t>>("tx_bytes").absent(elsewhere),
               cell<std::optional<double>>("paused_ns").absent(elsewhere),
               cell<std::optional<std::uint64_t>>("ingress_max_bytes").absent(elsewhere),
               cell<std::optional<std::uint64_t>>("egress_max_bytes").absent(elsewhere));

}  // namespace

std::vector<busy_port> read_ports(const std::string& directory, config_errors& errors) {
    const fs::path file = fs::path(directory) / "ports.csv";
    if (!path_exists(file)) {
        return {};
    }
    record_reader<row_of<port_cells>> table(file.string(), errors, input_kind::any,
                                            "the ports.csv of a run of weir");
    std::vector<std::size_t> drops;
    for (const auto& reason : names_of(drop_reason{})) {
        if (const auto column = table.optional_column(reason.name + std::string("_frames"))) {
            drops.push_back(*column);
        }
    }
    std::vector<busy_port> ports;
    while (const auto* const row = table.next()) {
        const auto& [node, port, peer, utilisation, tx_bytes, paused, ingress_max, egress_max] = row->cells;
        // Lines of a port follow each other.
        if (ports.empty() || ports.back().node != node || ports.back().port != port) {
            ports.push_back({node, port, peer});
        }
        busy_port& all = ports.back();
        all.utilisation_percent = std::max(all.utilisation_percent, utilisation.value_or(0));
        all.tx_bytes += tx_bytes.value_or(0);
        all.paused_ns += paused.value_or(0);
        all.ingress_max_bytes = std::max(all.ingress_max_bytes, ingress_max.value_or(0));
        all.egress_max_bytes = std::max(all.egress_max_bytes, egress_max.value_or(0));
        for (const std::size_t column : drops) {
            std::uint64_t frames = 0;
            table.number_or_none(column, frames);
            all.dropped_frames += frames;
        }
    }
    return ports;
}

std::vector<busy_port> most_used_ports(std::vector<busy_port> ports, std::size_t most) {
    std::stable_sort(ports.begin(), ports.end(), [](const busy_port& a, const busy_port& b) {
        return a.utilisation_percent > b.utilisation_percent;
    });
    ports.resize(std::min(ports.size(), most));
    return ports;
}

std::vector<busy_port> named_ports(const std::vector<busy_port>& ports, const std::string& message) {
    std::string words = " " + message + " ";
    std::replace_if(
        words.begin(), words.end(), [](char c) { return c == ',' || c == '\n'; }, ' ');
    std::vector<busy_port> named;
    std::copy_if(ports.begin(), ports.end(), std::back_inserter(named), [&](const busy_port& each) {
        const std::string forms[] = {" " + each.node + ".rx", " " + each.node + ".tx",
                                     "." + each.node + ": ingress port ", "." + each.node + ": egress port "};
        return std::any_of(std::begin(forms), std::end(forms), [&](const std::string& form) {
            return words.find(form + each.port + " ") != std::string::npos;
        });
    });
    return named;
}

}  // namespace weir::tb
