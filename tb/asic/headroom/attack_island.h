// Many small fabrics in one run, each under an attack on one lossless ingress port, and what arrived there
// after XOFF had been decided.
//
//     attacker ---> port 0 +--------+ port 2 ---> sink: pauses its link before all begins, and keeps it so
//                          | switch |
//     reverse  ---> port 1 +--------+ port 0 ---> attacker: traffic that XOFF has to wait for (T_O)
//
// A shared memory may be attacked at several ports at once, each with two senders of its own; all is for one
// sink. With `switch_partner` a second switch stands between attacker and port 0, so that it is a switch that
// obeys XOFF. Islands are not linked to each other: the fabric is not asked whether it is connected. A run
// takes place in a child process, because SystemC cannot elaborate twice, and so one test can run thousands
// of attacks, each round built on the last one's results.
#pragma once

#include <array>
#include <string>
#include <type_traits>
#include <vector>

#include "weir/model/fabric/fabric.h"
#include "weir/model/flow_control/pfc_headroom.h"
#include "weir/model/flow_control/pfc_thresholds.h"
#include "weir/model/memory/memory_organisation.h"

namespace weir::tb::pfc_attack {

/// Frames handed to a NIC at once; it sends them back to back.
struct burst {
    picoseconds at{0};
    pfc_class frame_class = 0;
    std::vector<std::uint16_t> lengths;
    /// Attacked port that the sender belongs to.
    unsigned port = 0;
};

/// Groups (port and class) under attack at once, at most.
inline constexpr unsigned most_groups = 64;

/// What the two senders of one island do.
struct attack {
    std::vector<burst> forward;
    std::vector<burst> reverse;
    /// To the sink, too, from port 0's reverse sender: what fills a shared memory's pool.
    std::vector<burst> filler;
};

/// One ingress port and class, until its first XON. Plain data: it crosses a pipe.
struct class_outcome {
    /// 0: never.
    picoseconds xoff_at{0};
    /// Charged to the class when XOFF was decided, the frame that caused it included. Unit: B.
    std::uint32_t bytes_at_xoff = 0;
    /// Of the class (802.3x: of all classes), charged or refused after that. Unit: B of memory. Of a shared
    /// memory: most headroom of the group.
    std::uint32_t bytes_after = 0;
    std::uint32_t frames_after = 0;
};
struct outcome {
    /// By class; of a shared memory by group: port times classes under attack, and class.
    std::array<class_outcome, most_groups> classes{};
    /// Most bytes of the port's memory, or of a shared memory's headroom, in use at once.
    std::uint64_t watermark = 0;
    std::uint32_t frames_refused = 0;
    /// At the sink.
    std::uint32_t frames_delivered = 0;

    /// Where memory counts single bytes.
    bytes wire_bytes_after(unsigned c, bytes wire_overhead) const {
        return bytes{classes[c].bytes_after} + wire_overhead * classes[c].frames_after;
    }
};

static_assert(std::is_trivially_copyable_v<outcome>);

struct results {
    std::vector<outcome> outcomes;
    /// Why the run failed; empty if it did not. `outcomes` end where it did.
    std::string violation;
};

/// Link, switch and thresholds under attack.
struct pfc_setting {
    std::string name;
    fabric_parameters parameters;
    link_properties link;
    bool switch_partner = false;
    /// Largest frame of the classes under attack; 0: `max_frame`. Traffic that XOFF waits for has `max_frame`.
    bytes largest_lossless{0};
    /// Ports under attack: more than one of a shared memory only.
    unsigned attacked_ports = 1;
    /// Others have filled the shared memory's pool to the last cell.
    bool full_pool = false;
    /// What counts in a search is what all groups take after their XOFFs, not the one that takes most.
    bool counts_all_groups = false;
    /// Also where memory counts single bytes, it is what counts, not the length on the wire: the overhead of
    /// more frames than there must be is lost to the attack.
    bool counts_memory = false;

    bool is_shared() const { return organisation_of(parameters.device).is_shared; }
    /// In a shared memory the traffic that XOFF has to wait for takes nothing of what is under attack: it is of
    /// a lossy class of its own or, where all classes are attacked, of the last one, with a minimum
    /// (`reverse_minimum`) at the ports that it comes from.
    unsigned attacked_classes() const {
        return is_shared() ? static_cast<unsigned>(parameters.shared.lossless_classes->size())
                           : parameters.device.classes;
    }
    unsigned groups() const { return attacked_ports * attacked_classes(); }
    pfc_class reverse_class() const {
        return static_cast<pfc_class>(is_shared() ? parameters.device.classes - 1 : 0);
    }
    bytes reverse_minimum{0};
    port_config port() const { return {link.rate, link.latency, parameters.wire_overhead}; }
    port_flow_control thresholds() const {
        return resolve_flow_control(parameters.device, parameters.flow_control, port());
    }
    bytes cell() const { return parameters.device.memory_cell; }
    bytes lossless_frame() const {
        return largest_lossless > 0_B ? largest_lossless : parameters.device.max_frame;
    }
    bytes lossless_wire() const { return lossless_frame() + parameters.wire_overhead; }
    bytes max_wire() const { return parameters.device.max_frame + parameters.wire_overhead; }
    /// Full frames that the egress memory holds; a shared memory is all one.
    std::int64_t frames_of_egress() const {
        return is_shared() ? 0
                           : parameters.device.egress_buffer / memory_of(parameters.device.max_frame, cell());
    }
    picoseconds wire_time(bytes wire_bytes) const { return transmission_time(wire_bytes, link.rate); }
    picoseconds crossbar_time(bytes wire_bytes) const {
        return is_shared() ? 0_ps : transmission_time(wire_bytes, link.rate * parameters.device.speedup);
    }
    bool charges_after_lookup() const { return parameters.flow_control.charge == charge_time::enqueue; }
    /// The closed form, from the setting's own numbers.
    pfc_headroom_terms terms(headroom_equation equation = headroom_equation::full) const {
        pfc_headroom_config config;
        config.rate = link.rate;
        config.max_frame_wire_bytes = max_wire();
        config.pfc_frame_wire_bytes = pause_frame_bytes + parameters.wire_overhead;
        config.one_way_latency = link.latency;
        config.lookup_delay = charges_after_lookup() ? parameters.device.lookup_delay : picoseconds{0};
        config.equation = equation;
        pfc_headroom_terms t = pfc_headroom(config);
        t.t_r = thresholds().response;
        t.t_o_partner = wire_time(lossless_wire());
        return t;
    }
};

/// All attacks, each on an island of its own, in a child process; `sink_opens` lets the islands drain from then
/// on.
results run_attacks(const pfc_setting& setting, const std::vector<attack>& attacks, picoseconds end,
                    picoseconds sink_opens = never);

}  // namespace weir::tb::pfc_attack
