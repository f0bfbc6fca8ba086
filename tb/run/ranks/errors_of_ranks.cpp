#include "tb/run/ranks/errors_of_ranks.h"

#include <algorithm>
#include <sstream>
#include <string>
#include <vector>

#include "tb/support/process/error_text.h"

namespace weir::tb {

bool print_errors_of_ranks(model::rank_team& team, const config_errors& errors, std::ostream& err) {
    std::ostringstream own;
    if (!errors.empty()) {
        print_errors(errors, own);
    }
    const std::vector<std::string> texts = shared_parts(team, own.str());
    const auto first =
        std::find_if(texts.begin(), texts.end(), [](const std::string& t) { return !t.empty(); });
    if (first == texts.end()) {
        return false;
    }
    if (first != texts.begin()) {
        err << "On rank " << first - texts.begin() << ":\n";
    }
    err << *first;
    return true;
}

bool print_other_command(model::rank_team& team, const std::string& command, std::ostream& err) {
    const std::vector<std::string> commands = shared_parts(team, command);
    const auto other = std::find_if(commands.begin(), commands.end(),
                                    [&](const std::string& each) { return each != commands[0]; });
    if (other == commands.end()) {
        return false;
    }
    if (team.leads()) {
        err << "rank " << other - commands.begin() << " was started as 'weir " << *other
            << "', and rank 0 as 'weir " << commands[0] << "'; expected one command for all ranks\n";
    }
    return true;
}

}  // namespace weir::tb
