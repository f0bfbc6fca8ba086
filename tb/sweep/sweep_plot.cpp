#include "tb/sweep/sweep_plot.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

#include "tb/options/run_config.h"
#include "tb/sweep/quantity.h"
#include "tb/sweep/swept_axis.h"

namespace weir {

namespace {

/// A mean's place in the picture.
struct curve_point {
    double x = 0;
    mean_interval mean;
};
struct curve {
    std::string label;
    std::vector<curve_point> points;
};

/// What the vertical axis shows.
struct value_scale {
    std::string label;
    double unit = 1;
    plot_axis axis;
};

/// From a round number at or below `low` to one at or above `high`; from 0 where `low` is not far from it, and
/// where all values are nearly equal: a difference of nothing must not fill a picture.
plot_axis value_axis(double low, double high) {
    if (low < 0.6 * high || high - low < 0.02 * high) {
        return linear_axis(high);
    }
    const plot_axis steps = linear_axis(high - low);
    const double step = steps.tics[1].at - steps.tics[0].at;
    plot_axis axis;
    axis.low = step * std::floor(low / step);
    axis.high = axis.low;
    for (int i = 0; axis.high < high || i < 2; ++i) {
        axis.high = axis.low + step * i;
        axis.tics.push_back({axis.high, number_text(rounded(axis.high, 10))});
    }
    return axis;
}

value_scale scale_of(const std::string& metric, const std::vector<curve>& curves,
                     sweep_plot_request::scales wanted) {
    double least = std::numeric_limits<double>::max();
    double most = 0;
    double low = least;
    double high = 0;
    for (const curve& c : curves) {
        for (const curve_point& p : c.points) {
            const double width = p.mean.has_width() ? p.mean.half_width : 0;
            least = std::min(least, p.mean.mean);
            most = std::max(most, p.mean.mean);
            low = std::min(low, p.mean.mean - width);
            high = std::max(high, p.mean.mean + width);
        }
    }
    const bool logarithmic =
        least > 0 && (wanted == sweep_plot_request::scales::logarithmic ||
                      (wanted == sweep_plot_request::scales::automatic && most > 30 * least));
    value_scale scale;
    axis_unit unit{"", 1};
    if (unit_of_metric(metric) == metric_unit::time) {
        unit = logarithmic ? log_time_unit(least, most) : time_unit(high);
    } else if (unit_of_metric(metric) == metric_unit::rate) {
        unit = rate_unit(high);
    } else if (high >= 2e6) {
        unit = {"millions", 1e6};
    } else if (high >= 1e5) {
        unit = {"thousands", 1e3};
    }
    scale.unit = unit.scale;
    scale.label = metric_title(metric) + (unit.name.empty() ? "" : " [" + unit.name + "]");
    // An interval that reaches 0 has no end on a logarithmic axis; it is cut at a third of the lowest mean.
    scale.axis = logarithmic ? log_axis(std::max(low, least / 3) / unit.scale, high / unit.scale)
                             : value_axis(std::max(0.0, low) / unit.scale, high / unit.scale);
    return scale;
}

class sweep_drawing {
 public:
    sweep_drawing(const sweep_results& results, std::size_t metric, const sweep_plot_request& request)
        : m_results(results),
          m_plan(results.plan()),
          m_metric(metric),
          m_request(request),
          m_x(m_plan, request.over[0]) {}

    std::optional<picture> draw() {
        collect();
        bool any = false;
        for (const curve& c : m_curves) {
            any = any || !c.points.empty();
        }
        if (!any) {
            return std::nullopt;
        }
        const std::string& metric = m_results.metrics()[m_metric];
        m_scale = scale_of(metric, m_curves, m_request.scale);
        m_name = sweep_picture_name(metric, m_request);
        page p(m_request.title.empty() ? metric_title(metric) : m_request.title, details());
        std::vector<std::string> labels;
        for (const curve& c : m_curves) {
            labels.push_back(c.label);
        }
        if (m_request.over.size() > 1) {
            p.legend(labels, page::sample::line_and_point);
        }
        constexpr double height = 900;
        p.panel(170, page::width - 60, p.top() + 30, height - page::foot);
        p.add("set datafile missing '?'\nset xlabel " + weir::quoted(m_x.label()) + "\nset ylabel " +
              weir::quoted(m_scale.label) + " offset -1.5, 0");
        p.add(m_x.axis().commands("x") + m_scale.axis.commands("y") + plot_command());
        return p.finish(m_name, data(), static_cast<unsigned>(height));
    }

 private:
    void collect() {
        std::vector<std::size_t> at(m_plan.axes.size(), 0);
        for (const auto& [key, value] : m_request.where) {
            const swept_axis axis(m_plan, key);
            at[axis.index()] = axis.place_of(value).value_or(0);
        }
        m_fixed = at;
        if (m_request.over.size() == 1) {
            m_curves.push_back({"", {}});
            add_points(at, m_curves.back());
            return;
        }
        const swept_axis family(m_plan, m_request.over[1]);
        for (std::size_t i = 0; i < family.size(); ++i) {
            at[family.index()] = i;
            m_curves.push_back({family.short_key() + " = " + family.text(i), {}});
            add_points(at, m_curves.back());
        }
    }

    void add_points(std::vector<std::size_t> at, curve& c) {
        for (std::size_t i = 0; i < m_x.size(); ++i) {
            at[m_x.index()] = m_x.in_order()[i];
            const std::size_t point = point_at(at);
            m_seeds_missing = m_seeds_missing || !is_whole_point(point);
            const mean_interval mean = m_results.mean(point, m_metric, m_request.confidence);
            if (mean.n > 0) {
                c.points.push_back({m_x.position(i), mean});
            }
        }
    }

    std::size_t point_at(const std::vector<std::size_t>& at) const {
        std::size_t point = 0;
        for (std::size_t a = 0; a < at.size(); ++a) {
            point = point * m_plan.axes[a].values.size() + at[a];
        }
        return point;
    }

    bool is_whole_point(std::size_t point) const {
        for (std::size_t s = 0; s < m_plan.seeds.size(); ++s) {
            if (m_results.record(point, s).state != run_record::states::done) {
                return false;
            }
        }
        return true;
    }

    std::string details() const {
        const std::size_t seeds = m_plan.seeds.size();
        std::string text = m_plan.configuration;
        text += text.empty() ? "" : "; ";
        text += seeds == 1 ? "one seed, so no intervals"
                           : "mean of " + std::to_string(seeds) + " seeds with its " +
                                 number_text(100 * m_request.confidence) + " % confidence interval";
        for (std::size_t a = 0; a < m_plan.axes.size(); ++a) {
            const std::vector<std::string>& keys = m_plan.axes[a].keys;
            const bool drawn = std::any_of(keys.begin(), keys.end(), [&](const std::string& key) {
                return std::find(m_request.over.begin(), m_request.over.end(), key) != m_request.over.end();
            });
            for (std::size_t k = 0; k < keys.size() && !drawn; ++k) {
                text += "; " + keys[k] + " = " + m_plan.axes[a].values[m_fixed[a]][k];
            }
        }
        return text + (m_seeds_missing ? "; some runs are missing or have failed" : "");
    }

    /// Curves of names stand beside each other.
    double shift(std::size_t curve_index) const {
        const auto middle = static_cast<double>(m_curves.size() - 1) / 2;
        return m_x.is_numeric()
                   ? 0
                   : (static_cast<double>(curve_index) - middle) * std::min(0.12, 0.7 / (2 * middle + 1));
    }

    std::string data() const {
        std::string text;
        for (std::size_t i = 0; i < m_curves.size(); ++i) {
            text += "# " + (m_curves[i].label.empty() ? m_results.metrics()[m_metric] : m_curves[i].label) +
                    "\n# x mean low high n\n";
            for (const curve_point& p : m_curves[i].points) {
                const bool wide = p.mean.has_width();
                text += number_text(p.x + shift(i)) + " " + number_text(p.mean.mean / m_scale.unit) + " " +
                        (wide ? number_text(p.mean.low() / m_scale.unit) : "?") + " " +
                        (wide ? number_text(p.mean.high() / m_scale.unit) : "?") + " " +
                        std::to_string(p.mean.n) + "\n";
            }
            text += m_curves[i].points.empty() ? "? ? ? ? ?\n\n\n" : "\n\n";
        }
        return text;
    }

    std::string plot_command() const {
        const bool intervals = m_plan.seeds.size() > 1;
        std::string bands;
        std::string lines;
        // What lies below the axis is drawn to its edge: a logarithm has no 0.
        const std::string low =
            "($3 > " + number_text(m_scale.axis.low) + " ? $3 : " + number_text(m_scale.axis.low) + ")";
        // Where many bands lie on each other they must not hide the lines.
        const std::string opacity = number_text(std::min(0.2, 0.6 / static_cast<double>(m_curves.size())));
        for (std::size_t i = 0; i < m_curves.size(); ++i) {
            if (m_curves[i].points.empty()) {
                continue;
            }
            const std::string style = std::to_string(i + 1);
            const std::string from = "'" + m_name + ".dat' index " + std::to_string(i) + " using 1:";
            if (intervals && m_x.is_numeric()) {
                bands += from + low + ":4 with filledcurves fs transparent solid " + opacity + " noborder lt " +
                         style + ", \\\n     ";
            }
            if (intervals && (!m_x.is_numeric() || m_curves[i].points.size() == 1)) {
                lines += from + "2:" + low + ":4 with yerrorbars lt " + style + " dt 1 lw 2, \\\n     ";
            }
            lines += from + (m_x.is_numeric() ? "2 with linespoints lt " : "2 with points lt ") + style +
                     ", \\\n     ";
        }
        std::string all = "plot " + bands + lines;
        all.erase(all.find_last_of(','));
        return all;
    }

    const sweep_results& m_results;
    const sweep_plan& m_plan;
    std::size_t m_metric;
    const sweep_plot_request& m_request;
    swept_axis m_x;
    std::vector<std::size_t> m_fixed;
    std::vector<curve> m_curves;
    value_scale m_scale;
    std::string m_name;
    bool m_seeds_missing = false;
};

}  // namespace

std::string sweep_picture_name(const std::string& metric, const sweep_plot_request& request) {
    std::string name = metric + "_over_" + detail::join(request.over, "_");
    for (char& c : name) {
        const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                           c == '.' || c == '_' || c == '-';
        c = plain ? c : '-';
    }
    return name;
}

sweep_plot_request default_sweep_plot(const sweep_plan& plan) {
    sweep_plot_request request;
    std::vector<std::string> first_keys;
    for (const sweep_axis& axis : plan.axes) {
        first_keys.push_back(axis.keys.front());
    }
    const auto numeric = std::find_if(first_keys.begin(), first_keys.end(), [&](const std::string& key) {
        return swept_axis(plan, key).is_numeric();
    });
    const std::string x = numeric != first_keys.end() ? *numeric : first_keys.front();
    request.over.push_back(x);
    for (const std::string& key : first_keys) {
        if (key != x && request.over.size() == 1) {
            request.over.push_back(key);
        }
    }
    return request;
}

config_errors check_sweep_plot(const sweep_plan& plan, const sweep_plot_request& request, bool all_fixed) {
    config_errors errors;
    const auto fail = [&](const char* key, const std::string& message) {
        errors.push_back({"", 0, key, message});
    };
    std::set<std::size_t> drawn;
    const std::string varied = detail::join(plan.keys(), ", ");
    const auto known = [&](const char* option, const std::string& key) {
        const std::vector<std::string> keys = plan.keys();
        if (std::find(keys.begin(), keys.end(), key) != keys.end()) {
            return true;
        }
        fail(option,
             "the sweep does not vary '" + key + "'; expected " + (varied.empty() ? "nothing" : varied));
        return false;
    };
    for (const std::string& key : request.over) {
        if (known("--over", key) && !drawn.insert(swept_axis(plan, key).index()).second) {
            fail("--over",
                 "'" + key +
                     "' varies together with the other option; expected options of two different --vary");
        }
    }
    if (!errors.empty()) {
        return errors;
    }
    const swept_axis x(plan, request.over[0]);
    std::set<std::string> places;
    for (std::size_t i = 0; i < x.size(); ++i) {
        if (!places.insert(x.raw_text(i)).second) {
            fail("--over", "'" + request.over[0] + "' has the value " + x.raw_text(i) +
                               " more than once; expected another option of the same --vary");
        }
    }
    if (request.over.size() > 1 && swept_axis(plan, request.over[1]).size() > most_styles) {
        fail("--over", "'" + request.over[1] + "' makes " +
                           std::to_string(swept_axis(plan, request.over[1]).size()) +
                           " curves; expected at most " + std::to_string(most_styles));
    }
    std::set<std::size_t> fixed;
    for (const auto& [key, value] : request.where) {
        if (!known("--where", key)) {
            continue;
        }
        const swept_axis axis(plan, key);
        fixed.insert(axis.index());
        if (drawn.count(axis.index()) != 0) {
            fail("--where", "'" + key + "' is already in --over; expected another option");
        } else if (!axis.place_of(value)) {
            fail("--where", "'" + key + "' never has the value '" + value + "'; expected " + axis.all_texts());
        }
    }
    for (std::size_t a = 0; all_fixed && a < plan.axes.size(); ++a) {
        if (drawn.count(a) == 0 && fixed.count(a) == 0 && plan.axes[a].values.size() > 1) {
            const std::string& key = plan.axes[a].keys.front();
            fail("--where", "'" + key + "' is also varied; expected --where " + key + "=VALUE, one of " +
                                swept_axis(plan, key).all_texts());
        }
    }
    return errors;
}

std::optional<picture> sweep_picture(const sweep_results& results, std::size_t metric,
                                     const sweep_plot_request& request) {
    return sweep_drawing(results, metric, request).draw();
}

}  // namespace weir
