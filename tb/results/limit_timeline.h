// What bound a run, interval by interval: a link that is saturated for a tenth of the run is 10 % busy in the
// mean, and still what its frames waited for in that time.
//
//   limit_timeline timeline(fabric, config.device, warmup);   // before the run
//   timeline.finish(end);                                     // after it, when all nodes are settled
//   timeline.mark(resources);                                 // who bound when
//   write_intervals(file, timeline, resources);               // limit_intervals.csv
//
// Intervals are equal, and lie at whole multiples of their length; the first begins with the end of the
// warm-up, the last ends with the run. An interval holds 64 of the longest frames at least, on the slowest link
// as it is at the start, so that one burst of frames is no limit. When there are too many, two at a time become
// one, in all of the fabric at the same time; so nothing depends on quantum, threads and engine.
#pragma once

#include <cstdint>
#include <vector>

#include "tb/results/resources.h"
#include "tb/results/run_directory.h"

namespace weir {

class limit_timeline : private periodic_look {
 public:
    /// Most intervals; fewer than half of them remain in the end, at least a quarter in a run that is long
    /// enough.
    static constexpr std::uint32_t most_intervals = 256;
    /// Memory that the loads of all intervals may take. Unit: B. With that, at least 32 are stored at a time.
    static constexpr std::size_t memory = std::size_t{32} << 20;

    /// Before the run. `made` and `device` outlive this.
    limit_timeline(fabric& made, const switch_config& device, picoseconds warmup);

    /// Nodes are settled up to `end`, which is the end of the run.
    void finish(picoseconds end);

    std::size_t intervals() const { return m_ends.size(); }
    picoseconds start_of(std::size_t interval) const { return interval == 0 ? m_warmup : m_ends[interval - 1]; }
    picoseconds end_of(std::size_t interval) const { return m_ends[interval]; }
    /// In the order of `resources_of`.
    resource_load load(std::size_t interval, std::size_t resource) const;

    /// Says of each when it bound. `all`: from `resources_of`.
    void mark(std::vector<resource_use>& all) const;

 private:
    /// A `resource_load` in little memory. Shares in 1/65,535 of the interval.
    struct small_load {
        std::uint16_t busy = 0;
        std::uint16_t stalled = 0;
        std::uint16_t port_used = 0;
        std::uint16_t lost = 0;
    };

    void look(picoseconds now) override;
    void take(picoseconds now);
    void add(picoseconds end, const resource_readings& now);
    void add_quiet(picoseconds end, picoseconds last_start, picoseconds now, const resource_readings& readings);
    /// Keeps the intervals equal, and fewer than the store has room for.
    void join_last();
    void join_pairs();
    void join(std::size_t first, std::size_t last, std::size_t to);

    fabric& m_made;
    const switch_config& m_device;
    picoseconds m_warmup;
    /// Nodes have to be settled before their counts are right.
    bool m_counts_lag;
    picoseconds m_interval{0};
    std::uint32_t m_capacity = most_intervals;
    resource_readings m_before;
    std::size_t m_resources = 0;
    std::vector<picoseconds> m_ends;
    /// By interval and resource.
    std::vector<small_load> m_loads;
};

/// limit_intervals.csv: a line for each interval and kind of resource, with the one that was nearest to its
/// limit.
void write_intervals(output_file& file, const limit_timeline& timeline, const std::vector<resource_use>& all);

}  // namespace weir
