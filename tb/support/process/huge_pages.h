// Memory of the model in pages of 2 MiB, where the system gives them on request (Linux, transparent huge
// pages).
//
// A quantum touches the state of every node with traffic: hundreds of megabytes for thousands of hosts, more
// than the processor's tables of pages cover. Speed only: nothing depends on what the system answers.
#pragma once

#include <cstddef>

namespace weir::model {
class topology;
}  // namespace weir::model

namespace weir::tb {

/// Address space that the fabric and its traffic are likely to need. Unit: B. Too much costs nothing but the
/// rest of the last page, for memory is taken when it is touched.
std::size_t likely_memory(const model::topology& plan);

/// Lets the heap grow by `size` bytes at once, and asks the system for huge pages there. Before the memory is
/// used. Other threads take what their nodes grow by from heaps of their own, with small pages, so that none
/// waits for another's first touch of a page. Does nothing for a small fabric, and where there is no such
/// system or another allocator.
void reserve_huge_pages(std::size_t size);

}  // namespace weir::tb
