// ports.csv: the traffic of each port, class by class, and the fill of its memories.
//
//   write_port_table(directory.create<port_row>(), network, averaged);
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "tb/files/output_file.h"
#include "tb/record/cell_groups.h"
#include "tb/results/averaged_time.h"
#include "weir/model/fabric/fabric.h"

namespace weir::tb {

/// Name and meaning of a column.
struct named_column {
    const char* name;
    const char* help;
};
/// Columns of one memory: mean, maximum, 50th, 99th and 99.9th percentile.
using fill_names = named_column[5];

/// Fill of a memory over time.
struct fill_columns {
    std::optional<double> mean{};
    std::optional<bytes> max{}, p50{}, p99{}, p99_9{};

    template <class Columns>
    static void describe(Columns& columns, const fill_names& names) {
        using self = typename Columns::row;
        const auto add = [&](const named_column& named, auto place) {
            columns(column(named.name, place, named.help)
                        .decimals(3)
                        .absent("a line of a host's class, or ingress of a host"));
        };
        add(names[0], &self::mean);
        add(names[1], &self::max);
        add(names[2], &self::p50);
        add(names[3], &self::p99);
        add(names[4], &self::p99_9);
    }
};

/// Traffic of one class of one port since the end of the warm-up.
struct class_traffic_columns {
    std::optional<std::uint64_t> rx_frames{}, rx_bytes{}, tx_frames{}, tx_bytes{};

    template <class Columns>
    static void describe(Columns& columns) {
        using self = typename Columns::row;
        constexpr const char* whole = "the line of a host's NIC as a whole";
        columns(column("rx_frames", &self::rx_frames, "Frames received.").absent(whole));
        columns(column("rx_bytes", &self::rx_bytes, "Bytes received.").absent(whole));
        columns(column("tx_frames", &self::tx_frames, "Frames sent.").absent(whole));
        columns(column("tx_bytes", &self::tx_bytes, "Bytes sent.").absent(whole));
    }
};

struct port_row {
    std::string_view node{};
    std::uint32_t port = 0;
    std::string_view frame_class{};
    std::string_view peer{};
    class_traffic_columns traffic{};
    counts_by<drop_reason> drops{};
    std::optional<std::uint64_t> unsent{};
    fill_columns ingress{}, egress{};
    std::optional<std::uint32_t> xoff_sent{}, xon_sent{}, xoff_received{}, xon_received{};
    std::optional<picoseconds> paused{};
    std::optional<double> utilisation{};
    double port_utilisation = 0;

    static constexpr table_facts table{
        "ports.csv",
        "A line for each node, port and class with frames, drops or pauses; hosts first. "
        "Counts begin at run.warmup, drops at the start of the run."};
    template <class Columns>
    static void describe(Columns& columns) {
        using self = typename Columns::row;
        static constexpr fill_names at_ingress{
            {"ingress_mean_bytes", "Time-weighted mean of the class's bytes in the port's ingress memory."},
            {"ingress_max_bytes", "Watermark of the class's bytes in the port's ingress memory."},
            {"ingress_p50_bytes",
             "50th percentile of these bytes over time: upper edge of a bucket of at most a quarter of it."},
            {"ingress_p99_bytes",
             "99th percentile of these bytes over time: upper edge of a bucket of at most a quarter of it."},
            {"ingress_p99_9_bytes",
             "99.9th percentile of these bytes over time: upper edge of a bucket of at most a quarter of it."}};
        static constexpr fill_names at_egress{
            {"egress_mean_bytes",
             "Time-weighted mean of the class's bytes in the port's egress memory, or in the host's NIC."},
            {"egress_max_bytes",
             "Watermark of the class's bytes in the port's egress memory, or in the host's NIC."},
            {"egress_p50_bytes",
             "50th percentile of these bytes over time: upper edge of a bucket of at most a quarter of it."},
            {"egress_p99_bytes",
             "99th percentile of these bytes over time: upper edge of a bucket of at most a quarter of it."},
            {"egress_p99_9_bytes",
             "99.9th percentile of these bytes over time: upper edge of a bucket of at most a quarter of it."}};
        constexpr const char* whole = "the line of a host's NIC as a whole";
        constexpr const char* of_class = "a line of a host's class";
        columns(column("node", &self::node, "Name of the node."));
        columns(column("port", &self::port, "Port of the node, from 0."));
        columns(column("class", &self::frame_class, "Class of the frames; all: the host's NIC as a whole.")
                    .pattern("[0-7]|all"));
        columns(column("peer", &self::peer, "Name of the node at the other end of the link."));
        columns.part(&self::traffic);
        columns(column("_frames", &self::drops,
                       "Frames lost here for the reason that the column's name begins with.")
                    .absent(of_class));
        columns(column("unsent_link_down_frames", &self::unsent,
                       "Frames that a cut link kept the host from sending.")
                    .absent(of_class));
        columns.part(&self::ingress, at_ingress);
        columns.part(&self::egress, at_egress);
        const auto add_pauses = [&](const char* name, auto place, const char* help) {
            columns(column(name, place, help).unit("announcements").absent(whole));
        };
        add_pauses("xoff_sent", &self::xoff_sent, "Announcements of pauses by this port.");
        add_pauses("xon_sent", &self::xon_sent, "Announcements of ends of pauses by this port.");
        add_pauses("xoff_received", &self::xoff_received, "Announcements of pauses that this port obeyed.");
        add_pauses("xon_received", &self::xon_received,
                   "Announcements of ends of pauses that this port obeyed.");
        columns(
            column("paused_ns", &self::paused, "Time for which the port's transmitter had the class paused.")
                .absent(whole));
        columns(column("utilisation_percent", &self::utilisation,
                       "Share of the time in which frames of the class were on the wire, overhead included.")
                    .decimals(4)
                    .absent(whole));
        columns(column("port_utilisation_percent", &self::port_utilisation,
                       "The same share for all classes and PFC frames together.")
                    .decimals(4));
    }
};

/// Drops count from the start of the run, as in the summary. All other values begin at the end of the warm-up,
/// and averages cover `averaged`. Precondition: the fabric has been settled. Throws output_error.
void write_port_table(output_file file, fabric& made, const averaged_time& averaged);

}  // namespace weir::tb
