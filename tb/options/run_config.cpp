#include "tb/options/run_config.h"

#include <algorithm>

#include "weir/base/field_range.h"
#include "weir/model/memory/queue_order.h"
#include "weir/model/overflow/overflow_action.h"
#include "weir/traffic/tcp/congestion_kinds.h"

namespace weir::tb {

namespace {

/// At switches without RTL, iSLIP's model stands for it.
arbiter_kind model_of(arbiter_choice choice) {
    switch (choice) {
        case arbiter_choice::pim:
            return arbiter_kind::pim;
        case arbiter_choice::round_robin:
            return arbiter_kind::round_robin;
        case arbiter_choice::maximum_size:
            return arbiter_kind::maximum_size;
        case arbiter_choice::islip:
        case arbiter_choice::rtl:
            break;
    }
    return arbiter_kind::islip;
}

}  // namespace

void run_config::resolve() {
    fabric.resolve_links(link);
    device.arbiter = model_of(rtl.arbiter);
    traffic.datagram = udp.payload;
    traffic.datagram_overhead = udp.header + link.wire_overhead;
}

static void check_marking(range_check& check, const run_config& config) {
    const marking_config& marking = config.marking;
    if (marking.kind == marker_kind::none) {
        return;
    }
    if (config.shared.kind == buffer_kind::shared && config.shared.ecn_threshold) {
        check.fail("shared.ecn_threshold",
                   "has no effect, because marking.kind replaces it; expected marking.threshold");
    }
    if (marking.classes && marking.classes->empty()) {
        check.fail("marking.classes", "'' names no class; expected at least one, or auto");
    }
    for (const std::uint32_t c : marking.classes.value_or(std::vector<std::uint32_t>{})) {
        if (c >= config.device.classes) {
            check.fail("marking.classes", std::to_string(c) +
                                              " is not a class; expected below switch.classes (" +
                                              std::to_string(config.device.classes) + ")");
        }
    }
}

// A class that flow control protects must not lose frames by rule, nor wait for ports that a detour needs.
static void check_lossless_queues(range_check& check, const run_config& config) {
    const bool ranks = config.device.queue_order != queue_order_kind::fifo;
    if (ranks && config.device.overflow == overflow_kind::drop) {
        check.fail("switch.overflow",
                   "'drop' leaves no frame for switch.queue_order to let give way; expected hold");
    }
    if (ranks && config.shared.kind == buffer_kind::shared && config.shared.slices > 1) {
        check.fail("switch.queue_order",
                   "'" + queue_orders().of(config.device.queue_order).name +
                       "' knows nothing of slices, whose frames give no other slice room; "
                       "expected fifo, or shared.slices = 1");
    }
    if (config.flow_control.mode == flow_control_mode::none) {
        return;
    }
    const auto refuse = [&](const char* key, const std::string& name, const char* only, const char* why) {
        check.fail(key, "'" + name + "' " + why + ", and pfc.mode = " +
                            (config.flow_control.mode == flow_control_mode::pfc ? "pfc" : "pause") +
                            " makes classes lossless; expected " + only + ", or pfc.mode = none");
    };
    if (config.device.overflow != overflow_kind::hold) {
        refuse("switch.overflow", overflow_kinds().of(config.device.overflow).name, "hold",
               "drops or detours frames");
    }
    if (config.device.queue_order != queue_order_kind::fifo) {
        refuse("switch.queue_order", queue_orders().of(config.device.queue_order).name, "fifo", "drops frames");
    }
}

bool reads_telemetry(const run_config& config) {
    const tcp_config& tcp = config.tcp;
    return config.traffic.uses_tcp() && tcp.congestion &&
           congestion_kinds()[*tcp.congestion](tcp)->wants_telemetry();
}

config_errors run_config::validate() const {
    range_check check;
    check.add(run.validate());
    check.add(fabric.validate());
    check.add(link.validate());
    check.add(device.validate());
    check.add(shared.validate());
    check.add(sram.validate());
    check.add(marking.validate());
    check.add(flow_control.validate(device));
    check_lossless_queues(check, *this);
    check_marking(check, *this);
    if (reads_telemetry(*this) && !device.telemetry) {
        check.fail("tcp.congestion", "'" + congestion_kinds().of(*tcp.congestion).name +
                                         "' reads what switches append to frames; expected switch.telemetry = "
                                         "on");
    }
    if (rtl.pfc == block_kind::rtl && flow_control.mode == flow_control_mode::pause) {
        check.fail("mac.pfc",
                   "'rtl' does not support 802.3x PAUSE (pfc.mode = pause); expected model, or pfc.mode = pfc");
    }
    if (has_rtl(*this) && rtl.latency == block_kind::rtl && !rtl.clock) {
        check.fail("rtl.clock",
                   "is not set, but rtl.latency = rtl needs a clock period; expected a time, such as 6.4ns");
    }
    check.add(host.validate());
    if (!broken_adapters.empty() && flow_control.mode == flow_control_mode::none) {
        check.fail("host.broken[0]",
                   "pauses a link that has no flow control; expected pfc.mode = pfc or pfc.mode = pause");
    }
    check.require(host.nic_buffer == 0_B || host.nic_buffer >= device.max_frame, "host.nic_buffer",
                  host.nic_buffer, "0B, or at least switch.max_frame (" + to_text(device.max_frame) + ")");
    const auto fits_a_frame = [&](const char* block, const char* field, bytes payload, bytes header) {
        if (payload + header > device.max_frame) {
            check.fail(std::string(block) + "." + field,
                       "'" + to_text(payload) + "' with " + block + ".header (" + to_text(header) +
                           ") makes frames of " + to_text(payload + header) +
                           "; expected at most switch.max_frame (" + to_text(device.max_frame) + ")");
        }
    };
    check.add(tcp.validate());
    if (traffic.uses_tcp()) {
        fits_a_frame("tcp", "mss", tcp.mss, tcp.header);
    }
    check.add(udp.validate());
    if (traffic.uses_udp()) {
        fits_a_frame("udp", "payload", udp.payload, udp.header);
    }
    check.add(traffic.validate());
    check.add(files.validate(traffic));
    check.add(output.validate());
    check.add(trace.validate());
    return check.take();
}

config_errors run_options::validate() const {
    if (duration > picoseconds{0} && warmup >= duration) {
        return {{"", 0, "run.warmup",
                 "'" + to_text(warmup) + "' is out of range; expected below run.duration (" +
                     to_text(duration) + ")"}};
    }
    return {};
}

config_errors output_options::validate() const {
    if (window_end && *window_end <= window_start) {
        return {{"", 0, "output.window_end",
                 "'" + to_text(*window_end) + "' is out of range; expected above output.window_start (" +
                     to_text(window_start) + ")"}};
    }
    return {};
}

// A shared memory has no crossbar that an arbiter could serve.
bool has_rtl_arbiter(const run_config& config) {
    return config.shared.kind == buffer_kind::partitioned && config.rtl.arbiter == arbiter_choice::rtl;
}

bool has_rtl_pfc(const run_config& config) {
    return config.flow_control.mode == flow_control_mode::pfc && config.rtl.pfc == block_kind::rtl;
}

bool has_rtl(const run_config& config) {
    return has_rtl_arbiter(config) || has_rtl_pfc(config) || config.rtl.tcam == block_kind::rtl;
}

}  // namespace weir::tb
