// Frames between the parts of a fabric that ranks have (rank_team.h).
//
// For a node of another rank that a link of this one leads to, an inbox stands here: the sender writes into it
// as into the node's own. At the barrier, before any node takes its mail, what the inboxes hold is sent in one
// message to each neighbour, and what comes from there is put into the nodes' own inboxes, as if it had been
// sent here. So neither end of a link knows that there are ranks, and no result depends on where a fabric is
// cut.
//
//   frame_exchange exchange(owner, clock, team);
//   sender.output(0).connect(exchange.far_input(far_node, 1, far_port, link, false));      // of each cut link
//   exchange.add(sender.index(), sender.input(0), 1);            // the other direction
//   exchange.exchange();                                         // at each barrier
#pragma once

#include <cstdint>
#include <memory>
#include <unordered_map>
#include <vector>

#include "weir/base/simulation_clock.h"
#include "weir/model/link/wire.h"
#include "weir/model/ranks/rank_team.h"

namespace weir::model {

class frame_exchange {
 public:
    /// All outlive this. `owner`: whose name errors have.
    frame_exchange(sc_core::sc_module& owner, const simulation_clock& clock, rank_team& team)
        : m_owner(owner), m_clock(clock), m_team(team) {}

    /// Before the run: stands in the place of `port` of a node of rank `rank`. Links that are cut are given in
    /// the same order on all ranks.
    wire_input& far_input(std::uint32_t node, unsigned rank, unsigned port, const port_config& link,
                          bool annexes);
    /// The same one again; null: no link of this rank leads there.
    wire_input* find(std::uint32_t node, unsigned port);
    /// Before the run: frames from rank `rank` come in here.
    void add(std::uint32_t node, wire_input& input, unsigned rank);
    /// Before the run. Range: as `inbox::set_lanes`.
    void set_lanes(unsigned lanes);

    /// At a barrier, on the kernel's thread: collective. All that was sent in the quantum.
    void exchange();

    /// Links between this rank's nodes and those of others.
    std::size_t cut_links() const { return m_cut_links; }
    std::size_t neighbours() const { return m_mail.size(); }

 private:
    /// In the place of a node of another rank. Ports without a link from here are null.
    struct far_node {
        std::size_t neighbour;
        std::uint32_t node;
        inbox mail;
        std::vector<std::unique_ptr<wire_input>> inputs;
    };
    std::size_t neighbour(unsigned rank);
    void pack(far_node& from);
    void unpack(const std::vector<char>& octets);

    sc_core::sc_module& m_owner;
    const simulation_clock& m_clock;
    rank_team& m_team;
    std::vector<rank_mail> m_mail;
    std::vector<std::unique_ptr<far_node>> m_far_nodes;
    std::unordered_map<std::uint32_t, far_node*> m_far_node_of;
    /// Of this rank's nodes, by node and port; ports without a link to another rank are null.
    std::unordered_map<std::uint32_t, std::vector<wire_input*>> m_inputs;
    std::size_t m_cut_links = 0;
};

}  // namespace weir::model
