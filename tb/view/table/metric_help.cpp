#include <algorithm>
#include <array>
#include <vector>

#include "tb/run/arguments/commands.h"
#include "tb/run/options/requested_metrics.h"
#include "tb/run/results/metric_catalogue.h"
#include "tb/study/sweep/metric_title.h"
#include "tb/study/sweep/metrics.h"
#include "tb/support/process/error_text.h"
#include "tb/support/record/data_table.h"
#include "tb/support/record/table_schema.h"
#include "tb/support/record/table_writers.h"
#include "tb/support/text/wrapped_text.h"
#include "tb/view/table/run_table.h"

namespace weir::tb {

namespace {

/// Section of `weir table` for the metric: that of its row, or else of the first row of its family.
measure_subject subject_of(const metric_entry& entry) {
    const auto& all = metric_catalogue();
    const auto has_place = [](const metric_entry& each) { return each.row.subject != measure_subject::others; };
    const auto first = std::find_if(all.begin(), all.end(), [&](const metric_entry& each) {
        return has_place(each) && family_of(each.key) == family_of(entry.key);
    });
    return has_place(entry) || first == all.end() ? entry.row.subject : first->row.subject;
}

/// True for `tags.*.fct_ns.p99` and the like, which repeat other metrics for each member.
bool is_split(const metric_entry& entry) {
    return entry.member == metric_member::group || (entry.is_on_request && entry.is_family());
}

template <class Takes>
void print_list(const Takes& takes, std::ostream& out) {
    const column_format left = to_the_left();
    for (std::size_t s = 0; s < subject_sections().size(); ++s) {
        data_table table(
            {{subject_sections()[s].title, left}, {"unit", left}, {"title", left}, {"only", left}});
        for (const metric_entry& entry : metric_catalogue()) {
            if (!entry.title.empty() && takes(entry) && subject_of(entry) == static_cast<measure_subject>(s)) {
                table.add_row({entry.key, entry.unit, entry.title,
                               entry.is_on_request ? "on request" : condition_of(entry)});
            }
        }
        if (!table.rows.empty()) {
            print_table(out, table);
            out << '\n';
        }
    }
}

void print_metric(const std::string& name, std::ostream& out) {
    constexpr const char* indent = "    ";
    constexpr std::array directions{"", " Lower values are better.", " Higher values are better."};
    const metric_entry& entry = *find_metric_entry(name);
    const std::string unit = entry.member == metric_member::part ? unit_of_name(name) : entry.unit;
    const std::string more = entry.help.empty() || entry.help == entry.title ? "" : " " + entry.help;
    const std::string only = condition_of(entry);
    const std::string place = entry.member == metric_member::group ? entry.shape.path : name;
    out << name << '\n';
    write_wrapped(out, indent, indent, metric_title(name) + "." + more);
    write_wrapped(out, indent, indent,
                  (unit.empty() || unit == "1" ? "No unit." : "Unit: " + unit + ".") +
                      directions[static_cast<std::size_t>(entry.direction)]);
    write_wrapped(
        out, indent, indent,
        (entry.is_on_request   ? "On request: --output.metrics, --metric or --goal names it"
         : entry.place.empty() ? "In no file: it is computed from others of its family"
         : only.empty()        ? "In every run"
                               : "Only " + only) +
            (entry.place.empty() ? "" : "; summary.json has it as " + place) +
            (entry.shape.kind == json_kind::number_or_null ? "; null: there is nothing to measure." : "."));
}

}  // namespace

int metric_help(const std::vector<std::string>& words, std::ostream& out, std::ostream& err) {
    if (const config_errors errors = metric_filter(words).check(""); !errors.empty()) {
        return print_errors(errors, err);
    }
    for (const std::string& word : words) {
        if (is_possible_metric(word)) {
            print_metric(word, out);
        } else {
            print_list(
                [&](const metric_entry& entry) {
                    const bool may_be_member =
                        entry.is_family() && word.rfind(entry.key.substr(0, entry.key.find('*')), 0) == 0;
                    return may_be_member || is_named(entry.key, word);
                },
                out);
        }
    }
    if (words.empty()) {
        print_list([](const metric_entry& entry) { return !is_split(entry); }, out);
        out << "fct_ns, jct_ns, fct_slowdown and jct_slowdown also exist for parts of the traffic:\n"
               "groups.TAG.BYTES.PRIORITY.fct_ns.p99 in every run, and on request tags.TAG.fct_ns.p99,\n"
               "priorities.7.fct_ns.p99, sizes.8192.fct_ns.p99 and racks.tor0.fct_ns.p99.\n"
               "weir help NAME describes one metric. --output.metrics=NAME requests a metric from a run;\n"
               "--metric and --goal do so by themselves.\n";
    }
    return 0;
}

}  // namespace weir::tb
