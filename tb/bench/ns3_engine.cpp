#include "tb/bench/ns3_engine.h"

#include <cstdlib>
#include <fstream>
#include <nlohmann/json.hpp>

#include "tb/process/exit_status.h"

namespace weir::tb {

/// The text of tb/bench/ns3/fat_tree.cpp.
extern const char* const ns3_fat_tree_source;

ns3_engine::ns3_engine(std::filesystem::path work) : m_work(std::move(work)) {}

void ns3_engine::prepare(const std::vector<bench_case>&) {
    const auto source = m_work / "fat_tree.cpp";
    std::ofstream(source, std::ios::binary) << ns3_fat_tree_source;
    const char* const chosen = std::getenv("CXX");
    const std::string compiler = chosen != nullptr && *chosen != '\0' ? chosen : "c++";
    // As Debian builds ns-3, its headers without checks; the libraries are as Debian made them.
    const process_result made = run_process(
        {compiler, "-std=c++17", "-O3", "-DNDEBUG", source.string(), "-o", (m_work / "fat_tree").string(),
         "-lns3-applications", "-lns3-internet", "-lns3-point-to-point", "-lns3-network", "-lns3-core"});
    if (made.status != 0) {
        const std::string why = made.status == 127 ? "cannot be started" : made.errors.substr(0, 1000);
        throw command_error(
            "command line: --against: ns3: its program cannot be compiled; expected with Debian's libns3-dev "
            "and a "
            "compiler ($CXX or c++) installed\n" +
                compiler + ": " + why,
            exit_status::bad_input);
    }
    const process_result package =
        run_process({"dpkg-query", "--show", "--showformat=${Version}", "libns3-dev"});
    if (package.status == 0 && !package.output.empty()) {
        m_version = package.output;
    }
}

std::vector<std::string> ns3_engine::command(const bench_case& which, std::uint64_t duration_ns, unsigned) {
    std::vector<std::string> words{(m_work / "fat_tree").string()};
    words.insert(words.end(), which.ns3_options.begin(), which.ns3_options.end());
    words.push_back("--duration_ns=" + std::to_string(duration_ns));
    return words;
}

bench_sample ns3_engine::read(const std::string& output) {
    const nlohmann::json said = nlohmann::json::parse(output, nullptr, false);
    if (!said.is_object()) {
        throw command_error("ns3: its program said:\n" + output, exit_status::environment);
    }
    if (const std::uint64_t drops = said.at("drops"); drops != 0) {
        throw command_error("ns3: " + std::to_string(drops) +
                                " packets were dropped; its queues are meant to be long enough for all",
                            exit_status::environment);
    }
    return read_sample(said.at("packet_hops"), said);
}

}  // namespace weir::tb
