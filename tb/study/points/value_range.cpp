#include "tb/study/points/sweep_axis.h"

#include <cmath>
#include <utility>

#include "tb/run/help/given_units.h"

namespace weir::tb {

namespace {

using expansion = parse_result<std::vector<std::string>>;

constexpr const char* range_forms = "low..high:step, low..high:lin:n or low..high:log:n";
/// Beyond it a double does not hold every whole number.
constexpr double largest_whole = 9007199254740992.0;

expansion refuse(const range_text& r, const std::string& why, const std::string& allowed = range_forms) {
    return {{}, "'" + r.whole() + "' " + why + "; expected " + allowed};
}

expansion unreadable(const range_text& r, const std::string& error) {
    return {{}, "'" + r.whole() + "': " + error};
}

/// Takes what stands behind the mark.
std::string cut(std::string& text, const std::string& mark) {
    const std::size_t at = text.find(mark);
    const std::string rest = at == std::string::npos ? "" : text.substr(at + mark.size());
    text.resize(std::min(at, text.size()));
    return rest;
}

/// Four digits, unless the value is a whole number but for what a double lacks.
double settled(quantity_kind kind, double value) {
    const double whole = std::round(value);
    const double noise = std::min(1e-3, std::max(1e-6, value * 1e-13));
    if (is_whole(kind) && std::fabs(value - whole) < noise) {
        return whole;
    }
    const double short_value = rounded(value, 4);
    return is_whole(kind) ? std::round(short_value) : short_value;
}

expansion print(quantity_kind kind, const range_text& r, const std::vector<double>& values) {
    expansion all;
    for (const double value : values) {
        // In the units of the low end; of the high end if the low one is 0 or in bytes.
        std::string text = print_quantity(kind, value);
        text = in_given_units(in_given_units(text, r.high), r.low);
        if (!all.value.empty() && all.value.back() == text) {
            return refuse(r, "has '" + text + "' twice after rounding", "fewer values");
        }
        all.value.push_back(std::move(text));
    }
    return all;
}

expansion by_step(quantity_kind kind, const range_text& r, double low, double high) {
    const parse_result<double> step = read_quantity(kind, r.rule);
    if (!step) {
        return unreadable(r, step.error);
    }
    if (!(step.value > 0)) {
        return refuse(r, "has a step that is not above 0", "a step above 0");
    }
    const double steps = (high - low) / step.value;
    if (steps > static_cast<double>(most_range_values)) {
        return refuse(r, "has more than " + std::to_string(most_range_values) + " values", "a larger step");
    }
    const double count = std::round(steps);
    if (std::fabs(steps - count) > 1e-9 * std::max(1.0, steps)) {
        const double last = low + std::floor(steps) * step.value;
        return refuse(r, "has a step that misses the high end",
                      "a high end of " + print_quantity(kind, last) + " or " +
                          print_quantity(kind, last + step.value) + ", or low..high:lin:n");
    }
    std::vector<double> values;
    for (int i = 0; i <= static_cast<int>(count); ++i) {
        values.push_back(low + i * step.value);
    }
    return print(kind, r, values);
}

expansion by_count(quantity_kind kind, const range_text& r, double low, double high) {
    const bool logarithmic = r.rule == "log";
    const parse_result<double> count = read_quantity(quantity_kind::count, r.count);
    if (!count || count.value < 2 || count.value > static_cast<double>(most_range_values)) {
        return refuse(r, "needs a number of values after '" + r.rule + "'",
                      "2 to " + std::to_string(most_range_values) + " values");
    }
    if (logarithmic && !(low > 0)) {
        return refuse(r, "starts at 0, which has no logarithm", "a low end above 0");
    }
    std::vector<double> values;
    const int last = static_cast<int>(count.value) - 1;
    for (int i = 0; i <= last; ++i) {
        const double share = static_cast<double>(i) / last;
        const double value = logarithmic ? low * std::pow(high / low, share) : low + (high - low) * share;
        values.push_back(i == 0 ? low : i == last ? high : settled(kind, value));
    }
    return print(kind, r, values);
}

}  // namespace

range_text::range_text(std::string text) : low(std::move(text)) {
    high = cut(low, "..");
    rule = cut(high, ":");
    count = cut(rule, ":");
}

std::string range_text::whole() const {
    return low + ".." + high + (rule.empty() ? "" : ":") + rule + (count.empty() ? "" : ":") + count;
}

bool is_range(std::string_view text) {
    return text.find("..") != std::string_view::npos;
}

expansion expand_range(quantity_kind kind, const range_text& r) {
    const parse_result<double> low = read_quantity(kind, r.low);
    const parse_result<double> high = read_quantity(kind, r.high);
    if (!low) {
        return unreadable(r, low.error);
    }
    if (!high) {
        return unreadable(r, high.error);
    }
    if (r.rule.empty()) {
        return refuse(r, "has neither a step nor a number of values");
    }
    if (!(high.value > low.value)) {
        return refuse(r, "does not ascend", "a high end above the low one");
    }
    if (is_whole(kind) && high.value > largest_whole) {
        return refuse(r, "is too large for a range",
                      "a high end of at most " + print_quantity(kind, largest_whole));
    }
    if (r.rule == "lin" || r.rule == "log") {
        return by_count(kind, r, low.value, high.value);
    }
    if (!r.count.empty()) {
        return refuse(r, "has an unknown rule '" + r.rule + "'");
    }
    return by_step(kind, r, low.value, high.value);
}

}  // namespace weir::tb
