#include "tb/reproduce/results_index.h"

#include <map>

#include "tb/files/json_file.h"
#include "tb/plot/gnuplot.h"
#include "tb/reproduce/statement_table.h"
#include "tb/text/joined.h"
#include "tb/text/markdown_cell.h"

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
    if (value.is_null()) {
        return "-";
    }
    if (value.is_string()) {
        return value.get<std::string>();
    }
    const std::string with_unit = unit.empty() || unit == "%" ? unit : " " + unit;
    if (value.is_number()) {
        return short_number(value.get<double>()) + with_unit;
    }
    if (!value.is_array() || value.size() != 2) {
        return value.dump();
    }
    const auto end = [&](std::size_t n) {
        return value[n].is_number() ? short_number(value[n].get<double>()) : std::string{};
    };
    return (value[0].is_null()   ? "<" + end(1)
            : value[1].is_null() ? ">" + end(0)
                                 : end(0) + ".." + end(1)) +
           with_unit;
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
void add_rows(std::string& table, result_counts& counts, const ordered_json& results,
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
        table += "| [" + paper + "](" + folder + "/results.md)" +
                 (results.at("quick").get<bool>() ? ", quick" : "") + " | " +
                 markdown_cell(row.at("where").get<std::string>()) + " | " +
                 markdown_cell(row.at("says").get<std::string>() + column_text(row)) + " | " +
                 markdown_cell(value_text(row.at("paper"), unit)) + " | " +
                 markdown_cell(value_text(row.at("ours"), unit)) + " | " + verdict + " |\n";
    }
}

}  // namespace

static std::string name_of_folder(const std::filesystem::path& directory) {
    std::error_code ignored;
    const std::filesystem::path whole = std::filesystem::weakly_canonical(directory, ignored);
    return (whole.has_filename() ? whole : whole.parent_path()).filename().string();
}

std::string results_index(const std::vector<std::filesystem::path>& directories, config_errors& errors) {
    std::string table;
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
           "Verdicts: [reproduce.md](../reproduce.md#numbers-and-verdicts).\n\n"
           "| paper | where | the paper says | paper | here | verdict |\n|---|---|---|---|---|---|\n" +
           table;
}

}  // namespace weir::tb
