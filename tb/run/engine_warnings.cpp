#include "tb/run/engine_warnings.h"

#include <algorithm>
#include <cmath>

#include "weir/base/processors.h"
#include "weir/base/unit_text.h"
#include "weir/model/fabric_changes.h"

namespace weir {

namespace {

// Instructions, as callgrind counts them (docs/performance.md has the commands).
constexpr double per_quantum = 900;
constexpr double per_node_and_quantum = 12;
constexpr double per_packet_hop = 1000;
/// Share of quanta in the work that is worth a word, at a load as fabrics have it; and the quantum from which
/// on it is not: longer ones come with links so slow that a run is short anyway.
constexpr double much = 0.2;
constexpr double usual_load = 0.3;
constexpr picoseconds short_quantum = 100ns;

/// Packet-hops per picosecond when every link sends its largest frames in both directions, at the usual load.
double hops_at_usual_load(const run_config& config, const topology& plan) {
    const bytes frame = config.device.max_frame + config.link.wire_overhead;
    double hops = 0;
    for (const topology_link& l : plan.links()) {
        hops += usual_load * 2 / static_cast<double>(transmission_time(frame, l.rate).count());
    }
    return hops;
}

void warn_of_short_quanta(const run_config& config, const built_topology& built,
                          std::vector<std::string>& warnings) {
    const topology& plan = built.plan;
    const picoseconds lookahead = smallest_latency(plan, built.changes);
    const bool chosen = config.run.quantum > picoseconds{0};
    const picoseconds quantum = chosen ? config.run.quantum : lookahead;
    if (quantum >= short_quantum) {
        return;
    }
    const double in_quanta = per_quantum + per_node_and_quantum * plan.nodes();
    const double frames_per_picosecond = per_packet_hop * hops_at_usual_load(config, plan);
    const double share = in_quanta / (in_quanta + frames_per_picosecond * static_cast<double>(quantum.count()));
    if (!(share > much)) {
        return;
    }
    std::string why = "run.quantum = " + to_text(quantum) + " makes short quanta";
    if (!chosen) {
        const auto at = std::find_if(plan.links().begin(), plan.links().end(),
                                     [&](const topology_link& l) { return l.latency == lookahead; });
        why = "the smallest latency, " + to_text(lookahead) +
              (at != plan.links().end() ? " of link " + at->name : " of a link that changes") +
              ", makes quanta as short";
    }
    const double enough = in_quanta / frames_per_picosecond * (1 - much) / much;
    warnings.push_back(why + ": at 30 % load about " + std::to_string(std::lround(100 * share)) +
                       " % of the work goes into quanta, not frames; from " +
                       to_text(picoseconds{static_cast<std::int64_t>(std::ceil(enough / 1000)) * 1000}) +
                       " on it would be less than 20 %. Results are the same");
}

void warn_of_threads(const run_config& config, std::vector<std::string>& warnings) {
    const std::string what = "run.threads = " + std::to_string(config.run.threads) + ": ";
    const unsigned processors = usable_processors();
    if (config.run.threads > 1 && config.run.engine == engine_kind::literal) {
        warnings.push_back(what + "run.engine = literal uses one");
    } else if (config.run.threads > 1 && config.run.threads > processors) {
        warnings.push_back(what + "this process may use " + std::to_string(processors) +
                           (processors == 1 ? " processor" : " processors") +
                           "; more threads make the run slower. Results are the same");
    }
}

}  // namespace

std::vector<std::string> engine_warnings(const run_config& config, const built_topology& built) {
    std::vector<std::string> warnings;
    warn_of_short_quanta(config, built, warnings);
    warn_of_threads(config, warnings);
    return warnings;
}

}  // namespace weir
