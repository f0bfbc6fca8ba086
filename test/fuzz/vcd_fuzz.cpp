// Waveforms: VCD.
#include "fuzz/fuzz_target.h"
#include "fuzz/read_waveform.h"

namespace weir::test {

static const fuzz_target vcd_target("vcd", [](std::string_view input) { read_waveform(tb::open_vcd, input); });

}  // namespace weir::test
