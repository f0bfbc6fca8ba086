#include "tb/setup/link_overrides.h"

#include <optional>
#include <sstream>

#include "tb/options/option_value.h"
#include "tb/options/run_config.h"
#include "tb/text/nearest_name.h"
#include "weir/base/unit_text.h"

namespace weir::tb {

namespace {

constexpr const char* allowed_words = "rate=, latency=, frame_error_rate=, bit_error_rate=, down, up, at=";

struct one_override {
    link_id link = no_link;
    std::optional<bit_rate> rate;
    std::optional<picoseconds> latency;
    std::optional<double> frame_error_rate;
    std::optional<double> bit_error_rate;
    std::optional<bool> up;
    std::optional<picoseconds> at;
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
        one_override found;
        const std::optional<link_id> link = m_plan.find_link(name);
        if (!link) {
            fail("no link is called '" + name + "'; " + hint(name));
        } else {
            found.link = *link;
        }
        int changes = 0;
        for (std::string word; words >> word; ++changes) {
            read_word(word, found);
        }
        if (changes == 0 || (changes == 1 && found.at)) {
            fail(std::string("has no change of the link; expected at least one of ") + allowed_words);
        }
        if (m_failed) {
            return std::nullopt;
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

    void fail_twice(const std::string& word) {
        fail(word + ": " + word.substr(0, word.find('=') + 1) + " is given twice; expected once");
    }

    template <class T>
    void set(std::optional<T>& field, const parse_result<T>& value, const std::string& word, T least, T most) {
        if (field) {
            fail_twice(word);
        } else if (!value) {
            fail(word + ": " + value.error);
        } else if (value.value < least || value.value > most) {
            fail(word + ": is out of range; expected " + to_text(least) + " to " + to_text(most));
        } else {
            field = value.value;
        }
    }

    void set_share(std::optional<double>& field, const std::string& value, const std::string& word,
                   const char* of) {
        if (field) {
            return fail_twice(word);
        }
        const auto is_share = [](const parse_result<double>& read) {
            return read && read.value >= 0 && read.value <= 1;
        };
        const parse_result<double> share = detail::parse_share(value);
        if (!is_share(share)) {
            const std::string percent = detail::share_in_percent(value);
            const bool meant = share && is_share(detail::parse_share(percent));
            fail(word + ": is not a share of " + of + "; expected 0 to 1" +
                 (meant ? detail::percent_advice(percent) : ""));
        } else {
            field = share.value;
        }
    }

    void read_word(const std::string& word, one_override& found) {
        const std::size_t equals = word.find('=');
        const std::string key = word.substr(0, equals);
        const std::string value = equals == std::string::npos ? std::string{} : word.substr(equals + 1);
        if ((word == "down" || word == "up") && found.up == (word == "up")) {
            fail("'" + word + "' is given twice; expected once");
        } else if ((word == "down" || word == "up") && found.up) {
            fail("'" + word + "' contradicts another word; expected either down or up, once");
        } else if (word == "down" || word == "up") {
            found.up = word == "up";
        } else if (key == "rate") {
            set(found.rate, parse_rate(value), word, 1_Mbps, 10'000_Gbps);
        } else if (key == "latency") {
            set(found.latency, parse_time(value), word, 1_ps, picoseconds{1s});
        } else if (key == "at") {
            set(found.at, parse_time(value), word, 0_ps, picoseconds{longest_time});
        } else if (key == "frame_error_rate") {
            set_share(found.frame_error_rate, value, word, "frames");
        } else if (key == "bit_error_rate") {
            set_share(found.bit_error_rate, value, word, "bits");
        } else {
            fail("'" + word + "' is unknown; expected " + allowed_words);
        }
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

static fabric_change at_its_time(const one_override& text) {
    fabric_change change;
    change.at = *text.at;
    change.link = text.link;
    change.up = text.up;
    change.rate = text.rate.value_or(bit_rate{0});
    change.latency = text.latency;
    change.frame_error_rate = text.frame_error_rate;
    change.bit_error_rate = text.bit_error_rate;
    return change;
}

static void apply_from_the_start(const one_override& text, link_properties& link,
                                 std::vector<fabric_change>& changes) {
    link.rate = text.rate.value_or(link.rate);
    link.latency = text.latency.value_or(link.latency);
    link.frame_error_rate = text.frame_error_rate.value_or(link.frame_error_rate);
    link.bit_error_rate = text.bit_error_rate.value_or(link.bit_error_rate);
    if (text.up && !*text.up) {
        fabric_change down;
        down.at = picoseconds{0};
        down.link = text.link;
        down.up = false;
        changes.push_back(down);
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
        if (change->at) {
            result.changes.push_back(at_its_time(*change));
        } else {
            apply_from_the_start(*change, links[change->link], result.changes);
        }
    }
    result.plan = with_links(plan, links);
    return result;
}

}  // namespace weir::tb
