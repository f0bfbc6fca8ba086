// Reads the changes of chosen signals out of a waveform: VCD with a reader of its own, FST with GTKWave's.
//
//   std::unique_ptr<waveform> wave = open_waveform("run.vcd", errors);
//   const std::optional<signal_slice> clock = find_signal(*wave, "tb.clk");
//   wave->read({clock->signal}, [](std::uint64_t time, std::size_t signal, std::string_view bits) {...},
//   errors);
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "weir/base/config_error.h"

namespace weir {

struct waveform_signal {
    /// Scopes with dots between, without the range of its bits: `tb.dut.count`.
    std::string name;
    /// Unit: bit. 0 for reals and strings.
    std::size_t width = 0;
    /// The number of the last bit in `[7:4]`; 0 where the file says none.
    std::int64_t last_bit = 0;
};

/// What a signal is now: its bits, the highest first, of 0, 1, x and z; a real's or a string's text.
using change_function = std::function<void(std::uint64_t time, std::size_t signal, std::string_view value)>;

class waveform {
 public:
    virtual ~waveform() = default;

    const std::vector<waveform_signal>& signals() const { return m_signals; }
    /// Calls for each change of these signals (places in `signals()`), in the order of time. False, and an
    /// error, where the file is broken. May be called once.
    virtual bool read(const std::vector<std::size_t>& signals, const change_function& change,
                      config_errors& errors) = 0;

 protected:
    std::vector<waveform_signal> m_signals;
};

/// Whether the name ends in .vcd or .fst.
bool is_waveform(const std::string& path);

/// Reads the list of signals. Nothing, and an error, where the file can not be read.
std::unique_ptr<waveform> open_waveform(const std::string& path, config_errors& errors);
std::unique_ptr<waveform> open_vcd(const std::string& path, config_errors& errors);
/// Also nothing where the program was built without FST.
std::unique_ptr<waveform> open_fst(const std::string& path, config_errors& errors);

/// A signal, or some of its bits.
struct signal_slice {
    std::size_t signal = 0;
    /// Places in the text of its bits; the whole text where there are none.
    std::optional<std::pair<std::size_t, std::size_t>> bits;
};

/// `tb.count`, `tb.count[3]`, `tb.count[7:4]`. Nothing: no such signal, or no such bits.
std::optional<signal_slice> find_signal(const waveform& wave, const std::string& path);

/// Cuts the range off a name: `count[7:4]` is `count`, and `last_bit` 4. `count[3]` stays: it may be an element
/// of an array.
std::string without_range(const std::string& name, std::int64_t& last_bit);

}  // namespace weir
