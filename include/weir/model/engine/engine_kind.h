// Which engine runs a fabric.
#pragma once

#include <cstdint>

#include "weir/base/enum_names.h"
#include "weir/base/namespaces.h"

namespace weir::model {

enum class engine_kind : std::uint8_t { fast, literal };
constexpr auto names_of(engine_kind) {
    return enum_names<engine_kind>({
        {engine_kind::fast, "fast", "nodes run ahead of each other by up to one quantum"},
        {engine_kind::literal, "literal",
         "one event at a time in order of time, from one ordered map: slow, the reference for fast"},
    });
}

}  // namespace weir::model
