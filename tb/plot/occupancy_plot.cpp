#include "tb/plot/occupancy_plot.h"

#include <algorithm>
#include <array>
#include <numeric>

#include "tb/plot/page.h"
#include "tb/plot/sampled_time.h"

namespace weir::tb {

namespace {

double mean(const fill_series& s) {
    const double sum = std::accumulate(s.occupancy_bytes.begin(), s.occupancy_bytes.end(), 0.0);
    return s.occupancy_bytes.empty() ? 0 : sum / static_cast<double>(s.occupancy_bytes.size());
}

/// A port has the same colour and dashes wherever it is drawn.
std::string look_of(const std::string& port, const std::vector<std::string>& ports) {
    const auto place = static_cast<std::size_t>(std::find(ports.begin(), ports.end(), port) - ports.begin());
    return curve_look(place, most_curves);
}

/// Of the ports with these keys. Unit: characters.
std::size_t longest_name(const std::vector<std::string>& ports) {
    std::size_t longest = 0;
    for (const std::string& key : ports) {
        longest = std::max(longest, key.size() + 2);  // `tor0:3` is shown as `tor0.rx3`
    }
    return longest;
}

constexpr double row_height = 270;
/// Of the panels' titles. Unit: points.
constexpr double side_title_size = 18;

}  // namespace

std::vector<const fill_series*> busiest(const std::vector<fill_series>& all, std::size_t most) {
    return largest_of(all, most, mean);
}

std::string port_key(const fill_series& s) {
    return s.node + ":" + s.port;
}

std::vector<std::string> shown_ports(const std::vector<run_data>& runs, std::size_t most) {
    std::vector<std::string> names;
    for (const run_data& r : runs) {
        for (const std::vector<fill_series>* side : {&r.ingress, &r.egress}) {
            for (const fill_series* s : busiest(*side, most)) {
                if (std::find(names.begin(), names.end(), port_key(*s)) == names.end()) {
                    names.push_back(port_key(*s));
                }
            }
        }
    }
    return names;
}

std::size_t ports_per_panel(const std::vector<run_data>& runs) {
    // Colours with and without dashes.
    std::size_t most = most_ports;
    while (most > 1 && shown_ports(runs, most).size() > most_curves) {
        --most;
    }
    return most;
}

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

chart_series line_of(const std::string& name, const std::vector<double>& time_ns,
                     const std::vector<double>& values, std::size_t most) {
    chart_series line{name};
    for (const std::size_t at : envelope(values, most)) {
        line.add(time_ns[at], values[at]);
    }
    return line;
}

chart_series fill_line(const fill_series& s, port_side side, std::size_t most) {
    return line_of(port_text(s.node, side, s.port), s.time_ns, s.occupancy_bytes, most);
}

std::optional<picture> occupancy_picture(const picture_head& head, const std::vector<run_data>& runs) {
    const std::size_t most = ports_per_panel(runs);
    const std::vector<std::string> ports = shown_ports(runs, most);
    sampled_time time;
    // Ingress and egress.
    std::array<double, 2> high_bytes{};
    std::vector<const run_data*> shown;
    for (const run_data& r : runs) {
        if (r.has_occupancy) {
            shown.push_back(&r);
            for (const bool egress : {false, true}) {
                for (const fill_series* s : busiest(egress ? r.egress : r.ingress, most)) {
                    const std::vector<double>& fill = s->occupancy_bytes;
                    time.include(s->time_ns, fill);
                    high_bytes[egress] =
                        std::max(high_bytes[egress], *std::max_element(fill.begin(), fill.end()));
                }
            }
        }
    }
    if (shown.empty()) {
        return std::nullopt;
    }
    const plot_axis x = time.axis();
    page p(head);
    p.add("set key font ',14'");
    // Long names of ports need two rows of legend.
    const bool narrow = longest_name(ports) <= 8;
    // Output queues have no side but this one.
    const bool egress_alone =
        std::all_of(shown.begin(), shown.end(), [](const run_data* r) { return r->ingress.empty(); });
    const double legend_height = narrow ? 70 : 100;
    double top = p.top();
    for (const run_data* const run : shown) {
        top += legend_height;
        for (const bool egress : {false, true}) {
            if (!egress && egress_alone) {
                continue;
            }
            const axis_unit fill = byte_unit(high_bytes[egress]);
            const std::string side = egress ? ", egress" : ", ingress";
            const double room = 640 - text_width(side, side_title_size);
            p.panel(egress && !egress_alone ? 930 : 140, egress ? 1540 : 750, top, top + row_height - 40);
            p.own_legend(shortened(run->label, room, side_title_size) + side, legend_height, narrow ? 4 : 2);
            run == shown.back() ? p.x_axis(x, time.label()) : p.x_axis(x);
            p.y_label("Occupancy [" + fill.name + "]");
            p.add(binary_axis(high_bytes[egress] / fill.scale).commands("y"));
            for (const fill_series* s : busiest(egress ? run->egress : run->ingress, most)) {
                const chart_series line = fill_line(*s, egress ? port_side::egress : port_side::ingress);
                const std::size_t block = p.block(run->label + ", " + line.name + side,
                                                  "time_" + time.unit().plain() + " occupancy_" + fill.name);
                p.rows(line, time.unit(), fill);
                p.curve(block, "1:2", "lines " + look_of(port_key(*s), ports), line.name);
            }
            p.plot("no samples");
        }
        top += row_height;
    }
    return p.finish(static_cast<unsigned>(top - 40 + page::foot));
}

}  // namespace weir::tb
