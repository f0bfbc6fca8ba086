#include "tb/plot/sampled_time.h"

#include <algorithm>

namespace weir::tb {

void sampled_time::include(const std::vector<double>& time_ns, const std::vector<double>& values) {
    m_first_ns = std::min(m_first_ns, time_ns.front());
    m_last_ns = std::max(m_last_ns, time_ns.back());
    const auto above = std::find_if(values.begin(), values.end(), [](double value) { return value > 0; });
    if (above != values.end()) {
        const auto place = static_cast<std::size_t>(above - values.begin());
        m_active_ns = std::min(m_active_ns, time_ns[place > 0 ? place - 1 : 0]);
    }
}

plot_axis sampled_time::axis() const {
    const double scale = unit().scale;
    double first = 0;
    if (starts_idle()) {
        // A round number: what is left out is empty anyway.
        const double step = std::pow(10, std::floor(std::log10((m_last_ns - m_active_ns) / scale))) / 2;
        first = step * std::floor(m_active_ns / scale / step);
    } else if (m_first_ns > m_last_ns / 20 && m_first_ns < m_last_ns) {
        first = m_first_ns / scale;
    }
    return time_axis(first, std::max(m_last_ns / scale, 1e-9));
}

std::string sampled_time::label() const {
    return axis().label("Time", unit().name, starts_idle() ? "nothing before" : "first sample");
}

}  // namespace weir::tb
