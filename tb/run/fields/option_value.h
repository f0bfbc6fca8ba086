// The text form of an option's type: how a value is read, printed and bounded.
//
//   bytes threshold{0};
//   field_limits<bytes> limits;
//   limits.set_rule("at least 64B", [](const bytes& b) { return b >= 64_B; });
//   typed_value<bytes> value(threshold, limits);
//   value.assign("12");        // "'12' has no unit; expected a number with B, KB, ..."
//   value.assign("16KiB");     // "": threshold is 16,384 B now
//   value.text();              // "16KiB"
//
// What `text` prints, `assign` reads back to the same value, for every type: effective.ini rests on that.
// Therefore a text may not hold '#' (it starts a comment in an INI file), control characters, or blanks at
// its ends.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "tb/support/text/joined.h"
#include "weir/base/config_field.h"
#include "weir/base/enum_names.h"
#include "weir/base/share_text.h"
#include "weir/base/time.h"
#include "weir/base/unit_text.h"
#include "weir/base/units.h"

namespace weir::tb {

/// One value of a configuration, known by its text only.
class option_value {
 public:
    virtual ~option_value() = default;
    /// Reads `text` into the field; a repeatable value appends. Returns what is wrong with the text and what
    /// is expected, and leaves the field as it was then; empty where nothing is wrong.
    virtual std::string assign(const std::string& text) = 0;
    /// Reads `text` as `assign` does and rewrites it as `text()` prints that value. The field stays as it is.
    virtual std::string normalize(std::string& text) const = 0;
    /// Makes a repeatable value empty; does nothing to others.
    virtual void clear() {}
    virtual bool repeatable() const { return false; }
    /// The field now: one text, or one per entry of a repeatable value.
    virtual std::vector<std::string> texts() const = 0;
    std::string text() const;
    /// Kind of value: `bytes`, `time`, `one of`, ...
    virtual std::string unit() const = 0;
    /// What is expected `1 to 16`, `frame, cell`; empty where every text will do.
    virtual std::string range() const = 0;
    /// Names of an enumeration with their meaning.
    virtual std::vector<std::pair<std::string, std::string>> choices() const { return {}; }
};

/// Reads and prints values of one type.
template <class T, class Enable = void>
struct text_form;

template <class T, class Enable = void>
struct has_text_form : std::false_type {};
template <class T>
struct has_text_form<T, std::void_t<decltype(text_form<T>::unit())>> : std::true_type {};

/// What any text will do for, as far as its type goes.
struct plain_form {
    static std::string range() { return {}; }
    /// The text with bare numbers as percentages; empty if the type has none.
    static std::string in_percent(std::string_view) { return {}; }
    static std::vector<std::pair<std::string, std::string>> choices() { return {}; }
};

/// Non-template parts of the forms below.
namespace detail {
parse_result<std::uint64_t> parse_count(std::string_view text, std::uint64_t largest);
/// Whether a text (or a part of a list) that cannot be read could be with a smaller number in it.
bool is_too_large(std::string_view text, const std::function<bool(const std::string&)>& can_be_read);
parse_result<bool> parse_bool(std::string_view text);
parse_result<double> parse_number(std::string_view text);
/// `15%` or `0.15`.
parse_result<double> parse_share(std::string_view text);
/// `150%` for `150`; a text that already ends with % is unchanged.
std::string share_in_percent(std::string_view text);
/// End of an error about a bare number that is no fraction in its range but would be allowed as `percent`.
std::string percent_advice(const std::string& percent);
parse_result<std::string> parse_text(std::string_view text);
}  // namespace detail

/// A type with a function that reads it, and `to_text`.
template <class T, parse_result<T> (*Parse)(std::string_view)>
struct quantity_form : plain_form {
    static parse_result<T> parse(std::string_view text) { return Parse(text); }
    static std::string format(const T& value) { return to_text(value); }
};
template <>
struct text_form<bytes> : quantity_form<bytes, parse_bytes> {
    static std::string unit() { return "bytes"; }
};
template <>
struct text_form<picoseconds> : quantity_form<picoseconds, parse_time> {
    static std::string unit() { return "time"; }
};
template <>
struct text_form<bit_rate> : quantity_form<bit_rate, parse_rate> {
    static std::string unit() { return "rate"; }
};
/// PAUSE quanta are counted, as in the frame's field: a bare number.
template <>
struct text_form<pause_quanta> : plain_form {
    static parse_result<pause_quanta> parse(std::string_view text) {
        const auto read = detail::parse_count(text, INT64_MAX);
        return {pause_quanta{static_cast<std::int64_t>(read.value)}, read.error};
    }
    static std::string format(pause_quanta value) { return std::to_string(value.count()); }
    static std::string unit() { return "count"; }
};
template <class T>
struct text_form<T, std::enable_if_t<std::is_unsigned_v<T> && !std::is_same_v<T, bool>>> : plain_form {
    static parse_result<T> parse(std::string_view text) {
        const auto read = detail::parse_count(text, std::numeric_limits<T>::max());
        return {static_cast<T>(read.value), read.error};
    }
    static std::string format(T value) { return std::to_string(value); }
    static std::string unit() { return "count"; }
};
template <class T>
struct text_form<T, std::enable_if_t<std::is_integral_v<T> && std::is_signed_v<T>>> : plain_form {
    static parse_result<T> parse(std::string_view text) {
        const bool negative = text.substr(0, 1) == "-";
        const auto read = detail::parse_count(negative ? text.substr(1) : text, std::numeric_limits<T>::max());
        const auto value = static_cast<T>(read.value);
        return {negative ? -value : value, read.error};
    }
    static std::string format(T value) { return std::to_string(value); }
    static std::string unit() { return "count"; }
};
template <>
struct text_form<bool> : plain_form {
    static parse_result<bool> parse(std::string_view text) { return detail::parse_bool(text); }
    static std::string format(bool value) { return value ? "true" : "false"; }
    static std::string unit() { return "yes or no"; }
    static std::string range() { return "true, false, on, off, yes, no"; }
};
template <>
struct text_form<double> : plain_form {
    static parse_result<double> parse(std::string_view text) { return detail::parse_number(text); }
    static std::string format(double value) { return field_text(value); }
    static std::string unit() { return "number"; }
};
/// A share, kept as a double, read as `15%` or `0.15` (a ratio needs no unit), printed as `15%`.
struct share_form : plain_form {
    static parse_result<double> parse(std::string_view text) { return detail::parse_share(text); }
    static std::string format(const double& value) { return share_text(value); }
    static std::string unit() { return "share"; }
    static std::string in_percent(std::string_view text) { return detail::share_in_percent(text); }
};
template <>
struct text_form<std::string> : plain_form {
    static parse_result<std::string> parse(std::string_view text) { return detail::parse_text(text); }
    static std::string format(const std::string& value) { return value; }
    static std::string unit() { return "text"; }
};

template <class Enum>
struct text_form<Enum, std::enable_if_t<std::is_enum_v<Enum>>> : plain_form {
    static parse_result<Enum> parse(std::string_view text) {
        if (const std::optional<Enum> value = find_named<Enum>(text)) {
            return {*value, {}};
        }
        return {{}, "'" + std::string(text) + "' is unknown; expected " + range()};
    }
    static std::string format(Enum value) { return name_of(value); }
    static std::string unit() { return "one of"; }
    static std::string range() {
        return joined(names_of(Enum{}), ", ", [](const enum_name<Enum>& each) { return each.name; });
    }
    static std::vector<std::pair<std::string, std::string>> choices() {
        std::vector<std::pair<std::string, std::string>> all;
        for (const enum_name<Enum> each : names_of(Enum{})) {
            all.emplace_back(each.name, each.doc);
        }
        return all;
    }
};

/// `auto`, or a value: what the model works out by itself unless told.
template <class Form, class T>
struct optional_form {
    static parse_result<std::optional<T>> parse(std::string_view text) {
        if (text == "auto") {
            return {std::nullopt, {}};
        }
        const auto read = Form::parse(text);
        if (!read) {
            return {std::nullopt, read.error + ", or auto"};
        }
        return {read.value, {}};
    }
    static std::string format(const std::optional<T>& value) { return value ? Form::format(*value) : "auto"; }
    static std::string unit() { return Form::unit() + " or auto"; }
    static auto choices() { return Form::choices(); }
    static std::string range() { return Form::range(); }
    static std::string in_percent(std::string_view text) { return Form::in_percent(text); }
};
template <class T>
struct text_form<std::optional<T>> : optional_form<text_form<T>, T> {};

/// Values between commas: any number, or exactly as many as an array has.
template <class List, class Form>
struct list_form {
    using element = typename List::value_type;
    static parse_result<List> parse(std::string_view text) {
        List list{};
        const std::vector<std::string> parts = split_list(text);
        if constexpr (!std::is_same_v<List, std::vector<element>>) {
            if (parts.size() != list.size()) {
                return {list, "'" + std::string(text) + "' has " + std::to_string(parts.size()) +
                                  (parts.size() == 1 ? " value" : " values") + "; expected " +
                                  std::to_string(list.size()) + " values separated by commas"};
            }
        } else {
            list.resize(parts.size());
        }
        for (std::size_t i = 0; i < parts.size(); ++i) {
            auto read = Form::parse(parts[i]);
            if (!read) {
                return {List{}, read.error};
            }
            list[i] = std::move(read.value);
        }
        return {std::move(list), {}};
    }
    static std::string format(const List& list) {
        std::vector<std::string> parts;
        for (const element& each : list) {
            parts.push_back(Form::format(each));
        }
        return joined(parts, ", ");
    }
    static std::string unit() { return "list of " + Form::unit(); }
    static std::vector<std::pair<std::string, std::string>> choices() { return {}; }
    static std::string range() { return Form::range(); }
    static std::string in_percent(std::string_view text) {
        std::vector<std::string> parts = split_list(text);
        for (std::string& part : parts) {
            part = Form::in_percent(part);
            if (part.empty()) {
                return {};
            }
        }
        return joined(parts, ", ");
    }
};
template <class T>
struct text_form<std::vector<T>> : list_form<std::vector<T>, text_form<T>> {};
template <class T, std::size_t Count>
struct text_form<std::array<T, Count>> : list_form<std::array<T, Count>, text_form<T>> {};

/// A field with its form and bounds.
template <class T, class Form = text_form<T>>
class typed_value final : public option_value {
 public:
    using element = typename field_element<T>::type;

    explicit typed_value(T& field, const field_limits<element>& limits = {},
                         typename field_limits<element>::printer print = nullptr)
        : m_field(field), m_limits(limits), m_allowed(limits.allowed(print)) {}

    std::string assign(const std::string& text) override {
        auto read = parse(text);
        if (read) {
            m_field = std::move(read.value);
        }
        return read.error;
    }
    std::string normalize(std::string& text) const override {
        const auto read = parse(text);
        if (read) {
            text = Form::format(read.value);
        }
        return read.error;
    }
    std::vector<std::string> texts() const override { return {Form::format(m_field)}; }
    std::string unit() const override { return Form::unit(); }
    std::string range() const override { return m_allowed.empty() ? Form::range() : m_allowed; }
    std::vector<std::pair<std::string, std::string>> choices() const override { return Form::choices(); }

 private:
    bool is_allowed(const T& value) const {
        return field_element<T>::all(value, [this](const element& each) { return m_limits.holds(each); });
    }
    parse_result<T> parse(const std::string& text) const {
        auto read = Form::parse(text);
        if (read && !is_allowed(read.value)) {
            const std::string percent = Form::in_percent(text);
            const auto as_percent = Form::parse(percent);
            const bool meant = !percent.empty() && as_percent && is_allowed(as_percent.value);
            read.error = weir::out_of_range(text, m_allowed) + (meant ? detail::percent_advice(percent) : "");
        } else if (!read && !m_allowed.empty() &&
                   detail::is_too_large(text, [](const std::string& t) { return bool{Form::parse(t)}; })) {
            // The largest value of the type does not matter to a user where the option has limits of its own.
            read.error = weir::out_of_range(text, m_allowed);
        }
        return read;
    }

    T& m_field;
    field_limits<element> m_limits;
    std::string m_allowed;
};

/// A text that may be given several times; each adds an entry.
class repeated_text final : public option_value {
 public:
    /// `allowed`: the form of a text, in words; it is checked by who uses it.
    repeated_text(std::vector<std::string>& field, std::string allowed)
        : m_field(field), m_allowed(std::move(allowed)) {}
    std::string assign(const std::string& text) override;
    std::string normalize(std::string& text) const override;
    void clear() override { m_field.clear(); }
    bool repeatable() const override { return true; }
    std::vector<std::string> texts() const override { return m_field; }
    std::string unit() const override { return "text, may be given several times"; }
    std::string range() const override { return m_allowed; }

 private:
    std::vector<std::string>& m_field;
    std::string m_allowed;
};

template <class T>
using element_limits = field_limits<typename field_element<T>::type>;

/// The value of a field that has one text. One function per type of field, whatever struct it is in: most of
/// what a table costs to compile would otherwise be compiled for every field of every struct.
template <class T>
std::unique_ptr<option_value> value_of(bool is_share, const element_limits<T>& limits, T& field) {
    using element = typename field_element<T>::type;
    if constexpr (std::is_same_v<element, double>) {
        if (is_share) {
            using form = std::conditional_t<
                std::is_same_v<T, double>, share_form,
                std::conditional_t<std::is_same_v<T, std::optional<double>>, optional_form<share_form, double>,
                                   list_form<T, share_form>>>;
            return std::make_unique<typed_value<T, form>>(field, limits, share_form::format);
        }
    }
    return std::make_unique<typed_value<T>>(
        field, limits, [](const element& value) { return text_form<element>::format(value); });
}

/// The value of a field of a configuration.
template <class T>
std::unique_ptr<option_value> option_value_of(const field_facts& facts, const element_limits<T>& limits,
                                              T& field) {
    if constexpr (std::is_same_v<T, std::vector<std::string>>) {
        if (facts.is_repeated) {
            return std::make_unique<repeated_text>(field, limits.allowed(nullptr));
        }
    }
    return value_of(facts.is_share, limits, field);
}

}  // namespace weir::tb
