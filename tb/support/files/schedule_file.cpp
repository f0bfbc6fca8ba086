#include "tb/support/files/schedule_file.h"

#include <algorithm>
#include <filesystem>
#include <system_error>
#include <utility>

#include "tb/support/files/input_file.h"
#include "weir/base/how_many.h"
#include "weir/traffic/goal/allprof_trace.h"

namespace weir::tb {

namespace {

/// Where the number of the rank stands in the name of a trace of rank 0: its last number, which is 0. Empty
/// where there is none.
std::pair<std::size_t, std::size_t> number_in(const std::string& path) {
    constexpr const char* digits = "0123456789";
    const std::size_t name = path.rfind('/') + 1;
    const std::size_t last = path.find_last_of(digits);
    if (last == std::string::npos || last < name) {
        return {0, 0};
    }
    const std::size_t before = path.find_last_not_of(digits, last);
    const std::size_t first = std::max(before + 1, name);
    const bool is_zero = path.find_first_not_of('0', first) > last;
    return is_zero ? std::pair{first, last + 1 - first} : std::pair<std::size_t, std::size_t>{0, 0};
}

void report_left(config_errors& errors, const std::string& source, const goal_schedule& schedule,
                 const std::vector<goal_index>& left, const char* what, const char* expected) {
    if (left.empty()) {
        return;
    }
    const goal_index first = *std::min_element(left.begin(), left.end());
    const std::uint32_t rank = schedule.rank_of(first);
    errors.push_back({source, 0, "rank " + std::to_string(rank),
                      operation_text(schedule[first]) + " (operation " +
                          std::to_string(first - schedule.first(rank) + 1) + " of the rank) " + what + ", " +
                          how_many(left.size(), "operation") + " in all; expected " + expected});
}

goal_file unreadable_schedule(const std::string& key, const std::string& path, const std::string& why_not,
                              const char* expected) {
    goal_file none;
    none.errors.push_back(unreadable(key, path, why_not, expected));
    return none;
}

}  // namespace

std::vector<std::string> trace_files(const std::string& first) {
    const auto [at, width] = number_in(first);
    if (width == 0) {
        return {};
    }
    std::vector<std::string> all{first};
    while (all.size() < most_goal_ranks) {
        std::string number = std::to_string(all.size());
        number.insert(0, width > number.size() ? width - number.size() : 0, '0');
        std::string next = first;
        next.replace(at, width, number);
        if (std::error_code ignored; !std::filesystem::exists(next, ignored)) {
            break;
        }
        all.push_back(std::move(next));
    }
    return all;
}

goal_file read_schedule(const std::string& path, const std::string& key) {
    input_file opened = open_input(path);
    return opened.why_not.empty() ? read_goal(opened.text, path)
                                  : unreadable_schedule(key, path, opened.why_not, "a GOAL schedule");
}

goal_file read_traces(const std::string& first, unsigned request_bytes, const std::string& key) {
    const std::vector<std::string> files = trace_files(first);
    if (files.empty()) {
        goal_file none;
        none.errors.push_back({"", 0, key,
                               "'" + first +
                                   "' has not 0 as its last number; expected the trace of "
                                   "rank 0, such as pmpi-trace-rank-0.txt"});
        return none;
    }
    allprof_reader reader(static_cast<std::uint32_t>(files.size()), request_bytes);
    for (const std::string& path : files) {
        input_file opened = open_input(path);
        if (!opened.why_not.empty()) {
            return unreadable_schedule(key, path, opened.why_not, "a trace of liballprof");
        }
        reader.read_rank(opened.text, path);
    }
    goal_file read = reader.take();
    if (!read.errors.empty()) {
        read.errors.push_back({"", 0, key,
                               "'" + first + "' and those beside it are the traces of " +
                                   how_many(files.size(), "rank") +
                                   "; expected one of each rank, without a gap"});
    }
    return read;
}

config_errors unmatched_messages(const goal_schedule& schedule, const loggp_times& times,
                                 const std::string& source) {
    config_errors errors;
    report_left(errors, source, schedule, times.sends_left, "has no matching receive",
                "a receive for each send");
    report_left(errors, source, schedule, times.receives_left, "has no matching send",
                "a send for each receive");
    return errors;
}

}  // namespace weir::tb
