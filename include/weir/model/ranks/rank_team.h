// The processes (ranks) that run one simulation together, each a part of the fabric, and what they tell each
// other.
//
// All calls but `rank`, `size` and `leads` are collective: every rank makes the same calls in the same order,
// so they belong where all ranks are at the same simulated time, at a barrier or in a periodic look. Rank 0
// leads: it writes the results.
//
//   const std::vector<std::uint64_t> all = gathered(team, losses);      // on rank 0, by rank; elsewhere none
//   const std::vector<std::uint64_t> known = shared(team, losses);      // on all ranks
#pragma once

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <stdexcept>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "weir/base/namespaces.h"
#include "weir/base/octets.h"

namespace weir::model {

/// To a neighbour and from it, at one barrier. Both keep their memory.
struct rank_mail {
    unsigned neighbour = 0;
    std::vector<char> sent;
    std::vector<char> received;
};

/// A rank has ended before the run has, or cannot be reached. Its text names the rank where it is known.
class rank_lost : public std::runtime_error {
 public:
    using std::runtime_error::runtime_error;
};

/// Every collective call may throw rank_lost.
class rank_team {
 public:
    virtual ~rank_team() = default;
    virtual unsigned rank() const = 0;
    /// Range: at least 1.
    virtual unsigned size() const = 0;
    bool leads() const { return rank() == 0; }
    bool is_alone() const { return size() == 1; }

    /// Of each value the greatest of all ranks, on all ranks.
    virtual void agree(std::int64_t* values, std::size_t count) = 0;
    /// The octets of all ranks, by rank: on rank 0; elsewhere an empty list.
    virtual std::vector<std::string> gather(std::string own) = 0;
    /// The same on all ranks.
    virtual std::vector<std::string> share(std::string own) = 0;
    /// One message to each of the neighbours, who do the same, and one from it.
    virtual void exchange(std::vector<rank_mail>& mail) = 0;
};

/// A process that runs the whole simulation: it calls nobody.
class lone_rank final : public rank_team {
 public:
    unsigned rank() const override { return 0; }
    unsigned size() const override { return 1; }
    void agree(std::int64_t*, std::size_t) override {}
    std::vector<std::string> gather(std::string own) override { return {std::move(own)}; }
    std::vector<std::string> share(std::string own) override { return {std::move(own)}; }
    void exchange(std::vector<rank_mail>&) override {}

    static lone_rank& team() {
        static lone_rank alone;
        return alone;
    }
};

/// On all ranks, whether it is so on one of them.
inline bool on_any(rank_team& team, bool here) {
    std::int64_t any = here ? 1 : 0;
    team.agree(&any, 1);
    return any != 0;
}

namespace detail {

/// By `call`, which is `gather` or `share`; a rank that is alone neither packs nor calls.
template <class Part>
std::vector<Part> parts_by(std::vector<std::string> (rank_team::*call)(std::string), rank_team& team,
                           Part own) {
    std::vector<Part> parts;
    if (team.is_alone()) {
        parts.push_back(std::move(own));
        return parts;
    }
    for (std::string& octets : (team.*call)(to_octets(own))) {
        parts.push_back(from_octets<Part>(octets));
        std::string().swap(octets);  // not all of them twice
    }
    return parts;
}

}  // namespace detail

/// A value of each rank, by rank: on rank 0; elsewhere none. `Part`: as octets.h takes it.
template <class Part>
std::vector<Part> gathered_parts(rank_team& team, Part own) {
    return detail::parts_by(&rank_team::gather, team, std::move(own));
}

/// The same on all ranks.
template <class Part>
std::vector<Part> shared_parts(rank_team& team, Part own) {
    return detail::parts_by(&rank_team::share, team, std::move(own));
}

template <class Record>
std::vector<Record> joined(std::vector<std::vector<Record>> parts) {
    std::vector<Record> all;
    for (std::vector<Record>& part : parts) {
        if (all.empty()) {
            all = std::move(part);
            continue;
        }
        all.insert(all.end(), std::make_move_iterator(part.begin()), std::make_move_iterator(part.end()));
    }
    return all;
}

/// The records of all ranks, in the order of ranks: on rank 0; elsewhere none.
template <class Record>
std::vector<Record> gathered(rank_team& team, std::vector<Record> own) {
    return joined(gathered_parts(team, std::move(own)));
}

/// Gathers lists of different records in one message.
template <class... Records>
std::tuple<std::vector<Records>...> gathered(rank_team& team, std::tuple<std::vector<Records>...> own) {
    std::tuple<std::vector<std::vector<Records>>...> parts;
    for (auto& part : gathered_parts(team, std::move(own))) {
        (std::get<std::vector<std::vector<Records>>>(parts).push_back(
             std::get<std::vector<Records>>(std::move(part))),
         ...);
    }
    return {joined(std::get<std::vector<std::vector<Records>>>(std::move(parts)))...};
}

/// The same on all ranks.
template <class Record>
std::vector<Record> shared(rank_team& team, std::vector<Record> own) {
    return joined(shared_parts(team, std::move(own)));
}

/// What all ranks have counted together, on all ranks. `Counts`: a whole number, or has `add` for another one.
template <class Counts>
Counts summed(rank_team& team, Counts own) {
    static_assert(!std::is_floating_point_v<Counts>, "the sum of such numbers depends on the order of ranks");
    std::vector<Counts> parts = shared_parts(team, std::move(own));
    for (std::size_t r = 1; r < parts.size(); ++r) {
        if constexpr (std::is_integral_v<Counts>) {
            parts.front() += parts[r];
        } else {
            parts.front().add(parts[r]);
        }
    }
    return std::move(parts.front());
}

}  // namespace weir::model
