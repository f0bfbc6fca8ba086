#include "tb/compare/vcd_file.h"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <map>
#include <set>
#include <sstream>
#include <unordered_map>
#include <utility>

#include "tb/compare/bit_text.h"
#include "tb/files/input_file.h"

namespace weir::tb {

namespace {

class vcd_file final : public waveform {
 public:
    vcd_file(const std::string& path, input_file input, config_errors& errors)
        : m_path(path), m_in(std::move(input.text)) {
        read_header(errors);
    }

    bool read(const std::vector<std::size_t>& signals, const change_function& change,
              config_errors& errors) override {
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
        while (next(word)) {
            const char kind = word[0];
            std::string code;
            if (kind == '#') {
                std::uint64_t now = 0;
                if (!read_time(word, now)) {
                    return fail(errors, "'" + word +
                                            "' is not a time; expected # and a whole number, at most #" +
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
                return fail(errors,
                            "'" + word + "' is not a change; expected 0, 1, x, z, b, r or s, and a code");
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

 private:
    static bool is_one_of(std::string_view kinds, char kind) { return kinds.find(kind) != kinds.npos; }

    static bool read_time(const std::string& word, std::uint64_t& time) {
        const char* const end = word.data() + word.size();
        const auto read = std::from_chars(word.data() + 1, end, time);
        return read.ec == std::errc{} && read.ptr == end;
    }

    /// `bits`: as `four_valued` gives them.
    static bool fits(const std::string& bits, std::size_t width) {
        const std::size_t fewest = width == 0 ? 0 : 1;
        return bits.size() >= fewest && bits.size() <= std::max<std::size_t>(width, 1) &&
               bits.find('\0') == std::string::npos;
    }

    /// `TYPE NAME`. Verilator leaves out an empty name, firtool the type.
    static std::string scope_name(const std::vector<std::string>& words) {
        static const std::set<std::string> types{"module",
                                                 "task",
                                                 "function",
                                                 "begin",
                                                 "fork",
                                                 "generate",
                                                 "struct",
                                                 "union",
                                                 "class",
                                                 "interface",
                                                 "package",
                                                 "program",
                                                 "vhdl_function",
                                                 "vhdl_procedure",
                                                 "vhdl_architecture",
                                                 "vhdl_record",
                                                 "vhdl_process",
                                                 "vhdl_block",
                                                 "vhdl_for_generate",
                                                 "vhdl_if_generate",
                                                 "vhdl_generate",
                                                 "vhdl_package"};
        const bool has_type = words.size() > 1 || (words.size() == 1 && types.count(words[0]) != 0);
        std::string name;
        for (std::size_t w = has_type ? 1 : 0; w < words.size(); ++w) {
            name += words[w];
        }
        return name;
    }

    void read_header(config_errors& errors) {
        std::vector<std::string> scopes;
        std::string word;
        while (next(word)) {
            if (word == "$enddefinitions") {
                skip_to_end(errors);
                return;
            }
            if (word[0] != '$') {
                fail(errors,
                     "'" + word.substr(0, 40) +
                         "' is not a keyword; expected a VCD file's declarations, up to $enddefinitions");
                return;
            }
            std::vector<std::string> words;
            std::string argument;
            while (next(argument) && argument != "$end") {
                words.push_back(argument);
            }
            if (argument != "$end") {
                if (!m_broken) {
                    fail(errors, "ends within " + word + "; expected $end after it");
                }
                return;
            }
            if (word == "$timescale") {
                read_timescale(words);
            } else if (word == "$scope") {
                scopes.push_back(scope_name(words));
            } else if (word == "$upscope" && !scopes.empty()) {
                scopes.pop_back();
            } else if (word == "$var") {
                if (!words.empty() && words[0].find_first_not_of("0123456789") == std::string::npos) {
                    words.insert(words.begin(), "wire");
                }
                if (!declare(words, scopes)) {
                    fail(errors,
                         "is not a declaration; expected $var TYPE WIDTH CODE NAME [RANGE] $end, "
                         "TYPE may be missing");
                    return;
                }
                if (const auto too_wide = check_signal(m_signals.back(), m_path, m_line, words[1])) {
                    m_broken = true;
                    errors.push_back(*too_wide);
                    return;
                }
            } else if (word == "$upscope") {
                fail(errors,
                     "'" + word + "' is out of place; expected $scope TYPE NAME $end ... $upscope $end");
                return;
            }
        }
        if (!m_broken) {
            fail(errors, "has no $enddefinitions; expected a VCD file");
        }
    }

    /// `10ns` or `10 ns`. What is neither is taken as none: only people read it.
    void read_timescale(const std::vector<std::string>& words) {
        std::string text;
        for (const std::string& word : words) {
            text += word;
        }
        const std::size_t digits = std::min(text.find_first_not_of("0123456789"), text.size());
        static const std::map<std::string, int> units{{"s", 0},   {"ms", -3},  {"us", -6},
                                                      {"ns", -9}, {"ps", -12}, {"fs", -15}};
        const auto unit = units.find(text.substr(digits));
        unsigned count = 0;
        std::from_chars(text.data(), text.data() + digits, count);
        if (unit != units.end() && count > 0 && count <= 100) {
            m_unit = {count, unit->second};
        }
    }

    bool declare(const std::vector<std::string>& words, const std::vector<std::string>& scopes) {
        if (words.size() < 4) {
            return false;
        }
        waveform_signal signal;
        const std::string& width = words[1];
        const auto read = std::from_chars(width.data(), width.data() + width.size(), signal.width);
        if (read.ec == std::errc::invalid_argument || read.ptr != width.data() + width.size()) {
            return false;
        }
        if (read.ec == std::errc::result_out_of_range) {
            signal.width = SIZE_MAX;
        }
        if (words[0] == "real" || words[0] == "realtime" || words[0] == "shortreal" || words[0] == "string") {
            signal.width = 0;
        }
        std::string name;
        for (std::size_t w = 3; w < words.size(); ++w) {
            name += words[w];
        }
        for (const std::string& scope : scopes) {
            signal.name += scope + ".";
        }
        signal.name += without_range(name, signal);
        m_signals.push_back(std::move(signal));
        m_codes.push_back(words[2]);
        return true;
    }

    bool skip_to_end(config_errors& errors) {
        std::string word;
        while (next(word)) {
            if (word == "$end") {
                return true;
            }
        }
        return m_broken ? false : fail(errors, "ends without $end; expected $end after every keyword");
    }

    /// The next word of the file.
    bool next(std::string& word) {
        while (!(m_words >> word)) {
            std::string line;
            if (m_broken || !std::getline(m_in, line)) {
                return false;
            }
            ++m_line;
            // The standard asks for none, and not every writer makes one.
            if (m_in.eof() && !line.empty()) {
                m_notes.push_back(
                    m_path + ":" + std::to_string(m_line) +
                    ": the last line has no line feed; if the file was cut there, its last change "
                    "is wrong or missing");
            }
            m_words.clear();
            m_words.str(line);
        }
        return true;
    }

    bool fail(config_errors& errors, const std::string& message) {
        m_broken = true;
        errors.push_back({m_path, m_line, "VCD", message});
        return false;
    }

    std::string m_path;
    input_stream m_in;
    std::istringstream m_words;
    int m_line = 0;
    bool m_broken = false;
    /// What changes are marked with, by signal.
    std::vector<std::string> m_codes;
};

}  // namespace

std::unique_ptr<waveform> open_vcd(const std::string& path, config_errors& errors) {
    input_file input = open_input(path, input_kind::any);
    if (!input.why_not.empty()) {
        errors.push_back({path, 0, "", "cannot be read: " + input.why_not + "; expected a VCD file"});
        return nullptr;
    }
    const std::size_t before = errors.size();
    auto file = std::make_unique<vcd_file>(path, std::move(input), errors);
    return errors.size() == before ? std::move(file) : nullptr;
}

}  // namespace weir::tb
