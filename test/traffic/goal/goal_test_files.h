// Schedules for tests: from a text, from a golden file.
#pragma once

#include <gtest/gtest.h>

#include <fstream>
#include <sstream>
#include <string>

#include "weir/traffic/goal/goal_file.h"

namespace weir::traffic {

inline goal_file goal_of(const std::string& text) {
    std::istringstream in(text);
    return read_goal(in, "s.goal");
}
inline goal_schedule good_goal_of(const std::string& text) {
    goal_file read = goal_of(text);
    EXPECT_TRUE(read.errors.empty()) << read.errors[0].message;
    return std::move(read.schedule);
}
inline std::string golden_goal(const std::string& name) {
    std::ifstream in(std::string(WEIR_GOLDEN_DIR) + "/goal/" + name);
    std::stringstream text;
    text << in.rdbuf();
    EXPECT_FALSE(text.str().empty()) << name;
    return text.str();
}

/// All that a schedule holds.
inline std::string text_of(const goal_schedule& schedule) {
    std::ostringstream text;
    for (std::uint32_t rank = 0; rank < schedule.ranks(); ++rank) {
        text << "rank " << rank << "\n";
        for (goal_index i = schedule.first(rank); i < schedule.first(rank + 1); ++i) {
            const goal_operation& o = schedule[i];
            text << static_cast<int>(o.kind) << " " << o.amount << " " << o.peer << " " << o.tag << " "
                 << int{o.cpu} << " " << int{o.nic} << " needs " << o.requirements << ", frees";
            for (const goal_event event : {goal_event::end, goal_event::start}) {
                schedule.for_each_waiting(i, event, [&](goal_index waiting) {
                    text << (event == goal_event::end ? " " : " i") << waiting - schedule.first(rank);
                });
            }
            text << "\n";
        }
    }
    return text.str();
}

}  // namespace weir::traffic
