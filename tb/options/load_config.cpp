#include "tb/options/load_config.h"

#include "tb/options/run_options.h"
#include "tb/options/schemes.h"

namespace weir::tb {

namespace {

/// What the scheme sets is set first; the rest overwrites it.
void apply_scheme(loaded_config& loaded, const option_table& table, const settings& file,
                  const settings& line) {
    const setting* chosen = nullptr;
    for (const settings* from : {&file, &line}) {
        for (const setting& each : from->values) {
            chosen = each.key == "switch.scheme" ? &each : chosen;
        }
    }
    if (chosen == nullptr) {
        return;
    }
    const bool on_command_line = chosen->line == 0;
    if (!table.find(chosen->key)->value->assign(chosen->value).empty()) {
        return;  // reported when the settings are applied
    }
    const scheme_preset& preset = find_scheme(loaded.config.scheme);
    for (const scheme_setting& each : preset.settings) {
        table.find(each.key)->value->assign(each.value);
        loaded.origins[each.key] = {on_command_line ? "" : loaded.ini_name, chosen->line, true};
    }
}

/// What a run adds to the loading of any options.
class run_loader {
 public:
    explicit run_loader(loaded_config& loaded) : table(make_option_table(loaded.config)) {
        steps.before = [this, &loaded](const settings& file, const settings& line) {
            apply_scheme(loaded, table, file, line);
        };
        steps.after = [&loaded] { loaded.config.resolve(); };
    }

    option_table table;
    load_steps steps;
};

}  // namespace

loaded_config load_config(const std::vector<std::string>& args, std::istream* ini,
                          const std::string& ini_name) {
    loaded_config loaded;
    loaded.ini_name = ini_name;
    run_loader run(loaded);
    load_options(loaded, run.table, args, ini, run.steps);
    return loaded;
}

loaded_config load_config_file(const std::vector<std::string>& args, const std::string& path) {
    loaded_config loaded;
    run_loader run(loaded);
    load_options_file(loaded, run.table, args, path, run.steps);
    return loaded;
}

}  // namespace weir::tb
