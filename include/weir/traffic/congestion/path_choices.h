// The registry of a sender's path choices (`tcp.path_choice`): `path_choices().add` adds one of your own.
#pragma once

#include <functional>
#include <memory>

#include "weir/base/enum_names.h"
#include "weir/base/registry.h"
#include "weir/traffic/congestion/path_choice.h"
#include "weir/traffic/congestion/tcp_config.h"

namespace weir::traffic {

/// Makes null where a transfer keeps its path.
using path_choice_maker = std::function<std::unique_ptr<const path_choice>(const tcp_config&)>;

registry<path_kind, path_choice_maker>& path_choices();
constexpr registered_names<path_kind, path_choices> names_of(path_kind) {
    return {};
}

}  // namespace weir::traffic
