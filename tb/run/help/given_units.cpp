#include "tb/run/help/given_units.h"

#include <cctype>
#include <cstdint>
#include <iterator>
#include <optional>
#include <set>
#include <string_view>

#include "tb/run/fields/command_line.h"
#include "tb/run/fields/ini_file.h"
#include "tb/run/options/run_options.h"
#include "tb/support/files/input_file.h"
#include "tb/support/files/json_file.h"
#include "tb/support/text/joined.h"
#include "weir/base/unit_text.h"

namespace weir::tb {

namespace {

bool is_binary_unit(std::string_view suffix) {
    return suffix.size() == 3;
}

/// Whether a size is given in powers of two; nothing if it is given in bytes, which belong to both families.
std::optional<bool> is_binary(std::string_view size) {
    for (const auto& [suffix, scale] : weir::detail::byte_units) {
        const bool ends = size.size() > suffix.size() && size.substr(size.size() - suffix.size()) == suffix;
        if (ends) {
            return scale > 1 ? std::optional(is_binary_unit(suffix)) : std::nullopt;
        }
    }
    return std::nullopt;
}

std::string in_family(bytes size, bool binary) {
    for (const auto& [suffix, scale] : weir::detail::byte_units) {
        const bool is_of_family = scale == 1 || is_binary_unit(suffix) == binary;
        if (is_of_family && size.count() % scale == 0 && size.count() >= scale) {
            return std::to_string(size.count() / scale) + std::string(suffix);
        }
    }
    return to_text(size);
}

/// True if `c` beside a size makes it part of a word, a path, a name or a quoted text.
bool joins(char c) {
    const auto code = static_cast<unsigned char>(c);
    return std::isalnum(code) != 0 || code >= 0x80 ||
           std::string_view(R"(/\_-'".~@#$%&+*)").find(c) != std::string_view::npos;
}

}  // namespace

std::string in_given_units(const std::string& canonical, const std::string& given) {
    std::vector<std::string> sizes = split_list(canonical);
    const std::vector<std::string> written = split_list(given);
    bool any = false;
    for (std::size_t i = 0; i < sizes.size() && sizes.size() == written.size(); ++i) {
        const parse_result<bytes> size = parse_bytes(sizes[i]);
        const std::optional<bool> binary = is_binary(written[i]);
        if (size && binary) {
            sizes[i] = in_family(size.value, *binary);
            any = true;
        }
    }
    return any ? joined(sizes, ", ") : canonical;
}

std::map<std::string, std::string> given_in_run(const std::filesystem::path& run_json) {
    std::map<std::string, std::string> given;
    const json_file facts =
        path_exists(run_json) ? read_json(run_json, "the run.json of a run of weir") : json_file{};
    if (facts.errors.empty() && facts.document.is_object() && facts.document.contains("given")) {
        for (const auto& [key, text] : facts.document["given"].items()) {
            if (text.is_string()) {
                given[key] = text.get<std::string>();
            }
        }
    }
    return given;
}

given_units::given_units(const std::vector<std::string>& args, const std::vector<std::string>& paths) {
    run_config config;
    const option_table table = make_option_table(config);
    std::vector<setting> all;
    const auto take = [&](const settings& read) {
        all.insert(all.end(), read.values.begin(), read.values.end());
    };
    for (const std::string& path : paths) {
        input_file file = open_input(path, input_kind::stored);
        if (file.why_not.empty()) {
            take(read_ini(file.text, path, table));
        }
    }
    take(read_command_line(args, table));
    std::map<std::string, std::string> canonical;
    for (const setting& each : all) {
        const option* const known = table.find(each.key);
        if (known == nullptr || known->value->unit().find("bytes") == std::string::npos ||
            !known->value->assign(each.value).empty()) {
            continue;
        }
        canonical[known->key] = known->value->text();
        m_by_option[known->key] = in_given_units(known->value->text(), each.value);
    }
    std::set<std::string> printed;
    for (auto at = m_by_option.begin(); at != m_by_option.end();) {
        const std::vector<std::string> from = split_list(canonical[at->first]);
        const std::vector<std::string> to = split_list(at->second);
        for (std::size_t i = 0; i < from.size(); ++i) {
            from[i] == to[i] ? void(printed.insert(from[i])) : void(m_sizes[from[i]] = to[i]);
        }
        at = at->second == canonical[at->first] ? m_by_option.erase(at) : std::next(at);
    }
    for (const std::string& size : printed) {
        m_sizes.erase(size);
    }
}

std::string given_units::in(std::string text) const {
    const auto is_part = [&](std::size_t at) { return at < text.size() && joins(text[at]); };
    for (const auto& [from, to] : m_sizes) {
        for (std::size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + 1)) {
            const std::size_t end = at + from.size();
            // A full stop ends a sentence if no word follows it at once.
            const bool ends = !is_part(end) || (text[end] == '.' && !is_part(end + 1));
            if ((at == 0 || !is_part(at - 1)) && ends) {
                text.replace(at, from.size(), to);
            }
        }
    }
    return text;
}

void given_units::keep(const std::string& name) {
    if (in(name) == name) {
        return;
    }
    for (auto at = m_sizes.begin(); at != m_sizes.end();) {
        at = name.find(at->first) != std::string::npos ? m_sizes.erase(at) : std::next(at);
    }
}

}  // namespace weir::tb
