#include "tb/sweep/point_source.h"

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <sstream>
#include <utility>

#include "tb/files/input_file.h"
#include "tb/options/option_help.h"

namespace weir::tb {

namespace {

constexpr const char* seed_option = "--run.seed=";

bool sets_seed(const std::string& option) {
    return option.rfind(seed_option, 0) == 0;
}

}  // namespace

point_source::point_source(std::string file, std::vector<std::string> overrides, setting_origin table)
    : m_file(std::move(file)), m_overrides(std::move(overrides)), m_table(std::move(table)) {
    if (!m_file.empty()) {
        input_file in = open_input(m_file);
        m_why_not = in.why_not;
        if (m_why_not.empty()) {
            m_text.assign(std::istreambuf_iterator<char>(in.text), {});
        }
    }
}

std::string point_source::title() const {
    return std::filesystem::path(m_file).filename().string();
}

loaded_config point_source::load(const std::vector<std::string>& options) const {
    if (m_file.empty()) {
        return load_config(options, nullptr, "");
    }
    std::istringstream in(m_text);
    return load_config(options, &in, m_file);
}

loaded_config point_source::base() const {
    return load(m_overrides);
}

std::vector<std::string> point_source::options(const sweep_plan& plan, std::size_t point,
                                               std::uint64_t seed) const {
    std::vector<std::string> all;
    std::remove_copy_if(m_overrides.begin(), m_overrides.end(), std::back_inserter(all), sets_seed);
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
    if (!m_file.empty()) {
        all.insert(all.begin(), m_file);
    }
    return all;
}

std::string point_source::effective_ini(const sweep_plan& plan, std::size_t point, std::uint64_t seed) const {
    std::ostringstream text;
    write_effective_ini(text, load(plan, point, seed).config);
    return text.str();
}

}  // namespace weir::tb
