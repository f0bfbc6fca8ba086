// PFC's RTL at a port with a clock of its own, beside the same RTL with every edge evaluated by itself.
#include "tb/verify/rtl/pfc_clocked_port.h"

#include <gtest/gtest.h>

#include <map>

#include "weir/base/rng.h"

namespace {

using namespace weir;
using namespace weir::tb;

constexpr bit_rate rate{10'000'000'000};

picoseconds at_edge(std::int64_t edge, picoseconds period) {
    return period * edge;
}

// --- receive side
// ---------------------------------------------------------------------------------------------------

/// Frames by the edge that samples them.
using frames_at = std::map<std::int64_t, pause_frame>;

frames_at random_frames(std::uint64_t seed, std::int64_t edges) {
    random_stream chance(seed, 0, random_purpose::bit_errors);
    frames_at frames;
    for (std::int64_t edge = 5; edge < edges; edge += 1 + chance.below(chance.below(2) == 0 ? 5 : 400)) {
        pause_frame& frame = frames[edge];
        frame.fields.class_enable = static_cast<class_mask>(chance.below(256));
        for (auto& quanta : frame.fields.quanta) {
            quanta = static_cast<std::uint16_t>(chance.below(3) == 0 ? 0 : chance.below(40));
        }
    }
    return frames;
}

/// What each edge samples of the requests.
std::vector<class_mask> every_edge(const frames_at& frames, std::int64_t edges, picoseconds period) {
    pfc_receive_rtl rtl(64);
    rtl.set_step(static_cast<std::uint32_t>(pfc_steps(period, rate)));
    std::vector<class_mask> sampled;
    for (std::int64_t edge = 0; edge < edges; ++edge) {
        sampled.push_back(rtl.outputs().request);
        const auto frame = frames.find(edge);
        pfc_receive_inputs in;
        in.frame = frame == frames.end() ? nullptr : &frame->second;
        rtl.clock(in);
    }
    return sampled;
}

/// As a switch asks: when a frame's pauses hold, and when the port says.
void compare_receive(picoseconds period, std::uint64_t seed, picoseconds offset) {
    constexpr std::int64_t edges = 100'000;
    const frames_at frames = random_frames(seed, edges);
    const std::vector<class_mask> expected = every_edge(frames, edges, period);
    pfc_receive_clocked_port port(rate, period);
    std::map<picoseconds, unsigned> looks;
    auto frame = frames.begin();
    class_mask paused = 0;
    std::size_t asked = 0;
    std::size_t pauses = 0;
    for (std::int64_t edge = 0; edge < edges; ++edge) {
        const picoseconds now = at_edge(edge, period);
        // A last bit that comes before an edge is sampled by it.
        if (frame != frames.end() && frame->first == edge) {
            const picoseconds effect = port.arrive(frame->second, now - offset, 1us);
            ASSERT_EQ(effect, at_edge(edge + 3, period));
            ++looks[effect];
            ++frame;
        }
        if (!looks.empty() && looks.begin()->first == now) {
            looks.erase(looks.begin());
            paused = port.paused(now);
            ++asked;
            const picoseconds next = port.next_change();
            ASSERT_GT(next, now);
            if (next != never) {
                ++looks[next];
            }
        }
        ASSERT_EQ(paused, expected[static_cast<std::size_t>(edge)]) << "edge " << edge;
        pauses += paused != 0 ? 1 : 0;
    }
    EXPECT_GT(pauses, 10'000U);
    EXPECT_LT(asked, 20'000U);
}

TEST(pfc_receive_clocked_port, asked_now_and_then_it_is_what_each_edge_sees) {
    compare_receive(6400_ps, 1, 0_ps);
    compare_receive(6400_ps, 2, 6399_ps);
    compare_receive(800_ps, 3, 1_ps);
    compare_receive(2000_ps, 4, 500_ps);  // 10 steps: no power of two
}

TEST(pfc_receive_clocked_port, asked_late_it_has_counted_all_the_same) {
    pfc_receive_clocked_port port(rate, 6400_ps);
    pause_frame frame;
    frame.fields.class_enable = 1;
    frame.fields.quanta[0] = 2;  // 16 cycles
    EXPECT_EQ(port.arrive(frame, 0_ps, 0_ps), at_edge(3, 6400_ps));
    EXPECT_EQ(port.paused(at_edge(18, 6400_ps)), 1);
    EXPECT_EQ(port.next_change(), at_edge(19, 6400_ps));
    EXPECT_EQ(port.paused(at_edge(19, 6400_ps)), 0);
    EXPECT_EQ(port.next_change(), never);
}

// --- transmit side
// --------------------------------------------------------------------------------------------------

struct sent_frame {
    std::int64_t first_beat;
    class_mask enable;
    std::uint16_t quanta;

    friend bool operator==(const sent_frame& a, const sent_frame& b) {
        return a.first_beat == b.first_beat && a.enable == b.enable && a.quanta == b.quanta;
    }
};

/// Requests by the edge that samples them, and when data keeps the transmitter from beginning.
struct transmit_script {
    std::map<std::int64_t, class_mask> requests;
    std::vector<bool> data;
};

transmit_script random_script(std::uint64_t seed, std::int64_t edges) {
    random_stream chance(seed, 1, random_purpose::bit_errors);
    transmit_script script;
    for (std::int64_t edge = 5; edge < edges; edge += 1 + chance.below(chance.below(2) == 0 ? 8 : 3000)) {
        script.requests[edge] = static_cast<class_mask>(chance.below(3) == 0 ? 0 : chance.below(256));
    }
    bool data = false;
    while (script.data.size() < static_cast<std::size_t>(edges)) {
        script.data.insert(script.data.end(), 1 + chance.below(200), data);
        data = !data;
    }
    return script;
}

constexpr std::int64_t frame_edges = 11;

pfc_transmit_config short_pauses() {
    pfc_transmit_config config;
    config.quanta.fill(200);
    config.refresh.fill(100);
    return config;
}

std::vector<sent_frame> every_edge(const transmit_script& script, std::int64_t edges, picoseconds period) {
    pfc_transmit_rtl rtl(short_pauses());
    rtl.set_step(static_cast<std::uint32_t>(pfc_steps(period, rate)));
    std::vector<sent_frame> sent;
    pfc_transmit_inputs in;
    std::int64_t waiting_since = -1;
    std::int64_t taken = -1;
    for (std::int64_t edge = 0; edge < edges; ++edge) {
        // The first beat comes two cycles after the edge that sees it waiting.
        if (rtl.outputs().waiting && waiting_since < 0) {
            waiting_since = edge;
        }
        if (waiting_since >= 0 && taken < 0 && edge >= waiting_since + 2 &&
            !script.data[static_cast<std::size_t>(edge)]) {
            sent.push_back({edge, rtl.frame().class_enable, rtl.frame().quanta[3]});
            taken = edge + frame_edges;
        }
        const auto request = script.requests.find(edge);
        in.request = request == script.requests.end() ? in.request : request->second;
        in.taken = edge == taken;
        rtl.clock(in);
        if (in.taken) {
            waiting_since = taken = -1;
        }
    }
    return sent;
}

void compare_transmit(picoseconds period, std::uint64_t seed, picoseconds offset) {
    constexpr std::int64_t edges = 200'000;
    const transmit_script script = random_script(seed, edges);
    pfc_transmit_clocked_port port(short_pauses(), rate, period);
    std::vector<sent_frame> sent;
    picoseconds look = never;
    picoseconds free_from{0};
    bool attention = false;
    std::size_t asked = 0;
    for (std::int64_t edge = 0; edge < edges; ++edge) {
        const picoseconds now = at_edge(edge, period);
        const auto request = script.requests.find(edge);
        if (request != script.requests.end()) {
            port.request(request->second, false, now - offset);
            attention = true;
        }
        if (look <= now) {
            ASSERT_EQ(look, now);
            look = never;
            attention = true;
        }
        if (attention && now >= free_from && !script.data[static_cast<std::size_t>(edge)]) {
            attention = false;
            ++asked;
            if (const pause_fields* const frame = port.offer(now)) {
                sent.push_back({edge, frame->class_enable, frame->quanta[3]});
                free_from = at_edge(edge + frame_edges, period);
                port.sent(free_from);
            }
            look = std::min(look, port.next_offer());
            ASSERT_GT(look, now);
        }
    }
    const std::vector<sent_frame> expected = every_edge(script, edges, period);
    ASSERT_GT(expected.size(), 100U);
    EXPECT_LT(asked, expected.size() * 12);
    ASSERT_EQ(sent.size(), expected.size());
    for (std::size_t i = 0; i < sent.size(); ++i) {
        ASSERT_EQ(sent[i], expected[i])
            << "frame " << i << " at edge " << sent[i].first_beat << " instead of " << expected[i].first_beat;
    }
}

TEST(pfc_transmit_clocked_port, asked_now_and_then_it_sends_what_each_edge_makes) {
    compare_transmit(6400_ps, 1, 0_ps);
    compare_transmit(6400_ps, 2, 6399_ps);
    compare_transmit(800_ps, 3, 1_ps);
    compare_transmit(2000_ps, 4, 500_ps);
}

}  // namespace
