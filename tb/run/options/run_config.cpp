#include "tb/run/options/run_config.h"

#include <algorithm>
#include <functional>

#include "tb/asic/sonic/config_db.h"
#include "tb/run/options/run_rules.h"
#include "weir/base/field_range.h"
#include "weir/model/host/nic_queues.h"
#include "weir/model/marking/marker.h"
#include "weir/model/memory/memory_organisation.h"
#include "weir/model/memory/queue_order.h"
#include "weir/model/overflow/overflow_action.h"

namespace weir::tb {

// Those of the switch's configuration, where no option says it. What is wrong with the file is reported when
// its tables are read.
static void take_lossless_classes(run_config& config) {
    if (!organisation_of(config.device).is_shared || config.shared_tables.config_db.empty() ||
        config.shared.lossless_classes || config.flow_control.mode == flow_control_mode::none) {
        return;
    }
    config.shared_tables.classes_are_the_files = true;
    const std::uint8_t lossless =
        lossless_priorities(read_config_db_file(config.shared_tables.config_db, "shared.config_db"));
    std::vector<std::uint32_t> classes;
    for (std::uint32_t c = 0; c < sonic_classes; ++c) {
        if ((lossless >> c & 1) != 0) {
            classes.push_back(c);
        }
    }
    if (!classes.empty()) {
        config.shared.lossless_classes = classes;
    }
}

void run_config::resolve() {
    fabric.resolve_links(link);
    plugins.take_loaded();
    traffic.datagram = udp.payload;
    traffic.datagram_overhead = udp.header + link.wire_overhead;
    take_lossless_classes(*this);
}

bool run_config::has_voqs() const {
    return host.nic ? nic_kinds()[*host.nic].obeys_notifications : marker_kinds()[marking.kind].notifies;
}

config_errors run_config::validate() const {
    range_check check;
    check.add(run.validate());
    check.add(fabric.validate());
    check.add(check_ranges(link, "link").take());
    check.add(device.validate());
    check.add(shared.validate());
    check.add(check_ranges(sram, "sram").take());
    check.add(marking.validate(device.classes));
    check.add(check_ranges(qcn, "qcn").take());
    check.add(check_ranges(detour, "detour").take());
    check.add(flow_control.validate(device));
    check_overflow(check, device, flow_control, detour);
    check_queue_order(check, device, flow_control, shared, sram);
    check_memories(check, device, flow_control, sram);
    check_shared_marks(check, marking, device, shared);
    check.add(host.validate());
    check_nic(check, host, marker_kinds()[marking.kind].notifies, device.max_frame);
    const config_errors of_tcp = tcp.validate();
    check.add(of_tcp);
    check.add(check_ranges(udp, "udp").take());
    check.add(roce.validate());
    check.add(pfabric.validate());
    check.add(traffic.validate());
    check.add(files.validate(traffic));
    check.add(output.validate());
    check.add(trace.validate());
    if (of_tcp.empty()) {
        check_rules(check, *this);
    }
    return check.take();
}

config_errors run_options::validate() const {
    range_check check("run");
    check.require(duration == 0_ps || warmup < duration, "warmup", warmup, "below {run.duration} ({})",
                  duration);
    if (const auto goals = parse_precision_goals(until); !goals) {
        check.fail("until", goals.error);
    }
    return check.take();
}

config_errors output_options::validate() const {
    range_check check("output");
    check.require(!window_end || *window_end > window_start, "window_end", window_end,
                  "above {output.window_start} ({})", window_start);
    const std::vector<bytes> bins = size_bins.value_or(std::vector<bytes>{});
    check.refuse(size_bins && bins.empty(), "size_bins", "'' has no size; expected at least one, or auto");
    check.refuse(std::adjacent_find(bins.begin(), bins.end(), std::greater_equal<>()) != bins.end(),
                 "size_bins", "sizes do not ascend; expected each to be larger than the one before");
    check.add(requested_metric_errors(metrics));
    check.require(fairness_window == 0_ps || fairness_window >= 1us, "fairness_window", fairness_window,
                  "0ps (no windows), or at least 1us");
    return check.take();
}

}  // namespace weir::tb
