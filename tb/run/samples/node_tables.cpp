#include "tb/run/samples/node_tables.h"

#include <algorithm>
#include <tuple>
#include <utility>
#include <vector>

#include "tb/run/samples/lines_by_node.h"

namespace weir::tb {

namespace {

constexpr std::string_view class_names[pfc_classes] = {"0", "1", "2", "3", "4", "5", "6", "7"};

double percent(picoseconds part, picoseconds whole) {
    return whole > picoseconds{0}
               ? 100.0 * static_cast<double>(part.count()) / static_cast<double>(whole.count())
               : 0.0;
}

struct table_time : averaged_time {
    picoseconds paused_until{0};
};

/// Sets the cells of what one class has done since the restart. Returns false if that is nothing.
bool set_class(port_row& row, const mac_port& mac, unsigned number, const table_time& averaged) {
    const auto c = static_cast<pfc_class>(number);
    pause_timers timers = mac.timers;
    timers.settle(averaged.paused_until);
    const pause_timer_stats& received = timers.stats();
    const pause_request_stats& sent = mac.requests.stats();
    const class_traffic& data = mac.stats.classes[c];
    row.frame_class = class_names[c];
    row.traffic = {data.rx_frames, data.rx_bytes, data.tx_frames, data.tx_bytes};
    row.xoff_sent = sent.xoff_sent[c] - mac.requests_before().xoff_sent[c];
    row.xon_sent = sent.xon_sent[c] - mac.requests_before().xon_sent[c];
    row.xoff_received = received.xoff_received[c] - mac.timers_before().xoff_received[c];
    row.xon_received = received.xon_received[c] - mac.timers_before().xon_received[c];
    row.paused = received.paused_time[c] - mac.timers_before().paused_time[c];
    row.utilisation = percent(data.tx_time, averaged.length);
    return (data.rx_frames | data.tx_frames | *row.xoff_sent | *row.xon_sent | *row.xoff_received |
            *row.xon_received) != 0 ||
           *row.paused > picoseconds{0};
}

bool any(const drop_counts& drops) {
    return std::any_of(drops.begin(), drops.end(), [](std::uint64_t n) { return n != 0; });
}

fill_columns fill_of(const occupancy_meter* meter, picoseconds idle) {
    static const occupancy_meter never_used;
    const occupancy_meter& m = meter != nullptr ? *meter : never_used;
    return {m.mean(idle), m.watermark(), m.percentile(0.5, idle), m.percentile(0.99, idle),
            m.percentile(0.999, idle)};
}

// A host keeps one account for all classes of what its NIC holds and of what it lost: a line of its own.
template <class Put>
void add_host(port_row row, fabric& made, host_id h, const table_time& averaged, const Put& put) {
    const host_node& host = *made.host(h);
    const topology& plan = made.plan();
    const node_ref self = node_ref::of_host(h);
    const mac_port& mac = host.mac();
    const drop_counts drops = drops_of(host);
    bool used = any(host.stats().drops);
    row.node = plan.name(self);
    row.peer = plan.name(plan.far_end(self, 0).node);
    row.port_utilisation = percent(mac.stats.tx_busy(), averaged.length);
    port_row whole = row;
    for (unsigned c = 0; c < pfc_classes; ++c) {
        if (set_class(row, mac, c, averaged)) {
            used = true;
            put(row);
        }
    }
    if (used) {
        whole.frame_class = "all";
        whole.drops.counts = drops.data();
        whole.unsent = host.stats().unsent;
        whole.egress = fill_of(&host.nic_meter(), averaged.idle);
        put(whole);
    }
}

template <class Put>
void add_switch(port_row row, fabric& made, switch_id s, const table_time& averaged, const Put& put) {
    switch_node& device = made.device(s);
    const topology& plan = made.plan();
    const node_ref self = node_ref::of_switch(s);
    row.node = plan.name(self);
    row.unsent = 0;
    for (row.port = 0; row.port < device.ports(); ++row.port) {
        const mac_port& mac = device.mac(row.port);
        row.peer = plan.name(plan.far_end(self, row.port).node);
        row.port_utilisation = percent(mac.stats.tx_busy(), averaged.length);
        for (unsigned k = 0; k < pfc_classes; ++k) {
            const auto c = static_cast<pfc_class>(k);
            const drop_counts drops = device.stats().drops_at(row.port, c);
            if (!set_class(row, mac, k, averaged) && !any(drops)) {
                continue;
            }
            row.drops.counts = drops.data();
            row.ingress = fill_of(device.ingress_memory().meter(row.port, c), averaged.idle);
            row.egress = fill_of(device.egress_memory().meter(row.port, c), averaged.idle);
            put(row);
        }
    }
}

}  // namespace

void write_port_table(output_file file, fabric& made, const averaged_time& averaged, picoseconds paused_until) {
    const table_time time{averaged, paused_until};
    const std::vector<drop_reason> reasons = reported_reasons(made);
    port_row row;
    row.drops.kinds = &reasons;
    record_table<port_row> table(std::move(file), row);
    write_by_node(table, made, [&](const node_ref& n, const auto& put) {
        n.is_host() ? add_host(row, made, n.index, time, put) : add_switch(row, made, n.index, time, put);
    });
    table.finish();
}

void write_node_table(output_file file, const topology& plan) {
    record_table<node_row> table(std::move(file));
    for (std::uint32_t i = 0; i < plan.nodes(); ++i) {
        const node_ref n = plan.node_at(i);
        const std::string tier = tier_name(plan, n);
        n.is_host()
            ? table.write({plan.name(n), listed_node::host, n.index, to_text(plan.address_of(n.index)), tier})
            : table.write({plan.name(n), listed_node::device, std::nullopt, "", tier});
    }
    table.finish();
}

void write_watchdog_table(output_file file, fabric& made) {
    struct entry {
        watchdog_event event;
        switch_id device;
    };
    std::vector<entry> entries;
    for (const switch_id s : made.own_switches()) {
        for (const watchdog_event& event : made.device(s).watchdog_events()) {
            entries.push_back({event, s});
        }
    }
    entries = gathered(made.team(), std::move(entries));
    std::stable_sort(entries.begin(), entries.end(), [](const entry& a, const entry& b) {
        return std::tie(a.event.time, a.device) < std::tie(b.event.time, b.device);
    });
    record_table<watchdog_row> table(std::move(file));
    for (const auto& [event, device] : entries) {
        watchdog_row row{event.time, made.plan().name(node_ref::of_switch(device)), event.egress_port,
                         event.frame_class, event.storm ? storm_step::storm : storm_step::restored};
        if (!event.storm) {
            row.dropped = event.dropped;
            row.dropped_arriving = event.dropped_arriving;
        }
        table.write(row);
    }
    table.finish();
}

}  // namespace weir::tb
