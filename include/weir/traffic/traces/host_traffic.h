// What a host sends and receives in a run.
#pragma once

namespace weir::traffic {

/// Unit: B, or any, where only shares count.
struct host_traffic {
    double sent = 0;
    double received = 0;
};

}  // namespace weir::traffic
