// What limits a run: of all links, lookup pipelines, crossbars and packet memories, which could not do more.
//
//   std::vector<resource_use> all = resources_of(network, config.device, end, measured);
//   timeline.mark(all);                            // limit_timeline.h: when each bound
//   write_limits(directory.create<limit_row>(), all);
//   summary.resources = summary_of(all);           // what binds
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "tb/run/samples/resources.h"
#include "tb/support/files/output_file.h"
#include "tb/support/record/cell.h"

namespace weir::tb {

/// All of one kind.
struct resource_summary {
    resource_kind kind = resource_kind::link;
    std::size_t of = 0;
    /// In the whole time, or in an interval of it.
    std::size_t binding = 0;
    /// The one that binds most, or is busiest.
    resource_use worst;
    /// Resources that bind, at most `most_named`; the one that binds most comes first.
    std::vector<resource_use> fullest;

    static constexpr std::size_t most_named = 3;
};

/// Collects them one by one.
class resource_summaries {
 public:
    void add(const resource_use& use);
    /// Kinds that there are, in their order.
    std::vector<resource_summary> present() const;

 private:
    std::array<resource_summary, resource_kinds> m_by_kind;
};
std::vector<resource_summary> summary_of(const std::vector<resource_use>& resources);
/// The kinds whose worst resource limits the run. Order: most frames lost, then most time awaited by ports,
/// then longest bound, then busiest; hosts last.
std::vector<resource_summary> limiting_of(const std::vector<resource_summary>& all);

/// Meaning of columns with the use of a resource in a stretch of time.
namespace load_help {
inline constexpr const char* busy =
    "Share of the time in which it was busy; of memories, share of the accesses that the banks could have "
    "made.";
inline constexpr const char* stalled =
    "Share of the time in which a port had something to send and waited for it.";
inline constexpr const char* port_used = "Share of the time in which that port was sending or waiting.";
}  // namespace load_help

struct limit_row : resource_use {
    std::optional<std::uint64_t> frames_waited() const { return if_known(waited); }
    std::optional<double> mean_wait_ns() const {
        return if_known(static_cast<double>(wait_time.count()) /
                        static_cast<double>(std::max<std::uint64_t>(served, 1)) / 1000);
    }
    std::optional<picoseconds> max_wait() const { return if_known(longest_wait); }
    std::optional<picoseconds> bound_begin() const {
        return bound_percent > 0 ? std::optional(bound_from) : std::nullopt;
    }
    std::optional<picoseconds> bound_end() const {
        return bound_percent > 0 ? std::optional(bound_to) : std::nullopt;
    }

    static constexpr table_facts table{"limits.csv",
                                       "A line for each resource that was used from run.warmup on."};
    template <class Columns>
    static void describe(Columns& columns) {
        using self = typename Columns::row;
        constexpr const char* no_waits = "a link or a crossbar";
        columns(column("node", &self::node, "Name of the node that has it."));
        columns(column("resource", &self::kind, "Kind of resource."));
        columns(column("part", &self::part, "Place in the node: tx3, rx3, slice0.").absent("a switch has one"));
        columns(column("capacity", &self::capacity, "Capacity, in capacity_unit.")
                    .unit("capacity_unit")
                    .decimals(0));
        columns(column("capacity_unit", &self::capacity_unit, "Unit of capacity."));
        columns(column("busy_percent", &self::busy_percent, load_help::busy).decimals(4));
        columns(column("stalled_percent", &self::stalled_percent, load_help::stalled).decimals(4));
        columns(column("port_used_percent", &self::port_used_percent, load_help::port_used).decimals(4));
        columns(column("served", &self::served,
                       "Frames served, on links PFC frames too; cells where the crossbar moves cells.")
                    .unit("frames"));
        columns(column("waited", &self::frames_waited, "Frames that waited.").unit("frames").absent(no_waits));
        columns(column("mean_wait_ns", &self::mean_wait_ns, "Mean wait over all frames served.")
                    .decimals(3)
                    .absent(no_waits));
        columns(column("max_wait_ns", &self::max_wait, "Longest wait.").absent(no_waits));
        columns(column("bank_conflicts", &self::bank_conflicts,
                       "Accesses that waited for a bank while another bank was idle.")
                    .unit("accesses"));
        columns(column("lost_frames", &self::lost_frames,
                       "Frames lost where most of them waited for this resource."));
        columns(
            column("binds", &self::ever_binds, "Whether it binds over the whole time, or between two looks."));
        columns(column("bound_percent", &self::bound_percent,
                       "Share of the time between looks at which it had bound.")
                    .decimals(4));
        columns(column("bound_from_ns", &self::bound_begin, "Start of the first stretch in which it bound.")
                    .absent("it never did"));
        columns(column("bound_to_ns", &self::bound_end, "End of the last stretch in which it bound.")
                    .absent("it never did"));
    }

 private:
    template <class T>
    std::optional<T> if_known(T value) const {
        return knows_waits ? std::optional(value) : std::nullopt;
    }
};

/// Throws output_error.
void write_limits(output_file file, const std::vector<resource_use>& resources);

}  // namespace weir::tb
