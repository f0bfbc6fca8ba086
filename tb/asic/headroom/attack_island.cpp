#include "tb/asic/headroom/attack_island.h"

#include <algorithm>
#include <cstring>
#include <memory>
#include <stdexcept>
#include <utility>

#include "tb/asic/headroom/scripted_endpoint.h"
#include "tb/support/process/child_process.h"
#include "tb/support/process/exit_status.h"
#include "weir/model/memory/shared_buffer.h"
#include "weir/model/switch/switch_blocks.h"

namespace weir::tb::pfc_attack {

namespace {

/// The default ingress memory, and notes of what happens at port 0.
class watched_ingress : public ingress_buffer_block {
 public:
    watched_ingress(sc_core::sc_module_name name, frame_slab& slab, unsigned ports, unsigned classes)
        : ingress_buffer_block(name, slab, ports, classes) {}

    charge_result charge(unsigned port, pfc_class c, std::uint32_t length, picoseconds now) override {
        const charge_result result = ingress_buffer_block::charge(port, c, length, now);
        if (port == 0) {
            note(c, length, now, result);
        }
        return result;
    }
    class_mask release(unsigned port, pfc_class c, std::uint32_t length, picoseconds now) override {
        const class_mask xon = ingress_buffer_block::release(port, c, length, now);
        if (port == 0) {
            m_class_bytes[c] -= length;
            m_counting = static_cast<class_mask>(m_counting & ~xon);
        }
        return xon;
    }
    const outcome& seen() const { return m_seen; }

 private:
    void note(pfc_class c, std::uint32_t length, picoseconds now, const charge_result& result) {
        const bool together = algorithm().limits(0).one_class;
        for (unsigned k = 0; k < pfc_classes; ++k) {
            if ((m_counting >> k & 1) != 0 && (together || k == c)) {
                m_seen.classes[k].bytes_after += length;
                ++m_seen.classes[k].frames_after;
            }
        }
        if (!result.admitted) {
            ++m_seen.frames_refused;
            return;
        }
        m_class_bytes[c] += length;
        const auto total = static_cast<std::uint32_t>(occupancy(0).count());
        m_seen.watermark = std::max<std::uint64_t>(m_seen.watermark, total);
        for (unsigned k = 0; k < pfc_classes; ++k) {
            class_outcome& o = m_seen.classes[k];
            if ((result.xoff >> k & 1) != 0 && o.xoff_at == picoseconds{0}) {
                o.xoff_at = now;
                o.bytes_at_xoff = together ? total : m_class_bytes[k];
                m_counting = static_cast<class_mask>(m_counting | 1U << k);
            }
        }
    }

    outcome m_seen;
    class_mask m_counting = 0;
    std::array<std::uint32_t, pfc_classes> m_class_bytes{};
};

/// An island's hosts: attackers, reverse senders, sink.
unsigned hosts_of_island(const pfc_setting& setting) {
    return 2 * setting.attacked_ports + 1;
}

/// `count` islands. At the device an attacker's port is the number of the attacker.
topology make_islands(const pfc_setting& setting, std::size_t count) {
    topology t;
    for (std::size_t i = 0; i < count; ++i) {
        const std::string n = std::to_string(i);
        std::vector<node_ref> senders;
        for (const char* const kind : {"attacker", "reverse"}) {
            for (unsigned port = 0; port < setting.attacked_ports; ++port) {
                const std::string which = port == 0 ? std::string() : "_" + std::to_string(port);
                senders.push_back(node_ref::of_host(t.add_host(kind + n + which)));
            }
        }
        const node_ref sink = node_ref::of_host(t.add_host("sink" + n));
        const node_ref device = node_ref::of_switch(t.add_switch("device" + n, 1));
        if (setting.switch_partner) {
            const node_ref partner = node_ref::of_switch(t.add_switch("partner" + n, 1));
            t.add_link(device, partner, setting.link);
            t.add_link(senders[0], partner, setting.link);
            senders.erase(senders.begin());
        }
        for (const node_ref& sender : senders) {
            t.add_link(sender, device, setting.link);
        }
        t.add_link(sink, device, setting.link);
    }
    t.finish();
    return t;
}

fabric_parameters parameters_of(const pfc_setting& setting, std::size_t islands) {
    fabric_parameters parameters = setting.parameters;
    if (setting.reverse_minimum > 0_B) {
        const unsigned classes = parameters.device.classes;
        shared_profiles profiles;
        profiles.groups.resize(std::size_t{hosts_of_island(setting)} * classes);
        for (unsigned port = setting.attacked_ports; port < 2 * setting.attacked_ports; ++port) {
            profiles.groups[port * classes + setting.reverse_class()].minimum = setting.reverse_minimum;
        }
        parameters.profiles.assign(islands, profiles);
    }
    return parameters;
}

/// A frame by which the sink pauses (or, with 0 quanta, releases) all classes of its link.
ethernet_frame sink_pause(std::uint16_t quanta) {
    ethernet_frame frame;
    frame.kind = frame_kind::pfc;
    frame.priority = pfc_classes - 1;
    frame.pause = pause_fields{};
    frame.pause.class_enable = 0xFF;
    frame.pause.quanta.fill(quanta);
    return frame;
}

/// What the device's own log and watermarks say of the attacked groups.
outcome seen_by_shared(const pfc_setting& setting, const switch_node& device) {
    outcome seen;
    const unsigned classes = setting.attacked_classes();
    const shared_buffer& memory = *device.shared_memory();
    for (const xoff_record& x : device.causes()->xoffs()) {
        if (x.ingress_port >= setting.attacked_ports) {
            continue;
        }
        class_outcome& o = seen.classes[x.ingress_port * classes + x.frame_class];
        if (o.xoff_at == picoseconds{0}) {
            o.xoff_at = x.time;
            o.bytes_at_xoff =
                static_cast<std::uint32_t>(x.own);  // one slice, no minimum: all that the group has
        }
    }
    for (unsigned g = 0; g < setting.groups(); ++g) {
        const group_marks& marks = memory.marks(g / classes, static_cast<pfc_class>(g % classes));
        seen.classes[g].bytes_after = static_cast<std::uint32_t>(memory.bytes_of(marks.headroom).count());
    }
    seen.watermark = static_cast<std::uint64_t>(memory.bytes_of(memory.pool_marks().headroom).count());
    return seen;
}

/// All islands in this process's kernel; `sink_opens` lets them drain from then on.
results run_here(const pfc_setting& setting, const std::vector<attack>& attacks, picoseconds end,
                 picoseconds sink_opens) {
    const topology plan = make_islands(setting, attacks.size());
    fabric made("fabric", parameters_of(setting, attacks.size()), plan);
    std::vector<scripted_endpoint> ends(plan.hosts());
    std::vector<std::unique_ptr<watched_ingress>> watched;
    const picoseconds sink_refresh = pause_time(pause_quanta{0xFFFF}, setting.link.rate) / 2;
    const unsigned switches_each = setting.switch_partner ? 2 : 1;
    const unsigned hosts_each = hosts_of_island(setting);
    for (std::size_t i = 0; i < attacks.size(); ++i) {
        const auto attacker = static_cast<host_id>(hosts_each * i);
        const host_id sink = attacker + hosts_each - 1;
        const auto send = [&](host_id from, host_id to, const burst& b) {
            for (const std::uint16_t length : b.lengths) {
                ends[from].at(b.at,
                              frame_between(plan.address_of(from), plan.address_of(to), length, b.frame_class));
            }
        };
        for (const burst& b : attacks[i].forward) {
            send(attacker + b.port, sink, b);
        }
        for (const burst& b : attacks[i].filler) {
            send(attacker + setting.attacked_ports, sink, b);
        }
        for (const burst& b : attacks[i].reverse) {
            send(attacker + setting.attacked_ports + b.port, attacker + b.port, b);
        }
        for (picoseconds at{0}; at < std::min(end, sink_opens); at += sink_refresh) {
            ends[sink].at(at, sink_pause(0xFFFF));
        }
        if (sink_opens != never) {
            ends[sink].at(sink_opens, sink_pause(0));
        }
        switch_node& device = made.device(static_cast<switch_id>(i * switches_each));
        if (setting.is_shared()) {
            cause_options options;
            options.pauses = true;
            device.log_causes(options);
            continue;
        }
        watched.push_back(std::make_unique<watched_ingress>(("watched" + std::to_string(i)).c_str(),
                                                            device.slab(), device.ports(),
                                                            setting.parameters.device.classes));
        for (unsigned port = 0; port < device.ports(); ++port) {
            watched.back()->algorithm().set_limits(port, setting.thresholds().limits);
        }
        device.ingress.bind(watched.back()->block);
    }
    for (host_id h = 0; h < plan.hosts(); ++h) {
        made.host(h)->run(ends[h]);
    }
    made.configure_run(engine_kind::fast, made.lookahead(), end);
    results r;
    try {
        sc_core::sc_start();
        made.settle(end);
    } catch (const sc_core::sc_report& report) {
        r.violation = report.get_msg();
    }
    for (std::size_t i = 0; i < attacks.size(); ++i) {
        r.outcomes.push_back(
            setting.is_shared()
                ? seen_by_shared(setting, made.device(static_cast<switch_id>(i * switches_each)))
                : watched[i]->seen());
        r.outcomes.back().frames_delivered =
            static_cast<std::uint32_t>(ends[hosts_each * (i + 1) - 1].arrivals.size());
    }
    return r;
}

}  // namespace

results run_attacks(const pfc_setting& setting, const std::vector<attack>& attacks, picoseconds end,
                    picoseconds sink_opens) {
    child_process child("weir headroom", [&] {
        sc_core::sc_report_handler::set_actions(sc_core::SC_INFO, sc_core::SC_DO_NOTHING);
        const results r = run_here(setting, attacks, end, sink_opens);
        return std::string(reinterpret_cast<const char*>(r.outcomes.data()),
                           r.outcomes.size() * sizeof(outcome)) +
               r.violation;
    });
    child.wait();
    if (child.status() != exit_status::success) {
        throw command_error("a child process failed", exit_status::of_child(child.status()));
    }
    const std::string made = child.output();
    results r;
    r.outcomes.resize(attacks.size());
    const std::size_t plain = attacks.size() * sizeof(outcome);
    if (made.size() < plain) {
        throw std::runtime_error("outcomes of a simulation are missing");
    }
    std::memcpy(r.outcomes.data(), made.data(), plain);
    r.violation = made.substr(plain);
    return r;
}

}  // namespace weir::tb::pfc_attack
