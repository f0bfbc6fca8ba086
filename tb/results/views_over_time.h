// What was seen at multiples of an interval, kept where it has changed: rows of a table over time.
//
//   views_over_time<int> views(100us);
//   views.keep(100us, {1, 2});
//   views.for_each({0us, 100us, 200us}, [](picoseconds time, const auto& rows) { });   // {1, 2} from 100 us
#pragma once

#include <iterator>
#include <utility>
#include <vector>

#include "tb/record/record_table.h"
#include "weir/base/time.h"

namespace weir::tb {

template <class Row>
class views_over_time {
 public:
    explicit views_over_time(picoseconds interval = picoseconds{1}) : m_interval(interval) {}

    picoseconds interval() const { return m_interval; }
    std::size_t size() const { return m_views.size(); }
    /// Rows that are kept, of all views together.
    std::size_t rows() const { return m_rows; }

    /// What is there from `now` on, later than all before.
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
    /// with what is there; not for times before the first view.
    template <class Visit>
    void for_each(const std::vector<picoseconds>& times, Visit&& visit) const {
        auto next = m_views.begin();
        for (const picoseconds time : times) {
            if (time % m_interval != picoseconds{0}) {
                continue;
            }
            while (next != m_views.end() && next->time <= time) {
                ++next;
            }
            if (next != m_views.begin()) {
                visit(time, std::prev(next)->rows);
            }
        }
    }

 private:
    /// What was there from `time` on.
    struct view {
        picoseconds time;
        std::vector<Row> rows;
    };

    picoseconds m_interval;
    std::vector<view> m_views;
    std::size_t m_rows = 0;
};

/// Writes a line for each row that is there at these times, which ascend, with the time in it. Throws
/// output_error.
template <class Row>
void write_views(output_file file, const views_over_time<Row>& views, const std::vector<picoseconds>& times) {
    record_table<Row> table(std::move(file));
    views.for_each(times, [&](picoseconds time, const std::vector<Row>& rows) {
        for (Row row : rows) {
            row.time = time;
            table.write(row);
        }
    });
    table.finish();
}

}  // namespace weir::tb
