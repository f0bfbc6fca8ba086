#include "tb/shared/config_db_profiles.h"

#include <algorithm>
#include <cmath>
#include <set>

#include "tb/shared/profile_tables.h"
#include "tb/text/name_pattern.h"
#include "weir/base/unit_text.h"
#include "weir/model/fabric/fabric_changes.h"

namespace weir::tb {

namespace {

const char* const switches_key = "shared.config_db_switches";

/// One switch of the model, and the file.
class switch_reader {
 public:
    switch_reader(const config_db& file, const run_config& config, const topology& plan, switch_id s,
                  read_profiles& read, config_errors& errors)
        : m_file(file),
          m_config(config),
          m_plan(plan),
          m_links(plan.ports(node_ref::of_switch(s))),
          m_name(plan.name(node_ref::of_switch(s))),
          m_profiles(read.profiles[s]),
          m_entries(read.sources[s].entry_of_group),
          m_warnings(read.warnings),
          m_errors(errors) {}

    void read(const std::vector<port_config>& links) {
        if (m_links.size() > m_file.ports.size()) {
            return fail("PORT", "has " + std::to_string(m_file.ports.size()) + " ports, but " + m_name +
                                    " has " + std::to_string(m_links.size()) +
                                    "; expected at least as many, or another shared.config_db_switches");
        }
        if (m_links.size() < m_file.ports.size()) {
            m_warnings.push_back(m_config.shared_tables.config_db + ": PORT: " + m_name + " has " +
                                 std::to_string(m_links.size()) + " of " + std::to_string(m_file.ports.size()) +
                                 " ports; " + m_file.ports[m_links.size()].name +
                                 " and those after it are left out");
        }
        const sonic_pool_uses uses =
            pool_uses_of(m_file, static_cast<unsigned>(m_links.size()), m_config, m_errors);
        read_pools(uses);
        m_profiles.groups.resize(m_links.size() * m_config.device.classes);
        m_profiles.queues.resize(m_profiles.groups.size());
        m_entries.resize(m_profiles.groups.size());
        for (unsigned port = 0; port < m_links.size(); ++port) {
            check_link(m_file.ports[port], links[m_links[port]], m_plan.link(m_links[port]).name);
            check_qos(m_file.ports[port]);
            for (unsigned c = 0; c < m_config.device.classes; ++c) {
                read_class(m_file.ports[port], port, c);
            }
        }
        warn_of_joint_groups();
        warn_of_missing();
    }

 private:
    void fail(const std::string& key, const std::string& message) {
        const config_error found{m_config.shared_tables.config_db, 0, sonic_key(key), message};
        const auto same = [&](const config_error& each) {
            return each.key == found.key && each.message == message;
        };
        if (std::none_of(m_errors.begin(), m_errors.end(), same)) {
            m_errors.push_back(found);
        }
    }

    void read_pools(const sonic_pool_uses& uses) {
        pool_profile& pools = m_profiles.pools;
        const auto size = [&](std::size_t pool) {
            return pool == sonic_buffer::none ? std::nullopt : m_file.pools[pool].size;
        };
        pools.lossy_pool = size(uses.groups[0]);
        pools.lossless_pool = size(uses.groups[1]);
        pools.queue_pool = size(uses.queues[0]);
        pools.lossless_queue_pool = size(uses.queues[1]);
        pools.common_pool = uses.groups[0] != sonic_buffer::none && uses.groups[0] == uses.groups[1];
        pools.common_queue_pool = uses.queues[0] != sonic_buffer::none && uses.queues[0] == uses.queues[1];
        const bool has_headroom_pool =
            uses.groups[1] != sonic_buffer::none && m_file.pools[uses.groups[1]].has_headroom_pool();
        if (has_headroom_pool) {
            pools.headroom_pool = m_file.pools[uses.groups[1]].xoff;
        }
        pools.pools_include_reserved = !has_headroom_pool;
    }

    void check_link(const sonic_port& port, const port_config& link, const std::string& name) {
        if (port.speed != link.fastest_rate()) {
            fail("PORT|" + port.name, "speed: " + to_text(port.speed) + " is not the rate of " + name + ", " +
                                          to_text(link.fastest_rate()) +
                                          "; expected that of the model (link.rate)");
        }
        // 5 ns/m.
        const picoseconds delay{5'000 * port.cable.value_or(0)};
        if (port.cable && delay < link.longest_latency()) {
            ++m_short_cables;
            if (m_short_cables == 1) {
                m_short_cable = "CABLE_LENGTH: " + port.name + " has " + std::to_string(*port.cable) + "m, " +
                                to_text(delay) + " at 5 ns/m, but " + name + " takes " +
                                to_text(link.longest_latency()) + " one way";
            }
        }
    }

    void check_qos(const sonic_port& port) {
        if (!m_file.has_qos || m_config.flow_control.mode == flow_control_mode::none) {
            return;
        }
        std::uint8_t lossless = 0;
        for (unsigned c = 0; c < m_config.device.classes; ++c) {
            lossless = static_cast<std::uint8_t>(lossless | (is_held_back(m_config, c) ? 1U << c : 0U));
        }
        const std::string key = "PORT_QOS_MAP|" + (port.qos_entry.empty() ? port.name : port.qos_entry);
        if (port.pfc_enable != lossless) {
            const bool none = lossless_priorities(m_file) == 0;
            fail(key,
                 "pfc_enable: '" + classes_text(port.pfc_enable) +
                     "' are not the lossless classes of the model, " + classes_text(lossless) + "; expected " +
                     (none ? "pfc.mode = none, because no port of the file enables PFC"
                           : "the same at all ports of " + m_name +
                                 " (shared.lossless_classes, switch.classes), or a model without this port"));
            return;
        }
        for (unsigned c = 0; c < m_config.device.classes; ++c) {
            const auto check = [&](const char* field, const char* what, const sonic_map& map) {
                if (is_held_back(m_config, c) && map[c] != c) {
                    fail(key, std::string(field) + ": gives " + std::to_string(c) + ", which is lossless, " +
                                  what + " " + std::to_string(map[c]) +
                                  ", but the model has one number for class, PFC priority, priority group and "
                                  "queue; expected " +
                                  std::to_string(c));
                }
            };
            check("tc_to_pg_map", "priority group", port.tc_to_pg);
            check("tc_to_queue_map", "queue", port.tc_to_queue);
            check("pfc_to_queue_map", "queue", port.pfc_to_queue);
            check("pfc_to_pg_map", "priority group", port.pfc_to_pg);
        }
    }

    void read_class(const sonic_port& port, unsigned n, unsigned c) {
        const std::size_t place = std::size_t{n} * m_config.device.classes + c;
        const bool lossless = is_held_back(m_config, c);
        const sonic_buffer& group = port.groups[port.tc_to_pg[c]];
        if (group.has_profile()) {
            m_entries[place] = "BUFFER_PROFILE|" + m_file.profiles[group.profile].name;
            m_profiles.groups[place] = group_of(m_file.profiles[group.profile], group, lossless, c);
        } else {
            (lossless ? m_lossless_without : m_lossy_without).insert(port.tc_to_pg[c]);
        }
        const sonic_buffer& queue = port.queues[port.tc_to_queue[c]];
        if (queue.has_profile()) {
            const sonic_profile& profile = m_file.profiles[queue.profile];
            queue_profile& made = m_profiles.queues[place];
            made.minimum = profile.size;
            set_threshold(made, profile);
            check_sizes(profile);
        } else {
            m_queues_without.insert(port.tc_to_queue[c]);
        }
    }

    template <class Profile>
    static void set_threshold(Profile& made, const sonic_profile& profile) {
        made.threshold = profile.static_th;
        if (profile.dynamic_th) {
            made.alpha = std::ldexp(1.0, static_cast<int>(*profile.dynamic_th));
        }
    }

    void check_sizes(const sonic_profile& profile) {
        const auto check = [&](const char* field, const std::optional<bytes>& value,
                               const field_range<bytes>& range) {
            if (value && !range.holds(*value)) {
                fail("BUFFER_PROFILE|" + profile.name,
                     std::string(field) + ": " +
                         out_of_range(std::to_string(value->count()), range.text(field_text<bytes>)));
            }
        };
        check("size", profile.size, shared_buffer_config::minimum_range);
        check("static_th", profile.static_th, shared_buffer_config::pool_range);
        check("xon", profile.xon, shared_buffer_config::pool_range);
        check("xon_offset", profile.xon_offset, shared_buffer_config::pool_range);
        check("xoff", profile.xoff, shared_buffer_config::pool_range);
    }

    group_profile group_of(const sonic_profile& profile, const sonic_buffer& buffer, bool lossless,
                           unsigned c) {
        const std::string key = "BUFFER_PROFILE|" + profile.name;
        const bool headroom_is_pool = with_pools(m_config.shared, m_profiles.pools).headroom_pool.has_value();
        const bytes headroom = profile.xoff.value_or(0_B);
        check_sizes(profile);
        group_profile made;
        set_threshold(made, profile);
        made.minimum = headroom_is_pool ? profile.size : profile.size - std::min(profile.size, headroom);
        if (!headroom_is_pool && profile.size < headroom) {
            fail(key, "size: " + std::to_string(profile.size.count()) + " is less than xoff (" +
                          std::to_string(headroom.count()) +
                          "), but size includes xoff if each group has headroom of its own; expected at least "
                          "xoff, or a pool with xoff");
        }
        if (!lossless) {
            if (profile.xoff && m_config.flow_control.mode != flow_control_mode::none) {
                fail(key, "xoff: has no effect for " + sonic_key("BUFFER_PG|" + buffer.entry) +
                              ", because class " + std::to_string(c) +
                              " is lossy (PORT_QOS_MAP, pfc_enable); expected a profile without xoff");
            }
            return made;
        }
        made.xon = profile.xon.value_or(0_B);
        made.xon_offset = profile.xon_offset.value_or(0_B);
        made.headroom = profile.xoff;
        if (!profile.xoff && m_without_headroom.insert(buffer.profile).second) {
            warn(key + " has no xoff, and " + sonic_key("BUFFER_PG|" + buffer.entry) +
                 " uses it for a lossless class; shared.headroom, or shared.pg_profile_lookup, has the "
                 "headroom");
        }
        return made;
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
        for (const auto& [what, text] : {std::pair("tc_to_pg_map: priority groups", joint(first.tc_to_pg)),
                                         std::pair("tc_to_queue_map: queues", joint(first.tc_to_queue))}) {
            if (!text.empty()) {
                warn("PORT_QOS_MAP: " + std::string(what) + " that hold several traffic classes (" + text +
                     ") are one for each class in the model, each with the whole profile");
            }
        }
    }

    void warn_of_missing() {
        const auto list = [](const std::set<unsigned>& numbers) {
            std::string text;
            for (const unsigned n : numbers) {
                text += (text.empty() ? "" : ", ") + std::to_string(n);
            }
            return text;
        };
        if (!m_lossless_without.empty() && m_config.shared_tables.pg_profile_lookup.empty()) {
            warn("BUFFER_PG: has no profile for lossless priority groups " + list(m_lossless_without) +
                 " of some ports; shared.headroom and the other options apply (SONiC takes them from "
                 "pg_profile_lookup.ini: shared.pg_profile_lookup)");
        }
        if (!m_lossy_without.empty()) {
            warn("BUFFER_PG: has no profile for priority groups " + list(m_lossy_without) +
                 " of some ports; the options apply (shared.minimum, shared.lossy_alpha)");
        }
        if (!m_queues_without.empty()) {
            warn("BUFFER_QUEUE: has no profile for queues " + list(m_queues_without) +
                 " of some ports; the options apply (shared.queue_minimum, shared.queue_alpha)");
        }
        if (m_short_cables > 0) {
            warn(m_short_cable +
                 (m_short_cables > 1 ? "; this applies to " + std::to_string(m_short_cables) + " ports" : ""));
        }
    }
    void warn(const std::string& text) {
        const std::string whole = m_config.shared_tables.config_db + ": " + text;
        if (std::find(m_warnings.begin(), m_warnings.end(), whole) == m_warnings.end()) {
            m_warnings.push_back(whole);
        }
    }

    const config_db& m_file;
    const run_config& m_config;
    const topology& m_plan;
    const std::vector<link_id>& m_links;
    const std::string m_name;
    shared_profiles& m_profiles;
    std::vector<std::string>& m_entries;
    std::vector<std::string>& m_warnings;
    config_errors& m_errors;
    /// Profiles of lossless groups that have no xoff.
    std::set<std::size_t> m_without_headroom;
    std::set<unsigned> m_lossless_without;
    std::set<unsigned> m_lossy_without;
    std::set<unsigned> m_queues_without;
    unsigned m_short_cables = 0;
    std::string m_short_cable;
};

}  // namespace

std::vector<switch_id> switches_of_config_db(const run_config& config, const topology& plan,
                                             config_errors& errors) {
    std::set<switch_id> named;
    const std::vector<std::string>& patterns = config.shared_tables.config_db_switches;
    for (const std::string& pattern : patterns) {
        bool any = false;
        for (switch_id s = 0; s < plan.switches(); ++s) {
            if (fits_pattern(pattern, plan.name(node_ref::of_switch(s)))) {
                named.insert(s);
                any = true;
            }
        }
        if (!any) {
            errors.push_back({{},
                              0,
                              switches_key,
                              "'" + pattern + "' is no switch of the fabric; expected names such as " +
                                  plan.name(node_ref::of_switch(0)) + ", * for any text"});
        }
    }
    std::vector<switch_id> all(named.begin(), named.end());
    for (switch_id s = 0; s < plan.switches() && patterns.empty(); ++s) {
        all.push_back(s);
    }
    return all;
}

sonic_pool_uses pool_uses_of(const config_db& file, unsigned ports, const run_config& config,
                             config_errors& errors) {
    sonic_pool_uses uses;
    const auto use = [&](std::size_t& pool, const sonic_buffer& buffer, const char* table, bool lossless) {
        if (!buffer.has_profile()) {
            return;
        }
        const sonic_profile& profile = file.profiles[buffer.profile];
        if (pool != sonic_buffer::none && pool != profile.pool) {
            config_error found{
                config.shared_tables.config_db, 0, sonic_key(std::string(table) + "|" + buffer.entry),
                std::string("profile: '") + profile.name + "' is of pool " + file.pools[profile.pool].name +
                    ", but other " + (lossless ? "lossless" : "lossy") + " ones use " + file.pools[pool].name +
                    "; expected one pool for all of them"};
            if (errors.empty() || errors.back().message != found.message) {
                errors.push_back(std::move(found));
            }
            return;
        }
        pool = profile.pool;
    };
    for (unsigned port = 0; port < ports; ++port) {
        const sonic_port& p = file.ports[port];
        for (unsigned c = 0; c < config.device.classes; ++c) {
            const bool lossless = is_held_back(config, c);
            use(uses.groups[lossless ? 1 : 0], p.groups[p.tc_to_pg[c]], "BUFFER_PG", lossless);
            use(uses.queues[lossless ? 1 : 0], p.queues[p.tc_to_queue[c]], "BUFFER_QUEUE", lossless);
        }
    }
    // buffermgrd puts the lossless groups that it makes into the pool of this name.
    if (uses.groups[1] == sonic_buffer::none) {
        uses.groups[1] = file.pool_named("ingress_lossless_pool");
    }
    return uses;
}

void read_config_db_profiles(const config_db& file, const run_config& config, const built_topology& built,
                             read_profiles& read, config_errors& errors) {
    read.warnings.insert(read.warnings.end(), file.warnings.begin(), file.warnings.end());
    errors.insert(errors.end(), file.errors.begin(), file.errors.end());
    if (!file.errors.empty()) {
        return;
    }
    const std::string& path = config.shared_tables.config_db;
    if (!file.has_qos && config.flow_control.mode != flow_control_mode::none &&
        !config.shared.lossless_classes) {
        errors.push_back({path, 0, "PORT_QOS_MAP",
                          "is missing; expected pfc_enable of each port, or shared.lossless_classes"});
        return;
    }
    if (config.flow_control.mode == flow_control_mode::none && lossless_priorities(file) != 0) {
        read.warnings.push_back(path +
                                ": PORT_QOS_MAP: pfc_enable has no effect, because pfc.mode = none: all "
                                "classes are lossy");
    }
    const std::vector<port_config> links = ports_of_links(built.plan, built.changes, config.link.wire_overhead);
    for (const switch_id s : switches_of_config_db(config, built.plan, errors)) {
        switch_reader(file, config, built.plan, s, read, errors).read(links);
    }
}

}  // namespace weir::tb
