#include "weir/model/forwarding/wide_tcam.h"

#include <algorithm>
#include <iterator>

namespace weir::model {

namespace {

constexpr std::size_t slice_bits = 64;

std::uint64_t word(const wide_bits& bits, std::size_t index) {
    return index < bits.size() ? bits[index] : 0;
}

}  // namespace

std::size_t bit_length(const wide_bits& bits) {
    for (std::size_t w = bits.size(); w-- > 0;) {
        if (bits[w] != 0) {
            return slice_bits * (w + 1) - static_cast<std::size_t>(__builtin_clzll(bits[w]));
        }
    }
    return 0;
}

wide_bits ones(std::size_t count, std::size_t from) {
    wide_bits bits((from + count + slice_bits - 1) / slice_bits);
    for (std::size_t b = from; b < from + count; ++b) {
        bits[b / slice_bits] |= std::uint64_t{1} << (b % slice_bits);
    }
    return bits;
}

wide_bits complement(const wide_bits& bits, std::size_t width) {
    wide_bits result = ones(width);
    for (std::size_t w = 0; w < result.size(); ++w) {
        result[w] &= ~word(bits, w);
    }
    return result;
}

// Slices of 64 bits side by side, as TCAM macros are joined for wide keys: a line matches where it does in all.
wide_tcam::wide_tcam(const tcam_config& config) : m_key_bits(config.key_bits) {
    tcam_config slice = config;
    slice.memo_entries = 0;
    for (std::uint32_t from = 0; from < config.key_bits; from += slice_bits) {
        slice.key_bits = std::min<std::uint32_t>(config.key_bits - from, slice_bits);
        m_slices.emplace_back(slice);
    }
}

tcam_status wide_tcam::write(std::uint32_t index, const wide_tcam_entry& entry) {
    if (index >= m_slices.front().capacity()) {
        return tcam_status::beyond_capacity;
    }
    if (bit_length(entry.value) > m_key_bits || bit_length(entry.mask) > m_key_bits) {
        return tcam_status::bits_beyond_key;
    }
    for (std::size_t s = 0; s < m_slices.size(); ++s) {
        const tcam_entry part{word(entry.value, s), word(entry.mask, s), entry.priority, entry.valid};
        const tcam_status status = m_slices[s].write(index, part, {});
        if (status != tcam_status::done) {
            return status;
        }
    }
    if (index >= m_priority.size()) {
        m_priority.resize(index + 1);
    }
    m_priority[index] = entry.priority;
    return tcam_status::done;
}

tcam_status wide_tcam::erase(std::uint32_t index) {
    tcam_status status = tcam_status::done;
    for (tcam& slice : m_slices) {
        status = slice.erase(index);
    }
    return status;
}

// Highest priority; among equal ones the lowest index, since matches come in ascending order.
int wide_tcam::lookup(const wide_bits& key) const {
    if (m_slices.size() == 1 && bit_length(key) <= m_key_bits) {
        return m_slices.front().scan(word(key, 0));
    }
    int winner = tcam::no_match;
    for (const std::uint32_t index : all_matches(key)) {
        if (winner == tcam::no_match || m_priority[index] > m_priority[static_cast<std::uint32_t>(winner)]) {
            winner = static_cast<int>(index);
        }
    }
    return winner;
}

std::vector<std::uint32_t> wide_tcam::all_matches(const wide_bits& key) const {
    if (bit_length(key) > m_key_bits) {
        return {};
    }
    std::vector<std::uint32_t> matches = m_slices.front().all_matches(word(key, 0));
    for (std::size_t s = 1; s < m_slices.size() && !matches.empty(); ++s) {
        const std::vector<std::uint32_t> here = m_slices[s].all_matches(word(key, s));
        std::vector<std::uint32_t> both;
        std::set_intersection(matches.begin(), matches.end(), here.begin(), here.end(),
                              std::back_inserter(both));
        matches = std::move(both);
    }
    return matches;
}

}  // namespace weir::model
