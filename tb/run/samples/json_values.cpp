#include "tb/run/samples/json_values.h"

namespace weir::tb {

using nlohmann::ordered_json;

// A double with at most 15 digits is printed with just these: up to 1e15 ps no decimal is lost or made up.
ordered_json json_ns(pause_totals::wide_picoseconds time) {
    if (time % 1000 == 0 || time >= 1'000'000'000'000'000) {
        return static_cast<std::int64_t>((time + 500) / 1000);
    }
    return static_cast<double>(static_cast<std::int64_t>(time)) / 1000.0;
}

std::string to_text(const ordered_json& document) {
    // A name that is not UTF-8 does not cost the run its results.
    return document.dump(2, ' ', false, ordered_json::error_handler_t::replace) + "\n";
}

}  // namespace weir::tb
