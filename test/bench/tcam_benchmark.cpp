// Lookup of the longest prefix among /24 routes, with the memory of answers that a switch has, and without it.
#include <benchmark/benchmark.h>

#include <random>
#include <vector>

#include "weir/model/forwarding/tcam.h"

namespace {

using namespace weir;
using namespace weir::model;

void lookup(benchmark::State& state, std::uint32_t memo_entries) {
    tcam_config config;
    config.memo_entries = memo_entries;
    tcam table(config);
    const auto routes = static_cast<std::uint32_t>(state.range(0));
    for (std::uint32_t i = 0; i < routes; ++i) {
        if (table.set_prefix(i, ipv4_address{(10U << 24) | (i << 8)}, 24, port_bitmap::first_ports(4)) !=
            tcam_status::done) {
            state.SkipWithError("a route was refused");
        }
    }
    // Addresses of 64 flows: what one switch sees of them, over and over.
    std::mt19937 bits(1);
    std::vector<std::uint64_t> keys(64);
    for (std::uint64_t& key : keys) {
        key = (10U << 24) | (bits() % routes << 8) | (bits() % 256);
    }
    std::size_t next = 0;
    for (auto _ : state) {
        const int index = table.lookup(keys[next++ % keys.size()]);
        if (index < 0) {
            state.SkipWithError("a route was not found");
            break;
        }
        benchmark::DoNotOptimize(index);
    }
    state.SetItemsProcessed(state.iterations());
}
void tcam_lookup(benchmark::State& state) {
    lookup(state, tcam_config{}.memo_entries);
}
void tcam_lookup_without_memo(benchmark::State& state) {
    lookup(state, 0);
}
BENCHMARK(tcam_lookup)->Arg(4)->Arg(32)->Arg(256)->Arg(4096)->Arg(16384);
BENCHMARK(tcam_lookup_without_memo)->Arg(4)->Arg(32)->Arg(256)->Arg(4096)->Arg(16384);

}  // namespace
