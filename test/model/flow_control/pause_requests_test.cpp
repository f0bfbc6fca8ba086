#include "weir/model/flow_control/pause_requests.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <set>

#include "golden/pfc/pfc_golden.h"
#include "weir/model/clocked/pfc_transmit_control.h"
#include "weir/model/flow_control/pause_timers.h"

namespace weir::model {

using namespace tb;
namespace {

using pfc_golden::number;
using pfc_golden::row;

// Pipeline of verilog-ethernet's mac_pause_ctrl_tx and mac_ctrl_tx; source: test/golden/pfc/PROVENANCE.md.
constexpr std::int64_t launch_latency = pause_launch_latency.count();
constexpr std::int64_t first_beat_latency = (pause_first_beat_latency - pause_launch_latency).count();
constexpr std::int64_t relaunch_latency = 2;  // last beat of a PFC frame to the launch of the next one
constexpr std::int64_t refresh_extra = pause_refresh_extra.count();

struct sent_frame {
    std::int64_t first_beat;
    class_mask enable;
    std::array<std::uint16_t, pfc_classes> quanta;

    friend bool operator==(const sent_frame& a, const sent_frame& b) {
        return a.first_beat == b.first_beat && a.enable == b.enable && a.quanta == b.quanta;
    }
};
[[maybe_unused]] void PrintTo(const sent_frame& f, std::ostream* os) {
    *os << f.first_beat << " enable " << unsigned{f.enable};
    for (const auto q : f.quanta) {
        *os << ' ' << q;
    }
}

std::vector<std::int64_t> numbers(const std::string& text) {
    std::istringstream in(text);
    std::vector<std::int64_t> values;
    for (std::int64_t v = 0; in >> v;) {
        values.push_back(v);
    }
    return values;
}

/// A transmitter without data frames, on the clock of the traces.
std::vector<sent_frame> transmit(const row& scenario, const std::vector<row>& stimuli) {
    const std::int64_t clock = number(scenario.at("clk_period_ps"));
    const std::int64_t beats =
        (60 * 8 + number(scenario.at("data_width_bits")) - 1) / number(scenario.at("data_width_bits"));
    pause_requests requests(pause_config{}, bit_rate{number(scenario.at("line_rate_gbps")) * 1'000'000'000});
    const auto quanta = numbers(scenario.at("quanta_k0..k7"));
    const auto refresh = numbers(scenario.at("refresh_k0..k7"));
    for (unsigned c = 0; c < pfc_classes; ++c) {
        requests.configure_class(static_cast<pfc_class>(c), pause_quanta{quanta.at(c)},
                                 pause_quanta{refresh.at(c)});
    }
    std::vector<sent_frame> frames;
    std::int64_t free_at = 0;
    std::size_t next = 0;
    unsigned level = 0;
    bool enabled = true;
    for (std::int64_t cycle = 0; cycle <= number(scenario.at("end_cycle")); ++cycle) {
        // A launch at this cycle sees the requests as they stood `launch_latency` before.
        for (; next < stimuli.size() && number(stimuli[next].at("cycle")) + launch_latency <= cycle; ++next) {
            const std::int64_t value = number(stimuli[next].at("value"));
            if (stimuli[next].at("kind") == "cfg_tx_pfc_en") {
                enabled = value != 0;
            } else {
                level = static_cast<unsigned>(value);
            }
            const unsigned wanted = enabled ? level : 0;
            requests.request_xoff(static_cast<class_mask>(wanted));
            requests.request_xon(static_cast<class_mask>(~wanted));
        }
        const bool refresh_due = requests.refresh_due() <= picoseconds{(cycle - refresh_extra) * clock};
        if (cycle >= free_at && (requests.pending() || refresh_due)) {
            const pause_fields f = requests.launch(picoseconds{cycle * clock});
            frames.push_back({cycle + first_beat_latency, f.class_enable, f.quanta});
            free_at = cycle + first_beat_latency + beats - 1 + relaunch_latency;
        }
    }
    return frames;
}

TEST(pause_requests_golden, frames_of_all_sound_golden_scenarios_without_data_are_cycle_exact) {
    const auto stimuli = pfc_golden::by_scenario(pfc_golden::read("tx_stimuli.csv"));
    const auto golden_frames = pfc_golden::by_scenario(pfc_golden::read("tx_frames.csv"));
    std::set<pfc_golden::scenario_key> masked;
    for (const row& r : pfc_golden::read("tx_known_rtl_defects.csv")) {
        masked.insert({r.at("config"), r.at("scenario")});
    }
    int scenarios = 0;
    for (const row& scenario : pfc_golden::read("tx_scenarios.csv")) {
        const pfc_golden::scenario_key key{scenario.at("config"), scenario.at("scenario")};
        SCOPED_TRACE(key.first + " " + key.second);
        const auto& inputs = stimuli.at(key);
        const bool other_inputs = std::any_of(inputs.begin(), inputs.end(), [](const row& r) {
            return r.at("kind") == "data_frame_offered" || r.at("kind") == "tx_pfc_resend";
        });
        if (other_inputs || masked.count(key) != 0) {
            continue;
        }
        ++scenarios;
        std::vector<sent_frame> expected;
        for (const row& r : golden_frames.at(key)) {
            sent_frame f{
                number(r.at("cycle_first_beat")), static_cast<class_mask>(number(r.at("class_enable"))), {}};
            for (unsigned c = 0; c < pfc_classes; ++c) {
                f.quanta[c] = static_cast<std::uint16_t>(number(r.at("t" + std::to_string(c))));
            }
            expected.push_back(f);
        }
        EXPECT_EQ(transmit(scenario, inputs), expected);
    }
    EXPECT_EQ(scenarios, 4 * 30 - 1);  // but stagger of d64_10g, which hits a defect
}

TEST(pause_requests, one_frame_carries_all_changes_and_names_the_classes_that_were_paused) {
    pause_requests r(pause_config{}, 10_Gbps);
    EXPECT_FALSE(r.pending());
    r.request_xoff(0x06);
    EXPECT_TRUE(r.pending());
    pause_fields f = r.launch(0us);
    EXPECT_EQ(f.class_enable, 0x06);
    EXPECT_EQ(f.quanta[1], 65'535);
    EXPECT_EQ(f.quanta[0], 0);
    EXPECT_FALSE(r.pending());

    r.request_xoff(0x06);  // no change
    EXPECT_FALSE(r.pending());
    r.request_xon(0x04);
    r.request_xoff(0x80);
    f = r.launch(1us);
    EXPECT_EQ(f.class_enable, 0x86);
    EXPECT_EQ(f.quanta[1], 65'535);  // still paused: announced again
    EXPECT_EQ(f.quanta[2], 0);
    EXPECT_EQ(f.quanta[7], 65'535);
    EXPECT_EQ(r.stats().xoff_sent[1], 2U);
    EXPECT_EQ(r.stats().xoff_sent[2], 1U);
    EXPECT_EQ(r.stats().xon_sent[2], 1U);

    r.request_xon(0xFF);
    f = r.launch(2us);
    EXPECT_EQ(f.class_enable, 0x82);
    EXPECT_EQ(r.refresh_due(), never);
    EXPECT_EQ(r.stats().frames_sent, 3U);
    EXPECT_EQ(r.stats().refreshes_sent, 0U);
}

TEST(pause_requests, refresh_is_due_the_refresh_time_after_the_last_frame_started) {
    pause_config config;
    config.quanta = pause_quanta{100};
    config.refresh = pause_quanta{50};
    pause_requests r(config, 1_Gbps);
    EXPECT_EQ(r.refresh_due(), never);
    r.request_xoff(0x01);
    EXPECT_EQ(r.refresh_due(), never);
    r.launch(10us);
    EXPECT_EQ(r.refresh_due(), 10us + 50 * 512ns);
    r.launch(r.refresh_due());
    EXPECT_EQ(r.refresh_due(), 10us + 100 * 512ns);
    EXPECT_EQ(r.stats().refreshes_sent, 1U);
}

TEST(pause_requests, pause_stops_the_link_from_the_first_class_until_the_last) {
    pause_config config;
    config.kind = frame_kind::pause;
    pause_requests r(config, 1_Gbps);
    r.request_xoff(0x01);
    EXPECT_EQ(r.launch(0us).quanta[0], 65'535);
    r.request_xoff(0x08);
    r.request_xon(0x01);
    EXPECT_FALSE(r.pending());
    r.request_xon(0x08);
    EXPECT_TRUE(r.pending());
    EXPECT_NE(r.refresh_due(), never);
    const pause_fields f = r.launch(1us);
    EXPECT_EQ(f.quanta[0], 0);
    EXPECT_EQ(f.class_enable, 0);
    EXPECT_EQ(r.refresh_due(), never);
    EXPECT_EQ(r.stats().xoff_sent[5], 1U);
    EXPECT_EQ(r.stats().xon_sent[5], 1U);
}

/// What the partner's timers hold always is what was last announced; with any traffic of frames that
/// `validate` knows of, a wanted pause never lapses.
TEST(pause_requests, a_valid_configuration_never_lets_a_wanted_pause_lapse) {
    constexpr bytes max_wire = 1'538_B;
    pause_config config;
    config.quanta = pause_quanta{40};
    config.refresh = pause_quanta{40 - 25};  // 1,538 B are 24.03 quanta
    ASSERT_TRUE(config.validate(max_wire).empty());
    const serializer link(1_Gbps);
    std::mt19937 random(3);
    pause_requests requests(config, 1_Gbps);
    pause_timers partner;
    requests.request_xoff(0x08);
    picoseconds now = 0us;
    bool refreshed_late = false;
    for (int n = 0; n < 10'000; ++n) {
        if (requests.pending() || now >= requests.refresh_due()) {
            refreshed_late |= now - link(1'400_B) > requests.refresh_due();
            const pause_fields f = requests.launch(now);
            const picoseconds heard = now + link(84_B) + 3us;
            EXPECT_EQ(n == 0 ? 0x08 : partner.paused(heard - 1_ps), 0x08) << "lapsed";
            partner.apply(f, heard, link);
            now += link(84_B);
        }
        now += link(bytes{84 + static_cast<std::int64_t>(random() % 1455)});
    }
    EXPECT_TRUE(refreshed_late);
    config.refresh = pause_quanta{16};
    EXPECT_EQ(config.validate(max_wire).size(), 1U);
}

TEST(pause_config, defaults_are_valid_and_impossible_values_are_named) {
    EXPECT_TRUE(pause_config{}.validate(9'236_B).empty());
    pause_config c;
    c.quanta = pause_quanta{65'536};
    ASSERT_EQ(c.validate(1'538_B).size(), 1U);
    EXPECT_EQ(c.validate(1'538_B)[0].key, "pause.quanta");
    c.quanta = pause_quanta{0};
    EXPECT_EQ(c.validate(1'538_B).size(), 1U);
    c = pause_config{};
    c.refresh = pause_quanta{0};
    EXPECT_EQ(c.validate(1'538_B)[0].key, "pause.refresh");
    c.kind = frame_kind::udp;
    EXPECT_EQ(c.validate(1'538_B).size(), 2U);
}

}  // namespace
}  // namespace weir::model
