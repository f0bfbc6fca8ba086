#include "tb/support/process/huge_pages.h"

#include "weir/model/topology/topology.h"

#if defined(__linux__) && defined(__GLIBC__)
#include <malloc.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <limits>
#endif

namespace weir::tb {

std::size_t likely_memory(const topology& plan) {
    // Twice what docs/performance.md found for the parts of a fabric.
    constexpr std::size_t host = 16U << 10;
    constexpr std::size_t port = 24U << 10;
    constexpr std::size_t voq = 128;
    std::size_t all = plan.hosts() * host;
    for (switch_id s = 0; s < plan.switches(); ++s) {
        const std::size_t ports = plan.port_count(s);
        all += ports * port + ports * ports * voq;
    }
    return all;
}

#if defined(__linux__) && defined(__GLIBC__)
void reserve_huge_pages(std::size_t size) {
    // Less than that fits the caches and tables of today's processors.
    constexpr std::size_t worth_it = 16 << 20;
    // For what is not the fabric's own.
    constexpr std::size_t program = 32 << 20;
    if (size < worth_it) {
        return;
    }
    size += program;
    // Settings of glibc's allocator; to set one ends its own adjustment of the
    // others, hence the limit above which an allocation is a mapping of its own: as high as it may go.
    constexpr int default_top_pad = 128 << 10;
    constexpr int largest_mmap_threshold = 32 << 20;
    constexpr std::size_t more_than_the_heap_has_left = 24 << 20;
    constexpr std::uintptr_t huge_page = std::uintptr_t{2} << 20;

    const auto pad = static_cast<int>(std::min<std::size_t>(size, std::numeric_limits<int>::max()));
    const auto heap_end = [] { return reinterpret_cast<std::uintptr_t>(sbrk(0)); };
    const std::uintptr_t begin = (heap_end() + huge_page - 1) / huge_page * huge_page;
    mallopt(M_MMAP_THRESHOLD, largest_mmap_threshold);
    mallopt(M_TRIM_THRESHOLD, std::numeric_limits<int>::max());
    mallopt(M_TOP_PAD, pad);
    void* volatile extends_the_heap = std::malloc(more_than_the_heap_has_left);
    std::free(extends_the_heap);
    mallopt(M_TOP_PAD, default_top_pad);
    if (const std::uintptr_t end = heap_end(); end > begin) {
        madvise(reinterpret_cast<void*>(begin), end - begin, MADV_HUGEPAGE);
    }
}
#else
void reserve_huge_pages(std::size_t) {}
#endif

}  // namespace weir::tb
