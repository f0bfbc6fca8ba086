// Names of what may stand for a block: options of several groups have it.
#pragma once

#include "tb/options/option_table.h"
#include "tb/options/run_config.h"

namespace weir {

template <>
struct enum_names<block_kind> {
    static constexpr enum_name<block_kind> list[] = {
        {block_kind::model, "model", "the model"},
        {block_kind::rtl, "rtl",
         "the project's RTL, simulated with Verilator, in the switches that rtl.switches names"},
    };
};

}  // namespace weir
