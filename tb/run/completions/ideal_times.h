// What transfers and jobs take where nothing else is in the fabric: `ideal_ns` of flows.csv and jobs.csv.
//
//   ideal_times transfers(plan, ideal_delays_of(config, config.device.lookup_delay));
//   picoseconds ideal = transfers.of(delivery_record{7, 7, 0, 5, 8_KB});
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "tb/run/options/run_config.h"
#include "weir/model/analysis/unloaded_path.h"
#include "weir/traffic/apps/application.h"
#include "weir/traffic/host/records.h"

namespace weir::tb {

/// What transfers take in an empty fabric, by `transport_kind`: they differ in their headers and segments.
using ideal_delays = std::vector<unloaded_delays>;
/// `lookup`: the shortest that a switch has, of a model or of RTL.
ideal_delays ideal_delays_of(const run_config& config, picoseconds lookup);

/// `ideal_completion`, with the latest results kept. Hosts at one switch whose links are alike have equal ones,
/// so that those between some thousand hosts are those between a few hundred kinds.
class ideal_times {
 public:
    ideal_times(const topology& plan, const ideal_delays& delays);

    /// `never` where the source is no host of the fabric.
    picoseconds of(const delivery_record& flow);
    /// For which the transfer's frames keep the receiver's link busy. `flow.src` is a host of the fabric.
    picoseconds on_last_link(const delivery_record& flow);
    /// A transfer of its first frame alone.
    delivery_record first_frame(delivery_record flow) const;

 private:
    static constexpr unsigned slot_bits = 16;
    struct entry {
        /// Kinds of hosts.
        std::uint32_t src = 0;
        std::uint32_t dst = 0;
        /// 0: empty.
        bytes size{0};
        transport_kind transport{};
        picoseconds time{0};
    };
    /// By host: hosts of one number are alike.
    std::vector<std::uint32_t> m_kind_of;
    /// By `transport_kind`.
    std::vector<unloaded_paths> m_paths;
    std::vector<entry> m_known;
};

/// What no fabric without other traffic can beat, whatever the windows: of a job whose transfers follow each
/// other the sum of their ideal times; of one that asks several servers at once (partition/aggregate, incast)
/// the larger of the slowest server's request and response, and of what all responses take on the link that
/// they share, behind the earliest that a first one can be there.
class ideal_jobs {
 public:
    /// `transfers` outlives it.
    explicit ideal_jobs(ideal_times& transfers) : m_transfers(transfers) {}

    /// A transfer has arrived; before its job is done.
    void add(const delivery_record& transfer) { m_open[transfer.job].push_back(transfer); }
    /// The job is done. `never` where one of its transfers has no ideal time.
    picoseconds take(const job_record& job);

 private:
    picoseconds in_parallel(const std::vector<delivery_record>& transfers, host_id asker);
    void add_time_below(const std::vector<delivery_record>& transfers, host_id asker, host_id server,
                        picoseconds& request);

    ideal_times& m_transfers;
    std::unordered_map<std::uint64_t, std::vector<delivery_record>> m_open;
};

}  // namespace weir::tb
