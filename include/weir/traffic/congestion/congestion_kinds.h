// The registry of TCP's congestion controls (`tcp.congestion`): `congestion_kinds().add` adds one of your own.
#pragma once

#include <functional>
#include <memory>

#include "weir/base/enum_names.h"
#include "weir/base/registry.h"
#include "weir/traffic/congestion/congestion_control.h"
#include "weir/traffic/congestion/tcp_config.h"

namespace weir::traffic {

using congestion_maker = std::function<std::unique_ptr<const congestion_control>(const tcp_config&)>;

registry<congestion_kind, congestion_maker>& congestion_kinds();
constexpr registered_names<congestion_kind, congestion_kinds> names_of(congestion_kind) {
    return {};
}

/// `tcp.congestion = auto`: one that listens to marks if switches mark frames.
congestion_kind default_congestion(bool switches_mark);

}  // namespace weir::traffic
