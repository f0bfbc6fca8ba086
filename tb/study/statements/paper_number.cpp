#include "tb/study/statements/paper_number.h"

#include <algorithm>
#include <charconv>
#include <optional>
#include <string_view>
#include <vector>

#include "tb/study/sweep/metrics.h"
#include "tb/support/text/joined.h"
#include "weir/base/portable_math.h"

namespace weir::tb {

namespace {

struct paper_unit {
    const char* name;
    double scale;
};

/// The first is the unit of statements without a number.
std::vector<paper_unit> units_of(statement_kind kind, const std::string& metric) {
    if (kind == statement_kind::below || kind == statement_kind::share) {
        return {{"%", 1}};
    }
    const bool has_unit = (kind == statement_kind::value || kind == statement_kind::difference ||
                           kind == statement_kind::order) &&
                          metric.find('/') == std::string::npos;
    switch (has_unit ? unit_of_metric(metric) : metric_unit::number) {
        case metric_unit::time:
            return {{"ms", 1e6}, {"ns", 1}, {"us", 1e3}, {"s", 1e9}};
        case metric_unit::rate:
            return {{"Gbps", 1e9}, {"Mbps", 1e6}, {"bps", 1}};
        case metric_unit::bytes:
            return {{"KB", 1e3}, {"KiB", 1024}, {"MB", 1e6}, {"MiB", 1024.0 * 1024}, {"B", 1}};
        case metric_unit::percent:
            return {{"%", 1}};
        default:
            return {{"", 1}};
    }
}

/// Takes a number, which may be negative, off the beginning of `text`.
std::optional<double> take_number(std::string_view& text) {
    double value = 0;
    const auto read = std::from_chars(text.data(), text.data() + text.size(), value, std::chars_format::fixed);
    if (read.ec != std::errc{} || !std::isfinite(value)) {
        return std::nullopt;
    }
    std::size_t length = static_cast<std::size_t>(read.ptr - text.data());
    // `7..65`: its point belongs to the range.
    if (text[length - 1] == '.' && text.substr(length, 1) == ".") {
        --length;
    }
    text.remove_prefix(length);
    return value;
}

}  // namespace

parse_result<paper_range> read_paper_range(const std::string& text, statement_kind kind,
                                           const std::string& metric) {
    const std::vector<paper_unit> units = units_of(kind, metric);
    paper_range range;
    range.text = text;
    range.unit = units.front().name;
    range.scale = units.front().scale;
    if (text.empty()) {
        return {range, {}};
    }
    range.stated = true;
    const bool is_bare = units.size() == 1 && std::string_view(units.front().name).empty();
    const std::string shown =
        is_bare ? "without a unit" : "and a unit of " + joined(units, ", ", [](const paper_unit& u) {
                                         return "'" + std::string(u.name) + "'";
                                     });
    const parse_result<paper_range> refused{
        {}, "'" + text + "' is not a number; expected N, LOW..HIGH, >N, <N or not N " + shown};
    const std::string_view excluded = "not ";
    std::string_view rest = text;
    range.is_excluded = rest.substr(0, excluded.size()) == excluded;
    rest.remove_prefix(range.is_excluded ? excluded.size() : 0);
    const char bound = rest.empty() ? ' ' : rest.front();
    const bool is_bound = bound == '<' || bound == '>';
    if (is_bound) {
        rest.remove_prefix(1);
    }
    const std::optional<double> first = take_number(rest);
    std::optional<double> second = first;
    if (first && rest.substr(0, 2) == "..") {
        rest.remove_prefix(2);
        second = take_number(rest);
    }
    const auto unit =
        std::find_if(units.begin(), units.end(), [&](const paper_unit& u) { return rest == u.name; });
    if (!first || !second || *second < *first || unit == units.end() ||
        ((is_bound || range.is_excluded) && second != first) || (is_bound && range.is_excluded)) {
        return refused;
    }
    range.low = bound == '<' ? -HUGE_VAL : *first;
    range.high = bound == '>' ? HUGE_VAL : *second;
    range.unit = unit->name;
    range.scale = unit->scale;
    return {range, {}};
}

parse_result<paper_tolerance> read_tolerance(const std::string& text, statement_kind kind) {
    using shares = paper_tolerance::shares;
    if (text.empty()) {
        return {{kind}, {}};
    }
    std::string_view rest = text;
    const std::optional<double> value = take_number(rest);
    const bool has_effect =
        kind == statement_kind::ratio || kind == statement_kind::below || kind == statement_kind::difference;
    const shares share = rest == "% of effect" && has_effect            ? shares::of_effect
                         : rest == "%" && kind != statement_kind::below ? shares::of_number
                                                                        : shares::none;
    if (!value || *value < 0 || (share == shares::none && !rest.empty())) {
        return {{},
                "'" + text + "' is no tolerance of the kind " + name_of(kind) + "; expected " +
                    (kind == statement_kind::below ? "" : "a share of the number such as 20%, ") +
                    (has_effect ? "a share of the effect such as 30% of effect, " : "") +
                    "or a number in the unit of `paper`"};
    }
    return {{kind, share, *value}, {}};
}

accepted_range paper_tolerance::accepted(double low, double high) const {
    const auto moved = [&](double number, bool outwards) {
        if (share == shares::of_effect) {
            const double effect = effect_of(kind, number);
            const bool grows = (effect > 0) == outwards;
            return std::isinf(number) ? number : number_of(kind, effect * (1 + (grows ? 1 : -1) * value / 100));
        }
        const double distance = share == shares::of_number ? std::fabs(number) * value / 100 : value;
        return outwards ? number + distance : number - distance;
    };
    return {moved(low, false), moved(high, true)};
}

double effect_of(statement_kind kind, double number) {
    const auto log = [](double ratio) { return ratio > 0 ? log_one_plus(ratio - 1) : -HUGE_VAL; };
    return kind == statement_kind::ratio || kind == statement_kind::equivalent ? log(number)
           : kind == statement_kind::below                                     ? -log(1 - number / 100)
                                                                               : number;
}

double number_of(statement_kind kind, double effect) {
    return kind == statement_kind::ratio || kind == statement_kind::equivalent ? exponential(effect)
           : kind == statement_kind::below ? 100 * (1 - exponential(-effect))
                                           : effect;
}

}  // namespace weir::tb
