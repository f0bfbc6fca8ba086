// Which segments of a window have arrived, or were confirmed, behind a gap: one bit each, in a bitmap that is
// borrowed from the host's pool only while something is missing.
//
//   segment_bitmaps bitmaps(716);             // windows of 716 segments
//   const auto b = bitmaps.take();
//   bitmaps.set(b, 1'000'003);                // true: it is new
//   bitmaps.give_back(b);
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "weir/base/namespaces.h"

namespace weir::traffic {

/// Largest window of a receiver, in segments or frames. What is out of order takes a bit for each of them, so
/// a transfer with a gap takes up to 128 KiB.
constexpr std::int64_t most_window_segments = std::int64_t{1} << 20;

/// A host's pool of bitmaps of segments that wait for one before them. Each is a ring: bit = segment number
/// modulo its size, which is at least the receive window.
class segment_bitmaps {
 public:
    using handle = std::uint32_t;
    static constexpr handle none = ~handle{0};

    /// Range: window > 0 segments.
    explicit segment_bitmaps(std::uint64_t window_segments);

    /// An empty bitmap.
    handle take();
    void give_back(handle bitmap);
    /// False if the bit was set already.
    bool set(handle bitmap, std::uint64_t segment);
    /// False if the bit was clear.
    bool clear(handle bitmap, std::uint64_t segment);
    /// Segments that a bitmap tells apart.
    std::uint64_t ring() const { return m_mask + 1; }
    bool holds(handle bitmap, std::uint64_t segment) const {
        return (m_words[bitmap * m_words_each + ((segment & m_mask) >> 6)] & bit_of(segment)) != 0;
    }
    std::size_t in_use() const { return m_words.size() / m_words_each - m_free.size(); }

 private:
    std::uint64_t& word_of(handle bitmap, std::uint64_t segment) {
        return m_words[bitmap * m_words_each + ((segment & m_mask) >> 6)];
    }
    static std::uint64_t bit_of(std::uint64_t segment) { return std::uint64_t{1} << (segment & 63); }

    std::size_t m_words_each;
    std::uint64_t m_mask;
    std::vector<std::uint64_t> m_words;
    std::vector<handle> m_free;
};

/// What a receiver keeps of one transfer behind a gap. Segments begin at multiples of one payload.
class kept_segments {
 public:
    bool any() const { return m_count > 0; }
    std::uint32_t count() const { return m_count; }
    /// Payload that is kept. `next`, `payload` and `flow_bytes` are those of `take_from`. Unit: B.
    std::uint64_t bytes(const segment_bitmaps& bitmaps, std::uint64_t next, std::uint64_t payload,
                        std::uint64_t flow_bytes) const;
    /// False: it was kept already.
    [[gnu::cold]] bool add(segment_bitmaps& bitmaps, std::uint64_t segment);
    /// The next byte that is missing when the bytes before `next` are there, as what is kept up to it is
    /// forgotten. Range: any(), and `next` is where a segment begins or the transfer ends.
    [[gnu::cold]] std::uint64_t take_from(segment_bitmaps& bitmaps, std::uint64_t next, std::uint64_t payload,
                                          std::uint64_t flow_bytes);

 private:
    segment_bitmaps::handle m_bitmap = segment_bitmaps::none;
    /// Segments in the bitmap.
    std::uint32_t m_count = 0;
};

}  // namespace weir::traffic
