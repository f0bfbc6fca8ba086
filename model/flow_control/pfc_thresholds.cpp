#include "weir/model/flow_control/pfc_thresholds.h"

#include <algorithm>
#include <cmath>

#include "weir/base/share_text.h"
#include "weir/base/unit_text.h"

namespace weir::model {

// The time that SONiC gives for the next higher rate that it lists; above all of them its quanta at 800 Gb/s.
picoseconds default_response(bit_rate rate) {
    const response_time* best = nullptr;
    for (const response_time& entry : response_times) {
        const bool fits = entry.source == response_source::sonic && entry.rate >= rate;
        if (fits && (best == nullptr || entry.rate < best->rate)) {
            best = &entry;
        }
    }
    if (best == nullptr) {
        return pause_time(pause_quanta{905}, rate);
    }
    return pause_time(best->quanta, best->rate);
}

pause_config pause_requests_of(const pfc_config& pfc) {
    pause_config config;
    config.kind = pfc.mode == flow_control_mode::pause ? frame_kind::pause : frame_kind::pfc;
    config.quanta = pfc.quanta;
    config.refresh = pause_quanta{std::max<std::int64_t>(
        1, static_cast<std::int64_t>(static_cast<double>(pfc.quanta.count()) * pfc.refresh))};
    return config;
}

// Memory that `wire_bytes` of frames may take. Frames of 64 B that have a whole cell each can take far more
// than their bytes, so the most crowded length counts; a mixture takes no more than its worst part.
static bytes memory_for(bytes wire_bytes, const switch_config& device, bytes wire_overhead) {
    if (device.memory_cell.count() == 0) {
        return wire_bytes;
    }
    std::int64_t most = 0;
    for (bytes length = 64_B; length <= device.max_frame; length += 1_B) {
        const std::int64_t on_wire = (length + wire_overhead).count();
        const std::int64_t in_memory = wire_bytes.count() * memory_of(length, device.memory_cell).count();
        most = std::max(most, (in_memory + on_wire - 1) / on_wire);
    }
    return memory_of(bytes{most}, device.memory_cell);
}

// Memory beyond XOFF that the frame which crosses it may take: it began one byte below.
static bytes largest_crossing(const switch_config& device) {
    return memory_of(device.max_frame, device.memory_cell) - 1_B;
}

// With a lookup that is not always ready, what waits for it comes before what has yet to arrive. The wait is
// bounded by the FIFO's size, of frames; on the wire they are longer, the shortest the most.
static picoseconds wait_for_lookup(const switch_config& device, const port_config& port, bit_rate rate) {
    if (device.lookup_interval == 0_ps) {
        return 0_ps;
    }
    const std::int64_t frames = (device.ingress_fifo.count() + 63) / 64;
    return transmission_time(device.ingress_fifo + port.wire_overhead * frames, rate);
}

static pfc_headroom_terms headroom_terms(const switch_config& device, const pfc_config& config,
                                         const port_config& port, bit_rate rate, picoseconds response,
                                         headroom_equation equation = headroom_equation::full) {
    pfc_headroom_config headroom;
    headroom.rate = rate;
    headroom.max_frame_wire_bytes = device.max_frame + port.wire_overhead;
    headroom.pfc_frame_wire_bytes = pause_frame_bytes + port.wire_overhead;
    headroom.one_way_latency = port.longest_latency();
    const picoseconds quantum = pause_time(pause_quanta{1}, rate);
    headroom.response = pause_quanta{(response + quantum - 1_ps) / quantum};
    if (config.charge != charge_time::arrival) {
        headroom.lookup_delay = device.lookup_delay + wait_for_lookup(device, port, rate);
    }
    headroom.equation = equation;
    return pfc_headroom(headroom);
}

// What every class needs, by the profile: terms, reserve, and the frame that crosses XOFF.
static void compute_reserve(port_flow_control& result, const switch_config& device, const pfc_config& config,
                            const port_config& port) {
    const auto terms_of = [&](headroom_equation equation) {
        return headroom_terms(device, config, port, port.fastest_rate(), result.response, equation);
    };
    const auto memory_of_terms = [&](const pfc_headroom_terms& terms) {
        return memory_for(terms.total_bytes(), device, port.wire_overhead);
    };
    result.worst_case = memory_of_terms(terms_of(headroom_equation::full));
    result.profile = result.limits.one_class ? reserve_profile::worst_case : config.profile;
    const bool every_term = result.profile == reserve_profile::worst_case;
    result.terms = terms_of(every_term ? headroom_equation::full : headroom_equation::detail_eq1);
    result.reserve = config.reserve.value_or(memory_of_terms(result.terms));
    result.crossing = every_term ? largest_crossing(device) : 0_B;
}

constexpr std::int64_t bytes_per_quantum = 64;

// A refresh may have to wait for one frame, and must still come before the pause has run out.
static void check_refresh(port_flow_control& result, bytes largest_on_wire) {
    const std::int64_t quanta = result.requests.quanta.count();
    const std::int64_t wait = (largest_on_wire.count() + bytes_per_quantum - 1) / bytes_per_quantum;
    const std::string frame =
        "a frame of " + to_text(largest_on_wire) + " on the wire (" + std::to_string(wait) + " quanta)";
    if (quanta <= wait) {
        result.errors.push_back(option_error(
            "pfc.quanta",
            "'{}' leaves no time to repeat an XOFF, which may have to wait for {}; expected {} to {}",
            {std::to_string(quanta), frame, std::to_string(wait + 1),
             std::to_string(pfc_config::quanta_range.high.count())}));
    } else if (result.requests.refresh.count() > quanta - wait) {
        const double most =
            std::floor(1e4 * static_cast<double>(quanta - wait) / static_cast<double>(quanta)) / 1e4;
        result.errors.push_back(option_error("pfc.refresh",
                                             "repeats an XOFF after {} of the {} quanta of {pfc.quanta}, which "
                                             "is too late if it has to wait for {}; "
                                             "expected at most {}",
                                             {std::to_string(result.requests.refresh.count()),
                                              std::to_string(quanta), frame, share_text(most)}));
    }
}

port_flow_control resolve_flow_control(const switch_config& device, const pfc_config& config,
                                       const port_config& port) {
    port_flow_control result;
    result.response = config.response.value_or(default_response(port.rate));
    result.requests = pause_requests_of(config);
    result.limits.capacity = static_cast<std::uint32_t>(device.ingress_buffer.count());
    result.limits.xoff = result.limits.xon = ingress_limits::no_threshold;
    result.limits.count = config.count;
    result.limits.one_class = config.mode == flow_control_mode::pause;
    if (config.mode == flow_control_mode::none) {
        return result;
    }
    compute_reserve(result, device, config, port);
    const std::int64_t classes = result.limits.one_class ? 1 : device.classes;
    result.class_memory = device.ingress_buffer / classes;
    const bytes xoff = config.xoff.value_or(result.class_memory - result.reserve - result.crossing);
    if (xoff < 1_B) {
        result.errors.push_back(option_error(
            "switch.ingress_buffer",
            std::string("{} is too small for {} lossless {classes}: each needs a reserve of {} at {} and {}") +
                (result.crossing > 0_B ? ", and room for one frame" : "") + "; expected more than {}",
            {to_text(device.ingress_buffer), std::to_string(classes), to_text(result.reserve),
             to_text(port.fastest_rate()), to_text(port.longest_latency()),
             to_text((result.reserve + result.crossing) * classes)}));
        return result;
    }
    if (xoff > device.ingress_buffer) {
        result.errors.push_back({{},
                                 0,
                                 "pfc.xoff",
                                 to_text(xoff) + " is more than the port's memory; expected 1B to " +
                                     to_text(device.ingress_buffer)});
        return result;
    }
    const bytes xon = config.xon.value_or(std::min(result.reserve, xoff));
    if (xon < 1_B || xon > xoff) {
        result.errors.push_back({{},
                                 0,
                                 "pfc.xon",
                                 to_text(xon) + " is not below XOFF; expected 1B to " + to_text(xoff) +
                                     " (XOFF at " + to_text(port.fastest_rate()) + " and " +
                                     to_text(port.longest_latency()) + ")"});
        return result;
    }
    check_refresh(result, device.max_frame + port.wire_overhead);
    result.limits.xoff = static_cast<std::uint32_t>(xoff.count());
    result.limits.xon = static_cast<std::uint32_t>(xon.count());
    const bytes needed = config.reserve ? result.reserve : result.worst_case;
    result.headroom = result.class_memory - xoff - largest_crossing(device);
    result.can_lose = needed > result.headroom;
    return result;
}

bytes reserve_at_rise(const switch_config& device, const pfc_config& config, const port_config& port,
                      bit_rate before, bit_rate after) {
    pfc_headroom_terms terms =
        headroom_terms(device, config, port, after, config.response.value_or(default_response(port.rate)));
    terms.t_o_local = transmission_time(device.max_frame + port.wire_overhead, before);
    return memory_for(terms.total_bytes(), device, port.wire_overhead);
}

}  // namespace weir::model
