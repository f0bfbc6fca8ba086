// What bound a run, interval by interval: a link that is saturated for a tenth of the run is 10 % busy in the
// mean, and still what its frames waited for in that time.
//
//   limit_timeline timeline(network, config.device, warmup);  // before the run
//   timeline.finish(end);                                     // after it, when all nodes are settled
//   timeline.mark(resources);                                 // who bound when
//   write_intervals(directory.create<limit_interval_row>(), timeline, resources);
//
// Readings (looks) are taken at whole multiples of a constant time, in which the slowest link, as it is at the
// start, sends at least 64 of the longest frames, so that one burst of frames does not count as a limit. What
// binds between two looks is added up. Up to eight looks make an interval of the table; if there are too many
// intervals, two at a time are joined, in all of the fabric at the same time. The first interval begins with
// the end of the warm-up, or without one with the first frame; the last one ends with the run. So a resource is
// known to bind if it does for a 500th of that time (a 60th where `memory` bounds the intervals), or in a short
// run for twice the time between two looks.
//
// A look that finds nothing new has no effect: the timeline depends only on what happened, not on quantum,
// threads and engine, nor on how far beyond its end a run was continued.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "tb/run/samples/limits.h"

namespace weir::tb {

class limit_timeline : private periodic_look {
 public:
    /// Most intervals; fewer than half of them remain in the end, at least a quarter in a run that is long
    /// enough.
    static constexpr std::uint32_t most_intervals = 256;
    static constexpr std::int64_t most_looks_per_interval = 8;
    /// Memory that the loads of all intervals may take. Unit: B. With that, at least 32 are stored at a time.
    static constexpr std::size_t memory = std::size_t{32} << 20;

    /// Before the run. `made` and `device` outlive this.
    limit_timeline(fabric& made, const switch_config& device, picoseconds warmup);

    /// Nodes are settled up to `end`, which is the end of the run.
    void finish(picoseconds end);

    std::size_t intervals() const { return m_ends.size(); }
    picoseconds start_of(std::size_t interval) const { return interval == 0 ? m_start : m_ends[interval - 1]; }
    picoseconds end_of(std::size_t interval) const { return m_ends[interval]; }
    /// In the order of `resources_of`.
    resource_load load(std::size_t interval, std::size_t resource) const;
    /// For how much of the interval the resource bound. Range: 0 to 100.
    double bound_percent(std::size_t interval, std::size_t resource) const;

    /// Says of each when it bound. `all`: from `resources_of`.
    void mark(std::vector<resource_use>& all) const;

 private:
    using shared_readings = std::shared_ptr<const resource_readings>;
    /// A `resource_load` in little memory. Shares in 1/65,535 of the interval.
    struct small_load {
        std::uint16_t busy = 0;
        std::uint16_t stalled = 0;
        std::uint16_t port_used = 0;
        std::uint16_t lost = 0;
        std::uint16_t bound = 0;
    };
    /// When a resource bound, in all.
    struct bound_time {
        picoseconds from{0};
        picoseconds to{0};
        picoseconds total{0};
        /// Since the end of the last interval.
        picoseconds of_interval{0};

        void add(picoseconds begin, picoseconds end);
    };
    /// What a look has found, from `active_from` on: nothing happened between the look before and that time,
    /// but for frames that were on the wire.
    struct finding {
        picoseconds active_from{0};
        picoseconds time{0};
        shared_readings readings;
    };

    /// What a rank knows of its resources. `nodes`: of each its node, as a place among all.
    struct rank_part {
        std::vector<std::uint32_t> nodes;
        std::vector<bound_time> bound;
        std::vector<small_load> loads;

        template <class Octets>
        void fields(Octets& o) {
            o(nodes, bound, loads);
        }
    };

    void look(picoseconds now) override;
    finding find(picoseconds now);
    void prepare(const resource_readings& readings);
    void take(finding found);
    /// Before the first finding that counts.
    void begin(const resource_readings& readings);
    void take_quiet_time(const finding& found);
    void take_active_time(const finding& found);
    picoseconds end_of_last() const { return m_ends.empty() ? m_start : m_ends.back(); }
    picoseconds next_end() const { return (end_of_last() / m_interval + 1) * m_interval; }
    void add(picoseconds end, const shared_readings& now);
    /// Keeps the intervals equal, and fewer than the store has room for.
    void join_last();
    void join_pairs();
    void join(std::size_t first, std::size_t last, std::size_t to);
    /// From now on, on rank 0, the resources are those of all ranks; elsewhere there are none.
    void gather();

    fabric& m_made;
    const switch_config& m_device;
    picoseconds m_warmup;
    /// Start of the first interval; final once a look counts.
    picoseconds m_start;
    /// Nodes have to be settled before their counts are right.
    bool m_counts_lag;
    picoseconds m_look{0};
    picoseconds m_interval{0};
    std::uint32_t m_capacity = most_intervals;
    /// The last look that found anything; it counts once another one does, or the run has ended.
    std::optional<finding> m_pending;
    /// At the look before, and its time; at the end of the last interval.
    shared_readings m_before;
    picoseconds m_reached{0};
    shared_readings m_at_end;
    bool m_is_prepared = false;
    std::size_t m_resources = 0;
    std::vector<bound_time> m_bound;
    std::vector<picoseconds> m_ends;
    /// By interval and resource.
    std::vector<small_load> m_loads;
};

struct limit_interval_row : resource_summary {
    picoseconds start{0};
    picoseconds end{0};

    static constexpr table_facts table{
        "limit_intervals.csv",
        "Resources that bound in each interval of the run: a line for each interval and kind."};
    template <class Columns>
    static void describe(Columns& columns) {
        using self = typename Columns::row;
        const auto add = [&](const char* name, double resource_use::*place, const char* help) {
            columns(column(
                        name, [place](const self& r) { return r.worst.*place; }, help)
                        .decimals(4));
        };
        columns(column("start_ns", &self::start, "Start of the interval."));
        columns(column("end_ns", &self::end, "End of the interval."));
        columns(column("resource", &self::kind, "Kind of resource."));
        columns(column("of", &self::of, "Number of resources of the kind.").unit("resources"));
        columns(column("binding", &self::binding,
                       "Number of them that were at their limit in some part of the interval.")
                    .unit("resources"));
        columns(column(
            "nearest", [](const self& r) { return r.worst.name(); },
            "The resource that was nearest to its limit, such as tor0.tx3; the columns behind it are its "
            "own."));
        add("busy_percent", &resource_use::busy_percent, load_help::busy);
        add("stalled_percent", &resource_use::stalled_percent, load_help::stalled);
        add("port_used_percent", &resource_use::port_used_percent, load_help::port_used);
        columns(column(
            "lost_frames", [](const self& r) { return r.worst.lost_frames; },
            "Frames lost because of it; ends at 65,535."));
        add("bound_percent", &resource_use::bound_percent, "Share of the interval in which it bound.");
    }
};

/// Writes limit_intervals.csv. Throws output_error.
void write_intervals(output_file file, const limit_timeline& timeline, const std::vector<resource_use>& all);

}  // namespace weir::tb
