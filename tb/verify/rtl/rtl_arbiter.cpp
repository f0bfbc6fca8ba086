#include "tb/verify/rtl/rtl_arbiter.h"

namespace weir::tb {

void rtl_arbiter::arbitrate(const crossbar_requests& requests, const port_bitmap& free_ingress,
                            const port_bitmap& free_egress, unsigned iterations,
                            std::vector<crossbar_match>& matches) {
    ask(requests, free_egress, true);
    arbiter_edge edge{true, iterations, free_ingress.word(0), free_egress.word(0)};
    m_cycles_of_run = 0;
    do {
        m_pins->clock(edge);
        ++m_cycles_of_run;
        edge.start = false;
        take_matches(matches);
    } while (!m_pins->done());
    m_cycles += static_cast<std::uint64_t>(m_cycles_of_run);
    ask(requests, free_egress, false);
}

// Requests of egress ports that are not free are never looked at.
void rtl_arbiter::ask(const crossbar_requests& requests, const port_bitmap& free_egress, bool asks) {
    for (unsigned left = requests.classes(); left != 0; left &= left - 1) {
        const auto c = static_cast<pfc_class>(__builtin_ctz(left));
        (requests.eligible_egress(c) & free_egress).for_each([&](unsigned egress) {
            m_pins->ask(egress, c, asks ? requests.eligible_ingress(egress, c).word(0) : 0);
        });
    }
}

void rtl_arbiter::take_matches(std::vector<crossbar_match>& matches) const {
    for (std::uint64_t left = m_pins->accepted(); left != 0; left &= left - 1) {
        const auto egress = static_cast<unsigned>(__builtin_ctzll(left));
        matches.push_back({static_cast<std::uint8_t>(m_pins->grant_ingress(egress)),
                           static_cast<std::uint8_t>(egress), m_pins->grant_class(egress)});
    }
}

}  // namespace weir::tb
