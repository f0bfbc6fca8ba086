// One run of iSLIP, four iterations: every VOQ has a frame (`dense`), a tenth of them (`sparse`), one (`lone`).
#include <benchmark/benchmark.h>

#include <random>

#include "weir/model/crossbar/islip.h"

namespace {

using namespace weir;
using namespace weir::model;

void arbitrate(benchmark::State& state, unsigned per_thousand) {
    const auto ports = static_cast<unsigned>(state.range(0));
    crossbar_requests requests(ports);
    std::mt19937 bits(1);
    for (unsigned i = 0; i < ports; ++i) {
        for (unsigned e = 0; e < ports; ++e) {
            if (bits() % 1000 < per_thousand) {
                requests.add(i, e, 7);
            }
        }
    }
    if (per_thousand == 0) {
        requests.add(1, 0, 7);
    }
    islip arbiter(ports);
    const port_bitmap all = port_bitmap::first_ports(ports);
    std::vector<crossbar_match> matches;
    matches.reserve(ports);
    std::int64_t matched = 0;
    for (auto _ : state) {
        matches.clear();
        arbiter.arbitrate(requests, all, all, 4, matches);
        matched += static_cast<std::int64_t>(matches.size());
    }
    if (matched == 0) {
        state.SkipWithError("nothing was matched");
    }
    state.SetItemsProcessed(matched);
    state.SetLabel("items are matches");
}
void islip_dense(benchmark::State& state) {
    arbitrate(state, 1000);
}
void islip_sparse(benchmark::State& state) {
    arbitrate(state, 100);
}
void islip_lone(benchmark::State& state) {
    arbitrate(state, 0);
}
BENCHMARK(islip_dense)->RangeMultiplier(2)->Range(8, max_ports);
BENCHMARK(islip_sparse)->RangeMultiplier(2)->Range(8, max_ports);
BENCHMARK(islip_lone)->RangeMultiplier(2)->Range(8, max_ports);

}  // namespace
