#include "tb/options/traffic_files.h"

namespace weir::tb {

config_errors traffic_files::validate(const workload_config& traffic) const {
    config_errors errors;
    const auto needed = [&](const char* key, const char* why) {
        errors.push_back({"", 0, key, std::string("'' is empty; expected a path, because ") + why});
    };
    if (traffic.kind == workload_kind::trace && file.empty()) {
        needed("traffic.file", "traffic.kind = trace");
    }
    const bool from_file = traffic.distribution == "file";
    if (from_file && distribution_file.empty()) {
        needed("traffic.distribution_file", "traffic.distribution = file");
    }
    if (from_file && distribution_units.fraction == cdf_unit::undeclared) {
        errors.push_back({"", 0, "traffic.distribution_fraction",
                          "'undeclared' gives no unit, which traffic.distribution = file needs; expected "
                          "percent, fraction"});
    }
    if (from_file && distribution_units.size == 0_B) {
        errors.push_back(
            {"", 0, "traffic.distribution_size",
             "'0B' gives no unit, which traffic.distribution = file needs; expected 1B to 65535B"});
    }
    return errors;
}

}  // namespace weir::tb
