#include "tb/verify/wave/wave_file.h"

#include <algorithm>

namespace weir::tb {

void wave_file::declare(const std::vector<wave_signal>& signals) {
    std::vector<std::string> open;
    const auto enter = [&](const std::vector<std::string>& scopes) {
        const auto same = std::mismatch(open.begin(), open.end(), scopes.begin(), scopes.end()).second;
        for (const auto kept = static_cast<std::size_t>(same - scopes.begin()); open.size() > kept;) {
            close_scope();
            open.pop_back();
        }
        std::for_each(same, scopes.end(), [this](const std::string& name) { open_scope(name); });
        open = scopes;
    };
    for (const wave_signal& signal : signals) {
        enter(signal.scopes);
        const std::string range =
            signal.width > 1 ? " [" + std::to_string(signal.width - 1) + ":0]" : std::string();
        add_signal(signal.width, signal.name + range);
    }
    enter({});
}

std::unique_ptr<wave_file> create_wave_file(wave_format format, const run_directory& directory) {
    const char* const name = name_of(format);
    // GTKWave's library takes a path and reads back what it has written: it cannot write nowhere.
    return format == wave_format::fst && directory.writes() ? create_fst_file(directory.path() / name)
                                                            : create_vcd_file(directory.create(name));
}

}  // namespace weir::tb
