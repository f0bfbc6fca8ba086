// Runs as child processes, each started by another program if need be: `bsub -K`, `srun -n1`, `ssh`.
#pragma once

#include <string>
#include <vector>

#include "tb/campaign/run_places.h"
#include "weir/base/unit_text.h"

namespace weir::tb {

/// `bsub -K -q normal`: words as a shell divides them, with quotes.
parse_result<std::vector<std::string>> parse_launcher(const std::string& text);

class local_places final : public run_places {
 public:
    /// `launcher`: words before `weir run ...`; it stays until the run has ended, and has its exit status. On
    /// SIGTERM it has to end the run. `lock`: descriptor that the runs inherit.
    explicit local_places(int lock, std::vector<std::string> launcher = {})
        : m_lock(lock), m_launcher(std::move(launcher)) {}

    std::unique_ptr<started_run> start(const std::vector<std::string>& arguments) override;
    /// SIGCHLD says it.
    std::chrono::milliseconds interval() const override { return std::chrono::milliseconds{250}; }

 private:
    const int m_lock;
    const std::vector<std::string> m_launcher;
};

}  // namespace weir::tb
