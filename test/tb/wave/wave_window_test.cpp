// What of a list of changes is written: against lists worked out by hand, and the same however it comes in.
#include "tb/verify/wave/wave_window.h"

#include <gtest/gtest.h>

#include <map>
#include <random>
#include <sstream>

namespace weir::tb {
namespace {

/// `@5 0=3 1=1 @7 ...`, and `| 9` for the end.
class written final : public wave_file {
 public:
    void declare(const std::vector<wave_signal>&) override {}
    void begin(picoseconds time) override { m_text << "begin@" << time.count(); }
    void at(picoseconds time) override { m_text << " @" << time.count(); }
    void change(std::size_t signal, std::string_view bits) override {
        std::uint64_t low = 0;
        for (const char bit : bits) {
            low = low << 1 | (bit == '1' ? 1 : 0);
        }
        const bool high = bits.size() > 64 && bits.substr(0, bits.size() - 64).find('1') != std::string::npos;
        m_text << " " << signal << "=" << (high ? "high+" : "") << low;
    }
    void finish(picoseconds end) override { m_text << " | " << end.count(); }
    std::string text() const { return m_text.str(); }

 private:
    std::ostringstream m_text;
};

using changes = std::vector<wave_change>;
const std::vector<unsigned> two_widths{8, 8};

wave_change change(std::int64_t time, std::uint32_t word, std::uint64_t value) {
    return {picoseconds{time}, word, value};
}

/// All in one batch.
std::string write_all(const wave_limits& limits, changes list, std::int64_t end, picoseconds trigger = never,
                      const std::vector<unsigned>& widths = two_widths) {
    written file;
    wave_window window(limits, widths, file);
    window.add(list);
    window.finish(picoseconds{end}, trigger);
    return file.text();
}

wave_limits window(std::int64_t start, std::int64_t end) {
    wave_limits limits;
    limits.start = picoseconds{start};
    limits.end = picoseconds{end};
    return limits;
}
wave_limits round_a_trigger(std::int64_t before, std::int64_t after) {
    wave_limits limits;
    limits.triggered = true;
    limits.before = picoseconds{before};
    limits.after = picoseconds{after};
    return limits;
}

TEST(wave_window, an_instant_is_settled_and_a_value_that_comes_back_is_no_change) {
    EXPECT_EQ(write_all({},
                        {change(5, 1, 1), change(5, 0, 2), change(5, 0, 3), change(8, 0, 4), change(8, 0, 3),
                         change(9, 1, 0)},
                        20),
              "begin@0 0=0 1=0 @5 0=3 1=1 @9 1=0 | 20");
}

TEST(wave_window, it_begins_with_what_holds_at_its_start_and_ends_before_its_end) {
    const changes list{change(3, 0, 1), change(10, 0, 2), change(12, 1, 5), change(15, 1, 6), change(16, 0, 9)};
    EXPECT_EQ(write_all(window(10, 15), list, 20), "begin@10 0=2 1=0 @12 1=5 | 15");
    EXPECT_EQ(write_all(window(11, 16), list, 20), "begin@11 0=2 1=0 @12 1=5 @15 1=6 | 16");
    EXPECT_EQ(write_all(window(17, 30), list, 20), "begin@17 0=9 1=6 | 20");
    EXPECT_EQ(write_all(window(30, 40), list, 20), " | -1");
}

TEST(wave_window, a_trigger_opens_it_for_the_time_before_and_after) {
    const changes list{change(3, 0, 1), change(10, 0, 2), change(12, 1, 5), change(15, 1, 6), change(16, 0, 9)};
    EXPECT_EQ(write_all(round_a_trigger(5, 4), list, 20, 12_ps),
              "begin@7 0=1 1=0 @10 0=2 @12 1=5 @15 1=6 | 16");
    EXPECT_EQ(write_all(round_a_trigger(0, 1), list, 20, 12_ps), "begin@12 0=2 1=5 | 13");
    EXPECT_EQ(write_all(round_a_trigger(50, 100), list, 20, 12_ps),
              "begin@0 0=0 1=0 @3 0=1 @10 0=2 @12 1=5 @15 1=6 @16 0=9 | 20");
    EXPECT_EQ(write_all(round_a_trigger(5, 4), list, 20), " | -1");
    wave_limits both = round_a_trigger(5, 4);
    both.start = 11_ps;
    both.end = 14_ps;
    EXPECT_EQ(write_all(both, list, 20, 12_ps), "begin@11 0=2 1=0 @12 1=5 | 14");
}

TEST(wave_window, the_limit_ends_it_after_a_whole_instant) {
    wave_limits limits;
    limits.changes = 2;
    const changes list{change(3, 0, 1), change(4, 0, 2), change(4, 1, 5), change(6, 1, 6)};
    written file;
    wave_window cut(limits, two_widths, file);
    changes copy = list;
    cut.add(copy);
    cut.finish(9_ps, never);
    EXPECT_EQ(file.text(), "begin@0 0=0 1=0 @3 0=1 @4 0=2 1=5 | 4");
    EXPECT_EQ(cut.cut_at(), 4_ps);
    limits.changes = 4;
    written whole_file;
    wave_window whole(limits, two_widths, whole_file);
    copy = list;
    whole.add(copy);
    whole.finish(9_ps, never);
    EXPECT_EQ(whole.cut_at(), never);
}

TEST(wave_window, the_time_before_a_trigger_is_bounded_by_the_limit) {
    wave_limits limits = round_a_trigger(50, 4);
    limits.changes = 2;
    written file;
    wave_window late(limits, two_widths, file);
    changes list{change(3, 0, 1), change(4, 0, 2), change(4, 1, 5), change(6, 1, 6), change(7, 0, 3)};
    late.add(list);
    late.finish(20_ps, 6_ps);
    EXPECT_EQ(file.text(), "begin@4 0=2 1=5 @6 1=6 @7 0=3 | 10");
    EXPECT_TRUE(late.begins_late());
}

TEST(wave_window, wide_signals_have_a_word_for_each_64_bits_and_change_as_one) {
    EXPECT_EQ(
        write_all({}, {change(2, 1, 7), change(2, 0, 9), change(2, 2, 1), change(4, 1, 0)}, 5, never, {100, 4}),
        "begin@0 0=0 1=0 @2 0=high+9 1=1 @4 0=9 | 5");
}

// However changes are cut into batches, and in whatever order they stand in one, the file is the same.
TEST(wave_window, writes_the_same_whatever_the_barriers) {
    std::mt19937_64 chance(7);
    const auto below = [&](std::int64_t n) { return static_cast<std::int64_t>(chance() % std::uint64_t(n)); };
    for (int round = 0; round < 400; ++round) {
        changes list;
        for (std::int64_t time = 0; time < 60;) {
            list.push_back(change(time, static_cast<std::uint32_t>(below(3)), std::uint64_t(below(3))));
            time += below(3);
        }
        wave_limits limits = below(2) == 0 ? wave_limits{} : round_a_trigger(below(20), 1 + below(20));
        limits.start = picoseconds{below(20)};
        limits.end = below(2) == 0 ? never : limits.start + picoseconds{1 + below(40)};
        limits.changes = below(2) == 0 ? 1'000 : std::uint64_t(1 + below(12));
        const picoseconds trigger =
            limits.triggered && below(4) != 0 ? limits.start + picoseconds{below(30)} : never;
        const std::vector<unsigned> widths{8, 8, 8};
        const std::string expected = write_all(limits, list, 59, trigger, widths);
        for (int again = 0; again < 4; ++again) {
            written file;
            wave_window window(limits, widths, file);
            std::size_t next = 0;
            for (std::int64_t barrier = 0; barrier < 60; barrier += 1 + below(15)) {
                changes batch;
                for (; next < list.size() && list[next].time.count() < barrier; ++next) {
                    batch.push_back(list[next]);
                }
                // Probes of several switches: words apart from each other, each in its own order.
                std::stable_sort(batch.begin(), batch.end(),
                                 [](const auto& a, const auto& b) { return a.word > b.word; });
                if (window.closed()) {
                    continue;
                }
                window.add(batch);
                const picoseconds reached{barrier - 1};
                window.take(reached, trigger <= reached ? trigger : never);
            }
            changes rest(list.begin() + static_cast<std::ptrdiff_t>(next), list.end());
            window.add(rest);
            window.finish(59_ps, trigger);
            ASSERT_EQ(file.text(), expected) << "round " << round;
        }
    }
}

}  // namespace
}  // namespace weir::tb
