// htsim, compiled from a copy of its repository (Broadcom/csg-htsim) that the user names.
#pragma once

#include "tb/bench/compiled_peer.h"

namespace weir::tb {

class htsim_engine : public compiled_peer {
 public:
    /// `sources`: the copy of the repository, which is read only. `work`: a directory that it may write into.
    htsim_engine(std::filesystem::path sources, std::filesystem::path work)
        : compiled_peer(std::move(work)), m_sources(std::move(sources)) {}

    std::string name() const override { return "htsim"; }
    /// The revision, as `git describe --always` has it; `unknown` where the copy is none of git's.
    std::string version() const override { return m_version; }
    void prepare(const std::vector<bench_case>& cases) override;

 private:
    std::filesystem::path m_sources;
    std::string m_version = "unknown";
};

}  // namespace weir::tb
