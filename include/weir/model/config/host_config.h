// Parameters of a host's stack and NIC.
#pragma once

#include <cstdint>

#include "weir/base/config_error.h"
#include "weir/base/field_range.h"
#include "weir/base/time.h"
#include "weir/base/units.h"
#include "weir/model/config/largest_memory.h"

namespace weir {

/// Kinds of a NIC's queues and rate limiters; host/nic_queues.h registers them.
enum class nic_kind : std::uint8_t { class_queues };

/// Hosts and their NICs. Keys: [host].
struct host_config {
    /// From the transport to the NIC's queue. Cross-layer study: 9.5 us.
    picoseconds stack_out{0};
    /// From a frame's last bit to the transport. Cross-layer study: 24 us.
    picoseconds stack_in{0};
    /// Of both.
    static constexpr field_range stack_range{0_ps, picoseconds{1s}};
    /// NIC memory for frames that wait; 0 = as much as is needed.
    bytes nic_buffer{0};
    static constexpr field_range nic_buffer_range{0_B, largest_memory};
    nic_kind nic = nic_kind::class_queues;

    config_errors validate() const;
};

}  // namespace weir
