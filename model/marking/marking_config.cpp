#include "weir/model/marking/marking_config.h"

#include "weir/model/memory/memory_organisation.h"
#include "weir/model/memory/shared_buffer_config.h"

namespace weir::model {

config_errors marking_config::validate(unsigned device_classes) const {
    range_check check;
    check.add(check_ranges(*this, "marking").take());
    check.refuse_missing(is_on() && classes && classes->empty(), "marking.classes",
                         "'' names no class; expected at least one, or auto");
    check.refuse_each(
        classes.value_or(std::vector<std::uint32_t>{}),
        [&](std::uint32_t c) { return is_on() && c >= device_classes; }, "marking.classes",
        "{} is not a class; expected below {switch.classes} ({})", device_classes);
    check.add(marker_kinds().errors_of(kind, [&](const marker_traits& each) {
        range_check of_kind;
        if (each.check) {
            each.check(of_kind, *this, device_classes);
        }
        return of_kind.take();
    }));
    const auto counts_arrivals = [](const marker_traits& each) { return each.counts_arrivals; };
    check.refuse(counts_arrivals(marker_kinds()[kind]) && at == marking_time::dequeue, "marking.at",
                 "'dequeue' is not possible with " +
                     marker_kinds().condition("{marking.kind}", counts_arrivals) +
                     ", which count arrivals; expected enqueue");
    return check.take();
}

void check_shared_marks(range_check& check, const marking_config& marking, const switch_config& device,
                        const shared_buffer_config& shared) {
    check.refuse(marking.is_on() && organisation_of(device).is_shared && shared.ecn_threshold,
                 "shared.ecn_threshold",
                 "has no effect, because {marking.kind} replaces it; expected auto, and the lengths of that "
                 "kind ({marking.threshold}, {marking.k_min}, {qcn.set_point})");
}

}  // namespace weir::model
