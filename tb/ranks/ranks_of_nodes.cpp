#include "tb/ranks/ranks_of_nodes.h"

#ifdef WEIR_WITH_MPI
#include "tb/ranks/cut_fabric.h"
#endif

namespace weir::tb {

#ifdef WEIR_WITH_MPI

/// Bytes of a trace. Other traffic is taken to be of all hosts alike.
static std::vector<double> host_weights(const prepared_run& run) {
    std::vector<double> weights;
    if (run.trace != nullptr && !run.trace->scan().host_bytes.empty()) {
        weights = run.trace->scan().host_bytes;
        weights.resize(run.topology.plan.hosts());
    }
    return weights;
}

#endif

std::vector<std::uint32_t> ranks_of_nodes(model::rank_team& team, const prepared_run& run) {
    std::vector<std::uint32_t> rank_of;
#ifdef WEIR_WITH_MPI
    if (!team.is_alone()) {
        if (team.leads()) {
            rank_of = cut_fabric(run.topology.plan, team.size(), host_weights(run));
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
