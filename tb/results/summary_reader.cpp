#include "tb/results/summary_reader.h"

#include <algorithm>
#include <iterator>
#include <string>

#include "tb/options/input_file.h"

namespace weir {

using nlohmann::ordered_json;
namespace fs = std::filesystem;

namespace {

// The library's own words are about its tokens; the place is what a user can do something with.
config_error broken(const ordered_json::parse_error& error, const std::string& text, const std::string& name) {
    const std::size_t at = std::min<std::size_t>(error.byte, text.size());
    const bool cut = text.find_first_not_of(" \t\r\n", at) == std::string::npos;
    const auto lines = std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(at), '\n');
    return {name, static_cast<int>(lines) + 1, "",
            std::string(text.empty() ? "is empty"
                        : cut        ? "the file is incomplete"
                                     : "is not a JSON from here on") +
                "; expected the summary.json of a run of weir"};
}

bool is_summary(const ordered_json& j) {
    const auto counted = [&](const char* key) {
        return j.contains(key) && j[key].is_object() && j[key].contains("count") &&
               j[key]["count"].is_number_unsigned();
    };
    return j.is_object() && counted("fct_ns") && counted("jct_ns") && j.contains("groups") &&
           j["groups"].is_array() && j.contains("complete") && j["complete"].is_boolean() &&
           j.contains("simulated_ns") && j["simulated_ns"].is_number();
}

}  // namespace

summary_file read_summary(const fs::path& path) {
    std::error_code error;
    const std::string name = (fs::is_directory(path, error) ? path / "summary.json" : path).string();
    input_file file = open_input(name);
    if (!file.why_not.empty()) {
        return {
            {},
            {{name, 0, "", "cannot be read: " + file.why_not + "; expected the directory of a run of weir"}}};
    }
    const std::string text{std::istreambuf_iterator<char>(file.text), {}};
    try {
        summary_file read{ordered_json::parse(text), {}};
        if (!is_summary(read.summary)) {
            read.errors.push_back(
                {name, 0, "", "is not the summary of a run; expected the summary.json of a run of weir"});
        }
        return read;
    } catch (const ordered_json::parse_error& error_at) {
        return {{}, {broken(error_at, text, name)}};
    }
}

}  // namespace weir
