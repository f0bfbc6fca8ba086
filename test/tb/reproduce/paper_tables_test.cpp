// The tables of a paper: what they say, and what is said of mistakes in them, each with file, line and column.
#include <gtest/gtest.h>

#include "support/errors_said.h"
#include "support/scratch_directory.h"
#include "tb/study/reproduce/paper.h"
#include "tb/study/statements/statement_cells.h"
#include "tb/support/process/error_text.h"

namespace weir::tb {
namespace {

using test::scratch_directory;
namespace fs = std::filesystem;

const char* const facts = "[paper]\ntitle = A paper\n";
const char* const experiment_head = "name,file,vary,quick\n";
const char* const experiment_row =
    "e,e.ini,\"traffic.rate=100,200,300 switch.scheme=fc,detail pfc.xoff,pfc.xon=(20KB,10KB),(40KB,20KB)\","
    "\"traffic.rate=100,200 traffic.stop=1ms\"\n";
const char* const statement_head =
    "figure,id,says,paper,kind,metric,experiment,at,of,against,take,tolerance,recorded,quick,source\n";
const char* const figure_head = "figure,title,draw,experiment,metric,at,x,curves,scale\n";

struct written_paper {
    std::string experiments = experiment_row;
    std::string statements =
        "1,a,says,,value,fct_ns.p99,e,traffic.rate=100 switch.scheme pfc.xoff=20KB,,,,,not stated,,\n";
    std::string statement_columns = statement_head;
    std::string figures;
    std::string ini = facts;

    paper read(std::vector<std::string>& errors) const {
        const scratch_directory where;
        fs::create_directory(where.path() / "paper");
        where.write("paper/paper.ini", ini);
        where.write("paper/experiments.csv", experiment_head + experiments);
        where.write("paper/statements.csv", statement_columns + statements);
        where.write("paper/figures.csv", figure_head + figures);
        config_errors found;
        const paper p = read_paper(where.path() / "paper", found);
        for (config_error error : found) {
            error.file = fs::path(error.file).filename().string();
            errors.push_back(format_error(error));
        }
        return p;
    }
    /// The first error; empty: there is none.
    std::string error() const {
        std::vector<std::string> errors;
        read(errors);
        return errors.empty() ? "" : errors.front();
    }
};

TEST(paper_tables, are_read) {
    written_paper text;
    text.statements =
        "8,a,\"says \"\"this\"\"\",20..25%,below,fct_ns.p99 jct_ns.p99,e,traffic.rate pfc.xoff=20KB,"
        "switch.scheme=detail,switch.scheme=fc,max,5,agrees in order,differs,TR 8\n";
    text.figures =
        "8,T,curves,e,fct_ns.p99,pfc.xoff=40KB,traffic.rate,switch.scheme=detail,log\n"
        "8,U,distribution,e,jct_ns,pfc.xoff=40KB traffic.rate=100,,switch.scheme,\n";
    std::vector<std::string> errors;
    const paper p = text.read(errors);
    ASSERT_TRUE(errors.empty()) << errors.front();
    EXPECT_EQ(p.facts.title, "A paper");
    EXPECT_EQ(p.facts.seeds, "5");
    ASSERT_EQ(p.experiments.size(), 1U);
    EXPECT_EQ(p.experiments[0].plan.axes.size(), 3U);
    ASSERT_EQ(p.experiments[0].quick.axes.size(), 4U);
    EXPECT_EQ(p.experiments[0].quick.axes[0].values.size(), 2U);
    EXPECT_EQ(p.experiments[0].quick.axes[3].keys, std::vector<std::string>{"traffic.stop"});
    ASSERT_EQ(p.statements.size(), 1U);
    const paper_statement& s = p.statements[0];
    EXPECT_EQ(s.says, "says \"this\"");
    EXPECT_EQ(s.kind, statement_kind::below);
    EXPECT_EQ(s.take, place_take::most);
    EXPECT_EQ(s.recorded, paper_verdict::in_order);
    EXPECT_EQ(s.quick, paper_verdict::differs);
    EXPECT_EQ(s.paper.low, 20);
    EXPECT_EQ(s.tolerance.accepted(s.paper.low, s.paper.high).high, 30);
    ASSERT_EQ(s.scopes.size(), 1U);
    EXPECT_EQ(s.scopes[0].operands.size(), 2U);
    ASSERT_EQ(p.figures.size(), 2U);
    EXPECT_EQ(p.figures[0].name, "figure_8");
    EXPECT_EQ(p.figures[1].name, "figure_8_2");
    EXPECT_TRUE(p.figures[1].is_distribution());
    EXPECT_EQ(p.figure_names(), std::vector<std::string>{"8"});
}

TEST(paper_tables, a_statement_about_several_figures_belongs_to_each) {
    written_paper text;
    text.statements =
        "10-12,a,says,,value,fct_ns.p99,e,*,,,,,,,\n"
        "11,b,says,,value,fct_ns.p99,e,*,,,,,,,\n"
        "13,c,says,,value,fct_ns.p99,e,*,,,,,,,\n"
        "slides all-to-all,d,says,,value,fct_ns.p99,e,*,,,,,,,\n";
    std::vector<std::string> errors;
    const paper p = text.read(errors);
    ASSERT_TRUE(errors.empty()) << errors.front();
    EXPECT_EQ(p.with_ranges({"11"}), (std::vector<std::string>{"11", "10-12"}));
    EXPECT_EQ(p.with_ranges({"13"}), std::vector<std::string>{"13"});
    EXPECT_EQ(p.with_ranges({"slides all-to-all"}), std::vector<std::string>{"slides all-to-all"});
    EXPECT_EQ(p.with_ranges({}), std::vector<std::string>{});
}

TEST(paper_tables, any_stands_before_what_is_taken_at_each_place_of_an_option) {
    for (const auto& [take, place] : {std::pair{"any", place_take::all}, {"any max", place_take::most}}) {
        written_paper text;
        text.statements = std::string("1,a,s,,value,fct_ns.p99,e,traffic.rate=100 pfc.xoff switch.scheme,,,") +
                          take + ",,not stated,,\n";
        std::vector<std::string> errors;
        const paper p = text.read(errors);
        ASSERT_TRUE(errors.empty()) << errors.front();
        EXPECT_EQ(p.statements[0].any, 1U) << "of the first option that moves";
        EXPECT_EQ(p.statements[0].take, place);
    }
    written_paper text;
    text.statements =
        "1,a,s,,value,fct_ns.p99,e,switch.scheme traffic.rate pfc.xoff=20KB,,,any up to 3ms,,not stated,,\n";
    std::vector<std::string> errors;
    const paper p = text.read(errors);
    ASSERT_TRUE(errors.empty()) << errors.front();
    EXPECT_EQ(p.statements[0].any, 0U);
    EXPECT_EQ(p.statements[0].bound, 3e6);
    const std::string row = "1,a,s,,value,fct_ns.p99,e,traffic.rate=100 pfc.xoff=20KB switch.scheme=fc,,,";
    text.statements = row + "any,,not stated,,\n";
    EXPECT_TRUE(has_error(text.error(), "statements.csv:2: at: several values"));
    text.statements = row + "any more,,not stated,,\n";
    EXPECT_TRUE(errors_are(text.error(), {"statements.csv:2: take: any more, all, min, max, mean, ends, "
                                          "majority, change, spread, min run, max run"}));
}

TEST(paper_tables, effects_need_a_design) {
    const auto error = [](const std::string& rows, const std::string& figure) {
        written_paper text;
        text.experiments = "e,e.ini,\"pfc.xoff,pfc.xon,tcp.min_rto=" + rows + " switch.scheme=fc,detail\",\n";
        text.statements = "1,a,s,,value,fct_ns.p99,e,tcp.min_rto switch.scheme=fc,,,,,not stated,,\n";
        text.figures = "1,t,effects,e," + figure + "\n";
        return text.error();
    };
    const std::string good = "(20KB,10KB,1ms),(20KB,5KB,5ms),(30KB,10KB,5ms),(30KB,5KB,1ms)";
    EXPECT_EQ(error(good, "fct_ns.p99,,tcp.min_rto,switch.scheme,"), "");
    EXPECT_EQ(error(good, "fct_ns.p99 fct_ns.p50,switch.scheme=fc,pfc.xoff,,linear"), "");
    EXPECT_TRUE(has_error(error("(20KB,10KB,1ms),(20KB,5KB,1ms),(30KB,10KB,5ms),(30KB,5KB,5ms)",
                                "fct_ns.p99,,pfc.xon,switch.scheme,"),
                          "figures.csv:2: x: pfc.xoff, tcp.min_rto, together"));
    EXPECT_TRUE(has_error(error("(20KB,10KB,1ms),(20KB,5KB,5ms),(20KB,4KB,5ms),(30KB,5KB,1ms)",
                                "fct_ns.p99,,pfc.xon,switch.scheme,"),
                          "figures.csv:2: x: pfc.xoff, 20KB, 3, 30KB, 1"));
    for (const auto& [figure, message] :
         {std::pair{"fct_ns.p99,,,switch.scheme,", "x: '', one varied option"},
          {"fct_ns.p99,,pfc.xon,,", "at: leaves open switch.scheme"},
          {"fct_ns.p99,switch.scheme=fc tcp.min_rto=1ms,pfc.xon,,",
           "at: 'tcp.min_rto' is of the design in `x`"},
          {"fct_ns.p99,switch.scheme=fc,pfc.xon,pfc.xoff,", "curves: 'pfc.xoff' is of the design in `x`"},
          {"fct_ns.p99,,pfc.xon,switch.scheme,log", "scale: 'log' has no place for effects below 0"}}) {
        EXPECT_TRUE(has_error(error(good, figure), std::string("figures.csv:2: ") + message));
    }
}

struct number_text {
    const char* text;
    double low;
    double high;
    const char* unit;
    double scale;
};

TEST(paper_tables, numbers_of_papers_have_the_units_of_what_is_measured) {
    constexpr double none = HUGE_VAL;
    for (const number_text& each : {number_text{"85ms", 85, 85, "ms", 1e6},
                                    {"0.5us", 0.5, 0.5, "us", 1e3},
                                    {"7..65ms", 7, 65, "ms", 1e6},
                                    {">40ms", 40, none, "ms", 1e6},
                                    {"<3s", -none, 3, "s", 1e9}}) {
        const auto read = read_paper_range(each.text, statement_kind::value, "fct_ns.p99");
        ASSERT_TRUE(read) << read.error;
        EXPECT_EQ(read.value.low, each.low) << each.text;
        EXPECT_EQ(read.value.high, each.high) << each.text;
        EXPECT_EQ(read.value.unit, each.unit) << each.text;
        EXPECT_EQ(read.value.scale, each.scale) << each.text;
        EXPECT_TRUE(read.value.stated);
    }
    EXPECT_TRUE(read_paper_range("-5..10%", statement_kind::below, "fct_ns.p99"));
    EXPECT_TRUE(read_paper_range("1.5", statement_kind::ratio, "fct_ns.p99"));
    EXPECT_TRUE(read_paper_range("12", statement_kind::value, "frames.dropped"));
    EXPECT_FALSE(read_paper_range("", statement_kind::value, "fct_ns.p99").value.stated);
    for (const char* text :
         {"85", "ms", "7..", "9..7ms", "85 ms", "85%", ">", "1e3ms", "nan", "infms", "85msx"}) {
        EXPECT_FALSE(read_paper_range(text, statement_kind::value, "fct_ns.p99")) << text;
    }
    EXPECT_FALSE(read_paper_range("40ms", statement_kind::below, "fct_ns.p99"));
}

struct bad_table {
    const char* row;
    const char* message;
};

TEST(paper_tables, mistakes_in_statements_name_line_and_column) {
    const bad_table tables[] = {
        {",a,s,,value,fct_ns.p99,e,,,,,,differs,,", "statements.csv:2: figure: is empty"},
        {"1,a,s,40,value,fct_ns.p99,e,,,,,,differs,,", "statements.csv:2: paper: 40, N"},
        {"1,a,s,,mean,fct_ns.p99,e,,,,,,differs,,", "statements.csv:2: kind: mean, value, ratio"},
        {"1,a,s,,value,fct_ns.p98,e,,,,,,differs,,", "statements.csv:2: metric: 'fct_ns.p98' is not a number"},
        {"1,a,s,,value,,e,,,,,,differs,,", "statements.csv:2: metric: is empty"},
        {"1,a,s,,value,fct_ns.p99 goodput.bps,e,,,,,,differs,,",
         "statements.csv:2: metric: has metrics of several units"},
        {"1,a,s,,value,fct_ns.p99,f,,,,,,differs,,", "statements.csv:2: experiment: f, e"},
        {"1,a,s,,value,fct_ns.p99,e,traffic.rate=1,,,,,differs,,",
         "statements.csv:2: at: traffic.rate, 1, 100, 200, 300"},
        {"1,a,s,,value,fct_ns.p99,e,traffic.rate switch.scheme,pfc.xoff=20KB pfc.xon=20KB,,,,differs,,",
         "statements.csv:2: of: no point, at"},
        {"1,a,s,,value,fct_ns.p99,e,link.rate=1Gbps,,,,,differs,,",
         "statements.csv:2: at: link.rate, traffic.rate"},
        {"1,a,s,,value,fct_ns.p99,e,traffic.rate=,,,,,differs,,",
         "statements.csv:2: at: 'traffic.rate=' has no value"},
        {"1,a,s,,value,fct_ns.p99,e,traffic.rate traffic.rate,,,,,differs,,",
         "statements.csv:2: at: 'traffic.rate' is there twice"},
        {"1,a,s,,value,fct_ns.p99,e,traffic.rate pfc.xoff,,,,,differs,,",
         "statements.csv:2: of: switch.scheme, switch.scheme=VALUE"},
        {"1,a,s,,ratio,fct_ns.p99,e,traffic.rate pfc.xoff,switch.scheme=fc,,,,differs,,",
         "statements.csv:2: against: leaves open switch.scheme"},
        {"1,a,s,,ratio,fct_ns.p99,e,traffic.rate pfc.xoff,switch.scheme=fc,switch.scheme,,,differs,,",
         "statements.csv:2: against: 'switch.scheme' needs one value"},
        {"1,a,s,,order,fct_ns.p99,e,traffic.rate pfc.xoff,switch.scheme=fc,,,,differs,,",
         "statements.csv:2: of: one point, two, <"},
        {"1,a,s,,value,fct_ns.p99,e,traffic.rate pfc.xoff switch.scheme,,,least,,differs,,",
         "statements.csv:2: take: least, all, min, max"},
        {"1,a,s,,ratio,fct_ns.p99,e,traffic.rate pfc.xoff=20KB,switch.scheme=fc,switch.scheme=detail,up to "
         "10,,differs,,",
         "statements.csv:2: take: 10, N"},
        {"1,a,s,,ratio,fct_ns.p99,e,traffic.rate=100 pfc.xoff=20KB,switch.scheme=fc,switch.scheme=detail,up to "
         "10ms,,differs,,",
         "statements.csv:2: at: does not move along one quantity"},
        {"1,a,s,,value,fct_ns.p99,e,traffic.rate=100 pfc.xoff=20KB switch.scheme,,,up to 10ms,,differs,,",
         "statements.csv:2: at: does not move along one quantity"},
        {"1,a,s,,order,fct_ns.p99,e,traffic.rate pfc.xoff=20KB,switch.scheme=fc < switch.scheme=detail,,up to "
         "10ms,,differs,,",
         "statements.csv:2: take: 'up to 10ms' gives no order"},
        {"1,a,s,4ms,value,fct_ns.p99,e,traffic.rate pfc.xoff switch.scheme,,,,a lot,differs,,",
         "statements.csv:2: tolerance: 'a lot' is no tolerance"},
        {"1,a,s,,value,fct_ns.p99,e,traffic.rate pfc.xoff switch.scheme,,switch.scheme=fc,,,differs,,",
         "statements.csv:2: against: switch.scheme=fc, value, nothing"},
        {"1,a,s,4ms,order,fct_ns.p99,e,traffic.rate pfc.xoff,switch.scheme=fc < "
         "switch.scheme=detail,,,,differs,,",
         "statements.csv:2: paper: '4ms' means nothing for the kind order"},
        {"1,a,s,,order,fct_ns.p99,e,traffic.rate pfc.xoff,switch.scheme=fc < "
         "switch.scheme=detail,,min,,differs,,",
         "statements.csv:2: take: 'min' gives no order"},
        {"1,a,s,,ratio,fct_ns.p99,e,traffic.rate pfc.xoff,switch.scheme=fc,switch.scheme=fc,,,differs,,",
         "statements.csv:2: against: 'switch.scheme=fc' is what it is compared with"},
        {"1,a,s,,value,fct_ns.p99,e,traffic.rate pfc.xoff switch.scheme=fc,switch.scheme=detail,,,,differs,,",
         "statements.csv:2: of: 'switch.scheme' is chosen in `at` already"},
        {"1,a,s,,value,fct_ns.p99,e,\"traffic.rate=100,100 pfc.xoff switch.scheme=fc\",,,,,differs,,",
         "statements.csv:2: at: 'traffic.rate=100,100' has a value twice"},
        {"1,a,s,>40..50ms,value,fct_ns.p99,e,traffic.rate pfc.xoff switch.scheme=fc,,,,,differs,,",
         "statements.csv:2: paper: '>40..50ms' is not a number"},
        {"1,a,s,,value,fct_ns.p99,e,traffic.rate pfc.xoff switch.scheme,,,,,failed,,",
         "statements.csv:2: recorded: failed, agrees, agrees in order, differs, not stated"},
        {"1,a,s,,value,fct_ns.p99,e|e,traffic.rate pfc.xoff switch.scheme,,,,,differs,,",
         "statements.csv:2: recorded: differs, 1, 2, experiment"},
        {"1,a,s,,share,fct_ns.p99,e,traffic.rate pfc.xoff,switch.scheme=fc > switch.scheme=detail,,,,differs,,",
         "statements.csv:2: of: 'switch.scheme=fc > switch.scheme=detail' does not name three points"},
        {"1,a,s,4%,below,fct_ns.p99,e,traffic.rate "
         "pfc.xoff,switch.scheme=fc,switch.scheme=detail,,4%,differs,,",
         "statements.csv:2: tolerance: '4%' is no tolerance of the kind below"},
        {"1,a,s,4ms,value,fct_ns.p99,e,traffic.rate pfc.xoff switch.scheme,,,,30% of effect,differs,,",
         "statements.csv:2: tolerance: '30% of effect' is no tolerance of the kind value"},
        {"1,a,s,,ratio,fct_ns.p99,e,traffic.rate=100 "
         "pfc.xoff=20KB,switch.scheme=fc,switch.scheme=detail,change,,"
         "differs,,",
         "statements.csv:2: at: several values"},
        {"1,a,s,1%,difference,,,,b,c,,,differs,,", "statements.csv:2: of: 'b' is not the id of an earlier row"},
        {"1,a,s,,closed,,,,some,,,,differs,,", "statements.csv:2: of: 'some' is no number"},
        {"1,a,s,,value,fct_ns.p99,e,traffic.rate pfc.xoff switch.scheme,,,,,differs,failed,",
         "statements.csv:2: quick: 'failed' is not a verdict"},
        {"1,a,s,,value,fct_ns.p99,e,traffic.rate pfc.xoff switch.scheme,,,,,differs,,\n"
         "1,a,s,,value,fct_ns.p99,e,traffic.rate pfc.xoff switch.scheme,,,,,differs,,",
         "statements.csv:3: id: 'a' is there twice"},
    };
    for (const bad_table& each : tables) {
        written_paper text;
        text.statements = each.row + std::string("\n");
        EXPECT_TRUE(has_error(text.error(), each.message));
    }
    EXPECT_EQ(written_paper{}.error(), "");
    written_paper none;
    none.statements.clear();
    EXPECT_TRUE(errors_are(none.error(), {"statements.csv: no row, at least one"}));
}

TEST(paper_tables, mistakes_in_experiments_name_line_and_column) {
    const bad_table tables[] = {
        {",e.ini,,", "experiments.csv:2: name: empty"},
        {"e,,,", "experiments.csv:2: file: is empty"},
        {"e,e.ini,traffic.rate,", "experiments.csv:2: vary: traffic.rate, =, KEY=VALUE"},
        {"e,e.ini,traffic.raet=5,", "experiments.csv:2: vary: traffic.raet, traffic.rate"},
        {"e,e.ini,switch.scheme=x,", "experiments.csv:2: vary: switch.scheme: 'x'"},
        {"e,e.ini,traffic.rate=1 traffic.rate=2,", "experiments.csv:2: vary: 'traffic.rate' is there twice"},
        {"e,e.ini,run.threads=2,", "experiments.csv:2: vary: results do not depend on run.threads"},
        {"e,e.ini,\"pfc.xoff,pfc.xon=(20KB,10KB)\",pfc.xoff=20KB",
         "experiments.csv:2: quick: pfc.xoff, vary, pfc.xoff,pfc.xon"},
        {"e,e.ini,,\ne,e.ini,,", "experiments.csv:3: name: 'e' is there twice"},
    };
    for (const bad_table& each : tables) {
        written_paper text;
        text.experiments = each.row + std::string("\n");
        EXPECT_TRUE(has_error(text.error(), each.message));
    }
}

TEST(paper_tables, mistakes_in_figures_name_line_and_column) {
    const bad_table tables[] = {
        {",t,curves,e,fct_ns.p99,pfc.xoff=20KB,traffic.rate,switch.scheme,", "figures.csv:2: figure: is empty"},
        {"1,t,bars,e,fct_ns.p99,,,,", "figures.csv:2: draw: bars, curves, distribution, effects, run"},
        {"1,t,run,e,fct_ns.p99,,,,",
         "figures.csv:2: metric: 'fct_ns.p99' is no picture of weir plot; expected"},
        {"1,t,run,e,occupancy,pfc.xoff=20KB,traffic.rate,switch.scheme,",
         "figures.csv:2: x: traffic.rate, nothing"},
        {"1,t,run,e,occupancy,pfc.xoff=20KB,,switch.scheme,", "figures.csv:2: at: leaves open traffic.rate"},
        {"1,t,run,e,occupancy,pfc.xoff=20KB traffic.rate=100,,switch.scheme,log",
         "figures.csv:2: scale: a run, nothing"},
        {"1,t,curves,e,,,,,", "figures.csv:2: metric: '' cannot be drawn"},
        {"1,t,distribution,e,jct_ns.p99,,,,", "figures.csv:2: metric: jct_ns.p99, jct_ns"},
        {"1,t,curves,e,fct_ns.p99,pfc.xoff=20KB,,switch.scheme,", "figures.csv:2: x: '' is no horizontal axis"},
        {"1,t,distribution,e,jct_ns,pfc.xoff=20KB,traffic.rate,switch.scheme,",
         "figures.csv:2: x: traffic.rate, nothing"},
        {"1,t,curves,e,fct_ns.p99,,traffic.rate,switch.scheme,", "figures.csv:2: at: leaves open pfc.xoff"},
        {"1,t,curves,e,fct_ns.p99,pfc.xoff=20KB switch.scheme=fc,traffic.rate,pfc.xon=20KB,",
         "figures.csv:2: at: 'pfc.xoff' is already in --over"},
        {"1,t,curves,e,fct_ns.p99,pfc.xoff=20KB pfc.xon=20KB,traffic.rate,switch.scheme=fc,",
         "figures.csv:2: at: "},
        {"1,t,curves,e,fct_ns.p99,pfc.xoff=20KB,traffic.rate,switch.scheme=fq,",
         "figures.csv:2: curves: 'switch.scheme' never has the value 'fq'"},
        {"1,t,curves,e,fct_ns.p99,pfc.xoff=20KB,traffic.rate,switch.scheme,cubic",
         "figures.csv:2: scale: cubic, linear, log"},
    };
    for (const bad_table& each : tables) {
        written_paper text;
        text.figures = each.row + std::string("\n");
        EXPECT_TRUE(has_error(text.error(), each.message));
    }
}

TEST(paper_tables, a_column_that_a_table_does_not_have_is_refused) {
    for (const char* table : {"experiments", "statements", "figures"}) {
        const scratch_directory where;
        where.write("paper.ini", facts);
        const auto write = [&](const std::string& name, const std::string& head, const std::string& rows) {
            std::string first = head;
            first.pop_back();
            where.write(name + ".csv", first + (name == table ? ",colour\n" : "\n") +
                                           (name == table ? rows.substr(0, rows.size() - 1) + ",red\n" : rows));
        };
        const written_paper text;
        write("experiments", experiment_head, text.experiments);
        write("statements", statement_head, text.statements);
        write("figures", figure_head, "8,T,curves,e,fct_ns.p99,pfc.xoff=40KB,traffic.rate,switch.scheme,log\n");
        config_errors found;
        read_paper(where.path(), found);
        ASSERT_FALSE(found.empty()) << table;
        EXPECT_EQ(found[0].key, "colour");
        EXPECT_TRUE(has_error(found[0], "one of"));
    }
}

TEST(paper_tables, pictures_have_names_of_their_own) {
    written_paper text;
    const std::string row = ",T,curves,e,fct_ns.p99,pfc.xoff=40KB,traffic.rate,switch.scheme,log\n";
    text.figures = "1" + row + "1" + row + "1_2" + row;
    std::vector<std::string> errors;
    const paper p = text.read(errors);
    ASSERT_TRUE(errors.empty()) << errors.front();
    EXPECT_EQ(p.figures[0].name, "figure_1");
    EXPECT_EQ(p.figures[1].name, "figure_1_2");
    EXPECT_EQ(p.figures[2].name, "figure_1_2_2");
}

TEST(paper_tables, about_text_may_have_carriage_returns) {
    const scratch_directory where;
    where.write("about.md", "First.\r\n\r\n##  8 \r\nOf the figure.\r\n");
    config_errors errors;
    const about_text about = read_about(where.path(), {"8"}, errors);
    EXPECT_TRUE(errors.empty());
    EXPECT_EQ(about.introduction, "First.\n\n");
    EXPECT_EQ(about.figures.at("8"), "Of the figure.\n\n");
}

TEST(paper_tables, mistakes_in_paper_ini_name_line_and_key) {
    written_paper text;
    text.ini = "[paper]\ntitle = A\nseeds = many\n";
    EXPECT_TRUE(has_error(text.error(), "paper.ini:3: paper.seeds: many, seeds"));
    text.ini = "[paper]\nseeds = 2\n";
    EXPECT_TRUE(errors_are(text.error(), {"paper.ini: paper.title: empty"}));
    text.ini = "[paper]\ntitel = A\n";
    EXPECT_TRUE(has_error(text.error(), "paper.ini:2: paper.titel: paper.title"));
}

TEST(paper_tables, a_statement_is_about_all_places_of_at_and_operands_move_with_them) {
    std::vector<std::string> errors;
    written_paper text;
    text.statements =
        "1,a,s,,below,fct_ns.p99,e,\"traffic.rate=300,100 pfc.xoff=40KB\",switch.scheme=detail,"
        "switch.scheme=fc,,,not stated,,\n";
    const paper p = text.read(errors);
    ASSERT_TRUE(errors.empty()) << errors.front();
    sweep_plan plan;
    plan.axes = p.experiments[0].plan.axes;
    // rate x scheme x thresholds, the last moves first: 100/fc/20KB is 0, 300/detail/40KB is 11.
    const auto places = places_of(p.statements[0].scopes[0], plan);
    ASSERT_EQ(places.size(), 2U);
    EXPECT_EQ(places[0].points, (std::vector<std::vector<std::size_t>>{{11}, {9}}));
    EXPECT_EQ(places[0].name, "traffic.rate=300");
    EXPECT_EQ(places[1].points, (std::vector<std::vector<std::size_t>>{{3}, {1}}));
    // The quick sweep lacks 300, and the rest is judged.
    plan.axes = p.experiments[0].quick.axes;
    ASSERT_EQ(places_of(p.statements[0].scopes[0], plan).size(), 1U);
    EXPECT_TRUE(places_of(p.statements[0].scopes[0], plan, true).empty()) << "a change needs both ends";
    EXPECT_EQ(places_of(p.statements[0].scopes[0], plan)[0].points,
              (std::vector<std::vector<std::size_t>>{{3}, {1}}));
}

TEST(paper_tables, means_over_an_option_are_taken_before_points_are_compared) {
    std::vector<std::string> errors;
    written_paper text;
    text.statements =
        "1,a,s,,below,fct_ns.p99/fct_ns.p50,e,mean(traffic.rate) *,switch.scheme=detail,switch.scheme=fc,,,not "
        "stated,,\n";
    const paper p = text.read(errors);
    ASSERT_TRUE(errors.empty()) << errors.front();
    sweep_plan plan;
    plan.axes = p.experiments[0].plan.axes;
    // Thresholds tell places apart; each operand has the three rates.
    const auto places = places_of(p.statements[0].scopes[0], plan);
    ASSERT_EQ(places.size(), 2U);
    EXPECT_EQ(places[1].name, "pfc.xoff=40KB");
    EXPECT_EQ(places[1].points, (std::vector<std::vector<std::size_t>>{{3, 7, 11}, {1, 5, 9}}));
    EXPECT_EQ(metrics_of(p.statements[0]),
              (std::vector<std::string>{"fct_ns.p99", "fct_ns.count", "fct_ns.unfinished", "fct_ns.p50",
                                        "fct_ns.count", "fct_ns.unfinished"}));
}

TEST(paper_tables, a_row_may_have_columns_and_a_row_may_compare_rows) {
    std::vector<std::string> errors;
    written_paper text;
    text.statements =
        "1,a,s,,below,fct_ns.p99,e|e,traffic.rate pfc.xoff,switch.scheme=detail,switch.scheme=fc,mean,,"
        "agrees|differs,,\n"
        "1,b,s,,ratio,fct_ns.p99,e e,traffic.rate pfc.xoff,switch.scheme=detail,switch.scheme=fc,mean,,,,\n"
        "1,c,s,>0,difference,,,,b,b + b,,,,,\n"
        "1,d,s,6,closed,,,,6,,,,,,\n";
    const paper p = text.read(errors);
    ASSERT_TRUE(errors.empty()) << errors.front();
    ASSERT_EQ(p.statements.size(), 5U);
    EXPECT_EQ(p.statements[0].column, "e");
    EXPECT_EQ(p.statements[0].recorded, paper_verdict::agrees);
    EXPECT_EQ(p.statements[1].recorded, paper_verdict::differs);
    EXPECT_EQ(p.statements[2].scopes.size(), 2U);
    EXPECT_FALSE(p.statements[2].is_recorded);
    EXPECT_EQ(p.statements[3].rows, (std::vector<std::string>{"b", "b", "b"}));
    EXPECT_EQ(p.statements[4].closed, 6);
    // A row with two columns has no number of its own.
    text.statements += "1,e,s,>0%,difference,,,,a,b,,,,,\n";
    EXPECT_TRUE(has_error(text.error(), "statements.csv:6: of: a, earlier"));
}

TEST(paper_tables, an_order_has_no_mean_over_seeds) {
    written_paper text;
    text.statements =
        "1,a,s,,order,fct_ns.p99,e,mean(seeds) traffic.rate pfc.xoff,switch.scheme=detail < "
        "switch.scheme=fc,,,,,,\n";
    EXPECT_TRUE(has_error(text.error(), "statements.csv:2: at: mean(seeds), no effect"));
}

TEST(paper_tables, a_tolerance_of_the_effect_is_taken_of_its_logarithm) {
    const auto accepted = [](const char* number, statement_kind kind) {
        const paper_range paper = read_paper_range(number, kind, "fct_ns.p99").value;
        return read_tolerance("30% of effect", kind).value.accepted(paper.low, paper.high);
    };
    // 7 % below: -ln 0.93 times 0.7 and 1.3.
    accepted_range r = accepted("7%", statement_kind::below);
    EXPECT_NEAR(r.low, 100 * (1 - std::exp(0.7 * std::log(0.93))), 1e-9);
    EXPECT_NEAR(r.high, 100 * (1 - std::exp(1.3 * std::log(0.93))), 1e-9);
    // A loss: 5.4 % above.
    r = accepted("-5.4%", statement_kind::below);
    EXPECT_NEAR(r.low, 100 * (1 - std::exp(1.3 * std::log(1.054))), 1e-9);
    EXPECT_NEAR(r.high, 100 * (1 - std::exp(0.7 * std::log(1.054))), 1e-9);
    // A ratio and its inverse.
    r = accepted("2", statement_kind::ratio);
    const accepted_range inverse = accepted("0.5", statement_kind::ratio);
    EXPECT_NEAR(r.low, 1 / inverse.high, 1e-12);
    EXPECT_NEAR(r.high, 1 / inverse.low, 1e-12);
    r = accepted("20ms", statement_kind::difference);
    EXPECT_DOUBLE_EQ(r.low, 14);
    EXPECT_DOUBLE_EQ(r.high, 26);
}

TEST(paper_tables, a_cause_is_a_word_and_the_experiment_that_shows_it) {
    for (const auto& [cause, error] :
         {std::pair{"parameter: e", ""},
          {"unknown: untested", ""},
          {"parameter: paper/e", ""},
          {"model: paper/f", "statements.csv:2: cause: 'model: paper/f' is no cause"},
          {"model: other/e", "statements.csv:2: cause: 'model: other/e' is no cause"},
          {"parameter", "statements.csv:2: cause: 'parameter' is no cause"},
          {"chance: e", "statements.csv:2: cause: 'chance: e' is no cause"},
          {"model: f", "statements.csv:2: cause: 'model: f' is no cause"}}) {
        std::vector<std::string> errors;
        written_paper text;
        text.statement_columns =
            "figure,id,says,paper,kind,metric,experiment,at,of,against,take,tolerance,"
            "recorded,quick,cause,source\n";
        text.statements = std::string("1,a,s,,value,fct_ns.p99,e,*,,,,,differs,,") + cause + ",\n";
        text.read(errors);
        EXPECT_EQ(errors.empty() ? "" : errors.front().substr(0, std::string(error).size()), error);
    }
}

TEST(paper_tables, a_bound_is_reached_on_the_line_between_two_places) {
    const std::vector<double> x{100, 200, 400};
    EXPECT_EQ(reach_of(x, {1, 2, 6}, 3)->x, 250);
    EXPECT_EQ(reach_of(x, {1, 2, 6}, 2)->x, 200);
    EXPECT_EQ(reach_of(x, {1, 2, 6}, 6)->x, 400);
    EXPECT_EQ(reach_of(x, {1, 2, 6}, 6)->beyond, censoring::above);
    EXPECT_EQ(reach_of(x, {1, 2, 6}, 0.5)->x, 100);
    EXPECT_EQ(reach_of(x, {1, 2, 6}, 0.5)->beyond, censoring::below);
    EXPECT_EQ(reach_of(x, {1, 2, 6}, 3)->beyond, censoring::none);
    // The first time counts.
    EXPECT_EQ(reach_of(x, {1, 5, 1}, 3)->x, 150);
    EXPECT_FALSE(reach_of(x, {1, std::nullopt, 6}, 3));
}

}  // namespace
}  // namespace weir::tb
