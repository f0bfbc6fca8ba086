// Another simulator with the same fabric and load: tb/bench/PEER/fat_tree.cpp, whose text weir carries in
// itself and compiles against the peer when it is wanted.
#pragma once

#include <filesystem>

#include "tb/bench/bench_engine.h"

namespace weir::tb {

class compiled_peer : public bench_engine {
 public:
    bool has(const bench_case& which) const override { return which.peers.count(name()) != 0; }
    std::vector<std::string> options(const bench_case& which) const override { return which.peers.at(name()); }
    /// The compiler and its flags, once the program has been compiled.
    const std::string& build() const { return m_build; }

 protected:
    /// `work`: a directory that it may write into.
    explicit compiled_peer(std::filesystem::path work) : m_work(std::move(work)) {}

    /// Compiles `source` with $CXX or c++: `flags` before it, which are kept as `build`, `where` beside them,
    /// `libraries` behind. `needs`: what has to be there, for the message. Throws command_error.
    void compile(const std::string& source, const std::vector<std::string>& flags,
                 const std::vector<std::string>& where, const std::vector<std::string>& libraries,
                 const std::string& needs);

    std::vector<std::string> command(const bench_case& which, std::uint64_t duration_ns,
                                     unsigned threads) override;
    bench_sample read(const std::string& output) override;

 private:
    std::filesystem::path m_work;
    std::string m_build;
};

}  // namespace weir::tb
