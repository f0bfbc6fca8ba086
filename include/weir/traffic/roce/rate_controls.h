// The registry of rate controls of queue pairs (`roce.rate_control`). `rate_controls().add` adds one of yours.
#pragma once

#include <functional>
#include <memory>

#include "weir/base/enum_names.h"
#include "weir/base/registry.h"
#include "weir/traffic/roce/rate_control.h"
#include "weir/traffic/roce/roce_config.h"

namespace weir::traffic {

/// `line`: the link's rate.
using rate_control_maker =
    std::function<std::unique_ptr<const rate_control>(const roce_config&, bit_rate line)>;

registry<rate_control_kind, rate_control_maker>& rate_controls();
constexpr registered_names<rate_control_kind, rate_controls> names_of(rate_control_kind) {
    return {};
}

}  // namespace weir::traffic
