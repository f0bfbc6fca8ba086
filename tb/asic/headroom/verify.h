// Checks a headroom budget by simulation: the most memory that frames take after XOFF, with senders that choose
// phases and lengths against the switch, and the reserve below which the first frame is lost. Under attack is a
// port's own memory, or a shared one; all lossless classes at once, each with its own phase.
//
//   const headroom_verdict verdict = verify_headroom(budget, {});
//   verdict.needed;                     // bytes: what a switch must keep
//   budget.headroom - verdict.needed;   // margin; below 0 the budget can lose frames
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "tb/asic/headroom/attack_island.h"
#include "weir/base/enum_names.h"
#include "weir/model/flow_control/headroom_budget.h"

namespace weir::tb {

/// Whose memory is under attack.
enum class attacked_memory : std::uint8_t { port, shared, headroom_pool };
constexpr auto names_of(attacked_memory) {
    return enum_names<attacked_memory>({
        {attacked_memory::port, "port", "a port's own memory, which its classes share"},
        {attacked_memory::shared, "shared",
         "a shared memory in which each group (port and class) has headroom of its own. With full_pool, the "
         "shared pool is full when a group reaches its threshold"},
        {attacked_memory::headroom_pool, "headroom_pool", "as shared, but all groups share one headroom pool"},
    });
}

struct verify_config {
    attacked_memory memory = attacked_memory::port;
    std::uint32_t ports = 1;
    std::uint64_t seed = 1;
    /// Not set: as many as some million frames allow.
    std::optional<std::uint32_t> cases;

    template <class Fields>
    static void describe(Fields& fields) {
        using self = typename Fields::config;
        fields(field("attacked_memory", &self::memory)
                   .help("Memory that --verify attacks, with all lossless classes at the same time."));
        fields(field("attacked_ports", &self::ports)
                   .range(1U, 16U)
                   .help("Number of ports of a shared memory that --verify attacks at the same time."));
        fields(field("seed", &self::seed).help("Seed of the search of --verify."));
        fields(field("search_cases", &self::cases)
                   .range(0U, 1'000'000U)
                   .help("Number of attacks that the search of --verify tries, not counting the computed "
                         "attack and the sweeps (several hundred attacks per group). auto: up to 2,048, fewer "
                         "if long links need many frames."));
    }

    unsigned groups(const headroom_budget& budget) const { return ports * budget.used.lossless_classes; }
    /// Keys are `headroom.FIELD`.
    config_errors validate(const headroom_budget& budget) const;
};

struct headroom_verdict {
    verify_config attack;
    /// Memory that the group which takes most took after its XOFF under the attack that is computed from the
    /// timing, as simulated; of a shared memory: its headroom. Unit: bytes.
    bytes computed{0};
    /// The same, of all that the search tried (with several groups: when all together took most); its number of
    /// attacks.
    bytes searched{0};
    std::size_t cases = 0;
    /// The larger one; what all groups of that attack took at once; and by how much less memory, of one group
    /// or of the pool, the first frame has to be lost: a byte, or a cell.
    bytes needed{0};
    bytes needed_at_once{0};
    bytes less{1};
    /// Every term, and each byte of it in frames of the length that takes most memory: no attack takes more.
    bytes bound{0};
    /// What the worst attack found does where the switch keeps as much.
    bool headroom_loses = false;
    bool needed_loses = false;
    bool less_loses = false;
    /// What the simulation contradicts: the computed attack did not do what was computed, more than `bound`
    /// arrived, or the first drop is not where it should be. Empty if nothing.
    std::string contradiction;

    /// The budget's, of one group. A port's own memory has no pool that could be full.
    bytes headroom(const headroom_budget& budget) const {
        const bool without = attack.memory == attacked_memory::port && budget.used.full_pool;
        return budget.headroom - (without ? budget.crossing : bytes{0});
    }
    bytes margin(const headroom_budget& budget) const { return headroom(budget) - needed; }
};

/// Range: `config` is valid. Runs child processes. Throws std::runtime_error where one fails. `told`: now and
/// then, how many attacks the search has made.
headroom_verdict verify_headroom(const headroom_budget& budget, const verify_config& config,
                                 const std::function<void(std::size_t)>& told = {});

/// The budget's link, physically, and a switch with its cells, frames and thresholds.
pfc_attack::pfc_setting setting_of(const headroom_budget& budget, const verify_config& config);

}  // namespace weir::tb
