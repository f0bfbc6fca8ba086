// Arguments that have a grammar: axes, seeds and points of sweeps, goals, precision; one per line, of any of
// them.
#include <sstream>

#include "fuzz/fuzz_target.h"
#include "tb/run/fields/precision_goal.h"
#include "tb/run/options/run_options.h"
#include "tb/study/points/seed_list.h"
#include "tb/study/points/sweep_axis.h"
#include "tb/study/size/size_goal.h"

namespace weir::test {

static const fuzz_target search_texts_target("search_texts", [](std::string_view input) {
    const tb::option_table& table = tb::known_options();
    std::istringstream in{std::string(input)};
    for (std::string line; std::getline(in, line);) {
        const config_errors of_axis = tb::read_axis(line, table).errors;
        check_texts(of_axis);
        const bool is_another = tb::read_seeds(line, 1) || tb::read_points(line, 100) || tb::read_goal(line) ||
                                tb::parse_precision_goals(line);
        if (!is_another) {
            check(of_axis);
        }
    }
});

}  // namespace weir::test
