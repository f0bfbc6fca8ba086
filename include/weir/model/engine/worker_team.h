// Threads that share one short job after another: a fork and a join per quantum.
//
// The caller is worker 0 and takes part. When it has done its part the job is closed: it waits for the workers
// that have begun, and a worker that comes later (the system had given its processor to another process) finds
// nothing to do. So a job has to be such that any of the workers can do all of it.
//
// Workers that wait spin for some tens of microseconds, which is longer than a barrier takes, and then sleep,
// so that a fabric that has little to do leaves the processors to others. More workers than processors yield
// instead of spinning: those that wait must not keep others from running.
//
//   worker_team team(2);
//   team.run([&](unsigned worker) { ... });      // returns when every worker that has begun has returned
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <thread>
#include <vector>

#include "weir/base/namespaces.h"

namespace weir::model {

class worker_team {
 public:
    /// Range of `workers`: at least 1. One worker needs no thread. Throws std::runtime_error where the system
    /// starts no more threads.
    explicit worker_team(unsigned workers);
    ~worker_team();
    worker_team(const worker_team&) = delete;
    worker_team& operator=(const worker_team&) = delete;

    unsigned size() const { return m_size; }
    /// Calls `job(worker)` on worker 0, which is this thread, and at most once on each of the others. `job`
    /// must not throw. Everything written before is seen by all workers, and what they write is seen
    /// afterwards.
    template <class Job>
    void run(Job&& job) {
        run([](void* context,
               unsigned worker) { (*static_cast<std::remove_reference_t<Job>*>(context))(worker); },
            const_cast<void*>(static_cast<const void*>(&job)));
    }

 private:
    using call = void (*)(void* context, unsigned worker);
    void run(call job, void* context);
    void work(unsigned worker);
    void wait_after(std::uint64_t round);
    void end();

    static constexpr std::size_t cache_line = 64;
    // A gate: how many workers are inside, whether it is closed, and which job it is for.
    static constexpr std::uint64_t inside = (std::uint64_t{1} << 31) - 1;
    static constexpr std::uint64_t closed = std::uint64_t{1} << 31;
    static constexpr std::uint64_t next_round = std::uint64_t{1} << 32;
    static std::uint64_t round_of(std::uint64_t gate) { return gate >> 32; }

    unsigned m_size;
    /// A processor for every worker.
    bool m_has_processors;
    call m_job = nullptr;
    void* m_context = nullptr;
    alignas(cache_line) std::atomic<std::uint64_t> m_gate{closed};
    alignas(cache_line) std::atomic<std::uint32_t> m_sleeping{0};
    std::atomic<bool> m_over{false};
    std::mutex m_mutex;
    std::condition_variable m_begun;
    std::vector<std::thread> m_threads;
};

}  // namespace weir::model
