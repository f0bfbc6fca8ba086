// Flow files of HPCC.
#include "fuzz/read_trace.h"

namespace weir::test {

static const fuzz_target trace_hpcc_target("trace_hpcc", [](std::string_view input) {
    read_trace(traffic::trace_format::hpcc, input);
});

}  // namespace weir::test
