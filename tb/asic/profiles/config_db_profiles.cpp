#include "tb/asic/profiles/shared_tables.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "tb/asic/profiles/sonic_switch.h"
#include "tb/asic/sonic/sonic_names.h"
#include "tb/support/text/joined.h"
#include "tb/support/text/port_text.h"
#include "weir/base/field_range.h"
#include "weir/base/unit_text.h"
#include "weir/model/fabric/fabric_changes.h"

namespace weir::tb {

namespace {

/// One switch of the model, and the file.
class switch_reader {
 public:
    switch_reader(const config_db& file, const run_config& config, const topology& plan, switch_id s,
                  read_profiles& read, sonic_messages& said)
        : m_file(file),
          m_config(config),
          m_plan(plan),
          m_links(plan.ports(node_ref::of_switch(s))),
          m_name(plan.name(node_ref::of_switch(s))),
          m_taken(file, lossless_classes_of(config), config.device.classes,
                  static_cast<unsigned>(std::min(file.ports.size(), m_links.size())),
                  config.device.memory_cell),
          m_profiles(read.profiles[s]),
          m_sources(read.sources[s]),
          m_said(said) {}

    void read(const std::vector<port_config>& links) {
        if (m_links.size() > m_file.ports.size()) {
            return m_said.fail("PORT", "has " + std::to_string(m_file.ports.size()) + " ports, but " + m_name +
                                           " has " + std::to_string(m_links.size()) +
                                           "; expected at least as many, or another shared.config_db_switches");
        }
        if (m_links.size() < m_file.ports.size()) {
            m_said.warn("PORT", m_name + " has " + std::to_string(m_links.size()) + " of " +
                                    std::to_string(m_file.ports.size()) + " ports; " +
                                    m_file.ports[m_links.size()].name + " and those after it are left out");
        }
        if (!check_pfc()) {
            return;
        }
        m_taken.tell_conflicts(m_said);
        read_pools();
        m_profiles.groups.resize(m_links.size() * m_config.device.classes);
        m_profiles.queues.resize(m_profiles.groups.size());
        m_sources.entry_of_group.resize(m_profiles.groups.size());
        m_sources.entry_has_headroom.resize(m_profiles.groups.size());
        for (unsigned port = 0; port < m_links.size(); ++port) {
            check_link(m_file.ports[port], links[m_links[port]], m_plan.link(m_links[port]).name);
            check_maps(m_file.ports[port]);
            for (unsigned c = 0; c < m_config.device.classes; ++c) {
                read_class(port, c);
            }
        }
        warn_of_joint_groups();
        warn_of_missing();
        for (const sonic_side side : {sonic_side::ingress, sonic_side::egress}) {
            for (const std::string& member : m_taken.unused(side)) {
                m_said.warn(std::string(buffer_table(side)) + "|" + member,
                            std::string("no traffic class of the model uses this ") + member_name(side) +
                                "; what is reserved for it is not shared");
            }
        }
    }

 private:
    void read_pools() {
        pool_profile& pools = m_profiles.pools;
        pools.pools_include_reserved = m_taken.sizes_include_reserved();
        const bool include = m_config.shared.pools_include_reserved.value_or(*pools.pools_include_reserved);
        const auto read = [&](sonic_side side, bool lossless, std::optional<bytes>& to, std::string& name) {
            const std::size_t pool = m_taken.pool(side, lossless);
            if (pool == sonic_buffer::none) {
                return;
            }
            name = m_file.pools[pool].name;
            if (m_file.pools[pool].size) {
                const bytes elsewhere = include ? m_taken.reserved_elsewhere(pool) : 0_B;
                to = *m_file.pools[pool].size - std::min(*m_file.pools[pool].size, elsewhere);
            }
        };
        pool_names& names = m_sources.pools;
        read(sonic_side::ingress, false, pools.lossy_pool, names.lossy);
        read(sonic_side::ingress, true, pools.lossless_pool, names.lossless);
        read(sonic_side::egress, false, pools.queue_pool, names.queue);
        read(sonic_side::egress, true, pools.lossless_queue_pool, names.lossless_queue);
        pools.common_pool = m_taken.is_common(sonic_side::ingress);
        pools.common_queue_pool = m_taken.is_common(sonic_side::egress);
        if (m_taken.has_headroom_pool()) {
            pools.headroom_pool = m_file.pools[m_taken.pool(sonic_side::ingress, true)].xoff;
        }
        for (std::size_t pool = 0; pool < m_file.pools.size(); ++pool) {
            if (!m_taken.uses(pool)) {
                m_said.warn("BUFFER_POOL|" + m_file.pools[pool].name,
                            "has no effect: no group or queue of " + m_name + " draws from it");
            }
        }
    }

    void check_link(const sonic_port& port, const port_config& link, const std::string& name) {
        if (port.speed && *port.speed != link.fastest_rate()) {
            m_said.fail("PORT|" + port.name, "speed: " + to_text(*port.speed) + " is not the rate of " + name +
                                                 ", " + to_text(link.fastest_rate()) +
                                                 "; expected that of the model (link.rate)");
        }
        if (!port.speed) {
            m_said.warn("PORT|" + port.name, "has no speed, so that of the model is not compared");
        }
        // 5 ns/m.
        const picoseconds delay{5'000 * port.cable.value_or(0)};
        if (port.cable && delay < link.longest_latency()) {
            ++m_short_cables;
            if (m_short_cables == 1) {
                m_short_cable = port.name + " has " + std::to_string(*port.cable) + "m, " + to_text(delay) +
                                " at 5 ns/m, but " + name + " takes " + to_text(link.longest_latency()) +
                                " one way";
            }
        }
    }

    /// Whether the lossless classes are those of every port. Where they are not, all that follows would be
    /// wrong for that reason.
    bool check_pfc() {
        if (!m_file.has_qos || m_config.flow_control.mode == flow_control_mode::none) {
            return true;
        }
        bool agree = true;
        const std::string ours = classes_text(m_taken.lossless());
        for (std::size_t n = 0; n < m_links.size(); ++n) {
            const sonic_port& port = m_file.ports[n];
            if (port.pfc_enable == m_taken.lossless()) {
                continue;
            }
            const std::string key = "PORT_QOS_MAP|" + (port.qos_entry.empty() ? port.name : port.qos_entry);
            const std::string theirs = "pfc_enable: '" + classes_text(port.pfc_enable) + "' ";
            if (!m_config.shared_tables.classes_are_the_files) {
                m_said.warn(key, theirs + "is replaced by shared.lossless_classes = " + ours);
                continue;
            }
            agree = false;
            if (lossless_priorities(m_file) == 0) {
                m_said.fail(key, theirs +
                                     "enables no PFC, at any port of the file; expected pfc.mode = none, or "
                                     "shared.lossless_classes, which stands above the file");
            } else {
                m_said.fail(key,
                            theirs + "is not that of most ports, '" + ours +
                                "', but lossless classes of the model are those of all ports; expected the "
                                "same, or shared.lossless_classes, which stands above the file");
            }
        }
        return agree;
    }

    void check_maps(const sonic_port& port) {
        if (!m_file.has_qos || m_config.flow_control.mode == flow_control_mode::none) {
            return;
        }
        for (unsigned c = 0; c < m_config.device.classes; ++c) {
            const auto check = [&](const char* table, const char* field, const char* what,
                                   const sonic_map& map) {
                if (m_taken.is_lossless(c) && map[c] != c) {
                    m_said.fail(table, std::string(field) + " gives " + std::to_string(c) +
                                           ", which is lossless, " + what + " " + std::to_string(map[c]) +
                                           ", but the model has one number for class, PFC priority, priority "
                                           "group and queue; expected " +
                                           std::to_string(c));
                }
            };
            check("TC_TO_PRIORITY_GROUP_MAP", "tc_to_pg_map", "priority group", port.tc_to_pg);
            check("TC_TO_QUEUE_MAP", "tc_to_queue_map", "queue", port.tc_to_queue);
            check("MAP_PFC_PRIORITY_TO_QUEUE", "pfc_to_queue_map", "queue", port.pfc_to_queue);
            check("PFC_PRIORITY_TO_PRIORITY_GROUP_MAP", "pfc_to_pg_map", "priority group", port.pfc_to_pg);
        }
    }

    void read_class(unsigned port, unsigned c) {
        const std::size_t place = std::size_t{port} * m_config.device.classes + c;
        const bool lossless = m_taken.is_lossless(c);
        const sonic_buffer& group = m_taken.buffer(sonic_side::ingress, port, c);
        if (group.has_profile()) {
            const sonic_profile& profile = m_file.profiles[group.profile];
            m_sources.entry_of_group[place] = "BUFFER_PROFILE|" + profile.name;
            group_profile& made = m_profiles.groups[place];
            const sonic_values values = read_common(made, profile, sonic_side::ingress, port, c);
            made.headroom = values.headroom;
            m_sources.entry_has_headroom[place] = values.headroom.has_value();
            // Without headroom the lookup, or the options, have what is missing.
            if (lossless && (profile.xoff || profile.xon)) {
                made.xon = values.xon;
            }
            if (lossless && (profile.xoff || profile.xon_offset)) {
                made.xon_offset = values.xon_offset;
            }
            check_group(profile, group, lossless);
        } else {
            (lossless ? m_lossless_without : m_lossy_without)[m_taken.number_of(sonic_side::ingress, port, c)]
                .insert(port);
        }
        const sonic_buffer& queue = m_taken.buffer(sonic_side::egress, port, c);
        if (queue.has_profile()) {
            const sonic_profile& profile = m_file.profiles[queue.profile];
            read_common(m_profiles.queues[place], profile, sonic_side::egress, port, c);
            warn_of_fields(profile, "queues");
        } else {
            m_queues_without[m_taken.number_of(sonic_side::egress, port, c)].insert(port);
        }
    }

    template <class Profile>
    sonic_values read_common(Profile& made, const sonic_profile& profile, sonic_side side, unsigned port,
                             unsigned c) {
        const sonic_values values = m_taken.values_of(profile, side, m_taken.is_lossless(c));
        made.minimum = m_taken.part_of(values.minimum, side, port, c);
        made.threshold = profile.static_th;
        if (profile.dynamic_th) {
            made.alpha = std::ldexp(1.0, static_cast<int>(*profile.dynamic_th));
        }
        const auto check = [&](const char* field, const std::optional<bytes>& value,
                               const field_range<bytes>& range) {
            if (value && !range.holds(*value)) {
                m_said.fail("BUFFER_PROFILE|" + profile.name,
                            std::string(field) + ": " +
                                out_of_range(std::to_string(value->count()), range.text(field_text<bytes>)));
            }
        };
        check("size", values.minimum, shared_buffer_config::minimum_range);
        check("static_th", values.static_th, shared_buffer_config::pool_range);
        check("xon", values.xon, shared_buffer_config::pool_range);
        check("xon_offset", values.xon_offset, shared_buffer_config::pool_range);
        check("xoff", values.headroom, shared_buffer_config::pool_range);
        return values;
    }

    void check_group(const sonic_profile& profile, const sonic_buffer& buffer, bool lossless) {
        const std::string key = "BUFFER_PROFILE|" + profile.name;
        const bytes headroom = profile.xoff.value_or(0_B);
        if (!m_taken.has_headroom_pool() && profile.size < headroom) {
            m_said.fail(key, "size: " + std::to_string(profile.size.count()) + " is less than xoff (" +
                                 std::to_string(headroom.count()) +
                                 "), but size includes xoff if each group has headroom of its own; expected at "
                                 "least xoff, or a pool with xoff");
        }
        if (!lossless && m_config.flow_control.mode != flow_control_mode::none) {
            warn_of_fields(profile, "lossy groups");
        }
        const std::optional<bytes> room = m_file.pools[profile.pool].size;
        if (lossless && room && profile.xon.value_or(0_B) >= *room &&
            m_with_fields.insert(profile.name).second) {
            m_said.warn(key, "xon: " + std::to_string(profile.xon->count()) + " is not below the size of " +
                                 m_file.pools[profile.pool].name + " (" + std::to_string(room->count()) +
                                 "): a group that uses it is never paused by its threshold");
        }
        if (lossless && !profile.xoff && m_without_headroom.insert(buffer.profile).second) {
            m_said.warn(key,
                        "has no xoff, and " + sonic_key("BUFFER_PG|" + buffer.entry) +
                            " uses it for a lossless class; shared.headroom, or shared.pg_profile_lookup, has "
                            "the headroom");
        }
    }

    void warn_of_fields(const sonic_profile& profile, const char* of) {
        std::string fields;
        for (const auto& [name, value] :
             {std::pair("xon", profile.xon), std::pair("xon_offset", profile.xon_offset),
              std::pair("xoff", profile.xoff)}) {
            if (value.value_or(0_B) > 0_B) {
                fields += (fields.empty() ? "" : ", ") + std::string(name);
            }
        }
        if (!fields.empty() && m_with_fields.insert(profile.name + of).second) {
            m_said.warn("BUFFER_PROFILE|" + profile.name, fields + ": no effect for " + of + ", which use it");
        }
    }

    /// Classes that the switch counts together, and the model apart.
    void warn_of_joint_groups() {
        const sonic_port& first = m_file.ports.front();
        const auto joint = [&](const sonic_map& map) {
            for (unsigned to = 0; to < sonic_classes; ++to) {
                std::uint8_t from = 0;
                for (unsigned c = 0; c < m_config.device.classes; ++c) {
                    from = static_cast<std::uint8_t>(from | (map[c] == to ? 1U << c : 0U));
                }
                if ((from & (from - 1)) != 0) {
                    return classes_text(from) + " in " + std::to_string(to);
                }
            }
            return std::string{};
        };
        for (const auto& [side, text] : {std::pair(sonic_side::ingress, joint(first.tc_to_pg)),
                                         std::pair(sonic_side::egress, joint(first.tc_to_queue))}) {
            if (!text.empty()) {
                m_said.warn(class_map_table(side),
                            std::string(member_name(side)) + "s that hold several traffic classes (" + text +
                                ") are one for each class in the model, each with the whole threshold and a "
                                "part of the minimum");
            }
        }
    }

    void warn_of_missing() {
        // `3, 4 of all ports`
        const auto list = [&](const ports_by_number& without) {
            const bool at_all = std::all_of(without.begin(), without.end(), [&](const auto& each) {
                return each.second.size() == m_links.size();
            });
            return joined(without, ", ", [](const auto& each) { return std::to_string(each.first); }) +
                   (at_all ? " of all ports" : " of some ports");
        };
        if (!m_lossless_without.empty() && m_config.shared_tables.pg_profile_lookup.empty()) {
            m_said.warn("BUFFER_PG", "has no profile for lossless priority groups " + list(m_lossless_without) +
                                         "; shared.headroom and the other options apply (SONiC takes "
                                         "them from pg_profile_lookup.ini: shared.pg_profile_lookup)");
        }
        if (!m_lossy_without.empty()) {
            m_said.warn("BUFFER_PG", "has no profile for priority groups " + list(m_lossy_without) +
                                         "; the options apply (shared.minimum, shared.lossy_alpha)");
        }
        if (!m_queues_without.empty()) {
            m_said.warn("BUFFER_QUEUE", "has no profile for queues " + list(m_queues_without) +
                                            "; the options apply (shared.queue_minimum, shared.queue_alpha)");
        }
        if (m_short_cables > 0) {
            m_said.warn("CABLE_LENGTH",
                        m_short_cable + (m_short_cables > 1
                                             ? "; this applies to " + std::to_string(m_short_cables) + " ports"
                                             : ""));
        }
    }

    const config_db& m_file;
    const run_config& m_config;
    const topology& m_plan;
    const std::vector<link_id>& m_links;
    const std::string m_name;
    const sonic_switch m_taken;
    shared_profiles& m_profiles;
    profile_sources& m_sources;
    sonic_messages& m_said;
    /// Profiles of lossless groups that have no xoff; those whose fields were warned of.
    std::set<std::size_t> m_without_headroom;
    std::set<std::string> m_with_fields;
    /// Groups or queues without a profile.
    using ports_by_number = std::map<unsigned, std::set<unsigned>>;
    ports_by_number m_lossless_without;
    ports_by_number m_lossy_without;
    ports_by_number m_queues_without;
    unsigned m_short_cables = 0;
    std::string m_short_cable;
};

}  // namespace

void read_config_db_profiles(const config_db& file, const run_config& config, const built_topology& built,
                             read_profiles& read, config_errors& errors) {
    read.warnings.insert(read.warnings.end(), file.warnings.begin(), file.warnings.end());
    errors.insert(errors.end(), file.errors.begin(), file.errors.end());
    if (!file.errors.empty()) {
        return;
    }
    sonic_messages said(config.shared_tables.config_db);
    if (!file.has_qos && config.flow_control.mode != flow_control_mode::none &&
        !config.shared.lossless_classes) {
        said.fail("PORT_QOS_MAP", "is missing; expected pfc_enable of each port, or shared.lossless_classes");
    } else {
        if (config.flow_control.mode == flow_control_mode::none && lossless_priorities(file) != 0) {
            said.warn("PORT_QOS_MAP",
                      "pfc_enable has no effect, because pfc.mode = none: all classes are lossy");
        }
        const std::vector<port_config> links =
            ports_of_links(built.plan, built.changes, config.link.wire_overhead);
        for (const switch_id s : switches_of_config_db(config, built.plan, errors)) {
            switch_reader(file, config, built.plan, s, read, said).read(links);
        }
    }
    const config_errors found = said.errors();
    const std::vector<std::string> warnings = said.warnings();
    errors.insert(errors.end(), found.begin(), found.end());
    read.warnings.insert(read.warnings.end(), warnings.begin(), warnings.end());
}

}  // namespace weir::tb
