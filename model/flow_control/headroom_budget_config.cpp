#include "weir/model/flow_control/headroom_budget_config.h"

#include <algorithm>
#include <set>

#include "weir/base/unit_text.h"
#include "weir/model/flow_control/headroom_budget.h"

namespace weir::model {

namespace {

void check_delays(range_check& check, const headroom_budget_config& c) {
    const bool rate_fits = check.fits("rate");
    const auto positive = [&](const char* field, const line_delay& delay) {
        // Beyond a second no sum of terms needs to be exact any more.
        const bool holds = !rate_fits || (delay.count >= 0 &&
                                          time_on_link(bytes_of(delay, c.rate), c.rate) <= picoseconds{1s});
        check.refuse(!holds, field, "is more than 1s at this {rate}; expected 0 to 1s");
    };
    positive("fec", c.fec);
    positive("gearbox", c.gearbox);
    positive("pipeline", c.pipeline);
    positive("response", c.response.value_or(line_delay{}));
    positive("mac_phy", c.mac_phy.value_or(line_delay{}));
    positive("tile", c.tile.value_or(line_delay{}));
}

void check_mix(range_check& check, const headroom_budget_config& c, bytes lossless_mtu) {
    check.refuse(!c.mix.empty() && c.cell.value_or(0_B) == 0_B, "mix",
                 "has no effect while memory is counted in bytes; expected {headroom.cell} above 0B");
    std::vector<bytes> lengths;
    std::int64_t sum = 0;
    for (const frame_share& each : c.mix) {
        lengths.push_back(each.length);
        sum += each.millionths;
    }
    check.refuse_each(
        lengths, [&](bytes length) { return length < 64_B || length > lossless_mtu; }, "mix",
        "has frames of {}; expected 64B to {lossless_mtu}, {}", lossless_mtu);
    std::set<bytes> seen;
    check.refuse_each(
        lengths, [&](bytes length) { return !seen.insert(length).second; }, "mix",
        "has {} twice; expected each length once");
    check.refuse(!c.mix.empty() && sum != 1'000'000, "mix", "has shares that add up to {}%; expected 100%",
                 static_cast<double>(sum) / 10'000);
}

/// Options of the other family of formulas.
void check_profile(range_check& check, const headroom_budget_config& c, bool spectrum) {
    const auto refuse = [&](bool set, const char* field, const char* allowed) {
        check.refuse(set, field,
                     std::string("has no effect in this {profile}; expected headroom.profile = ") + allowed);
    };
    refuse(spectrum && !c.mix.empty(), "mix", "ieee_802_1qbb or detail");
    check.require(!spectrum || c.cell != 0_B, "cell", "0B",
                  "at least 1B in the {profile}s spectrum and spectrum4");
    const char* const allowed = "spectrum or spectrum4";
    refuse(!spectrum && c.tile, "tile", allowed);
    refuse(!spectrum && c.small_packets, "small_packets", allowed);
    refuse(!spectrum && c.shared_headroom, "shared_headroom", allowed);
    refuse(!spectrum && c.margin, "margin", allowed);
    refuse(!spectrum && c.lanes, "lanes", allowed);
}

}  // namespace

std::string to_text(millimetres length) {
    constexpr weir::detail::unit_scale units[] = {{"km", 1'000'000}, {"m", 1'000}, {"mm", 1}};
    return weir::detail::format_scaled(length.count(), units, true);
}

std::string to_text(metres_per_second velocity) {
    constexpr weir::detail::unit_scale units[] = {{"km/s", 1'000}, {"m/s", 1}};
    return weir::detail::format_scaled(velocity.count(), units, false);
}

config_errors headroom_budget_config::validate() const {
    range_check check = check_ranges(*this, "headroom");
    const bool spectrum = profile == headroom_profile::spectrum || profile == headroom_profile::spectrum4;
    const bytes largest = port_mtu.value_or(profile == headroom_profile::detail ? 1'530_B : 9'216_B);
    const bytes lossless = lossless_mtu.value_or(spectrum ? std::min(1'024_B, largest) : largest);
    check.refuse(lossless > largest, "lossless_mtu", "{} is more than {port_mtu}; expected at most {}",
                 lossless, largest);
    check_delays(check, *this);
    check_mix(check, *this, lossless);
    check_profile(check, *this, spectrum);
    return check.take();
}

}  // namespace weir::model
