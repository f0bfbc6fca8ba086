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
// On `frame_path::direct` only, and only where the fabric does not fit a cache anyway.
#pragma once

#include <algorithm>
#include <cstdint>

#include "weir/base/prefetch.h"
#include "weir/model/switch/switch_core.h"

namespace weir::model {

class fetch_stage : public switch_core {
 protected:
    using switch_core::switch_core;

    template <frame_path Path>
    bool fetches_ahead() const {
        return Path == frame_path::direct && node::fetches_ahead();
    }

    /// A quantum begins.
    template <frame_path Path>
    void fetch_for_events() {
        if (!fetches_ahead<Path>()) {
            return;
        }
        m_fetched = {m_fetched.frame_class, 0, 0};
        m_lookup.own()->prefetch();
        m_egress.own()->prefetch(m_fetched.frame_class);
        m_agenda.for_first<switch_stages::transfer_done>(events_ahead, [this](const event& e) {
            prefetch_line(&m_ports[e.port()]);
            m_egress.own()->prefetch(e.port(), m_fetched.frame_class);
            m_slab.prefetch(e.payload);
        });
        m_agenda.for_first<switch_stages::lookup_done>(events_ahead,
                                                       [this](const event& e) { fetch_for_lookup(e); });
    }
    /// It will be accepted soon, after `others`.
    template <frame_path Path>
    void fetch_for_arrival(const wire_arrival& arrival, std::uint32_t others) {
        if (fetches_ahead<Path>()) {
            prefetch_line(&m_ports[arrival.port()]);
            m_ingress.own()->prefetch(arrival.port());
            m_slab.prefetch_free(others);
            fetch_ports();
        }
    }
    /// Arrivals have been accepted.
    template <frame_path Path>
    void fetch_for_departures() {
        if (!fetches_ahead<Path>()) {
            return;
        }
        m_agenda.for_first<switch_stages::transfer_done>(events_ahead, [this](const event& e) {
            // The row has slots of cells, too.
            if (e.stage() == switch_stages::transfer_done) {
                fetch_for_crossed(m_slab.route(e.payload));
            }
        });
        for (unsigned port = 0; port < m_fetched.ports; ++port) {
            prefetch_line(m_ports[port].wire);
            m_egress.own()->prefetch_history(port, m_fetched.frame_class);
        }
    }
    /// The lookup of this frame is done.
    void fetch_after_lookup(const frame_route& route) {
        m_fetched.frame_class = route.frame_class;
        const event* const later = m_agenda.peek<switch_stages::lookup_done>(events_ahead - 1);
        if (later != nullptr) {
            fetch_for_lookup(*later);
        }
        const unsigned end = std::min<unsigned>(m_fetched.links + at_once, m_fetched.ports);
        for (unsigned port = m_fetched.links; port < end; ++port) {
            m_ports[port].wire->prefetch_inbox();
        }
        m_fetched.links = static_cast<std::uint16_t>(end);
    }
    /// The frame begins to cross.
    void fetch_for_crossed(const frame_route& route) const {
        prefetch_line(&m_ports[route.ingress_port].stats.classes[route.frame_class].rx_frames);
        m_ingress.own()->prefetch(route.ingress_port, route.frame_class);
    }

 private:
    static constexpr std::ptrdiff_t events_ahead = 4;
    static constexpr unsigned at_once = 2;

    void fetch_for_lookup(const event& e) const {
        prefetch_line(&m_ports[e.port()]);
        m_ingress.own()->prefetch(e.port(), m_fetched.frame_class);
        m_slab.prefetch(e.payload);
    }
    // About as many frames go out as come in, at any of the ports.
    void fetch_ports() {
        const unsigned end = std::min<unsigned>(m_fetched.ports + at_once, m_port_count);
        for (unsigned port = m_fetched.ports; port < end; ++port) {
            prefetch_line(&m_ports[port]);
            prefetch_line(&m_ports[port].stats.classes[m_fetched.frame_class]);
            m_ingress.own()->prefetch(port, m_fetched.frame_class);
            m_egress.own()->prefetch(port, m_fetched.frame_class);
        }
        m_fetched.ports = static_cast<std::uint16_t>(end);
    }
};

}  // namespace weir::model
