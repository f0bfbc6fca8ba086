// The order of a switch's events within an instant. Part of the model's identity: a change changes results.
#pragma once

#include <array>
#include <cstdint>

#include "weir/base/namespaces.h"

namespace weir::model {

struct switch_stages {
    enum : unsigned {
        warmup_end,     ///< statistics begin, before anything else of the instant
        control,        ///< table and link changes that the configuration schedules
        arrival,        ///< last bit in
        pause_effect,   ///< T_R after a PFC frame
        pause_expiry,   ///< a timer has run out
        pause_refresh,  ///< an XOFF is to be repeated
        lookup_done,    ///< an egress port is selected
        transfer_done,  ///< a frame has come to the memory that it is sent from, or has crossed (memory_path.h)
        transmit_done,  ///< last bit out
        memory_read,    ///< a frame that the port waited for has been read from its memory
        slot,           ///< the crossbar's next slot (`cell` mode)
        watchdog,       ///< the PFC watchdog looks at all queues
        own_lookup_done,  ///< a frame of the switch's own comes to its egress queue
        count
    };
    static constexpr unsigned rows = 4;
    static constexpr std::array<std::uint8_t, count> row_of{3, 3, 3, 3, 3, 3, 0, 1, 2, 3, 1, 3, 3};
};

}  // namespace weir::model
