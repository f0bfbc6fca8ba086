#include "tb/support/files/json_file.h"

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <set>
#include <string_view>
#include <utility>

#include "tb/support/files/input_file.h"

namespace weir::tb {

using nlohmann::ordered_json;

namespace {

/// Looks for the place of the first mistake; the library's own words are about its tokens.
class fault_finder : public nlohmann::detail::json_sax_acceptor<ordered_json> {
 public:
    std::size_t place = 0;
    std::string token;
    bool is_number = false;

    bool parse_error(std::size_t position, const std::string& last_token,
                     const nlohmann::detail::exception& error) {
        place = position;
        token = last_token;
        is_number = dynamic_cast<const ordered_json::out_of_range*>(&error) != nullptr;
        return false;
    }
};

void refuse(const std::string& name, const std::string& text, const std::string& expected, json_file& read) {
    fault_finder fault;
    ordered_json::sax_parse(text, &fault);
    const std::size_t at = std::min(fault.place, text.size());
    read.is_cut = text.find_first_not_of(" \t\r\n", at) == std::string::npos && !fault.is_number;
    const auto lines = std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(at), '\n');
    const std::string what = text.empty()  ? "is empty"
                             : read.is_cut ? "the file is incomplete"
                                           : "is not JSON from here on";
    read.errors.push_back({name, static_cast<int>(lines) + 1, "",
                           fault.is_number ? "'" + fault.token + "' is out of range; expected at most 9e15"
                                           : what + "; expected " + expected});
}

// --- shapes ----------------------------------------------------------------------------------------------

constexpr std::size_t most_errors = 20;
constexpr double largest_with_decimals = 9e15;

bool is_count(const ordered_json& value) {
    return value.is_number_unsigned() && value <= INT64_MAX;
}

bool is_number(const ordered_json& value) {
    return is_count(value) || (value.is_number_float() && value >= 0 && value <= largest_with_decimals);
}

bool is_text(const ordered_json& value) {
    return value.is_string();
}

struct kind_facts {
    const char* text;
    bool (*holds)(const ordered_json& value);
};

const kind_facts& facts_of(json_kind kind) {
    // The order is that of json_kind.
    static constexpr kind_facts facts[] = {
        {"text", is_text},
        {"text, or a list of it",
         [](const ordered_json& value) {
             return is_text(value) || (value.is_array() && std::all_of(value.begin(), value.end(), is_text));
         }},
        {"true or false", [](const ordered_json& value) { return value.is_boolean(); }},
        {"a whole number from 0", is_count},
        {"a whole number from 0", [](const ordered_json& value) { return value.is_number_unsigned(); }},
        {"a number from 0", is_number},
        {"a number from 0, or null",
         [](const ordered_json& value) { return value.is_null() || is_number(value); }},
        {"a value", [](const ordered_json&) { return true; }}};
    return facts[static_cast<std::size_t>(kind)];
}

/// Of a number that only its size keeps from being of this kind; empty for all others.
std::string limit_text(const ordered_json& value, json_kind kind) {
    const bool whole = kind == json_kind::count || kind == json_kind::seed;
    const bool decimals = kind == json_kind::number || kind == json_kind::number_or_null;
    if (!value.is_number() || value < 0 || !(whole || decimals)) {
        return {};
    }
    if (value.is_number_float() && decimals) {
        return "9e15";
    }
    // The library reads a whole number of more than 64 bits as one with decimals.
    const bool is_whole = !value.is_number_float() || value > 1e18;
    return is_whole ? std::to_string(kind == json_kind::seed ? UINT64_MAX : INT64_MAX) : "";
}

std::string found_text(const ordered_json& value) {
    return value.is_array()    ? "is a list"
           : value.is_object() ? "is an object"
           : value.is_string() ? "is text"
                               : "is " + value.dump();
}

class shape_checker {
 public:
    explicit shape_checker(const std::string& file) : m_file(file) {}

    void check(const ordered_json& value, const json_shape& shape, std::string_view path,
               const std::string& place) {
        if (path.empty()) {
            if (!facts_of(shape.kind).holds(value)) {
                const std::string limit = limit_text(value, shape.kind);
                fail(place, found_text(value) + (limit.empty() ? "" : ", which is out of range"),
                     limit.empty() ? facts_of(shape.kind).text : "at most " + limit);
            }
        } else if (path.substr(0, 2) == "[]") {
            check_items(value, shape, path.substr(std::min<std::size_t>(path.size(), 2)), place);
        } else {
            check_members(value, shape, path, place);
        }
    }

    config_errors take() { return std::move(m_errors); }

 private:
    void check_items(const ordered_json& list, const json_shape& shape, std::string_view rest,
                     const std::string& place) {
        if (!list.is_array()) {
            return fail(place, found_text(list), "a list");
        }
        rest.remove_prefix(rest.substr(0, 1) == "." ? 1 : 0);
        for (std::size_t i = 0; i < list.size() && m_errors.size() < most_errors; ++i) {
            check(list[i], shape, rest, place + "[" + std::to_string(i) + "]");
        }
    }

    void check_members(const ordered_json& object, const json_shape& shape, std::string_view path,
                       const std::string& place) {
        if (!object.is_object()) {
            return fail(place, found_text(object), "an object");
        }
        const std::string key{path.substr(0, path.find_first_of(".["))};
        std::string_view rest = path.substr(key.size());
        rest.remove_prefix(rest.substr(0, 1) == "." ? 1 : 0);
        const auto inner = [&](const std::string& name) { return place.empty() ? name : place + "." + name; };
        if (key == "*") {
            for (const auto& [name, value] : object.items()) {
                check(value, shape, rest, inner(name));
            }
        } else if (object.contains(key)) {
            check(object[key], shape, rest, inner(key));
        } else if (shape.required) {
            fail(inner(key), "is missing",
                 rest.empty()                ? facts_of(shape.kind).text
                 : rest.substr(0, 2) == "[]" ? "a list"
                                             : "an object");
        }
    }

    void fail(const std::string& place, const std::string& found, const std::string& expected) {
        if (m_errors.size() < most_errors && m_places.insert(place).second) {
            m_errors.push_back({m_file, 0, place, found + "; expected " + expected});
        }
    }

    const std::string& m_file;
    config_errors m_errors;
    std::set<std::string> m_places;
};

}  // namespace

json_file read_json(const std::filesystem::path& file, const std::string& expected, int most_depth) {
    input_file in = open_input(file.string());
    json_file read;
    if (!in.why_not.empty()) {
        read.errors.push_back(
            {file.string(), 0, "", "cannot be read: " + in.why_not + "; expected " + expected});
        return read;
    }
    return parse_json({std::istreambuf_iterator<char>(in.text), {}}, file.string(), expected, most_depth);
}

json_file parse_json(const std::string& text, const std::string& file, const std::string& expected,
                     int most_depth) {
    json_file read;
    bool too_deep = false;
    read.document = ordered_json::parse(
        text,
        [&](int depth, ordered_json::parse_event_t, ordered_json&) {
            too_deep = too_deep || depth > most_depth;
            return depth <= most_depth;
        },
        false);
    if (too_deep) {
        read.document = ordered_json(ordered_json::value_t::discarded);
        read.errors.push_back(
            {file, 0, "",
             "is nested more than " + std::to_string(most_depth) + " levels deep; expected " + expected});
    } else if (read.document.is_discarded()) {
        refuse(file, text, expected, read);
    }
    return read;
}

ordered_json json_or_discarded(const std::string& text) {
    return parse_json(text, "", "").document;
}

config_errors check_shape(const ordered_json& document, const std::string& file,
                          const std::vector<json_shape>& shapes, const std::string& place) {
    shape_checker checker(file);
    for (const json_shape& shape : shapes) {
        checker.check(document, shape, shape.path, place);
    }
    return checker.take();
}

json_file read_json(const std::filesystem::path& file, const std::string& expected,
                    const std::vector<json_shape>& shapes) {
    json_file read = read_json(file, expected);
    if (read.errors.empty()) {
        read.errors = check_shape(read.document, file.string(), shapes);
    }
    return read;
}

}  // namespace weir::tb
