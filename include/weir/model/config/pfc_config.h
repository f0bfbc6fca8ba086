// Parameters of link-level flow control. Defaults are DeTail's (technical report 2011, section 6).
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>

#include "weir/base/config_error.h"
#include "weir/base/field_range.h"
#include "weir/base/time.h"
#include "weir/base/units.h"
#include "weir/model/config/largest_memory.h"

namespace weir {

struct switch_config;

enum class flow_control_mode : std::uint8_t {
    none,
    pause,  ///< IEEE 802.3x: one class
    pfc     ///< IEEE 802.1Qbb: per class
};
enum class threshold_count : std::uint8_t {
    drain_bytes,  ///< bytes of this class and of all more urgent ones (DeTail 6.1)
    class_bytes   ///< bytes of this class
};
/// Which terms the computed thresholds count (pfc_thresholds.h). Reserves set by hand have no terms.
enum class reserve_profile : std::uint8_t {
    worst_case,  ///< all of 802.1Qbb's terms, and the frame that crosses XOFF: nothing is ever lost
    detail       ///< DeTail 6.1, equation 1: neither the PFC frame's serialisation nor that frame
};
enum class charge_time : std::uint8_t {
    arrival,  ///< packet memory is charged, and XOFF decided, at a frame's last bit
    enqueue,  ///< after the lookup; adds the lookup delay to the reserve
    store     ///< as `enqueue`, by a shared memory itself, when the egress port is known
};

/// What a switch's PFC watchdog does to a queue that is paused without end.
enum class watchdog_action : std::uint8_t {
    off,     ///< there is no watchdog
    drop,    ///< its frames are dropped, those that wait and those that come
    forward  ///< its frames are sent in spite of the pause
};

/// Link-level flow control, at switches and (the reacting half) at hosts. Keys: [pfc].
struct pfc_config {
    flow_control_mode mode = flow_control_mode::none;
    /// Which terms `reserve` and `xoff` have where they are left open. DeTail's are for classes that are paused
    /// one by one: under 802.3x PAUSE, for which it gives no threshold and reports no loss, every term counts.
    reserve_profile profile = reserve_profile::worst_case;
    /// Occupancy of one ingress port and class at which XOFF is sent to the link partner. Default:
    /// ingress_buffer / classes - reserve - (max_frame - 1 B), so that the frame that crosses it fits too;
    /// without that frame with `reserve_profile::detail` (11,546 B for DeTail's numbers, 6.1).
    std::optional<bytes> xoff;
    static constexpr field_range xoff_range{1_B, largest_memory};
    /// Occupancy below which XON is sent. Default: the reserve, or xoff where that is less (DeTail 6.1:
    /// 4,838 B).
    std::optional<bytes> xon;
    static constexpr field_range xon_range{0_B, largest_memory};
    /// Memory kept for what arrives after XOFF, per class. Default: the closed form (pfc_headroom.h) with the
    /// profile's terms for the port's rate and latency, the fastest and the longest of the run.
    std::optional<bytes> reserve;
    static constexpr field_range reserve_range{0_B, largest_memory};
    threshold_count count = threshold_count::drain_bytes;
    charge_time charge = charge_time::arrival;
    /// PAUSE time that XOFF carries. Unit: 512 bit times.
    pause_quanta quanta{65'535};
    static constexpr field_range quanta_range{pause_quanta{1}, pause_quanta{65'535}};
    /// An XOFF that still holds is repeated after this share of its PAUSE time.
    double refresh = 0.5;
    static constexpr field_range refresh_range{0.0, 1.0, range_ends::both_excluded};
    /// T_R, from the last bit of a PAUSE or PFC frame until the transmitter stops. Default: by link rate,
    /// as the standard has it; DeTail 6.1: 1.024 us (2 quanta) at 1 Gb/s.
    std::optional<picoseconds> response;
    static constexpr field_range response_range{0_ps, picoseconds{1s}};
    /// PFC watchdog of all switches. SONiC: drop.
    watchdog_action watchdog = watchdog_action::off;
    /// A queue is in a storm when it has been paused, and has sent none of its frames, for so long. SONiC test
    /// plan: 400 ms.
    picoseconds watchdog_detection{400ms};
    /// A queue is restored when no pause frame has come for it for so long. SONiC test plan: 2 s.
    picoseconds watchdog_restoration{2s};
    static constexpr field_range watchdog_time_range{picoseconds{1us}, picoseconds{100s}};
    /// Time between two looks of a watchdog. At most both of the above. Default: a quarter of the lesser.
    std::optional<picoseconds> watchdog_interval;
    static constexpr field_range watchdog_interval_range{picoseconds{100ns}, picoseconds{10s}};

    /// The interval in use.
    picoseconds watchdog_period() const {
        return watchdog_interval.value_or(std::min(watchdog_detection, watchdog_restoration) / 4);
    }

    config_errors validate(const switch_config& device) const;
};

}  // namespace weir
