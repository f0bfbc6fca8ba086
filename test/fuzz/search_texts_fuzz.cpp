// Arguments that have a grammar: axes and seeds of sweeps, goals, precision; one per line.
#include <sstream>

#include "fuzz/fuzz_target.h"
#include "tb/options/precision_goal.h"
#include "tb/options/run_config.h"
#include "tb/options/run_options.h"
#include "tb/size/size_goal.h"
#include "tb/sweep/seed_list.h"
#include "tb/sweep/sweep_axis.h"

namespace weir::test {

static const fuzz_target search_texts_target("search_texts", [](std::string_view input) {
    static tb::run_config config;
    static const tb::option_table table = tb::make_option_table(config);
    std::istringstream in{std::string(input)};
    for (std::string line; std::getline(in, line);) {
        check(tb::read_axis(line, table).errors);
        tb::read_seeds(line, 1);
        tb::read_goal(line);
        tb::parse_precision_goals(line);
    }
});

}  // namespace weir::test
