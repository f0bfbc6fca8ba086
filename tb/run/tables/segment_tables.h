// What happened to the segments of each group of transfers: segments.csv, paths.csv, reroutes.csv, and
// `segments` in summary.json.
//
//   const std::vector<segment_row> rows = count_segments(endpoints, network.team(), tags);
//   write_rows(directory.create<segment_row>(), rows);
#pragma once

#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tb/support/files/output_file.h"
#include "tb/support/record/cell.h"
#include "weir/model/ranks/rank_team.h"
#include "weir/traffic/host/traffic_endpoint.h"

namespace weir::tb {

/// Share of `part`; nothing if `whole` is 0. Unit: %.
inline std::optional<double> percent_of(std::uint64_t part, std::uint64_t whole) {
    return whole > 0 ? std::optional(100 * static_cast<double>(part) / static_cast<double>(whole))
                     : std::nullopt;
}

/// Distances of late segments behind the furthest one that had come; nothing if none was late. Unit: segments.
struct lateness {
    std::optional<double> mean{};
    std::optional<std::uint64_t> p99{}, max{};
};

/// Segments of one tag since the end of the warm-up.
struct segment_row : segment_counts {
    std::string tag{};
    lateness behind{};

    /// Late segments; nothing if no segment of TCP came.
    std::optional<std::uint64_t> late_segments() const {
        return tcp_received > 0 ? std::optional(late) : std::nullopt;
    }
    /// Unit: B; nothing if none was sent over UDP. UDP does not send a datagram again, and datagrams in flight
    /// at the end of the warm-up may have come without having been sent after it.
    std::optional<std::uint64_t> udp_sent() const {
        return udp_sent_bytes > 0 ? std::optional(udp_sent_bytes) : std::nullopt;
    }
    std::optional<std::uint64_t> udp_lost() const {
        return udp_sent_bytes > 0 ? std::optional(udp_sent_bytes - std::min(udp_sent_bytes, udp_received_bytes))
                                  : std::nullopt;
    }

    static constexpr table_facts table{"segments.csv",
                                       "Marks, order and paths of segments from run.warmup on, by tag. "
                                       "Transfers that never complete count, too.",
                                       "`output.segments`"};
    template <class Columns>
    static void describe(Columns& columns) {
        using self = typename Columns::row;
        const auto add = [&](const char* name, auto place, const char* unit, const char* help) {
            columns(column(name, place, help).unit(unit));
        };
        const auto add_if_any = [&](const char* name, auto place, const char* unit, const char* absent,
                                    const char* help) {
            columns(column(name, place, help).unit(unit).absent(absent).decimals(6));
        };
        constexpr const char* no_tcp = "no segment of TCP came";
        constexpr const char* none_late = "none was late";
        constexpr const char* no_udp = "none was sent over UDP";
        columns(column("tag", &self::tag, "Name of the traffic.").absent("the transfer has no tag"));
        add("received", &self::received, "segments", "Data segments or datagrams that came to their hosts.");
        add("marked", &self::marked, "segments", "Segments received with a mark (CE).");
        add_if_any(
            "marked_percent", [](const self& r) { return percent_of(r.marked, r.received); }, "percent",
            "none came", "Share of received.");
        add("early", &self::early, "segments",
            "Segments that came while one before them was missing, for whatever reason.");
        add_if_any(
            "early_percent", [](const self& r) { return percent_of(r.early, r.received); }, "percent",
            "none came", "Share of received.");
        add_if_any(
            "late", &self::late_segments, "segments", no_tcp,
            "Segments of TCP that came after a later one and had been sent once only: the network has changed "
            "their order.");
        add_if_any(
            "late_percent", [](const self& r) { return percent_of(r.late, r.tcp_received); }, "percent", no_tcp,
            "Share of TCP's segments received.");
        columns(column(
                    "late_by_mean_segments", [](const self& r) { return r.behind.mean; },
                    "Mean distance of a late segment behind the furthest one that had come.")
                    .decimals(4)
                    .absent(none_late));
        add_if_any(
            "late_by_p99_segments", [](const self& r) { return r.behind.p99; }, "segments", none_late,
            "99th percentile of the distance.");
        add_if_any(
            "late_by_max_segments", [](const self& r) { return r.behind.max; }, "segments", none_late,
            "Largest distance.");
        add("acks", &self::acks, "ACKs", "ACKs that came to senders.");
        add("echoes", &self::echoes, "ACKs", "ACKs that told of marks (ECE).");
        add_if_any(
            "echoes_percent", [](const self& r) { return percent_of(r.echoes, r.acks); }, "percent",
            "no ACK came", "Share of acks.");
        add("retransmits", &self::retransmits, "segments", "Segments sent again.");
        add("timeouts", &self::timeouts, "timeouts", "Retransmission timers that ran out.");
        add("path_changes", &self::path_changes, "changes", "Changes of V by senders.");
        add_if_any("udp_sent_bytes", &self::udp_sent, "B", no_udp,
                   "Payload that UDP's senders handed to the NIC.");
        add_if_any("udp_lost_bytes", &self::udp_lost, "B", no_udp,
                   "Part of udp_sent_bytes that has not come to its host.");
        add_if_any(
            "udp_lost_percent",
            [](const self& r) { return percent_of(r.udp_lost().value_or(0), r.udp_sent_bytes); }, "percent",
            no_udp, "Share of udp_sent_bytes.");
    }
};

struct path_row {
    std::string_view tag{};
    std::size_t path = 0;
    std::uint64_t received = 0;
    double received_percent = 0;

    static constexpr table_facts table{"paths.csv", "Segments by tag and path.", "`output.segments`"};
    template <class Columns>
    static void describe(Columns& columns) {
        using self = typename Columns::row;
        columns(column("tag", &self::tag, "Name of the traffic.").absent("the transfer has no tag"));
        columns(column("path", &self::path, "V: the path tag less the one that the transfer began with."));
        columns(column("received", &self::received, "Segments that came by this path.").unit("segments"));
        columns(
            column("received_percent", &self::received_percent, "Share of the tag's segments.").decimals(6));
    }
};

struct reroute_row {
    picoseconds time{0};
    std::uint64_t flow = 0;
    host_id src{}, dst{};
    std::string_view tag{};
    path_end why{};
    std::uint64_t path = 0;
    std::optional<std::uint64_t> next_path{};
    picoseconds stayed{0};
    std::uint64_t sent_bytes = 0;

    static constexpr table_facts table{
        "reroutes.csv",
        "A line for each change of path by a sender, and for the last stay of a transfer "
        "that is complete and has changed.",
        "`output.segments`"};
    template <class Columns>
    static void describe(Columns& columns) {
        using self = typename Columns::row;
        columns(column("time_ns", &self::time, "Time at which the sender left the path."));
        columns(column("flow", &self::flow, "Number of the transfer."));
        columns(column("src", &self::src, "Host that sends."));
        columns(column("dst", &self::dst, "Host that receives."));
        columns(column("tag", &self::tag, "Name of the traffic.").absent("the transfer has no tag"));
        columns(column("why", &self::why, "Reason for leaving; done: everything is confirmed."));
        columns(column("path", &self::path, "V until then."));
        columns(column("next_path", &self::next_path, "V from then on.").absent("why is done"));
        columns(column("stayed_ns", &self::stayed, "Time that the sender had stayed on the path."));
        columns(column("sent_bytes", &self::sent_bytes, "New bytes that the sender sent on the path."));
    }
};
reroute_row reroute_of(host_id src, host_id dst, const path_stay& stay, std::string_view tag);

/// Of all hosts, of all ranks: the tags that have segments, in their order. `tags`: names by number.
/// Collective.
std::vector<segment_row> count_segments(const std::vector<traffic_endpoint*>& endpoints, model::rank_team& team,
                                        const std::vector<std::string>& tags);
/// Throws output_error.
void write_paths(output_file file, const std::vector<segment_row>& rows);
nlohmann::ordered_json to_json(const std::vector<segment_row>& rows);

}  // namespace weir::tb
