#include "weir/model/topology/topology_files.h"

#include <algorithm>
#include <charconv>
#include <optional>
#include <set>

#include "topology_text.h"
#include "weir/base/unit_text.h"

namespace weir::model {

using namespace detail;

namespace {

bool is_name(const std::string& text) {
    return !text.empty() && std::all_of(text.begin(), text.end(), [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
               c == '.' || c == '-';
    });
}
const char* const name_rule = "letters, digits, '_', '.' and '-'";

class own_format : file_reader {
 public:
    own_format(topology_file& out, const std::string& file, const link_properties& defaults)
        : file_reader(out, file), m_defaults(defaults) {}

    void read(std::istream& text) {
        int last_line = 0;
        const std::vector<text_line> lines = lines_of(text, '#', last_line);
        bool ended = false;
        // Nodes first: a link may stand before the nodes that it connects.
        for (const text_line& l : lines) {
            if (ended) {
                fail(l.number, l.words[0], "is after 'end'; expected only comments there");
            } else if (l.words[0] == "end") {
                ended = true;
                if (l.words.size() > 1) {
                    fail(l.number, "end", "'" + l.words[1] + "' follows; expected 'end' alone on its line");
                }
            } else if (l.words[0] == "host" || l.words[0] == "switch") {
                read_node(l);
            } else if (l.words[0] != "link") {
                fail(l.number, l.words[0], "unknown keyword; expected host, switch, link, end");
                left_out();
            }
        }
        if (!ended) {
            fail(last_line, "end", "is missing: the file has been truncated; expected 'end' as the last line");
            left_out();
        }
        for (const text_line& l : lines) {
            if (l.words[0] == "link") {
                read_link(l);
            }
        }
        finish();
    }

 private:
    void read_node(const text_line& l) {
        const bool is_host = l.words[0] == "host";
        if (l.words.size() < 2 || !is_name(l.words[1])) {
            fail(l.number, l.words[0],
                 (l.words.size() < 2 ? "has no name" : "'" + l.words[1] + "' is not a name") +
                     "; expected a name of " + name_rule);
            return left_out();
        }
        std::uint64_t tier = unknown_tier;
        for (std::size_t i = 2; i < l.words.size(); ++i) {
            if (!is_host && l.words[i].rfind("tier=", 0) == 0) {
                if (i > 2) {
                    fail(l.number, "tier", "is given twice; expected once");
                }
                take(parse_count(l.words[i].substr(5), 0, 255), l.number, "tier", tier);
            } else {
                fail(l.number, l.words[0],
                     "unknown word '" + l.words[i] + "'; expected " + (is_host ? "nothing" : "tier=NUMBER"));
            }
        }
        is_host ? host(l.number, l.words[1]) : fabric_switch(l.number, l.words[1], static_cast<unsigned>(tier));
    }

    void read_link(const text_line& l) {
        std::array<node_ref, 2> end;
        if (l.words.size() < 3) {
            fail(l.number, "link", "does not have two ends; expected link NODE NODE rate=... latency=...");
            return left_out();
        }
        bool known = true;
        for (std::size_t i = 0; i < 2; ++i) {
            const std::optional<node_ref> found = out().fabric.find_node(l.words[1 + i]);
            if (found) {
                end[i] = *found;
            } else {
                fail(l.number, "link",
                     "unknown node '" + l.words[1 + i] +
                         "'; expected a name that a host or switch line declares");
                known = false;
            }
        }
        // A mistake in a value must not look like a missing link as well: it keeps a value that passes.
        link_properties properties{1_Gbps, 1us};
        std::set<std::string> given;
        std::string name;
        for (std::size_t i = 3; i < l.words.size(); ++i) {
            read_property(l, l.words[i], properties, name, given);
        }
        if (given.count("rate") == 0) {
            use_default(l, "rate", m_defaults.rate, properties.rate);
        }
        if (given.count("latency") == 0) {
            use_default(l, "latency", m_defaults.latency, properties.latency);
        }
        known ? link(l.number, end[0], end[1], properties, name) : left_out();
    }

    template <class T>
    void use_default(const text_line& l, const std::string& key, T value, T& property) {
        if (value <= T{0}) {
            fail(l.number, key, "is missing; expected " + key + "= with a number and its unit");
        } else {
            property = value;
        }
    }

    void read_property(const text_line& l, const std::string& word, link_properties& properties,
                       std::string& name, std::set<std::string>& given) {
        const std::size_t equals = word.find('=');
        const std::string key = word.substr(0, equals);
        const std::string value = equals == std::string::npos ? "" : word.substr(equals + 1);
        if (equals == std::string::npos ||
            (key != "rate" && key != "latency" && key != "ber" && key != "fer" && key != "name")) {
            fail(l.number, "link",
                 "unknown word '" + word + "'; expected rate=, latency=, ber=, fer= and name=");
            return;
        }
        if (!given.insert(key).second) {
            fail(l.number, key, "is given twice; expected once");
        }
        if (key == "rate") {
            take(above_zero(parse_rate(value), value), l.number, key, properties.rate);
        } else if (key == "latency") {
            take(above_zero(parse_time(value), value), l.number, key, properties.latency);
        } else if (key == "name") {
            is_name(value) ? void(name = value)
                           : fail(l.number, key, "'" + value + "' is not a name; expected " + name_rule);
        } else {
            take(parse_probability(value), l.number, key,
                 key == "ber" ? properties.bit_error_rate : properties.frame_error_rate);
        }
    }

    link_properties m_defaults;
};

/// Shortest text that reads back as the same double.
std::string probability_text(double value) {
    char text[32];
    const auto [end, failure] = std::to_chars(text, text + sizeof text, value);
    return failure == std::errc{} ? std::string(text, end) : "0";
}

}  // namespace

topology_file parse_topology(std::istream& text, const std::string& file, const link_properties& defaults) {
    topology_file out;
    own_format(out, file, defaults).read(text);
    return out;
}

std::string write_topology(const topology& fabric) {
    std::string text = "# " + std::to_string(fabric.hosts()) + " hosts, " + std::to_string(fabric.switches()) +
                       " switches, " + std::to_string(fabric.links().size()) + " links\n";
    for (std::uint32_t i = 0; i < fabric.nodes(); ++i) {
        const node_ref n = fabric.node_at(i);
        text += n.is_host() ? "host " + fabric.name(n)
                            : "switch " + fabric.name(n) + " tier=" + std::to_string(fabric.tier(n.index));
        text += '\n';
    }
    for (const topology_link& l : fabric.links()) {
        text += "link " + fabric.name(l.a.node) + " " + fabric.name(l.b.node) + " rate=" + to_text(l.rate) +
                " latency=" + to_text(l.latency);
        text += l.bit_error_rate > 0 ? " ber=" + probability_text(l.bit_error_rate) : "";
        text += l.frame_error_rate > 0 ? " fer=" + probability_text(l.frame_error_rate) : "";
        text += l.named ? " name=" + l.name : "";
        text += '\n';
    }
    return text + "end\n";
}

}  // namespace weir::model
