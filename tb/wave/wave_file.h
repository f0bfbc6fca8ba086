// A waveform that is being written: VCD with a writer of its own, FST with GTKWave's library.
//
//   std::unique_ptr<wave_file> file = create_wave_file(wave_format::vcd, directory);
//   file->declare({{{"fabric", "tor0", "rx1"}, "bytes", 32}});
//   file->begin(1us);            file->change(0, "00000000000000000000000000000000");
//   file->at(1us + 80ns);        file->change(0, "00000000000000000000010111111010");
//   file->finish(2us);
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "tb/files/run_directory.h"
#include "tb/options/run_config.h"
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
    virtual void declare(const std::vector<wave_signal>& signals) = 0;
    /// The first time; every signal's value is to follow as a change.
    virtual void begin(picoseconds time) = 0;
    /// Range: later than the time before.
    virtual void at(picoseconds time) = 0;
    /// `signal`: its place in the list. `bits`: as many as it is wide, the highest first.
    virtual void change(std::size_t signal, std::string_view bits) = 0;
    /// The values hold until `end`, no earlier than the last time. The file gets its name. Nothing may follow.
    virtual void finish(picoseconds end) = 0;
};

/// Range: not `none`; `fst` where it is supported. Throws output_error.
std::unique_ptr<wave_file> create_wave_file(wave_format format, const run_directory& directory);

/// Calls `open(name)` and `close()` so that `signal` stands in its scopes, after one in those of `before`.
template <class Open, class Close>
void change_scopes(const std::vector<std::string>& before, const std::vector<std::string>& now, Open&& open,
                   Close&& close) {
    std::size_t same = 0;
    while (same < before.size() && same < now.size() && before[same] == now[same]) {
        ++same;
    }
    for (std::size_t i = before.size(); i > same; --i) {
        close();
    }
    for (std::size_t i = same; i < now.size(); ++i) {
        open(now[i]);
    }
}

}  // namespace weir::tb
