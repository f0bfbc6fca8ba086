// The tables of a config_db.json: entries with their keys, fields with what is wrong with them. What a table
// means is config_db.cpp's.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "tb/asic/sonic/sonic_messages.h"
#include "tb/support/text/nearest_name.h"
#include "weir/base/units.h"

namespace weir::tb {

/// As messages show a value; cut where it is long.
std::string quoted(const nlohmann::ordered_json& value);
std::vector<std::string> split(const std::string& text, char at);
/// Decimal digits, with a sign where `low` is below 0; nothing for all else.
std::optional<std::int64_t> number_of(const nlohmann::ordered_json& value, std::int64_t low, std::int64_t high);
/// A size of a valid profile; nothing: it has none.
std::optional<bytes> size_in(const nlohmann::ordered_json& profile, const char* field);
/// Without the table that older versions write before it: `[TABLE|name]`.
std::string plain_name(const std::string& text, const std::string& table);

class sonic_tables {
 public:
    /// `file`: what errors call it. A text that is no object, or that has a key twice, is an error.
    sonic_tables(const std::string& text, const std::string& file);

 protected:
    ~sonic_tables() = default;
    nlohmann::ordered_json& document() { return m_document; }
    /// Tables that references name before the entry.
    const std::set<std::string>& bracketed() const { return m_bracketed; }
    bool has_errors() const { return !m_errors.empty() || m_said.has_errors(); }
    config_errors errors() const;
    std::vector<std::string> warnings() const { return m_said.warnings(); }

    /// `key`: `TABLE|entry`. The message begins with the field.
    void fail(const std::string& key, const std::string& message) { m_said.fail(key, message); }
    void warn(const std::string& key, const std::string& message) { m_said.warn(key, message); }

    /// Each entry of a table with its key, `TABLE|entry`, where both are objects.
    template <class Visit>
    void each_entry(const char* table, Visit&& visit) {
        const auto found = m_document.find(table);
        if (found == m_document.end()) {
            return;
        }
        if (!found->is_object()) {
            return fail(table, "is " + quoted(*found) + "; expected an object of entries");
        }
        for (const auto& [name, entry] : found->items()) {
            const std::string key = std::string(table) + "|" + name;
            if (entry.is_object()) {
                visit(key, name, entry);
            } else {
                fail(key, "is " + quoted(entry) + "; expected an object of fields");
            }
        }
    }
    /// Refuses fields of other names.
    void check_fields(const std::string& key, const nlohmann::ordered_json& entry,
                      const std::vector<std::string>& known);
    /// Nothing where the field is missing, or is no such number, which is an error.
    std::optional<std::int64_t> number(const std::string& key, const nlohmann::ordered_json& entry,
                                       const char* field, std::int64_t low, std::int64_t high,
                                       const char* unit);
    std::optional<bytes> size(const std::string& key, const nlohmann::ordered_json& entry, const char* field);
    /// Plain; empty, and an error, where the field is missing or is no text.
    std::string reference(const std::string& key, const nlohmann::ordered_json& entry, const char* field,
                          const std::string& table);
    /// Index of the entry that a field names; nothing, and an error, where there is none.
    template <class Entry>
    std::optional<std::size_t> find(const std::string& key, const char* field, const std::string& table,
                                    const std::string& name, const std::vector<Entry>& entries) {
        std::vector<std::string> names;
        for (std::size_t i = 0; i < entries.size(); ++i) {
            if (entries[i].name == name) {
                return i;
            }
            names.push_back(entries[i].name);
        }
        const std::string near = nearest_name(name, names);
        fail(key, std::string(field) + ": '" + name + "' is no entry of " + table + "; expected " +
                      (near.empty() ? "one of its entries" : near));
        return std::nullopt;
    }

 private:
    nlohmann::ordered_json m_document;
    config_errors m_errors;
    sonic_messages m_said;
    std::set<std::string> m_bracketed;
};

}  // namespace weir::tb
