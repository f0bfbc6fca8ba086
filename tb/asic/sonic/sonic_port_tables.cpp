#include "tb/asic/sonic/sonic_port_tables.h"

#include "tb/support/text/joined.h"

namespace weir::tb {

using nlohmann::ordered_json;

void sonic_port_tables::read_ports() {
    std::map<std::int64_t, sonic_port> by_number;
    std::vector<std::string> others;
    each_entry("PORT", [&](const std::string& key, const std::string& name, const ordered_json& entry) {
        const std::string front = "Ethernet";
        const bool is_front = name.compare(0, front.size(), front) == 0;
        const std::optional<std::int64_t> n =
            is_front ? number_of(name.substr(front.size()), 0, 1'000'000) : std::nullopt;
        if (!n) {
            others.push_back(name);
            return;
        }
        sonic_port port;
        port.name = name;
        if (const auto speed = number(key, entry, "speed", 1, 10'000'000, " (Mb/s)")) {
            port.speed = bit_rate{1'000'000 * *speed};
        }
        if (entry.value("admin_status", ordered_json()) == "down") {
            warn(key, "admin_status: the port is down, but the model's port carries traffic");
        }
        if (!by_number.emplace(*n, port).second) {
            fail(key, "has the number of another port; expected each number once");
        }
    });
    for (auto& [n, port] : by_number) {
        m_index_of[port.name] = m_read.ports.size();
        m_read.ports.push_back(std::move(port));
    }
    if (m_read.ports.empty() && !has_errors()) {
        fail("PORT", "names no port; expected the switch's ports, such as Ethernet0");
    }
    m_others.insert(others.begin(), others.end());
    if (!others.empty()) {
        warn("PORT",
             "has ports that are not at the front, which the model does not have: " + joined(others, ", "));
    }
}

std::vector<std::size_t> sonic_port_tables::ports(const std::string& key, const std::string& names) {
    std::vector<std::size_t> all;
    for (const std::string& name : split(names, ',')) {
        const auto found = m_index_of.find(name);
        if (found != m_index_of.end()) {
            all.push_back(found->second);
        } else if (m_others.count(name) == 0) {
            fail(key, "'" + name + "' is no port of PORT; expected names such as " +
                          (m_read.ports.empty() ? "Ethernet0" : m_read.ports[0].name));
        }
    }
    return all;
}

sonic_map sonic_port_tables::map_of(const std::string& key, const ordered_json& entry, const char* field,
                                    const char* table) {
    sonic_map map = identity_map;
    // A switch has defaults of its own for these two; priorities of PFC keep their number.
    const bool is_of_classes = std::string(table).compare(0, 3, "TC_") == 0;
    if (entry.find(field) == entry.end()) {
        if (is_of_classes) {
            warn(key, std::string("has no ") + field +
                          ": in the model each traffic class keeps its number (SAI: no map puts all into one)");
        }
        return map;
    }
    const std::string name = reference(key, entry, field, table);
    const auto maps = document().find(table);
    if (name.empty()) {
        return map;
    }
    if (maps == document().end() || !maps->is_object() || !maps->contains(name) || !(*maps)[name].is_object()) {
        fail(key,
             std::string(field) + ": '" + name + "' is no entry of " + table + "; expected one of its maps");
        return map;
    }
    const std::string map_key = std::string(table) + "|" + name;
    std::set<std::int64_t> known;
    for (const auto& [from, to] : (*maps)[name].items()) {
        const std::optional<std::int64_t> first = number_of(from, 0, sonic_queues - 1);
        const std::optional<std::int64_t> second = number_of(to, 0, sonic_queues - 1);
        if (!first || !second || (*first < sonic_classes && *second >= sonic_classes)) {
            fail(map_key, "'" + from + "' to " + quoted(to) + " is no pair; expected two numbers from 0 to 7");
        } else if (!known.insert(*first).second) {
            fail(map_key, "'" + from + "' is there twice, as another text; expected each number once");
        } else if (*first >= sonic_classes) {
            warn(map_key, "has traffic classes or priorities above 7, which the model does not have");
        } else {
            map[static_cast<std::size_t>(*first)] = static_cast<std::uint8_t>(*second);
        }
    }
    std::string missing;
    for (unsigned from = 0; from < sonic_classes; ++from) {
        missing += known.count(from) > 0 ? "" : (missing.empty() ? "" : ", ") + std::to_string(from);
    }
    if (is_of_classes && !missing.empty()) {
        warn(map_key,
             "does not say where traffic classes " + missing + " belong: in the model they keep their number");
    }
    return map;
}

void sonic_port_tables::read_qos() {
    each_entry("PORT_QOS_MAP", [&](const std::string& key, const std::string& name, const ordered_json& entry) {
        if (name == "global") {
            return check_fields(key, entry,
                                {"dscp_to_tc_map", "dot1p_to_tc_map", "mpls_tc_to_tc_map", "tc_to_dscp_map",
                                 "tc_to_dot1p_map"});
        }
        m_read.has_qos = true;
        check_fields(key, entry,
                     {"tc_to_pg_map", "tc_to_queue_map", "pfc_to_queue_map", "pfc_to_pg_map", "pfc_enable",
                      "pfcwd_sw_enable", "dscp_to_tc_map", "dot1p_to_tc_map", "tc_to_dscp_map",
                      "tc_to_dot1p_map", "mpls_tc_to_tc_map", "scheduler"});
        sonic_port said;
        said.qos_entry = name;
        said.tc_to_pg = map_of(key, entry, "tc_to_pg_map", "TC_TO_PRIORITY_GROUP_MAP");
        said.tc_to_queue = map_of(key, entry, "tc_to_queue_map", "TC_TO_QUEUE_MAP");
        said.pfc_to_queue = map_of(key, entry, "pfc_to_queue_map", "MAP_PFC_PRIORITY_TO_QUEUE");
        said.pfc_to_pg = map_of(key, entry, "pfc_to_pg_map", "PFC_PRIORITY_TO_PRIORITY_GROUP_MAP");
        const ordered_json enable = entry.value("pfc_enable", ordered_json(""));
        for (const std::string& each :
             enable == "" ? std::vector<std::string>{}
                          : split(enable.is_string() ? enable.get<std::string>() : enable.dump(), ',')) {
            const std::optional<std::int64_t> priority = number_of(each, 0, sonic_classes - 1);
            if (!priority) {
                fail(key, "pfc_enable: " + quoted(enable) +
                              " is no list of PFC priorities; expected numbers from 0 to 7, such as 3,4");
                break;
            }
            said.pfc_enable = static_cast<std::uint8_t>(said.pfc_enable | 1U << *priority);
        }
        for (const std::size_t n : ports(key, name)) {
            sonic_port& port = m_read.ports[n];
            if (!port.qos_entry.empty()) {
                fail(key, port.name + " is in entry '" + port.qos_entry + "', too; expected it in one entry");
            }
            port.qos_entry = said.qos_entry;
            port.pfc_enable = said.pfc_enable;
            port.tc_to_pg = said.tc_to_pg;
            port.tc_to_queue = said.tc_to_queue;
            port.pfc_to_queue = said.pfc_to_queue;
            port.pfc_to_pg = said.pfc_to_pg;
        }
    });
}

void sonic_port_tables::read_cables() {
    each_entry("CABLE_LENGTH", [&](const std::string& key, const std::string&, const ordered_json& entry) {
        for (const auto& [name, length] : entry.items()) {
            const std::string text = length.is_string() ? length.get<std::string>() : std::string{};
            const bool has_unit = !text.empty() && text.back() == 'm';
            const std::optional<std::int64_t> metres =
                has_unit ? number_of(text.substr(0, text.size() - 1), 0, 1'000'000) : std::nullopt;
            if (!metres) {
                fail(key, name + ": " + quoted(length) + " is no length; expected metres, such as 5m");
                continue;
            }
            for (const std::size_t port : ports(key, name)) {
                if (m_read.ports[port].cable.value_or(*metres) != *metres) {
                    fail(key, name + ": has two lengths; expected one");
                }
                m_read.ports[port].cable = metres;
            }
        }
    });
}

}  // namespace weir::tb
