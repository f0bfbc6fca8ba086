// Options [run].
#include "tb/options/option_tables.h"

namespace weir::tb {

template <>
struct enum_names<engine_kind> {
    static constexpr enum_name<engine_kind> list[] = {
        {engine_kind::fast, "fast", "nodes run ahead of each other by up to one quantum"},
        {engine_kind::literal, "literal",
         "one event at a time in order of time, from one ordered map: slow, the reference for fast"},
    };
};

void add_run_options(option_table& table, run_config& config) {
    table.block("run", "The simulation as a whole.").add(config.run);
}

config_errors run_options::validate() const {
    if (duration > picoseconds{0} && warmup >= duration) {
        return {{"", 0, "run.warmup",
                 "'" + to_text(warmup) + "' is out of range; expected below run.duration (" +
                     to_text(duration) + ")"}};
    }
    return {};
}

}  // namespace weir::tb
