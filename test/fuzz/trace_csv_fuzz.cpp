// Flow traces in the project's own format.
#include "fuzz/read_trace.h"

namespace weir::test {

static const fuzz_target trace_csv_target("trace_csv", [](std::string_view input) {
    read_trace(traffic::trace_format::csv, input);
});

}  // namespace weir::test
