// What limits a run: of all links, lookup pipelines, crossbars and packet memories, which could not do more.
//
//   std::vector<resource_use> all = resources_of(network, config.device, end, measured);
//   timeline.mark(all);                            // limit_timeline.h: when each bound
//   write_limits(file, all);                       // limits.csv
//   summary.resources = summary_of(all);           // what binds
#pragma once

#include <array>
#include <string>
#include <vector>

#include "tb/files/run_directory.h"
#include "tb/results/resources.h"

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

void write_limits(output_file& file, const std::vector<resource_use>& resources);

}  // namespace weir::tb
