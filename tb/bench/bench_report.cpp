#include "tb/bench/bench_report.h"

#include <algorithm>

#include "tb/process/build_facts.h"
#include "tb/record/row_json.h"
#include "tb/text/text_format.h"
#include "tb/text/text_table.h"

namespace weir::tb {

using nlohmann::ordered_json;

namespace {

std::string decimal(double value, int decimals, const char* unit) {
    return decimal_text(value, decimals) + unit;
}

std::string mebibytes(std::uint64_t bytes) {
    return decimal(static_cast<double>(bytes) / (1 << 20), 0, " MiB");
}

std::string speed_up(const bench_row& row, const bench_row& first) {
    return &row == &first || row.engine != first.engine
               ? ""
               : decimal(row.hops_per_wall_second() / first.hops_per_wall_second(), 2, "");
}

text_table::row cells_of(const std::string& name, const bench_row& row, const bench_row& first) {
    return {name,
            row.engine,
            std::to_string(row.samples.front().threads),
            count_text(row.samples.front().packet_hops),
            decimal(row.setup_cpu_seconds(), 2, " s"),
            decimal(row.cpu_seconds_per_hop() * 1e9, 0, " ns"),
            row.samples.size() < 2 ? "" : "+" + decimal(100 * row.cpu_spread(), 0, " %"),
            count_text(static_cast<std::uint64_t>(row.hops_per_wall_second())),
            speed_up(row, first),
            mebibytes(row.peak_memory_bytes()),
            row.instructions_per_hop ? count_text(static_cast<std::uint64_t>(*row.instructions_per_hop + 0.5))
                                     : ""};
}

/// How many times as much a peer takes: the best of each, and where there are several pairs their median and
/// how far they lie apart.
void add_ratios(text_table& table, const bench_row& peer, const bench_row& first) {
    const cpu_ratios cpu(peer, first);
    const bool counted = peer.instructions_per_hop && first.instructions_per_hop;
    table.add(
        {"", peer.engine + " / " + first.engine, "", "", "", decimal(cpu.of_best, 2, " x"), "", "", "",
         decimal(static_cast<double>(peer.peak_memory_bytes()) / static_cast<double>(first.peak_memory_bytes()),
                 2, " x"),
         counted ? decimal(*peer.instructions_per_hop / *first.instructions_per_hop, 2, " x") : ""});
    if (cpu.pairs.size() > 1) {
        table.add({"", "median of " + std::to_string(cpu.pairs.size()) + " pairs", "", "", "",
                   decimal(cpu.median, 2, " x"),
                   decimal(cpu.smallest, 2, "") + " to " + decimal(cpu.largest, 2, " x")});
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
    text_table table({"case", "engine", "threads", "packet-hops", "set-up", "CPU/hop", "worst", "hops/s",
                      "speed-up", "memory", "instructions/hop"});
    for (const bench_result& result : results) {
        const bench_row& first = result.rows.front();
        for (const bench_row& row : result.rows) {
            table.add(cells_of(&row == &first ? result.which.name : "", row, first));
            if (row.engine != first.engine) {
                add_ratios(table, row, first);
            }
        }
    }
    table.print(out);
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
