#include "tb/study/accuracy/accuracy_table.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <string_view>

#include "tb/run/completions/percentile_rule.h"
#include "tb/run/options/load_config.h"
#include "tb/run/summary/summary_reader.h"
#include "tb/study/accuracy/transfer_errors.h"
#include "tb/study/sweep/swept_axis.h"
#include "tb/support/record/table_writers.h"
#include "tb/support/text/joined.h"
#include "tb/support/text/text_format.h"
#include "weir/base/units.h"

namespace weir::tb {

namespace {

picoseconds slot_of(const std::string& effective, config_errors& errors) {
    const loaded_config loaded = load_config_files({}, {effective});
    errors.insert(errors.end(), loaded.errors.begin(), loaded.errors.end());
    const run_config& c = loaded.config;
    return loaded.errors.empty() ? transmission_time(c.device.cell, c.link.rate * c.device.speedup)
                                 : picoseconds{1};
}

/// A column of accuracy.csv: what one seed's transfers give, with the length of a cycle in ps.
struct accuracy_measure {
    const char* name;
    double (*of)(transfer_errors& seed, double cycle);

    bool is_p99() const { return std::string_view(name).find("p99") != std::string_view::npos; }
    /// The largest of all seeds, without an interval.
    bool is_largest() const { return std::string_view(name).substr(0, 4) == "max_"; }
};

double mean(percentiles& values) {
    return static_cast<double>(values.mean());
}
double p99(percentiles& values) {
    return static_cast<double>(values.percentile(9'900));
}
double largest(percentiles& values) {
    return static_cast<double>(values.max());
}
double percent_above(double model, double reference) {
    return reference == 0 ? 0 : 100 * (model / reference - 1);
}

// Errors are the model less the reference, without sign but for the first. Percents of errors are of the same
// transfer's time in the reference, of times the model's over the reference's, less 1.
constexpr accuracy_measure measures[] = {
    {"mean_error_ns", [](transfer_errors& e, double) { return e.mean() / 1000; }},
    {"mean_abs_ns", [](transfer_errors& e, double) { return mean(e.absolute()) / 1000; }},
    {"p99_abs_ns", [](transfer_errors& e, double) { return p99(e.absolute()) / 1000; }},
    {"mean_abs_cycles", [](transfer_errors& e, double cycle) { return mean(e.absolute()) / cycle; }},
    {"p99_abs_cycles", [](transfer_errors& e, double cycle) { return p99(e.absolute()) / cycle; }},
    {"mean_abs_percent", [](transfer_errors& e, double) { return mean(e.relative()) / 1e4; }},
    {"p99_abs_percent", [](transfer_errors& e, double) { return p99(e.relative()) / 1e4; }},
    {"reference_mean_ns", [](transfer_errors& e, double) { return mean(e.reference()) / 1000; }},
    {"reference_p99_ns", [](transfer_errors& e, double) { return p99(e.reference()) / 1000; }},
    {"mean_percent",
     [](transfer_errors& e, double) { return percent_above(mean(e.model()), mean(e.reference())); }},
    {"p99_percent",
     [](transfer_errors& e, double) { return percent_above(p99(e.model()), p99(e.reference())); }},
    {"max_abs_ns", [](transfer_errors& e, double) { return largest(e.absolute()) / 1000; }},
    {"max_abs_cycles", [](transfer_errors& e, double cycle) { return largest(e.absolute()) / cycle; }},
    {"max_abs_percent", [](transfer_errors& e, double) { return largest(e.relative()) / 1e4; }}};

/// A row out of the transfers of each seed. Seeds without any transfer in both are counted, and else left out.
accuracy_row row_of(std::size_t point, std::vector<transfer_errors>& seeds, picoseconds cycle,
                    double confidence) {
    accuracy_row row;
    row.point = point;
    row.cycle = cycle;
    row.seeds = seeds.size();
    const auto length = static_cast<double>(cycle.count());
    for (const transfer_errors& seed : seeds) {
        row.transfers += seed.transfers();
        row.only_in_one += seed.only_in_one();
    }
    for (const accuracy_measure& measure : measures) {
        std::vector<double> all;
        std::vector<double> sound;
        for (transfer_errors& seed : seeds) {
            if (seed.transfers() > 0) {
                all.push_back(measure.of(seed, length));
                if (!measure.is_p99() || has_percentile(seed.transfers(), 99)) {
                    sound.push_back(all.back());
                }
            }
        }
        if (measure.is_largest() && !all.empty()) {
            all = sound = {*std::max_element(all.begin(), all.end())};
        }
        row.values[measure.name] = {interval_of(all, confidence), interval_of(sound, confidence)};
    }
    return row;
}

/// Mean, 99th percentile and largest. Of too few transfers the 99th percentile is their maximum, and left out.
std::vector<table_cell> spread_row(const std::string& what, percentiles& values, double unit, int decimals) {
    return {what, decimal_text(mean(values) / unit, decimals),
            has_percentile(values.count(), 99) ? decimal_text(p99(values) / unit, decimals) : "-",
            decimal_text(largest(values) / unit, decimals)};
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
    std::string text;
    for (const accuracy_row& row : rows) {
        nlohmann::ordered_json cells;
        for (const auto& [key, value] : row.settings) {
            cells[key] = value;
        }
        cells["cycle_ns"] = ns_text(row.cycle);
        cells["seeds"] = row.seeds;
        cells["transfers"] = row.transfers;
        cells["only_in_one"] = row.only_in_one;
        cells["confidence"] = confidence;
        for (const accuracy_measure& measure : measures) {
            const mean_interval mean = row.value(measure.name).all;
            cells[measure.name] = decimal_text(mean.mean, 3);
            if (!measure.is_largest()) {
                cells[measure.name + std::string("_half_width")] =
                    mean.has_width() ? decimal_text(mean.half_width, 3) : "";
            }
        }
        text += (text.empty() ? csv_line(names_in(cells)) : "") + csv_line(plain_texts(cells));
    }
    return text;
}

std::string setting_of(const accuracy_row& row, const std::string& key) {
    const auto found = std::find_if(row.settings.begin(), row.settings.end(),
                                    [&](const auto& setting) { return setting.first == key; });
    return found == row.settings.end() ? std::string{} : found->second;
}

std::string accuracy_markdown(const std::vector<accuracy_row>& rows, const std::vector<std::string>& keys) {
    // `3.00 ± 0.12`: three digits of the largest number in the column; `-` where no seed has a value.
    const auto text_of = [&](const accuracy_row& row, const std::string& column, bool with_interval = true) {
        double largest = 0;
        for (const accuracy_row& each : rows) {
            largest = std::max(largest, std::abs(each.value(column).sound.mean));
        }
        const int decimals = largest >= 100 ? 0 : largest >= 10 ? 1 : 2;
        const auto number = [&](double value) { return grouped(decimal_text(value, decimals)); };
        const mean_interval mean = row.value(column).sound;
        return mean.n == 0 ? "-"
                           : number(mean.mean) +
                                 (with_interval && mean.has_width() ? " ± " + number(mean.half_width) : "");
    };
    data_table table;
    table.rows.resize(rows.size());
    const auto add = [&](const std::string& title, const auto& cell_of) {
        table.add({title}, [&](std::size_t r) -> table_cell { return {cell_of(rows[r])}; });
    };
    const auto add_spread = [&](const char* title, const std::string& unit, bool with_intervals) {
        add(title, [&](const accuracy_row& row) {
            return text_of(row, "mean_abs_" + unit, with_intervals) + ", " +
                   text_of(row, "p99_abs_" + unit, with_intervals) + ", " + text_of(row, "max_abs_" + unit);
        });
    };
    for (const std::string& key : keys) {
        add("`" + key + "`", [&](const accuracy_row& row) { return setting_of(row, key); });
    }
    add("transfers", [](const accuracy_row& row) { return row.transfers; });
    add("mean error, ns", [&](const accuracy_row& row) { return text_of(row, "mean_error_ns"); });
    add_spread("|error|, cycles: mean, p99, max", "cycles", true);
    add_spread("of a transfer's time, %: mean, p99, max", "percent", false);
    add("mean time, %", [&](const accuracy_row& row) { return text_of(row, "mean_percent"); });
    add("p99 time, %", [&](const accuracy_row& row) { return text_of(row, "p99_percent"); });
    return markdown_of(table);
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
    const std::uint64_t n = found.transfers();
    const auto above = [&](double (*of)(percentiles & values)) {
        return decimal_text(percent_above(of(found.model()), of(found.reference())), 3);
    };
    data_table table = data_table::of({count_text(n) + " transfers", "mean", "99th percentile", "largest"});
    table.add_row(spread_row("time in " + reference + ", ns", found.reference(), 1e3, 1));
    table.add_row(spread_row("time in " + run + ", ns", found.model(), 1e3, 1));
    table.add_row({"relative difference of these, %", above(mean), has_percentile(n, 99) ? above(p99) : "-",
                   above(largest)});
    table.add_row(spread_row("absolute difference per transfer, ns", found.absolute(), 1e3, 3));
    table.add_row(
        spread_row("the same, relative to its time in " + reference + ", %", found.relative(), 1e4, 2));
    return markdown_of(table) + "\nMean difference: " + decimal_text(found.mean() / 1000, 3) +
           " ns. Transfers completed in only one of the two: " + count_text(found.only_in_one()) + ".\n";
}

}  // namespace weir::tb
