#include "tb/accuracy/run_pair.h"

#include <filesystem>
#include <string>

#include "tb/accuracy/transfer_errors.h"
#include "tb/results/percentile_rule.h"
#include "tb/results/summary_reader.h"
#include "tb/text/text_format.h"
#include "tb/text/text_table.h"

namespace weir::tb {

namespace {

/// Mean, 99th percentile, largest; unit: ps.
struct spread {
    double mean;
    double p99;
    double max;
};

spread spread_of(percentiles& values) {
    return {static_cast<double>(values.mean()), static_cast<double>(values.percentile(9'900)),
            static_cast<double>(values.max())};
}

/// Of too few transfers the 99th percentile is their maximum, and left out.
text_table::row row(const std::string& what, const spread& s, double unit, int decimals,
                    std::uint64_t transfers) {
    return {what, decimal_text(s.mean / unit, decimals),
            has_percentile(transfers, 99) ? decimal_text(s.p99 / unit, decimals) : "-",
            decimal_text(s.max / unit, decimals)};
}

}  // namespace

std::string run_pair_table(const std::string& run, const std::string& reference, config_errors& errors) {
    const auto file_in = [](const std::string& directory) {
        return (std::filesystem::path(directory) / "flows.csv").string();
    };
    for (const std::string& directory : {run, reference}) {
        if (const auto unfinished = unfinished_run(directory)) {
            errors.push_back(*unfinished);
        }
    }
    if (!errors.empty()) {
        return {};
    }
    const std::vector<transfer_time> of_run = read_completions(file_in(run), errors);
    const std::vector<transfer_time> of_reference = read_completions(file_in(reference), errors);
    if (errors.empty()) {
        check_same_traffic(file_in(run), of_run, file_in(reference), of_reference, errors);
    }
    if (!errors.empty()) {
        return {};
    }
    transfer_errors found;
    found.add(of_run, of_reference);
    if (found.transfers() == 0) {
        errors.push_back(
            {run, 0, "",
             "has no transfer in common with " + reference + "; expected two runs of the same traffic"});
        return {};
    }
    const spread a = spread_of(found.model());
    const spread b = spread_of(found.reference());
    const spread above{a.mean / b.mean - 1, a.p99 / b.p99 - 1, a.max / b.max - 1};
    const std::uint64_t n = found.transfers();
    text_table table({count_text(n) + " transfers", "mean", "99th percentile", "largest"});
    table.add(row("time in " + reference + ", ns", b, 1e3, 1, n));
    table.add(row("time in " + run + ", ns", a, 1e3, 1, n));
    table.add(row("relative difference of these, %", above, 1e-2, 3, n));
    table.add(row("absolute difference per transfer, ns", spread_of(found.absolute()), 1e3, 3, n));
    table.add(
        row("the same, relative to its time in " + reference + ", %", spread_of(found.relative()), 1e4, 2, n));
    return table.markdown() + "\nMean difference: " + decimal_text(found.mean() / 1000, 3) +
           " ns. Transfers completed in only one of the two: " + count_text(found.only_in_one()) + ".\n";
}

}  // namespace weir::tb
