#include <cmath>
#include <utility>

#include "tb/view/page/report_numbers.h"
#include "tb/view/report/report_charts.h"

namespace weir::tb {

using nlohmann::ordered_json;

namespace {

constexpr const char* kinds[] = {"cdf", "lines", "steps", "points", "means", "places", "bars"};
constexpr const char* line_names[] = {"none", "straight", "steps", "steps_up_first"};
constexpr const char* mark_names[] = {"none", "arrow_up", "cross",       "square",        "ring",
                                      "disc", "triangle", "triangle_up", "triangle_down", "diamond"};
constexpr const char* quantities[] = {"time", "bytes", "decimal_bytes", "rate", "percent", "share", "count"};

ordered_json to_json(const chart_axis& axis) {
    ordered_json made{{"what", axis.what}, {"quantity", quantities[static_cast<std::size_t>(axis.kind)]}};
    if (!axis.names.empty()) {
        made["names"] = axis.names;
    }
    if (axis.logarithmic) {
        made["log"] = *axis.logarithmic;
    }
    return made;
}

ordered_json to_json(const std::vector<double>& values) {
    ordered_json made = ordered_json::array();
    for (const double value : values) {
        made.push_back(std::isnan(value) ? ordered_json() : page_number(value));
    }
    return made;
}

ordered_json to_json(const chart_series& s, chart_kind kind) {
    ordered_json made{{"name", s.name}, {s.is_of_run ? "run" : "style", s.number}};
    if (s.look) {
        made["look"] = {{"line", line_names[static_cast<std::size_t>(s.look->line)]},
                        {"mark", mark_names[static_cast<std::size_t>(s.look->mark)]}};
    }
    made.update({{"x", to_json(s.x)}, {"y", to_json(s.y)}});
    if (kind == chart_kind::distribution) {
        ordered_json marks = ordered_json::array();
        for (const auto& [percent, value] : s.marks) {
            marks.push_back({page_number(percent), page_number(value)});
        }
        made.update({{"left", to_json(s.left)}, {"marks", std::move(marks)}});
    }
    if (kind == chart_kind::means) {
        made.update({{"low", to_json(s.low)}, {"high", to_json(s.high)}});
    }
    return made;
}

ordered_json to_json(const chart& c) {
    ordered_json made{{"id", c.id},
                      {"section", c.section},
                      {"title", c.title},
                      {"note", c.note},
                      {"kind", kinds[static_cast<std::size_t>(c.kind)]}};
    if (c.kind == chart_kind::bars) {
        made["bar_width"] = c.bar_width;
    }
    if (c.is_over_time) {
        made["group"] = "time";
    }
    made.update({{"x", to_json(c.x)}, {"y", to_json(c.y)}, {"series", ordered_json::array()}});
    for (const chart_series& each : c.series) {
        made["series"].push_back(to_json(each, c.kind));
    }
    for (const auto& [key, text] : {std::pair("group", &c.group), {"folded", &c.folded}}) {
        if (!text->empty()) {
            made[key] = *text;
        }
    }
    return made;
}

}  // namespace

ordered_json to_json(const std::vector<chart>& charts) {
    ordered_json made = ordered_json::array();
    for (const chart& each : charts) {
        if (each.has_points()) {
            made.push_back(to_json(each));
        }
    }
    return made;
}

}  // namespace weir::tb
