#include "weir/traffic/host/transports.h"

#include "weir/traffic/pfabric/pfabric_transport.h"
#include "weir/traffic/roce/roce_transport.h"
#include "weir/traffic/tcp/tcp_transport.h"
#include "weir/traffic/udp/udp_transport.h"

namespace weir::traffic {

template <class Transport>
static std::unique_ptr<transport> make(const transport_setup& setup, const transport_options& options) {
    return std::make_unique<Transport>(setup, options);
}

static transfer_framing tcp_framing(const transport_options& options) {
    const tcp_config& tcp = options.tcp;
    return {tcp.mss, tcp.header, tcp.handshake, tcp.min_frame, tcp.syn_options, tcp.handshake_ack};
}

static transfer_framing udp_framing(const transport_options& options) {
    return {options.udp.payload, options.udp.header, false};
}

static transfer_framing roce_framing(const transport_options& options) {
    return {options.roce.payload, options.roce.header, false};
}

static transfer_framing pfabric_framing(const transport_options& options) {
    return {options.pfabric.payload, options.pfabric.header, false};
}

registry<transport_kind, transport_traits>& transports() {
    using kind = frame_kind;
    static registry<transport_kind, transport_traits> list{
        {"tcp",
         "TCP",
         {make<tcp_transport>,
          {kind::tcp_data, kind::tcp_ack, kind::tcp_syn, kind::tcp_syn_ack},
          tcp_transport::timer_kinds,
          true,
          tcp_framing}},
        {"udp", "UDP", {make<udp_transport>, {kind::udp}, udp_transport::timer_kinds, false, udp_framing}},
        {"roce",
         "RoCEv2: queue pairs that send at a rate",
         {make<roce_transport>,
          {kind::roce_data, kind::roce_ack, kind::roce_nak, kind::cnp},
          roce_transport::timer_kinds,
          true,
          roce_framing}},
        {"pfabric",
         "pFabric: switches serve the transfer with the least left",
         {make<pfabric_transport>,
          {kind::pfabric_data, kind::pfabric_ack, kind::pfabric_probe},
          pfabric_transport::timer_kinds,
          true,
          pfabric_framing,
          true}},
    };
    return list;
}

}  // namespace weir::traffic
