// The one table of options: each is registered once, with key, field, unit, range, doc and source; the
// default is what the field holds at that moment. Reading of the command line and of INI files, `--help`,
// the reference and the dump of the effective configuration all come from it.
//
//   option_table table;
//   table.block("switch", "The switch proper.")
//       .add("speedup", config.device.speedup)
//       .range(1, 16)
//       .doc("Crossbar rate over the rate of the switch's fastest port.")
//       .source("DeTail 7.1");
//   table.find("switch.speedup")->value->assign("8");
#pragma once

#include <algorithm>
#include <boost/program_options/options_description.hpp>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "tb/options/option_value.h"
#include "weir/base/config_error.h"
#include "weir/base/field_range.h"

namespace weir {

/// When an option has an effect at all: as other options are, and in words, `pfc.mode = pause or pfc`.
struct relevance {
    std::string needs;
    std::function<bool()> holds;
};
/// Both have to hold.
relevance operator&&(relevance a, relevance b);

/// `field`, which is the option `key`, has one of these values. The field must stay where it is.
template <class Enum>
relevance only_with(const char* key, const Enum& field, std::vector<Enum> values) {
    std::vector<std::string> names;
    for (const Enum value : values) {
        names.push_back(text_form<Enum>::format(value));
    }
    return {std::string(key) + " = " + detail::join(names, " or "),
            [&field, values] { return std::find(values.begin(), values.end(), field) != values.end(); }};
}

/// One option.
struct option {
    /// `switch.speedup`: key `speedup` in [switch].
    std::string key;
    std::string block;
    std::string name;
    /// What it does, one paragraph.
    std::string doc;
    /// Paper and section, clause, or measurement; empty where the choice is the project's own.
    std::string source;
    /// Text of the value at registration.
    std::string default_text;
    std::unique_ptr<option_value> value;
    /// A path: one that is relative is resolved against the INI file's directory, or the current one.
    bool is_path = false;
    /// Results depend on it; the others stay out of effective.ini.
    bool in_results = true;
    /// Without a condition it always has an effect.
    relevance matters;
};

struct option_block {
    std::string name;
    std::string doc;
};

/// Completes one registration; each call says one thing and returns the same object.
template <class T, class Form = text_form<T>>
class option_entry {
 public:
    using element = typename Form::element;

    option_entry(option& entry, typed_value<T, Form>& value) : m_option(entry), m_value(value) {}

    /// That of the field's struct, where it has one: `switch_config::speedup_range`. For a list: of each of its
    /// values; for an `auto` option: of its value where it has one.
    option_entry& range(const field_range<element>& allowed) {
        return rule(allowed.text(print), [=](const element& v) { return allowed.holds(v); });
    }
    /// Both ends included.
    option_entry& range(element low, element high) { return range(field_range<element>{low, high}); }
    option_entry& rule(std::string allowed, std::function<bool(const element&)> holds) {
        m_value.limit(std::move(allowed), std::move(holds));
        return *this;
    }
    option_entry& doc(std::string text) {
        m_option.doc = std::move(text);
        return *this;
    }
    option_entry& source(std::string text) {
        m_option.source = std::move(text);
        return *this;
    }
    option_entry& path() {
        m_option.is_path = true;
        return *this;
    }
    /// It has an effect only where this holds; who sets it elsewhere is told.
    option_entry& matters(relevance when) {
        m_option.matters = std::move(when);
        return *this;
    }
    /// Results do not depend on it.
    option_entry& not_in_results() {
        m_option.in_results = false;
        return *this;
    }

 private:
    static std::string print(const element& value) { return element_text<Form>(value); }
    template <class F>
    static std::string element_text(const element& value) {
        if constexpr (std::is_same_v<F, share_form> || std::is_same_v<F, optional_form<share_form, double>>) {
            return share_form::format(value);
        } else {
            return text_form<element>::format(value);
        }
    }

    option& m_option;
    typed_value<T, Form>& m_value;
};

/// Completes the registration of a repeatable text.
class repeated_entry {
 public:
    repeated_entry(option& entry, repeated_text& value) : m_option(entry), m_value(value) {}
    repeated_entry& doc(std::string text) {
        m_option.doc = std::move(text);
        return *this;
    }
    repeated_entry& source(std::string text) {
        m_option.source = std::move(text);
        return *this;
    }
    /// The form of a text, in words; it is checked by who uses it.
    repeated_entry& form(std::string text) {
        m_value.describe(std::move(text));
        return *this;
    }

 private:
    option& m_option;
    repeated_text& m_value;
};

class option_table {
 public:
    /// Registers options of one block.
    class block_writer {
     public:
        block_writer(option_table& table, std::string block) : m_table(table), m_block(std::move(block)) {}

        template <class T>
        option_entry<T> add(const char* name, T& field) {
            return add_form<T, text_form<T>>(name, field);
        }
        /// A share: `15%` or `0.15`.
        option_entry<double, share_form> add_share(const char* name, double& field) {
            return add_form<double, share_form>(name, field);
        }
        option_entry<std::optional<double>, optional_form<share_form, double>> add_share(
            const char* name, std::optional<double>& field) {
            return add_form<std::optional<double>, optional_form<share_form, double>>(name, field);
        }
        repeated_entry add_repeated(const char* name, std::vector<std::string>& field) {
            auto value = std::make_unique<repeated_text>(field);
            repeated_text& reference = *value;
            return {m_table.insert(m_block, name, std::move(value)), reference};
        }

     private:
        template <class T, class Form>
        option_entry<T, Form> add_form(const char* name, T& field) {
            auto value = std::make_unique<typed_value<T, Form>>(field);
            typed_value<T, Form>& reference = *value;
            return {m_table.insert(m_block, name, std::move(value)), reference};
        }

        option_table& m_table;
        std::string m_block;
    };

    /// Opens a block; each exists once. Throws std::logic_error for a second one of that name.
    block_writer block(const std::string& name, const std::string& doc);

    /// A check between options, run once all values are set: usually a struct's `validate`. Each error's key
    /// is an option's, and its message names the other options that it is about by their keys.
    void check(std::function<config_errors()> rule) { m_checks.push_back(std::move(rule)); }
    config_errors run_checks() const;

    /// In the order of registration, which is the order of help, reference and dump.
    const std::vector<std::unique_ptr<option>>& options() const { return m_options; }
    const std::vector<option_block>& blocks() const { return m_blocks; }
    /// nullptr where no option has this key.
    const option* find(const std::string& key) const;
    bool has_block(const std::string& name) const;

    /// `; did you mean switch.speedup?`, or that nothing is near: what to tell someone who wrote `key`.
    std::string hint(const std::string& key) const;
    std::string block_hint(const std::string& name) const;

    /// What Boost's parsers need to know of the options: all keys, each with a value.
    boost::program_options::options_description description() const;

 private:
    /// Throws std::logic_error where the key exists or is not of [a-z0-9_].
    option& insert(const std::string& block, const std::string& name, std::unique_ptr<option_value> value);

    std::vector<option_block> m_blocks;
    std::vector<std::unique_ptr<option>> m_options;
    std::vector<std::function<config_errors()>> m_checks;
};

}  // namespace weir
