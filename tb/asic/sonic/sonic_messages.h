// What is said of a config_db.json: one message for each cause, however many entries it has.
//
//   sonic_messages said("config_db.json");
//   said.fail("PORT|Ethernet0", "speed: 'fast' is no number; expected Mb/s");
//   said.fail("PORT|Ethernet4", "speed: 'fast' is no number; expected Mb/s");
//   said.errors();   // config_db.json: PORT|Ethernet0: speed: ...; expected Mb/s; this applies to 2 entries
#pragma once

#include <set>
#include <string>
#include <utility>
#include <vector>

#include "weir/base/config_error.h"

namespace weir::tb {

/// A key as messages show it: of a long list of ports the first. `BUFFER_PG|Ethernet0,...|3-4`
std::string sonic_key(const std::string& key);

class sonic_messages {
 public:
    /// `file`: what errors call it.
    explicit sonic_messages(std::string file) : m_file(std::move(file)) {}

    /// `key`: `TABLE|entry`. The message begins with the field.
    void fail(const std::string& key, const std::string& message) { add(m_errors, key, message); }
    void warn(const std::string& key, const std::string& message) { add(m_warnings, key, message); }
    bool has_errors() const { return !m_errors.empty(); }

    /// The first twenty, and how many more there are.
    config_errors errors() const;
    /// With the file's name before each.
    std::vector<std::string> warnings() const;

 private:
    struct message {
        std::string key;
        std::string text;
        /// All that it was said of.
        std::set<std::string> entries;
    };
    static void add(std::vector<message>& all, const std::string& key, const std::string& text);
    static std::string text_of(const message& said);

    std::string m_file;
    std::vector<message> m_errors;
    std::vector<message> m_warnings;
};

}  // namespace weir::tb
