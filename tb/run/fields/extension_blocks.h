// Blocks of options that plugins and projects outside have, as a configuration holds them
// (options_from_outside.h adds them). Configurations are copied and compared, so each has values of its own.
//
//   extension_blocks mine = extension_blocks::registered();
//   mine.add_to(table);   // --mine.weight
//   mine.use();           // before a fabric is built
#pragma once

#include <any>
#include <functional>
#include <vector>

namespace weir::tb {

class option_table;

/// One block; `values` is a struct that describes its fields.
struct extension_block {
    std::any values;
    std::function<void(option_table& table, std::any& values)> add_to;
    std::function<void(const std::any& values)> use;
};

struct extension_blocks : std::vector<extension_block> {
    /// What all configurations begin with.
    static extension_blocks& registered() {
        static extension_blocks blocks;
        return blocks;
    }
    /// The table points to the values here, which must stay where they are.
    void add_to(option_table& table) {
        for (extension_block& each : *this) {
            each.add_to(table, each.values);
        }
    }
    /// Gives the values to those who read them.
    void use() const {
        for (const extension_block& each : *this) {
            each.use(each.values);
        }
    }
};

}  // namespace weir::tb
