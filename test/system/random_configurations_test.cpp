// What a run writes does not depend on how it runs: random small configurations, each with one thread and
// several, with the longest quantum and shorter ones, and with the literal engine. determinism_test.cpp has the
// cases that somebody thought of; these are the combinations that nobody did.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <sstream>

#include "random_configuration.h"

using namespace weir::test;
using nlohmann::json;

namespace {

/// What runs ended as, and what happened in those that were compared: a comparison of idle fabrics would say
/// little.
struct tally {
    unsigned refused = 0;
    /// Ended with status 1, alike in all ways: a lossless frame lost at thresholds that are too high, a
    /// deadlock.
    unsigned failed = 0;
    unsigned compared = 0;
    std::map<std::string, unsigned> with;
    std::string refusals;

    void count(const json& summary) {
        ++compared;
        for (const char* what : {"/packet_hops", "/pfc/xoff_sent", "/frames/dropped", "/flows/completed"}) {
            with[what] += summary.at(json::json_pointer(what)) > 0 ? 1 : 0;
        }
        for (const auto& [reason, frames] : summary.at("drops").items()) {
            with["/drops/" + reason] += frames > 0 ? 1 : 0;
        }
    }
};

/// `share` of the run's own quantum, which is the lookahead.
std::string quantum(const fs::path& run, double share) {
    const json facts = json::parse(contents(run / "run.json"));
    const double ps = facts.at("quantum_ns").get<double>() * 1000 * share;
    return "--run.quantum=" + std::to_string(std::max(1LL, std::llround(std::floor(ps)))) + "ps";
}

/// What ended a run, without warnings and without the directory's name.
std::string failure_in(const std::string& err) {
    std::string failures;
    std::istringstream lines(err);
    for (std::string line; std::getline(lines, line);) {
        if (line.rfind("warning: ", 0) != 0 && line.rfind("weir run: ", 0) != 0) {
            failures += line + "\n";
        }
    }
    return failures;
}

/// The configuration of that number: once as a user would run it, then in the other ways. `thorough`: with
/// threads at short quanta, too.
void expect_same_however_it_runs(unsigned number, bool thorough, tally& seen) {
    const random_configuration configuration = make_random_configuration(number);
    SCOPED_TRACE("random configuration " + std::to_string(number) +
                 ", which `weir run c.ini --out out` runs:\n" + configuration.text());
    const scratch_directory where;
    configuration.write(where);
    const auto run = [&](const std::string& out, const arguments& options) {
        return run_program(where, combined({"run", "c.ini", "--run.progress=off", "--out", out}, options));
    };
    const outcome first = run("first", {"--run.threads=1"});
    if (first.status == 2) {
        ++seen.refused;
        seen.refusals += std::to_string(number) + " is refused: " + first.err;
        return;
    }
    ASSERT_TRUE(first.status == 0 || first.status == 1) << first.status << ": " << first.err;
    std::vector<arguments> ways{{"--run.engine=literal"}, {"--run.threads=4", "--run.thread_grain=0"}};
    if (first.status == 0) {
        const std::string third = quantum(where / "first", 1.0 / 3);
        const std::string tenth = quantum(where / "first", 0.1);
        ways.insert(ways.end(), {{third}, {tenth}});
        if (thorough) {
            ways.insert(ways.end(), {{"--run.threads=3", "--run.thread_grain=0", third},
                                     {"--run.threads=4", "--run.thread_grain=1", tenth}});
        }
    }
    for (const arguments& way : ways) {
        std::string text;
        for (const std::string& option : way) {
            text += " " + option;
        }
        SCOPED_TRACE("differs with" + text);
        const outcome other = run("other", way);
        ASSERT_EQ(other.status, first.status) << first.err << other.err;
        if (first.status == 0) {
            expect_same_bytes(where / "first", where / "other");
        } else {
            EXPECT_EQ(failure_in(other.err), failure_in(first.err));
        }
    }
    if (first.status == 0) {
        seen.count(summary_of(where / "first"));
    } else {
        ++seen.failed;
    }
}

/// `first` to `first + count - 1`. Refused ones must be rare, or few would have been compared.
tally compare(unsigned first, unsigned count, bool thorough) {
    tally seen;
    for (unsigned number = first; number < first + count; ++number) {
        expect_same_however_it_runs(number, thorough, seen);
    }
    std::cout << seen.compared << " compared, " << seen.failed << " failed alike, " << seen.refused
              << " refused\n"
              << seen.refusals;
    for (const auto& [what, runs] : seen.with) {
        std::cout << "  " << what << " above 0 in " << runs << '\n';
    }
    EXPECT_EQ(seen.compared + seen.failed + seen.refused, count);
    EXPECT_LT(4 * seen.refused, count);
    EXPECT_LT(10 * seen.failed, count);
    EXPECT_GE(10 * seen.with["/packet_hops"], 9 * seen.compared);
    return seen;
}

TEST(random_configurations, give_the_same_bytes_however_they_run) {
    const tally seen = compare(0, 60, false);
    EXPECT_GE(seen.compared, 45U);
}

class random_configurations_by_hundreds : public testing::TestWithParam<unsigned> {};
TEST_P(random_configurations_by_hundreds, long_run_give_the_same_bytes_however_they_run) {
    tally seen = compare(250 * GetParam(), 250, true);
    EXPECT_GE(seen.compared, 190U);
    for (const char* what : {"/pfc/xoff_sent", "/drops/ingress_full", "/drops/egress_full", "/drops/link_down",
                             "/drops/bit_error", "/drops/nic_full"}) {
        EXPECT_GE(seen.with[what], 3U) << what;
    }
}
INSTANTIATE_TEST_SUITE_P(four, random_configurations_by_hundreds, testing::Range(0U, 4U));

}  // namespace
