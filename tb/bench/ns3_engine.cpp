#include "tb/bench/ns3_engine.h"

namespace weir::tb {

/// The text of tb/bench/ns3/fat_tree.cpp.
extern const char* const ns3_fat_tree_source;

void ns3_engine::prepare(const std::vector<bench_case>&) {
    // As Debian builds ns-3, its headers without checks; the libraries are as Debian made them.
    compile(ns3_fat_tree_source, {"-std=c++17", "-O3", "-DNDEBUG"}, {},
            {"-lns3-applications", "-lns3-internet", "-lns3-point-to-point", "-lns3-network", "-lns3-core"},
            "Debian's libns3-dev");
    const process_result package =
        run_process({"dpkg-query", "--show", "--showformat=${Version}", "libns3-dev"});
    if (package.status == 0 && !package.output.empty()) {
        m_version = package.output;
    }
}

}  // namespace weir::tb
