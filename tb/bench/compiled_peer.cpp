#include "tb/bench/compiled_peer.h"

#include <cstdlib>
#include <nlohmann/json.hpp>

#include "tb/files/output_file.h"
#include "tb/process/exit_status.h"
#include "tb/text/joined.h"

namespace weir::tb {

void compiled_peer::compile(const std::string& source, const std::vector<std::string>& flags,
                            const std::vector<std::string>& where, const std::vector<std::string>& libraries,
                            const std::string& needs) {
    const std::string file = (m_work / "fat_tree.cpp").string();
    write_file(file, source);
    const char* const chosen = std::getenv("CXX");
    const std::string compiler = chosen != nullptr && *chosen != '\0' ? chosen : "c++";
    m_build = compiler + " " + joined(flags, " ");
    std::vector<std::string> words{compiler};
    words.insert(words.end(), flags.begin(), flags.end());
    words.insert(words.end(), where.begin(), where.end());
    words.insert(words.end(), {file, "-o", (m_work / "fat_tree").string()});
    words.insert(words.end(), libraries.begin(), libraries.end());
    const process_result made = run_process(words);
    if (made.status != 0) {
        const std::string why = made.status == 127 ? "cannot be started" : made.errors.substr(0, 1000);
        throw command_error("command line: --against: " + name() +
                                ": its program cannot be compiled; expected " + needs +
                                " and a compiler ($CXX or c++) installed\n" + compiler + ": " + why,
                            exit_status::bad_input);
    }
}

std::vector<std::string> compiled_peer::command(const bench_case& which, std::uint64_t duration_ns, unsigned) {
    std::vector<std::string> words{(m_work / "fat_tree").string()};
    const std::vector<std::string> all = options(which);
    words.insert(words.end(), all.begin(), all.end());
    words.push_back("--duration_ns=" + std::to_string(duration_ns));
    return words;
}

bench_sample compiled_peer::read(const std::string& output) {
    const nlohmann::json said = nlohmann::json::parse(output, nullptr, false);
    if (!said.is_object()) {
        throw command_error(name() + ": its program said:\n" + output, exit_status::environment);
    }
    const std::uint64_t drops = said.at("drops");
    // Of a transport that has them.
    const std::uint64_t negative_acks = said.value("negative_acks", std::uint64_t{0});
    if (drops != 0 || negative_acks != 0) {
        throw command_error(name() + ": " + std::to_string(drops) + " packets were dropped, and " +
                                std::to_string(negative_acks) +
                                " negative ACKs came; its queues are meant to be long enough for all",
                            exit_status::environment);
    }
    return read_sample(said.at("packet_hops"), said);
}

}  // namespace weir::tb
