#include "tb/plot/series_reader.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <limits>
#include <map>

#include "tb/text/csv_file.h"

namespace weir::tb {

namespace {

namespace fs = std::filesystem;

constexpr const char* series_file = "a file as `weir run` writes it";
constexpr double none = std::numeric_limits<double>::quiet_NaN();

/// A table of a run that may be missing.
class series_table {
 public:
    series_table(const fs::path& path, config_errors& errors) {
        std::error_code ignored;
        if (fs::exists(path, ignored)) {
            m_table.emplace(path, errors, input_kind::any, series_file);
        }
    }
    bool is_there() const { return m_table.has_value(); }
    csv_file& file() { return *m_table; }
    /// NaN: the field is empty. False: it is no number, which is an error.
    bool number(std::size_t column, double& value) {
        value = none;
        return m_table->text(column).empty() || m_table->number(column, value);
    }

 private:
    std::optional<csv_file> m_table;
};

/// The place of the key's series among all, which are as many as keys.
template <class Key>
std::size_t place_of(std::map<Key, std::size_t>& known, const Key& key) {
    return known.emplace(key, known.size()).first->second;
}

void add(std::vector<limited_series>& all, std::size_t place, const std::string& name, double time,
         double value, double limit) {
    if (place >= all.size()) {
        all.resize(place + 1);
    }
    if (std::isnan(value)) {
        return;
    }
    all[place].name = name;
    all[place].time_ns.push_back(time);
    all[place].values.push_back(value);
    all[place].limits.push_back(limit);
}

}  // namespace

double limited_series::largest() const {
    return values.empty() ? 0 : *std::max_element(values.begin(), values.end());
}

double limited_series::largest_share() const {
    double share = 0;
    for (std::size_t i = 0; i < values.size(); ++i) {
        share = limits[i] > 0 ? std::max(share, values[i] / limits[i]) : share;
    }
    return share;
}

port_class_series read_port_series(const std::string& directory, config_errors& errors) {
    port_class_series all;
    series_table table(fs::path(directory) / "port_series.csv", errors);
    if (!table.is_there()) {
        return all;
    }
    csv_file& file = table.file();
    const std::vector<std::size_t> columns =
        file.columns({"time_ns", "node", "port", "class", "counted_bytes", "threshold_bytes", "egress_bytes",
                      "egress_limit_bytes", "tx_bps", "paused_percent", "ingress_bytes"});
    constexpr std::size_t first_value = 4;
    std::map<std::string, std::size_t> known;
    // Where thresholds count other classes' bytes too, those that never held a frame themselves say nothing.
    std::vector<bool> held;
    while (file.next()) {
        double time = 0;
        std::array<double, 7> values{};
        bool good = file.number(columns[0], time);
        for (std::size_t i = 0; i < values.size(); ++i) {
            good = table.number(columns[first_value + i], values[i]) && good;
        }
        if (!good) {
            continue;
        }
        const auto [counted, threshold, egress, limit, rate, paused, ingress] = values;
        const std::string name =
            file.text(columns[1]) + ":" + file.text(columns[2]) + " class " + file.text(columns[3]);
        const std::size_t place = place_of(known, name);
        held.resize(std::max(held.size(), place + 1));
        held[place] = held[place] || ingress > 0;
        add(all.ingress, place, name, time, counted, threshold);
        add(all.egress, place, name, time, egress, limit);
        add(all.throughput, place, name, time, rate, none);
        add(all.paused, place, name, time, paused, none);
    }
    for (std::size_t place = 0; place < all.ingress.size(); ++place) {
        if (!held[place]) {
            all.ingress[place] = {};
        }
    }
    return all;
}

std::vector<limited_series> read_pool_series(const std::string& directory, config_errors& errors) {
    std::vector<limited_series> all;
    series_table table(fs::path(directory) / "pool_series.csv", errors);
    if (!table.is_there()) {
        return all;
    }
    csv_file& file = table.file();
    const std::vector<std::size_t> columns =
        file.columns({"time_ns", "node", "pool", "slice", "occupancy_bytes", "size_bytes"});
    std::map<std::string, std::size_t> known;
    while (file.next()) {
        double time = 0;
        double held = 0;
        double size = 0;
        if (!file.number(columns[0], time) || !file.number(columns[4], held) ||
            !file.number(columns[5], size)) {
            continue;
        }
        const std::string slice = file.text(columns[3]);
        const std::string name =
            file.text(columns[1]) + " " + file.text(columns[2]) + (slice == "0" ? "" : " " + slice);
        add(all, place_of(known, name), name, time, held, size);
    }
    return all;
}

}  // namespace weir::tb
