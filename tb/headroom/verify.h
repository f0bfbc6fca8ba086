// Checks a headroom budget by simulation: the most memory that frames take after XOFF, with senders that choose
// phases and lengths against the switch, and the reserve below which the first frame is lost.
//
//   const headroom_verdict verdict = verify_headroom(budget, {});
//   verdict.needed;                     // bytes: what a switch must keep
//   budget.headroom - verdict.needed;   // margin; below 0 the budget can lose frames
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "tb/headroom/attack_island.h"
#include "weir/model/headroom_budget.h"

namespace weir {

struct verify_config {
    std::uint64_t seed = 1;
    /// Attacks that the search tries. Not set: as many as some million frames allow.
    std::optional<std::uint32_t> cases;
};

/// Without what is kept for a full pool: the memory under attack is a port's own.
inline bytes attacked_headroom(const headroom_budget& budget) {
    return budget.headroom - (budget.used.full_pool ? budget.crossing : bytes{0});
}

struct headroom_verdict {
    /// Memory taken after XOFF under the attack that is computed from the timing, as simulated. Unit: bytes.
    bytes computed{0};
    /// The same, of all that the search tried; its number of attacks.
    bytes searched{0};
    std::size_t cases = 0;
    /// The larger one.
    bytes needed{0};
    /// Every term, and each byte of it in frames of the length that takes most memory: no attack takes more.
    bytes bound{0};
    /// What the worst attack found does where the switch keeps as much.
    bool headroom_loses = false;
    bool needed_loses = false;
    bool one_byte_less_loses = false;
    /// What the simulation contradicts: the computed attack did not do what was computed, more than `bound`
    /// arrived, or the first drop is not where it should be. Empty if nothing.
    std::string contradiction;

    bytes margin(const headroom_budget& budget) const { return attacked_headroom(budget) - needed; }
};

/// Runs child processes. Throws std::runtime_error where one fails.
headroom_verdict verify_headroom(const headroom_budget& budget, const verify_config& config);

/// The budget's link, physically, and a switch with its cells, frames and thresholds.
pfc_attack::pfc_setting setting_of(const headroom_budget& budget);

}  // namespace weir
