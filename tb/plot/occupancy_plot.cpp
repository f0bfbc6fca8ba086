#include "tb/plot/occupancy_plot.h"

#include <algorithm>
#include <array>
#include <numeric>

#include "tb/plot/page.h"
#include "tb/plot/sampled_time.h"
#include "tb/text/port_text.h"

namespace weir::tb {

namespace {

double mean(const fill_series& s) {
    const double sum = std::accumulate(s.occupancy_bytes.begin(), s.occupancy_bytes.end(), 0.0);
    return s.occupancy_bytes.empty() ? 0 : sum / static_cast<double>(s.occupancy_bytes.size());
}

/// A port has the same colour and dashes wherever it is drawn.
std::string look_of(const std::string& port, const std::vector<std::string>& ports) {
    const auto place = static_cast<std::size_t>(std::find(ports.begin(), ports.end(), port) - ports.begin());
    return "lt " + std::to_string(place % most_styles + 1) + " lw 2 dt " +
           (place < most_styles ? "1" : "(12,5)");
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
    std::vector<std::pair<double, const fill_series*>> order;
    for (const fill_series& s : all) {
        order.emplace_back(-mean(s), &s);
    }
    std::stable_sort(order.begin(), order.end(),
                     [](const auto& a, const auto& b) { return a.first < b.first; });
    std::vector<const fill_series*> first;
    for (std::size_t i = 0; i < std::min(order.size(), most); ++i) {
        first.push_back(order[i].second);
    }
    return first;
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
    while (most > 1 && shown_ports(runs, most).size() > 2 * most_styles) {
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

std::optional<picture> occupancy_picture(const std::string& name, const std::string& title,
                                         const std::string& details, const std::vector<run_data>& runs) {
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
    page p(title, details);
    std::string data;
    std::size_t index = 0;
    p.add("set key font ',14'");
    // Long names of ports need two rows of legend.
    const bool narrow = longest_name(ports) <= 8;
    // Output queues have no side but this one.
    const bool egress_alone =
        std::all_of(shown.begin(), shown.end(), [](const run_data* r) { return r->ingress.empty(); });
    const double legend_height = narrow ? 70 : 100;
    for (std::size_t row = 0; row < shown.size(); ++row) {
        const bool bottom = row + 1 == shown.size();
        for (const bool egress : {false, true}) {
            if (!egress && egress_alone) {
                continue;
            }
            const double top =
                p.top() + legend_height + (row_height + legend_height) * static_cast<double>(row);
            const axis_unit fill = byte_unit(high_bytes[egress]);
            const double left = egress && !egress_alone ? 930 : 140;
            p.panel(left, egress ? 1540 : 750, top, top + row_height - 40);
            const std::string side = egress ? ", egress" : ", ingress";
            const double room = 640 - text_width(side, side_title_size);
            p.add("set label 3 " + quoted(shortened(shown[row]->label, room, side_title_size) + side) +
                  " at graph 0, screen 1 - " + number_text(top - legend_height + 24) + "/H");
            p.add("set key on at graph 0, screen 1 - " + number_text(top - legend_height + 40) +
                  "/H left top horizontal Left reverse samplen 1.5 maxcols " + (narrow ? "4" : "2"));
            p.add(bottom ? x.commands("x") + "set xlabel " + quoted(time.label())
                         : x.commands("x") + x.unlabelled("x") + "unset xlabel");
            p.y_label("Occupancy [" + fill.name + "]");
            p.add(binary_axis(high_bytes[egress] / fill.scale).commands("y"));
            std::string plot;
            for (const fill_series* s : busiest(egress ? shown[row]->egress : shown[row]->ingress, most)) {
                const std::string port =
                    port_text(s->node, egress ? port_side::egress : port_side::ingress, s->port);
                data += "# " + one_line(shown[row]->label + ", " + port) + side + "\n# time_" +
                        time.unit().plain() + " occupancy_" + fill.name + "\n";
                for (const std::size_t at : envelope(s->occupancy_bytes)) {
                    data += number_text(s->time_ns[at] / time.unit().scale) + " " +
                            number_text(s->occupancy_bytes[at] / fill.scale) + "\n";
                }
                data += "\n\n";
                plot += plot.empty() ? "plot " : ", \\\n     ";
                plot += "'" + name + ".dat' index " + std::to_string(index++) + " using 1:2 with lines " +
                        look_of(port_key(*s), ports) + " title " + quoted(port);
            }
            plot.empty() ? p.notice("no samples") : p.add(plot);
        }
    }
    return p.finish(
        name, data,
        static_cast<unsigned>(p.top() + (row_height + legend_height) * static_cast<double>(shown.size()) - 40 +
                              page::foot));
}

}  // namespace weir::tb
