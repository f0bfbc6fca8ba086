#include "tb/support/process/status_line.h"

#include <gtest/gtest.h>

#include <sstream>

using weir::tb::status_line;
using namespace std::chrono_literals;

namespace {

const auto start = status_line::clock::now();

/// What is said when it is asked every second, with the time as text.
std::string lines_of(std::chrono::seconds lasts, bool enabled = true) {
    std::ostringstream err;
    status_line line(err, enabled, false, start);
    for (auto now = 0s; now <= lasts; ++now) {
        line.show(std::to_string(now.count()), start + now);
    }
    return err.str();
}

TEST(status_line, short_commands_are_silent_where_there_is_no_terminal) {
    EXPECT_EQ(lines_of(59s), "");
    EXPECT_EQ(lines_of(10h, false), "");
}

TEST(status_line, long_commands_say_after_a_minute_and_ever_more_seldom_that_they_go_on) {
    EXPECT_EQ(lines_of(1h),
              "progress: 60\nprogress: 120\nprogress: 240\nprogress: 480\nprogress: 960\n"
              "progress: 1560\nprogress: 2160\nprogress: 2760\nprogress: 3360\n");
}

TEST(status_line, a_terminal_has_one_line_that_changes_and_is_gone_at_the_end) {
    std::ostringstream err;
    {
        status_line line(err, true, true, start);
        line.show("1 done", start);
        line.show("2 done", start + 10ms);
        line.show("3 done", start + 300ms);
        line.note("a note");
        line.show("4 done", start + 1s);
    }
    EXPECT_EQ(err.str(), "\r1 done\x1b[K\r3 done\x1b[K\r\x1b[Ka note\n\r4 done\x1b[K\r\x1b[K");
}

TEST(status_line, waiting_times_are_short_texts) {
    EXPECT_EQ(weir::tb::waiting_text(0), "0 s");
    EXPECT_EQ(weir::tb::waiting_text(59.6), "1 min 00 s");
    EXPECT_EQ(weir::tb::waiting_text(3600 * 5 + 125), "5 h 02 min");
    EXPECT_EQ(weir::tb::waiting_text(86400 * 3 + 3600 * 4), "3 d 4 h");
}

}  // namespace
