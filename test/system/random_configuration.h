// Random legal configurations of small fabrics, for tests that compare runs with each other: every topology,
// scheme, arbiter, crossbar, transport and workload, links that change, errors, cuts, traces. A number gives
// the same one everywhere.
//
//   const random_configuration c = make_random_configuration(17);
//   c.write(where);   // c.ini and the files that it names
//   run_program(where, {"run", "c.ini", "--out", "out"});
#pragma once

#include <map>
#include <string>

#include "program.h"
#include "random_fabric.h"
#include "random_traffic.h"

namespace weir::test {

struct random_configuration {
    std::string ini;
    /// Traces and topologies that it names.
    std::map<std::string, std::string> files;

    void write(const scratch_directory& where) const {
        where.write("c.ini", ini);
        for (const auto& [name, text] : files) {
            where.write(name, text);
        }
    }
    /// All that somebody needs to run it by hand.
    std::string text() const {
        std::string all = "c.ini:\n" + ini;
        for (const auto& [name, contents] : files) {
            all += "--- " + name + ":\n" + contents;
        }
        return all;
    }
};

namespace detail {

inline void draw_buffers(dice& d, const random_fabric& fabric, bool lossless, ini_text& ini) {
    const bool small_egress = d.chance(45);
    if (small_egress) {
        ini.set("switch.egress_buffer", d.of({"10KB", "20KB", "40KB"}));
    }
    if (small_egress || d.chance(20)) {
        ini.set("switch.share", d.of({"whole", "fixed", "dynamic"}));
        ini.set("switch.share_alpha", d.of({"0.5", "1", "2"}));
    }
    if (d.chance(20)) {
        ini.set("switch.memory_cell", d.of({"80B", "208B"}));
    }
    if (!lossless) {
        ini.set("switch.drop", d.of({"ingress_tail", "egress_tail"}));
        if (d.chance(60)) {
            ini.set("switch.ingress_buffer", d.of({"4KB", "10KB", "30KB"}));
        }
        return;
    }
    // What eight classes need at the longest link that this generator makes: two latencies and the lookup each.
    const double worst = fabric.gbps() * 0.125 * 8 * (2 * fabric.longest_ns() + 4'000) + 8 * 20'000;
    ini.set("switch.ingress_buffer", worst < 250e3 ? d.of({"256KiB", "512KiB"})
                                     : worst < 1e6 ? "1MiB"
                                                   : "16MiB");
    if (d.chance(60)) {
        ini.set("pfc.xoff", d.of({"4KB", "6000B", "11546B"}));
        ini.set("pfc.xon", d.of({"1B", "3KB", "3999B"}));
    }
    if (d.chance(20)) {
        ini.set("pfc.count", "class_bytes");
    }
    if (d.chance(20)) {
        ini.set("pfc.quanta", d.of({"2000", "20000"}));
        ini.set("pfc.refresh", d.of({"30%", "50%"}));
    }
}

/// Small pools, so that thresholds are met; under flow control headroom for the longest links, by the closed
/// form.
inline void draw_shared_memory(dice& d, bool lossless, ini_text& ini,
                               std::map<std::string, std::string>& files) {
    ini.set("switch.buffer", "shared");
    if (d.chance(60)) {
        ini.set("switch.memory_cell", d.of({"80B", "208B"}));
    }
    const bool sliced = d.chance(40);
    if (sliced) {
        ini.set("shared.slices", d.of({"2", "4"}));
        ini.set("shared.slice_map", d.of({"egress", "egress", "ingress"}));
    }
    if (d.chance(40)) {
        ini.set("shared.minimum", d.of({"1B", "1600B", "3KB"}));
    }
    ini.set("shared.queue_alpha", d.of({"0.25", "1", "8"}));
    ini.set("shared.ecn_threshold", d.of({"auto", "6KB"}));
    if (d.chance(30)) {
        files["groups.csv"] = "port,class,minimum_bytes,alpha,threshold_bytes\n*,*,1000,,\n0,*,,0.25,\n1,*,," +
                              d.of({"2,", ",4000"}) + "\n";
        ini.set("shared.group_profiles", "groups.csv");
    }
    if (d.chance(30)) {
        files["queues.csv"] = "port,class,alpha,threshold_bytes\n0,*," + d.of({"0.5,", ",9000", "4,"}) + "\n";
        ini.set("shared.queue_profiles", "queues.csv");
    }
    if (!lossless) {
        ini.set("shared.lossy_alpha", d.of({"0.5", "8"}));
        ini.set("shared.memory", sliced ? d.of({"2MB", "4MB"}) : d.of({"400KB", "2MB"}));
        return;
    }
    ini.set("shared.memory", "1GiB");
    ini.set("shared.lossless_pool", sliced ? d.of({"200KB", "2MB"}) : d.of({"50KB", "200KB", "2MB"}));
    ini.set("shared.alpha", d.of({"0.0625", "0.5", "1", "16"}));
    if (d.chance(30)) {
        ini.set("shared.threshold", d.of({"1600B", "8KB"}));
    }
    if (d.chance(30)) {
        ini.set("shared.xon", d.of({"0B", "4KB"}));
        ini.set("shared.xon_offset", d.of({"0B", "2KB"}));
    }
    if (d.chance(30)) {
        ini.set("shared.lossless_classes", "0");
        ini.set("shared.lossy_pool", sliced ? "400KB" : d.of({"40KB", "200KB"}));
        ini.set("shared.queue_minimum", d.of({"0B", "2KB"}));
    }
}

/// Memories that are slow enough to make frames wait. What waits in front of a shared one needs room, or a
/// lossless class loses frames, which ends a run.
inline void draw_sram(dice& d, bool shared, ini_text& ini) {
    ini.set("sram.access_time", d.of({"1ns", "20ns", "150ns"}));
    ini.set("sram.banks", d.of({"1", "2", "8"}));
    ini.set("sram.ports", d.of({"1rw", "1r1w"}));
    ini.set("switch.memory_cell", d.of({"80B", "208B"}));
    if (shared) {
        ini.set("switch.ingress_fifo", "4MB");
    } else {
        ini.set("switch.crossbar", "frame");
        ini.set("pfc.charge", "arrival");
    }
}

struct drawn_switch {
    bool lossless;
    bool shared;
    bool banked;
    bool input_buffered;
};

inline drawn_switch draw_switch(dice& d, const random_fabric& fabric, ini_text& ini,
                                std::map<std::string, std::string>& files) {
    const std::string scheme = d.of(
        {"none", "baseline", "priority", "fc", "priority_pfc", "packet_scatter", "detail", "detail", "detail"});
    const bool lossless = scheme != "none" && scheme != "baseline" && scheme != "priority";
    ini.set("switch.scheme", scheme);
    ini.set("switch.lookup_delay", d.of({"0ps", "300ns", "1us", "3.1us"}));
    const bool slow_lookups = d.chance(20);
    if (slow_lookups) {
        ini.set("switch.lookup_interval", d.of({"5ns", "100ns"}));
    } else if (lossless && d.chance(20)) {
        ini.set("pfc.charge", "enqueue");
    }
    ini.set("switch.crossbar", d.of({"frame", "frame", "cell"}));
    ini.set("switch.speedup", d.of({"1", "2", "3", "4"}));
    ini.set("switch.cell", d.of({"64B", "208B"}));
    ini.set("switch.arbiter", d.of({"islip", "islip", "islip", "pim", "round_robin", "maximum_size"}));
    ini.set("switch.iterations", d.of({"0", "1", "2", "4"}));
    if (d.chance(30)) {
        ini.set("switch.balance", d.of({"flow_hash", "packet_scatter", "adaptive", "least_loaded"}));
    } else if (fabric.has_levels() && d.chance(20)) {
        ini.set("switch.balance", d.of({"d_mod_k", "s_mod_k"}));
    }
    if (d.chance(20)) {
        ini.set("switch.balance_thresholds", d.of({"2KB", "4KB, 8KB, 16KB"}));
    }
    if (d.chance(25)) {
        ini.set("switch.scheduler", "deficit_round_robin");
        ini.set("switch.weights", d.of({"1,1,1,1,1,1,1,1", "3,1,1,2,1,1,1,0", "0,5,1,1,1,1,7,0"}));
    }
    if (d.chance(20)) {
        ini.set("switch.classes", d.of({"1", "2", "8"}));
    }
    const bool shared = !slow_lookups && d.chance(30);
    if (shared) {
        draw_shared_memory(d, lossless, ini, files);
    } else {
        draw_buffers(d, fabric, lossless, ini);
    }
    const bool output_queued = !shared && !lossless && !slow_lookups && d.chance(25);
    if (output_queued) {
        ini.set("switch.buffer", "output_queued");
    }
    const bool input_buffered = !shared && !output_queued && d.chance(20);
    if (input_buffered) {
        ini.set("switch.buffer", "input_buffered");
    }
    const bool banked = !output_queued && !input_buffered && d.chance(15);
    if (banked) {
        draw_sram(d, shared, ini);
    }
    return {lossless, shared, banked, input_buffered};
}

/// What depends on the length of egress queues.
inline void draw_queue_rules(dice& d, const drawn_switch& of, ini_text& ini) {
    if (d.chance(25)) {
        if (of.shared) {
            ini.set("shared.ecn_threshold", "auto");
        }
        const std::string kind = d.of({"step", "step", "ramp", "red", "qcn"});
        ini.set("marking.kind", kind);
        ini.set("marking.threshold", d.of({"1B", "3KB", "10KB"}));
        ini.set("marking.threshold_frames", d.of({"auto", "auto", "2"}));
        ini.set("marking.rule", d.of({"at_least", "above", "above_with_frame"}));
        ini.set("marking.k_min", d.of({"0B", "3KB"}));
        ini.set("marking.k_max", d.of({"5KB", "20KB"}));
        ini.set("marking.p_max", d.of({"1%", "80%"}));
        ini.set("marking.at", kind == "red" || kind == "qcn" ? "enqueue" : d.of({"enqueue", "dequeue"}));
        ini.set("marking.counts", d.of({"egress", "bound"}));
        ini.set("marking.weight", d.of({"0.002", "0.1", "1"}));
        ini.set("marking.gentle", d.of({"off", "on"}));
        ini.set("marking.wait", d.of({"off", "on"}));
        ini.set("marking.mean_frame", d.of({"500B", "1500B"}));
        ini.set("marking.spare_control", d.of({"on", "off"}));
        ini.set("marking.may_drop", d.of({"auto", "auto", "off"}));
        if (kind == "red" && d.chance(30)) {
            ini.set("marking.k_min_frames", "2");
            ini.set("marking.k_max_frames", "12");
        }
        ini.set("qcn.set_point", d.of({"3KB", "26KB"}));
        ini.set("qcn.sample_interval", d.of({"10KB", "150KB"}));
        ini.set("qcn.quantiser", d.of({"msb", "scaled"}));
        ini.set("qcn.jitter", d.of({"0%", "15%"}));
        ini.set("qcn.cycles", d.of({"pan", "select", "reset"}));
        ini.set("qcn.cycle_jitter", d.of({"0%", "15%"}));
        ini.set("qcn.timer", d.of({"50us", "15ms"}));
        ini.set("qcn.byte_limit", d.of({"20KB", "150KB"}));
        ini.set("host.voq", d.of({"destination", "transfer"}));
    } else {
        ini.set("host.nic", d.of({"auto", "auto", "auto", "class_queues", "rdma", "voq"}));
    }
    ini.set("switch.telemetry", d.of({"off", "off", "on"}));
    if (of.lossless || of.input_buffered) {
        return;
    }
    // Not both: a frame that is dropped at its lookup lets no other give way, and hops lie where ranks do.
    const unsigned rule = d.below(8);
    ini.set("switch.overflow", rule == 0 ? "drop" : rule >= 6 ? "detour" : "hold");
    ini.set("detour.policy", d.of({"random", "load_aware", "flow_based", "probabilistic"}));
    ini.set("detour.shortest_first", d.of({"on", "off"}));
    ini.set("detour.back", d.of({"on", "off"}));
    ini.set("detour.ttl", d.of({"255", "255", "30"}));
    ini.set("detour.mark", d.of({"on", "off"}));
    ini.set("detour.start", d.of({"0%", "50%", "90%"}));
    ini.set("switch.queue_order", rule == 1 && !of.banked && !of.shared ? "rank" : "fifo");
}

inline void draw_hosts(dice& d, ini_text& ini) {
    if (d.chance(20)) {
        ini.set("host.stack_out", d.of({"1us", "9.5us"}));
        ini.set("host.stack_in", d.of({"0ps", "2us"}));
        ini.set("host.stack_distribution", d.of({"fixed", "fixed", "exponential", "lognormal"}));
        ini.set("host.stack_deviation", d.of({"20%", "100%"}));
    }
    if (d.chance(15)) {
        ini.set("host.nic_buffer", d.of({"8KB", "40KB"}));
    }
    ini.set("tcp.min_rto", d.of({"200us", "1ms"}));
    ini.set("tcp.initial_rto", d.of({"auto", "2ms"}));
    ini.set("tcp.rto_granularity", d.of({"0ps", "10us"}));
    ini.set("output.size_bins", d.of({"auto", "auto", "2KB, 20KB"}));
    ini.set("tcp.rtt_samples", d.of({"one_per_round_trip", "each_ack"}));
    ini.set("tcp.initial_window", d.of({"1", "3", "10", "30"}));
    if (d.chance(20)) {
        ini.set("tcp.handshake", "true");
        ini.set("tcp.handshake_ack", d.of({"true", "false"}));
        ini.set("tcp.syn_options", d.of({"0B", "20B"}));
    }
    if (d.chance(20)) {
        ini.set("tcp.ack_every", "2");
        ini.set("tcp.delayed_ack_timeout", d.of({"100us", "40ms"}));
    }
    ini.set("tcp.congestion", d.of({"auto", "auto", "dctcp", "cubic", "cubic_ecn", "vegas", "vegas_ecn"}));
    ini.set("cubic.rules", d.of({"rfc9438", "rfc8312"}));
    if (d.chance(15)) {
        ini.set("tcp.rto_variance_factor", d.of({"0", "8"}));
        ini.set("tcp.rto_addition", d.of({"0ps", "200us"}));
        ini.set("tcp.rtt_clock", d.of({"1us", "1ms"}));
        ini.set("tcp.ignore_duplicates_after_mark", "true");
        ini.set("tcp.reassembly_limit", d.of({"0", "3"}));
        ini.set("tcp.connection_cache", d.of({"false", "true"}));
        ini.set("tcp.receive_window_max", d.of({"auto", "2MiB"}));
    }
    if (d.chance(20)) {
        ini.set("tcp.mss", d.of({"536B", "1000B"}));
        ini.set("udp.payload", d.of({"18B", "1000B"}));
    }
    if (d.chance(15)) {
        ini.set("tcp.duplicate_acks", d.of({"0", "3"}));
        ini.set("tcp.slow_start_limit", d.of({"0", "2"}));
        ini.set("tcp.avoidance", d.of({"per_window", "per_ack"}));
        ini.set("tcp.receive_window", d.of({"10KB", "64KiB"}));
    }
    if (d.chance(15)) {
        ini.set("tcp.path_choice", "flowbender");
        ini.set("tcp.congestion", d.of({"newreno", "dctcp"}));
        ini.set("flowbender.rounds", d.of({"1", "2"}));
        ini.set("flowbender.random_rounds", d.of({"false", "true"}));
        ini.set("flowbender.lock_after", d.of({"0", "3"}));
        ini.set("flowbender.gradual", d.of({"false", "true"}));
        ini.set("flowbender.probe_every", d.of({"0", "10"}));
        ini.set("flowbender.avoid_rounds", d.of({"0", "20"}));
    }
    ini.set("pfabric.window", d.of({"auto", "12"}));
    ini.set("pfabric.rto", d.of({"auto", "50us"}));
    ini.set("pfabric.probe_after", d.of({"1", "5"}));
    ini.set("roce.rate_control", d.of({"none", "dcqcn", "dcqcn", "dcqcn_mellanox"}));
    ini.set("roce.recovery", d.of({"go_back_n", "selective"}));
    ini.set("roce.ack_timeout", d.of({"200us", "1ms"}));
    ini.set("roce.nak_interval", d.of({"0ps", "20us"}));
    if (d.chance(30)) {
        ini.set("roce.payload", d.of({"256B", "1000B"}));
        ini.set("roce.window", d.of({"auto", "10KB"}));
        ini.set("roce.ack_every", d.of({"1", "3"}));
    }
}

}  // namespace detail

inline random_configuration make_random_configuration(unsigned number) {
    dice d(number);
    ini_text ini;
    random_configuration made;
    const random_fabric fabric(d, ini, made.files);
    const detail::drawn_switch device = detail::draw_switch(d, fabric, ini, made.files);
    detail::draw_hosts(d, ini);
    draw_traffic(d, fabric, ini, made.files);
    ini.set("run.duration", to_ns(fabric.duration_ns()));
    ini.set("run.seed", std::to_string(d.below(1'000'000)));
    if (d.chance(20)) {
        ini.set("run.warmup", to_ns(fabric.duration_ns() / 7));
    }
    if (d.chance(30)) {
        ini.set("output.occupancy_interval", d.of({"0ps", "700ns", "3us", "50us"}));
    }
    detail::draw_queue_rules(d, device, ini);
    if (d.chance(20)) {
        ini.set("run.until", d.of({"mean of fct within 50% at 50%", "p50 of jct within 50% at 60%",
                                   "mean of slowdown within 10% and p90 of fct within 30%"}));
    }
    made.ini = ini.text();
    return made;
}

}  // namespace weir::test
