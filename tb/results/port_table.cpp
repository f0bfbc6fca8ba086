#include "tb/results/port_table.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "tb/results/fabric_totals.h"
#include "tb/results/lines_by_node.h"

namespace weir::tb {

namespace {

constexpr std::string_view class_names[pfc_classes] = {"0", "1", "2", "3", "4", "5", "6", "7"};

double percent(picoseconds part, picoseconds whole) {
    return whole > picoseconds{0}
               ? 100.0 * static_cast<double>(part.count()) / static_cast<double>(whole.count())
               : 0.0;
}

/// Sets the cells of what one class has done since the restart. Returns false if that is nothing.
bool set_class(port_row& row, const mac_port& mac, unsigned number, const averaged_time& averaged) {
    const auto c = static_cast<pfc_class>(number);
    const pause_timer_stats& received = mac.timers.stats();
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
void add_host(port_row row, fabric& made, host_id h, const averaged_time& averaged, const Put& put) {
    const host_node& host = *made.host(h);
    const topology& plan = made.plan();
    const node_ref self = node_ref::of_host(h);
    const mac_port& mac = host.mac();
    drop_counts drops = host.stats().drops;
    bool used = any(drops);
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
        // Frames that a cut link kept the host from sending were never on a wire. They are apart, as in
        // summary.json.
        drops[static_cast<unsigned>(drop_reason::link_down)] -= host.stats().unsent;
        whole.frame_class = "all";
        whole.drops.counts = drops.data();
        whole.unsent = host.stats().unsent;
        whole.egress = fill_of(&host.nic_meter(), averaged.idle);
        put(whole);
    }
}

template <class Put>
void add_switch(port_row row, fabric& made, switch_id s, const averaged_time& averaged, const Put& put) {
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

void write_port_table(output_file file, fabric& made, const averaged_time& averaged) {
    const std::vector<drop_reason> reasons = reported_reasons(made);
    port_row row;
    row.drops.kinds = &reasons;
    record_table<port_row> table(std::move(file), row);
    write_by_node(table, made, [&](const node_ref& n, const auto& put) {
        n.is_host() ? add_host(row, made, n.index, averaged, put)
                    : add_switch(row, made, n.index, averaged, put);
    });
    table.finish();
}

}  // namespace weir::tb
