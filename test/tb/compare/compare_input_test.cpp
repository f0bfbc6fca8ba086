// Bad input of `weir compare`: what is wrong and where, what is allowed, exit status 2, no report.
#include "compare_rig.h"

namespace weir::test {

using namespace tb;
namespace {

class compare_input : public compare_rig {
 protected:
    const std::string m_good = "cycle,signal,value\n1,s,2\n";
};

TEST_F(compare_input, options_are_checked_all_at_once) {
    expect_refusal(
        compare_texts(m_good, m_good,
                      {"--tolerance-cycles=x", "--align=last", "--key=a,,b", "--time=cycle,slot",
                       "--only=signal", "--list=1", "--list=2", "--speed=3"}),
        {"command line: --speed: unknown option; expected --tolerance-cycles",
         "--tolerance-cycles: 'x' is not a whole number", "--align: 'last' is unknown; expected none",
         "--key: 'a,,b' has an empty name", "--time: names more than one column",
         "--only: 'signal' is not a condition", "--list: is given more than once"});
    expect_refusal(compare_texts(m_good, m_good, {"third.csv"}), {"third.csv: one event file too many"});
}

TEST_F(compare_input, two_files_are_needed) {
    std::ostringstream out;
    std::ostringstream err;
    EXPECT_EQ(compare_command({}, out, err), 2);
    EXPECT_NE(err.str().find("no event file given; expected at least 2"), std::string::npos) << err.str();
    EXPECT_EQ(compare_command({"e.csv"}, out, err), 2);
    EXPECT_NE(err.str().find("1 event file given; expected at least 2"), std::string::npos) << err.str();
    EXPECT_EQ(compare_command({"--help"}, out, err), 0);
    EXPECT_NE(out.str().find("--duration-tolerance-cycles"), std::string::npos);
}

TEST_F(compare_input, files_are_checked_with_their_lines) {
    expect_refusal(compare(path("none.csv"), write("a.csv", m_good)), {"none.csv: cannot be read"});
    expect_refusal(compare_texts(m_good, ""), {"a.csv: is empty"});
    expect_refusal(
        compare_texts(m_good, "0,0,1,1000\n10,2,3,5000\n"),
        {"a.csv:1: line: '0,0,1,1000' has numbers only: the header is missing; expected the names of "
         "the columns\n"});
    expect_refusal(compare_texts(m_good, "cycle,signal,value\n1,s,2\n1,s"), {"a.csv:3: line: is incomplete"});
    expect_refusal(compare_texts(m_good, "cycle,signal,value\n1,s\n"),
                   {"a.csv:2: line: has 2 fields; expected 3"});
    expect_refusal(
        compare_texts(m_good, "cycle,signal,value\n-1,s,1\n1.5,s,1\n,s,1\n"),
        {"a.csv:2: cycle: '-1' is not a number of cycles", "a.csv:3: cycle: '1.5'", "a.csv:4: cycle: ''"});
    expect_refusal(compare_texts(m_good, "cycle,signal,value,cycle(ns)\n1,s,1,1\n"),
                   {"a.csv:1: cycle: is in the header twice"});
}

TEST_F(compare_input, a_column_of_one_file_only_is_no_silent_success) {
    expect_refusal(compare_texts("cycle,signal,value,note\n1,s,2,x\n", m_good),
                   {"a.csv:1: note: is missing, but '" + path("e.csv") + "' has it", "or --ignore note"});
    expect_refusal(compare_texts(m_good, "cycle,signal,value,note\n1,s,2,x\n"), {"e.csv:1: note: is missing"});
    EXPECT_EQ(compare_texts(m_good, "cycle,signal,value,note\n1,s,2,x\n", {"--ignore=note"}), 0);
}

TEST_F(compare_input, roles_and_filters_name_columns_that_exist) {
    expect_refusal(
        compare_texts(m_good, m_good,
                      {"--key=signal,port", "--time=at", "--ends=cycle", "--durations=value", "--ignore=value",
                       "--state=cycle", "--only=port=3"}),
        {"--key: 'port' is not a column; expected cycle,signal,value", "--time: 'at' is not a column",
         "--durations: 'value' is given twice; expected one role per column", "--state: 'cycle' is not a value",
         "--ends: needs an event time as reference", "e.csv: --only port: is not a column"});
    expect_refusal(compare_texts(m_good, m_good, {"--only=signal=t"}),
                   {"e.csv: --only signal: no event has 't'", "a.csv: --only signal: no event has 't'"});
}

TEST_F(compare_input, a_waivers_file_must_not_waive_more_than_it_says) {
    const auto with = [&](const std::string& text) {
        return compare_texts(m_good, m_good, {"--waivers", write("w.csv", text)});
    };
    expect_refusal(with("signl,cycle,detail\ns,1,x\n"),
                   {"w.csv:1: signl: is not a column of the events; expected cycle,signal,value, error"});
    expect_refusal(with("kind,detail\na,b\n"), {"w.csv:1: header: has no column of the events"});
    expect_refusal(
        with("signal,cycle,detail\ns,1,x\n*,*,all of it\n"),
        {"w.csv:3: signal: the line would waive every mismatch; expected a text in at least one column"});
    expect_refusal(with("signal,error\ns,wrong\n"), {"w.csv:2: error: 'wrong' is unknown; expected missing"});
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
