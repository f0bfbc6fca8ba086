// Why classes were paused and frames were lost, as tables: pause_causes.csv, pause_flows.csv, pause_tree.json
// and drop_causes.csv (docs/causes.md).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tb/support/files/run_directory.h"
#include "tb/support/record/cell_groups.h"
#include "weir/model/analysis/cause_log.h"
#include "weir/model/fabric/fabric.h"

namespace weir::tb {

/// A host by its number, as in flows.csv; by its address if it is not one of the fabric's hosts.
struct host_or_address {
    std::optional<host_id> host;
    ipv4_address address;
};

template <>
struct csv_cell<host_or_address> : one_column {
    static constexpr const char* type = "any";
    static std::size_t most(const host_or_address&, const column_facts&) { return most_digits; }
    static void put(csv_row& row, const host_or_address& value, const column_facts&) {
        value.host ? row.add(*value.host) : row.add_text(to_text(value.address));
    }
};

struct pause_cause_row {
    picoseconds time{0};
    std::string_view node{};
    std::uint32_t port = 0;
    pfc_class frame_class = 0;
    std::string_view peer{};
    std::uint64_t occupancy = 0, counted = 0;
    pause_reason because{};
    std::optional<std::uint64_t> own{}, threshold{};
    std::uint32_t from_port = 0;
    std::optional<pfc_class> from_class{};
    std::optional<std::uint32_t> egress_port{};
    std::optional<pfc_class> egress_class{};
    std::optional<bool> egress_paused{};
    std::optional<std::uint64_t> flow{};
    std::optional<host_or_address> src{}, dst{};
    std::uint64_t flow_bytes = 0;

    static constexpr table_facts table{
        "pause_causes.csv",
        "Frames that were in the memory when a class was paused: for each XOFF a line per "
        "flow, flows with most bytes first, and lines without a flow for all others.",
        "`trace.pause_causes`"};
    template <class Columns>
    static void describe(Columns& columns) {
        using self = typename Columns::row;
        constexpr const char* no_memory = "no shared memory";
        constexpr const char* others = "the line is of all other flows";
        constexpr const char* no_queue = "the lookup has not ended, or the line is of all other flows";
        columns(column("time_ns", &self::time, "Time of the decision to send XOFF."));
        columns(column("node", &self::node, "Name of the switch."));
        columns(column("port", &self::port, "Ingress port whose memory fills up."));
        columns(column("class", &self::frame_class, "Class that is paused, 0 to 7."));
        columns(column("peer", &self::peer, "Name of the node that is paused."));
        columns(column("occupancy_bytes", &self::occupancy, "Memory in use at the port."));
        columns(column("counted_bytes", &self::counted, "Part of it that counts for the class."));
        columns(column("because", &self::because,
                       "Reason: the class's own bytes, or the bytes of others in the pool."));
        columns(column("own_bytes", &self::own, "Bytes of the group beyond its minimum.").absent(no_memory));
        columns(column("threshold_bytes", &self::threshold, "Threshold of the group at that time.")
                    .absent(no_memory));
        columns(column("from_port", &self::from_port, "Ingress port of the line's bytes."));
        columns(
            column("from_class", &self::from_class, "Class of the line's bytes.")
                .absent(
                    "the lookup has not ended, or the line is of all other flows and because is own_bytes"));
        columns(column("egress_port", &self::egress_port, "Egress port that the flow's bytes wait for.")
                    .absent(no_queue));
        columns(column("egress_class", &self::egress_class, "Class of that queue.").absent(no_queue));
        columns(column("egress_paused", &self::egress_paused, "Whether that queue is paused itself.")
                    .absent(no_queue)
                    .words("1", "0"));
        columns(column("flow", &self::flow, "Number of the transfer.").absent(others));
        columns(
            column("src", &self::src, "Host that sends; its address if it is not one of the fabric's hosts.")
                .absent(others));
        columns(
            column("dst", &self::dst, "Host that receives; its address if it is not one of the fabric's hosts.")
                .absent(others));
        columns(column("flow_bytes", &self::flow_bytes, "Bytes of the flow there."));
    }
};

enum class pause_culprit : std::uint8_t { flow, adapter, unknown };
constexpr auto names_of(pause_culprit) {
    return enum_names<pause_culprit>({{pause_culprit::flow, "flow"},
                                      {pause_culprit::adapter, "adapter"},
                                      {pause_culprit::unknown, "unknown"}});
}

struct pause_flow_row {
    pause_culprit kind{};
    std::optional<std::uint64_t> flow{};
    std::optional<host_or_address> src{}, dst{};
    picoseconds others{0}, own{0}, idle{0};

    static constexpr table_facts table{"pause_flows.csv",
                                       "Transfers and adapters that caused pauses, and time that they paused "
                                       "others; most time of others first.",
                                       "`trace.pause_causes`"};
    template <class Columns>
    static void describe(Columns& columns) {
        using self = typename Columns::row;
        columns(column("kind", &self::kind,
                       "flow, adapter (a host that pauses), or unknown: time without a known cause."));
        columns(column("flow", &self::flow, "Number of the transfer.").absent("kind is not flow"));
        columns(
            column("src", &self::src, "Host that sends, or whose adapter pauses.").absent("kind is unknown"));
        columns(column("dst", &self::dst, "Host that receives.").absent("kind is not flow"));
        columns(column("others_paused_ns", &self::others, "Time for which it paused other flows."));
        columns(column("own_paused_ns", &self::own, "Time for which it paused itself."));
        columns(column("idle_paused_ns", &self::idle, "Time for which it paused a queue that held nothing."));
    }
};

struct drop_cause_row {
    picoseconds time{0};
    std::string_view node{};
    std::uint32_t port = 0;
    pfc_class frame_class = 0;
    drop_reason reason{};
    std::uint64_t flow = 0;
    host_or_address src{}, dst{};
    std::uint64_t frame_bytes = 0;
    full_memory full{};
    std::uint64_t limit = 0, in_use = 0;
    std::optional<std::uint64_t> filling_flow{};
    std::optional<host_or_address> filling_src{}, filling_dst{};
    std::uint64_t filling_bytes = 0;

    static constexpr table_facts table{
        "drop_causes.csv",
        "Flows whose frames filled the memory when one was lost: for each loss a line per "
        "flow, flows with most bytes first.",
        "`trace.drop_causes`"};
    template <class Columns>
    static void describe(Columns& columns) {
        using self = typename Columns::row;
        constexpr const char* nobody = "nothing fills it, or the line is of all other flows";
        columns(column("time_ns", &self::time, "Time of the loss."));
        columns(column("node", &self::node, "Name of the switch."));
        columns(column("port", &self::port, "Port at which the frame was lost."));
        columns(column("class", &self::frame_class, "Class of the frame, 0 to 7."));
        columns(column("reason", &self::reason, "Reason of the loss.")
                    .pattern("ingress_full|egress_full|lossless_egress_full"));
        columns(column("flow", &self::flow, "Transfer of the frame."));
        columns(column("src", &self::src, "Host that sends."));
        columns(column("dst", &self::dst, "Host that receives."));
        columns(column("frame_bytes", &self::frame_bytes, "Length of the frame."));
        columns(column("full", &self::full, "Limit that the frame met."));
        columns(column("limit_bytes", &self::limit, "The limit at that moment."));
        columns(column("in_use_bytes", &self::in_use,
                       "Bytes in use that count against the limit, frames in transmission included."));
        columns(column("filling_flow", &self::filling_flow, "Transfer whose frames fill it.").absent(nobody));
        columns(column("filling_src", &self::filling_src, "Host that sends that transfer.").absent(nobody));
        columns(column("filling_dst", &self::filling_dst, "Host that receives that transfer.").absent(nobody));
        columns(column("filling_bytes", &self::filling_bytes, "Bytes of that transfer."));
    }
};

/// Writes what `options` asks for. `flows`: most that a cause names. `paused_classes`: those of which pauses
/// count. All nodes have run to `end`. Returns which of pause_causes.csv and drop_causes.csv has no row.
/// Collective.
std::vector<std::string> write_causes(const run_directory& directory, const fabric& made,
                                      const switch_setup& setup, const cause_options& options,
                                      std::uint32_t flows, class_mask paused_classes, picoseconds end);

}  // namespace weir::tb
