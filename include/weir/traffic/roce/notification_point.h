// DCQCN's notification point (SIGCOMM 2015, section 3.1): a receiver that answers marks with CNPs, at most one
// per interval and queue pair. A marked frame is answered at once where no CNP was sent for that long.
//
//   notification_point np;
//   np.on_marked(10us, 50us);     // true: a CNP
//   np.on_marked(59us, 50us);     // false
//   np.on_marked(60us, 50us);     // true
#pragma once

#include "weir/base/time.h"

namespace weir::traffic {

class notification_point {
 public:
    /// A marked frame has come. True: a CNP is due.
    bool on_marked(picoseconds now, picoseconds interval) {
        if (now < m_quiet_until) {
            return false;
        }
        m_quiet_until = now + interval;
        return true;
    }

 private:
    picoseconds m_quiet_until{0};
};

}  // namespace weir::traffic
