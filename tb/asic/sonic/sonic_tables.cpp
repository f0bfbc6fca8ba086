#include "tb/asic/sonic/sonic_tables.h"

#include <algorithm>
#include <set>

#include "tb/support/files/json_file.h"
#include "tb/support/text/joined.h"

namespace weir::tb {

using nlohmann::ordered_json;

static constexpr std::int64_t most_bytes = std::int64_t{1} << 40;

/// A key that an object has twice: the parser would keep the last one.
static std::string repeated_key(const std::string& text) {
    std::vector<std::set<std::string>> open;
    std::vector<std::string> path;
    std::string found;
    const ordered_json::parser_callback_t look = [&](int depth, ordered_json::parse_event_t event,
                                                     ordered_json& parsed) {
        if (event == ordered_json::parse_event_t::object_start) {
            open.emplace_back();
        } else if (event == ordered_json::parse_event_t::object_end) {
            open.pop_back();
        } else if (event == ordered_json::parse_event_t::key) {
            const auto& name = parsed.get_ref<const std::string&>();
            path.resize(static_cast<std::size_t>(std::max(depth - 1, 0)));
            if (!open.back().insert(name).second && found.empty()) {
                found = joined(path, "|");
                found += (found.empty() ? "" : "|") + name;
            }
            path.push_back(name);
        }
        return true;
    };
    const ordered_json parsed = ordered_json::parse(text, look, false);
    return parsed.is_discarded() ? std::string{} : found;
}

std::string quoted(const ordered_json& value) {
    constexpr std::size_t most = 60;
    const std::string text = value.is_string() ? value.get<std::string>() : value.dump();
    const std::string shown = text.size() > most ? text.substr(0, most) + "..." : text;
    return value.is_string() ? "'" + shown + "'" : shown;
}

std::vector<std::string> split(const std::string& text, char at) {
    std::vector<std::string> parts;
    for (std::size_t begin = 0;;) {
        const std::size_t end = text.find(at, begin);
        parts.push_back(text.substr(begin, end - begin));
        if (end == std::string::npos) {
            return parts;
        }
        begin = end + 1;
    }
}

std::optional<std::int64_t> number_of(const ordered_json& value, std::int64_t low, std::int64_t high) {
    const std::string text = value.is_string()           ? value.get<std::string>()
                             : value.is_number_integer() ? value.dump()
                                                         : std::string{};
    const bool negative = text.substr(0, 1) == "-";
    const std::string digits = text.substr(negative ? 1 : 0);
    if (digits.empty() || digits.size() > 15 || digits.find_first_not_of("0123456789") != std::string::npos) {
        return std::nullopt;
    }
    const std::int64_t number = (negative ? -1 : 1) * std::stoll(digits);
    return number < low || number > high ? std::nullopt : std::optional(number);
}

std::optional<bytes> size_in(const ordered_json& profile, const char* field) {
    const auto found = profile.find(field);
    const std::optional<std::int64_t> value =
        found == profile.end() ? std::nullopt : number_of(*found, 0, most_bytes);
    return value ? std::optional(bytes{*value}) : std::nullopt;
}

std::string plain_name(const std::string& text, const std::string& table) {
    const std::string before = "[" + table + "|";
    return text.compare(0, before.size(), before) == 0 && text.back() == ']'
               ? text.substr(before.size(), text.size() - before.size() - 1)
               : text;
}

sonic_tables::sonic_tables(const std::string& text, const std::string& file) : m_said(file) {
    json_file parsed = parse_json(text, file, "a config_db.json");
    m_errors = parsed.errors;
    m_document = std::move(parsed.document);
    if (!m_errors.empty()) {
        return;
    }
    const std::string twice = repeated_key(text);
    if (!twice.empty()) {
        fail(twice, "is there twice; expected each key once");
    } else if (!m_document.is_object()) {
        fail("", "is no object; expected the tables of a config_db.json");
    }
}

config_errors sonic_tables::errors() const {
    config_errors all = m_errors;
    all.add(m_said.errors());
    return all;
}

void sonic_tables::check_fields(const std::string& key, const ordered_json& entry,
                                const std::vector<std::string>& known) {
    for (const auto& item : entry.items()) {
        if (std::find(known.begin(), known.end(), item.key()) == known.end()) {
            fail(key, item.key() + ": " + quoted(item.value()) +
                          " has no counterpart in the model; expected only " + joined(known, ", "));
        }
    }
}

std::optional<std::int64_t> sonic_tables::number(const std::string& key, const ordered_json& entry,
                                                 const char* field, std::int64_t low, std::int64_t high,
                                                 const char* unit) {
    const auto found = entry.find(field);
    if (found == entry.end()) {
        return std::nullopt;
    }
    const std::optional<std::int64_t> value = number_of(*found, low, high);
    if (!value) {
        fail(key, std::string(field) + ": " + quoted(*found) +
                      " is no whole number, or out of range; expected " + std::to_string(low) + " to " +
                      std::to_string(high) + unit);
    }
    return value;
}

std::optional<bytes> sonic_tables::size(const std::string& key, const ordered_json& entry, const char* field) {
    const std::optional<std::int64_t> value = number(key, entry, field, 0, most_bytes, " (bytes)");
    return value ? std::optional(bytes{*value}) : std::nullopt;
}

std::string sonic_tables::reference(const std::string& key, const ordered_json& entry, const char* field,
                                    const std::string& table) {
    const auto found = entry.find(field);
    if (found == entry.end() || !found->is_string()) {
        fail(key, std::string(field) + ": " +
                      (found == entry.end() ? "is missing" : quoted(*found) + " is no name") +
                      "; expected the name of an entry of " + table);
        return {};
    }
    const auto written = found->get<std::string>();
    std::string plain = plain_name(written, table);
    if (plain != written) {
        m_bracketed.insert(table);
    }
    return plain;
}

}  // namespace weir::tb
