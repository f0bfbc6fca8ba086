#include "tb/wave/wave_file.h"

#include "tb/wave/fst_file_writer.h"
#include "tb/wave/vcd_file_writer.h"

namespace weir::tb {

std::unique_ptr<wave_file> create_wave_file(wave_format format, const run_directory& directory) {
    const char* const name = name_of(format);
    // GTKWave's library takes a path and reads back what it has written: it cannot write nowhere.
    return format == wave_format::fst && directory.writes() ? create_fst_file(directory.path() / name)
                                                            : create_vcd_file(directory.create(name));
}

}  // namespace weir::tb
