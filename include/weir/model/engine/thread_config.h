// How a domain's nodes are spread over threads.
#pragma once

#include <algorithm>
#include <cstddef>

#include "weir/base/namespaces.h"
#include "weir/base/processors.h"

namespace weir::model {

/// Results depend on neither.
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
