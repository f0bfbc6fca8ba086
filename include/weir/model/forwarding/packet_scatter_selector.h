// Packet scatter: each frame takes any acceptable port with equal probability, whatever the ports hold.
#pragma once

#include "weir/base/registry.h"
#include "weir/model/forwarding/port_choice.h"

namespace weir::model {

class packet_scatter_selector {
 public:
    static constexpr kind_text kind{"packet_scatter", "a random acceptable port per frame"};
    static constexpr selector_facts facts{};

    unsigned select(const port_choice& choice) const;
};

}  // namespace weir::model
