#include "tb/run/tables/flow_rates.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <numeric>

#include "tb/run/samples/json_values.h"
#include "tb/support/record/record_table.h"

namespace weir::tb {

using nlohmann::ordered_json;

double jain_index(const std::vector<double>& rates) {
    double sum = 0;
    double squares = 0;
    for (const double rate : rates) {
        sum += rate;
        squares += rate * rate;
    }
    return squares > 0 ? sum * sum / (static_cast<double>(rates.size()) * squares) : 1;
}

flow_rates::flow_rates(fabric& made, const std::vector<traffic_endpoint*>& endpoints,
                       const std::vector<std::string>& tags, picoseconds window, picoseconds warmup)
    : m_fabric(made), m_endpoints(endpoints), m_tags(tags), m_window(window), m_warmup(warmup) {
    made.engine().look_every(window, *this);
}

flow_rates::snapshot flow_rates::take() const {
    std::vector<std::pair<std::uint64_t, progress>> own;
    for (const traffic_endpoint* endpoint : m_endpoints) {
        if (endpoint != nullptr) {
            for (const open_transfer& transfer : endpoint->open_transfers(endpoint->flows_open())) {
                own.push_back({transfer.flow, {transfer.tag, transfer.done_bytes}});
            }
        }
    }
    const auto all = gathered(m_fabric.team(), std::move(own));
    return {all.begin(), all.end()};
}

// Where looks were left out nothing happened before the last window.
void flow_rates::look(picoseconds now) {
    if (now < m_warmup) {
        return;
    }
    snapshot taken = take();
    if (m_first_time == never) {
        m_first = taken;
        m_first_time = now;
    } else {
        const std::vector<window_share> more = shares(m_last, now - m_window, taken, now);
        m_windows.insert(m_windows.end(), more.begin(), more.end());
    }
    m_last = std::move(taken);
    m_last_time = now;
}

void flow_rates::finish(picoseconds end) {
    if (end % m_window == 0_ps && end > m_last_time) {
        look(end);
    }
    const auto late = [end](const window_share& window) { return window.end > end; };
    m_windows.erase(std::remove_if(m_windows.begin(), m_windows.end(), late), m_windows.end());
}

std::vector<flow_rates::window_share> flow_rates::shares(const snapshot& from, picoseconds start,
                                                         const snapshot& to, picoseconds end) {
    std::map<std::uint8_t, std::vector<double>> rates;
    const double seconds = std::chrono::duration<double>(end - start).count();
    for (const auto& [flow, then] : from) {
        const auto now = to.find(flow);
        if (now != to.end()) {
            rates[then.tag].push_back(8 * static_cast<double>(now->second.bytes - then.bytes) / seconds);
        }
    }
    std::vector<window_share> all;
    for (const auto& [tag, of_tag] : rates) {
        const double sum = std::accumulate(of_tag.begin(), of_tag.end(), 0.0);
        if (sum > 0) {
            const auto [least, most] = std::minmax_element(of_tag.begin(), of_tag.end());
            all.push_back({start, end, tag, of_tag.size(), sum / static_cast<double>(of_tag.size()), *least,
                           *most, jain_index(of_tag)});
        }
    }
    return all;
}

void flow_rates::write(output_file file) const {
    record_table<fairness_row> table(std::move(file));
    const auto whole = [](double rate) { return bit_rate{std::llround(rate)}; };
    for (const window_share& w : m_windows) {
        const std::string tag = tag_name(m_tags, w.tag);
        table.write(
            {w.start, w.end, tag, w.flows, whole(w.mean_bps), whole(w.min_bps), whole(w.max_bps), w.jain});
    }
    table.finish();
}

ordered_json flow_rates::summary() const {
    constexpr int decimals = 6;
    struct sums {
        std::uint64_t windows = 0;
        double total = 0;
        double least = 1;
        /// Of all that a tag's transfers got in a window, the part of the one that got the most.
        double greatest_share = 0;
    };
    std::map<std::uint8_t, sums> by_tag;
    for (const window_share& w : m_windows) {
        sums& of_tag = by_tag[w.tag];
        ++of_tag.windows;
        of_tag.total += w.jain;
        of_tag.least = std::min(of_tag.least, w.jain);
        of_tag.greatest_share =
            std::max(of_tag.greatest_share, w.max_bps / (w.mean_bps * static_cast<double>(w.flows)));
    }
    const std::vector<window_share> whole = m_last_time > m_first_time
                                                ? shares(m_first, m_first_time, m_last, m_last_time)
                                                : std::vector<window_share>{};
    ordered_json all = ordered_json::object();
    for (const auto& [tag, windows] : by_tag) {
        ordered_json& group = all[tag_name(m_tags, tag)];
        group["windows"] = windows.windows;
        group["window_jain_index_mean"] =
            with_decimals(windows.total / static_cast<double>(windows.windows), decimals);
        group["window_jain_index_min"] = with_decimals(windows.least, decimals);
        group["window_share_max_percent"] = with_decimals(100 * windows.greatest_share, decimals);
        const auto found = std::find_if(whole.begin(), whole.end(),
                                        [tag = tag](const window_share& w) { return w.tag == tag; });
        const bool any = found != whole.end();
        group["flows"] = any ? found->flows : 0;
        group["mean_bps"] = any ? ordered_json(std::llround(found->mean_bps)) : ordered_json(nullptr);
        group["jain_index"] = any ? ordered_json(with_decimals(found->jain, decimals)) : ordered_json(nullptr);
    }
    return all;
}

}  // namespace weir::tb
