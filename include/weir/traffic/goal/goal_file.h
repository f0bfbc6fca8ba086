// Schedules from files: GOAL's text, and the binary form that LogGOPSim's txt2bin makes of it (Hoefler,
// Schneider, Lumsdaine: LogGOPSim, LSAP 2010).
//
//     num_ranks 2
//     rank 0 {
//     l1: calc 500                        // ns
//     l2: send 8b to 1 tag 3 cpu 0 nic 0
//     l2 requires l1                      // l1's end; `irequires`: its start
//     }
//     rank 1 {
//     recv 8b from -1 tag -1              /* from any rank, with any tag */
//     }
//
// A binary file, integers little-endian:
//
//     u64  4223
//     u32  ranks
//     u8   largest number of a CPU; u8 of a NIC
//     per rank: u64 where its part begins, u64 where it ends, counted from behind the first u64
//     per rank: u32 operations n; u32 r of them without requirements; r u32: these
//             n operations: u32 requirements, u8 1 send, 2 receive, 3 computation, u32 peer, u64 amount, u32
//                           tag, u8 CPU, u8 NIC, u32 how many wait for its end, u32 where they are in the
//                           appendix, the same of its start
//             appendix: u32 each, operations of the rank that wait
#pragma once

#include <istream>
#include <string>

#include "weir/base/config_error.h"
#include "weir/traffic/goal/goal_schedule.h"

namespace weir::traffic {

struct goal_file {
    goal_schedule schedule;
    /// The first 20, and how many more there are. Where there is any, the schedule is not to be used.
    config_errors errors;
};

/// `file` is its name, for messages. Text unless it begins with the first octet of a binary file.
goal_file read_goal(std::istream& in, const std::string& file);

/// Reads GOAL's text format: one statement a line. Ranks stand in the order of their numbers, each once. A
/// label is a letter, then letters, digits and `_`; it belongs to its rank, and may be required before the line
/// that it labels. `tag`, `cpu` and `nic` are 0 where they are missing.
goal_file read_goal_text(std::istream& in, const std::string& file);

/// The first octet of such a file; no text begins with it.
inline constexpr int first_octet_of_goal_binary = 4223 & 0xFF;
/// Reads GOAL's binary format rank by rank, so the parts have to stand in the order of the ranks, each behind
/// the one before.
goal_file read_goal_binary(std::istream& in, const std::string& file);

}  // namespace weir::traffic
