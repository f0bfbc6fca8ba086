// The field's words for features of switches and hosts: which options of weir have the feature, or that weir
// does not model it. `weir help dwrr` answers from this table.
//
//   find_field_term("DWRR")->options;                // switch.scheduler = ..., switch.weights
//   find_field_term("cut-through")->not_modelled;    // Switches store and forward. ...
#pragma once

#include <string_view>
#include <vector>

namespace weir::tb {

struct field_term {
    /// Spellings; capitals, dashes and endings do not matter.
    std::vector<const char*> words;
    /// `KEY`, or `KEY = VALUE` if one value of the option has the feature.
    std::vector<const char*> options;
    /// Words of the list "What it does not model" in README.md; null: the feature is modelled.
    const char* not_modelled = nullptr;
};

const std::vector<field_term>& field_terms();

/// Null if the words are no term of the field.
const field_term* find_field_term(std::string_view words);

}  // namespace weir::tb
