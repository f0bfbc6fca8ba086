#include "weir/model/forwarding/static_routes.h"

#include <algorithm>
#include <set>

namespace weir::model {

namespace {

constexpr unsigned host_prefix = 32;

/// In the order of a table: by prefix, a shorter one before the longer ones inside it.
bool stands_before(const route_entry& entry, const route_entry& other) {
    return std::make_pair(entry.prefix, entry.prefix_length) <
           std::make_pair(other.prefix, other.prefix_length);
}

/// Depth-first search for a way back, over the tables' ports for one host.
class loop_search {
 public:
    loop_search(const topology& fabric, const std::vector<route_table>& tables, host_id to)
        : m_fabric(fabric), m_tables(tables), m_to(to), m_state(fabric.switches(), state::unseen) {}

    std::vector<switch_id> run() {
        for (switch_id s = 0; s < m_fabric.switches() && m_loop.empty(); ++s) {
            visit(s);
        }
        return m_loop;
    }

 private:
    enum class state : std::uint8_t { unseen, on_the_way, done };

    void visit(switch_id s) {
        if (m_state[s] == state::done || !m_loop.empty()) {
            return;
        }
        if (m_state[s] == state::on_the_way) {
            m_loop.assign(std::find(m_way.begin(), m_way.end(), s), m_way.end());
            return;
        }
        m_state[s] = state::on_the_way;
        m_way.push_back(s);
        lookup_route(m_tables[s], m_fabric.address_of(m_to)).for_each([&](unsigned port) {
            const node_ref next = m_fabric.far_end(node_ref::of_switch(s), port).node;
            if (!next.is_host()) {
                visit(next.index);
            }
        });
        m_way.pop_back();
        m_state[s] = state::done;
    }

    const topology& m_fabric;
    const std::vector<route_table>& m_tables;
    host_id m_to;
    std::vector<state> m_state;
    std::vector<switch_id> m_way;
    std::vector<switch_id> m_loop;
};

// As /32, so that it wins over every computed prefix; a later route for the same host replaces an earlier one.
void add(const topology& fabric, const static_route& route, route_table& table) {
    const route_entry entry{fabric.address_of(route.to), host_prefix, route.ports};
    const auto at = std::lower_bound(table.begin(), table.end(), entry, stands_before);
    if (at != table.end() && at->prefix == entry.prefix && at->prefix_length == host_prefix) {
        *at = entry;
    } else {
        table.insert(at, entry);
    }
}

}  // namespace

void add_static_routes(const topology& fabric, const std::vector<static_route>& routes,
                       std::vector<route_table>& tables) {
    for (const static_route& route : routes) {
        add(fabric, route, tables[route.at]);
    }
}

void add_static_routes(const topology& fabric, const std::vector<static_route>& routes, switch_id at,
                       route_table& table) {
    for (const static_route& route : routes) {
        if (route.at == at) {
            add(fabric, route, table);
        }
    }
}

std::vector<switch_id> find_routing_loop(const topology& fabric, const std::vector<static_route>& routes) {
    if (routes.empty()) {
        return {};
    }
    std::vector<route_table> tables = compute_routes(fabric, all_links_up(fabric));
    add_static_routes(fabric, routes, tables);
    std::set<host_id> to;
    for (const static_route& route : routes) {
        to.insert(route.to);
    }
    for (const host_id h : to) {
        std::vector<switch_id> loop = loop_search(fabric, tables, h).run();
        if (!loop.empty()) {
            return loop;
        }
    }
    return {};
}

}  // namespace weir::model
