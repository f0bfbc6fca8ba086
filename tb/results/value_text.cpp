#include "tb/results/value_text.h"

#include <cmath>
#include <cstdint>

#include "tb/text/text_format.h"
#include "weir/base/unit_text.h"

namespace weir::tb {

using nlohmann::ordered_json;

std::string time_text(const ordered_json& ns) {
    if (!ns.is_number()) {
        return "-";
    }
    return ns.is_number_float() ? duration_text(picoseconds{std::llround(ns.get<double>() * 1000)})
           : ns.get<std::int64_t>() > INT64_MAX / 1000
               ? count_text(ns.get<std::uint64_t>() / 1'000'000'000) + " s"
               : duration_text(picoseconds{ns.get<std::int64_t>() * 1000});
}

std::string number_text(const ordered_json& count) {
    return count.is_null() ? "-" : count_text(count.get<std::uint64_t>());
}

std::string percent_text(const ordered_json& percent, int decimals) {
    return percent.is_null() ? "-" : decimal_text(percent.get<double>(), decimals) + " %";
}

ordered_json value_or_null(const ordered_json& object, const char* key) {
    return object.contains(key) ? object.at(key) : ordered_json{};
}

std::string size_text(const ordered_json& group) {
    const std::string size = to_text(bytes{group.at("bytes").get<std::int64_t>()});
    return group.contains("bytes_min") ? "<= " + size : size;
}

std::string tag_text(const std::string& tag) {
    return tag.empty() ? "(no tag)" : tag;
}

}  // namespace weir::tb
