// `trace.frame_path`: the way of one frame through the fabric, node by node: the port that each switch wanted
// for it, what that held, and the port that it took.
//
//   frame_path_trace path(config, changes, network, taps, directory);
//   path.take(sure);      // at barriers
//   path.finish(end);        // writes frame_path.csv
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tb/run/options/trace_options.h"
#include "tb/support/files/run_directory.h"
#include "tb/support/record/record_table.h"
#include "tb/verify/perfetto/journey_book.h"
#include "tb/verify/perfetto/journey_records.h"

namespace weir::tb {

struct frame_path_row {
    std::uint64_t copy = 0, flow = 0, offset = 0;
    std::string_view node{};
    std::uint64_t visit = 0;
    std::optional<picoseconds> arrived{}, placed{};
    std::optional<unsigned> wanted_port{};
    std::optional<std::string_view> wanted_peer{};
    std::optional<std::uint64_t> held_bytes{};
    std::optional<unsigned> port{};
    std::optional<std::string_view> peer{};
    std::optional<picoseconds> sent{};
    std::string_view event{};

    static constexpr table_facts table{
        "frame_path.csv",
        "Path of the frame that trace.frame_path names: a line for each node that the frame came to.",
        "`trace.frame_path`"};
    template <class Columns>
    static void describe(Columns& columns) {
        using self = typename Columns::row;
        constexpr const char* not_placed = "not a switch with rules of egress queues, or not placed";
        constexpr const char* stayed = "it did not leave";
        columns(column("copy", &self::copy,
                       "Number of the copy, from 1; the source sends a new one with each retransmission."));
        columns(column("flow", &self::flow, "Number of the transfer."));
        columns(column("offset", &self::offset, "Offset of the frame's first byte in the transfer.").unit("B"));
        columns(column("node", &self::node, "Name of the node."));
        columns(column("visit", &self::visit, "Number of times that the frame has come to the node by then.")
                    .unit("visits"));
        columns(column("arrived_ns", &self::arrived, "Arrival of its last bit.")
                    .absent("its source, or still on the wire"));
        columns(column("placed_ns", &self::placed, "End of its lookup.").absent(not_placed));
        columns(column("wanted_port", &self::wanted_port, "Port that was selected.").absent(not_placed));
        columns(column("wanted_peer", &self::wanted_peer, "Node at the other end of that port.")
                    .absent(not_placed));
        columns(column("held_bytes", &self::held_bytes, "Bytes that the selected port held and would get.")
                    .absent(not_placed));
        columns(column("port", &self::port, "Port by which it left.").absent(stayed));
        columns(
            column("peer", &self::peer, "Node at the other end of the port by which it left.").absent(stayed));
        columns(column("sent_ns", &self::sent, "Departure of its first bit.").absent(stayed));
        columns(
            column("event", &self::event,
                   "sent, forwarded, other_path, detoured, delivered, inside; the reason if it was lost here.")
                .pattern("[a-z_]+"));
    }
};

class frame_path_trace {
 public:
    /// Before the simulation starts. `config.trace.frame_path` names a frame. Throws output_error, as `finish`.
    frame_path_trace(const run_config& config, const std::vector<fabric_change>& changes, fabric& network,
                     wire_taps& taps, const run_directory& directory);

    /// Up to `sure`: nodes have reached a later time, and the run does not end before. Collective, as the next.
    void take(picoseconds sure);
    /// The run has ended, at `end`.
    void finish(picoseconds end);
    /// What the user should know of a file that holds nothing. `window`: as window_text says it.
    std::vector<std::string> warnings(const std::string& window) const;

 private:
    /// What happened to the frame at one node. Until it is written it has no copy, flow and offset.
    struct stop : frame_path_row {
        /// The node's place among all.
        std::uint32_t index = 0;
    };
    /// Of one copy of the frame, from its source on.
    struct path {
        ethernet_frame frame;
        std::vector<stop> stops;
    };

    void process(const journey_record& r);
    void on_placed(const journey_record& r);
    void on_sent(const journey_record& r);
    void on_drop(const journey_record& r);
    stop& add_stop(path& p, std::uint32_t node, const std::optional<frame_arrival>& arrived);
    stop& stop_at(path& p, const journey_record& r, const std::optional<frame_arrival>& arrived);
    void close(std::uint64_t number);
    /// The node at the other end of the port, as its place among all, and its name.
    std::uint32_t far_node(const stop& s, unsigned port) const;
    std::string_view peer(const stop& s, unsigned port) const;

    const topology& m_plan;
    frame_choice m_wanted;
    record_table<frame_path_row> m_table;
    journey_records m_records;
    journey_book m_book;
    /// By number of the journey.
    std::map<std::uint64_t, path> m_open;
    /// Copies of the chosen frame; or the one with most detours so far.
    std::vector<path> m_chosen;
};

}  // namespace weir::tb
