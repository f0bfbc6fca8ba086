#include "tb/replay/named_scenario.h"

#include <filesystem>
#include <optional>

namespace weir::tb {

replay_option scenario_option() {
    return text_option(
        "scenario",
        "Its name in the file of scenarios. Default: the name of --stimuli up to its first point, or "
        "the only scenario.");
}

bool go_to_scenario(csv_file& scenarios, replay_job& job) {
    const std::string file = std::filesystem::path(job.text("stimuli")).filename().string();
    const bool is_given = job.given("scenario");
    const std::string wanted = is_given ? job.text("scenario") : file.substr(0, file.find('.'));
    // A missing column has been reported.
    const std::optional<std::size_t> name = scenarios.optional_column("scenario");
    for (bool is_first = true; name && scenarios.next(); is_first = false) {
        if (scenarios.text(*name) == wanted || (is_first && !is_given && scenarios.is_at_end())) {
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

void refuse_repeated_scenario(csv_file& scenarios) {
    const std::size_t name = scenarios.column("scenario");
    const std::string chosen = scenarios.text(name);
    while (scenarios.next()) {
        if (scenarios.text(name) == chosen) {
            scenarios.refuse_text("scenario", "is in an earlier line, too; expected each scenario once");
        }
    }
}

}  // namespace weir::tb
