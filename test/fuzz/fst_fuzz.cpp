// Waveforms: FST.
#include "fuzz/fuzz_target.h"
#include "fuzz/read_waveform.h"
#include "tb/compare/fst_file.h"

namespace weir::test {

static const fuzz_target fst_target("fst", [](std::string_view input) { read_waveform(tb::open_fst, input); });

}  // namespace weir::test
