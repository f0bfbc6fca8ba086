// Values as octets and back, for another process of the same program on a machine of the same kind: nothing is
// converted, and nothing is checked but the length.
//
// Trivially copyable values without pointers go as they are; strings, vectors, maps, pairs, tuples and optional
// values by their contents; a class by what its `fields` names.
//
//   const std::string sent = to_octets(std::vector<std::string>{"a", "b"});
//   const auto received = from_octets<std::vector<std::string>>(sent);
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <map>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "weir/base/namespaces.h"

namespace weir {

class octet_writer;

namespace detail {

/// The class says itself what goes.
template <class T, class = void>
inline constexpr bool names_fields = false;
template <class T>
inline constexpr bool
    names_fields<T, std::void_t<decltype(std::declval<T&>().fields(std::declval<octet_writer&>()))>> = true;
template <class T>
inline constexpr bool goes_as_it_is = std::is_trivially_copyable_v<T> && !names_fields<T>;

}  // namespace detail

class octet_writer {
 public:
    template <class... T>
    void operator()(const T&... values) {
        (put(values), ...);
    }
    std::string take() { return std::move(m_octets); }

 private:
    template <class T>
    void put(const T& value) {
        if constexpr (detail::goes_as_it_is<T>) {
            static_assert(!std::is_pointer_v<T> && !std::is_same_v<T, std::string_view>,
                          "an address means nothing to another process");
            append(&value, 1);
        } else {
            const_cast<T&>(value).fields(*this);  // `fields` names them for reading, too
        }
    }
    void put(const std::string& text) {
        put(text.size());
        m_octets += text;
    }
    template <class T>
    void put(const std::vector<T>& list) {
        put(list.size());
        if constexpr (detail::goes_as_it_is<T>) {
            append(list.data(), list.size());
        } else {
            for (const T& each : list) {
                put(each);
            }
        }
    }
    void put(const std::vector<bool>& list) { put(std::vector<char>(list.begin(), list.end())); }
    template <class K, class V>
    void put(const std::map<K, V>& map) {
        put(map.size());
        for (const auto& [key, value] : map) {
            put(key);
            put(value);
        }
    }
    template <class A, class B>
    void put(const std::pair<A, B>& both) {
        (*this)(both.first, both.second);
    }
    template <class... T>
    void put(const std::tuple<T...>& all) {
        std::apply(*this, all);
    }
    template <class T>
    void put(const std::optional<T>& value) {
        put(value.has_value());
        if (value) {
            put(*value);
        }
    }
    template <class T>
    void append(const T* from, std::size_t count) {
        m_octets.append(reinterpret_cast<const char*>(from), count * sizeof(T));
    }

    std::string m_octets;
};

class octet_reader {
 public:
    /// The octets outlive this.
    explicit octet_reader(std::string_view octets) : m_octets(octets) {}

    /// Throws std::length_error where the octets end too early.
    template <class... T>
    void operator()(T&... values) {
        (get(values), ...);
    }
    bool at_end() const { return m_octets.empty(); }

 private:
    template <class T>
    void get(T& value) {
        if constexpr (detail::goes_as_it_is<T>) {
            copy(&value, 1);
        } else {
            value.fields(*this);
        }
    }
    void get(std::string& text) {
        const std::size_t size = length(1);
        text.assign(m_octets.data(), size);
        m_octets.remove_prefix(size);
    }
    template <class T>
    void get(std::vector<T>& list) {
        if constexpr (detail::goes_as_it_is<T>) {
            list.resize(length(sizeof(T)));
            copy(list.data(), list.size());
        } else {
            list.clear();
            for (std::size_t left = length(1); left > 0; --left) {
                get(list.emplace_back());
            }
        }
    }
    void get(std::vector<bool>& list) {
        std::vector<char> values;
        get(values);
        list.assign(values.begin(), values.end());
    }
    template <class K, class V>
    void get(std::map<K, V>& map) {
        map.clear();
        for (std::size_t left = length(1); left > 0; --left) {
            K key;
            get(key);
            get(map[key]);
        }
    }
    template <class A, class B>
    void get(std::pair<A, B>& both) {
        (*this)(both.first, both.second);
    }
    template <class... T>
    void get(std::tuple<T...>& all) {
        std::apply(*this, all);
    }
    template <class T>
    void get(std::optional<T>& value) {
        bool has = false;
        get(has);
        value.reset();
        if (has) {
            // emplace() alone: clang takes a nested struct with default values for one that cannot be
            // constructed.
            get(value.emplace(T{}));
        }
    }
    /// Of a list whose items take so many octets at least.
    std::size_t length(std::size_t item) {
        std::size_t count = 0;
        copy(&count, 1);
        check(count, item);
        return count;
    }
    template <class T>
    void copy(T* to, std::size_t count) {
        check(count, sizeof(T));
        if (count > 0) {
            std::memcpy(static_cast<void*>(to), m_octets.data(), count * sizeof(T));
        }
        m_octets.remove_prefix(count * sizeof(T));
    }
    void check(std::size_t count, std::size_t item) const {
        if (count > m_octets.size() / item) {
            throw std::length_error("a message of another process ends too early");
        }
    }

    std::string_view m_octets;
};

template <class T>
std::string to_octets(const T& value) {
    octet_writer writer;
    writer(value);
    return writer.take();
}

template <class T>
T from_octets(std::string_view octets) {
    octet_reader reader(octets);
    T value{};
    reader(value);
    return value;
}

}  // namespace weir
