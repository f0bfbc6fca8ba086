#include "tb/results/limit_timeline.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "tb/results/limits.h"
#include "tb/results/text_format.h"

namespace weir {

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

/// Links and lookups count what has begun. Slots of cells, and frames that came in for a memory, are made up
/// for when somebody looks.
bool counts_lag(const fabric& made, const switch_config& device) {
    return device.crossbar == crossbar_mode::cell || (made.switches() > 0 && made.device(0).sram() != nullptr);
}

picoseconds first_interval(const fabric& made, const switch_config& device) {
    picoseconds longest{0};
    for (switch_id s = 0; s < made.switches(); ++s) {
        for (unsigned port = 0; port < made.device(s).ports(); ++port) {
            const wire_output& wire = made.device(s).output(port);
            longest = std::max(longest, wire.wire_time(device.max_frame));
        }
    }
    return std::max(shortest_interval, longest * frames_per_interval);
}

}  // namespace

limit_timeline::limit_timeline(fabric& made, const switch_config& device, picoseconds warmup)
    : m_made(made),
      m_device(device),
      m_warmup(warmup),
      m_counts_lag(counts_lag(made, device)),
      m_interval(first_interval(made, device)) {
    made.engine().look_every(m_interval, *this);
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
    take(now);
}

// Looks are left out where no node has an event (domain::look_every): see `add_quiet`.
void limit_timeline::take(picoseconds now) {
    resource_readings readings = read_resources(m_made, m_device, now, m_resources);
    if (m_resources == 0) {
        m_resources = readings.resources.size();
        const std::size_t affordable = memory / (std::max<std::size_t>(m_resources, 1) * sizeof(small_load));
        m_capacity = static_cast<std::uint32_t>(std::clamp<std::size_t>(affordable, 32, most_intervals)) & ~3U;
    }
    const auto reached = [this] { return m_ends.empty() ? m_warmup : m_ends.back(); };
    const picoseconds last_start = std::max(reached(), (now - 1_ps) / m_interval * m_interval);
    while ((reached() / m_interval + 1) * m_interval < now) {
        add_quiet((reached() / m_interval + 1) * m_interval, last_start, now, readings);
    }
    if (now > reached()) {
        add(now, readings);
    }
    m_before = std::move(readings);
}

void limit_timeline::add(picoseconds end, const resource_readings& now) {
    const picoseconds length = end - (m_ends.empty() ? m_warmup : m_ends.back());
    m_ends.push_back(end);
    m_loads.resize(m_ends.size() * m_resources);
    small_load* to = &m_loads[(m_ends.size() - 1) * m_resources];
    for (std::size_t i = 0; i < m_resources; ++i, ++to) {
        const resource_load load = now.load_since(m_before, i, length);
        *to = {small(load.busy_percent), small(load.stalled_percent), small(load.port_used_percent),
               capped(load.lost_frames)};
    }
    join_last();
}

// Nobody looked at the end of this interval, since no node had an event: only frames that take longer than it,
// on a link that has become slow, were on the wire. Their time is what does not fit between `last_start` and
// `now`.
void limit_timeline::add_quiet(picoseconds end, picoseconds last_start, picoseconds now,
                               const resource_readings& readings) {
    const picoseconds start = m_ends.empty() ? m_warmup : m_ends.back();
    m_ends.push_back(end);
    for (std::size_t i = 0; i < m_resources; ++i) {
        const picoseconds before = m_before.resources.empty() ? 0_ps : m_before.resources[i].busy;
        const picoseconds excess = readings.resources[i].busy - before - (now - last_start);
        const picoseconds busy = end - std::max(start, last_start - std::max(0_ps, excess));
        const double share = static_cast<double>(busy.count()) / static_cast<double>((end - start).count());
        m_loads.push_back({small(100 * std::clamp(share, 0.0, 1.0)), 0, 0, 0});
    }
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
    m_made.engine().look_less(m_interval, *this);
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
                                         mean(&small_load::port_used), capped(lost)};
    }
    m_ends[to] = m_ends[last];
}

void limit_timeline::finish(picoseconds end) {
    // Nodes may have run on, and been looked at, past what is called the end: nothing happened there.
    while (!m_ends.empty() && m_ends.back() >= end) {
        const picoseconds last = m_ends.back();
        const picoseconds start = m_ends.size() > 1 ? m_ends[m_ends.size() - 2] : m_warmup;
        if (start < end) {
            const double longer =
                static_cast<double>((last - start).count()) / static_cast<double>((end - start).count());
            for (std::size_t i = 0; i < m_resources; ++i) {
                small_load& load = m_loads[(m_ends.size() - 1) * m_resources + i];
                for (std::uint16_t* share : {&load.busy, &load.stalled, &load.port_used}) {
                    *share = static_cast<std::uint16_t>(std::min(full_scale, std::round(*share * longer)));
                }
            }
            m_ends.back() = end;
            break;
        }
        m_ends.pop_back();
        m_loads.resize(m_ends.size() * m_resources);
    }
    if (end > m_warmup && (m_ends.empty() || m_ends.back() < end)) {
        take(end);
    }
    // However far past the end they were: so that the length of an interval depends on the run alone.
    while (m_ends.size() >= m_capacity / 2) {
        join_pairs();
    }
}

resource_load limit_timeline::load(std::size_t interval, std::size_t resource) const {
    const small_load& load = m_loads[interval * m_resources + resource];
    return {percent_of(load.busy), percent_of(load.stalled), percent_of(load.port_used), load.lost};
}

void limit_timeline::mark(std::vector<resource_use>& all) const {
    for (std::size_t k = 0; k < intervals(); ++k) {
        for (std::size_t i = 0; i < all.size(); ++i) {
            if (!load(k, i).binds()) {
                continue;
            }
            resource_use& use = all[i];
            use.bound_from = use.bound_percent > 0 ? use.bound_from : start_of(k);
            use.bound_to = end_of(k);
            use.bound_percent += 100.0 * static_cast<double>((end_of(k) - start_of(k)).count()) /
                                 static_cast<double>((m_ends.back() - m_warmup).count());
        }
    }
}

void write_intervals(output_file& file, const limit_timeline& timeline, const std::vector<resource_use>& all) {
    file.write(
        "start_ns,end_ns,resource,of,binding,nearest,busy_percent,stalled_percent,port_used_percent,lost_"
        "frames\n");
    csv_line line;
    std::vector<resource_use> in_interval = all;
    for (std::size_t k = 0; k < timeline.intervals(); ++k) {
        for (std::size_t i = 0; i < in_interval.size(); ++i) {
            static_cast<resource_load&>(in_interval[i]) = timeline.load(k, i);
            in_interval[i].bound_percent = 0;
        }
        for (const resource_summary& kind : summary_of(in_interval)) {
            line.add_ns(timeline.start_of(k)).add_ns(timeline.end_of(k)).add_name(to_text(kind.kind));
            line.add(kind.of).add(kind.binding).add_name(kind.worst.name());
            line.add_decimal(kind.worst.busy_percent, 4).add_decimal(kind.worst.stalled_percent, 4);
            line.add_decimal(kind.worst.port_used_percent, 4).add(kind.worst.lost_frames);
            file.write(line.end());
        }
    }
}

}  // namespace weir
