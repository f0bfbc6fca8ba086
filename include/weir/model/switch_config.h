// Parameters of a switch, its links and a host's NIC. Defaults are DeTail's switch (technical report 2011,
// sections 4 to 7) at 1 Gb/s. A field's range stands below it; what it may be beside other fields is in its
// comment.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "weir/base/config_error.h"
#include "weir/base/field_range.h"
#include "weir/base/time.h"
#include "weir/base/units.h"
#include "weir/model/scheduler.h"
#include "weir/model/tcam.h"
#include "weir/protocol/frame.h"

namespace weir {

/// Largest packet memory of a port, so that occupancies fit 32 bits.
inline constexpr bytes largest_memory = 1_MiB * 1024;

enum class crossbar_mode : std::uint8_t {
    frame,  ///< a match moves a whole frame; the arbiter runs whenever something changes
    cell    ///< slots of one cell at speedup x line rate; a matching in each, as RTL does
};
enum class arbiter_kind : std::uint8_t { islip, pim, round_robin, maximum_size };
enum class balance_policy : std::uint8_t { flow_hash, packet_scatter, adaptive, least_loaded };
enum class drop_policy : std::uint8_t {
    ingress_tail,  ///< a full egress holds frames back; a frame that finds its ingress memory full is lost
    egress_tail    ///< the crossbar never waits for room; a frame that finds its egress memory full is lost
};
enum class egress_share : std::uint8_t {
    whole,   ///< any class may fill the port's memory
    fixed,   ///< each class has memory / classes
    dynamic  ///< each class may hold alpha x the port's free memory (Choudhury and Hahne 1998)
};
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
    enqueue   ///< after the lookup; adds the lookup delay to the reserve
};

/// What a switch's PFC watchdog does to a queue that is paused without end.
enum class watchdog_action : std::uint8_t {
    off,     ///< there is no watchdog
    drop,    ///< its frames are dropped, those that wait and those that come
    forward  ///< its frames are sent in spite of the pause
};

/// The switch proper. Keys: [switch].
struct switch_config {
    /// Packet memory of one ingress port; at least max_frame in whole cells of memory. DeTail 7.1: 128 KiB per
    /// port.
    bytes ingress_buffer{128_KiB};
    static constexpr field_range buffer_range{64_B, largest_memory};
    /// Packet memory of one egress port; the same holds. DeTail 7.1: 128 KiB per port.
    bytes egress_buffer{128_KiB};
    /// Packet memory's unit of allocation: a frame occupies whole cells. 0 counts single bytes.
    bytes memory_cell{0};
    static constexpr field_range memory_cell_range{0_B, 65'535_B};
    /// Largest frame (destination address to FCS) that the fabric carries; egress room is kept in units of
    /// it, and longer frames are dropped as oversized.
    bytes max_frame{1530};
    static constexpr field_range max_frame_range{64_B, 65'535_B};
    /// From a frame's last bit to its place in a VOQ: TCAM, RAM and port selection. DeTail 7.1: 3.1 us.
    picoseconds lookup_delay{3100ns};
    /// One lookup may start per this time in the whole switch; 0 = no limit.
    picoseconds lookup_interval{0};
    /// Of both.
    static constexpr field_range lookup_range{0_ps, picoseconds{1s}};
    /// Room in front of a shared memory for frames of one port that wait for their lookup to start, or for a
    /// bank; at least max_frame. A partitioned switch has them in ingress memory.
    bytes ingress_fifo{16_KiB};
    static constexpr field_range ingress_fifo_range{64_B, largest_memory};
    /// Entries of the TCAM.
    std::uint32_t tcam_entries = 16384;
    static constexpr field_range tcam_entries_range = tcam_config::entries_range;
    /// Crossbar rate over the rate of the switch's fastest port. DeTail 7.1: 4.
    std::uint32_t speedup = 4;
    static constexpr field_range speedup_range{1U, 16U};
    /// Request-grant-accept rounds of one matching, `cell` mode only: in `frame` mode the arbiter always
    /// goes on until no eligible pair is left. 0 = so in `cell` mode too.
    std::uint32_t iterations = 4;
    static constexpr field_range iterations_range{0U, 256U};
    crossbar_mode crossbar = crossbar_mode::frame;
    /// Payload of a crossbar slot in `cell` mode.
    bytes cell{64};
    static constexpr field_range cell_range{16_B, 4096_B};
    arbiter_kind arbiter = arbiter_kind::islip;
    balance_policy balance = balance_policy::flow_hash;
    /// Drain bytes below which an egress port is favoured, ascending. DeTail 6.2: 16 KB and 64 KB.
    std::vector<bytes> balance_thresholds{16'384_B, 65'536_B};
    static constexpr field_range balance_threshold_range{1_B, largest_memory};
    /// Traffic classes in use: priorities above are mapped to the highest.
    std::uint32_t classes = 8;
    static constexpr field_range classes_range{1U, pfc_classes};
    drop_policy drop = drop_policy::ingress_tail;
    /// How the classes of an egress port share its memory, where there is more than one.
    egress_share share = egress_share::dynamic;
    /// Factor of the dynamic share. Default 8: what SONiC gives the queues of its switches, and enough for a
    /// class alone to pass `balance_thresholds` (egress_share.h).
    double share_alpha = 8.0;
    static constexpr field_range share_alpha_range{0.0, 64.0, range_ends::low_excluded};
    scheduler_kind scheduler = scheduler_kind::strict;
    /// Weights of the classes 0-7 for the deficit round robin; 0 = strict priority above all weighted ones.
    std::array<std::uint32_t, pfc_classes> weights{1, 1, 1, 1, 1, 1, 1, 1};
    static constexpr field_range weight_range = scheduler_config::weight_range;

    /// What the default scheduler is made from.
    scheduler_config egress_scheduler() const;
    config_errors validate() const;
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

/// Defaults of links that a topology leaves open. Keys: [link].
struct link_config {
    bit_rate rate{1_Gbps};
    static constexpr field_range rate_range{1_Mbps, 10'000_Gbps};
    /// One way: propagation and transceivers (T_P). The lookahead of a fabric is its smallest latency.
    /// DeTail 7.1: 1.6 us + 5 us.
    picoseconds latency{6600ns};
    static constexpr field_range latency_range{1_ps, picoseconds{1s}};
    /// Preamble, start-of-frame delimiter and inter-frame gap, counted with each frame. IEEE 802.3: 20 B.
    bytes wire_overhead{20};
    static constexpr field_range wire_overhead_range{0_B, 1000_B};

    config_errors validate() const;
};

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

    config_errors validate() const;
};

}  // namespace weir
