// SONiC's config_db.json: read for a switch of two ports, and written from what was read.
#include "fuzz/fuzz_target.h"
#include "tb/asic/profiles/config_db_writer.h"
#include "tb/asic/profiles/read_profiles.h"
#include "tb/run/options/load_config.h"
#include "tb/run/topology/build_topology.h"

namespace weir::test {

static const fuzz_target config_db_target("config_db", [](std::string_view input) {
    static tb::loaded_config loaded = tb::load_config(
        {"--switch.buffer=shared", "--pfc.mode=pfc", "--shared.lossless_classes=3,4", "--switch.classes=8",
         "--fabric.topology=single", "--fabric.hosts=2", "--link.rate=40Gbps"});
    static const tb::built_topology plain = tb::build_topology(loaded.config);
    tb::run_config config = loaded.config;
    config.shared_tables.config_db = file_of(input);
    tb::built_topology built = plain;
    config_errors errors;
    built.profiles = tb::read_shared_profiles(config, built, errors).profiles;
    check(errors);
    if (errors.empty()) {
        check(tb::config_db_of(config, built, 0).errors);
    }
});

}  // namespace weir::test
