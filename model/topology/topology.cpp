#include "weir/model/topology/topology.h"

#include <algorithm>

#include "weir/base/unit_text.h"

namespace weir::model {

namespace {

constexpr std::uint32_t nobody = ~std::uint32_t{0};

/// Collects what is wrong, each with the line it comes from.
class findings {
 public:
    explicit findings(const topology_lines* lines) : m_lines(lines) {}

    void host(host_id h, std::string key, std::string message) {
        add(m_lines ? &m_lines->hosts : nullptr, h, std::move(key), std::move(message));
    }
    void fabric_switch(switch_id s, std::string key, std::string message) {
        add(m_lines ? &m_lines->switches : nullptr, s, std::move(key), std::move(message));
    }
    void node(node_ref n, std::string key, std::string message) {
        n.is_host() ? host(n.index, std::move(key), std::move(message))
                    : fabric_switch(n.index, std::move(key), std::move(message));
    }
    void link(link_id l, std::string key, std::string message) {
        add(m_lines ? &m_lines->links : nullptr, l, std::move(key), std::move(message));
    }
    void whole(std::string key, std::string message) { add(nullptr, 0, std::move(key), std::move(message)); }
    bool may_miss_parts() const { return m_lines && m_lines->incomplete; }
    config_errors take() { return std::move(m_errors); }

 private:
    void add(const std::vector<int>* lines, std::uint32_t index, std::string key, std::string message) {
        const int line = lines && index < lines->size() ? (*lines)[index] : 0;
        m_errors.push_back({m_lines ? m_lines->file : "", line, std::move(key), std::move(message)});
    }
    const topology_lines* m_lines;
    config_errors m_errors;
};

void check_link(const topology& t, link_id id, findings& found) {
    const topology_link& l = t.link(id);
    const std::string key = "link " + l.name;
    if (l.a.node == l.b.node) {
        found.link(id, key, "connects '" + t.name(l.a.node) + "' with itself; expected two different nodes");
    } else if (l.a.node.is_host() && l.b.node.is_host()) {
        found.link(id, key, "connects two hosts; expected a switch at one end at least");
    }
    if (l.rate <= bit_rate{0}) {
        found.link(id, key + " rate", "is " + std::to_string(l.rate.count()) + " bit/s; expected above 0");
    }
    if (l.latency <= picoseconds{0}) {
        found.link(id, key + " latency",
                   "is " + std::to_string(l.latency.count()) +
                       " ps; expected above 0 (every link has a latency greater than zero)");
    }
    if (!(l.bit_error_rate >= 0 && l.bit_error_rate < 1)) {
        found.link(id, key + " ber", "is " + std::to_string(l.bit_error_rate) + "; expected 0 to below 1");
    }
    if (!(l.frame_error_rate >= 0 && l.frame_error_rate < 1)) {
        found.link(id, key + " fer", "is " + std::to_string(l.frame_error_rate) + "; expected 0 to below 1");
    }
}

/// One error per switch from which switch 0 cannot be reached, but only the first of each such island.
void check_connected(const topology& t, findings& found) {
    std::vector<bool> seen(t.switches(), false);
    for (switch_id start = 0; start < t.switches(); ++start) {
        if (seen[start]) {
            continue;
        }
        std::vector<switch_id> reached{start};
        seen[start] = true;
        for (std::size_t i = 0; i < reached.size(); ++i) {
            const node_ref here = node_ref::of_switch(reached[i]);
            for (unsigned p = 0; p < t.ports(here).size(); ++p) {
                const node_ref next = t.far_end(here, p).node;
                if (!next.is_host() && !seen[next.index]) {
                    seen[next.index] = true;
                    reached.push_back(next.index);
                }
            }
        }
        if (start != 0) {
            const std::string& own = t.name(node_ref::of_switch(start));
            found.fabric_switch(
                start, "switch " + own,
                "and " + std::to_string(reached.size() - 1) + " more switches after it have no path to '" +
                    t.name(node_ref::of_switch(0)) + "'; expected a path from every switch to every other");
        }
    }
}

}  // namespace

std::string too_large(std::uint64_t hosts, std::uint64_t switches) {
    if (hosts <= most_hosts && switches <= most_switches) {
        return {};
    }
    return "makes " + std::to_string(hosts) + " hosts and " + std::to_string(switches) +
           " switches; expected at most " + std::to_string(most_hosts) + " hosts and " +
           std::to_string(most_switches) + " switches";
}

host_id topology::add_host(std::string name) {
    const host_id id = hosts();
    m_node_names.emplace(name, node_ref::of_host(id));
    m_hosts.push_back({std::move(name), unknown_tier, {}});
    return id;
}

switch_id topology::add_switch(std::string name, unsigned tier) {
    const switch_id id = switches();
    m_node_names.emplace(name, node_ref::of_switch(id));
    m_switches.push_back({std::move(name), tier, {}});
    return id;
}

link_id topology::add_link(node_ref a, node_ref b, const link_properties& properties, std::string name) {
    const auto id = static_cast<link_id>(m_links.size());
    topology_link l;
    static_cast<link_properties&>(l) = properties;
    l.named = !name.empty();
    if (!l.named) {
        const std::string ends = at(a).name + "-" + at(b).name;
        name = ends;
        for (unsigned copy = 2; m_link_names.count(name) != 0; ++copy) {
            name = ends + "." + std::to_string(copy);
        }
    }
    m_link_names.emplace(name, id);
    l.name = std::move(name);
    l.a = {a, static_cast<unsigned>(at(a).ports.size())};
    at(a).ports.push_back(id);
    l.b = {b, static_cast<unsigned>(at(b).ports.size())};
    at(b).ports.push_back(id);
    m_links.push_back(std::move(l));
    return id;
}

void topology::finish() {
    derive_tiers();
    assign_addresses();
}

config_errors topology::validate(const topology_lines* lines) const {
    findings found(lines);
    if ((m_hosts.empty() || m_switches.empty()) && !found.may_miss_parts()) {
        found.whole("topology", "has " + std::to_string(m_hosts.size()) + " hosts and " +
                                    std::to_string(m_switches.size()) +
                                    " switches; expected at least one of each");
    }
    if (const std::string size = too_large(hosts(), switches()); !size.empty()) {
        found.whole("topology", size);
    }
    for (std::uint32_t i = 0; i < nodes(); ++i) {
        const node_ref n = node_at(i);
        const std::string key = (n.is_host() ? "host " : "switch ") + name(n);
        if (m_node_names.find(name(n))->second != n) {
            found.node(n, key, "exists already; expected a unique name for each node");
        }
        const std::vector<link_id>& own = ports(n);
        if (n.is_host() && own.empty() && !found.may_miss_parts()) {
            found.host(n.index, key, "has no link; expected exactly one");
        }
        if (n.is_host() && own.size() > 1) {
            found.link(own[1], key, "has " + std::to_string(own.size()) + " links; expected exactly one");
        }
        if (!n.is_host() && own.size() > max_ports) {
            found.link(
                own[max_ports], key,
                "has " + std::to_string(own.size()) + " ports; expected at most " + std::to_string(max_ports));
        }
    }
    for (link_id id = 0; id < m_links.size(); ++id) {
        check_link(*this, id, found);
        if (m_link_names.find(m_links[id].name)->second != id) {
            found.link(id, "link " + m_links[id].name, "exists already; expected a unique name for each link");
        }
    }
    if (!found.may_miss_parts()) {
        check_connected(*this, found);
    }
    if (m_addresses.size() != m_hosts.size()) {
        found.whole("topology",
                    "has more edge switches, or more hosts at one of them, than 10.0.0.0/8 has addresses for; "
                    "expected at most 65,536 edge switches with 256 hosts each");
    }
    return found.take();
}

std::optional<node_ref> topology::find_node(std::string_view name) const {
    const auto found = m_node_names.find(name);
    return found == m_node_names.end() ? std::nullopt : std::optional<node_ref>{found->second};
}

std::optional<link_id> topology::find_link(std::string_view name) const {
    const auto found = m_link_names.find(name);
    return found == m_link_names.end() ? std::nullopt : std::optional<link_id>{found->second};
}

bit_rate topology::fastest_rate(switch_id s) const {
    bit_rate fastest{0};
    for (link_id id : m_switches[s].ports) {
        fastest = std::max(fastest, m_links[id].rate);
    }
    return fastest;
}

picoseconds topology::smallest_latency() const {
    picoseconds smallest = never;
    for (const topology_link& l : m_links) {
        smallest = std::min(smallest, l.latency);
    }
    return smallest;
}

std::optional<host_id> topology::host_of(ipv4_address address) const {
    const auto found = std::lower_bound(m_by_address.begin(), m_by_address.end(),
                                        std::pair<ipv4_address, host_id>{address, 0});
    return found == m_by_address.end() || found->first != address ? std::nullopt
                                                                  : std::optional<host_id>{found->second};
}

void topology::derive_tiers() {
    std::vector<unsigned> distance(m_switches.size(), nobody);
    std::vector<switch_id> reached;
    for (const node& host : m_hosts) {
        for (link_id id : host.ports) {
            for (const node_ref end : {m_links[id].a.node, m_links[id].b.node}) {
                if (!end.is_host() && distance[end.index] == nobody) {
                    distance[end.index] = 1;
                    reached.push_back(end.index);
                }
            }
        }
    }
    for (std::size_t i = 0; i < reached.size(); ++i) {
        const node_ref here = node_ref::of_switch(reached[i]);
        for (unsigned p = 0; p < ports(here).size(); ++p) {
            const node_ref next = far_end(here, p).node;
            if (!next.is_host() && distance[next.index] == nobody) {
                distance[next.index] = distance[here.index] + 1;
                reached.push_back(next.index);
            }
        }
    }
    for (switch_id s = 0; s < switches(); ++s) {
        if (m_switches[s].tier == unknown_tier && distance[s] != nobody) {
            m_switches[s].tier = distance[s];
        }
    }
}

std::vector<std::uint32_t> topology::pods() const {
    unsigned highest = 0;
    for (const node& s : m_switches) {
        highest = std::max(highest, s.tier);
    }
    std::vector<std::uint32_t> pod(m_switches.size(), nobody);
    for (switch_id start = 0; start < switches(); ++start) {
        if (pod[start] != nobody) {
            continue;
        }
        pod[start] = start;
        std::vector<switch_id> reached{start};
        for (std::size_t i = 0; i < reached.size() && m_switches[start].tier < highest; ++i) {
            const node_ref here = node_ref::of_switch(reached[i]);
            for (unsigned p = 0; p < ports(here).size(); ++p) {
                const node_ref next = far_end(here, p).node;
                if (!next.is_host() && pod[next.index] == nobody && m_switches[next.index].tier < highest) {
                    pod[next.index] = start;
                    reached.push_back(next.index);
                }
            }
        }
    }
    return pod;
}

void topology::assign_addresses() {
    m_addresses.clear();
    m_by_address.clear();
    std::vector<std::vector<host_id>> hosts_of(m_switches.size());
    for (host_id h = 0; h < hosts(); ++h) {
        // A host without a link to a switch is an error that validate() reports; it gets no address.
        if (!m_hosts[h].ports.empty() && !far_end(node_ref::of_host(h), 0).node.is_host()) {
            hosts_of[edge_switch(h)].push_back(h);
        }
    }
    const std::vector<std::uint32_t> pod = pods();
    std::vector<switch_id> edges;
    std::size_t most_hosts = 0;
    for (switch_id s = 0; s < switches(); ++s) {
        if (!hosts_of[s].empty()) {
            edges.push_back(s);
            most_hosts = std::max(most_hosts, hosts_of[s].size());
        }
    }
    std::stable_sort(edges.begin(), edges.end(), [&](switch_id x, switch_id y) { return pod[x] < pod[y]; });
    std::vector<std::uint32_t> pod_sizes;
    for (std::size_t i = 0; i < edges.size(); ++i) {
        if (i == 0 || pod[edges[i]] != pod[edges[i - 1]]) {
            pod_sizes.push_back(0);
        }
        ++pod_sizes.back();
    }
    const std::uint32_t largest_pod =
        pod_sizes.empty() ? 0 : *std::max_element(pod_sizes.begin(), pod_sizes.end());
    const bool octets = largest_pod > 1 && largest_pod <= 256 && pod_sizes.size() <= 256;
    if (most_hosts > 256 || edges.size() > 65'536) {
        return;
    }
    // Host octets start at 1, as people expect, where 256 values leave room for that.
    const std::uint32_t first_host = most_hosts <= 254 ? 1 : 0;
    m_addresses.resize(m_hosts.size());
    std::uint32_t pod_number = 0;
    std::uint32_t edge_in_pod = 0;
    for (std::uint32_t i = 0; i < edges.size(); ++i) {
        if (i > 0 && pod[edges[i]] != pod[edges[i - 1]]) {
            ++pod_number;
            edge_in_pod = 0;
        }
        const std::uint32_t block = octets ? (pod_number << 8) + edge_in_pod : i;
        ++edge_in_pod;
        std::uint32_t next = (10U << 24) + (block << 8) + first_host;
        for (host_id h : hosts_of[edges[i]]) {
            m_addresses[h] = ipv4_address{next++};
            m_by_address.emplace_back(m_addresses[h], h);
        }
    }
}

}  // namespace weir::model
