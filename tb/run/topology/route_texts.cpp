#include "tb/run/topology/fabric_texts.h"

#include <optional>
#include <set>
#include <sstream>
#include <utility>

#include "tb/support/text/nearest_name.h"

namespace weir::tb {

namespace {

class route_reader {
 public:
    route_reader(const topology& plan, config_errors& errors) : m_plan(plan), m_errors(errors) {}

    /// The next text: a route for each host that it is for. Which text has set a switch's route for a host
    /// before is remembered: twice is a mistake.
    void read(const std::string& text, std::vector<static_route>& routes) {
        m_text = text;
        ++m_number;
        std::istringstream words(text);
        std::string at;
        std::string to;
        std::string destination;
        std::string via;
        std::string neighbours;
        std::string rest;
        words >> at >> to >> destination >> via >> neighbours;
        if (to != "to" || via != "via" || neighbours.empty() || words >> rest) {
            return fail("is not a route; expected SWITCH to HOST via NEIGHBOUR, such as s0 to h2 via s1");
        }
        const std::optional<node_ref> device = find_switch(at);
        const std::vector<host_id> hosts = find_hosts(destination);
        if (!device || hosts.empty()) {
            return;
        }
        if (neighbours.back() == ',') {
            return fail("ends with a comma; expected names separated by commas, as in via s1,s2");
        }
        const port_bitmap ports = find_ports(*device, neighbours);
        if (ports.none()) {
            return;
        }
        for (const host_id h : hosts) {
            if (!m_set.emplace(device->index, h).second) {
                return fail("gives " + at + " a second route to " + m_plan.name(node_ref::of_host(h)) +
                            "; expected one route with all neighbours after via, as in via s1,s2");
            }
            routes.push_back({device->index, h, ports});
        }
    }

 private:
    void fail(const std::string& what) {
        m_errors.push_back(
            {{}, 0, "fabric.route[" + std::to_string(m_number) + "]", "'" + m_text + "': " + what});
    }

    std::string hint(const std::string& name) const {
        std::vector<std::string> names;
        for (std::uint32_t i = 0; i < m_plan.nodes(); ++i) {
            names.push_back(m_plan.name(m_plan.node_at(i)));
        }
        const std::string best = nearest_name(name, names);
        return best.empty() ? "expected names of the fabric, such as " + m_plan.name(node_ref::of_switch(0))
                            : "did you mean '" + best + "'?";
    }

    std::optional<node_ref> find_switch(const std::string& name) {
        const std::optional<node_ref> found = m_plan.find_node(name);
        if (!found) {
            fail("no switch is called '" + name + "'; " + hint(name));
        } else if (found->is_host()) {
            fail("'" + name + "' is a host, and hosts do not forward frames; expected a switch");
            return std::nullopt;
        }
        return found;
    }

    std::vector<host_id> find_hosts(const std::string& name) {
        const std::optional<node_ref> found = m_plan.find_node(name);
        std::vector<host_id> hosts;
        if (!found) {
            fail("no host or switch is called '" + name + "'; " + hint(name));
        } else if (found->is_host()) {
            hosts.push_back(found->index);
        } else {
            for (host_id h = 0; h < m_plan.hosts(); ++h) {
                if (m_plan.edge_switch(h) == found->index) {
                    hosts.push_back(h);
                }
            }
            if (hosts.empty()) {
                fail("switch '" + name + "' has no hosts; expected a host, or a switch with hosts");
            }
        }
        return hosts;
    }

    /// Empty after an error.
    port_bitmap find_ports(node_ref device, const std::string& neighbours) {
        port_bitmap ports;
        std::istringstream list(neighbours);
        for (std::string name; std::getline(list, name, ',');) {
            port_bitmap found;
            for (unsigned port = 0; port < m_plan.port_count(device.index); ++port) {
                const bool leads_there = m_plan.name(m_plan.far_end(device, port).node) == name;
                if (leads_there || m_plan.link(m_plan.ports(device)[port]).name == name) {
                    found.set(port);
                }
            }
            if (found.none()) {
                fail("'" + name + "' is not a neighbour of " + m_plan.name(device) +
                     " and not the name of one of its links; expected for example " +
                     m_plan.name(m_plan.far_end(device, 0).node));
                return {};
            }
            ports = ports | found;
        }
        return ports;
    }

    const topology& m_plan;
    config_errors& m_errors;
    std::string m_text;
    int m_number = -1;
    std::set<std::pair<switch_id, host_id>> m_set;
};

}  // namespace

parsed_routes parse_routes(const topology& plan, const std::vector<std::string>& texts) {
    parsed_routes result;
    route_reader reader(plan, result.errors);
    for (const std::string& text : texts) {
        reader.read(text, result.routes);
    }
    if (result.errors.empty()) {
        std::string circle;
        for (const switch_id s : find_routing_loop(plan, result.routes)) {
            circle += plan.name(node_ref::of_switch(s)) + " > ";
        }
        if (!circle.empty()) {
            result.loop_warning = "fabric.route: frames can circulate in a routing loop, " + circle +
                                  "...: no time to live would end the loop";
        }
    }
    return result;
}

}  // namespace weir::tb
