// Connection matrices of htsim.
#include "fuzz/read_trace.h"

namespace weir::test {

static const fuzz_target trace_htsim_target("trace_htsim", [](std::string_view input) {
    read_trace(traffic::trace_format::htsim, input);
});

}  // namespace weir::test
