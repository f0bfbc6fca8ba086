#include "tb/run/checks/run_checks.h"

#include <algorithm>
#include <cmath>

#include "tb/run/options/run_traits.h"
#include "tb/support/text/joined.h"
#include "tb/support/text/window_text.h"
#include "weir/base/how_many.h"
#include "weir/base/processors.h"
#include "weir/base/unit_text.h"
#include "weir/model/fabric/fabric_changes.h"
#include "weir/model/marking/marker.h"
#include "weir/model/memory/memory_organisation.h"
#include "weir/model/memory/queue_order.h"
#include "weir/model/overflow/overflow_action.h"
#include "weir/model/switch/block_kinds.h"
#include "weir/traffic/congestion/congestion_kinds.h"
#include "weir/traffic/congestion/path_choices.h"
#include "weir/traffic/roce/rate_controls.h"

namespace weir::tb {

namespace {

/// Who waits for marks in vain: `tcp.congestion = dctcp`.
std::vector<std::string> unheard(const run_config& config) {
    std::vector<std::string> all;
    const tcp_config& tcp = config.tcp;
    const bool has_tcp = uses_tcp(config);
    if (has_tcp && tcp.congestion && congestion_kinds()[*tcp.congestion](tcp)->ecn_capable()) {
        all.push_back("tcp.congestion = " + congestion_kinds().of(*tcp.congestion).name +
                      " cuts windows after losses only");
    }
    const auto path = has_tcp ? path_choices()[tcp.path_choice](tcp) : nullptr;
    if (path != nullptr && path->counts_marks()) {
        all.push_back("tcp.path_choice = " + path_choices().of(tcp.path_choice).name +
                      " changes paths after timeouts only");
    }
    if (uses_roce(config) && roce_heeds_marks(config)) {
        all.push_back("roce.rate_control = " + rate_controls().of(config.roce.rate_control).name +
                      " never cuts a rate");
    }
    return all;
}

/// The scheme sets the kind of marker. One that is set by hand is told as an idle option.
bool scheme_marks(const run_config& config) {
    const scheme_settings& settings = schemes()[config.scheme].settings;
    return std::any_of(settings.begin(), settings.end(), [&](const scheme_setting& each) {
        return each.key == "marking.kind" && each.value == marker_kinds().of(config.marking.kind).name;
    });
}

}  // namespace

std::vector<std::string> scheme_warnings(const run_config& config) {
    std::vector<std::string> all;
    for (const std::string& what : has_marks(config) ? std::vector<std::string>{} : unheard(config)) {
        all.push_back("no switch marks frames (marking.kind = " + marker_kinds().of(config.marking.kind).name +
                      "), so " + what);
    }
    const marker_traits& marker = marker_kinds()[config.marking.kind];
    if (marker.marks && !marker.drops_early && !heeds_marks(config) && scheme_marks(config)) {
        all.push_back("switch.scheme = " + std::string(name_of(config.scheme)) +
                      ": marking.kind = " + marker_kinds().of(config.marking.kind).name +
                      " marks no frame, because no traffic heeds marks (tcp.congestion, roce.rate_control)");
    }
    const std::optional<bool> may_drop = config.marking.red.may_drop;
    if (marker.drops_early && may_drop.value_or(false) && config.flow_control.mode != flow_control_mode::none) {
        all.emplace_back(
            "marking.may_drop = on lets RED drop frames of lossless classes (pfc.mode); auto would mark them");
    }
    const bool drops = may_drop.value_or(config.flow_control.mode == flow_control_mode::none);
    if (marker.drops_early && !drops && !heeds_marks(config)) {
        all.emplace_back(
            "marking.kind = red does nothing: no frame is ECN-capable (tcp.congestion, roce.rate_control), and "
            "none may be dropped (marking.may_drop)");
    }
    const bool in_order = balance_policies()[config.device.balance].keeps_paths &&
                          !overflow_kinds()[config.device.overflow].detours;
    if (uses_roce(config) && config.roce.recovery == loss_recovery::go_back_n && !in_order) {
        all.emplace_back(
            "frames of a RoCE transfer take several paths (switch.balance, switch.overflow), and roce.recovery "
            "= go_back_n drops and repeats those that overtake others");
    }
    if (queue_orders()[config.device.queue_order].make && organisation_of(config.device).has_crossbar() &&
        config.device.drop == drop_policy::ingress_tail) {
        all.emplace_back(
            "switch.drop = ingress_tail makes frames wait at ingress for room at egress, so none is dropped "
            "for one of a better rank (switch.queue_order); switch.drop = egress_tail does that");
    }
    return all;
}

std::vector<std::string> window_warnings(const run_config& config) {
    std::vector<std::string> all;
    const output_options& output = config.output;
    const picoseconds interval = output.occupancy_interval;
    if (const picoseconds end = config.run.duration;
        end > picoseconds{0} && interval > end && interval != output_options{}.occupancy_interval) {
        all.push_back("occupancy.csv and pauses.csv will hold no sample: output.occupancy_interval = " +
                      to_text(interval) + " is longer than run.duration = " + to_text(end));
    } else if (interval > picoseconds{0} && output.window_end) {
        const picoseconds first = (output.window_start + interval - picoseconds{1}) / interval * interval;
        if (first > *output.window_end) {
            all.push_back("occupancy.csv and pauses.csv will hold no sample: " +
                          window_text("output", output.window_start, *output.window_end) +
                          ", and the first sample after the start is at " + to_text(first) +
                          " (output.occupancy_interval = " + to_text(interval) + ")");
        }
    }
    const auto warn_of_empty_table = [&](const std::vector<std::string>& hosts, bool has_lines, const char* key,
                                         const char* file, const char* why) {
        if (interval > picoseconds{0} && !hosts.empty() && !has_lines) {
            all.push_back(std::string(key) + " = " + joined(hosts, ", ") + ": " + file +
                          " will hold no line, because " + why);
        }
    };
    warn_of_empty_table(output.windows, uses_tcp(config), "output.windows", "windows.csv",
                        "no traffic is over TCP (traffic.transport)");
    warn_of_empty_table(output.rates, uses_roce(config) || marker_kinds()[config.marking.kind].notifies,
                        "output.rates", "rates.csv",
                        "hosts have neither QCN's rate limiters (marking.kind = qcn) nor queue pairs "
                        "(traffic.transport = roce)");
    const capture_options& trace = config.trace;
    const bool any = !trace.pcap.empty() || trace.wave.format != wave_format::none || trace.journeys.perfetto ||
                     !trace.frame_path.empty() || trace.pause_causes || trace.drop_causes;
    if (any && trace.window_end && *trace.window_end <= config.traffic.start) {
        all.push_back(
            "traces will hold no traffic: " + window_text("trace", trace.window_start, *trace.window_end) +
            ", and traffic.start = " + to_text(config.traffic.start));
    }
    return all;
}

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
