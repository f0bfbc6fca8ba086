#include "tb/setup/engine_warnings.h"

#include <algorithm>
#include <cmath>

#include "weir/base/how_many.h"
#include "weir/base/processors.h"
#include "weir/base/unit_text.h"
#include "weir/model/fabric/fabric_changes.h"

namespace weir::tb {

namespace {

// Instructions, as callgrind counts them (docs/performance.md has the commands).
constexpr double per_quantum = 1100;
constexpr double per_node_and_quantum = 1;
/// Of a node that has something to do.
constexpr double per_active_node = 100;
constexpr double per_packet_hop = 1000;
/// Share of quanta in the work that is worth a word, at a load as fabrics have it; and the quantum from which
/// on it is not: ten metres of fibre.
constexpr double much = 0.1;
constexpr double usual_load = 0.3;
constexpr picoseconds short_quantum = 50ns;

/// Packet-hops per nanosecond when every link sends its largest frames in both directions, at the usual load.
double hops_at_usual_load(const run_config& config, const topology& plan) {
    const bytes frame = config.device.max_frame + config.link.wire_overhead;
    double hops = 0;
    for (const topology_link& l : plan.links()) {
        hops += usual_load * 2000 / static_cast<double>(transmission_time(frame, l.rate).count());
    }
    return hops;
}

/// What quanta of so many nanoseconds take of the work. A hop is something to do for two nodes, of which some
/// are the same.
double share_of_quanta(double quantum_ns, double hops_per_ns, double nodes) {
    const double hops = hops_per_ns * quantum_ns;
    const double active = nodes * -std::expm1(-2 * hops / nodes);
    const double in_quanta = per_quantum + per_node_and_quantum * nodes + per_active_node * active;
    return in_quanta / (in_quanta + per_packet_hop * hops);
}

/// Whole nanoseconds of the shortest quantum whose share is not worth a word.
double long_enough(double hops_per_ns, double nodes) {
    double low = 1;
    double high = 1;
    while (share_of_quanta(high, hops_per_ns, nodes) > much) {
        low = high;
        high *= 2;
    }
    while (high - low > 1) {
        const double middle = std::floor((low + high) / 2);
        (share_of_quanta(middle, hops_per_ns, nodes) > much ? low : high) = middle;
    }
    return high;
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
    const double hops = hops_at_usual_load(config, plan);
    const double share = share_of_quanta(static_cast<double>(quantum.count()) / 1000, hops, plan.nodes());
    if (!(share > much)) {
        return;
    }
    std::string why = "run.quantum = " + to_text(quantum) + " is short";
    if (!chosen) {
        const auto at = std::find_if(plan.links().begin(), plan.links().end(),
                                     [&](const topology_link& l) { return l.latency == lookahead; });
        why = "the smallest latency, " + to_text(lookahead) +
              (at != plan.links().end() ? " of link " + at->name : " of a link that changes") +
              ", is also the quantum";
    }
    warnings.push_back(
        why + ": at 30 % load about " + std::to_string(std::lround(100 * share)) +
        " % of the computing time is spent on quanta instead of frames; with quanta of at least " +
        std::to_string(std::lround(long_enough(hops, plan.nodes()))) +
        "ns it would be less than 10 %. Results do not depend on this");
}

void warn_of_threads(const run_config& config, std::vector<std::string>& warnings) {
    const std::string what = "run.threads = " + std::to_string(config.run.threads) + ": ";
    const unsigned team = thread_config{config.run.threads, config.run.thread_grain}.team();
    if (config.run.threads > 1 && config.run.engine == engine_kind::literal) {
        warnings.push_back(what + "run.engine = literal uses one thread only");
    } else if (team < config.run.threads) {
        warnings.push_back(what + "this process may use " + how_many(usable_processors(), "processor") +
                           ", and the run uses no more threads than that. Results do not depend on this");
    }
}

}  // namespace

std::vector<std::string> engine_warnings(const run_config& config, const built_topology& built) {
    std::vector<std::string> warnings;
    warn_of_short_quanta(config, built, warnings);
    warn_of_threads(config, warnings);
    return warnings;
}

}  // namespace weir::tb
