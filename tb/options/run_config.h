// Everything that a run is told: one struct per block of options. The tables (tables_*.cpp) register their
// fields; load_config.h fills them.
//
//   run_config config;
//   option_table table = make_option_table(config);   // points into `config`, which must stay where it is
//   table.find("switch.speedup")->value->assign("8");
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "weir/base/time.h"
#include "weir/base/units.h"
#include "weir/model/config/host_config.h"
#include "weir/model/config/link_config.h"
#include "weir/model/config/pfc_config.h"
#include "weir/model/config/switch_config.h"
#include "weir/model/engine/engine_kind.h"
#include "weir/model/engine/thread_config.h"
#include "weir/model/memory/packet_sram.h"
#include "weir/model/memory/shared_buffer.h"
#include "weir/model/topology/topology_kinds.h"
#include "weir/traffic/apps/workload_config.h"
#include "weir/traffic/sizes/size_distribution.h"
#include "weir/traffic/traces/flow_trace.h"
#include "weir/traffic/transport/transport_config.h"

namespace weir {

class option_table;
struct relevance;

/// Keys: [run].
struct run_options {
    /// 0 = until the traffic has come to its end.
    picoseconds duration{0};
    picoseconds warmup{0};
    std::uint64_t seed = 1;
    std::uint32_t threads = 1;
    std::uint32_t thread_grain = thread_config{}.grain;
    /// 0 = the fabric's lookahead.
    picoseconds quantum{0};
    engine_kind engine = engine_kind::fast;
    bool progress = true;
};

enum class fabric_file_format : std::uint8_t { weir, hpcc, htsim };

/// Links of one tier; what is open is taken from [link].
struct link_choice {
    std::optional<bit_rate> rate;
    std::optional<picoseconds> latency;
};

/// Keys: [fabric]. Links of the generators are as `resolve_links` has set them.
struct fabric_options : topology_sizes {
    fabric_kind topology = fabric_kind::single;
    link_choice host;
    link_choice bottleneck;
    link_choice root;
    link_choice agg;
    link_choice core;
    /// Absolute path.
    std::string file;
    fabric_file_format format = fabric_file_format::weir;
    /// Changes of single links, as text.
    std::vector<std::string> link_overrides;
    /// Routes set by hand, as text.
    std::vector<std::string> routes;
    /// From a link's change until every forwarding table follows it.
    picoseconds reroute_delay{0};

    /// Fills the links of all kinds from the choices above.
    void resolve_links(const link_config& defaults);
    const link_choice& links_of(link_tier tier) const {
        const link_choice* const all[] = {&host, &bottleneck, &root, &agg, &core};
        return *all[static_cast<unsigned>(tier)];
    }
    /// Keys of the options that say how many hosts there are, and of those that say what the links are.
    std::string options_of_hosts() const;
    std::string options_of_links() const;
};

/// The presets of `switch.scheme` (schemes.h).
enum class switch_scheme : std::uint8_t { none, baseline, priority, fc, priority_pfc, packet_scatter, detail };

/// Formats of `trace_format`, and packet captures, which are no text.
enum class trace_file_format : std::uint8_t { csv, hpcc, htsim, pcap };

/// What packets of a capture become: transfers put together again, or a transfer each.
enum class packet_grouping : std::uint8_t { flows, packets };
/// The host that an address of a capture stands for: the n-th address that appears is host n; the same modulo
/// the number of hosts; the host of the fabric that has this address.
enum class address_rule : std::uint8_t { order, modulo, fabric };

/// Files of [traffic]; the rest of the block is `workload_config`.
struct traffic_files {
    /// Absolute path of a flow trace, for `kind = trace`.
    std::string file;
    trace_file_format format = trace_file_format::csv;
    /// Unit of start times, where the format does not say.
    start_unit unit = start_unit::undeclared;
    /// From a trigger to the flows that wait for it.
    picoseconds trigger_delay{0};
    /// Of flows whose line gives none.
    pfc_class default_priority = 0;
    /// What a packet capture is made into, and how its addresses become hosts.
    packet_grouping packets = packet_grouping::flows;
    address_rule addresses = address_rule::order;
    /// Silence after which packets of the same ports are another transfer.
    picoseconds packet_idle{1'000'000'000'000};
    /// Absolute path of a size distribution, for `distribution = file`.
    std::string distribution_file;
    /// Its units.
    cdf_file_units distribution_units;
};

/// Keys: [output].
struct output_options {
    bool flows = true;
    bool jobs = true;
    /// At first: it doubles when the store of samples is full. 0 = no samples.
    picoseconds occupancy_interval{10us};
    picoseconds window_start{0};
    /// Not set: the end of the run.
    std::optional<picoseconds> window_end;
};

enum class wave_format : std::uint8_t { none, vcd, fst };
enum class wave_group : std::uint8_t { occupancy, drain, pause, match, favored, drops, pools };
enum class wave_trigger : std::uint8_t { none, drop, xoff, deadlock };

/// Keys: [trace], wave and those that begin with wave_.
struct wave_options {
    wave_format format = wave_format::none;
    /// Switches, as text; none: all of them.
    std::vector<std::string> switches;
    std::vector<wave_group> signals{wave_group::occupancy, wave_group::drain,   wave_group::pause,
                                    wave_group::match,     wave_group::favored, wave_group::drops,
                                    wave_group::pools};
    wave_trigger trigger = wave_trigger::none;
    /// Of the trigger: what is written of the time before and after it.
    picoseconds before{100us};
    picoseconds after{100us};
    /// Most changes that are written.
    std::uint64_t limit = 4'000'000;
};

/// Keys: [trace], perfetto and those that begin with perfetto_.
struct journey_options {
    bool perfetto = false;
    /// Nodes, as text; none: all of them.
    std::vector<std::string> nodes;
    /// Most slices and marks that are written.
    std::uint64_t limit = 500'000;
};

/// Keys: [trace].
struct capture_options {
    /// Links and directions to be captured, as text; none: no capture.
    std::vector<std::string> pcap;
    /// Keep why classes were paused, why frames were lost; and most flows that a cause names.
    bool pause_causes = false;
    bool drop_causes = false;
    std::uint32_t cause_flows = 8;
    /// Most octets of a frame that are kept; 0: all.
    bytes pcap_snap{128};
    /// Most frames that are captured.
    std::uint64_t pcap_limit = 500'000;
    wave_options wave;
    journey_options journeys;
    /// Of all traces.
    picoseconds window_start{0};
    /// Not set: the end of the run.
    std::optional<picoseconds> window_end;
};

/// What `switch.arbiter` may be: the model's kinds, and iSLIP as RTL.
enum class arbiter_choice : std::uint8_t { islip, pim, round_robin, maximum_size, rtl };
/// What stands for a block, and whose latency it has.
enum class block_kind : std::uint8_t { model, rtl };

/// Keys: [rtl], and those that choose RTL for a block.
struct rtl_options {
    arbiter_choice arbiter = arbiter_choice::islip;
    block_kind tcam = block_kind::model;
    block_kind pfc = block_kind::model;
    block_kind latency = block_kind::model;
    /// Clock period of RTL that has its own latency; set where it has.
    std::optional<picoseconds> clock;
    static constexpr field_range clock_range{1_ps, picoseconds{1us}};
    /// Names of switches, or `all`.
    std::vector<std::string> switches{"all"};
};

/// Tables of [shared], as absolute paths; empty: there is none.
struct shared_files {
    std::string group_profiles;
    std::string queue_profiles;
    std::string pg_profile_lookup;
    std::string slice_map;
    bool are_none() const {
        return group_profiles.empty() && queue_profiles.empty() && pg_profile_lookup.empty() &&
               slice_map.empty();
    }
};

struct run_config {
    run_options run;
    fabric_options fabric;
    link_config link;
    switch_scheme scheme = switch_scheme::none;
    switch_config device;
    pfc_config pfc;
    rtl_options rtl;
    shared_buffer_config shared;
    shared_files shared_tables;
    sram_config sram;
    host_config host;
    /// Hosts whose adapters pause their links without end, as text.
    std::vector<std::string> broken_adapters;
    tcp_config tcp;
    udp_config udp;
    workload_config traffic;
    traffic_files files;
    output_options output;
    capture_options trace;

    /// Sets what follows from other options: the links of the fabric, the workload's datagrams from [udp] and
    /// [link], and the model of the arbiter. `load_config` does it.
    void resolve();
};

/// The table of all options, pointing into `config`; its defaults are what `config` holds now.
option_table make_option_table(run_config& config);

/// Whether some block is RTL, and which.
bool has_rtl(const run_config& config);
bool has_rtl_arbiter(const run_config& config);
bool has_rtl_pfc(const run_config& config);
/// Where switches have that kind of memory.
relevance only_with_memory(const run_config& config, buffer_kind kind);
void add_run_options(option_table& table, run_config& config);
void add_fabric_options(option_table& table, run_config& config);
void add_link_options(option_table& table, run_config& config);
void add_switch_options(option_table& table, run_config& config);
void add_shared_options(option_table& table, run_config& config);
void add_sram_options(option_table& table, run_config& config);
void add_pfc_options(option_table& table, run_config& config);
void add_rtl_options(option_table& table, run_config& config);
void add_host_options(option_table& table, run_config& config);
void add_tcp_options(option_table& table, run_config& config);
void add_udp_options(option_table& table, run_config& config);
void add_traffic_options(option_table& table, run_config& config);
void add_output_options(option_table& table, run_config& config);
void add_trace_options(option_table& table, run_config& config);

}  // namespace weir
