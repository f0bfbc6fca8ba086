#include "tb/view/report/report_tables.h"

#include <algorithm>

#include "tb/run/summary/summary_texts.h"
#include "tb/study/sweep/metric_title.h"
#include "tb/support/text/port_text.h"
#include "tb/view/page/report_numbers.h"
#include "tb/view/table/run_table.h"

namespace weir::tb {

using nlohmann::ordered_json;

namespace {

/// Place of a section of `weir table` on the page.
struct section_place {
    const char* name;
    const char* id;
    const char* section;
    const char* title;
    const char* note;
};
constexpr section_place section_places[] = {
    {"jobs", "job_times", "completion", "Completion times of jobs", "-: too few values for this percentile"},
    {"transfers", "transfer_times", "completion", "Completion times of transfers",
     "-: too few values for this percentile"},
    {"slowdown", "slowdown", "completion", "Slowdown", ""},
    {"losses", "drops", "counts", "Frames lost, by reason", ""},
    {"watermarks", "buffers", "counts", "Buffer watermarks", "of the fullest memory of each kind"},
    {"pauses", "pauses", "counts", "Pauses",
     "times paused are summed over the transmitters of a tier: ports times classes that carried frames"},
    {"use", "use", "counts", "Use", ""},
    {"other metrics", "counts", "counts", "Other metrics", ""}};

/// Prints what `weir table` prints, and all other numbers that are not 0 in all runs. Resources have a table of
/// their own; of groups only completion times are shown.
void print_all_numbers(data_table& table) {
    for (std::size_t c = 0; c < table.columns.size(); ++c) {
        table_column& column = table.columns[c];
        const bool any = std::any_of(table.rows.begin(), table.rows.end(), [c](const table_row& row) {
            return row.cells[c].value.is_number() && row.cells[c].value != 0;
        });
        const bool is_other = column.title() == column.key;
        const bool is_left_out =
            column.key.rfind("resources.", 0) == 0 || (is_other && !group_of(column.key).empty());
        if (column.part == column_part::metric && any && !is_left_out) {
            column.is_printed = true;
            column.words.back() = is_other ? metric_title(column.key) : column.title();
        }
    }
}

void add_numbers(ordered_json& tables, const std::vector<run_data>& runs,
                 const std::vector<measured_run>& measured) {
    std::vector<std::string> labels;
    for (const run_data& run : runs) {
        labels.push_back(run.label);
    }
    data_table table = run_table(measured, labels, {});
    for (table_row& row : table.rows) {
        // Labels of runs have the mark already.
        row.mark.clear();
    }
    print_all_numbers(table);
    for (table_block& block : turned_blocks(table)) {
        for (const section_place& place : section_places) {
            if (block.lines[0][0] == place.name) {
                block.title = place.title;
                tables.push_back(page_table(place.id, place.section, place.note, block));
            }
        }
    }
    if (table.without_groups) {
        tables[0]["note"] = "more than " + std::to_string(most_shown_groups) + " groups, which are left out";
    }
}

/// Adds a table whose rows begin with a run and one of its parts, if it has rows.
void add_table(ordered_json& tables, const char* id, const char* section, const char* title, const char* note,
               const data_table& table) {
    table_block block = plain_block(table);
    block.title = title;
    block.labels = 2;
    if (!block.is_empty()) {
        tables.push_back(page_table(id, section, note, block));
    }
}

data_table limits_of(const std::vector<run_data>& runs) {
    const column_format percent{metric_unit::percent, 1};
    data_table table({{"Run"},
                      {"Resource"},
                      {"Bind"},
                      {"Busiest"},
                      {"Busy", percent},
                      {"Awaited", percent},
                      {"Frames lost"},
                      {"At its limit", percent},
                      {"First", metric_unit::time},
                      {"Last", metric_unit::time}});
    for (const run_data& run : runs) {
        const ordered_json& by = run.summary.at("limited_by");
        for (const auto& [kind, use] : run.summary.at("resources").items()) {
            const bool binds = std::find(by.begin(), by.end(), ordered_json(kind)) != by.end();
            const ordered_json bound = value_or_null(use, "bound_percent");
            const bool is_bound = bound.is_number() && bound > 0;
            const auto if_bound = [&](const char* key) {
                return is_bound ? value_or_null(use, key) : ordered_json();
            };
            table.add_row({run.label, kind + (binds ? " *" : ""),
                           tally_text(use.at("binding")) + " of " + tally_text(use.at("of")), use.at("worst"),
                           use.at("busy_percent"), use.at("stalled_percent"), use.at("lost_frames"),
                           if_bound("bound_percent"), if_bound("bound_from_ns"), if_bound("bound_to_ns")});
        }
    }
    return table;
}

data_table table_of(const std::vector<run_data>& runs, const std::vector<std::vector<busy_port>>& ports) {
    // 0: nothing was ever there, or a host, which has no such memory.
    const auto watermark = [](std::uint64_t count) {
        return count == 0 ? ordered_json() : ordered_json(count);
    };
    const metric_unit bytes = metric_unit::bytes;
    data_table table({{"Run"},
                      {"Port"},
                      {"To"},
                      {"Utilisation", {metric_unit::percent, 1}},
                      {"Sent", bytes},
                      {"Frames lost"},
                      {"Paused", metric_unit::time},
                      {"Ingress max", bytes},
                      {"Egress max", bytes}});
    for (std::size_t i = 0; i < runs.size(); ++i) {
        for (const busy_port& port : ports[i]) {
            table.add_row({runs[i].label, port_text(port.node, port_side::egress, port.port), port.peer,
                           port.utilisation_percent, port.tx_bytes, port.dropped_frames, port.paused_ns,
                           watermark(port.ingress_max_bytes), watermark(port.egress_max_bytes)});
        }
    }
    return table;
}

}  // namespace

ordered_json page_table(const std::string& id, const char* section, const std::string& note,
                        const table_block& block) {
    ordered_json rows = block.lines;
    for (ordered_json& row : rows) {
        for (ordered_json& cell : row) {
            cell = page_text(cell);
        }
    }
    ordered_json head = std::move(rows[0]);
    rows.erase(0);
    return {{"id", id},
            {"title", block.title},
            {"note", note},
            {"section", section},
            {"labels", block.labels},
            {"head", std::move(head)},
            {"rows", std::move(rows)}};
}

ordered_json report_tables(const std::vector<run_data>& runs, const std::vector<measured_run>& measured,
                           const std::vector<std::vector<busy_port>>& ports,
                           const std::vector<std::vector<busy_port>>& named) {
    ordered_json tables = ordered_json::array();
    add_numbers(tables, runs, measured);
    add_table(tables, "named_ports", "failures", "Ports that the verdict names",
              "up to the time of the failure", table_of(runs, named));
    add_table(tables, "limits", "limits", "What limits each run",
              "the resource of each kind that binds most, or is busiest; kinds that limit the run are marked "
              "with *; first and last time at its limit",
              limits_of(runs));
    add_table(tables, "ports", "limits", "Busiest ports",
              "by utilisation of the transmitter (tx); time paused is summed over classes; watermarks are of "
              "one class, at ingress of what the same port receives",
              table_of(runs, ports));
    return tables;
}

}  // namespace weir::tb
