#include "tb/run/options/traffic_files.h"
#include "weir/traffic/apps/workloads.h"
#include "weir/traffic/goal/programs.h"

namespace weir::tb {

config_errors traffic_files::validate(const workload_config& traffic) const {
    range_check check("traffic");
    const bool from_file = traffic.reads_sizes();
    const std::string which = from_file && traffic.distribution != "file" ? "{traffic.background_distribution}"
                                                                          : "{traffic.distribution}";
    check.refuse_missing(workloads()[traffic.kind].reads_trace && file.empty(), "file",
                         "'' is empty; expected a path, because {traffic.kind} = trace");
    const bool reads_program =
        workloads()[traffic.kind].runs_program && !programs()[traffic.program.kind].iterate;
    check.refuse_missing(reads_program && schedule.empty(), "schedule",
                         "'' is empty; expected a path, because {traffic.program} = file or traces");
    check.refuse_missing(from_file && distribution_file.empty(), "distribution_file",
                         "'' is empty; expected a path, because " + which + " = file");
    check.refuse(from_file && distribution_units.fraction == cdf_unit::undeclared, "distribution_fraction",
                 "'undeclared' gives no unit, which " + which + " = file needs; expected percent, fraction");
    check.refuse(from_file && distribution_units.size == 0_B, "distribution_size",
                 "'0B' gives no unit, which " + which + " = file needs; expected 1B to 65535B");
    return check.take();
}

}  // namespace weir::tb
