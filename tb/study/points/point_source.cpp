#include "tb/study/points/point_source.h"

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <sstream>

#include "tb/run/arguments/argument_list.h"
#include "tb/run/help/option_help.h"
#include "tb/support/files/input_file.h"
#include "tb/support/text/joined.h"

namespace weir::tb {

namespace {

constexpr const char* seed_option = "--run.seed=";

bool sets_seed(const std::string& option) {
    return option.rfind(seed_option, 0) == 0;
}

}  // namespace

point_source::point_source(std::vector<std::string> files, std::vector<std::string> overrides,
                           setting_origin table)
    : m_files(std::move(files)), m_overrides(std::move(overrides)), m_table(std::move(table)) {
    for (const std::string& file : m_files) {
        input_file in = open_input(file);
        m_texts.emplace_back();
        if (in.why_not.empty()) {
            m_texts.back().assign(std::istreambuf_iterator<char>(in.text), {});
        } else {
            m_unread.push_back({file, 0, "", "cannot be read: " + in.why_not + "; expected an INI file"});
        }
    }
}

std::string point_source::file() const {
    return (m_files.size() > 1 ? "one of " : "") + joined(m_files, ", ");
}

std::string point_source::title() const {
    return joined(m_files, ", ",
                  [](const std::string& file) { return std::filesystem::path(file).filename().string(); });
}

loaded_config point_source::load(const std::vector<std::string>& options) const {
    std::vector<std::istringstream> texts;
    for (const std::string& text : m_texts) {
        texts.emplace_back(text);
    }
    std::vector<ini_source> files;
    for (std::size_t i = 0; i < m_files.size(); ++i) {
        files.push_back({m_files[i], &texts[i]});
    }
    return load_config(options, files);
}

loaded_config point_source::base() const {
    return load(m_overrides);
}

std::vector<std::string> point_source::options(const sweep_plan& plan, std::size_t point,
                                               std::uint64_t seed) const {
    std::vector<std::string> all;
    std::remove_copy_if(
        m_overrides.begin(), m_overrides.end(), std::back_inserter(all),
        [&](const std::string& option) { return sets_seed(option) || plan.varies(key_of_option(option)); });
    for (const auto& [key, value] : plan.settings(point)) {
        all.push_back("--" + key + "=" + value);
    }
    all.push_back(seed_option + std::to_string(seed));
    return all;
}

loaded_config point_source::load(const sweep_plan& plan, std::size_t point, std::uint64_t seed) const {
    return load(options(plan, point, seed));
}

std::vector<std::string> point_source::arguments(const sweep_plan& plan, std::size_t point,
                                                 std::uint64_t seed) const {
    std::vector<std::string> all = options(plan, point, seed);
    all.insert(all.begin(), m_files.begin(), m_files.end());
    return all;
}

std::string point_source::effective_ini(const sweep_plan& plan, std::size_t point, std::uint64_t seed) const {
    std::ostringstream text;
    write_effective_ini(text, load(plan, point, seed).config);
    return text.str();
}

}  // namespace weir::tb
