// The queue behind the `red` sets of transport goldens: a RedQueueDisc of ns-3 3.37, whose decisions say how
// long the queue is that each arrival finds. What a replay compares is computed from these lengths; nothing
// else of ns-3 comes out. Its rule differs from the papers' in how it counts idle time, arrivals and bytes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>

#include "weir/base/time.h"
#include "weir/model/marking/red_rule.h"

namespace weir::tb {

/// One line of scenarios.csv.
struct red_scenario : model::red_parameters {
    /// Unit: as of the thresholds.
    std::uint64_t limit = 0;
    double link_bps = 0;
    bool use_ecn = false;
    bool use_hard_drop = false;
};

class ns3_red_queue {
 public:
    explicit ns3_red_queue(const red_scenario& scenario) : m_scenario(scenario) {}

    /// In the scenario's unit.
    std::uint64_t length() const { return m_scenario.in_bytes ? m_bytes : m_sizes.size(); }
    /// When the last frame was taken that left nothing behind; nothing while there is a frame.
    std::optional<picoseconds> empty_since() const { return m_empty_since; }
    /// `draw`: what ns-3's uniform variable returned, or would have.
    void arrive(std::uint32_t frame_bytes, bool ecn_capable, double draw, picoseconds now);
    void depart(picoseconds now);

 private:
    enum class drop : std::uint8_t { none, early, forced };
    drop decide(std::uint32_t frame_bytes, double draw, picoseconds now);
    double probability(std::uint32_t frame_bytes) const;

    red_scenario m_scenario;
    std::deque<std::uint32_t> m_sizes;
    std::uint64_t m_bytes = 0;
    std::optional<picoseconds> m_empty_since = 0_ps;
    // Of ns-3: since when it knows that the queue is empty.
    std::optional<picoseconds> m_idle_since = 0_ps;
    double m_average = 0;
    std::uint64_t m_count = 0;
    std::uint64_t m_count_bytes = 0;
    bool m_was_above = false;
};

}  // namespace weir::tb
