#include "tb/plot/run_reader.h"

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <limits>
#include <utility>

#include "tb/files/input_file.h"
#include "tb/plot/check_samples.h"
#include "tb/results/summary_reader.h"
#include "tb/text/joined.h"

namespace weir::tb {

namespace {

namespace fs = std::filesystem;

constexpr unsigned most_errors = 20;

template <class T>
bool read_number(std::string_view text, T& value) {
    const auto end = text.data() + text.size();
    const auto read = std::from_chars(text.data(), end, value);
    return read.ec == std::errc{} && read.ptr == end && value >= T{0} && value <= std::numeric_limits<T>::max();
}

/// The table's file, or an error if it has to be there.
bool open_table(input_stream& in, const fs::path& path, bool required, config_errors& errors) {
    input_file opened = open_input(path.string());
    if (!opened.why_not.empty() && required) {
        errors.push_back({path.string(), 0, "",
                          "cannot be read: " + opened.why_not + "; expected the directory of a run of weir"});
    }
    in = std::move(opened.text);
    return opened.why_not.empty();
}

void take_summary(const fs::path& directory, run_data& run) {
    summary_file read = read_summary(directory);
    if (!read.errors.empty()) {
        run.errors = std::move(read.errors);
        return;
    }
    run.complete = read.summary["complete"].get<bool>();
    run.jobs = read.summary["jct_ns"]["count"].get<std::uint64_t>();
    run.flows = read.summary["fct_ns"]["count"].get<std::uint64_t>();
    run.simulated_ns = read.summary["simulated_ns"].get<double>();
}

void read_jobs(const fs::path& path, const run_filter& filter, run_data& run) {
    input_stream in;
    if (!open_table(in, path, true, run.errors)) {
        return;
    }
    csv_table table(in, path.string(), {"kind", "bytes", "jct_ns"}, run.errors);
    // Kinds come in long rows of equals: one look-up per change.
    std::string kind;
    std::vector<completion>* list = nullptr;
    while (table.next()) {
        completion c{};
        const bool size_good = table.number(1, c.bytes);
        if (!table.number(2, c.time_ns) || !size_good) {
            continue;
        }
        if (list == nullptr || table.text(0) != kind) {
            kind = table.text(0);
            run.job_kinds.insert(kind);
            list = &run.jobs_by_kind[kind];
        }
        if (!filter.kinds.empty() && filter.kinds.count(kind) == 0) {
            continue;
        }
        // A handful is enough to tell a user what there is.
        if (run.job_sizes.size() < 32) {
            run.job_sizes.insert(c.bytes);
        }
        if (filter.sizes.empty() || filter.sizes.count(c.bytes) != 0) {
            list->push_back(c);
        }
    }
    table.expect_rows(run.jobs, "jobs");
    for (auto at = run.jobs_by_kind.begin(); at != run.jobs_by_kind.end();) {
        at = at->second.empty() ? run.jobs_by_kind.erase(at) : std::next(at);
    }
}

void read_flows(const fs::path& path, const run_filter& filter, run_data& run) {
    input_stream in;
    if (!open_table(in, path, true, run.errors)) {
        return;
    }
    csv_table table(in, path.string(), {"bytes", "fct_ns"}, run.errors);
    while (table.next()) {
        completion c{};
        const bool size_good = table.number(0, c.bytes);
        if (table.number(1, c.time_ns) && size_good &&
            (filter.sizes.empty() || filter.sizes.count(c.bytes) != 0)) {
            run.transfers.push_back(c);
        }
    }
    table.expect_rows(run.flows, "transfers");
}

void read_occupancy(const fs::path& path, run_data& run) {
    input_stream in;
    run.has_occupancy = open_table(in, path, false, run.errors);
    if (!run.has_occupancy) {
        return;
    }
    csv_table table(in, path.string(), {"time_ns", "node", "port", "side", "occupancy_bytes"}, run.errors);
    std::map<std::pair<std::string, std::string>, std::size_t> known[2];
    std::vector<fill_series>* const sides[2] = {&run.ingress, &run.egress};
    const std::size_t before = run.errors.size();
    while (table.next()) {
        double time = 0;
        double fill = 0;
        const bool time_good = table.number(0, time);
        if (!table.number(4, fill) || !time_good) {
            continue;
        }
        const bool egress = table.text(3) == "egress";
        if (!egress && table.text(3) != "ingress") {
            table.error(3, "'" + std::string(table.text(3)) + "' is not a side; expected ingress, egress");
            continue;
        }
        std::vector<fill_series>& side = *sides[egress];
        const auto key = std::make_pair(std::string(table.text(1)), std::string(table.text(2)));
        const auto place = known[egress].emplace(key, side.size());
        if (place.second) {
            side.push_back({key.first, key.second, {}, {}});
        }
        fill_series& series = side[place.first->second];
        if (!series.time_ns.empty() && time < series.time_ns.back()) {
            table.error(0, "goes back in time; expected rows in order of time");
            continue;
        }
        series.time_ns.push_back(time);
        series.occupancy_bytes.push_back(fill);
    }
    run.has_occupancy = run.errors.size() == before && !(run.ingress.empty() && run.egress.empty());
}

/// `host`, `tier1`, or a bare number as in files of earlier versions.
bool is_tier(std::string_view name) {
    if (name == "host") {
        return true;
    }
    name.remove_prefix(name.substr(0, 4) == "tier" ? 4 : 0);
    return !name.empty() && name.find_first_not_of("0123456789") == std::string_view::npos;
}

void read_pauses(const fs::path& path, run_data& run) {
    input_stream in;
    run.has_pauses = open_table(in, path, false, run.errors);
    if (!run.has_pauses) {
        return;
    }
    csv_table table(in, path.string(), {"time_ns", "tier", "paused_ns"}, run.errors);
    const bool counted = table.optional_column("transmitters");
    std::map<std::string, pause_series, std::less<>> tiers;
    while (table.next()) {
        double time = 0;
        double paused = 0;
        double transmitters = 0;
        const bool time_good = table.number(0, time);
        const bool count_good = !counted || table.number(3, transmitters);
        if (!table.number(2, paused) || !time_good || !count_good) {
            continue;
        }
        if (!is_tier(table.text(1))) {
            table.error(1,
                        "'" + std::string(table.text(1)) + "' is not a tier; expected host, tier0, tier1, ...");
            continue;
        }
        pause_series& series = tiers[std::string(table.text(1))];
        if (!series.time_ns.empty() && time <= series.time_ns.back()) {
            table.error(0, "does not advance; expected one row per tier and time, in the order of time");
            continue;
        }
        series.transmitters = transmitters;
        series.time_ns.push_back(time);
        series.paused_ns.push_back(paused);
    }
    for (auto& [tier, series] : tiers) {
        series.tier = tier;
        run.pauses.push_back(std::move(series));
    }
    run.has_pauses = !run.pauses.empty();
}

}  // namespace

csv_table::csv_table(std::istream& in, std::string file, std::vector<std::string> columns,
                     config_errors& errors)
    : m_in(in), m_file(std::move(file)), m_columns(std::move(columns)), m_errors(errors) {
    const std::string allowed = "; expected a header with " + joined(m_columns);
    if (!std::getline(m_in, m_line)) {
        m_good = false;
        error(m_columns.front(), "the file is empty" + allowed);
        return;
    }
    m_line_number = 1;
    split();
    m_header.assign(m_fields.begin(), m_fields.end());
    for (const std::string& column : m_columns) {
        const auto at = std::find(m_header.begin(), m_header.end(), column);
        m_places.push_back(static_cast<std::size_t>(at - m_header.begin()));
        if (at == m_header.end()) {
            error(column, "the column is missing" + allowed);
            m_good = false;
        }
    }
}

bool csv_table::optional_column(const std::string& name) {
    const auto at = std::find(m_header.begin(), m_header.end(), name);
    if (at == m_header.end()) {
        return false;
    }
    m_columns.push_back(name);
    m_places.push_back(static_cast<std::size_t>(at - m_header.begin()));
    return true;
}

bool csv_table::next() {
    while (m_good && m_found < most_errors && std::getline(m_in, m_line)) {
        ++m_line_number;
        if (m_line.empty() || m_line == "\r") {
            continue;
        }
        split();
        if (m_in.eof()) {
            error("line", "the file ends within this line; expected a complete table");
            return false;
        }
        if (m_fields.size() == m_header.size()) {
            ++m_rows;
            return true;
        }
        error("line", "has " + std::to_string(m_fields.size()) + " fields; expected " +
                          std::to_string(m_header.size()) + ", as in the header");
    }
    return false;
}

void csv_table::expect_rows(std::uint64_t expected, const std::string& what) {
    if (m_good && m_found == 0 && m_rows != expected) {
        m_errors.push_back({m_file, 0, "",
                            "has " + std::to_string(m_rows) + " lines of data, but summary.json counts " +
                                std::to_string(expected) + " " + what + "; expected a complete table"});
    }
}

void csv_table::split() {
    m_fields.clear();
    std::string_view rest = m_line;
    if (!rest.empty() && rest.back() == '\r') {
        rest.remove_suffix(1);
    }
    for (;;) {
        const std::size_t comma = rest.find(',');
        m_fields.push_back(rest.substr(0, comma));
        if (comma == std::string_view::npos) {
            return;
        }
        rest.remove_prefix(comma + 1);
    }
}

bool csv_table::number(std::size_t column, double& value) {
    if (read_number(text(column), value)) {
        return true;
    }
    error(column, "'" + std::string(text(column)) + "' is not a number; expected 0 and above");
    return false;
}

bool csv_table::number(std::size_t column, std::uint64_t& value) {
    if (read_number(text(column), value)) {
        return true;
    }
    error(column, "'" + std::string(text(column)) + "' is not a whole number; expected 0 and above");
    return false;
}

void csv_table::error(std::size_t column, const std::string& message) {
    error(m_columns[column], message);
}

void csv_table::error(const std::string& column, const std::string& message) {
    if (++m_found == most_errors) {
        m_errors.push_back({m_file, m_line_number, column, message + " (the rest is not read)"});
    } else if (m_found < most_errors) {
        m_errors.push_back({m_file, m_line_number, column, message});
    }
}

run_data read_run(const std::string& directory, const run_filter& filter) {
    run_data run;
    run.directory = directory;
    const fs::path base = directory;
    std::error_code ignored;
    if (!fs::is_directory(base, ignored)) {
        run.errors.push_back({"", 0, directory, "is not a directory; expected the directory of a run of weir"});
        return run;
    }
    take_summary(base, run);
    if (!run.errors.empty()) {
        return run;
    }
    read_jobs(base / "jobs.csv", filter, run);
    read_flows(base / "flows.csv", filter, run);
    read_occupancy(base / "occupancy.csv", run);
    read_pauses(base / "pauses.csv", run);
    run.tree = read_pause_tree(directory, run.errors);
    if (run.errors.empty()) {
        check_samples(run);
    }
    return run;
}

}  // namespace weir::tb
