#include "weir/model/switch/crossbar_stage.h"

#include <algorithm>
#include <utility>

namespace weir::model {

crossbar_stage::crossbar_stage(sc_core::sc_module_name name, unsigned index, const simulation_clock& clock,
                               const std::vector<port_config>& ports, const switch_parameters& parameters)
    : memory_stage(name, index, clock, ports, parameters),
      m_crossbar(crossbar_link(m_parameters.device, ports)),
      m_free_ingress(port_bitmap::first_ports(m_port_count)),
      m_free_egress(m_free_ingress) {}

// A VOQ asks once, with its first frame; a run is due only where both of its ports are free.
template <frame_path Path>
void crossbar_stage::request(frame_slot slot, const frame_route& route) {
    if (!m_ingress.as<Path>().enqueue(slot)) {
        return;
    }
    m_requests.add(route.ingress_port, route.egress_port, route.frame_class);
    if (moves_cells()) {
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

// Stage `transfer_done`. Cells do not keep ports busy: each slot matches all ports anew.
template <frame_path Path>
void crossbar_stage::free_ports(const frame_route& route) {
    if (moves_cells()) {
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
    ++m_stats.arbitrations;
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
        ++m_stats.arbitrations;
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
    const bytes wire_bytes = stored.frame.length() + m_ports[route.egress_port].wire->overhead();
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
    if constexpr (Path == frame_path::direct) {
        expect_crossed(route);
    }
}

// What it needs at both ports when it has crossed.
inline void crossbar_stage::expect_crossed(const frame_route& route) const {
    const switch_port& from = m_ports[route.ingress_port];
    const switch_port& to = m_ports[route.egress_port];
    const pfc_class c = route.frame_class;
    prefetch_line(to.wire);
    prefetch_line(&to.stats.classes[c]);
    m_egress.own()->prefetch(*to.egress_memory, c);
    prefetch_line(&from.stats.classes[c].rx_frames);
    m_ingress.own()->prefetch(*from.ingress_memory, c);
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

// The slots since the last one had the same matches, and left the pointers where they were: only cells have
// moved.
void crossbar_stage::make_up_for_slots() {
    const auto slots = static_cast<std::uint16_t>(m_slots.take_repeated(m_now));
    m_stats.arbitrations += slots;
    m_stats.matches += slots * m_matches.size();
    for (const crossbar_match& match : m_matches) {
        const frame_slot slot = m_ingress->head(match.ingress_port, match.egress_port, match.frame_class);
        m_slab.route(slot).cells_left = static_cast<std::uint16_t>(m_slab.route(slot).cells_left - slots);
    }
}

// Slot after slot, as long as nothing else of this node comes between.
template <frame_path Path>
void crossbar_stage::on_slot(std::uint32_t number) {
    if (number != m_slots.number()) {
        return;  // an earlier one has taken its place
    }
    for (;;) {
        if (m_slots.repeats()) {
            make_up_for_slots();
        }
        m_slots.begin(m_now);
        const picoseconds next = run_slot<Path>();
        if (next == never) {
            return;
        }
        if (Path != frame_path::direct || m_transmit_count != 0 || next >= m_run_end ||
            m_agenda.next_key() < make_event_key(next, switch_stages::slot, 0)) {
            m_slots.plan(next);
            m_agenda.schedule(next, switch_stages::slot, 0, m_slots.number());
            return;
        }
        m_slots.skip_event();
        m_now = next;
    }
}

// When there is a slot again that differs; `never` if nothing is left that could be matched.
template <frame_path Path>
picoseconds crossbar_stage::run_slot() {
    ++m_stats.arbitrations;
    m_matches.clear();
    const port_bitmap all = m_free_ingress;
    m_arbiter.as<Path>().arbitrate(m_requests, all, all, m_parameters.device.iterations, m_matches);
    m_stats.matches += m_matches.size();
    if (m_arbiter_is_foreign && !are_allowed(all)) {
        return never;
    }
    // Without a match nothing is eligible: a new request, or room, wakes the slots again.
    if (m_matches.empty()) {
        return never;
    }
    // Before the cells move: each VOQ with a frame has its match.
    const bool all_matched = Path == frame_path::direct && m_matches.size() == m_requests.voqs();
    std::uint16_t fewest_cells_left = ~std::uint16_t{0};
    std::size_t unfinished = 0;
    for (const crossbar_match& match : m_matches) {
        const std::uint16_t cells_left = move_cell<Path>(match);
        if (cells_left != 0) {
            fewest_cells_left = std::min(fewest_cells_left, cells_left);
            m_matches[unfinished++] = match;
        }
    }
    // If the VOQs whose frames have ended are empty, the others are matched as before in all slots until
    // another frame ends or another VOQ gets one.
    if (!all_matched || m_requests.voqs() != unfinished) {
        return m_now + m_slots.slot_time();
    }
    if (unfinished == 0) {
        return never;
    }
    m_matches.resize(unfinished);
    m_slots.repeat();
    return m_now + m_slots.slot_time() * fewest_cells_left;
}

// Matches of an arbiter that is not ours.
bool crossbar_stage::are_allowed(const port_bitmap& all) {
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

// Returns how many cells of the frame are left. Room for the whole frame is reserved with its first cell:
// otherwise partial frames could fill an egress port and wait for each other for ever.
template <frame_path Path>
std::uint16_t crossbar_stage::move_cell(const crossbar_match& match) {
    const frame_slot slot = m_ingress.as<Path>().head(match.ingress_port, match.egress_port, match.frame_class);
    stored_frame& stored = m_slab[slot];
    frame_route& route = stored.route;
    if (route.cells_left == 0) {
        route.cells_left =
            static_cast<std::uint16_t>(cells_of(stored.frame.length(), m_parameters.device.cell).count());
        reserve<Path>(route);
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
    return route.cells_left;
}

void crossbar_stage::settle_matches(picoseconds now) {
    m_matches_settled =
        m_stats.matches + static_cast<std::uint64_t>(m_slots.repeated_before(now)) * m_matches.size();
}

template void crossbar_stage::request<frame_path::general>(frame_slot, const frame_route&);
template void crossbar_stage::finish_requests<frame_path::direct>();
template void crossbar_stage::finish_requests<frame_path::inlined>();
template void crossbar_stage::finish_requests<frame_path::managed>();
template void crossbar_stage::finish_requests<frame_path::general>();
template void crossbar_stage::free_ports<frame_path::direct>(const frame_route&);
template void crossbar_stage::free_ports<frame_path::inlined>(const frame_route&);
template void crossbar_stage::free_ports<frame_path::managed>(const frame_route&);
template void crossbar_stage::free_ports<frame_path::general>(const frame_route&);
template void crossbar_stage::on_slot<frame_path::direct>(std::uint32_t);
template void crossbar_stage::on_slot<frame_path::inlined>(std::uint32_t);
template void crossbar_stage::on_slot<frame_path::managed>(std::uint32_t);
template void crossbar_stage::on_slot<frame_path::general>(std::uint32_t);

}  // namespace weir::model
