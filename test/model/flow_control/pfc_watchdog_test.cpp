// The watchdog by hand: looks each 10 us, storms after 40 us, restored after 100 us without XOFF.
#include "weir/model/flow_control/pfc_watchdog.h"

#include <gtest/gtest.h>

using namespace weir;
using namespace weir::model;

namespace {

using verdict = pfc_watchdog::verdict;

pfc_config times() {
    pfc_config config;
    config.watchdog = watchdog_action::drop;
    config.watchdog_detection = 40us;
    config.watchdog_restoration = 100us;
    return config;
}

constexpr pfc_watchdog::queue_view stuck{true, 77};
constexpr pfc_watchdog::queue_view sends{false, 77};
constexpr pfc_watchdog::queue_view idle{true, pfc_watchdog::no_head};

struct watched_queue {
    pfc_watchdog watchdog{times(), 4};
    verdict look(picoseconds now, const pfc_watchdog::queue_view& queue) {
        return watchdog.look(2, 5, queue, now);
    }
};

TEST(pfc_watchdog, finds_a_storm_when_a_queue_was_seen_stuck_for_the_detection_time) {
    watched_queue q;
    EXPECT_EQ(q.look(10us, stuck), verdict::nothing);
    EXPECT_EQ(q.look(20us, stuck), verdict::nothing);
    EXPECT_EQ(q.look(49us, stuck), verdict::nothing);
    EXPECT_EQ(q.watchdog.storms(2), 0);
    EXPECT_EQ(q.look(50us, stuck), verdict::storm);
    EXPECT_EQ(q.watchdog.storms(2), 1 << 5);
    EXPECT_EQ(q.watchdog.storms(1), 0);
}
TEST(pfc_watchdog, begins_anew_when_the_pause_ends_the_head_leaves_or_the_queue_runs_empty) {
    for (const pfc_watchdog::queue_view& between : {sends, pfc_watchdog::queue_view{true, 78}, idle}) {
        watched_queue q;
        q.look(10us, stuck);
        EXPECT_EQ(q.look(45us, between), verdict::nothing);
        EXPECT_EQ(q.look(50us, stuck), verdict::nothing);
        EXPECT_EQ(q.look(80us, stuck), verdict::nothing);
        EXPECT_EQ(q.look(90us, stuck), verdict::storm);
    }
}
TEST(pfc_watchdog, finds_no_storm_in_an_empty_queue) {
    watched_queue q;
    for (picoseconds t = 10us; t < 1ms; t += 10us) {
        EXPECT_EQ(q.look(t, idle), verdict::nothing);
    }
}
TEST(pfc_watchdog, restores_a_queue_when_no_xoff_has_come_for_the_restoration_time) {
    watched_queue q;
    q.watchdog.note_xoff(2, 1 << 5, 5us);
    q.look(10us, stuck);
    EXPECT_EQ(q.look(50us, stuck), verdict::storm);
    q.watchdog.note_xoff(2, 1 << 5, 120us);
    q.watchdog.note_xoff(2, 1 << 4, 200us);  // another class
    q.watchdog.note_xoff(1, 1 << 5, 200us);  // another port
    EXPECT_EQ(q.look(150us, idle), verdict::nothing);
    EXPECT_EQ(q.look(219us, idle), verdict::nothing);
    EXPECT_EQ(q.look(220us, idle), verdict::restored);
    EXPECT_EQ(q.watchdog.storms(2), 0);
    EXPECT_EQ(q.look(230us, idle), verdict::nothing);
}
TEST(pfc_watchdog, counts_the_restoration_time_from_the_storm_where_pauses_are_long) {
    watched_queue q;
    q.watchdog.note_xoff(2, 1 << 5, 5us);
    q.look(10us, stuck);
    EXPECT_EQ(q.look(1ms, stuck), verdict::storm);
    EXPECT_EQ(q.look(1099us, stuck), verdict::nothing);
    EXPECT_EQ(q.look(1100us, stuck), verdict::restored);
    // Still paused: found again after the detection time.
    EXPECT_EQ(q.look(1110us, stuck), verdict::nothing);
    EXPECT_EQ(q.look(1150us, stuck), verdict::storm);
}

TEST(pfc_watchdog, counts_from_the_first_look_that_saw_the_pause_though_the_frame_waited_before) {
    watched_queue q;
    EXPECT_EQ(q.look(10us, sends), verdict::nothing);
    EXPECT_EQ(q.look(20us, stuck), verdict::nothing);
    EXPECT_EQ(q.look(59us, stuck), verdict::nothing);
    EXPECT_EQ(q.look(60us, stuck), verdict::storm);
}
TEST(pfc_watchdog, has_storms_of_several_classes_of_a_port_that_begin_and_end_by_themselves) {
    pfc_watchdog watchdog(times(), 4);
    for (const pfc_class c : {pfc_class{3}, pfc_class{5}}) {
        EXPECT_EQ(watchdog.look(2, c, stuck, 10us), verdict::nothing);
        EXPECT_EQ(watchdog.look(2, c, stuck, 50us), verdict::storm);
    }
    EXPECT_EQ(watchdog.storms(2), 1 << 3 | 1 << 5);
    watchdog.note_xoff(2, 1 << 5, 60us);
    EXPECT_EQ(watchdog.look(2, 3, idle, 150us), verdict::restored);
    EXPECT_EQ(watchdog.look(2, 5, idle, 150us), verdict::nothing);
    EXPECT_EQ(watchdog.storms(2), 1 << 5);
}

}  // namespace
