// The table of `weir accuracy`: a row for each point of a sweep, in which two values of one option are
// compared.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "tb/sweep/sweep_plan.h"
#include "tb/sweep/sweep_statistics.h"
#include "weir/base/config_error.h"
#include "weir/base/time.h"

namespace weir::tb {

/// The 99th percentile of each seed, averaged. Of fewer than 100 transfers it is their maximum.
struct percentile_mean {
    mean_interval all;
    /// Over the seeds with 100 transfers or more: what is shown to people.
    mean_interval sound;
};

/// Mean and 99th percentile of each seed's transfers, averaged over the seeds with their confidence intervals;
/// the largest value of all seeds.
struct error_spread {
    mean_interval mean;
    percentile_mean p99;
    double max = 0;
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
    /// Model less reference. Unit: ns.
    mean_interval mean_error_ns;
    /// Without sign.
    error_spread ns;
    error_spread cycles;
    /// Of the same transfer's time in the reference.
    error_spread percent;
    /// Mean and 99th percentile of the completion times in the reference (ns), and the model's over it, less 1
    /// (percent), of each seed.
    mean_interval reference_mean_ns;
    percentile_mean reference_p99_ns;
    mean_interval mean_percent;
    percentile_mean p99_percent;
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
