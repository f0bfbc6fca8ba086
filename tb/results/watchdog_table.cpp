#include "tb/results/watchdog_table.h"

#include <algorithm>
#include <tuple>
#include <vector>

#include "tb/record/record_table.h"

namespace weir::tb {

void write_watchdog_table(output_file file, fabric& made) {
    struct entry {
        watchdog_event event;
        switch_id device;
    };
    std::vector<entry> entries;
    for (const switch_id s : made.own_switches()) {
        for (const watchdog_event& event : made.device(s).watchdog_events()) {
            entries.push_back({event, s});
        }
    }
    entries = gathered(made.team(), std::move(entries));
    std::stable_sort(entries.begin(), entries.end(), [](const entry& a, const entry& b) {
        return std::tie(a.event.time, a.device) < std::tie(b.event.time, b.device);
    });
    record_table<watchdog_row> table(std::move(file));
    for (const auto& [event, device] : entries) {
        watchdog_row row{event.time, made.plan().name(node_ref::of_switch(device)), event.egress_port,
                         event.frame_class, event.storm ? storm_step::storm : storm_step::restored};
        if (!event.storm) {
            row.dropped = event.dropped;
            row.dropped_arriving = event.dropped_arriving;
        }
        table.write(row);
    }
    table.finish();
}

}  // namespace weir::tb
