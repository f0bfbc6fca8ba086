#include "tb/compare/comparison.h"

#include <algorithm>
#include <tuple>
#include <utility>

#include "tb/compare/stream_offsets.h"

namespace weir::tb {

namespace {

class stream_comparer {
 public:
    stream_comparer(const event_streams& streams, const comparison_options& options,
                    const waive_function& waive)
        : m_streams(streams), m_options(options), m_waive(waive) {}

    comparison run() {
        const std::int64_t common =
            m_options.offset == stream_offset::all ? common_offset(m_streams) : std::int64_t{0};
        for (std::size_t s = 0; s < m_streams.all.size(); ++s) {
            const event_stream& stream = m_streams.all[s];
            stream_result result;
            if (m_options.offset == stream_offset::none) {
                result.events = align_shifted(stream, m_options.limits);
            } else {
                result.offset =
                    m_options.offset == stream_offset::first ? best_offset(stream, m_options.limits) : common;
                result.events = align(stream.expected, stream.actual, m_options.limits, result.offset);
            }
            find_offset(stream, result);
            collect(s, result);
            m_found.streams.push_back(std::move(result));
        }
        std::stable_sort(m_found.mismatches.begin(), m_found.mismatches.end(),
                         [this](const event_mismatch& a, const event_mismatch& b) {
                             return std::tuple(m_streams.all[a.stream].scope, a.time) <
                                    std::tuple(m_streams.all[b.stream].scope, b.time);
                         });
        return std::move(m_found);
    }

 private:
    void find_offset(const event_stream& stream, stream_result& result) {
        bool same = true;
        for (const alignment_step& step : result.events.steps) {
            if (step.expected < 0 || step.actual < 0 ||
                stream.expected[step.expected].values != stream.actual[step.actual].values) {
                continue;
            }
            const std::int64_t distance = stream.actual[step.actual].time - stream.expected[step.expected].time;
            same = same && result.constant_offset.value_or(distance) == distance;
            result.constant_offset = distance;
        }
        if (!same) {
            result.constant_offset.reset();
        }
        if (result.constant_offset.value_or(0) != 0) {
            ++m_found.offsets[*result.constant_offset];
        }
    }

    void collect(std::size_t s, const stream_result& result) {
        const event_stream& stream = m_streams.all[s];
        std::int64_t last_time = 0;
        for (std::size_t i = 0; i < result.events.steps.size(); ++i) {
            const alignment_step& step = result.events.steps[i];
            event_mismatch found;
            found.stream = s;
            found.step = i;
            if (step.expected >= 0) {
                last_time = stream.expected[step.expected].time;
            }
            found.time = last_time;
            if (step.actual < 0) {
                found.kind = mismatch_kind::missing;
            } else if (step.expected < 0) {
                found.kind = mismatch_kind::extra;
                if (m_options.timed) {
                    found.time = stream.actual[step.actual].time - result.offset;
                }
            } else {
                const stream_event& e = stream.expected[step.expected];
                const stream_event& a = stream.actual[step.actual];
                const pair_check check = check_pair(e, a, m_options.limits, result.offset);
                if (check.good()) {
                    ++m_found.matched;
                    continue;
                }
                found.late_by = a.time - e.time - result.offset;
                // Where a shift was found, a pair may differ in both.
                found.kind =
                    check.same_values && !check.in_time ? mismatch_kind::late : mismatch_kind::different;
            }
            add(found, stream, step);
        }
    }

    void add(event_mismatch found, const event_stream& stream, const alignment_step& step) {
        const bool expected = step.expected >= 0;
        found.waived = m_waive(found.kind, expected,
                               expected ? stream.expected[step.expected].row : stream.actual[step.actual].row);
        if (found.waived) {
            ++m_found.waived;
        } else {
            ++m_found.count[static_cast<std::size_t>(found.kind)];
        }
        m_found.mismatches.push_back(found);
    }

    const event_streams& m_streams;
    const comparison_options& m_options;
    const waive_function& m_waive;
    comparison m_found;
};

}  // namespace

comparison compare_events(const event_streams& streams, const comparison_options& options,
                          const waive_function& waive) {
    return stream_comparer(streams, options, waive).run();
}

}  // namespace weir::tb
