// The port with the fewest drain bytes for the frame's class, at random among ties. DeTail's thresholds
// approximate this rule.
#pragma once

#include "weir/base/registry.h"
#include "weir/model/forwarding/port_choice.h"

namespace weir::model {

class least_loaded_selector {
 public:
    static constexpr kind_text kind{"least_loaded", "the port with the fewest drain bytes, per frame"};
    static constexpr selector_facts facts{false, false, true};

    unsigned select(const port_choice& choice) const;
};

}  // namespace weir::model
