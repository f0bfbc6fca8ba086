// Files that this program wrote and reads back, with every value in them replaced, and reads that fail:
// whatever it is, the file is named, and no library's exception comes out.
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>

#include "support/errors_said.h"
#include "tb/run/completions/completion_statistics.h"
#include "tb/run/fields/load_options.h"
#include "tb/run/results/run_verdict.h"
#include "tb/run/results/summary_writer.h"
#include "tb/run/summary/summary_reader.h"
#include "tb/study/campaign/campaign_directory.h"
#include "tb/study/points/sweep_plan.h"
#include "tb/study/sweep/metrics.h"
#include "tb/support/files/input_file.h"
#include "tb/support/files/json_file.h"
#include "tb/support/process/exit_status.h"
#include "tb/support/record/table_writers.h"
#include "tb/view/pictures/run_reader.h"
#include "tb/view/readers/pause_tree.h"
#include "tb/view/table/run_table.h"
#include "weir/model/topology/foreign_topology_files.h"
#include "weir/model/topology/topology_files.h"

namespace weir::tb {
namespace {

using nlohmann::ordered_json;
namespace fs = std::filesystem;

class damaged_files : public testing::Test {
 protected:
    damaged_files() {
        std::string name = (fs::temp_directory_path() / "weir_damaged_XXXXXX").string();
        m_root = mkdtemp(name.data());
    }
    ~damaged_files() override { fs::remove_all(m_root); }
    std::string write(const std::string& name, const std::string& text) const {
        fs::create_directories((m_root / name).parent_path());
        std::ofstream(m_root / name, std::ios::binary) << text;
        return (m_root / name).string();
    }

    /// Calls `read` with every value of the document replaced, taken out, and with its text cut; it returns
    /// what was wrong. Returns how often something was.
    template <class Read>
    std::size_t damage(const std::string& name, const ordered_json& whole, Read read) {
        std::size_t refused = 0;
        const auto look = [&](const std::string& text, const std::string& what) {
            write(name, text);
            try {
                const config_errors errors = read();
                for (const config_error& error : errors) {
                    EXPECT_EQ(error.file, (m_root / name).string()) << what << ": " << format_error(error);
                    EXPECT_NE(error.message.find("; expected "), std::string::npos)
                        << what << ": " << error.message;
                    EXPECT_EQ(error.message.find("json.exception"), std::string::npos) << error.message;
                }
                refused += errors.empty() ? 0 : 1;
            } catch (const std::exception& e) {
                ADD_FAILURE() << what << ": " << e.what();
            }
        };
        look(whole.dump(), "as it was");
        EXPECT_EQ(refused, 0U);
        const ordered_json flat = whole.flatten();
        for (const auto& [pointer, value] : flat.items()) {
            const ordered_json::json_pointer place(pointer);
            for (const ordered_json& other :
                 {ordered_json(nullptr), ordered_json(-1), ordered_json(1e300), ordered_json(1.5),
                  ordered_json("text"), ordered_json(true), ordered_json(UINT64_MAX), ordered_json::array({1}),
                  ordered_json{{"key", "value"}}}) {
                for (ordered_json::json_pointer p = place; !p.empty(); p.pop_back()) {
                    ordered_json changed = whole;
                    changed[p] = other;
                    look(changed.dump(), p.to_string() + " = " + other.dump());
                }
            }
            ordered_json changed = whole;
            ordered_json& above = changed[place.parent_pointer()];
            if (above.is_object()) {
                above.erase(place.back());
                look(changed.dump(), "without " + pointer);
            }
        }
        const std::string text = whole.dump(1);
        for (std::size_t cut = 0; cut < text.size(); cut += 7) {
            look(text.substr(0, cut), "cut at " + std::to_string(cut));
        }
        return refused;
    }

    fs::path m_root;
};

run_summary example() {
    run_summary s;
    s.complete = true;
    s.simulated = 10ms;
    s.pauses.tiers = {{"host", {1'500, 4}}};
    s.buffers = {{"ingress", 131'072, 5'000}};
    completion_statistics c;
    c.add_job({0, 2_KB, 7}, {100us});
    c.add_flow({0, 2_KB, 7}, {1us});
    s.fct = c.fct();
    s.jct = c.jct();
    s.groups = c.groups();
    s.tags = {"query"};
    return s;
}

TEST_F(damaged_files, a_summary_is_refused_by_its_key_or_does_no_harm) {
    const std::size_t refused = damage("r/summary.json", to_json(example()), [&] {
        config_errors errors;
        const measured_run run = read_measured_run(m_root / "r", read_files::all, errors);
        if (errors.empty()) {
            std::ostringstream out;
            write_text(out, run_table({run}, {"r"}, metric_filter{}));
            write_json(out, run_table({run}, {"r"}, metric_filter{}));
            for (const metric_value& each :
                 metrics_of(ordered_json::parse(std::ifstream(m_root / "r/summary.json")))) {
                static_cast<void>(each.value.is_number() ? metric_text(each.name, each.value.get<double>())
                                                         : "");
            }
        }
        return errors;
    });
    EXPECT_GT(refused, 500U);
}

TEST_F(damaged_files, a_sweeps_plan_is_refused_by_its_key_or_does_no_harm) {
    sweep_plan plan;
    plan.version = "0.1.0";
    plan.configuration = "a.ini";
    plan.seeds = {1, 2};
    plan.axes = {{{"traffic.rate"}, {{"1"}, {"2"}}}, {{"pfc.xoff", "pfc.xon"}, {{"1KB", "2KB"}}}};
    plan.options = {{"run.duration", {"1ms"}}, {"fabric.link", {}}};
    plan.inputs = {{"/t.csv", {10, "0123456789abcdef"}}};
    const std::size_t refused = damage("plan.json", to_json(plan), [&] {
        config_errors errors;
        static_cast<void>(read_plan(m_root, errors));
        return errors;
    });
    EXPECT_GT(refused, 100U);
}

TEST_F(damaged_files, a_tree_of_pauses_is_refused_by_its_key_or_does_no_harm) {
    const ordered_json tree = ordered_json::parse(R"({
        "paused_ns": 10.5, "unknown_ns": 1, "events_left_out": 0, "hops": [{"paused_ns": 3}],
        "roots": [{"queue": "tor0.tx1 class 0", "kind": "congested", "all_paused_ns": 9,
                   "pauses": [{"queue": "h1", "paused_ns": 4, "all_paused_ns": 4}]}]})");
    const std::size_t refused = damage("pause_tree.json", tree, [&] {
        config_errors errors;
        static_cast<void>(read_pause_tree(m_root.string(), errors));
        return errors;
    });
    EXPECT_GT(refused, 50U);
}

TEST_F(damaged_files, a_tree_of_pauses_that_is_nested_without_end_is_refused) {
    std::string text;
    for (int depth = 0; depth < 100'000; ++depth) {
        text += R"({"queue": "q", "kind": "k", "paused_ns": 1, "all_paused_ns": 1, "pauses": [)";
    }
    text += R"({"queue": "q", "paused_ns": 1, "all_paused_ns": 1})";
    for (int depth = 0; depth < 100'000; ++depth) {
        text += "]}";
    }
    write("pause_tree.json",
          R"({"paused_ns": 1, "unknown_ns": 1, "events_left_out": 0, "hops": [], "roots": [)" + text + "]}");
    config_errors errors;
    EXPECT_FALSE(read_pause_tree(m_root.string(), errors));
    ASSERT_EQ(errors.size(), 1U);
    EXPECT_NE(errors[0].message.find("is nested more than 2000 levels deep; expected"), std::string::npos);
}

// A process may open its own memory as a file proper, and cannot read its first page: that is an error of input
// and output.
constexpr const char* unreadable_file = "/proc/self/mem";

// As deep as this, what goes through a document from level to level ended with SIGSEGV, or wrote a file of the
// square of its depth.
TEST_F(damaged_files, any_that_is_nested_without_end_is_refused) {
    const auto nested = [](std::size_t levels) {
        std::string text;
        for (std::size_t i = 0; i < levels; ++i) {
            text += "{\"a\":";
        }
        return text + "1" + std::string(levels, '}');
    };
    EXPECT_TRUE(parse_json(nested(most_json_depth), "x.json", "a file").errors.empty());
    EXPECT_TRUE(json_or_discarded(nested(most_json_depth)).is_object());
    for (const std::size_t levels : {std::size_t{most_json_depth} + 1, std::size_t{100'000}}) {
        const config_errors errors = parse_json(nested(levels), "x.json", "a file").errors;
        ASSERT_EQ(errors.size(), 1U);
        EXPECT_TRUE(errors_are(errors[0], {"x.json: 64 levels"}));
        EXPECT_TRUE(json_or_discarded(nested(levels)).is_discarded());
        write("summary.json", nested(levels));
        EXPECT_EQ(read_summary(m_root).errors.size(), 1U);
        EXPECT_FALSE(parse_failure(nested(levels)));
        // A ledger begins anew, as with any other file that is none.
        write("run.json", nested(levels));
        EXPECT_EQ(build_ledger(m_root).program(), "");
    }
}

TEST(input_stream, a_read_that_fails_is_no_end_of_the_file) {
    input_stream in(unreadable_file);
    ASSERT_TRUE(in);
    std::string line;
    try {
        std::getline(in, line);
        FAIL() << "read as '" << line << "'";
    } catch (const command_error& error) {
        EXPECT_EQ(error.status(), exit_status::environment);
        EXPECT_EQ(std::string(error.what()).find("/proc/self/mem: cannot be read: "), 0U) << error.what();
    }
    input_stream again(unreadable_file);
    EXPECT_THROW((std::string{std::istreambuf_iterator<char>(again), {}}), command_error);
}

TEST(input_stream, what_cannot_be_read_at_its_beginning_says_why) {
    EXPECT_THROW(open_input(unreadable_file), command_error) << "a disk that fails is no bad input";
    EXPECT_EQ(open_input("/").why_not, "it is a directory");
    EXPECT_THROW(read_whole(unreadable_file, "a file"), command_error);
}

TEST_F(damaged_files, a_stream_can_be_moved_and_goes_on) {
    input_file opened = open_input(write("lines", "one\ntwo\nthree\n"));
    std::string line;
    std::getline(opened.text, line);
    input_stream moved(std::move(opened.text));
    std::getline(moved, line);
    EXPECT_EQ(line, "two");
    input_stream assigned;
    assigned = std::move(moved);
    std::getline(assigned, line);
    EXPECT_EQ(line, "three");
    EXPECT_FALSE(std::getline(assigned, line));
    EXPECT_TRUE(assigned.eof());
}

/// Gives a text, and then an error.
class failing_buffer : public std::stringbuf {
 public:
    using std::stringbuf::stringbuf;

 private:
    int_type underflow() override {
        const int_type next = std::stringbuf::underflow();
        if (next == traits_type::eof()) {
            throw std::ios_base::failure("the disk");
        }
        return next;
    }
};

TEST(topology_files, a_stream_that_fails_is_no_whole_fabric) {
    const auto read = [](const char* text, auto parse) {
        failing_buffer buffer(text, std::ios::in);
        std::istream in(&buffer);
        return parse(in).errors;
    };
    const auto named = [](const config_errors& errors) {
        return std::any_of(errors.begin(), errors.end(), [](const config_error& error) {
            return error.message.find("cannot be read any further") != std::string::npos;
        });
    };
    EXPECT_TRUE(named(read("host a\nhost b\nswitch s\nlink a s\nlink b s\nend\n",
                           [](std::istream& in) { return parse_topology(in, "t"); })));
    EXPECT_TRUE(named(read("3 1 2\n2\n0 2 1Gbps 1us 0\n1 2 1Gbps 1us 0\n",
                           [](std::istream& in) { return parse_hpcc_topology(in, "t"); })));
    EXPECT_TRUE(named(read("Nodes 16\nTiers 3\nPodsize 4\n",
                           [](std::istream& in) { return parse_htsim_topology(in, "t"); })));
}

TEST(print_errors, says_the_first_twenty_of_each_file_and_how_many_more_there_are) {
    config_errors errors;
    for (int line = 1; line <= 124; ++line) {
        errors.push_back({"rtl.csv", line, "speed", "is none; expected one"});
    }
    errors.push_back({"", 0, "--out", "is missing"});
    for (int line = 1; line <= 21; ++line) {
        errors.push_back({"other.csv", line, "speed", "is none; expected one"});
    }
    std::ostringstream err;
    EXPECT_EQ(print_errors(errors, err), 2);
    const std::string text = err.str();
    EXPECT_NE(text.find("rtl.csv:20: speed: is none; expected one\nrtl.csv: and 104 more\ncommand line: --out"),
              std::string::npos)
        << text;
    EXPECT_EQ(text.find("rtl.csv:21:"), std::string::npos);
    // One line more for one error more.
    EXPECT_NE(text.find("other.csv:21: "), std::string::npos) << text;
    EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 20 + 1 + 1 + 21);
}

}  // namespace
}  // namespace weir::tb
