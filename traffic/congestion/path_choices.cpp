#include "weir/traffic/congestion/path_choices.h"

#include "weir/traffic/congestion/flowbender.h"

namespace weir::traffic {

registry<path_kind, path_choice_maker>& path_choices() {
    static registry<path_kind, path_choice_maker> list{
        {"fixed", "a transfer keeps the path that its number hashes to",
         [](const tcp_config&) { return nullptr; }},
        {"flowbender", "leaves a path on which too many segments are marked, and one on which a timeout occurs",
         [](const tcp_config& config) { return std::make_unique<flowbender>(config.flowbender); }},
    };
    return list;
}

}  // namespace weir::traffic
