// Which options a word names: what `weir help WORD`, `weir options WORD` and `--help=WORD` show.
//
//   run_config config;
//   const option_table table = make_option_table(config);
//   find_topic(table, "pfc");          // all of [pfc]
//   find_topic(table, "pfc.xoff");     // one; `xoff` is every option of that name, whatever its block
//   find_topic(table, "dctcp");        // a scheme
//   find_topic(table, "lookahead");    // options whose key or text has the word
#pragma once

#include <set>
#include <string>
#include <vector>

#include "tb/options/option_help.h"
#include "tb/options/schemes.h"

namespace weir::tb {

struct option_topic {
    option_choice options;
    /// Null: the word is no scheme.
    const scheme_preset* scheme = nullptr;
    /// The options were found by a part of their key or text, so there may be many that were not meant.
    bool searched = false;

    bool empty() const { return options.empty() && scheme == nullptr; }
};

/// Looks for a key, a block, an option's name and a scheme, by old keys too, and with `-` for `_`; only where
/// there is none of these, in all keys and texts. Letters may be small or large.
option_topic find_topic(const option_table& table, const std::string& word);

/// In full; of what was searched for a line each.
void write_topic(std::ostream& out, const option_table& table, const option_topic& topic);

/// What to tell someone whose word names nothing. `more`: names that it may have been meant for besides.
std::string no_topic(const option_table& table, const std::string& word,
                     const std::vector<std::string>& more = {});

}  // namespace weir::tb
