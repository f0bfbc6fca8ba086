#include "weir/model/switch/switch_path.h"

#include <algorithm>
#include <utility>

namespace weir::model {

crossbar_stage::crossbar_stage(const switch_core& core)
    : m_free_ingress(port_bitmap::first_ports(core.rules.ports)),
      m_free_egress(m_free_ingress),
      m_crossbar(crossbar_link(core.parameters.device, core.links)),
      m_streams(core.rules.moves_cells ? core.rules.ports : 0, core.instant.slots.slot_time()) {}

void crossbar_stage::pass_present_slot() {
    core().instant.slots.pass(core().instant.now);
}

// A VOQ asks once, with its first frame; a run is due only where both of its ports are free.
template <class Path>
void crossbar_stage::request(frame_slot slot, const frame_route& route) {
    if (!core().blocks.ingress.as<Path>().enqueue(slot)) {
        return;
    }
    core().requests.add(route.ingress_port, route.egress_port, route.frame_class);
    if (core().rules.moves_cells) {
        if (!Path::all_are_events) {
            stop_streams(route);
        }
        core().instant.wake_slot();
    } else if (m_free_ingress.test(route.ingress_port) && m_free_egress.test(route.egress_port)) {
        core().instant.arbitrate_later();
    }
}

// A lone frame waits outside its VOQ for the end of the instant. A second one sends both to their VOQs, since
// their order is up to the arbiter.
void crossbar_stage::request_new(frame_slot slot, const frame_route& route) {
    if (!core().rules.moves_cells && m_free_ingress.test(route.ingress_port) &&
        m_free_egress.test(route.egress_port)) {
        if (core().instant.is_last_event()) {
            match_lone(slot);
            return;
        }
        if (core().instant.lone == no_slot) {
            core().instant.lone = slot;
            core().instant.is_unfinished = true;
            return;
        }
        request<direct_path>(core().instant.lone, core().frames.route(core().instant.lone));
        core().instant.lone = no_slot;
    }
    request<direct_path>(slot, route);
}

template <class Path>
void crossbar_stage::finish_requests() {
    if (!Path::all_are_events && core().instant.lone != no_slot) {
        match_lone(std::exchange(core().instant.lone, no_slot));
    }
    if (core().instant.arbitration_pending) {
        core().instant.arbitration_pending = false;
        arbitrate_frames<Path>();
    }
}

// Stage `transfer_done`. Cells keep ports busy only where nothing else needs them.
template <class Path>
void crossbar_stage::free_ports(const frame_route& route) {
    if (core().rules.moves_cells) {
        if (!Path::all_are_events && !m_free_egress.test(route.egress_port)) {
            end_stream(m_streams.pair(route.egress_port));
        }
        return;
    }
    m_free_ingress.set(route.ingress_port);
    m_free_egress.set(route.egress_port);
    // Other arbiters may keep account of runs without a match.
    if (!Path::all_are_events ? core().requests.any_waits_for(route.ingress_port, route.egress_port)
                              : core().requests.classes() != 0) {
        core().instant.arbitrate_later();
    }
}

// Unlike slotted hardware, a run goes on until no eligible pair of free ports is left.
template <class Path>
void crossbar_stage::arbitrate_frames() {
    m_matches.clear();
    core().blocks.arbiter.as<Path>().arbitrate(core().requests, m_free_ingress, m_free_egress, until_maximal,
                                               m_matches);
    if (Path::is_observed) {
        m_arbiter_free = std::max(core().instant.now, m_arbiter_free) + core().blocks.arbiter->run_time();
    }
    core().stats.matches += m_matches.size();
    for (const crossbar_match& match : m_matches) {
        if (core().rules.has_foreign_arbiter && !is_allowed(match)) {
            return;
        }
        const frame_slot slot =
            core().blocks.ingress.as<Path>().head(match.ingress_port, match.egress_port, match.frame_class);
        take_from_voq<Path>(match);
        begin_transfer<Path>(slot, core().frames[slot]);
    }
}

// The usual case: at the end of the instant its only news is one frame whose ports are both free. The last run
// left no eligible pair of free ports, and no pair has become eligible since, or a run would be pending. So a
// run would match this pair only.
inline void crossbar_stage::match_lone(frame_slot slot) {
    const stored_frame& stored = core().frames[slot];
    const frame_route& route = stored.route;
    const crossbar_match pair{static_cast<std::uint8_t>(route.ingress_port),
                              static_cast<std::uint8_t>(route.egress_port), route.frame_class};
    if (!core().instant.arbitration_pending &&
        ((core().ports[route.egress_port].room >> route.frame_class) & 1) != 0 &&
        core().blocks.arbiter.as<direct_path>().arbitrate_lone(pair)) {
        ++core().stats.matches;
        begin_transfer<direct_path>(slot, stored);
    } else {
        request<direct_path>(slot, route);
    }
}

// Both ports are free, and egress has room. The room is reserved here, so egress memory cannot overflow.
template <class Path>
void crossbar_stage::begin_transfer(frame_slot slot, const stored_frame& stored) {
    const frame_route& route = stored.route;
    memory().reserve<Path>(route);
    m_free_ingress.reset(route.ingress_port);
    m_free_egress.reset(route.egress_port);
    const bytes wire_bytes =
        stored.frame.length() + bytes{core().ports[route.egress_port].sending.wire_overhead};
    picoseconds end = (Path::is_observed ? m_arbiter_free : core().instant.now) + m_crossbar(wire_bytes);
    if (Path::asks_memory) {
        end += core().organisation->crossing_delay(slot);
    }
    if (Path::is_observed && core().probe != nullptr) {
        core().probe->on_match(route.ingress_port, route.egress_port, end);
    }
    core().instant.events.schedule(end, switch_stages::transfer_done, route.egress_port, slot);
    if (ahead().is_used<Path>()) {
        ahead().fetch_for_crossed(route);
    }
}

// An arbiter that is not ours must match free ports and eligible pairs only.
bool crossbar_stage::is_allowed(const crossbar_match& match) {
    if (match.ingress_port < core().rules.ports && match.egress_port < core().rules.ports &&
        match.frame_class < core().rules.classes && m_free_ingress.test(match.ingress_port) &&
        m_free_egress.test(match.egress_port) &&
        core().requests.eligible_ingress(match.egress_port, match.frame_class).test(match.ingress_port)) {
        return true;
    }
    core().violate("the arbiter matches ingress port " + std::to_string(match.ingress_port) +
                   " with egress port " + std::to_string(match.egress_port) + " in class " +
                   std::to_string(match.frame_class) +
                   ": no such port, a busy one, or no frame that may cross");
    return false;
}

template <class Path>
void crossbar_stage::take_from_voq(const crossbar_match& match) {
    if (core().blocks.ingress.as<Path>().dequeue(match.ingress_port, match.egress_port, match.frame_class)) {
        core().requests.remove(match.ingress_port, match.egress_port, match.frame_class);
    }
}

// Slot after slot, as long as nothing else of this node comes between.
template <class Path>
void crossbar_stage::on_slot() {
    for (;;) {
        core().instant.slots.begin(core().instant.now);
        if (!run_slot<Path>() || core().instant.slots.is_planned()) {
            return;
        }
        const picoseconds next = core().instant.now + core().instant.slots.slot_time();
        if (Path::all_are_events || core().instant.transmit_count != 0 || next >= core().instant.run_end ||
            core().instant.events.next_key() < make_event_key(next, switch_stages::slot, 0)) {
            core().instant.wake_slot();
            return;
        }
        core().instant.now = next;
    }
}

// False: until a request or room wakes the slots again, nothing is left that could be matched.
template <class Path>
inline bool crossbar_stage::run_slot() {
    m_matches.clear();
    core().blocks.arbiter.as<Path>().arbitrate(core().requests, m_free_ingress, m_free_egress,
                                               core().parameters.device.iterations, m_matches);
    core().stats.matches += m_matches.size();
    if (core().rules.has_foreign_arbiter && !are_allowed()) {
        return false;
    }
    if constexpr (Path::all_are_events) {
        for (const crossbar_match& match : m_matches) {
            move_cell<Path>(match);
        }
        return !m_matches.empty();
    }
    // Each eligible VOQ is matched, or has a rival that is: without rivals nothing else is eligible.
    bool any_has_rivals = false;
    for (const crossbar_match& match : m_matches) {
        if (core().requests.is_alone(match.ingress_port, match.egress_port)) {
            begin_stream(match);
        } else {
            move_cell<Path>(match);
            any_has_rivals = true;
        }
    }
    return any_has_rivals && core().requests.voqs() != m_streams.count();
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
template <class Path>
void crossbar_stage::begin_cells(stored_frame& stored) {
    stored.route.cells_left =
        static_cast<std::uint16_t>(cells_of(stored.frame.length(), core().parameters.device.cell).count());
    memory().reserve<Path>(stored.route);
}

template <class Path>
inline void crossbar_stage::move_cell(const crossbar_match& match) {
    const frame_slot slot =
        core().blocks.ingress.as<Path>().head(match.ingress_port, match.egress_port, match.frame_class);
    stored_frame& stored = core().frames[slot];
    frame_route& route = stored.route;
    if (route.cells_left == 0) {
        begin_cells<Path>(stored);
        core().requests.start(match.ingress_port, match.egress_port, match.frame_class);
    }
    if (Path::is_observed && core().probe != nullptr) {
        core().probe->on_match(match.ingress_port, match.egress_port,
                               core().instant.now + core().instant.slots.slot_time());
    }
    if (--route.cells_left == 0) {
        core().requests.finish(match.ingress_port, match.egress_port, match.frame_class);
        take_from_voq<Path>(match);
        picoseconds end = core().instant.now + core().instant.slots.slot_time();
        if (Path::is_observed) {
            end += core().blocks.arbiter->run_time();
        }
        core().instant.events.schedule(end, switch_stages::transfer_done, match.egress_port, slot);
    }
}

// All cells that are left of the VOQ's first frame, from this slot on. It stays in its VOQ while they cross.
void crossbar_stage::begin_stream(const crossbar_match& match) {
    const frame_slot slot =
        core().blocks.ingress.own()->head(match.ingress_port, match.egress_port, match.frame_class);
    stored_frame& stored = core().frames[slot];
    if (stored.route.cells_left == 0) {
        begin_cells<direct_path>(stored);
    } else {
        core().requests.finish(match.ingress_port, match.egress_port, match.frame_class);
    }
    core().stats.matches += stored.route.cells_left - 1U;
    m_free_ingress.reset(match.ingress_port);
    m_free_egress.reset(match.egress_port);
    const picoseconds end = core().instant.now + core().instant.slots.slot_time() * stored.route.cells_left;
    m_streams.begin(match, end);
    core().instant.events.schedule(end, switch_stages::transfer_done, match.egress_port, slot);
}

// Stage `transfer_done`. Nothing could be matched at these ports since the last cell's slot, so it is time
// enough now. Where other VOQs wait, there is a slot after each one in which a cell has moved.
void crossbar_stage::end_stream(const crossbar_match& match) {
    m_free_ingress.set(match.ingress_port);
    m_free_egress.set(match.egress_port);
    m_streams.finish(match.egress_port);
    core()
        .frames
        .route(core().blocks.ingress.own()->head(match.ingress_port, match.egress_port, match.frame_class))
        .cells_left = 0;
    take_from_voq<direct_path>(match);
    if (core().requests.voqs() != m_streams.count()) {
        core().instant.wake_slot();
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
    const std::int64_t cells = m_streams.cells_left(egress_port, core().instant.now);
    if (cells == 0) {
        return;  // the last one is crossing
    }
    const crossbar_match pair = m_streams.pair(egress_port);
    core().instant.events.cancel(m_streams.end(egress_port), switch_stages::transfer_done, egress_port);
    m_streams.finish(egress_port);
    m_free_ingress.set(pair.ingress_port);
    m_free_egress.set(pair.egress_port);
    core()
        .frames.route(core().blocks.ingress.own()->head(pair.ingress_port, pair.egress_port, pair.frame_class))
        .cells_left = static_cast<std::uint16_t>(cells);
    core().requests.start(pair.ingress_port, pair.egress_port, pair.frame_class);
    core().stats.matches -= static_cast<std::uint64_t>(cells);
}

void crossbar_stage::settle_matches(picoseconds now) {
    m_matches_settled = core().stats.matches - static_cast<std::uint64_t>(m_streams.cells_left(now));
}

template void crossbar_stage::request<general_path>(frame_slot, const frame_route&);
template void crossbar_stage::finish_requests<direct_path>();
template void crossbar_stage::finish_requests<own_path>();
template void crossbar_stage::finish_requests<general_path>();
template void crossbar_stage::free_ports<direct_path>(const frame_route&);
template void crossbar_stage::free_ports<own_path>(const frame_route&);
template void crossbar_stage::free_ports<general_path>(const frame_route&);
template void crossbar_stage::on_slot<direct_path>();
template void crossbar_stage::on_slot<own_path>();
template void crossbar_stage::on_slot<general_path>();

}  // namespace weir::model
