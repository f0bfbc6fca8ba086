#include "tb/replay/named_scenario.h"

#include <filesystem>

namespace weir::tb {

replay_option scenario_option() {
    replay_option option;
    option.name = "scenario";
    option.kind = replay_option_kind::text;
    option.doc = "Its name in the file of scenarios. Default: the name of --stimuli up to its first point.";
    option.required = false;
    return option;
}

bool go_to_scenario(csv_file& scenarios, replay_job& job) {
    const std::string file = std::filesystem::path(job.text("stimuli")).filename().string();
    const std::string wanted = job.given("scenario") ? job.text("scenario") : file.substr(0, file.find('.'));
    const std::size_t name = scenarios.column("scenario");
    while (scenarios.next()) {
        if (scenarios.text(name) == wanted) {
            return true;
        }
    }
    if (job.errors().empty()) {
        job.errors().push_back(
            {job.text("scenarios"), 0, "scenario",
             "'" + wanted + "' has no line in this file; expected one, or --scenario with another name"});
    }
    return false;
}

}  // namespace weir::tb
