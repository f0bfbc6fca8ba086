// All of a waveform in memory, read with the program's own readers.
#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "tb/run/options/load_config.h"
#include "tb/verify/events/waveform.h"

namespace weir::test {

using namespace tb;

/// Values by time; a time is there once for each change.
using wave_history = std::map<std::uint64_t, std::uint64_t>;

struct read_wave {
    std::map<std::string, wave_history> signals;
    std::map<std::string, std::size_t> widths;
    /// As written, by signal.
    std::map<std::string, std::vector<std::pair<std::uint64_t, std::string>>> texts;

    /// Of the signal from `time` on.
    std::uint64_t at(const std::string& name, std::uint64_t time) const {
        const wave_history& history = signals.at(name);
        const auto after = history.upper_bound(time);
        return after == history.begin() ? 0 : std::prev(after)->second;
    }
    /// Just before `time`.
    std::uint64_t before(const std::string& name, std::uint64_t time) const {
        return time == 0 ? 0 : at(name, time - 1);
    }
};

/// Values of signals wider than 64 bits are their lowest 64.
inline read_wave read_waveform(const std::string& path) {
    config_errors errors;
    read_wave result;
    const auto wave = open_waveform(path, errors);
    EXPECT_TRUE(errors.empty()) << format_error(errors.front());
    if (wave == nullptr) {
        return result;
    }
    std::vector<std::size_t> all;
    for (std::size_t s = 0; s < wave->signals().size(); ++s) {
        all.push_back(s);
        const waveform_signal& signal = wave->signals()[s];
        EXPECT_EQ(result.widths.count(signal.name), 0U) << signal.name;
        result.widths[signal.name] = signal.width;
        result.signals[signal.name];
    }
    std::uint64_t last = 0;
    wave->read(
        all,
        [&](std::uint64_t time, std::size_t s, std::string_view bits) {
            const std::string& name = wave->signals()[s].name;
            EXPECT_GE(time, last);
            last = time;
            std::uint64_t value = 0;
            for (const char bit : bits) {
                value = value << 1 | (bit == '1' ? 1 : 0);
            }
            result.signals[name][time] = value;
            result.texts[name].emplace_back(time, std::string(bits));
        },
        errors);
    EXPECT_TRUE(errors.empty()) << format_error(errors.front());
    return result;
}

}  // namespace weir::test
