#include "tb/run/options/run_rules.h"

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "tb/run/options/run_options.h"
#include "tb/run/options/run_traits.h"
#include "weir/model/marking/marker.h"
#include "weir/model/memory/queue_order.h"
#include "weir/model/overflow/overflow_action.h"
#include "weir/model/switch/block_kinds.h"
#include "weir/traffic/apps/workloads.h"
#include "weir/traffic/congestion/congestion_kinds.h"
#include "weir/traffic/congestion/path_choices.h"

namespace weir::tb {

namespace {

using texts = std::vector<std::string>;

/// One rule. Its message is `wrong`, or that the value is out of range, and what is expected. Both texts name
/// other options in braces; `{}` is the value of the option that was named last, at first of the rule's own.
struct run_rule {
    const char* key;
    bool (*is_broken)(const run_config&);
    /// Null: the option's value is out of the range that `expected` says.
    const char* wrong;
    const char* expected;
    /// The option is empty.
    bool is_missing = false;
};

// --- what the rules ask ----------------------------------------------------------------------------------

bool pauses(const run_config& c) {
    return c.flow_control.mode != flow_control_mode::none;
}

bool detours(const run_config& c) {
    return overflow_kinds()[c.device.overflow].detours;
}

bool draws_waves(const run_config& c) {
    return c.trace.wave.format != wave_format::none;
}

bool traces(const run_config& c) {
    return !c.trace.pcap.empty() || draws_waves(c) || c.trace.journeys.perfetto ||
           !c.trace.frame_path.empty() || c.trace.pause_causes || c.trace.drop_causes;
}

bool reads_trace(const run_config& c) {
    return workloads()[c.traffic.kind].reads_trace;
}

bool ends_by(const run_config& c, picoseconds time) {
    return c.run.duration > 0_ps && time >= c.run.duration;
}

/// The choice of a path of the run's TCP senders; null if transfers keep their paths.
std::unique_ptr<const path_choice> moving_path(const run_config& c) {
    return uses_tcp(c) ? path_choices()[c.tcp.path_choice](c.tcp) : nullptr;
}

bool counts_marks(const run_config& c) {
    const auto path = moving_path(c);
    return path != nullptr && path->counts_marks();
}

/// `auto` is `newreno_ecn` where switches mark; its receivers repeat marks (RFC 3168).
std::unique_ptr<const congestion_control> marked_congestion(const run_config& c) {
    return congestion_kinds()[c.tcp.congestion.value_or(default_congestion(true))](c.tcp);
}

bool lacks_watchdog(const run_config& c) {
    return !pfc_kinds()[c.blocks.pfc].has_watchdog && c.flow_control.mode == flow_control_mode::pfc &&
           c.flow_control.watchdog != watchdog_action::off;
}

bool ingress_fifo_is_short(const run_config& c) {
    switch_parameters device;
    static_cast<switch_setup&>(device) = c;
    return frames_wait_before_memory(device) && c.device.ingress_fifo < c.device.max_frame;
}

// --- the rules -------------------------------------------------------------------------------------------

const run_rule rules[] = {
    // Switch: rules of blocks that the switch makes.
    {"switch.balance_thresholds",
     [](const run_config& c) {
         return c.device.balance_thresholds.empty() && balance_policies()[c.device.balance].reads_favored_ports;
     },
     "'' is empty, but {switch.balance} = {} reads thresholds", "at least one threshold", true},
    {"mac.pfc",
     [](const run_config& c) {
         return pfc_kinds()[c.blocks.pfc].is_rtl && c.flow_control.mode == flow_control_mode::pause;
     },
     "'rtl' does not support 802.3x PAUSE ({pfc.mode} = pause)", "model, or pfc.mode = pfc"},
    {"mac.pfc", lacks_watchdog, "'{}' has no watchdog that ends its pauses ({pfc.watchdog})",
     "model, or pfc.watchdog = off"},
    {"switch.ingress_fifo", ingress_fifo_is_short, "'{}' is too small for a frame of {switch.max_frame}",
     "at least {}"},
    {"qcn.min_rate",
     [](const run_config& c) {
         return marker_kinds()[c.marking.kind].notifies && c.qcn.min_rate > c.link.rate;
     },
     nullptr, "at most {link.rate} ({})"},
    {"rtl.clock",
     [](const run_config& c) { return has_rtl(c) && c.rtl.latency == rtl_latency::rtl && !c.rtl.clock; },
     "is not set, but {rtl.latency} = rtl needs a clock period", "a time, such as 6.4ns", true},
    {"host.broken[0]", [](const run_config& c) { return !c.broken_adapters.empty() && !pauses(c); },
     "pauses a link that has no flow control", "{pfc.mode} = pfc or pfc.mode = pause"},

    // Transports beside the switches' telemetry, balancing, marks and orders of service.
    {"tcp.congestion", [](const run_config& c) { return reads_telemetry(c) && !c.device.telemetry; },
     "'{}' needs the telemetry that switches append to frames", "{switch.telemetry} = on"},
    {"tcp.path_choice",
     [](const run_config& c) { return counts_marks(c) && marked_congestion(c)->latches_echo(); },
     "'{}' counts marked ACKs, but with {tcp.congestion} = {} receivers repeat a mark until the sender answers "
     "it",
     "tcp.congestion = dctcp"},
    {"tcp.path_choice",
     [](const run_config& c) { return counts_marks(c) && !marked_congestion(c)->ecn_capable(); },
     "'{}' reacts to marks, but with {tcp.congestion} = {} no frame is marked", "tcp.congestion = dctcp"},
    {"tcp.path_choice",
     [](const run_config& c) {
         return moving_path(c) != nullptr && !balance_policies()[c.device.balance].hashes_flows;
     },
     "'{}' changes a field that only {switch.balance} = flow_hash reads",
     "fixed, or switch.balance = flow_hash"},
    // Frames of other transports have rank 0, which is served first.
    {"switch.queue_order",
     [](const run_config& c) {
         return queue_orders()[c.device.queue_order].reads_ranks &&
                uses_transport(c, &transport_traits::sets_ranks) &&
                uses_transport(c, &transport_traits::sets_ranks, false);
     },
     "'{}' serves frames without a rank first, so all other transports go before pFabric",
     "fifo, or all traffic over pFabric ({traffic.transport}, {traffic.background_transport})"},
    {"roce.min_rate",
     [](const run_config& c) {
         return uses_roce(c) && c.roce.dcqcn.min_rate && *c.roce.dcqcn.min_rate > c.link.rate;
     },
     nullptr, "at most {link.rate} ({})"},

    // Frames of TCP that switches, thresholds and captures cannot take.
    {"tcp.syn_options",
     [](const run_config& c) {
         return uses_tcp(c) && c.tcp.handshake && c.tcp.syn_options + c.tcp.header > c.device.max_frame;
     },
     "'{}' with {tcp.header} ({}) is more than a frame holds", "at most {switch.max_frame} ({}) in all"},
    {"tcp.min_frame", [](const run_config& c) { return uses_tcp(c) && c.tcp.min_frame < 64_B && pauses(c); },
     "'{}' is below the shortest Ethernet frame that the thresholds of {pfc.mode} assume",
     "64B, or pfc.mode = none"},
    {"tcp.header",
     [](const run_config& c) { return uses_tcp(c) && c.tcp.header < 58_B && !c.trace.pcap.empty(); },
     "'{}' has no room for the headers that {trace.pcap} writes", "at least 58B"},

    // Everything begins before the run ends, and the flows of a trace begin at the times of the trace.
    {"output.window_start", [](const run_config& c) { return ends_by(c, c.output.window_start); }, nullptr,
     "below {run.duration} ({})"},
    {"trace.window_start", [](const run_config& c) { return traces(c) && ends_by(c, c.trace.window_start); },
     nullptr, "below {run.duration} ({})"},
    {"trace.frame_path",
     [](const run_config& c) { return c.trace.frame_path == "most_detours" && !detours(c); },
     "'most_detours' names no frame without {switch.overflow} = detour",
     "a flow's number and an offset in it, such as 17:2920"},
    {"traffic.start", [](const run_config& c) { return !reads_trace(c) && ends_by(c, c.traffic.start); },
     nullptr, "below {run.duration} ({})"},
    {"traffic.start", [](const run_config& c) { return reads_trace(c) && c.traffic.start > 0_ps; },
     "has no effect on a trace, because its flows have start times", "0s"},
    {"traffic.stop",
     [](const run_config& c) {
         return reads_trace(c) && !c.traffic.background.is_on() && !c.traffic.stream.is_on() &&
                c.traffic.stop > 0_ps;
     },
     "has no effect on a trace", "0s, or {run.duration}"},
    {"trace.wave_trigger",
     [](const run_config& c) {
         return draws_waves(c) && c.trace.wave.trigger == wave_trigger::xoff && !pauses(c);
     },
     "'xoff' never occurs with {pfc.mode} = none", "none, drop, deadlock"},
};

/// Values of the options that `{}` in the text stands for.
texts values_in(run_config config, std::string named, std::string_view text) {
    const option_table table = make_option_table(config);
    texts values;
    for (std::size_t open = text.find('{'); open != std::string_view::npos; open = text.find('{')) {
        const std::string_view name = text.substr(open + 1, text.find('}', open) - open - 1);
        if (name.empty()) {
            values.push_back(table.find(named)->value->text());
        } else {
            named = name;
        }
        text.remove_prefix(open + name.size() + 2);
    }
    return values;
}

/// Full frames of the transports that a run uses are not longer than switches take.
void check_frames(range_check& check, const run_config& config) {
    const endpoint_options options = endpoint_options_of(config);
    std::uint8_t number = 0;
    for (const auto& each : transports().entries()) {
        const bool used = config.traffic.uses(static_cast<transport_kind>(number++));
        if (each.traits.payload_key == nullptr) {
            continue;
        }
        const transfer_framing framing = each.traits.framing(options);
        const bytes frame = framing.payload + framing.header;
        check.refuse(used && frame > config.device.max_frame, each.traits.payload_key,
                     "'{}' with {" + std::string(each.traits.header_key) +
                         "} ({}) makes frames of {}; expected at most {switch.max_frame} ({})",
                     framing.payload, framing.header, frame, config.device.max_frame);
    }
}

}  // namespace

void check_rules(range_check& check, const run_config& config) {
    for (const run_rule& rule : rules) {
        const bool broken = rule.is_broken(config);
        const std::string text =
            (rule.wrong == nullptr ? "" : std::string(rule.wrong) + "; expected ") + rule.expected;
        const texts values =
            broken ? values_in(config, rule.key, rule.wrong == nullptr ? "{}" + text : text) : texts{};
        if (rule.wrong == nullptr) {
            check.require(!broken, rule.key, text, values);
        } else if (rule.is_missing) {
            check.refuse_missing(broken, rule.key, text, values);
        } else {
            check.refuse(broken, rule.key, text, values);
        }
    }
    check_frames(check, config);
}

}  // namespace weir::tb
