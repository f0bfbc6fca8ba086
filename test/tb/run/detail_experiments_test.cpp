// DeTail's experiment files under every scheme, by the scheme's name alone: the thresholds that a dry run
// prints, against the technical report's numbers.
#include <gtest/gtest.h>

#include <filesystem>
#include <set>
#include <sstream>

#include "tb/run/arguments/commands.h"

namespace weir::tb {
namespace {

namespace fs = std::filesystem;

const fs::path experiments = fs::path(WEIR_GOLDEN_DIR) / "../../tb/experiments/detail";

struct environment {
    const char* scheme;
    /// Lines that the dry run must have, word by word.
    std::vector<std::string> lines;
    bool can_lose;
};

// 7.1: 128 KB on each side. 6.1: XOFF at 11,546 B for each of eight classes, XON below 4,838 B. 5.2: no logic
// that prevents overflow at egress unless there is flow control. 8.1: timeouts of 10 ms and 50 ms.
// FC's threshold is not in the report: memory less the reserve with every term, and the frame that crosses it.
const std::string lossy = "Flow control: none; when memory is full, frames are dropped at egress";
const std::string detail_xoff =
    "Flow control at 1Gbps, 6.6us: XOFF at 11546 B, XON below 4838 B, reserve 4838B per class, response time "
    "1.024us";
const std::string detail_sum = "  XOFF = 16384 B of memory - 4838 B reserve";
const std::string detail_terms =
    "  Reserve, detail: 12.24us our frame + 6.6us to the partner + 1.024us its response + 12.24us its frame + "
    "6.6us back = 38.704us = 4838 B";
const std::string waits =
    "  A single class fills an egress port up to 117868 B; further frames wait at ingress";

const environment environments[] = {
    {"baseline",
     {"  A single class fills an egress port up to 131072 B; further frames are dropped there", lossy,
      "TCP: minimum RTO 10ms, initial RTO 10ms, fast retransmit at 3 duplicate ACKs"},
     false},
    {"priority",
     {"  A single class fills an egress port up to 117868 B; further frames are dropped there", lossy,
      "TCP: minimum RTO 10ms, initial RTO 10ms, fast retransmit at 3 duplicate ACKs"},
     false},
    {"fc",
     {"  A single class fills an egress port up to 131072 B; further frames wait at ingress",
      "Flow control at 1Gbps, 6.6us: XOFF at 124641 B, XON below 4902 B, reserve 4902B (PAUSE, all classes), "
      "response time 1.024us",
      "  XOFF = 131072 B of memory - 4902 B reserve - 1529 B of the frame that crosses it",
      "  Reserve, worst_case: 12.24us our frame + 512ns PFC frame + 6.6us to the partner + 1.024us its "
      "response + 12.24us its frame + 6.6us back = 39.216us = 4902 B",
      "  pfc.profile = detail gives no threshold for PAUSE: all terms are used",
      "TCP: minimum RTO 50ms, initial RTO 50ms, fast retransmit at 3 duplicate ACKs"},
     false},
    {"priority_pfc",
     {waits, detail_xoff, detail_sum, detail_terms,
      "TCP: minimum RTO 50ms, initial RTO 50ms, fast retransmit at 3 duplicate ACKs"},
     true},
    {"packet_scatter",
     {waits, detail_xoff, detail_sum, detail_terms,
      "TCP: minimum RTO 50ms, initial RTO 50ms, fast retransmit off"},
     true},
    {"detail",
     {waits, "  Ports with fewer drain bytes are favoured; thresholds: 16KiB, 64KiB", detail_xoff, detail_sum,
      detail_terms, "TCP: minimum RTO 50ms, initial RTO 50ms, fast retransmit off"},
     true},
};

struct dry_outcome {
    int status;
    std::string out;
    std::string err;
};

dry_outcome dry_run(const fs::path& file, std::vector<std::string> options) {
    options.insert(options.begin(), {file.string(), "--dry-run"});
    std::ostringstream out;
    std::ostringstream err;
    const int status = run_command(options, out, err);
    return {status, out.str(), err.str()};
}

bool is_of_one_class(const environment& each) {
    return each.scheme == std::string("baseline") || each.scheme == std::string("fc");
}

std::size_t lines_of(const std::string& text) {
    return static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n'));
}

TEST(detail_experiments, a_schemes_name_alone_gives_the_papers_environment_in_every_file) {
    std::size_t files = 0;
    for (const fs::directory_entry& file : fs::directory_iterator(experiments)) {
        // The prototype in Click has two classes, and thresholds and timeouts of its own.
        const bool other = file.path().stem() == "paper" || file.path().stem() == "click";
        if (file.path().extension() != ".ini" || other) {
            continue;
        }
        ++files;
        // Both ends of its slow link have thresholds of their own.
        const std::size_t kinds_of_ports = file.path().stem() == "pods_degraded" ? 2 : 1;
        const bool incast = file.path().stem() == "incast";  // sets a timeout of its own, for all
        for (const environment& each : environments) {
            SCOPED_TRACE(file.path().filename().string() + ", " + each.scheme);
            const dry_outcome result = dry_run(file.path(), {std::string("--switch.scheme=") + each.scheme});
            EXPECT_EQ(result.status, 0) << result.err;
            // Schemes of one class merge its two priorities, and say so.
            const bool merges = file.path().stem() == "prioritised" && is_of_one_class(each);
            EXPECT_EQ(lines_of(result.err), (each.can_lose ? kinds_of_ports : 0U) + (merges ? 1U : 0U))
                << result.err;
            EXPECT_EQ(result.err.find("priorities 3 (traffic.priorities), 7 (traffic.priorities)") !=
                          std::string::npos,
                      merges)
                << result.err;
            EXPECT_EQ(result.err.find("warning: pfc.xoff = 11546 B (pfc.profile = detail)") == 0,
                      each.can_lose);
            for (std::string line : each.lines) {
                if (incast && line.find("TCP: ") == 0) {
                    line.replace(0, line.find(", fast"), "TCP: minimum RTO 10ms, initial RTO 10ms");
                }
                EXPECT_NE(result.out.find('\n' + line + '\n'), std::string::npos) << line << "\nis not in\n"
                                                                                  << result.out;
            }
        }
        EXPECT_EQ(dry_run(file.path(), {}).out, dry_run(file.path(), {"--switch.scheme=detail"}).out);
    }
    EXPECT_EQ(files, 13U);
}

// 7.2: 6 KB that wait for DMA at each end are 96 us at 1 Gb/s; two priorities; rate limiters at 98 %.
TEST(detail_experiments, the_prototype_has_its_delays_and_keeps_the_reserve_for_them) {
    const dry_outcome result = dry_run(experiments / "click.ini", {});
    EXPECT_EQ(result.status, 0) << result.err;
    EXPECT_EQ(result.err, "");
    for (const char* line : {"Fabric: 16 hosts, 20 switches", "2 classes",
                             "Flow control at 980Mbps, 6.6us: XOFF at 47489 B, XON below 16518 B, reserve "
                             "16518B per class, response "
                             "time 96us"}) {
        EXPECT_NE(result.out.find(line), std::string::npos) << line << "\nis not in\n" << result.out;
    }
}

TEST(detail_experiments, one_class_under_pfc_has_all_memory_but_equation_1) {
    const dry_outcome result = dry_run(experiments / "steady.ini", {"--switch.classes=1"});
    EXPECT_NE(result.out.find("XOFF at 126234 B, XON below 4838 B"), std::string::npos) << result.out;
}

TEST(detail_experiments, thresholds_given_by_hand_win_over_profile_and_scheme) {
    const dry_outcome result =
        dry_run(experiments / "steady.ini", {"--switch.scheme=fc", "--pfc.xoff=9KB", "--pfc.reserve=6KB",
                                             "--tcp.initial_rto=1s", "--switch.balance=packet_scatter"});
    EXPECT_EQ(result.status, 0) << result.err;
    for (const char* line : {"XOFF at 9000 B, XON below 6000 B", "  XOFF: pfc.xoff\n",
                             "  Reserve: pfc.reserve\n", "initial RTO 1s"}) {
        EXPECT_NE(result.out.find(line), std::string::npos) << line << "\nis not in\n" << result.out;
    }
}

TEST(detail_experiments, a_balancing_threshold_that_a_class_alone_does_not_reach_is_warned_of) {
    const auto warnings = [](std::vector<std::string> options) {
        const std::string err = dry_run(experiments / "steady.ini", std::move(options)).err;
        std::set<std::string> found;
        std::istringstream lines(err);
        for (std::string line; std::getline(lines, line);) {
            if (line.find("warning: switch.balance_thresholds: ") == 0) {
                found.insert(line.substr(36, line.find(" reached") - 36));
            }
        }
        return found;
    };
    using texts = std::set<std::string>;
    EXPECT_EQ(warnings({}), texts{});
    // 66,301 B at the most; room ends at 64,771 B.
    EXPECT_EQ(warnings({"--switch.share_alpha=1"}), texts{"64KiB is hardly ever"});
    EXPECT_EQ(warnings({"--switch.share_alpha=0.9"}), texts{"64KiB is never"});
    EXPECT_EQ(warnings({"--switch.share=fixed"}), (texts{"16KiB is hardly ever", "64KiB is never"}));
    EXPECT_EQ(warnings({"--switch.share=whole"}), texts{});
    EXPECT_EQ(warnings({"--switch.share=whole", "--switch.balance_thresholds=16KiB,200KiB"}),
              texts{"200KiB is never"});
    EXPECT_EQ(warnings({"--switch.share_alpha=1", "--switch.classes=1"}), texts{});
    // Nobody reads them.
    EXPECT_EQ(warnings({"--switch.share_alpha=1", "--switch.scheme=packet_scatter"}), texts{});
    EXPECT_EQ(warnings({"--switch.share_alpha=1", "--switch.balance=least_loaded"}), texts{});
}

}  // namespace
}  // namespace weir::tb
