#include "weir/traffic/apps/workload_config.h"

#include <algorithm>

#include "weir/base/share_text.h"
#include "weir/base/unit_text.h"
#include "weir/traffic/apps/workloads.h"
#include "weir/traffic/sizes/size_distribution.h"

namespace weir {

namespace {

constexpr std::size_t most_choices = 64;
constexpr std::size_t most_web_sizes = 16;

template <class Value>
void check_list(range_check& check, const char* field, const std::vector<Value>& values,
                const field_range<Value>& allowed, std::size_t most) {
    if (values.empty() || values.size() > most) {
        check.fail(field, out_of_range(std::to_string(values.size()) + " values",
                                       "1 to " + std::to_string(most) + " values"));
    }
    check.each_within(field, values, allowed);
}

void check_arrivals(const workload_config& c, range_check& check) {
    check.within("start", c.start, workload_config::time_range);
    if (check.within("stop", c.stop, workload_config::time_range)) {
        check.require(c.stop == 0_ps || c.stop > c.start, "stop", c.stop,
                      "0 (no end), or later than start (" + to_text(c.start) + ")");
    }
    const bool rate_in_range = check.within("rate", c.rate, workload_config::rate_range);
    check.within("burst_rate", c.burst_rate, workload_config::rate_range);
    check.within("burst_period", c.burst_period, workload_config::time_range);
    if (check.within("burst_duration", c.burst_duration, workload_config::time_range) &&
        c.burst_period > 0_ps) {
        check.require(c.burst_duration > 0_ps && c.burst_duration <= c.burst_period, "burst_duration",
                      c.burst_duration, "1ps to " + to_text(c.burst_period) + " (burst_period)");
    }
    const bool bursts = c.burst_period > 0_ps && c.burst_rate > 0;
    if (c.has_requests() && rate_in_range) {
        check.require(c.rate > 0 || bursts, "rate", c.rate,
                      "above 0, or bursts (burst_period and burst_rate above 0)");
    }
}

void check_web(const workload_config& c, range_check& check) {
    check.within("queries_per_request", c.queries_per_request, workload_config::queries_range);
    check_list(check, "web_sizes", c.web_sizes, workload_config::reply_range, most_web_sizes);
    if (c.web_size_draw == request_sizes::deck && !c.web_sizes.empty()) {
        check.require(c.queries_per_request % c.web_sizes.size() == 0, "queries_per_request",
                      c.queries_per_request,
                      "a multiple of the " + std::to_string(c.web_sizes.size()) +
                          " web_sizes, or web_size_draw = independent");
    }
    check_list(check, "fan_out", c.fan_out, workload_config::queries_range, most_choices);
    check.within("aggregate_bytes", c.aggregate_bytes, workload_config::reply_range);
}

void check_plain_flows(const workload_config& c, range_check& check) {
    if (check.within("load", c.load, workload_config::load_range) && c.kind != workload_kind::poisson) {
        if (c.load > 1) {
            check.fail("load", out_of_range(share_text(c.load), "above 0%, up to 100% (poisson: up to 1000%)"));
        }
    }
    if (c.transport == transport_kind::udp && workloads()[c.kind].carried == carriage::tcp) {
        check.fail("transport",
                   "'udp' is not available with this traffic.kind, which uses TCP only; expected tcp, or "
                   "traffic.kind = poisson, permutation, trace or bernoulli");
    }
    if (!workload_config::is_distribution(c.distribution)) {
        check.fail("distribution", out_of_range(c.distribution, workload_config::distributions()));
    }
    check.within("flow_bytes", c.flow_bytes, workload_config::flow_bytes_range);
    check.within("datagram", c.datagram, workload_config::datagram_range);
    check.within("datagram_overhead", c.datagram_overhead, workload_config::datagram_overhead_range);
    check.within("slot", c.slot, workload_config::time_range);
}

}  // namespace

bool workload_config::is_distribution(const std::string& name) {
    return name.empty() || name == "file" ||
           std::find(known_size_names.begin(), known_size_names.end(), name) != known_size_names.end();
}

std::string workload_config::distributions() {
    std::string all = "empty, file";
    for (const std::string_view name : known_size_names) {
        all += ", " + std::string(name);
    }
    return all;
}

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

bool workload_config::has_requests() const {
    return workloads()[kind].has_requests;
}

bool workload_config::uses(transport_kind carrier) const {
    if (background_flows > 0 && carrier == transport_kind::tcp) {
        return true;
    }
    const workload_traits& traits = workloads()[kind];
    const transport_kind fixed = traits.carried == carriage::udp ? transport_kind::udp : transport_kind::tcp;
    return traits.make && carrier == (traits.carried == carriage::chosen ? transport : fixed);
}

server_split workload_config::effective_split() const {
    if (split != server_split::by_kind) {
        return split;
    }
    return workloads()[kind].splits_servers ? server_split::alternate : server_split::everyone;
}

config_errors workload_config::validate() const {
    range_check check("traffic");
    check_arrivals(*this, check);
    check_list(check, "sizes", sizes, reply_range, most_choices);
    check.within("request", request, reply_range);
    check_list(check, "priorities", priorities, priority_range, most_choices);
    check.within("front_end_fraction", front_end_fraction, front_end_fraction_range);
    check_web(*this, check);
    check.within("background_flows", background_flows, background_flows_range);
    check.within("background_bytes", background_bytes, long_flow_range);
    check.within("background_priority", background_priority, priority_range);
    if (background_to_back_ends && effective_split() == server_split::everyone) {
        check.fail("background_to_back_ends",
                   out_of_range("true", "false, or a split into front ends and back ends"));
    }
    check.within("incast_rounds", incast_rounds, incast_rounds_range);
    check.within("incast_bytes", incast_bytes, long_flow_range);
    check_plain_flows(*this, check);
    return check.take();
}

config_errors workload_config::validate(host_id hosts, const std::string& given_by) const {
    range_check check("traffic");
    check.add(validate());
    const workload_traits& traits = workloads()[kind];
    if (traits.generated && hosts < 2) {
        check.fail("kind", "this workload needs at least 2 hosts, and the fabric has " + std::to_string(hosts) +
                               (given_by.empty() ? "" : " (" + given_by + ")") + "; expected at least 2 hosts");
    } else if (background_flows > 0 && hosts < 2) {
        check.require(false, "background_flows", background_flows, "0 in a fabric of fewer than 2 hosts");
    } else if (traits.check) {
        traits.check(*this, hosts, check);
    }
    return check.take();
}

}  // namespace weir
