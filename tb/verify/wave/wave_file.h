// A waveform that is being written: VCD with a writer of its own, FST with GTKWave's library.
//
//   std::unique_ptr<wave_file> file = create_wave_file(wave_format::vcd, directory);
//   file->declare({{{"fabric", "tor0", "rx1"}, "bytes", 32}});
//   file->begin(1us);            file->change(0, "00000000000000000000000000000000");
//   file->at(1us + 80ns);        file->change(0, "00000000000000000000010111111010");
//   file->finish(2us);
#pragma once

#include <cstddef>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "tb/run/options/run_config.h"
#include "tb/support/files/run_directory.h"
#include "weir/base/time.h"

namespace weir::tb {

struct wave_signal {
    /// Outermost first: SystemC's hierarchy. Names without blanks.
    std::vector<std::string> scopes;
    std::string name;
    /// Unit: bit. Range: 1 to 256.
    unsigned width = 1;
};

/// Times are in picoseconds. Every call throws output_error where the file cannot be written.
class wave_file {
 public:
    virtual ~wave_file() = default;
    /// Once, and first. Signals of one scope stand together.
    virtual void declare(const std::vector<wave_signal>& signals);
    /// The first time; every signal's value is to follow as a change.
    virtual void begin(picoseconds time) = 0;
    /// Range: later than the time before.
    virtual void at(picoseconds time) = 0;
    /// `signal`: its place in the list. `bits`: as many as it is wide, the highest first.
    virtual void change(std::size_t signal, std::string_view bits) = 0;
    /// The values hold until `end`, no earlier than the last time. The file gets its name. Nothing may follow.
    virtual void finish(picoseconds end) = 0;

 private:
    // Called by `declare`.
    virtual void open_scope(const std::string& /*name*/) {}
    virtual void close_scope() {}
    /// `name`: with the range of bits behind it.
    virtual void add_signal(unsigned /*width*/, const std::string& /*name*/) {}
};

/// Value change dump: IEEE 1364-2005, clause 18. No date: equal runs write the same bytes.
std::unique_ptr<wave_file> create_vcd_file(output_file file);

/// Whether this program can write GTKWave's FST. Its own library (fstapi) does, whose source comes with
/// Verilator.
bool fst_is_supported();
/// Where it can. Throws output_error.
std::unique_ptr<wave_file> create_fst_file(const std::filesystem::path& name);

/// Range: not `none`; `fst` where it is supported. Throws output_error.
std::unique_ptr<wave_file> create_wave_file(wave_format format, const run_directory& directory);

}  // namespace weir::tb
