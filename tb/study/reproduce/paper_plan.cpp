#include "tb/study/reproduce/paper_plan.h"

#include <algorithm>
#include <boost/algorithm/cxx11/any_of.hpp>

#include "tb/study/points/check_plan.h"
#include "tb/study/statements/statement_cells.h"
#include "tb/support/files/json_file.h"
#include "tb/support/plugins/loaded_plugins.h"

namespace weir::tb {

using boost::algorithm::any_of_equal;

using nlohmann::ordered_json;

namespace {

/// Unit: MB. What stays of a run, and jobs.csv per second of processor time.
constexpr double run_mb = 0.05;
constexpr double jobs_mb_per_second = 3;

}  // namespace

std::vector<std::size_t> points_of_figure(const paper_figure& f, const sweep_plan& plan) {
    const auto places = f.places(plan);
    std::vector<std::size_t> points;
    for (std::size_t point = 0; places && point < plan.points(); ++point) {
        const std::vector<std::size_t> at = plan.places(point);
        bool is_drawn = true;
        for (std::size_t a = 0; a < at.size(); ++a) {
            const std::vector<std::size_t>& drawn = (*places)[a];
            is_drawn = is_drawn && any_of_equal(drawn, at[a]);
        }
        if (is_drawn) {
            points.push_back(point);
        }
    }
    return points;
}

paper_plan::paper_plan(const paper& p, bool quick, std::vector<std::uint64_t> seeds, unsigned threads)
    : m_paper(p), m_quick(quick), m_seeds(std::move(seeds)) {
    // Nobody reads flows.csv; jobs.csv is kept where a distribution is drawn.
    std::vector<std::string> options{"--output.flows=off"};
    if (threads > 0) {
        options.push_back("--run.threads=" + std::to_string(threads));
    }
    // All, whatever a row's own file names: a run then has them in the order in which they were loaded here.
    for (const loaded_plugin& each : loaded_plugins()) {
        options.push_back("--run.plugin+=" + each.path);
    }
    for (const paper_experiment& row : p.experiments) {
        m_experiments.push_back(
            {&row,
             point_source(row.files, options, {experiment_table(p.folder).string(), row.line, false}),
             {},
             {}});
    }
}

config_errors paper_plan::load() {
    config_errors errors;
    for (experiment& e : m_experiments) {
        const loaded_config base = base_of(e.source);
        errors.insert(errors.end(), base.errors.begin(), base.errors.end());
        e.plan = m_quick ? e.row->quick : e.row->plan;
        e.plan.seeds = m_seeds;
        fill_plan(e.plan, e.source, base.config);
        m_threads = std::max(m_threads, base.config.run.threads);
        m_progress = m_progress && base.config.run.progress;
        if (e.plan.points() > sweep_plan::most_runs || e.plan.runs() > sweep_plan::most_runs) {
            errors.push_back({e.source.table().file, e.row->line, "vary",
                              "makes too many runs; expected points x seeds of at most " +
                                  std::to_string(sweep_plan::most_runs)});
        }
    }
    return errors;
}

std::size_t paper_plan::experiments_with(const std::string& file) const {
    return static_cast<std::size_t>(
        std::count_if(m_experiments.begin(), m_experiments.end(),
                      [&](const experiment& e) { return any_of_equal(e.row->files, file); }));
}

std::vector<std::string> paper_plan::check(std::vector<std::string>& warnings) {
    std::vector<std::string> errors;
    std::vector<std::pair<std::string, std::vector<std::string>>> said;
    std::set<std::string> idle;
    for (std::size_t i = 0; i < m_experiments.size(); ++i) {
        experiment& e = m_experiments[i];
        const bool has_distribution =
            std::any_of(m_paper.figures.begin(), m_paper.figures.end(),
                        [&](const paper_figure& f) { return f.is_distribution() && f.experiment == i; });
        plan_check found = check_plan(e.source, e.plan, [&](const prepared_run& run, std::size_t) {
            return has_distribution && !run.loaded.config.output.jobs
                       ? config_errors{{"", 0, "output.jobs",
                                        "is off, and figures.csv draws a distribution; expected on"}}
                       : config_errors{};
        });
        errors.insert(errors.end(), found.errors.begin(), found.errors.end());
        for (const std::string& warning : found.warnings) {
            if (found.idle.count(warning) != 0) {
                idle.insert(warning);
            }
            // At which points of the experiment is left out: the same is said of several.
            const std::string what = warning.substr(0, warning.rfind(" (at "));
            const auto known =
                std::find_if(said.begin(), said.end(), [&](const auto& each) { return each.first == what; });
            (known != said.end() ? known : said.insert(said.end(), {what, {}}))->second.push_back(e.row->name);
        }
        e.plan.inputs = std::move(found.inputs);
    }
    for (const auto& [what, experiments] : said) {
        // Another experiment with the same file may use the option.
        if (idle.count(what) != 0 && experiments.size() < experiments_with(what.substr(0, what.find(':')))) {
            continue;
        }
        warnings.push_back(joined(experiments, ", ") + ": " + what);
    }
    if (errors.empty()) {
        number();
    }
    return errors;
}

void paper_plan::number() {
    std::map<std::string, std::size_t> known;
    for (std::size_t i = 0; i < m_experiments.size(); ++i) {
        experiment& e = m_experiments[i];
        for (std::size_t point = 0; point < e.plan.points(); ++point) {
            const auto [place, is_new] =
                known.emplace(e.source.effective_ini(e.plan, point, m_seeds.front()), m_places.size());
            if (is_new) {
                m_places.push_back({i, point});
            }
            e.points.push_back(place->second);
        }
    }
    for (const paper_figure& f : m_paper.figures) {
        const experiment& e = m_experiments[f.experiment];
        const kept_files needed = f.is_of_runs()        ? kept_files::all
                                  : f.is_distribution() ? kept_files::jobs
                                                        : kept_files::summary;
        for (const std::size_t point : points_of_figure(f, e.plan)) {
            kept_files& kept = m_kept.emplace(e.points[point], needed).first->second;
            kept = std::max(kept, needed);
        }
    }
}

std::vector<std::size_t> paper_plan::points_of(const std::vector<std::string>& figures) const {
    const auto wanted = [&](const std::string& figure) {
        return figures.empty() || any_of_equal(figures, figure);
    };
    std::set<std::size_t> points;
    const std::set<std::string> compared = m_paper.rows_for(figures);
    for (const paper_statement& s : m_paper.statements) {
        for (const statement_scope& scope : s.scopes) {
            const experiment& e = m_experiments[scope.experiment];
            const bool is_needed = wanted(s.figure) || compared.count(s.id) != 0;
            for (const statement_place& place :
                 is_needed ? places_of(scope, e.plan) : std::vector<statement_place>{}) {
                for (const std::vector<std::size_t>& operand : place.points) {
                    for (const std::size_t point : operand) {
                        points.insert(e.points[point]);
                    }
                }
            }
        }
    }
    for (const paper_figure& f : m_paper.figures) {
        const experiment& e = m_experiments[f.experiment];
        for (const std::size_t point :
             wanted(f.figure) ? points_of_figure(f, e.plan) : std::vector<std::size_t>{}) {
            points.insert(e.points[point]);
        }
    }
    return {points.begin(), points.end()};
}

paper_cost paper_plan::cost_of(const std::vector<pending_run>& runs) const {
    paper_cost cost;
    for (const pending_run& run : runs) {
        const paper_experiment& row = *at(run.point).row;
        const double seconds = m_quick ? row.quick_cpu_seconds : row.cpu_seconds;
        ++cost.runs;
        cost.known += seconds > 0 ? 1 : 0;
        cost.cpu_seconds += seconds;
        cost.memory_mb = std::max(cost.memory_mb, row.memory_mb);
        cost.disk_mb += run_mb + (kept(run.point) != kept_files::summary ? seconds * jobs_mb_per_second : 0);
    }
    return cost;
}

ordered_json paper_plan::to_json() const {
    ordered_json j;
    j["paper"] = m_paper.name;
    j["quick"] = m_quick;
    j["experiments"] = ordered_json::array();
    for (const experiment& e : m_experiments) {
        j["experiments"].push_back({{"name", e.row->name}, {"runs", tb::to_json(e.plan)}});
    }
    return j;
}

config_errors paper_plan::differences(const std::string& there, const std::string& file) const {
    const json_file read = parse_json(there, file, "the reproduction.json of a reproduction");
    if (!read.errors.empty()) {
        return read.errors;
    }
    config_errors errors = check_shape(read.document, file,
                                       {{"paper", json_kind::text},
                                        {"quick", json_kind::flag},
                                        {"experiments[].name", json_kind::text},
                                        {"experiments[].runs.version", json_kind::text}});
    if (!errors.empty()) {
        return errors;
    }
    const auto differ = [&](const std::string& key, const std::string& there_text, const std::string& here) {
        errors.push_back({file, 0, key,
                          "the reproduction in this directory has " + there_text + ", but this command has " +
                              here + "; expected the same, or another --out"});
    };
    if (read.document["paper"] != m_paper.name) {
        differ("PAPER", read.document["paper"].get<std::string>(), m_paper.name);
        return errors;
    }
    if (read.document["quick"] != m_quick) {
        differ("--quick", m_quick ? "the full runs" : "quick ones", m_quick ? "quick ones" : "the full runs");
        return errors;
    }
    const ordered_json& old = read.document["experiments"];
    for (std::size_t i = 0; i < old.size(); ++i) {
        const std::string name = old[i]["name"].get<std::string>();
        if (i >= m_experiments.size() || m_experiments[i].row->name != name) {
            differ("experiments", "'" + name + "' as experiment " + std::to_string(i + 1),
                   i < m_experiments.size() ? "'" + m_experiments[i].row->name + "'" : "fewer");
            return errors;
        }
        const plan_result plan =
            plan_from_json(old[i]["runs"], file, "experiments[" + std::to_string(i) + "].runs");
        const config_errors found =
            plan.errors.empty() ? tb::differences(plan.plan, m_experiments[i].plan, file, true, "reproduction")
                                : plan.errors;
        for (config_error error : found) {
            error.key = name + ": " + error.key;
            errors.push_back(error);
        }
    }
    return errors;
}

std::string paper_plan::describe(std::size_t point) const {
    const experiment& e = at(point);
    const std::string settings = e.plan.settings_text(m_places[point].point);
    return "point " + point_name(point, points()) + ": " + e.row->name + (settings.empty() ? "" : ", ") +
           settings;
}

std::vector<std::string> paper_plan::arguments(const pending_run& run) const {
    const experiment& e = at(run.point);
    return e.source.arguments(e.plan, m_places[run.point].point, run.seed);
}

std::string paper_plan::effective_ini(const pending_run& run) const {
    const experiment& e = at(run.point);
    return e.source.effective_ini(e.plan, m_places[run.point].point, run.seed);
}

kept_files paper_plan::kept(std::size_t point) const {
    const auto known = m_kept.find(point);
    return known != m_kept.end() ? known->second : kept_files::summary;
}

}  // namespace weir::tb
