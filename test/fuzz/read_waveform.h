// Reads a waveform with all its signals.
#pragma once

#include <cstddef>
#include <cstdint>
#include <numeric>
#include <string>
#include <vector>

#include "fuzz/fuzz_target.h"
#include "tb/verify/events/waveform.h"

namespace weir::test {

template <class Open>
void read_waveform(Open open, std::string_view input) {
    config_errors errors;
    if (const auto wave = open(file_of(input), errors)) {
        std::vector<std::size_t> all(wave->signals().size());
        std::iota(all.begin(), all.end(), std::size_t{0});
        const auto unit = wave->unit();
        wave->read(
            all, [&](std::uint64_t time, std::size_t, std::string_view) { tb::time_text(time, unit); }, errors);
    }
    check(errors);
}

}  // namespace weir::test
