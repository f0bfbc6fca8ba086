#include "weir/model/switch/switch_path.h"

#include "weir/base/unit_text.h"

namespace weir::model {

/// Names the port in calls to the ingress buffer.
template <class Path>
decltype(auto) packet_memory::at_ingress(const switch_port& p) {
    if constexpr (Path::has_own_blocks) {
        return (core().blocks.ingress.own()->at(p.number));
    } else {
        return unsigned{p.number};
    }
}

// --- ingress memory ---------------------------------------------------------------------------------------

// Each at the time of its last bit and in this order, as if each had been an event.
void packet_memory::charge_each_arrived(switch_port& p, picoseconds until) {
    while (p.first_arrived != no_slot && core().frames.route(p.first_arrived).arrival <= until) {
        const stored_frame& stored = core().frames[p.first_arrived];
        const frame_route& route = stored.route;
        p.first_arrived = route.next_arrived;
        core().count_arrival(p, stored);
        core().count_received(p, stored);
        m_charged_bytes += route.charged_bytes;
        core().blocks.ingress.own()->charge_quietly(core().blocks.ingress.own()->at(p.number),
                                                    route.frame_class, route.charged_bytes, route.arrival);
        core().pipeline.count();
    }
}

// The usual case: the frame that leaves ingress memory arrived without an event and was alone there. True: it
// has been charged, with the time of its arrival, and released.
bool packet_memory::charge_and_release(frame_slot slot, switch_port& p, const stored_frame& stored) {
    const frame_route& route = stored.route;
    if (p.first_arrived != slot ||
        (route.next_arrived != no_slot &&
         core().frames.route(route.next_arrived).arrival <= core().instant.now) ||
        !core().blocks.ingress.own()->pass(core().blocks.ingress.own()->at(p.number), route.frame_class,
                                           route.charged_bytes, route.arrival, core().instant.now)) {
        return false;
    }
    p.first_arrived = route.next_arrived;
    core().count_arrival(p, stored);
    core().count_received(p, stored);
    core().pipeline.count();
    return true;
}

void packet_memory::catch_up(picoseconds until) {
    if (core().rules.is_direct) {
        for (switch_port& p : core().ports) {
            charge_arrived(p, until - 1_ps);
            settle_sent<direct_path>(p, until - 1_ps);
        }
    } else {
        // Each arrival has been an event.
        for (switch_port& p : core().ports) {
            settle_sent<general_path>(p, until - 1_ps);
        }
    }
}

// XOFF is decided with the charge; arrivals without an event cannot reach the threshold.
bool packet_memory::charge(switch_port& p, frame_slot slot) {
    const frame_route& route = core().frames.route(slot);
    const charge_result result =
        core().blocks.ingress->charge(p.number, route.frame_class, route.charged_bytes, core().instant.now);
    if (!result.admitted) {
        if (core().rules.is_lossless) {
            report_full_ingress(p.number, route);
        }
        core().drop(slot, p.number, drop_reason::ingress_full);
        return false;
    }
    m_charged_bytes += route.charged_bytes;
    if (result.xoff != 0) {
        core().note_xoff(p.number, result.xoff, slot);
        p.requests.request_xoff(result.xoff);
        core().flow_control->requests_changed(p.number);
    }
    return true;
}

void packet_memory::report_full_ingress(unsigned port, const frame_route& route) {
    const port_thresholds& control = core().thresholds[port];
    core().report_lossless_loss(
        "ingress port " + std::to_string(port) + " lost a frame of lossless class " +
        std::to_string(route.frame_class) + " (" + std::to_string(route.charged_bytes) + " B) at " +
        to_text(core().instant.now) + ": the port's ingress memory has no room for it (" +
        std::to_string(core().blocks.ingress->occupancy(port).count()) + " of " +
        std::to_string(control.limits.capacity) + " B in use); XOFF at " + std::to_string(control.limits.xoff) +
        " B, XON below " + std::to_string(control.limits.xon) +
        " B, classes paused: " + std::to_string(core().ports[port].requests.wanted()) + "; a class needs " +
        std::to_string(control.worst_case.count()) + " B after XOFF");
}

// Stage `transfer_done`. While it crosses a frame is in ingress memory and in reserved egress room. Here it
// gives up ingress memory, which may end a pause.
template <class Path>
void packet_memory::leave_ingress(frame_slot slot, const stored_frame& stored) {
    const frame_route& route = stored.route;
    switch_port& p = core().ports[route.ingress_port];
    if (p.first_arrived != no_slot) {
        if (charge_and_release(slot, p, stored)) {
            return;
        }
        charge_each_arrived(p, core().instant.now);
    }
    m_charged_bytes -= route.charged_bytes;
    const class_mask xon = core().blocks.ingress.as<Path>().release(at_ingress<Path>(p), route.frame_class,
                                                                    route.charged_bytes, core().instant.now);
    if (xon != 0) {
        p.requests.request_xon(xon);
        core().flow_control->requests_changed(p.number);
    }
}

void packet_memory::release_ingress(const frame_route& route, picoseconds at) {
    m_charged_bytes -= route.charged_bytes;
    const class_mask xon =
        core().blocks.ingress->release(route.ingress_port, route.frame_class, route.charged_bytes, at);
    if (xon != 0) {
        core().ports[route.ingress_port].requests.request_xon(xon);
        core().flow_control->requests_changed(route.ingress_port);
    }
}

// --- egress memory ----------------------------------------------------------------------------------------

// At the match: the arbiter has seen room for the longest frame, so no reservation fails.
template <class Path>
void packet_memory::reserve(const frame_route& route) {
    if (core().rules.drops_at_egress) {
        return;
    }
    switch_port& p = core().ports[route.egress_port];
    const std::uint32_t room =
        core().blocks.egress.as<Path>().reserve(p.at_egress<Path>(), route.frame_class, route.charged_bytes);
    if (room != p.room) {
        lose_room(p);
    }
}

// A frame whose last bit has left by now may still be charged: its room comes back first.
void packet_memory::lose_room(switch_port& p) {
    settle_sent<general_path>(p, core().instant.now);
    update_room(p, core().blocks.egress->room(p.number));
    core().await_end_unless_quiet(p);
}

// The frame gives its place in its egress queue back.
void packet_memory::leave_queue(frame_slot slot, picoseconds at) {
    frame_route& route = core().frames.route(slot);
    if (core().queues != nullptr) {
        core().queues->leave(route, at);
    }
    if (route.is_own) {
        route.is_own = false;
    } else if (!core().rules.crosses_plainly) {
        core().organisation->leave(route, at);
    }
}

// The last bit of `slot` has left at `at`.
template <class Path>
void packet_memory::release_sent(switch_port& p, frame_slot slot, picoseconds at) {
    if (Path::has_queue_rules) {
        leave_queue(slot, at);
    }
    const std::uint32_t room = core().blocks.egress.as<Path>().release(
        p.at_egress<Path>(), p.sending.frame_class, p.sending.charged_bytes, at);
    core().frames.release(slot);
    update_room(p, room);
}

// Tells the arbiter. Room that comes back may make a pair eligible, so it has to run again.
void packet_memory::change_room(switch_port& p, std::uint32_t room) {
    if (core().rules.drops_at_egress) {
        return;  // the crossbar never waits
    }
    const std::uint32_t changed = room ^ p.room;
    p.room = static_cast<class_mask>(room);
    for (unsigned bits = changed; bits != 0; bits &= bits - 1) {
        const auto c = static_cast<pfc_class>(__builtin_ctz(bits));
        core().requests.set_room(p.number, c, ((room >> c) & 1) != 0);
    }
    if ((changed & room) != 0 && core().requests.classes() != 0) {
        if (core().rules.moves_cells) {
            core().instant.wake_slot();
        } else {
            core().instant.arbitrate_later();
        }
    }
}

template void packet_memory::leave_ingress<direct_path>(frame_slot, const stored_frame&);
template void packet_memory::leave_ingress<own_path>(frame_slot, const stored_frame&);
template void packet_memory::leave_ingress<general_path>(frame_slot, const stored_frame&);
template void packet_memory::reserve<direct_path>(const frame_route&);
template void packet_memory::reserve<own_path>(const frame_route&);
template void packet_memory::reserve<general_path>(const frame_route&);
template void packet_memory::release_sent<direct_path>(switch_port&, frame_slot, picoseconds);
template void packet_memory::release_sent<own_path>(switch_port&, frame_slot, picoseconds);
template void packet_memory::release_sent<general_path>(switch_port&, frame_slot, picoseconds);

}  // namespace weir::model
