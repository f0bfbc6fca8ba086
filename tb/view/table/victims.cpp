#include "tb/view/table/run_table.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <set>
#include <unordered_map>
#include <utility>

#include "tb/run/summary/failed_run.h"
#include "tb/run/summary/summary_reader.h"
#include "tb/run/summary/summary_texts.h"
#include "tb/support/files/input_file.h"
#include "tb/support/text/csv_file.h"
#include "tb/support/text/joined.h"
#include "tb/support/text/nearest_name.h"
#include "weir/base/rng.h"

namespace weir::tb {

namespace fs = std::filesystem;

namespace {

constexpr const char* expected_file = "the directory of a run of weir";

/// Names of hosts, and of their switches, by number of host.
struct host_names {
    std::vector<std::string> hosts;
    std::vector<std::string> switches;

    bool operator==(const host_names& other) const {
        return hosts == other.hosts && switches == other.switches;
    }
};

host_names read_hosts(const fs::path& run, config_errors& errors) {
    host_names names;
    std::map<std::string, std::size_t> numbers;
    csv_file nodes((run / "nodes.csv").string(), errors, input_kind::any, expected_file);
    const std::vector<std::size_t> node_columns = nodes.columns({"node", "kind", "host"});
    while (nodes.next()) {
        std::uint64_t number = 0;
        if (nodes.text(node_columns[1]) == "host" &&
            nodes.number(node_columns[2], number, names.hosts.size(), names.hosts.size())) {
            numbers.emplace(nodes.text(node_columns[0]), names.hosts.size());
            names.hosts.push_back(nodes.text(node_columns[0]));
        }
    }
    if (names.hosts.empty()) {
        errors.push_back(
            {(run / "nodes.csv").string(), 0, "host", "names no host; expected the hosts of the run"});
    }
    names.switches.resize(names.hosts.size());
    csv_file ports((run / "ports.csv").string(), errors, input_kind::any, expected_file);
    const std::vector<std::size_t> port_columns = ports.columns({"node", "peer"});
    while (ports.next()) {
        if (const auto host = numbers.find(ports.text(port_columns[0])); host != numbers.end()) {
            names.switches[host->second] = ports.text(port_columns[1]);
        }
    }
    return names;
}

/// A line of flows.csv or unfinished.csv.
struct transfer_line {
    std::uint64_t flow = 0;
    std::uint64_t src = 0;
    std::uint64_t dst = 0;
    std::string tag;
    /// Digest of the fields that two runs of the same traffic share.
    std::uint64_t digest = 0;
};

/// Calls visit(line) for each of so many lines of a table until it returns false.
template <class Visit>
void read_lines(const fs::path& file, std::size_t hosts, std::uint64_t expected, config_errors& errors,
                const Visit& visit) {
    csv_file table(file.string(), errors, input_kind::any, expected_file);
    const std::vector<std::size_t> columns =
        table.columns({"flow", "src", "dst", "tag", "bytes", "priority", "start_ns"});
    while (table.next()) {
        transfer_line line;
        const bool is_good = table.number(columns[0], line.flow) &
                             table.number(columns[1], line.src, 0, hosts - 1) &
                             table.number(columns[2], line.dst, 0, hosts - 1);
        line.tag = table.text(columns[3]);
        for (std::size_t i = 1; i < columns.size(); ++i) {
            line.digest = random_stream::mix(line.digest ^ std::hash<std::string>()(table.text(columns[i])));
        }
        if (is_good && !visit(line)) {
            return;
        }
    }
    table.expect_rows(expected, "transfers");
}

struct known_transfer {
    std::uint64_t digest;
    bool is_completed;
};

/// Transfers of a run, by number. Never iterated.
using known_transfers = std::unordered_map<std::uint64_t, known_transfer>;

struct tally {
    std::uint64_t completed = 0;
    std::uint64_t victims = 0;
    std::uint64_t not_started = 0;
};

/// Tallies by part and name. Parts are `all`, the tag, the switch of the source, the switch of the destination.
using tallies = std::map<std::pair<std::size_t, std::string>, tally>;
constexpr const char* parts[] = {"all", "tag", "source switch", "destination switch"};

std::uint64_t number_of(const measured_run& run, const char* metric) {
    const run_measure* const found = run.find(metric);
    return found != nullptr && found->cell.value.is_number()
               ? static_cast<std::uint64_t>(found->cell.value.get<double>())
               : 0;
}

void check_same_traffic(const measured_run& healthy, const measured_run& broken, config_errors& errors) {
    std::vector<std::string> differing;
    for (const std::string& key : differing_options({&healthy.options, &broken.options})) {
        const bool decides = key.rfind("traffic.", 0) == 0 || key == "run.seed" || key == "run.duration" ||
                             key == "run.warmup" || key == "run.until";
        if (decides) {
            differing.push_back(key);
        }
    }
    if (!differing.empty()) {
        errors.push_back({broken.directory.string(), 0, "--victims",
                          "the runs differ in " + joined(differing, ", ") +
                              "; expected two runs of the same traffic, seed and length"});
        return;
    }
    const std::string* const until = healthy.options.find("run.until");
    const bool has_own_end = until != nullptr && !until->empty() &&
                             number_of(healthy, "simulated_ns") != number_of(broken, "simulated_ns");
    if (has_own_end || !healthy.is_complete || !broken.is_complete) {
        errors.push_back(
            {broken.directory.string(), 0, "--victims",
             "the runs were stopped or ended at different times; expected two runs that came to the same "
             "end, as with one run.duration"});
    }
}

/// Errors: the run failed, or was told not to write flows.csv.
void check_has_transfers(const measured_run& run, config_errors& errors) {
    if (run.failure) {
        errors.push_back({run.directory.string(), 0, "--victims",
                          "the run failed (" + verdict_text(*run.failure) +
                              ") and has no list of its transfers; expected a run that came to its end"});
    } else if (!path_exists(run.directory / "flows.csv")) {
        errors.push_back({run.directory.string(), 0, "--victims",
                          "the run has no flows.csv; expected a run with output.flows = on"});
    }
}

std::set<std::uint64_t> hosts_of(const std::vector<std::string>& names, const host_names& known,
                                 config_errors& errors) {
    std::set<std::uint64_t> hosts;
    for (const std::string& name : names) {
        const auto found = std::find(known.hosts.begin(), known.hosts.end(), name);
        if (found != known.hosts.end()) {
            hosts.insert(static_cast<std::uint64_t>(found - known.hosts.begin()));
            continue;
        }
        const std::string near = nearest_name(name, known.hosts);
        errors.push_back({"", 0, "--without",
                          "'" + name + "' is no host of the fabric" +
                              (near.empty() ? "" : "; did you mean " + near + "?") +
                              "; expected a name as nodes.csv has it"});
    }
    return hosts;
}

void count(const fs::path& healthy, std::uint64_t expected, const known_transfers& in_broken,
           const host_names& names, const std::set<std::uint64_t>& without, tallies& all,
           config_errors& errors) {
    read_lines(healthy / "flows.csv", names.hosts.size(), expected, errors, [&](const transfer_line& line) {
        const auto found = in_broken.find(line.flow);
        if (found != in_broken.end() && found->second.digest != line.digest) {
            errors.push_back(
                {healthy.string(), 0, "--victims",
                 "transfer " + std::to_string(line.flow) +
                     " has another source, destination, size, priority, tag or start in the second "
                     "run; expected traffic that does not depend on the fabric, such as a trace"});
            return false;
        }
        if (without.count(line.src) + without.count(line.dst) > 0) {
            return true;
        }
        const std::string under[] = {"", tag_text(line.tag), names.switches[line.src],
                                     names.switches[line.dst]};
        for (std::size_t part = 0; part < std::size(parts); ++part) {
            tally& counted = all[{part, under[part]}];
            ++counted.completed;
            counted.victims += found != in_broken.end() && !found->second.is_completed ? 1 : 0;
            counted.not_started += found == in_broken.end() ? 1 : 0;
        }
        return true;
    });
}

data_table table_of(const tallies& all) {
    data_table table;
    table.row_kind = "part";
    table.begins_with_options = true;
    table.add_section("");
    const auto name = column_part::name;
    const auto metric = column_part::metric;
    table.columns = {{"by", {}, name},
                     {"name", {}, name},
                     {"completed"},
                     {"victims"},
                     {"victims_percent", metric_unit::percent, metric, 0, {"share"}},
                     {"not_started", {}, metric, 0, {"not started"}}};
    for (const auto& [under, counted] : all) {
        table.add_row(
            {parts[under.first], under.second, counted.completed, counted.victims,
             plain_number(100 * static_cast<double>(counted.victims) / static_cast<double>(counted.completed)),
             counted.not_started});
    }
    return table;
}

}  // namespace

data_table victims_table(const fs::path& healthy, const fs::path& broken,
                         const std::vector<std::string>& without, config_errors& errors) {
    const measured_run first = read_measured_run(healthy, read_files::summary, errors);
    const measured_run second = read_measured_run(broken, read_files::summary, errors);
    if (errors.empty()) {
        check_has_transfers(first, errors);
        check_has_transfers(second, errors);
    }
    if (errors.empty()) {
        check_same_traffic(first, second, errors);
    }
    if (!errors.empty()) {
        return {};
    }
    const host_names names = read_hosts(first.directory, errors);
    if (errors.empty() && !(names == read_hosts(second.directory, errors))) {
        errors.push_back({second.directory.string(), 0, "--victims",
                          "has other hosts or switches than " + first.directory.string() +
                              "; expected two runs of the same fabric"});
    }
    const std::set<std::uint64_t> left_out = hosts_of(without, names, errors);
    known_transfers in_broken;
    const auto read = [&](const char* file, bool are_completed, std::uint64_t expected) {
        read_lines(second.directory / file, names.hosts.size(), expected, errors,
                   [&](const transfer_line& line) {
                       in_broken.emplace(line.flow, known_transfer{line.digest, are_completed});
                       return true;
                   });
    };
    if (errors.empty()) {
        read("flows.csv", true, number_of(second, "fct_ns.count"));
        if (const std::uint64_t unfinished = number_of(second, "fct_ns.unfinished"); unfinished > 0) {
            read("unfinished.csv", false, unfinished);
        }
    }
    tallies all;
    if (errors.empty()) {
        count(first.directory, number_of(first, "fct_ns.count"), in_broken, names, left_out, all, errors);
    }
    return errors.empty() ? table_of(all) : data_table{};
}

}  // namespace weir::tb
