// How evenly long transfers share the fabric: Jain's index of their rates, window by window (fairness.csv), and
// over all windows (`fairness` in summary.json).
//
// J = (x1 + ... + xn)^2 / (n (x1^2 + ... + xn^2)) of the n transfers of one tag that are under way during a
// whole window; 1: all have the same rate, 1/n: one has everything. A transfer's rate is what its receiver has
// confirmed (UDP: what was sent) in the window.
//
//   flow_rates rates(network, endpoints, tags, 10ms, warmup);   // before the run
//   rates.finish(end);                                          // after it
//   rates.write(directory.create<fairness_row>());
#pragma once

#include <cstdint>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "tb/support/files/output_file.h"
#include "tb/support/record/cell.h"
#include "weir/model/fabric/fabric.h"
#include "weir/traffic/host/traffic_endpoint.h"

namespace weir::tb {

/// Of no rates, or of rates that are all 0: 1.
double jain_index(const std::vector<double>& rates);

struct fairness_row {
    picoseconds start{0};
    picoseconds end{0};
    std::string_view tag;
    std::uint64_t flows = 0;
    bit_rate mean, min, max;
    double jain_index = 1;

    static constexpr table_facts table{
        "fairness.csv", "Rates of the transfers of a tag that were under way during all of a window.",
        "`output.fairness_window` above 0"};
    template <class Columns>
    static void describe(Columns& columns) {
        using self = typename Columns::row;
        columns(column("start_ns", &self::start, "Start of the window."));
        columns(column("end_ns", &self::end, "End of the window."));
        columns(column("tag", &self::tag, "Name of the traffic.").absent("the transfer has no tag"));
        columns(column("flows", &self::flows, "Transfers that were under way all the time.").unit("flows"));
        columns(column("mean_bps", &self::mean, "Mean of their rates."));
        columns(column("min_bps", &self::min, "Lowest rate."));
        columns(column("max_bps", &self::max, "Highest rate."));
        columns(column("jain_index", &self::jain_index,
                       "Jain's index of the rates: 1 if all are equal, 1 / flows if one transfer has all.")
                    .unit("1")
                    .decimals(6));
    }
};

class flow_rates final : private periodic_look {
 public:
    /// Windows are whole multiples of `window`, from the end of the warm-up on. References outlive this.
    flow_rates(fabric& made, const std::vector<traffic_endpoint*>& endpoints,
               const std::vector<std::string>& tags, picoseconds window, picoseconds warmup);

    /// All nodes have run to `end`, and nothing happened later. Collective.
    void finish(picoseconds end);
    /// Leaves out windows in which no transfer of a tag got anything. Throws output_error.
    void write(output_file file) const;
    /// By tag: of the windows, and of the transfers that were under way during all of them.
    nlohmann::ordered_json summary() const;

 private:
    /// What transfers under way have got so far, by number of transfer: on rank 0; elsewhere nothing.
    struct progress {
        std::uint8_t tag;
        std::uint64_t bytes;
    };
    using snapshot = std::map<std::uint64_t, progress>;
    /// One tag in one window.
    struct window_share {
        picoseconds start{0};
        picoseconds end{0};
        std::uint8_t tag = 0;
        std::uint64_t flows = 0;
        double mean_bps = 0;
        double min_bps = 0;
        double max_bps = 0;
        double jain = 1;
    };

    void look(picoseconds now) override;
    snapshot take() const;
    static std::vector<window_share> shares(const snapshot& from, picoseconds start, const snapshot& to,
                                            picoseconds end);

    fabric& m_fabric;
    const std::vector<traffic_endpoint*>& m_endpoints;
    const std::vector<std::string>& m_tags;
    picoseconds m_window;
    picoseconds m_warmup;
    /// At the first look of all, and at the last one.
    snapshot m_first;
    picoseconds m_first_time = never;
    snapshot m_last;
    picoseconds m_last_time{0};
    std::vector<window_share> m_windows;
};

}  // namespace weir::tb
