#include "weir/model/flow_control/pfc_headroom.h"

#include <string>

namespace weir::model {

config_errors pfc_headroom_config::validate() const {
    config_errors errors;
    const auto require = [&](bool holds, const char* key, std::int64_t value, const char* allowed) {
        if (!holds) {
            errors.push_back(config_error{
                {}, 0, std::string("headroom.") + key, std::to_string(value) + "; expected " + allowed});
        }
    };
    require(rate.count() > 0, "rate", rate.count(), "above 0 bit/s");
    require(max_frame_wire_bytes >= 64_B, "max_frame_wire_bytes", max_frame_wire_bytes.count(),
            "64 B and above");
    require(pfc_frame_wire_bytes >= 64_B, "pfc_frame_wire_bytes", pfc_frame_wire_bytes.count(),
            "64 B and above");
    require(one_way_latency.count() >= 0, "one_way_latency", one_way_latency.count(), "0 ps and above");
    require(response.count() >= 0 && response.count() <= 65'535, "response", response.count(),
            "0 to 65535 quanta");
    require(lookup_delay.count() >= 0, "lookup_delay", lookup_delay.count(), "0 ps and above");
    return errors;
}

// Rounded up, so that headroom is never a bit short.
bytes pfc_headroom_terms::bytes_of(picoseconds time) const {
    __extension__ using wide = __int128;
    constexpr wide byte_time = wide{8} * 1'000'000'000'000;
    const wide product = static_cast<wide>(time.count()) * rate.count();
    return bytes{static_cast<std::int64_t>((product + byte_time - 1) / byte_time)};
}

pfc_headroom_terms pfc_headroom(const pfc_headroom_config& config) {
    pfc_headroom_terms t;
    t.rate = config.rate;
    t.t_o_local = transmission_time(config.max_frame_wire_bytes, config.rate);
    t.t_pfc = config.equation == headroom_equation::full
                  ? transmission_time(config.pfc_frame_wire_bytes, config.rate)
                  : picoseconds{0};
    t.t_p_out = config.one_way_latency;
    t.t_r = pause_time(config.response, config.rate);
    t.t_o_partner = t.t_o_local;
    t.t_p_back = config.one_way_latency;
    t.t_lookup = config.lookup_delay;
    return t;
}

std::optional<pause_quanta> response_quanta(bit_rate rate, response_source source) {
    for (const response_time& entry : response_times) {
        if (entry.rate == rate && entry.source == source) {
            return entry.quanta;
        }
    }
    return std::nullopt;
}

}  // namespace weir::model
