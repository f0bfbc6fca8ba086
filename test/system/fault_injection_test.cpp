// Every call of the system that a command makes fails once, or is its last (support/failing_disk.cpp); every
// allocation is refused once. Whichever it is: the command ends, with status 3 and the system's reason, or with
// 0 and all that it was to write; no file looks whole that is not; and the same command, where nothing fails,
// comes to the bytes of one that nothing disturbed.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>

#include "failing_disk.h"
#include "sweep_rig.h"

using namespace weir::test;

namespace {

struct subject {
    const char* name;
    arguments command;
    /// Of the calls that fail in the short test.
    long step;
    /// Of the number of the allocation that is refused in the short test; in the long one a 25th of it.
    double growth = 0.5;
    /// Times that were measured differ from one call to the next.
    bool repeats = true;
    /// Of the calls that fail in the long test. Each error begins a quarter of the step after the one before,
    /// so that steps above 3 make other calls fail for each.
    long long_step = 1;
};

/// GoogleTest's own would print addresses, into the names of the tests.
void PrintTo(const subject& what, std::ostream* out) {
    *out << what.name;
}

const std::vector<subject>& subjects() {
    static const std::vector<subject> all{
        {"run",
         {"run", "config.ini", "--trace.wave=run.vcd", "--trace.pcap=h0-tor0", "--output.flows=true", "--out",
          "out/run"},
         3},
        {"sweep",
         {"sweep", "config.ini", "--vary", "traffic.rate=20000,40000", "--jobs", "1", "--out", "out/sweep"},
         37},
        {"size",
         {"size", "config.ini", "--switch.scheme=detail", "--goal", "p50 fct <= 1s in 50% of runs",
          "--smallest", "switch.ingress_buffer=64KiB,128KiB", "--jobs", "1", "--out", "out/size"},
         401,
         2.0,
         true,
         24},
        {"bench",
         {"bench", "udp", "--fabric.k=4", "--repeat=1", "--threads=1", "--out", "out/bench"},
         7,
         0.5,
         false},
        {"replay", {"replay", "islip", "--requests", "slots.csv", "--iterations", "1", "--out", "out/file"}, 1},
        {"plot", {"plot", "made", "--format", "svg", "--kind", "query", "--out", "out/plots"}, 41, 1.0},
        {"report", {"report", "made", "--out", "out/report.html"}, 3},
        {"table", {"table", "made", "--format", "csv"}, 1},
        {"reproduce",
         {"reproduce", "./paper", "--figure", "1", "--seeds", "1", "--jobs", "1", "--out", "out/paper"},
         251,
         8.0,
         true,
         16},
    };
    return all;
}

/// What the commands read, and a directory for what they write.
class commands_place {
 public:
    commands_place() {
        m_where.write("config.ini",
                      "[run]\nduration = 200us\n[fabric]\nhosts = 4\n[traffic]\nkind = query\nrate = 20000\n");
        m_where.write("slots.csv", "slot,in0\n0,1\n");
        fs::copy(fs::path(WEIR_GOLDEN_DIR) / "../toy_paper", m_where / "paper");
        EXPECT_EQ(run({"run", "config.ini", "--output.flows=true", "--out", "made"}).status, 0);
        clear();
    }
    void clear() const {
        fs::remove_all(m_where / "out");
        fs::create_directory(m_where / "out");
    }
    outcome run(const arguments& command, surroundings around = {}) const {
        around.seconds = 60;
        return run_program(m_where, command, around);
    }
    /// With the n-th of its calls failing, or with SIGKILL there (`error` 0).
    outcome run_failing(const arguments& command, long n, int error) const {
        fs::remove(m_where / "calls.txt");
        surroundings around = failing_disk("", (m_where / "calls.txt").string());
        around.environment["WEIR_FAIL_NTH"] = std::to_string(n) + ":" + std::to_string(error);
        return run(command, around);
    }
    /// The call that has failed: `fsync out/run/flows.csv.partial`; empty: the command makes fewer.
    std::string failed_call() const {
        std::istringstream lines(contents(m_where / "calls.txt"));
        for (std::string line; std::getline(lines, line);) {
            if (line.rfind("FAILED ", 0) == 0) {
                return line.substr(7);
            }
        }
        return {};
    }
    std::map<std::string, std::string> written() const { return sweep_files(m_where / "out"); }
    const scratch_directory& where() const { return m_where; }

 private:
    scratch_directory m_where;
};

bool is_partial(const fs::path& name) {
    return std::any_of(name.begin(), name.end(),
                       [](const fs::path& part) { return part.extension() == ".partial"; });
}

/// Whether the call is about a file, and not about a process, a pipe or a file in memory.
bool has_name(const std::string& call) {
    constexpr const char* others[] = {"pipe", "memfd", "fork", "chdir"};
    return std::none_of(std::begin(others), std::end(others),
                        [&](const char* other) { return call.find(other) != std::string::npos; });
}

class fault_injection : public testing::TestWithParam<subject> {
 protected:
    fault_injection() {
        const outcome o = m_place.run(GetParam().command);
        EXPECT_EQ(o.status, 0) << o.err;
        m_whole = m_place.written();
    }

    /// Calls `first`, `first + step`, ... until the command makes no more. Returns how many failed.
    long fail_calls(int error, long step, long first = 1) const {
        long failures = 0;
        for (long n = first;; n += step) {
            m_place.clear();
            const outcome o = m_place.run_failing(GetParam().command, n, error);
            const std::string call = m_place.failed_call();
            if (call.empty()) {
                EXPECT_EQ(o.status, 0) << o.err;
                return failures;
            }
            SCOPED_TRACE("call " + std::to_string(n) + ", " + call + ": " + std::strerror(error) + ": " +
                         o.err);
            ++failures;
            expect_said(o, call, error);
            expect_nothing_half();
            EXPECT_TRUE(o.status != 0 || !GetParam().repeats || m_place.written() == m_whole)
                << "a file is missing";
            expect_goes_on();
        }
    }

    long refuse_memory(double growth) const {
        long refusals = 0;
        const fs::path mark = m_place.where() / "refused.txt";
        for (long n = 1;; n += 1 + static_cast<long>(static_cast<double>(n) * growth)) {
            m_place.clear();
            fs::remove(mark);
            surroundings around;
            around.environment = {{"LD_PRELOAD", WEIR_FAILING_MEMORY},
                                  {"WEIR_REFUSE_NTH", std::to_string(n)},
                                  {"WEIR_REFUSED", mark.string()}};
            const outcome o = m_place.run(GetParam().command, around);
            if (!fs::exists(mark)) {
                EXPECT_EQ(o.status, 0) << o.err;
                return refusals;
            }
            SCOPED_TRACE("allocation " + std::to_string(n) + ": " + o.err);
            ++refusals;
            EXPECT_TRUE(o.status == 0 || (o.status == 3 && !o.err.empty())) << o.status;
            expect_nothing_half();
            EXPECT_TRUE(o.status != 0 || !GetParam().repeats || m_place.written() == m_whole)
                << "a file is missing";
        }
    }

 private:
    static void expect_said(const outcome& o, const std::string& call, int error) {
        if (error == 0) {
            EXPECT_EQ(o.status, 1000 + SIGKILL);
            return;
        }
        if (o.status == 0) {
            return;
        }
        EXPECT_EQ(o.status, 3);
        EXPECT_NE(o.err.find(std::strerror(error)), std::string::npos);
        const std::string file = fs::path(call.substr(call.rfind(' ') + 1)).filename().string();
        EXPECT_TRUE(!has_name(call) || o.err.find(file) != std::string::npos) << "without " << file;
        EXPECT_EQ(o.err.find("internal error"), std::string::npos);
    }
    void expect_nothing_half() const {
        for (const auto& [name, text] : m_place.written()) {
            const auto other = m_whole.find(name);
            ASSERT_TRUE(is_partial(name) || other != m_whole.end()) << name << " is no file of the command";
            EXPECT_TRUE(is_partial(name) || !GetParam().repeats || other->second == text ||
                        text.find("\"complete\": false") != std::string::npos)
                << name << " of " << text.size() << " B looks whole";
        }
    }
    void expect_goes_on() const {
        const outcome o = m_place.run(GetParam().command);
        EXPECT_EQ(o.status, 0) << o.err;
        EXPECT_TRUE(!GetParam().repeats || m_place.written() == m_whole)
            << "the same command gives other bytes";
    }

    commands_place m_place;
    std::map<std::string, std::string> m_whole;
};

TEST_P(fault_injection, a_call_that_fails_is_status_3_with_the_reason_and_leaves_nothing_half) {
    EXPECT_GT(fail_calls(EIO, GetParam().step), 2);
}
TEST_P(fault_injection, a_command_killed_at_a_call_leaves_nothing_half_and_goes_on) {
    EXPECT_GT(fail_calls(0, 2 * GetParam().step), 1);
}
TEST_P(fault_injection, memory_that_is_refused_is_status_3_and_leaves_nothing_half) {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
    GTEST_SKIP() << "a sanitizer has an allocator of its own";
#endif
    EXPECT_GT(refuse_memory(GetParam().growth), 4);
}
TEST_P(fault_injection, long_run_of_calls_and_errors) {
    long failures = 0;
    const std::array<int, 4> errors{0, EIO, EMFILE, ENOMEM};
    const long step = GetParam().long_step;
    for (std::size_t i = 0; i < errors.size(); ++i) {
        failures += fail_calls(errors[i], step, 1 + static_cast<long>(i) * step / 4);
    }
    std::cout << failures << " calls failed\n";
    EXPECT_GT(failures, 20);
}
TEST_P(fault_injection, long_run_of_refused_allocations) {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
    GTEST_SKIP() << "a sanitizer has an allocator of its own";
#endif
    const long refusals = refuse_memory(GetParam().growth / 25);
    std::cout << refusals << " allocations refused\n";
    EXPECT_GT(refusals, 20);
}
INSTANTIATE_TEST_SUITE_P(system, fault_injection, testing::ValuesIn(subjects()),
                         [](const auto& each) { return std::string(each.param.name); });

}  // namespace
