// Bad input of `weir compare`: what is wrong and where, what is allowed, exit status 2, no report.
#include "compare_rig.h"
#include "support/errors_said.h"

namespace weir::test {

using namespace tb;
namespace {

class compare_input : public compare_rig {
 protected:
    const std::string m_good = "cycle,signal,value\n1,s,2\n";
};

TEST_F(compare_input, options_are_checked_all_at_once) {
    expect_refusal(compare_texts(m_good, m_good,
                                 {"--tolerance-cycles=x", "--align=last", "--key=a,,b", "--time=cycle,slot",
                                  "--only=signal", "--list=1", "--list=2", "--speed=3"}),
                   {"command line: --speed: --tolerance-cycles", "--tolerance-cycles: x, whole number",
                    "--align: last, none", "--key: a,,b, empty", "--time: names more than one column",
                    "--only: signal", "--list: is given more than once"});
    expect_refusal(compare_texts(m_good, m_good, {"third.csv"}), {"third.csv: one event file too many"});
}

TEST_F(compare_input, two_files_are_needed) {
    std::ostringstream out;
    std::ostringstream err;
    EXPECT_EQ(compare_command({}, out, err), 2);
    EXPECT_TRUE(has_error(err.str(), "no event file, at least 2"));
    EXPECT_EQ(compare_command({"e.csv"}, out, err), 2);
    EXPECT_TRUE(has_error(err.str(), "1 event file, at least 2"));
    EXPECT_EQ(compare_command({"--help"}, out, err), 0);
    EXPECT_NE(out.str().find("--duration-tolerance-cycles"), std::string::npos);
}

TEST_F(compare_input, files_are_checked_with_their_lines) {
    expect_refusal(compare(path("none.csv"), write("a.csv", m_good)), {"none.csv: cannot be read"});
    expect_refusal(compare_texts(m_good, ""), {"a.csv: empty"});
    expect_refusal(compare_texts(m_good, "0,0,1,1000\n10,2,3,5000\n"),
                   {"a.csv:1: line: 0,0,1,1000, header, missing"});
    expect_refusal(compare_texts(m_good, "cycle,signal,value\n1,s,2\n1,s"), {"a.csv:3: line: incomplete"});
    expect_refusal(compare_texts(m_good, "cycle,signal,value\n1,s\n"), {"a.csv:2: line: 2 fields, 3"});
    expect_refusal(compare_texts(m_good, "cycle,signal,value\n-1,s,1\n1.5,s,1\n,s,1\n"),
                   {"a.csv:2: cycle: -1", "a.csv:3: cycle: '1.5'", "a.csv:4: cycle: ''"});
    expect_refusal(compare_texts(m_good, "cycle,signal,value,cycle(ns)\n1,s,1,1\n"), {"a.csv:1: cycle: twice"});
}

TEST_F(compare_input, a_column_of_one_file_only_is_no_silent_success) {
    expect_refusal(compare_texts("cycle,signal,value,note\n1,s,2,x\n", m_good),
                   {"a.csv:1: note: " + path("e.csv") + ", missing", "or --ignore note"});
    expect_refusal(compare_texts(m_good, "cycle,signal,value,note\n1,s,2,x\n"), {"e.csv:1: note: missing"});
    EXPECT_EQ(compare_texts(m_good, "cycle,signal,value,note\n1,s,2,x\n", {"--ignore=note"}), 0);
}

TEST_F(compare_input, roles_and_filters_name_columns_that_exist) {
    expect_refusal(
        compare_texts(m_good, m_good,
                      {"--key=signal,port", "--time=at", "--ends=cycle", "--durations=value", "--ignore=value",
                       "--state=cycle", "--only=port=3"}),
        {"--key: port, cycle,signal,value", "--time: at", "--durations: value, twice", "--state: cycle",
         "--ends: needs an event time as reference", "e.csv: --only port: is not a column"});
    expect_refusal(compare_texts(m_good, m_good, {"--only=signal=t"}),
                   {"e.csv: --only signal: no event has 't'", "a.csv: --only signal: no event has 't'"});
}

TEST_F(compare_input, a_waivers_file_must_not_waive_more_than_it_says) {
    const auto with = [&](const std::string& text) {
        return compare_texts(m_good, m_good, {"--waivers", write("w.csv", text)});
    };
    expect_refusal(with("signl,cycle,detail\ns,1,x\n"), {"w.csv:1: signl: cycle,signal,value, error"});
    expect_refusal(with("kind,detail\na,b\n"), {"w.csv:1: header: has no column of the events"});
    expect_refusal(with("signal,cycle,detail\ns,1,x\n*,*,all of it\n"), {"w.csv:3: signal: every mismatch"});
    expect_refusal(with("signal,error\ns,wrong\n"), {"w.csv:2: error: wrong, missing"});
    expect_refusal(compare_texts(m_good, m_good, {"--waivers", path("none.csv")}),
                   {"none.csv: cannot be read"});
}

TEST_F(compare_input, the_page_names_every_option) {
    std::ostringstream out;
    std::ostringstream err;
    EXPECT_EQ(compare_command({"--help"}, out, err), 0);
    const std::string page = contents(std::string(WEIR_GOLDEN_DIR) + "/../../docs/compare.md");
    std::istringstream words(out.str());
    for (std::string word; words >> word;) {
        if (word.rfind("--", 0) == 0) {
            EXPECT_NE(page.find("`" + word), std::string::npos) << "docs/compare.md says nothing of " << word;
        }
    }
}

}  // namespace
}  // namespace weir::test
