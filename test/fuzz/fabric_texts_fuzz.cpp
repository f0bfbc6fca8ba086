// Texts about single links, routes and adapters; one per line, after the word `link`, `route` or `broken`.
#include <map>
#include <sstream>

#include "fuzz/fuzz_target.h"
#include "tb/run/topology/fabric_texts.h"
#include "weir/model/topology/topology_generators.h"

namespace weir::test {

static const fuzz_target fabric_texts_target("fabric_texts", [](std::string_view input) {
    static const model::topology plan = model::make_topology(model::dumbbell_config{});
    std::istringstream in{std::string(input)};
    // A line is for the readers whose word it begins with, so that a file may have all three.
    std::map<std::string, std::vector<std::string>> texts;
    for (std::string word, line; in >> word && std::getline(in, line);) {
        texts[word].push_back(line);
    }
    check(tb::apply_link_overrides(plan, texts["link"]).errors);
    check(tb::parse_routes(plan, texts["route"]).errors);
    check(tb::parse_adapters(plan, 8, texts["broken"]).errors);
});

}  // namespace weir::test
