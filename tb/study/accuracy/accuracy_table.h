// The table of `weir accuracy`: a row for each point of a sweep, in which two values of one option are
// compared.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "tb/study/points/sweep_plan.h"
#include "tb/study/sweep/sweep_statistics.h"
#include "weir/base/config_error.h"
#include "weir/base/time.h"

namespace weir::tb {

/// One measure of each seed's transfers, averaged over the seeds with its confidence interval, or the largest
/// of all.
struct accuracy_mean {
    mean_interval all;
    /// Shown to people: a 99th percentile is averaged over the seeds with 100 transfers or more, because that
    /// of fewer is their maximum.
    mean_interval sound;
};

struct accuracy_row {
    /// Of the reference.
    std::size_t point = 0;
    /// Swept options but the compared one.
    std::vector<std::pair<std::string, std::string>> settings;
    /// Unit of `cycles`.
    picoseconds cycle{0};
    std::uint64_t seeds = 0;
    std::uint64_t transfers = 0;
    /// Completed in one of the two only.
    std::uint64_t only_in_one = 0;
    /// Columns of accuracy.csv, such as `mean_abs_cycles`.
    std::map<std::string, accuracy_mean> values;

    /// Returns empty means if no seed has a value.
    accuracy_mean value(const std::string& column) const {
        const auto found = values.find(column);
        return found != values.end() ? found->second : accuracy_mean{};
    }
};

/// What is compared with what: `switch.crossbar`, `frame`, `cell`; or `rtl`, which no sweep varies.
struct accuracy_pair {
    std::string key;
    std::string model;
    std::string reference;

    /// The reference is the RTL of a whole switch (transfer_errors.h), with what the model's hosts have sent.
    bool is_beside_rtl() const { return key == "switch.crossbar" && reference == "rtl"; }
};

/// What keeps a sweep from being compared so: it does not vary the option, or never has the value.
config_errors check_pair(const sweep_plan& plan, const accuracy_pair& pair);

/// How rows are made.
struct accuracy_units {
    /// 0: a slot of the crossbar, switch.cell at switch.speedup times link.rate, as the reference's
    /// effective.ini says.
    picoseconds cycle{0};
    /// Of the intervals. Range: above 0, below 1.
    double confidence = 0.95;
};

/// A row per point. Runs that are missing or lack their flows.csv are errors. The pair has passed `check_pair`.
std::vector<accuracy_row> accuracy_rows(const sweep_plan& plan, const campaign_layout& layout,
                                        const accuracy_pair& pair, const accuracy_units& units,
                                        config_errors& errors);

/// accuracy.csv; units are in its header.
std::string accuracy_csv(const std::vector<accuracy_row>& rows, double confidence);
/// The same for a page, rounded, in Markdown, with these of the swept options.
std::string accuracy_markdown(const std::vector<accuracy_row>& rows, const std::vector<std::string>& keys);
/// The row's value of a swept option; empty where there is none.
std::string setting_of(const accuracy_row& row, const std::string& key);

/// How far the completion times of two runs of the same traffic are apart, in Markdown: mean, 99th percentile
/// and largest completion time of both, and of the difference of each transfer, in ns and in percent of the
/// reference. `run` and `reference` are directories. Empty where there are errors: no flows.csv, or no transfer
/// in both.
std::string run_pair_table(const std::string& run, const std::string& reference, config_errors& errors);

}  // namespace weir::tb
