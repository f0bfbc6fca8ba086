// The four files of [shared], each in the first line's place: `pg`, `group`, `queue` or `slices`.
#include "fuzz/fuzz_target.h"
#include "tb/asic/profiles/read_profiles.h"
#include "tb/run/options/load_config.h"
#include "tb/run/topology/build_topology.h"

namespace weir::test {

static const fuzz_target shared_tables_target("shared_tables", [](std::string_view input) {
    static tb::loaded_config loaded = tb::load_config(
        {"--switch.buffer=shared", "--shared.slices=2", "--pfc.mode=pfc", "--fabric.topology=dumbbell"});
    static const tb::built_topology built = tb::build_topology(loaded.config);
    const auto parts = parts_of(input, 4);
    tb::run_config config = loaded.config;
    std::string* const files[] = {&config.shared_tables.pg_profile_lookup, &config.shared_tables.group_profiles,
                                  &config.shared_tables.queue_profiles, &config.shared_tables.slice_map};
    for (std::size_t i = 0; i < parts.size(); ++i) {
        if (!parts[i].empty()) {
            *files[i] = file_of(parts[i], i);
        }
    }
    config_errors errors;
    tb::read_shared_profiles(config, built, errors);
    check(errors);
});

}  // namespace weir::test
