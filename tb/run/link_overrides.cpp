#include "tb/run/link_overrides.h"

#include <charconv>
#include <optional>
#include <sstream>

#include "tb/options/run_config.h"
#include "weir/base/unit_text.h"

namespace weir {

namespace {

struct one_override {
    link_id link = no_link;
    std::optional<bit_rate> rate;
    std::optional<picoseconds> latency;
    std::optional<double> frame_error_rate;
    std::optional<bool> up;
    std::optional<picoseconds> at;
};

class override_reader {
 public:
    override_reader(const topology& plan, config_errors& errors) : m_plan(plan), m_errors(errors) {}

    std::optional<one_override> read(const std::string& text) {
        m_text = text;
        m_failed = false;
        std::istringstream words(text);
        std::string name;
        words >> name;
        one_override found;
        const std::optional<link_id> link = m_plan.find_link(name);
        if (!link) {
            fail("no link is called '" + name + "'; allowed: a name that `weir run --dry-run` lists, such as " +
                 (m_plan.links().empty() ? std::string("h0-s0") : m_plan.link(0).name));
        } else {
            found.link = *link;
        }
        int changes = 0;
        for (std::string word; words >> word; ++changes) {
            read_word(word, found);
        }
        if (changes == 0) {
            fail("says nothing about the link; allowed: rate=, latency=, frame_error_rate=, down, up, at=");
        }
        if (found.at && (found.latency || found.frame_error_rate)) {
            fail("latency and error rate hold from the start; at= is allowed with rate=, down and up");
        }
        if (m_failed) {
            return std::nullopt;
        }
        return found;
    }

 private:
    void fail(const std::string& what) {
        m_failed = true;
        m_errors.push_back({{}, 0, "fabric.link", "'" + m_text + "': " + what});
    }

    template <class T>
    void set(std::optional<T>& field, const parse_result<T>& value, const std::string& word, T least, T most) {
        if (!value) {
            fail(word + ": " + value.error);
        } else if (value.value < least || value.value > most) {
            fail(word + ": is out of range; allowed: " + to_text(least) + " to " + to_text(most));
        } else {
            field = value.value;
        }
    }

    void read_word(const std::string& word, one_override& found) {
        const std::size_t equals = word.find('=');
        const std::string key = word.substr(0, equals);
        const std::string value = equals == std::string::npos ? std::string{} : word.substr(equals + 1);
        if (word == "down" || word == "up") {
            found.up = word == "up";
        } else if (key == "rate") {
            set(found.rate, parse_rate(value), word, 1_Mbps, 10'000_Gbps);
        } else if (key == "latency") {
            set(found.latency, parse_time(value), word, 1_ps, picoseconds{1s});
        } else if (key == "at") {
            set(found.at, parse_time(value), word, 0_ps, picoseconds{longest_time});
        } else if (key == "frame_error_rate") {
            double rate = -1;
            const auto end = std::from_chars(value.data(), value.data() + value.size(), rate);
            if (end.ec != std::errc{} || end.ptr != value.data() + value.size() || rate < 0 || rate > 1) {
                fail(word + ": not a share of frames; allowed: 0 to 1");
            } else {
                found.frame_error_rate = rate;
            }
        } else {
            fail("'" + word + "' is unknown; allowed: rate=, latency=, frame_error_rate=, down, up, at=");
        }
    }

    const topology& m_plan;
    config_errors& m_errors;
    std::string m_text;
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

link_overrides apply_link_overrides(const topology& plan, const std::vector<std::string>& texts) {
    link_overrides result;
    std::vector<link_properties> links(plan.links().begin(), plan.links().end());
    override_reader reader(plan, result.errors);
    for (const std::string& text : texts) {
        const std::optional<one_override> change = reader.read(text);
        if (!change) {
            continue;
        }
        link_properties& link = links[change->link];
        link.latency = change->latency.value_or(link.latency);
        link.frame_error_rate = change->frame_error_rate.value_or(link.frame_error_rate);
        if (!change->at) {
            link.rate = change->rate.value_or(link.rate);
        }
        if (change->at || (change->up && !*change->up)) {
            fabric_change at_time;
            at_time.at = change->at.value_or(picoseconds{0});
            at_time.link = change->link;
            at_time.up = change->up;
            at_time.rate = change->at ? change->rate.value_or(bit_rate{0}) : bit_rate{0};
            result.changes.push_back(at_time);
        }
    }
    result.plan = with_links(plan, links);
    return result;
}

}  // namespace weir
