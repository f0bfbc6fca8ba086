// Which hosts, switches and links a run has.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "weir/base/config_field.h"
#include "weir/base/enum_names.h"
#include "weir/model/config/link_config.h"
#include "weir/model/topology/topology_kinds.h"

namespace weir::tb {

enum class fabric_file_format : std::uint8_t { weir, hpcc, htsim };
constexpr auto names_of(fabric_file_format) {
    return enum_names<fabric_file_format>({
        {fabric_file_format::weir, "weir", "the project's own"},
        {fabric_file_format::hpcc, "hpcc", "nodes, switches, links (HPCC simulator)"},
        {fabric_file_format::htsim, "htsim", "tiers of a fat-tree (htsim .topo)"},
    });
}

/// Links of one tier; what is open is taken from [link].
struct link_choice {
    std::optional<bit_rate> rate;
    std::optional<picoseconds> latency;

    /// `tier`: begins the options' names. `which`: the links, in words. `fabrics`: where there are such links.
    template <class Fields>
    static void describe(Fields& fields, const std::string& tier, const std::string& which,
                         const std::string& source, const std::string& fabrics) {
        using self = typename Fields::config;
        fields.all_need(fabrics.c_str());
        fields(field((tier + "_rate").c_str(), &self::rate)
                   .range(link_config::rate_range)
                   .help(("Rate of the links " + which + ". auto: link.rate.").c_str())
                   .source(source.c_str()));
        fields(field((tier + "_latency").c_str(), &self::latency)
                   .range(link_config::latency_range)
                   .help(("One-way latency of the links " + which + ". auto: link.latency.").c_str())
                   .source(source.c_str()));
    }
};

/// Keys: [fabric]. Links of the generators are as `resolve_links` has set them.
struct fabric_options : topology_sizes {
    fabric_kind topology{};
    link_choice host;
    link_choice bottleneck;
    link_choice root;
    link_choice agg;
    link_choice core;
    /// Absolute path.
    std::string file;
    fabric_file_format format = fabric_file_format::weir;
    std::vector<std::string> link_overrides;
    std::vector<std::string> routes;
    picoseconds reroute_delay{0};

    template <class Fields>
    static void describe(Fields& fields) {
        using self = typename Fields::config;
        fields(field("topology", &self::topology)
                   .help("Kind of fabric. Sizes that belong to other kinds have no effect.")
                   .source("DeTail, FlowBender, DIBS"));
        topology_sizes::describe(fields);
        fields.part(&self::host, "host", "between hosts and switches", "DeTail 7.1",
                    with_tier(link_tier::host));
        fields.part(&self::bottleneck, "bottleneck", "between a dumbbell's switches", "project",
                    with_tier(link_tier::bottleneck));
        fields.part(&self::root, "root", "between ToRs and roots", "DeTail 7.1", with_tier(link_tier::root));
        fields.part(&self::agg, "agg",
                    "between ToRs (edge) and aggregation switches; xgft: between levels 1 and 2",
                    "DeTail 7.1; DIBS oversubscribes here", with_tier(link_tier::agg));
        fields.part(&self::core, "core", "between aggregation and core switches; xgft: above level 2",
                    "DeTail 7.1; DIBS oversubscribes here", with_tier(link_tier::core));
        fields(field("file", &self::file)
                   .path()
                   .needs("fabric.topology = file")
                   .help("file: path of the topology file."));
        fields(field("format", &self::format)
                   .needs("fabric.topology = file")
                   .help("file: format of the topology file.")
                   .source("HPCC, htsim"));
        fields(field("link", &self::link_overrides)
                   .repeated()
                   .rule("NAME and changes, such as agg0.0-core1 rate=100Mbps, or agg0.0-core1 down at=5ms")
                   .help("Changes one link in both directions; the link is named after its two ends. Changes: "
                         "rate=, latency=, frame_error_rate=, bit_error_rate=, down, up; at=TIME applies them "
                         "from that time on. May be given several times. The lookahead is computed from the "
                         "smallest latency that any link ever has in the run. docs/blocks/link.md.")
                   .source("DeTail 2013 presentation: one link down, one link at 100 Mb/s"));
        fields(
            field("route", &self::routes)
                .repeated()
                .rule("SWITCH to HOST via NEIGHBOUR, such as s0 to h2 via s1, or agg1.0 to tor1.0 via "
                      "tor1.1,core0")
                .help(
                    "A static route that replaces the shortest paths from SWITCH to one host, or to all hosts "
                    "of a switch. It uses all links to the given neighbours, or only the link that is named. "
                    "It does not change when links go down. May be given several times. docs/blocks/fabric.md.")
                .source("project; Hu et al., HotNets 2016: a deadlock needs paths that are not the shortest"));
        fields(field("reroute_delay", &self::reroute_delay)
                   .range(0_ps, longest_time)
                   .needs("fabric.link")
                   .help("Time from a link going down or up until the forwarding tables of all switches have "
                         "been updated.")
                   .source("FlowBender 3.3.2: seconds in a large datacenter"));
    }

    /// Fills the links of all kinds from the choices above.
    void resolve_links(const link_config& defaults);
    const link_choice& links_of(link_tier tier) const {
        const link_choice* const all[] = {&host, &bottleneck, &root, &agg, &core};
        return *all[static_cast<unsigned>(tier)];
    }
    /// The options that say how many hosts there are, and those that say what the links are, as `option_error`
    /// takes them.
    std::string options_of_hosts() const;
    std::string options_of_links() const;
    /// Of the kind that is chosen.
    config_errors validate() const;
};

}  // namespace weir::tb
