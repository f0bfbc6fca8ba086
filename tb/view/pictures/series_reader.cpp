#include "tb/view/pictures/series_reader.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <map>
#include <numeric>
#include <optional>
#include <set>
#include <string_view>
#include <tuple>
#include <utility>

#include "tb/run/samples/port_series.h"
#include "tb/run/samples/sample_tables.h"
#include "tb/run/samples/sender_tables.h"
#include "tb/run/tables/hot_spots.h"
#include "tb/support/files/input_file.h"
#include "tb/support/record/record_reader.h"
#include "tb/support/record/row_of.h"
#include "tb/support/text/port_text.h"
#include "tb/view/pictures/run_charts.h"
#include "weir/base/unit_text.h"

namespace weir::tb {

namespace {

namespace fs = std::filesystem;

using series_list = std::vector<time_series>;
using optional_number = std::optional<double>;

double in_ns(picoseconds time) {
    return static_cast<double>(time.count()) / 1000;
}

/// Calls take(file, row) for each line of a table that the run has written.
template <class Row, class Take>
void read_rows(run_data& run, Take&& take) {
    const fs::path path = fs::path(run.directory) / Row::table.file;
    if (!path_exists(path)) {
        return;
    }
    record_reader<Row> file(path.string(), run.errors, input_kind::any, written_table);
    while (const Row* const row = file.next()) {
        take(file, *row);
    }
}

/// Series of one table, by key, in the order in which the table first has them.
class series_of_table {
 public:
    /// False, and an error, where the time of this line is not later than that of the one before with the key.
    bool advances(csv_file& file, const std::string& key, picoseconds time) {
        const auto [last, is_new] = m_last.emplace(key, time);
        if (!is_new && time <= last->second) {
            file.refuse(*file.optional_column("time_ns"),
                        "does not advance; expected one line per time for '" + key + "', in the order of time");
            return false;
        }
        last->second = time;
        return true;
    }
    /// Nothing is added to the series where there is no value. `share_of`: what the quantity comes near to.
    void add(series_list& all, const std::string& key, const std::string& name, picoseconds time,
             optional_number value, optional_number limit = {}, optional_number capacity = {},
             optional_number share_of = {}) {
        const auto [place, is_new] = m_places.emplace(std::pair(&all, key), all.size());
        if (is_new) {
            all.push_back({name, key, {}, {}});
        }
        if (value) {
            time_series& series = all[place->second];
            series.time_ns.push_back(in_ns(time));
            series.values.push_back(*value);
            series.limits.push_back(limit.value_or(NAN));
            series.capacity = capacity.value_or(NAN);
            series.share = share_of > 0.0 ? std::max(series.share, *value / *share_of) : series.share;
        }
    }

 private:
    std::map<std::string, picoseconds> m_last;
    std::map<std::pair<series_list*, std::string>, std::size_t> m_places;
};

void read_occupancy(run_data& run) {
    series_of_table table;
    read_rows<occupancy_row>(run, [&](csv_file& file, const occupancy_row& row) {
        const std::string node(row.node);
        const std::string port = std::to_string(row.port);
        const std::string name = port_text(node, row.side, port);
        if (table.advances(file, name, row.time)) {
            table.add(row.side == port_side::ingress ? run.ingress : run.egress, node + ":" + port, name,
                      row.time, row.occupancy);
        }
    });
}

/// `host`, `tier1`, or a bare number as in files of earlier versions.
bool is_tier(std::string_view name) {
    if (name == "host") {
        return true;
    }
    name.remove_prefix(name.substr(0, 4) == "tier" ? 4 : 0);
    return !name.empty() && name.find_first_not_of("0123456789") == std::string_view::npos;
}

void read_pauses(run_data& run) {
    series_of_table table;
    read_rows<pause_sample_row>(run, [&](csv_file& file, const pause_sample_row& row) {
        const std::string tier(row.tier);
        if (!is_tier(tier)) {
            file.refuse(*file.optional_column("tier"),
                        "'" + tier + "' is not a tier; expected host, tier0, tier1, ...");
        } else if (table.advances(file, tier, row.time)) {
            table.add(run.pauses, tier, tier, row.time, in_ns(row.paused), {}, row.transmitters);
        }
    });
    for (time_series& tier : run.pauses) {
        const std::vector<double>& t = tier.time_ns;
        for (std::size_t i = 0; i < t.size(); ++i) {
            // The first interval is as long as the second; a sample at the start of a run ends none.
            const double interval = i > 0 ? t[i] - t[i - 1] : t.size() > 1 ? t[1] - t[0] : t[0];
            tier.values[i] /= interval > 0 ? interval : 1;
        }
    }
    std::sort(run.pauses.begin(), run.pauses.end(),
              [](const time_series& a, const time_series& b) { return a.name < b.name; });
}

/// A window or a rate of each sender; `flow` tells senders with the same hosts apart.
template <class Row>
void read_senders(run_data& run, series_list& senders) {
    series_of_table table;
    std::set<std::string> named;
    std::map<std::string, std::string> names;
    read_rows<Row>(run, [&](csv_file&, const Row& row) {
        const std::optional<host_id> dst = row.dst;
        const std::optional<std::uint64_t> flow = row.flow;
        const std::string hosts = std::to_string(row.host) + (dst ? " > " + std::to_string(*dst) : "");
        const std::string of_flow = hosts + (flow ? " #" + std::to_string(*flow) : "");
        const auto add = [&](const std::string& key, double value) {
            const auto [name, is_new] = names.emplace(key, of_flow);
            if (is_new && named.insert(hosts).second) {
                name->second = hosts;
            }
            table.add(senders, key, name->second, row.time, value);
        };
        if constexpr (std::is_same_v<Row, rate_row>) {
            add(of_flow + " class " + std::to_string(row.priority), static_cast<double>(row.rate.count()));
        } else {
            add(of_flow, static_cast<double>(row.cwnd));
        }
    });
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

/// Keeps one of a port's classes that were paused together.
void drop_repeats(series_list& all) {
    std::map<std::string, std::vector<const time_series*>> kept;
    for (time_series& s : all) {
        std::vector<const time_series*>& of_port = kept[s.name.substr(0, s.name.rfind(' '))];
        const bool is_repeat = std::any_of(of_port.begin(), of_port.end(), [&](const time_series* first) {
            return repeats(s.values, first->values) && repeats(s.limits, first->limits);
        });
        if (is_repeat) {
            s = {};
        } else {
            of_port.push_back(&s);
        }
    }
}

constexpr auto measured(const char* name) {
    return cell<std::optional<std::uint64_t>>(name).absent("there is none");
}
/// Columns of port_series.csv, whose own rows compute theirs.
constexpr auto columns_of_ports =
    std::tuple(cell<picoseconds>("time_ns").decimals(3), cell<std::string>("node"),
               cell<std::uint32_t>("port").range(0, 65535), cell<std::uint32_t>("class").range(0, 7),
               measured("ingress_bytes"), measured("counted_bytes"), measured("threshold_bytes"),
               measured("ingress_capacity_bytes"), measured("egress_bytes"), measured("egress_limit_bytes"),
               measured("egress_capacity_bytes"), measured("rx_bps"), measured("tx_bps"), measured("xoff_sent"),
               measured("xon_sent"),
               cell<std::optional<double>>("paused_percent").absent("at the first time").decimals(4));
struct port_line : row_of<columns_of_ports> {
    static constexpr table_facts table = port_series_row::table;
};

void read_ports(run_data& run) {
    series_of_table table;
    // Where thresholds count other classes' bytes too, those that never held a frame themselves say nothing.
    std::set<std::string> held;
    read_rows<port_line>(run, [&](csv_file& file, const port_line& row) {
        const auto& [time, node, port_number, frame_class, ingress, counted, threshold, ingress_capacity,
                     egress, egress_limit, egress_capacity, received, sent, announced, ended, paused] =
            row.cells;
        const std::string port = std::to_string(port_number);
        const std::string of_class = " class " + std::to_string(frame_class);
        const std::string key = node + ":" + port + of_class;
        if (!table.advances(file, key, time)) {
            return;
        }
        const std::string in = port_text(node, port_side::ingress, port) + of_class;
        const std::string out = port_text(node, port_side::egress, port) + of_class;
        if (ingress > std::uint64_t{0}) {
            held.insert(key);
        }
        table.add(run.port_ingress, key, in, time, counted, threshold, ingress_capacity, threshold);
        table.add(run.port_egress, key, out, time, egress, egress_limit, egress_capacity, egress_limit);
        table.add(run.port_received, key, in, time, received);
        table.add(run.port_sent, key, out, time, sent);
        table.add(run.port_announced, key, in, time, announced, ended);
        table.add(run.port_paused, key, out, time, paused);
    });
    for (time_series& each : run.port_ingress) {
        if (held.count(each.key) == 0) {
            each = {};
        }
    }
    for (time_series& each : run.port_announced) {
        std::partial_sum(each.values.begin(), each.values.end(), each.values.begin());
        std::partial_sum(each.limits.begin(), each.limits.end(), each.limits.begin());
    }
    drop_repeats(run.port_announced);
    drop_repeats(run.port_paused);
}

void read_pools(run_data& run) {
    series_of_table table;
    read_rows<pool_series_row>(run, [&](csv_file& file, const pool_series_row& row) {
        const std::string name = std::string(row.node) + " " + std::string(name_of(row.pool)) +
                                 (row.slice == 0 ? "" : " " + std::to_string(row.slice));
        if (table.advances(file, name, row.time)) {
            table.add(run.pools, name, name, row.time, row.occupancy, row.group_threshold, row.size, row.size);
        }
    });
}

void read_shares(run_data& run) {
    read_rows<busy_links_row>(run, [&](csv_file&, const busy_links_row& row) {
        const std::uint64_t links = row.switch_links + row.host_links;
        if (row.end > row.start && links > 0) {
            const std::uint64_t busy = row.busy_switch_links + row.busy_host_links;
            run.busy_links.push_back({100 * static_cast<double>(busy) / static_cast<double>(links),
                                      in_ns(row.end) - in_ns(row.start)});
        }
    });
    read_rows<full_queue>(run, [&](csv_file&, const full_queue& row) {
        run.free_one_hop.push_back({row.one_hop_percent, 1});
        run.free_two_hops.push_back({row.two_hop_percent, 1});
    });
}

using series_of_run = series_list run_data::*;

/// Times of a table with samples.
struct sampled_times {
    const char* file;
    std::vector<double> times;
    /// All series have the times; those that `may_begin_late` have them from their first one on.
    bool are_even = true;

    sampled_times(const char* its_file, const run_data& run, bool may_begin_late,
                  const std::vector<series_of_run>& members)
        : file(its_file) {
        for (const series_of_run member : members) {
            for (const time_series& each : run.*member) {
                times = each.time_ns.size() > times.size() ? each.time_ns : times;
            }
        }
        for (const series_of_run member : members) {
            for (const time_series& each : run.*member) {
                are_even = are_even && (may_begin_late || each.time_ns.size() == times.size()) &&
                           std::equal(each.time_ns.rbegin(), each.time_ns.rend(), times.rbegin());
            }
        }
    }
    double last() const { return times.empty() ? 0 : times.back(); }
    /// The next sample would lie well within; half an interval is no rounding.
    bool ends_before(double end) const {
        return times.size() > 1 && 2 * times.back() - times[times.size() - 2] < end;
    }
};

/// Unit: ns. Samples are taken up to here; 0 where it is not known.
double end_of_samples(const run_data& run) {
    const std::string* const end = run.options.find("output.window_end");
    const parse_result<picoseconds> window = parse_time(end == nullptr ? "auto" : *end);
    return run.options.is_missing ? 0
           : window               ? std::min(run.simulated_ns, in_ns(window.value))
                                  : run.simulated_ns;
}

}  // namespace

void read_series(run_data& run) {
    read_occupancy(run);
    read_pauses(run);
    read_shares(run);
    read_senders<window_row>(run, run.windows);
    read_senders<rate_row>(run, run.rates);
    read_ports(run);
    read_pools(run);
    for (const auto& chart : charts().entries()) {
        if (chart.traits.read) {
            chart.traits.read(run);
        }
    }
}

void check_samples(run_data& run) {
    const double end = end_of_samples(run);
    const sampled_times tables[][2] = {{{"occupancy.csv", run, false, {&run_data::ingress, &run_data::egress}},
                                        {"pauses.csv", run, false, {&run_data::pauses}}},
                                       {{"port_series.csv", run, true, {&run_data::port_sent}},
                                        {"pool_series.csv", run, true, {&run_data::pools}}}};
    for (const auto& together : tables) {
        const double last = std::max(together[0].last(), together[1].last());
        for (const sampled_times& table : together) {
            if (!table.times.empty() && (!table.are_even || table.last() < last || table.ends_before(end))) {
                run.errors.push_back(
                    {(fs::path(run.directory) / table.file).string(), 0, "",
                     "ends before the last sample: lines are missing; expected a complete table"});
            }
        }
    }
}

}  // namespace weir::tb
