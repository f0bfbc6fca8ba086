// Kinds of one part by name: congestion controls, workloads, topologies. What varies by name has one registry,
// with a maker (or whatever else `Traits` holds) and a line of help for each name.
//
// An explicit list fills a registry when it is first asked for: a static library drops objects that nothing
// refers to, and with them what would register itself. Modules from outside add theirs before options are read.
// A kind is a value of an enumeration; ours have names in it, those of others get the values behind them.
//
//   enum class probe_kind : std::uint8_t { ping, ramp };
//   registry<probe_kind, bytes> probes{{"ping", "one small frame", 64_B}, {"ramp", "longer and longer", 1_MB}};
//   const probe_kind jumbo = probes.add({"jumbo", "one large frame", 9_KB});
//   bytes largest = probes[jumbo];
#pragma once

#include <cstddef>
#include <deque>
#include <initializer_list>
#include <limits>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

namespace weir {

/// Name and help of a kind, in the class that is the kind.
struct kind_text {
    const char* name;
    const char* doc;
};

template <class Kind, class Traits>
class registry {
 public:
    struct entry {
        /// As options have it: lower case, digits and underscores.
        std::string name;
        /// For the help: a few words.
        std::string doc;
        Traits traits;
    };

    /// In the order of the enumeration.
    registry(std::initializer_list<entry> own) : m_entries(own) {}
    registry(const registry&) = delete;
    registry& operator=(const registry&) = delete;

    /// Before options are read, and before any run. Throws std::logic_error where the name is taken, or no
    /// number is left for the kind.
    Kind add(entry another) {
        using number = std::underlying_type_t<Kind>;
        if (find(another.name) || m_entries.size() > std::numeric_limits<number>::max()) {
            throw std::logic_error("'" + another.name +
                                   "' cannot be registered: its name is taken, or there are too many");
        }
        m_entries.push_back(std::move(another));
        return static_cast<Kind>(m_entries.size() - 1);
    }

    std::optional<Kind> find(std::string_view name) const {
        for (std::size_t i = 0; i < m_entries.size(); ++i) {
            if (m_entries[i].name == name) {
                return static_cast<Kind>(i);
            }
        }
        return std::nullopt;
    }
    /// Range: a kind that is registered.
    const entry& of(Kind kind) const { return m_entries[static_cast<std::size_t>(kind)]; }
    const Traits& operator[](Kind kind) const { return of(kind).traits; }
    const std::deque<entry>& entries() const { return m_entries; }

    /// Returns the errors that the rules of the chosen kind find, and the relations of the rules of all kinds,
    /// which help quotes. `rules_of(traits)` returns config_errors.
    template <class RulesOf>
    auto errors_of(Kind chosen, RulesOf&& rules_of) const {
        decltype(rules_of(m_entries.front().traits)) all;
        for (const entry& each : m_entries) {
            auto found = rules_of(each.traits);
            if (&each != &of(chosen)) {
                found.clear();
            }
            all.add(std::move(found));
        }
        return all;
    }

    /// Names of all kinds of which this holds: `racks or pods`.
    template <class Holds>
    std::string names(Holds&& holds) const {
        std::string text;
        for (const entry& each : m_entries) {
            if (holds(each.traits)) {
                text += (text.empty() ? "" : " or ") + each.name;
            }
        }
        return text;
    }
    /// For options that only some kinds have use for (`config_field::needs`): `fabric.topology = single or
    /// racks`, all kinds of which this holds. `key`: the option that is the kind.
    template <class Holds>
    std::string condition(const std::string& key, Holds&& holds) const {
        return key + " = " + names(holds);
    }

 private:
    // References to entries hold when others are added.
    std::deque<entry> m_entries;
};

}  // namespace weir
