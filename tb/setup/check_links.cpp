#include "tb/setup/check_links.h"

#include <set>
#include <tuple>

#include "tb/shared/read_profiles.h"
#include "weir/base/unit_text.h"
#include "weir/model/flow_control/pfc_thresholds.h"
#include "weir/model/memory/shared_memory.h"

namespace weir::tb {

std::vector<port_config> kinds_of_links(const built_topology& built, bytes wire_overhead) {
    std::set<std::tuple<bit_rate, bit_rate, picoseconds>> seen;
    std::vector<port_config> kinds;
    for (const port_config& port : ports_of_links(built.plan, built.changes, wire_overhead)) {
        if (seen.emplace(port.rate, port.fastest_rate(), port.longest_latency()).second) {
            kinds.push_back(port);
        }
    }
    return kinds;
}

namespace {

/// The changes in their order, each with what its link is by then.
class change_checker {
 public:
    change_checker(const run_config& config, const built_topology& built)
        : m_config(config),
          m_built(built),
          m_device(config.device),
          m_pfc(config.flow_control),
          m_ports(ports_of_links(built.plan, built.changes, config.link.wire_overhead)) {
        if (config.shared.kind == buffer_kind::shared) {
            adapt_to_shared_memory(m_device, m_pfc);
        }
    }

    std::vector<std::string> check() {
        std::vector<port_config> now = m_ports;
        for (const fabric_change& change : in_order(m_built.changes)) {
            port_config& link = now[change.link];
            const bit_rate rate = change.rate.count() > 0 ? change.rate : link.rate;
            const picoseconds latency = change.latency.value_or(link.latency);
            check_rate(change, link.rate, rate);
            check_latency(change, latency - link.latency, rate);
            link.rate = rate;
            link.latency = latency;
        }
        return m_warnings;
    }

 private:
    std::string place(const fabric_change& change) const {
        return "fabric.link: " + m_built.plan.link(change.link).name + " at " + to_text(change.at) + ": ";
    }

    /// What there is for frames that come after XOFF has been decided.
    bytes headroom_of(link_id link) const {
        const port_config& port = m_ports[link];
        if (m_config.shared.kind == buffer_kind::shared) {
            const group_headroom group = headroom_of_group(m_config.shared, m_device, m_pfc, port);
            // A file's may be less than the frame that meets the threshold.
            const bytes size = profiled_headroom(m_config, m_built, link).value_or(group.size);
            return size - std::min(size, group.crossing);
        }
        return resolve_flow_control(m_device, m_pfc, port).headroom;
    }

    void check_rate(const fabric_change& change, bit_rate before, bit_rate after) {
        const port_config& port = m_ports[change.link];
        const bytes headroom = headroom_of(change.link);
        const bytes needed = reserve_at_rise(m_device, m_pfc, port, before, after);
        if (after <= before || needed <= headroom || !m_seen_rates.emplace(before, after).second) {
            return;
        }
        m_warnings.push_back(place(change) + "a frame that a switch has begun to send at " + to_text(before) +
                             " delays XOFF, so that up to " + std::to_string(needed.count()) +
                             " B per class can arrive at " + to_text(after) +
                             " after the XOFF decision, but there is room for only " +
                             std::to_string(headroom.count()) +
                             " B: a frame of a lossless class can be lost, which would end the run");
    }

    void check_latency(const fabric_change& change, picoseconds growth, bit_rate rate) {
        const pause_config pause = resolve_flow_control(m_device, m_pfc, m_ports[change.link]).requests;
        const picoseconds spare =
            pause_time(pause.quanta, rate) - pause_time(pause.refresh, rate) -
            transmission_time(m_config.device.max_frame + m_config.link.wire_overhead, rate);
        if (growth <= spare || !m_seen_growths.emplace(growth, rate).second) {
            return;
        }
        m_warnings.push_back(place(change) + "the latency grows by " + to_text(growth) +
                             ", but a pause outlasts its refresh by only " + to_text(spare) +
                             ": a pause can expire before it is refreshed, and a frame of a lossless class can "
                             "then be lost, which would end the run");
    }

    const run_config& m_config;
    const built_topology& m_built;
    switch_config m_device;
    pfc_config m_pfc;
    std::vector<port_config> m_ports;
    std::set<std::tuple<bit_rate, bit_rate>> m_seen_rates;
    std::set<std::tuple<picoseconds, bit_rate>> m_seen_growths;
    std::vector<std::string> m_warnings;
};

}  // namespace

std::vector<std::string> link_change_warnings(const run_config& config, const built_topology& built) {
    return config.flow_control.mode == flow_control_mode::none ? std::vector<std::string>{}
                                                               : change_checker(config, built).check();
}

}  // namespace weir::tb
