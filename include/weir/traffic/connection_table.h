// What a host knows of the connections that come in: for each (source, connection) the number of the
// latest transfer and one word about it.
//
// Open addressing with linear probing in one array of 24-byte entries. Nothing is ever removed: a source
// uses its connection numbers again, so there are as many entries as connections that sources had open at
// the same time. Nobody walks through it, so the order of the hash is never seen.
//
//   connection_table table;
//   auto [entry, known] = table.find_or_add(connection_key(src, connection));
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "weir/base/rng.h"
#include "weir/protocol/frame.h"

namespace weir {

constexpr std::uint64_t connection_key(ipv4_address src, std::uint32_t connection) {
    return (std::uint64_t{to_uint(src)} << 32) | connection;
}

class connection_table {
 public:
    struct entry {
        std::uint64_t key;
        /// Number of the latest transfer.
        std::uint64_t flow;
        /// The transport's own.
        std::uint64_t value;
    };
    struct found {
        /// Valid until the next call.
        entry* at;
        bool known;
    };

    std::size_t size() const { return m_used; }

    /// Null if the key is not in the table.
    const entry* find(std::uint64_t key) const {
        std::size_t at = random_stream::mix(key) & m_mask;
        while (m_entries[at].key != key && m_entries[at].key != empty) {
            at = (at + 1) & m_mask;
        }
        return m_entries[at].key == key ? &m_entries[at] : nullptr;
    }

    found find_or_add(std::uint64_t key) {
        for (std::size_t at = random_stream::mix(key) & m_mask;; at = (at + 1) & m_mask) {
            if (m_entries[at].key == key) {
                return {&m_entries[at], true};
            }
            if (m_entries[at].key == empty) {
                return add(key, at);
            }
        }
    }

 private:
    /// 255.255.255.255 sends no frames.
    static constexpr std::uint64_t empty = ~std::uint64_t{0};

    found add(std::uint64_t key, std::size_t at);
    std::size_t place_for(std::uint64_t key) const;
    void grow();

    std::vector<entry> m_entries = std::vector<entry>(16, entry{empty, 0, 0});
    std::size_t m_mask = 15;
    std::size_t m_used = 0;
};

}  // namespace weir
