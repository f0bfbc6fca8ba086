#include "tb/size/size_arguments.h"

#include <algorithm>
#include <set>

#include "tb/arguments/argument_reader.h"
#include "tb/options/load_config.h"
#include "tb/options/run_options.h"
#include "tb/sweep/quantity.h"

namespace weir::tb {

namespace {

const command_declaration declared{
    "weir size [CONFIG.ini ...] --goal GOAL [--goal ...] --smallest KEY=VALUES [--key=value ...] --out "
    "DIR\nweir "
    "size [CONFIG.ini ...] --goal GOAL [--goal ...] --each KEY=VALUES --largest KEY=VALUES ... --out "
    "DIR\n\nFinds "
    "the smallest (or largest) value of an option for which all goals are met, or the Pareto front of "
    "two\noptions. At each point (a value, or a pair of values) it runs one seed after another until each goal "
    "is met,\nnot met, or not decided after --max-runs. The same command again goes on where it was stopped or "
    "killed.\n\n",
    30,
    {
        {"goal", "lossless", "no run loses a frame of a lossless class"},
        {"goal", "'drops = 0'", "no run loses any frame"},
        {"goal", "'p99.9 fct <= 10ms'",
         "in half of all runs: p50, p90, p99, p99.9, mean or max of fct (transfers) or jct\n(jobs); '... of "
         "query.8192.7' for a group"},
        {"goal", "'goodput >= 40Gbps'", "payload received by all hosts together, since the end of the warm-up"},
        {"goal", "'paused <= 5ms'", "also 'paused host <= 5ms', or any number in summary.json"},
        {"goal", "'... in 90% of runs'", "require the goal, whichever it is, in another share of runs"},
        {"goal", "'... proven in 99% of runs'",
         "only for lossless and '= 0'. Without a share, one run that misses decides\nthat such a goal is not "
         "met; it is met when fewer than 1 % (default: 10 %) of all\nruns are proven to miss it"},
        {"smallest", "KEY=VALUES",
         "the smallest of these values; VALUES as for weir sweep: A,B,C or LOW..HIGH:STEP or\nLOW..HIGH:log:N; "
         "K1,K2=(A,B),(C,D) for options that vary together"},
        {"largest", "KEY=VALUES", "the largest of these values"},
        {"each", "KEY=VALUES",
         "every value, each with its own answer\ntwo of these three options: the Pareto front, or an answer "
         "for each value"},
        {"confidence", "SHARE",
         "probability that no verdict is wrong, over all points and goals (default 95%)"},
        {"max-runs", "N", "most runs at one point (default 200)"},
        {"curve", "N",
         "number of points, spread over the values, that are always tested (default 9; 5 with\ntwo options), "
         "to check whether the curve is monotone; 0: none"},
        {"curve-runs", "N", "least number of runs at each of these points (default 8)"},
        {"key=value", nullptr, "any option, for every point; run.seed is the first seed"},
        {"out", "DIR", "where to write; new, empty or the same search"},
        {"jobs", "N",
         "number of simultaneous runs (default: the number of processors); under mpirun,\nof each rank "
         "(default: 1)"},
        {"launcher", "COMMAND",
         "starts each run by this command, such as 'bsub -K -q short' or 'srun -n1': one that\nwaits for the "
         "run, "
         "and ends with its exit status"},
        {"mixed-builds", nullptr, "continue although the runs in DIR were made by another build of weir"},
        {"dry-run", nullptr, "check every point, print the plan, write nothing"},
    },
    0,
    SIZE_MAX};

class size_reader {
 public:
    explicit size_reader(const std::vector<std::string>& args)
        : m_table(make_option_table(m_scratch)), m_given(declared, args, m_table) {
        m_table.set_cell(load_config_files(m_given.options(), m_given.files()).config.device.memory_cell);
    }

    size_arguments read() {
        m_read.help = m_given.wants_help();
        m_read.files = m_given.files();
        m_read.overrides = m_given.options();
        m_read.campaign.mixed_builds = m_given.has("mixed-builds");
        m_read.campaign.dry_run = m_given.has("dry-run");
        read_axes();
        read_goals();
        read_limits();
        read_out(m_given, m_read.campaign);
        m_read.errors = m_given.errors;
        return std::move(m_read);
    }

 private:
    void read_axes() {
        for (const axis_wish wish : {axis_wish::each, axis_wish::smallest, axis_wish::largest}) {
            for (const std::string& text : m_given.all(name_of(wish))) {
                read_wish(wish, text);
            }
        }
        if (m_read.axes.size() > 2 || (m_read.axes.size() == 2 && m_read.wishes[1] == axis_wish::each)) {
            m_given.fail(
                "--each",
                "is given with too many of --smallest, --largest and --each; expected one of the three, or "
                "two with at most one --each");
        }
        if (m_read.axes.empty() && !m_read.help) {
            m_given.fail("--smallest", "is missing; expected --smallest KEY=VALUES, --largest or --each");
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
                    m_given.fail("--" + key, "is searched twice; expected once");
                }
            }
        }
        for (const std::string& option : m_read.overrides) {
            const std::string key = key_of_option(option);
            if (moved.count(key) != 0) {
                m_given.fail("--" + key, "is also searched; expected either a fixed value or a search");
            }
        }
    }

    void read_wish(axis_wish wish, const std::string& text) {
        const std::string option = std::string("--") + name_of(wish);
        axis_result read = read_axis(text, m_table, option.c_str());
        if (read.errors.empty() && wish != axis_wish::each) {
            check_order(option, read.axis);
        }
        m_given.add(read.errors);
        m_read.axes.push_back(std::move(read.axis));
        m_read.wishes.push_back(wish);
    }

    /// Values of the first key rise: only then does it mean something to be the smallest.
    void check_order(const std::string& option, const sweep_axis& axis) {
        const std::string& key = axis.keys.front();
        const quantity_kind kind = quantity_of(*m_table.find(split_key(key).key));
        double last = 0;
        for (std::size_t i = 0; i < axis.values.size(); ++i) {
            const std::string& text = axis.values[i].front();
            const auto read = read_quantity(kind, text);
            if (kind == quantity_kind::none || !read) {
                return m_given.fail(option + " " + key,
                                    "'" + text + "' is not a quantity; expected quantities, or --each " + key);
            }
            if (i > 0 && read.value <= last) {
                return m_given.fail(
                    option + " " + key,
                    "'" + text + "' is not above the value before it; expected ascending values");
            }
            last = read.value;
        }
    }

    void read_goals() {
        for (const std::string& text : m_given.all("goal")) {
            const auto goal = read_goal(text);
            if (!goal) {
                m_given.fail("--goal", goal.error);
            }
            m_read.goals.push_back(goal.value);
        }
        if (m_read.goals.empty() && !m_read.help) {
            m_given.fail("--goal", "is missing; expected --goal lossless, --goal 'p99 fct <= 5ms', ...");
        }
    }

    void read_limits() {
        size_search::limits& limits = m_read.limits;
        limits.runs = m_given.count("max-runs", limits.runs, 1, size_plan::most_runs);
        limits.curve =
            m_given.count("curve", m_read.axes.size() > 1 ? 5 : limits.curve, 0, size_plan::most_places);
        limits.curve_runs =
            m_given.count("curve-runs", std::min(limits.curve_runs, limits.runs), 1, size_plan::most_runs);
        if (limits.curve_runs > limits.runs) {
            m_given.fail("--curve-runs", "is above --max-runs; expected up to " + std::to_string(limits.runs));
        }
        if (limits.curve == 1) {
            m_given.fail("--curve", "one point makes no curve; expected 0, or at least 2");
        }
        limits.confidence = m_given.share("confidence", limits.confidence);
    }

    run_config m_scratch;
    option_table m_table;
    argument_reader m_given;
    size_arguments m_read;
};

}  // namespace

std::string size_help() {
    return help_of(declared);
}

size_arguments read_size_arguments(const std::vector<std::string>& args) {
    return size_reader(args).read();
}

}  // namespace weir::tb
