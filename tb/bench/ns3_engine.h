// ns-3 with the same fabric and load: tb/bench/ns3/fat_tree.cpp, compiled against Debian's libns3-dev when it
// is wanted.
#pragma once

#include <filesystem>

#include "tb/bench/bench_engine.h"

namespace weir::tb {

class ns3_engine : public bench_engine {
 public:
    /// `work`: a directory that it may write into.
    explicit ns3_engine(std::filesystem::path work);

    std::string name() const override { return "ns3"; }
    /// Of Debian's package; `unknown` where dpkg does not know it.
    std::string version() const override { return m_version; }
    bool has(const bench_case& which) const override { return !which.ns3_options.empty(); }
    /// It takes some twenty times as long, and shorter runs, whose queues are shorter, are cheaper for it.
    double share_of_time() const override { return 0.25; }
    /// Compiles, with $CXX or c++.
    void prepare(const std::vector<bench_case>& cases) override;
    std::vector<std::string> options(const bench_case& which) const override { return which.ns3_options; }

 protected:
    std::vector<std::string> command(const bench_case& which, std::uint64_t duration_ns,
                                     unsigned threads) override;
    bench_sample read(const std::string& output) override;

 private:
    std::filesystem::path m_work;
    std::string m_version = "unknown";
};

}  // namespace weir::tb
