#include "tb/run/options/load_config.h"

#include <algorithm>
#include <stdexcept>

#include "tb/run/options/run_options.h"

namespace weir::tb {

config_loader::config_loader() : m_table(make_option_table(m_config)) {}

loaded_config config_loader::load(const std::vector<std::string>& args, const std::vector<ini_source>& files) {
    return load_by([&](loaded_config& loaded, const load_steps& steps) {
        load_options(loaded, m_table, args, files, steps);
    });
}

loaded_config config_loader::load_files(const std::vector<std::string>& args,
                                        const std::vector<std::string>& paths) {
    return load_by([&](loaded_config& loaded, const load_steps& steps) {
        load_option_files(loaded, m_table, args, paths, steps);
    });
}

loaded_config config_loader::load_by(
    const std::function<void(loaded_config& loaded, const load_steps& steps)>& read) {
    m_config = run_config{};
    if (m_config.extensions.size() > 0) {
        m_table = make_option_table(m_config);  // the old one points to blocks of plugins that are gone
    }
    loaded_config loaded;
    load_steps steps;
    steps.before = [&](const std::vector<setting>& written) { apply_scheme(loaded, written); };
    steps.after = [this] { m_config.resolve(); };
    read(loaded, steps);
    loaded.config = m_config;
    return loaded;
}

/// Sets the defaults of the scheme before the settings of files and of the command line.
void config_loader::apply_scheme(loaded_config& loaded, const std::vector<setting>& written) const {
    const auto chosen = std::find_if(written.rbegin(), written.rend(),
                                     [](const setting& each) { return each.key == "switch.scheme"; });
    if (chosen == written.rend() || !m_table.find(chosen->key)->value->assign(chosen->value).empty()) {
        return;  // what is wrong is reported when the settings are applied
    }
    const scheme_entry& scheme = schemes().of(m_config.scheme);
    for (const scheme_setting& each : scheme.traits.settings) {
        const option* const target = m_table.find(each.key);
        const std::string wrong =
            target == nullptr ? "there is no such option" : target->value->assign(each.value);
        if (!wrong.empty()) {
            throw std::logic_error("switch.scheme = " + scheme.name + " sets " + each.key + " = " + each.value +
                                   ": " + wrong);
        }
        loaded.origins[each.key] = {chosen->file, chosen->line, true};
    }
}

loaded_config load_config(const std::vector<std::string>& args, const std::vector<ini_source>& files) {
    return config_loader().load(args, files);
}

loaded_config load_config_files(const std::vector<std::string>& args, const std::vector<std::string>& paths) {
    return config_loader().load_files(args, paths);
}

}  // namespace weir::tb
