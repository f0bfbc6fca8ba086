// The program's scripted endpoint, under the tests' names.
#pragma once

#include "tb/headroom/scripted_endpoint.h"

namespace weir::test {

using weir::frame_between;
using weir::scripted_endpoint;

}  // namespace weir::test
