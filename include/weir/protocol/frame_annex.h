// What travels beside a frame's descriptor where switches append in-band telemetry (`switch.telemetry`): one
// record for each switch that the frame has passed. Elsewhere no frame has an annex, and nothing pays for it.
//
// A switch writes its record when the frame's first bit leaves. A receiver may send what came with a data frame
// back with its acknowledgement; switches then leave it as it is. (INT-MD and its use in HPCC: P4.org's In-band
// Network Telemetry 2.1, section 5; Li et al., SIGCOMM 2019, section 3.) Length on the wire is the sender's to
// count, in `ethernet_frame::frame_bytes`: a header's room is taken from the start, whatever switches fill in.
#pragma once

#include <array>
#include <cstdint>

#include "weir/base/time.h"
#include "weir/base/units.h"

namespace weir {

/// What one switch says about the egress port by which the frame leaves.
struct telemetry_record {
    /// When the frame's first bit left.
    picoseconds departed{0};
    /// All data frames that the port has sent since the run's start, this one included, without PAUSE and PFC.
    /// Unit: B of frames, FCS included, without preamble and gap.
    std::uint64_t sent_bytes = 0;
    /// Of the link, at that time.
    bit_rate rate{0};
    /// Bytes of the frame's class that are left behind for this port: in its egress queue and, where memory is
    /// partitioned, in VOQs and crossing. Unit: B of memory (whole cells where memory has cells).
    std::uint32_t queued_bytes = 0;
    /// The switch's index among the nodes, and its port.
    std::uint16_t port = 0;
    std::uint32_t node = 0;
};

struct frame_annex {
    /// Paths between hosts pass at most so many switches that are recorded; later ones are counted only.
    static constexpr unsigned most_records = 8;

    std::array<telemetry_record, most_records> records{};
    /// Switches that wanted to append, `most_records` and more.
    std::uint32_t switches = 0;
    /// It was collected by another frame, and goes back to that frame's sender.
    bool returns = false;

    unsigned size() const { return switches < most_records ? switches : most_records; }
    bool is_complete() const { return switches <= most_records; }
    void append(const telemetry_record& record) {
        if (switches < most_records) {
            records[switches] = record;
        }
        ++switches;
    }
};

}  // namespace weir
