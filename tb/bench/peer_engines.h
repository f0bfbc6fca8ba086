// The simulators that `weir bench --against` knows, by name.
#pragma once

#include <filesystem>
#include <memory>

#include "tb/bench/bench_arguments.h"
#include "tb/bench/compiled_peer.h"

namespace weir::tb {

/// The peer that `arguments.against` names; null where it names none. `work`: a directory that it may write
/// into.
std::unique_ptr<compiled_peer> make_peer(const bench_arguments& arguments, const std::filesystem::path& work);

}  // namespace weir::tb
