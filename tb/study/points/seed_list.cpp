#include "tb/study/points/seed_list.h"

#include <set>

#include "tb/run/fields/option_value.h"
#include "tb/support/text/joined.h"

namespace weir::tb {

namespace {

using seeds = parse_result<std::vector<std::uint64_t>>;

constexpr const char* allowed = "; expected a number of seeds, or seeds such as 1,2,3 or 1..10";

seeds refuse(const std::string& text, const std::string& why) {
    return {{}, "'" + text + "' " + why + allowed};
}

}  // namespace

seeds read_seeds(const std::string& text, std::uint64_t first) {
    const std::vector<std::string> parts = split_list(text);
    seeds result;
    for (const std::string& part : parts) {
        const std::size_t dots = part.find("..");
        const auto low = detail::parse_count(part.substr(0, dots), UINT64_MAX);
        const auto high =
            dots == std::string::npos ? low : detail::parse_count(part.substr(dots + 2), UINT64_MAX);
        const bool is_count = parts.size() == 1 && dots == std::string::npos;
        const auto is_seed = [](const std::string& t) { return bool(detail::parse_count(t, UINT64_MAX)); };
        if (detail::is_too_large(part.substr(0, dots), is_seed) ||
            (dots != std::string::npos && detail::is_too_large(part.substr(dots + 2), is_seed))) {
            return refuse(text, is_count ? "are more than " + std::to_string(most_seeds) + " seeds"
                                         : "has a seed above " + std::to_string(UINT64_MAX));
        }
        if (!low || !high || high.value < low.value) {
            return refuse(text, "is not a list of seeds");
        }
        const std::uint64_t more = is_count ? low.value : high.value - low.value + 1;
        // The second test is for a range of all 2^64, and for seeds beyond the last one.
        if (more > most_seeds || (more == 0 && !is_count) || result.value.size() + more > most_seeds ||
            (is_count && first > UINT64_MAX - more)) {
            return refuse(text, "are more than " + std::to_string(most_seeds) + " seeds");
        }
        for (std::uint64_t i = 0; i < more; ++i) {
            result.value.push_back((is_count ? first : low.value) + i);
        }
    }
    if (result.value.empty()) {
        return refuse(text, "has no seed");
    }
    if (std::set<std::uint64_t>(result.value.begin(), result.value.end()).size() != result.value.size()) {
        return refuse(text, "has a seed twice");
    }
    return result;
}

parse_result<std::vector<std::size_t>> read_points(const std::string& text, std::size_t points) {
    // As a list: one number alone is how many seeds there are.
    const seeds numbers = read_seeds(
        split_list(text).size() == 1 && text.find("..") == std::string::npos ? text + ".." + text : text, 1);
    parse_result<std::vector<std::size_t>> result;
    for (const std::uint64_t number : numbers.value) {
        if (number == 0 || number > points) {
            result.error = "-";
        }
        result.value.push_back(number - 1);
    }
    if (!numbers || !result.error.empty()) {
        return {{},
                "'" + text + "' is not a list of this sweep's points; expected numbers from 1 to " +
                    std::to_string(points) + ", each once, such as 1 or 1.." + std::to_string(points)};
    }
    return result;
}

}  // namespace weir::tb
