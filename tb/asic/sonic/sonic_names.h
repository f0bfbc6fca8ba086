// What SONiC calls the tables, sides and pools of buffers, and how it writes a size.
#pragma once

#include <string>

#include "tb/asic/sonic/config_db.h"

namespace weir::tb {

inline const char* side_name(sonic_side side) {
    return side == sonic_side::ingress ? "ingress" : "egress";
}
inline const char* buffer_table(sonic_side side) {
    return side == sonic_side::ingress ? "BUFFER_PG" : "BUFFER_QUEUE";
}
inline const char* class_map_table(sonic_side side) {
    return side == sonic_side::ingress ? "TC_TO_PRIORITY_GROUP_MAP" : "TC_TO_QUEUE_MAP";
}
/// One of them; `groups` and `queues` in the model's words.
inline const char* member_name(sonic_side side) {
    return side == sonic_side::ingress ? "priority group" : "queue";
}
inline const char* members_name(sonic_side side) {
    return side == sonic_side::ingress ? "groups" : "queues";
}
/// `ingress_lossless_pool`
inline std::string usual_pool(sonic_side side, bool lossless) {
    return std::string(side_name(side)) + (lossless ? "_lossless_pool" : "_lossy_pool");
}
/// In bytes, as a text.
inline std::string size_text(bytes value) {
    return std::to_string(value.count());
}

}  // namespace weir::tb
