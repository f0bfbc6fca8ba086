// Clocks that jump at every call, by a day there and back, the steady one too: loaded before the program
// (LD_PRELOAD), in the place of the system's calls.
#include <dlfcn.h>
#include <sys/time.h>

#include <atomic>
#include <ctime>

namespace {

/// Unit: s. 0, a day later or a day earlier, in no order that calls could be in step with.
time_t jump() {
    static std::atomic<unsigned> calls{0};
    constexpr time_t day = 86'400;
    constexpr time_t jumps[] = {0, day, 0, -day};
    return jumps[(calls++ * 0x9E3779B9U) >> 30];
}

template <class Function>
Function* system_call(const char* name) {
    return reinterpret_cast<Function*>(dlsym(RTLD_NEXT, name));
}

}  // namespace

extern "C" {

int clock_gettime(clockid_t clock, timespec* now) noexcept {
    const int result = system_call<int(clockid_t, timespec*)>("clock_gettime")(clock, now);
    now->tv_sec += clock == CLOCK_REALTIME || clock == CLOCK_MONOTONIC ? jump() : 0;
    return result;
}
int gettimeofday(timeval* now, void* zone) noexcept {
    const int result = system_call<int(timeval*, void*)>("gettimeofday")(now, zone);
    now->tv_sec += jump();
    return result;
}
time_t time(time_t* now) noexcept {
    const time_t changed = system_call<time_t(time_t*)>("time")(nullptr) + jump();
    if (now != nullptr) {
        *now = changed;
    }
    return changed;
}

}  // extern "C"
