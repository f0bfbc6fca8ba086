#include "tb/run/arguments/commands.h"

#include <algorithm>

#include "tb/run/arguments/argument_list.h"
#include "tb/study/reproduce/paper_results.h"
#include "tb/study/reproduce/reproduction.h"
#include "tb/support/process/exit_status.h"

#include "tb/study/points/seed_list.h"
#include "tb/support/text/joined.h"

namespace weir::tb {

namespace {

struct reproduce_arguments : reproduction_options {
    static constexpr command_text command{
        "weir reproduce PAPER [--figure N ...] [--quick] [--seeds LIST] --out DIR\nweir reproduce PAPER ... "
        "--dry-run\nweir reproduce\n\nRuns what a paper measures, draws its figures, and says of each of its "
        "statements what is found here, and\nwhether that agrees. PAPER is a name (without one, all are "
        "listed), or a folder of your own: docs/reproduce.md.\nThe same command again goes on where it was "
        "stopped or killed.\n\n",
        20};

    std::vector<std::string> papers;
    std::optional<std::string> seed_list;
    bool list = false;
    /// Directories of reproductions.
    std::vector<std::string> index;

    void describe(argument_list& arguments) {
        arguments.files(papers, 0, 1, "paper", "papers");
        arguments("figure", figures, "LIST",
                  "only these figures, and the statements about them; may be repeated")
            .repeated_lists()
            .not_empty("figures of the paper");
        arguments("quick", quick, "fewer points, shorter runs and fewer seeds, as the paper's folder says");
        arguments("seeds", seed_list, "N|LIST",
                  "N seeds from 1 on, or a list such as 3,7,11 or 1..10 (default: the recorded ones)");
        describe_places(arguments, "where to write; new, empty or the same reproduction");
        arguments("threads", threads, "N", "threads of each run (default: as its configuration says)")
            .range(1, 256);
        arguments("retry-failed", retry_failed, "repeat the runs that failed");
        describe_checks(arguments, "check everything, print points and cost, write nothing");
        arguments("list", list, "list the papers");
        arguments("index", index, "LIST", "print one table of the statements in these directories, in Markdown")
            .repeated_lists()
            .not_empty("directories of reproductions");
    }
    void complete(config_errors& errors) const {
        if (!papers.empty() && !list && index.empty()) {
            check_out(errors);
        }
    }
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

int print_index(const std::vector<std::string>& names, std::ostream& out, std::ostream& err) {
    config_errors errors;
    const std::string index = results_index({names.begin(), names.end()}, errors);
    if (!errors.empty()) {
        return print_errors(errors, err);
    }
    out << index;
    return exit_status::success;
}

void check_figures(const paper& p, const std::vector<std::string>& figures, config_errors& errors) {
    const std::vector<std::string> names = p.figure_names();
    for (const std::string& figure : figures) {
        if (std::find(names.begin(), names.end(), figure) == names.end()) {
            add_error(errors, "--figure",
                      "'" + figure + "' is not in the tables of " + p.name + "; expected one of " +
                          joined(names, ", "));
        }
    }
}

}  // namespace

int reproduce_command(const std::vector<std::string>& args, std::ostream& out, std::ostream& err) {
    reproduce_arguments given;
    config_errors errors;
    if (read_arguments(given, args, out, errors)) {
        return exit_status::success;
    }
    if (errors.empty() && !given.index.empty()) {
        return print_index(given.index, out, err);
    }
    if (errors.empty() && (given.list || args.empty())) {
        return list_papers(out, err);
    }
    if (errors.empty() && given.papers.empty()) {
        add_error(errors, "PAPER",
                  "is missing; expected a paper's name, or a folder; `weir reproduce` alone lists the papers");
    }
    if (given.papers.empty()) {
        return print_errors(errors, err);
    }
    paper p;
    if (const auto folder = find_paper(given.papers.front(), errors); !folder.empty()) {
        config_errors in_folder;
        p = read_paper(folder, in_folder);
        if (in_folder.empty()) {
            check_figures(p, given.figures, errors);
            given.figures = p.with_ranges(given.figures);
        }
        errors.add(std::move(in_folder));
    }
    const auto seeds = given.seed_list
                           ? read_seeds(*given.seed_list, 1)
                           : parse_result<std::vector<std::uint64_t>>{recorded_seeds(p, given.quick), {}};
    if (!seeds) {
        add_error(errors, "--seeds", seeds.error);
    }
    if (!errors.empty()) {
        return print_errors(errors, err);
    }
    given.seeds = seeds.value;
    // The order of seeds does not matter for the comparison with the record.
    std::sort(given.seeds.begin(), given.seeds.end());
    return run_campaign("reproduce", args, err, [&](const campaign_call& call) {
        return reproduce(p, std::move(given), call, out, err);
    });
}

}  // namespace weir::tb
