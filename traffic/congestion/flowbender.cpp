#include "weir/traffic/congestion/flowbender.h"

#include <algorithm>

#include "weir/base/rng.h"
#include "weir/base/share_text.h"

namespace weir::traffic {

namespace {

/// Equally likely, 0 to `count` - 1; the same for the same transfer on every machine.
std::uint32_t draw(flowbender_state& s, std::uint32_t count) {
    const std::uint64_t bits = random_stream::mix(random_stream::mix(s.flow) + ++s.draws);
    return static_cast<std::uint32_t>(((bits >> 32) * count) >> 32);
}

std::uint16_t tag_of(const flowbender_state& s, std::uint8_t path) {
    return static_cast<std::uint16_t>(s.home + path);
}

/// Whether a / b is less than c / d, in whole numbers.
bool is_less(std::uint64_t a, std::uint64_t b, std::uint64_t c, std::uint64_t d) {
    return a * d < c * b;
}

}  // namespace

config_errors flowbender_config::validate() const {
    range_check check = check_ranges(*this, "flowbender");
    check.require(probe_every == 0 || probe_threshold <= threshold, "probe_threshold",
                  share_text(probe_threshold), "at most {} ({threshold})", share_text(threshold));
    // The only change would lead to the path that is to be left.
    check.require(lock_after != 1, "lock_after", lock_after, "0, or at least 2");
    return check.take();
}

void flowbender::open(path_state& state, std::uint64_t flow) const {
    auto& s = static_cast<flowbender_state&>(state);
    s.flow = flow;
    s.home = s.tag;
    s.trial = s.good = s.probed = s.best = flowbender_state::no_path;
    draw_patience(s);
}

void flowbender::draw_patience(flowbender_state& s) const {
    const unsigned drawn = m_config.random_rounds ? m_config.rounds + draw(s, 3) - 1 : m_config.rounds;
    s.patience = static_cast<std::uint8_t>(std::clamp(drawn, 1U, 255U));
}

void flowbender::on_ack(path_state& state, const ack_event& ack) const {
    auto& s = static_cast<flowbender_state&>(state);
    if (ack.una > s.round_end) {
        end_round(s);
        s.round_end = ack.max;
    }
    const bool by_trial = s.trial_tenths > 0 && ack.path_tag == tag_of(s, s.trial);
    if (ack.path_tag == s.tag || by_trial) {
        ++s.acks;
        s.marked += ack.ecn_echo ? 1 : 0;
    }
    if (s.probe_end != 0) {
        take_probe(s, ack);
    }
}

/// The probe may overtake what was sent before it, and be overtaken: its ACK is known by its tag.
void flowbender::take_probe(flowbender_state& s, const ack_event& ack) const {
    const bool answers = ack.path_tag == tag_of(s, s.probed);
    if (answers && !ack.ecn_echo) {
        s.good = s.probed;
    } else if (answers && s.good == s.probed) {
        s.good = flowbender_state::no_path;
    }
    if (answers || ack.una >= s.probe_end) {
        s.probe_end = 0;
    }
}

void flowbender::end_round(flowbender_state& s) const {
    ++s.round;
    if (s.acks == 0) {
        return;
    }
    const double share = static_cast<double>(s.marked) / s.acks;
    const bool congested = share > m_config.threshold;
    const bool locked = s.round <= s.locked_until;
    if (!congested) {
        s.congested = s.changes = 0;
        s.best = flowbender_state::no_path;
        if (s.trial_tenths > 0 && ++s.trial_tenths == 10) {
            move_to(s, s.trial);
        }
        const bool warned = m_config.probe_every > 0 && share > m_config.probe_threshold;
        if (warned && !locked && s.good != flowbender_state::no_path && s.good != s.path) {
            move_to(s, s.good);
        }
    } else if (++s.congested >= s.patience) {
        s.congested = 0;
        if (!locked) {
            leave(s);
            draw_patience(s);
        }
    }
    s.acks = s.marked = 0;
}

void flowbender::leave(flowbender_state& s) const {
    const std::uint8_t failed = s.trial_tenths > 0 ? s.trial : s.path;
    s.avoided_until[failed] = s.round + m_config.avoid_rounds;
    if (m_config.lock_after > 0) {
        if (s.best == flowbender_state::no_path || is_less(s.marked, s.acks, s.best_marked, s.best_acks)) {
            s.best = failed;
            s.best_acks = s.acks;
            s.best_marked = s.marked;
        }
        if (++s.changes == m_config.lock_after) {
            s.locked_until = s.round + m_config.lock_rounds;
            s.changes = 0;
            move_to(s, s.best);
            s.best = flowbender_state::no_path;
            return;
        }
    }
    const bool knows_good = s.good != flowbender_state::no_path && s.good != s.path && s.good != failed;
    const std::uint8_t next = knows_good ? s.good : another_path(s);
    s.good = flowbender_state::no_path;
    if (m_config.gradual) {
        s.trial = next;
        s.trial_tenths = 1;
    } else {
        move_to(s, next);
    }
}

/// Any but this one and the one on trial; of those that are not avoided, if there are any.
std::uint8_t flowbender::another_path(flowbender_state& s) const {
    enum wishes { neither_tried_nor_avoided, not_tried, any };
    const auto fits = [&](std::uint8_t path, int wish) {
        return path != s.path && (wish == any || path != s.trial) &&
               (wish != neither_tried_nor_avoided || s.avoided_until[path] <= s.round);
    };
    std::array<std::uint8_t, flowbender_config::most_paths> found;
    std::uint32_t count = 0;
    for (int wish = neither_tried_nor_avoided; count == 0; ++wish) {
        for (std::uint8_t path = 0; path < m_config.paths; ++path) {
            if (fits(path, wish)) {
                found[count++] = path;
            }
        }
    }
    return found[draw(s, count)];
}

void flowbender::move_to(flowbender_state& s, std::uint8_t path) const {
    s.path = path;
    s.tag = tag_of(s, path);
    s.trial = flowbender_state::no_path;
    s.trial_tenths = 0;
}

void flowbender::on_timeout(path_state& state) const {
    auto& s = static_cast<flowbender_state&>(state);
    s.avoided_until[s.path] = s.round + m_config.avoid_rounds;
    s.locked_until = 0;
    s.probe_end = 0;
    s.congested = s.changes = 0;
    s.best = s.good = flowbender_state::no_path;
    move_to(s, another_path(s));
    draw_patience(s);
}

std::uint16_t flowbender::tag_of_segment(path_state& state, std::uint64_t end, bool again) const {
    auto& s = static_cast<flowbender_state&>(state);
    const std::uint32_t number = s.segments++;
    if (s.trial_tenths > 0 && number % 10 < s.trial_tenths) {
        return tag_of(s, s.trial);
    }
    const bool probes = m_config.probe_every > 0 && !again && s.probe_end == 0;
    if (probes && number % m_config.probe_every == m_config.probe_every - 1) {
        s.probed = another_path(s);
        s.probe_end = end;
        return tag_of(s, s.probed);
    }
    return s.tag;
}

}  // namespace weir::traffic
