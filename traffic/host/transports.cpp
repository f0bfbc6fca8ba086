#include "weir/traffic/host/transports.h"

#include "weir/traffic/tcp/tcp_transport.h"
#include "weir/traffic/udp/udp_transport.h"

namespace weir {

template <class Transport>
static transport_traits traits_of(std::vector<frame_kind> frames) {
    return {[](const transport_setup& setup, const transport_options& options) {
                return std::make_unique<Transport>(setup, options);
            },
            std::move(frames), Transport::timer_kinds};
}

registry<transport_kind, transport_traits>& transports() {
    static registry<transport_kind, transport_traits> list{
        {"tcp", "TCP",
         traits_of<tcp_transport>(
             {frame_kind::tcp_data, frame_kind::tcp_ack, frame_kind::tcp_syn, frame_kind::tcp_syn_ack})},
        {"udp", "UDP", traits_of<udp_transport>({frame_kind::udp})},
    };
    return list;
}

}  // namespace weir
