#include "tb/support/record/table_schema.h"

#include <algorithm>
#include <stdexcept>

#include "tb/support/text/joined.h"

namespace weir::tb {

namespace {

using nlohmann::ordered_json;

constexpr struct {
    std::string_view end;
    const char* unit;
} units_of_names[] = {{"_ns", "ns"},     {"_bytes", "B"},       {"_percent", "percent"},
                      {"_bps", "bit/s"}, {"_frames", "frames"}, {"_segments", "segments"}};

struct kind_of_name {
    std::string_view word;
    const char* kind;
};
/// Kinds of things, by the last word of a column's name.
constexpr kind_of_name kinds_of_names[] = {
    {"node", "node"},   {"peer", "node"},         {"host", "host"},   {"src", "host"},
    {"dst", "host"},    {"flow", "flow"},         {"job", "job"},     {"port", "port"},
    {"class", "class"}, {"priority", "priority"}, {"path", "path"},   {"copy", "copy"},
    {"slice", "slice"}, {"seed", "seed"},         {"point", "point"}, {"status", "status"}};

std::string thing_of(const column_facts& facts) {
    const std::string_view name = facts.name;
    const std::size_t last = name.rfind('_') + 1;
    for (const auto& [word, kind] : kinds_of_names) {
        if (*facts.unit == '\0' && name.substr(last) == word) {
            return kind;
        }
    }
    return "";
}

ordered_json field_of(const column_schema& column) {
    const column_facts& facts = column.facts;
    const bool is_number =
        column.type == std::string_view("integer") || column.type == std::string_view("number");
    ordered_json field;
    if (column.are_names) {
        field["name_pattern"] =
            (column.words.empty() ? "" : "(" + joined(column.words, "|") + ")") + facts.name;
    } else {
        field["name"] = facts.name;
    }
    field["type"] = column.type;
    if (const std::string thing = thing_of(facts); !thing.empty()) {
        field["identifies"] = thing;
    } else if (is_number) {
        field["unit"] = unit_of(column);
    }
    field["description"] = facts.help;
    const bool is_boolean = column.type == std::string_view("boolean");
    if (is_boolean) {
        field["trueValues"] = {facts.yes};
        field["falseValues"] = {facts.no};
    }
    if (*facts.only_with != '\0') {
        field["only_with"] = facts.only_with;
    }
    if (column.may_be_empty && *facts.absent == '\0') {
        throw std::logic_error(std::string(facts.name) +
                               ": the cell may be empty, but its description does not say when");
    }
    ordered_json limits;
    if (*facts.absent != '\0') {
        field["empty"] = facts.absent;
    } else {
        limits["required"] = true;
    }
    if (*facts.pattern != '\0') {
        limits["pattern"] = facts.pattern;
    }
    if (!column.words.empty() && !column.are_names) {
        limits["enum"] = column.words;
    }
    if (!limits.empty()) {
        field["constraints"] = limits;
    }
    return field;
}

}  // namespace

std::string unit_of_name(std::string_view name) {
    for (const auto& [end, unit] : units_of_names) {
        if (name.size() >= end.size() && name.substr(name.size() - end.size()) == end) {
            return unit;
        }
    }
    return "";
}

std::string unit_of(const column_schema& column) {
    return *column.facts.unit != '\0' ? column.facts.unit : unit_of_name(column.facts.name);
}

ordered_json table_schema(const table_facts& table, const std::vector<column_schema>& columns) {
    const std::string file = table.file;
    std::string written = table.written;
    written.erase(std::remove(written.begin(), written.end(), '`'), written.end());
    ordered_json schema{{"name", file.substr(0, file.find('.'))},
                        {"file", file},
                        {"description", table.help},
                        {"written", written},
                        {"missingValues", {""}}};
    for (const column_schema& column : columns) {
        schema["fields"].push_back(field_of(column));
    }
    return schema;
}

}  // namespace weir::tb
