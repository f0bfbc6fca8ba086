#pragma once

#include <array>
#include <cstdint>

#include "weir/base/namespaces.h"

namespace weir::model {

/// Order of a host's events within an instant. Part of the model's identity: a change changes results.
struct host_stages {
    enum : unsigned {
        sample,         ///< statistics over time, before anything else of the instant
        control,        ///< link changes
        arrival,        ///< last bit in
        pause_effect,   ///< T_R after a PFC frame
        pause_expiry,   ///< a timer has run out
        pause_refresh,  ///< a broken adapter repeats its pause
        nic_release,    ///< a rate limiter lets a frame go
        stack_in,       ///< a frame reaches the endpoint
        wake,           ///< the endpoint's timers
        stack_out,      ///< frames reach the NIC
        transmit_done,  ///< last bit out
        count
    };
    static constexpr unsigned rows = 5;
    static constexpr std::array<std::uint8_t, count> row_of{4, 4, 0, 4, 4, 4, 4, 1, 2, 3, 3};
};

}  // namespace weir::model
