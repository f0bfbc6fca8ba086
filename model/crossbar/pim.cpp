#include "weir/model/crossbar/pim.h"

namespace weir::model {

// Grants and accepts are drawn, so no state is kept from run to run and no pointer can fall into step.
struct pim::rules {
    random_stream& random;

    template <class Set>
    unsigned grant(unsigned, pfc_class, const Set& candidates) const {
        const unsigned count = candidates.count();
        return count == 1 ? candidates.first() : candidates.nth(random.below(count));
    }
    // Reservoir sampling: the n-th offer replaces the one held with probability 1/n, so that each of the
    // offers is accepted with the same probability.
    bool prefers(unsigned, pfc_class, unsigned, unsigned, unsigned n) const { return random.below(n) == 0; }
    void accepted(unsigned, unsigned, pfc_class, bool) const {}
};

void pim::arbitrate(const crossbar_requests& requests, const port_bitmap& free_ingress,
                    const port_bitmap& free_egress, unsigned iterations, std::vector<crossbar_match>& matches) {
    m_engine.run(requests, free_ingress, free_egress, iterations, matches, rules{m_random}, silent_observer{});
}

}  // namespace weir::model
