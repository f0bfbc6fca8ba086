#include "tb/size/size_arguments.h"

#include <algorithm>
#include <set>

#include "tb/options/command_line.h"
#include "tb/options/run_config.h"
#include "tb/sweep/quantity.h"

namespace weir {

const char* const size_usage =
    "weir size [CONFIG.ini] --goal GOAL [--goal ...] --smallest KEY=VALUES [--key=value ...] --out DIR\n"
    "weir size [CONFIG.ini] --goal GOAL [--goal ...] --each KEY=VALUES --largest KEY=VALUES ... --out DIR\n"
    "\n"
    "Finds the smallest (or largest) value of an option for which all goals are met, or the Pareto front of "
    "two\noptions. At each point (a value, or a pair of values) it runs one seed after another until each goal "
    "is met,\nnot met, or not decided after --max-runs. The same command again goes on where it was stopped or "
    "killed.\n"
    "\n"
    "  --goal lossless             no run loses a frame of a lossless class\n"
    "  --goal 'drops = 0'          no run loses any frame\n"
    "  --goal 'p99.9 fct <= 10ms'  in half of all runs: p50, p90, p99, p99.9, mean or max of fct (transfers) "
    "or jct\n"
    "                              (jobs); '... of query.8192.7' for a group\n"
    "  --goal 'goodput >= 40Gbps'  payload received by all hosts together, since the end of the warm-up\n"
    "  --goal 'paused <= 5ms'      also 'paused host <= 5ms', or any number in summary.json\n"
    "  --goal '... in 90% of runs' require the goal, whichever it is, in another share of runs\n"
    "  --goal '... proven in 99% of runs'  only for lossless and '= 0'. Without a share, one run that misses "
    "decides\n                              that such a goal is not met; it is met when fewer than 1 % "
    "(default: 10 %) of all\n                              runs are proven to miss it\n"
    "  --smallest KEY=VALUES       the smallest of these values; VALUES as for weir sweep: A,B,C or "
    "LOW..HIGH:STEP or\n"
    "                              LOW..HIGH:log:N; K1,K2=(A,B),(C,D) for options that vary together\n"
    "  --largest KEY=VALUES        the largest of these values\n"
    "  --each KEY=VALUES           every value, each with its own answer\n                              two of "
    "these three options: the Pareto front, or an answer for each value\n"
    "  --confidence SHARE          probability that no verdict is wrong, over all points and goals (default "
    "95%)\n"
    "  --max-runs N                most runs at one point (default 200)\n"
    "  --curve N                   number of points, spread over the values, that are always tested (default "
    "9; 5 with\n                              two options), to check whether the curve is monotone; 0: none\n"
    "  --curve-runs N              least number of runs at each of these points (default 8)\n"
    "  --key=value                 any option, for every point; run.seed is the first seed\n"
    "  --out DIR                   where to write; new, empty or the same search\n"
    "  --jobs N                    number of simultaneous runs (default: the number of processors)\n"
    "  --mixed-builds              continue although the runs in DIR were made by another build of weir\n"
    "  --dry-run                   check every point, print the plan, write nothing\n";

namespace {

class argument_reader {
 public:
    explicit argument_reader(const std::vector<std::string>& args) : m_table(make_option_table(m_scratch)) {
        command_syntax syntax;
        syntax.values = {"goal",     "smallest", "largest",    "each", "confidence",
                         "max-runs", "curve",    "curve-runs", "out",  "jobs"};
        syntax.flags = {"mixed-builds", "dry-run", "help"};
        syntax.max_files = 1;
        m_given = split_arguments(args, syntax, m_table);
        m_read.errors = m_given.errors;
    }

    size_arguments read() {
        m_read.help = m_given.flags.count("help") != 0;
        m_read.file = m_given.files.empty() ? std::string{} : m_given.files[0];
        m_read.overrides = m_given.options;
        m_read.campaign.mixed_builds = m_given.flags.count("mixed-builds") != 0;
        m_read.campaign.dry_run = m_given.flags.count("dry-run") != 0;
        read_axes();
        read_goals();
        read_limits();
        read_out();
        return std::move(m_read);
    }

 private:
    void fail(const std::string& key, const std::string& message) {
        m_read.errors.push_back({"", 0, key, message});
    }
    std::optional<std::string> once(const std::string& name) { return m_given.once(name, m_read.errors); }

    void read_axes() {
        for (const axis_wish wish : {axis_wish::each, axis_wish::smallest, axis_wish::largest}) {
            for (const std::string& text : m_given.values[to_text(wish)]) {
                read_wish(wish, text);
            }
        }
        if (m_read.axes.size() > 2 || (m_read.axes.size() == 2 && m_read.wishes[1] == axis_wish::each)) {
            fail("--each",
                 "is given with too many of --smallest, --largest and --each; expected one of the three, or "
                 "two with at most one --each");
        }
        if (m_read.axes.empty() && !m_read.help) {
            fail("--smallest", "is missing; expected --smallest KEY=VALUES, --largest or --each");
        }
        // Searched along is the longer one.
        if (m_read.axes.size() == 2 && m_read.wishes[0] != axis_wish::each &&
            m_read.axes[0].values.size() > m_read.axes[1].values.size()) {
            std::swap(m_read.axes[0], m_read.axes[1]);
            std::swap(m_read.wishes[0], m_read.wishes[1]);
        }
        std::set<std::string> moved;
        for (const sweep_axis& axis : m_read.axes) {
            for (const std::string& key : axis.keys) {
                if (!moved.insert(key).second) {
                    fail("--" + key, "is searched twice; expected once");
                }
            }
        }
        for (const std::string& option : m_read.overrides) {
            const std::string key = option.substr(2, option.find('=') - 2);
            if (moved.count(key) != 0) {
                fail("--" + key, "is also searched; expected either a fixed value or a search");
            }
        }
    }

    void read_wish(axis_wish wish, const std::string& text) {
        const std::string option = std::string("--") + to_text(wish);
        axis_result read = read_axis(text, m_table, option.c_str());
        if (read.errors.empty() && wish != axis_wish::each) {
            check_order(option, read.axis);
        }
        m_read.errors.insert(m_read.errors.end(), read.errors.begin(), read.errors.end());
        m_read.axes.push_back(std::move(read.axis));
        m_read.wishes.push_back(wish);
    }

    /// Values of the first key rise: only then does it mean something to be the smallest.
    void check_order(const std::string& option, const sweep_axis& axis) {
        const std::string& key = axis.keys.front();
        const quantity_kind kind = quantity_of(*m_table.find(key));
        double last = 0;
        for (std::size_t i = 0; i < axis.values.size(); ++i) {
            const std::string& text = axis.values[i].front();
            const auto read = read_quantity(kind, text);
            if (kind == quantity_kind::none || !read) {
                return fail(option + " " + key,
                            "'" + text + "' is not a quantity; expected quantities, or --each " + key);
            }
            if (i > 0 && read.value <= last) {
                return fail(option + " " + key,
                            "'" + text + "' is not above the value before it; expected ascending values");
            }
            last = read.value;
        }
    }

    void read_goals() {
        for (const std::string& text : m_given.values["goal"]) {
            const auto goal = read_goal(text);
            if (!goal) {
                fail("--goal", goal.error);
            }
            m_read.goals.push_back(goal.value);
        }
        if (m_read.goals.empty() && !m_read.help) {
            fail("--goal", "is missing; expected --goal lossless, --goal 'p99 fct <= 5ms', ...");
        }
    }

    std::size_t count_of(const char* name, std::size_t otherwise, std::size_t least, std::size_t most) {
        const std::optional<std::string> text = once(name);
        if (!text) {
            return otherwise;
        }
        const auto read = detail::parse_count(*text, most);
        if (!read || read.value < least) {
            fail(std::string("--") + name,
                 weir::out_of_range(*text, std::to_string(least) + " to " + std::to_string(most)));
        }
        return static_cast<std::size_t>(read.value);
    }

    void read_limits() {
        size_search::limits& limits = m_read.limits;
        limits.runs = count_of("max-runs", limits.runs, 1, size_plan::most_runs);
        limits.curve = count_of("curve", m_read.axes.size() > 1 ? 5 : limits.curve, 0, size_plan::most_places);
        limits.curve_runs =
            count_of("curve-runs", std::min(limits.curve_runs, limits.runs), 1, size_plan::most_runs);
        if (limits.curve_runs > limits.runs) {
            fail("--curve-runs", "is above --max-runs; expected up to " + std::to_string(limits.runs));
        }
        if (limits.curve == 1) {
            fail("--curve", "one point makes no curve; expected 0, or at least 2");
        }
        if (const std::optional<std::string> text = once("confidence")) {
            const auto read = detail::parse_share(*text);
            if (!read || !(read.value > 0 && read.value < 1)) {
                fail("--confidence", read ? weir::out_of_range(*text, "above 0%, below 100%") : read.error);
            }
            limits.confidence = read.value;
        }
    }

    void read_out() {
        const std::optional<std::string> out = once("out");
        m_read.campaign.out = out.value_or("");
        if (!out && !m_read.campaign.dry_run && !m_read.help) {
            fail("--out", "is missing; expected --out DIR, or --dry-run");
        }
        m_read.campaign.jobs = static_cast<unsigned>(count_of("jobs", 0, 1, 4096));
    }

    run_config m_scratch;
    option_table m_table;
    command_arguments m_given;
    size_arguments m_read;
};

}  // namespace

size_arguments read_size_arguments(const std::vector<std::string>& args) {
    return argument_reader(args).read();
}

}  // namespace weir
