// Options of a block of the C interface: `name=value`, with blanks between, each once. All errors are
// collected, and thrown together as one text with a line for each.
//
//   option_text options("entries=64 key_bits=32");
//   options.read("entries", config.entries);
//   options.read("key_bits", config.key_bits);
//   options.finish(config.validate("tcam"));      // throws
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "weir/base/config_error.h"
#include "weir/base/enum_names.h"
#include "weir/base/units.h"

namespace weir::model {

class option_text {
 public:
    explicit option_text(std::string_view text);

    /// Sets `value` where the option is given, and reports a text that cannot be read. `key`: what the field's
    /// own errors call it, where that is another name. `T`: whole numbers, cycles, bytes, factors, true or
    /// false, lists with commas, enumerations with names; `std::optional` of these, which may be `auto`.
    template <class T>
    void read(const char* name, T& value, const char* key = nullptr) {
        if (const std::string* const text = take(name, key)) {
            refuse(name, parse(*text, value));
        }
    }
    /// As `read`, of an option without a default.
    template <class T>
    void read_required(const char* name, T& value) {
        read(name, value);
        if (!given(name)) {
            refuse(name, "is missing; expected a value");
        }
    }
    /// One word of a list.
    template <class T, std::size_t Count>
    void read_word(const char* name, T& value, const std::array<enum_name<T>, Count>& words) {
        if (const std::string* const text = take(name, nullptr)) {
            refuse(name, parse_word(*text, value, words));
        }
    }
    /// Nothing for an empty text.
    void refuse(const char* name, const std::string& wrong);
    /// All options were read. Throws if anything was wrong with them, or with the configuration; of an option
    /// that could not be read the latter is left out.
    void finish(const config_errors& errors = {});

 private:
    bool given(const char* name) const { return m_given.count(name) != 0; }
    const std::string* take(const char* name, const char* key);

    // Each returns what is wrong, or nothing.
    static std::string parse(const std::string& text, std::uint32_t& value);
    static std::string parse(const std::string& text, cycles& value);
    static std::string parse(const std::string& text, bytes& value);
    static std::string parse(const std::string& text, double& value);
    static std::string parse(const std::string& text, bool& value);
    static std::string parse(const std::string& text, std::vector<std::uint32_t>& values);
    static std::string parse(const std::string& text, std::array<std::uint16_t, 8>& values);
    template <class T>
    static std::string parse(const std::string& text, std::optional<T>& value) {
        value.reset();
        return text == "auto" ? std::string{} : parse(text, value.emplace());
    }
    template <class Enum>
    static std::string parse(const std::string& text, Enum& value) {
        return parse_word(text, value, names_of(Enum{}));
    }
    template <class Enum, class Names>
    static std::string parse_word(const std::string& text, Enum& value, const Names& names) {
        std::string expected;
        for (const enum_name<Enum> each : names) {
            if (text == each.name) {
                value = each.value;
                return {};
            }
            expected += (expected.empty() ? "" : ", ") + std::string(each.name);
        }
        return "'" + text + "' is unknown; expected one of " + expected;
    }

    std::map<std::string, std::string> m_given;
    /// Names that were read, in their order, and by the key of their errors.
    std::vector<std::string> m_names;
    std::map<std::string, std::string> m_name_of_key;
    std::set<std::string> m_refused;
    /// One on each line.
    std::string m_errors;
};

}  // namespace weir::model
