// occupancy.csv, pauses.csv and drops.csv: fill, pauses and losses over time, from samples of all nodes.
//
//   fabric_sampler sampler(network);
//   sampler.start(100us, false);                                            // before the run
//   const fabric_samples samples = sampler.samples_until(end);              // after it
//   write_occupancy(directory.create<occupancy_row>(), samples, {"tor0"}, window);
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "tb/run/samples/series.h"
#include "tb/support/files/output_file.h"
#include "tb/support/record/cell_groups.h"
#include "tb/support/text/port_text.h"
#include "weir/base/time.h"
#include "weir/model/fabric/fabric.h"

namespace weir::tb {

/// Memory that samples may take, whole fabric. Unit: B.
inline constexpr std::uint64_t sample_memory = std::uint64_t{64} << 20;
/// Switch ports in occupancy.csv, half of them for their ingress and half for their egress memory.
inline constexpr std::size_t busiest_ports = 8;

/// Times of both ends belong to it.
struct time_window {
    picoseconds start{0};
    picoseconds end = never;
    bool holds(picoseconds time) const { return time >= start && time <= end; }
};

/// A node of which samples are taken.
struct sampled_node {
    std::string name;
    std::string tier;
    /// Place among all.
    std::uint32_t index = 0;
    std::uint32_t ports = 0;
    bool is_switch = false;
};

/// Fill of a memory above 0. Columns of a switch are the ingress memories of its ports, then their egress
/// memories; a host's one column is its NIC.
struct fill_sample {
    /// Place among all.
    std::uint32_t node = 0;
    std::uint32_t column = 0;
    std::uint32_t fill = 0;

    auto values() const { return std::tie(node, column, fill); }
};

/// Pauses of a tier's nodes on one rank since the start of the run, summed over ports; by class.
struct tier_sample {
    /// One of the nodes, as its place among all.
    std::uint32_t node = 0;
    /// Transmitters that are paused now. Until that changes, the time that transmitters were paused is
    /// `paused_then` and the time now for each of these. Unit: ps, modulo 2^64.
    std::array<std::uint64_t, pfc_classes> paused_now{};
    std::array<std::uint64_t, pfc_classes> paused_then{};
    std::array<std::uint64_t, pfc_classes> xoff_sent{};
    /// PFC and PAUSE frames.
    std::uint64_t frames_sent = 0;

    auto values() const { return std::tie(node, paused_now, paused_then, xoff_sent, frames_sent); }
    void add(const mac_port& mac, picoseconds now);
    std::uint64_t paused_time(unsigned c, picoseconds now) const {
        return paused_then[c] + paused_now[c] * static_cast<std::uint64_t>(now.count());
    }
};

/// Losses of a tier's nodes on one rank since the start of the run.
struct drop_sample {
    /// One of the nodes, as its place among all.
    std::uint32_t node = 0;
    drop_counts lost{};
    /// Frames that cut links kept hosts from sending.
    std::uint64_t unsent = 0;

    auto values() const { return std::tie(node, lost, unsent); }
    void add(const drop_counts& more, std::uint64_t more_unsent);
};

/// Samples of all ranks: on rank 0; elsewhere nothing.
struct fabric_samples {
    const views_over_time<fill_sample>& fills;
    const views_over_time<tier_sample>& pauses;
    /// Empty if drops are not counted.
    const views_over_time<drop_sample>& drops;
    /// Hosts, then switches.
    std::vector<sampled_node> nodes{};
    /// From 0 on.
    std::vector<picoseconds> times{};
    /// Losses at the end of the run.
    std::vector<drop_sample> at_end{};

    std::vector<picoseconds> times_in(const time_window& window) const;
};
/// Fill of a memory in what `fills` holds at one time.
std::uint32_t fill_of(const std::vector<fill_sample>& fills, std::uint32_t node, std::uint32_t column);

/// Times from 0 to `last`, both included: the shortest of the intervals, each twice the one before, with fewer
/// than half of `capacity` samples.
std::vector<picoseconds> sample_times(picoseconds interval, std::size_t capacity, picoseconds last);

/// Takes samples of all nodes, from time 0 on.
class fabric_sampler {
 public:
    /// `made` outlives this.
    explicit fabric_sampler(fabric& made) : m_made(made), m_series(made) {}

    /// Before the run. `counts_drops`: nodes are settled at each sample, so that their losses are known.
    void start(picoseconds interval, bool counts_drops);
    /// The run was over at `end`. Collective. The interval depends on the length of the run alone, however far
    /// past it the nodes have run. Nothing if it was not started.
    fabric_samples samples_until(picoseconds end) const;
    /// The last sample before `end`; 0 without samples.
    picoseconds last_before(picoseconds end) const;

 private:
    using samples = series<fill_sample, tier_sample, drop_sample>;
    samples::rows samples_at(picoseconds now);
    std::vector<drop_sample> drops_now() const;

    fabric& m_made;
    bool m_counts_drops = false;
    samples m_series;
    picoseconds m_interval{0};
    std::size_t m_capacity = 0;
    /// Number of fills in the last sample.
    std::size_t m_fills = 0;
    /// A node of each tier, and the tier of each node of this rank, as a place among these.
    std::vector<std::uint32_t> m_tiers;
    std::vector<std::size_t> m_tier_of;
};

struct occupancy_row {
    picoseconds time{0};
    std::string_view node;
    std::uint32_t port = 0;
    port_side side{};
    std::uint64_t occupancy = 0;

    static constexpr table_facts table{
        "occupancy.csv",
        "Fill of buffers over time, all classes together: of the eight fullest ports, or of chosen nodes.",
        "`output.occupancy_interval` above 0"};
    template <class Columns>
    static void describe(Columns& columns) {
        using self = typename Columns::row;
        columns(column("time_ns", &self::time, "Time of the sample.").decimals(3));
        columns(column("node", &self::node, "Name of the node."));
        columns(column("port", &self::port, "Port of the node, from 0."));
        columns(column("side", &self::side, "Memory; a host's NIC is egress."));
        columns(column("occupancy_bytes", &self::occupancy, "Fill of the memory."));
    }
};

struct pause_sample_row {
    picoseconds time{0};
    std::string_view tier;
    picoseconds paused{0};
    std::uint64_t xoff_sent = 0;
    std::uint64_t transmitters = 0;
    std::uint64_t pfc_frames_sent = 0;

    static constexpr table_facts table{"pauses.csv", "Pauses over time, by tier, since the sample before.",
                                       "`output.occupancy_interval` above 0"};
    template <class Columns>
    static void describe(Columns& columns) {
        using self = typename Columns::row;
        columns(column("time_ns", &self::time, "Time of the sample.").decimals(3));
        columns(column("tier", &self::tier, "Tier of the nodes that were paused.").pattern("host|tier[0-9]+"));
        columns(column("paused_ns", &self::paused,
                       "Time that transmitters were paused, summed over ports and classes that count.")
                    .range(0, INT64_MAX / 1000)
                    .decimals(3));
        columns(column("xoff_sent", &self::xoff_sent, "Announcements of pauses, of classes that count.")
                    .unit("announcements")
                    .may_be_missing());
        columns(column("transmitters", &self::transmitters, "Ports times classes that count.")
                    .unit("transmitters")
                    .may_be_missing());
        columns(column("pfc_frames_sent", &self::pfc_frames_sent,
                       "PFC and PAUSE frames, whatever classes they announce.")
                    .unit("frames")
                    .may_be_missing());
    }
};

struct drop_sample_row {
    picoseconds time{0};
    std::string_view tier;
    counts_by<drop_reason> drops{};
    std::uint64_t unsent = 0;

    static constexpr table_facts table{"drops.csv",
                                       "Frames lost over time in the whole fabric, by tier and reason, since "
                                       "the sample before. The last sample is the end of the run.",
                                       "`output.series`"};
    template <class Columns>
    static void describe(Columns& columns) {
        using self = typename Columns::row;
        columns(column("time_ns", &self::time, "Time of the sample.").decimals(3));
        columns(column("tier", &self::tier, "Tier of the nodes that lost frames.").pattern("host|tier[0-9]+"));
        columns(column("_frames", &self::drops,
                       "Frames lost for the reason that the column's name begins with, as in summary.json."));
        columns(column("unsent_link_down_frames", &self::unsent,
                       "Frames that a cut link kept hosts from sending."));
    }
};

/// The ports of these nodes, in their order; `names` with * for any text. Without names those with the largest
/// sampled fill in the window; among equals the first node, ingress before egress, the lowest port. Throws
/// output_error, as the next.
void write_occupancy(output_file file, const fabric_samples& samples, const std::vector<std::string>& names,
                     const time_window& window);
/// Per tier what has come since the sample before, of these classes.
void write_pauses(output_file file, const fabric_samples& samples, class_mask classes,
                  const time_window& window);
/// Writes the losses of each tier since the sample before, for these reasons; the last sample is `end`.
void write_drops(output_file file, const fabric_samples& samples, const std::vector<drop_reason>& reasons,
                 const time_window& window, picoseconds end);

}  // namespace weir::tb
