#include <map>

#include "tb/files/json_file.h"
#include "tb/record/table_writers.h"
#include "tb/reproduce/paper_results.h"
#include "tb/text/joined.h"

namespace weir::tb {

using nlohmann::ordered_json;

namespace {

constexpr const char* expected = "the results.json of a reproduction";
const std::vector<json_shape> shape{
    {"paper", json_kind::text},
    {"quick", json_kind::flag},
    {"statements[].where", json_kind::text},
    {"statements[].says", json_kind::text},
    {"statements[].unit", json_kind::text},
    {"statements[].verdict", json_kind::text},
    {"statements[].paper", json_kind::any},
    {"statements[].ours", json_kind::any},
};

/// A number, both ends of a range of which one may be open, or words.
std::string value_text(const ordered_json& value, const std::string& unit) {
    if (value.is_null() || value.is_string()) {
        return value.is_null() ? "-" : value.get<std::string>();
    }
    const ordered_json ends = value.is_number() ? ordered_json::array({value, value}) : value;
    const bool is_range = ends.is_array() && ends.size() == 2 && (ends[0].is_number() || ends[1].is_number());
    if (!is_range) {
        return value.dump();
    }
    const ordered_json& low = ends[ends[0].is_number() ? 0 : 1];
    const ordered_json& high = ends[ends[1].is_number() ? 1 : 0];
    return (!ends[0].is_number() ? "<" : !ends[1].is_number() ? ">" : "") + numbers_text(low, high, unit);
}

struct result_counts {
    std::map<std::string, std::size_t> verdicts;
    /// Causes of the rows that differ.
    std::map<std::string, std::size_t> causes;
};

std::string counts_text(const std::map<std::string, std::size_t>& counts) {
    return joined(counts, ", ",
                  [](const auto& each) { return each.first + ": " + std::to_string(each.second); });
}

/// ` (bursty_ingress)`: the experiment that one column of a row comes from.
std::string column_text(const ordered_json& row) {
    return row.contains("column") ? " (" + row.at("column").get<std::string>() + ")" : "";
}

/// `folder`: where the page is, as seen from beside it.
void add_rows(data_table& table, result_counts& counts, const ordered_json& results,
              const std::string& folder) {
    const auto paper = results.at("paper").get<std::string>();
    for (const ordered_json& row : results.at("statements")) {
        const auto unit = row.at("unit").get<std::string>();
        const auto verdict = row.at("verdict").get<std::string>();
        ++counts.verdicts[verdict];
        if (verdict == name_of(paper_verdict::differs)) {
            const auto cause = row.find("cause");
            ++counts
                  .causes[cause != row.end() && cause->is_string() ? cause->get<std::string>() : "none given"];
        }
        table.add_row(
            {"[" + paper + "](" + folder + "/results.md)" + (results.at("quick").get<bool>() ? ", quick" : ""),
             row.at("where"), row.at("says").get<std::string>() + column_text(row),
             value_text(row.at("paper"), unit), value_text(row.at("ours"), unit), verdict});
    }
}

}  // namespace

std::string results_index(const std::vector<std::filesystem::path>& directories, config_errors& errors) {
    data_table table = data_table::of({"paper", "where", "the paper says", "paper", "here", "verdict"});
    result_counts counts;
    for (const std::filesystem::path& directory : directories) {
        const std::filesystem::path file = directory / "results.json";
        const json_file read = read_json(file, expected);
        const config_errors wrong =
            read.errors.empty() ? check_shape(read.document, file.string(), shape) : read.errors;
        errors.add(wrong);
        if (wrong.empty()) {
            add_rows(table, counts, read.document, name_of_folder(directory));
        }
    }
    return "# What papers say, and what is found here\n\nMade by `weir reproduce --index`. " +
           counts_text(counts.verdicts) + ". " +
           (counts.causes.empty() ? "" : "Causes of those that differ: " + counts_text(counts.causes) + ". ") +
           "Verdicts: [reproduce.md](../reproduce.md#numbers-and-verdicts).\n\n" + markdown_of(table);
}

}  // namespace weir::tb
