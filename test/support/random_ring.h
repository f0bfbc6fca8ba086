// Random rings of switches, most of which lock up under PFC.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "support/fabric_rig.h"
#include "weir/base/rng.h"
#include "weir/model/switch/block_kinds.h"

namespace weir::test {

/// A ring of three to five switches with two hosts each, clockwise or by shortest paths, random thresholds,
/// classes and loads; memories of the ports' own, or one for all ports of a switch. The run goes on after a
/// deadlock has been found, so that one sees whether it was one.
struct random_ring {
    enum kind { ports_memories, one_memory, slow_links, memories_at_ingress };
    random_ring(std::uint64_t seed, kind of) : with(of), chance(seed, 0, random_purpose::adversary) {
        const unsigned switches = 3 + below(3);
        for (unsigned s = 0; s < switches; ++s) {
            const node_ref self = node_ref::of_switch(plan.add_switch("s" + std::to_string(s), 1));
            for (unsigned i = 0; i < 2; ++i) {
                const host_id h = plan.add_host("h" + std::to_string(2 * s + i));
                // Slow hosts keep pauses up for long that end after all.
                plan.add_link(
                    node_ref::of_host(h), self,
                    {std::array{10_Gbps, 10_Gbps, 10_Gbps, 10_Gbps, 1_Gbps, 200_Mbps}[below(6)], 1us});
            }
        }
        for (unsigned s = 0; s < switches; ++s) {
            // On slow and long links an XON is long on its way, and waits long for the frame before it.
            const bit_rate rate = of != slow_links ? 10_Gbps : std::array{1_Gbps, 1_Gbps, 100_Mbps}[below(3)];
            const picoseconds latency =
                of != slow_links ? 1us : std::array<picoseconds, 3>{1us, 100us, 300us}[below(3)];
            plan.add_link(node_ref::of_switch(s), node_ref::of_switch((s + 1) % switches), {rate, latency});
        }
        plan.finish();
        parameters.flow_control.mode = below(4) == 0 ? flow_control_mode::pause : flow_control_mode::pfc;
        parameters.flow_control.count =
            below(2) == 0 ? threshold_count::class_bytes : threshold_count::drain_bytes;
        parameters.flow_control.quanta = pause_quanta{2000};
        parameters.device.classes = 1 + below(3);
        parameters.device.ingress_buffer = bytes{of == slow_links ? 300'000 : 40'000 * (1 + below(3))};
        parameters.device.share =
            std::array{egress_share::whole, egress_share::fixed, egress_share::dynamic}[below(3)];
        parameters.device.share_alpha = 2;
        parameters.device.scheduler =
            below(2) == 0 ? named<scheduler_kind>("strict") : named<scheduler_kind>("deficit_round_robin");
        if (below(3) == 0) {
            parameters.device.crossbar = crossbar_mode::cell;
        }
        if (of == one_memory) {
            parameters.device.crossbar = crossbar_mode::frame;
            share_memory();
        }
        if (of == memories_at_ingress) {
            parameters.device.crossbar = crossbar_mode::frame;
            parameters.device.buffer = buffer_kind::input_buffered;
        }
        const bool clockwise = below(4) != 0;
        for (switch_id s = 0; clockwise && s < switches; ++s) {
            for (host_id h = 0; h < plan.hosts(); ++h) {
                const port_bitmap next{
                    plan.far_end(node_ref::of_switch(s), 2).node.index == (s + 1) % switches ? 2U : 3U};
                if (plan.edge_switch(h) != s) {
                    parameters.routes.push_back({s, h, next});
                }
            }
        }
    }
    void share_memory() {
        shared_buffer_config& shared = parameters.shared;
        parameters.device.buffer = buffer_kind::shared;
        shared.memory = 4_MB;
        shared.lossless_pool = bytes{100'000 + 100'000 * below(4)};
        shared.lossy_pool = 100_KB;
        shared.slices = 1 + below(2);
        shared.alpha = std::array{0.0625, 0.25, 1.0, 8.0}[below(4)];
        if (below(4) == 0) {
            shared.threshold = bytes{10'000 + 10'000 * below(4)};
        }
        shared.minimum = bytes{std::array{0, 0, 1000, 4000}[below(4)]};
        shared.xon = bytes{std::array{0, 0, 3000}[below(3)]};
        shared.xon_offset = bytes{std::array{0, 0, 2000}[below(3)]};
        if (below(4) == 0) {
            shared.lossless_classes = std::vector<std::uint32_t>{0};
        }
        parameters.device.memory_cell = bytes{std::array{0, 208}[below(2)]};
    }
    /// Of most hosts a stream; how many frames that are.
    unsigned send(fabric_rig& rig) {
        unsigned sent = 0;
        for (host_id h = 0; h < plan.hosts(); ++h) {
            const unsigned hosts = plan.hosts();
            const host_id to = (h + 2 + below(hosts - 3)) % hosts;
            const unsigned count = (150 + below(450)) * (with == slow_links ? 4 : 1);
            if (to != h && below(6) != 0) {
                rig.stream(picoseconds{1'000'000} * below(50), static_cast<int>(count),
                           rig.frame(h, to, static_cast<std::uint16_t>(400 + below(1100)),
                                     static_cast<pfc_class>(below(3))),
                           h);
                sent += count;
            }
        }
        return sent;
    }
    picoseconds duration() const { return with == slow_links ? 3s : 300ms; }
    unsigned below(unsigned n) { return chance.below(n); }

    kind with;
    random_stream chance;
    topology plan;
    fabric_parameters parameters;
};

}  // namespace weir::test
