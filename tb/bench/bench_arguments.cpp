#include "tb/bench/bench_arguments.h"

#include <algorithm>
#include <optional>
#include <set>

#include "tb/options/command_line.h"
#include "tb/options/run_config.h"

namespace weir {

const char* const bench_usage =
    "weir bench [CASE ...] [--threads LIST] [--instructions] [--against ns3] [--key=value ...] [--out DIR]\n"
    "weir bench --list\n"
    "\n"
    "Runs fixed fabrics with fixed loads, each in a process of its own, one after another, and prints their "
    "cost:\nCPU time per packet-hop, packet-hops per second, set-up, memory. A packet-hop is a frame that "
    "finished "
    "its\n"
    "transmission on one link. Without CASE: all cases.\n"
    "\n"
    "  --list            list the cases with a description\n"
    "  --threads LIST    numbers of threads: 1,2,4 (default: 1)\n"
    "  --repeat N        runs of each case, in alternation; the fastest counts (default: 3)\n"
    "  --instructions    count instructions per packet-hop with callgrind, too (needs valgrind)\n"
    "  --against ns3     also run the equivalent ns-3 cases, in alternation (needs Debian's "
    "libns3-dev\n"
    "                    and a compiler: $CXX or c++)\n"
    "  --key=value       any option, for every case; `weir run --help` lists them\n"
    "  --out DIR         write all measurements to DIR/bench.json; new, empty or with a bench.json\n";

namespace {

class argument_reader {
 public:
    explicit argument_reader(const std::vector<std::string>& args) {
        const option_table table = make_option_table(m_scratch);
        command_syntax syntax;
        syntax.values = {"threads", "repeat", "against", "out"};
        syntax.flags = {"list", "instructions", "help"};
        syntax.max_files = bench_cases().size();
        m_given = split_arguments(args, syntax, table);
        m_read.errors = m_given.errors;
    }

    bench_arguments read() {
        m_read.help = has("help");
        m_read.list = has("list");
        m_read.instructions = has("instructions");
        const std::optional<std::string> out = once("out");
        m_read.out = out.value_or("");
        if (out && out->empty()) {
            fail("--out", "'' is not a directory; expected one that is new, empty or has a bench.json");
        }
        read_cases();
        read_threads();
        if (const auto repeat = once("repeat")) {
            m_read.repeat = count("--repeat", *repeat, 1'000);
        }
        read_against();
        read_overrides();
        return std::move(m_read);
    }

 private:
    bool has(const char* flag) const { return m_given.flags.count(flag) != 0; }
    void fail(const std::string& key, const std::string& message) {
        m_read.errors.push_back({"", 0, key, message});
    }
    std::optional<std::string> once(const std::string& name) { return m_given.once(name, m_read.errors); }
    unsigned count(const std::string& key, const std::string& text, unsigned most) {
        const auto read = detail::parse_count(text, most);
        if (!read || read.value == 0) {
            fail(key, "'" + text + "' is out of range; expected 1 to " + std::to_string(most));
        }
        return static_cast<unsigned>(read.value);
    }

    void read_cases() {
        std::set<std::string> wanted(m_given.files.begin(), m_given.files.end());
        for (const bench_case& known : bench_cases()) {
            if (wanted.erase(known.name) != 0 || m_given.files.empty()) {
                m_read.cases.push_back(known);
            }
        }
        for (const std::string& name : wanted) {
            std::string names;
            for (const bench_case& known : bench_cases()) {
                names += (names.empty() ? "" : ", ") + known.name;
            }
            fail(name, "is not a case; expected " + names);
        }
    }

    void read_threads() {
        const std::optional<std::string> list = once("threads");
        if (!list) {
            return;
        }
        m_read.threads.clear();
        for (const std::string& text : detail::split_list(*list)) {
            const unsigned n = count("--threads", text, 1'024);
            if (std::find(m_read.threads.begin(), m_read.threads.end(), n) == m_read.threads.end()) {
                m_read.threads.push_back(n);
            }
        }
        if (m_read.threads.empty()) {
            fail("--threads", "is empty; expected numbers such as 1,2,4");
        }
    }

    void read_against() {
        const std::optional<std::string> peer = once("against");
        if (!peer) {
            return;
        }
        m_read.against_ns3 = true;
        if (*peer != "ns3") {
            fail("--against", "'" + *peer + "' is unknown; expected ns3");
        }
        std::string with;
        for (const bench_case& known : bench_cases()) {
            with += known.ns3_options.empty() ? "" : (with.empty() ? "" : ", ") + known.name;
        }
        const bool any = std::any_of(m_read.cases.begin(), m_read.cases.end(),
                                     [](const bench_case& c) { return !c.ns3_options.empty(); });
        if (!any && !m_read.cases.empty()) {
            fail("--against", "none of these cases exists in ns-3; expected at least one of " + with);
        }
        if (!m_given.options.empty()) {
            fail("--against", "ns-3 does not support " + key_of(m_given.options.front()) +
                                  " and would run something else; expected no options of the run");
        }
    }

    static std::string key_of(const std::string& option) { return option.substr(2, option.find('=') - 2); }

    void read_overrides() {
        for (const std::string& option : m_given.options) {
            const std::string key = key_of(option);
            if (key == "run.duration" || key == "run.threads" || key == "run.progress") {
                fail("--" + key, key == "run.threads" ? "is set by --threads" : "is set by the benchmark");
            }
        }
        m_read.overrides = m_given.options;
    }

    run_config m_scratch;
    command_arguments m_given;
    bench_arguments m_read;
};

}  // namespace

bench_arguments read_bench_arguments(const std::vector<std::string>& args) {
    return argument_reader(args).read();
}

}  // namespace weir
