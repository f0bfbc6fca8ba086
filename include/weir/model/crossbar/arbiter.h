// What a crossbar arbiter sees and answers: requests, room, matches. The algorithms (islip.h, pim.h,
// round_robin.h, maximum_size.h) share these types; block_interfaces.h binds them into a switch.
//
//   crossbar_requests requests(4);
//   requests.add(0, 2, 7);                       // ingress port 0 has a class 7 frame for egress port 2
//   std::vector<crossbar_match> matches;
//   arbiter.arbitrate(requests, all, all, 4, matches);
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "weir/base/port_bitmap.h"
#include "weir/base/registry.h"
#include "weir/protocol/frame.h"

namespace weir::model {

/// One connection through the crossbar, for a frame or for a cell.
struct crossbar_match {
    std::uint8_t ingress_port;
    std::uint8_t egress_port;
    pfc_class frame_class;

    friend bool operator==(const crossbar_match& a, const crossbar_match& b) {
        return a.ingress_port == b.ingress_port && a.egress_port == b.egress_port &&
               a.frame_class == b.frame_class;
    }
};

/// Iterations of a run that ends only when no eligible pair is left.
inline constexpr unsigned until_maximal = 0;

/// The request matrix, one bitmap of ingress ports per egress port and class, with egress room as a mask.
///
/// A pair is eligible when its VOQ has a frame and the egress port has room for the class, or when the VOQ's
/// first frame has been started (its room is reserved; cells only).
class crossbar_requests {
 public:
    /// Range of ports: 1 to max_ports.
    explicit crossbar_requests(unsigned ports) : m_ports(ports) {
        m_room.fill(port_bitmap::first_ports(ports));
    }

    unsigned ports() const { return m_ports; }

    /// Whether any VOQ of the ingress port, or for the egress port, has a frame.
    bool any_waits_for(unsigned ingress_port, unsigned egress_port) const {
        return (m_waiting[ingress_port].at_ingress | m_waiting[egress_port].for_egress) != 0;
    }

    /// Whether a VOQ that has a frame is the only one of its ingress port and the only one for its egress port.
    bool is_alone(unsigned ingress_port, unsigned egress_port) const {
        return (m_waiting[ingress_port].at_ingress | m_waiting[egress_port].for_egress) == 1;
    }

    /// VOQs with a frame, eligible or not.
    std::uint32_t voqs() const { return m_voqs; }

    void add(unsigned ingress_port, unsigned egress_port, pfc_class c) {
        ++m_voqs;
        ++m_waiting[ingress_port].at_ingress;
        ++m_waiting[egress_port].for_egress;
        if (__builtin_expect(m_requests[c].empty(), 0)) {
            m_requests[c].resize(m_ports);
            m_started[c].resize(m_ports);
        }
        m_requests[c][egress_port].set(ingress_port);
        m_requested[c].set(egress_port);
        m_classes = static_cast<class_mask>(m_classes | (1U << c));
    }
    void remove(unsigned ingress_port, unsigned egress_port, pfc_class c) {
        --m_voqs;
        --m_waiting[ingress_port].at_ingress;
        --m_waiting[egress_port].for_egress;
        remove_from(m_requests[c][egress_port], m_requested[c], ingress_port, egress_port);
        if (m_requested[c].none()) {
            m_classes = static_cast<class_mask>(m_classes & ~(1U << c));
        }
    }
    /// The VOQ's first frame has room reserved and is on its way, cell by cell.
    void start(unsigned ingress_port, unsigned egress_port, pfc_class c) {
        m_started[c][egress_port].set(ingress_port);
        m_any_started[c].set(egress_port);
    }
    void finish(unsigned ingress_port, unsigned egress_port, pfc_class c) {
        remove_from(m_started[c][egress_port], m_any_started[c], ingress_port, egress_port);
    }
    void set_room(unsigned egress_port, pfc_class c, bool room) { m_room[c].assign(egress_port, room); }
    bool has_room(unsigned egress_port, pfc_class c) const { return m_room[c].test(egress_port); }

    /// Classes with at least one request, eligible or not.
    class_mask classes() const { return m_classes; }
    /// Egress ports that at least one ingress port may be matched with in this class.
    port_bitmap eligible_egress(pfc_class c) const { return (m_requested[c] & m_room[c]) | m_any_started[c]; }
    /// Ingress ports that this egress port may be matched with in this class.
    port_bitmap eligible_ingress(unsigned egress_port, pfc_class c) const {
        const rows& of_class = m_room[c].test(egress_port) ? m_requests[c] : m_started[c];
        return of_class.empty() ? port_bitmap{} : of_class[egress_port];
    }

 private:
    /// By egress port; empty before the class's first request.
    using rows = std::vector<port_bitmap>;
    using summary = std::array<port_bitmap, pfc_classes>;

    static void remove_from(port_bitmap& ingress_ports, port_bitmap& any, unsigned ingress_port,
                            unsigned egress_port) {
        ingress_ports.reset(ingress_port);
        if (ingress_ports.none()) {
            any.reset(egress_port);
        }
    }

    /// VOQs with a frame.
    struct waiting {
        std::uint16_t at_ingress = 0;
        std::uint16_t for_egress = 0;
    };

    unsigned m_ports;
    class_mask m_classes = 0;
    std::uint32_t m_voqs = 0;
    std::array<waiting, max_ports> m_waiting{};
    summary m_requested{};
    summary m_any_started{};
    summary m_room{};
    std::array<rows, pfc_classes> m_requests;
    std::array<rows, pfc_classes> m_started;
};

}  // namespace weir::model
