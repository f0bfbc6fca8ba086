#include "tb/reproduce/reproduce_command.h"

#include <algorithm>

#include "tb/arguments/argument_reader.h"
#include "tb/process/exit_status.h"
#include "tb/reproduce/paper_evaluation.h"
#include "tb/reproduce/reproduction.h"
#include "tb/reproduce/results_index.h"
#include "tb/sweep/seed_list.h"
#include "tb/text/joined.h"

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
        {"jobs", "N",
         "number of simultaneous runs (default: the number of processors); under mpirun,\nof each rank "
         "(default: 1)"},
        {"launcher", "COMMAND",
         "starts each run by this command, such as 'bsub -K -q short' or 'srun -n1': one that\nwaits for the "
         "run, "
         "and ends with its exit status"},
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
    if (names.empty()) {
        errors.push_back({"", 0, "--index", "is empty; expected directories of reproductions"});
    }
    const std::string index = results_index({names.begin(), names.end()}, errors);
    if (!errors.empty()) {
        return print_errors(errors, err);
    }
    out << index;
    return exit_status::success;
}

void check_figures(const paper& p, const std::vector<std::string>& figures, argument_reader& given) {
    const std::vector<std::string> names = p.figure_names();
    if (given.is_given("figure") && figures.empty()) {
        given.fail("--figure", "is empty; expected one of " + joined(names, ", "));
    }
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
    if (given.errors.empty() && (given.has("list") || args.empty())) {
        return list_papers(out, err);
    }
    if (given.errors.empty() && given.files().empty()) {
        given.fail("PAPER",
                   "is missing; expected a paper's name, or a folder; `weir reproduce` alone lists the papers");
        return print_errors(given.errors, err);
    }
    reproduction_options arguments;
    arguments.figures = given.list("figure");
    arguments.quick = given.has("quick");
    arguments.retry_failed = given.has("retry-failed");
    arguments.campaign.mixed_builds = given.has("mixed-builds");
    arguments.campaign.dry_run = given.has("dry-run");
    arguments.threads = static_cast<unsigned>(given.count("threads", 0, 1, 256));
    read_out(given, arguments.campaign);
    paper p;
    if (const auto folder = find_paper(given.file(0), given.errors); !folder.empty()) {
        config_errors errors;
        p = read_paper(folder, errors);
        given.add(errors);
        if (errors.empty()) {
            check_figures(p, arguments.figures, given);
            arguments.figures = p.with_ranges(arguments.figures);
        }
    }
    const auto seeds = given.is_given("seeds")
                           ? read_seeds(given.text("seeds"), 1)
                           : parse_result<std::vector<std::uint64_t>>{recorded_seeds(p, arguments.quick), {}};
    if (!seeds) {
        given.fail("--seeds", seeds.error);
    }
    if (!given.errors.empty()) {
        return print_errors(given.errors, err);
    }
    arguments.seeds = seeds.value;
    // The order of seeds does not matter for the comparison with the record.
    std::sort(arguments.seeds.begin(), arguments.seeds.end());
    return run_campaign("reproduce", args, err, [&](const campaign_call& call) {
        return reproduce(p, std::move(arguments), call, out, err);
    });
}

}  // namespace weir::tb
