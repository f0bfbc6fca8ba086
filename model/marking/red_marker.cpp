#include "weir/model/marking/red_marker.h"

#include <algorithm>
#include <string>

#include "weir/model/marking/marking_config.h"

namespace weir::model {

frame_action red_marker::decide(const queue_sight& queue) {
    red_state& s = m_states[queue.port * m_rules.size() + queue.frame_class];
    const red_rule& rule = m_rules[queue.frame_class];
    // An arrival ends the idle time, also if the frame is dropped and the queue stays empty.
    picoseconds& arrived = m_arrived[queue.port * m_rules.size() + queue.frame_class];
    double idle_frames = 0;
    if (queue.empty_since != never) {
        idle_frames = static_cast<double>((queue.now - std::max(queue.empty_since, arrived)).count()) /
                      static_cast<double>(m_mean_frame_times[queue.port].count());
    }
    arrived = queue.now;
    const std::uint64_t length = m_options.in_frames ? queue.frames : queue.bytes;
    rule.arrive(s, static_cast<double>(length), idle_frames);
    const bool can_mark = (queue.frame.flags & ecn_capable) != 0;
    const bool may_drop = (m_options.lossy >> queue.frame_class & 1) != 0;
    const bool is_spared = rule.is_early(s) && m_options.spares_control && !queue.frame.has_payload();
    if (is_spared || (!can_mark && !may_drop)) {
        return frame_action::keep;
    }
    const red_answer answer =
        rule.decide(s, queue.frame.frame_bytes, rule.is_early(s) ? queue.chance.uniform() : 0);
    if (answer == red_answer::pass) {
        return frame_action::keep;
    }
    return may_drop && (answer == red_answer::forced || !can_mark) ? frame_action::drop : frame_action::mark;
}

void red_config::check(range_check& check, unsigned classes) const {
    check_class_values(check, "marking.k_min_frames", k_min_frames ? k_min_frames->size() : 1, classes);
    check_class_values(check, "marking.k_max_frames", k_max_frames ? k_max_frames->size() : 1, classes);
    check.refuse(k_min_frames.has_value() != k_max_frames.has_value(),
                 k_min_frames ? "marking.k_min_frames" : "marking.k_max_frames",
                 "is set alone; expected both {marking.k_min_frames} and {marking.k_max_frames}, or both auto");
    std::uint32_t least = 0;
    std::uint32_t most = 0;
    const bool counts = k_min_frames && k_max_frames && !k_min_frames->empty() && !k_max_frames->empty();
    for (unsigned each = 0; counts && each < classes && least <= most; ++each) {
        least = value_of_class(*k_min_frames, static_cast<pfc_class>(each));
        most = value_of_class(*k_max_frames, static_cast<pfc_class>(each));
    }
    check.require(least <= most, "marking.k_max_frames", std::to_string(most),
                  "at least {marking.k_min_frames} ({})", least);
}

static std::unique_ptr<marker> make_red(const marker_setup& setup) {
    const ramp_config& ramp = setup.config.ramp;
    const red_config& config = setup.config.red;
    const bool in_frames = config.k_min_frames.has_value();
    std::vector<red_rule> rules;
    for (unsigned each = 0; each < setup.classes; ++each) {
        const auto c = static_cast<pfc_class>(each);
        red_parameters red;
        red.weight = config.weight;
        red.min = static_cast<double>(in_frames ? value_of_class(*config.k_min_frames, c)
                                                : bytes_of_class(ramp.k_min, c));
        red.max = static_cast<double>(in_frames ? value_of_class(*config.k_max_frames, c)
                                                : bytes_of_class(ramp.k_max, c));
        red.p_max = ramp.p_max;
        red.gentle = config.gentle;
        red.wait = config.wait;
        red.in_bytes = !in_frames;
        red.mean_frame = static_cast<double>(config.mean_frame.count());
        rules.emplace_back(red);
    }
    std::vector<picoseconds> mean_frame_times;
    for (const port_config& link : setup.links) {
        mean_frame_times.push_back(transmission_time(config.mean_frame + link.wire_overhead, link.rate));
    }
    const unsigned lossy = config.may_drop ? (*config.may_drop ? 0xFFU : 0U) : ~unsigned{setup.lossless};
    return std::make_unique<red_marker>(
        std::move(rules), std::move(mean_frame_times),
        red_options{in_frames, config.spares_control, static_cast<class_mask>(lossy)});
}

static marking_start red_start(const marking_config& config, const qcn_config&, pfc_class c) {
    return config.red.k_min_frames
               ? marking_start{"marking.k_min_frames", 0_B, value_of_class(*config.red.k_min_frames, c)}
               : marking_start{"marking.k_min", value_of_class(config.ramp.k_min, c), {}};
}

static void check_red(range_check& check, const marking_config& config, unsigned classes) {
    config.red.check(check, classes);
    if (!config.red.k_min_frames) {
        config.ramp.check(check, classes);
    }
}

marker_entry red_marker_kind() {
    marker_traits traits{make_red, true, red_start, "no frame is marked or dropped early"};
    traits.counts_arrivals = true;
    traits.drops_early = true;
    traits.check = check_red;
    return {
        "red",
        "RED: by chance, the more often the longer the queue is on average; frames that cannot be marked are "
        "dropped",
        traits};
}

}  // namespace weir::model
