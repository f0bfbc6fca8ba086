#include "tb/bench/bench_arguments.h"

#include <algorithm>
#include <optional>
#include <set>

#include "tb/arguments/argument_reader.h"
#include "tb/options/run_options.h"
#include "tb/text/joined.h"

namespace weir::tb {

namespace {

const command_declaration& declared() {
    static const command_declaration all{
        "weir bench [CASE ...] [--threads LIST] [--instructions] [--against PEER] [--key=value ...] "
        "[--out DIR]\nweir bench --list\n\nRuns fixed fabrics with fixed loads, each in a process of its own, "
        "one "
        "after another, and prints their cost:\nCPU time per packet-hop, packet-hops per second, set-up, "
        "memory. A packet-hop is a frame that finished its\ntransmission on one link. Without CASE: all "
        "cases.\n\n",
        20,
        {
            {"list", nullptr, "list the cases with a description"},
            {"threads", "LIST", "numbers of threads: 1,2,4 (default: 1)"},
            {"repeat", "N",
             "runs of each case, in alternation; the fastest counts, and beside a peer the\nmedian of the "
             "pairs, "
             "too (default: 3)"},
            {"instructions", nullptr, "count instructions per packet-hop with callgrind, too (needs valgrind)"},
            {"against", "ns3",
             "also run the equivalent ns-3 cases, in alternation (needs Debian's libns3-dev\nand a compiler: "
             "$CXX or c++)"},
            {"against", "htsim", "the same with htsim (needs its sources and a compiler)"},
            {"htsim", "DIR", "a copy of htsim's repository, Broadcom/csg-htsim; it is only read"},
            {"key=value", nullptr, "any option, for every case; `weir run --help` lists them"},
            {"out", "DIR", "write all measurements to DIR/bench.json; new, empty or with a bench.json"},
        },
        0,
        bench_cases().size()};
    return all;
}

class bench_reader {
 public:
    explicit bench_reader(const std::vector<std::string>& args) : m_given(declared(), args, known_options()) {}

    bench_arguments read() {
        m_read.help = m_given.wants_help();
        m_read.list = m_given.has("list");
        m_read.instructions = m_given.has("instructions");
        const std::optional<std::string> out = m_given.once("out");
        m_read.out = out.value_or("");
        if (out && out->empty()) {
            m_given.fail("--out", "'' is not a directory; expected one that is new, empty or has a bench.json");
        }
        read_cases();
        read_threads();
        m_read.repeat = static_cast<unsigned>(m_given.count("repeat", m_read.repeat, 1, 1'000));
        read_against();
        read_overrides();
        m_read.errors = m_given.errors;
        return std::move(m_read);
    }

 private:
    void read_cases() {
        std::set<std::string> wanted(m_given.files().begin(), m_given.files().end());
        for (const bench_case& known : bench_cases()) {
            if (wanted.erase(known.name) != 0 || m_given.files().empty()) {
                m_read.cases.push_back(known);
            }
        }
        for (const std::string& name : wanted) {
            m_given.fail(name,
                         "is not a case; expected " +
                             joined(bench_cases(), ", ", [](const bench_case& known) { return known.name; }));
        }
    }

    void read_threads() {
        const std::optional<std::string> list = m_given.once("threads");
        if (!list) {
            return;
        }
        m_read.threads.clear();
        for (const std::string& text : split_list(*list)) {
            const unsigned n = static_cast<unsigned>(read_count("--threads", text, 1, 1'024, m_given.errors));
            if (std::find(m_read.threads.begin(), m_read.threads.end(), n) == m_read.threads.end()) {
                m_read.threads.push_back(n);
            }
        }
        if (m_read.threads.empty()) {
            m_given.fail("--threads", "is empty; expected numbers such as 1,2,4");
        }
    }

    void read_against() {
        static const std::vector<std::string> peers{"ns3", "htsim"};
        m_read.htsim = m_given.text("htsim");
        const std::optional<std::string> peer = m_given.once("against");
        if (m_given.is_given("htsim") && peer != "htsim") {
            m_given.fail("--htsim", "has no effect; expected with --against htsim");
        }
        if (!peer) {
            return;
        }
        m_read.against = *peer;
        if (std::find(peers.begin(), peers.end(), *peer) == peers.end()) {
            m_given.fail("--against", "'" + *peer + "' is unknown; expected " + joined(peers, ", "));
            return;
        }
        if (*peer == "htsim" && m_read.htsim.empty()) {
            m_given.fail("--htsim", "is missing; expected a copy of htsim's repository (Broadcom/csg-htsim)");
        }
        const auto has = [&](const bench_case& which) { return which.peers.count(*peer) != 0; };
        std::string with;
        for (const bench_case& known : bench_cases()) {
            with += !has(known) ? "" : (with.empty() ? "" : ", ") + known.name;
        }
        if (!m_read.cases.empty() && std::none_of(m_read.cases.begin(), m_read.cases.end(), has)) {
            m_given.fail("--against",
                         "none of these cases exists in " + *peer + "; expected at least one of " + with);
        }
        if (!m_given.options().empty()) {
            m_given.fail("--against", *peer + " does not support " + key_of_option(m_given.options().front()) +
                                          " and would run something else; expected no options of the run");
        }
    }

    void read_overrides() {
        for (const std::string& option : m_given.options()) {
            const std::string key = key_of_option(option);
            if (key == "run.threads") {
                m_given.fail("--" + key, "is set by --threads");
            } else if (key == "run.duration" || key == "run.progress") {
                m_given.fail("--" + key, "is set by the benchmark");
            } else if (key == "run.until") {
                m_given.fail("--" + key, "ends a run before its time; expected runs of the benchmark's length");
            }
        }
        m_read.overrides = m_given.options();
    }

    argument_reader m_given;
    bench_arguments m_read;
};

}  // namespace

std::string bench_help() {
    return help_of(declared());
}

bench_arguments read_bench_arguments(const std::vector<std::string>& args) {
    return bench_reader(args).read();
}

}  // namespace weir::tb
