#include "tb/run/results/metric_catalogue.h"

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "tb/run/options/requested_metrics.h"
#include "tb/run/tables/segment_tables.h"
#include "tb/support/record/row_json.h"
#include "tb/support/record/table_schema.h"
#include "tb/support/text/joined.h"

namespace weir::tb {

namespace {

using nlohmann::ordered_json;

/// Descriptions of objects and lists.
const std::map<std::string_view, const char*>& helps_of_objects() {
    static const std::map<std::string_view, const char*> helps{
        {"frames", "sent + originated = delivered + dropped + inside, since the start of the run."},
        {"drops", "Frames lost by reason, since the start of the run."},
        {"pfc", "Pauses from run.warmup on, of the classes that count."},
        {"pfc.paused_ns",
         "Time that transmitters were paused, summed over ports and classes, by the tier of the node that was "
         "paused."},
        {"pfc.paused_percent", "The same as a share of these transmitters' time; null: the tier has none."},
        {"buffers", "Watermarks by kind of memory, from run.warmup on."},
        {"buffers.*", "The fullest memory of the kind in all switches."},
        {"ecn", "Only where switches mark."},
        {"detours", "Only with switch.overflow = detour: frames delivered to hosts from run.warmup on."},
        {"detours.tags", "The same by tag."},
        {"detours.tags.*", "Detours of one tag."},
        {"pfabric", "Only with pFabric."},
        {"goodput",
         "Payload that receiving hosts handed to their software from run.warmup on. bps is null where the "
         "warm-up is longer than the run."},
        {"limited_by", "Kinds of resources that limit the run."},
        {"resources", "Resources by kind, from run.warmup on."},
        {"resources.*", "All resources of a kind, and the one of them that binds most or is busiest."},
        {"resources.*.fullest",
         "Up to three resources that bind, the one that binds most first; only where several do."},
        {"resources.*.fullest[]", "A resource of the kind that binds."},
        {"busy_links", "Only with output.busy_links."},
        {"full_queues", "Only with output.full_queues; means of the columns of full_queues.csv."},
        {"program", "Only with traffic.kind = goal; null where not all ranks have ended."},
        {"segments", "Only with output.segments: by tag."},
        {"segments.*", "Segments of a tag from run.warmup on, as in segments.csv."},
        {"fairness", "Only with output.fairness_window: by tag."},
        {"fairness.*", "Rates of a tag's transfers, as in fairness.csv."},
        {"until", "Only with run.until."},
        {"until.figures", "Figures by METRIC.FIGURE or METRIC.TAG.FIGURE, such as fct.p99."},
        {"until.figures.*", "A figure of run.until with its interval of confidence; null: too few values."},
        {"until.assumed", "Assumptions of the intervals."},
        {"flows", "Transfers, since the start of the run."},
        {"fct_ns", "Completion times of transfers, one way; null: none completed."},
        {"jct_ns", "Completion times of jobs; null: none completed."},
        {"fct_slowdown", "Slowdowns of transfers whose time in an empty fabric is known."},
        {"jct_slowdown", "Only with output.ideal_jobs: slowdowns of jobs."},
        {"groups", "The same, in the order of tag, bytes, priority."},
        {"tags", "Times by the traffic's tag, where output.metrics names them."},
        {"tags.*", "Transfers and jobs of a tag."},
        {"priorities", "Times by priority, where output.metrics names them."},
        {"priorities.*", "Transfers and jobs of a priority."},
        {"sizes", "Times by size, of a bin its largest one, where output.metrics names them."},
        {"sizes.*", "Transfers and jobs of a size."},
        {"racks", "Times by the switch of the receiving host, where output.metrics names them."},
        {"racks.*", "Transfers to the hosts of a switch."},
        {"groups[]", "Transfers and jobs of equal tag, size and priority."}};
    return helps;
}

std::string help_of(const std::string& path) {
    std::string help = help_of_object(path);
    if (help.empty()) {
        throw std::logic_error("summary.json: " + path + " has no description");
    }
    return help;
}

std::string names_of_members(const std::string& family) {
    const std::vector<std::string> members = members_of(family);
    return family.rfind("pfc.", 0) == 0 ? "^(host|tier[0-9]+)$"
           : members.empty()            ? ""
                                        : "^(" + joined(members, "|") + ")$";
}

/// Puts `leaf` at `place`, with the objects and lists above it. `path`: of `object`, without marks.
void put(ordered_json& object, std::string_view place, const std::string& path, const ordered_json& leaf) {
    const std::string_view marked = place.substr(0, place.find('.'));
    const bool is_list = marked.find("[]") != std::string_view::npos;
    const std::string name{marked.substr(0, marked.find_first_of("?["))};
    std::string inner = path + (path.empty() ? "" : ".") + name;
    if (object.is_null()) {
        object = {{"type", "object"}, {"description", help_of(path)}, {"additionalProperties", false}};
    }
    ordered_json* child = nullptr;
    if (name == "*") {
        const std::string names = names_of_members(path);
        child = names.empty() ? &object["additionalProperties"] : &object["patternProperties"][names];
        *child = child->is_boolean() ? ordered_json() : std::move(*child);
    } else {
        // New keys of an object move its values.
        if (marked.find('?') == std::string_view::npos && !object["properties"].contains(name)) {
            object["required"].push_back(name);
        }
        child = &object["properties"][name];
    }
    if (is_list) {
        if (child->is_null()) {
            *child = {{"type", "array"}, {"description", help_of(inner)}, {"items", nullptr}};
        }
        child = &(*child)["items"];
        inner += "[]";
    }
    if (marked.size() == place.size()) {
        *child = leaf;
    } else {
        put(*child, place.substr(marked.size() + 1), inner, leaf);
    }
}

ordered_json number_schema(const char* type, bool may_be_null, const std::string& unit) {
    ordered_json schema{{"type", type}, {"minimum", 0}, {"unit", unit}};
    if (may_be_null) {
        schema["type"] = {type, "null"};
    }
    return schema;
}

/// `Frames lost.` of `Frames lost: *`.
std::string sentence_of(std::string text) {
    for (const std::string_view end : {": *", ", *", " (*)"}) {
        const std::size_t at = text.find(end);
        text.erase(std::min(at, text.size()), end.size());
    }
    return text.back() == '.' ? text : text + ".";
}

ordered_json leaf_of(const metric_entry& entry) {
    ordered_json schema;
    switch (entry.shape.kind) {
        case json_kind::text:
            schema["type"] = "string";
            break;
        case json_kind::flag:
            schema["type"] = "boolean";
            break;
        case json_kind::seed:
            schema = {{"type", "integer"}, {"minimum", 0}, {"identifies", "seed"}};
            break;
        case json_kind::count:
            schema = number_schema("integer", false, entry.unit);
            break;
        case json_kind::any:
            schema = {{"type", {"number", "null"}}, {"unit", "1"}};
            break;
        default:
            schema = number_schema("number", entry.shape.kind == json_kind::number_or_null, entry.unit);
    }
    schema["description"] = sentence_of(entry.help.empty() ? entry.title : entry.help);
    return schema;
}

}  // namespace

std::string help_of_object(const std::string& path) {
    auto found = helps_of_objects().find(path);
    if (found == helps_of_objects().end()) {  // a distribution of a member
        found = helps_of_objects().find(std::string_view(path).substr(path.rfind('.') + 1));
    }
    return found != helps_of_objects().end() ? found->second
           : is_on_request(path)             ? "Values that output.metrics names."
                                             : "";
}

std::string summary_schema_text() {
    ordered_json schema{{"$schema", "https://json-schema.org/draft/2020-12/schema"},
                        {"title", "summary.json of a run"},
                        {"type", "object"},
                        {"description",
                         "Counts, completion times and groups of a run: the same bytes whatever the engine, "
                         "the threads and the machine."},
                        {"additionalProperties", false}};
    for (const metric_entry& entry : metric_catalogue()) {
        if (!entry.place.empty()) {
            put(schema, entry.place, "", leaf_of(entry));
        }
    }
    for (const column_schema& column : columns_of<segment_row>()) {
        if (column.facts.name != std::string_view("tag")) {
            ordered_json leaf = number_schema(column.type, column.may_be_empty, unit_of(column));
            leaf["description"] = column.facts.help;
            put(schema, "segments?.*." + json_key(column.facts.name, "_segments"), "", leaf);
        }
    }
    std::string text;
    for (const auto& [key, value] : schema.items()) {
        if (key != "properties") {
            text += (text.empty() ? "{\n" : ",\n") + ordered_json(key).dump() + ": " + value.dump();
        }
    }
    text += ",\n\"properties\": {";
    for (const auto& [key, value] : schema["properties"].items()) {
        text += (text.back() == '{' ? "\n" : ",\n") + ordered_json(key).dump() + ": " + value.dump();
    }
    return text + "\n}\n}\n";
}

}  // namespace weir::tb
