// The names of an enumeration's values, declared beside it.
//
//   enum class probe_form : std::uint8_t { ping, ramp };
//   constexpr auto names_of(probe_form) {
//       return enum_names<probe_form>({
//           {probe_form::ping, "ping", "one small frame"},
//           {probe_form::ramp, "ramp", "longer and longer frames"},
//       });
//   }
//   name_of(probe_form::ramp);           // "ramp"
//   find_named<probe_form>("ping");      // probe_form::ping; nothing for a text that is no name
//   named<probe_form>("ping");           // for a name that code knows
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>

namespace weir {

template <class Enum>
struct enum_name {
    Enum value;
    const char* name;
    /// For the help: a few words.
    const char* doc = "";
};

template <class Enum, class = void>
struct enum_size {
    static constexpr bool fits(std::size_t) { return true; }
};
/// Of an enumeration that ends with `count`, as one does that is an array's index, all values have a name.
template <class Enum>
struct enum_size<Enum, std::void_t<decltype(Enum::count)>> {
    static constexpr bool fits(std::size_t names) { return names == static_cast<std::size_t>(Enum::count); }
};

template <class Enum, std::size_t Count>
constexpr std::array<enum_name<Enum>, Count> enum_names(const enum_name<Enum> (&list)[Count]) {
    static_assert(enum_size<Enum>::fits(Count), "a value of the enumeration has no name");
    std::array<enum_name<Enum>, Count> names{};
    for (std::size_t i = 0; i < Count; ++i) {
        names[i] = list[i];
    }
    return names;
}

/// The names that a registry has by now; what `names_of` returns for its kinds.
template <class Kind, auto Registry>
struct registered_names {
    struct iterator {
        decltype(Registry().entries().begin()) at;
        std::size_t number;
        enum_name<Kind> operator*() const {
            return {static_cast<Kind>(number), at->name.c_str(), at->doc.c_str()};
        }
        iterator& operator++() {
            ++at;
            ++number;
            return *this;
        }
        bool operator!=(const iterator& other) const { return at != other.at; }
    };
    iterator begin() const { return {Registry().entries().begin(), 0}; }
    iterator end() const { return {Registry().entries().end(), 0}; }
};

template <class Enum, class = std::enable_if_t<std::is_enum_v<Enum>>>
const char* name_of(Enum value) {
    for (const enum_name<Enum> each : names_of(value)) {
        if (each.value == value) {
            return each.name;
        }
    }
    return "?";
}

template <class Enum>
std::optional<Enum> find_named(std::string_view name) {
    for (const enum_name<Enum> each : names_of(Enum{})) {
        if (name == each.name) {
            return each.value;
        }
    }
    return std::nullopt;
}

/// Throws std::logic_error for a text that is no name.
template <class Enum>
Enum named(std::string_view name) {
    const std::optional<Enum> found = find_named<Enum>(name);
    if (!found) {
        throw std::logic_error("no kind has the name '" + std::string(name) + "'");
    }
    return *found;
}

}  // namespace weir
