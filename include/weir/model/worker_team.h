// Threads that do one job together, again and again, with little between: a fork and a join per quantum.
//
// The caller is worker 0 and takes part. Workers that wait spin for some tens of microseconds, which is longer
// than a barrier takes, and then sleep, so that a fabric that has little to do leaves the processors to others.
// More workers than processors yield instead of spinning: those that wait must not keep others from running.
//
//   worker_team team(2);
//   team.run([&](unsigned worker) { ... });      // returns when every worker has returned
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <thread>
#include <vector>

namespace weir {

class worker_team {
 public:
    /// Range of `workers`: at least 1. One worker needs no thread.
    explicit worker_team(unsigned workers);
    ~worker_team();
    worker_team(const worker_team&) = delete;
    worker_team& operator=(const worker_team&) = delete;

    unsigned size() const { return m_size; }
    /// Calls `job(worker)` once on every worker, 0 on this thread. `job` must not throw. Everything written
    /// before is seen by all workers, and what they write is seen afterwards.
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
    std::uint32_t next_round(std::uint32_t seen);

    static constexpr std::size_t cache_line = 64;

    unsigned m_size;
    /// A processor for every worker.
    bool m_has_processors;
    call m_job = nullptr;
    void* m_context = nullptr;
    bool m_over = false;
    /// Counts the jobs that were begun.
    alignas(cache_line) std::atomic<std::uint32_t> m_round{0};
    /// Workers that have not finished the present one.
    alignas(cache_line) std::atomic<std::uint32_t> m_busy{0};
    alignas(cache_line) std::atomic<std::uint32_t> m_sleeping{0};
    std::mutex m_mutex;
    std::condition_variable m_begun;
    std::vector<std::thread> m_threads;
};

}  // namespace weir
