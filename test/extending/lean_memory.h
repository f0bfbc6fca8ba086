// An organisation of packet memory: only egress ports have memory.
#pragma once

#include "weir/model/memory/memory_organisation.h"

namespace outside {

inline weir::model::buffer_kind add_lean_memory() {
    using namespace weir;
    model::memory_organisation lean = model::memory_organisations()[named<model::buffer_kind>("output_queued")];
    return model::memory_organisations().add({"lean", "only egress ports have memory", lean});
}

}  // namespace outside
