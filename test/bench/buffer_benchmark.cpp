// A frame's way through packet memory: charged, queued, taken out, released. `frames` stay inside, so that
// queues and thresholds have work.
#include <benchmark/benchmark.h>

#include <deque>

#include "weir/model/memory/egress_buffer.h"
#include "weir/model/memory/ingress_buffer.h"
#include "weir/model/switch/block_kinds.h"

namespace {

using namespace weir;
using namespace weir::model;

constexpr unsigned ports = 16;
constexpr std::uint32_t length = 1500;

frame_slot make_frame(frame_slab& slab, unsigned number) {
    const frame_slot slot = slab.put(ethernet_frame{});
    frame_route& route = slab.route(slot);
    route.ingress_port = static_cast<std::uint16_t>(number % ports);
    route.egress_port = static_cast<std::uint16_t>(number * 7 % ports);
    route.frame_class = static_cast<pfc_class>(number % pfc_classes);
    route.charged_bytes = length;
    return slot;
}

void ingress_memory(benchmark::State& state) {
    frame_slab slab;
    ingress_buffer buffer(slab, ports, pfc_classes);
    for (unsigned p = 0; p < ports; ++p) {
        ingress_limits limits;
        limits.capacity = 128 << 10;
        limits.xoff = 11'546;
        limits.xon = 4'838;
        buffer.set_limits(p, limits);
    }
    std::deque<frame_slot> inside;
    picoseconds now{0};
    const auto enter = [&](unsigned number) {
        const frame_slot slot = make_frame(slab, number);
        const frame_route& r = slab.route(slot);
        if (!buffer.charge(r.ingress_port, r.frame_class, length, now).admitted) {
            state.SkipWithError("memory is full");
        }
        buffer.enqueue(slot);
        inside.push_back(slot);
    };
    unsigned number = 0;
    while (number < state.range(0)) {
        enter(number++);
    }
    for (auto _ : state) {
        now += picoseconds{1'000};
        enter(number++);
        const frame_slot first = inside.front();
        inside.pop_front();
        const frame_route& r = slab.route(first);
        buffer.dequeue(r.ingress_port, r.egress_port, r.frame_class);
        benchmark::DoNotOptimize(buffer.release(r.ingress_port, r.frame_class, length, now));
        slab.release(first);
    }
    state.SetItemsProcessed(state.iterations());
}

void egress_memory(benchmark::State& state) {
    frame_slab slab;
    switch_config config;
    config.balance = named<balance_policy>("adaptive");
    egress_buffer buffer(slab, config, ports);
    std::deque<frame_slot> inside;
    picoseconds now{0};
    const auto enter = [&](unsigned number) {
        const frame_slot slot = make_frame(slab, number);
        const frame_route& r = slab.route(slot);
        if ((buffer.room(r.egress_port) >> r.frame_class & 1) == 0) {
            state.SkipWithError("memory is full");
        }
        buffer.reserve(r.egress_port, r.frame_class, length);
        buffer.commit(slot, now);
        inside.push_back(slot);
    };
    unsigned number = 0;
    while (number < state.range(0)) {
        enter(number++);
    }
    for (auto _ : state) {
        now += picoseconds{1'000};
        enter(number++);
        const frame_slot first = inside.front();
        inside.pop_front();
        const frame_route& r = slab.route(first);
        buffer.dequeue(r.egress_port, r.frame_class);
        benchmark::DoNotOptimize(buffer.release(r.egress_port, r.frame_class, length, now));
        slab.release(first);
    }
    state.SetItemsProcessed(state.iterations());
}
BENCHMARK(ingress_memory)->Arg(0)->Arg(16)->Arg(512);
BENCHMARK(egress_memory)->Arg(0)->Arg(16)->Arg(512);

}  // namespace
