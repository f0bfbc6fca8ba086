// Reads back a JSON file that this program wrote, and says with file and key what is wrong with one that was
// changed or damaged.
//
//   json_file read = read_json("out/summary.json", "the summary.json of a run of weir",
//                              {{"complete", json_kind::flag}, {"groups[].fct_ns.p99", json_kind::number}});
//   // out/summary.json: groups[3].fct_ns.p99: is null; expected a number from 0
#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "weir/base/config_error.h"

namespace weir::tb {

struct json_file {
    nlohmann::ordered_json document;
    /// It cannot be read, is no JSON (with the line), is nested too deep, or has a number that no double holds.
    config_errors errors;
    /// It is empty, or ends in the middle.
    bool is_cut = false;
};

/// Of objects and lists within each other, far more than any file has but a tree of pauses: what goes through a
/// document from level to level takes stack, names and indentation for each.
constexpr int most_json_depth = 64;

/// `expected`: what the file should have been, for messages.
json_file read_json(const std::filesystem::path& file, const std::string& expected,
                    int most_depth = most_json_depth);
/// The same of its text; `file` is what errors call it.
json_file parse_json(const std::string& text, const std::string& file, const std::string& expected,
                     int most_depth = most_json_depth);
/// A document that is replaced if it is not as it should be; discarded if it is no JSON or nested too deep.
nlohmann::ordered_json json_or_discarded(const std::string& text);

enum class json_kind {
    text,
    texts,           ///< text, or a list of it
    flag,            ///< true or false
    count,           ///< a whole number from 0 to 2^63 - 1
    seed,            ///< a whole number from 0 to 2^64 - 1
    number,          ///< from 0; one with decimals up to 9e15: a time in ns that fits into picoseconds
    number_or_null,  ///< null: there is none
    any
};

/// What one place of a document has to hold. A path is keys with dots between; `[]` stands for each item of a
/// list, `*` for each value of an object.
struct json_shape {
    std::string path;
    json_kind kind;
    /// Whether its keys have to be there.
    bool required = true;
};

/// One error per place, up to 20. `place`: where in the file the document is; empty for all of it.
config_errors check_shape(const nlohmann::ordered_json& document, const std::string& file,
                          const std::vector<json_shape>& shapes, const std::string& place = {});
/// Reads a file and checks its shape.
json_file read_json(const std::filesystem::path& file, const std::string& expected,
                    const std::vector<json_shape>& shapes);

}  // namespace weir::tb
