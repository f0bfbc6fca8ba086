#include "tb/bench/bench_report.h"

#include <algorithm>

#include "tb/support/process/build_facts.h"
#include "tb/support/record/row_json.h"
#include "tb/support/record/table_writers.h"
#include "tb/support/text/text_format.h"

namespace weir::tb {

using nlohmann::ordered_json;

namespace {

void add_row(data_table& table, const std::string& name, const bench_row& row, const bench_row& first) {
    const bool is_first = &row == &first;
    const bool is_peer = row.engine != first.engine;
    table.add_row({name, row.engine, row.samples.front().threads, row.samples.front().packet_hops,
                   row.setup_cpu_seconds(), row.cpu_seconds_per_hop() * 1e9,
                   row.samples.size() < 2 ? table_cell("")
                                          : table_cell("+" + decimal_text(100 * row.cpu_spread(), 0) + " %"),
                   static_cast<std::uint64_t>(row.hops_per_wall_second()),
                   is_first || is_peer ? table_cell("")
                                       : table_cell(row.hops_per_wall_second() / first.hops_per_wall_second()),
                   static_cast<double>(row.peak_memory_bytes()) / (1 << 20),
                   row.instructions_per_hop
                       ? table_cell(static_cast<std::uint64_t>(*row.instructions_per_hop + 0.5))
                       : table_cell("")});
}

/// How many times as much a peer takes: the best of each, and where there are several pairs their median and
/// how far they lie apart.
void add_ratios(data_table& table, const bench_row& peer, const bench_row& first) {
    const auto times = [](double ratio) { return decimal_text(ratio, 2) + " x"; };
    const cpu_ratios cpu(peer, first);
    const bool counted = peer.instructions_per_hop && first.instructions_per_hop;
    table.add_row(
        {"", peer.engine + " / " + first.engine, "", "", "", times(cpu.of_best), "", "", "",
         times(static_cast<double>(peer.peak_memory_bytes()) / static_cast<double>(first.peak_memory_bytes())),
         counted ? times(*peer.instructions_per_hop / *first.instructions_per_hop) : ""});
    if (cpu.pairs.size() > 1) {
        table.add_row({"", "median of " + std::to_string(cpu.pairs.size()) + " pairs", "", "", "",
                       times(cpu.median), decimal_text(cpu.smallest, 2) + " to " + times(cpu.largest)});
    }
}

ordered_json to_json(const bench_row& row, const bench_row& first) {
    ordered_json j;
    j["engine"] = row.engine;
    j["threads"] = row.samples.front().threads;
    j["simulated_ns"] = row.simulated_ns;
    j["options"] = row.options;
    j["cpu_ns_per_hop"] = row.cpu_seconds_per_hop() * 1e9;
    j["hops_per_wall_second"] = row.hops_per_wall_second();
    j["setup_cpu_seconds"] = row.setup_cpu_seconds();
    j["peak_memory_bytes"] = row.peak_memory_bytes();
    j["instructions_per_hop"] =
        row.instructions_per_hop ? ordered_json(*row.instructions_per_hop) : ordered_json();
    if (row.engine != first.engine) {
        const cpu_ratios cpu(row, first);
        j["cpu_ratio"] = cpu.of_best;
        j["cpu_ratio_median"] = cpu.median;
        j["cpu_ratio_pairs"] = cpu.pairs;
        j["instructions_ratio"] = row.instructions_per_hop && first.instructions_per_hop
                                      ? ordered_json(*row.instructions_per_hop / *first.instructions_per_hop)
                                      : ordered_json();
    } else {
        j["speed_up"] = row.hops_per_wall_second() / first.hops_per_wall_second();
    }
    j["samples"] = ordered_json::array();
    for (const bench_sample& s : row.samples) {
        j["samples"].push_back(json_of(s));
    }
    return j;
}

}  // namespace

cpu_ratios::cpu_ratios(const bench_row& peer, const bench_row& weir)
    : of_best(peer.cpu_seconds_per_hop() / weir.cpu_seconds_per_hop()) {
    // An interruption may have left one of them a turn behind.
    for (std::size_t i = 0; i < std::min(peer.samples.size(), weir.samples.size()); ++i) {
        pairs.push_back(peer.samples[i].cpu_seconds_per_hop() / weir.samples[i].cpu_seconds_per_hop());
    }
    std::vector<double> sorted = pairs;
    std::sort(sorted.begin(), sorted.end());
    smallest = sorted.front();
    largest = sorted.back();
    median = (sorted[(sorted.size() - 1) / 2] + sorted[sorted.size() / 2]) / 2;
}

bool bench_result::is_measured() const {
    return std::none_of(rows.begin(), rows.end(), [](const bench_row& row) { return row.samples.empty(); });
}

bool is_optimised_build() {
#if defined(__OPTIMIZE__) && !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
    return true;
#else
    return false;
#endif
}

void print_bench(std::ostream& out, const bench_facts& facts, const std::vector<bench_result>& results) {
    data_table table({{"case"},
                      {"engine"},
                      {"threads"},
                      {"packet-hops"},
                      {"set-up", fixed(2, " s")},
                      {"CPU/hop", fixed(0, " ns")},
                      {"worst"},
                      {"hops/s"},
                      {"speed-up", fixed(2)},
                      {"memory", fixed(0, " MiB")},
                      {"instructions/hop"}});
    for (const bench_result& result : results) {
        const bench_row& first = result.rows.front();
        for (const bench_row& row : result.rows) {
            add_row(table, &row == &first ? result.which.name : "", row, first);
            if (row.engine != first.engine) {
                add_ratios(table, row, first);
            }
        }
    }
    print_table(out, table);
    for (const peer_facts& peer : facts.peers) {
        out << peer.name << ": " << peer.version << ", " << peer.build << '\n';
    }
}

ordered_json to_json(const bench_facts& facts, const std::vector<bench_result>& results) {
    ordered_json j;
    j["version"] = facts.version;
    j["complete"] = facts.complete;
    j["build"] = this_build().build;
    j["optimised"] = is_optimised_build();
    j["max_ports"] = WEIR_MAX_PORTS;
    j["machine"] = facts.machine;
    j["processors"] = facts.processors;
    j["date"] = facts.date;
    j["command_line"] = facts.command_line;
    j["peers"] = ordered_json::object();
    j["peer_builds"] = ordered_json::object();
    for (const peer_facts& peer : facts.peers) {
        j["peers"][peer.name] = peer.version;
        j["peer_builds"][peer.name] = peer.build;
    }
    j["overrides"] = facts.overrides;
    j["cases"] = ordered_json::array();
    for (const bench_result& result : results) {
        ordered_json c;
        c["case"] = result.which.name;
        c["what"] = result.which.what;
        c["rows"] = ordered_json::array();
        for (const bench_row& row : result.rows) {
            c["rows"].push_back(to_json(row, result.rows.front()));
        }
        j["cases"].push_back(std::move(c));
    }
    return j;
}

}  // namespace weir::tb
