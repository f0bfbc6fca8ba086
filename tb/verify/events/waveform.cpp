#include "tb/verify/events/waveform.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <utility>

#include "tb/verify/events/bit_text.h"

namespace weir::tb {

namespace {

std::optional<std::int64_t> bit_number(std::string_view text) {
    std::int64_t value = 0;
    const char* const end = text.data() + text.size();
    const auto read = std::from_chars(text.data(), end, value);
    constexpr std::int64_t most = std::int64_t{1} << 40;
    const bool whole = read.ec == std::errc{} && read.ptr == end && value >= -most && value <= most;
    return whole ? std::optional(value) : std::nullopt;
}

/// What stands in the brackets at the end: first and last bit.
std::optional<std::pair<std::int64_t, std::int64_t>> range_of(const std::string& name) {
    const std::size_t open = name.rfind('[');
    if (open == std::string::npos || open == 0 || name.back() != ']') {
        return std::nullopt;
    }
    const std::string inside = name.substr(open + 1, name.size() - open - 2);
    const std::size_t colon = inside.find(':');
    const auto first = bit_number(inside.substr(0, colon));
    const auto last = colon == std::string::npos ? first : bit_number(inside.substr(colon + 1));
    return first && last ? std::optional(std::pair(*first, *last)) : std::nullopt;
}

std::string extension(const std::string& path) {
    const std::size_t dot = path.rfind('.');
    std::string end = dot == std::string::npos ? "" : path.substr(dot);
    std::transform(end.begin(), end.end(), end.begin(),
                   [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    return end;
}

}  // namespace

bool is_waveform(const std::string& path) {
    return extension(path) == ".vcd" || extension(path) == ".fst";
}

std::unique_ptr<waveform> open_waveform(const std::string& path, config_errors& errors) {
    return extension(path) == ".fst" ? open_fst(path, errors) : open_vcd(path, errors);
}

std::string without_range(const std::string& name, waveform_signal& signal) {
    const auto range = range_of(name);
    const std::size_t open = name.rfind('[');
    if (!range || name.find(':', open) == std::string::npos) {
        return name;
    }
    signal.first_bit = range->first;
    signal.last_bit = range->second;
    return name.substr(0, open);
}

std::optional<config_error> check_signal(const waveform_signal& signal, const std::string& path, int line,
                                         const std::string& written) {
    if (signal.name.size() > longest_signal_name) {
        return config_error{path, line, signal.name.substr(0, 40) + "...",
                            "has a name of " + std::to_string(signal.name.size()) +
                                " characters with its scopes; expected at most " +
                                std::to_string(longest_signal_name)};
    }
    if (signal.width <= most_bits) {
        return std::nullopt;
    }
    return config_error{path, line, signal.name,
                        "has " + written + " bits; expected at most " + std::to_string(most_bits)};
}

std::optional<signal_slice> find_signal(const waveform& wave, const std::string& path) {
    const auto& all = wave.signals();
    const auto find = [&](const std::string& name) {
        const auto at =
            std::find_if(all.begin(), all.end(), [&](const waveform_signal& s) { return s.name == name; });
        return at == all.end() ? std::nullopt : std::optional(static_cast<std::size_t>(at - all.begin()));
    };
    if (const auto whole = find(path)) {
        return signal_slice{*whole, std::nullopt};
    }
    const auto range = range_of(path);
    const auto vector = range ? find(path.substr(0, path.rfind('['))) : std::nullopt;
    if (!vector) {
        return std::nullopt;
    }
    const waveform_signal& signal = all[*vector];
    const std::int64_t lowest = signal.rises() ? signal.first_bit : signal.last_bit;
    const std::int64_t low = std::min(range->first, range->second) - lowest;
    const std::int64_t high = std::max(range->first, range->second) - lowest;
    const auto width = static_cast<std::int64_t>(signal.width);
    if (low < 0 || high >= width) {
        return std::nullopt;
    }
    const std::int64_t place = signal.rises() ? low : width - 1 - high;
    return signal_slice{*vector,
                        std::pair(static_cast<std::size_t>(place), static_cast<std::size_t>(high - low + 1))};
}

std::string time_text(std::uint64_t time, const timescale& unit) {
    if (unit.count == 0) {
        return {};
    }
    static constexpr std::array<const char*, 4> names{"s", "ms", "us", "ns"};
    std::string digits = std::to_string(time * unit.count);
    const int places = -unit.exponent;
    // Nanoseconds, or the file's own unit where that is coarser.
    const int shown = std::clamp(places - places % 3, 0, 9);
    const std::size_t behind = static_cast<std::size_t>(std::max(0, places - shown));
    if (digits.size() <= behind) {
        digits.insert(0, behind + 1 - digits.size(), '0');
    }
    if (behind > 0) {
        digits.insert(digits.size() - behind, 1, '.');
        digits.erase(digits.find_last_not_of('0') + 1);
        digits.erase(digits.find_last_not_of('.') + 1);
    } else {
        digits.append(static_cast<std::size_t>(std::max(0, shown - places)), '0');
    }
    return digits + " " + names[static_cast<std::size_t>(shown / 3)];
}

}  // namespace weir::tb
