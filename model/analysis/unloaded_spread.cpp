#include "weir/model/analysis/unloaded_spread.h"

#include <algorithm>

#include "weir/model/analysis/unloaded_path.h"

namespace weir::model {

namespace {

/// Takes in one more member.
void add_member(spread_row& row, bool& alike, const path_stage& member) {
    path_stage& best = row.quickest;
    if (row.width++ == 0) {
        best = member;
        return;
    }
    alike =
        alike && best.rate == member.rate && best.delay_after == member.delay_after && best.slot == member.slot;
    best.rate = std::max(best.rate, member.rate);
    best.delay_after = std::min(best.delay_after, member.delay_after);
    best.slot = std::min(best.slot, member.slot);
}

/// Sum of services and delays of rows [first, last).
picoseconds alone(const std::vector<spread_row>& rows, std::size_t first, std::size_t last, bytes length,
                  const unloaded_delays& delays) {
    picoseconds sum{0};
    for (std::size_t j = first; j < last; ++j) {
        sum += service_time(rows[j].quickest, length, delays) + rows[j].quickest.delay_after;
    }
    return sum;
}

/// When full segments can be at the last link.
class full_arrivals {
 public:
    full_arrivals(const std::vector<spread_row>& rows, const unloaded_delays& delays) {
        const bytes length = delays.frame_length(delays.segment_payload);
        m_first = delays.stack_out + alone(rows, 0, rows.size() - 1, length, delays);
        for (std::size_t j = 0; j + 1 < rows.size(); ++j) {
            const picoseconds time = service_time(rows[j].quickest, length, delays);
            if (rows[j].width == 1) {
                m_spacing = std::max(m_spacing, time);
            } else {
                m_wide.push_back({time, rows[j].width});
            }
        }
    }
    /// The segment behind `before` others. A member of a row of width w serves every w-th at the soonest.
    picoseconds at(std::int64_t before) const {
        picoseconds later = m_spacing * before;
        for (const auto& [time, width] : m_wide) {
            later = std::max(later, time * (before / width) + m_spacing * (before % width));
        }
        return m_first + later;
    }

 private:
    struct wide_row {
        picoseconds time;
        std::int64_t width;
    };
    picoseconds m_first{0};
    picoseconds m_spacing{0};
    std::vector<wide_row> m_wide;
};

/// Rows that frames pass in their order: those before the first with a choice, and a crossbar only where it is
/// done with a frame before the next is there.
std::size_t rows_in_order(const std::vector<spread_row>& rows, bytes full, bytes last,
                          const unloaded_delays& delays) {
    std::size_t j = 1;
    for (; j + 1 < rows.size() && rows[j].width == 1; ++j) {
        for (const bytes length : {full, last}) {
            if (service_time(rows[j].quickest, length, delays) >
                service_time(rows[0].quickest, length, delays)) {
                return j;
            }
        }
    }
    return j;
}

}  // namespace

bool spread_rows::has_choice() const {
    return std::any_of(rows.begin(), rows.end(), [](const spread_row& row) { return row.width > 1; });
}

spread_rows rows_between(const topology& fabric, const link_states& link_up,
                         const std::vector<std::uint32_t>& distance, switch_id from, switch_id to,
                         const unloaded_delays& delays) {
    spread_rows made;
    std::vector<switch_id> here{from};
    std::int64_t ways_in = 1;
    for (bool arrived = distance[from] == unreachable; !arrived;) {
        spread_row lookups{{}, 0};
        spread_row crossbars{{}, 0};
        spread_row links{{}, 0};
        std::vector<switch_id> next;
        for (const switch_id s : here) {
            path_stage crossbar = crossbar_of(fabric, s, delays);
            if (delays.lookup_interval > picoseconds{0} || delays.speedup == 0) {
                add_member(lookups, made.alike, lookup_with_interval(delays));
            } else {
                crossbar.delay_after += delays.lookup_delay;  // before it or behind it is the same
            }
            if (delays.speedup > 0) {
                add_member(crossbars, made.alike, crossbar);
            }
            for (unsigned p = 0; s != to && p < fabric.port_count(s); ++p) {
                const node_ref at = node_ref::of_switch(s);
                const node_ref far = fabric.far_end(at, p).node;
                const link_id id = fabric.ports(at)[p];
                if (!far.is_host() && link_up[id] && distance[far.index] + 1 == distance[s]) {
                    add_member(links, made.alike, {fabric.link(id).rate, fabric.link(id).latency});
                    next.push_back(far.index);
                }
            }
        }
        if (lookups.width > 0) {
            made.rows.push_back(lookups);
        }
        if (crossbars.width > 0) {
            // A crossbar moves one frame from each way in, and to each way out, at a time.
            crossbars.width = std::min(ways_in, std::max(links.width, std::int64_t{1}));
            made.rows.push_back(crossbars);
        }
        arrived = here.front() == to;
        if (!arrived) {
            made.rows.push_back(links);
        }
        ways_in = links.width;
        std::sort(next.begin(), next.end());
        next.erase(std::unique(next.begin(), next.end()), next.end());
        here = std::move(next);
    }
    return made;
}

picoseconds least_spread_completion(const std::vector<spread_row>& rows, bytes transfer,
                                    const unloaded_delays& delays) {
    const segmentation s = segments_of(transfer, delays);
    const bytes full = delays.frame_length(delays.segment_payload);
    const bytes last = delays.frame_length(s.last);
    const path_stage& last_link = rows.back().quickest;
    const picoseconds full_time = service_time(last_link, full, delays);
    const picoseconds last_time = service_time(last_link, last, delays);
    const picoseconds after = last_link.delay_after + delays.stack_in;
    if (s.full == 0) {
        return delays.stack_out + alone(rows, 0, rows.size(), last, delays) + delays.stack_in;
    }

    const std::size_t ordered = rows_in_order(rows, full, last, delays);
    path_stages in_order;
    for (std::size_t j = 0; j < ordered; ++j) {
        in_order.push_back(rows[j].quickest);
    }
    const picoseconds last_arrival = completion_in_closed_form(in_order, transfer, delays) - delays.stack_in +
                                     alone(rows, ordered, rows.size() - 1, last, delays);
    const full_arrivals arrivals(rows, delays);
    std::int64_t earlier = 0;  // full segments that can be there before the last one
    for (std::int64_t step = std::int64_t{1} << 48; step > 0; step /= 2) {
        if (earlier + step <= s.full && arrivals.at(earlier + step - 1) < last_arrival) {
            earlier += step;
        }
    }
    // The last link's work from the arrival of any segment on. Of a long transfer the arrivals between are on
    // a line, or below it.
    picoseconds end = last_arrival + last_time + full_time * (s.full - earlier);
    const auto consider = [&](std::int64_t first, std::int64_t past) {
        for (std::int64_t k = std::max<std::int64_t>(first, 0); k < std::min(past, s.full); ++k) {
            const picoseconds arrival = arrivals.at(k);
            end = std::max(end, arrival + full_time * (s.full - k) +
                                    (last_arrival >= arrival ? last_time : picoseconds{0}));
        }
    };
    consider(0, recursion_segments * 4);
    consider(earlier - recursion_segments * 4, earlier + recursion_segments * 4);
    consider(s.full - recursion_segments * 4, s.full);
    return end + after;
}

}  // namespace weir::model
