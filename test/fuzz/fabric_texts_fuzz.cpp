// Texts about single links, routes and adapters; one per line.
#include <sstream>

#include "fuzz/fuzz_target.h"
#include "tb/setup/adapter_texts.h"
#include "tb/setup/link_overrides.h"
#include "tb/setup/route_texts.h"
#include "weir/model/topology/topology_generators.h"

namespace weir::test {

static const fuzz_target fabric_texts_target("fabric_texts", [](std::string_view input) {
    static const model::topology plan = model::make_topology(model::dumbbell_config{});
    std::istringstream in{std::string(input)};
    std::vector<std::string> texts;
    for (std::string line; std::getline(in, line);) {
        texts.push_back(line);
    }
    check(tb::apply_link_overrides(plan, texts).errors);
    check(tb::parse_routes(plan, texts).errors);
    check(tb::parse_adapters(plan, 8, texts).errors);
});

}  // namespace weir::test
