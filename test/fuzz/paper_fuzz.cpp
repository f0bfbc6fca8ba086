// A paper: experiments.csv, statements.csv, figures.csv, about.md, paper.ini.
#include "fuzz/fuzz_target.h"
#include "tb/study/reproduce/paper.h"

namespace weir::test {

static const fuzz_target paper_target("paper", [](std::string_view input) {
    const auto parts = parts_of(input, 5);
    directory_with("experiments.csv", parts[0]);
    directory_with("statements.csv", parts[1]);
    directory_with("figures.csv", parts[2]);
    directory_with("about.md", parts[3]);
    const std::string folder = directory_with("paper.ini", parts[4]);
    config_errors errors;
    tb::read_paper(folder, errors);
    check(errors);
});

}  // namespace weir::test
