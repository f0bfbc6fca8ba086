// What is wrong with an input, as a value: collected, and printed by the program all at once as
// `file:line: key: what is wrong; expected ...`.
//
// An error between options says which they are, so that the one that the user wrote can be blamed. Its text
// names each option once, in braces; values follow in their order:
//
//   config_error e = option_error("pfc.xon", "is above {pfc.xoff} ({})", {"8KiB"});
//   e.message;   // "is above pfc.xoff (8KiB)"
//   e.others;    // {"pfc.xoff"}
#pragma once

#include <algorithm>
#include <iterator>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "weir/base/namespaces.h"

namespace weir {

enum class config_fault {
    value,     ///< what the option holds is wrong by itself
    relation,  ///< it does not go with others
    missing    ///< it holds nothing, and others need it
};

struct config_error {
    /// File that holds the mistake; empty for the command line.
    std::string file;
    /// Line in that file, from 1; 0 where there is none.
    int line = 0;
    /// Option, column or keyword, such as `switch.speedup`.
    std::string key;
    /// What is wrong, with the value, and what is expected.
    std::string message;
    /// Keys of the other options that it is about, as the message names them.
    std::vector<std::string> others{};
    config_fault fault = config_fault::value;

    bool is_missing() const { return fault == config_fault::missing; }

    /// Appends a text with options in braces: `{block.name}`, or `{name}` in the block of `key`. `{}` is the
    /// next of the values, or `...` where there is none.
    void say(std::string_view text, const std::vector<std::string>& values = {}) {
        std::size_t next = 0;
        for (std::size_t open = text.find('{'); open != std::string_view::npos; open = text.find('{')) {
            const std::string_view name = text.substr(open + 1, text.find('}', open) - open - 1);
            message += text.substr(0, open);
            if (name.empty()) {
                message += next < values.size() ? values[next++] : "...";
            } else {
                message += name;
                const bool whole = name.find('.') != std::string_view::npos;
                others.push_back((whole ? "" : key.substr(0, key.find('.') + 1)) + std::string(name));
            }
            text.remove_prefix(open + name.size() + 2);
        }
        message += text;
    }
};

inline config_error option_error(std::string key, std::string_view text,
                                 const std::vector<std::string>& values = {}) {
    config_error error{{}, 0, std::move(key), {}, {}, config_fault::relation};
    error.say(text, values);
    return error;
}

enum class relation_kind {
    limit,   ///< the text says what is expected
    refusal  ///< the text says what is wrong, and what is expected
};

/// What options may not be beside each other, as `option_error` takes it: the error's text without values.
struct config_relation {
    relation_kind kind;
    std::string key;
    std::string text;
};

struct config_errors : std::vector<config_error> {
    using vector::vector;
    /// Those that a check has looked at, whether they hold or not; help quotes them.
    std::vector<config_relation> relations;

    void add(config_errors more) {
        std::move(more.begin(), more.end(), std::back_inserter(*this));
        std::move(more.relations.begin(), more.relations.end(), std::back_inserter(relations));
    }
};

}  // namespace weir
