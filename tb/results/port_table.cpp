#include "tb/results/port_table.h"

#include <algorithm>
#include <functional>
#include <vector>

#include "tb/results/fabric_totals.h"
#include "tb/results/lines_by_node.h"
#include "tb/text/text_format.h"

namespace weir::tb {

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
    const class_traffic& data = mac.stats.classes[c];
    return {data.rx_frames,
            data.rx_bytes,
            data.tx_frames,
            data.tx_bytes,
            sent.xoff_sent[c] - mac.requests_before().xoff_sent[c],
            sent.xon_sent[c] - mac.requests_before().xon_sent[c],
            received.xoff_received[c] - mac.timers_before().xoff_received[c],
            received.xon_received[c] - mac.timers_before().xon_received[c],
            received.paused_time[c] - mac.timers_before().paused_time[c]};
}

bool any(const drop_counts& drops) {
    return std::any_of(drops.begin(), drops.end(), [](std::uint64_t n) { return n != 0; });
}

double percent(picoseconds part, picoseconds whole) {
    return whole > picoseconds{0}
               ? 100.0 * static_cast<double>(part.count()) / static_cast<double>(whole.count())
               : 0.0;
}

std::string header(const std::vector<drop_reason>& reasons) {
    std::string text = "node,port,class,peer,rx_frames,rx_bytes,tx_frames,tx_bytes";
    for (const drop_reason reason : reasons) {
        text += std::string(",") + name_of(reason) + "_frames";
    }
    text += ",unsent_link_down_frames";
    for (const char* side : {"ingress", "egress"}) {
        for (const char* value : {"mean", "max", "p50", "p99", "p99_9"}) {
            text += std::string(",") + side + "_" + value + "_bytes";
        }
    }
    return text +
           ",xoff_sent,xon_sent,xoff_received,xon_received,paused_ns,utilisation_percent,"
           "port_utilisation_percent\n";
}

void add_meter(csv_line& line, const occupancy_meter* meter, picoseconds idle) {
    static const occupancy_meter never_used;
    const occupancy_meter& m = meter != nullptr ? *meter : never_used;
    line.add_decimal(m.mean(idle), 3);
    for (bytes value :
         {m.watermark(), m.percentile(0.5, idle), m.percentile(0.99, idle), m.percentile(0.999, idle)}) {
        line.add(static_cast<std::uint64_t>(value.count()));
    }
}

/// `unsent`: of those of `link_down`, the frames that a cut link kept a host from sending. As in summary.json
/// they are apart: they were never on a wire.
void add_drops(csv_line& line, const std::vector<drop_reason>& reasons, const drop_counts& drops,
               std::uint64_t unsent) {
    for (const drop_reason reason : reasons) {
        line.add(drops[static_cast<unsigned>(reason)] - (reason == drop_reason::link_down ? unsent : 0));
    }
    line.add(unsent);
}

void add_counts(csv_line& line, const class_counts& counts) {
    line.add(counts.rx_frames).add(counts.rx_bytes).add(counts.tx_frames).add(counts.tx_bytes);
}

void add_pauses(csv_line& line, const class_counts& counts) {
    line.add(counts.xoff_sent).add(counts.xon_sent).add(counts.xoff_received).add(counts.xon_received);
    line.add_ns(counts.paused);
}

// A host keeps one account for all classes of what its NIC holds and of what it lost: a line of its own.
void add_host(std::string& lines, csv_line& line, fabric& made, const std::vector<drop_reason>& reasons,
              host_id h, const averaged_time& averaged) {
    const host_node& host = *made.host(h);
    const topology& plan = made.plan();
    const node_ref self = node_ref::of_host(h);
    const std::string& peer = plan.name(plan.far_end(self, 0).node);
    const mac_port& mac = host.mac();
    const double busy = percent(mac.stats.tx_busy(), averaged.length);
    const drop_counts& drops = host.stats().drops;
    bool used = any(drops);
    for (unsigned c = 0; c < pfc_classes; ++c) {
        const class_counts counts = counts_of(mac, static_cast<pfc_class>(c));
        if (!counts.any()) {
            continue;
        }
        used = true;
        line.add_name(plan.name(self)).add(0).add(c).add_name(peer);
        add_counts(line, counts);
        line.add_nothing(static_cast<unsigned>(reasons.size()) + 11);
        add_pauses(line, counts);
        line.add_decimal(percent(mac.stats.classes[c].tx_time, averaged.length), 4).add_decimal(busy, 4);
        lines += line.end();
    }
    if (used) {
        line.add_name(plan.name(self)).add(0).add_name("all").add_name(peer).add_nothing(4);
        add_drops(line, reasons, drops, host.stats().unsent);
        line.add_nothing(5);
        add_meter(line, &host.nic_meter(), averaged.idle);
        line.add_nothing(6).add_decimal(busy, 4);
        lines += line.end();
    }
}

void add_switch(std::string& lines, csv_line& line, fabric& made, const std::vector<drop_reason>& reasons,
                switch_id s, const averaged_time& averaged) {
    switch_node& device = made.device(s);
    const topology& plan = made.plan();
    const node_ref self = node_ref::of_switch(s);
    for (unsigned port = 0; port < device.ports(); ++port) {
        const mac_port& mac = device.mac(port);
        for (unsigned k = 0; k < pfc_classes; ++k) {
            const auto c = static_cast<pfc_class>(k);
            const class_counts counts = counts_of(mac, c);
            const drop_counts drops = device.stats().drops_at(port, c);
            if (!counts.any() && !any(drops)) {
                continue;
            }
            line.add_name(plan.name(self)).add(port).add(c).add_name(plan.name(plan.far_end(self, port).node));
            add_counts(line, counts);
            add_drops(line, reasons, drops, 0);
            add_meter(line, device.ingress_memory().meter(port, c), averaged.idle);
            add_meter(line, device.egress_memory().meter(port, c), averaged.idle);
            add_pauses(line, counts);
            line.add_decimal(percent(mac.stats.classes[c].tx_time, averaged.length), 4)
                .add_decimal(percent(mac.stats.tx_busy(), averaged.length), 4);
            lines += line.end();
        }
    }
}

}  // namespace

void write_port_table(output_file& file, fabric& made, const averaged_time& averaged) {
    csv_line line;
    const std::vector<drop_reason> reasons = reported_reasons(made);
    file.write(header(reasons));
    write_by_node(file, made, [&](const node_ref& n, std::string& lines) {
        n.is_host() ? add_host(lines, line, made, reasons, n.index, averaged)
                    : add_switch(lines, line, made, reasons, n.index, averaged);
    });
}

}  // namespace weir::tb
