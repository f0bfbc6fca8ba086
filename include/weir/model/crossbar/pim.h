// PIM, parallel iterative matching: Anderson, Owicki, Saxe, Thacker, "High-Speed Switch Scheduling for
// Local-Area Networks", ACM Transactions on Computer Systems 11(4), 1993.
//
// Grant and accept as in iSLIP (islip.h), class by class from the highest, but each egress port grants a
// random one of the ingress ports that ask for its highest class, and each ingress port accepts a random
// one of the grants of its highest granted class. There are no pointers. One iteration matches
// 1 - (1 - 1/N)^N of a saturated crossbar's ports; log2(N) iterations are nearly maximal.
//
//   pim arbiter(8, random_stream{seed, node, random_purpose::arbitration});
//   arbiter.arbitrate(requests, free_ingress, free_egress, 4, matches);
#pragma once

#include <vector>

#include "weir/base/rng.h"
#include "weir/model/crossbar/islip.h"

namespace weir::model {

class pim {
 public:
    static constexpr kind_text kind{"pim",
                                    "parallel iterative matching: random grants and accepts (Anderson 1993)"};

    /// Range of ports: 1 to max_ports. The stream is the arbiter's own from here on; a run takes one draw
    /// per grant with a choice, and one per further offer to an ingress port in the same class.
    pim(unsigned ports, random_stream random) : m_random(random), m_engine(ports) {}

    /// One run; appends its matches. Parameters as for `islip::arbitrate`.
    void arbitrate(const crossbar_requests& requests, const port_bitmap& free_ingress,
                   const port_bitmap& free_egress, unsigned iterations, std::vector<crossbar_match>& matches);

    /// A run whose only request is this pair takes no draw and changes nothing.
    bool arbitrate_lone(const crossbar_match&) { return true; }

 private:
    struct rules;

    random_stream m_random;
    detail::request_grant_accept m_engine;
};

}  // namespace weir::model
