#include "tb/view/chart/plot_axis.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "tb/support/text/joined.h"
#include "tb/view/chart/gnuplot.h"

namespace weir::tb {

namespace {

// A mantissa of 1 to 10 times a power of ten.
double decade(double value) {
    return std::pow(10.0, std::floor(std::log10(value) + 1e-12));
}

axis_unit pick(const std::vector<axis_unit>& ascending, double value) {
    axis_unit best = ascending.front();
    for (const axis_unit& u : ascending) {
        best = value >= u.scale ? u : best;
    }
    return best;
}

/// 1, 2 or 5 times a power of ten, at or above `rough`.
double round_step(double rough) {
    const double d = decade(rough);
    const double mantissa = rough / d;
    return d * (mantissa <= 1.0001 ? 1 : mantissa <= 2.0001 ? 2 : mantissa <= 5.0001 ? 5 : 10);
}

/// Labels at these multiples of the step, with the ends of the axis at the first and the last one.
plot_axis in_steps(double step, long first, long last) {
    plot_axis axis;
    for (long i = first; i <= last; ++i) {
        axis.tics.push_back({step * static_cast<double>(i), number_text(step * static_cast<double>(i))});
    }
    axis.low = axis.tics.front().at;
    axis.high = axis.tics.back().at;
    return axis;
}

plot_axis stepped(double high, double step) {
    if (high <= 0) {
        plot_axis axis;
        axis.tics.push_back({0, "0"});
        return axis;
    }
    return in_steps(step, 0, static_cast<long>(std::ceil(high / step - 1e-9)));
}

const std::vector<axis_unit>& time_scales() {
    static const std::vector<axis_unit> scales{{"ns", 1}, {"µs", 1e3}, {"ms", 1e6}, {"s", 1e9}};
    return scales;
}

/// A tic's label is a format: its percent signs stand for themselves where they are doubled.
std::string tic_label(const std::string& text) {
    std::string doubled;
    for (const char c : text) {
        doubled += c == '%' ? "%%" : std::string(1, c);
    }
    return quoted_lines(doubled);
}

template <class ToText>
std::string tics_command(const std::string& axis, const std::vector<axis_tic>& tics, const ToText& label_of) {
    return "set " + axis + "tics nomirror out (" +
           joined(tics, ", ",
                  [&](const axis_tic& tic) {
                      return label_of(tic) + " " + number_text(tic.at) + (tic.label.empty() ? " 1" : "");
                  }) +
           ")\n";
}

}  // namespace

axis_unit log_time_unit(double low_ns, double high_ns) {
    const axis_unit unit = pick(time_scales(), std::sqrt(low_ns) * std::sqrt(high_ns));
    return high_ns < 10'000 * unit.scale ? unit : pick(time_scales(), unit.scale * 1000);
}
axis_unit time_unit(double high_ns) {
    return pick(time_scales(), high_ns);
}
axis_unit byte_unit(double high_bytes) {
    return pick({{"B", 1}, {"KiB", 1024}, {"MiB", 1024.0 * 1024}, {"GiB", 1024.0 * 1024 * 1024}}, high_bytes);
}

axis_unit unit_of(axis_kind kind, double high) {
    switch (kind) {
        case axis_kind::time:
            return time_unit(high);
        case axis_kind::bytes:
            return byte_unit(high);
        case axis_kind::decimal_bytes:
            return pick({{"B", 1}, {"KB", 1e3}, {"MB", 1e6}, {"GB", 1e9}}, high);
        case axis_kind::rate:
            return pick({{"b/s", 1}, {"kb/s", 1e3}, {"Mb/s", 1e6}, {"Gb/s", 1e9}, {"Tb/s", 1e12}}, high);
        case axis_kind::percent:
            return {"%", 1};
        default:
            return {"", 1};
    }
}

axis_unit value_unit(axis_kind kind, double low, double high, bool logarithmic) {
    if (kind == axis_kind::time && logarithmic) {
        return log_time_unit(low, high);
    }
    return kind != axis_kind::count ? unit_of(kind, high)
           : high >= 2e6            ? axis_unit{"millions", 1e6}
           : high >= 1e5            ? axis_unit{"thousands", 1e3}
                                    : axis_unit{"", 1};
}

std::string plot_axis::unlabelled(const std::string& axis) const {
    return tics_command(axis, tics, [](const axis_tic&) { return std::string("''"); });
}

std::string plot_axis::commands(const std::string& axis) const {
    // gnuplot leaves out a tic at 10 or 100 where a logarithmic axis begins exactly there.
    const double room = !logarithmic ? 0 : low < high ? 1e-5 : -1e-5;
    return (logarithmic ? "set logscale " : "unset logscale ") + axis + "\nset " + axis + "range [" +
           number_text(low * (1 - room)) + ":" + number_text(high * (1 + room)) + "]\n" +
           tics_command(axis, tics, [](const axis_tic& tic) { return tic_label(tic.label); });
}

plot_axis plot_axis::fitting(double width) const {
    constexpr double letter_width = 11;
    plot_axis fitted = *this;
    const auto ends = [&](const axis_tic& tic) {
        const double middle = std::log(tic.at / low) / std::log(high / low) * width;
        const double half = letter_width * (static_cast<double>(tic.label.size()) + 1) / 2;
        return std::pair(middle - half, middle + half);
    };
    const auto is_decade = [](const axis_tic& tic) { return tic.at < decade(tic.at) * 1.0001; };
    std::vector<std::pair<double, double>> taken;
    for (const bool decades : {true, false}) {
        for (axis_tic& tic : fitted.tics) {
            if (tic.label.empty() || is_decade(tic) != decades) {
                continue;
            }
            const auto [from, to] = ends(tic);
            const bool free = std::none_of(taken.begin(), taken.end(), [from = from, to = to](const auto& t) {
                return from < t.second && to > t.first;
            });
            if (free) {
                taken.emplace_back(from, to);
            } else {
                tic.label.clear();
            }
        }
    }
    return fitted;
}

std::string plot_axis::label(const std::string& what, const std::string& unit,
                             const std::string& reason) const {
    std::string text = what + (unit.empty() ? "" : " [" + unit + "]");
    if (logarithmic) {
        return text + ", log scale";
    }
    if (low > 0) {
        text += " (axis starts at " + number_text(low) + (unit.empty() ? "" : " " + unit) +
                (reason.empty() ? "" : ": " + reason) + ")";
    }
    return text;
}

plot_axis log_axis(double low, double high) {
    static const std::vector<double> coarse{1};
    static const std::vector<double> middle{1, 2, 5};
    static const std::vector<double> fine{1, 1.2, 1.5, 2, 2.5, 3, 4, 5, 6, 8};
    if (high < low * 1.3) {
        low /= 1.15;
        high *= 1.15;
    }
    const double span = high / low;
    const std::vector<double>& steps = span < 6 ? fine : span < 150 ? middle : coarse;
    // Coarse labels still get an end at 1, 2 or 5, so that no half of a panel stays empty.
    const std::vector<double>& ends = span < 6 ? fine : middle;
    plot_axis axis;
    axis.logarithmic = true;
    axis.low = 0;
    axis.high = 0;
    for (double d = decade(low) / 10; d < high * 100 && axis.high == 0; d *= 10) {
        for (const double e : ends) {
            const double at = e * d;
            if (at <= low * 1.0001) {
                axis.low = at;
            } else if (at >= high * 0.9999 && axis.high == 0) {
                axis.high = at;
            }
        }
    }
    for (double d = decade(axis.low); d <= axis.high * 1.0001; d *= 10) {
        for (int tenth = 10; tenth < 100; ++tenth) {
            const double mantissa = tenth / 10.0;
            const double at = mantissa * d;
            if (at < axis.low * 0.9999 || at > axis.high * 1.0001) {
                continue;
            }
            if (std::find(steps.begin(), steps.end(), mantissa) != steps.end()) {
                axis.tics.push_back({at, number_text(at)});
            } else if (tenth % 10 == 0) {
                axis.tics.push_back({at, ""});
            }
        }
    }
    return axis;
}

plot_axis linear_axis(double high) {
    const double whole = high > 0 ? high : 1;
    return stepped(high, round_step(whole / 5));
}

plot_axis binary_axis(double high) {
    const double whole = high > 0 ? high : 1;
    return stepped(high, std::exp2(std::ceil(std::log2(whole / 6))));
}

plot_axis axis_from_0(axis_kind kind, double high) {
    return kind == axis_kind::bytes ? binary_axis(high) : linear_axis(high);
}

plot_axis value_axis(double low, double high) {
    if (low >= 0 && (low < 0.6 * high || high - low <= 0.02 * high)) {
        return linear_axis(high);
    }
    const double span = low < 0 ? std::max(high, 0.0) - low : high - low;
    const plot_axis steps = linear_axis(span);
    const double step = steps.tics[1].at - steps.tics[0].at;
    const auto first = static_cast<long>(std::floor(low / step));
    const auto last = std::max(first + 1, static_cast<long>(std::ceil(high / step - 1e-9)));
    return in_steps(step, first, low < 0 ? std::max(last, 0L) : last);
}

plot_axis names_axis(const std::vector<std::string>& names, bool downwards) {
    plot_axis axis;
    const double end = static_cast<double>(names.size()) - 0.5;
    axis.low = downwards ? end : -0.5;
    axis.high = downwards ? -0.5 : end;
    for (std::size_t i = 0; i < names.size(); ++i) {
        axis.tics.push_back({static_cast<double>(i), names[i]});
    }
    return axis;
}

plot_axis nines_axis(std::size_t values) {
    plot_axis axis;
    axis.logarithmic = true;
    axis.low = 1;
    axis.high = 0.8 / static_cast<double>(std::max<std::size_t>(values, 10));
    axis.tics = {{1, "0"}, {0.5, "50"}};
    std::string label = "90";
    for (double left = 0.1; left * 9 >= axis.high; left /= 10) {
        for (int m = 9; m > 1; --m) {
            if (m * left >= axis.high && m * left != 0.5) {
                axis.tics.push_back({m * left, ""});
            }
        }
        if (left >= axis.high) {
            axis.tics.push_back({left, label});
        }
        label = label == "90" ? "99" : label + (label == "99" ? ".9" : "9");
    }
    return axis;
}

plot_axis time_axis(double low, double high) {
    const double step = round_step((high - low) / 5);
    plot_axis axis;
    axis.low = low;
    const auto last = static_cast<long>(std::ceil(high / step - 1e-9));
    axis.high =
        step * static_cast<double>(last) > high + (high - low) * 0.04 ? high : step * static_cast<double>(last);
    for (auto i = static_cast<long>(std::ceil(low / step - 1e-9)); i <= last; ++i) {
        const double at = step * static_cast<double>(i);
        if (at <= axis.high) {
            axis.tics.push_back({at, number_text(at)});
        }
    }
    return axis;
}

}  // namespace weir::tb
