#include "tb/run/samples/limit_timeline.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "tb/run/samples/fabric_totals.h"
#include "tb/support/record/record_table.h"

namespace weir::tb {

namespace {

constexpr std::int64_t frames_per_interval = 64;
constexpr picoseconds shortest_interval = 1us;
constexpr double full_scale = 65'535;

std::uint16_t small(double percent) {
    return static_cast<std::uint16_t>(percent * (full_scale / 100) + 0.5);
}
double percent_of(std::uint16_t share) {
    return 100.0 * share / full_scale;
}
std::uint16_t capped(std::uint64_t count) {
    return static_cast<std::uint16_t>(std::min<std::uint64_t>(count, 65'535));
}

/// Links and lookups count what has begun. Slots of cells, and frames that arrived for a memory, are counted
/// when they are read.
bool counts_lag(const fabric& made, const switch_config& device) {
    const std::vector<switch_id>& switches = made.own_switches();
    const bool has_timed_memories = !switches.empty() && made.device(switches.front()).sram() != nullptr;
    return on_any(made.team(), device.crossbar == crossbar_mode::cell || has_timed_memories);
}

picoseconds first_interval(const fabric& made, const switch_config& device) {
    picoseconds longest{0};
    for (const switch_id s : made.own_switches()) {
        for (unsigned port = 0; port < made.device(s).ports(); ++port) {
            const wire_output& wire = made.device(s).output(port);
            longest = std::max(longest, wire.wire_time(device.max_frame));
        }
    }
    std::int64_t of_ranks = longest.count();
    made.team().agree(&of_ranks, 1);
    return std::max(shortest_interval, picoseconds{of_ranks} * frames_per_interval);
}

}  // namespace

limit_timeline::limit_timeline(fabric& made, const switch_config& device, picoseconds warmup)
    : m_made(made),
      m_device(device),
      m_warmup(warmup),
      m_start(warmup),
      m_counts_lag(counts_lag(made, device)),
      m_look(first_interval(made, device)),
      m_interval(m_look),
      m_reached(warmup) {
    made.engine().look_every(m_look, *this);
}

void limit_timeline::bound_time::add(picoseconds begin, picoseconds end) {
    from = total > 0_ps ? from : begin;
    to = end;
    total += end - begin;
    of_interval += end - begin;
}

void limit_timeline::look(picoseconds now) {
    if (now <= m_warmup) {
        return;
    }
    if (m_counts_lag) {
        for (node* n : m_made.engine().members()) {
            n->settle(now);
        }
    }
    finding found = find(now);
    const shared_readings& before = m_pending ? m_pending->readings : m_before;
    const bool is_new = before == nullptr || !(*found.readings == *before);
    if (!on_any(m_made.team(), is_new)) {
        return;
    }
    if (m_pending) {
        take(std::move(*m_pending));
    }
    m_pending = std::move(found);
}

// Where looks were left out, or found nothing new, all that is new came after the last of them.
limit_timeline::finding limit_timeline::find(picoseconds now) {
    const picoseconds before = m_pending ? m_pending->time : m_reached;
    finding found{std::max(before, (now - 1_ps) / m_look * m_look), now,
                  std::make_shared<resource_readings>(read_resources(m_made, m_device, now, m_resources))};
    prepare(*found.readings);
    return found;
}

void limit_timeline::prepare(const resource_readings& readings) {
    if (m_is_prepared) {
        return;
    }
    m_is_prepared = true;
    m_resources = readings.resources.size();
    const std::size_t of_all = summed(m_made.team(), m_resources);
    const std::size_t affordable = memory / (std::max<std::size_t>(of_all, 1) * sizeof(small_load));
    m_capacity = static_cast<std::uint32_t>(std::clamp<std::size_t>(affordable, 32, most_intervals)) & ~3U;
    m_bound.resize(m_resources);
}

// The first frame is known when a second look finds something new, or when the run has ended.
void limit_timeline::begin(const resource_readings& readings) {
    m_before = m_at_end = std::make_shared<resource_readings>(readings.zeros());
    if (m_warmup == 0_ps) {
        const picoseconds first = first_frame(m_made);
        m_start = m_reached = first == never ? 0_ps : first;
    }
}

void limit_timeline::take(finding found) {
    if (m_before == nullptr) {
        begin(*found.readings);
    }
    if (found.time <= m_start) {
        return;
    }
    if (found.active_from > m_reached) {
        take_quiet_time(found);
    }
    take_active_time(found);
    if (found.time % m_interval == 0_ps) {
        add(found.time, found.readings);
    }
    m_reached = found.time;
    m_before = std::move(found.readings);
}

// Only frames that take longer than the time between two looks, on a link that has become slow, were on the
// wire. Their time is what does not fit into the active time.
void limit_timeline::take_quiet_time(const finding& found) {
    resource_readings readings = *m_before;
    picoseconds from = m_reached;
    while (from < found.active_from) {
        const picoseconds to = std::min(found.active_from, next_end());
        for (std::size_t i = 0; i < m_resources; ++i) {
            const picoseconds excess = found.readings->resources[i].busy - m_before->resources[i].busy -
                                       (found.time - found.active_from);
            const picoseconds begin = std::max(from, found.active_from - std::max(0_ps, excess));
            if (begin < to) {
                m_bound[i].add(begin, to);
                readings.resources[i].busy += to - begin;
            }
        }
        if (to == next_end()) {
            add(to, std::make_shared<resource_readings>(readings));
        }
        from = to;
    }
    m_before = std::make_shared<resource_readings>(std::move(readings));
    m_reached = found.active_from;
}

void limit_timeline::take_active_time(const finding& found) {
    const picoseconds length = found.time - m_reached;
    for (std::size_t i = 0; i < m_resources; ++i) {
        if (found.readings->binds_since(*m_before, i, length)) {
            m_bound[i].add(m_reached, found.time);
        }
    }
}

void limit_timeline::add(picoseconds end, const shared_readings& now) {
    const picoseconds length = end - end_of_last();
    m_ends.push_back(end);
    m_loads.resize(m_ends.size() * m_resources);
    small_load* to = m_loads.data() + (m_ends.size() - 1) * m_resources;
    for (std::size_t i = 0; i < m_resources; ++i, ++to) {
        const resource_load load = now->load_since(*m_at_end, i, length);
        picoseconds& bound = m_bound[i].of_interval;
        *to = {small(load.busy_percent), small(load.stalled_percent), small(load.port_used_percent),
               capped(load.lost_frames), 0};
        if (bound > 0_ps) {
            to->bound = small(100.0 * static_cast<double>(bound.count()) / static_cast<double>(length.count()));
            bound = 0_ps;
        }
    }
    m_at_end = now;
    join_last();
}

void limit_timeline::join_last() {
    // The one before ended at an odd multiple when the intervals became twice as long.
    if (m_ends.size() > 1 && m_ends[m_ends.size() - 2] % m_interval != 0_ps) {
        join(m_ends.size() - 2, m_ends.size() - 1, m_ends.size() - 2);
        m_ends.pop_back();
        m_loads.resize(m_ends.size() * m_resources);
    }
    if (m_ends.size() == m_capacity) {
        join_pairs();
    }
}

// What ends elsewhere than at a multiple of the new length is joined with what follows.
void limit_timeline::join_pairs() {
    m_interval *= 2;
    if (m_look * most_looks_per_interval < m_interval) {
        m_look *= 2;
        m_made.engine().look_less(m_look, *this);
    }
    std::size_t to = 0;
    for (std::size_t first = 0; first < m_ends.size(); ++to) {
        std::size_t last = first;
        while (m_ends[last] % m_interval != 0_ps && last + 1 < m_ends.size()) {
            ++last;
        }
        join(first, last, to);
        first = last + 1;
    }
    m_ends.resize(to);
    m_loads.resize(to * m_resources);
}

// From `first` to `last`, both included, as interval `to`, at or before the first.
void limit_timeline::join(std::size_t first, std::size_t last, std::size_t to) {
    std::vector<double> lengths;
    for (std::size_t k = first; k <= last; ++k) {
        lengths.push_back(static_cast<double>((end_of(k) - start_of(k)).count()));
    }
    const double all = std::accumulate(lengths.begin(), lengths.end(), 0.0);
    for (std::size_t i = 0; i < m_resources; ++i) {
        const auto mean = [&](std::uint16_t small_load::*share) {
            double sum = 0;
            for (std::size_t k = first; k <= last; ++k) {
                sum += lengths[k - first] * m_loads[k * m_resources + i].*share;
            }
            return static_cast<std::uint16_t>(std::lround(sum / all));
        };
        std::uint64_t lost = 0;
        for (std::size_t k = first; k <= last; ++k) {
            lost += m_loads[k * m_resources + i].lost;
        }
        m_loads[to * m_resources + i] = {mean(&small_load::busy), mean(&small_load::stalled),
                                         mean(&small_load::port_used), capped(lost), mean(&small_load::bound)};
    }
    m_ends[to] = m_ends[last];
}

void limit_timeline::finish(picoseconds end) {
    if (end <= m_warmup) {
        return;
    }
    // Nothing happened after the end, however far beyond it the nodes were carried on.
    if (m_pending && m_pending->time < end) {
        take(std::move(*m_pending));
        m_pending.reset();
    }
    finding last = find(end);
    if (m_pending) {
        last.active_from = std::min(m_pending->active_from, end);
    }
    m_pending.reset();
    take(std::move(last));
    if (end_of_last() < end) {
        add(end, m_before);
    }
    // So that the length of an interval depends on the run alone.
    while (m_ends.size() >= m_capacity / 2) {
        join_pairs();
    }
    gather();
}

// The resources of a rank stand in the order of its nodes; those of all in the order of all nodes.
void limit_timeline::gather() {
    if (m_made.team().is_alone()) {
        return;
    }
    const std::vector<rank_part> parts =
        gathered_parts(m_made.team(), rank_part{nodes_of_resources(m_made, m_device), m_bound, m_loads});
    struct place {
        std::uint32_t node;
        std::uint32_t rank;
        std::uint32_t resource;
    };
    std::vector<place> order;
    for (std::uint32_t rank = 0; rank < parts.size(); ++rank) {
        for (std::uint32_t i = 0; i < parts[rank].nodes.size(); ++i) {
            order.push_back({parts[rank].nodes[i], rank, i});
        }
    }
    std::stable_sort(order.begin(), order.end(),
                     [](const place& a, const place& b) { return a.node < b.node; });
    m_resources = order.size();
    m_bound.clear();
    m_loads.clear();
    for (const place& each : order) {
        m_bound.push_back(parts[each.rank].bound[each.resource]);
    }
    for (std::size_t k = 0; k < m_ends.size() && !order.empty(); ++k) {
        for (const place& each : order) {
            const rank_part& of_rank = parts[each.rank];
            m_loads.push_back(of_rank.loads[k * of_rank.nodes.size() + each.resource]);
        }
    }
}

resource_load limit_timeline::load(std::size_t interval, std::size_t resource) const {
    const small_load& load = m_loads[interval * m_resources + resource];
    return {percent_of(load.busy), percent_of(load.stalled), percent_of(load.port_used), load.lost};
}

double limit_timeline::bound_percent(std::size_t interval, std::size_t resource) const {
    return percent_of(m_loads[interval * m_resources + resource].bound);
}

void limit_timeline::mark(std::vector<resource_use>& all) const {
    for (std::size_t i = 0; i < std::min(all.size(), m_bound.size()); ++i) {
        const bound_time& bound = m_bound[i];
        if (bound.total > 0_ps) {
            all[i].bound_from = bound.from;
            all[i].bound_to = bound.to;
            all[i].bound_percent = 100.0 * static_cast<double>(bound.total.count()) /
                                   static_cast<double>((m_ends.back() - m_start).count());
        }
    }
}

void write_intervals(output_file file, const limit_timeline& timeline, const std::vector<resource_use>& all) {
    record_table<limit_interval_row> table(std::move(file));
    for (std::size_t k = 0; k < timeline.intervals(); ++k) {
        resource_summaries summaries;
        for (std::size_t i = 0; i < all.size(); ++i) {
            resource_use in_interval = all[i];
            static_cast<resource_load&>(in_interval) = timeline.load(k, i);
            in_interval.bound_percent = timeline.bound_percent(k, i);
            summaries.add(in_interval);
        }
        for (const resource_summary& kind : summaries.present()) {
            table.write({kind, timeline.start_of(k), timeline.end_of(k)});
        }
    }
    table.finish();
}

}  // namespace weir::tb
