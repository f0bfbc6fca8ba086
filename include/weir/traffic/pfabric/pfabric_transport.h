// pFabric of one host (SIGCOMM 2013): transfers that begin at the link's rate, and leave it to the switches to
// serve the one of which the least is left.
//
//     pfabric_sender -- data, its rank what is left --> NIC ~~ queue_order = rank ~~> pfabric_receiver
//          ^                                                                           |
//          +------------------------------ ACK of each frame, rank 0 ------------------+
//
// Of a host's own transfers that with the least left is first, too: senders whose windows let them send wait
// until the NIC takes a frame (`host.nic = rdma`), within each priority by what is left of them.
#pragma once

#include <array>
#include <cstdint>

#include "weir/traffic/pfabric/pfabric_context.h"
#include "weir/traffic/pfabric/pfabric_receiver.h"
#include "weir/traffic/pfabric/pfabric_sender.h"
#include "weir/traffic/pfabric/shortest_first.h"
#include "weir/traffic/transport/reliable_transport.h"
#include "weir/traffic/transport/transport_kinds.h"

namespace weir::traffic {

class pfabric_transport final
    : public reliable_transport<pfabric_transport, pfabric_sender, pfabric_receiver, pfabric_context> {
 public:
    /// Retransmission.
    static constexpr unsigned timer_kinds = 1;

    static transport_registry::entry kind();
    static transfer_framing framing(const pfabric_config& config);

    pfabric_transport(const transport_setup& setup, const transport_options& options,
                      const pfabric_config& config);

    void start() override;
    void receive(const ethernet_frame& frame) override;
    void ready() override;

 private:
    friend reliable_transport;

    std::uint64_t received(const pfabric_receiver& receiver) const {
        return receiver.received_bytes(m_shared->bitmaps, m_shared->payload);
    }
    /// The sender takes its place among those that wait, or is not among them.
    void settle(std::uint32_t slot);
    void close(std::uint32_t slot);
    /// Sends until the NIC takes no more, or nobody has any.
    void serve(pfc_class priority);

    timer_kind m_first_timer;
    pfabric_config m_config;
    pfabric_path m_path;

    std::array<shortest_first, pfc_classes> m_waiting;
    /// Priorities of which the NIC takes no data now.
    unsigned m_refused = 0;
};

}  // namespace weir::traffic
