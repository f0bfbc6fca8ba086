// Ranks that are threads of this process, for tests of what ranks do together.
//
//   thread_team team(3);
//   team.run([&](rank_team& rank) { ... });    // on a thread for each, until all have returned
#pragma once

#include <algorithm>
#include <condition_variable>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "weir/model/ranks/rank_team.h"

namespace weir::test {

class thread_team {
 public:
    explicit thread_team(unsigned size) : m_parts(size) {
        for (unsigned r = 0; r < size; ++r) {
            m_ranks.push_back(std::make_unique<member>(*this, r));
        }
    }
    unsigned size() const { return static_cast<unsigned>(m_ranks.size()); }
    model::rank_team& rank(unsigned r) { return *m_ranks[r]; }

    template <class Call>
    void run(Call&& call) {
        std::vector<std::thread> threads;
        for (const auto& rank : m_ranks) {
            threads.emplace_back([&call, &rank] { call(static_cast<model::rank_team&>(*rank)); });
        }
        for (std::thread& each : threads) {
            each.join();
        }
    }

 private:
    class member final : public model::rank_team {
     public:
        member(thread_team& team, unsigned rank) : m_team(team), m_rank(rank) {}
        unsigned rank() const override { return m_rank; }
        unsigned size() const override { return m_team.size(); }
        void agree(std::int64_t* values, std::size_t count) override {
            for (const auto& part :
                 model::shared_parts(*this, std::vector<std::int64_t>(values, values + count))) {
                for (std::size_t i = 0; i < count; ++i) {
                    values[i] = std::max(values[i], part.at(i));
                }
            }
        }
        std::vector<std::string> gather(std::string own) override {
            std::vector<std::string> parts = share(std::move(own));
            return leads() ? parts : std::vector<std::string>{};
        }
        std::vector<std::string> share(std::string own) override {
            return m_team.share(m_rank, std::move(own));
        }
        void exchange(std::vector<model::rank_mail>& mail) override {
            std::vector<std::vector<char>> sent(size());
            for (const model::rank_mail& each : mail) {
                sent[each.neighbour] = each.sent;
            }
            const auto parts = model::shared_parts(*this, std::move(sent));
            for (model::rank_mail& each : mail) {
                each.received = parts[each.neighbour][m_rank];
            }
        }

     private:
        thread_team& m_team;
        unsigned m_rank;
    };

    std::vector<std::string> share(unsigned rank, std::string own) {
        std::unique_lock lock(m_mutex);
        m_parts[rank] = std::move(own);
        if (++m_have_come == size()) {
            m_have_come = 0;
            ++m_calls;
            m_shared = m_parts;
            m_all_have_come.notify_all();
        } else {
            m_all_have_come.wait(lock, [this, call = m_calls] { return m_calls != call; });
        }
        return m_shared;
    }

    std::mutex m_mutex;
    std::condition_variable m_all_have_come;
    unsigned m_have_come = 0;
    std::uint64_t m_calls = 0;
    // By rank: of this call, and of the last one that all have made.
    std::vector<std::string> m_parts;
    std::vector<std::string> m_shared;
    std::vector<std::unique_ptr<member>> m_ranks;
};

}  // namespace weir::test
