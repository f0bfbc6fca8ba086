// A barrier's work between ranks without MPI: so many nodes of another rank, at each a link that is cut, and so
// many frames that cross in a quantum. What is sent comes in here again.
#include <benchmark/benchmark.h>

#include <memory>
#include <vector>

#include "weir/model/ranks/frame_exchange.h"

namespace {

using namespace weir;
using namespace weir::model;

/// A neighbour that sends what it gets.
class echo_team final : public rank_team {
 public:
    unsigned rank() const override { return 0; }
    unsigned size() const override { return 2; }
    void agree(std::int64_t*, std::size_t) override {}
    std::vector<std::string> gather(std::string own) override { return {std::move(own)}; }
    std::vector<std::string> share(std::string own) override { return {std::move(own)}; }
    void exchange(std::vector<rank_mail>& mail) override {
        for (rank_mail& each : mail) {
            each.received = each.sent;
        }
    }
};

struct owner : sc_core::sc_module {
    explicit owner(const sc_core::sc_module_name& name) : sc_module(name) {}
};

void ranks_exchange(benchmark::State& state) {
    owner module(sc_core::sc_gen_unique_name("ranks"));
    simulation_clock clock;
    clock.end = 1us;
    echo_team team;
    frame_exchange exchange(module, clock, team);
    port_config link;
    link.rate = 100_Gbps;
    link.latency = 2us;
    const auto nodes = static_cast<std::uint32_t>(state.range(0));
    std::vector<std::unique_ptr<wire_output>> outputs;
    std::vector<std::unique_ptr<inbox>> inboxes;
    std::vector<std::unique_ptr<wire_input>> inputs;
    for (std::uint32_t node = 0; node < nodes; ++node) {
        outputs.push_back(std::make_unique<wire_output>(module, 0));
        outputs.back()->connect(exchange.far_input(node, 1, 0, link, false));
        outputs.back()->configure(link);
        outputs.back()->find_peer();
        inboxes.push_back(std::make_unique<inbox>());
        inputs.push_back(std::make_unique<wire_input>(module, 0, clock, *inboxes.back()));
        inputs.back()->configure(link);
        exchange.add(node, *inputs.back(), 1);
    }
    ethernet_frame frame;
    frame.frame_bytes = 1500;
    const picoseconds wire_time = outputs[0]->wire_time(1500_B);
    const auto frames = static_cast<std::uint32_t>(state.range(1));
    for (auto _ : state) {
        for (std::uint32_t i = 0; i < frames; ++i) {
            outputs[i % nodes]->send(frame, picoseconds{i}, wire_time, clock, 0);
        }
        exchange.exchange();
        for (std::uint32_t node = 0; node < nodes && frames > 0; ++node) {
            inboxes[node]->for_each(clock.writing, [](const wire_arrival& arrival) {
                benchmark::DoNotOptimize(arrival.frame.frame_bytes);
            });
            inboxes[node]->clear(clock.writing);
        }
        clock.writing ^= 1;
    }
}
BENCHMARK(ranks_exchange)->Args({16, 0})->Args({1024, 0})->Args({16, 16})->Args({16, 1024})->Args({1024, 1024});

}  // namespace
