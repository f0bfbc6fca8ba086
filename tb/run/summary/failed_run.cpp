#include "tb/run/summary/failed_run.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <deque>
#include <map>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include "tb/run/results/summary_writer.h"
#include "tb/run/summary/effective_options.h"
#include "tb/support/files/input_file.h"
#include "tb/support/files/json_file.h"
#include "tb/support/text/csv_file.h"

namespace weir::tb {

using nlohmann::ordered_json;
namespace fs = std::filesystem;

namespace {

constexpr const char* expected_table = "a table of a run of weir";

/// Builds a summary from the tables in a directory. Tables that are missing add nothing.
class table_summary {
 public:
    table_summary(fs::path directory, config_errors& errors)
        : m_directory(std::move(directory)), m_errors(errors) {}

    ordered_json read() {
        read_facts();
        read_end();
        read_ports();
        read_buffers();
        read_limits();
        ordered_json summary = to_json(m_summary);
        clear_unknown(summary);
        return summary;
    }

 private:
    bool has(const char* name) const { return path_exists(m_directory / name); }
    csv_file open(const char* name) {
        return csv_file((m_directory / name).string(), m_errors, input_kind::any, expected_table);
    }
    static std::uint64_t count_or_none(csv_file& table, std::size_t column) {
        std::uint64_t count = 0;
        table.number_or_none(column, count);
        return count;
    }

    void read_facts() {
        const effective_options options = read_effective_options(m_directory / "effective.ini", m_errors);
        if (const std::string* const seed = options.find("run.seed")) {
            std::from_chars(seed->data(), seed->data() + seed->size(), m_summary.seed);
        }
        if (has("run.json")) {
            const json_file facts = read_json(m_directory / "run.json", "the run.json of a run of weir");
            if (facts.errors.empty() && facts.document.is_object()) {
                m_summary.version = facts.document.value("version", "");
            }
        }
    }

    /// The last interval of limit_intervals.csv ends with the run.
    void read_end() {
        if (!has("limit_intervals.csv")) {
            return;
        }
        csv_file table = open("limit_intervals.csv");
        const std::size_t end = table.column("end_ns");
        while (table.next()) {
            double ns = 0;
            if (table.number(end, ns)) {
                m_end = std::max(m_end.value_or(picoseconds{0}), picoseconds{std::llround(ns * 1000)});
            }
        }
        m_summary.simulated = m_end.value_or(picoseconds{0});
    }

    std::map<std::string, std::string> read_tiers() {
        std::map<std::string, std::string> tiers;
        if (has("nodes.csv")) {
            csv_file table = open("nodes.csv");
            const std::vector<std::size_t> at = table.columns({"node", "tier"});
            while (table.next()) {
                tiers.emplace(table.text(at[0]), table.text(at[1]));
            }
        }
        return tiers;
    }

    void read_ports() {
        if (!has("ports.csv")) {
            return;
        }
        m_has_ports = true;
        const std::map<std::string, std::string> tiers = read_tiers();
        csv_file table = open("ports.csv");
        const std::vector<std::size_t> at = table.columns(
            {"node", "xoff_sent", "xon_sent", "paused_ns", "unsent_link_down_frames", "class", "tx_frames"});
        std::vector<std::pair<drop_reason, std::size_t>> reasons;
        m_summary.frames.reasons.clear();
        for (const enum_name<drop_reason> each : names_of(drop_reason{})) {
            if (const auto column = table.optional_column(std::string(each.name) + "_frames")) {
                reasons.emplace_back(each.value, *column);
                m_summary.frames.reasons.push_back(each.value);
            }
        }
        const std::optional<std::size_t> sides[] = {table.optional_column("ingress_max_bytes"),
                                                    table.optional_column("egress_max_bytes")};
        std::optional<std::uint64_t> marks[2];
        while (table.next()) {
            const auto tier = tiers.find(table.text(at[0]));
            const bool is_host = tier != tiers.end() && tier->second == "host";
            class_pauses& pauses = m_pauses[table.text(at[5])];
            pauses.carried = pauses.carried || count_or_none(table, at[6]) > 0;
            pauses.totals.xoff_sent += count_or_none(table, at[1]);
            pauses.totals.xon_sent += count_or_none(table, at[2]);
            if (double ns = 0; tier != tiers.end() && !table.text(at[3]).empty() && table.number(at[3], ns)) {
                pauses.totals.tiers[tier->second].paused += std::llround(ns * 1000);
            }
            m_summary.frames.unsent_link_down += count_or_none(table, at[4]);
            for (const auto& [reason, column] : reasons) {
                const std::uint64_t lost = count_or_none(table, column);
                m_summary.frames.drops[static_cast<unsigned>(reason)] += lost;
                // These were never on a wire.
                m_summary.frames.dropped += reason == drop_reason::nic_full ? 0 : lost;
            }
            for (std::size_t side = 0; side < 2; ++side) {
                if (sides[side] && !is_host && !table.text(*sides[side]).empty()) {
                    marks[side] = std::max(marks[side].value_or(0), count_or_none(table, *sides[side]));
                }
            }
        }
        // Pauses of a class that carried no frame delay nothing.
        for (const auto& [name, pauses] : m_pauses) {
            if (pauses.carried) {
                m_summary.pauses.add(pauses.totals);
            }
        }
        // buffers.csv has the watermarks of a shared memory.
        for (std::size_t side = 0; side < 2 && !has("buffers.csv"); ++side) {
            if (marks[side]) {
                m_summary.buffers.push_back({side == 0 ? "ingress" : "egress", 1, *marks[side], 0});
            }
        }
    }

    void read_buffers() {
        if (!has("buffers.csv")) {
            return;
        }
        csv_file table = open("buffers.csv");
        const std::vector<std::size_t> at = table.columns({"what", "watermark_bytes"});
        while (table.next()) {
            const std::string& kind = table.text(at[0]);
            const auto known = std::find_if(m_summary.buffers.begin(), m_summary.buffers.end(),
                                            [&](const buffer_mark& each) { return each.kind == kind; });
            const std::uint64_t mark = count_or_none(table, at[1]);
            if (known == m_summary.buffers.end()) {
                m_summary.buffers.push_back({kind, 1, mark, 0});
            } else {
                known->watermark = std::max(known->watermark, mark);
            }
        }
    }

    /// Resources that were never used have no line, and do not count.
    void read_limits() {
        if (!has("limits.csv")) {
            return;
        }
        m_has_limits = true;
        csv_file table = open("limits.csv");
        const std::vector<std::size_t> at =
            table.columns({"node", "resource", "part", "busy_percent", "stalled_percent", "port_used_percent",
                           "lost_frames", "bound_percent", "bound_from_ns", "bound_to_ns"});
        std::vector<resource_use> all;
        const auto number = [&](std::size_t column) {
            double value = 0;
            table.number_or_none(at[column], value);
            return value;
        };
        while (table.next()) {
            const std::optional<resource_kind> kind = find_named<resource_kind>(table.text(at[1]));
            if (!kind) {
                continue;
            }
            resource_use use;
            use.kind = *kind;
            // The name in full: `part_kind` stays `whole`.
            m_names.push_back(table.text(at[0]) + (table.text(at[2]).empty() ? "" : "." + table.text(at[2])));
            use.node_name = &m_names.back();
            use.busy_percent = number(3);
            use.stalled_percent = number(4);
            use.port_used_percent = number(5);
            use.lost_frames = static_cast<std::uint64_t>(number(6));
            use.bound_percent = number(7);
            use.bound_from = picoseconds{std::llround(number(8) * 1000)};
            use.bound_to = picoseconds{std::llround(number(9) * 1000)};
            all.push_back(use);
        }
        m_summary.resources = summary_of(all);
    }

    /// Null for what no table says: 0 would be a claim.
    void clear_unknown(ordered_json& j) const {
        const auto clear = [](ordered_json& object) {
            for (auto& [key, value] : object.items()) {
                value = nullptr;
            }
        };
        j["packet_hops"] = nullptr;
        for (const char* key : {"sent", "delivered", "inside"}) {
            j["frames"][key] = nullptr;
        }
        j["pfc"]["frames_sent"] = nullptr;
        j["pfc"].erase("paused_percent");
        for (auto& [kind, mark] : j["buffers"].items()) {
            mark["size_bytes"] = nullptr;
            mark.erase("watermark_percent");
        }
        clear(j["goodput"]);
        clear(j["flows"]);
        if (!m_end) {
            j["simulated_ns"] = nullptr;
        }
        if (!m_has_ports) {
            j["frames"]["dropped"] = nullptr;
            j["drops"] = ordered_json::object();
            j["pfc"]["xoff_sent"] = nullptr;
            j["pfc"]["xon_sent"] = nullptr;
        }
        if (!m_has_limits) {
            j["limited_by"] = nullptr;
        }
    }

    struct class_pauses {
        pause_totals totals;
        /// Some node has sent a data frame of the class.
        bool carried = false;
    };

    fs::path m_directory;
    config_errors& m_errors;
    run_summary m_summary;
    std::map<std::string, class_pauses> m_pauses;
    /// Full names of resources; `m_summary` points to them.
    std::deque<std::string> m_names;
    std::optional<picoseconds> m_end;
    bool m_has_ports = false;
    bool m_has_limits = false;
};

}  // namespace

std::optional<run_failure> failure_in(const fs::path& directory) {
    const fs::path file = directory / "failure.json";
    return path_exists(file) ? parse_failure(read_whole(file.string(), "a failure.json of weir"))
                             : std::nullopt;
}

std::string verdict_text(const run_failure& failure) {
    std::string text = failure.verdict ? name_of(*failure.verdict) : "failure";
    std::replace(text.begin(), text.end(), '_', ' ');
    return text;
}

std::string message_text(const run_failure& failure) {
    constexpr std::string_view report = "/weir/";
    const std::size_t end = failure.error.find(": ");
    const bool is_named = failure.error.compare(0, report.size(), report) == 0 && end != std::string::npos;
    return is_named ? failure.error.substr(end + 2) : failure.error;
}

known_results read_known_results(const fs::path& path) {
    std::error_code ignored;
    const fs::path directory = fs::is_directory(path, ignored) ? path : path.parent_path();
    known_results results;
    results.failure = failure_in(directory);
    results.is_from_tables = results.failure && !path_exists(directory / "summary.json");
    if (results.is_from_tables) {
        results.summary = table_summary(directory, results.errors).read();
        if (const std::optional<transfer_counts>& flows = results.failure->flows) {
            results.summary["flows"].update({{"started", flows->started},
                                             {"completed", flows->completed},
                                             {"unfinished", flows->unfinished}});
        }
    } else {
        static_cast<summary_file&>(results) = read_summary(path);
    }
    return results;
}

}  // namespace weir::tb
