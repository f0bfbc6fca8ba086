#include "weir/traffic/apps/workload_config.h"

#include <algorithm>

#include "weir/base/share_text.h"
#include "weir/base/unit_text.h"
#include "weir/traffic/apps/workloads.h"

namespace weir::traffic {

namespace {

constexpr std::size_t most_choices = 64;
constexpr std::size_t most_web_sizes = 16;

void check_count(range_check& check, const char* field, std::size_t values, std::size_t most) {
    if (values == 0 || values > most) {
        check.fail(field, out_of_range(std::to_string(values) + " values",
                                       "1 to " + std::to_string(most) + " values"));
    }
}

void check_arrivals(const workload_config& c, range_check& check) {
    check.require(c.stop == 0_ps || c.stop > c.start, "stop", c.stop, "0 (no end), or later than {start} ({})",
                  c.start);
    check.require(c.burst_period == 0_ps || (c.burst_duration > 0_ps && c.burst_duration <= c.burst_period),
                  "burst_duration", c.burst_duration, "1ps to {} ({burst_period})", c.burst_period);
    const bool bursts = c.burst_period > 0_ps && c.burst_rate > 0;
    check.require(!c.has_requests() || !c.rate || *c.rate > 0 || bursts, "rate", c.rate,
                  "above 0, or bursts ({burst_period} and {burst_rate} above 0)");
}

void check_response_delay(const response_delay_config& delay, range_check& check) {
    check.require(delay.shape != delay_shape::exponential || delay.deviation <= 1, "response_delay_deviation",
                  share_text(delay.deviation), "at most 100% with {response_delay_distribution} = exponential");
}

void check_web(const workload_config& c, range_check& check) {
    check_count(check, "web_sizes", c.web_sizes.size(), most_web_sizes);
    const std::size_t sizes =
        c.web_size_draw == request_sizes::deck ? std::max<std::size_t>(c.web_sizes.size(), 1) : 1;
    check.require(c.queries_per_request % sizes == 0, "queries_per_request", c.queries_per_request,
                  "a multiple of the {} {web_sizes}, or {web_size_draw} = independent", sizes);
    check_count(check, "fan_out", c.fan_out.size(), most_choices);
    for (const std::uint32_t queries : c.fan_out) {
        check.require(c.aggregate_total == 0_B || c.aggregate_total >= bytes{queries}, "aggregate_total",
                      c.aggregate_total, "0B, or a byte for each of {} ({fan_out})", queries);
    }
}

void check_named_split(const workload_config& c, range_check& check) {
    check.refuse_missing(c.has_requests() && c.effective_split() == server_split::named && c.sources.empty(),
                         "sources",
                         "'' names no front end; expected names of hosts or switches, because {split} = named");
}

bool confirms(const transport_traits& kind) {
    return kind.confirms;
}

void check_beside(const workload_config& c, range_check& check) {
    const background_config& background = c.background;
    const picoseconds interarrival = background.interarrival;
    check.require(interarrival == 0_ps || background.flows == 0, "background_interarrival", interarrival,
                  "0ps with {background_flows} above 0");
    check.require(interarrival == 0_ps || interarrival >= 1ns, "background_interarrival", interarrival,
                  "0ps (none), or at least 1ns");
    check.refuse(background.flows > 0 && !confirms(transports()[background.transport]), "background_transport",
                 "'{}' has no acknowledgements, but a background flow starts when the previous one is "
                 "acknowledged; expected " +
                     transports().names(confirms) + ", or {background_interarrival}",
                 name_of(background.transport));
    check.require(!background.to_back_ends || c.effective_split() != server_split::everyone,
                  "background_to_back_ends", "true", "false, or a {split} into front ends and back ends");
    check.require(!c.stream.is_on() || c.stream.destination != c.stream.source, "stream_destination",
                  c.stream.destination, "another server than {stream_source}");
}

void check_writes(const write_config& writes, range_check& check) {
    const bool ascends = std::is_sorted(writes.times.begin(), writes.times.end());
    check.require(writes.loads.size() <= most_choices, "write_loads", writes.loads.size(), "at most {} values",
                  std::uint64_t{most_choices});
    check.refuse(writes.are_on() && writes.times.size() + 1 != writes.loads.size(), "write_times",
                 "has {} values; expected {}, one less than {write_loads} has", writes.times.size(),
                 writes.loads.size() - 1);
    check.refuse(!ascends, "write_times", "do not ascend; expected times in order");
}

void check_plain_flows(const workload_config& c, range_check& check) {
    check.require(workloads()[c.kind].arrives_by_load || c.load <= 1, "load", share_text(c.load),
                  "above 0%, up to 100% (poisson: up to 1000%)");
    const auto needs_none = [](const workload_traits& kind) {
        return kind.make && kind.carried != carriage::confirmed;
    };
    check.refuse(c.sends_datagrams() && workloads()[c.kind].carried == carriage::confirmed, "transport",
                 "'{}' has no acknowledgements, which {traffic.kind} = {} needs; expected " +
                     transports().names(confirms) + ", or " + workloads().condition("traffic.kind", needs_none),
                 name_of(c.transport), name_of(c.kind));
    check.within("datagram", c.datagram, udp_config::payload_range);
    // The largest UDP header, and 1,000 B on the wire.
    check.within("datagram_overhead", c.datagram_overhead,
                 field_range{0_B, udp_config::header_range.high + 1000_B});
}

}  // namespace

std::string workload_config::kinds_with_requests() {
    return workloads().condition("traffic.kind",
                                 [](const workload_traits& traits) { return traits.has_requests; });
}

std::string workload_config::generated_kinds() {
    return workloads().condition("traffic.kind",
                                 [](const workload_traits& traits) { return traits.generated; });
}

std::string workload_config::kinds_with_transport() {
    return workloads().condition("traffic.kind",
                                 [](const workload_traits& traits) { return traits.make != nullptr; });
}

std::string workload_config::kinds_with_places() {
    return workloads().condition("traffic.kind", [](const workload_traits& traits) {
        return traits.has_places;
    }) + ", or requests with traffic.split = named";
}

bool workload_config::has_places() const {
    return workloads()[kind].has_places || (has_requests() && effective_split() == server_split::named);
}

bool workload_config::has_requests() const {
    return workloads()[kind].has_requests;
}

bool workload_config::offers_load() const {
    return workloads()[kind].arrives_by_load || (has_requests() && !rate);
}

bool workload_config::uses(transport_kind carrier) const {
    if ((background.is_on() && carrier == background.transport) ||
        (stream.is_on() && carrier == datagram_transport)) {
        return true;
    }
    const workload_traits& traits = workloads()[kind];
    transport_kind carried = transport;
    if (traits.carried == carriage::datagrams) {
        carried = datagram_transport;
    } else if (traits.carried == carriage::confirmed && sends_datagrams()) {
        carried = transport_kind{};  // `validate` refuses it
    }
    return traits.make && carrier == carried;
}

server_split workload_config::effective_split() const {
    if (split != server_split::by_kind) {
        return split;
    }
    return workloads()[kind].splits_servers ? server_split::alternate : server_split::everyone;
}

config_errors workload_config::validate() const {
    range_check check = check_ranges(*this, "traffic");
    check_arrivals(*this, check);
    check_count(check, "sizes", sizes.size(), most_choices);
    check_count(check, "priorities", priorities.size(), most_choices);
    check_web(*this, check);
    check_response_delay(response_delay, check);
    check_plain_flows(*this, check);
    check_writes(writes, check);
    check_named_split(*this, check);
    check_beside(*this, check);
    return check.take();
}

config_errors workload_config::validate(host_id hosts, const std::string& given_by) const {
    range_check check("traffic");
    check.add(validate());
    const workload_traits& traits = workloads()[kind];
    if (traits.generated && hosts < 2) {
        check.refuse(true, "kind",
                     "this workload needs at least 2 hosts, and the fabric has {}" +
                         (given_by.empty() ? "" : " (" + given_by + ")") + "; expected at least 2 hosts",
                     hosts);
    } else if (background.is_on() && hosts < 2) {
        const auto [key, value] = background.cause();
        check.require(false, key, value, "0 in a fabric of fewer than 2 hosts");
    } else if (traits.check) {
        traits.check(*this, hosts, check);
    }
    if (stream.is_on()) {
        const field_range<host_id> range{0, hosts - 1};
        check.within("stream_source", stream.source, range);
        check.within("stream_destination", stream.destination, range);
    }
    return check.take();
}

}  // namespace weir::traffic
