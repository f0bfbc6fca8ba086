#include "weir/traffic/transport/timer_queue.h"

#include <gtest/gtest.h>

#include <map>
#include <set>
#include <utility>
#include <vector>

#include "weir/base/rng.h"

namespace weir::traffic {
namespace {

using literal_queue = std::multiset<std::pair<picoseconds, std::uint64_t>>;

TEST(timer_queue, is_never_when_empty) {
    timer_queue queue;
    EXPECT_EQ(queue.next_time(), never);
    queue.push({5_ps, 1});
    queue.pop();
    EXPECT_EQ(queue.next_time(), never);
}

TEST(timer_queue, pops_in_order_of_time_and_then_id_like_a_sorted_set) {
    for (std::uint32_t seed = 0; seed < 200; ++seed) {
        random_stream random(seed, 0, random_purpose::arrivals);
        timer_queue queue;
        literal_queue literal;
        for (int step = 0; step < 500; ++step) {
            if (literal.empty() || random.below(100) < 55) {
                const picoseconds time{random.below(40)};
                const std::uint64_t id = random.below(10);
                queue.push({time, id});
                literal.emplace(time, id);
            } else {
                ASSERT_EQ(queue.next_time(), literal.begin()->first);
                const timer_entry entry = queue.pop();
                ASSERT_EQ(std::make_pair(entry.time, entry.id), *literal.begin());
                literal.erase(literal.begin());
            }
            ASSERT_EQ(queue.size(), literal.size());
        }
    }
}

TEST(timer_queue, ids_keep_their_kind_and_index) {
    const std::uint64_t id = timer_id(timer_kind::application, 0x00AB'CDEF'0123'4567U);
    EXPECT_EQ(kind_of_timer(id), timer_kind::application);
    EXPECT_EQ(index_of_timer(id), 0x00AB'CDEF'0123'4567U);
}

TEST(lazy_timer, moving_later_does_not_touch_the_heap_until_the_entry_comes_up) {
    timer_queue queue;
    lazy_timer timer;
    timer.set(queue, 10_ps, 7);
    for (int t = 11; t <= 100; ++t) {
        timer.set(queue, picoseconds{t}, 7);
    }
    EXPECT_EQ(queue.size(), 1U);
    EXPECT_EQ(queue.next_time(), 10_ps);
    EXPECT_FALSE(timer.expired(queue, queue.pop()));
    EXPECT_EQ(queue.next_time(), 100_ps);
    EXPECT_TRUE(timer.expired(queue, queue.pop()));
    EXPECT_EQ(queue.size(), 0U);
    EXPECT_FALSE(timer.running());
}

TEST(lazy_timer, a_stopped_timer_leaves_the_heap_when_its_entry_comes_up) {
    timer_queue queue;
    lazy_timer timer;
    timer.set(queue, 10_ps, 7);
    timer.stop();
    EXPECT_FALSE(timer.expired(queue, queue.pop()));
    EXPECT_EQ(queue.size(), 0U);
}

TEST(lazy_timer, fires_at_its_deadline_and_only_there_however_it_was_moved) {
    for (std::uint32_t seed = 0; seed < 500; ++seed) {
        random_stream random(seed, 1, random_purpose::arrivals);
        timer_queue queue;
        std::vector<lazy_timer> timers(4);
        std::map<std::uint64_t, picoseconds> literal;  // running timers
        for (picoseconds now{0}; now < 400_ps; ++now) {
            std::set<std::uint64_t> fired;
            while (queue.next_time() <= now) {
                const timer_entry entry = queue.pop();
                ASSERT_EQ(entry.time, now);
                if (timers[entry.id].expired(queue, entry)) {
                    ASSERT_TRUE(fired.insert(entry.id).second);
                }
            }
            std::set<std::uint64_t> due;
            for (std::uint64_t i = 0; i < timers.size(); ++i) {
                if (literal.count(i) != 0 && literal[i] == now) {
                    due.insert(i);
                    literal.erase(i);
                }
            }
            ASSERT_EQ(fired, due) << "seed " << seed << ", time " << now.count();
            const std::uint64_t one = random.below(4);
            switch (random.below(4)) {
                case 0:
                    literal[one] = now + picoseconds{1 + random.below(50)};
                    timers[one].set(queue, literal[one], one);
                    break;
                case 1:
                    literal.erase(one);
                    timers[one].stop();
                    break;
                default:
                    break;
            }
        }
    }
}

}  // namespace
}  // namespace weir::traffic
