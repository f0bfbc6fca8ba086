// How a domain's nodes are spread over threads.
#pragma once

#include "weir/base/namespaces.h"

namespace weir::model {

/// Results depend on neither.
struct thread_config {
    /// The calling one included. Range: at least 1.
    unsigned threads = 1;
    /// Nodes with something to do in a quantum, for each thread, that are worth waking it. Ten are some ten
    /// microseconds of work, several times what it takes (docs/performance.md).
    unsigned grain = 10;
};

}  // namespace weir::model
