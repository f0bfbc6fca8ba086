// Tables of nodes and their ports: nodes.csv has the names of each node in other tables, ports.csv the traffic
// of each port, class by class, and the fill of its memories, and watchdog.csv the actions of the PFC
// watchdogs.
//
// Columns `node` and `peer` hold a name, `src` and `dst` of flows, jobs and causes a host's number, as traces
// have it, and captures a host's address.
//
//   write_node_table(directory.create<node_row>(), plan);
//   write_port_table(directory.create<port_row>(), network, averaged, paused_until);
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "tb/run/samples/fabric_totals.h"
#include "tb/support/files/output_file.h"
#include "tb/support/record/cell_groups.h"
#include "weir/model/fabric/fabric.h"

namespace weir::tb {

enum class listed_node : std::uint8_t { host, device };
constexpr auto names_of(listed_node) {
    return enum_names<listed_node>({{listed_node::host, "host"}, {listed_node::device, "switch"}});
}

struct node_row {
    std::string_view node{};
    listed_node kind{};
    std::optional<host_id> host{};
    std::string address{};
    std::string tier{};

    static constexpr table_facts table{
        "nodes.csv",
        "Names, numbers and addresses of hosts and switches, hosts first; joins the other tables."};
    template <class Columns>
    static void describe(Columns& columns) {
        using self = typename Columns::row;
        columns(column("node", &self::node, "Name, as in the columns node and peer of other tables."));
        columns(column("kind", &self::kind, "Kind of node."));
        columns(column("host", &self::host, "Number, as in the columns src and dst of other tables.")
                    .absent("it is a switch"));
        columns(column("address", &self::address, "IPv4 address, as in captures.").absent("it is a switch"));
        columns(
            column("tier", &self::tier, "Place in the fabric: host, tier1 (switches with hosts), tier2, ...")
                .pattern("host|tier[0-9]+"));
    }
};

/// Hosts, then switches. Throws output_error.
void write_node_table(output_file file, const topology& plan);

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
        static constexpr const char* p50 =
            "50th percentile of these bytes over time: upper edge of a bucket of at most a quarter of it.";
        static constexpr const char* p99 =
            "99th percentile of these bytes over time: upper edge of a bucket of at most a quarter of it.";
        static constexpr const char* p99_9 =
            "99.9th percentile of these bytes over time: upper edge of a bucket of at most a quarter of it.";
        static constexpr fill_names at_ingress{
            {"ingress_mean_bytes", "Time-weighted mean of the class's bytes in the port's ingress memory."},
            {"ingress_max_bytes", "Watermark of the class's bytes in the port's ingress memory."},
            {"ingress_p50_bytes", p50},
            {"ingress_p99_bytes", p99},
            {"ingress_p99_9_bytes", p99_9}};
        static constexpr fill_names at_egress{
            {"egress_mean_bytes",
             "Time-weighted mean of the class's bytes in the port's egress memory, or in the host's NIC."},
            {"egress_max_bytes",
             "Watermark of the class's bytes in the port's egress memory, or in the host's NIC."},
            {"egress_p50_bytes", p50},
            {"egress_p99_bytes", p99},
            {"egress_p99_9_bytes", p99_9}};
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
/// and averages cover `averaged`. Pauses that last count up to `paused_until`, or up to when the fabric was
/// settled. Throws output_error.
void write_port_table(output_file file, fabric& made, const averaged_time& averaged, picoseconds paused_until);

enum class storm_step : std::uint8_t { storm, restored };
constexpr auto names_of(storm_step) {
    return enum_names<storm_step>({{storm_step::storm, "storm"}, {storm_step::restored, "restored"}});
}

struct watchdog_row {
    picoseconds time{0};
    std::string_view node{};
    std::uint32_t port = 0;
    pfc_class frame_class = 0;
    storm_step event{};
    std::optional<std::uint64_t> dropped{}, dropped_arriving{};

    static constexpr table_facts table{"watchdog.csv", "Actions of the PFC watchdogs, in order of time.",
                                       "`pfc.watchdog`"};
    template <class Columns>
    static void describe(Columns& columns) {
        using self = typename Columns::row;
        columns(column("time_ns", &self::time, "Time of the action."));
        columns(column("node", &self::node, "Name of the switch."));
        columns(column("port", &self::port, "Port of the node, from 0."));
        columns(column("class", &self::frame_class, "Class of the queue, 0 to 7."));
        columns(column("event", &self::event,
                       "storm: the queue was found paused without end; restored: no longer."));
        columns(column("dropped_frames", &self::dropped, "Frames dropped in the storm that has ended.")
                    .absent("event is storm"));
        columns(column("dropped_arriving_frames", &self::dropped_arriving,
                       "Frames of dropped_frames that were dropped on arrival at the port.")
                    .absent("event is storm"));
    }
};

/// Lines in the order of time, then of switches. Collective. Throws output_error.
void write_watchdog_table(output_file file, fabric& made);

}  // namespace weir::tb
