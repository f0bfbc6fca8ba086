#include "weir/traffic/tcp/path_choices.h"

namespace weir::traffic {

registry<path_kind, path_choice_maker>& path_choices() {
    static registry<path_kind, path_choice_maker> list{
        {"fixed", "a transfer keeps the path that its number hashes to",
         [](const tcp_config&) { return nullptr; }},
    };
    return list;
}

}  // namespace weir::traffic
