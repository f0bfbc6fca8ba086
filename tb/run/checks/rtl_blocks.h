// RTL in the loop: the verilated blocks of tb/verify/verilog/ in the place of a fabric's models, at the
// switches of `rtl.switches`. All other switches keep their models.
//
//   rtl_blocks rtl(config, built, network);   // after the fabric, before the simulation starts
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "tb/run/options/run_config.h"
#include "tb/run/topology/build_topology.h"
#include "weir/base/config_error.h"
#include "weir/model/fabric/fabric.h"

namespace weir::tb {

/// What `rtl.switches` names, ascending; empty where no block is RTL. `*` stands for any text.
std::vector<switch_id> rtl_switches(const run_config& config, const topology& plan);

/// What RTL takes with its own latency. Unit: clock cycles.
struct rtl_latencies {
    std::int64_t lookup = 3;
    /// From the edge that samples a pause frame's last bit to its pauses.
    std::int64_t pause = 3;
    /// From the edge that samples a request to pause to the frame's first bit.
    std::int64_t request = 4;
};

/// What the quickest switch's lookup takes: the model's delay, or RTL's own cycles.
picoseconds shortest_lookup(const run_config& config, const topology& plan);

/// Blocks that this program does not have as RTL, or not for these switches; names that are no switch's.
config_errors check_rtl(const run_config& config, const built_topology& built);

/// One block that is RTL.
struct rtl_use {
    std::string switch_name;
    /// `arbiter`, `tcam` or `pfc`.
    std::string block;
    /// Of its clock, evaluated so far: 0 says that the RTL was never asked.
    std::uint64_t cycles = 0;
};

class rtl_blocks {
 public:
    /// `check_rtl` has found nothing.
    rtl_blocks(const run_config& config, const built_topology& built, fabric& network);

    /// By switch, then block.
    std::vector<rtl_use> uses() const;

 private:
    struct counted_block {
        rtl_use use;
        std::function<std::uint64_t()> cycles;
    };
    template <class Block>
    void keep(const std::string& switch_name, const char* kind, std::unique_ptr<Block> block) {
        m_counted.push_back({{switch_name, kind, 0}, [&made = *block] { return made.cycles(); }});
        m_blocks.push_back(std::move(block));
    }

    std::vector<counted_block> m_counted;
    std::vector<std::unique_ptr<sc_core::sc_module>> m_blocks;
};

}  // namespace weir::tb
