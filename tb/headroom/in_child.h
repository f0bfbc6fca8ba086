// Runs part of the program in a process of its own: SystemC cannot elaborate twice in one.
#pragma once

#include <functional>
#include <string>

namespace weir {

/// What `work` returns, as bytes. The kernel must not have been elaborated in the calling process. Throws
/// std::runtime_error where no process can be made, or where it ends otherwise than by returning.
std::string in_child(const std::function<std::string()>& work);

}  // namespace weir
