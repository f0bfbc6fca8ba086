// When the operations of a schedule end on an ideal network: LogGP (Alexandrov, Ionescu, Schauser, Scheiman,
// SPAA 1995), which knows no switches and no contention but that for a rank's CPU and NIC. It is what a
// fabric's times are measured against.
//
//   loggp_parameters cluster{2500ns, 1500ns, 1000ns, 6ns};
//   loggp_times times = evaluate_loggp(schedule, cluster, loggp_accounting::logp);
//   times.end[0];                                   // of rank 0
//
// A rank has CPUs and NICs (one of each, unless operations name others); a NIC sends and receives
// independently. All messages are eager. A message of k bytes that is sent at t
//
//     takes the sender's CPU until t + o, where the send ends, and its NIC until t + g + (k - 1) G
//     has its first byte at the receiver at t + o + L
//     waits there until the NIC can receive, say to u; the next one can begin at u + g + (k - 1) G
//
// `logp`: its last byte is there at u + (k - 1) G. A receive that it matches then takes the CPU for o, and
// ends. `goalsim`, as LogGOPSim has it: the message also waits for the CPU, and takes it from u to u + o + (k -
// 1) G, whether a receive is posted or not; the receive ends then, or when it is posted, if that is later.
//
// What arrives takes the NIC, and unless with `logp` the CPU, of the numbers that its send has. An empty
// message takes as long as one of 1 B. What waits for a CPU or NIC reserves nothing: it tries again when all
// that it needs is free. Of several at one instant what arrives comes before what begins, and of equals the one
// first that has been there for longer; `loggopsim`, otherwise as `goalsim`, knows that last rule only. There
// an operation counts as there once all that it requires has begun, and with `logp` once that has ended.
#pragma once

#include <cstdint>
#include <vector>

#include "weir/base/enum_names.h"
#include "weir/base/time.h"
#include "weir/traffic/goal/goal_schedule.h"

namespace weir::traffic {

/// Range: at most `longest` each.
struct loggp_parameters {
    static constexpr picoseconds longest{std::int64_t{1} << 60};
    /// L: from a NIC to another one.
    picoseconds latency{0};
    /// o: of a CPU, for a message that it sends or receives.
    picoseconds overhead{0};
    /// g: between messages of a NIC.
    picoseconds gap{0};
    /// G: per byte.
    picoseconds byte_gap{0};
    /// What G has beyond whole picoseconds. Unit: 1/1000 ps. Range: 0 to 999.
    std::int64_t byte_gap_rest = 0;
};

enum class loggp_accounting : std::uint8_t { logp, goalsim, loggopsim };
constexpr auto names_of(loggp_accounting) {
    return enum_names<loggp_accounting>({
        {loggp_accounting::logp, "logp", "a receiving CPU is busy for o after the last byte"},
        {loggp_accounting::goalsim, "goalsim",
         "a receiving CPU is busy for o + (k - 1) G from the first byte on"},
        {loggp_accounting::loggopsim, "loggopsim", "the same, and events of one instant in LogGOPSim's order"},
    });
}

struct loggp_times {
    /// Of each rank: the end of its last operation; with `goalsim` also of its last message.
    std::vector<picoseconds> end;
    /// Sends whose message no receive has taken, and receives that no message has come for.
    std::vector<goal_index> sends_left;
    std::vector<goal_index> receives_left;
    /// An end lies behind `loggp_parameters::longest`; nothing else holds then.
    bool is_too_long = false;
};

loggp_times evaluate_loggp(const goal_schedule& schedule, const loggp_parameters& parameters,
                           loggp_accounting accounting);

}  // namespace weir::traffic
