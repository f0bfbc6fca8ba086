#include "tb/shared/config_db_writer.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <tuple>

#include "tb/shared/config_db_profiles.h"
#include "tb/shared/profile_tables.h"
#include "tb/shared/read_profiles.h"
#include "weir/base/field_range.h"
#include "weir/base/unit_text.h"
#include "weir/model/fabric/fabric_changes.h"
#include "weir/model/memory/shared_memory.h"

namespace weir::tb {

using nlohmann::ordered_json;

namespace {

std::string digits(bytes value) {
    return std::to_string(value.count());
}

/// Metres of a cable of 5 ns/m, rounded up.
std::int64_t metres_of(picoseconds latency) {
    return (latency.count() + 4'999) / 5'000;
}

/// What a profile says of one group or queue. What it leaves out is 0.
struct buffer_values {
    bytes size{0};
    std::optional<std::int64_t> dynamic_th;
    std::optional<bytes> static_th;
    bytes xon{0};
    bytes xon_offset{0};
    bytes xoff{0};

    bool operator==(const buffer_values& b) const {
        return std::tie(size, dynamic_th, static_th, xon, xon_offset, xoff) ==
               std::tie(b.size, b.dynamic_th, b.static_th, b.xon, b.xon_offset, b.xoff);
    }
    bool operator!=(const buffer_values& b) const { return !(*this == b); }
};

buffer_values values_of(const sonic_profile& profile) {
    return {profile.size,
            profile.dynamic_th,
            profile.static_th,
            profile.xon.value_or(0_B),
            profile.xon_offset.value_or(0_B),
            profile.xoff.value_or(0_B)};
}

/// One group or queue, as the model has it.
struct wanted_buffer {
    unsigned port = 0;
    unsigned number = 0;
    bool lossless = false;
    buffer_values values;
};

/// Of BUFFER_PG or BUFFER_QUEUE.
struct buffer_table {
    const char* name;
    const char* what;
    bool is_ingress;
    std::array<sonic_buffer, sonic_classes> sonic_port::*buffers;
    sonic_map sonic_port::*map;
    const char* map_field;
};
constexpr buffer_table group_table_of_file{"BUFFER_PG",         "priority group",      true,
                                           &sonic_port::groups, &sonic_port::tc_to_pg, "tc_to_pg_map"};
constexpr buffer_table queue_table_of_file{
    "BUFFER_QUEUE", "queue", false, &sonic_port::queues, &sonic_port::tc_to_queue, "tc_to_queue_map"};

class config_db_writer {
 public:
    config_db_writer(const run_config& config, const built_topology& built, switch_id s)
        : m_config(config),
          m_classes(config.device.classes),
          m_name(built.plan.name(node_ref::of_switch(s))),
          m_profiles(profiles_of(built, s)),
          m_rows(s < built.profile_lines.size() ? built.profile_lines[s].line_of_group : std::vector<int>{}),
          m_shared(with_pools(config.shared, m_profiles.pools)),
          m_links(links_of(config, built, s)),
          m_memory(make_shared_buffer(config.shared, config.device, config.flow_control, m_links, m_profiles)),
          m_has_base(!config.shared_tables.config_db.empty()),
          m_base(m_has_base ? read_config_db_file(config.shared_tables.config_db, "shared.config_db")
                            : read_config_db(new_document().dump(), "config_db.json")) {}

    written_config_db write() {
        m_written.errors = m_base.errors;
        if (m_written.errors.empty() && m_links.size() > m_base.ports.size()) {
            fail("PORT", "has " + std::to_string(m_base.ports.size()) + " ports, but " + m_name + " has " +
                             std::to_string(m_links.size()) + "; expected at least as many");
        }
        if (!m_written.errors.empty()) {
            return m_written;
        }
        m_written.document = m_base.document;
        const auto pools = m_base.document.find("BUFFER_PROFILE");
        m_old_style =
            pools != m_base.document.end() && pools->dump().find("\"[BUFFER_POOL|") != std::string::npos;
        m_uses = pool_uses_of(m_base, static_cast<unsigned>(m_links.size()), m_config, m_written.errors);
        write_pools();
        write_buffers(group_table_of_file, [&](unsigned port, unsigned c) { return group_values(port, c); });
        write_buffers(queue_table_of_file, [&](unsigned port, unsigned c) { return queue_values(port, c); });
        if (m_leaves_groups) {
            m_written.warnings.push_back(
                "--write-config-db: BUFFER_PG has no lossless priority groups, as in shared.config_db: the "
                "switch "
                "makes them from its pg_profile_lookup.ini; shared.headroom, or rows of shared.group_profiles, "
                "have them written");
        }
        return m_written;
    }

 private:
    static std::vector<port_config> links_of(const run_config& config, const built_topology& built,
                                             switch_id s) {
        const std::vector<port_config> all =
            ports_of_links(built.plan, built.changes, config.link.wire_overhead);
        std::vector<port_config> links;
        for (const link_id link : built.plan.ports(node_ref::of_switch(s))) {
            links.push_back(all[link]);
        }
        return links;
    }

    void fail(const std::string& key, const std::string& message) {
        m_written.errors.push_back({m_config.shared_tables.config_db, 0, key, message});
    }

    /// Ports, classes and pools of a switch that no file describes.
    ordered_json new_document() const {
        ordered_json made;
        std::string lossless;
        for (unsigned c = 0; c < m_classes; ++c) {
            lossless += is_held_back(m_config, c) ? (lossless.empty() ? "" : ",") + std::to_string(c) : "";
        }
        for (unsigned port = 0; port < m_links.size(); ++port) {
            const std::string name = "Ethernet" + std::to_string(4 * port);
            made["PORT"][name] = {{"index", std::to_string(port)},
                                  {"speed", std::to_string(m_links[port].fastest_rate().count() / 1'000'000)}};
            made["CABLE_LENGTH"]["AZURE"][name] =
                std::to_string(metres_of(m_links[port].longest_latency())) + "m";
            if (!lossless.empty()) {
                made["PORT_QOS_MAP"][name] = {{"pfc_enable", lossless}};
            }
        }
        const auto pool = [&](const char* name, const char* type, const char* mode) {
            made["BUFFER_POOL"][name] = {{"type", type}, {"mode", mode}};
        };
        pool("ingress_lossless_pool", "ingress", "dynamic");
        pool("egress_lossless_pool", "egress", "static");
        if (m_memory.has_lossy() && !m_memory.has_common_pool()) {
            pool("ingress_lossy_pool", "ingress", "dynamic");
        }
        if (m_memory.has_lossy() && !m_memory.has_common_queue_pool()) {
            pool("egress_lossy_pool", "egress", "dynamic");
        }
        return made;
    }

    // --- pools --------------------------------------------------------------------------------------------

    /// The pool of a kind's groups or queues: that of their profiles, or the one that SONiC names so.
    std::size_t pool_of(bool ingress, bool lossless) const {
        const std::size_t used = (ingress ? m_uses.groups : m_uses.queues)[lossless ? 1 : 0];
        if (used != sonic_buffer::none) {
            return used;
        }
        const std::string side = ingress ? "ingress" : "egress";
        const std::size_t own = m_base.pool_named(side + (lossless ? "_lossless_pool" : "_lossy_pool"));
        return own != sonic_buffer::none ? own : m_base.pool_named(side + "_lossless_pool");
    }

    void set_pool(std::size_t pool, const char* field, const std::optional<bytes>& before,
                  const std::optional<bytes>& now) {
        if (pool != sonic_buffer::none && now && before.value_or(bytes{-1}) != *now) {
            m_written.document["BUFFER_POOL"][m_base.pools[pool].name][field] = digits(*now);
        }
    }

    /// What a pool that the model sizes by itself is written as: the shared part, and what is reserved for its
    /// members where sizes include it.
    bytes computed_size(bool ingress, bool lossless) const {
        std::uint64_t cells = ingress ? m_memory.pool(lossless) : m_memory.queue_pool(lossless);
        const bool common = ingress ? m_memory.has_common_pool() : m_memory.has_common_queue_pool();
        if (m_shared.pools_include_reserved.value_or(!m_shared.headroom_pool)) {
            for (unsigned port = 0; port < m_links.size(); ++port) {
                for (unsigned k = 0; k < m_classes; ++k) {
                    const auto c = static_cast<pfc_class>(k);
                    if (m_memory.is_lossless(c) != lossless && !common) {
                        continue;
                    }
                    const group_limits& group = m_memory.limits(port, c);
                    cells += !ingress ? m_memory.queue_limits_of(port, c).minimum
                                      : group.minimum + (m_memory.headroom_pool() ? 0 : group.headroom);
                }
            }
        }
        return m_memory.bytes_of(std::min<std::uint64_t>(cells, m_memory.slice_cells()) * m_memory.slices());
    }

    void write_pools() {
        const auto write = [&](bool ingress, bool lossless, const std::optional<bytes>& set, bool common) {
            const std::size_t pool = pool_of(ingress, lossless);
            const bool any = lossless ? m_memory.has_lossless() : m_memory.has_lossy();
            if (pool == sonic_buffer::none || !any || (common && !lossless)) {
                return;
            }
            const std::optional<bytes>& before = m_base.pools[pool].size;
            const bool computes = !set && (!before || !m_has_base);
            set_pool(pool, "size", before, computes ? std::optional(computed_size(ingress, lossless)) : set);
        };
        check_common("shared.common_pool", true, m_memory.has_common_pool());
        check_common("shared.common_queue_pool", false, m_memory.has_common_queue_pool());
        for (const bool lossless : {true, false}) {
            write(true, lossless, lossless ? m_shared.lossless_pool : m_shared.lossy_pool,
                  m_memory.has_common_pool());
            write(false, lossless, lossless ? m_shared.lossless_queue_pool : m_shared.queue_pool,
                  m_memory.has_common_queue_pool());
        }
        if (m_memory.has_lossless()) {
            const std::size_t pool = pool_of(true, true);
            const std::optional<bytes> before =
                pool == sonic_buffer::none ? std::nullopt : m_base.pools[pool].xoff;
            set_pool(pool, "xoff", before, m_shared.headroom_pool);
        }
    }

    void check_common(const char* key, bool ingress, bool common) {
        const bool both = m_memory.has_lossless() && m_memory.has_lossy();
        if (both && (pool_of(ingress, true) == pool_of(ingress, false)) != common) {
            fail(key, std::string(common ? "true" : "false") +
                          " cannot be written, because profiles of lossless and lossy " +
                          (ingress ? "groups" : "queues") + (common ? " name two pools" : " name one pool") +
                          "; expected the pools of the file");
        }
    }

    // --- values of the model ------------------------------------------------------------------------------

    std::string place(const char* side, unsigned port, unsigned c) const {
        return m_name + ", " + side + " port " + std::to_string(port) + ", class " + std::to_string(c);
    }

    void set_threshold(buffer_values& made, const std::optional<bytes>& number, double alpha, const char* key,
                       const std::string& where) {
        if (number) {
            made.static_th = number;
            return;
        }
        int exponent = 0;
        const bool is_power = std::frexp(alpha, &exponent) == 0.5;
        made.dynamic_th = exponent - 1;
        if (!is_power || !sonic_profile::dynamic_th_range.holds(*made.dynamic_th)) {
            fail(key, where + ": alpha " + field_text(alpha) +
                          " cannot be written as dynamic_th, its logarithm to base 2; expected a power of two "
                          "from 2^-9 to 2^10, or a static threshold");
        }
    }

    buffer_values group_values(unsigned port, unsigned c) {
        const bool lossless = is_held_back(m_config, c);
        const group_profile own =
            m_profiles.groups.empty() ? group_profile{} : m_profiles.groups[std::size_t{port} * m_classes + c];
        buffer_values made;
        const std::optional<bytes> number = own.threshold || own.alpha ? own.threshold
                                            : lossless                 ? m_shared.threshold
                                                                       : std::nullopt;
        const double alpha = own.alpha.value_or(lossless ? m_shared.alpha : m_shared.lossy_alpha);
        set_threshold(made, number, alpha,
                      own.alpha  ? "shared.group_profiles"
                      : lossless ? "shared.alpha"
                                 : "shared.lossy_alpha",
                      place("ingress", port, c));
        made.size = own.minimum.value_or(m_shared.minimum);
        if (lossless) {
            made.xon = own.xon.value_or(m_shared.xon);
            made.xon_offset = own.xon_offset.value_or(m_shared.xon_offset);
            // A profile without headroom keeps none: the switch has it from elsewhere.
            made.xoff =
                own.headroom ? *own.headroom
                : has_base_profile(group_table_of_file, port, c) && !m_shared.headroom
                    ? 0_B
                    : headroom_of_group(m_config.shared, m_config.device, m_config.flow_control, m_links[port])
                          .size;
            made.size = made.size + (m_shared.headroom_pool ? 0_B : made.xoff);
        }
        return made;
    }

    buffer_values queue_values(unsigned port, unsigned c) {
        const bool lossless = is_held_back(m_config, c);
        const queue_profile own =
            m_profiles.queues.empty() ? queue_profile{} : m_profiles.queues[std::size_t{port} * m_classes + c];
        buffer_values made;
        made.size = own.minimum.value_or(lossless ? 0_B : m_shared.queue_minimum);
        std::optional<bytes> number = own.threshold;
        double alpha = own.alpha.value_or(m_shared.queue_alpha);
        if (lossless && !own.threshold && !own.alpha) {
            // No limit: the pool.
            number = m_shared.lossless_queue_threshold ? m_shared.lossless_queue_threshold
                     : m_shared.lossless_queue_alpha
                         ? std::nullopt
                         : std::optional(m_shared.lossless_queue_pool.value_or(computed_size(false, true)));
            alpha = m_shared.lossless_queue_alpha.value_or(1);
        }
        set_threshold(made, number, alpha,
                      own.alpha  ? "shared.queue_profiles"
                      : lossless ? "shared.lossless_queue_alpha"
                                 : "shared.queue_alpha",
                      place("egress", port, c));
        return made;
    }

    bool has_base_profile(const buffer_table& table, unsigned port, unsigned c) const {
        const sonic_port& base = m_base.ports[port];
        return m_has_base && (base.*table.buffers)[(base.*table.map)[c]].has_profile();
    }
    /// A table says something of it; of a lossless group also shared.headroom.
    bool has_own_values(const buffer_table& table, unsigned port, unsigned c) const {
        const std::size_t place = std::size_t{port} * m_classes + c;
        if (table.is_ingress) {
            return profile_sources::line_of(m_rows, place) > 0 ||
                   (is_held_back(m_config, c) && m_shared.headroom);
        }
        const queue_profile own = m_profiles.queues.empty() ? queue_profile{} : m_profiles.queues[place];
        return own.minimum || own.alpha || own.threshold;
    }

    // --- profiles and their users -------------------------------------------------------------------------

    /// Each group or queue that is to have an entry.
    template <class Values>
    std::vector<wanted_buffer> wanted(const buffer_table& table, Values&& values) {
        std::vector<wanted_buffer> all;
        for (unsigned port = 0; port < m_links.size(); ++port) {
            const sonic_port& base = m_base.ports[port];
            for (unsigned n = 0; n < sonic_classes; ++n) {
                std::optional<wanted_buffer> found;
                unsigned first = 0;
                for (unsigned c = 0; c < m_classes; ++c) {
                    const bool lossless = is_held_back(m_config, c);
                    if ((base.*table.map)[c] != n) {
                        continue;
                    }
                    if (m_has_base && !(base.*table.buffers)[n].has_profile() &&
                        !has_own_values(table, port, c)) {
                        m_leaves_groups = m_leaves_groups || (lossless && table.is_ingress);
                        continue;
                    }
                    const wanted_buffer each{port, n, lossless, values(port, c)};
                    if (found && found->values != each.values) {
                        fail(sonic_key("PORT_QOS_MAP|" + base.qos_entry),
                             std::string(table.map_field) + ": puts classes " + std::to_string(first) +
                                 " and " + std::to_string(c) + " into one " + table.what +
                                 ", but their values differ in the model (" +
                                 place(table.is_ingress ? "ingress" : "egress", port, c) +
                                 "); expected equal values");
                        return {};
                    }
                    first = found ? first : c;
                    found = found ? found : each;
                }
                if (found) {
                    all.push_back(*found);
                }
            }
        }
        return all;
    }

    std::string reference(const char* table, const std::string& name) const {
        return m_old_style ? std::string("[") + table + "|" + name + "]" : name;
    }

    /// Writes what differs from `before`; nothing: all that is not 0.
    static void set_values(ordered_json& entry, const buffer_values& before, const buffer_values& now) {
        const auto set = [&](const char* field, bytes from, bytes to) {
            if (from != to) {
                entry[field] = digits(to);
            }
        };
        set("size", before.size, now.size);
        set("xon", before.xon, now.xon);
        set("xon_offset", before.xon_offset, now.xon_offset);
        set("xoff", before.xoff, now.xoff);
        if (before.dynamic_th != now.dynamic_th || before.static_th != now.static_th) {
            entry.erase(now.dynamic_th ? "static_th" : "dynamic_th");
            entry[now.dynamic_th ? "dynamic_th" : "static_th"] =
                now.dynamic_th ? std::to_string(*now.dynamic_th) : digits(*now.static_th);
        }
    }

    /// The name of a new profile with these values, or of one that was made for another user. `like`: what it
    /// is a variant of; null: of nothing.
    std::string make_profile(const std::string& name, std::size_t pool, const sonic_profile* like,
                             const wanted_buffer& user) {
        ordered_json& profiles = m_written.document["BUFFER_PROFILE"];
        std::string free;
        for (unsigned n = like != nullptr ? 2 : 1;; ++n) {
            free = name + (n == 1 ? "" : "_" + std::to_string(n));
            const auto made = m_made.find(free);
            if (made != m_made.end() && made->second == user.values) {
                return free;
            }
            if (made == m_made.end() && !profiles.contains(free)) {
                break;
            }
        }
        if (like != nullptr) {
            const ordered_json copied = profiles[like->name];
            profiles[free] = copied;
            set_values(profiles[free], values_of(*like), user.values);
        } else {
            profiles[free] = {{"pool", reference("BUFFER_POOL", m_base.pools[pool].name)}, {"size", "0"}};
            set_values(profiles[free], {}, user.values);
        }
        m_made[free] = user.values;
        return free;
    }

    std::string new_name(const buffer_table& table, const wanted_buffer& user) const {
        if (!table.is_ingress) {
            return user.lossless ? "egress_lossless_profile" : "egress_lossy_profile";
        }
        const port_config& link = m_links[user.port];
        const std::int64_t cable = m_base.ports[user.port].cable.value_or(metres_of(link.longest_latency()));
        return user.lossless ? "pg_lossless_" + std::to_string(link.fastest_rate().count() / 1'000'000) + "_" +
                                   std::to_string(cable) + "m_profile"
                             : "ingress_lossy_profile";
    }

    template <class Values>
    void write_buffers(const buffer_table& table, Values&& values) {
        const std::vector<wanted_buffer> all = wanted(table, values);
        if (!m_written.errors.empty()) {
            return;
        }
        std::map<std::size_t, std::vector<const wanted_buffer*>> by_profile;
        for (const wanted_buffer& each : all) {
            by_profile[(m_base.ports[each.port].*table.buffers)[each.number].profile].push_back(&each);
        }
        std::map<std::pair<unsigned, unsigned>, std::string> moved;
        for (const auto& [profile, users] : by_profile) {
            if (profile == sonic_buffer::none) {
                add_profiles(table, users, moved);
                continue;
            }
            const sonic_profile& base = m_base.profiles[profile];
            const buffer_values& first = users.front()->values;
            const bool equal = std::all_of(users.begin(), users.end(),
                                           [&](const wanted_buffer* each) { return each->values == first; });
            if (equal && users.size() == users_of(profile)) {
                set_values(m_written.document["BUFFER_PROFILE"][base.name], values_of(base), first);
                continue;
            }
            for (const wanted_buffer* each : users) {
                if (each->values != values_of(base)) {
                    moved[{each->port, each->number}] = make_profile(base.name, base.pool, &base, *each);
                }
            }
        }
        rewrite_entries(table, moved);
    }

    void add_profiles(const buffer_table& table, const std::vector<const wanted_buffer*>& users,
                      std::map<std::pair<unsigned, unsigned>, std::string>& moved) {
        for (const wanted_buffer* each : users) {
            const std::size_t pool = pool_of(table.is_ingress, each->lossless);
            if (pool == sonic_buffer::none) {
                return fail("BUFFER_POOL", std::string("has no pool for the ") + table.what + "s that " +
                                               table.name + " does not name; expected " +
                                               (table.is_ingress ? "ingress" : "egress") +
                                               (each->lossless ? "_lossless_pool" : "_lossy_pool"));
            }
            moved[{each->port, each->number}] = make_profile(new_name(table, *each), pool, nullptr, *each);
        }
    }

    /// In both tables, of all ports.
    std::size_t users_of(std::size_t profile) const {
        std::size_t users = 0;
        for (const sonic_port& port : m_base.ports) {
            for (unsigned n = 0; n < sonic_classes; ++n) {
                users += port.groups[n].profile == profile ? 1 : 0;
                users += port.queues[n].profile == profile ? 1 : 0;
            }
        }
        return users;
    }

    /// Entries some of whose members have another profile now are divided by port.
    void rewrite_entries(const buffer_table& table,
                         const std::map<std::pair<unsigned, unsigned>, std::string>& moved) {
        std::set<std::string> divided;
        for (const auto& [user, profile] : moved) {
            divided.insert((m_base.ports[user.first].*table.buffers)[user.second].entry);
        }
        divided.erase("");
        for (const std::string& entry : divided) {
            std::size_t members = 0;
            for (const sonic_port& port : m_base.ports) {
                for (const sonic_buffer& buffer : port.*table.buffers) {
                    members += buffer.entry == entry ? 1 : 0;
                }
            }
            if (members != members_of(entry)) {
                fail(sonic_key(std::string(table.name) + "|" + entry),
                     "has members that the model does not have, so it cannot be divided; expected an entry of "
                     "their own");
            }
            m_written.document[table.name].erase(entry);
        }
        for (unsigned port = 0; port < m_base.ports.size(); ++port) {
            const sonic_port& base = m_base.ports[port];
            const auto name_of = [&](unsigned n) {
                const auto found = moved.find({port, n});
                const sonic_buffer& buffer = (base.*table.buffers)[n];
                return found != moved.end()               ? found->second
                       : divided.count(buffer.entry) == 0 ? std::string{}
                       : buffer.has_profile()             ? m_base.profiles[buffer.profile].name
                                                          : std::string("NULL");
            };
            for (unsigned n = 0, last = 0; n < sonic_classes; n = last + 1) {
                const std::string profile = name_of(n);
                for (last = n; last + 1 < sonic_classes && name_of(last + 1) == profile; ++last) {
                }
                if (!profile.empty()) {
                    const std::string numbers =
                        std::to_string(n) + (last > n ? "-" + std::to_string(last) : "");
                    m_written.document[table.name][base.name + "|" + numbers] = {
                        {"profile", profile == "NULL" ? profile : reference("BUFFER_PROFILE", profile)}};
                }
            }
        }
    }

    /// Ports times numbers of a key such as `Ethernet0,Ethernet4|3-4`, which has been read without errors.
    static std::size_t members_of(const std::string& entry) {
        const std::size_t bar = entry.find('|');
        const std::size_t dash = entry.find('-', bar);
        const auto ports = static_cast<std::size_t>(
            std::count(entry.begin(), entry.begin() + static_cast<std::ptrdiff_t>(bar), ',') + 1);
        if (dash == std::string::npos) {
            return ports;
        }
        return ports * (std::stoul(entry.substr(dash + 1)) - std::stoul(entry.substr(bar + 1)) + 1);
    }

    const run_config& m_config;
    const unsigned m_classes;
    const std::string m_name;
    const shared_profiles& m_profiles;
    /// By group: lines of shared.group_profiles.
    const std::vector<int> m_rows;
    const shared_buffer_config m_shared;
    const std::vector<port_config> m_links;
    const shared_buffer m_memory;
    const bool m_has_base;
    const config_db m_base;
    sonic_pool_uses m_uses;
    bool m_old_style = false;
    /// Lossless groups that the file does not name, and nothing else does.
    bool m_leaves_groups = false;
    std::map<std::string, buffer_values> m_made;
    written_config_db m_written;
};

}  // namespace

written_config_db config_db_of(const run_config& config, const built_topology& built, switch_id s) {
    return config_db_writer(config, built, s).write();
}

written_config_db config_db_of_switch(const run_config& config, const built_topology& built,
                                      const std::string& name) {
    written_config_db written;
    const std::vector<switch_id> described = switches_of_config_db(config, built.plan, written.errors);
    switch_id first = described.empty() ? 0 : described.front();
    if (!name.empty()) {
        const auto found = std::find_if(described.begin(), described.end(), [&](switch_id s) {
            return built.plan.name(node_ref::of_switch(s)) == name;
        });
        if (found == described.end()) {
            written.errors.push_back(
                {{},
                 0,
                 "--config-db-switch",
                 "'" + name + "' is no switch that shared.config_db describes; expected one such as " +
                     built.plan.name(node_ref::of_switch(first))});
            return written;
        }
        return config_db_of(config, built, *found);
    }
    written = config_db_of(config, built, first);
    for (const switch_id s : described) {
        if (written.errors.empty() && s != first &&
            config_db_of(config, built, s).document != written.document) {
            written.errors.push_back({{},
                                      0,
                                      "--config-db-switch",
                                      "is missing, and " + built.plan.name(node_ref::of_switch(first)) +
                                          " and " + built.plan.name(node_ref::of_switch(s)) +
                                          " differ; expected the name of one switch"});
        }
    }
    return written;
}

}  // namespace weir::tb
