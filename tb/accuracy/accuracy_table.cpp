#include "tb/accuracy/accuracy_table.h"

#include <algorithm>
#include <cmath>

#include "tb/accuracy/transfer_errors.h"
#include "tb/options/load_config.h"
#include "tb/results/text_format.h"
#include "tb/sweep/swept_axis.h"
#include "weir/base/units.h"

namespace weir {

namespace {

error_spread spread_of(percentiles& values, double unit) {
    const auto in_units = [&](std::int64_t value) { return static_cast<double>(value) / unit; };
    return {in_units(values.mean()), in_units(values.percentile(9'900)), in_units(values.max())};
}

double percent_above(std::int64_t model, std::int64_t reference) {
    return reference == 0 ? 0 : 100 * (static_cast<double>(model) / static_cast<double>(reference) - 1);
}

picoseconds slot_of(const std::string& effective, config_errors& errors) {
    const loaded_config loaded = load_config_file({}, effective);
    errors.insert(errors.end(), loaded.errors.begin(), loaded.errors.end());
    const run_config& c = loaded.config;
    return loaded.errors.empty() ? transmission_time(c.device.cell, c.link.rate * c.device.speedup)
                                 : picoseconds{1};
}

accuracy_row row_of(std::size_t point, transfer_errors& errors, picoseconds cycle) {
    accuracy_row row;
    row.point = point;
    row.cycle = cycle;
    row.transfers = errors.transfers();
    row.only_in_one = errors.only_in_one();
    row.mean_error_ns = errors.mean() / 1000;
    row.ns = spread_of(errors.absolute(), 1000);
    row.cycles = spread_of(errors.absolute(), static_cast<double>(cycle.count()));
    row.percent = spread_of(errors.relative(), 1e4);
    row.reference_mean_ns = static_cast<double>(errors.reference().mean()) / 1000;
    row.reference_p99_ns = static_cast<double>(errors.reference().percentile(9'900)) / 1000;
    row.mean_percent = percent_above(errors.model().mean(), errors.reference().mean());
    row.p99_percent = percent_above(errors.model().percentile(9'900), errors.reference().percentile(9'900));
    return row;
}

std::string decimals(double value, int count) {
    csv_line line;
    std::string text(line.add_decimal(value, count).end());
    text.pop_back();
    return text;
}

/// Three significant digits or so, thousands apart: for people.
std::string short_number(double value) {
    const double size = std::abs(value);
    return size >= 1000 ? (value < 0 ? "-" : "") + count_text(static_cast<std::uint64_t>(size + 0.5))
                        : decimals(value, size >= 100  ? 0
                                          : size >= 10 ? 1
                                                       : 2);
}

std::string short_spread(const error_spread& spread) {
    return short_number(spread.mean) + ", " + short_number(spread.p99) + ", " + short_number(spread.max);
}

}  // namespace

config_errors check_pair(const sweep_plan& plan, const accuracy_pair& pair) {
    config_errors errors;
    const std::vector<std::string> keys = plan.keys();
    if (std::find(keys.begin(), keys.end(), pair.key) == keys.end()) {
        errors.push_back({"", 0, "--pair",
                          "the sweep does not vary '" + pair.key + "'; allowed: " + detail::join(keys, ", ")});
        return errors;
    }
    const swept_axis axis(plan, pair.key);
    for (const std::string& value : {pair.model, pair.reference}) {
        if (!axis.place_of(value)) {
            errors.push_back(
                {"", 0, "--pair", "'" + pair.key + "' never is '" + value + "'; allowed: " + axis.all_texts()});
        }
    }
    if (errors.empty() && axis.place_of(pair.model) == axis.place_of(pair.reference)) {
        errors.push_back({"", 0, "--pair", "compares '" + pair.model + "' with itself; allowed: two values"});
    }
    return errors;
}

std::vector<accuracy_row> accuracy_rows(const sweep_plan& plan, const sweep_layout& layout,
                                        const accuracy_pair& pair, picoseconds cycle, config_errors& errors) {
    const swept_axis axis(plan, pair.key);
    const std::size_t model_place = *axis.place_of(pair.model);
    const std::size_t reference_place = *axis.place_of(pair.reference);
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
        transfer_errors pooled;
        for (const std::uint64_t seed : plan.seeds) {
            const auto flows = [&](std::size_t of) {
                return read_completions((layout.run(of, seed) / "flows.csv").string(), errors);
            };
            pooled.add(flows(model), flows(point));
        }
        const picoseconds unit =
            cycle > picoseconds{0}
                ? cycle
                : slot_of((layout.run(point, plan.seeds.front()) / "effective.ini").string(), errors);
        rows.push_back(row_of(point, pooled, unit));
        for (const auto& setting : plan.settings(point)) {
            if (axis.index() != swept_axis(plan, setting.first).index()) {
                rows.back().settings.push_back(setting);
            }
        }
    }
    return rows;
}

std::string accuracy_csv(const std::vector<accuracy_row>& rows) {
    csv_line line;
    std::string text;
    for (const auto& [key, value] : rows.empty() ? accuracy_row{}.settings : rows.front().settings) {
        line.add_name(key);
    }
    for (const char* column :
         {"cycle_ns", "transfers", "only_in_one", "mean_error_ns", "mean_abs_ns", "p99_abs_ns", "max_abs_ns",
          "mean_abs_cycles", "p99_abs_cycles", "max_abs_cycles", "mean_abs_percent", "p99_abs_percent",
          "max_abs_percent", "reference_mean_ns", "reference_p99_ns", "mean_percent", "p99_percent"}) {
        line.add_name(column);
    }
    text += line.end();
    for (const accuracy_row& row : rows) {
        for (const auto& [key, value] : row.settings) {
            line.add_name(value);
        }
        line.add_ns(row.cycle).add(row.transfers).add(row.only_in_one).add_decimal(row.mean_error_ns, 3);
        for (const error_spread* spread : {&row.ns, &row.cycles, &row.percent}) {
            line.add_decimal(spread->mean, 3).add_decimal(spread->p99, 3).add_decimal(spread->max, 3);
        }
        line.add_decimal(row.reference_mean_ns, 3).add_decimal(row.reference_p99_ns, 3);
        line.add_decimal(row.mean_percent, 3).add_decimal(row.p99_percent, 3);
        text += line.end();
    }
    return text;
}

std::string setting_of(const accuracy_row& row, const std::string& key) {
    const auto found = std::find_if(row.settings.begin(), row.settings.end(),
                                    [&](const auto& setting) { return setting.first == key; });
    return found == row.settings.end() ? std::string{} : found->second;
}

std::string accuracy_markdown(const std::vector<accuracy_row>& rows, const std::vector<std::string>& keys) {
    std::string text = "|";
    std::string rule = "|";
    for (const std::string& key : keys) {
        text += " `" + key + "` |";
        rule += "---|";
    }
    text +=
        " transfers | mean error, ns | \\|error\\|, cycles: mean, p99, max | of a transfer's time, %: mean, "
        "p99, max | mean time, % | p99 time, % |\n" +
        rule + "---|---|---|---|---|---|\n";
    for (const accuracy_row& row : rows) {
        text += "|";
        for (const std::string& key : keys) {
            text += " " + setting_of(row, key) + " |";
        }
        text += " " + count_text(row.transfers) + " | " + short_number(row.mean_error_ns) + " | " +
                short_spread(row.cycles) + " | " + short_spread(row.percent) + " | " +
                short_number(row.mean_percent) + " | " + short_number(row.p99_percent) + " |\n";
    }
    return text;
}

}  // namespace weir
