#include "tb/report/report_tables.h"

#include <algorithm>
#include <map>
#include <string>
#include <utility>

#include "tb/report/report_numbers.h"
#include "tb/results/summary_texts.h"
#include "tb/sweep/metric_title.h"
#include "tb/sweep/metrics.h"
#include "tb/text/grouped_number.h"
#include "tb/text/port_text.h"
#include "tb/text/text_format.h"
#include "weir/base/unit_text.h"

namespace weir::tb {

using nlohmann::ordered_json;

namespace {

ordered_json table_of(const char* id, const char* section, const std::string& title, const std::string& note,
                      std::size_t labels, ordered_json head) {
    return {{"id", id},
            {"title", title},
            {"note", note},
            {"section", section},
            {"labels", labels},
            {"head", std::move(head)},
            {"rows", ordered_json::array()}};
}

/// Of what is not equal; a ratio of 0 says no more than the value.
std::string shown_ratio(const ordered_json& value, const ordered_json& first) {
    return value == first || value == 0 ? "-" : ratio_text(value, first);
}

ordered_json compared_cell(const std::string& text, const std::string& ratio) {
    return ratio == "-" ? ordered_json(text) : ordered_json{{"text", text}, {"more", ratio}};
}

std::string bytes_text(std::uint64_t count) {
    return count_text(count) + " B";
}

/// A time of 0 has no unit that fits it.
std::string some_time_text(const ordered_json& ns) {
    return ns == 0 ? "0" : page_text(time_text(ns));
}

/// 0: nothing was ever there, or a host, which has no such memory.
std::string watermark_text(std::uint64_t count) {
    return count == 0 ? "-" : bytes_text(count);
}

std::string value_text(const std::string& metric, const ordered_json& value) {
    if (!value.is_number()) {
        return "-";
    }
    switch (unit_of_metric(metric)) {
        case metric_unit::time:
            return some_time_text(value);
        case metric_unit::rate:
            return rate_text(value.get<std::int64_t>());
        case metric_unit::bytes:
            return bytes_text(value.get<std::uint64_t>());
        case metric_unit::percent:
            return percent_text(value, 2);
        default:
            return value.is_number_float() ? grouped(decimal_text(value.get<double>(), 3)) : tally_text(value);
    }
}

bool starts_with(const std::string& text, const std::string& with) {
    return text.compare(0, with.size(), with) == 0;
}

class table_book {
 public:
    table_book(const std::vector<run_data>& runs, const std::vector<std::vector<busy_port>>& ports)
        : m_runs(runs), m_ports(ports) {
        for (const run_data& run : runs) {
            m_summaries.push_back(run.summary);
        }
    }

    ordered_json write() {
        add_completion("jct_ns", "job_times", "Completion times of jobs");
        add_completion("fct_ns", "transfer_times", "Completion times of transfers");
        add_metrics();
        add_limits();
        add_ports();
        return std::move(m_tables);
    }

 private:
    bool several() const { return m_runs.size() > 1; }
    std::string ratio_note() const { return several() ? "; second line: ratio to " + m_runs[0].label : ""; }
    void keep(ordered_json table) {
        if (!table["rows"].empty()) {
            m_tables.push_back(std::move(table));
        }
    }

    /// A row for each run, the name of the group beside all of them.
    void add_times(ordered_json& table, const std::vector<std::string>& name,
                   const std::vector<const ordered_json*>& times) const {
        const auto with_values =
            std::count_if(times.begin(), times.end(), [](const auto* each) { return each != nullptr; });
        bool is_first = true;
        for (std::size_t i = 0; i < times.size(); ++i) {
            if (times[i] == nullptr) {
                continue;
            }
            ordered_json row = ordered_json::array();
            for (const std::string& part : is_first ? name : std::vector<std::string>{}) {
                row.push_back({{"text", part}, {"rows", with_values}});
            }
            is_first = false;
            if (several()) {
                row.push_back(m_runs[i].label);
            }
            row.push_back(tally_text(times[i]->at("count")));
            for (const time_column& column : time_columns) {
                const ordered_json value = value_of(*times[i], column);
                const ordered_json first = times[0] != nullptr ? value_of(*times[0], column) : ordered_json();
                row.push_back(compared_cell(page_text(time_text(value)), shown_ratio(value, first)));
            }
            table["rows"].push_back(std::move(row));
        }
    }

    void add_completion(const char* measure, const char* id, const std::string& title) {
        ordered_json head{"Tag", "Size", "Priority"};
        if (several()) {
            head.push_back("Run");
        }
        head.push_back("Count");
        for (const time_column& column : time_columns) {
            head.push_back(column.name);
        }
        ordered_json table =
            table_of(id, "completion", title, "-: too few values for this percentile" + ratio_note(),
                     several() ? 4 : 3, std::move(head));
        const std::vector<ordered_json> groups = groups_of(m_summaries, measure);
        for (const ordered_json& group : groups) {
            std::vector<const ordered_json*> times;
            for (const ordered_json& summary : m_summaries) {
                const ordered_json* const same = find_group(summary, group);
                const bool any = same != nullptr && count_of(same->at(measure)) > 0;
                times.push_back(any ? &same->at(measure) : nullptr);
            }
            add_times(
                table,
                {tag_text(group.at("tag").get<std::string>()), m_runs[0].options.shown_size(size_text(group)),
                 std::to_string(group.at("priority").get<unsigned>())},
                times);
        }
        if (!groups.empty()) {
            std::vector<const ordered_json*> all;
            for (const ordered_json& summary : m_summaries) {
                all.push_back(count_of(summary.at(measure)) > 0 ? &summary.at(measure) : nullptr);
            }
            add_times(table, {"all", "", ""}, all);
        }
        keep(std::move(table));
    }

    ordered_json head_of_runs(const std::string& first) const {
        ordered_json head = ordered_json::array();
        head.push_back(first);
        for (const run_data& run : m_runs) {
            head.push_back(run.label);
        }
        return head;
    }

    /// What the runs counted, but for times by group and resources, which have tables of their own. A metric
    /// that is 0 in all runs has no row.
    void add_metrics() {
        std::vector<std::string> names;
        std::vector<std::map<std::string, ordered_json>> values;
        for (const ordered_json& summary : m_summaries) {
            values.emplace_back();
            for (metric_value& each : metrics_of(summary)) {
                if (std::find(names.begin(), names.end(), each.name) == names.end()) {
                    names.push_back(each.name);
                }
                values.back()[each.name] = std::move(each.value);
            }
        }
        struct part {
            const char* id;
            const char* title;
            std::vector<std::string> begins;
            const char* note;
        };
        const part parts[] = {
            {"drops", "Frames lost, by reason", {"drops."}, ""},
            {"pauses",
             "Pauses",
             {"pfc."},
             "times paused are summed over the transmitters of a tier: ports times classes that carried "
             "frames"},
            {"buffers", "Buffer watermarks", {"buffers."}, "of the fullest memory of each kind"},
            {"counts", "Traffic", {""}, ""}};
        const std::vector<std::string> elsewhere{"groups.", "fct_ns.", "jct_ns.", "resources."};
        const auto begins_with_any = [](const std::string& name, const std::vector<std::string>& any) {
            return std::any_of(any.begin(), any.end(),
                               [&](const auto& each) { return starts_with(name, each); });
        };
        std::map<std::string, bool> used;
        std::vector<ordered_json> tables;
        for (const part& each : parts) {
            std::string note = each.note + ratio_note();
            note.erase(0, note.find_first_not_of("; "));
            ordered_json table = table_of(each.id, "counts", each.title, note, 1, head_of_runs(""));
            for (const std::string& name : names) {
                if (!used[name] && begins_with_any(name, each.begins) && !begins_with_any(name, elsewhere)) {
                    used[name] = true;
                    add_metric(table, name, values);
                }
            }
            tables.push_back(std::move(table));
        }
        std::rotate(tables.begin(), tables.end() - 1, tables.end());
        for (ordered_json& table : tables) {
            keep(std::move(table));
        }
    }

    static void add_metric(ordered_json& table, const std::string& name,
                           const std::vector<std::map<std::string, ordered_json>>& values) {
        ordered_json row = ordered_json::array();
        row.push_back(metric_title(name));
        bool any = false;
        ordered_json first;
        for (std::size_t i = 0; i < values.size(); ++i) {
            const auto found = values[i].find(name);
            const ordered_json value = found != values[i].end() ? found->second : ordered_json();
            any = any || (value.is_number() && value != 0);
            first = i == 0 ? value : first;
            row.push_back(compared_cell(value_text(name, value), shown_ratio(value, first)));
        }
        if (any) {
            table["rows"].push_back(std::move(row));
        }
    }

    void add_limits() {
        ordered_json head{"Run",  "Resource", "Bind",        "Busiest",
                          "Busy", "Awaited",  "Frames lost", "At its limit"};
        ordered_json table = table_of("limits", "limits", "What limits each run",
                                      "the resource of each kind that binds most, or is busiest; kinds that "
                                      "limit the run are marked with *",
                                      2, std::move(head));
        for (std::size_t i = 0; i < m_runs.size(); ++i) {
            const ordered_json& resources = m_summaries[i].at("resources");
            bool is_first = true;
            for (const auto& [kind, use] : resources.items()) {
                ordered_json row = ordered_json::array();
                if (is_first) {
                    row.push_back({{"text", m_runs[i].label}, {"rows", resources.size()}});
                    is_first = false;
                }
                const ordered_json& by = m_summaries[i].at("limited_by");
                const bool binds = std::find(by.begin(), by.end(), ordered_json(kind)) != by.end();
                const ordered_json bound = value_or_null(use, "bound_percent");
                row.push_back(kind + (binds ? " *" : ""));
                row.push_back(tally_text(use.at("binding")) + " of " + tally_text(use.at("of")));
                row.push_back(use.at("worst"));
                row.push_back(percent_text(use.at("busy_percent"), 1));
                row.push_back(percent_text(use.at("stalled_percent"), 1));
                row.push_back(tally_text(use.at("lost_frames")));
                row.push_back(
                    bound.is_number() && bound > 0
                        ? compared_cell(percent_text(bound, 1),
                                        page_text(time_text(value_or_null(use, "bound_from_ns")) + " to " +
                                                  time_text(value_or_null(use, "bound_to_ns"))))
                        : ordered_json("-"));
                table["rows"].push_back(std::move(row));
            }
        }
        keep(std::move(table));
    }

    void add_ports() {
        ordered_json table = table_of(
            "ports", "limits", "Busiest ports",
            "by utilisation of the transmitter (tx); time paused is summed over classes; watermarks are of one "
            "class, at ingress of what the same port receives",
            2,
            {"Run", "Port", "To", "Utilisation", "Sent", "Frames lost", "Paused", "Ingress max", "Egress max"});
        for (std::size_t i = 0; i < m_runs.size(); ++i) {
            for (std::size_t k = 0; k < m_ports[i].size(); ++k) {
                const busy_port& port = m_ports[i][k];
                ordered_json row = ordered_json::array();
                if (k == 0) {
                    row.push_back({{"text", m_runs[i].label}, {"rows", m_ports[i].size()}});
                }
                row.push_back(port_text(port.node, port_side::egress, port.port));
                row.push_back(port.peer);
                row.push_back(decimal_text(port.utilisation_percent, 1) + " %");
                row.push_back(bytes_text(port.tx_bytes));
                row.push_back(count_text(port.dropped_frames));
                row.push_back(some_time_text(port.paused_ns));
                row.push_back(watermark_text(port.ingress_max_bytes));
                row.push_back(watermark_text(port.egress_max_bytes));
                table["rows"].push_back(std::move(row));
            }
        }
        keep(std::move(table));
    }

    const std::vector<run_data>& m_runs;
    const std::vector<std::vector<busy_port>>& m_ports;
    std::vector<ordered_json> m_summaries;
    ordered_json m_tables = ordered_json::array();
};

}  // namespace

ordered_json report_tables(const std::vector<run_data>& runs,
                           const std::vector<std::vector<busy_port>>& ports) {
    return table_book(runs, ports).write();
}

}  // namespace weir::tb
