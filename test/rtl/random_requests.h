// Random stimulus for arbiters: a request matrix that changes from run to run, as plain sets beside the
// `crossbar_requests` that say the same.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "weir/base/rng.h"
#include "weir/model/crossbar/arbiter.h"

namespace weir::test {

using namespace model;

class random_requests {
 public:
    /// Range of ports: 1 to 64.
    random_requests(unsigned port_count, std::uint64_t seed)
        : requests(port_count),
          m_ports(port_count),
          m_random(seed, 0, random_purpose::arbitration),
          m_waiting(port_count),
          m_started(port_count),
          m_room(port_count, 0xFF) {
        choose_phase();
    }

    /// The next run's matrix, ports that are free, and bound of iterations.
    void advance() {
        if (++m_run % 64 == 0) {
            choose_phase();
        }
        for (unsigned flips = m_random.below(2 * m_ports); flips > 0; --flips) {
            flip(m_random.below(m_ports), m_random.below(m_ports), draw_class());
        }
        const unsigned egress = m_random.below(m_ports);
        const pfc_class c = draw_class();
        const bool room = m_random.uniform() < m_room_share;
        requests.set_room(egress, c, room);
        const auto bit = static_cast<std::uint8_t>(1U << c);
        m_room[egress] = static_cast<std::uint8_t>(room ? m_room[egress] | bit : m_room[egress] & ~bit);
        free_ingress = port_bitmap();
        free_egress = port_bitmap();
        for (unsigned p = 0; p < m_ports; ++p) {
            free_ingress.assign(p, m_random.uniform() < m_free_share);
            free_egress.assign(p, m_random.uniform() < m_free_share);
        }
        // Few mostly, as switches have them; the RTL's counter goes up to 511.
        iterations = m_random.below(m_random.below(8) == 0 ? 512 : 6);
    }

    /// Ingress ports that the egress port may be matched with: by the rule, not by `crossbar_requests`.
    std::uint64_t eligible(unsigned egress, pfc_class c) const {
        return (m_room[egress] >> c & 1) != 0 ? m_waiting[egress][c] : m_started[egress][c];
    }

    crossbar_requests requests;
    port_bitmap free_ingress;
    port_bitmap free_egress;
    unsigned iterations = 0;

 private:
    using per_class = std::array<std::uint64_t, pfc_classes>;

    // How full the matrix is, how many classes there are, and which share of the ports is free.
    void choose_phase() {
        const double uniform = m_random.uniform();
        m_density = m_random.below(4) == 0 ? 1 : uniform * uniform;
        m_classes = 1 + m_random.below(pfc_classes);
        m_room_share = m_random.below(2) == 0 ? 1 : m_random.uniform();
        m_free_share = m_random.below(2) == 0 ? 1 : m_random.uniform();
    }
    pfc_class draw_class() { return static_cast<pfc_class>(m_random.below(m_classes)); }

    void flip(unsigned ingress, unsigned egress, pfc_class c) {
        std::uint64_t& waiting = m_waiting[egress][c];
        std::uint64_t& started = m_started[egress][c];
        const std::uint64_t bit = std::uint64_t{1} << ingress;
        if ((waiting & bit) != 0) {
            if (m_random.uniform() < m_density) {
                return;
            }
            if ((started & bit) != 0) {
                requests.finish(ingress, egress, c);
                started &= ~bit;
            }
            requests.remove(ingress, egress, c);
            waiting &= ~bit;
        } else if (m_random.uniform() < m_density) {
            requests.add(ingress, egress, c);
            waiting |= bit;
            if (m_random.below(8) == 0) {
                requests.start(ingress, egress, c);
                started |= bit;
            }
        }
    }

    unsigned m_ports;
    random_stream m_random;
    std::vector<per_class> m_waiting;
    std::vector<per_class> m_started;
    std::vector<std::uint8_t> m_room;
    std::uint64_t m_run = 0;
    double m_density = 1;
    unsigned m_classes = 1;
    double m_room_share = 1;
    double m_free_share = 1;
};

}  // namespace weir::test
