#include "tb/run/options/run_config.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <sstream>

#include "tb/asic/sonic/config_db.h"
#include "tb/run/options/check_hosts.h"
#include "weir/base/field_range.h"
#include "weir/model/host/nic_queues.h"
#include "weir/model/marking/marker.h"
#include "weir/model/memory/memory_organisation.h"
#include "weir/model/memory/queue_order.h"
#include "weir/model/overflow/overflow_action.h"
#include "weir/model/switch/block_kinds.h"
#include "weir/traffic/apps/workloads.h"

namespace weir::tb {

// Those of the switch's configuration, where no option says it. What is wrong with the file is reported when
// its tables are read.
static void take_lossless_classes(run_config& config) {
    if (!organisation_of(config.device).is_shared || config.shared_tables.config_db.empty() ||
        config.shared.lossless_classes || config.flow_control.mode == flow_control_mode::none) {
        return;
    }
    config.shared_tables.classes_are_the_files = true;
    const std::uint8_t lossless =
        lossless_priorities(read_config_db_file(config.shared_tables.config_db, "shared.config_db"));
    std::vector<std::uint32_t> classes;
    for (std::uint32_t c = 0; c < sonic_classes; ++c) {
        if ((lossless >> c & 1) != 0) {
            classes.push_back(c);
        }
    }
    if (!classes.empty()) {
        config.shared.lossless_classes = classes;
    }
}

void run_config::resolve() {
    fabric.resolve_links(link);
    plugins.take_loaded();
    traffic.datagram = udp.payload;
    traffic.datagram_overhead = udp.header + link.wire_overhead;
    take_lossless_classes(*this);
}

// Rules between marking and the parts of a switch and a host that it does not know.
static void check_marking(range_check& check, const run_config& config) {
    check.refuse(
        config.marking.is_on() && organisation_of(config.device).is_shared && config.shared.ecn_threshold,
        "shared.ecn_threshold",
        "has no effect, because {marking.kind} replaces it; expected auto, and the lengths of that "
        "kind ({marking.threshold}, {marking.k_min}, {qcn.set_point})");
    const auto notifies = [](const marker_traits& kind) { return kind.notifies; };
    check.refuse(notifies(marker_kinds()[config.marking.kind]) && !config.has_voqs(), "host.nic",
                 "'{}' has no rate limiters for the notifications of " +
                     marker_kinds().condition("{marking.kind}", notifies) + "; expected voq, or auto",
                 nic_kinds().of(config.host.nic.value_or(nic_kind{})).name);
}

// A class that flow control protects must not lose frames by rule, nor, unless asked for, wait for ports that
// only a detour needs.
static void check_lossless_queues(range_check& check, const run_config& config) {
    const bool crossed = organisation_of(config.device).has_crossbar();
    const bool ranks = queue_orders()[config.device.queue_order].make != nullptr;
    const std::string& order = queue_orders().of(config.device.queue_order).name;
    const overflow_traits& overflow = overflow_kinds()[config.device.overflow];
    const std::string& action = overflow_kinds().of(config.device.overflow).name;
    check.refuse(ranks && overflow.may_drop_lossless, "switch.overflow",
                 "'{}' drops the new frame, but {switch.queue_order} chooses which frame is dropped; expected "
                 "hold",
                 action);
    check.refuse(ranks && overflow.detours, "switch.overflow",
                 "'{}' stores a count of hops in the field in which {switch.queue_order} expects a rank; "
                 "expected hold",
                 action);
    check.refuse(ranks && organisation_of(config.device).is_shared && config.shared.slices > 1,
                 "switch.queue_order",
                 "'{}' may drop a frame of another slice, which makes no room for the new one; expected fifo, "
                 "or {shared.slices} = 1",
                 order);
    const flow_control_mode mode = config.flow_control.mode;
    const bool lossless = mode != flow_control_mode::none;
    check.refuse(lossless && organisation_of(config.device).is_at_egress_only(), "switch.buffer",
                 "'output_queued' has no ingress memory, so it cannot request pauses ({pfc.mode} other than "
                 "none); expected partitioned, input_buffered or shared, or pfc.mode = none");
    const bool input_buffered = organisation_of(config.device).stays_at_ingress();
    check.refuse(
        input_buffered && overflow.make, "switch.overflow",
        "'{}' has no effect: with {switch.buffer} = input_buffered no egress port is ever full; expected hold",
        action);
    check.refuse(
        input_buffered && ranks, "switch.queue_order",
        "'{}' drops frames from egress memory, but {switch.buffer} = input_buffered has none; expected fifo",
        order);
    check.refuse(lossless && overflow.detours && !config.detour.lossless, "switch.overflow",
                 "'{}' can close a cycle of pauses ({pfc.mode} other than none); expected hold, pfc.mode = "
                 "none, or {detour.lossless} = on",
                 action);
    check.refuse(lossless && overflow.may_drop_lossless, "switch.overflow",
                 "'{}' would drop frames of lossless classes ({pfc.mode} other than none); expected hold, or "
                 "pfc.mode = none",
                 action);
    check.refuse(lossless && ranks, "switch.queue_order",
                 "'{}' would drop frames of lossless classes ({pfc.mode} other than none); expected fifo, or "
                 "pfc.mode = none",
                 order);
    check.refuse(crossed && lossless && config.device.drop == drop_policy::egress_tail, "switch.drop",
                 "'egress_tail' would drop frames of lossless classes ({pfc.mode} other than none); expected "
                 "ingress_tail");
    check.refuse(
        organisation_of(config.device).has_ingress_memories &&
            config.flow_control.charge == charge_time::enqueue && config.device.lookup_interval > 0_ps,
        "pfc.charge",
        "'enqueue' does not count frames that wait for a lookup ({switch.lookup_interval}); expected arrival");
}

static void check_thresholds(range_check& check, const run_config& config) {
    const auto reads_thresholds = [](const balance_traits& traits) { return traits.reads_favored_ports; };
    check.refuse_missing(
        config.device.balance_thresholds.empty() && reads_thresholds(balance_policies()[config.device.balance]),
        "switch.balance_thresholds",
        "'' is empty; expected at least one threshold, because " +
            balance_policies().condition("{switch.balance}", reads_thresholds));
}

// A class that takes its whole dynamic share leaves room for a frame of another.
static void check_share(range_check& check, const run_config& config) {
    const switch_config& device = config.device;
    const bool shares = organisation_of(config.device).has_egress_memories && device.classes > 1 &&
                        device.share == egress_share::dynamic && check.fits("switch.share_alpha");
    const double left = static_cast<double>(device.egress_buffer.count()) / (1 + device.share_alpha);
    const auto frame = static_cast<double>(device.max_frame.count());
    std::ostringstream alpha;
    alpha << device.share_alpha;
    check.refuse(shares && left < frame, "switch.share_alpha",
                 "'{}' lets one class fill {switch.egress_buffer}: only {} B of {} are then left to the "
                 "others, less than a frame of {switch.max_frame} ({}); expected a smaller factor, or at least "
                 "{} B of switch.egress_buffer",
                 alpha.str(), static_cast<std::int64_t>(left), device.egress_buffer, device.max_frame,
                 static_cast<std::int64_t>(std::ceil(frame * (1 + device.share_alpha))));
}

// What begins does so before the run is over, and the flows of a trace begin when it says.
static void check_times(range_check& check, const run_config& config) {
    const picoseconds duration = config.run.duration;
    const auto before_the_end = [&](bool used, const char* key, picoseconds time) {
        check.require(!used || duration == 0_ps || time < duration, key, time, "below {run.duration} ({})",
                      duration);
    };
    const capture_options& trace = config.trace;
    before_the_end(true, "output.window_start", config.output.window_start);
    before_the_end(!trace.pcap.empty() || trace.wave.format != wave_format::none || trace.journeys.perfetto ||
                       !trace.frame_path.empty() || trace.pause_causes || trace.drop_causes,
                   "trace.window_start", trace.window_start);
    check.refuse(trace.frame_path == "most_detours" && !overflow_kinds()[config.device.overflow].detours,
                 "trace.frame_path",
                 "'most_detours' names no frame without {switch.overflow} = detour; expected a flow's number "
                 "and an offset in it, such as 17:2920");
    const bool from_trace = workloads()[config.traffic.kind].reads_trace;
    before_the_end(!from_trace, "traffic.start", config.traffic.start);
    check.refuse(from_trace && config.traffic.start > 0_ps, "traffic.start",
                 "has no effect on a trace, because its flows have start times; expected 0s");
    const bool beside = config.traffic.background.is_on() || config.traffic.stream.is_on();
    check.refuse(from_trace && !beside && config.traffic.stop > 0_ps, "traffic.stop",
                 "has no effect on a trace; expected 0s, or {run.duration}");
    check.refuse(trace.wave.format != wave_format::none && trace.wave.trigger == wave_trigger::xoff &&
                     config.flow_control.mode == flow_control_mode::none,
                 "trace.wave_trigger",
                 "'xoff' never occurs with {pfc.mode} = none; expected none, drop, deadlock");
}

// Frames of a transport that a run uses are not longer than switches take.
static void check_frames(range_check& check, const run_config& config) {
    const bytes most = config.device.max_frame;
    const auto fits_a_frame = [&](bool used, const char* field, bytes payload, const char* text, bytes header) {
        check.refuse(used && payload + header > most, field, text, payload, header, payload + header, most);
    };
    fits_a_frame(config.traffic.uses_tcp(), "tcp.mss", config.tcp.mss,
                 "'{}' with {tcp.header} ({}) makes frames of {}; expected at most {switch.max_frame} ({})",
                 config.tcp.header);
    const tcp_config& tcp = config.tcp;
    fits_a_frame(config.traffic.uses_tcp() && tcp.handshake, "tcp.syn_options", tcp.syn_options,
                 "'{}' with {tcp.header} ({}) makes frames of {}; expected at most {switch.max_frame} ({})",
                 tcp.header);
    check.refuse(config.traffic.uses_tcp() && tcp.min_frame < 64_B &&
                     config.flow_control.mode != flow_control_mode::none,
                 "tcp.min_frame",
                 "'{}' is below the shortest Ethernet frame that the thresholds of {pfc.mode} assume; expected "
                 "64B, or pfc.mode = none",
                 tcp.min_frame);
    check.refuse(config.traffic.uses_tcp() && tcp.header < 58_B && !config.trace.pcap.empty(), "tcp.header",
                 "'{}' has no room for the headers that {trace.pcap} writes; expected at least 58B",
                 tcp.header);
    fits_a_frame(config.traffic.uses_udp(), "udp.payload", config.udp.payload,
                 "'{}' with {udp.header} ({}) makes frames of {}; expected at most {switch.max_frame} ({})",
                 config.udp.header);
    fits_a_frame(config.traffic.uses_roce(), "roce.payload", config.roce.payload,
                 "'{}' with {roce.header} ({}) makes frames of {}; expected at most {switch.max_frame} ({})",
                 config.roce.header);
    fits_a_frame(config.traffic.uses_pfabric(), "pfabric.payload", config.pfabric.payload,
                 "'{}' with {pfabric.header} ({}) makes frames of {}; expected at most {switch.max_frame} ({})",
                 config.pfabric.header);
}

bool run_config::has_voqs() const {
    return host.nic ? nic_kinds()[*host.nic].obeys_notifications : marker_kinds()[marking.kind].notifies;
}

config_errors run_config::validate() const {
    range_check check;
    check.add(run.validate());
    check.add(fabric.validate());
    check.add(check_ranges(link, "link").take());
    check.add(device.validate());
    check_thresholds(check, *this);
    check.add(shared.validate());
    check.add(check_ranges(sram, "sram").take());
    check.add(marking.validate(device.classes));
    check.add(check_ranges(qcn, "qcn").take());
    check.add(check_ranges(detour, "detour").take());
    check.add(flow_control.validate(device));
    check_lossless_queues(check, *this);
    check_marking(check, *this);
    const pfc_traits& pfc = pfc_kinds()[blocks.pfc];
    check.refuse(pfc.is_rtl && flow_control.mode == flow_control_mode::pause, "mac.pfc",
                 "'rtl' does not support 802.3x PAUSE ({pfc.mode} = pause); expected model, or pfc.mode = pfc");
    check.refuse(
        !pfc.has_watchdog && flow_control.mode == flow_control_mode::pfc &&
            flow_control.watchdog != watchdog_action::off,
        "mac.pfc",
        "'{}' has no watchdog that ends its pauses ({pfc.watchdog}); expected model, or pfc.watchdog = off",
        name_of(blocks.pfc));
    check.refuse_missing(
        has_rtl(*this) && rtl.latency == rtl_latency::rtl && !rtl.clock, "rtl.clock",
        "is not set, but {rtl.latency} = rtl needs a clock period; expected a time, such as 6.4ns");
    check.add(host.validate());
    check.refuse(!broken_adapters.empty() && flow_control.mode == flow_control_mode::none, "host.broken[0]",
                 "pauses a link that has no flow control; expected {pfc.mode} = pfc or pfc.mode = pause");
    check.require(host.nic_buffer == 0_B || host.nic_buffer >= device.max_frame, "host.nic_buffer",
                  host.nic_buffer, "0B, or at least {switch.max_frame} ({})", device.max_frame);
    const config_errors of_tcp = tcp.validate();
    check.add(of_tcp);
    if (of_tcp.empty()) {
        check_hosts(check, *this);
    }
    check.add(check_ranges(udp, "udp").take());
    check.add(roce.validate());
    check.add(pfabric.validate());
    check_frames(check, *this);
    check.add(traffic.validate());
    check.add(files.validate(traffic));
    check.add(output.validate());
    check.add(trace.validate());
    check.add(check_sram(*this));
    check_share(check, *this);
    check_times(check, *this);
    return check.take();
}

config_errors run_options::validate() const {
    range_check check("run");
    check.require(duration == 0_ps || warmup < duration, "warmup", warmup, "below {run.duration} ({})",
                  duration);
    if (const auto goals = parse_precision_goals(until); !goals) {
        check.fail("until", goals.error);
    }
    return check.take();
}

config_errors output_options::validate() const {
    range_check check("output");
    check.require(!window_end || *window_end > window_start, "window_end", window_end,
                  "above {output.window_start} ({})", window_start);
    const std::vector<bytes> bins = size_bins.value_or(std::vector<bytes>{});
    check.refuse(size_bins && bins.empty(), "size_bins", "'' has no size; expected at least one, or auto");
    check.refuse(std::adjacent_find(bins.begin(), bins.end(), std::greater_equal<>()) != bins.end(),
                 "size_bins", "sizes do not ascend; expected each to be larger than the one before");
    check.add(requested_metric_errors(metrics));
    check.require(fairness_window == 0_ps || fairness_window >= 1us, "fairness_window", fairness_window,
                  "0ps (no windows), or at least 1us");
    return check.take();
}

bool has_rtl_arbiter(const run_config& config) {
    return organisation_of(config.device).has_crossbar() && arbiter_kinds()[config.device.arbiter].is_rtl;
}

bool has_rtl_pfc(const run_config& config) {
    return config.flow_control.mode == flow_control_mode::pfc && pfc_kinds()[config.blocks.pfc].is_rtl;
}

bool has_rtl_lookup(const run_config& config) {
    return lookup_kinds()[config.blocks.lookup].is_rtl;
}

bool has_rtl(const run_config& config) {
    return has_rtl_arbiter(config) || has_rtl_pfc(config) || has_rtl_lookup(config);
}

}  // namespace weir::tb
