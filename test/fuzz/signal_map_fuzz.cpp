// Signal maps, beside a waveform (VCD).
#include "fuzz/fuzz_target.h"
#include "tb/verify/events/signal_map.h"
#include "tb/verify/events/waveform_events.h"

namespace weir::test {

static const fuzz_target signal_map_target("signal_map", [](std::string_view input) {
    const auto parts = parts_of(input, 2);
    config_errors errors;
    const tb::signal_map map = tb::read_signal_map(file_of(parts[0], 0), errors);
    if (errors.empty()) {
        tb::read_waveform_events(file_of(parts[1], 1), map, errors);
    }
    check(errors);
});

}  // namespace weir::test
