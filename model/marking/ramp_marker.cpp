#include "weir/model/marking/ramp_marker.h"

#include "weir/model/marking/marking_config.h"

namespace weir::model {

void ramp_config::check(range_check& check, unsigned classes) const {
    check_class_values(check, "marking.k_min", k_min.size(), classes);
    check_class_values(check, "marking.k_max", k_max.size(), classes);
    bytes least{0};
    bytes most{0};
    for (unsigned each = 0; !k_min.empty() && !k_max.empty() && each < classes && least <= most; ++each) {
        least = value_of_class(k_min, static_cast<pfc_class>(each));
        most = value_of_class(k_max, static_cast<pfc_class>(each));
    }
    check.require(least <= most, "marking.k_max", most, "at least {marking.k_min} ({})", least);
}

static std::unique_ptr<marker> make_ramp(const marker_setup& setup) {
    const ramp_config& config = setup.config.ramp;
    const auto ramp = [&](pfc_class c) {
        return ramp_marker::ramp{bytes_of_class(config.k_min, c), bytes_of_class(config.k_max, c),
                                 config.p_max};
    };
    return std::make_unique<ramp_marker>(setup.by_queue(ramp), setup.classes);
}

static marking_start ramp_start(const marking_config& config, const qcn_config&, pfc_class c) {
    return {"marking.k_min", value_of_class(config.ramp.k_min, c), {}};
}

marker_entry ramp_marker_kind() {
    marker_traits traits{make_ramp, true, ramp_start, "no frame is marked"};
    traits.check = [](range_check& check, const marking_config& config, unsigned classes) {
        config.ramp.check(check, classes);
    };
    return {"ramp", "by chance, the more often the longer the queue is (DCQCN, RED without average)", traits};
}

}  // namespace weir::model
