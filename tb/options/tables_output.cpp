// Options [output].
#include "tb/options/option_tables.h"

namespace weir::tb {

void add_output_options(option_table& table, run_config& config) {
    table.block("output", "What a run writes besides its summary.").add(config.output);
}

config_errors output_options::validate() const {
    if (window_end && *window_end <= window_start) {
        return {{"", 0, "output.window_end",
                 "'" + to_text(*window_end) + "' is out of range; expected above output.window_start (" +
                     to_text(window_start) + ")"}};
    }
    return {};
}

}  // namespace weir::tb
