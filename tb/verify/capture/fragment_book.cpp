#include "tb/verify/capture/fragment_book.h"

#include <algorithm>
#include <iterator>

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
    // The flags hold behind the segment's last octet.
    const bool is_last = !later.fragment->more;
    part.push = first.push && is_last;
    part.fin = first.fin && is_last;
    part.ends = first.ends && is_last;
    return part;
}

/// True if both are first fragments of one packet: the same ports, and in TCP the same sequence number.
bool are_one_packet(const packet& a, const packet& b) {
    const bool same_transport = a.path.tcp ? a.sequence == b.sequence : a.payload == b.payload;
    return !(a.path < b.path) && !(b.path < a.path) && same_transport;
}

}  // namespace

std::uint64_t fragment_book::pieces::seen_octets() const {
    std::uint64_t sum = 0;
    for (const auto& [begin, end] : seen) {
        sum += end - begin;
    }
    return sum;
}

bool fragment_book::pieces::has_seen(std::uint64_t begin, std::uint64_t end) const {
    return std::any_of(seen.begin(), seen.end(),
                       [&](const auto& range) { return range.first <= begin && end <= range.second; });
}

bool fragment_book::pieces::see(std::uint64_t begin, std::uint64_t end) {
    if (has_seen(begin, end)) {
        return false;
    }
    const auto from = std::find_if(seen.begin(), seen.end(), [&](const auto& r) { return r.second >= begin; });
    const auto to = std::find_if(from, seen.end(), [&](const auto& r) { return r.first > end; });
    if (from != to) {
        begin = std::min(begin, from->first);
        end = std::max(end, std::prev(to)->second);
    }
    seen.insert(seen.erase(from, to), {begin, end});
    return true;
}

bool fragment_book::begins_another(const pieces& known, const packet& p) const {
    const ip_fragment& fragment = *p.fragment;
    if (p.time - known.latest > longest_wait ||
        (fragment.offset == 0 && known.first && !are_one_packet(*known.first, p))) {
        return true;
    }
    return m_begun - known.place > most_between &&
           known.has_seen(fragment.offset, fragment.offset + fragment.length);
}

std::vector<packet> fragment_book::add(const packet& p) {
    const ip_fragment& fragment = *p.fragment;
    const bool is_first = fragment.offset == 0;
    const key name{p.path.src, p.path.dst, fragment.protocol, fragment.id};
    pieces& all = m_open[name];
    if (all.place != 0 && begins_another(all, p)) {
        settle(all);
        all = {};
    }
    if (all.place == 0) {
        all.place = ++m_begun;
        all.latest = p.time;
    }
    all.latest = std::max(all.latest, p.time);
    const bool was_complete = all.is_complete();
    if (!fragment.more) {
        all.total = fragment.offset + fragment.length;
    }
    std::vector<packet> told;
    if (!all.see(fragment.offset, fragment.offset + fragment.length)) {
        if (is_first && !p.path.tcp) {
            told.push_back(p);
        }
        return told;
    }
    if (is_first) {
        all.first = p;
        // `head` stays valid while parts are added.
        told.reserve(1 + all.waiting.size());
        packet& head = told.emplace_back(p);
        head.push = head.fin = head.ends = false;
        for (const packet& later : all.waiting) {
            head.time = std::min(head.time, later.time);
            if (const auto part = part_of(p, later)) {
                told.push_back(*part);
            }
        }
        all.waiting = {};
    } else if (!all.first) {
        all.waiting.push_back(p);
    } else if (const auto part = part_of(*all.first, p)) {
        told.push_back(*part);
    }
    if (!was_complete && all.is_complete()) {
        m_complete.emplace_back(name, all.place);
        forget();
    }
    return told;
}

void fragment_book::finish() {
    for (const auto& [number, left] : m_open) {
        settle(left);
    }
    m_open.clear();
    m_complete.clear();
}

void fragment_book::forget() {
    while (m_complete.size() > most_between) {
        const auto& [name, place] = m_complete.front();
        const auto at = m_open.find(name);
        // The number may belong to another packet by now.
        if (at != m_open.end() && at->second.place == place) {
            m_open.erase(at);
        }
        m_complete.pop_front();
    }
}

void fragment_book::settle(const pieces& left) {
    const std::uint64_t seen = left.seen_octets();
    if (!left.first) {
        m_doubts.orphans += left.waiting.size();
        for (const packet& each : left.waiting) {
            m_doubts.orphan_bytes += each.fragment->length;
        }
    } else if (left.first->path.tcp && !left.is_complete()) {
        ++m_doubts.segments;
        m_doubts.segment_bytes += left.total ? *left.total - seen : 1;
    } else if (const std::uint64_t total = left.first->fragment->payload_offset + left.first->payload;
               !left.first->path.tcp && seen < total) {
        ++m_doubts.datagrams;
        m_doubts.datagram_bytes += total - seen;
    }
}

}  // namespace weir::tb
