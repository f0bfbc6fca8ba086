#include "tb/run/results/run_metrics.h"

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "tb/run/options/requested_metrics.h"
#include "tb/run/tables/flow_rates.h"

namespace weir::tb {

using nlohmann::ordered_json;

namespace {

/// The rate as a share of what the links of all hosts carry together; null for null.
ordered_json line_rate_percent(const ordered_json& bps, const topology& plan) {
    double line_rate = 0;
    for (host_id h = 0; h < plan.hosts(); ++h) {
        line_rate += static_cast<double>(plan.link(plan.ports(node_ref::of_host(h))[0]).rate.count());
    }
    return bps.is_number() ? ordered_json(with_decimals(100 * bps.get<double>() / line_rate)) : bps;
}

ordered_json offered_bps(const run_summary& summary) {
    return payload_bps(summary.offered_bytes, summary.averaged.length);
}

/// Busy time of the busiest transmitter of a switch over the mean of all; null if none was busy.
ordered_json link_imbalance(const run_results& r, const run_summary& /*summary*/) {
    double sum = 0;
    double most = 0;
    double links = 0;
    for (const resource_use& use : r.resources) {
        if (use.kind == resource_kind::link) {
            sum += use.busy_percent;
            most = std::max(most, use.busy_percent);
            ++links;
        }
    }
    return sum > 0 ? ordered_json(with_decimals(most * links / sum)) : ordered_json();
}

/// Jain's index of the payload of those hosts that received any; null if none did.
ordered_json jain_index_of_hosts(const run_results& r, const run_summary& /*summary*/) {
    std::vector<std::pair<host_id, std::uint64_t>> own;
    for (host_id h = 0; h < r.endpoints.size(); ++h) {
        if (r.endpoints[h] != nullptr && r.endpoints[h]->goodput_bytes() > 0) {
            own.emplace_back(h, r.endpoints[h]->goodput_bytes());
        }
    }
    auto received = gathered(r.made.team(), std::move(own));
    std::sort(received.begin(), received.end());
    std::vector<double> all;
    for (const auto& [host, payload] : received) {
        all.push_back(static_cast<double>(payload));
    }
    return all.empty() ? ordered_json() : ordered_json(with_decimals(jain_index(all)));
}

/// Share of the averaged time in which the transmitter that was paused most was paused.
ordered_json most_paused_percent(const run_results& r, const run_summary& summary) {
    std::int64_t longest = 0;
    const auto look = [&](const mac_port& mac) {
        model::pause_timers timers = mac.timers;
        timers.settle(r.paused_until);
        for (unsigned c = 0; c < pfc_classes; ++c) {
            const picoseconds paused = timers.stats().paused_time[c] - mac.timers_before().paused_time[c];
            longest = (r.paused_classes >> c & 1U) != 0 ? std::max(longest, paused.count()) : longest;
        }
    };
    for (host_id h = 0; h < r.made.hosts(); ++h) {
        if (r.made.host(h) != nullptr) {
            look(r.made.host(h)->mac());
        }
    }
    for (const switch_id s : r.made.own_switches()) {
        for (unsigned port = 0; port < r.made.device(s).ports(); ++port) {
            look(r.made.device(s).mac(port));
        }
    }
    for (const std::int64_t of_rank : shared_parts(r.made.team(), longest)) {
        longest = std::max(longest, of_rank);
    }
    const auto whole = static_cast<double>(summary.averaged.length.count());
    return whole > 0 ? ordered_json(with_decimals(100 * static_cast<double>(longest) / whole)) : ordered_json();
}

std::deque<run_metric>& all_metrics() {
    constexpr auto higher = metric_direction::higher;
    constexpr auto count = json_kind::count, nullable = json_kind::number_or_null;
    static std::deque<run_metric> list{
        {metric_entry("goodput.line_rate_percent", "Goodput, share of the hosts' line rate", nullable)
             .better(higher),
         [](const run_results& r, const run_summary& s) {
             return line_rate_percent(payload_bps(s.goodput_bytes, s.averaged.length), r.made.plan());
         }},
        {metric_entry("goodput.host_jain_index", "Jain's index of the hosts' goodput", nullable)
             .better(higher)
             .says("Jain's index of the payload of those hosts that received any; 1: all received the same."),
         jain_index_of_hosts},
        {metric_entry("offered.bytes", "Payload of the transfers that started after the warm-up", count)
             .in("B"),
         [](const run_results&, const run_summary& s) { return s.offered_bytes; }},
        {metric_entry("offered.bps", "Offered load", nullable).in("bit/s"),
         [](const run_results&, const run_summary& s) { return offered_bps(s); }},
        {metric_entry("offered.line_rate_percent", "Offered load, share of the hosts' line rate", nullable),
         [](const run_results& r, const run_summary& s) {
             return line_rate_percent(offered_bps(s), r.made.plan());
         }},
        {metric_entry("links.imbalance", "Load of the busiest link over the mean of all", nullable)
             .better(metric_direction::lower)
             .says(
                 "Busy time of the busiest transmitter of a switch over the mean of all; 1: the load is even."),
         link_imbalance},
        {metric_entry("pfc.most_paused_percent",
                      "Share of time paused, of the transmitter that was paused most", nullable)
             .better(metric_direction::lower)
             .says("Share of the time in which one class of one port was paused, of the one that was paused "
                   "most."),
         most_paused_percent},
    };
    return list;
}

}  // namespace

const std::deque<run_metric>& run_metrics() {
    return all_metrics();
}

void add_metric(run_metric another) {
    const std::string& key = another.entry.key;
    const std::string family = family_of(key);
    const std::string name = key.substr(std::min(key.size(), family.size() + 1));
    const auto& all = metric_catalogue();
    const bool is_taken = std::any_of(all.begin(), all.end(), [&](const metric_entry& each) {
        return each.key == key || (family_of(each.key) == family && (!each.is_on_request || each.is_family()));
    });
    if (!is_lower_word(family) || !is_lower_word(name) || is_taken || !another.value) {
        throw std::logic_error(
            "the metric '" + key +
            "' cannot be registered; expected a function, and a name FAMILY.NAME of small letters, "
            "digits and underscores, which is not taken, of a family that plain runs do not have");
    }
    all_metrics().push_back(std::move(another));
}

bool is_on_request(const std::string& metric) {
    if (is_split_family(family_of(metric))) {
        return true;
    }
    std::size_t named[2] = {};  // those of all runs, and those on request
    for (const metric_entry& each : metric_catalogue()) {
        named[each.is_on_request ? 1 : 0] += is_named(each.key, metric) ? 1 : 0;
    }
    return named[0] == 0 && named[1] > 0;
}

void compute_metrics(const std::vector<std::string>& wanted, const run_results& results, run_summary& summary) {
    for (const run_metric& each : run_metrics()) {
        if (is_named(each.entry.key, wanted)) {
            std::string place = "/" + each.entry.key;
            std::replace(place.begin(), place.end(), '.', '/');
            summary.on_request[ordered_json::json_pointer(place)] = each.value(results, summary);
        }
    }
}

}  // namespace weir::tb
