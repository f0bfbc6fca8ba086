#include "tb/accuracy/accuracy_table.h"

#include <algorithm>
#include <cmath>

#include "tb/accuracy/rtl_reference.h"
#include "tb/accuracy/transfer_errors.h"
#include "tb/options/load_config.h"
#include "tb/results/percentile_rule.h"
#include "tb/sweep/swept_axis.h"
#include "tb/text/joined.h"
#include "tb/text/text_format.h"
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

/// One number of each seed.
class by_seed {
 public:
    explicit by_seed(double confidence) : m_confidence(confidence) {}
    void add(double value) { m_values.push_back(value); }
    mean_interval mean() const { return interval_of(m_values, m_confidence); }

 private:
    double m_confidence;
    std::vector<double> m_values;
};

class p99_by_seed {
 public:
    explicit p99_by_seed(double confidence) : m_all(confidence), m_sound(confidence) {}
    void add(double value, std::uint64_t transfers) {
        m_all.add(value);
        if (has_percentile(transfers, 99)) {
            m_sound.add(value);
        }
    }
    percentile_mean mean() const { return {m_all.mean(), m_sound.mean()}; }

 private:
    by_seed m_all;
    by_seed m_sound;
};

class spread_by_seed {
 public:
    spread_by_seed(double confidence, double unit) : m_unit(unit), m_mean(confidence), m_p99(confidence) {}
    void add(percentiles& values) {
        m_mean.add(static_cast<double>(values.mean()) / m_unit);
        m_p99.add(static_cast<double>(values.percentile(9'900)) / m_unit, values.count());
        m_max = std::max(m_max, static_cast<double>(values.max()) / m_unit);
    }
    error_spread spread() const { return {m_mean.mean(), m_p99.mean(), m_max}; }

 private:
    double m_unit;
    by_seed m_mean;
    p99_by_seed m_p99;
    double m_max = 0;
};

/// A row out of the transfers of each seed. Seeds without any transfer in both are counted, and else left out.
accuracy_row row_of(std::size_t point, std::vector<transfer_errors>& seeds, picoseconds cycle,
                    double confidence) {
    accuracy_row row;
    row.point = point;
    row.cycle = cycle;
    row.seeds = seeds.size();
    by_seed error_ns(confidence), reference_mean(confidence), mean_percent(confidence);
    p99_by_seed reference_p99(confidence), p99_percent(confidence);
    spread_by_seed ns(confidence, 1000), cycles(confidence, static_cast<double>(cycle.count()));
    spread_by_seed percent(confidence, 1e4);
    for (transfer_errors& seed : seeds) {
        row.transfers += seed.transfers();
        row.only_in_one += seed.only_in_one();
        if (seed.transfers() == 0) {
            continue;
        }
        error_ns.add(seed.mean() / 1000);
        ns.add(seed.absolute());
        cycles.add(seed.absolute());
        percent.add(seed.relative());
        reference_mean.add(static_cast<double>(seed.reference().mean()) / 1000);
        reference_p99.add(static_cast<double>(seed.reference().percentile(9'900)) / 1000, seed.transfers());
        mean_percent.add(percent_above(seed.model().mean(), seed.reference().mean()));
        p99_percent.add(percent_above(seed.model().percentile(9'900), seed.reference().percentile(9'900)),
                        seed.transfers());
    }
    row.mean_error_ns = error_ns.mean();
    row.ns = ns.spread();
    row.cycles = cycles.spread();
    row.percent = percent.spread();
    row.reference_mean_ns = reference_mean.mean();
    row.reference_p99_ns = reference_p99.mean();
    row.mean_percent = mean_percent.mean();
    row.p99_percent = p99_percent.mean();
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
std::string bare_spread(const error_spread& spread) {
    const auto bare = [](const mean_interval& value) {
        return value.n == 0 ? std::string("-") : short_number(value.mean);
    };
    return bare(spread.mean) + ", " + bare(spread.p99.sound) + ", " + short_number(spread.max);
}

/// What accuracy.csv says of a row, but for the swept options and the intervals, in order.
struct accuracy_column {
    const char* name;
    const mean_interval& (*value)(const accuracy_row&);
};
constexpr accuracy_column interval_columns[] = {
    {"mean_error_ns", [](const accuracy_row& row) -> const mean_interval& { return row.mean_error_ns; }},
    {"mean_abs_ns", [](const accuracy_row& row) -> const mean_interval& { return row.ns.mean; }},
    {"p99_abs_ns", [](const accuracy_row& row) -> const mean_interval& { return row.ns.p99.all; }},
    {"mean_abs_cycles", [](const accuracy_row& row) -> const mean_interval& { return row.cycles.mean; }},
    {"p99_abs_cycles", [](const accuracy_row& row) -> const mean_interval& { return row.cycles.p99.all; }},
    {"mean_abs_percent", [](const accuracy_row& row) -> const mean_interval& { return row.percent.mean; }},
    {"p99_abs_percent", [](const accuracy_row& row) -> const mean_interval& { return row.percent.p99.all; }},
    {"reference_mean_ns",
     [](const accuracy_row& row) -> const mean_interval& { return row.reference_mean_ns; }},
    {"reference_p99_ns",
     [](const accuracy_row& row) -> const mean_interval& { return row.reference_p99_ns.all; }},
    {"mean_percent", [](const accuracy_row& row) -> const mean_interval& { return row.mean_percent; }},
    {"p99_percent", [](const accuracy_row& row) -> const mean_interval& { return row.p99_percent.all; }},
};

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
    csv_line line;
    std::string text;
    for (const auto& [key, value] : rows.empty() ? accuracy_row{}.settings : rows.front().settings) {
        line.add_name(key);
    }
    for (const char* column : {"cycle_ns", "seeds", "transfers", "only_in_one", "confidence"}) {
        line.add_name(column);
    }
    for (const accuracy_column& column : interval_columns) {
        line.add_name(column.name).add_name(std::string(column.name) + "_half_width");
    }
    text += line.add_name("max_abs_ns").add_name("max_abs_cycles").add_name("max_abs_percent").end();
    for (const accuracy_row& row : rows) {
        for (const auto& [key, value] : row.settings) {
            line.add_name(value);
        }
        line.add_ns(row.cycle).add(row.seeds).add(row.transfers).add(row.only_in_one);
        line.add_name(decimal_text(confidence));
        for (const accuracy_column& column : interval_columns) {
            const mean_interval& value = column.value(row);
            line.add_decimal(value.mean, 3);
            value.has_width() ? line.add_decimal(value.half_width, 3) : line.add_name("");
        }
        text += line.add_decimal(row.ns.max, 3)
                    .add_decimal(row.cycles.max, 3)
                    .add_decimal(row.percent.max, 3)
                    .end();
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
        text += " " + count_text(row.transfers) + " | " + short_interval(row.mean_error_ns) + " | " +
                short_spread(row.cycles) + " | " + bare_spread(row.percent) + " | " +
                short_interval(row.mean_percent) + " | " + short_interval(row.p99_percent.sound) + " |\n";
    }
    return text;
}

}  // namespace weir::tb
