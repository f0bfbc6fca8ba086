#include "weir/traffic/transport/segment_bitmaps.h"

#include <algorithm>

namespace weir::traffic {

namespace {

/// Bits of a ring that holds `segments`: a power of two, whole words.
std::uint64_t ring_bits(std::uint64_t segments) {
    std::uint64_t bits = 64;
    while (bits < segments) {
        bits *= 2;
    }
    return bits;
}

}  // namespace

segment_bitmaps::segment_bitmaps(std::uint64_t window_segments)
    : m_words_each(ring_bits(window_segments) / 64), m_mask(m_words_each * 64 - 1) {}

segment_bitmaps::handle segment_bitmaps::take() {
    if (m_free.empty()) {
        m_words.resize(m_words.size() + m_words_each, 0);
        return static_cast<handle>(m_words.size() / m_words_each - 1);
    }
    const handle bitmap = m_free.back();
    m_free.pop_back();
    return bitmap;
}

void segment_bitmaps::give_back(handle bitmap) {
    const auto first = m_words.begin() + static_cast<std::ptrdiff_t>(bitmap * m_words_each);
    std::fill_n(first, m_words_each, std::uint64_t{0});
    m_free.push_back(bitmap);
}

bool segment_bitmaps::set(handle bitmap, std::uint64_t segment) {
    std::uint64_t& word = word_of(bitmap, segment);
    const bool was_clear = (word & bit_of(segment)) == 0;
    word |= bit_of(segment);
    return was_clear;
}

bool segment_bitmaps::clear(handle bitmap, std::uint64_t segment) {
    std::uint64_t& word = word_of(bitmap, segment);
    const bool was_set = (word & bit_of(segment)) != 0;
    word &= ~bit_of(segment);
    return was_set;
}

bool kept_segments::add(segment_bitmaps& bitmaps, std::uint64_t segment) {
    if (m_bitmap == segment_bitmaps::none) {
        m_bitmap = bitmaps.take();
    }
    const bool is_new = bitmaps.set(m_bitmap, segment);
    m_count += is_new ? 1 : 0;
    return is_new;
}

std::uint64_t kept_segments::bytes(const segment_bitmaps& bitmaps, std::uint64_t next, std::uint64_t payload,
                                   std::uint64_t flow_bytes) const {
    if (m_count == 0) {
        return 0;
    }
    // Only the last segment of a transfer may be shorter than the others.
    const std::uint64_t last = (flow_bytes - 1) / payload;
    const bool has_last = last - next / payload < bitmaps.ring() && bitmaps.holds(m_bitmap, last);
    return m_count * payload - (has_last ? (last + 1) * payload - flow_bytes : 0);
}

std::uint64_t kept_segments::take_from(segment_bitmaps& bitmaps, std::uint64_t next, std::uint64_t payload,
                                       std::uint64_t flow_bytes) {
    for (std::uint64_t segment = next / payload; m_count > 0 && bitmaps.clear(m_bitmap, segment); ++segment) {
        --m_count;
        next = std::min(next + payload, flow_bytes);
    }
    if (m_count == 0) {
        bitmaps.give_back(m_bitmap);
        m_bitmap = segment_bitmaps::none;
    }
    return next;
}

}  // namespace weir::traffic
