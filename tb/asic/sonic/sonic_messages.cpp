#include "tb/asic/sonic/sonic_messages.h"

#include <algorithm>

namespace weir::tb {

std::string sonic_key(const std::string& key) {
    constexpr std::size_t most = 80;
    const std::size_t comma = key.find(',');
    const std::size_t bar = key.rfind('|');
    if (key.size() <= most || comma == std::string::npos) {
        return key;
    }
    return key.substr(0, comma) + ",..." + (bar > comma && bar != std::string::npos ? key.substr(bar) : "");
}

// Of one table.
void sonic_messages::add(std::vector<message>& all, const std::string& key, const std::string& text) {
    const std::string table = key.substr(0, key.find('|'));
    const auto same = std::find_if(all.begin(), all.end(), [&](const message& each) {
        return each.text == text && each.key.substr(0, each.key.find('|')) == table;
    });
    if (same == all.end()) {
        all.push_back({key, text, {key}});
    } else {
        same->entries.insert(key);
    }
}

std::string sonic_messages::text_of(const message& said) {
    const std::size_t count = said.entries.size();
    return said.text + (count > 1 ? "; this applies to " + std::to_string(count) + " entries" : std::string{});
}

config_errors sonic_messages::errors() const {
    constexpr std::size_t most = 20;
    config_errors errors;
    for (const message& said : m_errors) {
        if (errors.size() < most) {
            errors.push_back({m_file, 0, sonic_key(said.key), text_of(said)});
        }
    }
    if (m_errors.size() > most) {
        errors.push_back({m_file, 0, "", "has " + std::to_string(m_errors.size() - most) + " more errors"});
    }
    return errors;
}

std::vector<std::string> sonic_messages::warnings() const {
    std::vector<std::string> warnings;
    for (const message& said : m_warnings) {
        warnings.push_back(m_file + ": " + (said.key.empty() ? "" : sonic_key(said.key) + ": ") +
                           text_of(said));
    }
    return warnings;
}

}  // namespace weir::tb
