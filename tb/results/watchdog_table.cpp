#include "tb/results/watchdog_table.h"

#include <algorithm>
#include <tuple>
#include <vector>

#include "tb/text/text_format.h"

namespace weir::tb {

void write_watchdog_table(output_file& file, fabric& made) {
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
    csv_line line;
    file.write("time_ns,node,port,class,event,dropped_frames,dropped_arriving_frames\n");
    for (const entry& e : entries) {
        const node_ref self = node_ref::of_switch(e.device);
        line.add_ns(e.event.time).add_name(made.plan().name(self)).add(e.event.egress_port);
        line.add(e.event.frame_class).add_name(e.event.storm ? "storm" : "restored");
        e.event.storm ? line.add_nothing(2) : line.add(e.event.dropped).add(e.event.dropped_arriving);
        file.write(line.end());
    }
}

}  // namespace weir::tb
