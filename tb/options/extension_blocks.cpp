#include "tb/options/extension_blocks.h"

namespace weir::tb {

extension_blocks::extension_blocks(const extension_blocks& other) {
    for (const auto& each : other.m_blocks) {
        m_blocks.push_back(each->copy());
    }
}

extension_blocks& extension_blocks::operator=(const extension_blocks& other) {
    return *this = extension_blocks(other);
}

extension_blocks& extension_blocks::registered() {
    static extension_blocks blocks;
    return blocks;
}

void extension_blocks::add_to(option_table& table) {
    for (const auto& each : m_blocks) {
        each->add_to(table);
    }
}

void extension_blocks::use() const {
    for (const auto& each : m_blocks) {
        each->use();
    }
}

}  // namespace weir::tb
