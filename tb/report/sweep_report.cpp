#include "tb/report/sweep_report.h"

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <map>
#include <utility>

#include "tb/files/input_file.h"
#include "tb/report/report_numbers.h"
#include "tb/results/failed_run.h"
#include "tb/sweep/metric_title.h"
#include "tb/sweep/sweep_directory.h"
#include "tb/sweep/sweep_plot.h"
#include "tb/sweep/swept_axis.h"
#include "tb/table/sweep_table.h"
#include "weir/base/how_many.h"

namespace weir::tb {

using nlohmann::ordered_json;
namespace fs = std::filesystem;

namespace {

std::vector<std::size_t> printed_columns(const data_table& table) {
    std::vector<std::size_t> columns;
    for (std::size_t c = 0; c < table.columns.size(); ++c) {
        if (table.columns[c].is_printed) {
            columns.push_back(c);
        }
    }
    return columns;
}

ordered_json points_table(const data_table& table) {
    ordered_json made{{"id", "points"},
                      {"title", "Points"},
                      {"note", "means over the seeds, with half of their confidence interval; -: no value"},
                      {"section", "sweep"},
                      {"labels", 0},
                      {"head", ordered_json::array()},
                      {"rows", ordered_json::array()}};
    std::size_t labels = 0;
    for (const std::size_t c : printed_columns(table)) {
        made["head"].push_back(table.columns[c].key);
        labels += table.columns[c].part == column_part::metric ? 0 : 1;
    }
    made["labels"] = labels;
    for (const table_row& row : table.rows) {
        ordered_json line = ordered_json::array();
        for (const std::size_t c : printed_columns(table)) {
            line.push_back(page_text(people_text(row.cells[c], table.columns[c])));
        }
        made["rows"].push_back(std::move(line));
    }
    return made;
}

/// Empty if all transfers of all runs completed.
std::string unfinished_note(const data_table& table) {
    const auto column = std::find_if(table.columns.begin(), table.columns.end(),
                                     [](const table_column& each) { return each.key == "fct_ns.unfinished"; });
    if (column == table.columns.end()) {
        return {};
    }
    const auto place = static_cast<std::size_t>(column - table.columns.begin());
    const auto points = std::count_if(table.rows.begin(), table.rows.end(), [&](const table_row& row) {
        return row.cells[place].value.is_number() && row.cells[place].value > 0;
    });
    return points == 0 ? ""
                       : std::to_string(points) + " of " + how_many(table.rows.size(), "point") +
                             " have transfers that did not complete: percentiles there may be lower bounds, "
                             "which curves do not mark, and means are over completed transfers";
}

ordered_json failures_table(const std::vector<campaign_runs>& sweeps, const std::vector<std::string>& labels) {
    ordered_json made{{"id", "failures"},
                      {"title", "Runs that failed"},
                      {"note", "weir report takes the directory of such a run, too"},
                      {"section", "sweep"},
                      {"labels", 5},
                      {"head", {"Sweep", "Run", "Settings", "Verdict", "Message"}},
                      {"rows", ordered_json::array()}};
    for (std::size_t s = 0; s < sweeps.size(); ++s) {
        for (const campaign_point& point : sweeps[s].points) {
            std::string settings;
            for (const auto& [key, value] : point.settings) {
                settings += (settings.empty() ? "" : ", ") + key + "=" + value;
            }
            for (const fs::path& run : point.failed) {
                const run_failure failure = failure_in(run).value_or(run_failure{});
                made["rows"].push_back({labels[s], "points/" + point.name + "/" + run.filename().string(),
                                        settings, verdict_text(failure), page_text(message_text(failure))});
            }
        }
    }
    return made;
}

// --- curves ----------------------------------------------------------------------------------------------

ordered_json x_axis(const swept_axis& axis) {
    ordered_json x{{"what", axis.key()}};
    if (!axis.is_numeric()) {
        x["quantity"] = "count";
        x["names"] = ordered_json::array();
        for (std::size_t i = 0; i < axis.size(); ++i) {
            x["names"].push_back(axis.text(axis.in_order()[i]));
        }
        return x;
    }
    const quantity_kind kind = axis.kind();
    x["quantity"] = kind == quantity_kind::bytes   ? axis.is_decimal() ? "decimal_bytes" : "bytes"
                    : kind == quantity_kind::time  ? "time"
                    : kind == quantity_kind::rate  ? "rate"
                    : kind == quantity_kind::share ? "percent"
                                                   : "count";
    if (axis.number(0) > 0) {
        x["log"] = axis.is_logarithmic();
    }
    return x;
}

double x_of(const swept_axis& axis, std::size_t i) {
    if (!axis.is_numeric()) {
        return static_cast<double>(i);
    }
    return axis.kind() == quantity_kind::share ? 100 * axis.number(i)
                                               : column_value(axis.kind(), axis.number(i));
}

const char* quantity_of_metric(const std::string& metric) {
    switch (unit_of_metric(metric)) {
        case metric_unit::time:
            return "time";
        case metric_unit::rate:
            return "rate";
        case metric_unit::bytes:
            return "bytes";
        case metric_unit::percent:
            return "percent";
        case metric_unit::number:
            break;
    }
    return "count";
}

/// The points of one curve: equal in all options but that of the horizontal axis.
struct curve_points {
    std::string name;
    /// Rows of the table, in the order of the axis; `size_t(-1)`: none.
    std::vector<std::size_t> rows;
};

class sweep_curves {
 public:
    /// `first_row`: of the sweep's points in the table.
    sweep_curves(const sweep_plan& plan, const data_table& table, std::size_t first_row)
        : m_plan(plan), m_table(table), m_first_row(first_row), m_x(plan, default_sweep_plot(plan).over[0]) {
        find_curves();
    }

    /// A chart of the metric in a column; null if no point has a number other than 0.
    ordered_json chart(std::size_t column, const std::string& id, const std::string& sweep) const {
        const std::string& metric = m_table.columns[column].key;
        ordered_json list = ordered_json::array();
        bool any = false;
        for (std::size_t c = 0; c < m_curves.size(); ++c) {
            ordered_json curve = curve_of(column, c, any);
            if (!curve["x"].empty()) {
                list.push_back(std::move(curve));
            }
        }
        if (!any) {
            return nullptr;
        }
        ordered_json made{{"id", id},
                          {"section", "curves"},
                          {"title", (sweep.empty() ? "" : sweep + ": ") + metric_title(metric)},
                          {"note", m_note},
                          {"kind", "means"},
                          {"x", x_axis(m_x)},
                          {"y", {{"what", metric}, {"quantity", quantity_of_metric(metric)}}},
                          {"series", std::move(list)}};
        return made;
    }

 private:
    void find_curves() {
        std::map<std::vector<std::size_t>, std::size_t> known;
        std::size_t left_out = 0;
        std::vector<std::size_t> place_in_order(m_x.size());
        for (std::size_t i = 0; i < m_x.size(); ++i) {
            place_in_order[m_x.in_order()[i]] = i;
        }
        for (std::size_t point = 0; point < m_plan.points(); ++point) {
            std::vector<std::size_t> at = m_plan.places(point);
            const std::size_t x = place_in_order[at[m_x.index()]];
            at[m_x.index()] = 0;
            const auto [found, is_new] = known.emplace(at, m_curves.size());
            if (is_new && m_curves.size() == most_styles) {
                known.erase(found);
                ++left_out;
                continue;
            }
            if (is_new) {
                m_curves.push_back({name_of(at), std::vector<std::size_t>(m_x.size(), no_row)});
            }
            m_curves[found->second].rows[x] = m_first_row + point;
        }
        if (left_out > 0) {
            m_note = "the first " + std::to_string(most_styles) +
                     " combinations of the other options; the table has all";
        }
    }

    std::string name_of(const std::vector<std::size_t>& at) const {
        std::string name;
        for (std::size_t a = 0; a < m_plan.axes.size(); ++a) {
            if (a != m_x.index()) {
                const swept_axis axis(m_plan, m_plan.axes[a].keys.front());
                name += (name.empty() ? "" : ", ") + axis.short_key() + " = " + axis.text(at[a]);
            }
        }
        return name.empty() ? "mean" : name;
    }

    ordered_json curve_of(std::size_t column, std::size_t c, bool& any) const {
        ordered_json curve{{"name", m_curves[c].name}, {"style", c}};
        for (const char* const key : {"x", "y", "low", "high"}) {
            curve[key] = ordered_json::array();
        }
        // Over names, curves stand side by side.
        const double shift = m_x.is_numeric()
                                 ? 0
                                 : std::min(0.12, 0.7 / static_cast<double>(m_curves.size())) *
                                       (static_cast<double>(c) - static_cast<double>(m_curves.size() - 1) / 2);
        for (std::size_t i = 0; i < m_x.size(); ++i) {
            const std::size_t row = m_curves[c].rows[i];
            if (row == no_row || !m_table.cell(row, column).value.is_number()) {
                continue;
            }
            const table_cell& cell = m_table.cell(row, column);
            any = any || cell.value != 0;
            curve["x"].push_back(page_number(x_of(m_x, i) + shift));
            curve["y"].push_back(page_number(cell.value.get<double>()));
            const bool wide = cell.interval.has_width();
            curve["low"].push_back(wide ? ordered_json(page_number(std::max(0.0, cell.interval.low())))
                                        : ordered_json());
            curve["high"].push_back(wide ? ordered_json(page_number(cell.interval.high())) : ordered_json());
        }
        return curve;
    }

    static constexpr std::size_t no_row = SIZE_MAX;

    const sweep_plan& m_plan;
    const data_table& m_table;
    std::size_t m_first_row;
    swept_axis m_x;
    std::vector<curve_points> m_curves;
    std::string m_note;
};

void add_curves(ordered_json& charts, const sweep_plan& plan, const data_table& table, std::size_t first_row,
                const std::string& sweep) {
    if (plan.axes.empty()) {
        return;
    }
    const sweep_curves curves(plan, table, first_row);
    for (const std::size_t c : printed_columns(table)) {
        if (table.columns[c].part != column_part::metric) {
            continue;
        }
        const std::string id = "sweep_" + std::to_string(first_row) + "_" + std::to_string(c);
        if (ordered_json chart = curves.chart(c, id, sweep); !chart.is_null()) {
            charts.push_back(std::move(chart));
        }
    }
}

}  // namespace

report_document collect_sweep_report(const std::string& title, const std::vector<std::string>& directories,
                                     const std::vector<std::string>& labels, std::ostream& err) {
    report_document made;
    std::vector<campaign_runs> sweeps;
    for (const std::string& directory : directories) {
        sweeps.push_back(read_campaign_runs(directory, made.errors));
    }
    if (!made.errors.empty()) {
        return made;
    }
    sweep_table_request request;
    request.is_complete = false;
    request.names_sweeps = sweeps.size() > 1;
    const data_table table = sweep_table(sweeps, labels, request, made.errors).table;
    if (!made.errors.empty()) {
        return made;
    }
    ordered_json verdicts = ordered_json::array();
    ordered_json charts = ordered_json::array();
    std::size_t row = 0;
    for (std::size_t s = 0; s < sweeps.size(); ++s) {
        if (sweeps[s].failures.any()) {
            verdicts.push_back({{"title", labels[s]}, {"text", sweeps[s].failures.text()}});
        }
        if (path_exists(sweeps[s].directory / "plan.json")) {
            add_curves(charts, read_plan(sweeps[s].directory, made.errors), table, row,
                       request.names_sweeps ? labels[s] : "");
        }
        row += sweeps[s].points.size();
    }
    ordered_json tables = ordered_json::array();
    tables.push_back(points_table(table));
    if (const std::string note = unfinished_note(table); !note.empty()) {
        tables.back()["note"] = tables.back()["note"].get<std::string>() + "; " + note;
        err << "warning: " << note << '\n';
    }
    if (ordered_json failures = failures_table(sweeps, labels); !failures["rows"].empty()) {
        tables.push_back(std::move(failures));
    }
    made.content = report_frame(title);
    made.content.update({{"verdicts", std::move(verdicts)},
                         {"runs", ordered_json::array()},
                         {"configuration",
                          {{"differing", ordered_json::array()},
                           {"changed", ordered_json::array()},
                           {"blocks", ordered_json::array()}}},
                         {"tables", std::move(tables)},
                         {"charts", std::move(charts)},
                         {"trees", ordered_json::array()}});
    return made;
}

}  // namespace weir::tb
