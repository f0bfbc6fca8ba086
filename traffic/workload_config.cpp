#include "weir/traffic/workload_config.h"

#include <algorithm>
#include <cmath>
#include <sstream>

#include "weir/base/unit_text.h"
#include "weir/traffic/size_distribution.h"

namespace weir {

namespace {

constexpr bytes largest_reply{(std::int64_t{1} << 32) - 1};
constexpr bytes terabyte{1'000'000'000'000};
constexpr std::size_t most_choices = 64;
constexpr std::size_t most_web_sizes = 16;

std::string text_of(double value) {
    std::ostringstream text;
    text << value;
    return text.str();
}
std::string text_of(std::uint32_t value) {
    return std::to_string(value);
}
std::string text_of(std::uint8_t value) {
    return std::to_string(value);
}
template <class Value>
std::string text_of(Value value) {
    return to_text(value);
}

class checker {
 public:
    void fail(const char* field, const std::string& value, const std::string& allowed) {
        m_errors.push_back(
            {"", 0, std::string("traffic.") + field, "'" + value + "' is out of range; allowed: " + allowed});
    }
    template <class Value>
    bool between(const char* field, Value value, Value low, Value high) {
        // Written so that a NaN fails.
        const bool good = value >= low && value <= high;
        if (!good) {
            fail(field, text_of(value), text_of(low) + " to " + text_of(high));
        }
        return good;
    }
    template <class Value>
    void each_between(const char* field, const std::vector<Value>& values, Value low, Value high,
                      std::size_t most) {
        if (values.empty() || values.size() > most) {
            fail(field, std::to_string(values.size()) + " values", "1 to " + std::to_string(most) + " values");
        }
        for (const Value value : values) {
            between(field, value, low, high);
        }
    }
    config_errors take() { return std::move(m_errors); }

 private:
    config_errors m_errors;
};

bool has_requests(workload_kind kind) {
    return kind == workload_kind::query || kind == workload_kind::sequential_web ||
           kind == workload_kind::partition_aggregate;
}

void check_arrivals(const workload_config& c, checker& check) {
    check.between<picoseconds>("start", c.start, 0_ps, latest_time);
    check.between<picoseconds>("stop", c.stop, 0_ps, latest_time);
    if (c.stop != 0_ps && c.stop <= c.start) {
        check.fail("stop", to_text(c.stop), "0 (no end), or later than start (" + to_text(c.start) + ")");
    }
    const bool rate_in_range = check.between("rate", c.rate, 0.0, 1e9);
    check.between("burst_rate", c.burst_rate, 0.0, 1e9);
    check.between<picoseconds>("burst_period", c.burst_period, 0_ps, latest_time);
    if (c.burst_period > 0_ps) {
        check.between<picoseconds>("burst_duration", c.burst_duration, 1_ps, c.burst_period);
    }
    const bool bursts = c.burst_period > 0_ps && c.burst_rate > 0;
    if (has_requests(c.kind) && rate_in_range && !(c.rate > 0) && !bursts) {
        check.fail("rate", text_of(c.rate), "above 0, or bursts (burst_period and burst_rate above 0)");
    }
}

void check_web(const workload_config& c, checker& check) {
    check.between<std::uint32_t>("queries_per_request", c.queries_per_request, 1, 65'535);
    check.each_between("web_sizes", c.web_sizes, 1_B, largest_reply, most_web_sizes);
    if (c.web_size_draw == request_sizes::deck && !c.web_sizes.empty() &&
        c.queries_per_request % c.web_sizes.size() != 0) {
        check.fail("queries_per_request", text_of(c.queries_per_request),
                   "a multiple of the " + std::to_string(c.web_sizes.size()) +
                       " web_sizes, or web_size_draw = independent");
    }
    check.each_between<std::uint32_t>("fan_out", c.fan_out, 1, 65'535, most_choices);
    check.between("aggregate_bytes", c.aggregate_bytes, 1_B, largest_reply);
}

void check_plain_flows(const workload_config& c, checker& check) {
    const double most = c.kind == workload_kind::poisson ? 10 : 1;
    if (!(c.load > 0 && c.load <= most)) {
        check.fail("load", text_of(c.load), "above 0, up to " + text_of(most));
    }
    const bool known =
        c.distribution.empty() || c.distribution == "file" ||
        std::find(known_size_names.begin(), known_size_names.end(), c.distribution) != known_size_names.end();
    if (!known) {
        std::string allowed = "empty (sizes), file";
        for (std::string_view name : known_size_names) {
            allowed += ", " + std::string(name);
        }
        check.fail("distribution", c.distribution, allowed);
    }
    check.between("flow_bytes", c.flow_bytes, 0_B, terabyte);
    check.between("datagram", c.datagram, 1_B, 9'158_B);
    check.between("datagram_overhead", c.datagram_overhead, 0_B, 256_B);
    check.between<picoseconds>("slot", c.slot, 0_ps, latest_time);
}

}  // namespace

arrival_spec workload_config::arrivals(picoseconds phase) const {
    arrival_spec spec;
    spec.start = start;
    spec.stop = stop_time();
    spec.rate = rate;
    spec.burst_period = burst_period;
    spec.burst_duration = burst_duration;
    spec.burst_rate = burst_rate;
    spec.phase = phase;
    return spec;
}

server_split workload_config::effective_split() const {
    if (split != server_split::by_kind) {
        return split;
    }
    const bool web = kind == workload_kind::sequential_web || kind == workload_kind::partition_aggregate;
    return web ? server_split::alternate : server_split::everyone;
}

config_errors workload_config::validate() const {
    checker check;
    check_arrivals(*this, check);
    check.each_between("sizes", sizes, 1_B, largest_reply, most_choices);
    check.between("request", request, 1_B, largest_reply);
    check.each_between<pfc_class>("priorities", priorities, 0, pfc_classes - 1, most_choices);
    if (!(front_end_fraction > 0 && front_end_fraction < 1)) {
        check.fail("front_end_fraction", text_of(front_end_fraction), "above 0, below 1");
    }
    check_web(*this, check);
    check.between<std::uint32_t>("background_flows", background_flows, 0, 65'535);
    check.between("background_bytes", background_bytes, 1_B, terabyte);
    check.between<pfc_class>("background_priority", background_priority, 0, pfc_classes - 1);
    if (background_to_back_ends && effective_split() == server_split::everyone) {
        check.fail("background_to_back_ends", "true", "false, or a split into front ends and back ends");
    }
    check.between<std::uint32_t>("incast_rounds", incast_rounds, 1, 1'000'000'000);
    check.between("incast_bytes", incast_bytes, 1_B, terabyte);
    check_plain_flows(*this, check);
    return check.take();
}

config_errors workload_config::validate(host_id hosts) const {
    config_errors errors = validate();
    checker check;
    if (kind != workload_kind::none && kind != workload_kind::trace && hosts < 2) {
        check.fail("kind", std::to_string(hosts) + " hosts", "at least 2 hosts for this workload");
    } else if (background_flows > 0 && hosts < 2) {
        check.fail("background_flows", text_of(background_flows), "0 in a fabric of fewer than 2 hosts");
    } else if (kind == workload_kind::incast) {
        check.between<host_id>("incast_target", incast_target, 0, hosts - 1);
        check.between("incast_bytes", incast_bytes, bytes{hosts - 1}, largest_reply * (hosts - 1));
    }
    const config_errors more = check.take();
    errors.insert(errors.end(), more.begin(), more.end());
    return errors;
}

}  // namespace weir
