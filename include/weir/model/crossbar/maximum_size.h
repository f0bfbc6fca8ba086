// Maximum-size matching, class by class: a reference that no arbiter in hardware reaches in a slot.
//
// From the highest class, the largest possible number of pairs of ports still free is matched (augmenting
// paths); matches of a higher class are never taken back for a lower one. It maximises what moves now, not
// what moves in the long run: a maximum-size matcher is unfair, and can starve a VOQ whose pair is in no
// maximum matching for as long as the others have frames (McKeown, Mekkittikul, Anantharam, Walrand,
// "Achieving 100% Throughput in an Input-Queued Switch", IEEE Transactions on Communications 47(8), 1999).
// Where several maximum matchings exist, order alone starves no port: the search begins at another egress
// port in each run, and at another ingress port every N runs.
//
//   maximum_size arbiter(8);
//   arbiter.arbitrate(requests, free_ingress, free_egress, until_maximal, matches);
#pragma once

#include <cstdint>
#include <vector>

#include "weir/base/port_bitmap.h"
#include "weir/model/crossbar/arbiter.h"

namespace weir::model {

class maximum_size {
 public:
    static constexpr kind_text kind{
        "maximum_size", "maximum-size matching: an upper bound for comparison, not a hardware algorithm"};

    /// Range of ports: 1 to max_ports.
    explicit maximum_size(unsigned ports) : m_ports(ports), m_partner(ports) {}

    /// One run; appends its matches. Parameters as for `islip::arbitrate`, but the number of iterations
    /// does not matter. Deterministic; time is of the order of N^2 to N^3 steps.
    void arbitrate(const crossbar_requests& requests, const port_bitmap& free_ingress,
                   const port_bitmap& free_egress, unsigned iterations, std::vector<crossbar_match>& matches);

    /// No short cut: the answer is to ask `arbitrate`.
    bool arbitrate_lone(const crossbar_match&) { return false; }

 private:
    bool augment(const crossbar_requests& requests, unsigned egress_port, pfc_class c);

    unsigned m_ports;
    /// First ports of the search; a pair of them recurs every N^2 runs.
    unsigned m_first_egress = 0;
    unsigned m_first_ingress = 0;
    /// Ingress ports matched in this class, and the egress port of each.
    port_bitmap m_matched;
    std::vector<std::uint8_t> m_partner;
    /// Ingress ports that the current search may still visit.
    port_bitmap m_unvisited;
};

}  // namespace weir::model
