// The one table of options. It follows from what configurations say of their fields (weir/base/config_field.h):
// a struct is added as a block, or to one; an option's default is what its field holds at that moment. Reading
// of the command line and of INI files, `--help`, the reference and the dump of the effective configuration all
// come from it.
//
//   option_table table;
//   table.block("link", "Links.").add(config.link);
//   table.finish();
//   table.find("link.rate")->value->assign("10Gbps");
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "tb/run/fields/option_value.h"
#include "tb/support/text/nearest_name.h"
#include "weir/base/config_error.h"
#include "weir/base/config_field.h"

namespace weir::tb {

/// When an option has an effect at all: as other options are, and in words, `pfc.mode = pause or pfc`.
struct relevance {
    std::string needs;
    std::function<bool()> holds;
};

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
    /// Bytes of packet memory: `120c` is 120 cells of `option_table::cell_key`.
    bool in_cells = false;
    /// Results depend on it; the others stay out of effective.ini.
    bool in_results = true;
    /// Without a condition it always has an effect. Its clauses are as the field's description has them.
    relevance matters;
    std::vector<std::string> clauses;
    /// Keys that it had.
    std::vector<std::string> old_keys;
    /// The key of the option that precedes it; empty: the block's name, it is the first. Not set: as it came.
    std::optional<std::string> after;
};

/// A relation without values: those in parentheses are left out, `...` stands for others.
struct option_relation {
    relation_kind kind;
    std::string key;
    std::string text;
    /// Keys of the other options, as the text names them.
    std::vector<std::string> others;
};

struct option_block {
    std::string name;
    std::string doc;
    /// Of fields that name none.
    std::string source;
};

/// As the table writes keys: `link-rate` is `link_rate`.
std::string with_underscores(std::string key);

class option_table {
 public:
    /// Adds options to one block.
    class block_writer {
     public:
        block_writer(option_table& table, std::size_t block) : m_table(table), m_block(block) {}

        /// All that `config` says of its fields. It must stay where it is.
        template <class Config>
        block_writer& add(Config& config) {
            for_each_field(config, [this](const auto& described, auto& field) {
                m_table.insert(m_block, described, option_value_of(described, described.limits(), field));
            });
            return *this;
        }

     private:
        option_table& m_table;
        /// Place among the table's blocks.
        std::size_t m_block;
    };

    /// Opens a block; each exists once. Throws std::logic_error for a second one of that name.
    block_writer block(const std::string& name, const std::string& doc, const std::string& source = "project");
    /// Defines a clause of `config_field::needs` that is no comparison of values. Descriptions refer to it by
    /// `name`, a word of [a-z0-9_]; help and messages show `words`.
    void condition(const std::string& name, std::string words, std::function<bool()> holds) {
        m_conditions[name] = {std::move(words), std::move(holds)};
    }
    /// The option that has the size of a cell of packet memory.
    void count_cells_of(const std::string& key) { m_cell_key = key; }
    /// Empty: memory is counted in bytes only.
    const std::string& cell_key() const { return m_cell_key; }
    /// What `120c` counts from now on; 0: nothing.
    void set_cell(bytes size) { m_cell = size; }
    /// Turns `120c`, or parts of a list, into bytes, where the option is packet memory. Returns what is wrong.
    std::string put_in_bytes(const option& target, std::string& text) const;
    /// When all options are there: puts those in order that say what they follow, and gives conditions their
    /// options. Throws std::logic_error where one names an option or a value that is not there.
    void finish();

    /// A check between options, run once all values are set: usually a struct's `validate`. Each error's key,
    /// and those of the other options that it is about, are options'.
    void check(std::function<config_errors()> rule) { m_checks.push_back(std::move(rule)); }
    config_errors run_checks() const;
    /// What the checks look at. Not those of one option alone.
    std::vector<option_relation> relations() const;

    /// In the order of registration, which is the order of help, reference and dump.
    const std::vector<std::unique_ptr<option>>& options() const { return m_options; }
    const std::vector<option_block>& blocks() const { return m_blocks; }
    /// `-` and `_` are alike. nullptr where no option has this key, or had it once: then its key is another.
    const option* find(const std::string& written) const;
    /// The key of the option that is written so; where there is none, what is written.
    std::string key_of(const std::string& written) const;
    bool has_block(const std::string& name) const;

    /// `; did you mean switch.speedup?`, or that nothing is near: what to tell someone who wrote a key.
    std::string hint(const std::string& written) const;
    std::string block_hint(const std::string& name) const;

 private:
    /// Throws std::logic_error where the key exists or is not of [a-z0-9_].
    void insert(std::size_t block, const field_facts& facts, std::unique_ptr<option_value> value);
    /// The condition of that name, or the comparison.
    const relevance& condition_of(const std::string& clause);
    std::function<bool()> comparison(const std::string& clause) const;

    std::vector<option_block> m_blocks;
    std::vector<std::unique_ptr<option>> m_options;
    /// Options by their keys and by their old keys.
    std::map<std::string, const option*> m_by_key;
    /// The first of the options that have a name, whatever their blocks.
    std::map<std::string, const option*> m_first_by_name;
    name_index m_keys;
    std::vector<std::function<config_errors()>> m_checks;
    /// By clause.
    std::map<std::string, relevance> m_conditions;
    std::string m_cell_key;
    bytes m_cell{0};
};

}  // namespace weir::tb
