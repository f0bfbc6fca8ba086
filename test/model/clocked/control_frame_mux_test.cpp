#include "weir/model/clocked/control_frame_mux.h"

#include <gtest/gtest.h>

#include <random>
#include <string>
#include <vector>

namespace weir::model {
namespace {

/// Feeds data frames of given beats back to back, and control frames while `control` says so; notes what leaves
/// as `d` and `C` per cycle (`.` for none, capital letters for a frame's last beat).
class bench {
 public:
    explicit bench(unsigned data_width) : m_mux(data_width) { m_mux.clock({}); }

    std::vector<unsigned> frames;
    /// Control frames that wait.
    unsigned control = 0;
    bool ready = true;
    std::string seen;

    void clock() {
        const control_frame_mux_beat& out = m_mux.output();
        if (out.valid && ready) {
            const char kind = out.control ? 'c' : 'd';
            seen += static_cast<char>(out.last ? std::toupper(kind) : kind);
            if (!out.control) {
                tags.push_back(out.tag);
            }
            octets += out.control ? out.octets : 0;
        } else {
            seen += '.';
        }
        control_frame_mux_inputs in;
        in.data_valid = m_frame < frames.size();
        in.data_last = in.data_valid && m_beat + 1 == frames[m_frame];
        in.data_tag = static_cast<std::uint32_t>(m_frame);
        in.control = control > 0 ? &m_fields : nullptr;
        in.ready = ready;
        const bool accepted = in.data_valid && m_mux.accepts_data();
        const bool taken = m_mux.takes_last_control_beat();
        m_mux.clock(in);
        if (accepted) {
            m_beat = in.data_last ? 0 : m_beat + 1;
            m_frame += in.data_last ? 1 : 0;
        }
        control -= taken ? 1 : 0;
    }
    void run(int cycles) {
        for (int c = 0; c < cycles; ++c) {
            clock();
        }
    }

    std::vector<std::uint32_t> tags;
    unsigned octets = 0;

 private:
    control_frame_mux m_mux;
    pause_fields m_fields;
    std::size_t m_frame = 0;
    unsigned m_beat = 0;
};

TEST(control_frame_mux, data_passes_without_gaps_one_cycle_later) {
    bench b(512);
    b.frames = {1, 3, 1, 2};
    b.run(10);
    EXPECT_EQ(b.seen, ".DddDDdD..");
    EXPECT_EQ(b.tags, (std::vector<std::uint32_t>{0, 1, 1, 1, 2, 3, 3}));
}

TEST(control_frame_mux, a_control_frame_waits_for_the_end_of_a_data_frame_and_goes_before_the_next) {
    bench b(128);  // 4 beats
    b.frames = {5, 2, 2};
    b.run(3);
    b.control = 1;
    b.run(12);
    EXPECT_EQ(b.seen, ".ddddDcccCdDdD.");
    EXPECT_EQ(b.octets, 60U);
}

TEST(control_frame_mux, on_an_idle_link_the_first_beat_leaves_two_edges_later) {
    bench b(256);
    b.run(3);
    b.control = 1;
    b.run(5);
    EXPECT_EQ(b.seen, ".....cC.");
}

TEST(control_frame_mux, after_a_frame_of_one_beat_the_turn_comes_a_cycle_later) {
    bench b(512);
    b.frames = {1, 1, 1};
    b.control = 1;
    b.run(8);
    EXPECT_EQ(b.seen, ".D.CDD..");
}

TEST(control_frame_mux, nothing_is_lost_or_doubled_when_the_sink_stops_at_any_cycle) {
    std::mt19937 random(5);
    for (const unsigned width : {8U, 64U, 256U, 512U}) {
        bench b(width);
        unsigned beats = 0;
        for (unsigned f = 0; f < 60; ++f) {
            b.frames.push_back(1 + static_cast<unsigned>(random()) % 5);
            beats += b.frames.back();
        }
        unsigned controls = 0;
        for (int c = 0; c < 6000; ++c) {
            b.ready = random() % 3 != 0;
            if (b.control == 0 && controls < 20 && random() % 20 == 0) {
                ++b.control;
                ++controls;
            }
            b.clock();
        }
        EXPECT_EQ(b.tags.size(), beats);
        EXPECT_TRUE(std::is_sorted(b.tags.begin(), b.tags.end()));
        EXPECT_EQ(b.octets, 60 * controls);
        EXPECT_EQ(std::count(b.seen.begin(), b.seen.end(), 'D'), 60);
        EXPECT_EQ(std::count(b.seen.begin(), b.seen.end(), 'C'), controls);
        // No frame within another.
        char within = 0;
        for (const char s : b.seen) {
            if (s != '.') {
                EXPECT_TRUE(within == 0 || std::tolower(s) == within);
                within = std::islower(s) != 0 ? s : '\0';
            }
        }
    }
}

}  // namespace
}  // namespace weir::model
