// The program's scripted endpoint, under the tests' names.
#pragma once

#include "tb/asic/headroom/scripted_endpoint.h"

namespace weir::test {

using namespace tb;

using tb::frame_between;
using tb::scripted_endpoint;

}  // namespace weir::test
