#include "tb/study/accuracy/transfer_errors.h"

#include <filesystem>

#ifdef WEIR_WITH_RTL
#include <algorithm>
#include <iterator>
#include <numeric>
#include <tuple>

#include "tb/run/options/load_config.h"
#include "tb/run/summary/summary_reader.h"
#include "tb/verify/rtl/switch_trace.h"
#include "weir/base/unit_text.h"
#include "weir/model/memory/memory_organisation.h"
#include "weir/model/switch/block_kinds.h"
#include "weir/traffic/apps/workloads.h"
#include "weir/traffic/host/transports.h"
#endif

namespace weir::tb {

namespace fs = std::filesystem;

#ifdef WEIR_WITH_RTL

namespace {

constexpr std::int64_t largest_frame = 16'320;

bool is_open_loop(const run_config& c) {
    const workload_traits& workload = workloads()[c.traffic.kind];
    return workload.carried == carriage::datagrams ||
           (workload.reads_trace && !transports()[c.traffic.transport].confirms);
}

/// What the RTL does not have.
void check_config(const run_config& c, const std::string& file, config_errors& errors) {
    const auto require = [&](bool holds, const char* key, const std::string& allowed) {
        if (!holds) {
            errors.push_back({file, 0, key, "differs from the RTL of a whole switch; expected " + allowed});
        }
    };
    const switch_config& d = c.device;
    const unsigned most_ports = switch_rtl_sizes().back();
    const bit_rate rate = c.fabric.single.host_link.rate;
    require(c.fabric.topology == named<fabric_kind>("single") && c.fabric.single.hosts <= most_ports,
            "fabric.topology", "single, of up to " + std::to_string(most_ports) + " hosts");
    require(c.fabric.link_overrides.empty(), "fabric.link_overrides", "none");
    require(is_open_loop(c), "traffic.kind", "bernoulli, or trace over udp (traffic.transport)");
    require(organisation_of(d).has_crossbar(), "switch.buffer", "partitioned");
    require(!c.sram.is_limited(), "sram.access_time", "0ps");
    require(d.speedup == switch_rtl_speedup, "switch.speedup", std::to_string(switch_rtl_speedup));
    require(d.cell == switch_rtl_cell, "switch.cell", to_text(switch_rtl_cell));
    require(d.iterations >= 1 && d.iterations <= switch_rtl_slot - 2, "switch.iterations",
            "1 to " + std::to_string(switch_rtl_slot - 2));
    require(d.arbiter == named<arbiter_kind>("islip") || arbiter_kinds()[d.arbiter].is_rtl, "switch.arbiter",
            "islip");
    require(d.scheduler == named<scheduler_kind>("strict"), "switch.scheduler", "strict");
    require(d.share == egress_share::whole, "switch.share", "whole");
    require(d.drop == drop_policy::ingress_tail, "switch.drop", "ingress_tail");
    require(d.memory_cell == 0_B, "switch.memory_cell", "0B");
    require(d.lookup_interval == picoseconds{0}, "switch.lookup_interval", "0ps");
    require(d.max_frame.count() <= largest_frame, "switch.max_frame",
            "up to " + std::to_string(largest_frame) + "B");
    require(rate.count() > 0 && 8 * switch_rtl_line * 1'000'000'000'000 % rate.count() == 0, "link.rate",
            "a rate at which one RTL cycle (2 B) is a whole number of picoseconds");
    require(c.host.stack_distribution == delay_shape::fixed, "host.stack_distribution", "fixed");
    require(c.run.warmup == picoseconds{0}, "run.warmup", "0ps");
}

/// All transfers are in flows.csv, and no pause has held one up.
void check_summary(const std::string& file, config_errors& errors) {
    const summary_file read = read_summary(file);
    if (!read.errors.empty()) {
        errors.insert(errors.end(), read.errors.begin(), read.errors.end());
        return;
    }
    const auto number = [&](const char* group, const char* key) {
        return read.summary[group][key].get<std::uint64_t>();
    };
    const std::uint64_t started = number("flows", "started");
    if (started != number("flows", "completed")) {
        errors.push_back(
            {file, 0, "flows",
             std::to_string(started) + " were started and " + std::to_string(number("flows", "completed")) +
                 " completed; expected traffic that ends (traffic.stop without run.duration), and no losses"});
    }
    if (number("pfc", "xoff_sent") > 0) {
        errors.push_back({file, 0, "pfc.xoff_sent",
                          "is not 0, but the RTL of a whole switch does not support pauses; expected enough "
                          "memory to send no XOFF"});
    }
}

/// Each transfer is one datagram between hosts of the run.
void check_datagrams(const std::vector<transfer_time>& all, const run_config& c, const std::string& file,
                     config_errors& errors) {
    const auto is_unknown = [&](const transfer_time& t) {
        return t.src >= c.fabric.single.hosts || t.dst >= c.fabric.single.hosts || t.priority >= pfc_classes;
    };
    const auto wrong = std::find_if(all.begin(), all.end(), [&](const transfer_time& t) {
        return is_unknown(t) || t.length_bytes > static_cast<std::uint64_t>(c.udp.payload.count());
    });
    if (wrong == all.end()) {
        return;
    }
    const std::string flow = "flow " + std::to_string(wrong->flow);
    errors.push_back(
        is_unknown(*wrong)
            ? config_error{file, 0, "src",
                           flow + " names a host or a priority that the run does not have; expected "
                                  "the unchanged flows.csv of the run"}
            : config_error{file, 0, "bytes",
                           flow + " has " + std::to_string(wrong->length_bytes) +
                               " B, more than one datagram (udp.payload = " + to_text(c.udp.payload) +
                               "); expected transfers of one datagram"});
}

/// In the order of `datagrams`: each as its switch sees it, behind the lookup.
std::vector<traced_frame> frames_of(const std::vector<transfer_time*>& datagrams, const run_config& c,
                                    const std::string& file, config_errors& errors) {
    const link_properties& link = c.fabric.single.host_link;
    std::vector<picoseconds> free(c.fabric.single.hosts);
    std::vector<traced_frame> frames;
    for (const transfer_time* each : datagrams) {
        const transfer_time& d = *each;
        traced_frame f;
        f.ingress_port = static_cast<unsigned>(d.src);
        f.egress_port = static_cast<unsigned>(d.dst);
        f.frame_class = static_cast<pfc_class>(std::min<std::uint64_t>(d.priority, c.device.classes - 1));
        f.frame_bytes = static_cast<std::uint16_t>(
            std::max<std::uint64_t>(64, d.length_bytes + static_cast<std::uint64_t>(c.udp.header.count())));
        const picoseconds ready = picoseconds{d.start} + c.host.stack_out;
        if (ready < free[d.src] && errors.empty()) {
            errors.push_back({file, 0, "start_ns",
                              "host " + std::to_string(d.src) + " has a datagram at " +
                                  to_text(picoseconds{d.start}) +
                                  " while it still sends the previous one; expected datagrams that do not have "
                                  "to wait for the link"});
        }
        free[d.src] = ready + transmission_time(bytes{f.frame_bytes} + c.link.wire_overhead, link.rate);
        f.arrival = free[d.src] + link.latency + c.device.lookup_delay;
        frames.push_back(f);
    }
    return frames;
}

}  // namespace

std::vector<transfer_time> rtl_completions(const std::string& run, config_errors& errors) {
    const auto file = [&](const char* name) { return (fs::path(run) / name).string(); };
    const loaded_config loaded = load_config_files({}, {file("effective.ini")});
    config_errors found = loaded.errors;
    const run_config& c = loaded.config;
    if (found.empty()) {
        check_config(c, file("effective.ini"), found);
    }
    if (found.empty()) {
        check_summary(file("summary.json"), found);
    }
    std::vector<transfer_time> times;
    if (found.empty()) {
        times = read_completions(file("flows.csv"), found);
    }
    if (found.empty()) {
        check_datagrams(times, c, file("flows.csv"), found);
    }
    std::vector<transfer_time*> datagrams;
    std::vector<traced_frame> frames;
    if (found.empty()) {
        std::transform(times.begin(), times.end(), std::back_inserter(datagrams),
                       [](transfer_time& t) { return &t; });
        std::sort(datagrams.begin(), datagrams.end(), [](const transfer_time* a, const transfer_time* b) {
            return std::tie(a->start, a->flow) < std::tie(b->start, b->flow);
        });
        frames = frames_of(datagrams, c, file("flows.csv"), found);
    }
    if (!found.empty()) {
        errors.insert(errors.end(), found.begin(), found.end());
        return {};
    }
    // The RTL takes frames in the order in which they come.
    std::vector<std::size_t> order(frames.size());
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t a, std::size_t b) { return frames[a].arrival < frames[b].arrival; });
    std::vector<traced_frame> sorted;
    for (const std::size_t n : order) {
        sorted.push_back(frames[n]);
    }
    const link_properties& link = c.fabric.single.host_link;
    switch_trace_setting setting;
    setting.ports = c.fabric.single.hosts;
    setting.device = {c.device.iterations, c.device.egress_buffer, c.device.max_frame, c.link.wire_overhead};
    setting.clock = transmission_time(bytes{switch_rtl_line}, link.rate);
    setting.phase = switch_rtl_slot / 2;
    const switch_trace_result made = run_switch_rtl(setting, sorted);
    if (made.gave_up) {
        errors.push_back(
            {run, 0, "",
             "has more frames in a queue than the RTL of a whole switch holds (64 in a VOQ, 4096 in an "
             "egress queue); expected a lower load, or a shorter run"});
        return {};
    }
    for (std::size_t n = 0; n < order.size(); ++n) {
        transfer_time& d = *datagrams[order[n]];
        d.fct = (made.departures[n] + link.latency + c.host.stack_in - picoseconds{d.start}).count();
    }
    return times;
}

#else

std::vector<transfer_time> rtl_completions(const std::string& run, config_errors& errors) {
    errors.push_back(
        {run, 0, "--pair",
         "'rtl' needs a program that was built with Verilator (package verilator, WEIR_WITH_RTL=ON); "
         "expected frame and cell"});
    return {};
}

#endif

}  // namespace weir::tb
