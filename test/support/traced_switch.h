// A trace of frames through one switch of the model: what cell_switch.sv is compared with. Times are on the
// clock of that RTL at 10 Gb/s, so that both see a frame at the same edge.
#pragma once

#include <array>
#include <deque>
#include <map>
#include <tuple>
#include <vector>

#include "support/fabric_rig.h"
#include "tb/verify/rtl/switch_trace.h"
#include "weir/base/rng.h"

namespace weir::test {

using namespace tb;

inline constexpr bit_rate traced_rate = 10_Gbps;
inline constexpr picoseconds traced_clock{1600};
inline constexpr picoseconds traced_latency{1'600'000};
inline constexpr picoseconds traced_lookup{320'000};

struct trace_kind {
    unsigned ports = 4;
    std::uint64_t seed = 1;
    std::size_t frames = 1000;
    /// Of what a line could carry.
    double load = 0.9;
    /// Share of the frames that are for port 0.
    double hot = 0;
    unsigned classes = 8;
    /// All even.
    std::vector<std::uint16_t> lengths{64, 66, 128, 200, 512, 1500, 1530};
};

/// Frames in bursts, in the order of their arrivals.
inline std::vector<traced_frame> random_trace(const trace_kind& kind) {
    random_stream random(kind.seed, 0, random_purpose::arrivals);
    const bytes overhead{20};
    // Of each port: when its line is free.
    std::vector<picoseconds> free(kind.ports, traced_lookup + traced_latency);
    std::vector<traced_frame> frames;
    while (frames.size() < kind.frames) {
        const unsigned i = random.below(kind.ports);
        for (unsigned burst = 1 + random.below(8); burst > 0; --burst) {
            traced_frame f;
            f.ingress_port = i;
            f.egress_port = random.uniform() < kind.hot ? 0 : random.below(kind.ports);
            f.frame_class = static_cast<pfc_class>(random.below(kind.classes));
            f.frame_bytes = kind.lengths[random.below(static_cast<std::uint32_t>(kind.lengths.size()))];
            const picoseconds wire = transmission_time(bytes{f.frame_bytes} + overhead, traced_rate);
            f.arrival = free[i] += wire;
            // What the load leaves free, by chance.
            const double idle = 2 * random.uniform() * (1 / kind.load - 1) * static_cast<double>(wire.count());
            free[i] +=
                traced_clock * static_cast<std::int64_t>(idle / static_cast<double>(traced_clock.count()));
            if (f.egress_port != i) {
                frames.push_back(f);
            }
        }
    }
    std::stable_sort(frames.begin(), frames.end(),
                     [](const traced_frame& a, const traced_frame& b) { return a.arrival < b.arrival; });
    return frames;
}

/// Of the golden: egress memories that are soon full.
inline switch_trace_setting golden_switch(unsigned ports) {
    switch_trace_setting setting;
    setting.ports = ports;
    setting.clock = traced_clock;
    setting.device.egress_memory = 4_KiB;
    return setting;
}

/// The switch that the RTL of this setting stands for.
inline switch_config traced_device(const switch_rtl_setting& setting, crossbar_mode mode) {
    switch_config device;
    device.crossbar = mode;
    device.speedup = switch_rtl_speedup;
    device.cell = switch_rtl_cell;
    device.iterations = setting.iterations;
    device.egress_buffer = setting.egress_memory;
    device.max_frame = setting.largest;
    device.share = egress_share::whole;
    device.ingress_buffer = 64_MiB;
    device.lookup_delay = traced_lookup;
    return device;
}

/// Departures from the switch, as `run_switch_rtl` has them. Once in a process.
inline std::vector<picoseconds> model_departures(unsigned ports, const switch_config& device,
                                                 const std::vector<traced_frame>& frames) {
    single_config star;
    star.hosts = ports;
    star.host_link.rate = traced_rate;
    star.host_link.latency = traced_latency;
    fabric_parameters parameters;
    parameters.device = device;
    fabric_rig rig(make_topology(star), parameters);
    // Frames of one pair of ports and one class stay in order.
    std::map<std::tuple<unsigned, unsigned, unsigned>, std::deque<std::size_t>> inside;
    picoseconds end{0};
    for (std::size_t n = 0; n < frames.size(); ++n) {
        const traced_frame& f = frames[n];
        const picoseconds wire = transmission_time(bytes{f.frame_bytes} + 20_B, traced_rate);
        rig.stream(f.arrival - device.lookup_delay - traced_latency - wire, 1,
                   rig.frame(f.ingress_port, f.egress_port, f.frame_bytes, f.frame_class), f.ingress_port);
        inside[{f.ingress_port, f.egress_port, f.frame_class}].push_back(n);
        end = std::max(end, f.arrival) + wire;
    }
    rig.run(end + 10'000'000'000_ps);
    std::vector<picoseconds> departures(frames.size());
    for (host_id h = 0; h < ports; ++h) {
        for (const scripted_endpoint::arrival& a : rig.ends[h].arrivals) {
            auto& waiting = inside[{*rig.plan.host_of(a.frame.src), h, a.frame.priority}];
            departures[waiting.front()] = a.time - traced_latency;
            waiting.pop_front();
        }
    }
    return departures;
}

}  // namespace weir::test
