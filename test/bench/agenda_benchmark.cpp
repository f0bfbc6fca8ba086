// A node's agenda: the next event is taken, and one like it scheduled its stage's delay later.
#include <benchmark/benchmark.h>

#include "weir/base/agenda.h"

namespace {

using namespace weir;

/// Delays of a switch at 10 Gb/s: lookup, crossing at speedup 4, transmission, wire.
struct stages {
    enum : unsigned { lookup, crossing, transmission, wire, count };
    static constexpr unsigned rows = 4;
    static constexpr std::array<std::uint8_t, count> row_of{0, 1, 2, 3};
    static constexpr std::array<std::int64_t, count> delay_ps{300'000, 304'000, 1'216'000, 1'000'000};
};

void hold(benchmark::State& state, bool literal) {
    agenda<stages> events;
    if (literal) {
        events.use_literal();
    }
    const auto pending = static_cast<unsigned>(state.range(0));
    for (unsigned i = 0; i < pending; ++i) {
        events.schedule(picoseconds{1'000 + 7'919 * std::int64_t{i}}, i % stages::count, i % 64, i);
    }
    for (auto _ : state) {
        const event e = events.pop();
        switch (e.stage()) {
            // The stage is a constant wherever a switch schedules.
            case stages::lookup:
                events.schedule(e.time() + picoseconds{stages::delay_ps[0]}, 0, e.port(), e.payload);
                break;
            case stages::crossing:
                events.schedule(e.time() + picoseconds{stages::delay_ps[1]}, 1, e.port(), e.payload);
                break;
            case stages::transmission:
                events.schedule(e.time() + picoseconds{stages::delay_ps[2]}, 2, e.port(), e.payload);
                break;
            default:
                events.schedule(e.time() + picoseconds{stages::delay_ps[3]}, 3, e.port(), e.payload);
                break;
        }
    }
    state.SetItemsProcessed(state.iterations());
}
void agenda_hold(benchmark::State& state) {
    hold(state, false);
}
void agenda_hold_literal(benchmark::State& state) {
    hold(state, true);
}
BENCHMARK(agenda_hold)->Arg(8)->Arg(64)->Arg(512);
BENCHMARK(agenda_hold_literal)->Arg(8)->Arg(64)->Arg(512);

}  // namespace
