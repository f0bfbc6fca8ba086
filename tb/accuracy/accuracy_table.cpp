#include "tb/accuracy/accuracy_table.h"

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "tb/accuracy/transfer_errors.h"
#include "tb/options/load_config.h"
#include "tb/results/percentile_rule.h"
#include "tb/results/summary_reader.h"
#include "tb/sweep/swept_axis.h"
#include "tb/text/joined.h"
#include "tb/text/text_format.h"
#include "tb/text/text_table.h"
#include "weir/base/units.h"

namespace weir::tb {

namespace {

double percent_above(std::int64_t model, std::int64_t reference) {
    return reference == 0 ? 0 : 100 * (static_cast<double>(model) / static_cast<double>(reference) - 1);
}

picoseconds slot_of(const std::string& effective, config_errors& errors) {
    const loaded_config loaded = load_config_files({}, {effective});
    errors.insert(errors.end(), loaded.errors.begin(), loaded.errors.end());
    const run_config& c = loaded.config;
    return loaded.errors.empty() ? transmission_time(c.device.cell, c.link.rate * c.device.speedup)
                                 : picoseconds{1};
}

struct p99_by_seed {
    std::vector<double> all;
    std::vector<double> sound;

    void add(double value, std::uint64_t transfers) {
        all.push_back(value);
        if (has_percentile(transfers, 99)) {
            sound.push_back(value);
        }
    }
    percentile_mean mean(double confidence) const {
        return {interval_of(all, confidence), interval_of(sound, confidence)};
    }
};

/// Values in one unit.
struct spread_by_seed {
    double unit;
    std::vector<double> means{};
    p99_by_seed p99{};
    double max = 0;

    void add(percentiles& values) {
        means.push_back(static_cast<double>(values.mean()) / unit);
        p99.add(static_cast<double>(values.percentile(9'900)) / unit, values.count());
        max = std::max(max, static_cast<double>(values.max()) / unit);
    }
    error_spread spread(double confidence) const {
        return {interval_of(means, confidence), p99.mean(confidence), max};
    }
};

/// A row out of the transfers of each seed. Seeds without any transfer in both are counted, and else left out.
accuracy_row row_of(std::size_t point, std::vector<transfer_errors>& seeds, picoseconds cycle,
                    double confidence) {
    accuracy_row row;
    row.point = point;
    row.cycle = cycle;
    row.seeds = seeds.size();
    std::vector<double> error_ns, reference_mean, mean_percent;
    p99_by_seed reference_p99, p99_percent;
    spread_by_seed ns{1000}, cycles{static_cast<double>(cycle.count())}, percent{1e4};
    for (transfer_errors& seed : seeds) {
        row.transfers += seed.transfers();
        row.only_in_one += seed.only_in_one();
        if (seed.transfers() == 0) {
            continue;
        }
        error_ns.push_back(seed.mean() / 1000);
        ns.add(seed.absolute());
        cycles.add(seed.absolute());
        percent.add(seed.relative());
        reference_mean.push_back(static_cast<double>(seed.reference().mean()) / 1000);
        reference_p99.add(static_cast<double>(seed.reference().percentile(9'900)) / 1000, seed.transfers());
        mean_percent.push_back(percent_above(seed.model().mean(), seed.reference().mean()));
        p99_percent.add(percent_above(seed.model().percentile(9'900), seed.reference().percentile(9'900)),
                        seed.transfers());
    }
    row.mean_error_ns = interval_of(error_ns, confidence);
    row.ns = ns.spread(confidence);
    row.cycles = cycles.spread(confidence);
    row.percent = percent.spread(confidence);
    row.reference_mean_ns = interval_of(reference_mean, confidence);
    row.reference_p99_ns = reference_p99.mean(confidence);
    row.mean_percent = interval_of(mean_percent, confidence);
    row.p99_percent = p99_percent.mean(confidence);
    return row;
}

/// Three significant digits or so, thousands apart: for people.
std::string short_number(double value) {
    const double size = std::abs(value);
    return size >= 1000 ? (value < 0 ? "-" : "") + count_text(static_cast<std::uint64_t>(size + 0.5))
                        : decimal_text(value, size >= 100  ? 0
                                              : size >= 10 ? 1
                                                           : 2);
}

/// `3.00 ± 0.12`; without the interval where one seed gives none; `-` where no seed has a value.
std::string short_interval(const mean_interval& value) {
    return value.n == 0
               ? "-"
               : short_number(value.mean) + (value.has_width() ? " ± " + short_number(value.half_width) : "");
}

std::string short_spread(const error_spread& spread) {
    return short_interval(spread.mean) + ", " + short_interval(spread.p99.sound) + ", " +
           short_number(spread.max);
}

/// Where no interval is wanted.
std::string bare_spread(error_spread spread) {
    spread.mean.half_width = spread.p99.sound.half_width = -1;
    return short_spread(spread);
}

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

/// Means in a row of accuracy.csv, in order.
std::vector<std::pair<const char*, mean_interval>> means_of(const accuracy_row& row) {
    return {{"mean_error_ns", row.mean_error_ns},
            {"mean_abs_ns", row.ns.mean},
            {"p99_abs_ns", row.ns.p99.all},
            {"mean_abs_cycles", row.cycles.mean},
            {"p99_abs_cycles", row.cycles.p99.all},
            {"mean_abs_percent", row.percent.mean},
            {"p99_abs_percent", row.percent.p99.all},
            {"reference_mean_ns", row.reference_mean_ns},
            {"reference_p99_ns", row.reference_p99_ns.all},
            {"mean_percent", row.mean_percent},
            {"p99_percent", row.p99_percent.all}};
}

}  // namespace

config_errors check_pair(const sweep_plan& plan, const accuracy_pair& pair) {
    config_errors errors;
    const std::vector<std::string> keys = plan.keys();
    if (std::find(keys.begin(), keys.end(), pair.key) == keys.end()) {
        errors.push_back(
            {"", 0, "--pair", "the sweep does not vary '" + pair.key + "'; expected " + joined(keys, ", ")});
        return errors;
    }
    const swept_axis axis(plan, pair.key);
    for (const std::string& value : {pair.model, pair.reference}) {
        if (!axis.place_of(value) && !(pair.is_beside_rtl() && value == pair.reference)) {
            errors.push_back(
                {"", 0, "--pair",
                 "'" + pair.key + "' never has the value '" + value + "'; expected " + axis.all_texts()});
        }
    }
    if (errors.empty() && axis.place_of(pair.model) == axis.place_of(pair.reference)) {
        errors.push_back({"", 0, "--pair", "compares '" + pair.model + "' with itself; expected two values"});
    }
    return errors;
}

std::vector<accuracy_row> accuracy_rows(const sweep_plan& plan, const campaign_layout& layout,
                                        const accuracy_pair& pair, const accuracy_units& units,
                                        config_errors& errors) {
    const swept_axis axis(plan, pair.key);
    const std::size_t model_place = *axis.place_of(pair.model);
    const std::size_t reference_place = pair.is_beside_rtl() ? model_place : *axis.place_of(pair.reference);
    // Points from one place of the axis to the next.
    std::size_t step = 1;
    for (std::size_t a = axis.index() + 1; a < plan.axes.size(); ++a) {
        step *= plan.axes[a].values.size();
    }
    std::vector<accuracy_row> rows;
    for (std::size_t point = 0; point < plan.points(); ++point) {
        if (plan.places(point)[axis.index()] != reference_place) {
            continue;
        }
        const std::size_t model = point - reference_place * step + model_place * step;
        std::vector<transfer_errors> seeds;
        for (const std::uint64_t seed : plan.seeds) {
            const auto file_of = [&](std::size_t of) { return (layout.run(of, seed) / "flows.csv").string(); };
            const std::size_t errors_before = errors.size();
            const std::vector<transfer_time> of_model = read_completions(file_of(model), errors);
            const std::vector<transfer_time> of_reference =
                pair.is_beside_rtl() ? rtl_completions(layout.run(point, seed).string(), errors)
                                     : read_completions(file_of(point), errors);
            if (errors.size() == errors_before) {
                check_same_traffic(file_of(model), of_model, file_of(point), of_reference, errors);
            }
            seeds.emplace_back();
            seeds.back().add(of_model, of_reference);
        }
        const picoseconds cycle =
            units.cycle > picoseconds{0}
                ? units.cycle
                : slot_of((layout.run(point, plan.seeds.front()) / "effective.ini").string(), errors);
        rows.push_back(row_of(point, seeds, cycle, units.confidence));
        for (const auto& setting : plan.settings(point)) {
            if (axis.index() != swept_axis(plan, setting.first).index()) {
                rows.back().settings.push_back(setting);
            }
        }
    }
    return rows;
}

std::string accuracy_csv(const std::vector<accuracy_row>& rows, double confidence) {
    std::vector<std::string> names;
    for (const auto& [key, value] : rows.empty() ? accuracy_row{}.settings : rows.front().settings) {
        names.push_back(key);
    }
    names.insert(names.end(), {"cycle_ns", "seeds", "transfers", "only_in_one", "confidence"});
    for (const auto& [name, mean] : means_of({})) {
        names.insert(names.end(), {name, std::string(name) + "_half_width"});
    }
    names.insert(names.end(), {"max_abs_ns", "max_abs_cycles", "max_abs_percent"});
    std::string text = csv_line(names);
    for (const accuracy_row& row : rows) {
        std::vector<std::string> cells;
        for (const auto& [key, value] : row.settings) {
            cells.push_back(value);
        }
        cells.insert(cells.end(), {ns_text(row.cycle), std::to_string(row.seeds), std::to_string(row.transfers),
                                   std::to_string(row.only_in_one), decimal_text(confidence)});
        for (const auto& [name, mean] : means_of(row)) {
            cells.push_back(decimal_text(mean.mean, 3));
            cells.push_back(mean.has_width() ? decimal_text(mean.half_width, 3) : "");
        }
        for (const error_spread& spread : {row.ns, row.cycles, row.percent}) {
            cells.push_back(decimal_text(spread.max, 3));
        }
        text += csv_line(cells);
    }
    return text;
}

std::string setting_of(const accuracy_row& row, const std::string& key) {
    const auto found = std::find_if(row.settings.begin(), row.settings.end(),
                                    [&](const auto& setting) { return setting.first == key; });
    return found == row.settings.end() ? std::string{} : found->second;
}

std::string accuracy_markdown(const std::vector<accuracy_row>& rows, const std::vector<std::string>& keys) {
    text_table::row head;
    for (const std::string& key : keys) {
        head.push_back("`" + key + "`");
    }
    head.insert(head.end(), {"transfers", "mean error, ns", "|error|, cycles: mean, p99, max",
                             "of a transfer's time, %: mean, p99, max", "mean time, %", "p99 time, %"});
    text_table table(head);
    for (const accuracy_row& row : rows) {
        text_table::row cells;
        for (const std::string& key : keys) {
            cells.push_back(setting_of(row, key));
        }
        cells.insert(cells.end(), {count_text(row.transfers), short_interval(row.mean_error_ns),
                                   short_spread(row.cycles), bare_spread(row.percent),
                                   short_interval(row.mean_percent), short_interval(row.p99_percent.sound)});
        table.add(cells);
    }
    return table.markdown();
}

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
