#include "tb/accuracy/transfer_errors.h"

#include <filesystem>

#ifdef WEIR_WITH_RTL
#include <algorithm>
#include <cmath>
#include <unordered_map>

#include "tb/options/load_config.h"
#include "tb/results/summary_reader.h"
#include "tb/rtl/switch_trace.h"
#include "tb/text/csv_file.h"
#include "weir/base/unit_text.h"
#endif

namespace weir::tb {

namespace fs = std::filesystem;

#ifdef WEIR_WITH_RTL

namespace {

constexpr std::int64_t largest_frame = 16'320;

bool is_open_loop(const run_config& c) {
    return c.traffic.kind == workload_kind::bernoulli ||
           (c.traffic.kind == workload_kind::trace && c.traffic.transport == transport_kind::udp);
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
    require(c.fabric.topology == fabric_kind::single && c.fabric.single.hosts <= most_ports, "fabric.topology",
            "single, of up to " + std::to_string(most_ports) + " hosts");
    require(c.fabric.link_overrides.empty(), "fabric.link_overrides", "none");
    require(is_open_loop(c), "traffic.kind", "bernoulli, or trace over udp (traffic.transport)");
    require(c.shared.kind == buffer_kind::partitioned, "switch.buffer", "partitioned");
    require(!c.sram.is_limited(), "sram.access_time", "0ps");
    require(d.speedup == switch_rtl_speedup, "switch.speedup", std::to_string(switch_rtl_speedup));
    require(d.cell == switch_rtl_cell, "switch.cell", to_text(switch_rtl_cell));
    require(d.iterations >= 1 && d.iterations <= switch_rtl_slot - 2, "switch.iterations",
            "1 to " + std::to_string(switch_rtl_slot - 2));
    require(d.arbiter == arbiter_kind::islip || d.arbiter == arbiter_kind::rtl, "switch.arbiter", "islip");
    require(d.scheduler == scheduler_kind::strict, "switch.scheduler", "strict");
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
                 " completed; expected traffic that ends (traffic.stop without run.duration), and no "
                 "losses"});
    }
    if (number("pfc", "xoff_sent") > 0) {
        errors.push_back({file, 0, "pfc.xoff_sent",
                          "is not 0, but the RTL of a whole switch does not support pauses; expected enough "
                          "memory to send no XOFF"});
    }
}

struct sent_datagram {
    std::uint64_t flow;
    std::int64_t start;
    unsigned src;
    unsigned dst;
    std::uint64_t payload;
    unsigned priority;
};

std::vector<sent_datagram> read_datagrams(const std::string& file, const run_config& c, config_errors& errors) {
    std::vector<sent_datagram> all;
    csv_file table(file, errors, input_kind::any, "the transfers of a run (`weir sweep --keep all`)");
    const std::vector<std::size_t> at = table.columns({"flow", "src", "dst", "bytes", "priority", "start_ns"});
    while (table.next()) {
        std::uint64_t flow = 0, src = 0, dst = 0, payload = 0, priority = 0;
        double start_ns = 0;
        if (!(table.number(at[0], flow) && table.number(at[1], src) && table.number(at[2], dst) &&
              table.number(at[3], payload) && table.number(at[4], priority) && table.number(at[5], start_ns))) {
            continue;
        }
        if (src >= c.fabric.single.hosts || dst >= c.fabric.single.hosts || priority >= pfc_classes) {
            table.refuse(at[1],
                         "names a host or a priority that the run does not have; expected the unchanged "
                         "flows.csv of the run");
        } else if (payload > static_cast<std::uint64_t>(c.udp.payload.count())) {
            table.refuse(at[3], "'" + std::to_string(payload) + "' is more than one datagram (udp.payload = " +
                                    to_text(c.udp.payload) + "); expected transfers of one datagram");
        } else {
            all.push_back({flow, std::llround(start_ns * 1000), static_cast<unsigned>(src),
                           static_cast<unsigned>(dst), payload, static_cast<unsigned>(priority)});
        }
    }
    std::sort(all.begin(), all.end(), [](const sent_datagram& a, const sent_datagram& b) {
        return a.start != b.start ? a.start < b.start : a.flow < b.flow;
    });
    return all;
}

/// In the order of `datagrams`: each as its switch sees it, behind the lookup.
std::vector<traced_frame> frames_of(const std::vector<sent_datagram>& datagrams, const run_config& c,
                                    const std::string& file, config_errors& errors) {
    const link_properties& link = c.fabric.single.host_link;
    std::vector<picoseconds> free(c.fabric.single.hosts);
    std::vector<traced_frame> frames;
    for (const sent_datagram& d : datagrams) {
        traced_frame f;
        f.ingress_port = d.src;
        f.egress_port = d.dst;
        f.frame_class = static_cast<pfc_class>(std::min(d.priority, c.device.classes - 1));
        f.frame_bytes = static_cast<std::uint16_t>(
            std::max<std::uint64_t>(64, d.payload + static_cast<std::uint64_t>(c.udp.header.count())));
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
    std::vector<sent_datagram> datagrams;
    std::vector<traced_frame> frames;
    if (found.empty()) {
        datagrams = read_datagrams(file("flows.csv"), c, found);
        frames = frames_of(datagrams, c, file("flows.csv"), found);
    }
    if (!found.empty()) {
        errors.insert(errors.end(), found.begin(), found.end());
        return {};
    }
    // The RTL takes frames in the order in which they come.
    std::vector<std::size_t> order(frames.size());
    for (std::size_t n = 0; n < order.size(); ++n) {
        order[n] = n;
    }
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
    std::unordered_map<std::uint64_t, std::int64_t> fct;
    for (std::size_t n = 0; n < order.size(); ++n) {
        const sent_datagram& d = datagrams[order[n]];
        fct[d.flow] = (made.departures[n] + link.latency + c.host.stack_in - picoseconds{d.start}).count();
    }
    std::vector<transfer_time> times = read_completions(file("flows.csv"), errors);
    for (transfer_time& t : times) {
        t.fct = fct[t.flow];
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
