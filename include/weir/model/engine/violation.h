// What must not happen in a node, and how the run's end is called then.
#pragma once

#include <cstdint>
#include <string>

#include "weir/base/time.h"

namespace weir::model {

/// A broken rule of a block, or the loss of a frame of a lossless class.
enum class violation_kind : std::uint8_t { invariant, lossless_loss };

struct violation {
    picoseconds time{never};
    std::string message;
    violation_kind kind = violation_kind::invariant;

    template <class Octets>
    void fields(Octets& o) {
        o(time, message, kind);
    }
};

/// Types of the SystemC reports that end a run: at a violation, or where frames wait for good.
constexpr const char* violation_report_type = "/weir/invariant";
constexpr const char* deadlock_report_type = "/weir/deadlock";

}  // namespace weir::model
