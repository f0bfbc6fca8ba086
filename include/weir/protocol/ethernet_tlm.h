// Ethernet links as TLM-2.0 sockets, with a protocol of their own.
//
// IEEE 1666 14.2: a protocol that is not memory mapped defines its own traits class and must not bind to
// sockets of the base protocol; the types see to that.
//
// Rules of the protocol:
//  - One `nb_transport_fw` call per frame, phase `ethernet_phase::first_bit`. `sc_time_stamp()` + the
//    annotated delay is the time at which the frame's first bit reaches the target. The target derives
//    the last bit's time from the frame's length and the link's rate. The delay is always honoured.
//  - A link's direction is one initiator socket and one target socket. The annotated delay is at least
//    the link's latency after the call, which is what lets nodes run ahead of each other.
//  - The payload is valid during the call only: a target copies what it needs (`ethernet_sink` does).
//  - Frames of one direction do not overlap on the wire. The target returns TLM_COMPLETED. There is no
//    backward path: pause comes as a frame on the link's other direction.
#pragma once

#include <cstdint>
#include <cstring>

#include <systemc>
#include <tlm>

#include "weir/base/time.h"
#include "weir/protocol/frame.h"

namespace weir {

enum class ethernet_phase { first_bit };

struct ethernet_protocol_types {
    using tlm_payload_type = ethernet_frame;
    using tlm_phase_type = ethernet_phase;
};

using ethernet_fw_if = tlm::tlm_fw_transport_if<ethernet_protocol_types>;
using ethernet_bw_if = tlm::tlm_bw_transport_if<ethernet_protocol_types>;

/// One direction of a link: the sender's and the receiver's socket. A user's module may use these, or
/// the convenience sockets of ethernet_sockets.h.
using ethernet_initiator_socket = tlm::tlm_initiator_socket<8, ethernet_protocol_types>;
using ethernet_target_socket = tlm::tlm_target_socket<8, ethernet_protocol_types>;

/// Picoseconds as a kernel time. The kernel's resolution must be 1 ps, which the fabric checks.
///
/// An `sc_time` is a 64-bit count of the resolution, which this function writes; the fabric checks that too.
/// `sc_time::from_value` would change a flag of the kernel at each call, and a product with a double costs 20
/// instructions. Range: time >= 0.
inline sc_core::sc_time to_sc_time(picoseconds time) {
    sc_core::sc_time kernel_time;
    static_assert(sizeof kernel_time == sizeof(std::int64_t));
    const std::int64_t count = time.count();
    std::memcpy(static_cast<void*>(&kernel_time), &count, sizeof count);
    return kernel_time;
}
inline picoseconds to_picoseconds(const sc_core::sc_time& time) {
    return picoseconds{static_cast<std::int64_t>(time.value())};
}

}  // namespace weir
