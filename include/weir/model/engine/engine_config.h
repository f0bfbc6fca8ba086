// How a run is executed: results do not depend on it.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "weir/base/enum_names.h"
#include "weir/base/namespaces.h"
#include "weir/base/processors.h"

namespace weir::model {

/// Which engine runs a fabric.
enum class engine_kind : std::uint8_t { fast, literal };
constexpr auto names_of(engine_kind) {
    return enum_names<engine_kind>({
        {engine_kind::fast, "fast", "nodes run ahead of each other by up to one quantum"},
        {engine_kind::literal, "literal",
         "one event at a time in order of time, from one ordered map: slow, the reference for fast"},
    });
}

/// How a domain's nodes are spread over threads.
struct thread_config {
    /// The calling one included. Range: at least 1.
    unsigned threads = 1;
    /// Nodes with something to do in a quantum, for each thread, that are worth waking it. Ten are some ten
    /// microseconds of work, several times what it takes (docs/performance.md).
    /// 0: each quantum is run by as many threads as are asked for, and memory is fetched ahead, whatever that
    /// takes: so tests do with small fabrics what large ones do.
    unsigned grain = 10;

    /// Threads that are made: no more than the process has processors, where they would only be in each other's
    /// way.
    unsigned team() const { return grain == 0 ? threads : std::min(threads, usable_processors()); }

    /// Whether memory is asked for before nodes need it, where they have `ports` in all: from some 8 MiB of
    /// state on that frames touch. Below, what that costs is more than it saves (docs/performance.md).
    bool fetches_ahead(std::size_t ports) const {
        constexpr std::size_t large_fabric = 2048;
        return grain == 0 || ports >= large_fabric;
    }
};

}  // namespace weir::model
