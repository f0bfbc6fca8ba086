// The fabric of a random configuration: topology, rates, latencies, and what happens to its links.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <initializer_list>
#include <map>
#include <random>
#include <string>
#include <utility>
#include <vector>

namespace weir::test {

/// Draws that are the same with every standard library (whose distributions are not).
class dice {
 public:
    explicit dice(unsigned seed) : m_bits(seed + 1) {}
    /// 0 to bound - 1.
    unsigned below(unsigned bound) { return static_cast<unsigned>(m_bits() % bound); }
    /// low to high.
    unsigned between(unsigned low, unsigned high) { return low + below(high - low + 1); }
    bool chance(unsigned percent) { return below(100) < percent; }
    std::string of(std::initializer_list<const char*> choices) {
        return *(choices.begin() + below(static_cast<unsigned>(choices.size())));
    }

 private:
    std::mt19937_64 m_bits;
};

inline std::string to_ns(std::uint64_t ns) {
    return std::to_string(ns) + "ns";
}

/// Options by block, as an INI file has them.
class ini_text {
 public:
    void set(const std::string& key, const std::string& value) {
        const auto dot = key.find('.');
        std::vector<entry>& block = m_blocks[key.substr(0, dot)];
        const std::string name = key.substr(dot + 1);
        const auto old =
            std::find_if(block.begin(), block.end(), [&](const entry& e) { return e.first == name; });
        if (old != block.end() && name != "link") {
            old->second = value;
        } else {
            block.emplace_back(name, value);
        }
    }
    std::string text() const {
        std::string all;
        for (const auto& [block, entries] : m_blocks) {
            all += "[" + block + "]\n";
            for (const auto& [name, value] : entries) {
                all += name;
                all += " = " + value + "\n";
            }
        }
        return all;
    }

 private:
    using entry = std::pair<std::string, std::string>;
    std::map<std::string, std::vector<entry>> m_blocks;
};

class random_fabric {
 public:
    random_fabric(dice& d, ini_text& ini, std::map<std::string, std::string>& files) : m_dice(d), m_ini(ini) {
        draw_links();
        switch (d.below(7)) {
            case 0:
                single();
                break;
            case 1:
                m_has_levels = false;
                dumbbell();
                break;
            case 2:
                racks();
                break;
            case 3:
                pods();
                break;
            case 4:
                fat_tree();
                break;
            case 5:
                xgft();
                break;
            default:
                m_has_levels = false;
                from_file(files);
                break;
        }
        draw_changes();
    }

    unsigned hosts() const { return m_hosts; }
    /// Switches send up and down.
    bool has_levels() const { return m_has_levels; }
    /// Rate of a host's link, roughly.
    double gbps() const { return m_gbps; }
    /// Longest latency that a link has at any time.
    double longest_ns() const { return m_longest_ns; }
    /// About 500 full frames at a host's link.
    std::uint64_t duration_ns() const { return static_cast<std::uint64_t>(500 * 12'304 / m_gbps); }

 private:
    void draw_links() {
        const unsigned which = m_dice.below(4);
        m_gbps = std::array{1, 3, 10, 100}[which];
        m_ini.set("link.rate", std::to_string(static_cast<int>(m_gbps)) + "Gbps");
        const unsigned latency = m_dice.below(4);
        m_ini.set("link.latency", std::array{"500ns", "1us", "6.6us", "137777ps"}[latency]);
        m_longest_ns = std::array{500, 1'000, 6'600, 138}[latency];
        m_ini.set("link.wire_overhead", m_dice.of({"0B", "20B"}));
        if (m_dice.chance(20)) {
            m_ini.set("fabric.host_latency", m_dice.of({"200ns", "333333ps"}));
        }
    }

    void host_links(const std::string& tor, unsigned count) {
        for (unsigned i = 0; i < count; ++i) {
            m_links.push_back("h" + std::to_string(m_hosts++) + "-" + tor);
        }
    }
    unsigned size(const char* key, unsigned low, unsigned high) {
        const unsigned n = m_dice.between(low, high);
        m_ini.set(std::string("fabric.") + key, std::to_string(n));
        return n;
    }
    void single() {
        m_ini.set("fabric.topology", "single");
        host_links("tor0", size("hosts", 2, 9));
    }
    void dumbbell() {
        m_ini.set("fabric.topology", "dumbbell");
        host_links("tor0", size("left", 1, 5));
        host_links("tor1", size("right", 1, 4));
        m_links.emplace_back("tor0-tor1");
    }
    void racks() {
        m_ini.set("fabric.topology", "racks");
        const unsigned count = size("racks", 2, 3);
        const unsigned each = size("hosts_per_rack", 1, 4);
        const unsigned roots = size("roots", 1, 3);
        if (m_dice.chance(20)) {
            m_ini.set("fabric.links_per_root", "2");
        }
        for (unsigned r = 0; r < count; ++r) {
            const std::string tor = "tor" + std::to_string(r);
            host_links(tor, each);
            for (unsigned root = 0; root < roots; ++root) {
                m_links.push_back(tor + "-root" + std::to_string(root));
            }
        }
    }
    void pods() {
        m_ini.set("fabric.topology", "pods");
        m_ini.set("fabric.pods", "2");
        m_ini.set("fabric.tors_per_pod", "2");
        m_ini.set("fabric.aggs_per_pod", "2");
        m_ini.set("fabric.cores", "4");
        tiers(2, 2, size("hosts_per_tor", 1, 2));
    }
    void fat_tree() {
        m_ini.set("fabric.topology", "fat_tree");
        m_ini.set("fabric.k", "4");
        if (m_dice.chance(30)) {
            m_ini.set("fabric.core_rate", m_dice.of({"1Gbps", "5Gbps"}));
            m_ini.set("fabric.agg_latency", m_dice.of({"700ns", "2us"}));
            m_longest_ns = std::max(m_longest_ns, 2'000.0);
        }
        tiers(4, 2, size("hosts_per_edge", 1, 2));
    }
    void xgft() {
        m_ini.set("fabric.topology", "xgft");
        const unsigned each = m_dice.between(1, 4);
        const bool high = m_dice.chance(50);
        m_ini.set("fabric.xgft_children", std::to_string(each) + (high ? ", 2, 2" : ", 3"));
        m_ini.set("fabric.xgft_parents", high ? "1, 2, 3" : "1, 2");
        for (unsigned s = 0; s < (high ? 4U : 3U); ++s) {
            const std::string tor = "s1." + std::to_string(s);
            host_links(tor, each);
            for (unsigned up = 0; up < 2; ++up) {
                m_links.push_back(tor + "-s2." + std::to_string(high ? s / 2 * 2 + up : up));
            }
        }
        if (m_dice.chance(50)) {
            m_ini.set("fabric.xgft_top_hosts", "1");
            for (unsigned top = 0; top < (high ? 6U : 2U); ++top) {
                host_links((high ? "s3." : "s2.") + std::to_string(top), 1);
            }
        }
    }
    void tiers(unsigned pod_count, unsigned tors, unsigned hosts_each) {
        for (unsigned p = 0; p < pod_count; ++p) {
            const std::string pod = std::to_string(p);
            for (unsigned t = 0; t < tors; ++t) {
                const std::string tor = "tor" + pod + "." + std::to_string(t);
                host_links(tor, hosts_each);
                m_links.push_back(tor + "-agg" + pod + ".0");
                m_links.push_back(tor + "-agg" + pod + ".1");
            }
            m_links.push_back("agg" + pod + ".0-core0");
        }
    }
    /// A tree of switches or, now and then, a ring, which can deadlock under flow control; links of all sorts.
    void from_file(std::map<std::string, std::string>& files) {
        m_ini.set("fabric.topology", "file");
        m_ini.set("fabric.file", "fabric.txt");
        const unsigned switches = m_dice.between(1, 4);
        const bool ring = switches == 4 && m_dice.chance(30);
        std::string text;
        std::string links;
        const auto link = [&](const std::string& a, const std::string& b) {
            const double factor = std::array{1.0, 1.0, 0.5, 2.0}[m_dice.below(4)];
            links += "link " + a + " " + b +
                     " rate=" + std::to_string(static_cast<int>(m_gbps * factor * 1000)) +
                     "Mbps latency=" + m_dice.of({"137777ps", "500ns", "1us", "1234567ps"}) + "\n";
            m_links.push_back(a + "-" + b);
        };
        m_longest_ns = 1'300;
        for (unsigned s = 0; s < switches; ++s) {
            const std::string name = "s" + std::to_string(s);
            text += "switch " + name + "\n";
            const unsigned each = m_dice.between(s == 0 ? 2 : 1, 3);
            for (unsigned i = 0; i < each; ++i) {
                const std::string host = "h" + std::to_string(m_hosts++);
                text += "host " + host + "\n";
                link(host, name);
            }
            if (s > 0) {
                const std::string above = "s" + std::to_string(ring ? s - 1 : m_dice.below(s));
                link(above, name);
                if (m_dice.chance(30)) {
                    link(above, name);
                    m_links.pop_back();  // the same name with a number behind it
                }
            }
        }
        if (ring) {
            link("s0", "s3");
        }
        files["fabric.txt"] = text + links + "end\n";
    }

    std::string some_time() { return " at=" + to_ns(duration_ns() * m_dice.between(1, 9) / 10); }
    const std::string& some_link() { return m_links[m_dice.below(static_cast<unsigned>(m_links.size()))]; }
    void change(const std::string& link, const std::string& what) {
        m_ini.set("fabric.link", link + " " + what);
    }

    void draw_changes() {
        if (m_dice.chance(20)) {
            for (unsigned i = m_dice.between(1, 3); i > 0; --i) {
                change(some_link(), "latency=" + m_dice.of({"120ns", "400ns", "3us"}) + some_time());
            }
            m_longest_ns = std::max(m_longest_ns, 3'000.0);
        }
        if (m_dice.chance(15)) {
            change(some_link(), "rate=" + m_dice.of({"300Mbps", "2Gbps"}) + some_time());
        }
        if (m_dice.chance(15)) {
            change(some_link(), "frame_error_rate=" + m_dice.of({"0.01", "0.2"}));
        }
        if (m_dice.chance(10)) {
            change(some_link(), "bit_error_rate=" + m_dice.of({"1e-6", "1e-5"}) + some_time());
        }
        if (m_dice.chance(20)) {
            const std::string& link = some_link();
            change(link, "down at=" + to_ns(duration_ns() * m_dice.between(1, 4) / 10));
            if (m_dice.chance(70)) {
                change(link, "up at=" + to_ns(duration_ns() * m_dice.between(5, 9) / 10));
            }
            if (m_dice.chance(50)) {
                m_ini.set("fabric.reroute_delay", m_dice.of({"1us", "20us"}));
            }
        }
    }

    dice& m_dice;
    ini_text& m_ini;
    std::vector<std::string> m_links;
    unsigned m_hosts = 0;
    bool m_has_levels = true;
    double m_gbps = 1;
    double m_longest_ns = 0;
};

}  // namespace weir::test
