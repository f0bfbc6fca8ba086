#include "tb/study/points/sweep_plan.h"

#include <algorithm>
#include <map>

#include "tb/run/options/run_options.h"
#include "tb/run/summary/summary_reader.h"
#include "tb/study/points/quantity.h"
#include "tb/support/text/joined.h"

namespace weir::tb {

using nlohmann::ordered_json;

std::size_t sweep_plan::points() const {
    std::size_t count = 1;
    for (const sweep_axis& axis : axes) {
        count = std::min(count * axis.values.size(), most_runs + 1);
    }
    return count;
}

std::vector<std::size_t> sweep_plan::places(std::size_t point) const {
    std::vector<std::size_t> at(axes.size());
    for (std::size_t a = axes.size(); a-- > 0;) {
        at[a] = point % axes[a].values.size();
        point /= axes[a].values.size();
    }
    return at;
}

std::size_t sweep_plan::point(const std::vector<std::size_t>& places) const {
    std::size_t point = 0;
    for (std::size_t a = 0; a < axes.size(); ++a) {
        point = point * axes[a].values.size() + places[a];
    }
    return point;
}

std::vector<std::pair<std::string, std::string>> sweep_plan::settings(std::size_t point) const {
    const std::vector<std::size_t> at = places(point);
    std::vector<std::pair<std::string, std::string>> all;
    for (std::size_t a = 0; a < axes.size(); ++a) {
        for (std::size_t k = 0; k < axes[a].keys.size(); ++k) {
            all.emplace_back(axes[a].keys[k], axes[a].values[at[a]][k]);
        }
    }
    return all;
}

bool sweep_plan::varies(const std::string& key) const {
    return std::any_of(axes.begin(), axes.end(), [&](const sweep_axis& axis) { return axis.has(key); });
}

std::vector<std::string> sweep_plan::keys() const {
    std::vector<std::string> all;
    for (const sweep_axis& axis : axes) {
        all.insert(all.end(), axis.keys.begin(), axis.keys.end());
    }
    return all;
}

std::string sweep_plan::key_of(const std::string& written) const {
    const std::vector<std::string> all = keys();
    const auto found = std::find(all.begin(), all.end(), with_underscores(written));
    return found == all.end() ? written : *found;
}

std::string sweep_plan::describe(std::size_t point) const {
    if (is_of_runs) {
        return axes.front().values[point].front();
    }
    const std::string text = settings_text(point);
    return "point " + name(point) + (text.empty() ? "" : ": " + text);
}

std::string sweep_plan::settings_text(std::size_t point) const {
    return joined(settings(point), ", ", [](const auto& each) { return each.first + "=" + each.second; });
}

ordered_json swept_options(const sweep_plan& plan, std::size_t point) {
    ordered_json j = ordered_json::object();
    for (const auto& [key, text] : plan.settings(point)) {
        j[key] = text;
        const option* const known = known_options().find(key);
        const quantity_kind kind = known == nullptr ? quantity_kind::none : quantity_of(*known);
        if (!column_suffix(kind).empty()) {
            const parse_result<double> number = read_quantity(kind, text);
            j[key + column_suffix(kind)] = number ? ordered_json(column_value(kind, number.value)) : nullptr;
        }
    }
    return j;
}

// --- the file --------------------------------------------------------------------------------------------

/// One text is a string, more or none are a list.
static ordered_json short_json(const std::vector<std::string>& texts) {
    return texts.size() == 1 ? ordered_json(texts.front()) : ordered_json(texts);
}
static std::vector<std::string> from_short_json(const ordered_json& json) {
    return json.is_string() ? std::vector<std::string>{json.get<std::string>()}
                            : json.get<std::vector<std::string>>();
}

ordered_json to_json(const sweep_plan& plan) {
    ordered_json j;
    j["version"] = plan.version;
    j["configuration"] = plan.configuration;
    j["keep"] = name_of(plan.keep);
    j["points"] = plan.points();
    j["seeds"] = plan.seeds;
    j["axes"] = ordered_json::array();
    for (const sweep_axis& axis : plan.axes) {
        ordered_json values = ordered_json::array();
        for (const std::vector<std::string>& place : axis.values) {
            values.push_back(short_json(place));
        }
        j["axes"].push_back({{"keys", axis.keys}, {"values", std::move(values)}});
    }
    j["options"] = ordered_json::object();
    for (const plan_option& o : plan.options) {
        j["options"][o.key] = short_json(o.values);
    }
    j["inputs"] = ordered_json::array();
    for (const plan_input& i : plan.inputs) {
        j["inputs"].push_back(
            {{"path", i.path}, {"bytes", i.fingerprint.bytes}, {"crc64", i.fingerprint.crc64}});
    }
    for (const derived_metric& metric : plan.metrics) {
        j["metrics"].push_back(metric.text);
    }
    return j;
}

plan_result plan_from_json(const ordered_json& j, const std::string& file, const std::string& place) {
    plan_result result;
    sweep_plan& plan = result.plan;
    result.errors = check_shape(j, file,
                                {{"version", json_kind::text},
                                 {"configuration", json_kind::text},
                                 {"keep", json_kind::text},
                                 {"points", json_kind::count, false},
                                 {"seeds[]", json_kind::seed},
                                 {"axes[].keys[]", json_kind::text},
                                 {"axes[].values[]", json_kind::texts},
                                 {"options.*", json_kind::texts},
                                 {"inputs[].path", json_kind::text},
                                 {"inputs[].bytes", json_kind::count},
                                 {"inputs[].crc64", json_kind::text},
                                 {"metrics[]", json_kind::text, false}},
                                place);
    if (!result.errors.empty()) {
        return result;
    }
    const auto fail = [&](const std::string& key, const std::string& message) {
        result.errors.push_back(
            {file, 0, place.empty() || key.empty() ? place + key : place + "." + key, message});
    };
    plan.version = j["version"].get<std::string>();
    plan.configuration = j["configuration"].get<std::string>();
    plan.keep = j["keep"] == "all" ? kept_files::all : kept_files::summary;
    plan.seeds = j["seeds"].get<std::vector<std::uint64_t>>();
    for (const ordered_json& axis : j["axes"]) {
        plan.axes.push_back({axis["keys"].get<std::vector<std::string>>(), {}});
        for (const ordered_json& place : axis["values"]) {
            plan.axes.back().values.push_back(from_short_json(place));
            if (plan.axes.back().values.back().size() != plan.axes.back().keys.size()) {
                fail("axes", "an axis has values without keys; expected as many of both");
            }
        }
    }
    for (const auto& [key, values] : j["options"].items()) {
        plan.options.push_back({key, from_short_json(values)});
    }
    for (const ordered_json& input : j["inputs"]) {
        plan.inputs.push_back({input["path"].get<std::string>(),
                               {input["bytes"].get<std::uint64_t>(), input["crc64"].get<std::string>()}});
    }
    config_errors wrong;
    plan.metrics = read_definitions(j.value("metrics", std::vector<std::string>{}), wrong);
    for (const config_error& error : wrong) {
        fail("metrics", error.message);
    }
    if (plan.runs() == 0 || plan.runs() > sweep_plan::most_runs) {
        fail("", "has no runs, or too many; expected 1 to " + std::to_string(sweep_plan::most_runs));
    }
    return result;
}

plan_result plan_from_json(const std::string& text, const std::string& file) {
    json_file read = parse_json(text, file, "the plan.json of a sweep");
    return read.errors.empty() ? plan_from_json(read.document, file, "")
                               : plan_result{{}, std::move(read.errors)};
}

plan_result search_plan(json_file read, const std::string& file) {
    config_errors errors = std::move(read.errors);
    if (errors.empty()) {
        errors = check_shape(read.document, file, {{"runs.version", json_kind::text}});
    }
    return errors.empty() ? plan_from_json(read.document["runs"], file, "runs")
                          : plan_result{{}, std::move(errors)};
}

const directory_kind& sweep_kind() {
    static const directory_kind kind{
        "sweep", "plan.json", {"sweep.csv", "sweep.json", "means.csv", "means.json"}};
    return kind;
}

sweep_plan read_plan(const std::filesystem::path& directory, config_errors& errors) {
    const std::filesystem::path file = directory / "plan.json";
    if (!path_exists(file)) {
        const auto unfinished = unfinished_run(directory);
        errors.push_back(unfinished.value_or(
            config_error{file.string(), 0, "",
                         "cannot be read: No such file or directory; expected the directory of a sweep"}));
        return {};
    }
    plan_result read = plan_from_json(read_if_there(file), file.string());
    errors.insert(errors.end(), read.errors.begin(), read.errors.end());
    return std::move(read.plan);
}

// --- what has changed ------------------------------------------------------------------------------------

namespace {

std::string values_text(const std::vector<std::string>& values) {
    return values.empty() ? "nothing" : "'" + joined(values, "', '") + "'";
}

std::string axis_text(const sweep_axis& axis) {
    return joined(axis.keys, ",") + "=" + joined(axis.values, ",", [&](const std::vector<std::string>& place) {
               const std::string text = joined(place, ",");
               return axis.keys.size() > 1 ? "(" + text + ")" : text;
           });
}

std::string axes_text(const std::vector<sweep_axis>& axes) {
    return axes.empty() ? "nothing" : joined(axes, " ", axis_text);
}

/// With sizes in one notation: `256KB` and `250KiB` are one value.
std::vector<sweep_axis> in_one_notation(std::vector<sweep_axis> axes) {
    for (sweep_axis& axis : axes) {
        for (std::vector<std::string>& place : axis.values) {
            for (std::string& value : place) {
                std::vector<std::string> parts = split_list(value);
                for (std::string& part : parts) {
                    const parse_result<bytes> size = parse_bytes(part);
                    part = size ? to_text(size.value) : part;
                }
                value = joined(parts, ", ");
            }
        }
    }
    return axes;
}

std::string list_of_seeds(const std::vector<std::uint64_t>& seeds) {
    return joined(seeds, ",", [](std::uint64_t seed) { return std::to_string(seed); });
}

class comparison {
 public:
    comparison(std::string file, std::string kind, config_errors& errors)
        : m_file(std::move(file)), m_kind(std::move(kind)), m_errors(errors) {}

    void expect_same(const std::string& key, const std::string& there, const std::string& wanted) {
        if (there != wanted) {
            differs(key,
                    "the " + m_kind + " in this directory has " + there + ", but this command has " + wanted);
        }
    }
    void differs(const std::string& key, const std::string& what,
                 const std::string& allowed = "the same command, or another --out") {
        m_errors.push_back({m_file, 0, key, what + "; expected " + allowed});
    }

 private:
    std::string m_file;
    std::string m_kind;
    config_errors& m_errors;
};

void compare_seeds(comparison& found, const sweep_plan& there, const sweep_plan& wanted, bool extend) {
    const bool longer = wanted.seeds.size() > there.seeds.size() &&
                        std::equal(there.seeds.begin(), there.seeds.end(), wanted.seeds.begin());
    if (there.seeds == wanted.seeds || (longer && extend)) {
        return;
    }
    found.differs("--seeds",
                  "the sweep in this directory has " + list_of_seeds(there.seeds) + ", but this command has " +
                      list_of_seeds(wanted.seeds),
                  longer ? "the same seeds, --extend for more, or another --out"
                         : "the same seeds, the same seeds followed by more with --extend, or another --out");
}

template <class T, class Key, class Text>
void compare_lists(comparison& found, const std::vector<T>& there, const std::vector<T>& wanted, Key&& key,
                   Text&& text) {
    std::map<std::string, const T*> old;
    for (const T& each : there) {
        old[key(each)] = &each;
    }
    for (const T& each : wanted) {
        const auto same = old.find(key(each));
        if (same == old.end() || !(*same->second == each)) {
            found.expect_same(key(each), same == old.end() ? "nothing" : text(*same->second), text(each));
        }
        if (same != old.end()) {
            old.erase(same);
        }
    }
    for (const auto& [name, each] : old) {
        found.expect_same(name, text(*each), "nothing");
    }
}

}  // namespace

config_errors differences(const sweep_plan& there, const sweep_plan& wanted, const std::string& file,
                          bool extend, const std::string& kind) {
    config_errors errors;
    comparison found(file, kind, errors);
    const bool same_axes = in_one_notation(there.axes) == in_one_notation(wanted.axes);
    if (!same_axes) {
        found.expect_same("--vary", axes_text(there.axes), axes_text(wanted.axes));
    }
    compare_seeds(found, there, wanted, extend);
    found.expect_same("--keep", name_of(there.keep), name_of(wanted.keep));
    if (same_axes) {
        compare_lists(
            found, there.options, wanted.options, [](const plan_option& o) { return o.key; },
            [](const plan_option& o) { return values_text(o.values); });
    }
    compare_lists(
        found, there.inputs, wanted.inputs, [](const plan_input& i) { return i.path; },
        [](const plan_input& i) {
            return std::to_string(i.fingerprint.bytes) + " B with CRC " + i.fingerprint.crc64;
        });
    return errors;
}

}  // namespace weir::tb
