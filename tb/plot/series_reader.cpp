#include "tb/plot/series_reader.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <limits>
#include <map>
#include <optional>

#include "tb/files/input_file.h"
#include "tb/text/csv_file.h"
#include "tb/text/port_text.h"
#include "weir/protocol/frame.h"

namespace weir::tb {

namespace {

namespace fs = std::filesystem;

constexpr const char* series_file = "a file as `weir run` writes it";
constexpr double none = std::numeric_limits<double>::quiet_NaN();
/// Of a port or a slice: both are kept in 16 bits.
constexpr std::uint64_t most_place = 65535;
const std::vector<std::string> pool_names{"lossless_pool", "lossy_pool", "headroom", "queue_pool",
                                          "lossless_queue_pool"};

/// Nothing where there is no value.
void add(limited_series& series, double time, double value, double limit = none, double capacity = none) {
    if (!std::isnan(value)) {
        series.time_ns.push_back(time);
        series.values.push_back(value);
        series.limits.push_back(limit);
        series.capacity = capacity;
    }
}

void add_share(limited_series& series, double value, double of) {
    series.share = of > 0 ? std::max(series.share, value / of) : series.share;
}

/// What has been counted up to here.
double sum_of(const std::vector<double>& counts) {
    return counts.empty() ? 0 : counts.back();
}

/// The place of the line's series among all; nothing where its time is not later than the one before, an error.
class series_places {
 public:
    std::optional<std::size_t> place_of(csv_file& file, std::size_t time_column, const std::string& name,
                                        double time) {
        const auto [known, is_new] = m_known.emplace(name, m_last_ns.size());
        if (is_new) {
            m_last_ns.push_back(time);
        } else if (time <= m_last_ns[known->second]) {
            file.refuse(time_column, "does not advance; expected one line per time for '" + name +
                                         "', in the order of time");
            return std::nullopt;
        }
        m_last_ns[known->second] = time;
        return known->second;
    }

 private:
    std::map<std::string, std::size_t> m_known;
    std::vector<double> m_last_ns;
};

limited_series& at(std::vector<limited_series>& all, std::size_t place) {
    all.resize(std::max(all.size(), place + 1));
    return all[place];
}

/// It is nothing but the same values, from a later time on.
bool repeats(const std::vector<double>& later, const std::vector<double>& first) {
    if (later.size() > first.size()) {
        return false;
    }
    const auto common = first.end() - static_cast<std::ptrdiff_t>(later.size());
    const auto are_equal = [](double a, double b) { return a == b || (std::isnan(a) && std::isnan(b)); };
    return std::equal(common, first.end(), later.begin(), are_equal) &&
           std::none_of(first.begin(), common, [](double value) { return value > 0; });
}

bool repeats(const limited_series& later, const limited_series& first) {
    return repeats(later.values, first.values) && repeats(later.limits, first.limits);
}

/// Keeps one of a port's classes that were paused together.
void drop_repeats(std::vector<limited_series>& all) {
    std::map<std::string, std::vector<const limited_series*>> kept;
    for (limited_series& s : all) {
        std::vector<const limited_series*>& of_port = kept[s.name.substr(0, s.name.rfind(' '))];
        if (std::any_of(of_port.begin(), of_port.end(),
                        [&](const auto* first) { return repeats(s, *first); })) {
            s = {};
        } else {
            of_port.push_back(&s);
        }
    }
}

}  // namespace

double limited_series::largest() const {
    return values.empty() ? 0 : *std::max_element(values.begin(), values.end());
}

port_class_series read_port_series(const std::string& directory, config_errors& errors) {
    port_class_series all;
    const fs::path path = fs::path(directory) / "port_series.csv";
    if (!path_exists(path)) {
        return all;
    }
    csv_file file(path, errors, input_kind::any, series_file);
    const std::vector<std::size_t> columns =
        file.columns({"time_ns", "node", "port", "class", "counted_bytes", "threshold_bytes",
                      "ingress_capacity_bytes", "egress_bytes", "egress_limit_bytes", "egress_capacity_bytes",
                      "rx_bps", "tx_bps", "xoff_sent", "xon_sent", "paused_percent", "ingress_bytes"});
    constexpr std::size_t first_value = 4;
    series_places places;
    // Where thresholds count other classes' bytes too, those that never held a frame themselves say nothing.
    std::vector<bool> held;
    while (file.next()) {
        double time = 0;
        std::uint64_t port = 0;
        std::uint64_t frame_class = 0;
        std::array<double, 12> values;
        values.fill(none);
        bool good = file.number(columns[0], time);
        good = file.number(columns[2], port, 0, most_place) && good;
        good = file.number(columns[3], frame_class, 0, pfc_classes - 1) && good;
        for (std::size_t i = 0; i < values.size(); ++i) {
            good = file.number_or_none(columns[first_value + i], values[i]) && good;
        }
        if (!good) {
            continue;
        }
        const auto [counted, threshold, ingress_capacity, egress, limit, egress_capacity, rx, tx, xoff, xon,
                    paused, ingress] = values;
        const std::string of_class = " class " + std::to_string(frame_class);
        const std::string key = file.text(columns[1]) + ":" + std::to_string(port) + of_class;
        const std::optional<std::size_t> place = places.place_of(file, columns[0], key, time);
        if (!place) {
            continue;
        }
        const auto of = [&](std::vector<limited_series>& table, port_side side) -> limited_series& {
            limited_series& series = at(table, *place);
            series.name = port_text(file.text(columns[1]), side, std::to_string(port)) + of_class;
            series.key = key;
            return series;
        };
        held.resize(std::max(held.size(), *place + 1));
        held[*place] = held[*place] || ingress > 0;
        add(of(all.ingress, port_side::ingress), time, counted, threshold, ingress_capacity);
        add_share(all.ingress[*place], counted, threshold);
        add(of(all.egress, port_side::egress), time, egress, limit, egress_capacity);
        add_share(all.egress[*place], egress, limit);
        add(of(all.received, port_side::ingress), time, rx);
        add(of(all.sent, port_side::egress), time, tx);
        limited_series& announced = of(all.announced, port_side::ingress);
        add(announced, time, sum_of(announced.values) + xoff, sum_of(announced.limits) + xon);
        add(of(all.paused, port_side::egress), time, paused);
    }
    for (std::size_t place = 0; place < all.ingress.size(); ++place) {
        if (!held[place]) {
            all.ingress[place] = {};
        }
    }
    drop_repeats(all.announced);
    drop_repeats(all.paused);
    return all;
}

std::vector<limited_series> read_pool_series(const std::string& directory, config_errors& errors) {
    std::vector<limited_series> all;
    const fs::path path = fs::path(directory) / "pool_series.csv";
    if (!path_exists(path)) {
        return all;
    }
    csv_file file(path, errors, input_kind::any, series_file);
    const std::vector<std::size_t> columns = file.columns(
        {"time_ns", "node", "pool", "slice", "occupancy_bytes", "size_bytes", "group_threshold_bytes"});
    series_places places;
    while (file.next()) {
        double time = 0;
        std::size_t pool = 0;
        std::uint64_t slice = 0;
        double held = 0;
        double size = 0;
        double threshold = none;
        bool good = file.number(columns[0], time);
        good = file.word(columns[2], pool, pool_names) && good;
        good = file.number(columns[3], slice, 0, most_place) && good;
        good = file.number(columns[4], held) && good;
        good = file.number(columns[5], size) && good;
        if (!file.number_or_none(columns[6], threshold) || !good) {
            continue;
        }
        const std::string name =
            file.text(columns[1]) + " " + pool_names[pool] + (slice == 0 ? "" : " " + std::to_string(slice));
        if (const std::optional<std::size_t> place = places.place_of(file, columns[0], name, time)) {
            limited_series& series = at(all, *place);
            series.name = series.key = name;
            add(series, time, held, threshold, size);
            add_share(series, held, size);
        }
    }
    return all;
}

}  // namespace weir::tb
