// A switch's crossbar: VOQs to egress memory, by whole frames or cell by cell.
#include <algorithm>
#include <utility>

#include "weir/model/switch/switch_node.h"

namespace weir {

template <bool Own>
void switch_node::arbitrate_frames() {
    ++m_stats.arbitrations;
    m_matches.clear();
    m_arbiter.as<Own>().arbitrate(m_requests, m_free_ingress, m_free_egress, until_maximal, m_matches);
    if constexpr (!Own) {
        m_arbiter_free = std::max(m_now, m_arbiter_free) + m_arbiter->run_time();
    }
    m_stats.matches += m_matches.size();
    for (const crossbar_match& match : m_matches) {
        if (m_arbiter_is_foreign && !is_allowed(match)) {
            return;
        }
        const frame_slot slot =
            m_ingress.as<Own>().head(match.ingress_port, match.egress_port, match.frame_class);
        take_from_voq<Own>(match);
        begin_transfer<Own>(slot, m_slab[slot]);
    }
}

// The usual case: after all events of the instant, a frame that came in it and whose ports are both free is all
// that is new. The last run left no eligible pair of free ports, and none has become eligible since, or a run
// would be pending: so this pair is all that a run would match.
template <bool Own>
void switch_node::match_lone(frame_slot slot) {
    const stored_frame& stored = m_slab[slot];
    const frame_route& route = stored.route;
    const crossbar_match pair{static_cast<std::uint8_t>(route.ingress_port),
                              static_cast<std::uint8_t>(route.egress_port), route.frame_class};
    if (!m_arbitration_pending && ((m_ports[route.egress_port].room >> route.frame_class) & 1) != 0 &&
        m_arbiter.as<Own>().arbitrate_lone(pair)) {
        ++m_stats.arbitrations;
        ++m_stats.matches;
        begin_transfer<Own>(slot, stored);
    } else {
        request<Own>(slot, route);
    }
}

template <bool Own>
void switch_node::begin_transfer(frame_slot slot, const stored_frame& stored) {
    const frame_route& route = stored.route;
    reserve<Own>(route);
    m_free_ingress.reset(route.ingress_port);
    m_free_egress.reset(route.egress_port);
    const bytes wire_bytes = stored.frame.length() + m_ports[route.egress_port].wire_overhead;
    picoseconds end = m_now + m_crossbar(wire_bytes);
    if constexpr (!Own) {
        end = m_arbiter_free + m_crossbar(wire_bytes);
        if (m_sram != nullptr) {
            end += read_ingress(slot);
        }
        if (m_probe != nullptr) {
            m_probe->on_match(route.ingress_port, route.egress_port, end);
        }
    }
    m_agenda.schedule(end, switch_stages::transfer_done, route.egress_port, slot);
}

// An arbiter that is not ours must match free ports and eligible pairs only.
bool switch_node::is_allowed(const crossbar_match& match) {
    if (match.ingress_port < ports() && match.egress_port < ports() && match.frame_class < m_classes &&
        m_free_ingress.test(match.ingress_port) && m_free_egress.test(match.egress_port) &&
        m_requests.eligible_ingress(match.egress_port, match.frame_class).test(match.ingress_port)) {
        return true;
    }
    violate(m_now, "the arbiter matches ingress port " + std::to_string(match.ingress_port) +
                       " with egress port " + std::to_string(match.egress_port) + " in class " +
                       std::to_string(match.frame_class) +
                       ": no such port, a busy one, or no frame that may cross");
    return false;
}

template <bool Own>
void switch_node::take_from_voq(const crossbar_match& match) {
    if (m_ingress.as<Own>().dequeue(match.ingress_port, match.egress_port, match.frame_class)) {
        m_requests.remove(match.ingress_port, match.egress_port, match.frame_class);
    }
}

template <bool Own>
void switch_node::reserve(const frame_route& route) {
    if (m_parameters.device.drop == drop_policy::egress_tail) {
        return;
    }
    switch_port& p = m_ports[route.egress_port];
    const std::uint32_t room =
        m_egress.as<Own>().reserve(egress_at<Own>(p), route.frame_class, route.charged_bytes);
    if (room != p.room) {
        lose_room(p);
    }
}

// A frame that has left by now may still be held: it gives its room back first.
void switch_node::lose_room(switch_port& p) {
    settle_sent<false>(p, m_now);
    update_room(p, m_egress->room(p.number));
    await_end_unless_quiet(p);
}

// Slots lie at whole multiples of the slot time, so that all ports of a switch share them.
void switch_node::wake_slot() {
    if (m_next_slot != never && !m_slots_repeat) {
        return;
    }
    const std::int64_t past = m_now.count() % m_slot_time.count();
    const bool now = past == 0 && m_last_slot != m_now;
    const picoseconds next = now ? m_now : m_now + m_slot_time - picoseconds{past};
    if (next < m_next_slot) {
        schedule_slot(next);
    }
}

void switch_node::schedule_slot(picoseconds at) {
    m_next_slot = at;
    m_agenda.schedule(at, switch_stages::slot, 0, ++m_slot_number);
}

// The slots since the last one had the same matches, whose pointers stand where they stood: only cells have
// moved.
void switch_node::make_up_for_slots() {
    const auto slots = static_cast<std::uint16_t>((m_now - m_last_slot) / m_slot_time - 1);
    m_stats.arbitrations += slots;
    m_stats.matches += slots * m_matches.size();
    for (const crossbar_match& match : m_matches) {
        const frame_slot slot = m_ingress->head(match.ingress_port, match.egress_port, match.frame_class);
        m_slab.route(slot).cells_left = static_cast<std::uint16_t>(m_slab.route(slot).cells_left - slots);
    }
    m_slots_repeat = false;
}

// Slot after slot, as long as nothing else of this node comes between.
template <bool Own>
void switch_node::on_slot(std::uint32_t number) {
    if (number != m_slot_number) {
        return;  // an earlier one has taken its place
    }
    for (;;) {
        if (m_slots_repeat) {
            make_up_for_slots();
        }
        m_next_slot = never;
        m_last_slot = m_now;
        const picoseconds next = run_slot<Own>();
        if (next == never) {
            return;
        }
        if (!m_may_repeat_slots || m_transmit_count != 0 || next >= m_run_end ||
            m_agenda.next_key() < make_event_key(next, switch_stages::slot, 0)) {
            schedule_slot(next);
            return;
        }
        ++m_slot_number;  // one that room has woken is not needed
        m_now = next;
    }
}

// When there is a slot again that differs; `never` if nothing is left that could be matched.
template <bool Own>
picoseconds switch_node::run_slot() {
    ++m_stats.arbitrations;
    m_matches.clear();
    const port_bitmap all = m_free_ingress;
    m_arbiter.as<Own>().arbitrate(m_requests, all, all, m_parameters.device.iterations, m_matches);
    m_stats.matches += m_matches.size();
    if (m_arbiter_is_foreign && !are_allowed(all)) {
        return never;
    }
    // Without a match nothing is eligible: a new request, or room, wakes the slots again.
    if (m_matches.empty()) {
        return never;
    }
    // Before the cells move: each VOQ with a frame has its match.
    const bool all_matched = m_may_repeat_slots && m_matches.size() == m_requests.voqs();
    std::uint16_t fewest_cells_left = ~std::uint16_t{0};
    std::size_t unfinished = 0;
    for (const crossbar_match& match : m_matches) {
        const std::uint16_t cells_left = move_cell<Own>(match);
        if (cells_left != 0) {
            fewest_cells_left = std::min(fewest_cells_left, cells_left);
            m_matches[unfinished++] = match;
        }
    }
    // Where those whose frames have ended had no other frame, the rest is matched as before in all slots until
    // another frame ends or another VOQ gets one.
    if (!all_matched || m_requests.voqs() != unfinished) {
        return m_now + m_slot_time;
    }
    if (unfinished == 0) {
        return never;
    }
    m_matches.resize(unfinished);
    m_slots_repeat = true;
    return m_now + m_slot_time * fewest_cells_left;
}

// Matches of an arbiter that is not ours.
bool switch_node::are_allowed(const port_bitmap& all) {
    for (const crossbar_match& match : m_matches) {
        if (!is_allowed(match)) {
            m_free_ingress = m_free_egress = all;
            return false;
        }
        m_free_ingress.reset(match.ingress_port);
        m_free_egress.reset(match.egress_port);
    }
    m_free_ingress = m_free_egress = all;
    return true;
}

// Returns how many cells of the frame are left.
template <bool Own>
std::uint16_t switch_node::move_cell(const crossbar_match& match) {
    const frame_slot slot = m_ingress.as<Own>().head(match.ingress_port, match.egress_port, match.frame_class);
    stored_frame& stored = m_slab[slot];
    frame_route& route = stored.route;
    if (route.cells_left == 0) {
        route.cells_left =
            static_cast<std::uint16_t>(cells_of(stored.frame.length(), m_parameters.device.cell).count());
        reserve<Own>(route);
        m_requests.start(match.ingress_port, match.egress_port, match.frame_class);
    }
    if constexpr (!Own) {
        if (m_probe != nullptr) {
            m_probe->on_match(match.ingress_port, match.egress_port, m_now + m_slot_time);
        }
    }
    if (--route.cells_left == 0) {
        m_requests.finish(match.ingress_port, match.egress_port, match.frame_class);
        take_from_voq<Own>(match);
        picoseconds end = m_now + m_slot_time;
        if constexpr (!Own) {
            end += m_arbiter->run_time();
        }
        m_agenda.schedule(end, switch_stages::transfer_done, match.egress_port, slot);
    }
    return route.cells_left;
}

template <bool Own>
void switch_node::on_transfer_done(frame_slot slot) {
    if constexpr (!Own) {
        if (m_shared != nullptr) {
            enqueue_shared(slot);
            return;
        }
        if (m_sram != nullptr && !write_egress(slot)) {
            return;
        }
    }
    const stored_frame& stored = m_slab[slot];
    const unsigned egress_port = stored.route.egress_port;
    switch_port& p = m_ports[egress_port];
    settle_sent<Own>(p, m_now - 1_ps);
    leave_ingress<Own>(slot, stored);
    if (m_parameters.device.crossbar == crossbar_mode::frame) {
        m_free_ingress.set(stored.route.ingress_port);
        m_free_egress.set(egress_port);
        // Arbiters of other kinds may keep account of runs without a match.
        if (Own ? m_requests.any_waits_for(stored.route.ingress_port, egress_port)
                : m_requests.classes() != 0) {
            arbitrate_later();
        }
    }
    if constexpr (Own) {
        if (pass_through<Own>(p, slot, stored)) {
            return;
        }
    }
    if constexpr (!Own) {
        if (m_sram != nullptr) {
            m_slab.route(slot).arrival = m_now;
        }
    }
    if (m_parameters.device.drop != drop_policy::egress_tail) {
        m_egress.as<Own>().commit(slot, m_now);
    } else if (!m_egress.as<Own>().admit(slot, m_now)) {
        if (m_lossless) {
            violate(m_now, "egress port " + std::to_string(egress_port) + " lost a frame of lossless class " +
                               std::to_string(stored.route.frame_class));
        }
        drop(slot, egress_port, drop_reason::egress_full);
        return;
    }
    transmit_later(p);
}

// The usual case: the frame that has crossed is the only one that its port can send, and nothing else of this
// instant matters to the port. True: it is sent, having been in its queue for no time.
template <bool Own>
bool switch_node::pass_through(switch_port& p, frame_slot slot, const stored_frame& stored) {
    auto& memory = m_egress.as<Own>();
    const pfc_class c = stored.route.frame_class;
    if (!is_last_of_instant() || p.sending.busy(m_now) || p.needs_attention || m_scheduler_reads_lengths ||
        memory.backlog(*p.egress_memory) != 0 || ((p.timers.paused_mask() >> c) & 1) != 0 ||
        m_parameters.device.drop == drop_policy::egress_tail) {
        return false;
    }
    memory.pass(*p.egress_memory, stored.route, m_now);
    settle_sent<Own>(p, m_now);
    begin_transmission(p, c, slot, m_slab.frame(slot));
    await_end_unless_quiet(p);
    return true;
}

// Ingress memory is free again, and pauses may end.
template <bool Own>
void switch_node::leave_ingress(frame_slot slot, const stored_frame& stored) {
    const frame_route& route = stored.route;
    switch_port& p = m_ports[route.ingress_port];
    if (p.first_arrived != no_slot) {
        if (charge_and_release(slot, p, stored)) {
            return;
        }
        charge_each_arrived(p, m_now);
    }
    m_charged_bytes -= route.charged_bytes;
    const class_mask xon =
        m_ingress.as<Own>().release(ingress_at<Own>(p), route.frame_class, route.charged_bytes, m_now);
    if (xon != 0) {
        p.requests.request_xon(xon);
        change_requests(p);
    }
}

void switch_node::change_room(switch_port& p, std::uint32_t room) {
    if (m_parameters.device.drop == drop_policy::egress_tail) {
        return;  // the crossbar never waits
    }
    const std::uint32_t changed = room ^ p.room;
    p.room = room;
    for (unsigned bits = changed; bits != 0; bits &= bits - 1) {
        const auto c = static_cast<pfc_class>(__builtin_ctz(bits));
        m_requests.set_room(p.number, c, ((room >> c) & 1) != 0);
    }
    if ((changed & room) != 0 && m_requests.classes() != 0) {
        if (m_parameters.device.crossbar == crossbar_mode::cell) {
            wake_slot();
        } else {
            arbitrate_later();
        }
    }
}

template void switch_node::arbitrate_frames<true>();
template void switch_node::arbitrate_frames<false>();
template void switch_node::match_lone<true>(frame_slot);
template void switch_node::match_lone<false>(frame_slot);
template void switch_node::on_slot<true>(std::uint32_t);
template void switch_node::on_slot<false>(std::uint32_t);
template void switch_node::on_transfer_done<true>(frame_slot);
template void switch_node::on_transfer_done<false>(frame_slot);
template void switch_node::leave_ingress<false>(frame_slot, const stored_frame&);

}  // namespace weir
