#include "tb/view/report/report_document.h"

#include <filesystem>
#include <string_view>
#include <tuple>
#include <utility>

#include "tb/run/summary/failed_run.h"
#include "tb/run/summary/summary_texts.h"
#include "tb/support/files/input_file.h"
#include "tb/support/files/json_file.h"
#include "tb/support/text/joined.h"
#include "tb/view/page/report_numbers.h"
#include "tb/view/page/report_tree.h"
#include "tb/view/pictures/run_charts.h"
#include "tb/view/report/report_charts.h"
#include "tb/view/report/report_configuration.h"
#include "tb/view/report/report_opening.h"
#include "tb/view/report/report_tables.h"

namespace weir::tb {

using nlohmann::ordered_json;
namespace fs = std::filesystem;

namespace {

constexpr std::size_t most_busy_ports = 8;

ordered_json styles() {
    ordered_json list = ordered_json::array();
    for (const curve_style& style : curve_styles()) {
        list.push_back({{"colour", style.colour}, {"dashes", style.dashes}, {"point", style.point}});
    }
    return list;
}

/// What run.json says that does not depend on when and how fast it ran; null where it is missing, or of a
/// version that did not write it.
ordered_json facts_of(const run_data& run, config_errors& errors) {
    const fs::path file = fs::path(run.directory) / "run.json";
    if (!path_exists(file)) {
        return {};
    }
    json_file read = read_json(file, "the run.json of a run of weir",
                               {{"command_line", json_kind::text},
                                {"commit", json_kind::text, false},
                                {"build", json_kind::text, false},
                                {"libraries.*", json_kind::text, false},
                                {"warnings[]", json_kind::text, false}});
    errors.add(read.errors);
    return read.errors.empty() ? std::move(read.document) : ordered_json();
}

std::vector<std::string> warnings_of(const run_data& run, const ordered_json& facts) {
    std::vector<std::string> lines = unknown_options(run);
    if (run.is_from_tables) {
        lines.insert(
            lines.begin(),
            "it has no summary.json, flows.csv and jobs.csv, since it failed: tables and curves end at that "
            "time, and there are no completion times");
    } else if (!run.complete && !run.failure) {
        lines.insert(lines.begin(), "the run was stopped before its end");
    }
    if (run.without_jobs) {
        lines.emplace_back("it was told not to write jobs.csv (output.jobs): jobs have no curves");
    }
    if (run.without_flows) {
        lines.emplace_back("it was told not to write flows.csv (output.flows): transfers have no curves");
    }
    for (const ordered_json& warning : value_or_null(facts, "warnings")) {
        lines.push_back(warning.get<std::string>());
    }
    return lines;
}

/// `GCC 12.2.0, Release; SystemC 2.3.4`; null where run.json does not say.
ordered_json build_of(const ordered_json& facts) {
    ordered_json build = value_or_null(facts, "build");
    const ordered_json libraries = value_or_null(facts, "libraries");
    for (const auto& [name, version] : libraries.items()) {
        if (build.is_string()) {
            build = build.get<std::string>() + "; " + name + " " + version.get<std::string>();
        }
    }
    return build;
}

std::string state_of(const run_data& run) {
    return run.failure    ? "failed: " + verdict_text(*run.failure)
           : run.complete ? "complete"
                          : "stopped before its end";
}

ordered_json verdicts_of(const std::vector<run_data>& runs) {
    ordered_json list = ordered_json::array();
    for (const run_data& run : runs) {
        if (run.failure) {
            list.push_back(page_verdict(run.label, message_text(*run.failure), true));
        }
    }
    return list;
}

ordered_json opening_of(const std::vector<run_data>& runs) {
    std::vector<opening> all;
    for (const run_data& run : runs) {
        opening& made = all.emplace_back(opening{run.label});
        made.add("Verdict", state_of(run));
        for (const auto& [what, key, count] :
             {std::tuple("Transfers", "flows", "completed"), std::tuple("Jobs", "jct_ns", "count")}) {
            const ordered_json counts = value_or_null(run.summary, key);
            // A run that failed has left no count of jobs.
            const bool is_known = !run.is_from_tables || std::string_view(key) == "flows";
            made.add_counts(what, is_known ? value_or_null(counts, count) : ordered_json(),
                            value_or_null(counts, "unfinished"));
        }
        // Its page has no percentiles to explain.
        made.has_unfinished = made.has_unfinished && !run.is_from_tables;
        made.add_options({run.options});
        const ordered_json& limits = run.summary.at("limited_by");
        made.add("Limited by", limits.empty() ? "-" : joined(limits.get<std::vector<std::string>>(), ", "));
        made.add("Simulated", time_text(run.summary.at("simulated_ns")));
        made.add("Seed", run.summary.at("seed").dump());
    }
    return opening_table(all);
}

ordered_json run_of(const run_data& run, config_errors& errors) {
    const ordered_json facts = facts_of(run, errors);
    const ordered_json command = value_or_null(facts, "command_line");
    return {{"label", run.label},
            {"version", value_or_null(run.summary, "version")},
            {"commit", value_or_null(facts, "commit")},
            {"build", build_of(facts)},
            {"command_line", command.is_string() ? shown_command(command.get<std::string>()) : ""},
            {"warnings", warnings_of(run, facts)}};
}

}  // namespace

ordered_json report_frame(const std::string& title) {
    return {
        {"title", title}, {"made_by", "weir " WEIR_VERSION}, {"styles", styles()}, {"few_styles", few_styles}};
}

ordered_json page_verdict(const std::string& title, const std::string& text, bool is_fault) {
    return {{"title", title}, {"text", page_text(text)}, {"is_fault", is_fault}};
}

report_document collect_report(const std::string& title, const std::vector<run_data>& runs) {
    report_document made;
    std::vector<measured_run> measured;
    std::vector<std::vector<busy_port>> ports;
    std::vector<std::vector<busy_port>> named;
    ordered_json list = ordered_json::array();
    for (const run_data& run : runs) {
        measured.push_back(read_measured_run(run.directory, read_files::summary, made.errors));
        ports.push_back(read_ports(run.directory, made.errors));
        named.push_back(run.failure ? named_ports(ports.back(), message_text(*run.failure))
                                    : std::vector<busy_port>{});
        ports.back() = most_used_ports(std::move(ports.back()), most_busy_ports);
        list.push_back(run_of(run, made.errors));
    }
    if (!made.errors.empty()) {
        return made;
    }
    std::vector<chart> charts;
    add_distribution_charts(charts, runs);
    for (chart& each : page_charts(runs)) {
        charts.push_back(std::move(each));
    }
    made.content = report_frame(title);
    ordered_json tables = report_tables(runs, measured, ports, named);
    tables.insert(tables.begin(), opening_of(runs));
    made.content.update({{"verdicts", verdicts_of(runs)},
                         {"runs", std::move(list)},
                         {"configuration", report_configuration(runs)},
                         {"tables", std::move(tables)},
                         {"charts", to_json(charts)},
                         {"trees", report_trees(runs)}});
    return made;
}

}  // namespace weir::tb
