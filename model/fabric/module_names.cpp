#include "weir/model/fabric/module_names.h"

#include <unordered_map>
#include <unordered_set>

namespace weir::model {

std::string module_name(const std::string& name) {
    std::string allowed = name;
    for (char& c : allowed) {
        const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
        c = plain ? c : '_';
    }
    return allowed;
}

std::vector<std::string> module_names(const topology& plan) {
    std::vector<std::string> names;
    // The fabric's own module has a name beside those of the nodes.
    std::unordered_set<std::string> taken{"domain"};
    std::unordered_map<std::string, unsigned> next_number;
    for (std::uint32_t n = 0; n < plan.nodes(); ++n) {
        std::string name = module_name(plan.name(plan.node_at(n)));
        while (!taken.insert(name).second) {
            const unsigned number = next_number[name]++;
            name += "_" + std::to_string(number);
        }
        names.push_back(std::move(name));
    }
    return names;
}

}  // namespace weir::model
