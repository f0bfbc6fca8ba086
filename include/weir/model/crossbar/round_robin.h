// Round-robin matching: iSLIP's forerunner (RRM in McKeown 1999), for comparison.
//
// Grant and accept are those of iSLIP (islip.h), class by class, but a grant pointer moves on every grant,
// accepted or not, and an accept pointer on every accept, in every iteration. Egress ports that grant the
// same ingress port therefore go on together. With one iteration a 16 x 16 crossbar is stable up to 62 to
// 63 % of uniform traffic; above that the pointers synchronise and it carries less, not more. A saturated
// 2 x 2 crossbar carries half.
//
//   round_robin arbiter(8);
//   arbiter.arbitrate(requests, free_ingress, free_egress, 1, matches);
#pragma once

#include <vector>

#include "weir/model/crossbar/islip.h"

namespace weir::model {

class round_robin {
 public:
    static constexpr kind_text kind{
        "round_robin", "as islip, but the pointers move at every grant and therefore do not desynchronise"};

    /// All pointers start at 0. Range of ports: 1 to max_ports.
    explicit round_robin(unsigned ports) : m_grant(ports), m_accept(ports), m_engine(ports) {}

    /// One run; appends its matches. Parameters as for `islip::arbitrate`.
    void arbitrate(const crossbar_requests& requests, const port_bitmap& free_ingress,
                   const port_bitmap& free_egress, unsigned iterations, std::vector<crossbar_match>& matches);

    /// A run whose only request is this pair: both pointers move.
    bool arbitrate_lone(const crossbar_match& pair) {
        m_grant.move_beyond(pair.egress_port, pair.frame_class, pair.ingress_port);
        m_accept.move_beyond(pair.ingress_port, pair.frame_class, pair.egress_port);
        return true;
    }

    unsigned grant_pointer(unsigned egress_port, pfc_class c) const { return m_grant(egress_port, c); }
    unsigned accept_pointer(unsigned ingress_port, pfc_class c) const { return m_accept(ingress_port, c); }

 private:
    struct rules;

    detail::arbiter_pointers m_grant;
    detail::arbiter_pointers m_accept;
    detail::request_grant_accept m_engine;
};

}  // namespace weir::model
