#include "tb/options/run_config.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <sstream>

#include "tb/options/check_hosts.h"
#include "tb/sonic/config_db.h"
#include "weir/base/field_range.h"
#include "weir/model/host/nic_queues.h"
#include "weir/model/memory/memory_organisation.h"
#include "weir/model/memory/queue_order.h"
#include "weir/model/overflow/overflow_action.h"
#include "weir/model/switch/block_kinds.h"

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

static void check_marking(range_check& check, const run_config& config) {
    const marking_config& marking = config.marking;
    const bool marks = marking.kind != marker_kind::none;
    check.refuse(marks && organisation_of(config.device).is_shared && config.shared.ecn_threshold,
                 "shared.ecn_threshold",
                 "has no effect, because {marking.kind} replaces it; expected auto, and the lengths of that "
                 "kind ({marking.threshold}, {marking.k_min}, {qcn.set_point})");
    check.refuse_missing(marks && marking.classes && marking.classes->empty(), "marking.classes",
                         "'' names no class; expected at least one, or auto");
    const auto classes = marking.classes.value_or(std::vector<std::uint32_t>{});
    check.refuse_each(
        classes, [&](std::uint32_t c) { return marks && c >= config.device.classes; }, "marking.classes",
        "{} is not a class; expected below {switch.classes} ({})", config.device.classes);
    const auto check_count = [&](const char* field, std::size_t values) {
        check.refuse(marks && values != 1 && values != config.device.classes, field,
                     "has {} values; expected one, or one for each class ({switch.classes} = {})",
                     std::to_string(values), config.device.classes);
    };
    check_count("marking.threshold", marking.threshold.size());
    check_count("marking.threshold_frames", marking.threshold_frames ? marking.threshold_frames->size() : 1);
    check_count("marking.k_min", marking.k_min.size());
    check_count("marking.k_max", marking.k_max.size());
    check_count("marking.k_min_frames", marking.k_min_frames ? marking.k_min_frames->size() : 1);
    check_count("marking.k_max_frames", marking.k_max_frames ? marking.k_max_frames->size() : 1);
    bytes least{0};
    bytes most{0};
    const bool in_frames = marking.kind == marker_kind::red && marking.k_min_frames;
    for (unsigned c = 0; marks && !in_frames && c < config.device.classes && least <= most; ++c) {
        if (!marking.k_min.empty() && !marking.k_max.empty()) {
            least = value_of_class(marking.k_min, static_cast<pfc_class>(c));
            most = value_of_class(marking.k_max, static_cast<pfc_class>(c));
        }
    }
    check.require(least <= most, "marking.k_max", most, "at least {marking.k_min} ({})", least);
    const auto& min_frames = marking.k_min_frames;
    const auto& max_frames = marking.k_max_frames;
    const bool red = marking.kind == marker_kind::red;
    check.refuse(red && min_frames.has_value() != max_frames.has_value(),
                 min_frames ? "marking.k_min_frames" : "marking.k_max_frames",
                 "is set alone; expected both {marking.k_min_frames} and {marking.k_max_frames}, or both auto");
    std::uint32_t least_frames = 0;
    std::uint32_t most_frames = 0;
    const bool counts_frames = red && min_frames && max_frames && !min_frames->empty() && !max_frames->empty();
    for (unsigned c = 0; counts_frames && c < config.device.classes && least_frames <= most_frames; ++c) {
        least_frames = value_of_class(*min_frames, static_cast<pfc_class>(c));
        most_frames = value_of_class(*max_frames, static_cast<pfc_class>(c));
    }
    check.require(least_frames <= most_frames, "marking.k_max_frames", std::to_string(most_frames),
                  "at least {marking.k_min_frames} ({})", least_frames);
    const bool counts_arrivals = red || marking.kind == marker_kind::qcn;
    check.refuse(
        counts_arrivals && marking.at == marking_time::dequeue, "marking.at",
        "'dequeue' is not possible with {marking.kind} = red or qcn, which count arrivals; expected enqueue");
    check.refuse(
        marking.kind == marker_kind::qcn && !config.has_voqs(), "host.nic",
        "'{}' has no rate limiters for the notifications of {marking.kind} = qcn; expected voq, or auto",
        nic_kinds().of(config.host.nic.value_or(nic_kind::voq)).name);
}

// A class that flow control protects must not lose frames by rule, nor, unless asked for, wait for ports that
// only a detour needs.
static void check_lossless_queues(range_check& check, const run_config& config) {
    const bool crossed = organisation_of(config.device).has_crossbar();
    const bool ranks = config.device.queue_order != queue_order_kind::fifo;
    const std::string& order = queue_orders().of(config.device.queue_order).name;
    const overflow_kind overflow = config.device.overflow;
    check.refuse(
        ranks && overflow == overflow_kind::drop, "switch.overflow",
        "'drop' drops the new frame, but {switch.queue_order} chooses which frame is dropped; expected hold");
    check.refuse(ranks && overflow == overflow_kind::detour, "switch.overflow",
                 "'detour' stores a count of hops in the field in which {switch.queue_order} expects a rank; "
                 "expected hold");
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
        input_buffered && overflow != overflow_kind::hold, "switch.overflow",
        "'{}' has no effect: with {switch.buffer} = input_buffered no egress port is ever full; expected hold",
        overflow_kinds().of(overflow).name);
    check.refuse(
        input_buffered && ranks, "switch.queue_order",
        "'{}' drops frames from egress memory, but {switch.buffer} = input_buffered has none; expected fifo",
        order);
    check.refuse(lossless && overflow == overflow_kind::detour && !config.detour.lossless, "switch.overflow",
                 "'detour' can close a cycle of pauses ({pfc.mode} other than none); expected hold, pfc.mode = "
                 "none, or {detour.lossless} = on");
    check.refuse(lossless && overflow != overflow_kind::hold && overflow != overflow_kind::detour,
                 "switch.overflow",
                 "'{}' would drop frames of lossless classes ({pfc.mode} other than none); expected hold, or "
                 "pfc.mode = none",
                 overflow_kinds().of(overflow).name);
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
    check.refuse(trace.frame_path == "most_detours" && config.device.overflow != overflow_kind::detour,
                 "trace.frame_path",
                 "'most_detours' names no frame without {switch.overflow} = detour; expected a flow's number "
                 "and an offset in it, such as 17:2920");
    const bool from_trace = config.traffic.kind == workload_kind::trace;
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

config_errors run_config::validate() const {
    range_check check;
    check.add(run.validate());
    check.add(fabric.validate());
    check.add(check_ranges(link, "link").take());
    check.add(device.validate());
    check_thresholds(check, *this);
    check.add(shared.validate());
    check.add(check_ranges(sram, "sram").take());
    check.add(check_ranges(marking, "marking").take());
    check.add(check_ranges(qcn, "qcn").take());
    check.add(check_ranges(detour, "detour").take());
    check.add(flow_control.validate(device));
    check_lossless_queues(check, *this);
    check_marking(check, *this);
    check.refuse(blocks.pfc == pfc_kind::rtl && flow_control.mode == flow_control_mode::pause, "mac.pfc",
                 "'rtl' does not support 802.3x PAUSE ({pfc.mode} = pause); expected model, or pfc.mode = pfc");
    check.refuse(
        blocks.pfc != pfc_kind::model && flow_control.mode == flow_control_mode::pfc &&
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
    check.refuse_each(
        metrics, [](const std::string& name) { return !is_on_request(name) && !is_definition(name); },
        "metrics",
        "'{}' is not on request; expected a name such as tags.query.fct_ns.p99, priorities.7, sizes.8192, "
        "racks.tor0, offered.bps, goodput.line_rate_percent, or a definition such as tail = fct_ns.p99 / "
        "fct_ns.p50");
    check.require(fairness_window == 0_ps || fairness_window >= 1us, "fairness_window", fairness_window,
                  "0ps (no windows), or at least 1us");
    return check.take();
}

bool has_rtl_arbiter(const run_config& config) {
    return organisation_of(config.device).has_crossbar() && config.device.arbiter == arbiter_kind::rtl;
}

bool has_rtl_pfc(const run_config& config) {
    return config.flow_control.mode == flow_control_mode::pfc && config.blocks.pfc == pfc_kind::rtl;
}

bool has_rtl(const run_config& config) {
    return has_rtl_arbiter(config) || has_rtl_pfc(config) || config.blocks.lookup == lookup_kind::rtl;
}

}  // namespace weir::tb
