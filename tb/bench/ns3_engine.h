// ns-3, as Debian's libns3-dev has it.
#pragma once

#include "tb/bench/compiled_peer.h"

namespace weir::tb {

class ns3_engine : public compiled_peer {
 public:
    /// `work`: a directory that it may write into.
    explicit ns3_engine(std::filesystem::path work) : compiled_peer(std::move(work)) {}

    std::string name() const override { return "ns3"; }
    /// Of Debian's package; `unknown` where dpkg does not know it.
    std::string version() const override { return m_version; }
    /// It takes some twenty times as long, and shorter runs, whose queues are shorter, are cheaper for it.
    double share_of_time() const override { return 0.25; }
    void prepare(const std::vector<bench_case>& cases) override;

 private:
    std::string m_version = "unknown";
};

}  // namespace weir::tb
