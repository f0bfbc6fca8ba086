// The table of `weir accuracy`: a row for each point of a sweep, in which two values of one option are
// compared.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "tb/sweep/sweep_directory.h"
#include "tb/sweep/sweep_plan.h"
#include "weir/base/config_error.h"
#include "weir/base/time.h"

namespace weir {

/// Mean, 99th percentile and largest value.
struct error_spread {
    double mean = 0;
    double p99 = 0;
    double max = 0;
};

struct accuracy_row {
    /// Of the reference.
    std::size_t point = 0;
    /// Swept options but the compared one.
    std::vector<std::pair<std::string, std::string>> settings;
    /// Unit of `cycles`.
    picoseconds cycle{0};
    std::uint64_t transfers = 0;
    /// Completed in one of the two only.
    std::uint64_t only_in_one = 0;
    /// Model less reference. Unit: ns.
    double mean_error_ns = 0;
    /// Without sign.
    error_spread ns;
    error_spread cycles;
    /// Of the same transfer's time in the reference.
    error_spread percent;
    /// Mean and 99th percentile of the completion times in the reference (ns), and the model's over it, less 1
    /// (percent).
    double reference_mean_ns = 0;
    double reference_p99_ns = 0;
    double mean_percent = 0;
    double p99_percent = 0;
};

/// What is compared with what: `switch.crossbar`, `frame`, `cell`.
struct accuracy_pair {
    std::string key;
    std::string model;
    std::string reference;
};

/// What keeps a sweep from being compared so: it does not vary the option, or never has the value.
config_errors check_pair(const sweep_plan& plan, const accuracy_pair& pair);

/// A row per point, all seeds together. `cycle` 0: a slot of the crossbar, switch.cell at switch.speedup times
/// link.rate, as the reference's effective.ini says. Runs that are missing or lack their flows.csv are errors.
/// The pair has passed `check_pair`.
std::vector<accuracy_row> accuracy_rows(const sweep_plan& plan, const sweep_layout& layout,
                                        const accuracy_pair& pair, picoseconds cycle, config_errors& errors);

/// accuracy.csv; units are in its header.
std::string accuracy_csv(const std::vector<accuracy_row>& rows);
/// The same for a page, rounded, in Markdown, with these of the swept options.
std::string accuracy_markdown(const std::vector<accuracy_row>& rows, const std::vector<std::string>& keys);
/// The row's value of a swept option; empty where there is none.
std::string setting_of(const accuracy_row& row, const std::string& key);

}  // namespace weir
