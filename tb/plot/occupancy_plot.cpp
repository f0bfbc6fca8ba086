#include "tb/plot/occupancy_plot.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace weir {

namespace {

double mean(const fill_series& s) {
    const double sum = std::accumulate(s.occupancy_bytes.begin(), s.occupancy_bytes.end(), 0.0);
    return s.occupancy_bytes.empty() ? 0 : sum / static_cast<double>(s.occupancy_bytes.size());
}

/// The fullest ports, fullest first; equals in the order of the table.
std::vector<const fill_series*> busiest(const std::vector<fill_series>& all) {
    std::vector<std::pair<double, const fill_series*>> order;
    for (const fill_series& s : all) {
        order.emplace_back(-mean(s), &s);
    }
    std::stable_sort(order.begin(), order.end(),
                     [](const auto& a, const auto& b) { return a.first < b.first; });
    std::vector<const fill_series*> first;
    for (std::size_t i = 0; i < std::min(order.size(), most_ports); ++i) {
        first.push_back(order[i].second);
    }
    return first;
}

std::string port_name(const fill_series& s) {
    return s.node + ":" + s.port;
}

std::size_t longest_name(const std::vector<const run_data*>& runs) {
    std::size_t longest = 0;
    for (const run_data* r : runs) {
        for (const std::vector<fill_series>* side : {&r->ingress, &r->egress}) {
            for (const fill_series* s : busiest(*side)) {
                longest = std::max(longest, port_name(*s).size());
            }
        }
    }
    return longest;
}

constexpr double row_height = 270;

struct extent {
    double first_ns = HUGE_VAL;
    double last_ns = 0;
    double high_bytes = 0;

    void include(const std::vector<const fill_series*>& ports) {
        for (const fill_series* s : ports) {
            first_ns = std::min(first_ns, s->time_ns.front());
            last_ns = std::max(last_ns, s->time_ns.back());
            high_bytes =
                std::max(high_bytes, *std::max_element(s->occupancy_bytes.begin(), s->occupancy_bytes.end()));
        }
    }
};

}  // namespace

std::vector<std::size_t> envelope(const std::vector<double>& values, std::size_t most) {
    const std::size_t n = values.size();
    std::vector<std::size_t> places;
    if (n <= most) {
        places.resize(n);
        std::iota(places.begin(), places.end(), std::size_t{0});
        return places;
    }
    const std::size_t stretches = most / 2 - 1;
    places.push_back(0);
    for (std::size_t i = 0; i < stretches; ++i) {
        const auto from = values.begin() + static_cast<std::ptrdiff_t>(n * i / stretches);
        const auto to = values.begin() + static_cast<std::ptrdiff_t>(n * (i + 1) / stretches);
        const auto ends = std::minmax_element(from, to);
        const auto low = static_cast<std::size_t>(ends.first - values.begin());
        const auto high = static_cast<std::size_t>(ends.second - values.begin());
        places.push_back(std::min(low, high));
        places.push_back(std::max(low, high));
    }
    places.push_back(n - 1);
    places.erase(std::unique(places.begin(), places.end()), places.end());
    return places;
}

std::optional<picture> occupancy_picture(const std::string& name, const std::string& title,
                                         const std::string& details, const std::vector<run_data>& runs) {
    extent e;
    std::vector<const run_data*> shown;
    for (const run_data& r : runs) {
        if (r.has_occupancy) {
            shown.push_back(&r);
            e.include(busiest(r.ingress));
            e.include(busiest(r.egress));
        }
    }
    if (shown.empty()) {
        return std::nullopt;
    }
    const axis_unit time = time_unit(e.last_ns);
    const axis_unit fill = byte_unit(e.high_bytes);

    // A run's warm-up is not sampled; do not draw it as an empty half.
    const double first = e.first_ns > e.last_ns / 20 && e.first_ns < e.last_ns ? e.first_ns / time.scale : 0;
    const plot_axis x = time_axis(first, std::max(e.last_ns / time.scale, 1e-9));
    page p(title, details);
    std::string data;
    std::size_t index = 0;
    p.add(binary_axis(e.high_bytes / fill.scale).commands("y") + "set key font ',14'");
    // Long names of ports need two rows of legend.
    const bool narrow = longest_name(shown) <= 10;
    const double legend_height = narrow ? 70 : 100;
    for (std::size_t row = 0; row < shown.size(); ++row) {
        const bool bottom = row + 1 == shown.size();
        for (const bool egress : {false, true}) {
            const double top =
                p.top() + legend_height + (row_height + legend_height) * static_cast<double>(row);
            const double left = egress ? 900 : 130;
            p.panel(left, left + 650, top, top + row_height - 40);
            p.add("set label 3 " + quoted(shown[row]->label + (egress ? ", egress" : ", ingress")) +
                  " at graph 0, screen 1 - " + number_text(top - legend_height + 24) + "/H");
            p.add("set key on at graph 0, screen 1 - " + number_text(top - legend_height + 40) +
                  "/H left top horizontal Left reverse samplen 1.5 maxcols " + (narrow ? "4" : "2"));
            p.add(bottom ? x.commands("x") + "set xlabel " + quoted("Time [" + time.name + "]")
                         : x.commands("x") + x.unlabelled("x") + "unset xlabel");
            p.add(egress ? "unset ylabel" : "set ylabel " + quoted("Occupancy [" + fill.name + "]"));
            std::string plot;
            std::size_t style = 0;
            for (const fill_series* s : busiest(egress ? shown[row]->egress : shown[row]->ingress)) {
                data += "# " + quoted(shown[row]->label) + ", " + port_name(*s) +
                        (egress ? ", egress" : ", ingress") + "\n# time_" + time.plain() + " occupancy_" +
                        fill.name + "\n";
                for (const std::size_t at : envelope(s->occupancy_bytes)) {
                    data += number_text(s->time_ns[at] / time.scale) + " " +
                            number_text(s->occupancy_bytes[at] / fill.scale) + "\n";
                }
                data += "\n\n";
                plot += plot.empty() ? "plot " : ", \\\n     ";
                plot += "'" + name + ".dat' index " + std::to_string(index++) + " using 1:2 with lines lt " +
                        std::to_string(++style) + " lw 2 title " + quoted(port_name(*s));
            }
            p.add(plot.empty()
                      ? "set label 4 'no samples' at graph 0.5, 0.5 center\nplot NaN notitle\nunset label 4"
                      : plot);
        }
    }
    return p.finish(
        name, data,
        static_cast<unsigned>(p.top() + (row_height + legend_height) * static_cast<double>(shown.size()) - 40 +
                              page::foot));
}

}  // namespace weir
