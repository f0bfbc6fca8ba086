#include "tb/options/option_table.h"

#include <algorithm>
#include <boost/program_options/value_semantic.hpp>
#include <stdexcept>
#include <utility>

#include "tb/text/nearest_name.h"

namespace weir {

namespace {

bool is_name(const std::string& text) {
    const auto allowed = [](char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_'; };
    return !text.empty() && std::all_of(text.begin(), text.end(), allowed);
}

}  // namespace

relevance operator&&(relevance a, relevance b) {
    return {a.needs + ", and " + b.needs,
            [first = std::move(a.holds), second = std::move(b.holds)] { return first() && second(); }};
}

option_table::block_writer option_table::block(const std::string& name, const std::string& doc) {
    if (!is_name(name) || has_block(name)) {
        throw std::logic_error("option block '" + name + "' is registered twice or has no proper name");
    }
    m_blocks.push_back({name, doc});
    return {*this, name};
}

option& option_table::insert(const std::string& block, const std::string& name,
                             std::unique_ptr<option_value> value) {
    const std::string key = block + "." + name;
    if (!is_name(name) || find(key) != nullptr) {
        throw std::logic_error("option '" + key + "' is registered twice or has no proper name");
    }
    auto entry = std::make_unique<option>();
    entry->key = key;
    entry->block = block;
    entry->name = name;
    entry->default_text = value->text();
    entry->value = std::move(value);
    m_options.push_back(std::move(entry));
    return *m_options.back();
}

config_errors option_table::run_checks() const {
    config_errors all;
    for (const auto& rule : m_checks) {
        for (config_error& error : rule()) {
            all.push_back(std::move(error));
        }
    }
    return all;
}

const option* option_table::find(const std::string& key) const {
    for (const auto& each : m_options) {
        if (each->key == key) {
            return each.get();
        }
    }
    return nullptr;
}

bool option_table::has_block(const std::string& name) const {
    return std::any_of(m_blocks.begin(), m_blocks.end(), [&](const option_block& b) { return b.name == name; });
}

std::string option_table::hint(const std::string& key) const {
    const std::string name = key.substr(key.rfind('.') + 1);
    std::vector<std::string> keys;
    for (const auto& each : m_options) {
        keys.push_back(each->key);
    }
    std::string best = nearest_name(key, keys);
    // The right name in a wrong block is what was meant, however far apart the blocks' names are.
    for (const auto& each : m_options) {
        if (each->name == name && (best.empty() || edit_distance(key, best) > 2)) {
            best = each->key;
            break;
        }
    }
    return best.empty() ? "; `weir options` lists all" : "; did you mean " + best + "?";
}

std::string option_table::block_hint(const std::string& name) const {
    std::vector<std::string> names;
    for (const option_block& each : m_blocks) {
        names.push_back(each.name);
    }
    const std::string best = nearest_name(name, names);
    return best.empty() ? "; expected " + detail::join(names, ", ") : "; did you mean [" + best + "]?";
}

boost::program_options::options_description option_table::description() const {
    namespace po = boost::program_options;
    po::options_description all;
    for (const auto& each : m_options) {
        all.add_options()(each->key.c_str(), po::value<std::vector<std::string>>(), each->doc.c_str());
    }
    return all;
}

}  // namespace weir
