// Reads completion times from jobs.csv and flows.csv: of the jobs and transfers that are wanted, 32 B each, so
// that millions of lines fit into memory.
//
//   completions found;
//   completion_reader reader(run_filter{}, found, errors);
//   reader.read_jobs("out/jobs.csv", 12'000);
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <limits>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "weir/base/config_error.h"

namespace weir::tb {

class csv_file;

/// Which jobs and transfers to keep. Empty sets: all.
struct run_filter {
    /// A transfer's length, a query's response. Unit: B.
    std::set<std::uint64_t> sizes;
    /// Of jobs only: transfers have no kind.
    std::set<std::string> kinds;
    std::set<std::string> tags;
    /// Range: 0-7.
    std::set<std::uint64_t> classes;

    bool takes_all() const { return sizes.empty() && kinds.empty() && tags.empty() && classes.empty(); }
};

/// A transfer or job.
struct completion {
    /// A transfer's length, a query's response. Unit: B.
    std::uint64_t bytes;
    double time_ns;
    /// Over the time in an empty fabric; NaN where that is not known.
    double slowdown = std::numeric_limits<double>::quiet_NaN();
    /// Place in `completions::groups`.
    std::size_t group = 0;
    /// It has not completed: the time is its age at the end of the run, and the slowdown, which is not known,
    /// is infinite.
    bool is_unfinished = false;
};

struct completions {
    std::map<std::string, std::vector<completion>> jobs_by_kind;
    std::vector<completion> transfers;
    /// Tags and classes of jobs and transfers: `query, class 7`.
    std::vector<std::string> groups;
    /// What there is, wanted or not, for messages. Of sizes, those of jobs: a few of them.
    run_filter seen;
};

class completion_reader {
 public:
    /// `found` and `errors` outlive the reader. What is wrong with a file goes to `errors`.
    completion_reader(run_filter filter, completions& found, config_errors& errors)
        : m_filter(std::move(filter)), m_found(found), m_errors(errors) {}

    /// `expected`: lines that the table has, by summary.json.
    void read_jobs(const std::filesystem::path& path, std::uint64_t expected) {
        read(path, true, "jct_ns", expected);
    }
    void read_transfers(const std::filesystem::path& path, std::uint64_t expected) {
        read(path, false, "fct_ns", expected);
    }
    /// Reads unfinished_jobs.csv or unfinished.csv, jobs or transfers that did not complete, if lines are
    /// expected.
    void read_unfinished(const std::filesystem::path& path, bool are_jobs, std::uint64_t expected) {
        if (expected > 0) {
            read(path, are_jobs, age_column, expected);
        }
    }

 private:
    struct columns;
    static constexpr const char* age_column = "age_ns";

    /// `time`: the column with the time of a line.
    void read(const std::filesystem::path& path, bool are_jobs, const char* time, std::uint64_t expected);

    /// Of the table's line. Nothing where it is wrong or not wanted; its size is not looked at.
    std::optional<completion> read_line(csv_file& table, const columns& at);
    std::size_t group_of(const std::string& tag, std::uint64_t frame_class);

    run_filter m_filter;
    completions& m_found;
    config_errors& m_errors;
    std::map<std::pair<std::string, std::uint64_t>, std::size_t> m_groups;
};

}  // namespace weir::tb
