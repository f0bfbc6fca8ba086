// Reads the changes of chosen signals out of a waveform: VCD, or FST, which GTKWave's library turns into VCD.
//
//   std::unique_ptr<waveform> wave = open_waveform("run.vcd", errors);
//   const std::optional<signal_slice> clock = find_signal(*wave, "tb.clk");
//   wave->read({clock->signal}, [](std::uint64_t time, std::size_t signal, std::string_view bits) { ... },
//   errors);
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "tb/support/files/input_file.h"
#include "weir/base/config_error.h"

namespace weir::tb {

struct waveform_signal {
    /// Scopes with dots between, without the range of its bits: `tb.dut.count`.
    std::string name;
    /// Unit: bit. Range: 0 (reals, strings, and signals without bits) to most_bits.
    std::size_t width = 0;
    /// The numbers of the first and the last bit as the file says them, `[7:4]`, or `[0:3]` where they rise; 0
    /// where it says none, and then the last bit is 0.
    std::int64_t first_bit = 0;
    std::int64_t last_bit = 0;

    /// The first bit has the lowest number: VHDL's `to`.
    bool rises() const {
        return first_bit < last_bit && last_bit - first_bit + 1 == static_cast<std::int64_t>(width);
    }
};

/// What a signal is now: its bits as tb/verify/events/bit_text.h has them, perhaps short; a real's or a
/// string's text.
using change_function = std::function<void(std::uint64_t time, std::size_t signal, std::string_view value)>;

/// Unit of a waveform's times, as a power of ten of a second, and how many of it one is: 10 ns are 10 and -9. 0
/// and 0 where the file says none.
struct timescale {
    unsigned count = 0;
    int exponent = 0;
};

/// Value change dump: IEEE 1364-2005, clause 18. Also GTKWave's strings (`s`), which Verilog simulators write.
class waveform {
 public:
    waveform(std::string path, input_stream in) : m_path(std::move(path)), m_in(std::move(in)) {}
    virtual ~waveform() = default;

    /// Reads the declarations. False, and an error, if they are broken. Call first, and once.
    bool read_header(config_errors& errors);
    const std::vector<waveform_signal>& signals() const { return m_signals; }
    const timescale& unit() const { return m_unit; }
    /// What is odd in the file, and no error; complete after `read`.
    const std::vector<std::string>& notes() const { return m_notes; }
    /// Calls for each change of these signals (places in `signals()`), in the order of time. False, and an
    /// error, where the file is broken. May be called once.
    virtual bool read(const std::vector<std::size_t>& signals, const change_function& change,
                      config_errors& errors);

 protected:
    std::string m_path;
    input_stream m_in;
    std::vector<waveform_signal> m_signals;
    timescale m_unit;

 private:
    bool read_declaration(const std::string& keyword, std::vector<std::string> words, config_errors& errors);
    void read_timescale(const std::vector<std::string>& words);
    bool declare(const std::vector<std::string>& words);
    bool skip_to_end(config_errors& errors);
    /// Reads the next word of the file.
    bool next(std::string& word);
    bool fail(config_errors& errors, const std::string& message);

    std::vector<std::string> m_notes;
    /// The present line, its number, and the place in it behind the words that were read.
    std::string m_text;
    int m_line = 0;
    std::size_t m_at = 0;
    bool m_broken = false;
    /// Scopes around the present declaration.
    std::vector<std::string> m_scopes;
    /// Codes of changes, by signal.
    std::vector<std::string> m_codes;
};

/// A time for people, with the unit of a waveform viewer: `125.5 ns`. Empty without a timescale.
std::string time_text(std::uint64_t time, const timescale& unit);

/// Whether the name ends in .vcd or .fst.
bool is_waveform(const std::string& path);

/// Reads the list of signals, in the format that the name says. Nothing, and an error, where the file cannot be
/// read, or is FST and the program was built without it.
std::unique_ptr<waveform> open_waveform(const std::string& path, config_errors& errors);
std::unique_ptr<waveform> open_vcd(const std::string& path, config_errors& errors);
std::unique_ptr<waveform> open_fst(const std::string& path, config_errors& errors);

/// Longest name of a signal with its scopes: without a limit, scopes in scopes would make a small file's names
/// take memory without end. Unit: characters.
inline constexpr std::size_t longest_signal_name = 4'096;

/// An error where the signal is wider than what is read, or its name longer; `line`: 0 where the file has none.
/// `written`: the width as the file has it; it may be larger than any that is held.
std::optional<config_error> check_signal(const waveform_signal& signal, const std::string& path, int line,
                                         const std::string& written);

/// A signal, or some of its bits.
struct signal_slice {
    std::size_t signal = 0;
    /// First and count of places in the text of its bits at full width; the whole text where there are none.
    std::optional<std::pair<std::size_t, std::size_t>> bits;
};

/// `tb.count`, `tb.count[3]`, `tb.count[7:4]`, by the numbers that the file gives the bits. Nothing: no such
/// signal, or no such bits.
std::optional<signal_slice> find_signal(const waveform& wave, const std::string& path);

/// The name without its range, whose ends go to `signal`: `count[7:4]` is `count`. `count[3]` stays: it may be
/// an element of an array.
std::string without_range(const std::string& name, waveform_signal& signal);

}  // namespace weir::tb
