#include "tb/support/process/ending_signals.h"

#include <algorithm>
#include <ctime>
#include <iterator>

namespace weir::tb {

namespace {

constexpr int ending[] = {SIGINT, SIGTERM, SIGHUP};

volatile std::sig_atomic_t noted_signal = 0;
timespec noted_at{};

// A second one after a second (`timeout` sends two at once) does not wait for the quantum's end.
void note(int signal) {
    timespec now{};
    clock_gettime(CLOCK_MONOTONIC, &now);
    if (noted_signal == 0) {
        noted_at = now;
        noted_signal = signal;
    } else if (now.tv_sec - noted_at.tv_sec > 1) {
        std::signal(signal, SIG_DFL);
        std::raise(signal);  // as soon as this handler returns
    }
}

}  // namespace

sigset_t ending_signals() {
    sigset_t set;
    sigemptyset(&set);
    struct sigaction hang_up {};
    sigaction(SIGHUP, nullptr, &hang_up);
    for (const int signal : ending) {
        if (signal != SIGHUP || hang_up.sa_handler != SIG_IGN) {
            sigaddset(&set, signal);
        }
    }
    return set;
}

signal_guard::signal_guard() {
    static_assert(std::size(ending) == most_signals);
    noted_signal = 0;
    const sigset_t set = ending_signals();
    struct sigaction action {};
    action.sa_handler = note;
    for (int i = 0; i < most_signals; ++i) {
        sigaction(ending[i], sigismember(&set, ending[i]) == 1 ? &action : nullptr, &m_before[i]);
    }
}

signal_guard::~signal_guard() {
    for (int i = 0; i < most_signals; ++i) {
        sigaction(ending[i], &m_before[i], nullptr);
    }
}

int signal_guard::received() {
    return noted_signal;
}

waiting_signals::waiting_signals() : m_wanted(ending_signals()) {
    sigaddset(&m_wanted, SIGCHLD);
    // An ignored SIGCHLD would take the processes' statuses away.
    std::signal(SIGCHLD, SIG_DFL);
    sigprocmask(SIG_BLOCK, &m_wanted, &m_before);
}

int waiting_signals::wait(std::chrono::milliseconds longest) const {
    const auto whole = std::chrono::duration_cast<std::chrono::seconds>(longest);
    const timespec time{whole.count(), std::chrono::nanoseconds(longest - whole).count()};
    return std::max(0, sigtimedwait(&m_wanted, nullptr, &time));
}

}  // namespace weir::tb
