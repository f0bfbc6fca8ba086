// The parameters of all transports of a host. transports.cpp has the list of the kinds.
#pragma once

#include "weir/traffic/congestion/tcp_config.h"
#include "weir/traffic/pfabric/pfabric_config.h"
#include "weir/traffic/roce/roce_config.h"
#include "weir/traffic/transport/transport.h"
#include "weir/traffic/transport/transport_kinds.h"
#include "weir/traffic/udp/udp_config.h"

namespace weir::traffic {

struct endpoint_options : transport_options {
    tcp_config tcp{};
    udp_config udp{};
    roce_config roce{};
    pfabric_config pfabric{};
};

}  // namespace weir::traffic
