// Waveforms: FST.
#include "fuzz/fuzz_target.h"
#include "fuzz/read_waveform.h"

namespace weir::test {

static const fuzz_target fst_target("fst", [](std::string_view input) { read_waveform(tb::open_fst, input); });

}  // namespace weir::test
