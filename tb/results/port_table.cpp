#include "port_table.h"

#include <algorithm>
#include <optional>

namespace weir {

namespace {

/// One port's one class since the restart.
struct class_counts {
    std::uint64_t rx_frames, rx_bytes, tx_frames, tx_bytes;
    std::uint32_t xoff_sent, xon_sent, xoff_received, xon_received;
    picoseconds paused;

    bool any() const {
        return (rx_frames | tx_frames | xoff_sent | xon_sent | xoff_received | xon_received) != 0 ||
               paused > picoseconds{0};
    }
};

class_counts counts_of(const mac_port& mac, pfc_class c) {
    const pause_timer_stats& received = mac.timers.stats();
    const pause_request_stats& sent = mac.requests.stats();
    return {mac.stats.rx_frames[c],
            mac.stats.rx_bytes[c],
            mac.stats.tx_frames[c],
            mac.stats.tx_bytes[c],
            sent.xoff_sent[c] - mac.requests_before.xoff_sent[c],
            sent.xon_sent[c] - mac.requests_before.xon_sent[c],
            received.xoff_received[c] - mac.timers_before.xoff_received[c],
            received.xon_received[c] - mac.timers_before.xon_received[c],
            received.paused_time[c] - mac.timers_before.paused_time[c]};
}

drop_counts minus(drop_counts after, const drop_counts& before) {
    for (unsigned r = 0; r < drop_reasons; ++r) {
        after[r] -= before[r];
    }
    return after;
}

bool any(const drop_counts& drops) {
    return std::any_of(drops.begin(), drops.end(), [](std::uint64_t n) { return n != 0; });
}

double percent(picoseconds part, picoseconds whole) {
    return whole > picoseconds{0}
               ? 100.0 * static_cast<double>(part.count()) / static_cast<double>(whole.count())
               : 0.0;
}

/// Time on the wire of a class, at the rate that the link has now.
picoseconds time_on_wire(const wire_output& wire, const class_counts& counts) {
    const picoseconds overhead = wire.wire_time(bytes{0});
    return wire.wire_time(bytes{static_cast<std::int64_t>(counts.tx_bytes)}) - overhead +
           overhead * static_cast<std::int64_t>(counts.tx_frames);
}

std::string header() {
    std::string text = "node,port,class,peer,rx_frames,rx_bytes,tx_frames,tx_bytes";
    for (unsigned r = 0; r < drop_reasons; ++r) {
        text += std::string(",") + to_text(static_cast<drop_reason>(r)) + "_frames";
    }
    for (const char* side : {"ingress", "egress"}) {
        for (const char* value : {"mean", "max", "p50", "p99", "p99_9"}) {
            text += std::string(",") + side + "_" + value + "_bytes";
        }
    }
    return text +
           ",xoff_sent,xon_sent,xoff_received,xon_received,paused_ns,utilisation_percent,"
           "port_utilisation_percent\n";
}

void add_meter(csv_line& line, const occupancy_meter* meter) {
    static const occupancy_meter never_used;
    const occupancy_meter& m = meter != nullptr ? *meter : never_used;
    line.add_decimal(m.mean(), 3);
    for (bytes value : {m.watermark(), m.percentile(0.5), m.percentile(0.99), m.percentile(0.999)}) {
        line.add(static_cast<std::uint64_t>(value.count()));
    }
}

void add_drops(csv_line& line, const drop_counts& drops) {
    for (std::uint64_t n : drops) {
        line.add(n);
    }
}

void add_counts(csv_line& line, const class_counts& counts) {
    line.add(counts.rx_frames).add(counts.rx_bytes).add(counts.tx_frames).add(counts.tx_bytes);
}

void add_pauses(csv_line& line, const class_counts& counts) {
    line.add(counts.xoff_sent).add(counts.xon_sent).add(counts.xoff_received).add(counts.xon_received);
    line.add_ns(counts.paused);
}

}  // namespace

void port_table::restart() {
    m_switch_drops.clear();
    for (switch_id s = 0; s < m_fabric.switches(); ++s) {
        m_switch_drops.push_back(m_fabric.device(s).stats().port_drops);
    }
    m_host_drops.clear();
    for (host_id h = 0; h < m_fabric.hosts(); ++h) {
        m_host_drops.push_back(m_fabric.host(h) != nullptr ? m_fabric.host(h)->stats().drops : drop_counts{});
    }
}

void port_table::write(output_file& file, picoseconds measured) const {
    file.write(header());
    for (host_id h = 0; h < m_fabric.hosts(); ++h) {
        if (m_fabric.host(h) != nullptr) {
            write_host(file, h, measured);
        }
    }
    for (switch_id s = 0; s < m_fabric.switches(); ++s) {
        write_switch(file, s, measured);
    }
}

// A host keeps one account for all classes of what its NIC holds and of what it lost: a line of its own.
void port_table::write_host(output_file& file, host_id h, picoseconds measured) const {
    const host_node& host = *m_fabric.host(h);
    const topology& plan = m_fabric.plan();
    const node_ref self = node_ref::of_host(h);
    const std::string& peer = plan.name(plan.far_end(self, 0).node);
    const mac_port& mac = host.mac();
    const double busy = percent(mac.stats.tx_busy, measured);
    const drop_counts drops = minus(host.stats().drops, m_host_drops[h]);
    bool used = any(drops);
    for (unsigned c = 0; c < pfc_classes; ++c) {
        const class_counts counts = counts_of(mac, static_cast<pfc_class>(c));
        if (!counts.any()) {
            continue;
        }
        used = true;
        m_line.add_name(plan.name(self)).add(0).add(c).add_name(peer);
        add_counts(m_line, counts);
        m_line.add_nothing(drop_reasons + 10);
        add_pauses(m_line, counts);
        m_line.add_decimal(percent(time_on_wire(host.output(0), counts), measured), 4).add_decimal(busy, 4);
        file.write(m_line.end());
    }
    if (used) {
        m_line.add_name(plan.name(self)).add(0).add_name("all").add_name(peer).add_nothing(4);
        add_drops(m_line, drops);
        m_line.add_nothing(5);
        add_meter(m_line, &host.nic_meter());
        m_line.add_nothing(6).add_decimal(busy, 4);
        file.write(m_line.end());
    }
}

void port_table::write_switch(output_file& file, switch_id s, picoseconds measured) const {
    switch_node& device = m_fabric.device(s);
    const topology& plan = m_fabric.plan();
    const node_ref self = node_ref::of_switch(s);
    for (unsigned port = 0; port < device.ports(); ++port) {
        const mac_port& mac = device.mac(port);
        for (unsigned k = 0; k < pfc_classes; ++k) {
            const auto c = static_cast<pfc_class>(k);
            const class_counts counts = counts_of(mac, c);
            const drop_counts drops = minus(device.stats().port_drops[port][c], m_switch_drops[s][port][c]);
            if (!counts.any() && !any(drops)) {
                continue;
            }
            m_line.add_name(plan.name(self))
                .add(port)
                .add(c)
                .add_name(plan.name(plan.far_end(self, port).node));
            add_counts(m_line, counts);
            add_drops(m_line, drops);
            add_meter(m_line, device.ingress_memory().meter(port, c));
            add_meter(m_line, device.egress_memory().meter(port, c));
            add_pauses(m_line, counts);
            m_line.add_decimal(percent(time_on_wire(device.output(port), counts), measured), 4)
                .add_decimal(percent(mac.stats.tx_busy, measured), 4);
            file.write(m_line.end());
        }
    }
}

}  // namespace weir
