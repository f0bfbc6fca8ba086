// Strict priority: the highest eligible class (DeTail, section 5.4; 802.1Q clause 8.6.8.1).
#pragma once

#include <cstdint>

#include "weir/model/scheduling/scheduler.h"
#include "weir/protocol/frame.h"

namespace weir::model {

class strict_priority {
 public:
    static constexpr kind_text kind{"strict", "the most urgent class first"};
    static constexpr scheduler_facts facts{false, false};

    int select(unsigned /*port*/, class_mask eligible, const std::uint32_t* /*head_bytes*/) const {
        return eligible == 0 ? no_class : 31 - __builtin_clz(eligible);
    }
    void sent(unsigned /*port*/, int /*c*/, std::uint32_t /*length*/) const {}
    void drained(unsigned /*port*/, class_mask /*classes*/) const {}
};

}  // namespace weir::model
