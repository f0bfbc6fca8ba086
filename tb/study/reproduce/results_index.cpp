#include <map>

#include "tb/run/summary/summary_texts.h"
#include "tb/study/reproduce/paper_results.h"
#include "tb/support/files/json_file.h"
#include "tb/support/record/table_writers.h"
#include "tb/support/text/joined.h"

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

std::string text_at(const ordered_json& row, const char* key) {
    const auto found = row.find(key);
    return found != row.end() && found->is_string() ? found->get<std::string>() : std::string{};
}

std::string counts_text(const std::map<std::string, std::size_t>& counts) {
    return joined(counts, ", ",
                  [](const auto& each) { return each.first + ": " + std::to_string(each.second); });
}

/// ` (bursty_ingress)`: the experiment that one column of a row comes from.
std::string column_text(const ordered_json& row) {
    return row.contains("column") ? " (" + row.at("column").get<std::string>() + ")" : "";
}

}  // namespace

std::string recorded_statements::counts() const {
    return counts_text(verdicts);
}

recorded_statements read_statements(const std::filesystem::path& directory, config_errors& errors) {
    recorded_statements all;
    const json_file read = read_json(directory / "results.json", expected, shape);
    errors.add(read.errors);
    if (!read.errors.empty()) {
        return all;
    }
    all.paper = read.document.at("paper");
    all.quick = read.document.at("quick");
    for (const ordered_json& row : read.document.at("statements")) {
        const auto unit = row.at("unit").get<std::string>();
        const auto verdict = row.at("verdict").get<std::string>();
        const std::string cause = text_at(row, "cause");
        ++all.verdicts[verdict];
        if (verdict == name_of(paper_verdict::differs)) {
            ++all.causes[cause.empty() ? "none given" : cause];
        }
        const ordered_json ends{value_or_null(row, "low"), value_or_null(row, "high")};
        all.lines.push_back({row.at("where"), row.at("says").get<std::string>() + column_text(row),
                             value_text(row.at("paper"), unit), value_text(row.at("ours"), unit), verdict,
                             ends[0].is_null() && ends[1].is_null() ? "-" : value_text(ends, unit),
                             cause + (cause.empty() ? "" : "; ") + text_at(row, "note")});
    }
    return all;
}

std::string results_index(const std::vector<std::filesystem::path>& directories, config_errors& errors) {
    data_table table = data_table::of({"paper", "where", "the paper says", "paper", "here", "verdict"});
    recorded_statements counts;
    for (const std::filesystem::path& directory : directories) {
        const recorded_statements found = read_statements(directory, errors);
        for (const auto& [verdict, count] : found.verdicts) {
            counts.verdicts[verdict] += count;
        }
        for (const auto& [cause, count] : found.causes) {
            counts.causes[cause] += count;
        }
        for (std::vector<std::string> line : found.lines) {
            line.resize(5);
            line.insert(line.begin(), "[" + found.paper + "](" + name_of_folder(directory) + "/results.md)" +
                                          (found.quick ? ", quick" : ""));
            table.add_row({line.begin(), line.end()});
        }
    }
    return "# What papers say, and what is found here\n\nMade by `weir reproduce --index`. " + counts.counts() +
           ". " +
           (counts.causes.empty() ? "" : "Causes of those that differ: " + counts_text(counts.causes) + ". ") +
           "Verdicts: [reproduce.md](../reproduce.md#numbers-and-verdicts).\n\n" + markdown_of(table);
}

}  // namespace weir::tb
