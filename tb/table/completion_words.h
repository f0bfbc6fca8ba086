// How completion times of jobs and of transfers are called in keys and in labels.
#pragma once

#include <cstdint>

#include "tb/table/run_measures.h"

namespace weir::tb {

struct completion_kind {
    measure_subject subject;
    /// Key in summary.json, and column of `file`.
    const char* measure;
    /// Key of times as multiples of those without other traffic.
    const char* slowdown;
    const char* file;
    /// Ages of what has not completed.
    const char* unfinished_file;
    const char* name;
};
inline constexpr completion_kind completion_of_jobs{measure_subject::jobs, "jct_ns", "jct_slowdown", "jobs.csv",
                                                    "unfinished_jobs.csv", "jobs"};
inline constexpr completion_kind completion_of_transfers{
    measure_subject::transfers, "fct_ns", "fct_slowdown", "flows.csv", "unfinished.csv", "transfers"};

// Ranks within a subject: groups, then sums over them.
inline constexpr std::uint8_t rank_of_tags = 1;
inline constexpr std::uint8_t rank_of_priorities = 2;
inline constexpr std::uint8_t rank_of_all = 3;

}  // namespace weir::tb
