// Memory that is refused once: loaded before the program (LD_PRELOAD), in the place of glibc's allocator.
//
//   WEIR_REFUSE_NTH=1000           the 1,000th allocation of the process; of this process only
//   WEIR_REFUSED=/tmp/refused.txt  made when it has been
#include <fcntl.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdlib>

extern "C" {
void* __libc_malloc(std::size_t size);
void* __libc_calloc(std::size_t count, std::size_t size);
void* __libc_realloc(void* block, std::size_t size);
void* __libc_memalign(std::size_t alignment, std::size_t size);
}

namespace {

std::atomic<long> left{0};

__attribute__((constructor)) void read_number() {
    if (const char* const number = std::getenv("WEIR_REFUSE_NTH")) {
        left = std::atol(number);
        unsetenv("WEIR_REFUSE_NTH");
    }
}

bool refuses() {
    if (left.load(std::memory_order_relaxed) <= 0 || --left != 0) {
        return false;
    }
    ::close(::open(std::getenv("WEIR_REFUSED"), O_WRONLY | O_CREAT, 0666));
    errno = ENOMEM;
    return true;
}

}  // namespace

extern "C" {

void* malloc(std::size_t size) noexcept {
    return refuses() ? nullptr : __libc_malloc(size);
}
void* calloc(std::size_t count, std::size_t size) noexcept {
    return refuses() ? nullptr : __libc_calloc(count, size);
}
void* realloc(void* block, std::size_t size) noexcept {
    return refuses() ? nullptr : __libc_realloc(block, size);
}
void* memalign(std::size_t alignment, std::size_t size) noexcept {
    return refuses() ? nullptr : __libc_memalign(alignment, size);
}
void* aligned_alloc(std::size_t alignment, std::size_t size) noexcept {
    return memalign(alignment, size);
}
int posix_memalign(void** block, std::size_t alignment, std::size_t size) noexcept {
    void* const made = memalign(alignment, size);
    *block = made == nullptr ? *block : made;
    return made == nullptr ? ENOMEM : 0;
}

}  // extern "C"
