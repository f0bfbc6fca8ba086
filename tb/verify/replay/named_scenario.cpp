#include "tb/verify/replay/named_scenario.h"

#include <filesystem>

namespace weir::tb {

replay_option scenario_option() {
    return text_option(
        "scenario",
        "Its name in the file of scenarios. Default: the name of --stimuli up to its first point, or "
        "the only scenario.");
}

std::string wanted_scenario(const replay_job& job) {
    const std::string file = std::filesystem::path(job.text("stimuli")).filename().string();
    return job.given("scenario") ? job.text("scenario") : file.substr(0, file.find('.'));
}

void refuse_missing_scenario(replay_job& job, const std::string& wanted) {
    job.errors().push_back(
        {job.text("scenarios"), 0, "scenario",
         "'" + wanted + "' has no line in this file; expected one, or --scenario with another name"});
}

}  // namespace weir::tb
