#include "weir/traffic/host/transports.h"

#include "weir/traffic/pfabric/pfabric_transport.h"
#include "weir/traffic/roce/roce_transport.h"
#include "weir/traffic/tcp/tcp_transport.h"
#include "weir/traffic/udp/udp_transport.h"

namespace weir::traffic {

/// The kind of a transport whose parameters are `own`.
template <class Transport, class Config>
static transport_registry::entry kind_of(Config endpoint_options::*own) {
    transport_registry::entry kind = Transport::kind();
    kind.traits.make = [own](const transport_setup& setup, const endpoint_options& options) {
        return std::make_unique<Transport>(setup, options, options.*own);
    };
    kind.traits.framing = [own](const endpoint_options& options) { return Transport::framing(options.*own); };
    return kind;
}

// Endpoints call the first two, TCP and UDP, directly.
transport_registry& transports() {
    static transport_registry list{
        kind_of<tcp_transport>(&endpoint_options::tcp),
        kind_of<udp_transport>(&endpoint_options::udp),
        kind_of<roce_transport>(&endpoint_options::roce),
        kind_of<pfabric_transport>(&endpoint_options::pfabric),
    };
    return list;
}

}  // namespace weir::traffic
