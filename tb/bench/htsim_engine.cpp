#include "tb/bench/htsim_engine.h"

#include "tb/process/exit_status.h"
#include "weir/base/trimmed.h"

namespace weir::tb {

namespace fs = std::filesystem;

/// The text of tb/bench/htsim/fat_tree.cpp.
extern const char* const htsim_fat_tree_source;

namespace {

/// Its library's folder in a copy of its repository. Throws command_error.
fs::path library_in(const fs::path& sources) {
    const auto refuse = [&](const std::string& what) {
        return command_error("command line: --htsim: '" + sources.string() + "' " + what +
                                 "; expected a copy of htsim's repository (Broadcom/csg-htsim)",
                             exit_status::bad_input);
    };
    std::error_code error;
    if (!fs::is_directory(sources, error)) {
        throw refuse("is not a directory");
    }
    const fs::path library = sources / "sim";
    if (!fs::exists(library / "eventlist.cpp", error)) {
        throw refuse("has no sim/eventlist.cpp");
    }
    return library;
}

/// `.git` named, or git would look for a repository above the copy.
std::string revision_of(const fs::path& sources) {
    const process_result said =
        run_process({"git", "--no-optional-locks", "--git-dir=" + (sources / ".git").string(),
                     "--work-tree=" + sources.string(), "describe", "--always", "--tags", "--dirty"});
    const std::string revision(trimmed(said.output));
    return said.status == 0 && !revision.empty() ? revision : "unknown";
}

}  // namespace

void htsim_engine::prepare(const std::vector<bench_case>&) {
    const fs::path library = library_in(m_sources);
    // Its own Makefile takes -O3, with debugging checks. All in one translation unit, whose compiler knows that
    // there is no other, costs a twentieth fewer instructions.
    std::vector<std::string> flags{"-std=c++17", "-O3", "-DNDEBUG", "-fwhole-program"};
    if (*WEIR_ARCH_FLAG != '\0') {
        flags.emplace_back(WEIR_ARCH_FLAG);
    }
    // Its sources warn of much.
    compile(htsim_fat_tree_source, flags, {"-w", "-iquote", library.string()}, {},
            "a revision of htsim that this program knows (docs/bench.md)");
    m_version = revision_of(m_sources);
}

}  // namespace weir::tb
