#include "tb/run/ranks/ranks_of_nodes.h"

#ifdef WEIR_WITH_MPI
#include "tb/run/ranks/cut_fabric.h"
#include "weir/traffic/apps/expected_traffic.h"
#endif

namespace weir::tb {

#ifdef WEIR_WITH_MPI

static std::vector<host_traffic> expected_in(const prepared_run& run) {
    const run_config& config = run.loaded.config;
    const host_id hosts = run.topology.plan.hosts();
    if (run.trace == nullptr) {
        return expected_traffic(workload_plan(config.traffic, hosts, config.run.seed, run.inputs));
    }
    std::vector<host_traffic> expected = run.trace->scan().of_hosts;
    expected.resize(hosts);
    return expected;
}

#endif

std::vector<std::uint32_t> ranks_of_nodes(model::rank_team& team, const prepared_run& run) {
    std::vector<std::uint32_t> rank_of;
#ifdef WEIR_WITH_MPI
    if (!team.is_alone()) {
        if (team.leads()) {
            rank_of = cut_fabric(run.topology.plan, team.size(), expected_in(run));
        }
        rank_of = shared(team, std::move(rank_of));
    }
#else
    static_cast<void>(team);
    static_cast<void>(run);
#endif
    return rank_of;
}

}  // namespace weir::tb
