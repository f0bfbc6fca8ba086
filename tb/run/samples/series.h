// Rows of tables over time: what is seen at multiples of an interval, kept where it has changed.
//
//   series<window_row, rate_row> senders(network);
//   senders.watch(100us, [&](picoseconds) { return std::tuple(windows(), rates()); });   // before the run
//   senders.finish(end);                                                                 // after it
//   write_views(directory.create<window_row>(), senders.of<window_row>(), times);
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <iterator>
#include <tuple>
#include <utility>
#include <vector>

#include "tb/support/record/record_table.h"
#include "weir/model/fabric/fabric.h"

namespace weir::tb {

/// Most samples over a run, however long; there are at least 64. Intervals double when they are full.
inline constexpr std::uint32_t most_samples = 4096;

/// Rows of a series are equal if they hold the same.
template <class Row, class = decltype(&Row::values)>
bool operator==(const Row& a, const Row& b) {
    return a.values() == b.values();
}

///   views_over_time<int> views(100us);
///   views.keep(100us, {1, 2});
///   views.for_each({0us, 100us, 200us}, [](picoseconds time, const auto& rows) { });   // {1, 2} from 100 us
template <class Row>
class views_over_time {
 public:
    explicit views_over_time(picoseconds interval = picoseconds{1}) : m_interval(interval) {}

    picoseconds interval() const { return m_interval; }
    std::size_t size() const { return m_views.size(); }
    /// Rows that are kept, of all views together.
    std::size_t rows() const { return m_rows; }

    /// Keeps the rows that are there from `now` on. Precondition: `now` is later than all times before.
    void keep(picoseconds now, std::vector<Row> rows) {
        if (m_views.empty() ? !rows.empty() : !(m_views.back().rows == rows)) {
            m_rows += rows.size();
            m_views.push_back({now, std::move(rows)});
        }
    }
    /// Doubles the interval. Of the views between two of its multiples the last one is what is there at the
    /// second.
    void thin_out() {
        m_interval *= 2;
        std::size_t kept = 0;
        m_rows = 0;
        for (std::size_t i = 0; i < m_views.size(); ++i) {
            m_views[i].time = (m_views[i].time + m_interval - picoseconds{1}) / m_interval * m_interval;
            kept -= kept > 0 && m_views[kept - 1].time == m_views[i].time ? 1 : 0;
            std::swap(m_views[kept++], m_views[i]);
        }
        m_views.resize(kept);
        for (const view& each : m_views) {
            m_rows += each.rows.size();
        }
    }
    /// Calls `visit(time, rows)` for those of these times, which ascend, that are multiples of the interval,
    /// with what is there.
    template <class Visit>
    void for_each(const std::vector<picoseconds>& times, Visit&& visit) const {
        const std::vector<Row> none;
        auto next = m_views.begin();
        for (const picoseconds time : times) {
            if (time % m_interval != picoseconds{0}) {
                continue;
            }
            while (next != m_views.end() && next->time <= time) {
                ++next;
            }
            visit(time, next == m_views.begin() ? none : std::prev(next)->rows);
        }
    }

 private:
    /// Rows that were there from `time` on.
    struct view {
        picoseconds time;
        std::vector<Row> rows;
    };

    picoseconds m_interval;
    std::vector<view> m_views;
    std::size_t m_rows = 0;
};

/// Writes the line `row_of(time, row)` for each row that is there at these times, which ascend. Throws
/// output_error.
template <class Line, class Row, class Make>
void write_views(output_file file, const views_over_time<Row>& views, const std::vector<picoseconds>& times,
                 Make&& row_of) {
    record_table<Line> table(std::move(file));
    views.for_each(times, [&](picoseconds time, const std::vector<Row>& rows) {
        for (const Row& row : rows) {
            table.write(row_of(time, row));
        }
    });
    table.finish();
}

/// The same of rows that are lines but for their time.
template <class Row>
void write_views(output_file file, const views_over_time<Row>& views, const std::vector<picoseconds>& times) {
    write_views<Row>(std::move(file), views, times, [](picoseconds time, Row row) {
        row.time = time;
        return row;
    });
}

/// Takes the rows of some tables at each multiple of an interval at which something may have happened, between
/// two quanta, so that frames pay nothing for it. A row has `values()`: a tuple of all that it holds, which
/// begins with what orders the rows.
template <class... Rows>
class series final : private periodic_look {
 public:
    using rows = std::tuple<std::vector<Rows>...>;

    /// `made` outlives this. Where the rows of a table take more than `memory` (unit: B), fewer are kept.
    explicit series(fabric& made, std::size_t memory = SIZE_MAX) : m_made(made), m_memory(memory) {}

    /// Before the run. `take(now)` returns the rows of this rank: what was there when everything before `now`
    /// had happened, and nothing of that time.
    /// `most`: intervals double when there are so many samples.
    void watch(picoseconds interval, std::function<rows(picoseconds)> take, std::size_t most = most_samples) {
        m_most = most;
        m_views = {views_over_time<Rows>(interval)...};
        m_take = std::move(take);
        m_made.engine().look_every(interval, *this);
    }
    bool is_on() const { return m_take != nullptr; }
    /// All nodes have run to `end`, and nothing happened later. Collective.
    void finish(picoseconds end) {
        if (is_on() && end % interval() == picoseconds{0} && end > m_looked_at) {
            look(end);
        }
    }
    /// On rank 0; elsewhere nothing.
    template <class Row>
    const views_over_time<Row>& of() const {
        return std::get<views_over_time<Row>>(m_views);
    }

 private:
    picoseconds interval() const { return std::get<0>(m_views).interval(); }
    void look(picoseconds now) override {
        m_looked_at = now;
        rows all = gathered(m_made.team(), m_take(now));
        const bool is_full =
            (keep(std::get<views_over_time<Rows>>(m_views), now, std::get<std::vector<Rows>>(std::move(all))) |
             ...);
        if (on_any(m_made.team(), is_full)) {
            (std::get<views_over_time<Rows>>(m_views).thin_out(), ...);
            m_made.engine().look_less(interval(), *this);
        }
    }
    /// True if there is no room for more.
    template <class Row>
    bool keep(views_over_time<Row>& views, picoseconds now, std::vector<Row> rows) const {
        const auto is_before = [](const Row& a, const Row& b) { return a.values() < b.values(); };
        if (!std::is_sorted(rows.begin(), rows.end(), is_before)) {
            std::sort(rows.begin(), rows.end(), is_before);
        }
        views.keep(now, std::move(rows));
        return views.size() >= m_most || views.rows() > m_memory / sizeof(Row);
    }

    fabric& m_made;
    std::size_t m_memory;
    std::size_t m_most = most_samples;
    std::function<rows(picoseconds)> m_take;
    picoseconds m_looked_at{0};
    std::tuple<views_over_time<Rows>...> m_views;
};

}  // namespace weir::tb
