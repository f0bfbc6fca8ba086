// Transfers that had started and not completed by the end of a run: a transfer is complete when its receiver
// has every byte.
//
// Senders know the transfers that they are not done with. A sender whose transport confirms nothing (UDP) is
// done when its last byte is handed to the NIC; such transfers are kept here until they are delivered.
//
//   unfinished_transfers unfinished;
//   unfinished.add_sent(record);                        // host_log::unconfirmed
//   unfinished.remove_delivered(record);
//   for (const unfinished_transfer& each : unfinished.at_end(endpoints, team, end)) { ... }
#pragma once

#include <cstdint>
#include <vector>

#include "weir/base/number_table.h"
#include "weir/model/ranks/rank_team.h"
#include "weir/traffic/host/traffic_endpoint.h"

namespace weir::tb {

using traffic::delivery_record;
using traffic::traffic_endpoint;

/// A transfer whose receiver does not have every byte; `end` is that of the run.
struct unfinished_transfer : delivery_record {
    /// Payload that the receiver has. Unit: B.
    std::uint64_t received_bytes = 0;
};

class unfinished_transfers {
 public:
    /// Every byte of a transfer that nothing confirms has left.
    void add_sent(const delivery_record& transfer) { m_sent.add(transfer.flow) = transfer; }
    /// Precondition: `add_sent` of the same transfer, if any, came before.
    void remove_delivered(const delivery_record& transfer) {
        if (m_sent.size() > 0 && m_sent.find(transfer.flow) != nullptr) {
            m_sent.remove(transfer.flow);
        }
    }
    /// Collective: the unfinished transfers of the run, by start and number, on all ranks. `endpoints`: by
    /// host; null where another rank has it, or nobody.
    std::vector<unfinished_transfer> at_end(const std::vector<traffic_endpoint*>& endpoints,
                                            model::rank_team& team, picoseconds end) const;

 private:
    /// Transfers that have left and not arrived whole, by number.
    number_table<delivery_record> m_sent;
};

/// Collective: jobs that hosts have started and that are not done, but for those that are one transfer; on rank
/// 0, in no particular order. Their `end` is that of the run.
std::vector<traffic::job_record> unfinished_jobs(const std::vector<traffic_endpoint*>& endpoints,
                                                 model::rank_team& team, picoseconds end);

}  // namespace weir::tb
