// This program, as `weir run` in a process of its own.
#pragma once

#include <filesystem>

#include "tb/bench/bench_engine.h"

namespace weir::tb {

class weir_engine : public bench_engine {
 public:
    /// `overrides`: options on top of each case's, as `--key=value`. `work`: a directory that it may write
    /// into.
    weir_engine(std::vector<std::string> overrides, const std::filesystem::path& work);

    std::string name() const override { return "weir"; }
    std::string version() const override { return WEIR_VERSION; }
    bool has(const bench_case&) const override { return true; }
    /// Lets `weir run` check all cases with so many threads.
    void check_with(unsigned threads) { m_checked_threads = threads; }
    void prepare(const std::vector<bench_case>& cases) override;
    /// What `weir run` warned of, a line each, with the case before it.
    const std::string& warnings() const { return m_warnings; }
    std::vector<std::string> options(const bench_case& which) const override;
    /// The processor's model, once something has been run.
    const std::string& machine() const { return m_machine; }

 protected:
    std::vector<std::string> command(const bench_case& which, std::uint64_t duration_ns,
                                     unsigned threads) override;
    bench_sample read(const std::string& output) override;

 private:
    std::vector<std::string> m_overrides;
    std::filesystem::path m_out;
    std::string m_program;
    std::string m_machine;
    unsigned m_checked_threads = 1;
    std::string m_warnings;
};

}  // namespace weir::tb
