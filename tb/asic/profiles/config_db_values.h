// What the model has of each group and queue of a switch, as a profile of a config_db.json would say it.
#pragma once

#include <set>
#include <string>
#include <utility>
#include <vector>

#include "tb/asic/profiles/sonic_switch.h"
#include "tb/run/options/built_topology.h"
#include "tb/run/options/run_config.h"
#include "weir/model/memory/shared_buffer.h"

namespace weir::tb {

/// A switch of the model.
struct switch_memory {
    const run_config& config;
    std::string name;
    const shared_profiles& profiles;
    /// By group: the last row of shared.group_profiles; 0: none.
    std::vector<int> rows;
    /// Options, with the pools of the profiles.
    shared_buffer_config shared;
    std::vector<port_config> links;
    shared_buffer memory;

    switch_memory(const run_config& config, const built_topology& built, switch_id s);
};

class config_db_values {
 public:
    /// All outlive this. `errors`: of values that no profile can have.
    config_db_values(const switch_memory& device, const config_db& base, const sonic_switch& taken,
                     config_errors& errors)
        : m_device(device), m_base(base), m_taken(taken), m_errors(errors) {}

    sonic_values of(sonic_side side, unsigned port, unsigned c) {
        return side == sonic_side::ingress ? of_group(port, c) : of_queue(port, c);
    }
    /// Of the file; null: it names none.
    const sonic_profile* base_profile(sonic_side side, unsigned port, unsigned c) const;
    /// A table says something of it; of a lossless group also shared.headroom.
    bool has_own(sonic_side side, unsigned port, unsigned c) const;
    /// As SONiC names a profile.
    std::string new_name(sonic_side side, unsigned port, bool lossless) const;
    /// `tor0, ingress port 3, class 1`
    std::string place(sonic_side side, unsigned port, unsigned c) const;

 private:
    sonic_values of_group(unsigned port, unsigned c);
    sonic_values of_queue(unsigned port, unsigned c);
    /// An option, or a row of a table, and the group or queue.
    struct threshold_source {
        std::string key;
        std::string file;
        int line;
        std::string place;
    };
    void set_threshold(sonic_values& made, const std::optional<bytes>& number, double alpha,
                       const threshold_source& source);
    bytes whole_minimum(sonic_side side, unsigned port, unsigned c, bytes own) const;
    std::size_t at(unsigned port, unsigned c) const {
        return std::size_t{port} * m_device.config.device.classes + c;
    }

    const switch_memory& m_device;
    const config_db& m_base;
    const sonic_switch& m_taken;
    config_errors& m_errors;
    /// Factors that were refused, and where each is from.
    std::set<std::pair<std::string, double>> m_refused;
};

/// Metres of a cable of 5 ns/m, rounded up.
std::int64_t metres_of(picoseconds latency);

}  // namespace weir::tb
