// Parameters of a switch. Defaults are DeTail's switch (technical report 2011, sections 4 to 7) at 1 Gb/s. A
// field's range stands below it; what it may be beside other fields is in its comment.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "weir/base/config_error.h"
#include "weir/base/field_range.h"
#include "weir/base/time.h"
#include "weir/base/units.h"
#include "weir/model/config/largest_memory.h"
#include "weir/model/config/scheduler_config.h"
#include "weir/model/config/tcam_config.h"
#include "weir/protocol/frame.h"

namespace weir {

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

}  // namespace weir
