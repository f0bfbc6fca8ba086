// Asks for memory before frames need it. Changes nothing but time.
//
// Between two quanta of a switch those of all other nodes run. In a large fabric nothing of it is in a cache
// any more when its turn comes, and each frame would wait for some forty lines, one after another. So the
// node's own lines are fetched while nodes before it run (node.h); then, in this order:
//
//     before arrivals are taken       frames whose lookup or crossing ends first, and tables
//     with each arrival               where it is stored; parts of two ports, until all have been fetched
//     after them                      what those parts point to
//     with each lookup                the frame of a later one; the inboxes at the other ends of two links
//     when a frame begins to cross    what it leaves behind at its ingress port
//
// On `direct_path` only, and only where the fabric does not fit a cache anyway.
#pragma once

#include <algorithm>
#include <cstdint>

#include "weir/base/prefetch.h"
#include "weir/model/switch/switch_core.h"

namespace weir::model {

class prefetcher {
 public:
    template <class Path>
    bool is_used() const {
        return !Path::all_are_events && core().owner.fetches_ahead();
    }

    /// A quantum begins.
    template <class Path>
    void fetch_for_events() {
        if (!is_used<Path>()) {
            return;
        }
        m_ports = m_links = 0;
        core().blocks.lookup.own()->prefetch();
        core().blocks.egress.own()->prefetch(m_class);
        core().instant.events.for_first<switch_stages::transfer_done>(events_ahead, [this](const event& e) {
            prefetch_line(&core().ports[e.port()]);
            core().blocks.egress.own()->prefetch(e.port(), m_class);
            core().frames.prefetch(e.payload);
        });
        core().instant.events.for_first<switch_stages::lookup_done>(
            events_ahead, [this](const event& e) { fetch_for_lookup(e); });
    }
    /// It will be accepted soon, after `others`.
    template <class Path>
    void fetch_for_arrival(const wire_arrival& arrival, std::uint32_t others) {
        if (is_used<Path>()) {
            prefetch_line(&core().ports[arrival.port()]);
            core().blocks.ingress.own()->prefetch(arrival.port());
            core().frames.prefetch_free(others);
            fetch_ports();
        }
    }
    /// Arrivals have been accepted.
    template <class Path>
    void fetch_for_departures() {
        if (!is_used<Path>()) {
            return;
        }
        core().instant.events.for_first<switch_stages::transfer_done>(events_ahead, [this](const event& e) {
            // The row has slots of cells, too.
            if (e.stage() == switch_stages::transfer_done) {
                fetch_for_crossed(core().frames.route(e.payload));
            }
        });
        for (unsigned port = 0; port < m_ports; ++port) {
            prefetch_line(core().ports[port].wire);
            core().blocks.egress.own()->prefetch_history(port, m_class);
        }
    }
    /// The lookup of this frame is done.
    void fetch_after_lookup(const frame_route& route) {
        m_class = route.frame_class;
        const event* const later = core().instant.events.peek<switch_stages::lookup_done>(events_ahead - 1);
        if (later != nullptr) {
            fetch_for_lookup(*later);
        }
        const unsigned end = std::min<unsigned>(m_links + at_once, m_ports);
        for (unsigned port = m_links; port < end; ++port) {
            core().ports[port].wire->prefetch_inbox();
        }
        m_links = static_cast<std::uint16_t>(end);
    }
    /// The frame begins to cross.
    void fetch_for_crossed(const frame_route& route) const {
        prefetch_line(&core().ports[route.ingress_port].stats.classes[route.frame_class].rx_frames);
        core().blocks.ingress.own()->prefetch(route.ingress_port, route.frame_class);
    }

 private:
    static constexpr std::ptrdiff_t events_ahead = 4;
    static constexpr unsigned at_once = 2;

    void fetch_for_lookup(const event& e) const {
        prefetch_line(&core().ports[e.port()]);
        core().blocks.ingress.own()->prefetch(e.port(), m_class);
        core().frames.prefetch(e.payload);
    }
    // About as many frames go out as come in, at any of the ports.
    void fetch_ports() {
        const unsigned end = std::min<unsigned>(m_ports + at_once, core().rules.ports);
        for (unsigned port = m_ports; port < end; ++port) {
            prefetch_line(&core().ports[port]);
            prefetch_line(&core().ports[port].stats.classes[m_class]);
            core().blocks.ingress.own()->prefetch(port, m_class);
            core().blocks.egress.own()->prefetch(port, m_class);
        }
        m_ports = static_cast<std::uint16_t>(end);
    }

    const switch_core& core() const;

    // Class of the frame that was looked up last; the next ones may be of the same class.
    pfc_class m_class = 0;
    // Ports, and links, that have been fetched in this quantum.
    std::uint16_t m_ports = 0;
    std::uint16_t m_links = 0;
};

}  // namespace weir::model
