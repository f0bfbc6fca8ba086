// The JSON that Perfetto reads, against a text typed by hand; times as its importer makes nanoseconds of them.
#include "tb/verify/perfetto/trace_event_file.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "support/replay_rig.h"

namespace weir::test {

using namespace tb;
namespace {

class trace_event_files : public replay_rig {};

TEST_F(trace_event_files, are_what_the_format_says) {
    {
        trace_event_file file{output_file(path("perfetto.json"))};
        const auto tor = file.add_process("tor\"0\"");
        const auto track = file.add_track(tor, "tx1");
        file.add_slice(track, "flow 7", 1'234'567_ps, 2'345_ps + 1'234'567_ps, {{"bytes", 64}},
                       {26, false, true});
        file.add_mark(track, "lost", 5us, nlohmann::ordered_json::object());
        EXPECT_EQ(file.events(), 2U);
        file.finish();
    }
    EXPECT_EQ(
        contents(path("perfetto.json")),
        "{\"displayTimeUnit\":\"ns\",\"otherData\":{\"version\":\"weir " WEIR_VERSION
        "\"},\"traceEvents\":[\n"
        "{\"ph\":\"M\",\"name\":\"process_name\",\"pid\":1,\"args\":{\"name\":\"tor\\\"0\\\"\"}},\n"
        "{\"ph\":\"M\",\"name\":\"thread_name\",\"pid\":1,\"tid\":1000000,\"args\":{\"name\":\"tx1\"}},\n"
        "{\"ph\":\"X\",\"name\":\"flow 7\",\"pid\":1,\"tid\":1000000,\"ts\":1.2341,\"dur\":0.0021,\"bind_id\":"
        "\"0x1a\",\"flow_out\":true,\"args\":{\"bytes\":64}},\n"
        "{\"ph\":\"i\",\"name\":\"lost\",\"pid\":1,\"tid\":1000000,\"s\":\"t\",\"ts\":5.0001,\"args\":{}}\n]}"
        "\n");
}

// The importer reads a double, multiplies it by 1,000 and drops what is behind the point. Slices that touch do
// so then too.
TEST_F(trace_event_files, have_times_that_the_viewer_cuts_to_the_right_nanosecond) {
    std::vector<picoseconds> times{0_ps};
    for (std::int64_t step = 1; times.back() < picoseconds{4'000s}; step = step * 3 / 2 + 777) {
        times.push_back(times.back() + picoseconds{step});
    }
    for (std::int64_t t = 1'000'000; t < 3'000'000; t += 1'000) {
        times.insert(times.begin() + times.size() / 2, picoseconds{t});
    }
    std::sort(times.begin(), times.end());
    times.erase(std::unique(times.begin(), times.end()), times.end());
    {
        trace_event_file file{output_file(path("perfetto.json"))};
        const auto track = file.add_track(file.add_process("p"), "t");
        for (std::size_t i = 0; i + 1 < times.size(); ++i) {
            file.add_slice(track, "s", times[i], times[i + 1], nlohmann::ordered_json::object());
        }
        file.finish();
    }
    const auto read = nlohmann::json::parse(contents(path("perfetto.json")));
    std::size_t i = 0;
    std::int64_t end = 0;
    for (const auto& event : read["traceEvents"]) {
        if (event["ph"] == "X") {
            const auto begin = static_cast<std::int64_t>(event["ts"].get<double>() * 1000.0);
            ASSERT_EQ(begin, times[i].count() / 1000);
            ASSERT_EQ(begin, end);
            end = begin + static_cast<std::int64_t>(event["dur"].get<double>() * 1000.0);
            ++i;
        }
    }
    EXPECT_GT(i, 2'000U);
}

}  // namespace
}  // namespace weir::test
