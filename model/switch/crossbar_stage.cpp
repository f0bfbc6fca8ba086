#include "weir/model/switch/crossbar_stage.h"

#include <algorithm>
#include <utility>

namespace weir::model {

crossbar_stage::crossbar_stage(sc_core::sc_module_name name, unsigned index, const simulation_clock& clock,
                               const std::vector<port_config>& ports, const switch_parameters& parameters)
    : memory_stage(name, index, clock, ports, parameters),
      m_free_ingress(port_bitmap::first_ports(m_port_count)),
      m_free_egress(m_free_ingress),
      m_crossbar(crossbar_link(m_parameters.device, ports)),
      m_streams(moves_cells() ? m_port_count : 0, m_slots.slot_time()) {}

// A VOQ asks once, with its first frame; a run is due only where both of its ports are free.
template <frame_path Path>
void crossbar_stage::request(frame_slot slot, const frame_route& route) {
    if (!m_ingress.as<Path>().enqueue(slot)) {
        return;
    }
    m_requests.add(route.ingress_port, route.egress_port, route.frame_class);
    if (moves_cells()) {
        if constexpr (Path == frame_path::direct) {
            stop_streams(route);
        }
        wake_slot();
    } else if (m_free_ingress.test(route.ingress_port) && m_free_egress.test(route.egress_port)) {
        arbitrate_later();
    }
}

// A lone frame waits outside its VOQ for the end of the instant. A second one sends both to their VOQs, since
// their order is up to the arbiter.
void crossbar_stage::request_new(frame_slot slot, const frame_route& route) {
    if (!moves_cells() && m_free_ingress.test(route.ingress_port) && m_free_egress.test(route.egress_port)) {
        if (is_last_of_instant()) {
            match_lone(slot);
            return;
        }
        if (m_lone == no_slot) {
            m_lone = slot;
            m_instant_unfinished = true;
            return;
        }
        request<frame_path::direct>(m_lone, m_slab.route(m_lone));
        m_lone = no_slot;
    }
    request<frame_path::direct>(slot, route);
}

template <frame_path Path>
void crossbar_stage::finish_requests() {
    if constexpr (Path == frame_path::direct) {
        if (m_lone != no_slot) {
            match_lone(std::exchange(m_lone, no_slot));
        }
    }
    if (m_arbitration_pending) {
        m_arbitration_pending = false;
        arbitrate_frames<Path>();
    }
}

// Stage `transfer_done`. Cells keep ports busy only where nothing else needs them.
template <frame_path Path>
void crossbar_stage::free_ports(const frame_route& route) {
    if (moves_cells()) {
        if (Path == frame_path::direct && !m_free_egress.test(route.egress_port)) {
            end_stream(m_streams.pair(route.egress_port));
        }
        return;
    }
    m_free_ingress.set(route.ingress_port);
    m_free_egress.set(route.egress_port);
    // Other arbiters may keep account of runs without a match.
    if (Path == frame_path::direct ? m_requests.any_waits_for(route.ingress_port, route.egress_port)
                                   : m_requests.classes() != 0) {
        arbitrate_later();
    }
}

// Unlike slotted hardware, a run goes on until no eligible pair of free ports is left.
template <frame_path Path>
void crossbar_stage::arbitrate_frames() {
    m_matches.clear();
    m_arbiter.as<Path>().arbitrate(m_requests, m_free_ingress, m_free_egress, until_maximal, m_matches);
    if constexpr (Path == frame_path::general) {
        m_arbiter_free = std::max(m_now, m_arbiter_free) + m_arbiter->run_time();
    }
    m_stats.matches += m_matches.size();
    for (const crossbar_match& match : m_matches) {
        if (m_arbiter_is_foreign && !is_allowed(match)) {
            return;
        }
        const frame_slot slot =
            m_ingress.as<Path>().head(match.ingress_port, match.egress_port, match.frame_class);
        take_from_voq<Path>(match);
        begin_transfer<Path>(slot, m_slab[slot]);
    }
}

// The usual case: at the end of the instant its only news is one frame whose ports are both free. The last run
// left no eligible pair of free ports, and no pair has become eligible since, or a run would be pending. So a
// run would match this pair only.
inline void crossbar_stage::match_lone(frame_slot slot) {
    const stored_frame& stored = m_slab[slot];
    const frame_route& route = stored.route;
    const crossbar_match pair{static_cast<std::uint8_t>(route.ingress_port),
                              static_cast<std::uint8_t>(route.egress_port), route.frame_class};
    if (!m_arbitration_pending && ((m_ports[route.egress_port].room >> route.frame_class) & 1) != 0 &&
        m_arbiter.as<frame_path::direct>().arbitrate_lone(pair)) {
        ++m_stats.matches;
        begin_transfer<frame_path::direct>(slot, stored);
    } else {
        request<frame_path::direct>(slot, route);
    }
}

// Both ports are free, and egress has room. The room is reserved here, so egress memory cannot overflow.
template <frame_path Path>
void crossbar_stage::begin_transfer(frame_slot slot, const stored_frame& stored) {
    const frame_route& route = stored.route;
    reserve<Path>(route);
    m_free_ingress.reset(route.ingress_port);
    m_free_egress.reset(route.egress_port);
    const bytes wire_bytes = stored.frame.length() + bytes{m_ports[route.egress_port].sending.wire_overhead};
    picoseconds end = (Path == frame_path::general ? m_arbiter_free : m_now) + m_crossbar(wire_bytes);
    if constexpr (Path != frame_path::direct) {
        end += m_memory->crossing_delay(slot);
    }
    if constexpr (Path == frame_path::general) {
        if (m_probe != nullptr) {
            m_probe->on_match(route.ingress_port, route.egress_port, end);
        }
    }
    m_agenda.schedule(end, switch_stages::transfer_done, route.egress_port, slot);
    if (fetches_ahead<Path>()) {
        fetch_for_crossed(route);
    }
}

// An arbiter that is not ours must match free ports and eligible pairs only.
bool crossbar_stage::is_allowed(const crossbar_match& match) {
    if (match.ingress_port < ports() && match.egress_port < ports() && match.frame_class < classes() &&
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

template <frame_path Path>
void crossbar_stage::take_from_voq(const crossbar_match& match) {
    if (m_ingress.as<Path>().dequeue(match.ingress_port, match.egress_port, match.frame_class)) {
        m_requests.remove(match.ingress_port, match.egress_port, match.frame_class);
    }
}

// Slot after slot, as long as nothing else of this node comes between.
template <frame_path Path>
void crossbar_stage::on_slot() {
    for (;;) {
        m_slots.begin(m_now);
        if (!run_slot<Path>() || m_slots.is_planned()) {
            return;
        }
        const picoseconds next = m_now + m_slots.slot_time();
        if (Path != frame_path::direct || m_transmit_count != 0 || next >= m_run_end ||
            m_agenda.next_key() < make_event_key(next, switch_stages::slot, 0)) {
            wake_slot();
            return;
        }
        m_now = next;
    }
}

// False: until a request or room wakes the slots again, nothing is left that could be matched.
template <frame_path Path>
bool crossbar_stage::run_slot() {
    m_matches.clear();
    m_arbiter.as<Path>().arbitrate(m_requests, m_free_ingress, m_free_egress, m_parameters.device.iterations,
                                   m_matches);
    m_stats.matches += m_matches.size();
    if (m_arbiter_is_foreign && !are_allowed()) {
        return false;
    }
    if constexpr (Path != frame_path::direct) {
        for (const crossbar_match& match : m_matches) {
            move_cell<Path>(match);
        }
        return !m_matches.empty();
    }
    // Each eligible VOQ is matched, or has a rival that is: without rivals nothing else is eligible.
    bool any_has_rivals = false;
    for (const crossbar_match& match : m_matches) {
        if (m_requests.is_alone(match.ingress_port, match.egress_port)) {
            begin_stream(match);
        } else {
            move_cell<Path>(match);
            any_has_rivals = true;
        }
    }
    return any_has_rivals && m_requests.voqs() != m_streams.count();
}

// Matches of an arbiter that is not ours.
bool crossbar_stage::are_allowed() {
    const port_bitmap all = m_free_ingress;
    bool allowed = true;
    for (const crossbar_match& match : m_matches) {
        if (!is_allowed(match)) {
            allowed = false;
            break;
        }
        m_free_ingress.reset(match.ingress_port);
        m_free_egress.reset(match.egress_port);
    }
    m_free_ingress = m_free_egress = all;
    return allowed;
}

// Room for the whole frame is reserved with its first cell: otherwise partial frames could fill an egress port
// and wait for each other for ever.
template <frame_path Path>
void crossbar_stage::begin_cells(stored_frame& stored) {
    stored.route.cells_left =
        static_cast<std::uint16_t>(cells_of(stored.frame.length(), m_parameters.device.cell).count());
    reserve<Path>(stored.route);
}

template <frame_path Path>
void crossbar_stage::move_cell(const crossbar_match& match) {
    const frame_slot slot = m_ingress.as<Path>().head(match.ingress_port, match.egress_port, match.frame_class);
    stored_frame& stored = m_slab[slot];
    frame_route& route = stored.route;
    if (route.cells_left == 0) {
        begin_cells<Path>(stored);
        m_requests.start(match.ingress_port, match.egress_port, match.frame_class);
    }
    if constexpr (Path == frame_path::general) {
        if (m_probe != nullptr) {
            m_probe->on_match(match.ingress_port, match.egress_port, m_now + m_slots.slot_time());
        }
    }
    if (--route.cells_left == 0) {
        m_requests.finish(match.ingress_port, match.egress_port, match.frame_class);
        take_from_voq<Path>(match);
        picoseconds end = m_now + m_slots.slot_time();
        if constexpr (Path == frame_path::general) {
            end += m_arbiter->run_time();
        }
        m_agenda.schedule(end, switch_stages::transfer_done, match.egress_port, slot);
    }
}

// All cells that are left of the VOQ's first frame, from this slot on. It stays in its VOQ while they cross.
void crossbar_stage::begin_stream(const crossbar_match& match) {
    const frame_slot slot = m_ingress.own()->head(match.ingress_port, match.egress_port, match.frame_class);
    stored_frame& stored = m_slab[slot];
    if (stored.route.cells_left == 0) {
        begin_cells<frame_path::direct>(stored);
    } else {
        m_requests.finish(match.ingress_port, match.egress_port, match.frame_class);
    }
    m_stats.matches += stored.route.cells_left - 1U;
    m_free_ingress.reset(match.ingress_port);
    m_free_egress.reset(match.egress_port);
    const picoseconds end = m_now + m_slots.slot_time() * stored.route.cells_left;
    m_streams.begin(match, end);
    m_agenda.schedule(end, switch_stages::transfer_done, match.egress_port, slot);
}

// Stage `transfer_done`. Nothing could be matched at these ports since the last cell's slot, so it is time
// enough now. Where other VOQs wait, there is a slot after each one in which a cell has moved.
void crossbar_stage::end_stream(const crossbar_match& match) {
    m_free_ingress.set(match.ingress_port);
    m_free_egress.set(match.egress_port);
    m_streams.finish(match.egress_port);
    m_slab.route(m_ingress.own()->head(match.ingress_port, match.egress_port, match.frame_class)).cells_left =
        0;
    take_from_voq<frame_path::direct>(match);
    if (m_requests.voqs() != m_streams.count()) {
        wake_slot();
    }
}

void crossbar_stage::stop_streams(const frame_route& rival) {
    if (!m_free_ingress.test(rival.ingress_port)) {
        stop_stream(m_streams.egress_port(rival.ingress_port));
    }
    if (!m_free_egress.test(rival.egress_port)) {
        stop_stream(rival.egress_port);
    }
}

// Before the slot of this instant.
void crossbar_stage::stop_stream(unsigned egress_port) {
    const std::int64_t cells = m_streams.cells_left(egress_port, m_now);
    if (cells == 0) {
        return;  // the last one is crossing
    }
    const crossbar_match pair = m_streams.pair(egress_port);
    m_agenda.cancel(m_streams.end(egress_port), switch_stages::transfer_done, egress_port);
    m_streams.finish(egress_port);
    m_free_ingress.set(pair.ingress_port);
    m_free_egress.set(pair.egress_port);
    m_slab.route(m_ingress.own()->head(pair.ingress_port, pair.egress_port, pair.frame_class)).cells_left =
        static_cast<std::uint16_t>(cells);
    m_requests.start(pair.ingress_port, pair.egress_port, pair.frame_class);
    m_stats.matches -= static_cast<std::uint64_t>(cells);
}

void crossbar_stage::settle_matches(picoseconds now) {
    m_matches_settled = m_stats.matches - static_cast<std::uint64_t>(m_streams.cells_left(now));
}

template void crossbar_stage::request<frame_path::managed>(frame_slot, const frame_route&);
template void crossbar_stage::request<frame_path::general>(frame_slot, const frame_route&);
template void crossbar_stage::finish_requests<frame_path::direct>();
template void crossbar_stage::finish_requests<frame_path::inlined>();
template void crossbar_stage::finish_requests<frame_path::managed>();
template void crossbar_stage::finish_requests<frame_path::general>();
template void crossbar_stage::free_ports<frame_path::direct>(const frame_route&);
template void crossbar_stage::free_ports<frame_path::inlined>(const frame_route&);
template void crossbar_stage::free_ports<frame_path::managed>(const frame_route&);
template void crossbar_stage::free_ports<frame_path::general>(const frame_route&);
template void crossbar_stage::on_slot<frame_path::direct>();
template void crossbar_stage::on_slot<frame_path::inlined>();
template void crossbar_stage::on_slot<frame_path::managed>();
template void crossbar_stage::on_slot<frame_path::general>();

}  // namespace weir::model
