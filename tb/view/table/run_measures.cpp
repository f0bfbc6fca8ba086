#include "tb/view/table/run_measures.h"

#include <algorithm>
#include <iterator>
#include <string_view>
#include <tuple>
#include <utility>

#include "tb/run/summary/failed_run.h"
#include "tb/run/summary/summary_texts.h"
#include "tb/support/files/json_file.h"

namespace weir::tb {

using nlohmann::ordered_json;
namespace fs = std::filesystem;

const run_measure* measure_list::find(const std::string& key) const {
    const auto at = m_places.find(key);
    return at == m_places.end() ? nullptr : &m_all[at->second];
}

void measure_list::keep(const metric_filter& those) {
    m_all.erase(std::remove_if(m_all.begin(), m_all.end(),
                               [&](const run_measure& measure) { return !those.takes(measure.key); }),
                m_all.end());
    number();
}

void measure_list::sort() {
    std::stable_sort(m_all.begin(), m_all.end(), [](const run_measure& a, const run_measure& b) {
        return std::tie(a.subject, a.rank) < std::tie(b.subject, b.rank);
    });
    number();
}

void measure_list::number() {
    m_places.clear();
    for (std::size_t i = 0; i < m_all.size(); ++i) {
        m_places.emplace(m_all[i].key, i);
    }
}

namespace {

/// In a run whose transfers are its jobs the same times would stand there twice.
bool transfers_are_jobs(const ordered_json& summary) {
    bool same = summary.at("fct_ns") == summary.at("jct_ns");
    for (const ordered_json& group : summary.at("groups")) {
        same = same && group.at("fct_ns") == group.at("jct_ns");
    }
    return same;
}

class summary_measures {
 public:
    summary_measures(const ordered_json& summary, const derived_metrics& definitions)
        : m_summary(summary), m_metrics(metrics_of(summary, definitions)) {
        for (const metric_value& each : m_metrics) {
            const bool few = each.is_of_few;
            const bool is_derived = find_derived(definitions, each.name) != nullptr;
            m_numbers.add({each.name,
                           measure_subject::others,
                           {each.name},
                           {few ? ordered_json() : each.value,
                            {},
                            each.is_lower_bound && !few,
                            each.leaves_out_unfinished},
                           is_derived ? measure_show::always : measure_show::never,
                           is_derived,
                           0,
                           "",
                           "",
                           few});
        }
    }

    measure_list make() {
        const bool any_jobs = started_of(m_summary.at("jct_ns")) > 0;
        add_times(completion_of_jobs, any_jobs, any_jobs);
        // Transfers that are parts of jobs matter all together; whoever wants their groups names them.
        add_times(completion_of_transfers, !any_jobs, !any_jobs || !transfers_are_jobs(m_summary));
        add_slowdowns(completion_of_jobs);
        add_slowdowns(completion_of_transfers);
        add_others();
        for (const run_measure& number : m_numbers) {
            if (m_made.find(number.key) == nullptr) {
                m_made.add(number);
            }
        }
        return std::move(m_made);
    }

 private:
    /// A number of the summary. Summaries of builds before lack some: then it is null where it is always shown,
    /// and not added else.
    void add_number(run_measure measure) {
        const run_measure* const number = m_numbers.find(measure.key);
        if (number != nullptr) {
            measure.cell = number->cell;
            measure.is_of_few = number->is_of_few;
        }
        if (number != nullptr || measure.show == measure_show::always) {
            m_made.add(std::move(measure));
        }
    }

    void add_times(const completion_kind& kind, bool shows_groups, bool shows_all) {
        for (const ordered_json& group : m_summary.at("groups")) {
            if (started_of(group.at(kind.measure)) == 0) {
                continue;
            }
            const std::string key = name_of_group(group) + "." + kind.measure + ".";
            for (const completion_value& each : completion_values) {
                add_number({key + each.key,
                            kind.subject,
                            {tag_text(group["tag"]), size_text(group), group["priority"].dump(), each.name},
                            {},
                            shows_groups && each.of_groups ? measure_show::always : measure_show::never,
                            each.is_time()});
            }
        }
        for (const completion_value& each : completion_values) {
            const run_measure measure{kind.measure + std::string(".") + each.key,
                                      kind.subject,
                                      {"all", "", "", each.name},
                                      {unfinished_of(m_summary.at(kind.measure))},
                                      shows_all && each.of_all ? each.show : measure_show::never,
                                      each.is_time(),
                                      rank_of_all};
            std::string_view(each.key) == "unfinished" ? m_made.add(measure) : add_number(measure);
        }
    }

    /// Groups are for those who name them: they stand among the rest of the summary.
    void add_slowdowns(const completion_kind& kind) {
        for (const completion_value& each : completion_values) {
            add_number({kind.slowdown + std::string(".") + each.key,
                        measure_subject::slowdown,
                        {kind.name, "", "", each.name},
                        {},
                        each.is_time() && each.of_all ? measure_show::if_not_zero : measure_show::never,
                        each.is_time(),
                        rank_of_all});
        }
    }

    void add(const metric_entry& entry, const std::string& key) {
        const std::string member(entry.member_in(key));
        // Tiers alternate: `host`, `tier1`, `tier2`.
        const int tier = entry.row.alternates && !member.empty() && member != "host" ? member.back() - '0' : 0;
        add_number({key,
                    entry.row.subject,
                    {with_part(entry.row.label, member)},
                    {},
                    entry.row.show,
                    entry.row.is_compared,
                    static_cast<std::uint8_t>(entry.row.rank + tier)});
    }

    /// Rows of all other metrics, in the order of the catalogue.
    void add_others() {
        for (const metric_entry& entry : metric_catalogue()) {
            if (entry.row.label.empty()) {
                continue;
            }
            if (!entry.is_family()) {
                add(entry, entry.key);
            }
            for (const metric_value& each : m_metrics) {
                if (entry.is_family() && find_metric_entry(each.name) == &entry) {
                    add(entry, each.name);
                }
            }
            if (entry.key == "goodput.bps") {
                m_made.add({"limited_by",
                            measure_subject::utilisation,
                            {"limited by"},
                            {m_summary.at("limited_by")},
                            measure_show::always});
            }
        }
    }

    const ordered_json& m_summary;
    const std::vector<metric_value> m_metrics;
    measure_list m_numbers;
    measure_list m_made;
};

/// Clears what a run without summary.json does not tell: completions, and the number of links that were never
/// used.
void clear_unknown(measure_list& measures) {
    static const metric_filter means({"utilisation.*.mean_percent"});
    for (run_measure& each : measures) {
        if (each.subject <= measure_subject::slowdown || means.takes(each.key)) {
            each.cell.value = nullptr;
        }
        each.show = each.cell.value.is_null() ? measure_show::if_not_zero : each.show;
    }
}

}  // namespace

static derived_metrics definitions_of_run(const fs::path& directory) {
    json_file facts = read_json(directory / "run.json", "", {{"metrics[]", json_kind::text, false}});
    return facts.errors.empty()
               ? read_definitions(facts.document.value("metrics", std::vector<std::string>{}), facts.errors)
               : derived_metrics{};
}

derived_metrics definitions_of_runs(const std::vector<std::string>& directories,
                                    const std::vector<std::string>& metrics, config_errors& errors) {
    derived_metrics definitions;
    std::for_each(directories.rbegin(), directories.rend(), [&](const std::string& directory) {
        const derived_metrics of_run = definitions_of_run(directory);
        definitions.insert(definitions.end(), of_run.begin(), of_run.end());
    });
    add_definitions(metrics, definitions, errors);
    return definitions;
}

measured_run read_measured_run(const fs::path& path, read_files which, config_errors& errors,
                               const derived_metrics& definitions) {
    measured_run run;
    std::error_code ignored;
    run.directory = fs::is_directory(path, ignored) ? path : path.parent_path();
    const known_results read = read_known_results(path);
    if (!read.errors.empty()) {
        std::copy(read.errors.begin(), read.errors.end(), std::back_inserter(errors));
        return run;
    }
    run.is_complete = read.summary["complete"] == true;
    run.failure = read.failure;
    run.options = read_effective_options(run.directory / "effective.ini", errors);
    // Tables do not say all operands.
    run.measures = summary_measures(read.summary, read.is_from_tables ? derived_metrics{} : definitions).make();
    if (which == read_files::all) {
        add_completion_splits(run.directory, read.summary, run.measures, errors);
        add_port_measures(run.directory, read.summary, run.measures, errors);
    }
    run.measures.sort();
    if (read.is_from_tables) {
        clear_unknown(run.measures);
    }
    for (run_measure& each : run.measures) {
        // Tag, size, priority, name.
        if (each.words.size() == 4) {
            each.words[1] = run.options.shown_size(each.words[1]);
        }
    }
    return run;
}

}  // namespace weir::tb
