// watchdog.csv: actions of the PFC watchdogs of all switches, in the order of time, then of switches.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "tb/files/output_file.h"
#include "tb/record/cell.h"
#include "weir/model/fabric/fabric.h"

namespace weir::tb {

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

/// Collective. Throws output_error.
void write_watchdog_table(output_file file, fabric& made);

}  // namespace weir::tb
