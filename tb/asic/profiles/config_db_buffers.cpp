#include "tb/asic/profiles/config_db_buffers.h"

#include <algorithm>
#include <set>

#include "tb/asic/sonic/sonic_names.h"
#include "tb/asic/sonic/sonic_tables.h"

namespace weir::tb {

using nlohmann::ordered_json;

config_db_buffers::config_db_buffers(const config_db& base, const sonic_switch& taken, ordered_json& document,
                                     sonic_messages& said)
    : m_base(base), m_taken(taken), m_document(document), m_said(said) {}

std::string config_db_buffers::reference(const char* table, const std::string& name) const {
    return m_base.bracketed.count(table) > 0 ? std::string("[") + table + "|" + name + "]" : name;
}

// Only what differs.
void config_db_buffers::set_values(ordered_json& profile, sonic_side side, const sonic_values& before,
                                   const sonic_values& now) const {
    if (before.minimum != now.minimum || before.headroom != now.headroom) {
        // A lossy group's profile keeps its xoff, too.
        const bytes xoff = now.headroom.value_or(size_in(profile, "xoff").value_or(0_B));
        const bool includes_xoff = side == sonic_side::ingress && !m_taken.has_headroom_pool();
        profile["size"] = size_text(now.minimum + (includes_xoff ? xoff : 0_B));
    }
    const auto set = [&](const char* field, const std::optional<bytes>& from, const std::optional<bytes>& to) {
        if (to && from.value_or(0_B) != *to) {
            profile[field] = size_text(*to);
        }
    };
    set("xon", before.xon, now.xon);
    set("xon_offset", before.xon_offset, now.xon_offset);
    set("xoff", before.headroom, now.headroom);
    if (before.dynamic_th != now.dynamic_th || before.static_th != now.static_th) {
        const bool is_dynamic = now.dynamic_th.has_value();
        profile.erase(is_dynamic ? "static_th" : "dynamic_th");
        profile[is_dynamic ? "dynamic_th" : "static_th"] =
            is_dynamic ? std::to_string(*now.dynamic_th) : size_text(*now.static_th);
        if (profile.contains("mode")) {
            profile["mode"] = is_dynamic ? "dynamic" : "static";
        }
    }
}

/// A name that is free, or that of a profile that was made with these values.
std::string config_db_buffers::free_name(const std::string& name, unsigned first, const sonic_values& values,
                                         bool& is_made) {
    for (unsigned n = first;; ++n) {
        const std::string each = n == 1 ? name : name + "_" + std::to_string(n);
        const auto made = m_made.find(each);
        is_made = made != m_made.end() && made->second == values;
        if (is_made || (made == m_made.end() && !m_document["BUFFER_PROFILE"].contains(each))) {
            m_made.emplace(each, values);
            return each;
        }
    }
}

std::string config_db_buffers::copy_of(const sonic_profile& like, sonic_side side, const wanted_buffer& user) {
    bool is_made = false;
    const std::string name = free_name(like.name, 2, user.values, is_made);
    if (!is_made) {
        ordered_json profile = m_base.document["BUFFER_PROFILE"][like.name];
        set_values(profile, side, m_taken.values_of(like, side, user.lossless), user.values);
        m_document["BUFFER_PROFILE"][name] = profile;
    }
    return name;
}

std::string config_db_buffers::new_profile(sonic_side side, const wanted_buffer& user) {
    const std::size_t pool = m_taken.pool(side, user.lossless);
    if (pool == sonic_buffer::none) {
        m_said.fail("BUFFER_POOL", std::string("has no pool for ") + (user.lossless ? "lossless" : "lossy") +
                                       " members that " + buffer_table(side) + " does not name; expected " +
                                       usual_pool(side, user.lossless));
        return {};
    }
    bool is_made = false;
    const std::string name = free_name(user.new_name, 1, user.values, is_made);
    if (!is_made) {
        ordered_json profile = {{"pool", reference("BUFFER_POOL", m_base.pools[pool].name)}, {"size", "0"}};
        set_values(profile, side, {}, user.values);
        m_document["BUFFER_PROFILE"][name] = profile;
    }
    return name;
}

void config_db_buffers::write(sonic_side side, const std::vector<wanted_buffer>& all) {
    std::map<std::size_t, std::vector<const wanted_buffer*>> by_profile;
    for (const wanted_buffer& each : all) {
        by_profile[buffers_of(side, each.port)[each.number].profile].push_back(&each);
    }
    moved_buffers moved;
    for (const auto& [profile, users] : by_profile) {
        if (profile == sonic_buffer::none) {
            for (const wanted_buffer* each : users) {
                moved[{each->port, each->number}] = new_profile(side, *each);
            }
            continue;
        }
        const sonic_profile& base = m_base.profiles[profile];
        const auto is_changed = [&, this](const wanted_buffer* each) {
            return each->values != m_taken.values_of(base, side, each->lossless);
        };
        const wanted_buffer& first = *users.front();
        const bool agree = std::all_of(users.begin(), users.end(), [&](const wanted_buffer* each) {
            return each->values == first.values && each->lossless == first.lossless;
        });
        if (agree && is_changed(&first) && !base.is_in_port_lists) {
            set_values(m_document["BUFFER_PROFILE"][base.name], side,
                       m_taken.values_of(base, side, first.lossless), first.values);
            continue;
        }
        for (const wanted_buffer* each : users) {
            if (is_changed(each)) {
                moved[{each->port, each->number}] = copy_of(base, side, *each);
            }
        }
    }
    if (!m_said.has_errors()) {
        rewrite_entries(side, moved);
    }
}

/// All of its ports are at the front.
bool config_db_buffers::can_be_divided(sonic_side side, const std::string& entry) const {
    const std::string ports = "," + entry.substr(0, entry.find('|')) + ",";
    std::size_t front = 0;
    for (unsigned port = 0; port < m_base.ports.size(); ++port) {
        const sonic_buffers& all = buffers_of(side, port);
        front += std::any_of(all.begin(), all.end(), [&](const sonic_buffer& b) { return b.entry == entry; });
    }
    return front + 1 == static_cast<std::size_t>(std::count(ports.begin(), ports.end(), ','));
}

/// Entries some of whose members have another profile now are divided by port.
void config_db_buffers::rewrite_entries(sonic_side side, const moved_buffers& moved) {
    const char* const table = buffer_table(side);
    std::set<std::string> divided;
    for (const auto& [user, profile] : moved) {
        divided.insert(buffers_of(side, user.first)[user.second].entry);
    }
    divided.erase("");
    for (const std::string& entry : divided) {
        if (!can_be_divided(side, entry)) {
            m_said.fail(std::string(table) + "|" + entry,
                        "has ports that the model does not have, so it cannot be divided; expected an entry of "
                        "their own");
        }
        m_document[table].erase(entry);
    }
    for (unsigned port = 0; port < m_base.ports.size(); ++port) {
        const auto profile_of = [&](unsigned n) {
            const auto found = moved.find({port, n});
            const sonic_buffer& buffer = buffers_of(side, port)[n];
            return found != moved.end()               ? found->second
                   : divided.count(buffer.entry) == 0 ? std::string{}
                   : buffer.has_profile()             ? m_base.profiles[buffer.profile].name
                                                      : std::string("NULL");
        };
        for (unsigned n = 0, last = 0; n < sonic_queues; n = last + 1) {
            const std::string profile = profile_of(n);
            for (last = n; last + 1 < sonic_queues && profile_of(last + 1) == profile; ++last) {
            }
            if (!profile.empty()) {
                const std::string numbers = std::to_string(n) + (last > n ? "-" + std::to_string(last) : "");
                m_document[table][m_base.ports[port].name + "|" + numbers] = {
                    {"profile", profile == "NULL" ? profile : reference("BUFFER_PROFILE", profile)}};
            }
        }
    }
}

}  // namespace weir::tb
