// Replays all golden receive traces through the cycle-level receiver.

#include "weir/model/pfc_receive_control.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <optional>

#include "../golden/pfc/pfc_golden.h"

namespace weir {
namespace {

using pfc_golden::interval;
using pfc_golden::number;
using pfc_golden::row;

/// One line of rx_events.csv, but for the controls, which are stimuli.
struct trace_event {
    std::int64_t cycle;
    std::string signal;
    unsigned value;

    friend bool operator==(const trace_event& a, const trace_event& b) {
        return a.cycle == b.cycle && a.signal == b.signal && a.value == b.value;
    }
    friend bool operator<(const trace_event& a, const trace_event& b) {
        return a.cycle != b.cycle ? a.cycle < b.cycle : a.signal < b.signal;
    }
};
[[maybe_unused]] void PrintTo(const trace_event& e, std::ostream* os) {
    *os << e.cycle << ' ' << e.signal << '=' << e.value;
}

/// The transmitter of the traces: acknowledges at once, or `delay` cycles after it first sees the request,
/// until the request falls.
class transmitter {
 public:
    explicit transmitter(std::optional<std::int64_t> delay) : m_delay(delay) { m_since.fill(-1); }
    class_mask acknowledge(std::int64_t cycle, class_mask request) {
        if (!m_delay) {
            return 0xFF;
        }
        unsigned acknowledged = 0;
        for (unsigned c = 0; c < pfc_classes; ++c) {
            if ((request >> c & 1) == 0) {
                m_since[c] = -1;
                continue;
            }
            m_since[c] = m_since[c] < 0 ? cycle : m_since[c];
            acknowledged |= static_cast<unsigned>(cycle - m_since[c] >= *m_delay) << c;
        }
        return static_cast<class_mask>(acknowledged);
    }

 private:
    std::optional<std::int64_t> m_delay;
    std::array<std::int64_t, pfc_classes> m_since{};
};

struct replay_result {
    std::vector<trace_event> events;
    std::vector<interval> pauses;
};

replay_result replay(const row& scenario, const std::vector<row>& stimuli, const std::vector<row>& controls) {
    pfc_receive_control control(static_cast<unsigned>(number(scenario.at("data_width_bits"))));
    transmitter tx(scenario.at("ack_mode") == "follow" ? std::optional(number(scenario.at("ack_delay_cycles")))
                                                       : std::nullopt);
    replay_result result;
    std::array<std::int64_t, pfc_classes> start{};
    pfc_receive_inputs in;
    class_mask request = 0;
    std::size_t frame = 0;
    std::size_t change = 0;
    const std::int64_t end = number(scenario.at("end_cycle"));
    for (std::int64_t cycle = 0; cycle <= end; ++cycle) {
        const pfc_receive_outputs& out = control.outputs();
        const auto pulse = [&](const char* signal, unsigned value) {
            if (value != 0) {
                result.events.push_back({cycle, signal, value});
            }
        };
        pulse("mcf_valid", out.control_frame);
        pulse("stat_rx_pfc_pkt", out.pfc_frame);
        pulse("stat_rx_pfc_xoff", out.xoff);
        pulse("stat_rx_pfc_xon", out.xon);
        for (unsigned c = 0; c < pfc_classes; ++c) {
            const unsigned now = out.request >> c & 1;
            if (now != (request >> c & 1U)) {
                result.events.push_back({cycle, "rx_pfc_req[" + std::to_string(c) + "]", now});
                if (now != 0) {
                    start[c] = cycle;
                } else {
                    result.pauses.push_back({c, start[c], cycle});
                }
            }
        }
        request = out.request;

        for (; change < controls.size() && number(controls[change].at("cycle")) == cycle; ++change) {
            const auto value = static_cast<class_mask>(number(controls[change].at("value")));
            if (controls[change].at("signal") == "in.rx_pfc_en") {
                in.class_enable = value;
            } else {
                in.pfc_enable = value != 0;
            }
        }
        pause_frame_result decoded;
        in.frame = nullptr;
        if (frame < stimuli.size() && number(stimuli[frame].at("cycle_last_beat")) == cycle) {
            const auto data = pfc_golden::octets(stimuli[frame].at("frame_hex"));
            decoded = decode_pause_frame(data.data(), data.size());
            if (decoded && stimuli[frame].at("tuser_bad_fcs") == "0") {
                in.frame = &decoded.frame;
            }
            ++frame;
        }
        in.acknowledge = tx.acknowledge(cycle, request);
        control.clock(in);
    }
    std::sort(result.events.begin(), result.events.end());
    std::sort(result.pauses.begin(), result.pauses.end());
    return result;
}

TEST(pfc_receive_control_golden, every_event_and_pause_of_all_golden_scenarios_is_cycle_exact) {
    const auto stimuli = pfc_golden::by_scenario(pfc_golden::read("rx_stimuli.csv"));
    auto golden_events = pfc_golden::by_scenario(pfc_golden::read("rx_events.csv"));
    auto golden_pauses = pfc_golden::by_scenario(pfc_golden::read("rx_pause_intervals.csv"));
    int scenarios = 0;
    std::size_t compared = 0;
    for (const row& scenario : pfc_golden::read("rx_scenarios.csv")) {
        const pfc_golden::scenario_key key{scenario.at("config"), scenario.at("scenario")};
        SCOPED_TRACE(key.first + " " + key.second);
        std::vector<row> controls;
        std::vector<trace_event> expected;
        for (const row& r : golden_events[key]) {
            if (r.at("signal").compare(0, 3, "in.") == 0) {
                controls.push_back(r);
            } else {
                expected.push_back(
                    {number(r.at("cycle")), r.at("signal"), static_cast<unsigned>(number(r.at("value")))});
            }
        }
        std::vector<interval> pauses;
        for (const row& r : golden_pauses[key]) {
            pauses.push_back({static_cast<unsigned>(number(r.at("class"))), number(r.at("start_cycle")),
                              number(r.at("end_cycle"))});
        }
        std::sort(expected.begin(), expected.end());
        std::sort(pauses.begin(), pauses.end());

        const replay_result got = replay(scenario, stimuli.at(key), controls);
        EXPECT_EQ(got.events, expected);
        EXPECT_TRUE(got.pauses == pauses);
        ++scenarios;
        compared += expected.size();
    }
    EXPECT_EQ(scenarios, 148);
    EXPECT_GT(compared, 11'000U);
}

TEST(pfc_receive_control, latencies_are_those_of_the_named_constants) {
    pfc_receive_control control(64);
    pause_frame frame;
    frame.fields.class_enable = 0x10;
    frame.fields.quanta[4] = 3;
    pfc_receive_inputs in;
    in.frame = &frame;
    cycles parsed{-1};
    cycles counted{-1};
    cycles rise{-1};
    cycles fall{-1};
    for (std::int64_t cycle = 0; cycle < 100; ++cycle) {  // last beat at cycle 0
        const pfc_receive_outputs& out = control.outputs();
        parsed = out.control_frame ? cycles{cycle} : parsed;
        counted = out.xoff == 0x10 ? cycles{cycle} : counted;
        if (out.request == 0x10 && rise.count() < 0) {
            rise = cycles{cycle};
        }
        if (out.request == 0 && rise.count() >= 0 && fall.count() < 0) {
            fall = cycles{cycle};
        }
        control.clock(in);
        in.frame = nullptr;
    }
    EXPECT_EQ(parsed, control_frame_latency);
    EXPECT_EQ(counted, pause_statistics_latency);
    EXPECT_EQ(rise, pause_request_latency);
    EXPECT_EQ(fall - rise, cycles{3 * 512 / 64});
}

TEST(pfc_receive_control, a_frame_parsed_while_pfc_is_off_is_ignored_and_pause_frames_are_no_pfc) {
    pfc_receive_control control(512);
    pause_frame frame;
    frame.fields.class_enable = 0xFF;
    frame.fields.quanta.fill(100);
    pfc_receive_inputs in;
    in.frame = &frame;
    in.pfc_enable = false;
    control.clock(in);
    EXPECT_TRUE(control.outputs().control_frame);
    in.frame = nullptr;
    control.clock(in);
    EXPECT_FALSE(control.outputs().pfc_frame);
    in.pfc_enable = true;
    frame.kind = frame_kind::pause;
    in.frame = &frame;
    for (int i = 0; i < 5; ++i) {
        control.clock(in);
        EXPECT_EQ(control.outputs().request, 0);
        EXPECT_FALSE(control.outputs().pfc_frame);
    }
}

}  // namespace
}  // namespace weir
