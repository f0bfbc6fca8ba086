// Deadlocks of a fabric that is spread over ranks: each rank sees its own switches only, and all find what one
// process finds that has them all.
#include <gtest/gtest.h>

#include <algorithm>
#include <iostream>
#include <iterator>
#include <memory>
#include <string>
#include <vector>

#include "support/fabric_rig.h"
#include "support/random_ring.h"
#include "support/thread_team.h"
#include "weir/model/deadlock/deadlock_watch.h"

using namespace weir;
using namespace weir::model;
using namespace weir::test;

namespace {

using texts = std::vector<std::string>;

deadlock_watch::found_call notes_in(texts& found, const topology& plan) {
    return [&found, &plan](const deadlock_report& report) { found.push_back(to_text(report, plan)); };
}

/// Of a fabric that is all here, what one rank would see: the switches that are its own.
class rank_view {
 public:
    rank_view(fabric_rig& rig, rank_team& team, const std::vector<unsigned>& rank_of)
        : m_watch(rig.plan, m_switches, team) {
        const auto is_own = [&](const node_ref& n) { return !n.is_host() && rank_of[n.index] == team.rank(); };
        for (switch_id s = 0; s < rig.plan.switches(); ++s) {
            m_switches.emplace_back(is_own(node_ref::of_switch(s)) ? &rig.made.device(s) : nullptr);
        }
        for (const topology_link& link : rig.plan.links()) {
            for (const auto& [here, there] : {std::pair{link.a, link.b}, {link.b, link.a}}) {
                if (is_own(here.node) && !is_own(there.node)) {
                    m_watch.add_cut_link(here);
                }
            }
        }
        m_watch.on_found(notes_in(m_found, rig.plan));
    }
    ~rank_view() {
        for (auto& each : m_switches) {
            static_cast<void>(each.release());  // the fabric has them
        }
    }
    void look(picoseconds now) { m_watch.look(now); }
    const texts& found() const { return m_found; }

 private:
    std::vector<std::unique_ptr<switch_node>> m_switches;
    texts m_found;
    deadlock_watch m_watch;
};

/// All ranks look when the fabric's own watch does.
class rank_views : public periodic_look {
 public:
    rank_views(fabric_rig& rig, unsigned ranks, const std::vector<unsigned>& rank_of) : m_team(ranks) {
        for (unsigned r = 0; r < ranks; ++r) {
            m_views.push_back(std::make_unique<rank_view>(rig, m_team.rank(r), rank_of));
        }
    }
    void look(picoseconds now) override {
        m_team.run([&](rank_team& rank) { m_views[rank.rank()]->look(now); });
    }
    void expect_found(const texts& by_one_process) const {
        for (const auto& view : m_views) {
            EXPECT_EQ(view->found(), by_one_process);
        }
    }

 private:
    thread_team m_team;
    std::vector<std::unique_ptr<rank_view>> m_views;
};

/// Numbers of rings that lock for certain: with none, nothing would be compared with nothing.
constexpr unsigned locked_rings[] = {4, 240, 360};

class deadlock_ranks : public testing::TestWithParam<unsigned> {};
TEST_P(deadlock_ranks, find_at_the_same_look_with_the_same_words_what_one_process_finds) {
    random_ring ring(GetParam(), static_cast<random_ring::kind>(GetParam() / 120));
    fabric_rig rig(ring.plan, ring.parameters);
    ring.send(rig);
    texts by_one_process;
    rig.made.on_deadlock(notes_in(by_one_process, rig.plan));
    std::vector<std::unique_ptr<rank_views>> cuts;
    for (const unsigned ranks : {2U, 3U}) {
        std::vector<unsigned> rank_of(rig.plan.switches());
        for (unsigned& each : rank_of) {
            each = ring.below(ranks);
        }
        cuts.push_back(std::make_unique<rank_views>(rig, ranks, rank_of));
        rig.made.engine().look_every(rig.made.deadlock_interval(), *cuts.back());
    }
    fatal_message([&] { rig.run(ring.duration()); });
    for (const auto& cut : cuts) {
        cut->expect_found(by_one_process);
    }
    std::cout << by_one_process.size() << " reports\n";
    if (std::find(std::begin(locked_rings), std::end(locked_rings), GetParam()) != std::end(locked_rings)) {
        EXPECT_FALSE(by_one_process.empty());
    }
}
INSTANTIATE_TEST_SUITE_P(system, deadlock_ranks, testing::Range(0U, 480U, 4U));

}  // namespace
