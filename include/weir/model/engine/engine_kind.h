// Which engine runs a fabric.
#pragma once

#include <cstdint>

#include "weir/base/namespaces.h"

namespace weir::model {

enum class engine_kind : std::uint8_t {
    fast,    ///< nodes run ahead of each other by a quantum
    literal  ///< one event at a time, in order of time: slow, an oracle
};

}  // namespace weir::model
