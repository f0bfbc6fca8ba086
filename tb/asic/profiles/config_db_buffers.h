// BUFFER_PROFILE, BUFFER_PG and BUFFER_QUEUE of a config_db.json with other values of some groups and queues.
//
// A value that all users of a profile share changes in the profile, and members that the model does not have
// follow; where only some differ, or a port's profile list has the profile, they get one of their own beside
// it, and their entry is divided.
#pragma once

#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "tb/asic/profiles/sonic_switch.h"

namespace weir::tb {

/// A group or queue that is to have an entry with these values.
struct wanted_buffer {
    unsigned port = 0;
    unsigned number = 0;
    bool lossless = false;
    sonic_values values;
    /// What a profile for it is called, if the file has none.
    std::string new_name;
};

class config_db_buffers {
 public:
    /// `document`: `base.document`, with what was changed so far. All outlive this.
    config_db_buffers(const config_db& base, const sonic_switch& taken, nlohmann::ordered_json& document,
                      sonic_messages& said);

    /// All of a side. Nothing of it is written where there is an error.
    void write(sonic_side side, const std::vector<wanted_buffer>& all);

 private:
    /// Profile of a group or queue, by port and number, that has another one than before.
    using moved_buffers = std::map<std::pair<unsigned, unsigned>, std::string>;

    const sonic_buffers& buffers_of(sonic_side side, unsigned port) const {
        return side == sonic_side::ingress ? m_base.ports[port].groups : m_base.ports[port].queues;
    }
    std::string reference(const char* table, const std::string& name) const;
    void set_values(nlohmann::ordered_json& profile, sonic_side side, const sonic_values& before,
                    const sonic_values& now) const;
    std::string copy_of(const sonic_profile& like, sonic_side side, const wanted_buffer& user);
    std::string new_profile(sonic_side side, const wanted_buffer& user);
    std::string free_name(const std::string& name, unsigned first, const sonic_values& values, bool& is_made);
    void rewrite_entries(sonic_side side, const moved_buffers& moved);
    bool can_be_divided(sonic_side side, const std::string& entry) const;

    const config_db& m_base;
    const sonic_switch& m_taken;
    nlohmann::ordered_json& m_document;
    sonic_messages& m_said;
    std::map<std::string, sonic_values> m_made;
};

}  // namespace weir::tb
