#include "weir/model/engine/worker_team.h"

#include <algorithm>
#include <string>
#include <system_error>

#include "weir/base/processors.h"

namespace weir::model {

namespace {

// How often a worker reads the gate before it sleeps. A pause instruction takes 40 to 140 cycles on current
// processors: some tens of microseconds in all. A yield, which takes longer, lets another worker run; sleeping
// and waking in each quantum would take more.
constexpr unsigned pauses_before_sleep = 2000;
constexpr unsigned yields_before_sleep = 50;

void let_time_pass(bool spin) {
    if (!spin) {
        std::this_thread::yield();
        return;
    }
#if defined(__x86_64__)
    __builtin_ia32_pause();
#endif
}

}  // namespace

worker_team::worker_team(unsigned workers)
    : m_size(std::max(1U, workers)), m_has_processors(m_size <= usable_processors()) {
    try {
        for (unsigned worker = 1; worker < m_size; ++worker) {
            m_threads.emplace_back([this, worker] { work(worker); });
        }
    } catch (const std::system_error& error) {
        const std::size_t made = m_threads.size() + 1;
        end();
        throw std::system_error(error.code(), "run.threads = " + std::to_string(m_size) + ": expected up to " +
                                                  std::to_string(made) +
                                                  ", as the system starts no more threads of this process");
    }
}

worker_team::~worker_team() {
    end();
}

void worker_team::end() {
    {
        const std::lock_guard<std::mutex> lock(m_mutex);
        m_over.store(true, std::memory_order_relaxed);
        m_begun.notify_all();
    }
    for (std::thread& t : m_threads) {
        t.join();
    }
    m_threads.clear();
}

void worker_team::run(call job, void* context) {
    m_job = job;
    m_context = context;
    // The next round, and open: a worker that is inside for a moment, having come too late for the last one,
    // stays counted. Either a worker that goes to sleep sees the new round, or it is seen to sleep.
    m_gate.fetch_add(next_round - closed, std::memory_order_seq_cst);
    if (m_sleeping.load(std::memory_order_seq_cst) != 0) {
        const std::lock_guard<std::mutex> lock(m_mutex);
        m_begun.notify_all();
    }
    job(context, 0);
    m_gate.fetch_add(closed, std::memory_order_acq_rel);
    for (unsigned looks = 0; (m_gate.load(std::memory_order_acquire) & inside) != 0; ++looks) {
        let_time_pass(m_has_processors && looks < pauses_before_sleep);
    }
}

void worker_team::work(unsigned worker) {
    std::uint64_t seen = 0;
    for (;;) {
        wait_after(seen);
        if (m_over.load(std::memory_order_relaxed)) {
            return;
        }
        const std::uint64_t gate = m_gate.fetch_add(1, std::memory_order_acquire);
        seen = round_of(gate);
        if ((gate & closed) == 0) {
            m_job(m_context, worker);
        }
        m_gate.fetch_sub(1, std::memory_order_release);
    }
}

// Until there is another round than this one, or no more.
void worker_team::wait_after(std::uint64_t round) {
    const auto is_over = [&] {
        return round_of(m_gate.load(std::memory_order_seq_cst)) != round ||
               m_over.load(std::memory_order_relaxed);
    };
    const unsigned looks = m_has_processors ? pauses_before_sleep : yields_before_sleep;
    for (unsigned look = 0; look < looks; ++look) {
        if (is_over()) {
            return;
        }
        let_time_pass(m_has_processors);
    }
    std::unique_lock<std::mutex> lock(m_mutex);
    m_sleeping.fetch_add(1, std::memory_order_seq_cst);
    m_begun.wait(lock, is_over);
    m_sleeping.fetch_sub(1, std::memory_order_seq_cst);
}

}  // namespace weir::model
