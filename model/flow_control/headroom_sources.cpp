#include "weir/model/flow_control/headroom_sources.h"

#include <array>

#include "weir/base/unit_text.h"
#include "weir/model/flow_control/pfc_headroom.h"
#include "weir/model/flow_control/pfc_thresholds.h"

namespace weir::model {

namespace {

struct interface_delay {
    bit_rate rate;
    std::int64_t bit_times;
};
/// 802.1Qbb, from IEEE 802.3's limits (secondary source).
constexpr std::array<interface_delay, 4> interface_delays{
    {{10_Gbps, 8'192}, {25_Gbps, 6'144}, {40_Gbps, 24'576}, {100_Gbps, 122'880}}};

line_delay in_time(picoseconds time) {
    return {delay_unit::picoseconds, time.count()};
}

/// The table's own value, or the next faster one's time.
sourced_delay from_sonic(bit_rate rate, const std::string& source) {
    if (const auto quanta = response_quanta(rate)) {
        return {{delay_unit::quanta, quanta->count()},
                source + ", " + std::to_string(quanta->count()) + " quanta"};
    }
    for (const response_time& entry : response_times) {
        if (entry.source == response_source::sonic && entry.rate > rate) {
            return {in_time(default_response(rate)), source + " has none; the time at " + to_text(entry.rate)};
        }
    }
    return {{delay_unit::quanta, 905}, source + " has none; the quanta at 800Gbps"};
}

}  // namespace

sourced_delay response_of(headroom_profile profile, bit_rate rate) {
    switch (profile) {
        case headroom_profile::ieee_802_1qbb:
            if (const auto quanta = response_quanta(rate, response_source::ieee_802_1qbb)) {
                return {{delay_unit::bit_times, quanta->count() * 512},
                        "802.1Qbb, " + std::to_string(quanta->count() * 512) + " bit times"};
            }
            return from_sonic(rate, "802.1Qbb has none; sonic-swss");
        case headroom_profile::detail:
            return rate == 1_Gbps
                       ? sourced_delay{{delay_unit::quanta, detail_response.count()}, "DeTail 6.1: 2 quanta"}
                       : from_sonic(rate, "DeTail has 1Gbps only; sonic-swss");
        case headroom_profile::spectrum:
            return {{delay_unit::millibytes, 3'891'200}, "SN2700's tables: 3.8 KiB"};
        case headroom_profile::spectrum4:
            return from_sonic(rate, "sonic-swss");
    }
    return {};
}

sourced_delay mac_phy_of(headroom_profile profile, bit_rate rate) {
    if (profile == headroom_profile::detail) {
        return {in_time(picoseconds{5'000'000}), "DeTail 7.1: transceivers 5 us"};
    }
    if (profile != headroom_profile::ieee_802_1qbb) {
        return {{delay_unit::millibytes, 819'200}, "sonic-swss: 0.8 KiB"};
    }
    for (const interface_delay& entry : interface_delays) {
        if (entry.rate == rate) {
            return {{delay_unit::bit_times, entry.bit_times},
                    "802.1Qbb, " + std::to_string(entry.bit_times) + " bit times an end"};
        }
    }
    const interface_delay* near = &interface_delays.back();
    for (const interface_delay& entry : interface_delays) {
        if (entry.rate > rate) {
            near = &entry;
            break;
        }
    }
    return {in_time(transmission_time(bytes{near->bit_times / 8}, near->rate)),
            "802.1Qbb has none; the time at " + to_text(near->rate)};
}

}  // namespace weir::model
