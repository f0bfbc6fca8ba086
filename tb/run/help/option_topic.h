// Which options a word names: what `weir help WORD`, `weir options WORD` and `--help=WORD` show.
//
//   run_config config;
//   const option_table table = make_option_table(config);
//   find_topic(table, "pfc");          // all of [pfc]
//   find_topic(table, "pfc.xoff");     // one; `xoff` is every option of that name, whatever its block
//   find_topic(table, "dctcp");        // a scheme
//   find_topic(table, "dwrr");         // a term of the field (field_terms.h)
//   find_topic(table, "lookahead");    // options whose key or text has the word
#pragma once

#include <set>
#include <string>
#include <vector>

#include "tb/run/fields/field_terms.h"
#include "tb/run/help/option_help.h"

namespace weir::tb {

struct option_topic {
    option_choice options;
    /// Null: the word is no scheme.
    const scheme_entry* scheme = nullptr;
    /// Null: the word is no term of the field.
    const field_term* term = nullptr;
    /// True if neither an option nor a scheme has the word as its name: `options` are those of the term, or
    /// those whose key or text has the word.
    bool searched = false;

    bool empty() const { return options.empty() && scheme == nullptr && term == nullptr; }
    bool is_only_not_modelled() const { return options.empty() && scheme == nullptr && term != nullptr; }
};

/// Looks for a key, a block, an option's name, a scheme and a term of the field, by old keys too, and with `-`
/// or a blank for `_`. If there is none of these, looks for the whole word in all keys and texts, then for
/// words that begin with it. Letters may be small or large.
option_topic find_topic(const option_table& table, const std::string& word);

/// Prints what the word names in full, and options that were searched with a sentence each.
void write_topic(std::ostream& out, const option_table& table, const std::string& word,
                 const option_topic& topic);

/// `FEC is not modelled: ...`, with the words of the README's list. The topic is a term that is not modelled.
std::string not_modelled_text(const std::string& word, const field_term& term);

/// What to tell someone whose word names nothing. `more`: names that it may have been meant for besides.
std::string no_topic(const option_table& table, const std::string& word,
                     const std::vector<std::string>& more = {});

}  // namespace weir::tb
