#include "tb/verify/events/waveform.h"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <map>
#include <numeric>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "tb/verify/events/bit_text.h"
#include "weir/base/trimmed.h"

namespace weir::tb {

namespace {

constexpr std::string_view decimal = "0123456789";

bool is_one_of(std::string_view kinds, char kind) {
    return kinds.find(kind) != kinds.npos;
}

bool parse_time(const std::string& word, std::uint64_t& time) {
    const char* const end = word.data() + word.size();
    const auto read = std::from_chars(word.data() + 1, end, time);
    return read.ec == std::errc{} && read.ptr == end;
}

/// `bits`: as `four_valued` gives them.
bool fits(const std::string& bits, std::size_t width) {
    const std::size_t fewest = width == 0 ? 0 : 1;
    return bits.size() >= fewest && bits.size() <= std::max<std::size_t>(width, 1) &&
           bits.find('\0') == std::string::npos;
}

/// The words from a place on, without the blanks between them.
std::string text_from(const std::vector<std::string>& words, std::ptrdiff_t place) {
    return std::accumulate(words.begin() + place, words.end(), std::string());
}

/// `TYPE NAME`. Verilator leaves out an empty name, firtool the type.
std::string scope_name(const std::vector<std::string>& words) {
    static const std::string types =
        " module task function begin fork generate struct union class interface package program vhdl_function "
        "vhdl_procedure vhdl_architecture vhdl_record vhdl_process vhdl_block vhdl_for_generate "
        "vhdl_if_generate vhdl_generate vhdl_package ";
    const bool has_type =
        words.size() > 1 || (words.size() == 1 && types.find(" " + words[0] + " ") != std::string::npos);
    return text_from(words, has_type ? 1 : 0);
}

}  // namespace

bool waveform::read(const std::vector<std::size_t>& signals, const change_function& change,
                    config_errors& errors) {
    std::unordered_map<std::string, std::vector<std::size_t>> wanted;
    for (const std::string& code : m_codes) {
        wanted[code];
    }
    for (const std::size_t signal : signals) {
        wanted[m_codes[signal]].push_back(signal);
    }
    std::uint64_t time = 0;
    std::string word;
    std::string bits;
    std::string code;
    while (next(word)) {
        const char kind = word[0];
        if (kind == '#') {
            std::uint64_t now = 0;
            if (!parse_time(word, now)) {
                return fail(errors, "'" + word + "' is not a time; expected # and a whole number, at most #" +
                                        std::to_string(UINT64_MAX));
            }
            if (now < time) {
                return fail(errors, "'" + word + "' goes back in time; expected " + std::to_string(time) +
                                        " and later");
            }
            time = now;
            continue;
        }
        if (kind == '$') {
            if (word == "$comment" && !skip_to_end(errors)) {
                return false;
            }
            // The simulation keywords ($dumpvars, ...) hold changes like all others.
            continue;
        }
        if (is_one_of("bBrRsS", kind)) {
            bits = word.substr(1);
            if (!next(code)) {
                return m_broken ? false : fail(errors, "ends within a change; expected " + word + " CODE");
            }
        } else if (four_valued(kind) != '\0' && word.size() > 1) {
            bits = word.substr(0, 1);
            code = word.substr(1);
        } else {
            return fail(errors, "'" + word + "' is not a change; expected 0, 1, x, z, b, r or s, and a code");
        }
        const auto known = wanted.find(code);
        if (known == wanted.end()) {
            return fail(errors, "'" + code + "' is the code of no $var; expected those that are declared");
        }
        const bool vector = !is_one_of("rRsS", kind);
        if (vector) {
            std::transform(bits.begin(), bits.end(), bits.begin(), four_valued);
        }
        for (const std::size_t signal : known->second) {
            if (vector && !fits(bits, m_signals[signal].width)) {
                return fail(errors, "'" + word.substr(0, 40) + "' does not fit '" + m_signals[signal].name +
                                        "'; expected at most " + std::to_string(m_signals[signal].width) +
                                        " of 0, 1, x, z, or VHDL's U, W, L, H, -");
            }
            // Signals without bits have no value, and tools write different ones for them.
            if (!vector || m_signals[signal].width > 0) {
                change(time, signal, bits);
            }
        }
    }
    return !m_broken;
}

bool waveform::read_header(config_errors& errors) {
    std::string keyword;
    while (next(keyword)) {
        if (keyword == "$enddefinitions") {
            return skip_to_end(errors);
        }
        if (keyword[0] != '$') {
            return fail(errors, "'" + keyword.substr(0, 40) +
                                    "' is not a keyword; expected a VCD file's declarations, up to "
                                    "$enddefinitions");
        }
        std::vector<std::string> words;
        std::string word;
        while (next(word) && word != "$end") {
            words.push_back(word);
        }
        if (word != "$end") {
            return m_broken ? false : fail(errors, "ends within " + keyword + "; expected $end after it");
        }
        if (!read_declaration(keyword, std::move(words), errors)) {
            return false;
        }
    }
    return m_broken ? false : fail(errors, "has no $enddefinitions; expected a VCD file");
}

bool waveform::read_declaration(const std::string& keyword, std::vector<std::string> words,
                                config_errors& errors) {
    if (keyword == "$timescale") {
        read_timescale(words);
    } else if (keyword == "$scope") {
        m_scopes.push_back(scope_name(words));
    } else if (keyword == "$upscope") {
        if (m_scopes.empty()) {
            return fail(errors, "'$upscope' is out of place; expected $scope TYPE NAME $end ... $upscope $end");
        }
        m_scopes.pop_back();
    } else if (keyword == "$var") {
        if (!words.empty() && words[0].find_first_not_of(decimal) == std::string::npos) {
            words.insert(words.begin(), "wire");
        }
        if (!declare(words)) {
            return fail(errors,
                        "is not a declaration; expected $var TYPE WIDTH CODE NAME [RANGE] $end, "
                        "TYPE may be missing");
        }
        if (const auto too_wide = check_signal(m_signals.back(), m_path, m_line, words[1])) {
            m_broken = true;
            errors.push_back(*too_wide);
        }
    }
    return !m_broken;
}

/// `10ns` or `10 ns`. What is neither is taken as none: only people read it.
void waveform::read_timescale(const std::vector<std::string>& words) {
    static const std::map<std::string, int> units{{"s", 0},    {"ms", -3},  {"us", -6},  {"ns", -9},
                                                  {"ps", -12}, {"fs", -15}, {"as", -18}, {"zs", -21}};
    const std::string text = text_from(words, 0);
    const std::size_t behind = std::min(text.find_first_not_of(decimal), text.size());
    const auto unit = units.find(text.substr(behind));
    unsigned count = 0;
    std::from_chars(text.data(), text.data() + behind, count);
    if (unit != units.end() && count > 0 && count <= 100) {
        m_unit = {count, unit->second};
    }
}

bool waveform::declare(const std::vector<std::string>& words) {
    static const std::vector<std::string> without_bits{"real", "real_parameter", "realtime", "shortreal",
                                                       "string"};
    if (words.size() < 4) {
        return false;
    }
    waveform_signal signal;
    const std::string& width = words[1];
    const auto read = std::from_chars(width.data(), width.data() + width.size(), signal.width);
    if (read.ec == std::errc::invalid_argument || read.ptr != width.data() + width.size()) {
        return false;
    }
    if (std::find(without_bits.begin(), without_bits.end(), words[0]) != without_bits.end()) {
        signal.width = 0;
    } else if (read.ec == std::errc::result_out_of_range) {
        signal.width = SIZE_MAX;
    }
    for (const std::string& scope : m_scopes) {
        signal.name += scope + ".";
    }
    signal.name += without_range(text_from(words, 3), signal);
    m_signals.push_back(std::move(signal));
    m_codes.push_back(words[2]);
    return true;
}

bool waveform::skip_to_end(config_errors& errors) {
    std::string word;
    while (next(word)) {
        if (word == "$end") {
            return true;
        }
    }
    return m_broken ? false : fail(errors, "ends without $end; expected $end after every keyword");
}

bool waveform::next(std::string& word) {
    std::size_t from = std::string::npos;
    while ((from = m_text.find_first_not_of(blanks, m_at)) == std::string::npos) {
        if (m_broken || !std::getline(m_in, m_text)) {
            return false;
        }
        m_at = 0;
        ++m_line;
        // The standard asks for none, and not every writer makes one.
        if (m_in.eof() && !m_text.empty()) {
            m_notes.push_back(m_path + ":" + std::to_string(m_line) +
                              ": the last line has no line feed; if the file was cut there, its last change "
                              "is wrong or missing");
        }
    }
    m_at = std::min(m_text.find_first_of(blanks, from), m_text.size());
    word.assign(m_text, from, m_at - from);
    return true;
}

bool waveform::fail(config_errors& errors, const std::string& message) {
    m_broken = true;
    errors.push_back({m_path, m_line, "VCD", message});
    return false;
}

std::unique_ptr<waveform> open_vcd(const std::string& path, config_errors& errors) {
    input_file input = open_input(path, input_kind::any);
    if (!input.why_not.empty()) {
        errors.push_back({path, 0, "", "cannot be read: " + input.why_not + "; expected a VCD file"});
        return nullptr;
    }
    auto file = std::make_unique<waveform>(path, std::move(input.text));
    return file->read_header(errors) ? std::move(file) : nullptr;
}

}  // namespace weir::tb
