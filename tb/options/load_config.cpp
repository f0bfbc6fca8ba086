#include "tb/options/load_config.h"

#include <algorithm>

#include "tb/options/run_options.h"
#include "tb/options/schemes.h"

namespace weir::tb {

namespace {

/// What the scheme sets is set first; the rest overwrites it.
void apply_scheme(loaded_config& loaded, const option_table& table, const std::vector<setting>& written) {
    const auto chosen = std::find_if(written.rbegin(), written.rend(),
                                     [](const setting& each) { return each.key == "switch.scheme"; });
    if (chosen == written.rend() || !table.find(chosen->key)->value->assign(chosen->value).empty()) {
        return;  // what is wrong is reported when the settings are applied
    }
    const scheme_preset& preset = find_scheme(loaded.config.scheme);
    for (const scheme_setting& each : preset.settings) {
        table.find(each.key)->value->assign(each.value);
        loaded.origins[each.key] = {chosen->file, chosen->line, true};
    }
}

/// What a run adds to the loading of any options.
class run_loader {
 public:
    explicit run_loader(loaded_config& loaded) : table(make_option_table(loaded.config)) {
        steps.before = [this, &loaded](const std::vector<setting>& written) {
            apply_scheme(loaded, table, written);
        };
        steps.after = [&loaded] { loaded.config.resolve(); };
    }

    option_table table;
    load_steps steps;
};

}  // namespace

loaded_config load_config(const std::vector<std::string>& args, const std::vector<ini_source>& files) {
    loaded_config loaded;
    run_loader run(loaded);
    load_options(loaded, run.table, args, files, run.steps);
    return loaded;
}

loaded_config load_config_files(const std::vector<std::string>& args, const std::vector<std::string>& paths) {
    loaded_config loaded;
    run_loader run(loaded);
    load_option_files(loaded, run.table, args, paths, run.steps);
    return loaded;
}

}  // namespace weir::tb
