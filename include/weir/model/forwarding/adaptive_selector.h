// DeTail's choice (technical report 2011, sections 5.3 and 6.2): at random among the acceptable ports that are
// favoured at the best level that has any; among all acceptable ports when none is favoured. Without levels it
// is packet scatter.
#pragma once

#include "weir/base/registry.h"
#include "weir/model/forwarding/port_choice.h"

namespace weir::model {

class adaptive_selector {
 public:
    static constexpr kind_text kind{"adaptive",
                                    "a random favoured port per frame, by drain bytes (DeTail 6.2)"};
    static constexpr selector_facts facts{false, false, false, true};

    unsigned select(const port_choice& choice) const;
};

}  // namespace weir::model
