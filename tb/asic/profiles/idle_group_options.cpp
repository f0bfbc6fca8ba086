#include "tb/asic/profiles/shared_tables.h"

#include <algorithm>

namespace weir::tb {

namespace {

/// Groups and queues of all switches.
template <class Profile, class Visit>
void for_each_profile(const run_config& config, const topology& plan, const read_profiles& read,
                      std::vector<Profile> shared_profiles::*which, Visit&& visit) {
    const Profile none{};
    for (switch_id s = 0; s < plan.switches(); ++s) {
        const std::vector<Profile>& all = read.profiles[s].*which;
        const std::size_t count = plan.ports(node_ref::of_switch(s)).size() * config.device.classes;
        for (std::size_t at = 0; at < count; ++at) {
            const auto c = static_cast<unsigned>(at % config.device.classes);
            visit(all.empty() ? none : all[at], is_held_back(config, c));
        }
    }
}

}  // namespace

std::vector<std::string> idle_group_options(const run_config& config, const topology& plan,
                                            const read_profiles& read) {
    const shared_buffer_config& given = config.shared;
    const shared_buffer_config defaults;
    struct {
        bool group_minimum, alpha, lossy_alpha, xon, xon_offset, headroom;
        bool queue_minimum, queue_alpha, lossless_queue;
    } used{};
    for_each_profile(config, plan, read, &shared_profiles::groups,
                     [&](const group_profile& own, bool lossless) {
                         const bool threshold = !own.alpha && !own.threshold;
                         used.group_minimum |= !own.minimum;
                         (lossless ? used.alpha : used.lossy_alpha) |= threshold;
                         used.xon |= lossless && !own.xon;
                         used.xon_offset |= lossless && !own.xon_offset;
                         used.headroom |= lossless && !own.headroom;
                     });
    for_each_profile(config, plan, read, &shared_profiles::queues,
                     [&](const queue_profile& own, bool lossless) {
                         const bool threshold = !own.alpha && !own.threshold;
                         used.queue_minimum |= !lossless && !own.minimum;
                         (lossless ? used.lossless_queue : used.queue_alpha) |= threshold;
                     });
    // Where the option of a common pool is set, the option table says that a lossy one has no effect.
    const auto common_in_file = [&](std::optional<bool> shared_buffer_config::*option,
                                    std::optional<bool> pool_profile::*profile) {
        return !(given.*option) &&
               std::all_of(read.profiles.begin(), read.profiles.end(),
                           [&](const auto& own) { return (own.pools.*profile).value_or(false); });
    };
    std::vector<std::string> warnings;
    const auto tell_of_pool = [&](const char* key, const std::optional<bytes>& value, const char* others,
                                  bool idle) {
        if (idle && value) {
            warnings.push_back(std::string(key) + " has no effect: in shared.config_db, lossy " + others +
                               " use the pool of the lossless ones");
        }
    };
    tell_of_pool("shared.lossy_pool", given.lossy_pool, "groups",
                 common_in_file(&shared_buffer_config::common_pool, &pool_profile::common_pool));
    tell_of_pool("shared.queue_pool", given.queue_pool, "queues",
                 common_in_file(&shared_buffer_config::common_queue_pool, &pool_profile::common_queue_pool));
    const auto tell = [&](const char* key, const auto& value, const auto& usual, bool is_used) {
        if (!is_used && value != usual) {
            warnings.push_back(std::string(key) +
                               " has no effect: the files of [shared] have this value for each group or queue");
        }
    };
    tell("shared.minimum", given.minimum, defaults.minimum, used.group_minimum);
    tell("shared.alpha", given.alpha, defaults.alpha, used.alpha);
    tell("shared.threshold", given.threshold, defaults.threshold, used.alpha);
    tell("shared.lossy_alpha", given.lossy_alpha, defaults.lossy_alpha, used.lossy_alpha);
    tell("shared.xon", given.xon, defaults.xon, used.xon);
    tell("shared.xon_offset", given.xon_offset, defaults.xon_offset, used.xon_offset);
    tell("shared.headroom", given.headroom, defaults.headroom, used.headroom);
    tell("shared.queue_minimum", given.queue_minimum, defaults.queue_minimum, used.queue_minimum);
    tell("shared.queue_alpha", given.queue_alpha, defaults.queue_alpha, used.queue_alpha);
    tell("shared.lossless_queue_alpha", given.lossless_queue_alpha, defaults.lossless_queue_alpha,
         used.lossless_queue);
    tell("shared.lossless_queue_threshold", given.lossless_queue_threshold, defaults.lossless_queue_threshold,
         used.lossless_queue);
    return warnings;
}

}  // namespace weir::tb
