#include "weir/model/flow_control/pause_timers.h"

#include <algorithm>

namespace weir::model {

namespace {

constexpr class_mask bit(unsigned c) {
    return static_cast<class_mask>(1U << c);
}
constexpr class_mask without(class_mask from, class_mask classes) {
    return static_cast<class_mask>(from & ~classes);
}

/// Calls `visit(c)` for each class of the mask, in ascending order.
template <class Visit>
void for_each_class(class_mask classes, Visit&& visit) {
    for (unsigned rest = classes; rest != 0; rest &= rest - 1) {
        visit(static_cast<unsigned>(__builtin_ctz(rest)));
    }
}

}  // namespace

// Invariant: `m_next_expiry` is the earliest end of a class in `m_paused`; time is accounted up to `m_settled`.
class_mask pause_timers::apply(const pause_fields& fields, picoseconds now, const serializer& link) {
    settle(now);
    const class_mask before = m_paused;
    ++m_stats.frames_received;
    for_each_class(fields.class_enable, [&](unsigned c) {
        // One quantum is 512 bit times: 64 bytes.
        m_end[c] = std::min(now + link(bytes{std::int64_t{fields.quanta[c]} * 64}), latest_time);
        if (fields.quanta[c] != 0) {
            ++m_stats.xoff_received[c];
            m_paused = static_cast<class_mask>(m_paused | bit(c));
        } else {
            ++m_stats.xon_received[c];
            m_paused = without(m_paused, bit(c));
        }
    });
    find_next_expiry();
    const class_mask released = without(before, m_paused);
    return m_next_expiry <= now ? static_cast<class_mask>(released | expire(now)) : released;
}

class_mask pause_timers::apply_pause(const pause_fields& fields, picoseconds now, const serializer& link) {
    pause_fields all;
    all.class_enable = 0xFF;
    all.quanta.fill(fields.quanta[0]);
    return apply(all, now, link);
}

class_mask pause_timers::paused(picoseconds now) const {
    if (now < m_next_expiry) {
        return m_paused;
    }
    class_mask paused = m_paused;
    for_each_class(m_paused, [&](unsigned c) {
        if (m_end[c] <= now) {
            paused = without(paused, bit(c));
        }
    });
    return paused;
}

class_mask pause_timers::expire(picoseconds now) {
    if (now < m_next_expiry) {
        return 0;
    }
    settle(now);
    const class_mask ended = without(m_paused, paused(now));
    m_paused = without(m_paused, ended);
    find_next_expiry();
    return ended;
}

void pause_timers::end_pauses(class_mask classes, picoseconds now) {
    settle(now);
    for_each_class(static_cast<class_mask>(m_paused & classes), [&](unsigned c) { m_end[c] = now; });
    m_paused = without(m_paused, classes);
    find_next_expiry();
}

// Timers that are kept elsewhere: an end is known only when it has come, `next` is when to ask again.
class_mask pause_timers::follow(class_mask paused, picoseconds next, picoseconds now) {
    settle(now);
    const class_mask ended = without(m_paused, paused);
    for_each_class(ended, [&](unsigned c) { m_end[c] = now; });
    for_each_class(paused, [&](unsigned c) { m_end[c] = latest_time; });
    m_paused = paused;
    m_next_expiry = next;
    return ended;
}

void pause_timers::settle(picoseconds now) {
    for_each_class(m_paused, [&](unsigned c) {
        const picoseconds until = std::min(m_end[c], now);
        if (until > m_settled) {
            m_stats.paused_time[c] += until - m_settled;
        }
    });
    m_settled = std::max(m_settled, now);
}

void pause_timers::find_next_expiry() {
    m_next_expiry = never;
    for_each_class(m_paused, [&](unsigned c) { m_next_expiry = std::min(m_next_expiry, m_end[c]); });
}

}  // namespace weir::model
