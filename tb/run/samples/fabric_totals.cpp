#include "tb/run/samples/fabric_totals.h"

#include <algorithm>
#include <array>
#include <functional>
#include <numeric>

#include "weir/base/unit_text.h"
#include "weir/model/overflow/overflow_action.h"

namespace weir::tb {

namespace {

constexpr auto nic_full = static_cast<unsigned>(drop_reason::nic_full);
constexpr auto link_down = static_cast<unsigned>(drop_reason::link_down);

std::uint64_t sum(const drop_counts& drops) {
    return std::accumulate(drops.begin(), drops.end(), std::uint64_t{0});
}

/// What a node holds of frames whose last bit it has not seen: data frames in its inbox, and frames of
/// any kind in its store that are neither inside nor leaving. PFC frames there are subtracted for the whole
/// fabric: those sent and not yet obeyed.
struct wire_census {
    std::int64_t data_in_mail = 0;
    std::int64_t control_in_mail = 0;
    std::int64_t in_stores = 0;
    /// Modulo 2^32, as the counters are.
    std::uint32_t control_under_way = 0;

    void add(node& n, std::uint64_t transmissions_done) {
        for (unsigned side : {0U, 1U}) {
            n.mail().for_each(side, [this](const wire_arrival& arrival) {
                ++(arrival.frame.is_flow_control() ? control_in_mail : data_in_mail);
            });
        }
        const frame_balance b = n.balance();
        const std::uint64_t leaving = b.sent - transmissions_done;
        in_stores += static_cast<std::int64_t>(n.frames_held() - b.inside - leaving);
    }
    void add(const wire_census& other) {
        data_in_mail += other.data_in_mail;
        control_in_mail += other.control_in_mail;
        in_stores += other.in_stores;
        control_under_way += other.control_under_way;
    }
    void add(const mac_port& mac) {
        control_under_way += mac.requests.stats().frames_sent - mac.timers.stats().frames_received;
    }
    std::uint64_t data_frames() const {
        return static_cast<std::uint64_t>(data_in_mail + in_stores - (control_under_way - control_in_mail));
    }
};

/// A host's own frames that a cut link kept from being sent count among its drops; they show where more is
/// lost than came in. Frames on their way up the stack at that time hide as many of them.
void add_host(frame_counts& counts, const host_node& host) {
    const frame_balance b = host.balance();
    counts.host_sent += b.sent;
    counts.host_received += b.received;
    counts.delivered += b.consumed;
    const std::uint64_t lost_or_unsent = sum(host.stats().drops) - host.stats().drops[nic_full];
    const std::uint64_t left = b.received - b.consumed;
    const std::uint64_t unsent = host.stats().unsent;
    counts.in_host_stacks += left - (lost_or_unsent - unsent);
    counts.unsent_link_down += unsent;
    const drop_counts drops = drops_of(host);
    for (unsigned r = 0; r < drop_reasons; ++r) {
        counts.drops[r] += drops[r];
    }
}

void add_pauses(pause_totals& totals, const mac_port& mac, class_mask classes, pause_totals::tier& tier) {
    const pause_request_stats& sent = mac.requests.stats();
    for (unsigned c = 0; c < pfc_classes; ++c) {
        if ((classes >> c & 1) == 0) {
            continue;
        }
        totals.xoff_sent += sent.xoff_sent[c] - mac.requests_before().xoff_sent[c];
        totals.xon_sent += sent.xon_sent[c] - mac.requests_before().xon_sent[c];
        tier.paused += (mac.timers.stats().paused_time[c] - mac.timers_before().paused_time[c]).count();
        ++tier.transmitters;
    }
    totals.frames_sent += sent.frames_sent - mac.requests_before().frames_sent;
}

/// Calls `visit(mac, node)` for each port, hosts first.
template <class Visit>
void for_each_port(fabric& made, Visit&& visit) {
    for (host_id h = 0; h < made.hosts(); ++h) {
        if (made.host(h) != nullptr) {
            visit(made.host(h)->mac(), node_ref::of_host(h));
        }
    }
    for (const switch_id s : made.own_switches()) {
        for (unsigned port = 0; port < made.device(s).ports(); ++port) {
            visit(made.device(s).mac(port), node_ref::of_switch(s));
        }
    }
}

bool has_errors(const topology& plan) {
    return std::any_of(plan.links().begin(), plan.links().end(), [](const topology_link& link) {
        return link.bit_error_rate > 0 || link.frame_error_rate > 0;
    });
}

/// The earliest time of any host, of all ranks.
picoseconds earliest(const fabric& made, picoseconds model::host_stats::*sent) {
    picoseconds first = never;
    for (host_id h = 0; h < made.hosts(); ++h) {
        first = made.host(h) != nullptr ? std::min(first, made.host(h)->stats().*sent) : first;
    }
    std::int64_t negated = -first.count();  // ranks agree on the greatest
    made.team().agree(&negated, 1);
    return picoseconds{-negated};
}

}  // namespace

std::string tier_name(const topology& plan, node_ref n) {
    return n.is_host() ? "host" : "tier" + std::to_string(plan.tier(n.index));
}

drop_counts drops_of(const host_node& host) {
    drop_counts drops = host.stats().drops;
    drops[link_down] -= host.stats().unsent;
    return drops;
}

static std::vector<drop_reason> reasons_that(const std::function<bool(drop_reason)>& are_named) {
    std::vector<drop_reason> found;
    for (unsigned r = 0; r < drop_reasons; ++r) {
        if (const auto reason = static_cast<drop_reason>(r); !is_by_rule(reason) || are_named(reason)) {
            found.push_back(reason);
        }
    }
    return found;
}

std::vector<drop_reason> common_reasons() {
    return reasons_that([](drop_reason) { return false; });
}

/// Whether switches of this configuration may lose frames for it. An order of service has an effect with some
/// transports only, and says by losing some; so does RED.
static bool may_lose_by_rule(const switch_config& device, drop_reason reason) {
    const bool of_detours = reason == drop_reason::ttl_expired || reason == drop_reason::no_detour;
    return of_detours && overflow_kinds()[device.overflow].detours;
}

// Rules from outside say by losing some.
std::vector<drop_reason> reported_reasons(const fabric& made) {
    std::array<std::int64_t, drop_reasons> named{};
    for (const switch_id s : made.own_switches()) {
        const switch_node& device = made.device(s);
        for (unsigned r = 0; r < drop_reasons; ++r) {
            const bool is_named = may_lose_by_rule(device.parameters().device, static_cast<drop_reason>(r)) ||
                                  device.stats().drops[r] > 0;
            named[r] |= is_named ? 1 : 0;
        }
    }
    made.team().agree(named.data(), named.size());
    return reasons_that([&](drop_reason reason) { return named[static_cast<unsigned>(reason)] != 0; });
}

void frame_counts::add(const frame_counts& other) {
    host_sent += other.host_sent;
    host_received += other.host_received;
    delivered += other.delivered;
    in_host_stacks += other.in_host_stacks;
    switch_sent += other.switch_sent;
    switch_received += other.switch_received;
    switch_inside += other.switch_inside;
    originated += other.originated;
    unsent_link_down += other.unsent_link_down;
    for (unsigned r = 0; r < drop_reasons; ++r) {
        drops[r] += other.drops[r];
    }
}

void pause_totals::add(const pause_totals& other) {
    xoff_sent += other.xoff_sent;
    xon_sent += other.xon_sent;
    frames_sent += other.frames_sent;
    for (const auto& [name, of_tier] : other.tiers) {
        tier& sum = tiers[name];
        sum.paused += of_tier.paused;
        sum.transmitters += of_tier.transmitters;
    }
}

frame_counts count_frames(fabric& made, bool links_change) {
    frame_counts counts;
    counts.reasons = reported_reasons(made);
    wire_census census;
    bool all_ours = true;
    for (host_id h = 0; h < made.hosts(); ++h) {
        host_node* const host = made.host(h);
        if (host == nullptr) {
            all_ours = all_ours && !made.is_here(node_ref::of_host(h));
            continue;
        }
        add_host(counts, *host);
        census.add(*host, host->stats().hops);
        census.add(host->mac());
    }
    for (const switch_id s : made.own_switches()) {
        switch_node& device = made.device(s);
        const frame_balance b = device.balance();
        counts.switch_sent += b.sent;
        counts.switch_received += b.received;
        counts.switch_inside += b.inside;
        counts.originated += b.originated;
        for (unsigned r = 0; r < drop_reasons; ++r) {
            counts.drops[r] += device.stats().drops[r];
        }
        census.add(device, device.hops());
        for (unsigned port = 0; port < device.ports(); ++port) {
            census.add(device.mac(port));
        }
    }
    census = summed(made.team(), census);
    if (all_ours && !links_change && !has_errors(made.plan())) {
        counts.on_wires = census.data_frames();
    }
    return summed(made.team(), std::move(counts));
}

frame_account account_of(const frame_counts& counts) {
    frame_account a;
    a.sent = counts.host_sent;
    a.originated = counts.originated;
    a.delivered = counts.delivered;
    a.dropped = sum(counts.drops) - counts.drops[nic_full];
    a.drops = counts.drops;
    a.reasons = counts.reasons;
    a.unsent_link_down = counts.unsent_link_down;
    const std::uint64_t on_wires = counts.on_wires.value_or(counts.host_sent + counts.switch_sent -
                                                            counts.host_received - counts.switch_received);
    a.inside = counts.switch_inside + on_wires + counts.in_host_stacks;
    if (a.sent + a.originated != a.delivered + a.dropped + a.inside) {
        a.violation = "hosts sent " + std::to_string(a.sent) + " frames" +
                      (a.originated > 0 ? " and switches " + std::to_string(a.originated) : "") + ", but " +
                      std::to_string(a.delivered) + " were delivered, " + std::to_string(a.dropped) +
                      " dropped, and " + std::to_string(a.inside) + " are inside (" +
                      std::to_string(counts.switch_inside) + " in switches, " + std::to_string(on_wires) +
                      " on wires, " + std::to_string(counts.in_host_stacks) + " in hosts)";
    }
    return a;
}

pause_totals count_pauses(fabric& made, class_mask classes) {
    pause_totals totals;
    for_each_port(made, [&](const mac_port& mac, node_ref n) {
        add_pauses(totals, mac, classes, totals.tiers[tier_name(made.plan(), n)]);
    });
    return summed(made.team(), std::move(totals));
}

class_mask classes_sent(fabric& made) {
    class_mask sent = 0;
    for_each_port(made, [&](const mac_port& mac, node_ref) {
        sent = static_cast<class_mask>(sent | mac.classes_sent());
    });
    for (const class_mask of_rank : shared_parts(made.team(), sent)) {
        sent = static_cast<class_mask>(sent | of_rank);
    }
    return sent;
}

std::uint64_t packet_hops(fabric& made) {
    std::uint64_t hops = 0;
    for (host_id h = 0; h < made.hosts(); ++h) {
        hops += made.host(h) != nullptr ? made.host(h)->stats().hops : 0;
    }
    for (const switch_id s : made.own_switches()) {
        hops += made.device(s).hops();
    }
    return summed(made.team(), hops);
}

picoseconds first_frame(const fabric& made) {
    return earliest(made, &model::host_stats::first_sent);
}

averaged_time averaged_time_of(const fabric& made, picoseconds warmup, picoseconds end) {
    if (warmup > 0_ps) {
        return {warmup, std::max(0_ps, end - warmup), 0_ps};
    }
    const picoseconds first = first_frame(made);
    const picoseconds idle = first < end ? first : 0_ps;
    return {idle, end - idle, idle};
}

std::string idle_warning(const fabric& made, const averaged_time& averaged) {
    const picoseconds data = earliest(made, &model::host_stats::first_data_sent);
    const picoseconds idle = data - averaged.start;
    if (data == never || 10 * idle <= averaged.length) {
        return {};
    }
    const bool has_warmup = averaged.start != averaged.idle;
    const picoseconds first = first_frame(made);
    if (has_warmup && first == data) {
        return "run.warmup = " + to_text(averaged.start) + " ends " + to_text(idle) +
               " before the first frame, at " + to_text(first) +
               ": averages include that idle time; run.warmup = 0ps starts them at the first frame";
    }
    return (has_warmup ? "run.warmup = " + to_text(averaged.start) + " ends "
                       : "averages start with a pause frame, at " + to_text(averaged.start) + ", ") +
           to_text(idle) + " before the first data frame, at " + to_text(data) +
           ": averages include that idle time; "
           "set run.warmup to the start of the first transfer to leave it out";
}

}  // namespace weir::tb
