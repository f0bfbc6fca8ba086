// Lines and schemas against texts that are written by hand.
#include "tb/support/record/record_table.h"

#include <gtest/gtest.h>

#include <fstream>
#include <limits>
#include <stdexcept>

#include "support/scratch_directory.h"
#include "tb/run/results/metric_catalogue.h"
#include "tb/run/results/run_tables.h"
#include "tb/study/sweep/sweep_tables.h"
#include "tb/support/record/row_json.h"
#include "tb/support/record/table_schema.h"

namespace weir::test {

using namespace tb;

namespace {

enum class fruit : std::uint8_t { apple, pear, count };
constexpr auto names_of(fruit) {
    return enum_names<fruit>({{fruit::apple, "apple"}, {fruit::pear, "pear"}});
}

struct part_columns {
    std::uint16_t port = 0;
    picoseconds took{0};

    template <class Columns>
    static void describe(Columns& columns) {
        using self = typename Columns::row;
        columns(column("port", &self::port, "Port."));
        columns(column("took_ns", &self::took, "Time."));
    }
};

struct slice_columns {
    std::uint32_t slice = 0;

    template <class Columns>
    static void describe(Columns& columns) {
        columns(column("slice", &Columns::row::slice, "Slice."));
    }
};

struct crate_row {
    std::string_view node{};
    fruit kind{};
    std::optional<double> share{};
    optional_column<bytes> size{};
    counts_by<fruit> lost{};
    bool binds = false;
    formatted<part_columns> shared{};
    double exact = 0;
    slice_columns own{};

    static constexpr table_facts table{"crates.csv", "A line for each crate.", "`output.crates`"};
    template <class Columns>
    static void describe(Columns& columns) {
        using self = typename Columns::row;
        columns(column("node", &self::node, "Name.").pattern("[a-z,\"]+"));
        columns(column("kind", &self::kind, "Kind."));
        columns(column("full_percent", &self::share, "Share.").decimals(2).absent("it is closed"));
        columns(column("size_bytes", &self::size, "Size.").only_with("output.size").absent("it is open"));
        columns(column("_frames", &self::lost, "Losses.").absent("nothing was counted"));
        columns(column("binds", &self::binds, "Whether it binds.").words("1", "0"));
        columns(shared_columns(&self::shared));
        columns(column("factor", &self::exact, "Factor.").unit("1"));
        columns.part(&self::own);
    }
};

struct share_row {
    double share = 2.0 / 3;
    std::optional<std::uint64_t> late{};
    template <class Columns>
    static void describe(Columns& columns) {
        using self = typename Columns::row;
        columns(column("share_percent", &self::share, "Share.").decimals(4));
        columns(column("late_segments", &self::late, "Late.").absent("none was late"));
    }
};

const std::vector<fruit> all{fruit::apple, fruit::pear};
const std::vector<fruit> pears{fruit::pear};

std::string line_of(const crate_row& row) {
    kept_lines lines;
    put_line(lines, row);
    return std::string(lines.text());
}

std::string blocks(std::string text) {
    text.resize(text.size() + csv_name::block);
    return text;
}

TEST(record_table, has_a_column_for_each_description) {
    crate_row row;
    row.lost.kinds = &all;
    EXPECT_EQ(header_of(row),
              "node,kind,full_percent,apple_frames,pear_frames,binds,port,took_ns,factor,slice\n");
    row.size.is_there = true;
    row.lost.kinds = &pears;
    EXPECT_EQ(header_of(row),
              "node,kind,full_percent,size_bytes,pear_frames,binds,port,took_ns,factor,slice\n");
}

TEST(record_table, writes_the_cells_of_each_type) {
    const std::string shared = blocks("7,2.5");
    const std::uint64_t counts[] = {3, 18446744073709551615U};
    crate_row row{"tor0", fruit::pear, 12.345678, {true, 1500_B}, {&all, counts}, true, {{shared.data(), 5}},
                  0.1,    {4}};
    EXPECT_EQ(line_of(row), "tor0,pear,12.35,1500,3,18446744073709551615,1,7,2.5,0.1,4\n");
    row = {"a,\"b\"", fruit::apple, {}, {true, {}}, {&pears, nullptr}, false, {{shared.data(), 5}}, 1e300, {0}};
    EXPECT_EQ(line_of(row), "\"a,\"\"b\"\"\",apple,,,,0,7,2.5,1e+300,0\n");
    row.size.is_there = false;
    EXPECT_EQ(line_of(row), "\"a,\"\"b\"\"\",apple,,,0,7,2.5,1e+300,0\n");
}

/// Gives a line exactly the room that it asks for.
struct exact_room {
    std::vector<char> text;
    std::size_t used = 0;

    char* room(std::size_t most) {
        text.resize(most);
        return text.data();
    }
    void written(const char* end) { used = static_cast<std::size_t>(end - text.data()); }
};

struct extreme_row {
    std::uint64_t count = UINT64_MAX;
    picoseconds time = never;
    double real = -std::numeric_limits<double>::max();
    double shortest = -5e-324;
    std::string_view text = "\"\"\"\"";
    bool flag = false;
    fruit kind = fruit::pear;

    template <class Columns>
    static void describe(Columns& columns) {
        using self = typename Columns::row;
        columns(column("count", &self::count, "Count."));
        columns(column("time_ns", &self::time, "Time."));
        columns(column("real", &self::real, "Real.").decimals(9));
        columns(column("shortest", &self::shortest, "Shortest."));
        columns(column("text", &self::text, "Text."));
        columns(
            column("flag", &self::flag, "Flag.").words("short", "a word that is longer than the other one"));
        columns(column("kind", &self::kind, "Kind."));
    }
};

TEST(record_table, a_line_fits_into_the_room_that_it_asks_for) {
    exact_room sink;
    put_line(sink, extreme_row{});
    EXPECT_LE(sink.used, sink.text.size());
    EXPECT_EQ(std::string(sink.text.data(), 21), "18446744073709551615,");
    const std::string end = "\"\"\"\"\"\"\"\"\"\",a word that is longer than the other one,pear\n";
    EXPECT_EQ(std::string(sink.text.data(), sink.used).substr(sink.used - end.size()), end);
}

TEST(record_table, is_a_file_with_header_and_lines) {
    const scratch_directory scratch;
    record_table<part_columns> table(output_file(scratch / "parts.csv"));
    table.write({1, 5000_ps});
    table.write({2, 5001_ps});
    table.finish();
    EXPECT_EQ(contents(scratch / "parts.csv"), "port,took_ns\n1,5\n2,5.001\n");
}

TEST(record_table, a_row_as_json_rounds_as_the_table_does) {
    EXPECT_EQ(json_of(share_row{}).dump(), R"({"share_percent":0.6667,"late_segments":null})");
    EXPECT_EQ(json_of(share_row{1.0, 4}, "_segments").dump(), R"({"share_percent":1.0,"late":4})");
}

TEST(table_schema, says_what_the_rows_describe) {
    const nlohmann::ordered_json expected = nlohmann::ordered_json::parse(R"({
      "name": "crates", "file": "crates.csv", "description": "A line for each crate.", "written": "output.crates",
      "missingValues": [""],
      "fields": [
        {"name": "node", "type": "string", "identifies": "node", "description": "Name.",
         "constraints": {"required": true, "pattern": "[a-z,\"]+"}},
        {"name": "kind", "type": "string", "description": "Kind.",
         "constraints": {"required": true, "enum": ["apple", "pear"]}},
        {"name": "full_percent", "type": "number", "unit": "percent", "description": "Share.", "empty": "it is closed"},
        {"name": "size_bytes", "type": "integer", "unit": "B", "description": "Size.", "only_with": "output.size",
         "empty": "it is open"},
        {"name_pattern": "(apple|pear)_frames", "type": "integer", "unit": "frames", "description": "Losses.",
         "empty": "nothing was counted"},
        {"name": "binds", "type": "boolean", "description": "Whether it binds.", "trueValues": ["1"],
         "falseValues": ["0"], "constraints": {"required": true}},
        {"name": "port", "type": "integer", "identifies": "port", "description": "Port.",
         "constraints": {"required": true}},
        {"name": "took_ns", "type": "number", "unit": "ns", "description": "Time.", "constraints": {"required": true}},
        {"name": "factor", "type": "number", "unit": "1", "description": "Factor.", "constraints": {"required": true}},
        {"name": "slice", "type": "integer", "identifies": "slice", "description": "Slice.",
         "constraints": {"required": true}}
      ]})");
    EXPECT_EQ(table_schema<crate_row>().dump(1), expected.dump(1));
}

struct silent_row {
    std::optional<std::uint64_t> late{};

    static constexpr table_facts table{"silent.csv", "A line."};
    template <class Columns>
    static void describe(Columns& columns) {
        columns(column("late_segments", &Columns::row::late, "Late."));
    }
};

TEST(table_schema, an_optional_cell_says_when_it_is_empty) {
    EXPECT_THROW(table_schema<silent_row>(), std::logic_error);
}

/// The Python package works from a checkout without a build, so its schemas are committed.
TEST(table_schema, the_python_package_has_the_schemas_that_rows_and_metrics_describe) {
    const std::filesystem::path kept = std::filesystem::path(WEIR_GOLDEN_DIR) / "../../tb/python/weir/schema";
    const std::pair<const char*, std::string> files[] = {{"run_tables.json", run_table_schemas()},
                                                         {"sweep_tables.json", sweep_table_schemas()},
                                                         {"summary.schema.json", summary_schema_text()}};
    for (const auto& [name, text] : files) {
        if (contents(kept / name) != text) {
            std::ofstream(name) << text;
            ADD_FAILURE() << "the program describes other results; copy " << std::filesystem::absolute(name)
                          << " to " << kept / name;
        }
    }
}

}  // namespace
}  // namespace weir::test
