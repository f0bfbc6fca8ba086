// libFuzzer calls the one target that the program has.
#include <pthread.h>
#include <sanitizer/common_interface_defs.h>

#include <csignal>
#include <cstddef>
#include <cstdint>

#include "fuzz/fuzz_target.h"

namespace {

/// A parser's own process may fail: its parent says what that means. It is not libFuzzer's to report.
void leave_to_parent() {
    __sanitizer_set_death_callback(nullptr);
    for (const int signal : {SIGABRT, SIGBUS, SIGFPE, SIGILL, SIGSEGV}) {
        std::signal(signal, SIG_DFL);
    }
}

}  // namespace

// Their names and arguments are libFuzzer's.
extern "C" int LLVMFuzzerInitialize(int* argc, char*** argv);
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

extern "C" int LLVMFuzzerInitialize(int*, char***) {
    return pthread_atfork(nullptr, nullptr, leave_to_parent);
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    weir::test::call(weir::test::fuzz_targets().front(), {reinterpret_cast<const char*>(data), size});
    return 0;
}
