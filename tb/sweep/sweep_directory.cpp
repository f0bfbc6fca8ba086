#include "tb/sweep/sweep_directory.h"

#include <utility>

#include "tb/files/input_file.h"
#include "tb/results/summary_reader.h"

namespace weir::tb {

namespace fs = std::filesystem;

const directory_kind& sweep_kind() {
    static const directory_kind kind{
        "sweep", "plan.json", {"sweep.csv", "sweep.json", "means.csv", "means.json"}};
    return kind;
}

sweep_plan read_plan(const fs::path& directory, config_errors& errors) {
    const fs::path file = directory / "plan.json";
    if (!path_exists(file)) {
        const auto unfinished = unfinished_run(directory);
        errors.push_back(unfinished.value_or(
            config_error{file.string(), 0, "",
                         "cannot be read: No such file or directory; expected the directory of a sweep"}));
        return {};
    }
    plan_result read = plan_from_json(read_if_there(file), file.string());
    errors.insert(errors.end(), read.errors.begin(), read.errors.end());
    return std::move(read.plan);
}

}  // namespace weir::tb
