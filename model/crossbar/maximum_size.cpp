#include "weir/model/crossbar/maximum_size.h"

namespace weir::model {

// From the highest class, over the ports that are still free. Both search orders rotate from run to run.
void maximum_size::arbitrate(const crossbar_requests& requests, const port_bitmap& free_ingress,
                             const port_bitmap& free_egress, unsigned /*iterations*/,
                             std::vector<crossbar_match>& matches) {
    port_bitmap ingress_left = free_ingress;
    port_bitmap egress_left = free_egress;
    for (int c = pfc_classes - 1; c >= 0; --c) {
        const auto frame_class = static_cast<pfc_class>(c);
        port_bitmap asked = requests.eligible_egress(frame_class) & egress_left;
        m_matched = {};
        while (asked.any()) {
            const unsigned egress = asked.first_from(m_first_egress);
            asked.reset(egress);
            m_unvisited = ingress_left;
            augment(requests, egress, frame_class);
        }
        m_matched.for_each([&](unsigned ingress) {
            matches.push_back({static_cast<std::uint8_t>(ingress), m_partner[ingress], frame_class});
            egress_left.reset(m_partner[ingress]);
        });
        ingress_left -= m_matched;
    }
    if (++m_first_egress == m_ports) {
        m_first_egress = 0;
        m_first_ingress = m_first_ingress + 1 == m_ports ? 0 : m_first_ingress + 1;
    }
}

/// Matches this egress port too, if that is possible by moving others to other ingress ports (an augmenting
/// path). No match is undone, so an egress port that fails once need not be tried again (Berge 1957).
bool maximum_size::augment(const crossbar_requests& requests, unsigned egress_port, pfc_class c) {
    const port_bitmap wanted = requests.eligible_ingress(egress_port, c);
    const port_bitmap single = (wanted & m_unvisited) - m_matched;
    if (single.any()) {
        const unsigned ingress = single.first_from(m_first_ingress);
        m_matched.set(ingress);
        m_partner[ingress] = static_cast<std::uint8_t>(egress_port);
        return true;
    }
    for (port_bitmap taken = wanted & m_unvisited; taken.any(); taken = wanted & m_unvisited) {
        const unsigned ingress = taken.first_from(m_first_ingress);
        m_unvisited.reset(ingress);
        if (augment(requests, m_partner[ingress], c)) {
            m_partner[ingress] = static_cast<std::uint8_t>(egress_port);
            return true;
        }
    }
    return false;
}

}  // namespace weir::model
