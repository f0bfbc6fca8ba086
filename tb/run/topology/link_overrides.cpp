#include "tb/run/topology/fabric_texts.h"

#include <algorithm>
#include <optional>
#include <sstream>

#include "tb/run/arguments/argument_list.h"
#include "tb/support/text/nearest_name.h"
#include "weir/base/unit_text.h"

namespace weir::tb {

namespace {

/// What one text says.
struct one_override : fabric_change {
    std::optional<picoseconds> begin;
    bool is_up = false;
    bool is_down = false;

    void describe(argument_list& words) {
        words("rate", rate, "RATE").range(1_Mbps, 10'000_Gbps);
        words("latency", latency, "TIME").range(1_ps, picoseconds{1s});
        words("frame_error_rate", frame_error_rate, "SHARE").share().range(0, 1);
        words("bit_error_rate", bit_error_rate, "SHARE").share().range(0, 1);
        words("down", is_down);
        words("up", is_up);
        words("at", begin, "TIME").range(0_ps, longest_time);
    }
    bool changes_link() const {
        return rate > bit_rate{0} || latency || frame_error_rate || bit_error_rate || is_up || is_down;
    }
};

class override_reader {
 public:
    override_reader(const topology& plan, config_errors& errors) : m_plan(plan), m_errors(errors) {}

    /// The next text.
    std::optional<one_override> read(const std::string& text) {
        m_text = text;
        ++m_number;
        m_failed = false;
        std::istringstream words(text);
        std::string name;
        words >> name;
        one_override found{};
        if (const std::optional<link_id> link = m_plan.find_link(name)) {
            found.link = *link;
        } else {
            fail("no link is called '" + name + "'; " + hint(name));
        }
        argument_list arguments;
        found.describe(arguments);
        const std::vector<std::string> errors = arguments.read_words(words);
        std::for_each(errors.begin(), errors.end(), [this](const std::string& error) { fail(error); });
        if (found.is_up && found.is_down) {
            fail("'up' contradicts another word; expected either down or up, once");
        }
        if (errors.empty() && !found.changes_link()) {
            fail(
                "has no change of the link; expected at least one of rate=, latency=, frame_error_rate=, "
                "bit_error_rate=, down, up");
        }
        if (m_failed) {
            return std::nullopt;
        }
        found.at = found.begin.value_or(picoseconds{0});
        if (found.is_up || found.is_down) {
            found.up = found.is_up;
        }
        return found;
    }

 private:
    /// Of the links' names: the one with the ends the other way round, or the nearest.
    std::string hint(const std::string& name) const {
        std::vector<std::string> names;
        for (const topology_link& link : m_plan.links()) {
            names.push_back(link.name);
        }
        for (std::size_t at = name.find('-'); at != std::string::npos; at = name.find('-', at + 1)) {
            const std::string turned = name.substr(at + 1) + "-" + name.substr(0, at);
            if (m_plan.find_link(turned)) {
                return "did you mean '" + turned + "'?";
            }
        }
        const std::string best = nearest_name(name, names);
        return !best.empty() ? "did you mean '" + best + "'?"
                             : "expected a name that `weir run --dry-run` lists, such as " + names.front();
    }
    void fail(const std::string& what) {
        m_failed = true;
        m_errors.push_back(
            {{}, 0, "fabric.link[" + std::to_string(m_number) + "]", "'" + m_text + "': " + what});
    }

    const topology& m_plan;
    config_errors& m_errors;
    std::string m_text;
    int m_number = -1;
    bool m_failed = false;
};

topology with_links(const topology& plan, const std::vector<link_properties>& links) {
    topology made;
    for (std::uint32_t i = 0; i < plan.nodes(); ++i) {
        const node_ref n = plan.node_at(i);
        if (n.is_host()) {
            made.add_host(plan.name(n));
        } else {
            made.add_switch(plan.name(n), plan.tier(n.index));
        }
    }
    for (link_id l = 0; l < plan.links().size(); ++l) {
        const topology_link& link = plan.link(l);
        made.add_link(link.a.node, link.b.node, links[l], link.named ? link.name : std::string{});
    }
    made.finish();
    return made;
}

}  // namespace

static void apply_from_the_start(const one_override& text, link_properties& link,
                                 std::vector<fabric_change>& changes) {
    link.rate = text.rate > bit_rate{0} ? text.rate : link.rate;
    link.latency = text.latency.value_or(link.latency);
    link.frame_error_rate = text.frame_error_rate.value_or(link.frame_error_rate);
    link.bit_error_rate = text.bit_error_rate.value_or(link.bit_error_rate);
    if (text.is_down) {
        changes.push_back({picoseconds{0}, text.link, false});
    }
}

link_overrides apply_link_overrides(const topology& plan, const std::vector<std::string>& texts) {
    link_overrides result;
    std::vector<link_properties> links(plan.links().begin(), plan.links().end());
    override_reader reader(plan, result.errors);
    for (const std::string& text : texts) {
        const std::optional<one_override> change = reader.read(text);
        if (!change) {
            continue;
        }
        if (change->begin) {
            result.changes.push_back(*change);
        } else {
            apply_from_the_start(*change, links[change->link], result.changes);
        }
    }
    result.plan = with_links(plan, links);
    return result;
}

}  // namespace weir::tb
