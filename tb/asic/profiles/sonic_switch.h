// How a switch of the model takes a config_db.json: which profile a class's priority group and queue have,
// which pool each kind of them draws from, and what sizes mean. Reading and writing ask the same.
//
//   const sonic_switch taken(read, 0b0001'1000, 8, 32, 208_B);   // classes 3 and 4 are lossless
//   read.pools[taken.pool(sonic_side::ingress, true)].name;   // ingress_lossless_pool
#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "tb/asic/sonic/config_db.h"
#include "tb/asic/sonic/sonic_messages.h"
#include "weir/protocol/frame.h"

namespace weir::tb {

/// What the model has of a profile. Nothing: that kind of group or queue has no such value.
struct sonic_values {
    /// Of the group or queue, however many classes it holds.
    bytes minimum{0};
    std::optional<std::int64_t> dynamic_th;
    std::optional<bytes> static_th;
    std::optional<bytes> xon;
    std::optional<bytes> xon_offset;
    std::optional<bytes> headroom;

    bool operator==(const sonic_values& b) const;
    bool operator!=(const sonic_values& b) const { return !(*this == b); }
};

class sonic_switch {
 public:
    /// `lossless`: classes of the model. `ports`: of the switch, the first of the file's; at most so many.
    /// `cell`: of its memory; 0: single bytes. `file` outlives this.
    sonic_switch(const config_db& file, class_mask lossless, unsigned classes, unsigned ports, bytes cell);

    /// One kind that draws from two pools.
    void tell_conflicts(sonic_messages& said) const;

    bool is_lossless(unsigned c) const { return (m_lossless >> c & 1) != 0; }
    class_mask lossless() const { return m_lossless; }
    /// The class's priority group (ingress) or queue.
    unsigned number_of(sonic_side side, unsigned port, unsigned c) const;
    const sonic_buffer& buffer(sonic_side side, unsigned port, unsigned c) const;
    /// Classes of the model that are in the same group or queue as this one, itself included.
    unsigned classes_with(sonic_side side, unsigned port, unsigned c) const;
    /// What this class has of a minimum of its group or queue. Of several classes each has whole cells, and the
    /// first ones have those that are left over.
    bytes part_of(bytes minimum, sonic_side side, unsigned port, unsigned c) const;

    /// Index of the pool of a kind's groups (ingress) or queues: of their profiles, else the one that is named
    /// `ingress_lossless_pool` and so on, else the only one of the side; `sonic_buffer::none`: there is none.
    std::size_t pool(sonic_side side, bool lossless) const { return m_pools[at(side)][lossless ? 1 : 0].pool; }
    bool is_common(sonic_side side) const;
    /// Lossless groups draw headroom from a pool of its own: then `size` of a profile is without xoff.
    bool has_headroom_pool() const;
    /// `size` of a pool includes what is reserved for its members. SAI defines it so, and Trident2's hardware
    /// tests count it; with a headroom pool, and on Mellanox's ASICs (sonic-swss, buffer_pool_mellanox.lua), it
    /// is the shared part alone.
    bool sizes_include_reserved() const;
    /// Of a pool, for members that the model does not have: those of other ports, and those of the model's
    /// ports that no class uses. Each takes whole cells.
    bytes reserved_elsewhere(std::size_t pool) const;
    /// Groups or queues of the model's ports that have a profile, and that no class uses: `Ethernet0|7`, one of
    /// each number.
    std::vector<std::string> unused(sonic_side side) const;
    bool uses(std::size_t pool) const;

    sonic_values values_of(const sonic_profile& profile, sonic_side side, bool lossless) const;

 private:
    struct kind_pool {
        std::size_t pool = sonic_buffer::none;
        /// Another one, and who draws from it.
        std::size_t other = sonic_buffer::none;
        std::string entry;
    };
    static std::size_t at(sonic_side side) { return side == sonic_side::ingress ? 0 : 1; }
    const sonic_buffers& buffers(sonic_side side, std::size_t port) const;
    /// Whether a class of the model is in it.
    bool is_used(sonic_side side, std::size_t port, unsigned number) const;
    bytes whole_cells(bytes size) const;
    const sonic_map& map(sonic_side side, unsigned port) const;
    void resolve(sonic_side side, bool lossless);

    const config_db& m_file;
    class_mask m_lossless;
    unsigned m_classes;
    unsigned m_ports;
    std::int64_t m_cell;
    /// By side and kind (lossless: 1).
    std::array<std::array<kind_pool, 2>, 2> m_pools;
};

}  // namespace weir::tb
