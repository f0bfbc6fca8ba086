#include "weir/model/crossbar/round_robin.h"

namespace weir::model {

// The plain scheme to which iSLIP is the remedy: a grant moves the pointer whether it is accepted or not, so
// pointers of egress ports can fall into step under load.
struct round_robin::rules {
    round_robin& m;

    template <class Set>
    unsigned grant(unsigned egress, pfc_class c, const Set& candidates) const {
        const unsigned ingress = candidates.first_from(m.m_grant(egress, c));
        m.m_grant.move_beyond(egress, c, ingress);
        return ingress;
    }
    bool prefers(unsigned ingress, pfc_class c, unsigned offer, unsigned held, unsigned) const {
        return m.m_accept.before(ingress, c, offer, held);
    }
    void accepted(unsigned ingress, unsigned egress, pfc_class c, bool) const {
        m.m_accept.move_beyond(ingress, c, egress);
    }
};

void round_robin::arbitrate(const crossbar_requests& requests, const port_bitmap& free_ingress,
                            const port_bitmap& free_egress, unsigned iterations,
                            std::vector<crossbar_match>& matches) {
    m_engine.run(requests, free_ingress, free_egress, iterations, matches, rules{*this}, silent_observer{});
}

}  // namespace weir::model
