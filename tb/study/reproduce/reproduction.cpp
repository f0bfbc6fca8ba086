#include "tb/study/reproduce/reproduction.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "tb/run/samples/json_values.h"
#include "tb/study/reproduce/paper_results.h"
#include "tb/support/files/json_file.h"
#include "tb/support/files/output_file.h"
#include "tb/support/files/run_directory.h"
#include "tb/support/process/child_process.h"
#include "tb/support/process/exit_status.h"
#include "tb/support/process/status_line.h"
#include "tb/view/chart/draw_pictures.h"
#include "weir/base/how_many.h"
#include "weir/base/processors.h"

namespace weir::tb {

namespace {

const directory_kind& reproduction_kind() {
    static const directory_kind kind{"reproduction", "reproduction.json", {"results.md", "results.json"}};
    return kind;
}

/// Mean processor time of `jobs` equal runs beside each other. Unit: s.
double time_of_runs(unsigned jobs) {
    const work_directory work("weir_reference_");
    const auto folder = [&](unsigned job) { return (work.path() / std::to_string(job)).string(); };
    child_process::settings how;
    how.program = child_process::this_program;
    std::vector<child_process> runs;
    for (unsigned job = 0; job < jobs; ++job) {
        runs.emplace_back(
            std::vector<std::string>{"weir", "run", "--fabric.topology=racks", "--switch.scheme=detail",
                                     "--traffic.kind=query", "--traffic.rate=2000", "--run.duration=100ms",
                                     "--run.progress=off", "--out", folder(job)},
            how);
    }
    double seconds = 0;
    for (unsigned job = 0; job < jobs; ++job) {
        runs[job].wait();
        if (runs[job].status() != 0) {
            throw command_error("the run by which costs are measured has failed:\n" + runs[job].errors(),
                                exit_status::of_child(runs[job].status()));
        }
        seconds +=
            read_json(folder(job) + "/run.json", "facts of a run").document.at("cpu_seconds").get<double>();
    }
    return seconds / jobs;
}

/// Measures how fast this machine is now: costs of experiments (experiments.csv) are seconds of a processor on
/// which the reference run takes one second. Simulates 100 ms of DeTail's 96 hosts with 2,000 queries per
/// second each, `jobs` times beside each other, five times one after the other. Returns the median of the five
/// means of processor time. Unit: s. Throws command_error if a run fails.
double time_of_reference_run(unsigned jobs) {
    // The median, because a machine's speed varies from one second to the next.
    constexpr std::size_t repetitions = 5;
    std::array<double, repetitions> seconds{};
    std::generate(seconds.begin(), seconds.end(), [&] { return time_of_runs(jobs); });
    std::sort(seconds.begin(), seconds.end());
    return seconds[repetitions / 2];
}

class reproduction : public queued_campaign {
 public:
    reproduction(const paper& p, reproduction_options options, const campaign_call& call, std::ostream& out,
                 std::ostream& err)
        : queued_campaign(reproduction_kind(), "reproduce", options.retry_failed, options, call, out, err),
          m_paper(p),
          m_options(std::move(options)),
          m_plan(p, m_options.quick, m_options.seeds, m_options.threads) {}

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
        want(m_plan.points_of(m_options.figures), m_plan.seeds());
        return true;
    }

    void print_plan() override {
        print_cost(wanted());
        m_out << '\n';
        for (const std::size_t point : m_plan.points_of(m_options.figures)) {
            m_out << m_plan.describe(point) << '\n';
        }
    }

    std::size_t points() const override { return m_plan.points(); }
    nlohmann::ordered_json plan_json() const override { return m_plan.to_json(); }
    config_errors differences(const std::string& there, const std::string& file) const override {
        return m_plan.differences(there, file);
    }

    const run_list& runs() const override { return m_plan; }
    run_demand& demand(const std::function<void(const std::string&)>& note) override {
        print_cost(pending());
        m_out << std::endl;
        return queued_campaign::demand(note);
    }

    void print_cost(const std::vector<pending_run>& runs) const {
        const paper_cost cost = m_plan.cost_of(runs);
        m_out << m_paper.name << (m_options.quick ? ", quick" : "") << ": " << how_many(cost.runs, "run")
              << ", " << jobs() << " at a time, with " << how_many(m_plan.seeds().size(), "seed") << '\n';
        if (cost.known > 0) {
            const double reference = time_of_reference_run(std::min(jobs(), usable_processors()));
            m_out << "cost: about " << waiting_text(reference * cost.cpu_seconds)
                  << " of processor time (the reference run took " << std::llround(1000 * reference) << " ms)";
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
        if (const std::optional<int> left = unfinished(signal)) {
            return *left;
        }
        const paper_evaluation found = evaluate(m_paper, m_plan, layout(), m_options.figures);
        write_results(found.results);
        print_results(m_out, found.results);
        std::vector<std::string> names;
        for (const paper_figure& f : m_paper.figures) {
            names.push_back(f.name);
        }
        const int drawn = names.empty() ? 0
                                        : draw_pictures(found.pictures, names, {"png", "svg"},
                                                        (directory() / "plots").string(), m_out, m_err);
        bool as_recorded = say_differences(found.results);
        for (const drawn_figure& each : found.results.figures) {
            if (!m_options.quick && !each.is_drawn) {
                as_recorded = false;
                m_err << "weir reproduce: " << figure_text(each.figure->figure) << ", '" << each.figure->title
                      << "': " << each.why_not << '\n';
            }
        }
        return as_recorded ? drawn : exit_status::verdict;
    }

    void write_results(const paper_results& results) const {
        write_file(directory() / "results.json", to_text(to_json(results)));
        write_file(directory() / "results.md", to_markdown(results));
        synchronise(directory());
    }

    /// Returns whether there are none.
    bool say_differences(const paper_results& results) const {
        bool as_recorded = true;
        for (const judged_statement& each : results.statements) {
            if (!each.as_recorded) {
                as_recorded = false;
                m_err << "weir reproduce: " << figure_text(each.statement->figure) << ", " << each.statement->id
                      << ": '" << name_of(each.ours.verdict) << "', recorded is '" << name_of(each.recorded)
                      << '\'' << (each.ours.note.empty() ? "" : ": " + each.ours.note) << '\n';
            }
        }
        const std::size_t failed = status().failed;
        if (failed > 0) {
            m_err << "weir reproduce: " << failed << " of " << wanted().size()
                  << " runs failed; --retry-failed runs them again\n";
        }
        return as_recorded && failed == 0;
    }

    const paper& m_paper;
    const reproduction_options m_options;
    paper_plan m_plan;
};

}  // namespace

int reproduce(const paper& p, reproduction_options options, const campaign_call& call, std::ostream& out,
              std::ostream& err) {
    return reproduction(p, std::move(options), call, out, err).run();
}

}  // namespace weir::tb
