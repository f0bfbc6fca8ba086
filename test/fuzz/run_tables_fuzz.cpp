// Tables of a run, as pictures read them: one after the other. Where there is nothing between two `%%`, there
// is no file.
#include <filesystem>

#include "fuzz/fuzz_target.h"
#include "tb/view/pictures/run_reader.h"

namespace weir::test {

static const fuzz_target run_tables_target("run_tables", [](std::string_view input) {
    static constexpr const char* tables[] = {
        "effective.ini",   "jobs.csv",        "flows.csv",     "occupancy.csv", "pauses.csv",
        "busy_links.csv",  "full_queues.csv", "windows.csv",   "rates.csv",     "port_series.csv",
        "pool_series.csv", "nodes.csv",       "frame_path.csv"};
    const auto parts = parts_of(input, 1 + std::size(tables));
    const std::string directory = directory_with("summary.json", parts[0]);
    for (std::size_t i = 0; i < std::size(tables); ++i) {
        const std::filesystem::path path =
            std::filesystem::path(directory_with(tables[i], parts[i + 1])) / tables[i];
        if (parts[i + 1].empty()) {
            std::filesystem::remove(path);
        }
    }
    check(tb::read_run(directory, {}).errors);
});

}  // namespace weir::test
