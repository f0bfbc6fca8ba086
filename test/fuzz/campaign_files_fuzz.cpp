// What a sweep, a search and a reproduction find in a directory of theirs, before they go on in it:
// search.json, reproduction.json, run.json, and a failed run's failure.json.
#include <stdexcept>

#include "fuzz/fuzz_target.h"
#include "tb/run/results/run_verdict.h"
#include "tb/run/summary/summary_reader.h"
#include "tb/study/campaign/campaign_directory.h"
#include "tb/study/reproduce/paper_plan.h"
#include "tb/study/size/size_plan.h"

namespace weir::test {

namespace {

void must_be_empty(const config_errors& errors) {
    for (const config_error& error : errors) {
        throw std::logic_error(tb::format_error(error));
    }
}

const tb::paper_plan& reproduction() {
    static const tb::paper paper = [] {
        directory_with("experiments.csv", "name,file,vary,quick\nrates,paper.ini,switch.scheme=baseline,\n");
        directory_with(
            "statements.csv",
            "figure,id,says,paper,kind,metric,experiment,at,of,against,take,tolerance,recorded,quick,source\n"
            "1,median,says,0.2ms,value,jct_ns.p50,rates,,,,,20%,agrees,,1\n");
        directory_with("figures.csv", "figure,title,draw,experiment,metric,at,x,curves,scale,relative\n");
        directory_with("about.md", "A toy.\n\n## 1\n\nOne figure.\n");
        const std::string folder =
            directory_with("paper.ini", "[paper]\ntitle = toy\nreference = none\nseeds = 1\nquick_seeds = 1\n");
        config_errors errors;
        tb::paper read = tb::read_paper(folder, errors);
        must_be_empty(errors);
        return read;
    }();
    static const tb::paper_plan plan = [] {
        tb::paper_plan made(paper, false, {1}, 1);
        must_be_empty(made.load());
        return made;
    }();
    return plan;
}

const tb::size_plan& search() {
    static const tb::size_plan plan = [] {
        tb::size_plan made;
        made.runs.axes = {{{"pfc.xoff"}, {{"1KB"}, {"2KB"}}}};
        made.runs.seeds = {1};
        made.wishes = {tb::axis_wish::smallest};
        return made;
    }();
    return plan;
}

}  // namespace

static const fuzz_target campaign_files_target("campaign_files", [](std::string_view input) {
    const auto parts = parts_of(input, 4);
    // A file of another search is read, too.
    check_texts(tb::search_differences(std::string(parts[0]), search(), "search.json"));
    check_texts(reproduction().differences(std::string(parts[1]), "reproduction.json"));
    const std::string directory = directory_with("run.json", parts[2]);
    tb::build_ledger ledger(directory);
    ledger.begin("weir sweep", 1);
    // Somebody else may change it under way.
    directory_with("run.json", parts[2]);
    ledger.end("complete", 1);
    tb::parse_failure(std::string(parts[3]));
    if (const auto error = tb::unfinished_run(directory_with("failure.json", parts[3]))) {
        check_texts({*error});
    }
});

}  // namespace weir::test
