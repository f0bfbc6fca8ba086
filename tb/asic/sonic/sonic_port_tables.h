// The tables of a config_db.json that are about ports: PORT, PORT_QOS_MAP with the maps that it names, and
// CABLE_LENGTH.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "tb/asic/sonic/config_db.h"
#include "tb/asic/sonic/sonic_tables.h"

namespace weir::tb {

class sonic_port_tables : protected sonic_tables {
 protected:
    sonic_port_tables(const std::string& text, const std::string& file) : sonic_tables(text, file) {}
    ~sonic_port_tables() = default;

    /// First; it numbers the ports.
    void read_ports();
    void read_qos();
    void read_cables();
    /// Of a list with commas; an error for each that is no port.
    std::vector<std::size_t> ports(const std::string& key, const std::string& names);

    config_db m_read;

 private:
    /// The map that a port's field names; the identity where it names none. What the map does not have stays.
    sonic_map map_of(const std::string& key, const nlohmann::ordered_json& entry, const char* field,
                     const char* table);

    std::map<std::string, std::size_t> m_index_of;
    std::set<std::string> m_others;
};

}  // namespace weir::tb
