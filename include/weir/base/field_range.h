// What a field of a configuration may hold, and the errors of those that hold something else. config_field.h
// has the description that a range is part of.
//
//   constexpr field_range speedups{1U, 16U};
//   range_check check("switch");
//   check.within("speedup", 17U, speedups);
//   check.take();   // {"switch.speedup", "'17' is out of range; expected 1 to 16"}
#pragma once

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "weir/base/config_error.h"
#include "weir/base/unit_text.h"

namespace weir {

enum class range_ends {
    included,       ///< [low, high]
    low_excluded,   ///< (low, high]
    both_excluded,  ///< (low, high)
    even            ///< [low, high], even numbers
};

template <class T>
struct field_range {
    T low;
    T high;
    range_ends ends = range_ends::included;

    /// Not for a NaN.
    constexpr bool holds(const T& value) const {
        if constexpr (std::is_unsigned_v<T>) {
            if (ends == range_ends::even && value % 2 != 0) {
                return false;
            }
        }
        const bool above =
            ends == range_ends::low_excluded || ends == range_ends::both_excluded ? low < value : low <= value;
        return above && (ends == range_ends::both_excluded ? value < high : value <= high);
    }

    /// `1 to 16`, `above 0, at most 64`; `print` makes text of a value.
    template <class Print>
    std::string text(Print&& print) const {
        switch (ends) {
            case range_ends::low_excluded:
                return "above " + print(low) + ", at most " + print(high);
            case range_ends::both_excluded:
                return "above " + print(low) + ", below " + print(high);
            case range_ends::even:
                return "even numbers from " + print(low) + " to " + print(high);
            case range_ends::included:
                break;
        }
        return print(low) + " to " + print(high);
    }
};
template <class T>
field_range(T, T) -> field_range<T>;
template <class T>
field_range(T, T, range_ends) -> field_range<T>;

/// A field's value as messages show it: with its unit, a bare number where it has none.
template <class T>
std::string field_text(const T& value) {
    if constexpr (std::is_same_v<T, pause_quanta>) {
        return std::to_string(value.count());
    } else if constexpr (std::is_floating_point_v<T>) {
        std::array<char, 64> text{};
        return {text.data(), std::to_chars(text.data(), text.data() + text.size(), value).ptr};
    } else if constexpr (std::is_same_v<T, std::string>) {
        return value;
    } else if constexpr (std::is_integral_v<T>) {
        return std::to_string(value);
    } else {
        return to_text(value);
    }
}

/// The message for a value that is out of range.
inline std::string out_of_range(const std::string& value, const std::string& allowed) {
    return "'" + value + "' is out of range; expected " + allowed;
}

/// Collects what is wrong with one block of a configuration: values, and relations between options. The text of
/// a relation names options as `option_error` takes them.
///
/// All errors of values (`within`, `fail`) are reported. A relation is not where the value of its own option is
/// wrong, or where one of the others has an error of any kind: what has been refused says nothing of the rest.
/// Several relations of one option are reported together; where one follows from another, its condition says so
/// (`fits`).
class range_check {
 public:
    /// Errors have the key `block.field`; `field` without a block, or where it is a whole key.
    explicit range_check(const std::string& block = {}) : m_prefix(block.empty() ? block : block + ".") {}

    template <class T>
    bool within(const char* field, const T& value, const field_range<T>& allowed) {
        if (!allowed.holds(value)) {
            fail(field, out_of_range(field_text(value), allowed.text(field_text<T>)));
            return false;
        }
        return true;
    }
    /// `allowed` says what `holds` has tested: `at most {pfc.xoff} ({})`, and the values in it.
    template <class T, class... Values>
    bool require(bool holds, const char* field, const T& value, std::string_view allowed,
                 const Values&... values) {
        relate(relation_kind::limit, field, allowed);
        if (!holds) {
            report(config_fault::relation, field, out_of_range("{}", std::string(allowed)),
                   {text_of(value), text_of(values)...});
        }
        return holds;
    }
    /// The same with the texts of the values; the first one is the field's.
    bool require(bool holds, const char* field, std::string_view allowed,
                 const std::vector<std::string>& values) {
        relate(relation_kind::limit, field, allowed);
        if (!holds) {
            report(config_fault::relation, field, out_of_range("{}", std::string(allowed)), values);
        }
        return holds;
    }
    /// `text` says what is wrong, and what is expected.
    template <class... Values>
    bool refuse(bool wrong, const char* field, std::string_view text, const Values&... values) {
        relate(relation_kind::refusal, field, text);
        if (wrong) {
            report(config_fault::relation, field, text, {text_of(values)...});
        }
        return wrong;
    }
    /// The same with the texts of the values.
    bool refuse(bool wrong, const char* field, std::string_view text, const std::vector<std::string>& values) {
        relate(relation_kind::refusal, field, text);
        if (wrong) {
            report(config_fault::relation, field, text, values);
        }
        return wrong;
    }
    /// As `refuse`, for each that is wrong of the values of a list; the first value of `text` is that one.
    template <class List, class Wrong, class... Values>
    void refuse_each(const List& list, Wrong&& wrong, const char* field, std::string_view text,
                     const Values&... values) {
        relate(relation_kind::refusal, field, text);
        for (const auto& each : list) {
            if (wrong(each)) {
                report(config_fault::relation, field, text, {text_of(each), text_of(values)...});
            }
        }
    }
    /// As `refuse`, of an option that holds nothing where others need it.
    bool refuse_missing(bool missing, const char* field, std::string_view text,
                        const std::vector<std::string>& values = {}) {
        relate(relation_kind::refusal, field, text);
        if (missing) {
            report(config_fault::missing, field, text, values);
        }
        return missing;
    }
    void fail(const std::string& field, std::string message) {
        m_errors.push_back({"", 0, key_of(field), std::move(message)});
    }
    /// Nothing has been found wrong with it.
    bool fits(const std::string& field) const { return is_free(key_of(field)); }
    void add(config_errors errors) { m_errors.add(std::move(errors)); }

    config_errors take() { return std::move(m_errors); }

 private:
    template <class T>
    static std::string text_of(const T& value) {
        if constexpr (std::is_convertible_v<T, std::string>) {
            return value;
        } else {
            return field_text(value);
        }
    }
    template <class T>
    static std::string text_of(const std::optional<T>& value) {
        return value ? text_of(*value) : "auto";
    }
    std::string key_of(const std::string& field) const {
        return field.find('.') == std::string::npos ? m_prefix + field : field;
    }
    bool is_free(const std::string& key) const {
        return std::none_of(m_errors.begin(), m_errors.end(),
                            [&](const config_error& error) { return error.key == key; });
    }
    bool has_proper_value(const std::string& key) const {
        return std::none_of(m_errors.begin(), m_errors.end(), [&](const config_error& error) {
            return error.key == key && error.fault == config_fault::value;
        });
    }
    void relate(relation_kind kind, const char* field, std::string_view text) {
        m_errors.relations.push_back({kind, key_of(field), std::string(text)});
    }
    void report(config_fault fault, const char* field, std::string_view text,
                const std::vector<std::string>& values) {
        config_error error = option_error(key_of(field), text, values);
        error.fault = fault;
        if (has_proper_value(error.key) &&
            std::all_of(error.others.begin(), error.others.end(),
                        [this](const std::string& key) { return is_free(key); })) {
            m_errors.push_back(std::move(error));
        }
    }

    std::string m_prefix;
    config_errors m_errors;
};

}  // namespace weir
