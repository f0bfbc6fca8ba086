#include "tb/reproduce/reproduce_command.h"

#include <algorithm>
#include <map>
#include <optional>

#include "tb/campaign/campaign.h"
#include "tb/campaign/run_queue.h"
#include "tb/files/run_directory.h"
#include "tb/plot/draw_pictures.h"
#include "tb/process/exit_status.h"
#include "tb/process/status_line.h"
#include "tb/reproduce/judge_places.h"
#include "tb/reproduce/paper_pictures.h"
#include "tb/reproduce/paper_plan.h"
#include "tb/reproduce/paper_results.h"
#include "tb/reproduce/results_index.h"
#include "tb/results/summary_writer.h"
#include "tb/sweep/seed_list.h"
#include "tb/text/joined.h"
#include "weir/base/how_many.h"

namespace weir::tb {

namespace {

const command_declaration declared{
    "weir reproduce PAPER [--figure N ...] [--quick] [--seeds LIST] --out DIR\nweir reproduce PAPER ... "
    "--dry-run\n"
    "weir reproduce\n\nRuns what a paper measures, draws its figures, and says of each of its statements what "
    "is found "
    "here, and\nwhether that agrees. PAPER is a name (without one, all are listed), or a folder of your own: "
    "docs/reproduce.md."
    "\nThe same command again goes on where it was stopped or killed.\n\n",
    20,
    {
        {"figure", "LIST", "only these figures, and the statements about them; may be repeated"},
        {"quick", nullptr, "fewer points, shorter runs and fewer seeds, as the paper's folder says"},
        {"seeds", "N|LIST",
         "N seeds from 1 on, or a list such as 3,7,11 or 1..10 (default: the recorded ones)"},
        {"out", "DIR", "where to write; new, empty or the same reproduction"},
        {"jobs", "N", "number of simultaneous runs (default: the number of processors)"},
        {"threads", "N", "threads of each run (default: as its configuration says)"},
        {"retry-failed", nullptr, "repeat the runs that failed"},
        {"mixed-builds", nullptr, "continue although the runs in DIR were made by another build of weir"},
        {"dry-run", nullptr, "check everything, print points and cost, write nothing"},
        {"list", nullptr, "list the papers"},
        {"index", "LIST", "print one table of the statements in these directories, in Markdown"},
    },
    0,
    1,
    "paper",
    "papers"};

/// The one loss of a lossless class that does not end a run.
constexpr const char* lossless_drops = "drops.lossless_egress_full";

const directory_kind& reproduction_kind() {
    static const directory_kind kind{"reproduction", "reproduction.json", {"results.md", "results.json"}};
    return kind;
}

struct reproduce_arguments {
    std::vector<std::string> figures;
    bool quick = false;
    bool retry_failed = false;
    /// 0: as configured.
    unsigned threads = 0;
    /// Empty: as recorded.
    std::string seeds;
    campaign_options campaign;
};

std::vector<std::uint64_t> recorded_seeds(const paper& p, bool quick) {
    return read_seeds(quick ? p.facts.quick_seeds : p.facts.seeds, 1).value;
}

class reproduction : public campaign {
 public:
    reproduction(const paper& p, reproduce_arguments arguments, std::vector<std::uint64_t> seeds,
                 const std::string& command_line, std::ostream& out, std::ostream& err)
        : campaign(reproduction_kind(), arguments.campaign, command_line, out, err),
          m_paper(p),
          m_arguments(std::move(arguments)),
          m_plan(p, m_arguments.quick, std::move(seeds), m_arguments.threads) {}

 private:
    bool plan() override {
        if (print(m_plan.load())) {
            return false;
        }
        m_threads = m_plan.threads();
        m_progress = m_plan.progress();
        return true;
    }

    bool check() override {
        std::vector<std::string> warnings;
        const std::vector<std::string> errors = m_plan.check(warnings);
        for (const std::string& error : errors) {
            m_err << error << '\n';
        }
        if (!errors.empty()) {
            return false;
        }
        for (const std::string& warning : warnings) {
            m_err << "warning: " << warning << '\n';
        }
        // Seed by seed: once the first seed is through, every point has a result.
        for (const std::uint64_t seed : m_plan.seeds()) {
            for (const std::size_t point : m_plan.points_of(m_arguments.figures)) {
                m_wanted.push_back({point, seed});
            }
        }
        return true;
    }

    void print_plan() override {
        print_cost(m_wanted);
        m_out << '\n';
        for (const std::size_t point : m_plan.points_of(m_arguments.figures)) {
            m_out << m_plan.describe(point) << '\n';
        }
    }

    std::size_t points() const override { return m_plan.points(); }
    nlohmann::ordered_json plan_json() const override { return m_plan.to_json(); }
    config_errors differences(const std::string& there, const std::string& file) const override {
        return m_plan.differences(there, file);
    }

    config_errors foreign_runs() override {
        m_found = take_inventory(m_wanted, m_plan, layout(), m_arguments.retry_failed);
        m_queue.emplace(m_plan, m_found, m_plan.points(), jobs());
        constexpr std::size_t most = 10;
        config_errors foreign = m_found.foreign;
        foreign.resize(std::min(most, foreign.size()));
        return foreign;
    }

    bool adds_runs() const override { return m_found.done + m_found.failed > 0 && has_runs_to_make(); }
    bool has_runs_to_make() const override { return !m_found.pending.empty(); }
    const run_list& runs() const override { return m_plan; }
    run_demand& demand(const std::function<void(const std::string&)>& note) override {
        print_cost(m_found.pending);
        m_out << std::endl;
        m_queue->note = note;
        return *m_queue;
    }

    void print_cost(const std::vector<pending_run>& runs) const {
        const paper_cost cost = m_plan.cost_of(runs);
        m_out << m_paper.name << (m_arguments.quick ? ", quick" : "") << ": " << how_many(cost.runs, "run")
              << ", " << jobs() << " at a time, with " << how_many(m_plan.seeds().size(), "seed") << '\n';
        if (cost.known > 0) {
            m_out << "cost: about " << waiting_text(cost.cpu_seconds) << " of processor time";
            if (cost.known < cost.runs) {
                m_out << " and that of " << cost.runs - cost.known << " runs of which it is not known";
            }
        } else {
            m_out << "cost: processor time is not known";
        }
        if (cost.memory_mb > 0) {
            m_out << ", " << cost.memory_mb << " MB of memory a run";
        }
        m_out << ", " << std::max(1.0, std::ceil(cost.disk_mb)) << " MB of disk\n";
    }

    int report(int signal) override {
        const campaign_status& status = m_queue->status();
        if (signal != 0) {
            m_err << "weir reproduce: interrupted; " << status.done << " of " << status.total
                  << " runs are done, the same command goes on\n";
            return exit_status::interrupted(signal);
        }
        if (status.not_finished > 0) {
            m_err
                << "weir reproduce: " << status.not_finished << " of " << status.total
                << " runs are not finished, for the reasons above, which are not the model's; the same command "
                   "runs them again\n";
            return exit_status::environment;
        }
        std::vector<picture> pictures;
        const paper_results results = collect(pictures);
        write_results(results);
        print_results(m_out, results);
        std::vector<std::string> names;
        for (const paper_figure& f : m_paper.figures) {
            names.push_back(f.name);
        }
        const int drawn = names.empty() ? 0
                                        : draw_pictures(pictures, names, {"png", "svg"},
                                                        (directory() / "plots").string(), m_out, m_err);
        const bool as_recorded = say_differences(results, status.failed);
        return as_recorded ? drawn : exit_status::verdict;
    }

    bool wants(const std::string& figure) const {
        const std::vector<std::string>& all = m_arguments.figures;
        return all.empty() || std::find(all.begin(), all.end(), figure) != all.end();
    }

    paper_results collect(std::vector<picture>& pictures) const {
        paper_results all{&m_paper, m_arguments.quick, m_plan.seeds(), {}, {}};
        const bool recorded = m_plan.seeds() == recorded_seeds(m_paper, m_arguments.quick);
        std::map<std::size_t, sweep_results> of_experiments;
        const auto results_of = [&](std::size_t experiment) -> const sweep_results& {
            const auto known = of_experiments.find(experiment);
            return known != of_experiments.end()
                       ? known->second
                       : of_experiments.emplace(experiment, read(experiment)).first->second;
        };
        for (const paper_statement& s : m_paper.statements) {
            if (wants(s.figure)) {
                all.statements.push_back(
                    compare_with_record(s, judge(s, results_of(s.experiment)), m_arguments.quick, recorded));
            }
        }
        for (const paper_figure& f : m_paper.figures) {
            if (wants(f.figure)) {
                const paper_plan::experiment& e = m_plan.experiments()[f.experiment];
                auto drawn = paper_picture(f, e, results_of(f.experiment), layout().part(e.points),
                                           m_paper.facts.confidence);
                all.figures.push_back({&f, drawn.has_value(),
                                       figure_numbers(f, results_of(f.experiment), m_paper.facts.confidence)});
                if (drawn) {
                    pictures.push_back(std::move(*drawn));
                }
            }
        }
        return all;
    }

    /// Only what tables ask for: a run has hundreds of numbers.
    sweep_results read(std::size_t experiment) const {
        std::vector<std::string> metrics{lossless_drops};
        const auto add = [&](const auto& row) {
            if (row.experiment == experiment) {
                metrics.insert(metrics.end(), row.metrics.begin(), row.metrics.end());
            }
        };
        std::for_each(m_paper.statements.begin(), m_paper.statements.end(), add);
        std::for_each(m_paper.figures.begin(), m_paper.figures.end(), add);
        const paper_plan::experiment& e = m_plan.experiments()[experiment];
        return sweep_results(e.plan, layout().part(e.points), metric_filter(metrics));
    }

    /// What is wrong with a run: it has failed, or lost a frame that it must not lose.
    static std::string fault_of(const sweep_results& results, std::size_t point, std::size_t seed) {
        const run_record& record = results.record(point, seed);
        if (record.state == run_record::states::failed) {
            return record.error.substr(0, record.error.find('\n'));
        }
        const auto name = std::find(results.metrics().begin(), results.metrics().end(), lossless_drops);
        const auto drops = static_cast<std::size_t>(name - results.metrics().begin());
        const bool lost = name != results.metrics().end() && results.value(point, seed, drops).is_number() &&
                          results.value(point, seed, drops) != 0;
        return lost ? "lost " + results.value(point, seed, drops).dump() + " frames of lossless classes" : "";
    }

    judgement judge(const paper_statement& s, const sweep_results& results) const {
        const paper_plan::experiment& e = m_plan.experiments()[s.experiment];
        const std::vector<statement_place> places = places_of(s, e.plan);
        judgement other;
        for (const statement_place& place : places) {
            for (const std::size_t point : place.points) {
                for (std::size_t seed = 0; seed < m_plan.seeds().size(); ++seed) {
                    if (const std::string fault = fault_of(results, point, seed); !fault.empty()) {
                        other.verdict = paper_verdict::failed;
                        other.note = m_plan.describe(e.points[point]) + ", seed " +
                                     std::to_string(m_plan.seeds()[seed]) + ": " + fault;
                        return other;
                    }
                }
            }
        }
        if (places.empty()) {
            other.note = "these runs have no points of it";
            return other;
        }
        return judge_places(s, results, m_paper.facts.confidence);
    }

    void write_results(const paper_results& results) const {
        for (const auto& [name, text] :
             {std::pair<const char*, std::string>{"results.json", to_text(to_json(results))},
              {"results.md", to_markdown(results)}}) {
            output_file file(directory() / name);
            file.write(text);
            file.finish();
        }
        synchronise(directory());
    }

    /// Returns whether there are none.
    bool say_differences(const paper_results& results, std::size_t failed) const {
        bool as_recorded = true;
        for (const judged_statement& each : results.statements) {
            if (!each.as_recorded) {
                as_recorded = false;
                m_err << "weir reproduce: " << figure_text(each.statement->figure) << ", " << each.statement->id
                      << ": '" << name_of(each.ours.verdict) << "', recorded is '" << name_of(each.recorded)
                      << '\'' << (each.ours.note.empty() ? "" : ": " + each.ours.note) << '\n';
            }
        }
        if (failed > 0) {
            m_err << "weir reproduce: " << failed << " of " << m_wanted.size()
                  << " runs failed; --retry-failed runs them again\n";
        }
        return as_recorded && failed == 0;
    }

    const paper& m_paper;
    const reproduce_arguments m_arguments;
    paper_plan m_plan;
    std::vector<pending_run> m_wanted;
    inventory m_found;
    std::optional<run_queue> m_queue;
};

int list_papers(std::ostream& out, std::ostream& err) {
    config_errors errors;
    for (const std::filesystem::path& folder : known_papers()) {
        const paper_facts facts = read_paper_facts(folder, errors);
        out << folder.filename().string() << "  " << facts.title
            << (facts.reference.empty() ? "" : " (" + facts.reference + ")") << '\n';
    }
    return errors.empty() ? exit_status::success : print_errors(errors, err);
}

int print_index(const argument_reader& given, std::ostream& out, std::ostream& err) {
    const std::vector<std::string> names = given.list("index");
    config_errors errors;
    const std::string index = results_index({names.begin(), names.end()}, errors);
    if (!errors.empty()) {
        return print_errors(errors, err);
    }
    out << index;
    return exit_status::success;
}

void check_figures(const paper& p, const std::vector<std::string>& figures, argument_reader& given) {
    const std::vector<std::string> names = p.figure_names();
    for (const std::string& figure : figures) {
        if (std::find(names.begin(), names.end(), figure) == names.end()) {
            given.fail("--figure", "'" + figure + "' is not in the tables of " + p.name + "; expected one of " +
                                       joined(names, ", "));
        }
    }
}

}  // namespace

int reproduce_command(const std::vector<std::string>& args, std::ostream& out, std::ostream& err) {
    argument_reader given(declared, args);
    if (given.wants_help()) {
        out << help_of(declared);
        return 0;
    }
    if (given.errors.empty() && given.is_given("index")) {
        return print_index(given, out, err);
    }
    if (given.errors.empty() && (given.has("list") || given.files().empty())) {
        return list_papers(out, err);
    }
    reproduce_arguments arguments;
    arguments.figures = given.list("figure");
    arguments.quick = given.has("quick");
    arguments.retry_failed = given.has("retry-failed");
    arguments.campaign.mixed_builds = given.has("mixed-builds");
    arguments.campaign.dry_run = given.has("dry-run");
    arguments.seeds = given.text("seeds");
    arguments.threads = static_cast<unsigned>(given.count("threads", 0, 1, 256));
    read_out(given, arguments.campaign);
    paper p;
    if (const auto folder = find_paper(given.file(0), given.errors); !folder.empty()) {
        config_errors errors;
        p = read_paper(folder, errors);
        given.add(errors);
        if (errors.empty()) {
            check_figures(p, arguments.figures, given);
        }
    }
    const auto seeds = given.is_given("seeds")
                           ? read_seeds(arguments.seeds, 1)
                           : parse_result<std::vector<std::uint64_t>>{recorded_seeds(p, arguments.quick), {}};
    if (!seeds) {
        given.fail("--seeds", seeds.error);
    }
    if (!given.errors.empty()) {
        return print_errors(given.errors, err);
    }
    return run_campaign("reproduce", args, err, [&](const std::string& command_line) {
        return reproduction(p, std::move(arguments), seeds.value, command_line, out, err).run();
    });
}

}  // namespace weir::tb
