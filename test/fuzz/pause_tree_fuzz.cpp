// pause_tree.json of a run.
#include "fuzz/fuzz_target.h"
#include "tb/view/readers/pause_tree.h"

namespace weir::test {

static const fuzz_target pause_tree_target("pause_tree", [](std::string_view input) {
    const std::string directory = directory_with("pause_tree.json", input);
    config_errors errors;
    if (const auto tree = tb::read_pause_tree(directory, errors)) {
        tb::longest_places(tb::with_classes_summed(*tree), 20);
    }
    check(errors);
});

}  // namespace weir::test
