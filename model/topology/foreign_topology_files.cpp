#include "weir/model/topology/foreign_topology_files.h"

#include <map>
#include <optional>

#include "topology_text.h"
#include "weir/model/topology/topology_generators.h"

namespace weir::model {

using namespace detail;

namespace {

class hpcc_format : file_reader {
 public:
    using file_reader::file_reader;

    void read(std::istream& text) {
        m_lines = lines_of(text, 0, m_last_line);
        if (!read_counts() || !read_switch_ids()) {
            return;
        }
        for (std::uint32_t id = 0; id < m_nodes; ++id) {
            const int line = m_switch_line[id];
            line == 0 ? host(m_counts_line, std::to_string(id))
                      : fabric_switch(line, std::to_string(id), unknown_tier);
        }
        for (std::uint64_t i = 0; i < m_links; ++i, ++m_next) {
            if (m_next == m_lines.size()) {
                fail(m_last_line, "links",
                     "the file ends after " + std::to_string(i) + " of " + std::to_string(m_links) +
                         " links; expected the number in its first line");
                left_out();
                break;
            }
            read_link(m_lines[m_next]);
        }
        if (m_next < m_lines.size()) {
            warn(m_lines[m_next].number, std::to_string(m_lines.size() - m_next) + " lines after the " +
                                             std::to_string(m_links) + " declared links are ignored");
        }
        finish();
    }

 private:
    bool read_counts() {
        if (m_lines.empty() || m_lines[0].words.size() != 3) {
            fail(m_lines.empty() ? 1 : m_lines[0].number, "nodes switches links",
                 "the first line does not hold three numbers; expected NODES SWITCHES LINKS");
            return false;
        }
        const text_line& l = m_lines[m_next++];
        m_counts_line = l.number;
        std::uint64_t nodes = 0;
        const bool good[] = {take(parse_count(l.words[0], 1, 1U << 24), l.number, "nodes", nodes),
                             take(parse_count(l.words[1], 0, 1U << 24), l.number, "switches", m_switches),
                             take(parse_count(l.words[2], 0, 1U << 24), l.number, "links", m_links)};
        if (!good[0] || !good[1] || !good[2]) {
            return false;
        }
        m_nodes = static_cast<std::uint32_t>(nodes);
        // Nothing is made for nodes that the file cannot connect: each link has a line.
        if (m_nodes > m_lines.size()) {
            fail(m_last_line, "links",
                 "the file has " + std::to_string(m_lines.size()) + " lines, which are too few to connect " +
                     l.words[0] + " nodes; expected a line for each of the links");
            left_out();
            return false;
        }
        if (m_switches > nodes) {
            fail(l.number, "switches",
                 "are " + std::to_string(m_switches) + " of " + std::to_string(nodes) +
                     " nodes; expected at most the number of nodes");
            return false;
        }
        if (m_links + 1 < nodes) {
            fail(l.number, "links",
                 "are " + std::to_string(m_links) + ", which are too few to connect " + std::to_string(nodes) +
                     " nodes; expected " + std::to_string(nodes - 1) + " or more");
            return false;
        }
        return true;
    }

    /// The ids may take any number of lines.
    bool read_switch_ids() {
        m_switch_line.assign(m_nodes, 0);
        bool all = true;
        for (std::uint64_t read = 0; read < m_switches; ++m_next) {
            if (m_next == m_lines.size()) {
                fail(m_last_line, "switches",
                     "the file ends after " + std::to_string(read) + " of " + std::to_string(m_switches) +
                         " switch ids; expected the number in its first line");
                return false;
            }
            const text_line& l = m_lines[m_next];
            for (const std::string& word : l.words) {
                std::uint64_t id = 0;
                if (read++ == m_switches) {
                    fail(l.number, "switches",
                         "more ids than the " + std::to_string(m_switches) +
                             " switches that the first line declares; expected that number");
                    return false;
                }
                if (!take(parse_count(word, 0, m_nodes - 1), l.number, "switches", id)) {
                    all = false;
                } else if (m_switch_line[id] != 0) {
                    fail(l.number, "switches", "id " + word + " is there twice; expected once");
                    all = false;
                } else {
                    m_switch_line[id] = l.number;
                }
            }
        }
        return all;
    }

    void read_link(const text_line& l) {
        if (l.words.size() != 5) {
            fail(l.number, "link",
                 "has " + std::to_string(l.words.size()) + " words; expected A B RATE LATENCY ERROR_RATE");
            return left_out();
        }
        node_ref a;
        node_ref b;
        const bool knows_a = read_end(l, l.words[0], a);
        const bool knows_b = read_end(l, l.words[1], b);
        // A mistake in a value must not look like a missing link as well: it keeps a value that passes.
        link_properties p{1_Gbps, 1us};
        take(above_zero(parse_rate(l.words[2]), l.words[2]), l.number, "rate", p.rate);
        take(above_zero(parse_time(l.words[3]), l.words[3]), l.number, "latency", p.latency);
        take(parse_probability(l.words[4]), l.number, "error_rate", p.frame_error_rate);
        knows_a&& knows_b ? link(l.number, a, b, p, {}) : left_out();
    }
    bool read_end(const text_line& l, const std::string& word, node_ref& end) {
        std::uint64_t id = 0;
        if (!take(parse_count(word, 0, m_nodes - 1), l.number, "node", id)) {
            return false;
        }
        end = *out().fabric.find_node(std::to_string(id));
        return true;
    }

    std::vector<text_line> m_lines;
    std::size_t m_next = 0;
    int m_last_line = 0;
    int m_counts_line = 0;
    std::uint32_t m_nodes = 0;
    std::uint64_t m_switches = 0;
    std::uint64_t m_links = 0;
    /// By id: where it is declared a switch; 0 = a host.
    std::vector<int> m_switch_line;
};

std::string lower_case(std::string text) {
    for (char& c : text) {
        c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    }
    return text;
}

class htsim_format : file_reader {
 public:
    htsim_format(htsim_topology_file& out, const std::string& file) : file_reader(out, file), m_out(out) {}

    void read(std::istream& text) {
        int last_line = 0;
        for (const text_line& l : lines_of(text, '#', last_line)) {
            read_line(l);
        }
        m_last_line = last_line;
        const std::size_t before = m_out.errors.size();
        m_out.tiers = static_cast<unsigned>(need(header, "tiers"));
        for (unsigned tier = 0; tier < m_out.tiers; ++tier) {
            for (const char* key : {"downlink_speed_gbps", "radix_down", "downlink_latency_ns"}) {
                need(static_cast<int>(tier), key);
            }
            if (tier + 1 < m_out.tiers) {
                need(static_cast<int>(tier), "radix_up");
            }
        }
        need(header, "nodes");
        need(header, "podsize");
        if (m_out.errors.size() == before && before == 0) {
            build();
        }
        sort_errors();
    }

 private:
    static constexpr int header = -1;
    struct rule {
        const char* key;
        std::uint64_t least;
        std::uint64_t most;
    };
    static constexpr rule header_rules[] = {{"nodes", 1, 1U << 24}, {"tiers", 2, 3}, {"podsize", 1, 1U << 24}};
    static constexpr rule tier_rules[] = {{"downlink_speed_gbps", 1, 1'000'000},
                                          {"radix_down", 1, max_ports},
                                          {"radix_up", 1, max_ports},
                                          {"downlink_latency_ns", 1, 1'000'000'000},
                                          {"switch_latency_ns", 0, 1'000'000'000},
                                          {"oversubscribed", 1, max_ports},
                                          {"bundle", 1, max_ports},
                                          {"queue_up", 0, UINT32_MAX},
                                          {"queue_down", 0, UINT32_MAX}};
    struct value {
        std::uint64_t number;
        int line;
    };

    void read_line(const text_line& l) {
        const std::string key = lower_case(l.words[0]);
        if (l.words.size() != 2) {
            return fail(l.number, l.words[0], std::to_string(l.words.size() - 1) + " values; expected one");
        }
        if (key == "tier") {
            std::uint64_t tier = 0;
            if (take(parse_count(l.words[1], 0, 2), l.number, l.words[0], tier)) {
                m_tier = static_cast<int>(tier);
            }
            return;
        }
        const bool in_header = m_tier == header;
        const rule* begin = in_header ? std::begin(header_rules) : std::begin(tier_rules);
        const rule* end = in_header ? std::end(header_rules) : std::end(tier_rules);
        const rule* found = std::find_if(begin, end, [&](const rule& r) { return key == r.key; });
        if (found == end) {
            return fail(l.number, l.words[0],
                        in_header ? "is unknown before the first Tier; expected Nodes, Tiers, Podsize, Tier"
                                  : "is unknown in a Tier; expected Tier, Downlink_speed_Gbps, Radix_Down, "
                                    "Radix_Up, Downlink_Latency_ns, Switch_Latency_ns, Oversubscribed, "
                                    "Bundle, Queue_Up, Queue_Down");
        }
        std::uint64_t number = found->least;
        take(parse_count(l.words[1], found->least, found->most), l.number, l.words[0], number);
        if (!m_values.insert({{m_tier, key}, {number, l.number}}).second) {
            return fail(l.number, l.words[0], "is given twice; expected once per tier");
        }
        if (key == "queue_up" || key == "queue_down") {
            warn(l.number, l.words[0] + " is ignored: buffers belong to the switch's configuration");
        }
    }

    std::uint64_t get(int tier, const char* key, std::uint64_t otherwise) const {
        const auto found = m_values.find({tier, key});
        return found == m_values.end() ? otherwise : found->second.number;
    }
    std::uint64_t need(int tier, const char* key) {
        if (m_values.count({tier, key}) == 0) {
            fail(m_last_line, key,
                 (tier == header ? std::string("is missing") : "is missing in Tier " + std::to_string(tier)) +
                     "; expected it in every file (has it been truncated?)");
        }
        return get(tier, key, 0);
    }
    void fail_at(int tier, const char* key, const std::string& message) {
        const auto found = m_values.find({tier, key});
        fail(found == m_values.end() ? m_last_line : found->second.line, key, message);
    }
    /// Reports a quotient that is not whole, else returns it.
    unsigned divide(std::uint64_t total, std::uint64_t part, int tier, const char* key, const char* what) {
        if (total % part != 0) {
            fail_at(
                tier, key,
                std::to_string(total) + " is not a multiple of " + std::to_string(part) + "; expected " + what);
        }
        return static_cast<unsigned>(total / part);
    }
    void expect(int tier, const char* key, std::uint64_t expected, const char* why) {
        const std::uint64_t is = get(tier, key, 0);
        if (is != expected) {
            fail_at(tier, key,
                    "is " + std::to_string(is) + "; expected " + std::to_string(expected) + ", " + why);
        }
    }
    link_properties link_of(int tier) const {
        return {bit_rate{static_cast<std::int64_t>(get(tier, "downlink_speed_gbps", 1)) * 1'000'000'000},
                picoseconds{static_cast<std::int64_t>(get(tier, "downlink_latency_ns", 1)) * 1000}};
    }

    /// Oversubscribed is redundant: it has to agree with the capacities, or with the radices alone.
    void check_oversubscription(int tier) {
        const std::uint64_t stated = get(tier, "oversubscribed", 1);
        const std::uint64_t down = get(tier, "radix_down", 1);
        const std::uint64_t up = get(tier, "radix_up", 1);
        const std::uint64_t down_rate = down * get(tier, "downlink_speed_gbps", 1);
        const std::uint64_t up_rate = up * get(tier + 1, "downlink_speed_gbps", 1);
        if (down_rate != stated * up_rate && down / up != stated) {
            fail_at(tier, m_values.count({tier, "oversubscribed"}) != 0 ? "oversubscribed" : "radix_up",
                    "an oversubscription of " + std::to_string(stated) + " does not agree with Radix_Down " +
                        std::to_string(down) + " and Radix_Up " + std::to_string(up) +
                        "; expected capacity down over capacity up");
        }
    }

    void build() {
        const int top = static_cast<int>(m_out.tiers) - 1;
        const std::uint64_t podsize = get(header, "podsize", 1);
        pods_config p;
        p.wiring = core_wiring::strides;
        p.pods = divide(get(header, "nodes", 1), podsize, header, "nodes", "whole pods of Podsize hosts");
        p.hosts_per_tor = static_cast<unsigned>(get(0, "radix_down", 1));
        p.tors_per_pod = divide(podsize, p.hosts_per_tor, header, "podsize", "whole ToRs of Radix_Down hosts");
        if (!m_out.errors.empty()) {
            return;
        }
        p.links_per_agg = static_cast<unsigned>(get(1, "bundle", 1));
        p.aggs_per_pod =
            divide(get(0, "radix_up", 1), p.links_per_agg, 0, "radix_up", "whole bundles (Bundle of Tier 1)");
        if (get(0, "bundle", 1) != 1) {
            fail_at(0, "bundle", "is above 1; expected 1, because a host has one link");
        }
        expect(1, "radix_down", std::uint64_t{p.tors_per_pod} * p.links_per_agg,
               "Bundle links to each ToR of the pod");
        p.links_per_core = 1;
        p.cores = 0;
        if (top == 2) {
            p.links_per_core = static_cast<unsigned>(get(2, "bundle", 1));
            p.cores_per_agg = divide(get(1, "radix_up", 1), p.links_per_core, 1, "radix_up",
                                     "whole bundles (Bundle of Tier 2)");
            p.cores = p.aggs_per_pod * p.cores_per_agg;
            expect(2, "radix_down", std::uint64_t{p.pods} * p.links_per_core, "Bundle links to each pod");
        } else if (p.pods != 1) {
            fail_at(header, "podsize",
                    "makes " + std::to_string(p.pods) + " pods with two tiers; expected Podsize = Nodes");
        }
        p.host_link = link_of(0);
        p.agg_link = link_of(1);
        p.core_link = link_of(top);
        for (int tier = 0; tier <= top; ++tier) {
            const auto t = static_cast<std::size_t>(tier);
            m_out.switch_latency[t] =
                picoseconds{static_cast<std::int64_t>(get(tier, "switch_latency_ns", 0)) * 1000};
            m_out.oversubscription[t] = static_cast<unsigned>(get(tier, "oversubscribed", 1));
            if (tier < top) {
                check_oversubscription(tier);
            }
        }
        if (m_out.errors.empty()) {
            for (const config_error& e : p.validate()) {
                fail(0, e.key, e.message);
            }
        }
        if (m_out.errors.empty()) {
            m_out.fabric = make_topology(p);
            for (const config_error& e : m_out.fabric.validate()) {
                fail(0, e.key, e.message);
            }
        }
    }

    htsim_topology_file& m_out;
    int m_tier = header;
    int m_last_line = 0;
    std::map<std::pair<int, std::string>, value> m_values;
};

}  // namespace

topology_file parse_hpcc_topology(std::istream& text, const std::string& file) {
    topology_file out;
    hpcc_format(out, file).read(text);
    return out;
}

htsim_topology_file parse_htsim_topology(std::istream& text, const std::string& file) {
    htsim_topology_file out;
    htsim_format(out, file).read(text);
    return out;
}

}  // namespace weir::model
