// Shared memories of a built fabric, as tables have set them.
#pragma once

#include <string>
#include <vector>

#include "golden/golden_rows.h"
#include "program.h"
#include "tb/run/options/load_config.h"
#include "tb/run/topology/build_topology.h"
#include "weir/model/fabric/fabric_changes.h"
#include "weir/model/memory/shared_memory.h"

namespace weir::test {

using namespace tb;

struct profiled_fabric {
    run_config config;
    built_topology built;

    shared_buffer memory(switch_id s) const {
        const std::vector<port_config> links =
            ports_of_links(built.plan, built.changes, config.link.wire_overhead);
        std::vector<port_config> ports;
        for (const link_id link : built.plan.ports(node_ref::of_switch(s))) {
            ports.push_back(links[link]);
        }
        return make_shared_buffer(config.shared, config.device, config.flow_control, ports, built.profiles[s]);
    }
};

/// `built.errors` says what is wrong with the tables.
inline profiled_fabric build_profiled(const scratch_directory& where, const arguments& args) {
    const loaded_config loaded = load_config_files(args, {where.write("empty.ini", "").string()});
    EXPECT_TRUE(loaded.errors.empty()) << format_error(loaded.errors[0]);
    return {loaded.config, build_topology(loaded.config)};
}

/// SONiC's file of an ASIC.
inline std::string sonic_table(const std::string& asic) {
    std::string table = "# speed cable size xon xoff threshold xon_offset\n";
    for (const auto& row : golden::rows("sonic/headroom_tables.csv")) {
        if (row.at("asic") == asic) {
            table += row.at("speed_mbps") + " " + row.at("cable_m") + "m " + row.at("size_bytes") + " " +
                     row.at("xon_bytes") + " " + row.at("xoff_headroom_bytes") + " " +
                     row.at("threshold_log2_alpha") + " " + row.at("xon_offset_bytes") + "\n";
        }
    }
    return table;
}

}  // namespace weir::test
