#include "weir/model/analysis/unloaded_time.h"

#include <algorithm>
#include <numeric>

namespace weir::model {

segmentation segments_of(bytes transfer, const unloaded_delays& delays) {
    if (transfer <= bytes{0}) {
        return {0, bytes{0}};
    }
    const std::int64_t full = (transfer.count() - 1) / delays.segment_payload.count();
    return {full, transfer - delays.segment_payload * full};
}

picoseconds service_time(const path_stage& stage, bytes frame_length, const unloaded_delays& delays) {
    if (stage.interval > picoseconds{0} || stage.rate == bit_rate{0}) {
        return stage.interval;
    }
    if (stage.slot > picoseconds{0}) {
        return stage.slot * cells_of(frame_length, delays.cell).count();
    }
    return transmission_time(frame_length + delays.wire_overhead, stage.rate);
}

namespace {

/// When a stage may begin with a frame that is there at `time`.
picoseconds begin_at(const path_stage& stage, picoseconds time) {
    if (stage.slot == picoseconds{0}) {
        return time;
    }
    const picoseconds past = time % stage.slot;
    return past == picoseconds{0} ? time : time + stage.slot - past;
}

bool has_slots(const path_stages& stages) {
    return std::any_of(stages.begin(), stages.end(),
                       [](const path_stage& stage) { return stage.slot > picoseconds{0}; });
}

/// A lone frame from the first stage, where it is at `time`, to the end.
picoseconds arrival_of(const path_stages& stages, picoseconds time, bytes frame_length,
                       const unloaded_delays& delays) {
    for (const path_stage& stage : stages) {
        time = begin_at(stage, time) + service_time(stage, frame_length, delays) + stage.delay_after;
    }
    return time;
}

/// Segments through stages, one after another.
class segment_train {
 public:
    segment_train(const path_stages& stages, picoseconds start, const unloaded_delays& delays)
        : m_stages(stages), m_delays(delays), m_start(start), m_finish(stages.size(), picoseconds{0}) {}

    /// The next segment's last bit at the end of the last stage.
    picoseconds pass(bytes payload) {
        const bytes length = m_delays.frame_length(payload);
        picoseconds arrival = m_start;
        for (std::size_t j = 0; j < m_stages.size(); ++j) {
            m_finish[j] = std::max(m_finish[j], begin_at(m_stages[j], arrival)) +
                          service_time(m_stages[j], length, m_delays);
            arrival = m_finish[j] + m_stages[j].delay_after;
        }
        return arrival;
    }

    /// Full segments, of which a long row repeats itself: from some segment on each stage is done with one
    /// `spacing` after the one before, on average over the `period` in which the waits for slots repeat.
    void pass_full(std::int64_t segments) {
        if (segments <= recursion_segments) {
            pass_each(segments);
            return;
        }
        const std::vector<picoseconds> spacing = spacings();
        const std::int64_t period = period_of(spacing);
        std::int64_t passed = 0;
        while (passed + period <= std::min(segments, slotted_segments)) {
            const std::vector<picoseconds> before = m_finish;
            pass_each(period);
            passed += period;
            if (passed > period && has_advanced(before, spacing, period)) {
                break;
            }
        }
        // The state after `period` segments is the one before, later: so is all that follows. Where that was
        // not found out in time, nearly so.
        const std::int64_t skipped = (segments - passed) / period * period;
        for (std::size_t j = 0; j < m_finish.size(); ++j) {
            m_finish[j] = begin_at(m_stages[j], m_finish[j] + spacing[j] * skipped);
        }
        pass_each(segments - passed - skipped);
    }

 private:
    void pass_each(std::int64_t segments) {
        for (std::int64_t i = 0; i < segments; ++i) {
            pass(m_delays.segment_payload);
        }
    }
    /// Of full segments, at the end of each stage: what the slowest stage so far takes.
    std::vector<picoseconds> spacings() const {
        const bytes length = m_delays.frame_length(m_delays.segment_payload);
        std::vector<picoseconds> spacing;
        picoseconds slowest{0};
        for (const path_stage& stage : m_stages) {
            slowest = std::max(slowest, service_time(stage, length, m_delays));
            spacing.push_back(slowest);
        }
        return spacing;
    }
    /// Segments until they come to all slots as before; at most `slotted_segments`.
    std::int64_t period_of(const std::vector<picoseconds>& spacing) const {
        std::int64_t period = 1;
        for (std::size_t j = 1; j < m_stages.size(); ++j) {
            const std::int64_t slot = m_stages[j].slot.count();
            if (slot > 0) {
                period = std::lcm(period, slot / std::gcd(slot, spacing[j - 1].count()));
            }
            if (period > slotted_segments) {
                return slotted_segments;
            }
        }
        return period;
    }
    bool has_advanced(const std::vector<picoseconds>& before, const std::vector<picoseconds>& spacing,
                      std::int64_t segments) const {
        for (std::size_t j = 0; j < m_finish.size(); ++j) {
            if (m_finish[j] - before[j] != spacing[j] * segments) {
                return false;
            }
        }
        return true;
    }

    const path_stages& m_stages;
    const unloaded_delays& m_delays;
    picoseconds m_start;
    /// By stage: the end of its latest service.
    std::vector<picoseconds> m_finish;
};

/// Starts that may be the best: those at which a frame that comes to the first crossbar at one of `arrivals`,
/// for a start at 0, has not to wait there. Crossbars with other slots repeat the pattern after a common
/// multiple of all.
struct start_grid {
    /// Ascending, below a slot of the first crossbar.
    std::vector<picoseconds> phases;
    picoseconds slot;
    /// Slots of the first crossbar until all is as before; `unknown` where that is beyond 2^62 ps.
    std::int64_t slots;
    static constexpr std::int64_t unknown = -1;
};

start_grid starts_of(const path_stages& there, const path_stages& back, std::vector<picoseconds> arrivals) {
    const auto first = std::find_if(there.begin(), there.end(),
                                    [](const path_stage& stage) { return stage.slot > picoseconds{0}; });
    start_grid grid{{}, first->slot, 1};
    std::int64_t common = first->slot.count();
    for (const path_stages* stages : {&there, &back}) {
        for (const path_stage& stage : *stages) {
            const std::int64_t slot = stage.slot.count();
            if (slot > 0 && common > 0) {
                const std::int64_t times = slot / std::gcd(common, slot);
                common = times <= (std::int64_t{1} << 62) / common ? common * times : 0;
            }
        }
    }
    grid.slots = common > 0 ? common / grid.slot.count() : start_grid::unknown;
    for (picoseconds& arrival : arrivals) {
        arrival = begin_at(*first, arrival) - arrival;
    }
    std::sort(arrivals.begin(), arrivals.end());
    arrivals.erase(std::unique(arrivals.begin(), arrivals.end()), arrivals.end());
    grid.phases = std::move(arrivals);
    return grid;
}

/// The least of finish(start) - start over the grid. A later start is never done earlier, so of the starts with
/// one end the last is the best, and is found by bisection: few ends where some slots are much longer than
/// others. `bound`: what it cannot be below; the result where the search would take too long.
template <class Finish>
picoseconds least_over_starts(const start_grid& grid, picoseconds bound, Finish&& finish) {
    std::int64_t left = most_starts;
    picoseconds least = never;
    for (const picoseconds phase : grid.phases) {
        const auto end_of = [&](std::int64_t slot) {
            --left;
            return finish(phase + grid.slot * slot);
        };
        for (std::int64_t i = 0; i < grid.slots && least > bound; ++i) {
            const picoseconds end = end_of(i);
            std::int64_t step = 1;
            while (i + step < grid.slots && end_of(i + step) == end) {
                i += step;
                step *= 2;
            }
            for (; step > 0; step /= 2) {
                if (i + step < grid.slots && end_of(i + step) == end) {
                    i += step;
                }
            }
            least = std::min(least, end - (phase + grid.slot * i));
            if (left < 0) {
                return bound;
            }
        }
    }
    return grid.slots == start_grid::unknown ? bound : least;
}

/// The stages before the first with slots.
path_stages before_slots(const path_stages& stages) {
    path_stages first;
    for (const path_stage& stage : stages) {
        if (stage.slot > picoseconds{0}) {
            break;
        }
        first.push_back(stage);
    }
    return first;
}

/// When the segments of a transfer that starts at 0 come to the first stage with slots: the first ones and the
/// last.
std::vector<picoseconds> arrivals_at_slots(const path_stages& stages, bytes transfer,
                                           const unloaded_delays& delays) {
    const segmentation s = segments_of(transfer, delays);
    const path_stages first = before_slots(stages);
    segment_train train(first, delays.stack_out, delays);
    std::vector<picoseconds> arrivals;
    for (std::int64_t i = 0; i < std::min(s.full, recursion_segments); ++i) {
        arrivals.push_back(train.pass(delays.segment_payload));
    }
    arrivals.push_back(completion_in_closed_form(first, transfer, delays) - delays.stack_in);
    return arrivals;
}

picoseconds least_completion(const path_stages& there, const path_stages* back, bytes transfer,
                             const unloaded_delays& delays, const std::vector<picoseconds>& arrivals) {
    picoseconds bound = completion_in_closed_form(there, transfer, delays);
    if (back != nullptr) {
        bound += completion_in_closed_form(there, bytes{0}, delays) +
                 completion_in_closed_form(*back, bytes{0}, delays);
    }
    const start_grid grid = starts_of(there, back != nullptr ? *back : path_stages{}, arrivals);
    return least_over_starts(grid, bound, [&](picoseconds start) {
        return completion_from(start, there, back, transfer, delays) + start;
    });
}

}  // namespace

picoseconds frame_time(const path_stages& stages, bytes frame_length, const unloaded_delays& delays) {
    if (!has_slots(stages)) {
        return arrival_of(stages, picoseconds{0}, frame_length, delays);
    }
    picoseconds bound{0};
    for (const path_stage& stage : stages) {
        bound += service_time(stage, frame_length, delays) + stage.delay_after;
    }
    const picoseconds arrival = arrival_of(before_slots(stages), picoseconds{0}, frame_length, delays);
    return least_over_starts(starts_of(stages, {}, {arrival}), bound, [&](picoseconds start) {
        return arrival_of(stages, start, frame_length, delays);
    });
}

picoseconds completion_by_recursion(const path_stages& stages, bytes transfer, const unloaded_delays& delays) {
    const segmentation s = segments_of(transfer, delays);
    segment_train train(stages, delays.stack_out, delays);
    for (std::int64_t i = 0; i < s.full; ++i) {
        train.pass(delays.segment_payload);
    }
    return train.pass(s.last) + delays.stack_in;
}

picoseconds completion_in_closed_form(const path_stages& stages, bytes transfer,
                                      const unloaded_delays& delays) {
    // The longest way through the grid of (segment, stage) services that goes only to the next segment or
    // to the next stage. The full segments are equal, so with n of them a way that leaves the last full
    // segment at stage j has served them for sum(1..j) + (n - 1) x max(1..j); from j on follows the rest.
    const segmentation s = segments_of(transfer, delays);
    const bytes full_frame = delays.frame_length(delays.segment_payload);
    const bytes last_frame = delays.frame_length(s.last);
    picoseconds delays_on_path = delays.stack_out + delays.stack_in;
    picoseconds rest{0};
    for (const path_stage& stage : stages) {
        delays_on_path += stage.delay_after;
        rest += service_time(stage, last_frame, delays);
    }
    if (s.full == 0) {
        return delays_on_path + rest;
    }
    picoseconds longest{0};
    picoseconds sum{0};
    picoseconds slowest{0};
    for (const path_stage& stage : stages) {
        const picoseconds full = service_time(stage, full_frame, delays);
        sum += full;
        slowest = std::max(slowest, full);
        longest = std::max(longest, sum + slowest * (s.full - 1) + rest);
        rest -= service_time(stage, last_frame, delays);
    }
    return delays_on_path + longest;
}

picoseconds completion_from(picoseconds start, const path_stages& there, const path_stages* back,
                            bytes transfer, const unloaded_delays& delays) {
    const segmentation s = segments_of(transfer, delays);
    picoseconds time = start;
    if (back != nullptr) {
        const bytes syn = delays.frame_length(delays.syn_options);
        time = arrival_of(there, time + delays.stack_out, syn, delays) + delays.stack_in;
        time = arrival_of(*back, time + delays.stack_out, syn, delays) + delays.stack_in;
    }
    segment_train train(there, time + delays.stack_out, delays);
    if (back != nullptr && delays.handshake_ack) {
        train.pass(bytes{0});
    }
    train.pass_full(s.full);
    return train.pass(s.last) + delays.stack_in - start;
}

picoseconds ideal_completion(const path_stages& stages, bytes transfer, const unloaded_delays& delays) {
    if (has_slots(stages)) {
        return least_completion(stages, nullptr, transfer, delays, arrivals_at_slots(stages, transfer, delays));
    }
    return segments_of(transfer, delays).full < recursion_segments
               ? completion_by_recursion(stages, transfer, delays)
               : completion_in_closed_form(stages, transfer, delays);
}

picoseconds ideal_completion_with_handshake(const path_stages& there, const path_stages& back, bytes transfer,
                                            const unloaded_delays& delays) {
    if (has_slots(there)) {
        // Behind the first crossbar all times are the slots': the SYN's wait there alone depends on the start.
        const bytes syn = delays.frame_length(delays.syn_options);
        const picoseconds arrival = arrival_of(before_slots(there), delays.stack_out, syn, delays);
        return least_completion(there, &back, transfer, delays, {arrival});
    }
    return completion_from(picoseconds{0}, there, &back, transfer, delays);
}

}  // namespace weir::model
