// The examples of docs/extending.md in a whole run: each takes its place by its name.
#include <gtest/gtest.h>

#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "extending/all_to_all.h"
#include "extending/bending_path.h"
#include "extending/dctcp.h"
#include "extending/loss_table.h"
#include "extending/ring.h"
#include "tb/files/run_files.h"
#include "tb/run/run_command.h"

namespace weir::tb {
namespace {

namespace fs = std::filesystem;

std::string contents_of_file(const fs::path& name) {
    std::ifstream file(name, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

TEST(extending, a_run_takes_kinds_from_outside_by_their_names) {
    outside::add_dctcp();
    outside::add_bending_path();
    outside::add_all_to_all();
    outside::add_ring();
    outside::add_loss_table();
    const fs::path out = fs::temp_directory_path() / ("weir_extending_" + std::to_string(::getpid()));
    std::ostringstream said;
    std::ostringstream wrong;
    const int status =
        run_command({"--fabric.topology=ring", "--traffic.kind=all_to_all", "--tcp.congestion=dctcp",
                     "--tcp.path_choice=bending", "--switch.buffer=shared", "--shared.ecn_threshold=20KB",
                     "--out", out.string()},
                    said, wrong);
    EXPECT_EQ(status, 0) << wrong.str();
    const nlohmann::json summary = nlohmann::json::parse(contents_of_file(out / "summary.json"));
    EXPECT_EQ(summary["flows"]["completed"], 8 * 7);
    EXPECT_EQ(summary["groups"][0]["tag"], "all_to_all");
    EXPECT_GT(summary["ecn"]["seen"], 0);
    EXPECT_EQ(contents_of_file(out / "losses.csv").substr(0, 19), "node,reason,frames\n");
    EXPECT_NE(contents_of_file(out / "effective.ini").find("congestion = dctcp"), std::string::npos);
    fs::remove_all(out);
}

TEST(extending, an_unknown_name_is_answered_with_all_that_are_known) {
    outside::add_dctcp();
    std::ostringstream said;
    std::ostringstream wrong;
    EXPECT_EQ(run_command({"--tcp.congestion=detcp", "--dry-run"}, said, wrong), 2);
    EXPECT_NE(wrong.str().find("'detcp' is unknown; expected newreno, newreno_ecn, dctcp, or auto"),
              std::string::npos)
        << wrong.str();
}

/// The page says of each file what the registry says, and of no other.
TEST(run_files, are_what_the_page_lists) {
    const std::string page = contents_of_file(fs::path(WEIR_GOLDEN_DIR) / "../../docs/output-files.md");
    std::string expected = "| file | holds | when |\n|---|---|---|\n";
    for (const auto& file : run_files().entries()) {
        expected += "| `" + file.name + "` | " + file.doc + " | " + file.traits.when + " |\n";
    }
    EXPECT_NE(page.find(expected + "\n"), std::string::npos) << expected;
}

}  // namespace
}  // namespace weir::tb
