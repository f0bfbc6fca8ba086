// A fabric with scripted endpoints on its hosts, and a module of a user's own at the place of a host.
#pragma once

#include <string>
#include <vector>

#include "support/scripted_endpoint.h"
#include "weir/model/fabric/fabric.h"
#include "weir/model/topology/topology_generators.h"
#include "weir/protocol/ethernet_sockets.h"

namespace weir::test {

using namespace tb;

struct fabric_rig {
    fabric_rig(const topology& plan_in, const fabric_parameters& parameters)
        : plan(plan_in), made("fabric", parameters, plan), ends(plan.hosts()) {
        for (host_id h = 0; h < plan.hosts(); ++h) {
            if (made.host(h) != nullptr) {
                made.host(h)->run(ends[h]);
            }
        }
    }
    ethernet_frame frame(host_id src, host_id dst, std::uint16_t length, pfc_class priority = 0) const {
        return frame_between(plan.address_of(src), plan.address_of(dst), length, priority);
    }
    /// Frames one right behind the other, from `time` on.
    void stream(picoseconds time, int count, const ethernet_frame& frame, host_id src) {
        for (int i = 0; i < count; ++i) {
            ends[src].at(time, frame);
        }
    }
    void run(picoseconds end, picoseconds quantum = 0_ps, engine_kind engine = engine_kind::fast) {
        // However little there is to do.
        const thread_config always{threads, 0};
        made.configure_run(engine, quantum == 0_ps ? made.lookahead() : quantum, end, always);
        sc_core::sc_start();
        made.settle(end);
    }
    topology plan;
    fabric made;
    std::vector<scripted_endpoint> ends;
    unsigned threads = 1;
};

/// A user's own SystemC module at a switch's socket. It notes when each frame's first bit comes, and sends what
/// it is told to.
struct user_module : sc_core::sc_module {
    ethernet_sink from_switch{"from_switch"};
    ethernet_source to_switch{"to_switch"};

    struct arrival {
        picoseconds first_bit;
        ethernet_frame frame;
    };
    std::vector<arrival> arrivals;

    explicit user_module(sc_core::sc_module_name name) : sc_module(name) {
        SC_HAS_PROCESS(user_module);
        SC_THREAD(receive);
        SC_THREAD(send);
    }
    /// Takes the place of an open host.
    void bind(fabric_rig& rig, host_id place) {
        switch_node& device = rig.made.device(rig.plan.edge_switch(place));
        const unsigned port = rig.plan.edge_port(place);
        device.output(port).socket().bind(from_switch);
        to_switch.bind(device.input(port).socket());
    }
    /// Before the run, in order of time: the call is made at kernel time `time`, and the first bit reaches the
    /// switch `delay` later.
    void at(picoseconds time, const ethernet_frame& frame, picoseconds delay) {
        m_script.push_back({time, frame, delay});
    }
    /// First bits of the data frames of a class, less the link's latency: when the switch began to send them.
    std::vector<picoseconds> starts(pfc_class c, picoseconds latency) const {
        std::vector<picoseconds> times;
        for (const arrival& a : arrivals) {
            if (!a.frame.is_flow_control() && a.frame.priority == c) {
                times.push_back(a.first_bit - latency);
            }
        }
        return times;
    }

 private:
    struct step {
        picoseconds time;
        ethernet_frame frame;
        picoseconds delay;
    };
    void receive() {
        for (;;) {
            while (auto frame = from_switch.next()) {
                arrivals.push_back({to_picoseconds(sc_core::sc_time_stamp()), *frame});
            }
            wait(from_switch.arrived());
        }
    }
    void send() {
        for (const step& s : m_script) {
            const sc_core::sc_time at = to_sc_time(s.time);
            if (at > sc_core::sc_time_stamp()) {
                wait(at - sc_core::sc_time_stamp());
            }
            to_switch.send(s.frame, to_sc_time(s.delay));
        }
    }
    std::vector<step> m_script;
};

/// The message of the fatal report that `call` ends with; empty if it ends without one.
template <class Call>
std::string fatal_message(Call&& call) {
    try {
        call();
    } catch (const sc_core::sc_report& report) {
        return std::string(report.get_msg_type()) + ": " + report.get_msg();
    }
    return {};
}

}  // namespace weir::test
