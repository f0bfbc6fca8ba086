#include "tb/capture/fragment_book.h"

#include <algorithm>

namespace weir::tb {

namespace {

/// A later fragment of a TCP segment, with what its first one says.
std::optional<packet> part_of(const packet& first, const packet& later) {
    const std::uint64_t offset = later.fragment->offset;
    if (!first.path.tcp || offset < first.fragment->payload_offset) {
        return std::nullopt;
    }
    packet part = first;
    part.time = later.time;
    part.payload = later.fragment->length;
    part.sequence +=
        static_cast<std::uint32_t>(offset - first.fragment->payload_offset) + (first.syn ? 1U : 0U);
    part.syn = false;
    part.continues = true;
    // What the flags say holds behind the segment's last octet.
    const bool is_last = !later.fragment->more;
    part.push = first.push && is_last;
    part.fin = first.fin && is_last;
    part.ends = first.ends && is_last;
    return part;
}

}  // namespace

std::vector<packet> fragment_book::add(const packet& p) {
    const ip_fragment& fragment = *p.fragment;
    const bool is_first = fragment.offset == 0;
    const auto at = m_open.try_emplace({p.path.src, p.path.dst, fragment.protocol, fragment.id}).first;
    pieces& all = at->second;
    const bool is_new = all.seen == 0;
    if (!is_new && ((is_first && all.first) || p.time - all.latest > longest_wait)) {
        settle(all);
        all = {};
    }
    all.latest = is_new ? p.time : std::max(all.latest, p.time);
    all.seen += fragment.length;
    if (!fragment.more) {
        all.total = fragment.offset + fragment.length;
    }
    std::vector<packet> told;
    if (is_first) {
        all.first = p;
        packet& head = told.emplace_back(p);
        head.push = head.fin = head.ends = false;
        for (const packet& later : all.waiting) {
            head.time = std::min(head.time, later.time);
            if (const auto part = part_of(p, later)) {
                told.push_back(*part);
            }
        }
        all.waiting.clear();
    } else if (!all.first) {
        all.waiting.push_back(p);
    } else if (const auto part = part_of(*all.first, p)) {
        told.push_back(*part);
    }
    if (all.first && all.total && all.seen >= *all.total) {
        m_open.erase(at);
    }
    return told;
}

void fragment_book::finish() {
    for (const auto& [number, left] : m_open) {
        settle(left);
    }
    m_open.clear();
}

void fragment_book::settle(const pieces& left) {
    if (!left.first) {
        m_doubts.orphans += left.waiting.size();
        for (const packet& each : left.waiting) {
            m_doubts.orphan_bytes += each.fragment->length;
        }
    } else if (left.first->path.tcp) {
        ++m_doubts.segments;
    } else if (const std::uint64_t total = left.first->fragment->payload_offset + left.first->payload;
               left.seen < total) {
        ++m_doubts.datagrams;
        m_doubts.datagram_bytes += total - left.seen;
    }
}

}  // namespace weir::tb
