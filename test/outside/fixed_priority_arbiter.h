// A crossbar arbiter in place of the default one: among equals the lowest port wins. Simple, and unfair.
#pragma once

#include <cstdint>
#include <vector>

#include "weir/model/switch/switch_blocks.h"

namespace outside {

class fixed_priority_arbiter : public weir::model::block_module<weir::model::arbiter_if> {
 public:
    explicit fixed_priority_arbiter(sc_core::sc_module_name name) : block_module(name) {}

    // Goes on until no eligible pair of free ports is left, whatever `iterations` says.
    void arbitrate(const weir::model::crossbar_requests& requests, const weir::port_bitmap& free_ingress,
                   const weir::port_bitmap& free_egress, unsigned /*iterations*/,
                   std::vector<weir::model::crossbar_match>& matches) override {
        weir::port_bitmap ingress = free_ingress;
        weir::port_bitmap egress = free_egress;
        for (unsigned level = weir::pfc_classes; level-- > 0;) {
            const auto c = static_cast<weir::pfc_class>(level);
            (requests.eligible_egress(c) & egress).for_each([&](unsigned out) {
                const weir::port_bitmap candidates = requests.eligible_ingress(out, c) & ingress;
                if (candidates.any()) {
                    const unsigned in = candidates.first();
                    matches.push_back({static_cast<std::uint8_t>(in), static_cast<std::uint8_t>(out), c});
                    ingress.reset(in);
                    egress.reset(out);
                    ++m_matches;
                }
            });
        }
    }

    std::uint64_t matches() const { return m_matches; }

 private:
    std::uint64_t m_matches = 0;
};

}  // namespace outside
