// Reads what pictures need from a run's directory. Tables are read as streams, line by line; of flows and
// jobs only size and time are kept (16 B each), so that millions of lines fit into memory.
//
//   run_filter all;
//   run_data run = read_run("out/detail", all);
//   if (!run.errors.empty()) { ... }
#pragma once

#include <cstdint>
#include <istream>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "tb/plot/pause_tree.h"
#include "weir/base/config_error.h"

namespace weir::tb {

/// Which jobs and transfers to keep. Empty sets: all.
struct run_filter {
    /// A transfer's length, a query's response. Unit: B.
    std::set<std::uint64_t> sizes;
    /// Of jobs only: transfers have no kind.
    std::set<std::string> kinds;
};

/// A finished transfer or job.
struct completion {
    std::uint64_t bytes;
    double time_ns;
};

/// Fill of one side of one port over time.
struct fill_series {
    std::string node;
    std::string port;
    std::vector<double> time_ns;
    std::vector<double> occupancy_bytes;
};

/// Pauses of one tier over time, per sample interval.
struct pause_series {
    std::string tier;
    /// End of the interval.
    std::vector<double> time_ns;
    /// Within the interval, summed over the tier's transmitters.
    std::vector<double> paused_ns;
    /// Ports times classes that paused_ns sums over; 0 where the table does not say.
    double transmitters = 0;
};

struct run_data {
    std::string directory;
    std::string label;
    /// What summary.json says: false for a run that was stopped.
    bool complete = true;
    /// Jobs and transfers that it counts, and the time that was simulated.
    std::uint64_t jobs = 0;
    std::uint64_t flows = 0;
    double simulated_ns = 0;
    std::map<std::string, std::vector<completion>> jobs_by_kind;
    std::vector<completion> transfers;
    /// Sizes of all jobs of the wanted kinds, before `sizes` is applied: for messages.
    std::set<std::uint64_t> job_sizes;
    std::set<std::string> job_kinds;
    bool has_occupancy = false;
    bool has_pauses = false;
    std::vector<fill_series> ingress;
    std::vector<fill_series> egress;
    std::vector<pause_series> pauses;
    /// Of runs with trace.pause_causes.
    std::optional<pause_tree> tree;
    config_errors errors;
};

/// Tables that lack lines are errors: jobs.csv and flows.csv by the counts of summary.json, occupancy.csv and
/// pauses.csv where their samples do not reach the end (check_samples.h).
run_data read_run(const std::string& directory, const run_filter& filter);

/// A CSV table with a header, whose columns stand in any order; unknown columns are skipped.
class csv_table {
 public:
    /// What is wrong goes to `errors`, at most 20 per table. A last line without its end is wrong: a file that
    /// was cut there may have lost digits.
    csv_table(std::istream& in, std::string file, std::vector<std::string> columns, config_errors& errors);

    /// Goes to the next line with the right number of fields. False at the end.
    bool next();
    /// Field of a column, by its place in the constructor's list. Valid until `next`.
    std::string_view text(std::size_t column) const { return m_fields[m_places[column]]; }
    /// Numbers from 0. False, and an error, where the field is none.
    bool number(std::size_t column, double& value);
    bool number(std::size_t column, std::uint64_t& value);
    /// Makes a column known that may be missing; returns whether it is there. Call before `next`.
    bool optional_column(const std::string& name);
    /// Lines that `next` has gone to.
    std::uint64_t rows() const { return m_rows; }
    /// At the end: there have to be `expected` rows, which summary.json counts as `what`.
    void expect_rows(std::uint64_t expected, const std::string& what);
    /// Reports a mistake in a column of this line, by its place in the constructor's list.
    void error(std::size_t column, const std::string& message);

 private:
    void error(const std::string& column, const std::string& message);
    void split();

    std::istream& m_in;
    std::string m_file;
    std::vector<std::string> m_columns;
    config_errors& m_errors;
    bool m_good = true;
    std::uint64_t m_rows = 0;
    unsigned m_found = 0;
    int m_line_number = 0;
    std::string m_line;
    std::vector<std::string_view> m_fields;
    std::vector<std::string> m_header;
    std::vector<std::size_t> m_places;
};

}  // namespace weir::tb
