#include "tb/study/reproduce/paper_results.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

namespace weir::tb {
namespace {

namespace fs = std::filesystem;

class results_index_of : public testing::Test {
 protected:
    void SetUp() override { fs::create_directories(m_directory); }
    void TearDown() override { fs::remove_all(m_directory); }
    void write(const std::string& text) const { std::ofstream(m_directory / "results.json") << text; }

    const fs::path m_directory = fs::temp_directory_path() / ("weir_index_" + std::to_string(::getpid()));
};

TEST_F(results_index_of, papers_has_a_row_for_each_statement) {
    write(R"({"paper": "toy", "quick": false, "statements": [
      {"where": "Fig. 1", "says": "a | a", "unit": "ms", "paper": 85, "ours": 49.123456, "verdict": "differs"},
      {"where": "Fig. 2", "says": "b", "column": "ingress", "unit": "%", "paper": [7, 65], "ours": [13.7, 76.7], "verdict": "agrees"},
      {"where": "Fig. 3", "says": "c", "unit": "%", "paper": [40, null], "ours": 72, "verdict": "agrees"},
      {"where": "text", "says": "d", "unit": "", "paper": "x < y", "ours": null, "verdict": "not judged"}]})");
    config_errors errors;
    const std::string name = m_directory.filename().string();
    const std::string index = results_index({m_directory}, errors);
    EXPECT_TRUE(errors.empty());
    EXPECT_NE(index.find("agrees: 2, differs: 1, not judged: 1."), std::string::npos) << index;
    EXPECT_NE(index.find("|---|---|---|---|---|---|\n"
                         "| [toy](" +
                         name +
                         "/results.md) | Fig. 1 | a \\| a | 85 ms | 49.1 ms | differs |\n"
                         "| [toy](" +
                         name +
                         "/results.md) | Fig. 2 | b (ingress) | 7..65% | 13.7..76.7% | agrees |\n"
                         "| [toy](" +
                         name +
                         "/results.md) | Fig. 3 | c | >40% | 72% | agrees |\n"
                         "| [toy](" +
                         name + "/results.md) | text | d | x < y | - | not judged |\n"),
              std::string::npos)
        << index;
}

TEST_F(results_index_of, intervals_may_have_one_end) {
    write(R"({"paper": "toy", "quick": false, "statements": [
      {"where": "a", "says": "a", "unit": "%", "paper": 1, "ours": 2, "verdict": "agrees", "low": null, "high": 76.7},
      {"where": "b", "says": "b", "unit": "%", "paper": 1, "ours": 2, "verdict": "agrees", "low": 13.7, "high": null},
      {"where": "c", "says": "c", "unit": "%", "paper": 1, "ours": 2, "verdict": "agrees"}]})");
    config_errors errors;
    std::vector<std::string> intervals;
    for (const std::vector<std::string>& line : read_statements(m_directory, errors).lines) {
        intervals.push_back(line[5]);
    }
    EXPECT_EQ(intervals, (std::vector<std::string>{"<76.7%", ">13.7%", "-"}));
}

TEST_F(results_index_of, something_else_says_what_is_wrong) {
    config_errors errors;
    results_index({m_directory / "nowhere"}, errors);
    write(R"({"paper": "toy", "quick": false, "statements": [{"where": "Fig. 1"}]})");
    results_index({m_directory}, errors);
    ASSERT_GE(errors.size(), 2U);
    EXPECT_NE(errors[0].file.find("nowhere/results.json"), std::string::npos);
    EXPECT_EQ(errors[1].key, "statements[0].says");
}

}  // namespace
}  // namespace weir::tb
