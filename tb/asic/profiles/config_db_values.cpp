#include "tb/asic/profiles/config_db_values.h"

#include <cmath>

#include "tb/asic/profiles/read_profiles.h"
#include "tb/asic/profiles/shared_tables.h"
#include "tb/asic/sonic/sonic_names.h"
#include "weir/base/field_range.h"
#include "weir/base/unit_text.h"
#include "weir/model/fabric/fabric_changes.h"
#include "weir/model/memory/shared_memory.h"

namespace weir::tb {

switch_memory::switch_memory(const run_config& config_in, const built_topology& built, switch_id s)
    : config(config_in),
      name(built.plan.name(node_ref::of_switch(s))),
      profiles(profiles_of(built, s)),
      rows(s < built.profile_lines.size() ? built.profile_lines[s].line_of_group : std::vector<int>{}),
      shared(with_pools(config.shared, profiles.pools)),
      links(
          ports_of_switch(built.plan, s, ports_of_links(built.plan, built.changes, config.link.wire_overhead))),
      memory(make_shared_buffer(config.shared, config.device, config.flow_control, links, profiles)) {}

std::int64_t metres_of(picoseconds latency) {
    return (latency.count() + 4'999) / 5'000;
}

const sonic_profile* config_db_values::base_profile(sonic_side side, unsigned port, unsigned c) const {
    const sonic_buffer& buffer = m_taken.buffer(side, port, c);
    return buffer.has_profile() ? &m_base.profiles[buffer.profile] : nullptr;
}

std::string config_db_values::place(sonic_side side, unsigned port, unsigned c) const {
    return m_device.name + ", " + side_name(side) + " port " + std::to_string(port) + ", class " +
           std::to_string(c);
}

void config_db_values::set_threshold(sonic_values& made, const std::optional<bytes>& number, double alpha,
                                     const threshold_source& source) {
    if (number) {
        made.static_th = number;
        return;
    }
    int exponent = 0;
    const bool is_power = std::frexp(alpha, &exponent) == 0.5;
    made.dynamic_th = exponent - 1;
    if ((!is_power || !sonic_profile::dynamic_th_range.holds(*made.dynamic_th)) &&
        m_refused.insert({source.key + source.file + std::to_string(source.line), alpha}).second) {
        m_errors.push_back(
            {source.file, source.line, source.key,
             source.place + ": alpha " + field_text(alpha) +
                 " cannot be written as dynamic_th, its logarithm to base 2; expected a power of two from "
                 "2^-9 to 2^10, or a static threshold"});
    }
}

/// Classes that share a group or queue have a part of its minimum each.
bytes config_db_values::whole_minimum(sonic_side side, unsigned port, unsigned c, bytes own) const {
    const sonic_profile* const base = base_profile(side, port, c);
    if (base != nullptr) {
        const bytes before = m_taken.values_of(*base, side, m_taken.is_lossless(c)).minimum;
        if (own == m_taken.part_of(before, side, port, c)) {
            return before;
        }
    }
    return own * m_taken.classes_with(side, port, c);
}

sonic_values config_db_values::of_group(unsigned port, unsigned c) {
    const bool lossless = m_taken.is_lossless(c);
    const std::size_t place_of = at(port, c);
    const group_profile own =
        m_device.profiles.groups.empty() ? group_profile{} : m_device.profiles.groups[place_of];
    const sonic_profile* const base = base_profile(sonic_side::ingress, port, c);
    const std::string where = place(sonic_side::ingress, port, c);
    sonic_values made;
    const std::optional<bytes> number = own.threshold || own.alpha ? own.threshold
                                        : lossless                 ? m_device.shared.threshold
                                                                   : std::nullopt;
    set_threshold(made, number,
                  own.alpha.value_or(lossless ? m_device.shared.alpha : m_device.shared.lossy_alpha),
                  own.alpha ? threshold_source{"alpha", m_device.config.shared_tables.group_profiles,
                                               profile_sources::line_of(m_device.rows, place_of), where}
                            : threshold_source{lossless ? "shared.alpha" : "shared.lossy_alpha", {}, 0, where});
    made.minimum = whole_minimum(sonic_side::ingress, port, c, own.minimum.value_or(m_device.shared.minimum));
    if (lossless) {
        made.xon = own.xon.value_or(m_device.shared.xon);
        made.xon_offset = own.xon_offset.value_or(m_device.shared.xon_offset);
        // A profile without headroom keeps none: the switch has it from elsewhere.
        if (base == nullptr || base->xoff || m_device.shared.headroom ||
            profile_sources::line_of(m_device.rows, place_of) > 0) {
            made.headroom =
                own.headroom.value_or(headroom_of_group(m_device.config.shared, m_device.config.device,
                                                        m_device.config.flow_control, m_device.links[port])
                                          .size);
        } else {
            const sonic_values before = m_taken.values_of(*base, sonic_side::ingress, true);
            made.xon = base->xon ? made.xon : before.xon;
            made.xon_offset = base->xon_offset ? made.xon_offset : before.xon_offset;
        }
    }
    return made;
}

sonic_values config_db_values::of_queue(unsigned port, unsigned c) {
    const bool lossless = m_taken.is_lossless(c);
    const queue_profile own =
        m_device.profiles.queues.empty() ? queue_profile{} : m_device.profiles.queues[at(port, c)];
    sonic_values made;
    made.minimum = whole_minimum(sonic_side::egress, port, c,
                                 own.minimum.value_or(lossless ? 0_B : m_device.shared.queue_minimum));
    std::optional<bytes> number = own.threshold;
    double alpha = own.alpha.value_or(m_device.shared.queue_alpha);
    if (lossless && !own.threshold && !own.alpha) {
        // No limit: the pool.
        number = m_device.shared.lossless_queue_threshold ? m_device.shared.lossless_queue_threshold
                 : m_device.shared.lossless_queue_alpha
                     ? std::nullopt
                     : std::optional(m_device.shared.lossless_queue_pool.value_or(m_device.memory.bytes_of(
                           std::uint64_t{m_device.memory.queue_pool(true)} * m_device.memory.slices())));
        alpha = m_device.shared.lossless_queue_alpha.value_or(1);
    }
    set_threshold(made, number, alpha,
                  {own.alpha  ? "shared.queue_profiles"
                   : lossless ? "shared.lossless_queue_alpha"
                              : "shared.queue_alpha",
                   {},
                   0,
                   place(sonic_side::egress, port, c)});
    return made;
}

bool config_db_values::has_own(sonic_side side, unsigned port, unsigned c) const {
    const std::size_t place_of = at(port, c);
    if (side == sonic_side::ingress) {
        return profile_sources::line_of(m_device.rows, place_of) > 0 ||
               (m_taken.is_lossless(c) && m_device.shared.headroom);
    }
    const queue_profile own =
        m_device.profiles.queues.empty() ? queue_profile{} : m_device.profiles.queues[place_of];
    return own.minimum || own.alpha || own.threshold;
}

std::string config_db_values::new_name(sonic_side side, unsigned port, bool lossless) const {
    if (side == sonic_side::egress) {
        return lossless ? "egress_lossless_profile" : "egress_lossy_profile";
    }
    const port_config& link = m_device.links[port];
    const std::int64_t cable = m_base.ports[port].cable.value_or(metres_of(link.longest_latency()));
    return lossless ? "pg_lossless_" + std::to_string(link.fastest_rate().count() / 1'000'000) + "_" +
                          std::to_string(cable) + "m_profile"
                    : "ingress_lossy_profile";
}

}  // namespace weir::tb
