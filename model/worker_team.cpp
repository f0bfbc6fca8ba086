#include "weir/model/worker_team.h"

#include <algorithm>

namespace weir {

namespace {

// Looks at the work before a worker goes to sleep. A pause takes about 40 cycles on current processors: some 30
// us in all. A yield lets another worker have the processor, which is what takes time; to sleep and be woken in
// each quantum takes more.
constexpr unsigned pauses_before_sleep = 2000;
constexpr unsigned yields_before_sleep = 50;

void pause_processor() {
#if defined(__x86_64__)
    __builtin_ia32_pause();
#endif
}

}  // namespace

worker_team::worker_team(unsigned workers)
    : m_size(std::max(1U, workers)), m_has_processors(m_size <= std::thread::hardware_concurrency()) {
    for (unsigned worker = 1; worker < m_size; ++worker) {
        m_threads.emplace_back([this, worker] { work(worker); });
    }
}

worker_team::~worker_team() {
    m_over = true;
    run([](void*, unsigned) {}, nullptr);
    for (std::thread& t : m_threads) {
        t.join();
    }
}

void worker_team::run(call job, void* context) {
    m_job = job;
    m_context = context;
    m_busy.store(m_size - 1, std::memory_order_relaxed);
    // Either a worker that goes to sleep sees the new round, or it is seen to sleep: both orders are total.
    m_round.fetch_add(1, std::memory_order_seq_cst);
    if (m_sleeping.load(std::memory_order_seq_cst) != 0) {
        const std::lock_guard<std::mutex> lock(m_mutex);
        m_begun.notify_all();
    }
    job(context, 0);
    for (unsigned looks = 0; m_busy.load(std::memory_order_acquire) != 0; ++looks) {
        if (m_has_processors && looks < pauses_before_sleep) {
            pause_processor();
        } else {
            std::this_thread::yield();
        }
    }
}

void worker_team::work(unsigned worker) {
    std::uint32_t seen = 0;
    for (;;) {
        seen = next_round(seen);
        // Read before the caller may go on.
        const bool over = m_over;
        m_job(m_context, worker);
        m_busy.fetch_sub(1, std::memory_order_release);
        if (over) {
            return;
        }
    }
}

// Waits for a round after `seen`.
std::uint32_t worker_team::next_round(std::uint32_t seen) {
    const unsigned looks = m_has_processors ? pauses_before_sleep : yields_before_sleep;
    for (unsigned look = 0; look < looks; ++look) {
        const std::uint32_t round = m_round.load(std::memory_order_acquire);
        if (round != seen) {
            return round;
        }
        if (m_has_processors) {
            pause_processor();
        } else {
            std::this_thread::yield();
        }
    }
    std::unique_lock<std::mutex> lock(m_mutex);
    m_sleeping.fetch_add(1, std::memory_order_seq_cst);
    m_begun.wait(lock, [&] { return m_round.load(std::memory_order_seq_cst) != seen; });
    m_sleeping.fetch_sub(1, std::memory_order_seq_cst);
    return m_round.load(std::memory_order_acquire);
}

}  // namespace weir
